/* SPDX-License-Identifier: MIT */
/* scaling_words.c - names of a scaling series' values, and the sentences of its findings. */
#include "report/scaling.h"

#include "report/units.h"

#include <stdio.h>

const char *
wn_scaling_name(int category)
{
	return wn_time_categories[category].name;
}

const char *
wn_scaling_title(int category)
{
	return category == WN_TIME_WORK ? "work inflation" : wn_time_categories[category].title;
}

const char *
wn_scaling_clarity_name(enum wn_scaling_clarity clarity)
{
	return clarity == WN_SCALING_SIGNIFICANT ? "significant"
	       : clarity == WN_SCALING_NOISE     ? "within noise"
	                                         : "unknown";
}

void
wn_scaling_message(const struct wn_scaling *s, const struct wn_scaling_finding *f, bool is_raw,
                   char *text, size_t size)
{
	char more[UNITS_BYTES], of[UNITS_BYTES], before[UNITS_BYTES], now[UNITS_BYTES];
	const struct wn_scaling_run *run = &s->runs[s->points[s->target].median],
				    *base = &s->runs[s->points[0].median];
	double share = 100 * f->change.ns / (double)run->thread_ns;
	units_time((uint64_t)f->change.ns, is_raw, more);
	units_time(run->thread_ns, is_raw, of);
	if (f->place != WN_NO_PLACE) {
		uint64_t work_ns = wn_scaling_site(s, 0, f->place)->work_ns,
			 now_ns = wn_scaling_site(s, s->target, f->place)->work_ns;
		snprintf(text, size,
		         "the same code works %s on %u threads instead of %s on %u: %.0f %% of its "
		         "work appears only with %u threads",
		         units_time(now_ns, is_raw, now), run->n_threads,
		         units_time(work_ns, is_raw, before), base->n_threads,
		         100 * f->change.ns / (double)now_ns, run->n_threads);
		return;
	}
	snprintf(text, size,
	         "%.1f %% of the threads' time on %u threads, %s of %s, more than on %u", share,
	         run->n_threads, more, of, base->n_threads);
}

const char *
wn_scaling_advice(const struct wn_scaling_finding *f)
{
	switch (f->category) {
	case WN_TIME_WORK:
		return "find out what the threads share: memory bandwidth, cache lines that "
		       "several threads write (false sharing, contended atomics), caches or cores; "
		       "'winnow count' counts memory accesses and cache lines by place";
	case WN_TIME_SERIAL:
	case WN_TIME_SERIAL_IDLE:
		return "run more of the serial code in parallel; it limits the speed-up on any "
		       "number of threads";
	case WN_TIME_CREATION:
	case WN_TIME_SCHEDULING:
	case WN_TIME_IDLE_READY:
		return "create fewer and larger tasks: stop creating tasks below a depth or size, "
		       "or give taskloops a grainsize";
	case WN_TIME_DISPATCH:
		return "use larger chunks, e.g. schedule(dynamic, 64), or a static schedule";
	case WN_TIME_LEAVING:
	case WN_TIME_FORKING:
		return "use fewer regions, loops and waits, each with more work; "
		       "OMP_WAIT_POLICY=active keeps threads awake";
	case WN_TIME_MUTEX:
		return "hold locks for a shorter time, or not at all: reductions, a lock for each "
		       "part of the data, results of each thread combined at the end";
	case WN_TIME_MPI:
		return "find out what the ranks wait for; more threads do not shorten calls of MPI";
	case WN_TIME_IDLE_EMPTY:
		return "give the threads equal work: a dynamic schedule where iterations differ, "
		       "more and "
		       "smaller tasks, fewer waits";
	case WN_TIME_OFF_CPU:
		return "repeat on a quiet machine: other processes used the CPUs";
	case WN_TIME_BLOCKED:
		return "find out where the threads sleep or wait for input and output";
	default:
		return "see the report on a single run";
	}
}
