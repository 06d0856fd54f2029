/* SPDX-License-Identifier: MIT */
/* simulated.c - findings of a report with savings by simulation. A simulation needs the whole
 * graph, which a report does not build; so this is for runs of a limited number of grains, and only
 * if a change that can be simulated is among the first findings. */
#include "report/report.h"

#include "base/error.h"
#include "base/mem.h"

/* The whole graph of the run, and what a simulation needs. */
struct whole {
	struct wn_graph *graph; /* NULL: the report's own is whole */
	struct wn_metrics *metrics;
	struct wn_model model;
	struct wn_simulation *simulation;
};

static wn_status
build_whole(const struct wn_report *r, struct whole *w, wn_err *err)
{
	const struct wn_model *model = &r->model;
	wn_status st = WN_OK;
	if (r->graph->detail < WN_DETAIL_WHOLE) {
		WN_TRY(wn_graph_build(r->trace, &w->graph, err));
		WN_TRY(wn_metrics_build(w->graph, NULL, &w->metrics, err));
		WN_TRY(wn_model_build(w->metrics, &w->model, err));
		model = &w->model;
	}
	WN_TRY(wn_simulation_build(model, NULL, &w->simulation, err));
out:
	return st;
}

static void
free_whole(struct whole *w)
{
	wn_simulation_free(w->simulation);
	wn_metrics_free(w->metrics);
	wn_graph_free(w->graph);
}

wn_status
report_simulate(struct wn_report *r, struct wn_finding **found, wn_err *err)
{
	struct whole w = {.graph = NULL};
	struct wn_self_check check;
	struct wn_finding *better = NULL;
	wn_status st = WN_OK;
	if (r->graph->n > WN_SIMULATED_GRAINS || !r->graph->thread_time ||
	    !wn_advice_can_simulate(*found, r->n_findings))
		return WN_OK;
	st = build_whole(r, &w, err);
	if (st == WN_OK)
		st = wn_predict_check(w.simulation, &check, err);
	if (st == WN_OK && !check.is_widened) {
		st = wn_advise_simulated(&r->model, r->places.of_site, r->places.n, w.simulation,
		                         &better, &r->n_findings, &r->n_near, err);
		if (st == WN_OK) {
			wn_free(*found);
			*found = better;
		}
	}
	free_whole(&w);
	/* a run that cannot be simulated keeps its findings */
	return st == WN_E_NOMEM ? st : WN_OK;
}
