/* SPDX-License-Identifier: MIT */
/* look.h - open bytes as a trace, read everything, build and prove the graph, count. */
#ifndef WN_FORMAT_LOOK_H
#define WN_FORMAT_LOOK_H

#include "base/mem.h"
#include "graph/graph.h"

#include <string.h>

struct look {
	wn_status status; /* of opening */
	wn_err err;
	uint64_t n_events, n_gaps;
	struct wn_damage damage;
	wn_status built, checked;
	uint32_t n_threads;
	uint64_t n_tasks;
	size_t n_modules, argv_bytes, n_env;
	bool is_clean; /* nothing left allocated */
};

static inline void
look_graph(struct look *l, struct wn_trace *trace)
{
	struct wn_graph *graph;
	l->built = wn_graph_build(trace, &graph, &l->err);
	if (l->built != WN_OK)
		return;
	l->checked = wn_graph_check(graph, &l->err);
	for (wn_grain id = 0; id < graph->n; id++)
		l->n_tasks += graph->kind[id] == WN_GRAIN_TASK;
	wn_graph_free(graph);
}

static inline struct look
look_at(const void *bytes, size_t size_bytes)
{
	struct look l;
	struct wn_trace *trace;
	memset(&l, 0, sizeof l);
	long n_live = wn_mem_live();
	l.status = wn_trace_open_bytes(bytes, size_bytes, &trace, &l.err);
	if (l.status == WN_OK) {
		const struct wn_trace_module *modules;
		const char *const *env;
		l.n_threads = wn_trace_n_threads(trace);
		l.n_modules = wn_trace_modules(trace, &modules);
		l.n_env = wn_trace_env(trace, &env);
		wn_trace_argv(trace, &l.argv_bytes);
		for (uint32_t i = 0; i < l.n_threads; i++) {
			struct wn_cursor cursor;
			struct wn_event event;
			wn_cursor_init(&cursor, trace, i);
			while (wn_cursor_next(&cursor, &event) > 0)
				*(event.code == WN_EV_GAP ? &l.n_gaps : &l.n_events) += 1;
		}
		l.damage = *wn_trace_damage(trace);
		look_graph(&l, trace);
		wn_trace_close(trace);
	}
	l.is_clean = wn_mem_live() == n_live;
	return l;
}

static inline bool
look_is_whole(const struct look *l)
{
	const struct wn_damage *d = &l->damage;
	return l->status == WN_OK && !d->n_bad_blocks && !d->n_gaps && !d->n_bad_bytes &&
	       !d->n_dropped && !d->is_cut;
}

#endif /* WN_FORMAT_LOOK_H */
