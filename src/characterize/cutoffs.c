/* SPDX-License-Identifier: MIT */
#include "characterize/cutoffs.h"

#include <math.h>

struct series {
	const struct wn_cutoff *runs;
	size_t n;
	bool is_log;
};

/* Distance of two trends: the logarithm of their ratio. */
static double
gap(const struct wn_cutoff *run, enum wn_trend above, enum wn_trend below)
{
	return log(fmax(run->ns[above], 1)) - log(fmax(run->ns[below], 1));
}

static double
place(const struct series *s, size_t i)
{
	return s->is_log ? log(s->runs[i].at) : s->runs[i].at;
}

/* Returns the cut-off at fraction t between run i and the next. */
static double
cutoff_at(const struct series *s, size_t i, double t)
{
	if (t <= 0)
		return s->runs[i].at;
	if (t >= 1)
		return s->runs[i + 1].at;
	double x = place(s, i) + t * (place(s, i + 1) - place(s, i));
	return s->is_log ? exp(x) : x;
}

static struct wn_meeting
find_meetings(const struct series *s, enum wn_trend above, enum wn_trend below)
{
	struct wn_meeting m = {.first = NAN, .last = NAN, .starts_above = -1, .ends_above = -1};
	for (size_t i = 0; i < s->n; i++) {
		double here = gap(&s->runs[i], above, below);
		if (isnan(s->runs[i].ns[above]) || isnan(s->runs[i].ns[below]))
			continue;
		m.starts_above = m.starts_above < 0 ? here > 0 : m.starts_above;
		m.ends_above = here > 0;
		if (i == 0 || isnan(s->runs[i - 1].ns[above]) || isnan(s->runs[i - 1].ns[below]))
			continue;
		double before = gap(&s->runs[i - 1], above, below);
		if ((before > 0) == (here > 0))
			continue;
		double at = cutoff_at(s, i - 1, before / (before - here));
		m.first = m.n == 0 ? at : m.first;
		m.last = at;
		m.n++;
	}
	return m;
}

/* Narrows the interval between run i and the next to where one trend is not above another. Returns
 * false if it becomes empty. */
static bool
narrow(const struct series *s, size_t i, enum wn_trend above, enum wn_trend below, double *from,
       double *to)
{
	double a = gap(&s->runs[i], above, below), b = gap(&s->runs[i + 1], above, below);
	if (a > 0 && b > 0)
		return false;
	if (a > 0)
		*from = fmax(*from, a / (a - b));
	else if (b > 0)
		*to = fmin(*to, a / (a - b));
	return *from <= *to;
}

static bool
is_known(const struct wn_cutoff *run)
{
	for (int k = 0; k < WN_TREND_N; k++)
		if (isnan(run->ns[k]))
			return false;
	return true;
}

static double
width(const struct series *s, double from, double to)
{
	return s->is_log ? log(to) - log(from) : to - from;
}

/* Finds the good ranges of cut-offs, which may span several runs; keeps the widest. */
static void
find_good(const struct series *s, struct wn_cutoff_range *out)
{
	double start = NAN; /* of the range that reaches the end of the last step */
	for (size_t i = 0; i + 1 < s->n; i++) {
		double from = 0, to = 1;
		if (!is_known(&s->runs[i]) || !is_known(&s->runs[i + 1]) ||
		    !narrow(s, i, WN_TREND_PARALLELISATION, WN_TREND_EXECUTION, &from, &to) ||
		    !narrow(s, i, WN_TREND_IDLE, WN_TREND_PARALLELISATION, &from, &to)) {
			start = NAN;
			continue;
		}
		bool goes_on = from <= 0 && !isnan(start);
		double first = goes_on ? start : cutoff_at(s, i, from);
		double last = cutoff_at(s, i, to);
		out->n_good += !goes_on;
		start = to >= 1 ? first : NAN;
		if (isnan(out->from) || width(s, first, last) > width(s, out->from, out->to)) {
			out->from = first;
			out->to = last;
		}
	}
}

/* No range satisfies both conditions: takes the range between the end of one and the start of the
 * other. */
static void
find_least_bad(const struct wn_meeting *a, const struct wn_meeting *b, struct wn_cutoff_range *out)
{
	double from[2] = {a->first, a->last}, to[2] = {b->first, b->last}, best = INFINITY;
	for (int i = 0; i < 2 && a->n && b->n; i++) {
		for (int k = 0; k < 2; k++) {
			if (!(fabs(from[i] - to[k]) < best))
				continue;
			best = fabs(from[i] - to[k]);
			out->from = fmin(from[i], to[k]);
			out->to = fmax(from[i], to[k]);
		}
	}
}

void
wn_cutoff_range(const struct wn_cutoff *runs, size_t n, struct wn_cutoff_range *out)
{
	struct series s = {.runs = runs, .n = n, .is_log = true};
	for (size_t i = 0; i < n; i++)
		s.is_log = s.is_log && runs[i].at > 0;
	*out = (struct wn_cutoff_range){.is_log = s.is_log, .from = NAN, .to = NAN};
	out->grain = find_meetings(&s, WN_TREND_PARALLELISATION, WN_TREND_EXECUTION);
	out->idle = find_meetings(&s, WN_TREND_IDLE, WN_TREND_PARALLELISATION);
	find_good(&s, out);
	if (out->n_good == 0)
		find_least_bad(&out->grain, &out->idle, out);
	if (n > 0 && out->n_good > 0) {
		out->is_open_below = out->from <= runs[0].at;
		out->is_open_above = out->to >= runs[n - 1].at;
	}
}
