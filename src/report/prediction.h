/* SPDX-License-Identifier: MIT */
/* prediction.h - predicted times of a run, for `winnow predict`: its self-check, and a prediction
 * for each number of threads. */
#pragma once

#include "report/report.h"
#include "report/text.h"
#include "simulate/proofs.h"

#include <jansson.h>
#include <stdio.h>

#define WN_PREDICT_CHANGES_MAX WN_SIM_CHANGES_MAX

/* The time of another recording of the program. */
struct wn_measured {
	char *file; /* as given; owned */
	uint32_t n_threads;
	uint64_t recorded_ns; /* elapsed, as in the self-check */
	uint64_t ns; /* without what recording added, as its replay shows, or, if there can be none,
	                by its share of the run; without a calibration the same */
};

struct wn_report_search; /* report/search.h */

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
	struct wn_prediction
	    *without; /* [n] the same without the changes; NULL if there are none */
	size_t n;
	struct wn_sim_change changes[WN_PREDICT_CHANGES_MAX];
	uint8_t *is_at[WN_PREDICT_CHANGES_MAX];           /* owned */
	const char *change_texts[WN_PREDICT_CHANGES_MAX]; /* as given; borrowed */
	size_t n_changes;
	struct wn_measured *measured; /* [n_measured] by number of threads, in the order given */
	size_t n_measured;
	/* by enum wn_proof_kind; of kinds that points are of. n = 0: not refined */
	struct wn_refinement refinements[WN_PROOF_N];
	struct wn_report_search *search; /* owned; NULL: none */
};

/**
 * Predicts a recorded run.
 *
 * @param trace      must outlive the result.
 * @param n_threads  [n] ascending.
 * @param changes    [n_changes] texts: PLACE=CHANGE, see winnow-predict(1).
 * @param out        written only on success; release with wn_report_prediction_free().
 * @return WN_OK · WN_E_ARG (the run cannot be predicted, or a change is not one: err has the
 *         reason, and err->offset is the index of the change, else WN_NO_OFFSET) · WN_E_NOMEM · as
 *         wn_graph_build()
 * Cost     that of the graph, and some 12 simulations for each number of threads.
 */
WN_MUST_CHECK wn_status wn_report_prediction_build(struct wn_trace *trace,
                                                   const uint32_t *n_threads, size_t n,
                                                   const char *const *changes, size_t n_changes,
                                                   struct wn_report_prediction **out, wn_err *err);
/**
 * The same, after learning from other recordings of the program: on other numbers of threads how
 * its work grows; with a coarser cut-off how fast plain calls are.
 *
 * @param lessons  [n_lessons] not needed afterwards.
 * @return likewise; WN_E_ARG with err->offset WN_PREDICT_LESSON + i: nothing can be learnt from the
 *         i-th one, err has the reason.
 */
#define WN_PREDICT_LESSON 1000u
WN_MUST_CHECK wn_status wn_report_prediction_build_with(
    struct wn_trace *trace, struct wn_trace *const *lessons, size_t n_lessons,
    const uint32_t *n_threads, size_t n, const char *const *changes, size_t n_changes,
    struct wn_report_prediction **out, wn_err *err);
/* Learns from one of them, for wn_report_prediction_build_with(). */
WN_MUST_CHECK wn_status wn_prediction_learn(struct wn_report_prediction *r, struct wn_trace *trace,
                                            wn_err *err);

/* Marks the sites of the places with this label, "fib.c:12". False: there is none. */
bool wn_report_prediction_find(struct wn_report_prediction *r, const char *label, size_t n_bytes,
                               uint8_t *is_at);
void wn_report_prediction_free(struct wn_report_prediction *r);

/**
 * Adds the time of another recording of the same program, to stand beside the predictions.
 *
 * @return WN_OK · WN_E_ARG (another command was recorded) · WN_E_NOMEM · as wn_graph_build()
 * Cost     that of the graph, and two simulations.
 */
WN_MUST_CHECK wn_status wn_report_prediction_measure(struct wn_report_prediction *r,
                                                     struct wn_trace *trace, const char *file,
                                                     wn_err *err);

/* Sets the time of a recording; its file stays unset. As wn_report_prediction_measure(). */
WN_MUST_CHECK wn_status wn_measured_time(struct wn_trace *trace, struct wn_measured *out,
                                         wn_err *err);

/* The measured times for one number of threads. */
struct wn_measured_point {
	uint32_t n;                   /* recordings; 0: none */
	uint64_t ns, low_ns, high_ns; /* median, least and most */
};
struct wn_measured_point wn_report_prediction_measured(const struct wn_report_prediction *r,
                                                       uint32_t n_threads);

/* Refines the points by proofs of the same kind and runtime (simulate/proofs.h). */
void wn_report_prediction_refine(struct wn_report_prediction *r, const struct wn_proofs *proofs);

/* The fastest point, and the point with the fewest threads whose time is at most WN_PREDICT_NEAR
 * times that of the fastest. */
#define WN_PREDICT_NEAR 1.05
struct wn_best_point {
	size_t best, enough;
};
struct wn_best_point wn_report_prediction_best(const struct wn_report_prediction *r);

/* Adds a change; err->offset is `index` if it is not one. For wn_report_prediction_build(). */
wn_status wn_prediction_add_change(struct wn_report_prediction *r, const char *text, size_t index,
                                   wn_err *err);

/* Both return WN_OK · WN_E_IO (errno has the reason) · WN_E_NOMEM. Schema winnow.predict/1. */
WN_MUST_CHECK wn_status wn_report_prediction_text(const struct wn_report_prediction *r,
                                                  const struct wn_text_style *style, FILE *to,
                                                  wn_err *err);
WN_MUST_CHECK wn_status wn_report_prediction_json(const struct wn_report_prediction *r,
                                                  json_t **out, wn_err *err);

/* A table, a line for each point: WN_OK · WN_E_IO. Columns: winnow-predict(1). */
WN_MUST_CHECK wn_status wn_report_prediction_csv(const struct wn_report_prediction *r, FILE *to,
                                                 wn_err *err);
/* The curve as a picture; needs a point. WN_OK · WN_E_IO · WN_E_NOMEM. */
WN_MUST_CHECK wn_status wn_report_prediction_svg(const struct wn_report_prediction *r, FILE *to,
                                                 wn_err *err);
