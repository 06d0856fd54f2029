/* SPDX-License-Identifier: MIT */
/* timeline.c - writes the timeline of the threads: a table of bins over the whole run, which pages
 * draw first, and the stretches of graph/timeline.h in slices of time, for close views. */
#include "graph/timeline.h"

#include "base/error.h"
#include "base/mem.h"
#include "grains/column.h"
#include "page/timeline.h"
#include "view/view_private.h"

#include <stdlib.h>
#include <string.h>

#define BINS_MAX   2048u
#define BINS_MIN   64u
#define CELLS_MAX  (1u << 18)
#define SLICE_ROWS 16384u

/* Of a cell or stretch: states, then time outside regions, time on the critical path. */
enum { OUTSIDE = WN_THREAD_STATES_N, CRITICAL, VALUES_N };

/* Rows being written; a cell or a stretch each. */
struct rows {
	size_t n, capacity;
	uint32_t *site; /* [n] */
	uint64_t *weight;
	uint64_t (*ns)[VALUES_N]; /* [n] */
	uint64_t *length_ns;      /* [n] of stretches */
};

static uint32_t
column_of(unsigned state)
{
	return state == WN_THREAD_WORK ? WN_COLUMN_BIN_WORK : WN_COLUMN_BIN_SERIAL + state - 1u;
}

static void
rows_free(struct rows *r)
{
	WN_FREE_ALL(r->site, r->weight, r->ns, r->length_ns);
}

static bool
rows_reserve(struct rows *r, size_t n)
{
	if (n <= r->capacity)
		return true;
	rows_free(r);
	*r = (struct rows){.site = wn_calloc(n, sizeof *r->site),
	                   .weight = wn_calloc(n, sizeof *r->weight),
	                   .ns = wn_calloc(n, sizeof *r->ns),
	                   .length_ns = wn_calloc(n, sizeof *r->length_ns)};
	if (!r->site || !r->weight || !r->ns || !r->length_ns)
		return false;
	r->capacity = n;
	return true;
}

/* Adds the part of a stretch in [from_ns, to_ns) to a row. */
static void
add_part(const struct wn_graph *g, struct rows *r, size_t row, const struct wn_stretch *s,
         uint64_t from_ns, uint64_t to_ns)
{
	uint64_t from = from_ns > s->begin_ns ? from_ns - s->begin_ns : 0, all = 0, work = 0;
	uint64_t to = to_ns < s->begin_ns + s->length_ns ? to_ns - s->begin_ns : s->length_ns;
	bool is_whole = from == 0 && to == s->length_ns;
	for (unsigned k = 0; k < WN_THREAD_STATES_N; k++) {
		if (s->ns[k] == 0)
			continue; /* as most are; divisions take most of the time */
		uint64_t ns =
		    is_whole ? s->ns[k] : wn_stretch_until(s, k, to) - wn_stretch_until(s, k, from);
		r->ns[row][k] += ns;
		all += ns;
		work += k <= WN_THREAD_SERIAL ? ns : 0;
	}
	/* sums of parts that are rounded down may exceed their length by rounding: never below 0 */
	r->ns[row][OUTSIDE] += to - from > all ? to - from - all : 0;
	if (s->grain != WN_NO_GRAIN && g->flags[s->grain] & WN_GF_CRITICAL)
		r->ns[row][CRITICAL] += s->grain_ns < work ? s->grain_ns : work;
	if (s->site == WN_NO_SITE || work == 0)
		return;
	if (r->site[row] == s->site) {
		r->weight[row] += work;
	} else if (work > r->weight[row]) {
		r->weight[row] = work - r->weight[row];
		r->site[row] = s->site;
	} else {
		r->weight[row] -= work;
	}
}

static void
rows_clear(struct rows *r, size_t n)
{
	r->n = n;
	memset(r->site, 0xff, n * sizeof *r->site);
	memset(r->weight, 0, n * sizeof *r->weight);
	memset(r->ns, 0, n * sizeof *r->ns);
}

/* Encodes a value of all rows. Most states are in none. */
static wn_status
encode_value(struct wn_grains_encoder *e, const struct rows *r, uint32_t column, unsigned value,
             uint64_t *scratch, wn_err *err)
{
	uint64_t any = 0;
	for (size_t i = 0; i < r->n; i++)
		any |= scratch[i] = r->ns[i][value];
	if (any == 0)
		return wn_grains_encode_same(e, column, false, err);
	return wn_grains_encode(e, column, NULL, scratch, NULL, err);
}

static wn_status
encode_sites(struct wn_grains_encoder *e, const struct rows *r, uint64_t *scratch, wn_err *err)
{
	uint8_t *missing = wn_calloc((r->n + 7) / 8, 1);
	if (!missing)
		return wn_no_memory(err);
	for (size_t i = 0; i < r->n; i++) {
		scratch[i] = r->site[i];
		if (r->site[i] == WN_NO_SITE)
			missing[i / 8] = (uint8_t)(missing[i / 8] | 1u << i % 8);
	}
	wn_status st = wn_grains_encode(e, WN_COLUMN_BIN_SITE, NULL, scratch, missing, err);
	wn_free(missing);
	return st;
}

/* Writes the rows as a part; without lengths they are bins. */
static wn_status
put_rows(struct wn_page_data *v, struct wn_grains_encoder *e, const struct rows *r, bool are_bins,
         wn_err *err)
{
	uint64_t *scratch = wn_calloc(r->n, sizeof *scratch);
	wn_status st = scratch ? WN_OK : wn_no_memory(err);
	e->part.rows[WN_ROWS_TABLE] = (uint32_t)r->n;
	for (unsigned k = 0; k < WN_THREAD_STATES_N && st == WN_OK; k++)
		st = encode_value(e, r, column_of(k), k, scratch, err);
	if (st == WN_OK)
		st = encode_sites(e, r, scratch, err);
	if (st == WN_OK)
		st = encode_value(e, r, WN_COLUMN_BIN_CRITICAL, CRITICAL, scratch, err);
	if (st == WN_OK && !are_bins)
		st = encode_value(e, r, WN_COLUMN_STRETCH_OUTSIDE, OUTSIDE, scratch, err);
	if (st == WN_OK && !are_bins) {
		memcpy(scratch, r->length_ns, r->n * sizeof *scratch);
		st = wn_grains_encode(e, WN_COLUMN_STRETCH_LENGTH, NULL, scratch, NULL, err);
	}
	if (st == WN_OK)
		st = wn_grains_put(v->writer, e, err);
	wn_free(scratch);
	return st;
}

/* --- bins --------------------------------------------------------------------------------------
 */

static void
fill_bins(const struct wn_graph *g, const struct wn_timeline *from, struct rows *r,
          const struct view_bins *bins)
{
	rows_clear(r, (size_t)from->n_threads * bins->n);
	for (uint32_t t = 0; t < from->n_threads; t++) {
		const struct wn_stretches *of = &from->threads[t];
		for (size_t i = 0; i < of->n; i++) {
			const struct wn_stretch *s = &of->at[i];
			uint64_t end_ns = s->begin_ns + s->length_ns;
			for (uint64_t bin = s->begin_ns / bins->ns;
			     bin < bins->n && bin * bins->ns < end_ns; bin++)
				add_part(g, r, (size_t)t * bins->n + bin, s, bin * bins->ns,
				         (bin + 1) * bins->ns);
		}
	}
}

/* Loads a column of bins into a timeline as the page does. */
static wn_status
load_column(struct timeline *t, const struct rows *r, uint32_t column, unsigned value,
            uint64_t *values, uint8_t *missing, uint8_t *raw, wn_err *err)
{
	uint8_t width, state;
	for (size_t i = 0; i < r->n; i++) {
		values[i] = missing ? r->site[i] : r->ns[i][value];
		if (missing && r->site[i] == WN_NO_SITE)
			missing[i / 8] = (uint8_t)(missing[i / 8] | 1u << i % 8);
	}
	wn_grains_pack(WN_CODE_PLAIN, NULL, values, missing, r->n, raw, &width, &state);
	return timeline_put(t, (uint16_t)column, WN_CODE_PLAIN, width, state, raw,
	                    wn_grains_raw_bytes(width, state, r->n), err);
}

static wn_status
draw_first(struct wn_page_data *v, const struct rows *r, const struct view_bins *bins, wn_err *err)
{
	struct timeline *t = NULL;
	uint64_t *values = wn_calloc(r->n, sizeof *values);
	uint8_t *missing = wn_calloc((r->n + 7) / 8, 1),
		*raw = wn_calloc(wn_grains_raw_bytes_max(r->n), 1);
	wn_status st = values && missing && raw ? WN_OK : wn_no_memory(err);
	if (st != WN_OK)
		goto out;
	WN_TRY(timeline_new(bins->n_rows, 0, &t, err));
	timeline_begin(t, 0, (uint32_t)r->n, (double)bins->ns);
	for (unsigned k = 0; k < WN_THREAD_STATES_N; k++)
		WN_TRY(load_column(t, r, column_of(k), k, values, NULL, raw, err));
	WN_TRY(load_column(t, r, WN_COLUMN_BIN_CRITICAL, CRITICAL, values, NULL, raw, err));
	WN_TRY(load_column(t, r, WN_COLUMN_BIN_SITE, 0, values, missing, raw, err));
	WN_TRY(timeline_end(t, err));
	st = view_draw_first(v, t, bins, err);
out:
	timeline_free(t);
	WN_FREE_ALL(values, missing, raw);
	return st;
}

static wn_status
put_bins(struct wn_page_data *v, const struct wn_graph *g, const struct wn_timeline *from,
         uint32_t number, struct view_bins *bins, wn_err *err)
{
	struct wn_grains_encoder e = {0};
	struct rows r = {0};
	if (from->n_threads == 0 || from->n_threads > CELLS_MAX / BINS_MIN)
		return WN_OK;
	struct view_bins made = {.n = CELLS_MAX / from->n_threads};
	made.n = made.n < BINS_MAX ? made.n : BINS_MAX;
	made.ns = g->last_ns / made.n + 1;
	made.n_rows = from->n_threads;
	wn_status st =
	    rows_reserve(&r, (size_t)from->n_threads * made.n) ? WN_OK : wn_no_memory(err);
	wn_grains_encoder_begin(&e, WN_PART_THREADS, number, 6);
	if (st == WN_OK) {
		fill_bins(g, from, &r, &made);
		e.part.end_ns = made.n * made.ns;
		st = put_rows(v, &e, &r, true, err);
	}
	if (st == WN_OK && number == 0 && !v->options.diff)
		st = draw_first(v, &r, &made, err);
	if (st == WN_OK)
		*bins = made;
	wn_grains_encoder_fini(&e);
	rows_free(&r);
	return st;
}

/* --- slices ------------------------------------------------------------------------------------
 */

/* Returns how many stretches of a thread begin by a time. */
static size_t
count_until(const struct wn_stretches *of, uint64_t ns)
{
	size_t from = 0, to = of->n;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (of->at[middle].begin_ns <= ns)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Returns when the stretch begins that `rank` others of all threads precede, which are in order of
 * time for each thread. */
static uint64_t
begin_of_rank(const struct wn_timeline *t, size_t rank, uint64_t from_ns, uint64_t end_ns)
{
	while (from_ns < end_ns) {
		uint64_t middle = from_ns + (end_ns - from_ns) / 2;
		size_t n = 0;
		for (uint32_t i = 0; i < t->n_threads; i++)
			n += count_until(&t->threads[i], middle);
		if (n > rank)
			end_ns = middle;
		else
			from_ns = middle + 1;
	}
	return from_ns;
}

/* Finds times [n + 1] between which there are about per_slice stretches each. */
static wn_status
cut_slices(const struct wn_timeline *t, size_t per_slice, uint64_t end_ns, uint64_t **out,
           size_t *n, wn_err *err)
{
	uint64_t *begins = wn_calloc(t->n / per_slice + 3, sizeof *begins);
	size_t n_slices = 0;
	if (!begins)
		return wn_no_memory(err);
	for (size_t j = per_slice; j < t->n; j += per_slice) {
		uint64_t begin_ns = begin_of_rank(t, j, begins[n_slices], end_ns);
		if (begin_ns > begins[n_slices] && begin_ns < end_ns)
			begins[++n_slices] = begin_ns;
	}
	begins[++n_slices] = end_ns;
	*out = begins;
	*n = n_slices;
	return WN_OK;
}

/* Appends the time of a thread in a slice, from its stretch `at` on; returns the first stretch of
 * the next one. Time before and after all stretches is outside regions. */
static size_t
fill_thread(const struct wn_graph *g, const struct wn_stretches *of, struct rows *r, size_t at,
            uint64_t from_ns, uint64_t to_ns)
{
	uint64_t now_ns = from_ns;
	for (; now_ns < to_ns; r->n++) {
		const struct wn_stretch *s = at < of->n ? &of->at[at] : NULL;
		bool is_inside = s && s->begin_ns <= now_ns;
		uint64_t end_ns = !s ? to_ns : is_inside ? s->begin_ns + s->length_ns : s->begin_ns;
		uint64_t until_ns = end_ns < to_ns ? end_ns : to_ns;
		memset(r->ns[r->n], 0, sizeof r->ns[r->n]);
		r->site[r->n] = WN_NO_SITE;
		r->weight[r->n] = 0;
		r->length_ns[r->n] = until_ns - now_ns;
		if (is_inside)
			add_part(g, r, r->n, s, now_ns, until_ns);
		else
			r->ns[r->n][OUTSIDE] = until_ns - now_ns;
		at += is_inside && end_ns <= to_ns;
		now_ns = until_ns;
	}
	return at;
}

/* What has most of a stretch is what the others leave of its length: written as 0. */
static void
hide_largest(struct rows *r)
{
	for (size_t i = 0; i < r->n; i++) {
		unsigned largest = 0;
		for (unsigned k = 1; k <= OUTSIDE; k++)
			largest = r->ns[i][k] > r->ns[i][largest] ? k : largest;
		r->ns[i][largest] = 0;
		r->weight[i] = largest;
	}
}

static wn_status
encode_largest(struct wn_grains_encoder *e, const struct rows *r, wn_err *err)
{
	uint64_t *states = wn_calloc(r->n, sizeof *states);
	if (!states)
		return wn_no_memory(err);
	memcpy(states, r->weight, r->n * sizeof *states);
	wn_status st = wn_grains_encode(e, WN_COLUMN_STRETCH_STATE, NULL, states, NULL, err);
	wn_free(states);
	return st;
}

static wn_status
put_slice(struct wn_page_data *v, const struct wn_timeline *from, struct wn_grains_encoder *e,
          struct rows *r, size_t *at, const uint64_t ns[2], uint32_t number, wn_err *err)
{
	/* a gap before each stretch, and one at the end */
	size_t n = from->n_threads;
	for (uint32_t t = 0; t < from->n_threads; t++) {
		const struct wn_stretches *of = &from->threads[t];
		for (size_t i = at[t]; i < of->n && of->at[i].begin_ns < ns[1]; i++)
			n += 2;
	}
	if (!rows_reserve(r, n))
		return wn_no_memory(err);
	r->n = 0;
	for (uint32_t t = 0; t < from->n_threads; t++)
		at[t] = fill_thread(v->g, &from->threads[t], r, at[t], ns[0], ns[1]);
	hide_largest(r);
	wn_grains_encoder_begin(e, WN_PART_STRETCHES, number, 1);
	e->part.begin_ns = ns[0];
	e->part.end_ns = ns[1];
	e->part.rows[WN_ROWS_TABLE] = (uint32_t)r->n;
	wn_status st = encode_largest(e, r, err);
	return st == WN_OK ? put_rows(v, e, r, false, err) : st;
}

static wn_status
put_slices(struct wn_page_data *v, const struct wn_timeline *from, wn_err *err)
{
	struct wn_grains_encoder e = {0};
	struct rows r = {0};
	uint64_t *cuts = NULL;
	uint32_t asked = v->options.slice_stretches;
	size_t n = 0, *at = wn_calloc(from->n_threads, sizeof *at);
	wn_status st = at ? WN_OK : wn_no_memory(err);
	if (st == WN_OK)
		st = cut_slices(from, asked ? asked : SLICE_ROWS, v->bins.n * v->bins.ns, &cuts, &n,
		                err);
	for (size_t k = 0; k < n && st == WN_OK; k++)
		st = put_slice(v, from, &e, &r, at, cuts + k, (uint32_t)k, err);
	wn_grains_encoder_fini(&e);
	rows_free(&r);
	wn_free(cuts);
	wn_free(at);
	return st;
}

/* One run; its slices, too, if it is the page's own. */
static wn_status
put_run(struct wn_page_data *v, const struct wn_graph *g, uint32_t number, struct view_bins *bins,
        wn_err *err)
{
	if (!g->timeline || g->n_threads == 0)
		return WN_OK;
	uint32_t *row_of = wn_calloc(g->n_threads, sizeof *row_of);
	struct wn_timeline *rows = row_of ? wn_timeline_rows(g->timeline, row_of) : NULL;
	wn_status st = rows ? put_bins(v, g, rows, number, bins, err) : wn_no_memory(err);
	if (st == WN_OK && number == 0 && bins->n)
		st = put_slices(v, rows, err);
	wn_timeline_free(rows);
	if (st == WN_OK && number == 0)
		v->row_of_thread = row_of;
	else
		wn_free(row_of);
	return st;
}

wn_status
view_put_timeline(struct wn_page_data *v, wn_err *err)
{
	const struct wn_diff *diff = v->options.diff;
	wn_status st = put_run(v, v->g, 0, &v->bins, err);
	return st == WN_OK && diff ? put_run(v, diff->run[0]->graph, 1, &v->reference_bins, err)
	                           : st;
}
