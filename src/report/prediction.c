/* SPDX-License-Identifier: MIT */
/* prediction.c - predictions of a run, and the changes that they assume. */
#include "report/prediction.h"

#include "base/error.h"
#include "base/mem.h"
#include "report/search.h"
#include "simulate/curve.h"

static wn_status
predict(struct wn_report_prediction *r, const uint32_t *n_threads, wn_err *err)
{
	const struct wn_scenario plain = {.n_threads = 0},
				 changed = {.changes = r->changes, .n_changes = r->n_changes};
	wn_status st =
	    wn_predict_curve(r->simulation, &r->check, &changed, n_threads, r->n, r->points, err);
	if (st == WN_OK && r->without && !r->check.is_unknown) /* else it cannot be simulated */
		st = wn_predict_curve(r->simulation, &r->check, &plain, n_threads, r->n, r->without,
		                      err);
	return st;
}

wn_status
wn_report_prediction_build(struct wn_trace *trace, const uint32_t *n_threads, size_t n,
                           const char *const *changes, size_t n_changes,
                           struct wn_report_prediction **out, wn_err *err)
{
	return wn_report_prediction_build_with(trace, NULL, 0, n_threads, n, changes, n_changes,
	                                       out, err);
}

static wn_status
learn_from(struct wn_report_prediction *r, struct wn_trace *const *lessons, size_t n_lessons,
           wn_err *err)
{
	for (size_t i = 0; i < n_lessons; i++) {
		wn_status st = wn_prediction_learn(r, lessons[i], err);
		if (st == WN_E_ARG)
			err->offset = WN_PREDICT_LESSON + i;
		if (st != WN_OK)
			return st;
	}
	return WN_OK;
}

wn_status
wn_report_prediction_build_with(struct wn_trace *trace, struct wn_trace *const *lessons,
                                size_t n_lessons, const uint32_t *n_threads, size_t n,
                                const char *const *changes, size_t n_changes,
                                struct wn_report_prediction **out, wn_err *err)
{
	struct wn_report_prediction *r = wn_calloc(1, sizeof *r);
	wn_status st;
	if (!r)
		return wn_no_memory(err);
	r->trace = trace;
	r->n = n;
	wn_report_command(trace, r->command);
	if (n_changes > WN_PREDICT_CHANGES_MAX)
		WN_TRY(wn_fail(err, WN_E_ARG, WN_PREDICT_CHANGES_MAX, "more than %u changes",
		               WN_PREDICT_CHANGES_MAX));
	r->points = wn_calloc(n + 1, sizeof *r->points);
	r->without = n_changes ? wn_calloc(n + 1, sizeof *r->without) : NULL;
	if (!r->points || (n_changes && !r->without))
		WN_TRY(wn_no_memory(err));
	WN_TRY(wn_graph_build(trace, &r->graph, err));
	WN_TRY(wn_metrics_build(r->graph, NULL, &r->metrics, err));
	WN_TRY(wn_model_build(r->metrics, &r->model, err));
	WN_TRY(wn_simulation_build(&r->model, NULL, &r->simulation, err));
	if (n) /* not for a measured time */
		WN_TRY(wn_places_init(&r->places, r->graph, err));
	WN_TRY(learn_from(r, lessons, n_lessons, err));
	for (size_t i = 0; i < n_changes; i++)
		WN_TRY(wn_prediction_add_change(r, changes[i], i, err));
	WN_TRY(wn_predict_check(r->simulation, &r->check, err));
	if (!r->check.refused)
		WN_TRY(predict(r, n_threads, err));
	*out = r;
	r = NULL;
out:
	wn_report_prediction_free(r);
	return st;
}

void
wn_report_prediction_free(struct wn_report_prediction *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < WN_PREDICT_CHANGES_MAX; i++)
		wn_free(r->is_at[i]);
	wn_places_fini(&r->places);
	wn_simulation_free(r->simulation);
	wn_metrics_free(r->metrics);
	wn_graph_free(r->graph);
	for (size_t i = 0; i < r->n_measured; i++)
		wn_free(r->measured[i].file);
	wn_free(r->measured);
	wn_report_search_free(r->search);
	WN_FREE_ALL(r->points, r->without, r);
}
