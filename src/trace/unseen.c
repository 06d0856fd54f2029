/* SPDX-License-Identifier: MIT */
#include "trace/trace_unseen.h"

#include "base/plural.h"

#include <inttypes.h>
#include <stdio.h>

static int
put_count(char *text, size_t size, uint64_t n, const char *what)
{
	return snprintf(text, size, "%" PRIu64 " %s%s", n, what, wn_plural(n));
}

struct wn_unrecorded
wn_header_unseen(const struct wn_trace_header *h)
{
	uint64_t since_ns = h->unseen_since_ns;
	return (struct wn_unrecorded){
	    .has_any = since_ns != 0,
	    .after_ns = since_ns > h->start_mono_ns ? since_ns - h->start_mono_ns : 0,
	    .n_regions = h->n_unseen_regions,
	    .n_tasks = h->n_unseen_tasks};
}

const char *
wn_unseen_text(const struct wn_unrecorded *u, char *text, size_t size)
{
	char regions[48] = "", tasks[48] = "";
	bool is_counted = u->n_regions > 0 || u->n_tasks > 0;
	if (u->n_regions > 0)
		put_count(regions, sizeof regions, u->n_regions, "parallel region");
	if (u->n_tasks > 0)
		put_count(tasks, sizeof tasks, u->n_tasks, "task construct");
	snprintf(text, size,
	         "the OpenMP runtime was shut down %" PRIu64 ".%03" PRIu64
	         " s after the start of the recording and reports nothing since: %s%s%s%s "
	         "recorded",
	         u->after_ns / 1000000000u, u->after_ns / 1000000u % 1000, regions,
	         u->n_regions > 0 && u->n_tasks > 0 ? " and " : "", tasks,
	         is_counted ? " not" : "what ran after that is not");
	return text;
}
