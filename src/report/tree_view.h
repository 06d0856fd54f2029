/* SPDX-License-Identifier: MIT */
/* tree_view.h - builds the view of `winnow tree`: the grain graph folded into groups, some of them
 * expanded, as text for a terminal and as JSON. */
#pragma once

#include "aggregate/unfold.h"
#include "report/places.h"
#include "report/report.h"
#include "report/text.h"

#include <jansson.h>

struct wn_report_tree_options {
	struct wn_unfold_options unfold;
	const struct wn_options *metrics; /* NULL = defaults */
};

struct wn_report_tree {
	struct wn_trace *trace; /* borrowed */
	struct wn_graph *graph;
	struct wn_metrics *metrics;
	struct wn_places places;
	struct wn_unfolded u;
	double *work_ns; /* [u.tree->n] NULL if no line represents members that are alike */
	double **user;   /* [metrics->n_user_columns][u.tree->n] the user's metrics, folded */
	char command[WN_REPORT_COMMAND_BYTES]; /* not yet safe to print */
};

/**
 * Builds graph, metrics and places of a trace, folds the graph and expands the requested groups.
 *
 * @param trace  must outlive the result; its cursors are used.
 * @param out    written only on success; release with wn_report_tree_free().
 * @return WN_OK · WN_E_EMPTY · WN_E_LIMIT · WN_E_NOMEM · WN_E_ARG (no such id, with its nearest
 * ancestor; no such type of problem; nothing is drawn)
 *
 * Cost     that of wn_graph_build() and wn_metrics_build(), and O(nodes of the tree).
 * Threads  none of its arguments may be used elsewhere meanwhile.
 */
WN_MUST_CHECK wn_status wn_report_tree_build(struct wn_trace *trace,
                                             const struct wn_report_tree_options *options,
                                             struct wn_report_tree **out, wn_err *err);
void wn_report_tree_free(struct wn_report_tree *r);

/**
 * Writes the view as text, one line per node.
 * @return WN_OK · WN_E_IO (a write failed; errno has the reason) · WN_E_NOMEM
 * Cost     O(lines). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_report_tree_text(const struct wn_report_tree *r,
                                            const struct wn_text_style *style, FILE *to,
                                            wn_err *err);

/**
 * The same nodes, schema winnow.tree/1.
 * @param out  owned by the caller, release with json_decref().
 * @return WN_OK · WN_E_NOMEM.  Cost O(lines). Pure.
 */
WN_MUST_CHECK wn_status wn_report_tree_json(const struct wn_report_tree *r, json_t **out,
                                            wn_err *err);
