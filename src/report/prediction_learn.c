/* SPDX-License-Identifier: MIT */
/* prediction_learn.c - what other recordings of a program show: on other numbers of threads how its
 * work grows, by place; with a coarser cut-off how much work the missing tasks were. */
#include "report/prediction.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

/* Numbers of tasks that differ by less are the same tasks; that differ by more are a cut-off. */
#define SAME_TASKS 0.02
#define FEWER      0.9

/* Of each place of a run. */
struct sums {
	double *work_ns, *n_tasks; /* [places] */
	double all_ns, n_all_tasks;
};

/* Another run, as far as it is needed. */
struct lesson {
	struct wn_graph *graph;
	struct wn_places places;
	struct sums sums;
};

static wn_status
add_up(const struct wn_graph *g, const struct wn_places *places, struct sums *out, wn_err *err)
{
	out->work_ns = wn_calloc(places->n + 1, sizeof *out->work_ns);
	out->n_tasks = wn_calloc(places->n + 1, sizeof *out->n_tasks);
	if (!out->work_ns || !out->n_tasks)
		return wn_no_memory(err);
	for (wn_grain id = 0; id < g->n; id++) {
		uint32_t site = g->site[id];
		uint32_t place = site < places->n_sites ? places->of_site[site] : WN_NO_PLACE;
		bool is_task = g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP;
		out->all_ns += (double)wn_work_ns(g, id);
		out->n_all_tasks += is_task;
		if (place == WN_NO_PLACE)
			continue;
		out->work_ns[place] += (double)wn_work_ns(g, id);
		out->n_tasks[place] += is_task;
	}
	return WN_OK;
}

/* The same place in the other run; WN_NO_PLACE. */
static uint32_t
find_place_in_other(const struct wn_places *there, const struct wn_report_place *here)
{
	for (uint32_t i = 0; i < there->n; i++)
		if (there->items[i].kind == here->kind && there->items[i].label && here->label &&
		    strcmp(there->items[i].label, here->label) == 0)
			return i;
	return WN_NO_PLACE;
}

static double
ratio_of(const struct wn_report_prediction *r, const struct sums *here, const struct lesson *there,
         uint32_t place)
{
	uint32_t other = find_place_in_other(&there->places, &r->places.items[place]);
	if (other == WN_NO_PLACE || here->work_ns[place] <= 0)
		return 0;
	double n = here->n_tasks[place], n_other = there->sums.n_tasks[other];
	if (fabs(n_other - n) > SAME_TASKS * n)
		return 0;
	return there->sums.work_ns[other] / here->work_ns[place];
}

static wn_status
learn_growth(struct wn_report_prediction *r, const struct sums *here, const struct lesson *there,
             uint32_t n_threads, wn_err *err)
{
	double *ratio = wn_calloc((size_t)r->places.n_sites + 1, sizeof *ratio);
	double *of_place = wn_calloc(r->places.n + 1, sizeof *of_place);
	wn_status st = WN_OK;
	if (!ratio || !of_place)
		WN_TRY(wn_no_memory(err));
	for (uint32_t place = 0; place < r->places.n; place++)
		of_place[place] = ratio_of(r, here, there, place);
	for (uint32_t site = 0; site < r->places.n_sites; site++)
		if (r->places.of_site[site] != WN_NO_PLACE)
			ratio[site] = of_place[r->places.of_site[site]];
	st = wn_simulation_add_growth(r->simulation, n_threads, ratio, err);
out:
	wn_free(ratio);
	wn_free(of_place);
	return st;
}

static wn_status
learn(struct wn_report_prediction *r, const struct sums *here, const struct lesson *there,
      uint32_t n_threads, wn_err *err)
{
	uint32_t recorded = wn_simulation_threads(r->simulation);
	double n_fewer = here->n_all_tasks - there->sums.n_all_tasks;
	if (n_threads != recorded)
		return learn_growth(r, here, there, n_threads, err);
	if (there->sums.n_all_tasks >= FEWER * here->n_all_tasks)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "it has neither another number of threads nor fewer tasks");
	wn_simulation_set_entry(r->simulation, (here->all_ns - there->sums.all_ns) / n_fewer);
	return WN_OK;
}

wn_status
wn_prediction_learn(struct wn_report_prediction *r, struct wn_trace *trace, wn_err *err)
{
	struct lesson there = {.graph = NULL};
	struct sums here = {.work_ns = NULL};
	wn_status st;
	WN_TRY(wn_graph_build(trace, &there.graph, err));
	WN_TRY(wn_places_init(&there.places, there.graph, err));
	WN_TRY(add_up(there.graph, &there.places, &there.sums, err));
	WN_TRY(add_up(r->graph, &r->places, &here, err));
	st = learn(r, &here, &there, wn_trace_n_threads(trace), err);
out:
	WN_FREE_ALL(here.work_ns, here.n_tasks, there.sums.work_ns, there.sums.n_tasks);
	wn_places_fini(&there.places);
	wn_graph_free(there.graph);
	return st;
}
