/* SPDX-License-Identifier: MIT */
/*
 * profile.c - instantaneous parallelism: how many fragments could run at each moment, if each ran
 * as early as the graph allows.
 *
 * Time is the distance from the start by span, cut into bins as wide as the median fragment. A
 * fragment that does something overlaps the bins it touches, both ends included. A grain has the
 * smallest, largest and median count over the bins of its fragments, one entry per fragment and
 * bin. To bound the work, bins are widened when there would be too many of them; then it is said.
 */
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

#ifndef BINS_MAX /* fuzzing has no time for as many */
#define BINS_MAX    (UINT64_C(1) << 24)
#define TOUCHES_MAX (UINT64_C(1) << 28) /* (fragment, bin) pairs looked at in all */
#endif

/* Above so many, and four for each fragment, bins are widened: a clock that is damaged may tell of
 * years between two fragments of a microsecond. */
#define FREE_BINS (UINT64_C(1) << 20)

uint64_t
metrics_select(uint64_t *values, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;
	while (low < high) {
		uint64_t pivot = values[low + (high - low) / 2];
		size_t i = low, j = high;
		for (;;) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i >= j)
				break;
			uint64_t swap = values[i];
			values[i++] = values[j];
			values[j--] = swap;
		}
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
	return values[k];
}

#define DIGIT_BITS 16u
#define DIGITS     (1u << DIGIT_BITS)

/* An imported table's fragments all count, as in the prototype: also those that take no time. */
static inline bool
counts(const struct wn_graph *g, const struct wn_fragment *f)
{
	return f->ns > 0 || g->imported;
}

/* The k-th smallest duration of those that have more than one digit, found digit by digit, the
 * highest one first. */
static uint64_t
select_long(const struct wn_graph *g, uint64_t k, uint64_t *count)
{
	uint64_t found = 0;
	for (unsigned above = 64, shift = 48;; above = shift, shift -= DIGIT_BITS) {
		struct wn_fragment f;
		uint64_t digit = 0;
		memset(count, 0, DIGITS * sizeof *count);
		for (wn_fragments_begin(&g->fragments, &f); wn_fragments_next(&f);)
			if (f.ns >= DIGITS && (above == 64 || f.ns >> above == found))
				count[f.ns >> shift & (DIGITS - 1)]++;
		while (k >= count[digit])
			k -= count[digit++];
		found = found << DIGIT_BITS | digit;
		if (shift == 0)
			return found;
	}
}

struct durations {
	uint64_t end_ns, sum_ns, n, n_short;
	uint64_t *count; /* [DIGITS] by duration, of those that are shorter than 65 us */
};

/* Most are: those are counted by duration on the way. */
static void
count_durations(const struct wn_graph *g, struct durations *d)
{
	struct wn_fragment f;
	uint64_t *count = d->count;
	*d = (struct durations){.count = count};
	memset(count, 0, DIGITS * sizeof *count);
	for (wn_fragments_begin(&g->fragments, &f); wn_fragments_next(&f);) {
		if (!counts(g, &f))
			continue;
		d->n++;
		d->sum_ns += f.ns;
		d->end_ns = f.start_ns + f.ns > d->end_ns ? f.start_ns + f.ns : d->end_ns;
		if (f.ns >= DIGITS)
			continue;
		count[f.ns]++;
		d->n_short++;
	}
}

/* The k-th smallest one. What was counted is not there any more if it is a long one. */
static uint64_t
select_duration(const struct wn_graph *g, struct durations *d, uint64_t k)
{
	uint64_t ns = 0;
	if (k >= d->n_short)
		return select_long(g, k - d->n_short, d->count);
	while (k >= d->count[ns])
		k -= d->count[ns++];
	return ns;
}

/* As wide as the median: of an even number the lower one of the two in the middle, and in the
 * prototype's way their mean. 0: there is none. */
static wn_status
choose_bin(struct wn_metrics *m, wn_err *err)
{
	const struct wn_graph *g = m->g;
	struct durations d = {.count = wn_calloc(DIGITS, sizeof *d.count)};
	if (!d.count)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	count_durations(g, &d);
	if (d.n > 0)
		m->bin_twice_ns = 2 * select_duration(g, &d, (d.n - 1) / 2);
	if (d.n > 0 && g->imported && d.n % 2 == 0) {
		count_durations(g, &d);
		m->bin_twice_ns = m->bin_twice_ns / 2 + select_duration(g, &d, d.n / 2);
	}
	wn_free(d.count);
	if (m->bin_twice_ns == 0)
		return WN_OK;
	uint64_t most_bins = FREE_BINS + 4 * d.n < BINS_MAX ? FREE_BINS + 4 * d.n : BINS_MAX;
	while (2 * d.end_ns / m->bin_twice_ns + 1 > most_bins ||
	       2 * d.sum_ns / m->bin_twice_ns + 2 * d.n > TOUCHES_MAX) {
		if (2 * d.sum_ns / m->bin_twice_ns < 2 * d.n &&
		    2 * d.end_ns / m->bin_twice_ns + 1 <= most_bins)
			break; /* wider bins would not help: it is the number of fragments */
		m->bin_twice_ns *= 2;
		m->bin_is_widened = true;
	}
	m->bin_ns = m->bin_twice_ns / 2;
	/* the prototype's bins go on behind the end, for one width and a cycle */
	uint64_t behind = g->imported ? 2 + m->bin_twice_ns : 0;
	m->n_bins = (size_t)((2 * d.end_ns + behind) / m->bin_twice_ns + 1);
	return WN_OK;
}

/* Bin k is [k w, k w + w - 1], both ends included; w may be a whole number and a half. Bins that
 * a fragment touches, or that lie wholly in it; none if first > last. */
static uint64_t
first_bin(const struct wn_metrics *m, const struct wn_fragment *f)
{
	uint64_t twice = m->bin_twice_ns;
	if (m->options.within)
		return (2 * f->start_ns + twice - 1) / twice;
	return (2 * f->start_ns + 2 + twice - 1) / twice - 1;
}

/* One more than the last one. */
static uint64_t
end_bin(const struct wn_metrics *m, const struct wn_fragment *f)
{
	uint64_t twice = m->bin_twice_ns, end = 2 * (f->start_ns + f->ns);
	if (!m->options.within)
		return end / twice + 1;
	return end + 2 < twice ? 0 : (end + 2 - twice) / twice + 1;
}

static wn_status
count_bins(struct wn_metrics *m, wn_err *err)
{
	const struct wn_graph *g = m->g;
	struct wn_fragment f;
	m->profile = wn_calloc(m->n_bins + 1, sizeof *m->profile);
	if (!m->profile)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	/* differences first; unsigned wrap-around cancels in the running sum */
	for (wn_fragments_begin(&g->fragments, &f); wn_fragments_next(&f);) {
		uint64_t first = first_bin(m, &f), end = end_bin(m, &f);
		if (!counts(g, &f) || first >= end)
			continue;
		m->profile[first] += 1;
		m->profile[end] -= 1;
	}
	for (size_t k = 1; k < m->n_bins; k++)
		m->profile[k] += m->profile[k - 1];
	return WN_OK;
}

struct values {
	uint64_t *values;
	size_t n, capacity;
};

static wn_status
add_count(struct values *c, uint32_t value, wn_err *err)
{
	if (wn_grow(&c->values, &c->capacity, c->n + 1, sizeof *c->values) != 0)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	c->values[c->n++] = value;
	return WN_OK;
}

/* What the bins of a grain's fragments count, one entry for each fragment and bin. */
static wn_status
add_fragment(const struct wn_metrics *m, const struct wn_fragment *f, struct values *c, wn_err *err)
{
	wn_status st = WN_OK;
	for (uint64_t k = first_bin(m, f); st == WN_OK && k < end_bin(m, f); k++)
		st = add_count(c, m->profile[k], err);
	return st;
}

/* Values that an imported file brings win. */
static void
judge(struct wn_metrics *m, wn_grain id, enum wn_problem p, double value)
{
	double given;
	if (!metrics_imported_value(m, id, (int)p, &given))
		metrics_judge(m, id, (int)p, value);
}

static void
summarise_grain(struct wn_metrics *m, wn_grain id, struct values *c)
{
	uint64_t least = UINT64_MAX, most = 0;
	if (c->n == 0)
		return;
	for (size_t i = 0; i < c->n; i++) {
		least = c->values[i] < least ? c->values[i] : least;
		most = c->values[i] > most ? c->values[i] : most;
	}
	double middle = (double)metrics_select(c->values, c->n, c->n / 2);
	if (c->n % 2 == 0)
		middle = (middle + (double)metrics_select(c->values, c->n, c->n / 2 - 1)) / 2;
	judge(m, id, WN_PROBLEM_INST_PAR_MIN, (double)least);
	judge(m, id, WN_PROBLEM_INST_PAR_MAX, (double)most);
	judge(m, id, WN_PROBLEM_INST_PAR_MEDIAN, (double)(float)middle);
	if (m->g->is_lean)
		return;
	m->inst_par_min[id] = (uint32_t)least;
	m->inst_par_max[id] = (uint32_t)most;
	m->inst_par_median[id] = (float)middle;
}

wn_status
metrics_profile(struct wn_metrics *m, wn_err *err)
{
	const struct wn_graph *g = m->g;
	struct values c = {NULL, 0, 0};
	struct wn_fragment f;
	wn_status st;
	WN_TRY(choose_bin(m, err));
	if (m->n_bins == 0)
		return WN_OK;
	WN_TRY(count_bins(m, err));
	for (wn_fragments_begin(&g->fragments, &f); wn_fragments_next(&f);) {
		if (f.is_first)
			c.n = 0;
		if (!wn_is_grain(g, f.grain))
			continue;
		if (counts(g, &f))
			WN_TRY(add_fragment(m, &f, &c, err));
		if (f.is_last)
			summarise_grain(m, f.grain, &c);
	}
out:
	wn_free(c.values);
	return st;
}
