/* SPDX-License-Identifier: MIT */
/* fill.h - fills a row of the table of grains (table/row.h) from the graph. The other source of
 * rows is page/table_values.c. Only requested inputs are computed: with a constant `inputs` the
 * compiler removes the rest. */
#pragma once

#include "metrics/metrics.h"
#include "table/row.h"

#include <assert.h>

/* The file's numbers equal the graph's. */
static_assert((int)WN_GRAIN_IMPLICIT == (int)WN_GRAINS_IMPLICIT &&
                  (int)WN_GRAIN_TASK == (int)WN_GRAINS_TASK &&
                  (int)WN_GRAIN_TASKLOOP == (int)WN_GRAINS_TASKLOOP &&
                  (int)WN_GRAIN_CHUNK == (int)WN_GRAINS_LOOP_CHUNK &&
                  (int)WN_GRAIN_SECTION == (int)WN_GRAINS_SECTION,
              "kinds of grains");
static_assert((int)WN_GF_COMPLETED == (int)WN_GRAINS_COMPLETED &&
                  (int)WN_GF_CRITICAL == (int)WN_GRAINS_CRITICAL &&
                  (int)WN_GF_ESTIMATED == (int)WN_GRAINS_ESTIMATED &&
                  (int)WN_GF_FINAL == (int)WN_GRAINS_FINAL &&
                  (int)WN_GF_UNTIED == (int)WN_GRAINS_UNTIED &&
                  (int)WN_GF_DEPENDENT == (int)WN_GRAINS_DEPENDENT &&
                  (int)WN_GF_MOVED == (int)WN_GRAINS_MOVED &&
                  (int)WN_GF_UNDEFERRED == (int)WN_GRAINS_UNDEFERRED &&
                  (int)WN_GF_CANCELLED == (int)WN_GRAINS_CANCELLED &&
                  (int)WN_GF_DETACHED == (int)WN_GRAINS_DETACHED &&
                  (int)WN_GF_INLINE == (int)WN_GRAINS_INLINE,
              "flags of grains");

#define METRICS_INLINE static inline __attribute__((always_inline))

/* One input: whether it is known, and its value. */
#define METRICS_FILL(which, is_known, what)                                                        \
	if (inputs & WN_INPUT(which)) {                                                            \
		row->has[WN_IN_##which] = (is_known);                                              \
		row->value[WN_IN_##which] = row->has[WN_IN_##which] ? (uint64_t)(what) : 0;        \
	}

METRICS_INLINE bool
metrics_is_part_of_loop(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_CHUNK || g->kind[id] == WN_GRAIN_SECTION;
}

/* Structure, place and problems of the grain. */
METRICS_INLINE void
metrics_fill_structure(struct wn_grain_row *row, const struct wn_metrics *m, wn_grain id,
                       uint64_t inputs)
{
	const struct wn_graph *g = m->g;
	uint16_t flags = g->flags[id];
	uint8_t kind = g->kind[id];
	uint32_t fj = g->fj[id];
	bool is_part = metrics_is_part_of_loop(g, id);
	const struct wn_range *range = g->range[id] ? &g->ranges[g->range[id] - 1] : NULL;
	bool has_profile = wn_is_grain(g, id) && m->inst_par_max && m->inst_par_max[id];
	METRICS_FILL(ID, true, id)
	METRICS_FILL(KIND, true, kind)
	METRICS_FILL(FLAGS, true, flags)
	METRICS_FILL(PARENT, g->parent[id] != WN_NO_GRAIN, g->parent[id])
	METRICS_FILL(CHILD_NUMBER, g->child_number != NULL, g->child_number[id])
	METRICS_FILL(FORK_JOIN, m->fj_number && fj != WN_NO_FJ && g->fjs[fj].n_children > 0,
	             m->fj_number[fj])
	METRICS_FILL(JOINED_BY, flags & WN_GF_ROGUE, fj != WN_NO_FJ ? g->fjs[fj].owner : 0)
	METRICS_FILL(REGION, kind == WN_GRAIN_IMPLICIT, g->regions[g->context[id]].number)
	METRICS_FILL(LOOP, is_part, g->loops[g->context[id]].number)
	METRICS_FILL(RANGE_FIRST, range != NULL, range->first)
	METRICS_FILL(RANGE_ITERATIONS, range && range->iterations > 0, range->iterations)
	METRICS_FILL(TASKLOOP, range && kind == WN_GRAIN_TASKLOOP, range->taskloop)
	METRICS_FILL(THREAD, flags & WN_GF_STARTED, g->thread[id])
	METRICS_FILL(CPU, flags & WN_GF_STARTED && g->cpu[id] != UINT16_MAX, g->cpu[id])
	METRICS_FILL(CHILDREN, true, g->n_children[id])
	METRICS_FILL(INST_PAR_TWICE, has_profile, m->inst_par_median[id] * 2)
	METRICS_FILL(INST_PAR_MIN, has_profile, m->inst_par_min[id])
	METRICS_FILL(INST_PAR_MAX, has_profile, m->inst_par_max[id])
	METRICS_FILL(IS_PROBLEM, true, m->problems[id] != 0)
}

/* Old recorders do not record waits for mutexes: then locked time is unknown, even where there
 * were no waits. */
METRICS_INLINE bool
metrics_knows_locks(const struct wn_graph *g)
{
	return g->locked_ns || wn_trace_header(g->trace)->event_shape[WN_EV_MUTEX_WAIT];
}

METRICS_INLINE void
metrics_fill_times(struct wn_grain_row *row, const struct wn_metrics *m, wn_grain id,
                   uint64_t inputs)
{
	const struct wn_graph *g = m->g;
	uint16_t flags = g->flags[id];
	bool is_started = flags & WN_GF_STARTED;
	METRICS_FILL(BEGIN, g->begin_ns && is_started, g->begin_ns[id])
	METRICS_FILL(END, g->end_ns && flags & WN_GF_COMPLETED, g->end_ns[id])
	METRICS_FILL(EXEC, is_started, wn_exec_ns(g, id))
	METRICS_FILL(WORK, is_started, wn_work_ns(g, id))
	METRICS_FILL(MADE, is_started, wn_made_ns(g, id))
	METRICS_FILL(CREATION, flags & WN_GF_CREATION_KNOWN, wn_creation_ns(g, id))
	METRICS_FILL(SYNC, is_started, wn_sync_ns(g, id))
	METRICS_FILL(LOCKED, is_started && metrics_knows_locks(g),
	             g->locked_ns ? g->locked_ns[id] : 0)
	METRICS_FILL(CREATE_INSTANT, g->instant_ns && g->kind[id] != WN_GRAIN_IMPLICIT,
	             g->instant_ns[id])
	METRICS_FILL(GAIN, true,
	             m->options.pb_exec && !metrics_is_part_of_loop(g, id) ? wn_exec_ns(g, id)
	                                                                   : wn_work_ns(g, id))
}

/* Inputs from its parent, its siblings and its loop. */
METRICS_INLINE void
metrics_fill_around(struct wn_grain_row *row, const struct wn_metrics *m, wn_grain id,
                    uint64_t inputs)
{
	const struct wn_graph *g = m->g;
	wn_grain parent = g->parent[id];
	uint32_t fj = g->fj[id], context = g->context[id];
	bool is_part = metrics_is_part_of_loop(g, id);
	const struct wn_loop *loop = is_part ? &g->loops[context] : NULL;
	METRICS_FILL(PARENT_SYNC, parent != WN_NO_GRAIN, wn_sync_ns(g, parent))
	METRICS_FILL(PARENT_CHILDREN, parent != WN_NO_GRAIN, g->n_children[parent])
	METRICS_FILL(SIBLINGS, fj != WN_NO_FJ, g->fjs[fj].n_children)
	METRICS_FILL(SIBLINGS_SUM, fj != WN_NO_FJ, wn_fork_join_work(g, fj).sum_ns)
	METRICS_FILL(SIBLINGS_MAX, fj != WN_NO_FJ, wn_fork_join_work(g, fj).max_ns)
	METRICS_FILL(LOOP_CHUNKS, is_part, loop->n_chunks)
	METRICS_FILL(LOOP_SUM, is_part, loop->sum_work_ns)
	METRICS_FILL(LOOP_MAX, is_part, loop->max_work_ns)
	METRICS_FILL(LOOP_THREADS, is_part, loop->n_threads)
	METRICS_FILL(LOOP_THREAD_SUM, is_part, loop->sum_thread_work_ns)
	METRICS_FILL(LOOP_THREAD_MAX, is_part, loop->max_thread_work_ns)
	METRICS_FILL(LOOP_OVERHEAD, is_part, loop->overhead_ns)
	METRICS_FILL(LOOP_TRAILING, is_part, m->loop_trailing_ns[context])
	const struct wn_region *region =
	    is_part && loop->region < g->n_regions ? &g->regions[loop->region] : NULL;
	METRICS_FILL(REGION_FORKING, region != NULL, region->forking_ns)
	METRICS_FILL(REGION_PARTS, region != NULL, region->n_loops + region->n_sections)
}

/* Fills the requested inputs of a row: WN_INPUT(), a constant. Cost O(1). Pure. */
METRICS_INLINE void
metrics_fill(struct wn_grain_row *row, const struct wn_metrics *m, wn_grain id, uint64_t inputs)
{
	metrics_fill_structure(row, m, id, inputs);
	metrics_fill_times(row, m, id, inputs);
	metrics_fill_around(row, m, id, inputs);
}
