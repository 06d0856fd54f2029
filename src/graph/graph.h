/* SPDX-License-Identifier: MIT */
/*
 * graph.h - the grain graph of one run, stored as columns.
 *
 * A grain is identified by a dense 32-bit id. Ids follow the trace: each recorded thread has one
 * range, whose first id is the thread's context outside all regions, followed by what the thread
 * created (explicit tasks, its implicit tasks, its chunks) in order of creation. Not every id is a
 * grain in the sense of the papers: see enum wn_grain_kind.
 *
 * The graph is not stored as nodes and edges: the parent, fork-join and join columns imply them,
 * and graph/draw.h enumerates them on demand. Times are nanoseconds since the trace's start;
 * durations are nanoseconds. Sources: [P3] Table I for the properties, [P5] for the reduced form.
 */
#pragma once

#include "graph/fragments.h"
#include "graph/messages.h"
#include "graph/records.h"
#include "graph/timeline.h"
#include "graph/times.h"
#include "trace/trace_complete.h"
#include "trace/trace_reader.h"
#include "trace/trace_table.h"
#include "winnow/base.h"

/* How much a graph keeps; each includes the ones before. */
enum wn_graph_detail {
	WN_DETAIL_REPORT = 0, /* what a report needs: a lean graph, without what is marked below */
	WN_DETAIL_NAMES,      /* (n) names of grains: child numbers, ranges of chunks */
	WN_DETAIL_TIMES,      /* (t) times of day */
	WN_DETAIL_WHOLE       /* (w) joins and uses of mutexes, for drawing and replaying */
};

struct wn_graph {
	struct wn_trace *trace; /* borrowed; sites and header are read from it */
	uint32_t n;             /* ids, used or not */
	uint32_t n_threads;
	enum wn_graph_detail detail; /* columns of a higher one are NULL */
	uint32_t *first_id;          /* [n_threads + 1] first id of each recorded thread */

	/* columns [n] */
	uint8_t *kind;
	uint16_t *flags;
	uint16_t *cpu;          /* where it started; UINT16_MAX unknown */
	uint32_t *thread;       /* recorded thread it started on */
	wn_grain *parent;       /* WN_NO_GRAIN for initial contexts */
	uint32_t *child_number; /* (n) 1-based birth order within parent and context */
	uint32_t *context; /* of children of implicit tasks: 0 = thread itself, j + 1 = j-th single;
	                      of implicit tasks: region id; of chunks and sections: loop id */
	uint32_t *fj;      /* fork-join it belongs to, aliases resolved; WN_NO_FJ for initial */
	uint32_t *site;
	uint32_t *n_children;
	uint32_t *range;             /* 1 + index into ranges, 0 = none */
	uint32_t *after_join;        /* (w) parent's newest join when it was created */
	uint32_t *last_join;         /* (w) its own newest join at the end */
	uint64_t *begin_ns, *end_ns; /* (t) */
	struct wn_times work;     /* wn_work_ns(): own user code: no waiting, no task creation, no
	                             other grain. Of a live one: when it ends */
	struct wn_times made;     /* wn_made_ns(): time it spent creating its children */
	struct wn_times creation; /* wn_creation_ns(): time it took to create it; valid with
	                             WN_GF_CREATION_KNOWN. For chunks: the dispatch call that
	                             delivered it */
	struct wn_times sync;     /* wn_sync_ns(): time in its own taskwaits and taskgroups, without
	                             other grains run there; barriers are not counted */
	uint64_t
	    *instant_ns; /* (t) parent's execution time (work + made) when its creation ended */

	/* columns that exist only if some grain has a value; else NULL */
	uint64_t *locked_ns;    /* [n] time waiting for mutexes; neither work nor suspension */
	uint64_t *mpi_ns;       /* [n] time in calls of MPI; neither work nor suspension */
	uint64_t *recording_ns; /* [n] added by recording to its own user code: not in work_ns. NULL
	                           without a calibration */
	uint64_t *off_cpu_ns;   /* [n] of its own user code, preempted or blocked: not in work_ns.
	                           NULL without switch records */
	uint64_t *exec_ns; /* [n] execution time with calls of the runtime, where the source has it:
	                      an imported table. Else wn_exec_ns() adds it up */
	struct wn_imported *imported; /* NULL for a recorded run */
	struct wn_extra *extras;
	size_t n_extras;
	struct wn_counts *counts; /* [n_counts] by number of the counter */
	size_t n_counts;
	struct wn_carried *carried; /* NULL: no counts were transferred */
	uint32_t *label; /* [n] name that the program gave, for wn_trace_name(); 0 = none */

	struct wn_range *ranges;
	size_t n_ranges, ranges_capacity;
	struct wn_fork_join *fjs;
	struct wn_times fj_sum, fj_max; /* [n_fjs] wn_fork_join_work() */
	size_t n_fjs, fjs_capacity;
	struct wn_join *joins;      /* (w) */
	struct wn_join_step *steps; /* instead of joins; freed when the graph is built */
	size_t n_joins, joins_capacity;
	struct wn_region *regions;
	uint32_t n_regions;     /* region ids: thread ranges, as for grains */
	uint32_t *first_region; /* [n_threads + 1] */
	struct wn_loop *loops;
	size_t n_loops, loops_capacity;
	double *waited_ns; /* [n_waited] by site + 1: idle time of threads, no task being ready,
	                      while others of their team ran grains of that place; 0: of none */
	size_t n_waited, waited_capacity;
	struct wn_spread *spreads; /* in order of the first instance */
	size_t n_spreads, spreads_capacity;
	struct wn_thread_time *thread_time; /* [n_threads] NULL: the source has none */
	/* the site of the tasks with most of taskwait_ready_ns, if one has more than half of it;
	 * and by how much it leads */
	uint32_t taskwait_site;
	uint64_t taskwait_votes_ns;
	/* with a calibration: costs of all probes, and the sum of their standard deviations; pieces
	 * of time between two events, with and without a known cost */
	uint64_t probes_ps, probes_sigma_ps, n_probed, n_unprobed;

	struct wn_fragments fragments; /* of all grains */
	struct wn_durations durations; /* theirs; of a recorded run those of nonzero length */
	/* of a recorded run: runs of grains that ended only with the trace, including initial
	 * contexts */
	struct wn_fragments_mark last_runs;
	struct wn_cpu_move *moves; /* [n_moves] by grain and fragment */
	size_t n_moves, moves_capacity;
	uint8_t *has_moves; /* [n] bits: grains with moves; NULL: there are none */

	struct wn_mutex *mutexes; /* by place, in order of the first wait */
	size_t n_mutexes, mutexes_capacity;
	struct wn_mutex_use *mutex_uses; /* (w) in order of time */
	size_t n_mutex_uses, mutex_uses_capacity;
	struct wn_mpi_call *mpi_calls; /* by function and site, in order of the first call */
	size_t n_mpi_calls, mpi_calls_capacity;
	struct wn_messages messages;
	struct wn_mpi_misuse mpi_misuse;
	struct wn_mark *marks; /* in order of the first begin */
	size_t n_marks, marks_capacity;
	uint64_t
	    n_marks_unmatched; /* ends without a begin on their thread, begins without an end */

	/* dependences; NULL and 0 where there are none */
	uint32_t *dependent; /* [n] 1 + index into dependents, 0 = none */
	struct wn_dependent *dependents;
	size_t n_dependents, dependents_capacity;
	wn_grain *predecessors; /* by dependent */
	uint32_t *gates_before; /* gates, by dependent */
	struct wn_dep_gate *gates;
	size_t n_gates;
	wn_grain *gate_members;
	uint64_t n_dependences; /* edges between tasks: direct ones, and those to and from gates */
	uint64_t n_dep_steps; /* links and table entries visited to find them, for tests of cost */

	struct wn_path *path;         /* the critical path is by this weight; NULL = by work */
	uint64_t span_ns;             /* longest path, loop chunks independent (logical) */
	uint64_t span_scheduled_ns;   /* longest path, chunks of a thread chained */
	uint64_t span_burdened_ns;    /* logical, with creation and dispatch times on it */
	wn_grain span_end;            /* the grain whose end is the end of the span */
	uint32_t span_end_join;       /* its newest join there */
	uint64_t first_ns, last_ns;   /* first event with a time, and last event */
	struct wn_timeline *timeline; /* NULL unless built with it */
	uint64_t n_events;
	struct wn_anomalies anomalies;
	struct wn_alone *alone; /* [n_alone] single and masked constructs, by place and region */
	size_t n_alone, alone_capacity;
	struct wn_note_count *notes;
	size_t n_notes, notes_capacity;
};

/**
 * Builds the grain graph of a trace.
 *
 * Replays all threads' events in order of time (one pass), so that parents, joins, spans and the
 * state of the whole team are known at each event. A damaged trace yields a graph of its remaining
 * events; graph->anomalies and wn_trace_damage() describe the repairs.
 *
 * @param trace  must outlive the graph; its cursors are used.
 * @param out    written only on success; release with wn_graph_free().
 * @return WN_OK · WN_E_EMPTY · WN_E_LIMIT (more than 2^32 - 2 ids) · WN_E_NOMEM
 *
 * Cost     O(events * log threads); about 86 bytes per id, 3 to 5 per fragment, 40
 *          per join and 24 per fork-join.
 * Threads  needs exclusive use of its arguments.
 * Source   [P3] section III, Table I; grain-graph forms of [P5]; see doc/metrics.md.
 * Oracle   tests/property/prop_graph.c
 */
wn_status wn_graph_build(struct wn_trace *trace, struct wn_graph **out, wn_err *err);

/**
 * The same with less detail, which takes less memory. Without WN_DETAIL_WHOLE a graph can be
 * neither checked nor drawn, without WN_DETAIL_NAMES its grains have no names.
 *
 * Cost     O(events * log threads); of WN_DETAIL_REPORT 53 bytes per id, 3 to 5 per fragment, 12
 * per join (while it is built) and 24 per fork-join; of names 4 bytes more per id, of times 24.
 * Threads  needs exclusive use of its arguments.
 * Source   as wn_graph_build().
 * Oracle   tests/property/prop_metrics.c: metrics and advice are those of the whole graph.
 */
wn_status wn_graph_build_as(struct wn_trace *trace, enum wn_graph_detail detail,
                            struct wn_graph **out, wn_err *err);

/* As wn_graph_build_as(), with graph->timeline unless the trace is an imported table. Cost also 84
 * bytes per stretch, of which there is about one for 8 ids, and at least 2^17. */
wn_status wn_graph_build_timed(struct wn_trace *trace, enum wn_graph_detail detail,
                               struct wn_graph **out, wn_err *err);

void wn_graph_free(struct wn_graph *g);

/**
 * For an imported table: uses span and critical path of fragments, weighed by execution time,
 * instead of the reduced form's. Does nothing without fragments or without a table.
 * Cost  O(joins).
 */
void wn_graph_use_fragments(struct wn_graph *g);

/**
 * Joins tasks that a chunk or section created and did not wait for at the end of that chunk, as
 * the papers' runtime did, instead of at the barrier that OpenMP lets them run until.
 *
 * Changes the fork-joins of such grains, and the children and work of fork-joins. Joins, spans and
 * critical grains stay those of the recorded run, so that the graph no longer passes
 * wn_graph_check().
 *
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(n + fork-joins); 4 bytes per id and 1 per fork-join meanwhile.
 * Threads  needs exclusive use of the graph.
 * Source   [P5]; doc/metrics.md, "The graph".
 */
WN_MUST_CHECK wn_status wn_graph_join_at_chunks(struct wn_graph *g, wn_err *err);

/**
 * Switches path, work and critical grains to another weight than work: g->path.
 *
 * For a recorded run: "work"; "time", which is work, task creation and chunk dispatch; a counter
 * of the trace, its count during work. Spans stay those of work. For an imported table's reduced
 * form a column: "exec_cycles", "ins_count" or any other numeric column; then spans use it, too,
 * and missing or negative values count as 0. Ties: the owner before a child, the earlier before
 * the later; in tables the grain with the smaller number.
 *
 * @param name  must outlive the graph.
 * @return WN_OK · WN_E_ARG (no such weight; the message lists the available ones) · WN_E_NOMEM
 * Cost     that of another wn_graph_build(); of a table O(n + joins), 24 bytes per grain
 *          meanwhile, 16 of them kept.
 * Source   [P2], exposed task parallelism; [P5], Cilk-theory parallelism; doc/metrics.md,
 *          "Weights".
 * Oracle   tests/property/prop_graph.c, tests/import/oracle.py
 */
WN_MUST_CHECK wn_status wn_graph_use_weight(struct wn_graph *g, const char *name, wn_err *err);
void wn_path_free(struct wn_path *path);

static inline uint64_t
wn_work_ns(const struct wn_graph *g, wn_grain id)
{
	return wn_times_get(&g->work, id);
}

/* Returns a grain's weight on the marked path. */
static inline uint64_t
wn_path_weight(const struct wn_graph *g, wn_grain id)
{
	return g->path ? g->path->weight[id] : wn_work_ns(g, id);
}

/* Returns an imported grain's weight on paths of the form in use. */
static inline uint64_t
wn_imported_weight(const struct wn_graph *g, wn_grain id)
{
	const struct wn_imported *i = g->imported;
	return i->is_fragments ? g->exec_ns[id] : wn_path_weight(g, id);
}

/* Returns the name of the weight column of an imported table. */
static inline const char *
wn_imported_weight_name(const struct wn_graph *g)
{
	return g->imported->is_fragments ? "exec_cycles" : g->path ? g->path->name : "work_cycles";
}

/* Returns the values of an imported column, or NULL. */
const double *wn_graph_extra(const struct wn_graph *g, const char *name);

/* True for grains in the sense of the papers: explicit and taskloop tasks, chunks, sections; for
 * an imported table all rows, as in the R prototype. */
static inline bool
wn_is_grain(const struct wn_graph *g, wn_grain id)
{
	uint8_t k = g->kind[id];
	return k >= (g->imported ? WN_GRAIN_IMPLICIT : WN_GRAIN_TASK) && k <= WN_GRAIN_SECTION;
}

/* True for what drawings show as a rectangle: grains, and implicit tasks not hidden. */
static inline bool
wn_is_drawn(const struct wn_graph *g, wn_grain id)
{
	return wn_is_grain(g, id) ||
	       (g->kind[id] == WN_GRAIN_IMPLICIT && !(g->flags[id] & WN_GF_HIDDEN));
}

/* Returns a grain's dependences; NULL if no depend clause refers to it. */
static inline const struct wn_dependent *
wn_dependent(const struct wn_graph *g, wn_grain id)
{
	return g->dependent && g->dependent[id] ? &g->dependents[g->dependent[id] - 1] : NULL;
}

/* Returns the counter of that name; NULL if there is none, or name is NULL. Cost: O(counters). */
const struct wn_counts *wn_counts_named(const struct wn_graph *g, const char *name);

/* Returns, by a counter's `by`, whether the program counted itself, being compiled with `winnow cc
 * --count`. */
bool wn_is_counted_by_itself(const char *by);

/* Returns whether a part of a grain's work was not counted. */
static inline bool
wn_count_is_unknown(const struct wn_counts *c, wn_grain id)
{
	return c->is_unknown[id / 8] >> id % 8 & 1;
}

/* Returns the moves of a grain, in order; NULL and 0 if it stayed on its CPU, as most do. Cost:
 * O(log) if it has any, else O(1). */
const struct wn_cpu_move *wn_cpu_moves_of(const struct wn_graph *g, wn_grain id, size_t *n);

/* Return the CPU of a fragment (from 0); and the CPU on which the grain did most of its work,
 * among equals the first. UINT16_MAX: unknown. Cost: O(log + moves of the grain), the latter by
 * its CPUs. */
uint16_t wn_fragment_cpu(const struct wn_graph *g, wn_grain id, uint64_t fragment);
uint16_t wn_grain_main_cpu(const struct wn_graph *g, wn_grain id);

static inline struct wn_fork_join_work
wn_fork_join_work(const struct wn_graph *g, uint32_t fj)
{
	return (struct wn_fork_join_work){wn_times_get(&g->fj_sum, fj),
	                                  wn_times_get(&g->fj_max, fj)};
}

/* Adds the work of a child to its fork-join; false: out of memory. */
WN_MUST_CHECK static inline bool
wn_fork_join_add(struct wn_graph *g, uint32_t fj, uint64_t work_ns)
{
	uint32_t sum_ns = g->fj_sum.cells[fj];
	if (sum_ns < WN_TIMES_LONG && sum_ns + work_ns < WN_TIMES_LONG) { /* so is the longest */
		g->fj_sum.cells[fj] = sum_ns + (uint32_t)work_ns;
		if (work_ns > g->fj_max.cells[fj])
			g->fj_max.cells[fj] = (uint32_t)work_ns;
		return true;
	}
	return wn_times_add(&g->fj_sum, fj, work_ns) == 0 &&
	       wn_times_raise(&g->fj_max, fj, work_ns) == 0;
}

static inline uint64_t
wn_made_ns(const struct wn_graph *g, wn_grain id)
{
	return wn_times_get(&g->made, id);
}

static inline uint64_t
wn_creation_ns(const struct wn_graph *g, wn_grain id)
{
	return wn_times_get(&g->creation, id);
}

static inline uint64_t
wn_sync_ns(const struct wn_graph *g, wn_grain id)
{
	return wn_times_get(&g->sync, id);
}

/* Execution time without suspension: own work, task creation, and lock contention, during which
 * the task keeps its thread. */
static inline uint64_t
wn_exec_ns(const struct wn_graph *g, wn_grain id)
{
	if (g->exec_ns)
		return g->exec_ns[id];
	return wn_work_ns(g, id) + wn_made_ns(g, id) + (g->locked_ns ? g->locked_ns[id] : 0) +
	       (g->mpi_ns ? g->mpi_ns[id] : 0);
}

/**
 * Writes the schedule-independent id of a grain as text (doc/metrics.md, "Lineage").
 *
 * @param buffer  [size] receives at most size - 1 characters and a NUL.
 * @return the length of the full text, as snprintf.
 * Cost     O(depth * (1 + depth / 100000)). Threads  pure.
 */
size_t wn_graph_lineage(const struct wn_graph *g, wn_grain id, char *buffer, size_t size);

/* The last lineage written, and where each of its steps ends. */
#define WN_LINEAGE_STEPS 64
struct wn_lineage {
	uint32_t n; /* steps; 0 to begin with */
	struct {
		wn_grain id;
		uint32_t end;
	} steps[WN_LINEAGE_STEPS];
	char text[512];
};

/**
 * As wn_graph_lineage(), for many grains of one graph: writes only the steps in which the name
 * differs from the last one.
 *
 * @return `last->text`; NULL if the name is too long or too deep for `last`, and for imported
 *         tables and lean graphs.
 * Cost     O(depth) loads, and O(steps that differ). Threads  one `last` each.
 * Oracle   tests/property/prop_graph.c: wn_graph_lineage().
 */
const char *wn_graph_lineage_after(const struct wn_graph *g, wn_grain id, struct wn_lineage *last);

/* Writes the last step of a grain's lineage, after its parent's: "3", "s0.1", "L2[0:8)"; for an
 * implicit task "P0" or "s1.P0", without its own thread, which only its own lineage ends with; for
 * a context outside all regions "", or "I1". Otherwise as wn_graph_lineage(). Cost  O(1). */
size_t wn_graph_step(const struct wn_graph *g, wn_grain id, char *buffer, size_t size);

/**
 * Computes a hash of each grain's lineage: equal for equal names.
 *
 * @param out  [g->n]; entries of ids that were never created are not set.
 * @return WN_OK · WN_E_ARG (a lean graph) · WN_E_NOMEM
 * Cost     O(n); 1 byte per id meanwhile, and 4 per step of the longest path. Threads  pure.
 */
WN_MUST_CHECK wn_status wn_graph_lineage_hashes(const struct wn_graph *g, uint64_t *out,
                                                wn_err *err);

/**
 * Finds the grain, or the context outside all regions, with a lineage; among several (whose
 * creation was lost) the one with the lowest id.
 *
 * @param text  [length] need not end with a NUL.
 * @param err   on failure, the part of the name that does not exist.
 * @return WN_OK · WN_E_ARG (no such grain; a lean graph) · WN_E_NOMEM
 * Cost     O(n); 8 bytes per id meanwhile. Threads  pure.
 */
WN_MUST_CHECK wn_status wn_graph_find(const struct wn_graph *g, const char *text, size_t length,
                                      wn_grain *out, wn_err *err);

/**
 * Marks WN_GF_CRITICAL along one longest path, and nowhere else. Ties: the owner before a child,
 * the earlier before the later. Called by wn_graph_build(). Cost     O(grains). Source  [P3], [P5]
 * section on critical paths.
 */
void wn_graph_mark_critical(struct wn_graph *g);

/**
 * Verifies the graph: the grammar of reduced graphs locally at each node, acyclic parents, joins
 * in order, fragments that sum to their grain's work, and per thread region = work + runtime +
 * idle.
 *
 * @param err  on failure, the rule and the grain.
 * @return WN_OK · WN_E_INVARIANT · WN_E_NOMEM · WN_E_ARG (a lean graph)
 * Cost     O(n).
 */
wn_status wn_graph_check(const struct wn_graph *g, wn_err *err);

/* Judges whether the recording is complete, including what building the graph found. Cost: none. */
struct wn_verdict wn_graph_verdict(const struct wn_graph *g);
