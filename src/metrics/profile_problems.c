/* SPDX-License-Identifier: MIT */
/*
 * profile_problems.c - grains with too little instantaneous parallelism, in a graph that keeps no
 * values of it. All three problem types compare with the same threshold, unless the user has moved
 * one; then it suffices to know how many of a grain's bins are below it:
 *
 *   least      below, if any bin is
 *   greatest   below, if all bins are
 *   median     below, if more than half of the bins are; of exactly half of them, the two values
 *              next to the threshold decide
 *
 * With the number of such bins before each bin, a fragment takes constant time, however long it is.
 */
#include "metrics/profile_bins.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"

/* Halves of smaller counts are exact in a float, in which medians are kept. */
#define COUNT_MAX (UINT32_C(1) << 23)

struct finding {
	struct wn_metrics *m;
	double threshold;
	uint32_t *n_below; /* [n_bins + 1] of the bins before each */
};

static bool
has_one_threshold(const struct wn_metrics *m, double *out)
{
	static const int types[] = {WN_PROBLEM_INST_PAR_MIN, WN_PROBLEM_INST_PAR_MAX,
	                            WN_PROBLEM_INST_PAR_MEDIAN};
	*out = m->threshold[types[0]];
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!m->problem_types[types[i]].is_below || m->threshold[types[i]] < *out ||
		    m->threshold[types[i]] > *out)
			return false;
	return true;
}

/* Returns false if a count is too large. */
static bool
count_below(const struct finding *f)
{
	const struct wn_metrics *m = f->m;
	uint32_t n = 0, most = 0;
	for (size_t k = 0; k < m->n_bins; k++) {
		f->n_below[k] = n;
		n += m->profile[k] < f->threshold;
		most = m->profile[k] > most ? m->profile[k] : most;
	}
	f->n_below[m->n_bins] = n;
	return most < COUNT_MAX;
}

/* The median of a grain half of whose bins are below; its run of fragments begins at `run`. */
static __attribute__((noinline)) bool
is_middle_below(const struct finding *f, struct bin_finder finder, const uint8_t *run)
{
	const uint32_t *profile = f->m->profile;
	uint32_t lower = 0, upper = UINT32_MAX;
	struct wn_fragment fragment = {.next = run}; /* which grain's does not matter */
	do {
		(void)wn_fragments_next(&fragment);
		struct bins b = bins_of(&finder, &fragment);
		for (uint64_t k = b.first; profile_counts(f->m->g, &fragment) && k < b.end; k++) {
			bool is_below = profile[k] < f->threshold;
			if (is_below && profile[k] > lower)
				lower = profile[k];
			if (!is_below && profile[k] < upper)
				upper = profile[k];
		}
	} while (!fragment.is_last);
	return ((double)upper + (double)lower) / 2 < f->threshold;
}

static void
judge(const struct finding *f, wn_grain id, uint64_t n, uint64_t n_below, bool is_middle_below)
{
	if (n_below > 0)
		metrics_judge_beyond(f->m, id, WN_PROBLEM_INST_PAR_MIN);
	if (n_below > 0 && n_below == n)
		metrics_judge_beyond(f->m, id, WN_PROBLEM_INST_PAR_MAX);
	if (is_middle_below)
		metrics_judge_beyond(f->m, id, WN_PROBLEM_INST_PAR_MEDIAN);
}

/* Writes results only for the grains of this share. */
static void
find_in_share(void *user, size_t i)
{
	const struct finding *f = user;
	const struct wn_graph *g = f->m->g;
	struct bin_finder finder = bin_finder(f->m);
	struct wn_fragment at;
	const uint8_t *run = NULL, *next;
	uint64_t n = 0, n_below = 0;
	wn_fragments_share(&g->fragments, i, &at);
	while (next = at.next, wn_fragments_next(&at)) {
		if (at.is_first) {
			n = n_below = 0;
			run = next;
		}
		struct bins b = {0, 0};
		if (profile_counts(g, &at))
			b = bins_of(&finder, &at);
		if (b.first < b.end) {
			n += b.end - b.first;
			n_below += f->n_below[b.end] - f->n_below[b.first];
		}
		if (!at.is_last || !wn_is_grain(g, at.grain))
			continue;
		bool is_tie = n > 0 && 2 * n_below == n;
		judge(f, at.grain, n, n_below,
		      is_tie ? is_middle_below(f, finder, run) : 2 * n_below > n);
	}
}

wn_status
profile_find_problems(struct wn_metrics *m, bool *is_done, wn_err *err)
{
	struct finding f = {.m = m};
	*is_done = false;
	if (m->imported || !has_one_threshold(m, &f.threshold))
		return WN_OK;
	f.n_below = wn_calloc(m->n_bins + 1, sizeof *f.n_below);
	if (!f.n_below)
		return wn_no_memory(err);
	*is_done = count_below(&f);
	if (*is_done)
		wn_parallel(wn_parallel_cpus(), m->g->fragments.n_marks, find_in_share, &f);
	wn_free(f.n_below);
	return WN_OK;
}
