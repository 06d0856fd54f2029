/* SPDX-License-Identifier: MIT */
/* gates.h - the conditions of --fail-if: parsed before all other work, and checked on a document.
 */
#pragma once

#include "cli/options.h"
#include "report/gate.h"

struct gates {
	struct wn_gate *items;
	size_t n;
	bool needs_whole_graph;
};

/* False after a message. Release with gates_fini() in any case. */
bool gates_parse(const struct option_list *list, struct gates *out);
void gates_fini(struct gates *gates);

/* Before the program runs: wn_gate_has_known_names(). False after a message. */
bool gates_check_names(bool has_counters, const struct gates *gates);

/* Prints the conditions that hold, each about `file` (NULL: left out). Returns the exit code. `m`
 * as for wn_gate_check(). */
int gates_check(const char *file, const struct gates *gates, const json_t *document,
                const struct wn_metrics *m);
