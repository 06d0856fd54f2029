/* SPDX-License-Identifier: MIT */
#include "cli/job_report.h"

#include "base/plural.h"
#include "cli/document.h"
#include "cli/exit.h"
#include "cli/job_parts.h"
#include "cli/message.h"
#include "cli/pager.h"
#include "cli/runs.h"
#include "ranks/merge.h"
#include "report/job_diff.h"
#include "report/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool
job_is_one(const char *path)
{
	return job_folder_is_one(path) || wn_ranks_is_one(path);
}

static int
read_summary(const char *path, struct job_opened *out)
{
	wn_err err;
	if (wn_ranks_open(path, &out->result.ranks, &err) == WN_OK)
		return CLI_OK;
	return FAILURE("%s: %s; winnow report computes it anew from the traces", path, err.msg);
}

static void
close_steps(struct job_opened *job)
{
	for (size_t i = 0; i < job->n_steps; i++)
		wn_steps_close(&job->steps[i]);
	free(job->steps);
	job->steps = NULL;
	job->n_steps = 0;
}

/* Opens the steps of all ranks, or of none. */
static void
open_steps(struct job_opened *job)
{
	const struct wn_ranks *s = &job->result.ranks;
	size_t n = s->header->n_ranks;
	char path[WN_JOB_PATH_BYTES];
	wn_err err;
	job->steps = job->folder.path ? calloc(n, sizeof *job->steps) : NULL;
	for (size_t i = 0; job->steps && i < n; i++) {
		const struct job_rank *rank =
		    &job->folder.ranks[job_folder_index(&job->folder, s->ranks[i].rank)];
		job_folder_path(&job->folder, rank, WN_JOB_STEPS, path);
		if (wn_steps_open(path, &s->ranks[i], &job->steps[i], &err) != WN_OK) {
			close_steps(job);
			return;
		}
		job->n_steps = i + 1;
	}
}

static int
build_report(const char *path, struct job_opened *out)
{
	open_steps(out);
	struct wn_job_input in = {.name = path,
	                          .steps = out->steps,
	                          .size = out->folder.file.size,
	                          .absent = out->result.absent,
	                          .n_absent = out->result.n_absent};
	wn_err err;
	if (wn_job_report_build(&out->result.ranks, &in, &out->report, &err) == WN_OK)
		return CLI_OK;
	if (out->result.n_absent)
		message("%s: %s; rank %u: %s", path, err.msg, out->result.absent[0].rank,
		        out->result.absent[0].why);
	else
		message("%s: %s", path, err.msg);
	return CLI_FAILURE;
}

int
job_open(const char *path, const struct job_report_options *options, struct job_opened *out)
{
	struct job_share share = {.n = 1, .n_local = 1};
	memset(out, 0, sizeof *out);
	if (!job_folder_is_one(path)) {
		int code = read_summary(path, out);
		return code == CLI_OK ? build_report(path, out) : code;
	}
	if (options && !job_share_find(options->share, options->wait_s, &share))
		return CLI_USAGE;
	if (options && share.n > 1) { /* a launcher forwards the output */
		pager_disable();
		options->style->is_coloured = options->is_coloured;
	}
	/* the first process needs all ranks, the others their own */
	uint32_t n_shares = share.index ? share.n : 1;
	int code = job_folder_open(path, share.index, n_shares, &out->folder);
	if (code == CLI_OK)
		code = job_analyse(&out->folder, &share, &out->result);
	if (code == CLI_OK && out->result.ranks.bytes)
		code = build_report(path, out);
	return code;
}

void
job_close(struct job_opened *job)
{
	wn_job_report_free(job->report);
	close_steps(job);
	job_result_fini(&job->result);
	job_folder_close(&job->folder);
}

static int
print(const char *path, const struct job_opened *job, const struct job_report_options *options)
{
	json_t *json = NULL;
	wn_err err = {.msg = ""};
	wn_status st = WN_OK;
	if (options->is_json || options->gates->n > 0)
		st = wn_job_report_json(job->report, &json, &err);
	int code = st == WN_OK ? gates_check(path, options->gates, json, NULL) : CLI_OK;
	if (st == WN_OK && code != CLI_USAGE) {
		pager_begin();
		st = options->is_json
		         ? wn_report_json_write(json, stdout, &err)
		         : wn_job_report_text(job->report, options->style, stdout, &err);
	}
	json_decref(json);
	if (st == WN_E_IO)
		return run_complain_of_output(&err);
	if (st != WN_OK)
		return FAILURE("%s: %s", path, err.msg);
	return code;
}

/* Missing ranks are also a message, so that scripts notice them. */
static int
print_absent(const char *path, const struct job_opened *job)
{
	const struct wn_job_report *r = job->report;
	uint32_t n_gone = job->result.n_without_trace;
	if (n_gone)
		message("%s: %u trace%s missing; %s used", path, n_gone,
		        wn_either(n_gone, " is", "s are"),
		        wn_either(n_gone, "its summary is", "their summaries are"));
	if (r->n_damaged)
		message("%s: %u rank%s: part of the trace could not be read; the report is of the "
		        "rest",
		        path, r->n_damaged, wn_plural(r->n_damaged));
	return r->n_damaged ? CLI_DAMAGED : CLI_OK;
}

int
job_report(const char *path, const struct job_report_options *options)
{
	struct job_opened job;
	int code = job_open(path, options, &job);
	if (code == CLI_OK && job.report) {
		code = print(path, &job, options);
		int damage = code == CLI_USAGE ? CLI_OK : print_absent(path, &job);
		code = code == CLI_OK ? damage : code;
	}
	job_close(&job);
	return code;
}

/* --- two jobs --- */

static int
print_diff(const struct wn_job_diff *d, const struct job_report_options *options)
{
	json_t *json = NULL;
	wn_err err = {.msg = ""};
	wn_status st = WN_OK;
	if (options->is_json || options->gates->n > 0)
		st = wn_job_diff_json(d, &json, &err);
	int code = st == WN_OK ? gates_check(NULL, options->gates, json, NULL) : CLI_OK;
	if (st == WN_OK && code != CLI_USAGE) {
		pager_begin();
		st = options->is_json ? wn_report_json_write(json, stdout, &err)
		                      : wn_job_diff_text(d, options->style, stdout, &err);
	}
	json_decref(json);
	return st == WN_OK ? code : run_output_code(st, &err);
}

int
job_diff(char *const *paths, const struct job_report_options *options)
{
	struct job_opened jobs[2];
	struct wn_job_diff *d;
	wn_err err;
	int code = job_open(paths[0], NULL, &jobs[0]);
	int second = job_open(paths[1], NULL, &jobs[1]);
	code = code == CLI_OK ? second : code;
	if (code == CLI_OK) {
		if (wn_job_diff_build(jobs[0].report, jobs[1].report, &d, &err) == WN_OK) {
			code = print_diff(d, options);
			wn_job_diff_free(d);
		} else {
			code = FAILURE("%s", err.msg);
		}
	}
	for (int side = 0; side < 2; side++) {
		bool is_used = jobs[side].report && code != CLI_USAGE && code != CLI_FAILURE;
		int damage = is_used ? print_absent(paths[side], &jobs[side]) : CLI_OK;
		code = code == CLI_OK ? damage : code;
	}
	job_close(&jobs[0]);
	job_close(&jobs[1]);
	return code;
}

/* --- summaries --- */

static int
add_file(const char *file, struct wn_merge *merge)
{
	struct wn_ranks s;
	wn_err err = {.msg = ""};
	int code = CLI_OK;
	if (!wn_ranks_is_one(file)) {
		code = job_summary_of(file, &s);
	} else if (wn_ranks_open(file, &s, &err) != WN_OK) {
		code = FAILURE("%s: %s", file, err.msg);
	}
	if (code != CLI_OK)
		return code;
	wn_status st = wn_merge_add(merge, &s, &err);
	wn_ranks_fini(&s);
	if (st == WN_OK)
		return CLI_OK;
	return FAILURE("%s: %s", file, err.msg);
}

static wn_status
write_bytes(const void *user, FILE *to, wn_err *err)
{
	const struct wn_ranks *s = user;
	if (fwrite(s->bytes, 1, s->header->n_bytes, to) == s->header->n_bytes && fflush(to) == 0)
		return WN_OK;
	err->offset = WN_NO_OFFSET;
	snprintf(err->msg, sizeof err->msg, "%s", strerror(errno));
	return WN_E_IO;
}

int
job_write_summary(int n, char **files, const char *out)
{
	struct wn_merge merge;
	struct wn_ranks s = {0};
	wn_err err = {.msg = ""};
	int code = CLI_OK;
	wn_merge_init(&merge);
	for (int i = 0; i < n && code == CLI_OK; i++)
		code = add_file(files[i], &merge);
	if (code == CLI_OK && wn_merge_finish(&merge, &s, &err) != WN_OK) {
		code = FAILURE("%s", err.msg);
	}
	if (code == CLI_OK)
		code = document_write(out, write_bytes, &s);
	wn_ranks_fini(&s);
	wn_merge_fini(&merge);
	return code;
}
