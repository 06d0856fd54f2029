/* SPDX-License-Identifier: MIT */
#include "cli/gates.h"

#include "cli/exit.h"
#include "cli/message.h"

#include <stdlib.h>

bool
gates_parse(const struct option_list *list, struct gates *out)
{
	char why[WN_GATE_MESSAGE_BYTES];
	out->n = 0;
	out->items = calloc(list->n + 1, sizeof *out->items);
	if (!out->items) {
		message("out of memory");
		return false;
	}
	for (; out->n < list->n; out->n++) {
		if (wn_gate_parse(list->items[out->n], &out->items[out->n], why)) {
			out->needs_whole_graph |= out->items[out->n].needs_whole_graph;
			continue;
		}
		message("--fail-if '%s': %s; see winnow help %s", list->items[out->n], why,
		        message_verb);
		return false;
	}
	return true;
}

bool
gates_check_names(bool has_counters, const struct gates *gates)
{
	char why[WN_GATE_MESSAGE_BYTES];
	for (size_t i = 0; i < gates->n; i++)
		if (!wn_gate_has_known_names(&gates->items[i], has_counters, why)) {
			message("--fail-if '%s': %s", gates->items[i].text, why);
			return false;
		}
	return true;
}

void
gates_fini(struct gates *gates)
{
	free(gates->items);
}

int
gates_check(const char *file, const struct gates *gates, const json_t *document,
            const struct wn_metrics *m)
{
	int code = CLI_OK;
	for (size_t i = 0; i < gates->n; i++) {
		char said[WN_GATE_MESSAGE_BYTES];
		enum wn_gate_result result;
		const char *text = gates->items[i].text, *of = file ? file : "";
		const char *colon = file ? ": " : "";
		wn_err err;
		if (wn_gate_check(&gates->items[i], document, m, &result, said, &err) != WN_OK)
			return FAILURE("%s%s%s", of, colon, err.msg);
		switch (result) {
		case WN_GATE_OPEN:
			break;
		case WN_GATE_CROSSED:
			message("%s%s--fail-if '%s' holds: %s", of, colon, text, said);
			if (code != CLI_USAGE && code != CLI_FAILURE)
				code = CLI_THRESHOLD;
			break;
		case WN_GATE_NOT_MEASURED:
			message("%s%s--fail-if '%s' cannot be decided: %s", of, colon, text, said);
			if (code != CLI_USAGE)
				code = CLI_FAILURE;
			break;
		case WN_GATE_UNKNOWN:
			code = USAGE_ERROR("--fail-if '%s': %s", text, said);
			break;
		}
	}
	return code;
}
