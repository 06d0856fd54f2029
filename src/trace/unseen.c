/* SPDX-License-Identifier: MIT */
#include "trace/trace_unseen.h"

#include <inttypes.h>
#include <stdio.h>

static int
put_count(char *text, size_t size, uint64_t n, const char *what)
{
	return snprintf(text, size, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

bool
wn_header_unseen(const struct wn_trace_header *h, char *text, size_t size)
{
	uint64_t n_regions = h->n_unseen_regions, n_tasks = h->n_unseen_tasks;
	uint64_t since_ns =
	    h->unseen_since_ns > h->start_mono_ns ? h->unseen_since_ns - h->start_mono_ns : 0;
	char regions[48] = "", tasks[48] = "";
	if (h->unseen_since_ns == 0)
		return false;
	if (n_regions > 0)
		put_count(regions, sizeof regions, n_regions, "parallel region");
	if (n_tasks > 0)
		put_count(tasks, sizeof tasks, n_tasks, "task construct");
	snprintf(text, size,
	         "the OpenMP runtime was shut down %" PRIu64 ".%03" PRIu64
	         " s after the start of the recording and reports nothing since: %s%s%s%s "
	         "recorded",
	         since_ns / 1000000000u, since_ns / 1000000u % 1000, regions,
	         n_regions > 0 && n_tasks > 0 ? " and " : "", tasks,
	         n_regions > 0 || n_tasks > 0 ? " not" : "what ran after that is not");
	return true;
}
