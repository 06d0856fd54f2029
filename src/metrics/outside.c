/* SPDX-License-Identifier: MIT */
#include "metrics/outside.h"

#include "trace/trace_reader.h"

bool
wn_outside_of(const struct wn_graph *g, uint64_t elapsed_ns, struct wn_outside *out)
{
	const struct wn_trace_header *h = wn_trace_header(g->trace);
	if (h->unseen_since_ns) /* part of the rest ran in parallel, unseen */
		return false;
	if (!h->finished || h->wall_ns < elapsed_ns || h->last_mono_ns <= h->start_mono_ns)
		return false;
	uint64_t outside_ns = h->wall_ns - elapsed_ns;
	uint64_t first_ns = h->start_mono_ns + g->first_ns;
	uint64_t start_ns = h->last_mono_ns > h->wall_ns ? h->last_mono_ns - h->wall_ns : 0;
	uint64_t before_ns = first_ns > start_ns ? first_ns - start_ns : 0;
	out->before_ns = before_ns < outside_ns ? before_ns : outside_ns;
	out->after_ns = outside_ns - out->before_ns;
	return true;
}
