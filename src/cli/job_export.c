/* SPDX-License-Identifier: MIT */
#include "cli/job_report.h"

#include "base/error.h"
#include "cli/document.h"
#include "cli/exit.h"
#include "cli/job_ranks.h"
#include "cli/message.h"
#include "cli/rank_column.h"
#include "cli/runs.h"
#include "export/export.h"

#include <errno.h>
#include <string.h>

struct document {
	const struct job_folder *folder;
	const struct wn_options *options;
	bool has_full_names;
	int *code;
};

/* One rank, whose trace is open. */
static wn_status
write_rank(const struct document *d, struct wn_trace *trace, FILE *to, wn_err *err)
{
	struct wn_graph *graph = NULL;
	struct wn_export *x = NULL;
	wn_status st;
	WN_TRY(wn_graph_build(trace, &graph, err));
	WN_TRY(wn_export_new(graph, WN_FORM_REDUCED, &x, err));
	x->options = d->options;
	choose_names(d->folder->path, x->names, d->has_full_names);
	WN_TRY(wn_export_csv(x, to, err));
out:
	wn_export_free(x);
	wn_graph_free(graph);
	return st;
}

/* A rank that cannot be written is left out; an error of the document ends it. */
static wn_status
try_rank(const struct document *d, const struct job_rank *rank, bool is_first, FILE *to,
         wn_err *err)
{
	char path[WN_JOB_PATH_BYTES];
	struct wn_trace *trace;
	job_folder_path(d->folder, rank, WN_JOB_TRACE, path);
	wn_status st = wn_trace_open(path, &trace, err);
	if (st == WN_OK) {
		FILE *column = rank_column_open(to, RANK_COLUMN_CSV, rank->rank, is_first);
		st = column ? write_rank(d, trace, column, err) : wn_no_memory(err);
		if (column && fclose(column) != 0 && st == WN_OK)
			st = wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", strerror(errno));
		if (st == WN_OK && run_report_damage(path, trace, "the export is") != CLI_OK)
			*d->code = CLI_DAMAGED;
		wn_trace_close(trace);
	}
	if (st == WN_OK || ferror(to) || st == WN_E_NOMEM)
		return st;
	message("%s: %s; the rank is left out", path, err->msg);
	*d->code = CLI_DAMAGED;
	return st;
}

static wn_status
write_ranks(const void *user, FILE *to, wn_err *err)
{
	const struct document *d = user;
	bool is_first = true;
	for (size_t i = 0; i < d->folder->n; i++) {
		if (!d->folder->ranks[i].has_trace)
			continue;
		wn_status st = try_rank(d, &d->folder->ranks[i], is_first, to, err);
		if (ferror(to) || st == WN_E_NOMEM)
			return st;
		is_first = is_first && st != WN_OK;
	}
	return is_first ? wn_fail(err, WN_E_EMPTY, WN_NO_OFFSET, "no rank has a trace with events")
	                : WN_OK;
}

int
job_export_csv(const char *path, const char *output, bool has_full_names,
               const struct wn_options *options)
{
	struct job_folder folder;
	int its_code = CLI_OK;
	struct document d = {&folder, options, has_full_names, &its_code};
	int code = job_folder_open(path, 0, 1, &folder);
	if (code == CLI_OK)
		code = document_write(output, write_ranks, &d);
	job_folder_close(&folder);
	return code == CLI_OK ? its_code : code;
}
