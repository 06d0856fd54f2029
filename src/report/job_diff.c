/* SPDX-License-Identifier: MIT */
#include "report/job_diff.h"

#include "base/error.h"
#include "base/mem.h"
#include "compare/match_places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names of all places of a job, for matching. The record for all others has no name. */
static struct wn_place_name *
names_of(const struct wn_job_report *r)
{
	size_t n = r->s->header->n_places;
	struct wn_place_name *names = wn_calloc(n, sizeof *names);
	for (size_t i = 0; names && i < n; i++) {
		const struct wn_rank_place *p = &r->s->places[i];
		names[i] = (struct wn_place_name){.file = wn_ranks_text(r->s, p->file),
		                                  .function = wn_ranks_text(r->s, p->function),
		                                  .label = wn_job_label(r, p),
		                                  .line = (int)p->line,
		                                  .kind = (uint8_t)p->kind};
	}
	return names;
}

static int
by_difference(const void *left, const void *right)
{
	const struct wn_job_diff_place *a = left, *b = right;
	double by_a = fabs(a->difference_ns), by_b = fabs(b->difference_ns);
	if (by_a != by_b)
		return by_a > by_b ? -1 : 1;
	for (int side = 0; side < 2; side++)
		if (a->place[side] != b->place[side])
			return a->place[side] < b->place[side] ? -1 : 1;
	return 0;
}

static double
work_of(const struct wn_rank_place *p)
{
	return p ? (double)p->work_ns : 0;
}

static wn_status
fill_places(struct wn_job_diff *d, const struct wn_place_pairs *pairs, wn_err *err)
{
	d->places = wn_calloc(pairs->n, sizeof *d->places);
	if (!d->places)
		return wn_no_memory(err);
	for (uint32_t i = 0; i < pairs->n; i++) {
		struct wn_job_diff_place *to = &d->places[d->n_places++];
		for (int side = 0; side < 2; side++)
			if (pairs->place[i][side] != WN_NO_PAIR)
				to->place[side] = &d->run[side]->s->places[pairs->place[i][side]];
		to->difference_ns = work_of(to->place[1]) - work_of(to->place[0]);
	}
	return WN_OK;
}

/* Whether two findings are about the same: the rule, and places that match, or the program's name.
 */
static bool
is_same(const struct wn_job_diff *d, const struct wn_place_pairs *pairs,
        const struct wn_job_finding *a, const struct wn_job_finding *b)
{
	if (a->f->rule != b->f->rule || !a->place != !b->place)
		return false;
	if (!a->place)
		return a->f->app == b->f->app;
	uint32_t of_a = pairs->of[0][a->place - d->run[0]->s->places];
	return of_a != WN_NO_PAIR && of_a == pairs->of[1][b->place - d->run[1]->s->places];
}

static void
add_finding(struct wn_job_diff *d, const struct wn_job_finding *a, const struct wn_job_finding *b)
{
	d->findings[d->n_findings++] = (struct wn_job_diff_finding){{a, b}};
}

static wn_status
match_findings(struct wn_job_diff *d, const struct wn_place_pairs *pairs, wn_err *err)
{
	const struct wn_job_report *a = d->run[0], *b = d->run[1];
	const struct wn_job_finding **of_b = wn_calloc(b->n_findings, sizeof *of_b);
	uint8_t *is_matched = wn_calloc(a->n_findings, 1);
	wn_status st = WN_OK;
	d->findings = wn_calloc(a->n_findings + b->n_findings, sizeof *d->findings);
	if (!of_b || !is_matched || !d->findings)
		WN_TRY(wn_no_memory(err));
	for (size_t k = 0; k < b->n_findings; k++)
		for (size_t i = 0; i < a->n_findings && !of_b[k]; i++)
			if (!is_matched[i] && is_same(d, pairs, &a->findings[i], &b->findings[k])) {
				of_b[k] = &a->findings[i];
				is_matched[i] = 1;
			}
	for (int is_both = 0; is_both < 2; is_both++)
		for (size_t k = 0; k < b->n_findings; k++)
			if (!of_b[k] == !is_both)
				add_finding(d, of_b[k], &b->findings[k]);
	for (size_t i = 0; i < a->n_findings; i++)
		if (!is_matched[i])
			add_finding(d, &a->findings[i], NULL);
out:
	wn_free(of_b);
	wn_free(is_matched);
	return st;
}

static wn_status
build(struct wn_job_diff *d, wn_err *err)
{
	struct wn_place_pairs pairs;
	struct wn_place_name *a = names_of(d->run[0]), *b = names_of(d->run[1]);
	bool has_pairs = false;
	wn_status st = WN_OK;
	if (!a || !b)
		WN_TRY(wn_no_memory(err));
	WN_TRY(wn_place_pairs_init(&pairs, a, d->run[0]->s->header->n_places, b,
	                           d->run[1]->s->header->n_places, err));
	has_pairs = true;
	WN_TRY(fill_places(d, &pairs, err));
	WN_TRY(match_findings(d, &pairs, err));
	qsort(d->places, d->n_places, sizeof *d->places, by_difference);
out:
	if (has_pairs)
		wn_place_pairs_fini(&pairs);
	wn_free(a);
	wn_free(b);
	return st;
}

wn_status
wn_job_diff_build(const struct wn_job_report *a, const struct wn_job_report *b,
                  struct wn_job_diff **out, wn_err *err)
{
	struct wn_job_diff *d = wn_calloc(1, sizeof *d);
	if (!d)
		return wn_no_memory(err);
	d->run[0] = a;
	d->run[1] = b;
	d->is_other_command = strcmp(wn_job_report_command(a), wn_job_report_command(b)) != 0;
	d->is_other_size =
	    a->s->header->n_ranks != b->s->header->n_ranks || a->pop.n_threads != b->pop.n_threads;
	wn_status st = build(d, err);
	if (st != WN_OK) {
		wn_job_diff_free(d);
		return st;
	}
	*out = d;
	return WN_OK;
}

void
wn_job_diff_free(struct wn_job_diff *d)
{
	if (!d)
		return;
	WN_FREE_ALL(d->places, d->findings, d);
}
