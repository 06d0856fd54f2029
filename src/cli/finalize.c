/* SPDX-License-Identifier: MIT */
#include "cli/finalize.h"

#include "base/path.h"
#include "cli/calibration.h"
#include "cli/machine.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "trace/trace_finish.h"
#include "trace/trace_outline.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Tests for a running process; zombies do not count. */
static bool
is_running_process(long pid)
{
	char path[64];
	char line[512];
	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	wn_read_start(path, line, sizeof line);
	/* "123 (name) S ..."; the name is at most 64 bytes and may hold anything, a ')' too */
	const char *end = strrchr(line, ')');
	return end && end[1] == ' ' && end[2] != 'Z' && end[2] != 'X';
}

/* Tests whether the launched process wrote this trace. Its number alone is not enough: a process in
 * a container has its own numbers, and another parent. */
static bool
is_of_launched(const char *path, const struct launch_outcome *ran)
{
	struct wn_trace_header header;
	int fd;
	if (wn_trace_open_header(path, O_RDONLY, &header, &fd, NULL) != WN_OK)
		return false;
	close(fd);
	return header.pid == (uint32_t)ran->pid && header.ppid == (uint32_t)getpid();
}

/* Returns the last trace of the launched process, which may have started further recorded programs
 * by exec; only the last has an exit status. n_traces if there is none. */
static size_t
find_launched(const struct channel_report *report, const struct launch_outcome *ran)
{
	for (size_t i = report->n_traces; i-- > 0;)
		if (is_of_launched(report->traces[i].path, ran))
			return i;
	return report->n_traces;
}

/* "libomp /usr/lib/libomp.so.5" -> "libomp". Only a trace recorded by OMPT alone identifies the
 * runtime. */
static void
take_runtime(struct finalized *all, const struct wn_trace_header *header)
{
	size_t bytes = strnlen(header->runtime, sizeof header->runtime);
	const char *space = memchr(header->runtime, ' ', bytes);
	if (space)
		bytes = (size_t)(space - header->runtime);
	snprintf(all->runtime, sizeof all->runtime, "%.*s", (int)bytes, header->runtime);
}

static void
add_verdict(struct finalized *all, const struct wn_facts *facts)
{
	struct wn_verdict verdict = wn_judge_completeness(facts);
	if (verdict.why == WN_COMPLETE)
		return;
	all->n_incomplete++;
	if (all->n_incomplete == 1 || verdict.why < all->verdict.why)
		all->verdict = verdict;
	else if (verdict.why == all->verdict.why)
		all->verdict.count += verdict.count;
}

static void
add_outline(struct finalized *all, size_t i, const struct wn_outline *outline)
{
	const struct wn_trace_header *header = &outline->header;
	all->file_bytes += outline->file_bytes;
	all->disk_bytes += outline->disk_bytes;
	all->event_bytes += outline->event_bytes;
	all->n_grains += outline->n_grains;
	all->n_threads += header->n_threads;
	all->region_ns += outline->region_ns;
	all->sources |= header->sources;
	all->clock_kind = header->clock_kind;
	if (all->runtime[0] == '\0' &&
	    (header->sources & ~(uint32_t)(WN_SOURCE_OMPT_GRAIN | WN_SOURCE_MPI)) == WN_SOURCE_OMPT)
		take_runtime(all, header);
	if (outline->region_ns < all->most_region_ns ||
	    (outline->region_ns == all->most_region_ns && outline->n_grains <= all->most_n_grains))
		return;
	all->most = i;
	all->most_region_ns = outline->region_ns;
	all->most_n_grains = outline->n_grains;
}

/* Seals the trace of an ended process. Skips those that run, or may run, and those of other nodes,
 * whose memory and CPUs are not these. */
static void
finish(const struct channel_trace *trace, const struct wn_trace_end *end, bool may_calibrate,
       struct finalized *all, bool *is_running)
{
	struct wn_trace_header header;
	wn_err err;
	int fd;
	*is_running = false;
	if (trace->pid == CHANNEL_ELSEWHERE)
		return;
	*is_running = is_running_process(trace->pid);
	all->n_running += *is_running;
	if (*is_running || wn_trace_open_header(trace->path, O_RDONLY, &header, &fd, NULL) != WN_OK)
		return;
	close(fd);
	if (trace->pid == 0 && header.state == WN_STATE_RECORDING)
		return;
	if (wn_trace_finish(trace->path, end, &err) != WN_OK)
		message("%s: %s", trace->path, err.msg);
	else
		calibration_attach(trace->path, may_calibrate);
}

/* Shorter ones have no load imbalance that is worth a measurement. */
#define LEAST_REGION_NS 5000000u
/* Slower CPUs, relative to the fastest, are worth a record. */
#define LEAST_SLOWER 100

/* The CPUs on which recorded threads ran, and whether their speeds are to be measured. */
struct used_cpus {
	uint64_t bits[WN_ENDING_CPUS / 64];
	bool is_measured;
};

static void
add_cpus(struct used_cpus *used, const struct wn_outline *outline)
{
	if (outline->header.n_threads < 2 || outline->region_ns < LEAST_REGION_NS)
		return;
	used->is_measured = true;
	for (size_t i = 0; i < sizeof used->bits / sizeof *used->bits; i++)
		used->bits[i] |= outline->facts.ending.cpus[i];
}

/* Adds the speeds of the CPUs to the closed traces of several threads if one was slow, and to what
 * is known of this machine. */
static void
attach_speeds(const struct channel_report *report, const struct used_cpus *used,
              const bool *is_closed)
{
	struct wn_cpu_speed_record speeds[MACHINE_SPEEDS_MAX];
	size_t n_words = sizeof used->bits / sizeof *used->bits;
	size_t n = used->is_measured ? machine_cpu_speeds(used->bits, n_words, speeds) : 0;
	uint32_t slowest = 1000;
	wn_err err;
	for (size_t i = 0; i < n; i++)
		slowest = speeds[i].per_mille < slowest ? speeds[i].per_mille : slowest;
	if (slowest + LEAST_SLOWER > 1000 || slowest == 0)
		return;
	bool is_kept = false;
	for (size_t i = 0; i < report->n_traces; i++) {
		const char *path = report->traces[i].path;
		if (is_closed[i] && wn_trace_append(path, WN_PROCESS_CPU_SPEEDS, speeds,
		                                    n * sizeof *speeds, &err) != WN_OK)
			message("%s: the speeds of CPUs were not added: %s", path, err.msg);
		if (is_closed[i] && !is_kept) {
			calibration_raise_spread(path, 1000000 / slowest);
			is_kept = true;
		}
	}
}

void
finalize_traces(const struct channel_report *report, const struct launch_outcome *ran,
                bool calibrates, struct finalized *out)
{
	const struct wn_trace_end end = {.wait_status = ran->wait_status, .wall_ns = ran->wall_ns};
	size_t launched = find_launched(report, ran);
	/* the report of a program that was ended by hand comes without delay */
	bool may_calibrate = calibrates && WIFEXITED(ran->wait_status) && !ran->is_stopped;
	struct used_cpus used = {0};
	bool *is_closed = calloc(report->n_traces + 1, sizeof *is_closed);
	memset(out, 0, sizeof *out);
	for (size_t i = 0; i < report->n_traces; i++) {
		const char *path = report->traces[i].path;
		struct wn_outline outline = {0};
		bool is_running;
		wn_err err;
		progress_count("finishing the recording", i + 1, report->n_traces);
		finish(&report->traces[i], i == launched ? &end : NULL, may_calibrate, out,
		       &is_running);
		wn_status st = wn_trace_outline(path, &outline, &err);
		if (st == WN_OK) {
			add_outline(out, i, &outline);
			if (report->traces[i].pid != CHANNEL_ELSEWHERE) {
				add_cpus(&used, &outline);
				if (is_closed)
					is_closed[i] = outline.header.state == WN_STATE_CLOSED &&
					               outline.header.n_threads >= 2;
			}
		} else {
			message("%s: %s", path, err.msg);
		}
		outline.facts.is_gone = st != WN_OK;
		outline.facts.is_running = is_running;
		add_verdict(out, &outline.facts);
	}
	if (!ran->is_stopped && is_closed)
		attach_speeds(report, &used, is_closed);
	free(is_closed);
}
