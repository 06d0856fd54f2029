/* SPDX-License-Identifier: MIT */
/*
 * prop_page.c - pictures of random forests: laws of the map and of the structure that hold in any
 * frame, and hashes of fixed ones. WN_SEED=N runs one seed, WN_SEEDS=N that many.
 */
#include "aggregate/hash.h"
#include "aggregate/local.h"
#include "aggregate/tree.h"
#include "base/mem.h"
#include "forest.h"
#include "page_forest.h"
#include "seeds.h"

#include <math.h>
#include <string.h>

static struct page_picture
drawn(struct page *p, const struct page_view *view)
{
	struct page_picture picture = {.shapes = NULL};
	wn_err err;
	if (page_draw(p, view, &picture, &err) != WN_OK) {
		differ("not drawn: %s", err.msg);
		abort();
	}
	return picture;
}

static struct page_view
whole_view(struct page *p, uint8_t kind, uint32_t selected)
{
	struct page_view v = {.w = 1,
	                      .h = 1,
	                      .width = 1200,
	                      .height = 700,
	                      .selected = selected,
	                      .site = PAGE_NO_NODE,
	                      .kind = kind,
	                      .problem = PAGE_ALL_PROBLEMS};
	if (page_size(p, &v, &v.w, &v.h, NULL) != WN_OK)
		abort();
	return v;
}

static bool
is_area(const struct page_shape *s)
{
	return s->kind == PAGE_GRAIN || s->kind == PAGE_CLOSED || s->kind == PAGE_CARD ||
	       s->kind == PAGE_STRIP;
}

/* What is painted over another: floats of pixels meet only nearly. */
static float
overlap(const struct page_shape *a, const struct page_shape *b)
{
	float w = fminf(a->x + a->w, b->x + b->w) - fmaxf(a->x, b->x);
	float h = fminf(a->y + a->h, b->y + b->h) - fmaxf(a->y, b->y);
	return w > 0 && h > 0 ? fminf(w, h) : 0;
}

static void
check_apart(const struct page_picture *k, const struct page_view *v)
{
	for (uint32_t i = 0; i < k->n_shapes && i < 2000; i++) {
		const struct page_shape *a = &k->shapes[i];
		if (!is_area(a))
			continue;
		if (!(a->w >= 0 && a->h >= 0 && a->x >= -9 && a->y >= -9 &&
		      a->x + a->w <= v->width + 9 && a->y + a->h <= v->height + 9))
			differ("shape %u is outside the picture", i);
		for (uint32_t c = i + 1; c < k->n_shapes && c < 2000; c++)
			if (is_area(&k->shapes[c]) && overlap(a, &k->shapes[c]) > 0.02f)
				differ("shapes %u and %u (nodes %u, %u) overlap by %g", i, c,
				       a->node, k->shapes[c].node,
				       (double)overlap(a, &k->shapes[c]));
	}
}

/* All of the run is in the picture, once; its height is no less than any schedule's. */
static void
check_map(struct page *p, const struct page_forest *f)
{
	struct page_view v = whole_view(p, PAGE_MAP, PAGE_NO_NODE);
	struct page_picture k = drawn(p, &v);
	if (k.n_grains != f->n_grains || !k.is_exact)
		differ("the map stands for %" PRIu64 " of %u grains", k.n_grains, f->n_grains);
	if (k.n_shapes > PAGE_SHAPES_MAX)
		differ("%u shapes", k.n_shapes);
	check_apart(&k, &v);
	v.is_moving = 1;
	if (drawn(p, &v).n_shapes > PAGE_SHAPES_MOVING)
		differ("too many shapes while it moves");
	double best = fmax((double)f->span_ns, (double)f->work_ns / f->n_cores);
	if (v.h < best || v.h > (double)f->span_ns + (double)f->work_ns / f->n_cores + f->tree->n)
		differ("the map is %g high, and the best is %g", v.h, best);
	/* the filled area is at least the work, but for what is squeezed: at most by two, each time
	 * that a sequence shares cores */
	double area = 0;
	v.is_moving = 0;
	k = drawn(p, &v);
	for (uint32_t i = 0; i < k.n_shapes; i++)
		if (is_area(&k.shapes[i]))
			area += (double)k.shapes[i].w * (double)k.shapes[i].h;
	if (area > (double)v.width * (double)v.height * 1.001)
		differ("more is filled than there is");
}

/* The node that is painted last at a pixel. */
static uint32_t
node_at(const struct page_picture *k, float x, float y)
{
	uint32_t node = PAGE_NO_NODE;
	for (uint32_t i = 0; i < k->n_shapes; i++) {
		const struct page_shape *s = &k->shapes[i];
		if (s->kind < PAGE_LINE && s->node != PAGE_NO_NODE && x >= s->x &&
		    x < s->x + s->w && y >= s->y && y < s->y + s->h)
			node = s->node;
	}
	return node;
}

/* Any part of it, at any size: apart, and the same grain where it was. */
static void
check_zooms(struct page *p, uint64_t seed)
{
	struct page_view all = whole_view(p, PAGE_MAP, PAGE_NO_NODE), v = all;
	for (uint64_t i = 0; i < 4; i++) {
		double part = 0.5 / (double)(1 + (seed * 7 + i * 13) % 40);
		v.x = all.w * (double)((seed + i * 5) % 8) / 8;
		v.y = all.h * (double)((seed * 3 + i) % 16) / 16;
		v.w = all.w * part;
		v.h = all.h * part;
		struct page_picture k = drawn(p, &v);
		check_apart(&k, &v);
		for (uint32_t s = 0; s < k.n_shapes; s++)
			if (k.shapes[s].kind == PAGE_GRAIN && k.shapes[s].w > 4 &&
			    k.shapes[s].h > 4 && k.shapes[s].x >= 0 && k.shapes[s].y >= 0 &&
			    node_at(&k, k.shapes[s].x + 1, k.shapes[s].y + 1) != k.shapes[s].node)
				differ("what lies at shape %u is another node", s);
	}
}

/* In a flat fork-join a grain's area is its work, or the same part of it for all. */
static void
check_areas(struct page *p, const struct page_forest *f)
{
	struct page_view v = whole_view(p, PAGE_MAP, PAGE_NO_NODE);
	v.w /= 8;
	v.h /= 64;
	struct page_picture k = drawn(p, &v);
	double least = INFINITY, most = 0;
	for (uint32_t i = 0; i < k.n_shapes; i++) {
		const struct page_shape *s = &k.shapes[i];
		bool is_cut =
		    s->x < 0 || s->y < 0 || s->x + s->w > v.width || s->y + s->h > v.height;
		if (s->kind != PAGE_GRAIN || is_cut || s->h < 8 || s->w < 8 ||
		    s->node < 2 + f->n_first)
			continue;
		double part = (double)s->w * (double)s->h / (double)f->work[s->node];
		least = fmin(least, part);
		most = fmax(most, part);
	}
	if (most > least * 1.01)
		differ("areas are not in proportion to work: %g to %g", least, most);
}

static void
check_structure(struct page *p, const struct page_forest *f, uint32_t selected)
{
	struct page_view v = whole_view(p, PAGE_STRUCTURE, selected);
	v.width = (float)v.w;
	v.height = (float)v.h;
	if (v.w > 30000 || v.h > 30000) { /* as small as need be */
		double scale = 30000 / fmax(v.w, v.h);
		v.width = (float)(v.w * scale);
		v.height = (float)(v.h * scale);
	}
	struct page_picture k = drawn(p, &v);
	bool is_seen = selected == PAGE_NO_NODE;
	if (k.n_grains != f->n_grains)
		differ("the structure stands for %" PRIu64 " of %u grains", k.n_grains,
		       f->n_grains);
	check_apart(&k, &v);
	for (uint32_t i = 0; i < k.n_shapes; i++)
		is_seen |= k.shapes[i].node == selected && k.shapes[i].flags & PAGE_F_SELECTED;
	if (!is_seen)
		differ("node %u is selected, and not to be seen", selected);
}

static bool
holds(uint64_t seed)
{
	enum forest_shape shape = (enum forest_shape)(seed % FOREST_SHAPES_N);
	uint32_t n = 20 + (uint32_t)(seed * 37 % 900);
	struct page_forest f;
	page_forest_init(&f, shape, n, seed, 1 + (uint32_t)(seed % 13));
	struct page *p = page_forest_whole(&f);
	if (f.tree->n > 0) {
		check_map(p, &f);
		check_zooms(p, seed);
		if (shape == FOREST_WIDE)
			check_areas(p, &f);
		check_structure(p, &f, PAGE_NO_NODE);
		check_structure(p, &f, page_worst(p, 0, PAGE_ALL_PROBLEMS));
		check_structure(p, &f, (uint32_t)(seed * 2654435761u % f.tree->n));
	}
	page_free(p);
	page_forest_fini(&f);
	return !why[0];
}

/* FNV-1a over the shapes of 1,000 views. */
static void
hash_views(void)
{
	static const uint64_t expected[FOREST_SHAPES_N] = {
	    UINT64_C(0x0e1f0698bae2b802), UINT64_C(0x5157d0b64cad72ca),
	    UINT64_C(0x35f2698a481c2b05), UINT64_C(0xc884da911c3e2f91),
	    UINT64_C(0x73b513b41923336d),
	};
	for (int shape = 0; shape < FOREST_SHAPES_N; shape++) {
		struct page_forest f;
		page_forest_init(&f, (enum forest_shape)shape, 3000, 5, 8);
		struct page *p = page_forest_whole(&f);
		uint64_t hash = page_forest_hash(p, &f, 200);
		ok(hash == expected[shape], "200 views of %s have the hash %016" PRIx64,
		   forest_names[shape], hash);
		page_free(p);
		page_forest_fini(&f);
	}
}

int
main(void)
{
	struct seeds seeds = seeds_wanted(150);
	ok(seeds_bad(seeds, holds) == 0, "pictures of %" PRIu64 " forests keep the laws", seeds.n);
	hash_views();
	ok(wn_mem_live() == 0, "nothing is left in memory");
	return done();
}
