/* SPDX-License-Identifier: MIT */
/* record_result.c - the end of a recording: completes the traces, and prints what was recorded or
 * why nothing was. */
#include "cli/record_private.h"

#include "base/mem.h"
#include "base/plural.h"
#include "cli/choose_source.h"
#include "cli/closing_line.h"
#include "cli/explain.h"
#include "cli/finalize.h"
#include "cli/message.h"
#include "cli/offspring.h"
#include "cli/progress.h"
#include "cli/recorder_channel.h"
#include "sharing/sharing.h"
#include "trace/trace_finish.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void
report_uncounted(const struct recording *r)
{
	const struct engine *e = &r->engine;
	uint64_t n_lost = engine_n_lost(e);
	if (n_lost > 0)
		message("%llu thread%s executed code that %s cannot follow, and %s counted from "
		        "there on: try --engine qemu",
		        (unsigned long long)n_lost, wn_plural(n_lost), e->name,
		        n_lost == 1 ? "is not" : "are not");
	if (!engine_has_counted(e))
		message("nothing was counted: no thread of the program was followed by %s",
		        e->name);
	else if (e->native[0])
		message("counted by %s: times in it are longer than the program's", e->name);
	else
		message("counted by %s: times in it are the emulator's", e->name);
}

/* Programs started by exec may not be counted: records this in the trace, so that all reports name
 * it. */
static void
print_execs(const struct recording *r, const struct channel_report *report)
{
	uint64_t n = r->request->engine ? engine_n_execs(&r->engine) : 0;
	if (n == 0)
		return;
	message("%llu program%s started by exec ran uncounted", (unsigned long long)n,
	        n == 1 ? "" : "s");
	for (size_t i = 0; i < report->n_traces; i++) {
		const char *path = report->traces[i].path;
		wn_err err;
		if (wn_trace_store_execs(path, n, &err) != WN_OK)
			message("%s: %s; its report will not name these programs", path, err.msg);
	}
}

/* Finds the lines that parallel grains share, and records them in the trace. */
static void
store_sharing(const struct recording *r, const struct channel_report *report)
{
	const void *log;
	struct wn_sharing_record *records = NULL;
	struct wn_trace *trace = NULL;
	size_t n = 0, n_bytes = r->request->engine ? engine_map_log(&r->engine, &log) : 0;
	wn_err err;
	if (n_bytes == 0)
		return;
	const char *path = report->traces[0].path;
	if (report->n_traces > 1)
		message("sharing is not reported: %zu processes were recorded", report->n_traces);
	else if (wn_trace_open(path, &trace, &err) != WN_OK ||
	         wn_sharing_find(trace, log, n_bytes, &records, &n, &err) != WN_OK ||
	         wn_trace_append(path, WN_PROCESS_SHARING, n ? (const void *)records : "",
	                         n * sizeof *records, &err) != WN_OK)
		message("%s: %s; its report has no sharing", path, err.msg);
	wn_trace_close(trace);
	wn_free(records);
	engine_unmap_log(log, n_bytes);
}

/* Some processes have traces, and others failed to create one. */
static void
print_failures(const struct channel_report *report)
{
	if (report->n_failed > 0)
		message(
		    "not recorded: %zu process%s more, as the recorder could not start: the first "
		    "was process %ld: %s: %s",
		    report->n_failed, report->n_failed == 1 ? "" : "es", report->failed_pid,
		    report->failed_what, strerror(report->failed_errno));
}

/* Reads the recorders' report; closes its file, as there may be few descriptors. */
static bool
take_report(struct recording *r, struct channel_report *report)
{
	bool is_read = channel_read(r->channel_fd, r->out.path, r->out.is_shared, report);
	close(r->channel_fd);
	r->channel_fd = -1;
	return is_read && (r->job.mode != JOB_LAUNCHER || job_add_traces(&r->job, report));
}

/* "job.winnow.d: rank 3 of 8: ", or "" */
static void
make_prefix(const struct recording *r, int wait_status, char *out, size_t out_bytes)
{
	char label[PATH_MAX + 64];
	*out = '\0';
	if (r->job.mode == JOB_NONE)
		return;
	job_label(&r->job, wait_status, label, sizeof label);
	snprintf(out, out_bytes, "%s: ", label);
}

/* No process reported. Background processes may do so later, without winnow. */
static void
report_nothing_recorded(const struct recording *r, const struct launch_outcome *ran,
                        struct record_outcome *outcome)
{
	char why[WHY_BYTES], prefix[PATH_MAX + 72];
	long pid;
	size_t n = offspring_count(r->channel_path, &pid);
	make_prefix(r, ran->wait_status, prefix, sizeof prefix);
	if (n > 0) {
		outcome->is_unrecorded = false;
		message("%snothing recorded so far: process %ld%s, started by %s, still run%s; "
		        "what may "
		        "be recorded of it is written to %s",
		        prefix, pid, n > 1 ? " and others" : "", r->request->argv[0],
		        n > 1 ? "" : "s", r->out.path);
		return;
	}
	explain_nothing(&r->inspection, r->program, ran->wait_status, why, sizeof why);
	message("%snothing recorded: %s", prefix, why);
}

/* Finishes the traces and prints what they contain. Of the ranks of a job the first one prints that
 * it is complete, the others only if they are not. */
static void
report_traces(struct recording *r, const struct launch_outcome *ran,
              const struct channel_report *report, struct record_outcome *outcome)
{
	char label[PATH_MAX + 64];
	struct finalized all;
	finalize_traces(report, ran, r->request->calibrates, &all);
	bool is_job = r->job.mode != JOB_NONE;
	if (is_job)
		job_label(&r->job, ran->wait_status, label, sizeof label);
	if (job_prints(&r->job) || all.n_incomplete > 0 || r->request->is_verbose)
		/* a report contains the cost of recording, from the calibration */
		summary_print(is_job ? label : NULL, report, &all,
		              r->request->is_reported && !is_job ? 0 : ran->cpu_ns);
	if (r->request->is_reported && !is_job)
		summary_print_choice(report, &all);
	if (r->request->engine)
		report_uncounted(r);
	print_execs(r, report);
	store_sharing(r, report);
	print_failures(report);
	if (r->job.mode != JOB_RANK)
		snprintf(outcome->trace, sizeof outcome->trace, "%s",
		         is_job ? r->job.dir : report->traces[all.most].path);
	else if (r->request->is_reported && job_prints(&r->job))
		message("'winnow report %s' reports on the job", r->job.name);
}

void
record_result(struct recording *r, const struct launch_outcome *ran, struct record_outcome *outcome)
{
	struct channel_report report;
	char why[WHY_BYTES];
	outcome->is_unrecorded = true;
	progress_begin(r->request->argv[0], "finishing the recording");
	if (!take_report(r, &report)) {
		outcome->is_unrecorded = false;
		message("out of memory; the recording is in %s", r->out.path);
	} else if (report.n_traces > 0) {
		outcome->is_unrecorded = false;
		report_traces(r, ran, &report, outcome);
	} else if (report.n_failed > 0) {
		message("nothing recorded: the recorder could not start in process %ld: %s: %s",
		        report.failed_pid, report.failed_what, strerror(report.failed_errno));
	} else if (source_is_chosen(r->request->source) &&
	           !explain_impossible(&r->inspection, why, sizeof why)) {
		message(
		    "nothing recorded: no process reported anything by %s, which --source requires",
		    r->request->source);
	} else if (job_prints(&r->job)) {
		report_nothing_recorded(r, ran, outcome);
	}
	if (r->job.mode == JOB_RANK)
		job_end(&r->job, ran, &report);
	progress_end();
	channel_fini(&report);
	wn_trace_sweep(r->out.path);
}
