/* SPDX-License-Identifier: MIT */
/*
 * threads.c - computes when each thread worked: the work of each grain and implicit task, spread
 * evenly over the time from its begin to its end, on the thread where it began.
 */
#include "base/error.h"
#include "base/mem.h"
#include "view/view_private.h"

#include <string.h>

#define BINS_MAX  2048u
#define BINS_MIN  64u
#define CELLS_MAX (1u << 20)

/* Limit of long grains. Most runs have few; if there are more, only the first determine a bin's
 * site. */
#define LONG_BINS       64u
#define LONG_VOTERS_MAX 4096u

struct bins {
	const struct wn_page_data *v;
	uint64_t *work;   /* [n_cells] */
	int64_t *change;  /* [n_cells] differences for long grains, to be summed */
	uint32_t *site;   /* [n_cells] majority candidate ... */
	uint64_t *weight; /* [n_cells] ... and its count: the vote of Boyer and Moore */
	uint32_t n_bins, n_long;
	uint64_t bin_ns;
};

static void
vote(struct bins *b, size_t cell, uint32_t site, uint64_t work)
{
	if (site == WN_NO_SITE)
		return;
	if (b->site[cell] == site) {
		b->weight[cell] += work;
	} else if (work > b->weight[cell]) {
		b->weight[cell] = work - b->weight[cell];
		b->site[cell] = site;
	} else {
		b->weight[cell] -= work;
	}
}

/* Returns the share of the work in `ns` of `of_ns`, rounded down and monotonic. Times of more than
 * four seconds lose their lowest bits. */
static uint64_t
work_until(uint64_t work, uint64_t ns, uint64_t of_ns)
{
	unsigned shift = 0;
	while (of_ns >> shift > UINT32_MAX)
		shift++;
	uint64_t rest = (work % of_ns) >> shift;
	return work / of_ns * ns + ((rest * (ns >> shift) / (of_ns >> shift)) << shift);
}

static void
add_short(struct bins *b, size_t first_cell, uint32_t from, uint32_t to, uint32_t site,
          uint64_t work, uint64_t begin, uint64_t end)
{
	uint64_t done = 0;
	for (uint32_t bin = from; bin <= to; bin++) {
		uint64_t until = bin == to ? end : (bin + 1) * b->bin_ns;
		uint64_t now = bin == to ? work : work_until(work, until - begin, end - begin);
		b->work[first_cell + bin] += now - done;
		vote(b, first_cell + bin, site, now - done);
		done = now;
	}
}

static void
add_long(struct bins *b, size_t first_cell, uint32_t from, uint32_t to, uint32_t site,
         uint64_t work)
{
	uint32_t n = to - from + 1;
	uint64_t each = work / n, one_more = work % n;
	b->change[first_cell + from] += (int64_t)each + (one_more ? 1 : 0);
	b->change[first_cell + from + one_more] -= one_more ? 1 : 0;
	if (to + 1 < b->n_bins)
		b->change[first_cell + to + 1] -= (int64_t)each;
	if (b->n_long++ >= LONG_VOTERS_MAX)
		return;
	for (uint32_t bin = from; bin <= to; bin++)
		vote(b, first_cell + bin, site, each);
}

static void
add(struct bins *b, wn_grain id)
{
	const struct wn_graph *g = b->v->g;
	uint64_t begin = g->begin_ns[id], end = g->end_ns[id], work = g->work_ns[id];
	if (!(g->flags[id] & WN_GF_STARTED) || g->thread[id] >= g->n_threads || work == 0)
		return;
	if (!(g->flags[id] & WN_GF_COMPLETED) || end < begin)
		end = begin + work;
	uint64_t last = b->bin_ns * b->n_bins - 1;
	begin = begin < last ? begin : last;
	end = end < last ? end : last;
	end = end > begin ? end : begin + 1;
	uint32_t from = (uint32_t)(begin / b->bin_ns), to = (uint32_t)((end - 1) / b->bin_ns);
	size_t first_cell = (size_t)g->thread[id] * b->n_bins;
	if (to - from < LONG_BINS)
		add_short(b, first_cell, from, to, g->site[id], work, begin, end);
	else
		add_long(b, first_cell, from, to, g->site[id], work);
}

static void
add_changes(struct bins *b, uint32_t n_threads)
{
	for (uint32_t t = 0; t < n_threads; t++) {
		int64_t now = 0;
		for (uint32_t bin = 0; bin < b->n_bins; bin++) {
			size_t cell = (size_t)t * b->n_bins + bin;
			now += b->change[cell];
			b->work[cell] += (uint64_t)now;
		}
	}
}

static wn_status
put(struct wn_page_data *v, struct bins *b, size_t n, wn_err *err)
{
	struct wn_grains_encoder e = {0};
	uint64_t *sites = (uint64_t *)b->change;
	uint8_t *missing = wn_calloc((n + 7) / 8, 1);
	wn_status st = missing ? WN_OK : view_no_memory(err);
	wn_grains_encoder_begin(&e, WN_PART_THREADS, 0, 6);
	e.part.rows[WN_ROWS_TABLE] = (uint32_t)n;
	if (st == WN_OK)
		st = wn_grains_encode(&e, WN_COLUMN_BIN_WORK, NULL, b->work, NULL, err);
	for (size_t i = 0; i < n && st == WN_OK; i++) {
		sites[i] = b->site[i];
		if (b->site[i] == WN_NO_SITE)
			missing[i / 8] = (uint8_t)(missing[i / 8] | 1u << i % 8);
	}
	if (st == WN_OK)
		st = wn_grains_encode(&e, WN_COLUMN_BIN_SITE, NULL, sites, missing, err);
	if (st == WN_OK)
		st = wn_grains_put(v->writer, &e, err);
	wn_grains_encoder_fini(&e);
	wn_free(missing);
	return st;
}

wn_status
view_put_threads(struct wn_page_data *v, wn_err *err)
{
	const struct wn_graph *g = v->g;
	struct bins b = {.v = v};
	wn_status st = WN_OK;
	if (g->imported || g->n_threads == 0 || g->n_threads > CELLS_MAX / BINS_MIN)
		return WN_OK;
	b.n_bins = CELLS_MAX / g->n_threads < BINS_MAX ? CELLS_MAX / g->n_threads : BINS_MAX;
	b.bin_ns = g->last_ns / b.n_bins + 1;
	size_t n = (size_t)g->n_threads * b.n_bins;
	b.work = wn_calloc(n, sizeof *b.work);
	b.change = wn_calloc(n, sizeof *b.change);
	b.site = wn_calloc_none(n);
	b.weight = wn_calloc(n, sizeof *b.weight);
	if (!b.work || !b.change || !b.site || !b.weight)
		WN_TRY(view_no_memory(err));
	for (wn_grain id = 0; id < g->n; id++)
		if (wn_is_grain(g, id) || g->kind[id] == WN_GRAIN_IMPLICIT)
			add(&b, id);
	add_changes(&b, g->n_threads);
	WN_TRY(put(v, &b, n, err));
	v->n_bins = b.n_bins;
	v->bin_ns = b.bin_ns;
out:
	wn_free(b.work);
	wn_free(b.change);
	wn_free(b.site);
	wn_free(b.weight);
	return st;
}
