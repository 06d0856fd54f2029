/* SPDX-License-Identifier: MIT */
#include "cli/gates.h"

#include "cli/exit.h"
#include "cli/message.h"

#include <stdlib.h>

bool
gates_parse(const char *verb, const struct option_list *list, struct gates *out)
{
	char why[WN_GATE_MESSAGE_BYTES];
	out->n = 0;
	out->items = calloc(list->n + 1, sizeof *out->items);
	if (!out->items) {
		message(verb, "out of memory");
		return false;
	}
	for (; out->n < list->n; out->n++) {
		if (wn_gate_parse(list->items[out->n], &out->items[out->n], why)) {
			out->needs_whole_graph |= out->items[out->n].needs_whole_graph;
			continue;
		}
		message(verb, "--fail-if '%s': %s; see winnow help %s", list->items[out->n], why,
		        verb);
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
gates_check(const char *verb, const char *file, const struct gates *gates, const json_t *document,
            const struct wn_metrics *m)
{
	int code = CLI_OK;
	for (size_t i = 0; i < gates->n; i++) {
		char said[WN_GATE_MESSAGE_BYTES];
		enum wn_gate_result result;
		const char *text = gates->items[i].text, *of = file ? file : "";
		const char *colon = file ? ": " : "";
		wn_err err;
		if (wn_gate_check(&gates->items[i], document, m, &result, said, &err) != WN_OK) {
			message(verb, "%s%s%s", of, colon, err.msg);
			return CLI_FAILURE;
		}
		switch (result) {
		case WN_GATE_OPEN:
			break;
		case WN_GATE_CROSSED:
			message(verb, "%s%s--fail-if '%s' holds: %s", of, colon, text, said);
			if (code != CLI_USAGE && code != CLI_FAILURE)
				code = CLI_THRESHOLD;
			break;
		case WN_GATE_NOT_MEASURED:
			message(verb, "%s%s--fail-if '%s' cannot be decided: %s", of, colon, text,
			        said);
			if (code != CLI_USAGE)
				code = CLI_FAILURE;
			break;
		case WN_GATE_UNKNOWN:
			message(verb, "--fail-if '%s': %s", text, said);
			code = CLI_USAGE;
			break;
		}
	}
	return code;
}
