/* SPDX-License-Identifier: MIT */
/*
 * outline.h - does the outline of a trace, which `winnow record` tells, agree with what reading all
 * of its events gives?
 */
#ifndef WN_TESTS_OUTLINE_H
#define WN_TESTS_OUTLINE_H

#include "graph/graph.h"
#include "trace/trace_outline.h"
#include "trace/trace_tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define OUTLINE_WHY_BYTES (2 * WN_VERDICT_BYTES + 160)

/* A task of the runtime's own, which splits a taskloop: only reading all events tells it from
 * others.
 */
static inline bool
outline_is_splitter(const struct wn_graph *g, const struct wn_trace *trace, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_HELPER &&
	       !(wn_trace_site(trace, g->site[id]).aux & WN_TASK_WAITPOINT);
}

/* The graph is NULL where the trace has no event. */
static inline void
outline_of_graph(const struct wn_graph *g, const struct wn_trace *trace, uint64_t *n_grains,
                 char verdict[WN_VERDICT_BYTES])
{
	struct wn_facts facts;
	wn_trace_facts(trace, &facts);
	struct wn_verdict v = g ? wn_graph_verdict(g) : wn_judge_completeness(&facts);
	wn_verdict_text(&v, verdict);
	*n_grains = 0;
	for (wn_grain id = 0; g && id < g->n; id++)
		*n_grains += wn_is_grain(g, id) || outline_is_splitter(g, trace, id);
}

/* NULL if they agree; else what they say, in `why`. */
static inline const char *
outline_differs(const char *path, char why[OUTLINE_WHY_BYTES])
{
	char cheap[WN_VERDICT_BYTES], full[WN_VERDICT_BYTES];
	struct wn_outline outline;
	struct wn_trace *trace;
	struct wn_graph *graph = NULL;
	struct wn_tally tally;
	uint64_t n_grains;
	wn_err err;
	snprintf(why, OUTLINE_WHY_BYTES, "%s does not open", path);
	if (wn_trace_outline(path, &outline, &err) != WN_OK ||
	    wn_trace_open(path, &trace, &err) != WN_OK)
		return why;
	bool is_read = wn_trace_tally(trace, &tally, &err) == WN_OK;
	wn_trace_close(trace);
	if (!is_read || wn_trace_open(path, &trace, &err) != WN_OK)
		return why;
	wn_status st = wn_graph_build(trace, &graph, &err);
	struct wn_verdict v = wn_judge_completeness(&outline.facts);
	wn_verdict_text(&v, cheap);
	outline_of_graph(st == WN_OK ? graph : NULL, trace, &n_grains, full);
	wn_graph_free(st == WN_OK ? graph : NULL);
	wn_trace_close(trace);
	uint64_t apart_ns = outline.region_ns > tally.region_ns
	                        ? outline.region_ns - tally.region_ns
	                        : tally.region_ns - outline.region_ns;
	bool is_same = strcmp(cheap, full) == 0 && outline.n_grains == n_grains &&
	               apart_ns <= 2000 + tally.region_ns / 1000;
	snprintf(why, OUTLINE_WHY_BYTES,
	         "outline: %s, %" PRIu64 " grains, %" PRIu64 " ns; all events: %s, %" PRIu64
	         " grains, %" PRIu64 " ns",
	         cheap, outline.n_grains, outline.region_ns, full, n_grains, tally.region_ns);
	return is_same ? NULL : why;
}

#endif /* WN_TESTS_OUTLINE_H */
