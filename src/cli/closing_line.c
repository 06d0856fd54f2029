/* SPDX-License-Identifier: MIT */
#include "cli/closing_line.h"

#include "base/plural.h"
#include "cli/message.h"
#include "cli/overhead.h"
#include "report/units.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void
describe_source(const struct finalized *all, char *out, size_t out_bytes)
{
	const char *runtime = all->runtime[0] ? all->runtime : "libomp";
	bool is_ompt = all->sources & WN_SOURCE_OMPT;
	bool is_libgomp = all->sources & WN_SOURCE_LIBGOMP;
	snprintf(
	    out, out_bytes, "%s%s%s%s%s%s%s", is_ompt ? runtime : "", is_ompt ? " by OMPT" : "",
	    all->sources & WN_SOURCE_OMPT_GRAIN ? " and its extension for grains" : "",
	    is_ompt && is_libgomp ? " and " : "", is_libgomp ? "libgomp by wrapping" : "",
	    all->sources & WN_SOURCE_POMP2
		? (is_ompt || is_libgomp ? " and OPARI2 instrumentation" : "OPARI2 instrumentation")
		: "",
	    !(all->sources & WN_SOURCE_MPI) ? ""
	    : all->sources == WN_SOURCE_MPI ? "MPI"
					    : " and MPI");
}

/* Describes whether the traces are complete, and how many are not. */
static void
describe_state(const struct finalized *all, size_t n_traces, char *out, size_t out_bytes)
{
	char text[WN_VERDICT_BYTES];
	wn_verdict_text(&all->verdict, text);
	if (all->verdict.why == WN_INCOMPLETE_RUNNING)
		snprintf(out, out_bytes, "%zu of its processes still running", all->n_running);
	else if (n_traces > 1 && all->n_incomplete > 0)
		snprintf(out, out_bytes, "%s (%zu of %zu traces)", text, all->n_incomplete,
		         n_traces);
	else
		snprintf(out, out_bytes, "%s", text);
}

static const char *
short_name(const char *path)
{
	char folder[PATH_MAX];
	size_t bytes = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
	bool is_below = bytes > 1 && strncmp(folder, path, bytes) == 0 && path[bytes] == '/';
	return is_below ? path + bytes + 1 : path;
}

/* Traces of many idle threads are mostly holes, so their file sizes mislead. */
static void
describe_size(const struct finalized *all, char *out, size_t out_bytes)
{
	char disk[16], file[16];
	message_bytes(all->disk_bytes, disk);
	if (all->file_bytes / 2 < all->disk_bytes)
		snprintf(out, out_bytes, "%s", disk);
	else
		snprintf(out, out_bytes, "%s (%s with holes)", disk,
		         message_bytes(all->file_bytes, file));
}

/* Omitted if the total is unknown. */
static void
describe_overhead(const struct finalized *all, size_t n_traces, uint64_t cpu_ns, char *out,
                  size_t out_bytes)
{
	char percent[UNITS_BYTES];
	*out = '\0';
	if (all->n_running > 0 || cpu_ns == 0)
		return;
	uint64_t cost_ns = overhead_estimate_ns(all->event_bytes, n_traces, all->n_threads,
	                                        (enum wn_clock_kind)all->clock_kind, cpu_ns / 1000);
	if (cost_ns >= cpu_ns)
		return;
	if (cost_ns < cpu_ns / 1000)
		snprintf(out, out_bytes, "; recording took less than 0.1 %% of the CPU time");
	else
		snprintf(out, out_bytes, "; recording took about %s of the CPU time",
		         units_percent(cost_ns, cpu_ns, percent));
}

void
summary_print(const char *label, const struct channel_report *report, const struct finalized *all,
              uint64_t cpu_ns)
{
	char source[256], state[WN_VERDICT_BYTES + 64], size[64], overhead[128],
	    grains[UNITS_BYTES], more[64] = "";
	if (report->n_traces > 1 && !label)
		snprintf(more, sizeof more, " and %zu more, one for each process",
		         report->n_traces - 1);
	if (!label)
		label = short_name(report->traces[0].path);
	describe_state(all, report->n_traces, state, sizeof state);
	if (all->sources == 0) { /* no trace could be read */
		message("%s%s: %s", label, more, state);
		return;
	}
	describe_size(all, size, sizeof size);
	describe_source(all, source, sizeof source);
	describe_overhead(all, report->n_traces, cpu_ns, overhead, sizeof overhead);
	message("%s%s: %s, %s grain%s, %s, %s%s", label, more, size,
	        units_count(all->n_grains, grains), wn_plural(all->n_grains), source, state,
	        overhead);
}

#define OTHERS_N 3u /* named in the line */

static void
list_others(const struct channel_report *report, size_t but, char *out, size_t out_bytes)
{
	size_t used = 0, n = 0;
	*out = '\0';
	for (size_t i = 0; i < report->n_traces && used < out_bytes; i++) {
		if (i == but)
			continue;
		const char *name = n < OTHERS_N ? short_name(report->traces[i].path) : "...";
		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", n ? ", " : "", name);
		if (n++ == OTHERS_N)
			return;
	}
}

void
summary_print_choice(const struct channel_report *report, const struct finalized *all)
{
	char most[UNITS_BYTES], sum[UNITS_BYTES], why[128] = "the most grains",
						  others[(OTHERS_N + 1) * (PATH_MAX + 2)];
	if (report->n_traces < 2)
		return;
	list_others(report, all->most, others, sizeof others);
	if (all->region_ns > 0)
		snprintf(why, sizeof why, "the most time in parallel regions (%s of %s)",
		         units_time(all->most_region_ns, false, most),
		         units_time(all->region_ns, false, sum));
	message(
	    "%s: the report is on this process, with %s; 'winnow report FILE' shows the other%s: "
	    "%s",
	    short_name(report->traces[all->most].path), why, report->n_traces == 2 ? "" : "s",
	    others);
}
