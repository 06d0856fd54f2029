/* SPDX-License-Identifier: MIT */
/*
 * prop_store.c - pages of run.grains of random programs, cut into small chunks, against the whole
 * tree: with all chunks each node is the same and each map, byte for byte; with some of them
 * pictures stand for all grains. WN_SEED=N runs one seed, WN_SEEDS=N that many.
 *
 * With a folder as its argument it makes what the page's worker is compared with: containers, views
 * of them and pictures (parity.mjs).
 */
#include "container.h"

#include "aggregate/unfold.h"
#include "base/mem.h"
#include "page/private.h"
#include "page/table.h"
#include "tests/property/seeds.h"

#include <string.h>

static struct page_view
view_of(struct page *p, const struct container *c, uint64_t k)
{
	struct random random = {k * 977 + 3};
	struct page_view v = {.width = 200 + (float)random_below(&random, 1400),
	                      .height = 150 + (float)random_below(&random, 900),
	                      .selected = PAGE_NO_NODE,
	                      .site = PAGE_NO_NODE,
	                      .kind = (uint8_t)(k % 2),
	                      .problem = PAGE_ALL_PROBLEMS,
	                      .is_moving = k % 5 == 0,
	                      .is_log = k % 3 == 0,
	                      .has_dependences = k % 4 == 1};
	if (k % 7 == 0)
		v.problem = (uint8_t)random_below(&random, 3);
	if (k % 11 == 0)
		v.site = random_below(&random, 4);
	if (k % 3 == 1)
		v.selected = random_below(&random, c->head.n_nodes);
	double part = k % 4 == 0 ? 0 : 1.0 / (1 + random_below(&random, 30));
	if (part > 0 && page_size(p, &v, &v.w, &v.h, NULL) == WN_OK) {
		v.x = v.w * random_below(&random, 1000) / 1000 * (1 - part);
		v.y = v.h * random_below(&random, 1000) / 1000 * (1 - part);
		v.w *= part;
		v.h *= part;
	}
	return v;
}

static struct page_picture
drawn(struct page *p, const struct page_view *v)
{
	struct page_picture picture = {.shapes = NULL};
	wn_err err;
	if (page_draw(p, v, &picture, &err) != WN_OK) {
		differ("not drawn: %s", err.msg);
		abort();
	}
	return picture;
}

#define SAME(field)                                                                                \
	do {                                                                                       \
		if (a->field != b->field)                                                          \
			differ("node %u: " #field " is %" PRIu64 ", and %" PRIu64 " in the tree",  \
			       i, (uint64_t)a->field, (uint64_t)b->field);                         \
	} while (0)

static void
same_rows(const struct page *p, const struct page *whole, bool is_all)
{
	for (uint32_t i = 0; i < whole->run.n_nodes; i++) {
		const struct row *a = page_row(p, i), *b = page_row(whole, i);
		if (!a && is_all)
			differ("node %u is not here", i);
		if (!a)
			continue;
		SAME(node);
		SAME(end);
		SAME(parent);
		SAME(kind);
		SAME(n_members);
		SAME(n_grains);
		SAME(n_problem);
		SAME(work_ns);
		SAME(span_ns);
		SAME(best_ns);
		SAME(site);
		SAME(colour);
		SAME(flags);
		SAME(grain_kind);
	}
}

static void
same_maps(struct page *p, struct page *whole, const struct container *c, uint64_t seed)
{
	for (uint64_t k = 0; k < 6; k++) {
		struct page_view v = view_of(whole, c, seed * 12 + 2 * k);
		struct page_picture a = drawn(p, &v);
		struct page_picture b = drawn(whole, &v);
		if (a.n_shapes != b.n_shapes ||
		    memcmp(a.shapes, b.shapes, a.n_shapes * sizeof *a.shapes) != 0)
			differ("map %" PRIu64 ": %u shapes, and others than the %u of the tree", k,
			       a.n_shapes, b.n_shapes);
	}
}

/* Whatever is here: all of it is in both pictures. */
static void
stands_for_all(struct page *p, const struct container *c)
{
	for (uint8_t kind = 0; kind < 3; kind++) { /* the third: with dependences */
		struct page_view v = {.width = 900,
		                      .height = 600,
		                      .selected = PAGE_NO_NODE,
		                      .site = PAGE_NO_NODE,
		                      .kind = kind > 0,
		                      .has_dependences = kind == 2,
		                      .problem = PAGE_ALL_PROBLEMS};
		struct page_picture k = drawn(p, &v);
		if (k.n_grains != c->head.n_grains)
			differ("picture %u stands for %" PRIu64 " of %u grains", kind, k.n_grains,
			       c->head.n_grains);
	}
}

static void
same_steps(struct page *p, const struct wn_tree *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t parent = page_step(p, i, PAGE_PARENT, PAGE_ALL_PROBLEMS);
		uint32_t first = page_step(p, i, PAGE_FIRST, PAGE_ALL_PROBLEMS);
		uint32_t next = page_step(p, i, PAGE_NEXT, PAGE_ALL_PROBLEMS);
		if (parent != t->parent[i] || first != wn_tree_first(t, i) ||
		    next != wn_tree_next(t, i))
			differ("from node %u steps lead elsewhere", i);
		if (next != PAGE_NO_NODE &&
		    page_step(p, next, PAGE_PREVIOUS, PAGE_ALL_PROBLEMS) != i)
			differ("there is no way back from node %u to %u", next, i);
	}
}

static void
check(const struct container *c, uint64_t seed)
{
	struct random random = {seed + 5};
	struct page *p = container_page(c), *whole = container_whole(c);
	uint32_t n_chunks = container_n(c, WN_PART_CHUNK);
	container_put(c, p, WN_PART_TIER, 0);
	same_rows(p, whole, false);
	stands_for_all(p, c);
	container_put(c, p, WN_PART_TIER, 1);
	for (uint32_t k = 0; k < n_chunks && k < 12; k++) { /* in any order */
		uint32_t chunk = random_below(&random, n_chunks);
		if (!p->chunks[chunk].rows)
			container_put(c, p, WN_PART_CHUNK, chunk);
		else if (random_one_in(&random, 2))
			page_drop(p, chunk);
		same_rows(p, whole, false);
		stands_for_all(p, c);
	}
	for (uint32_t k = 0; k < n_chunks; k++)
		if (!p->chunks[k].rows)
			container_put(c, p, WN_PART_CHUNK, k);
	same_rows(p, whole, true);
	same_maps(p, whole, c, seed);
	same_steps(p, c->tree);
	page_free(p);
	page_free(whole);
}

static struct table *
table_of(const struct container *c, struct page *p, uint32_t problem, double threshold)
{
	const struct wn_metrics *m = c->report->metrics;
	uint32_t n_loops = container_n(c, WN_PART_LOOPS),
		 n_regions = container_n(c, WN_PART_REGIONS);
	struct table *t;
	if (table_new(&t, NULL) != WN_OK)
		abort();
	for (int k = 0; k < m->n_problems; k++)
		if (table_problem(t, m->problem_types[k].name, m->problem_types[k].is_below,
		                  m->threshold[k], NULL) != WN_OK)
			abort();
	table_threshold(t, problem, threshold);
	page_threshold(p, problem, threshold);
	page_ask(p, t);
	for (uint32_t k = 0; k < n_loops && table_wants_part(t, WN_PART_LOOPS); k++)
		container_take(c, t, WN_PART_LOOPS, k, false);
	for (uint32_t k = 0; k < n_regions && table_wants_part(t, WN_PART_REGIONS); k++)
		container_take(c, t, WN_PART_REGIONS, k, false);
	for (uint32_t k = 0; k < container_n(c, WN_PART_CHUNK) && table_wants_groups(t); k++)
		container_take(c, t, WN_PART_CHUNK, k, true);
	table_has_tables(t);
	return t;
}

/* With another threshold, groups hold as many grains with the problem as the run's own metrics say;
 * also while only some chunks are here. */
static void
check_judged(const struct container *c, uint64_t seed)
{
	struct random random = {seed + 31};
	struct wn_options options = wn_options_default();
	uint32_t problem = (uint32_t)WN_PROBLEM_PARALLEL_BENEFIT;
	double threshold = random_below(&random, 4000) / 1000.0;
	if (random_one_in(&random, 3)) {
		problem = WN_PROBLEM_SIBLING_BALANCE;
		threshold = 1 + threshold / 4;
	}
	options.threshold[problem] = threshold;
	options.needs_whole_graph = true;
	struct wn_metrics *m;
	struct page *p = container_page(c);
	uint32_t n_chunks = container_n(c, WN_PART_CHUNK);
	if (wn_metrics_build(c->report->graph, &options, &m, NULL) != WN_OK)
		abort();
	container_put(c, p, WN_PART_TIER, 0);
	container_put(c, p, WN_PART_TIER, 1);
	for (uint32_t k = 0; k < n_chunks; k++)
		if (random_one_in(&random, 2))
			container_put(c, p, WN_PART_CHUNK, k);
	struct table *t = table_of(c, p, problem, threshold);
	if (page_judge_begin(p, NULL) != WN_OK)
		abort();
	for (uint32_t k = 0; k < n_chunks; k++) {
		container_take(c, t, WN_PART_CHUNK, k, false);
		if (page_judge(p, t, k, NULL) != WN_OK)
			abort();
	}
	page_judge_end(p);
	if (page_count(p, problem) != m->problem[problem].count)
		differ("%" PRIu64 " grains have problem %u at %g, and %" PRIu64 " by the metrics",
		       page_count(p, problem), problem, threshold, m->problem[problem].count);
	for (uint8_t which = 0; which < 2; which++) {
		uint32_t mask = which ? WN_PROBLEMS_DEFAULT : 1u << problem;
		page_choose(p, which ? PAGE_ALL_PROBLEMS : (uint8_t)problem);
		for (uint32_t i = 0; i < c->tree->n; i++) {
			const struct row *r = page_row(p, i);
			uint32_t n = 0;
			for (uint32_t k = i; r && k < c->tree->end[i]; k++)
				n += c->tree->kind[k] == WN_TREE_GRAIN &&
				     m->problems[c->tree->ref[k]] & mask;
			if (r && r->n_problem != n)
				differ("node %u holds %u grains with a problem, not %u", i, n,
				       r->n_problem);
		}
	}
	table_end(t);
	wn_metrics_free(m);
	page_free(p);
}

static bool
holds(uint64_t seed)
{
	static struct container c;
	if (container_make(&c, seed, 20 + (uint32_t)(seed % 7) * 40, 8 + (uint32_t)(seed % 57))) {
		check(&c, seed);
		check_judged(&c, seed);
	}
	container_free(&c);
	return !why[0];
}

/* ---------------------------------------------------------------------------- for parity */

static void
put_bytes(FILE *to, const void *bytes, size_t n)
{
	if (n && fwrite(bytes, 1, n, to) != n)
		abort();
}

static FILE *
file(const char *folder, uint64_t k, const char *ending)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%" PRIu64 ".%s", folder, k, ending);
	FILE *to = fopen(path, "wb");
	if (!to)
		abort();
	return to;
}

static void
write_views(const struct container *c, const char *folder, uint64_t k, uint32_t n_views)
{
	FILE *views = file(folder, k, "views"), *pictures = file(folder, k, "pictures"),
	     *grains = file(folder, k, "grains");
	struct page *p = container_page(c);
	uint32_t n_chunks = container_n(c, WN_PART_CHUNK);
	put_bytes(grains, c->bytes, c->n_bytes);
	container_put(c, p, WN_PART_TIER, 0);
	container_put(c, p, WN_PART_TIER, 1);
	for (uint32_t i = 0; i < n_chunks; i += 1 + (uint32_t)(k % 3))
		container_put(c, p, WN_PART_CHUNK, i);
	for (uint32_t i = 0; i < n_views; i++) {
		struct page_view v = view_of(p, c, k * 1000 + i);
		struct page_picture d = drawn(p, &v);
		double numbers[] = {v.x,
		                    v.y,
		                    v.w,
		                    v.h,
		                    (double)v.width,
		                    (double)v.height,
		                    v.root,
		                    v.selected,
		                    v.site,
		                    v.kind,
		                    v.problem,
		                    v.is_moving + 2.0 * v.has_dependences + 4.0 * v.is_log,
		                    p->run.n_cores,
		                    p->run.n_sites,
		                    p->run.n_problems,
		                    p->run.counting};
		put_bytes(views, numbers, sizeof numbers);
		put_bytes(pictures, d.shapes, d.n_shapes * sizeof *d.shapes);
		put_bytes(pictures, d.texts, d.n_texts * sizeof *d.texts);
		put_bytes(pictures, d.bytes, d.n_bytes);
	}
	page_free(p);
	fclose(views);
	fclose(pictures);
	fclose(grains);
}

static int
write_all(const char *folder)
{
	uint32_t n_made = 0;
	for (uint64_t seed = 1; n_made < 25; seed++) {
		static struct container c;
		if (container_make(&c, seed, 200, 16 + (uint32_t)(seed % 200))) {
			write_views(&c, folder, seed, 48);
			n_made++;
		}
		container_free(&c);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc > 1)
		return write_all(argv[1]);
	struct seeds seeds = seeds_wanted(120);
	ok(seeds_bad(seeds, holds) == 0,
	   "pages of parts of %" PRIu64 " runs are those of the whole", seeds.n);
	ok(wn_mem_live() == 0, "nothing is left in memory");
	return done();
}
