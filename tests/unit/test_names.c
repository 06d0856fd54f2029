/* SPDX-License-Identifier: MIT */
/*
 * test_names.c - names of grains in tasks that are nested deeply: of bounded length, all different,
 * lineages where they are short, the same in another graph of the same program.
 */
#include "graph/grain_names.h"

#include "base/mem.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 50000u

/* A graph of tasks alone, as far as names need one: parents may come after their children. */
static struct wn_graph *
make(uint32_t n)
{
	struct wn_graph *g = calloc(1, sizeof *g);
	g->n = n;
	g->detail = WN_DETAIL_NAMES;
	g->kind = calloc(n, sizeof *g->kind);
	g->parent = calloc(n, sizeof *g->parent);
	g->child_number = calloc(n, sizeof *g->child_number);
	g->context = calloc(n, sizeof *g->context);
	g->range = calloc(n, sizeof *g->range);
	g->thread = calloc(n, sizeof *g->thread);
	g->kind[0] = WN_GRAIN_INITIAL;
	g->parent[0] = WN_NO_GRAIN;
	return g;
}

static void
add(struct wn_graph *g, uint32_t id, uint32_t parent, uint32_t number)
{
	g->kind[id] = WN_GRAIN_TASK;
	g->parent[id] = parent;
	g->child_number[id] = number;
}

static void
release(struct wn_graph *g)
{
	free(g->kind);
	free(g->parent);
	free(g->child_number);
	free(g->context);
	free(g->range);
	free(g->thread);
	free(g);
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Two chains of tasks, whose last steps are the same at each depth. */
static void
test_chains(void)
{
	uint32_t n = 2 * DEPTH_MAX + 1, n_equal = 0, n_lineages = 0;
	struct wn_graph *g = make(n);
	for (uint32_t k = 1; k <= DEPTH_MAX; k++) { /* the second one counts down */
		add(g, k, k - 1, 1);
		add(g, n - k, k == 1 ? 0 : n - k + 1, k == 1 ? 2 : 1);
	}
	struct wn_names *names;
	wn_err err;
	if (!ok(wn_names_new(g, &names, &err) == WN_OK, "deep tasks have names"))
		return;
	char **texts = calloc(n, sizeof *texts), lineage[512];
	size_t longest = 0;
	uint64_t bytes = 0;
	for (uint32_t id = 0; id < n; id++) {
		char text[512];
		size_t length = wn_name(names, id, text, sizeof text);
		texts[id] = strdup(text);
		longest = length > longest ? length : longest;
		bytes += length;
		uint32_t depth = id <= DEPTH_MAX ? id : n - id;
		if (depth <= WN_NAME_STEPS_MAX) {
			wn_graph_lineage(g, id, lineage, sizeof lineage);
			n_lineages += strcmp(text, lineage) == 0;
		}
	}
	ok(n_lineages == 2 * WN_NAME_STEPS_MAX + 1, "names of up to 64 steps are lineages");
	ok(longest < 130, "no name is long (%zu bytes)", longest);
	ok(strncmp(texts[DEPTH_MAX], "1.1.1.1.1.1.1.1..#50000-", 24) == 0 &&
	       strcmp(texts[DEPTH_MAX] + strlen(texts[DEPTH_MAX]) - 2, ".1") == 0,
	   "a shortened one has first steps, depth, hash and last step: %s", texts[DEPTH_MAX]);
	ok(wn_names_bytes(names, false) + 1 == bytes &&
	       wn_names_bytes(names, true) > UINT64_C(4000000000),
	   "their size is known, and that of whole ones");
	qsort(texts, n, sizeof *texts, compare);
	for (uint32_t id = 1; id < n; id++)
		n_equal += strcmp(texts[id - 1], texts[id]) == 0;
	ok(n_equal == 0, "no two are equal");
	for (uint32_t id = 0; id < n; id++)
		free(texts[id]);
	free(texts);
	wn_names_keep_whole(names);
	ok(wn_name(names, DEPTH_MAX, lineage, sizeof lineage) == 2 * (size_t)DEPTH_MAX - 1,
	   "whole lineages are to be had");
	wn_names_free(names);
	release(g);
}

/* The same tasks with other ids. */
static void
test_other_ids(void)
{
	struct wn_graph *a = make(101), *b = make(101);
	struct wn_names *of_a, *of_b;
	wn_err err;
	for (uint32_t k = 1; k <= 100; k++) {
		add(a, k, k - 1, 1);
		add(b, 101 - k, k == 1 ? 0 : 102 - k, 1);
	}
	bool is_good =
	    wn_names_new(a, &of_a, &err) == WN_OK && wn_names_new(b, &of_b, &err) == WN_OK;
	uint32_t n_same = 0;
	for (uint32_t k = 0; is_good && k <= 100; k++) {
		char x[200], y[200];
		wn_name(of_a, k, x, sizeof x);
		wn_name(of_b, k ? 101 - k : 0, y, sizeof y);
		n_same += strcmp(x, y) == 0;
	}
	ok(n_same == 101, "names do not depend on ids");
	wn_names_free(of_a);
	wn_names_free(of_b);
	release(a);
	release(b);
}

static void
test_room(void)
{
	struct wn_graph *g = make(101);
	struct wn_names *names;
	wn_err err;
	char whole[200], text[200];
	bool is_good = true;
	for (uint32_t k = 1; k <= 100; k++)
		add(g, k, k - 1, k % 3 + 1);
	if (wn_names_new(g, &names, &err) != WN_OK)
		return;
	size_t length = wn_name(names, 100, whole, sizeof whole);
	for (size_t size = 0; size <= length + 1; size++) {
		memset(text, 'x', sizeof text);
		is_good &=
		    wn_name(names, 100, text, size) == length && text[size] == 'x' &&
		    (size == 0 || (text[size - 1] == '\0' && strncmp(text, whole, size - 1) == 0));
	}
	ok(is_good, "a name is cut as snprintf does");
	wn_names_free(names);
	release(g);
	ok(wn_mem_live() == 0, "nothing is left");
}

int
main(void)
{
	test_chains();
	test_other_ids();
	test_room();
	return done();
}
