/* SPDX-License-Identifier: MIT */
/*
 * prediction.h - predicted times of a run, for `winnow predict`: its self-check, and a prediction
 * for each number of threads.
 */
#ifndef WN_REPORT_PREDICTION_H
#define WN_REPORT_PREDICTION_H

#include "report/report.h"
#include "report/text.h"
#include "simulate/simulate.h"

#include <jansson.h>
#include <stdio.h>

#define WN_PREDICT_CHANGES_MAX WN_SIM_CHANGES_MAX

struct wn_report_prediction {
	struct wn_trace *trace;
	struct wn_graph *graph;
	struct wn_metrics *metrics;
	struct wn_model model;
	struct wn_simulation *simulation;
	struct wn_places places;
	char command[WN_REPORT_COMMAND_BYTES];
	struct wn_self_check check;
	struct wn_prediction *points; /* [n] in the order of the numbers of threads */
	size_t n;
	struct wn_sim_change changes[WN_PREDICT_CHANGES_MAX];
	uint8_t *is_at[WN_PREDICT_CHANGES_MAX];           /* owned */
	const char *change_texts[WN_PREDICT_CHANGES_MAX]; /* as given; borrowed */
	size_t n_changes;
};

/**
 * Predicts a recorded run.
 *
 * @param trace      must outlive the result.
 * @param n_threads  [n] ascending.
 * @param changes    [n_changes] texts: PLACE=CHANGE, see winnow-predict(1).
 * @param out        written only on success; release with wn_report_prediction_free().
 * @return WN_OK · WN_E_ARG (the run cannot be predicted, or a change is not one: err says why; then
 *         err->offset is the index of the change, else WN_NO_OFFSET) · WN_E_NOMEM · as
 *         wn_graph_build()
 * Cost     that of the graph, and some 12 simulations for each number of threads.
 */
WN_MUST_CHECK wn_status wn_report_prediction_build(struct wn_trace *trace,
                                                   const uint32_t *n_threads, size_t n,
                                                   const char *const *changes, size_t n_changes,
                                                   struct wn_report_prediction **out, wn_err *err);
void wn_report_prediction_free(struct wn_report_prediction *r);

/* Adds a change; err->offset is `index` if it is not one. For wn_report_prediction_build(). */
wn_status wn_prediction_add_change(struct wn_report_prediction *r, const char *text, size_t index,
                                   wn_err *err);

/* Both return WN_OK · WN_E_IO (errno says why) · WN_E_NOMEM. Schema winnow.predict/1. */
WN_MUST_CHECK wn_status wn_report_prediction_text(const struct wn_report_prediction *r,
                                                  const struct wn_text_style *style, FILE *to,
                                                  wn_err *err);
WN_MUST_CHECK wn_status wn_report_prediction_json(const struct wn_report_prediction *r,
                                                  json_t **out, wn_err *err);

#endif /* WN_REPORT_PREDICTION_H */
