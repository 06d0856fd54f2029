/* SPDX-License-Identifier: MIT */
/*
 * prop_ranks.c - summaries of ranks merged in any order, in any tree, give the same bytes; and the
 * reader accepts every summary that is written, and none of which a byte has changed.
 */
#include "base/mem.h"
#include "base/mix.h"
#include "ranks/merge.h"
#include "tests/property/seeds.h"
#include "tests/ranks/synthetic.h"

#define RANKS_MAX 24

static bool
merge(const struct wn_ranks *s, const size_t *order, size_t n, struct wn_ranks *out)
{
	struct wn_merge m;
	wn_err err = {.msg = ""};
	wn_status st = WN_OK;
	wn_merge_init(&m);
	for (size_t i = 0; st == WN_OK && i < n; i++)
		st = wn_merge_add(&m, &s[order[i]], &err);
	if (st == WN_OK)
		st = wn_merge_finish(&m, out, &err);
	wn_merge_fini(&m);
	if (st != WN_OK)
		differ("merge: %s", err.msg);
	return st == WN_OK;
}

static bool
is_same(const struct wn_ranks *a, const struct wn_ranks *b)
{
	return a->header->n_bytes == b->header->n_bytes &&
	       memcmp(a->bytes, b->bytes, a->header->n_bytes) == 0;
}

static void
shuffle(size_t *order, size_t n, uint64_t seed)
{
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = n; i > 1; i--) {
		size_t k = wn_mix(seed, i) % i, kept = order[i - 1];
		order[i - 1] = order[k];
		order[k] = kept;
	}
}

/* Merges two summaries of the list at a time, chosen by chance, until one is left. */
static bool
merge_tree(const struct wn_ranks *ranks, size_t n, uint64_t seed, struct wn_ranks *out)
{
	struct wn_ranks list[RANKS_MAX], both;
	const size_t one[] = {0}, two[] = {0, 1};
	size_t n_list = 0;
	for (; n_list < n; n_list++)
		if (!merge(&ranks[n_list], one, 1, &list[n_list]))
			break;
	bool is_good = n_list == n;
	while (is_good && n_list > 1) {
		size_t a = wn_mix(seed, n_list) % n_list;
		struct wn_ranks pair[] = {list[a], list[n_list - 1]};
		if (a == n_list - 1)
			pair[0] = list[a = n_list - 2];
		is_good = merge(pair, two, 2, &both);
		if (!is_good)
			break;
		wn_ranks_fini(&pair[0]);
		wn_ranks_fini(&pair[1]);
		list[a] = both;
		n_list--;
	}
	for (size_t i = 1; i < n_list; i++)
		wn_ranks_fini(&list[i]);
	if (n_list == 1 && is_good)
		*out = list[0];
	return is_good;
}

/* A changed byte is noticed; so is a cut. */
static bool
is_guarded(const struct wn_ranks *s, uint64_t seed)
{
	size_t n = s->header->n_bytes;
	bool is_good = true;
	for (uint64_t i = 0; i < 20 && is_good; i++) {
		unsigned char *bytes = wn_calloc(n, 1);
		struct wn_ranks read;
		wn_err err;
		if (!bytes)
			return false;
		memcpy(bytes, s->bytes, n);
		size_t at = wn_mix(seed, 2 * i) % n, length = i % 2 ? n : at;
		bytes[at] ^= (unsigned char)(1u << wn_mix(seed, 2 * i + 1) % 8);
		is_good = wn_ranks_read(bytes, length, &read, &err) != WN_OK;
		if (!is_good)
			differ("byte %zu changed, %zu of %zu bytes", at, length, n);
		wn_free(bytes);
	}
	return is_good;
}

static bool
holds(uint64_t seed)
{
	struct wn_ranks ranks[RANKS_MAX], in_order = {0}, shuffled = {0}, tree = {0}, again;
	size_t order[RANKS_MAX], n = 2 + seed % (RANKS_MAX - 1), made = 0;
	wn_err err;
	for (; made < n; made++)
		if (synthetic_rank((uint32_t)(made * (1 + seed % 3)), 100, seed, &ranks[made],
		                   &err) != WN_OK)
			break;
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	bool is_good = made == n && merge(ranks, order, n, &in_order);
	shuffle(order, n, seed);
	is_good = is_good && merge(ranks, order, n, &shuffled);
	is_good = is_good && merge_tree(ranks, n, seed, &tree);
	if (is_good && !is_same(&in_order, &shuffled))
		differ("another order gives other bytes");
	if (is_good && !is_same(&in_order, &tree))
		differ("another tree gives other bytes");
	if (is_good && is_guarded(&in_order, seed)) {
		if (wn_ranks_read(shuffled.bytes, shuffled.header->n_bytes, &again, &err) != WN_OK)
			differ("refused: %s", err.msg);
	}
	for (size_t i = 0; i < made; i++)
		wn_ranks_fini(&ranks[i]);
	wn_ranks_fini(&in_order);
	wn_ranks_fini(&shuffled);
	wn_ranks_fini(&tree);
	if (wn_mem_live() != 0)
		differ("memory is left");
	return is_good && !why[0];
}

int
main(void)
{
	struct seeds seeds = seeds_wanted(60);
	ok(seeds_bad(seeds, holds) == 0,
	   "summaries merged in any order and tree are the same bytes, and changes are noticed");
	return done();
}
