/* SPDX-License-Identifier: MIT */
/*
 * gate.h - evaluates conditions on a report for `winnow report --fail-if`: expressions
 * (expr/expr.h) over its numbers and, in aggregates, over the columns of all grains.
 *
 *     parallelism<4      grains>1e6      problems.parallel_benefit>100 or advice > 3
 *     count(work_ns < 1us where kind == task) / grains > 20%
 *
 * A name is a key of the sections program, recording, graph, totals, time, anomalies, aggregate,
 * job or pop, with or without the section's name and a dot in front (without: the first section
 * that has it); or problems.TYPE (the count), problems.TYPE.on_critical_path,
 * problems.TYPE.work_ns; or metrics.NAME.KEY, of the summary of a metric of the user; or advice
 * (the number of findings).
 */
#pragma once

#include "metrics/metrics.h"

#include <jansson.h>

#define WN_GATE_MESSAGE_BYTES 512

struct wn_gate {
	const char *text; /* borrowed */
	bool needs_whole_graph;
};

enum wn_gate_result {
	WN_GATE_OPEN = 0,
	WN_GATE_CROSSED,
	WN_GATE_NOT_MEASURED, /* a value is null: the condition cannot be evaluated */
	WN_GATE_UNKNOWN,      /* unknown key of the report or column of grains */
};

/* Checks the syntax of a condition, not its names. False: `why` holds the error and its column. */
bool wn_gate_parse(const char *text, struct wn_gate *out, char why[WN_GATE_MESSAGE_BYTES]);

/* Whether the report of a recording can have the names in a condition, before there is a recording:
 * the report has no metrics of the user, and with counters any column is possible. False: `why`
 * holds the error and its column. */
bool wn_gate_has_known_names(const struct wn_gate *gate, bool has_counters,
                             char why[WN_GATE_MESSAGE_BYTES]);

/**
 * Evaluates a condition.
 *
 * @param report  the result of wn_report_json().
 * @param m       the metrics of the same run; NULL: a document without grains, as of a job.
 * @param said    text: the values in the condition, or the name that was not measured or is
 * unknown.
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(grains * length of the aggregates).
 */
WN_MUST_CHECK wn_status wn_gate_check(const struct wn_gate *gate, const json_t *report,
                                      const struct wn_metrics *m, enum wn_gate_result *result,
                                      char message[WN_GATE_MESSAGE_BYTES], wn_err *err);
