/* SPDX-License-Identifier: MIT */
/*
 * profile.c - instantaneous parallelism: the number of fragments that could run at each moment if
 * each ran as early as the graph allows.
 *
 * Time is the distance from the start by span, cut into bins as wide as the median fragment. A
 * fragment of nonzero length overlaps the bins it touches, both ends included. A grain has the
 * smallest, largest and median count over the bins of its fragments, one entry per fragment and
 * bin. To bound the work, bins are widened when there would be too many of them; this is reported.
 */
#include "metrics/profile_bins.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/parallel.h"

#include <assert.h>
#include <string.h>

#ifndef BINS_MAX /* smaller for fuzzing, to save time */
#define BINS_MAX    (UINT64_C(1) << 24)
#define TOUCHES_MAX (UINT64_C(1) << 28) /* total number of (fragment, bin) pairs visited */
#endif

/* Beyond this number, and four per fragment, bins are widened: with a damaged clock, years may lie
 * between two fragments of a microsecond. */
#define FREE_BINS (UINT64_C(1) << 20)

#define DIGIT_BITS 16u
#define DIGITS     (1u << DIGIT_BITS)
static_assert(DIGITS == WN_DURATIONS_SHORT, "the durations that are counted exactly");

/* Selects the k-th smallest of the durations with more than one digit, digit by digit from the
 * highest. count: [DIGITS] */
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

/* Selects the k-th smallest duration. */
static wn_status
select_duration(const struct wn_graph *g, uint64_t k, uint64_t *out, wn_err *err)
{
	const struct wn_durations *d = &g->durations;
	uint64_t ns = 0;
	if (k >= d->n_short) {
		uint64_t *count = wn_calloc(DIGITS, sizeof *count);
		if (!count)
			return wn_no_memory(err);
		*out = select_long(g, k - d->n_short, count);
		wn_free(count);
		return WN_OK;
	}
	while (k >= d->count[ns])
		k -= d->count[ns++];
	*out = ns;
	return WN_OK;
}

/* A job that reads a part of the fragments. */
struct pass {
	const struct wn_metrics *m;
	size_t first_share, end_share;
	uint32_t *profile; /* [n_bins + 1] */
};

enum { PASSES_MAX = 16 };

/* Divides the shares among the jobs. */
static size_t
divide_shares(const struct wn_metrics *m, struct pass *passes)
{
	size_t n = wn_parallel_cpus(), n_shares = m->g->fragments.n_marks;
	n = n < PASSES_MAX ? n : PASSES_MAX;
	n = n < n_shares ? n : n_shares;
	for (size_t i = 0; i < n; i++)
		passes[i] = (struct pass){
		    .m = m, .first_share = i * n_shares / n, .end_share = (i + 1) * n_shares / n};
	return n;
}

/* Chooses the median as the width: the lower of the middle two for an even number, in the
 * prototype's way their mean. 0: there is none. */
static wn_status
choose_bin(struct wn_metrics *m, wn_err *err)
{
	const struct wn_graph *g = m->g;
	const struct wn_durations *d = &g->durations;
	uint64_t lower_ns, upper_ns;
	wn_status st;
	if (d->n == 0)
		return WN_OK;
	WN_TRY(select_duration(g, (d->n - 1) / 2, &lower_ns, err));
	upper_ns = lower_ns;
	if (g->imported)
		WN_TRY(select_duration(g, d->n / 2, &upper_ns, err));
	m->bin_twice_ns = lower_ns + upper_ns;
	if (m->bin_twice_ns == 0)
		goto out;
	uint64_t most_bins = FREE_BINS + 4 * d->n < BINS_MAX ? FREE_BINS + 4 * d->n : BINS_MAX;
	while (2 * d->end_ns / m->bin_twice_ns + 1 > most_bins ||
	       2 * d->sum_ns / m->bin_twice_ns + 2 * d->n > TOUCHES_MAX) {
		if (2 * d->sum_ns / m->bin_twice_ns < 2 * d->n &&
		    2 * d->end_ns / m->bin_twice_ns + 1 <= most_bins)
			break; /* the number of fragments alone exceeds the bound, so wider bins do
			          not help */
		m->bin_twice_ns *= 2;
		m->bin_is_widened = true;
	}
	m->bin_ns = m->bin_twice_ns / 2;
	/* the prototype's bins extend beyond the end by one width and a cycle */
	uint64_t behind = g->imported ? 2 + m->bin_twice_ns : 0;
	m->n_bins = (size_t)((2 * d->end_ns + behind) / m->bin_twice_ns + 1);
out:
	return st;
}

/* Records differences; the running sum is computed later, where unsigned wrap-around cancels. */
static void
bins_pass(void *user, size_t i)
{
	const struct pass *pass = (struct pass *)user + i;
	const struct wn_graph *g = pass->m->g;
	struct bin_finder finder = bin_finder(pass->m);
	struct wn_fragment f;
	for (size_t share = pass->first_share; share < pass->end_share; share++) {
		for (wn_fragments_share(&g->fragments, share, &f); wn_fragments_next(&f);) {
			if (!profile_counts(g, &f))
				continue;
			struct bins b = bins_of(&finder, &f);
			if (b.first >= b.end)
				continue;
			pass->profile[b.first] += 1;
			pass->profile[b.end] -= 1;
		}
	}
}

/* Each job has bins of its own, unless they are many relative to its fragments. */
static wn_status
count_bins(struct wn_metrics *m, wn_err *err)
{
	struct pass passes[PASSES_MAX];
	size_t n = divide_shares(m, passes), n_bins = m->n_bins + 1;
	bool has_memory = true;
	if (n > 1 && n_bins > m->g->fragments.n / 8) {
		passes[0].end_share = passes[n - 1].end_share;
		n = 1;
	}
	for (size_t i = 0; i < n; i++) {
		passes[i].profile = wn_calloc(n_bins, sizeof *m->profile);
		has_memory &= passes[i].profile != NULL;
	}
	if (has_memory)
		wn_parallel((unsigned)n, n, bins_pass, passes);
	m->profile = passes[0].profile;
	for (size_t i = 1; i < n; i++) {
		for (size_t k = 0; has_memory && k < n_bins; k++)
			m->profile[k] += passes[i].profile[k];
		wn_free(passes[i].profile);
	}
	for (size_t k = 1; has_memory && k < m->n_bins; k++)
		m->profile[k] += m->profile[k - 1];
	return has_memory ? WN_OK : wn_no_memory(err);
}

/* A grain of few fragments has few values, which are sorted. */
enum { FEW_VALUES = 32 };

/* The bins of a grain's fragments: a range for each fragment, n entries in all. */
struct touched {
	struct range {
		uint32_t first, end;
	} * ranges;
	size_t n_ranges, ranges_capacity;
	size_t n;
	uint32_t few[FEW_VALUES]; /* [n] in order, if they are not more */
	uint64_t *scratch;
	size_t scratch_capacity;
};

static inline bool
add_bins(const struct wn_metrics *m, struct bins b, struct touched *c)
{
	if (b.first >= b.end)
		return true;
	if (wn_grow(&c->ranges, &c->ranges_capacity, c->n_ranges + 1, sizeof *c->ranges) != 0)
		return false;
	c->ranges[c->n_ranges++] = (struct range){(uint32_t)b.first, (uint32_t)b.end};
	size_t n = (size_t)(b.end - b.first), end = c->n + n;
	for (uint64_t k = b.first; end <= FEW_VALUES && k < b.end; k++)
		wn_order_insert(c->few, c->n++, m->profile[k]);
	c->n = end;
	return true;
}

/* Collects the counts of all these bins. */
static void
gather(const struct wn_metrics *m, const struct touched *c, uint64_t *values)
{
	const uint32_t *profile = m->profile;
	size_t n = 0;
	for (size_t i = 0; i < c->n_ranges; i++)
		for (uint32_t k = c->ranges[i].first; k < c->ranges[i].end; k++)
			values[n++] = profile[k];
}

struct middle {
	uint64_t least, most;
	uint64_t upper; /* element n / 2 in sorted order */
	uint64_t lower; /* the one before it */
};

/* Counts each value where many lie close together. */
static void
find_counted(const struct wn_metrics *m, const struct touched *c, struct middle *found)
{
	uint64_t *count = c->scratch, before = 0, value = found->least;
	memset(count, 0, (size_t)(found->most - found->least + 1) * sizeof *count);
	for (size_t i = 0; i < c->n_ranges; i++)
		for (uint32_t k = c->ranges[i].first; k < c->ranges[i].end; k++)
			count[m->profile[k] - found->least]++;
	while (before + count[value - found->least] <= c->n / 2 - 1)
		before += count[value++ - found->least];
	found->lower = value;
	while (before + count[value - found->least] <= c->n / 2)
		before += count[value++ - found->least];
	found->upper = value;
}

static bool
find_many(const struct wn_metrics *m, struct touched *c, struct middle *found)
{
	const uint32_t *profile = m->profile;
	uint32_t least = UINT32_MAX, most = 0;
	for (size_t i = 0; i < c->n_ranges; i++) {
		for (uint32_t k = c->ranges[i].first; k < c->ranges[i].end; k++) {
			least = profile[k] < least ? profile[k] : least;
			most = profile[k] > most ? profile[k] : most;
		}
	}
	*found = (struct middle){.least = least, .most = most};
	bool is_close = found->most - found->least < c->n;
	size_t n = is_close ? (size_t)(found->most - found->least + 1) : c->n;
	if (wn_grow(&c->scratch, &c->scratch_capacity, n, sizeof *c->scratch) != 0)
		return false;
	if (is_close) {
		find_counted(m, c, found);
		return true;
	}
	gather(m, c, c->scratch);
	found->upper = wn_order_select(c->scratch, c->n, c->n / 2);
	for (size_t i = 0; i < c->n / 2; i++)
		found->lower = c->scratch[i] > found->lower ? c->scratch[i] : found->lower;
	return true;
}

/* Values of an imported file take precedence. */
static inline void
judge(struct wn_metrics *m, wn_grain id, enum wn_problem p, double value)
{
	double given;
	if (!m->imported || !metrics_imported_value(m, id, (int)p, &given))
		metrics_judge(m, id, (int)p, value);
}

/* Returns false when memory ran out. */
static bool
summarise_grain(struct wn_metrics *m, wn_grain id, struct touched *c)
{
	struct middle found;
	if (c->n == 0)
		return true;
	if (c->n <= FEW_VALUES)
		found = (struct middle){c->few[0], c->few[c->n - 1], c->few[c->n / 2],
		                        c->few[c->n > 1 ? c->n / 2 - 1 : 0]};
	else if (!find_many(m, c, &found))
		return false;
	uint64_t least = found.least, most = found.most;
	double middle = (double)found.upper;
	if (c->n % 2 == 0)
		middle = (middle + (double)found.lower) / 2;
	judge(m, id, WN_PROBLEM_INST_PAR_MIN, (double)least);
	judge(m, id, WN_PROBLEM_INST_PAR_MAX, (double)most);
	judge(m, id, WN_PROBLEM_INST_PAR_MEDIAN, (double)(float)middle);
	if (m->g->detail < WN_DETAIL_TIMES)
		return true;
	m->inst_par_min[id] = (uint32_t)least;
	m->inst_par_max[id] = (uint32_t)most;
	m->inst_par_median[id] = (float)middle;
	return true;
}

struct summaries {
	struct wn_metrics *m;
	wn_status *done; /* [n_marks] */
};

/* Writes results only for the grains of this share. */
static void
summarise_share(void *user, size_t i)
{
	const struct summaries *s = user;
	struct wn_metrics *m = s->m;
	const struct wn_graph *g = m->g;
	struct bin_finder finder = bin_finder(m);
	struct touched c = {0};
	struct wn_fragment f;
	bool has_memory = true;
	wn_fragments_share(&g->fragments, i, &f);
	while (has_memory && wn_fragments_next(&f)) {
		if (f.is_first)
			c.n = c.n_ranges = 0;
		if (!wn_is_grain(g, f.grain))
			continue;
		if (profile_counts(g, &f))
			has_memory = add_bins(m, bins_of(&finder, &f), &c);
		if (f.is_last && has_memory)
			has_memory = summarise_grain(m, f.grain, &c);
	}
	s->done[i] = has_memory ? WN_OK : WN_E_NOMEM;
	wn_free(c.ranges);
	wn_free(c.scratch);
}

wn_status
metrics_profile(struct wn_metrics *m, wn_err *err)
{
	struct summaries s = {.m = m};
	size_t n = m->g->fragments.n_marks;
	wn_status st;
	if (m->options.without_profile)
		return WN_OK;
	WN_TRY(choose_bin(m, err));
	if (m->n_bins == 0)
		return WN_OK;
	s.done = wn_calloc(n, sizeof *s.done);
	if (!s.done)
		return wn_no_memory(err);
	WN_TRY(count_bins(m, err));
	bool has_problems = false;
	if (m->g->detail < WN_DETAIL_TIMES)
		WN_TRY(profile_find_problems(m, &has_problems, err));
	if (!has_problems)
		wn_parallel(wn_parallel_cpus(), n, summarise_share, &s);
	for (size_t i = 0; i < n; i++)
		if (s.done[i] != WN_OK)
			st = wn_fail(err, s.done[i], WN_NO_OFFSET, "out of memory");
	if (m->g->detail < WN_DETAIL_TIMES) { /* the next step needs memory */
		wn_free(m->profile);
		m->profile = NULL;
	}
out:
	wn_free(s.done);
	return st;
}
