/* SPDX-License-Identifier: MIT */
/* cutoffs.c - collects the runs of a series and determines their cut-offs. */
#include "report/cutoffs.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const wn_trend_names[WN_TREND_N] = {
    [WN_TREND_EXECUTION] = "execution",
    [WN_TREND_PARALLELISATION] = "parallelisation",
    [WN_TREND_IDLE] = "idle",
};

static char *
copy(const char *bytes, size_t n)
{
	char *to = wn_calloc(n + 1, 1);
	if (to && n)
		memcpy(to, bytes, n);
	return to;
}

wn_status
wn_cutoffs_add(struct wn_cutoffs *c, const char *file, double at, const struct wn_report *r,
               wn_err *err)
{
	if (wn_grow(&c->runs, &c->capacity, c->n + 1, sizeof *c->runs) != 0)
		return wn_no_memory(err);
	struct wn_cutoff_run *run = &c->runs[c->n];
	*run = (struct wn_cutoff_run){.at = at, .n_threads = r->n_threads};
	const char *argv = wn_trace_argv(r->trace, &run->argv_bytes);
	run->argv_bytes = argv ? run->argv_bytes : 0;
	run->time_ns = r->header->finished && r->header->wall_ns ? r->header->wall_ns
	                                                         : r->metrics->totals.elapsed_ns;
	memcpy(run->command, r->command, sizeof run->command);
	run->file = copy(file, strlen(file));
	run->argv = copy(argv, run->argv_bytes);
	c->n++;
	if (!run->file || !run->argv)
		return wn_no_memory(err);
	return wn_task_times(r, &run->times, err);
}

void
wn_cutoffs_fini(struct wn_cutoffs *c)
{
	for (size_t i = 0; i < c->n; i++) {
		wn_free(c->runs[i].file);
		wn_free(c->runs[i].argv);
	}
	wn_free(c->runs);
	wn_free(c->points);
	*c = (struct wn_cutoffs){0};
}

/* --- cut-offs from arguments --- */

/* Returns an argument of a run; NULL if there are fewer. */
static const char *
argument(const struct wn_cutoff_run *run, size_t number)
{
	const char *at = run->argv, *end = run->argv + run->argv_bytes;
	while (number > 0 && at < end) {
		at += strlen(at) + 1;
		number--;
	}
	return at < end ? at : NULL;
}

/* Compares two arguments, either of which may be NULL. */
static bool
is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Parses an argument that is a number or ends with one after "=": "8", "--depth=8". */
static bool
read_number(const char *text, double *out)
{
	char *end;
	const char *after = text ? strrchr(text, '=') : NULL;
	text = after ? after + 1 : text;
	if (!text)
		return false;
	*out = strtod(text, &end);
	return end != text && !*end && isfinite(*out);
}

static wn_status
find_argument(struct wn_cutoffs *c, wn_err *err)
{
	bool is_there = true;
	for (size_t number = 1; is_there; number++) {
		bool differs = false;
		is_there = false;
		for (size_t i = 0; i < c->n; i++) {
			const char *own = argument(&c->runs[i], number);
			is_there = is_there || own;
			differs = differs || !is_same(own, argument(&c->runs[0], number));
		}
		if (!differs)
			continue;
		if (c->argument)
			return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
			               "the runs differ in the arguments %zu and %zu: which is the "
			               "cut-off? Give each as NUMBER=FILE",
			               c->argument, number);
		c->argument = number;
	}
	if (!c->argument)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "the runs differ in no argument: what is the cut-off? Give each as "
		               "NUMBER=FILE");
	return WN_OK;
}

static wn_status
find_cutoffs(struct wn_cutoffs *c, wn_err *err)
{
	size_t n_known = 0;
	for (size_t i = 0; i < c->n; i++)
		n_known += isnan(c->runs[i].at) ? 0 : 1;
	if (n_known == c->n)
		return WN_OK;
	if (n_known > 0)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "some cut-offs are given as NUMBER=FILE and some are not");
	wn_status st = find_argument(c, err);
	for (size_t i = 0; st == WN_OK && i < c->n; i++) {
		const char *text = argument(&c->runs[i], c->argument);
		if (!read_number(text, &c->runs[i].at))
			st = wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
			             "%.80s: its argument %zu, '%.40s', is no number; give each "
			             "cut-off as NUMBER=FILE",
			             c->runs[i].file, c->argument, text ? text : "");
	}
	return st;
}

static int
by_cutoff(const void *left, const void *right)
{
	double a = ((const struct wn_cutoff_run *)left)->at,
	       b = ((const struct wn_cutoff_run *)right)->at;
	return (a > b) - (a < b);
}

wn_status
wn_cutoffs_end(struct wn_cutoffs *c, wn_err *err)
{
	wn_status st = find_cutoffs(c, err);
	if (st != WN_OK)
		return st;
	qsort(c->runs, c->n, sizeof *c->runs, by_cutoff);
	for (size_t i = 1; i < c->n; i++)
		if (!(c->runs[i - 1].at < c->runs[i].at))
			return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
			               "%.80s and %.80s have one cut-off, %g; leave one out",
			               c->runs[i - 1].file, c->runs[i].file, c->runs[i].at);
	c->points = wn_calloc(c->n, sizeof *c->points);
	if (!c->points)
		return wn_no_memory(err);
	for (size_t i = 0; i < c->n; i++) {
		const struct wn_task_times *times = &c->runs[i].times;
		c->points[i].at = c->runs[i].at;
		memcpy(c->points[i].ns, c->by_mean ? times->mean_ns : times->median_ns,
		       sizeof c->points[i].ns);
	}
	wn_cutoff_range(c->points, c->n, &c->range);
	return WN_OK;
}
