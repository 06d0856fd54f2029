/* SPDX-License-Identifier: MIT */
#include "cli/summary.h"

#include "cli/overhead.h"
#include "cli/say.h"
#include "report/units.h"
#include "trace/trace_format.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void
describe_source(const struct gathered *all, char *out, size_t out_bytes)
{
	const char *runtime = all->runtime[0] ? all->runtime : "libomp";
	bool is_ompt = all->sources & WN_SOURCE_OMPT;
	bool is_libgomp = all->sources & WN_SOURCE_LIBGOMP;
	snprintf(
	    out, out_bytes, "%s%s%s%s%s%s", is_ompt ? runtime : "", is_ompt ? " by OMPT" : "",
	    all->sources & WN_SOURCE_OMPT_GRAIN ? " and its extension for grains" : "",
	    is_ompt && is_libgomp ? " and " : "", is_libgomp ? "libgomp by wrapping" : "",
	    all->sources & WN_SOURCE_POMP2
		? (is_ompt || is_libgomp ? " and OPARI2 instrumentation" : "OPARI2 instrumentation")
		: "");
}

static const char *
dead_text(uint32_t reason)
{
	switch (reason) {
	case WN_DEAD_NO_SPACE:
		return "no space left";
	case WN_DEAD_IO:
		return "a write failed";
	case WN_DEAD_FD_LOST:
		return "the program closed the recorder's file";
	case WN_DEAD_NO_MEMORY:
		return "no memory";
	default:
		return "reason unknown";
	}
}

static void
describe_state(const struct gathered *all, char *out, size_t out_bytes)
{
	if (all->dead_reason != WN_DEAD_NOT)
		snprintf(out, out_bytes, "stopped early (%s)", dead_text(all->dead_reason));
	else if (all->n_running > 0)
		snprintf(out, out_bytes, "%zu of its processes still running", all->n_running);
	else if (all->n_open > 0)
		snprintf(out, out_bytes, "not closed by the program, readable");
	else
		snprintf(out, out_bytes,
		         all->n_dropped   ? "closed"
		         : all->unseen[0] ? "incomplete"
		                          : "complete");
	size_t used = strlen(out);
	if (all->n_dropped > 0)
		snprintf(out + used, out_bytes - used, ", %llu events lost",
		         (unsigned long long)all->n_dropped);
	used = strlen(out);
	if (all->unseen[0])
		snprintf(out + used, out_bytes - used, " (%s)", all->unseen);
}

static const char *
short_name(const char *path)
{
	char folder[PATH_MAX];
	const char *base = strrchr(path, '/') + 1;
	size_t bytes = (size_t)(base - path) - 1;
	bool is_here = getcwd(folder, sizeof folder) && strlen(folder) == bytes &&
	               memcmp(folder, path, bytes) == 0;
	return is_here ? base : path;
}

/* Traces of many threads that do little are mostly holes, and their sizes alarming. */
static void
describe_size(const struct gathered *all, char *out, size_t out_bytes)
{
	char disk[16], file[16];
	say_bytes(all->disk_bytes, disk);
	if (all->file_bytes / 2 < all->disk_bytes)
		snprintf(out, out_bytes, "%s", disk);
	else
		snprintf(out, out_bytes, "%s (%s with holes)", disk,
		         say_bytes(all->file_bytes, file));
}

/* Nothing where there is nothing to compare with. */
static void
describe_overhead(const struct gathered *all, size_t n_traces, uint64_t cpu_ns, char *out,
                  size_t out_bytes)
{
	char percent[UNITS_BYTES];
	*out = '\0';
	if (all->n_running > 0 || cpu_ns == 0)
		return;
	uint64_t cost_ns =
	    overhead_estimate_ns(all->n_events, n_traces, (enum wn_clock_kind)all->clock_kind);
	if (cost_ns >= cpu_ns)
		return;
	if (cost_ns < cpu_ns / 1000)
		snprintf(out, out_bytes, "; recording took less than 0.1 %% of the CPU time");
	else
		snprintf(out, out_bytes, "; recording took about %s of the CPU time",
		         units_percent(cost_ns, cpu_ns, percent));
}

void
summary_say(const char *verb, const struct back_report *report, const struct gathered *all,
            const struct launch_outcome *ran)
{
	char source[256], state[160 + WN_UNSEEN_BYTES], size[64], overhead[128],
	    events[UNITS_BYTES], more[64] = "";
	if (report->n_traces > 1)
		snprintf(more, sizeof more, " and %zu more, one for each process",
		         report->n_traces - 1);
	describe_size(all, size, sizeof size);
	describe_source(all, source, sizeof source);
	describe_state(all, state, sizeof state);
	describe_overhead(all, report->n_traces, ran->cpu_ns, overhead, sizeof overhead);
	say(verb, "%s%s: %s, %s event%s, %s, %s%s", short_name(report->traces[0].path), more, size,
	    units_count(all->n_events, events), all->n_events == 1 ? "" : "s", source, state,
	    overhead);
}

#define OTHERS_N 3u /* named in the line */

static void
list_others(const struct back_report *report, size_t but, char *out, size_t out_bytes)
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
summary_say_choice(const char *verb, const struct back_report *report, const struct gathered *all)
{
	char most[UNITS_BYTES], sum[UNITS_BYTES], why[128] = "the most events",
						  others[(OTHERS_N + 1) * (PATH_MAX + 2)];
	if (report->n_traces < 2)
		return;
	list_others(report, all->most, others, sizeof others);
	if (all->region_ns > 0)
		snprintf(why, sizeof why, "the most time in parallel regions (%s of %s)",
		         units_time(all->most_region_ns, false, most),
		         units_time(all->region_ns, false, sum));
	say(verb,
	    "%s: the report is on this process, with %s; 'winnow report FILE' shows the other%s: "
	    "%s",
	    short_name(report->traces[all->most].path), why, report->n_traces == 2 ? "" : "s",
	    others);
}
