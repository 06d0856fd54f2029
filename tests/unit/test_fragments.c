/* SPDX-License-Identifier: MIT */
/*
 * test_fragments.c - what goes into the packed store comes out again, of any size and in any order
 * in which grains begin and end.
 */
#include "graph/fragments.h"

#include "base/mem.h"
#include "tests/tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GRAINS_N    300u
#define PIECES_N    20000u
#define LAST_GRAINS 3u

struct piece {
	uint32_t grain;
	uint64_t start_ns, ns;
};

static struct piece pieces[PIECES_N];
static uint64_t state;

static uint64_t
random_next(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return state >> 33 ^ state << 20;
}

/* Of any number of bits from 0 to 64. */
static uint64_t
random_any(void)
{
	unsigned bits = (unsigned)(random_next() % 65);
	return bits ? random_next() >> (64 - bits) : 0;
}

static uint32_t
id_of(uint32_t grain)
{
	return grain < LAST_GRAINS ? UINT32_MAX - 1 - grain : grain;
}

/* Pieces of one grain after the other follow one another, with gaps that may wrap around. */
static void
make_pieces(void)
{
	static uint64_t end_ns[GRAINS_N];
	memset(end_ns, 0, sizeof end_ns);
	for (size_t i = 0; i < PIECES_N; i++) {
		struct piece *p = &pieces[i];
		uint32_t grain = (uint32_t)(random_next() % GRAINS_N);
		p->grain = id_of(grain);
		p->start_ns = end_ns[grain] + (random_next() % 3 ? 0 : random_any());
		p->ns = random_next() % 2 ? random_next() % 100 : random_any();
		end_ns[grain] = p->start_ns + p->ns;
	}
}

static bool
store(struct wn_fragments *all, struct wn_pool *cells)
{
	static struct wn_run runs[GRAINS_N];
	bool is_stored = true;
	memset(runs, 0, sizeof runs);
	for (size_t i = 0; i < PIECES_N; i++) {
		uint32_t grain = pieces[i].grain;
		grain = grain < GRAINS_N ? grain : UINT32_MAX - 1 - grain;
		is_stored &= wn_run_add(&runs[grain], cells, pieces[i].start_ns, pieces[i].ns) == 0;
	}
	for (uint32_t i = 0; i < GRAINS_N; i++) {
		uint32_t grain = i * 7 % GRAINS_N;
		is_stored &= wn_run_close(&runs[grain], cells, id_of(grain), all) == 0;
		is_stored &= runs[grain].n == 0;
	}
	return is_stored;
}

/* The k-th piece of a grain, NULL if it has none. */
static const struct piece *
piece_of(uint32_t grain, uint64_t k)
{
	for (size_t i = 0; i < PIECES_N; i++)
		if (pieces[i].grain == grain && k-- == 0)
			return &pieces[i];
	return NULL;
}

static bool
is_same(const struct wn_fragment *f, uint64_t k)
{
	const struct piece *p = piece_of(f->grain, k);
	return p && p->start_ns == f->start_ns && p->ns == f->ns && f->is_first == (k == 0) &&
	       f->is_last == !piece_of(f->grain, k + 1);
}

static void
test_store(uint64_t seed)
{
	struct wn_fragments all = {0};
	struct wn_pool cells;
	struct wn_fragment f, again;
	uint64_t n = 0, k = 0, n_bad = 0;
	size_t place = 0;
	state = seed;
	make_pieces();
	wn_pool_init(&cells, sizeof(struct wn_run_cell));
	ok(store(&all, &cells), "fragments are stored");
	for (wn_fragments_begin(&all, &f); wn_fragments_next(&f); n++) {
		k = f.is_first ? 0 : k + 1;
		n_bad += !is_same(&f, k);
		if (f.is_first) {
			wn_fragments_at(&all, place, &again);
			n_bad += !wn_fragments_next(&again) || again.start_ns != f.start_ns ||
			         again.ns != f.ns || again.is_last != f.is_last;
		}
		place = wn_fragments_place(&all, &f);
	}
	ok(n == PIECES_N && n == all.n, "as many come out as went in");
	ok(n_bad == 0, "and they are the same (seed %" PRIu64 ")", seed);
	wn_pool_fini(&cells);
	wn_fragments_fini(&all);
}

/* The first and last number of each length in bits, which are where a byte more is needed. */
#define EDGES_N 129u

static uint64_t
edge(unsigned i)
{
	return i == EDGES_N - 1 ? UINT64_MAX : (UINT64_C(1) << i / 2) - (i % 2 ? 0 : 1);
}

/* Two pieces with a gap, whose sums wrap around where they must. */
static bool
is_kept(struct wn_fragments *all, struct wn_pool *cells, uint64_t start_ns, uint64_t ns,
        uint64_t gap_ns)
{
	struct wn_fragment f;
	struct wn_run run = {0};
	uint64_t second_ns = start_ns + ns + gap_ns;
	all->n_bytes = all->n = all->n_marks = 0;
	all->last_grain = 0;
	if (wn_run_add(&run, cells, start_ns, ns) != 0 ||
	    wn_run_add(&run, cells, second_ns, ~ns) != 0 || wn_run_close(&run, cells, 7, all) != 0)
		return false;
	wn_fragments_begin(all, &f);
	bool is_same = wn_fragments_next(&f) && f.start_ns == start_ns && f.ns == ns && !f.is_last;
	return is_same && wn_fragments_next(&f) && f.start_ns == second_ns && f.ns == ~ns &&
	       f.is_last && f.grain == 7 && !wn_fragments_next(&f);
}

/* No trace, whatever its clock says, can ask for more than 64 bits. */
static void
test_edges(void)
{
	struct wn_fragments all = {0};
	struct wn_pool cells;
	uint32_t n_bad = 0;
	wn_pool_init(&cells, sizeof(struct wn_run_cell));
	for (unsigned start = 0; start < EDGES_N; start++)
		for (unsigned ns = 0; ns < EDGES_N; ns++)
			for (unsigned gap = 0; gap < EDGES_N; gap += 1 + (start + ns) % 3)
				n_bad += !is_kept(&all, &cells, edge(start), edge(ns), edge(gap));
	ok(n_bad == 0, "starts, durations and gaps of any number of bits are kept exactly");
	wn_pool_fini(&cells);
	wn_fragments_fini(&all);
}

static void
test_size(void)
{
	struct wn_fragments all = {0};
	struct wn_pool cells;
	wn_pool_init(&cells, sizeof(struct wn_run_cell));
	for (uint32_t i = 0; i < 1000; i++) {
		struct wn_run run = {0};
		wn_run_add(&run, &cells, 10000 + i, 50);
		wn_run_add(&run, &cells, 10050 + i, 60);
		wn_run_close(&run, &cells, i, &all);
	}
	ok(all.n_bytes == 1000 * 6, "two short fragments of a grain take six bytes");
	ok(cells.n == 0, "and no cell");
	for (uint32_t i = 0; i < 10; i++) {
		struct wn_run run = {0};
		for (uint32_t k = 0; k < 40; k++)
			wn_run_add(&run, &cells, 50 * k, 50);
		wn_run_close(&run, &cells, i, &all);
	}
	ok(cells.n == 1, "cells are used again");
	wn_pool_fini(&cells);
	wn_fragments_fini(&all);
}

/* What shares have, one after the other, is what all has; each begins with a whole run. */
static void
test_shares(void)
{
	enum { RUNS_N = 3 * WN_FRAGMENTS_SHARE / 2 };
	struct wn_fragments all = {0};
	struct wn_pool cells;
	struct wn_fragment f, part;
	struct wn_fragments_mark last = {0, 0};
	uint64_t n = 0, n_bad = 0;
	wn_pool_init(&cells, sizeof(struct wn_run_cell));
	for (uint32_t i = 0; i < RUNS_N; i++) {
		struct wn_run run = {0};
		if (i == RUNS_N - 10)
			last = (struct wn_fragments_mark){all.n_bytes, all.last_grain};
		wn_run_add(&run, &cells, i, 50);
		wn_run_add(&run, &cells, i + 1000, i);
		n_bad += wn_run_close(&run, &cells, i * 7 % RUNS_N, &all) != 0;
	}
	wn_fragments_begin(&all, &f);
	for (size_t share = 0; share < all.n_marks; share++)
		for (wn_fragments_share(&all, share, &part); wn_fragments_next(&part); n++)
			n_bad += !wn_fragments_next(&f) || f.grain != part.grain ||
			         f.start_ns != part.start_ns || f.ns != part.ns ||
			         f.is_first != part.is_first;
	ok(all.n_marks == 3 && n == all.n && n_bad == 0, "shares are all fragments, in order");
	wn_fragments_from(&all, last, &f);
	ok(wn_fragments_next(&f) && f.is_first && f.grain == (RUNS_N - 10) * 7 % RUNS_N,
	   "reading goes on from a mark");
	wn_pool_fini(&cells);
	wn_fragments_fini(&all);
}

static void
test_durations(void)
{
	struct wn_durations d = {.count = wn_calloc(WN_DURATIONS_SHORT, sizeof *d.count)};
	wn_durations_add(&d, 90000, 0);
	wn_durations_add(&d, 5, 3);
	wn_durations_add(&d, 7, 3);
	wn_durations_add(&d, 10, WN_DURATIONS_SHORT - 1);
	wn_durations_add(&d, 10, WN_DURATIONS_SHORT);
	ok(d.n == 4 && d.n_short == 3 && d.sum_ns == 6 + 2 * WN_DURATIONS_SHORT - 1 &&
	       d.end_ns == 10 + WN_DURATIONS_SHORT && d.count[3] == 2 &&
	       d.count[WN_DURATIONS_SHORT - 1] == 1 && d.count[0] == 0,
	   "durations are counted, short ones exactly, without those of length 0");
	d.counts_empty = true;
	wn_durations_add(&d, 90000, 0);
	ok(d.n == 5 && d.count[0] == 1 && d.end_ns == 90000, "or with them");
	wn_free(d.count);
}

int
main(void)
{
	struct wn_fragments none = {0};
	struct wn_fragment f;
	wn_fragments_begin(&none, &f);
	ok(!wn_fragments_next(&f), "an empty store has no fragment");
	for (uint64_t seed = 1; seed <= 3; seed++)
		test_store(seed);
	test_edges();
	test_size();
	test_shares();
	test_durations();
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
