/* SPDX-License-Identifier: MIT */
/* timeline.c - loads the parts of a timeline, and walks their stretches. */
#include "page/timeline_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "grains/column.h"

wn_status
timeline_new(uint32_t n_threads, uint32_t n_slices, struct timeline **out, wn_err *err)
{
	struct timeline *t = wn_calloc(1, sizeof *t);
	if (!t)
		return wn_no_memory(err);
	t->n_threads = n_threads;
	t->n_slices = n_slices;
	t->slices = wn_calloc(n_slices, sizeof *t->slices);
	if (!t->slices) {
		timeline_free(t);
		return wn_no_memory(err);
	}
	*out = t;
	return WN_OK;
}

static void
stretches_free(struct stretches *s)
{
	wn_free(s->first_row);
	wn_free(s->begin_ns);
	wn_free(s->site);
	wn_free(s->first_share);
	wn_free(s->shares);
	s->first_row = s->site = s->first_share = NULL;
	s->begin_ns = NULL;
	s->shares = NULL;
	s->n = 0;
}

static void
loading_free(struct loading *l)
{
	for (unsigned k = 0; k < TIMELINE_SUMS_N; k++)
		wn_free(l->ns[k]);
	wn_free(l->site);
	wn_free(l->length_ns);
	wn_free(l->largest);
	wn_free(l->missing);
	*l = (struct loading){0};
}

void
timeline_free(struct timeline *t)
{
	if (!t)
		return;
	for (uint32_t k = 0; t->slices && k < t->n_slices; k++)
		stretches_free(&t->slices[k]);
	stretches_free(&t->bins);
	loading_free(&t->loading);
	wn_free(t->slices);
	wn_free(t->classes);
	wn_free(t->pixels);
	wn_free(t->columns);
	wn_free(t->working);
	wn_free(t);
}

void
timeline_slice(struct timeline *t, uint32_t slice, double begin_ns, double end_ns)
{
	if (slice >= t->n_slices)
		return;
	t->slices[slice].from_ns = begin_ns;
	t->slices[slice].to_ns = end_ns;
}

wn_status
timeline_sites(struct timeline *t, const uint8_t *classes, uint32_t n_sites, wn_err *err)
{
	uint8_t *own = wn_calloc(n_sites, 1);
	if (!own)
		return wn_no_memory(err);
	for (uint32_t i = 0; i < n_sites; i++)
		own[i] = classes[i] % TIMELINE_CLASSES_N;
	wn_free(t->classes);
	t->classes = own;
	t->n_sites = n_sites;
	return WN_OK;
}

/* --- loading -----------------------------------------------------------------------------------
 */

void
timeline_begin(struct timeline *t, uint32_t slice, uint32_t n_rows, double bin_ns)
{
	loading_free(&t->loading);
	t->loading.n = n_rows;
	t->loading.slice = slice;
	t->loading.bin_ns = bin_ns;
}

/* Returns the sum that a column has; TIMELINE_SUMS_N: none. */
static unsigned
sum_of(uint16_t column)
{
	if (column == WN_COLUMN_BIN_WORK)
		return TIMELINE_WORK;
	if (column >= WN_COLUMN_BIN_SERIAL && column <= WN_COLUMN_BIN_MPI)
		return column - WN_COLUMN_BIN_SERIAL + 1u;
	if (column == WN_COLUMN_STRETCH_OUTSIDE)
		return TIMELINE_OUTSIDE;
	return column == WN_COLUMN_BIN_CRITICAL ? TIMELINE_CRITICAL : TIMELINE_SUMS_N;
}

static uint64_t **
place_of(struct loading *l, uint16_t column)
{
	if (column == WN_COLUMN_BIN_SITE)
		return &l->site;
	if (column == WN_COLUMN_STRETCH_LENGTH)
		return &l->length_ns;
	if (column == WN_COLUMN_STRETCH_STATE)
		return &l->largest;
	unsigned sum = sum_of(column);
	return sum < TIMELINE_SUMS_N ? &l->ns[sum] : NULL;
}

bool
timeline_wants(uint16_t column)
{
	struct loading l;
	return place_of(&l, column) != NULL;
}

wn_status
timeline_put(struct timeline *t, uint16_t column, uint8_t code, uint8_t width, uint8_t state,
             const uint8_t *bytes, size_t n_bytes, wn_err *err)
{
	struct loading *l = &t->loading;
	uint64_t **to = place_of(l, column);
	if (!to || state > WN_STATE_NONE)
		return WN_OK;
	if (width > 8 || code != WN_CODE_PLAIN ||
	    n_bytes != wn_grains_raw_bytes(width, state, l->n))
		return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET, "the timeline is damaged");
	bool is_site = to == &l->site;
	uint8_t *missing = is_site ? wn_calloc((l->n + 7) / 8, 1) : NULL;
	uint64_t *v = width || is_site ? wn_calloc(l->n, sizeof *v) : NULL;
	if ((is_site && !missing) || ((width || is_site) && !v)) {
		wn_free(missing);
		wn_free(v);
		return wn_no_memory(err);
	}
	if (v)
		wn_grains_unpack(code, NULL, bytes, width, state, l->n, v, missing);
	wn_free(*to);
	*to = v;
	if (is_site) {
		wn_free(l->missing);
		l->missing = missing;
	}
	return WN_OK;
}

static uint64_t
value(const uint64_t *column, size_t row)
{
	return column ? column[row] : 0;
}

/* Completes a row: what the file leaves to be computed. False: it cannot be. */
static bool
complete(const struct loading *l, size_t row, double *length_ns, uint64_t ns[TIMELINE_SUMS_N])
{
	uint64_t length = l->bin_ns > 0 ? (uint64_t)l->bin_ns : value(l->length_ns, row);
	unsigned largest = l->bin_ns > 0 ? TIMELINE_OUTSIDE
	                                 : (unsigned)(value(l->largest, row) % TIMELINE_STATES_N);
	uint64_t others = 0;
	for (unsigned k = 0; k < TIMELINE_SUMS_N; k++) {
		ns[k] = value(l->ns[k], row);
		if (ns[k] > UINT64_MAX >> 8)
			return false;
		others += k < TIMELINE_STATES_N && k != largest ? ns[k] : 0;
	}
	/* parts of longer stretches are rounded down one by one: some nanoseconds too many */
	ns[largest] = others < length ? length - others : 0;
	*length_ns = (double)length;
	return length > 0 && length < UINT64_C(1) << 53;
}

static size_t
count_shares(const struct loading *l, bool *is_fine)
{
	uint64_t ns[TIMELINE_SUMS_N];
	size_t n = 0;
	double length;
	for (size_t i = 0; i < l->n && *is_fine; i++) {
		*is_fine = complete(l, i, &length, ns);
		for (unsigned k = 0; k < TIMELINE_SUMS_N; k++)
			n += ns[k] > 0;
	}
	return n;
}

/* Fills the stretches; false: they do not cover the time of all threads. */
static bool
fill(const struct timeline *t, struct stretches *s)
{
	const struct loading *l = &t->loading;
	uint64_t ns[TIMELINE_SUMS_N];
	size_t n_shares = 0;
	uint32_t thread = 0, n_bins = t->n_threads ? l->n / t->n_threads : 0, in_row = 0;
	double at = s->from_ns, length;
	for (uint32_t i = 0; i < l->n; i++) {
		bool begins = l->bin_ns > 0 ? in_row == n_bins : at >= s->to_ns;
		if (i > 0 && begins) {
			thread++;
			at = s->from_ns;
			in_row = 0;
		}
		if (thread >= t->n_threads || !complete(l, i, &length, ns))
			return false;
		if (in_row++ == 0)
			s->first_row[thread] = i;
		s->begin_ns[i] = at;
		at += length;
		bool has_site = l->site && !wn_grains_is_missing(l->missing, i);
		s->site[i] = has_site ? (uint32_t)l->site[i] : NO_SITE;
		s->first_share[i] = (uint32_t)n_shares;
		for (unsigned k = 0; k < TIMELINE_SUMS_N; k++)
			if (ns[k] > 0)
				s->shares[n_shares++] = share_of(k, ns[k]);
	}
	s->first_share[l->n] = (uint32_t)n_shares;
	s->begin_ns[l->n] = at;
	s->first_row[t->n_threads] = l->n;
	if (l->bin_ns > 0)
		s->to_ns = l->bin_ns * n_bins;
	return thread + 1 == t->n_threads && at >= s->to_ns;
}

wn_status
timeline_end(struct timeline *t, wn_err *err)
{
	struct loading *l = &t->loading;
	struct stretches *s = l->bin_ns > 0 ? &t->bins : &t->slices[l->slice];
	bool is_fine = l->n > 0 && (l->bin_ns > 0 || l->slice < t->n_slices);
	size_t n = l->n, n_shares = is_fine ? count_shares(l, &is_fine) : 0;
	wn_status st = WN_OK;
	if (!is_fine || n_shares > UINT32_MAX)
		goto damaged;
	stretches_free(s);
	s->first_row = wn_calloc(t->n_threads + (size_t)1, sizeof *s->first_row);
	s->begin_ns = wn_calloc(n + 1, sizeof *s->begin_ns);
	s->site = wn_calloc(n, sizeof *s->site);
	s->first_share = wn_calloc(n + 1, sizeof *s->first_share);
	s->shares = wn_calloc(n_shares, sizeof *s->shares);
	if (!s->first_row || !s->begin_ns || !s->site || !s->first_share || !s->shares) {
		st = wn_no_memory(err);
		goto out;
	}
	if (!fill(t, s))
		goto damaged;
	s->n = (uint32_t)n;
	s->n_shares = (uint32_t)n_shares;
	loading_free(l);
	return WN_OK;
damaged:
	st = wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET, "the timeline is damaged");
out:
	if (l->bin_ns > 0 || l->slice < t->n_slices)
		stretches_free(s);
	loading_free(l);
	return st;
}

void
timeline_drop(struct timeline *t, uint32_t slice)
{
	if (slice < t->n_slices)
		stretches_free(&t->slices[slice]);
}

size_t
timeline_bytes(const struct timeline *t, uint32_t slice)
{
	const struct stretches *s = slice < t->n_slices ? &t->slices[slice] : &t->bins;
	return s->n * (sizeof *s->begin_ns + sizeof *s->site + sizeof *s->first_share) +
	       s->n_shares * sizeof *s->shares;
}

/* --- walking -----------------------------------------------------------------------------------
 */

/* Returns the row of a thread that holds a time. */
static uint32_t
row_at(const struct stretches *s, uint32_t thread, double at_ns)
{
	uint32_t low = s->first_row[thread], high = s->first_row[thread + 1];
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (s->begin_ns[middle] <= at_ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static double
end_of(const struct stretches *s, uint32_t thread, uint32_t row)
{
	return row + 1 < s->first_row[thread + 1] ? s->begin_ns[row + 1] : s->to_ns;
}

/* The rows of one source in a part of a walk's time. */
static void
walk_part(const struct stretches *s, uint32_t thread, double from_ns, double to_ns,
          timeline_visit *visit, void *user)
{
	if (s->n == 0 || to_ns <= from_ns)
		return;
	for (uint32_t row = row_at(s, thread, from_ns); row < s->first_row[thread + 1]; row++) {
		struct stretch x = {.from_ns = s->begin_ns[row],
		                    .to_ns = end_of(s, thread, row),
		                    .site = s->site[row],
		                    .shares = s->shares + s->first_share[row],
		                    .n = s->first_share[row + 1] - s->first_share[row]};
		if (x.from_ns >= to_ns)
			return;
		x.length_ns = x.to_ns - x.from_ns;
		x.from_ns = x.from_ns > from_ns ? x.from_ns : from_ns;
		x.to_ns = x.to_ns < to_ns ? x.to_ns : to_ns;
		visit(user, &x);
	}
}

static double
later(double a, double b)
{
	return a > b ? a : b;
}

static double
earlier(double a, double b)
{
	return a < b ? a : b;
}

bool
timeline_is_close(const struct timeline *t, double from_ns, double to_ns)
{
	double n_bins = t->n_threads ? (double)t->bins.n / t->n_threads : 0;
	return (to_ns - from_ns) * n_bins < CLOSE_BINS * (t->bins.to_ns - t->bins.from_ns);
}

void
timeline_walk(const struct timeline *t, uint32_t thread, double from_ns, double to_ns,
              bool is_close, timeline_visit *visit, void *user)
{
	double at = from_ns;
	for (uint32_t k = 0; is_close && k < t->n_slices && at < to_ns; k++) {
		const struct stretches *s = &t->slices[k];
		double from = later(from_ns, s->from_ns), to = earlier(to_ns, s->to_ns);
		if (s->n == 0 || to <= from)
			continue;
		walk_part(&t->bins, thread, at, from, visit, user);
		walk_part(s, thread, from, to, visit, user);
		at = to;
	}
	walk_part(&t->bins, thread, at, to_ns, visit, user);
}

uint32_t
timeline_needs(const struct timeline *t, double from_ns, double to_ns, uint32_t *out,
               uint32_t n_max)
{
	uint32_t n = 0;
	if (!timeline_is_close(t, from_ns, to_ns))
		return 0;
	for (uint32_t k = 0; k < t->n_slices && n < n_max; k++)
		if (t->slices[k].n == 0 && t->slices[k].from_ns < to_ns &&
		    t->slices[k].to_ns > from_ns)
			out[n++] = k;
	return n;
}

static void
add(void *user, const struct stretch *s)
{
	double *sums = user, part = (s->to_ns - s->from_ns) / s->length_ns;
	for (uint32_t i = 0; i < s->n; i++)
		sums[share_state(s->shares[i])] += share_ns(s->shares[i]) * part;
}

void
timeline_sum(const struct timeline *t, uint32_t thread, double from_ns, double to_ns, double *out)
{
	for (unsigned k = 0; k < TIMELINE_SUMS_N; k++)
		out[k] = 0;
	if (thread >= t->n_threads || t->bins.n == 0)
		return;
	from_ns = later(from_ns, 0);
	to_ns = earlier(to_ns, t->bins.to_ns);
	/* bins are exact for the whole run; slices have parts that are rounded where they are cut
	 */
	bool is_whole = from_ns <= 0 && to_ns >= t->bins.to_ns;
	timeline_walk(t, thread, from_ns, to_ns, !is_whole, add, out);
}

bool
timeline_at(const struct timeline *t, uint32_t thread, double at_ns, double out[3], double *sums)
{
	const struct stretches *s = &t->bins;
	for (unsigned k = 0; k < TIMELINE_SUMS_N; k++)
		sums[k] = 0;
	for (uint32_t k = 0; k < t->n_slices; k++)
		if (t->slices[k].n && t->slices[k].from_ns <= at_ns && at_ns < t->slices[k].to_ns)
			s = &t->slices[k];
	if (s->n == 0 || thread >= t->n_threads || at_ns < s->from_ns || at_ns >= s->to_ns)
		return false;
	uint32_t row = row_at(s, thread, at_ns);
	out[0] = s->begin_ns[row];
	out[1] = end_of(s, thread, row);
	out[2] = s->site[row] == NO_SITE ? -1 : (double)s->site[row];
	for (uint32_t i = s->first_share[row]; i < s->first_share[row + 1]; i++)
		sums[share_state(s->shares[i])] = share_ns(s->shares[i]);
	return true;
}
