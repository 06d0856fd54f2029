/* SPDX-License-Identifier: MIT */
/*
 * gate.h - conditions on a report's numbers, as `winnow report --fail-if` takes them.
 *
 *     NAME OP NUMBER       parallelism<4   grains>1e6   problems.parallel_benefit>100
 *
 * NAME is a key of the sections program, recording, graph, totals, time, anomalies or aggregate,
 * with or without the section's name and a dot in front (without: the first section that has it);
 * or problems.TYPE (the count), problems.TYPE.on_critical_path, problems.TYPE.work_ns;
 * or advice (the number of findings). OP is one of < <= > >= == !=.
 */
#ifndef WN_REPORT_GATE_H
#define WN_REPORT_GATE_H

#include "winnow/base.h"

#include <jansson.h>

enum wn_gate_op {
	WN_GATE_LESS = 1,
	WN_GATE_AT_MOST,
	WN_GATE_MORE,
	WN_GATE_AT_LEAST,
	WN_GATE_EQUAL,
	WN_GATE_NOT_EQUAL
};

struct wn_gate {
	char name[96];
	enum wn_gate_op op;
	double number;
};

enum wn_gate_result {
	WN_GATE_OPEN = 0,
	WN_GATE_CROSSED,
	WN_GATE_NOT_MEASURED, /* the number is null: the condition cannot be decided */
	WN_GATE_UNKNOWN,      /* the report has no such number */
};

/* Reads an expression; blanks do not count. False: it is none, and `why` (a constant) says so. */
bool wn_gate_parse(const char *text, struct wn_gate *out, const char **why);

/* Looks the number up in what wn_report_json() made. `value` is set for OPEN and CROSSED. */
enum wn_gate_result wn_gate_check(const struct wn_gate *gate, const json_t *report, double *value);

#endif /* WN_REPORT_GATE_H */
