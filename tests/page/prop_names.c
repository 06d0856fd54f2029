/* SPDX-License-Identifier: MIT */
/*
 * prop_names.c - ids of nodes out of run.grains of random programs, cut into small chunks: each is
 * the one that wn_tree_name() says, leads back to its node, and is found by what it begins with.
 * WN_SEED=N runs one seed, WN_SEEDS=N that many.
 */
#include "container.h"

#include "base/mem.h"
#include "page/node_ids.h"
#include "tests/property/seeds.h"

#include <stdlib.h>
#include <string.h>

static struct table *
table_for_names(const struct container *c)
{
	static const enum wn_grains_part_kind kinds[] = {WN_PART_LOOPS, WN_PART_REGIONS,
	                                                 WN_PART_ABOVE};
	struct table *t;
	if (table_new(&t, NULL) != WN_OK)
		abort();
	names_request_columns(t);
	for (int i = 0; i < 3; i++)
		for (uint32_t k = 0; k < container_n(c, kinds[i]); k++)
			if (table_needs_part(t, kinds[i]))
				container_take(c, t, kinds[i], k, false);
	table_has_tables(t);
	return t;
}

static uint32_t
chunk_of(const struct container *c, uint32_t node)
{
	uint32_t chunk = 0;
	for (uint32_t i = 0; i < c->head.n_parts; i++)
		if (c->parts[i].kind == WN_PART_CHUNK && c->parts[i].first_node <= node)
			chunk = c->parts[i].number;
	return chunk;
}

/* The chunk of the node first, then others from the first on. */
static wn_status
name_of(const struct container *c, struct names *n, struct table *t, uint32_t node, wn_err *err)
{
	container_take(c, t, WN_PART_CHUNK, chunk_of(c, node), false);
	wn_status st = names_of(n, t, node, err);
	uint32_t before = WN_GRAINS_NONE;
	while (st == WN_E_EMPTY && before != names_needed_node(n)) {
		before = names_needed_node(n);
		for (uint32_t k = 0; st == WN_E_EMPTY && k < container_n(c, WN_PART_CHUNK); k++) {
			container_take(c, t, WN_PART_CHUNK, k, false);
			st = names_read_table(n, t, err);
		}
	}
	return st;
}

static void
seek(const struct container *c, struct names *n, struct table *t, const char *text, uint32_t n_max)
{
	if (names_search_begin(n, text, n_max, NULL) != WN_OK)
		abort();
	do
		for (uint32_t k = 0; k < container_n(c, WN_PART_CHUNK) && !names_is_found(n); k++) {
			container_take(c, t, WN_PART_CHUNK, k, false);
			if (names_search_in(n, t, NULL) != WN_OK)
				abort();
		}
	while (names_search_repeat(n));
}

static void
same_names(const struct container *c, struct names *n, struct table *t, char **names)
{
	wn_err err;
	for (uint32_t i = 0; i < c->tree->n; i++) {
		wn_status st = name_of(c, n, t, i, &err);
		if (st != WN_OK)
			differ("node %u, %s, has no name: %s", i, names[i],
			       st == WN_E_EMPTY ? "it leads nowhere" : err.msg);
		else if (strcmp(names_text(n).text, names[i]) != 0)
			differ("node %u is called %s, and not %s", i, names_text(n).text, names[i]);
	}
}

static void
leads_back(const struct container *c, struct names *n, struct table *t, char **names,
           struct random *random)
{
	for (uint32_t k = 0; k < 30; k++) {
		uint32_t i = random_below(random, c->tree->n), n_found;
		wn_tree_node node;
		bool has_exact;
		if (wn_tree_find(c->tree, names[i], &node, NULL) != WN_OK)
			continue;
		seek(c, n, t, names[i], 1);
		const uint32_t *found = names_found(n, &n_found, &has_exact);
		if (!has_exact || n_found != 1)
			differ("nothing is called %s", names[i]);
		else if (strcmp(names[found[0]], names[i]) != 0)
			differ("%s leads to %s", names[i], names[found[0]]);
	}
}

static bool
begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Those that are found do begin so, each once; as many as there are. */
static void
finds_all(const struct container *c, struct names *n, struct table *t, char **names,
          struct random *random)
{
	for (uint32_t k = 0; k < 10; k++) {
		char text[64];
		uint32_t i = random_below(random, c->tree->n), n_found, n_there = 0;
		bool has_exact, is_there = false;
		snprintf(text, 2 + random_below(random, (uint32_t)sizeof text - 2), "%s", names[i]);
		seek(c, n, t, text, UINT32_MAX);
		const uint32_t *found = names_found(n, &n_found, &has_exact);
		for (uint32_t x = 0; x < c->tree->n; x++) {
			n_there += begins(names[x], text);
			is_there |= strcmp(names[x], text) == 0;
		}
		if (n_found != n_there || has_exact != is_there)
			differ("%u nodes begin with %s, and not %u", n_there, text, n_found);
		if (has_exact && strcmp(names[found[0]], text) != 0)
			differ("%s comes before %s", names[found[0]], text);
		for (uint32_t x = 0; x < n_found; x++)
			if (found[x] >= c->tree->n || !begins(names[found[x]], text))
				differ("%u does not begin with %s", found[x], text);
	}
	seek(c, n, t, "P0.no such thing", 5);
	uint32_t n_found;
	bool has_exact;
	if (names_found(n, &n_found, &has_exact) && n_found)
		differ("what is nowhere is found");
}

static bool
holds(uint64_t seed)
{
	static struct container c;
	struct random random = {seed + 9};
	if (container_make(&c, seed, 20 + (uint32_t)(seed % 7) * 40, 8 + (uint32_t)(seed % 57))) {
		struct table *t = table_for_names(&c);
		struct names *n;
		char **names = calloc(c.tree->n, sizeof *names);
		if (!names || names_new(false, &n, NULL) != WN_OK)
			abort();
		for (uint32_t i = 0; i < c.tree->n; i++) {
			size_t length = wn_tree_name(c.tree, i, NULL, 0);
			names[i] = malloc(length + 1);
			if (!names[i])
				abort();
			wn_tree_name(c.tree, i, names[i], length + 1);
		}
		same_names(&c, n, t, names);
		leads_back(&c, n, t, names, &random);
		finds_all(&c, n, t, names, &random);
		for (uint32_t i = 0; i < c.tree->n; i++)
			free(names[i]);
		free(names);
		names_end(n);
		table_end(t);
	}
	container_free(&c);
	return !why[0];
}

int
main(void)
{
	struct seeds seeds = seeds_wanted(120);
	ok(seeds_bad(seeds, holds) == 0,
	   "ids of nodes of %" PRIu64 " runs are the tree's, both ways", seeds.n);
	ok(wn_mem_live() == 0, "nothing is left in memory");
	return done();
}
