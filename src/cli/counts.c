/* SPDX-License-Identifier: MIT */
#include "cli/counts.h"

#include "cli/exit.h"
#include "cli/runs.h"

int
counts_open(const char *verb, const struct counts_options *given, struct counts_run *run,
            struct wn_options *out)
{
	wn_err err = {.offset = WN_NO_OFFSET, .msg = ""};
	*run = (struct counts_run){0};
	out->weight = given->weight;
	if (!given->file)
		return CLI_OK;
	wn_status st = wn_trace_open(given->file, &run->trace, &err);
	if (st == WN_OK)
		st = wn_graph_build(run->trace, &run->graph, &err);
	if (st != WN_OK) {
		int code = run_complain(verb, given->file, st, &err, "");
		counts_close(run);
		return code;
	}
	run->code = run_tell_damage(verb, given->file, run->trace, "its counts are");
	out->counts = run->graph;
	out->counts_file = given->file;
	return CLI_OK;
}

void
counts_close(struct counts_run *run)
{
	wn_graph_free(run->graph);
	wn_trace_close(run->trace);
	*run = (struct counts_run){0};
}

int
counts_code(const struct counts_run *run, int code)
{
	return code == CLI_OK ? run->code : code;
}
