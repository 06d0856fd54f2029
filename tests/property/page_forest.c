/* SPDX-License-Identifier: MIT */
#include "page_forest.h"

#include "aggregate/hash.h"
#include "aggregate/local.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

static void *
room(size_t n, size_t size)
{
	void *block = calloc(n + 1, size);
	if (!block)
		abort();
	return block;
}

void
page_forest_init(struct page_forest *f, enum forest_shape shape, uint32_t n, uint64_t seed,
                 uint32_t n_cores)
{
	struct random random = {seed * 31 + 1};
	struct wn_local_path path;
	memset(f, 0, sizeof *f);
	f->n_cores = n_cores;
	f->g = forest_new(shape, n, seed);
	for (uint32_t id = 0; id < f->g->n;
	     id++) /* from nothing to a millisecond, most are short */
		f->g->work.cells[id] =
		    (uint32_t)random_below(&random, random_one_in(&random, 9) ? 1000000 : 5000);
	if (wn_tree_build(f->g, 1, &f->tree, NULL) != WN_OK)
		abort();
	const struct wn_tree *t = f->tree;
	f->work = room(t->n, sizeof *f->work);
	f->shape = room(t->n, sizeof *f->shape);
	f->site = room(t->n, sizeof *f->site);
	f->problems = room(t->n, sizeof *f->problems);
	f->flags = room(t->n, 1);
	f->severity = room(t->n, 1);
	f->grain_kind = room(t->n, 1);
	for (wn_tree_node i = 0; i < t->n; i++) {
		if (t->kind[i] != WN_TREE_GRAIN)
			continue;
		wn_grain id = t->ref[i];
		f->n_grains++;
		f->work[i] = wn_work_ns(f->g, id);
		f->work_ns += f->work[i];
		f->site[i] = random_below(&random, PAGE_FOREST_SITES);
		f->problems[i] = random_one_in(&random, 5) ? 1u << random_below(&random, 3) : 0;
		f->flags[i] = f->g->flags[id] & WN_GF_CRITICAL ? PAGE_NODE_CRITICAL : 0;
		f->severity[i] = (uint8_t)(1 + random_below(&random, 255));
		f->grain_kind[i] = (uint8_t)(3 + 2 * random_below(&random, 2));
	}
	if (t->n == 0)
		return;
	while (f->n_first < t->n && t->kind[f->n_first] == WN_TREE_LINEAR)
		f->n_first++;
	if (wn_tree_shapes(t, f->shape, NULL) != WN_OK ||
	    wn_local_path_init(&path, t, 0, NULL) != WN_OK)
		abort();
	f->span_ns = path.span_ns;
	wn_local_path_fini(&path);
}

void
page_forest_fini(struct page_forest *f)
{
	free(f->work);
	free(f->shape);
	free(f->site);
	free(f->problems);
	free(f->flags);
	free(f->severity);
	free(f->grain_kind);
	wn_tree_free(f->tree);
	forest_free(f->g);
}

struct page_nodes
page_forest_nodes(const struct page_forest *f)
{
	return (struct page_nodes){f->tree->n, f->tree->kind, f->tree->end, f->work,
	                           f->site,    f->problems,   f->flags,     f->severity,
	                           f->shape,   f->grain_kind};
}

struct page *
page_forest_whole(const struct page_forest *f)
{
	struct page_run run = {.n_nodes = f->tree->n,
	                       .n_grains = f->n_grains,
	                       .n_chunks = 1,
	                       .n_cores = f->n_cores,
	                       .n_sites = PAGE_FOREST_SITES,
	                       .n_problems = 3,
	                       .counting = 7};
	struct page_nodes nodes = page_forest_nodes(f);
	struct page *p;
	if (page_new(&run, &p, NULL) != WN_OK)
		abort();
	for (uint32_t site = 0; site < PAGE_FOREST_SITES; site++)
		page_site_colour(p, site, (uint8_t)(site < 8 ? site : 8));
	if (page_take(p, &nodes, NULL) != WN_OK)
		abort();
	return p;
}

struct page_view
page_forest_view(struct page *p, const struct page_forest *f, uint32_t k)
{
	struct random random = {k * 977 + 3};
	struct page_view v = {.w = 1,
	                      .h = 1,
	                      .width = 200 + (float)random_below(&random, 1400),
	                      .height = 150 + (float)random_below(&random, 900),
	                      .selected = random_below(&random, f->tree->n),
	                      .site = PAGE_NO_NODE,
	                      .kind = (uint8_t)(k % 2),
	                      .problem = PAGE_ALL_PROBLEMS,
	                      .is_moving = k % 5 == 0,
	                      .is_log = k % 3 == 0};
	if (k % 7 == 0)
		v.problem = (uint8_t)random_below(&random, 3);
	if (k % 11 == 0)
		v.site = random_below(&random, PAGE_FOREST_SITES);
	if (page_size(p, &v, &v.w, &v.h, NULL) != WN_OK)
		abort();
	double part = 1.0 / (1 + random_below(&random, 60));
	v.x = v.w * random_below(&random, 1000) / 1000 * (1 - part);
	v.y = v.h * random_below(&random, 1000) / 1000 * (1 - part);
	v.w *= part;
	v.h *= part;
	return v;
}

static uint64_t
fnv(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t
page_forest_hash(struct page *p, const struct page_forest *f, uint32_t n)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (uint32_t k = 0; k < n; k++) {
		struct page_view v = page_forest_view(p, f, k);
		struct page_picture picture;
		if (page_draw(p, &v, &picture, NULL) != WN_OK)
			abort();
		hash = fnv(hash, picture.shapes, picture.n_shapes * sizeof *picture.shapes);
		hash = fnv(hash, picture.texts, picture.n_texts * sizeof *picture.texts);
		hash = fnv(hash, picture.bytes, picture.n_bytes);
	}
	return hash;
}
