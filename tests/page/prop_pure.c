/* SPDX-License-Identifier: MIT */
/*
 * prop_pure.c - a picture is a function of a snapshot and a view. Painting allocates nothing and
 * gives the same bytes each time; where memory runs out while something else is to be shown, what
 * was shown before is still there. Each allocation is made to fail once.
 */
#include "container.h"
#include "tests/property/seeds.h"

#include "base/mem.h"
#include "page/snapshot.h"
#include "page/structure.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

static uint64_t n_painted, n_refused, n_kept;

/* What a picture was, in memory of its own. */
struct copy {
	struct page_shape *shapes;
	struct page_text *texts;
	char *bytes;
	struct page_picture is;
};

static void *
copied(const void *from, size_t n_bytes)
{
	void *out = malloc(n_bytes + 1);
	if (!out)
		abort();
	if (n_bytes)
		memcpy(out, from, n_bytes);
	return out;
}

static struct copy
copy_of(const struct page_picture *d)
{
	return (struct copy){copied(d->shapes, d->n_shapes * sizeof *d->shapes),
	                     copied(d->texts, d->n_texts * sizeof *d->texts),
	                     copied(d->bytes, d->n_bytes), *d};
}

static void
free_copy(struct copy *c)
{
	free(c->shapes);
	free(c->texts);
	free(c->bytes);
}

static bool
is_same(const void *a, const void *b, size_t n_bytes)
{
	return n_bytes == 0 || memcmp(a, b, n_bytes) == 0;
}

static bool
is_copy(const struct copy *c, const struct page_picture *d)
{
	return c->is.n_shapes == d->n_shapes && c->is.n_texts == d->n_texts &&
	       c->is.n_bytes == d->n_bytes && c->is.n_grains == d->n_grains &&
	       c->is.is_exact == d->is_exact &&
	       is_same(c->shapes, d->shapes, d->n_shapes * sizeof *d->shapes) &&
	       is_same(c->texts, d->texts, d->n_texts * sizeof *d->texts) &&
	       is_same(c->bytes, d->bytes, d->n_bytes);
}

static struct page_view
view_of(struct page *p, struct random *random)
{
	struct page_view v = {
	    .width = 100 + (float)random_below(random, 1200),
	    .height = 100 + (float)random_below(random, 800),
	    .selected =
		random_one_in(random, 3) ? random_below(random, p->run.n_nodes) : PAGE_NO_NODE,
	    .site = PAGE_NO_NODE,
	    .kind = (uint8_t)random_below(random, 2),
	    .problem = random_one_in(random, 2) ? PAGE_ALL_PROBLEMS
	                                        : (uint8_t)random_below(random, p->run.n_problems),
	    .is_moving = random_one_in(random, 4),
	    .is_log = random_one_in(random, 3),
	    .has_dependences = random_one_in(random, 3)};
	if (random_one_in(random, 2) && page_size(p, &v, &v.w, &v.h, NULL) == WN_OK) {
		double part = 1.0 / (1 + random_below(random, 40));
		v.x = v.w * random_below(random, 1000) / 1000 * (1 - part);
		v.y = v.h * random_below(random, 1000) / 1000 * (1 - part);
		v.w *= part;
		v.h *= part;
	}
	return v;
}

/* Painted twice, with no memory to be had. */
static void
paint_without_memory(struct page *p, const struct page_view *v)
{
	struct page_picture d;
	if (page_prepare(p, v, NULL) != WN_OK)
		abort();
	long n_live = wn_mem_live();
	wn_mem_largest();
	wn_mem_fail_after(0);
	page_paint(p, v, &d);
	struct copy first = copy_of(&d);
	page_paint(p, v, &d);
	wn_mem_fail_after(-1);
	if (wn_mem_largest() != 0 || wn_mem_live() != n_live)
		differ("painting asks for memory, or frees some");
	if (!is_copy(&first, &d))
		differ("painted twice, a picture has other bytes");
	free_copy(&first);
	n_painted++;
}

/* What is to be shown instead. */
static wn_status
show_other(struct page *p, const struct page_view *other, uint32_t how, uint32_t problem)
{
	if (how == 0)
		return page_prepare(p, other, NULL);
	if (how == 1)
		return page_choose(p, other->problem) ? WN_OK : WN_E_NOMEM;
	if (how == 2)
		return page_threshold_end(p, NULL);
	return page_threshold_reset(p, problem) ? WN_OK : WN_E_NOMEM;
}

/* Bits of a pass that found every third grain. */
static void
begin_pass(struct page *p, uint32_t problem)
{
	page_threshold_begin(p);
	page_threshold_set(p, problem, 1.0);
	for (uint32_t k = 0; k < p->run.n_chunks; k++) {
		struct page_chunk *c = &p->chunks[k];
		size_t n = c->n_grains / 64 + 1u;
		uint64_t **next = &c->problem_bits[problem].next;
		if (!(*next = wn_calloc(n, sizeof **next)))
			abort();
		for (uint32_t i = 0; i < c->n_grains; i += 3)
			(*next)[i / 64] |= UINT64_C(1) << i % 64;
	}
}

/* Until it is shown, each failure leaves the picture that was there. */
static void
fail_each(struct page *p, const struct page_view *v, const struct page_view *other, uint32_t how,
          uint32_t problem)
{
	struct page_picture d;
	if (how == 3) {
		begin_pass(p, problem);
		if (page_threshold_end(p, NULL) != WN_OK)
			abort();
	}
	if (page_draw(p, v, &d, NULL) != WN_OK)
		abort();
	struct copy before = copy_of(&d);
	if (how == 2)
		begin_pass(p, problem);
	const struct snapshot *shown = p->shown;
	for (long n = 0;; n++) {
		wn_mem_fail_after(n);
		wn_status st = show_other(p, other, how, problem);
		wn_mem_fail_after(-1);
		if (st == WN_OK)
			break;
		n_refused++;
		page_paint(p, v, &d);
		bool is_kept = p->shown == shown && is_copy(&before, &d);
		n_kept += is_kept;
		if (!is_kept || st != WN_E_NOMEM)
			differ("what was shown is gone when allocation %ld fails (way %u)", n, how);
	}
	free_copy(&before);
}

static bool
holds(uint64_t seed)
{
	static struct container c;
	struct random random = {seed * 31 + 7};
	if (!container_make(&c, seed, 120, 16 + (uint32_t)(seed % 100))) {
		container_free(&c);
		return true;
	}
	struct page *p = container_page(&c);
	container_put(&c, p, WN_PART_TIER, 0);
	container_put(&c, p, WN_PART_TIER, 1);
	for (uint32_t node = 0; node < p->run.n_nodes; node += 1 + random_below(&random, 9))
		if (page_mark(p, node, (enum page_mark)random_below(&random, PAGE_MARK_N), NULL) !=
		    WN_OK)
			abort();
	for (uint32_t k = 0; k < container_n(&c, WN_PART_CHUNK); k++)
		if (!random_one_in(&random, 3))
			container_put(&c, p, WN_PART_CHUNK, k);
	for (uint32_t i = 0; i < 12; i++) {
		struct page_view v = view_of(p, &random), other = view_of(p, &random);
		if (!page_row(p, v.root))
			continue;
		paint_without_memory(p, &v);
		fail_each(p, &v, &other, i % 4, random_below(&random, p->run.n_problems));
	}
	page_free(p);
	container_free(&c);
	return !why[0];
}

int
main(void)
{
	struct seeds seeds = seeds_wanted(40);
	ok(seeds_bad(seeds, holds) == 0, "pictures of %" PRIu64 " runs are functions", seeds.n);
	ok(n_painted > seeds.n, "%" PRIu64 " were painted twice without memory", n_painted);
	ok(n_refused > 10 * seeds.n && n_kept == n_refused,
	   "what was shown outlived %" PRIu64 " of %" PRIu64 " failures", n_kept, n_refused);
	ok(wn_mem_live() == 0, "nothing is left in memory");
	return done();
}
