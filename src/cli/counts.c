/* SPDX-License-Identifier: MIT */
#include "cli/counts.h"

#include "cli/exit.h"
#include "cli/message.h"
#include "cli/runs.h"
#include "compare/carry.h"

#include <stdlib.h>

int
counts_open(const struct counts_options *given, struct counts_run *run, struct wn_options *out)
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
		int code = run_complain(given->file, st, &err, "");
		counts_close(run);
		return code;
	}
	run->code = run_report_damage(given->file, run->trace, "its counts are");
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

/* --- for several runs --- */

struct counted_file {
	const char *file;
	struct wn_trace *trace;
	bool is_used, is_other_build;         /* used by a run; why: the command matches */
	bool is_printed;                      /* two match one run */
	char why[sizeof(((wn_err *)0)->msg)]; /* it was not the last one's */
};

int
counts_pool_open(const struct option_list *files, struct counts_pool *out)
{
	*out = (struct counts_pool){0};
	out->files = calloc(files->n + 1, sizeof *out->files);
	if (!out->files)
		return FAILURE("out of memory");
	for (; out->n < files->n; out->n++) {
		struct counted_file *f = &out->files[out->n];
		wn_err err = {.offset = WN_NO_OFFSET, .msg = ""};
		f->file = files->items[out->n];
		wn_status st = wn_trace_open(f->file, &f->trace, &err);
		if (st != WN_OK)
			return run_complain(f->file, st, &err, "");
		/* an exhausted one fails when it is read, with a message */
		if (wn_trace_n_threads(f->trace) > 0 &&
		    run_report_damage(f->file, f->trace, "its counts are") != CLI_OK)
			out->code = CLI_DAMAGED;
	}
	return CLI_OK;
}

void
counts_pool_close(struct counts_pool *pool)
{
	for (size_t i = 0; i < pool->n; i++)
		wn_trace_close(pool->files[i].trace);
	free(pool->files);
	*pool = (struct counts_pool){0};
}

/* Tests whether the file belongs to this run. */
static bool
fits(struct counted_file *f, const struct wn_trace *of)
{
	wn_err err;
	bool is_other_build = false;
	if (wn_carry_check(of, f->trace, &is_other_build, &err) == WN_OK)
		return true;
	if (is_other_build || !f->is_other_build)
		snprintf(f->why, sizeof f->why, "%s", err.msg);
	f->is_other_build = f->is_other_build || is_other_build;
	return false;
}

int
counts_pool_choose(struct counts_pool *pool, const struct wn_trace *of, const char *weight,
                   struct counts_run *run, struct wn_options *out)
{
	struct counted_file *found = NULL;
	wn_err err = {.offset = WN_NO_OFFSET, .msg = ""};
	*run = (struct counts_run){0};
	out->counts = NULL;
	out->counts_file = out->weight = NULL;
	for (size_t i = 0; i < pool->n; i++) {
		struct counted_file *f = &pool->files[i];
		if (!fits(f, of))
			continue;
		if (found) {
			if (!f->is_printed)
				message("--counts %s: has counts of the same run as %s; give only "
				        "one of them",
				        f->file, found->file);
			f->is_printed = true;
			return CLI_USAGE;
		}
		found = f;
	}
	if (!found)
		return CLI_OK;
	found->is_used = true;
	wn_status st = wn_graph_build(found->trace, &run->graph, &err);
	if (st != WN_OK)
		return run_complain(found->file, st, &err, "");
	out->counts = run->graph;
	out->counts_file = found->file;
	out->weight = wn_counts_named(run->graph, weight) ? weight : NULL;
	return CLI_OK;
}

int
counts_pool_check(const struct counts_pool *pool)
{
	int code = CLI_OK;
	for (size_t i = 0; i < pool->n; i++) {
		const struct counted_file *f = &pool->files[i];
		if (f->is_used)
			continue;
		code = FAILURE("--counts %s: matches none of the runs: %s", f->file, f->why);
	}
	return code;
}
