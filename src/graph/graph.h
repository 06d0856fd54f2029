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
#ifndef WN_GRAPH_GRAPH_H
#define WN_GRAPH_GRAPH_H

#include "graph/fragments.h"
#include "graph/messages.h"
#include "graph/timeline.h"
#include "graph/times.h"
#include "trace/trace_complete.h"
#include "trace/trace_reader.h"
#include "trace/trace_table.h"
#include "winnow/base.h"

typedef uint32_t wn_grain;
#define WN_NO_GRAIN UINT32_MAX
#define WN_NO_JOIN  UINT32_MAX
#define WN_NO_FJ    UINT32_MAX

enum wn_grain_kind {
	WN_GRAIN_NONE = 0,     /* the id was handed out, but its creation was lost */
	WN_GRAIN_INITIAL = 1,  /* a thread's context outside all regions (S in drawings) */
	WN_GRAIN_IMPLICIT = 2, /* a team thread's share of a region: a wrapper */
	WN_GRAIN_TASK = 3,     /* explicit task */
	WN_GRAIN_TASKLOOP = 4, /* task made by a taskloop */
	WN_GRAIN_CHUNK = 5,    /* chunk of a worksharing loop */
	WN_GRAIN_SECTION = 6,
	WN_GRAIN_HELPER = 7, /* created by the runtime for itself (taskloop splitters, dependence
	                        pseudo-tasks): counted as runtime, never as a grain */
	WN_GRAIN_KIND_N
};

enum wn_grain_flag {
	WN_GF_STARTED = 1,
	WN_GF_COMPLETED = 2,
	WN_GF_CRITICAL = 4,        /* on the critical path */
	WN_GF_ESTIMATED = 8,       /* times are shares of a measured total (static chunks) */
	WN_GF_SERIAL = 16,         /* undeferred: its parent waited for it */
	WN_GF_CREATION_KNOWN = 32, /* creation_ns was measured */
	WN_GF_FINAL = 64,
	WN_GF_UNTIED = 128,
	WN_GF_DEPENDENT = 256,
	WN_GF_ROGUE = 512,   /* outlived its parent; joined by joined_by's fork-join */
	WN_GF_MOVED = 1024,  /* ran on more than one thread */
	WN_GF_HIDDEN = 2048, /* childless wrapper beside siblings with children: not drawn */
	WN_GF_UNDEFERRED = 4096,
	WN_GF_CANCELLED = 8192, /* created, and discarded by a cancellation before it ran */
	WN_GF_DETACHED = 16384, /* completed only when its event had been fulfilled, too */
	WN_GF_INLINE = 32768    /* deferrable, but run at once by the call that created it: the
	                           runtime had enough tasks queued */
};

/* A fork and its join: what `owner` created between two of its joins, openings and ends of
 * taskgroups. Fork-joins of an owner may overlap: children created before a taskgroup opens, or
 * after it ends, are not the group's; the next taskwait or barrier joins them, with one join for
 * each open fork-join. */
struct wn_fork_join {
	wn_grain owner;
	uint32_t index;      /* 0-based among the owner's fork-joins */
	uint32_t n_children; /* grains whose fj resolves to this one */
	uint32_t alias;      /* WN_NO_FJ, or the fork-join that actually joined these children */
};

/* Sums over the children of a fork-join. */
struct wn_fork_join_work {
	uint64_t sum_ns, max_ns;
};

enum wn_join_kind {
	WN_JOIN_TASKWAIT = 1,
	WN_JOIN_GROUP,
	WN_JOIN_BARRIER,
	WN_JOIN_REGION,     /* end of a parallel region, joining its implicit tasks */
	WN_JOIN_LOOP,       /* end of a loop's or sections' share of one thread; fj WN_NO_FJ if that
	                       thread got no chunk */
	WN_JOIN_UNDEFERRED, /* return from an undeferred task */
	WN_JOIN_DEPEND,     /* a wait for some tasks only: a taskwait with depend, or before an
	                       undeferred task with depend */
	WN_JOIN_FULFILL, /* a task with detach completes after the grain that fulfilled its event */
	WN_JOIN_KIND_N
};

/* Where the path into a join comes from: all that is kept of joins while a graph without them is
 * built. */
struct wn_join_step {
	uint32_t prev;
	wn_grain winner;
	uint32_t winner_pos;
};

/* A point where a grain waited. Ordered by time; linked per owner, newest first. */
struct wn_join {
	wn_grain owner;
	uint32_t prev;   /* the owner's join before this one, WN_NO_JOIN if first */
	wn_grain winner; /* the grain whose end was the latest by span; WN_NO_GRAIN = the owner */
	uint32_t winner_pos; /* the winner's last join then, from which its path goes on */
	uint32_t fj;         /* fork-join closed here, WN_NO_FJ if none */
	wn_grain waitpoint;  /* of WN_JOIN_DEPEND: the waitpoint that has the dependences */
	uint64_t
	    instant_ns; /* the owner's own execution time (work + made) when it began to wait */
	uint8_t kind;   /* enum wn_join_kind */
};

/*
 * A task with depend clauses or with dependents, or such a waitpoint (WN_GRAIN_HELPER). Its
 * predecessors are siblings; each edge is stored once, and only edges that do not follow from
 * others at the same address. Where a set of two or more tasks precedes two or more tasks, a gate
 * stands between.
 */
struct wn_dependent {
	wn_grain grain;
	wn_grain winner; /* the predecessor that its start waited for, by span; WN_NO_GRAIN = its
	                    creation was later */
	uint32_t winner_pos; /* the winner's last join then */
	wn_grain carrier;    /* of a waitpoint: the undeferred task it was for, or WN_NO_GRAIN */
	uint32_t n_predecessors, n_gates;
	size_t first_predecessor; /* in graph->predecessors */
	size_t first_gate;        /* in graph->gates_before */
};

/* All members end before any task after the gate starts. */
struct wn_dep_gate {
	size_t first_member; /* in graph->gate_members */
	uint32_t n_members, n_after;
};

struct wn_region {
	wn_grain parent;  /* the grain that met the construct */
	uint32_t number;  /* index among the regions it met in its context, from 0 */
	uint32_t context; /* the parent's then: 0 = itself, j + 1 = in its j-th single */
	uint32_t site;
	uint32_t requested, team_size; /* team size 0: no team thread was seen */
	uint32_t fj;
	uint32_t n_loops, n_sections, n_singles; /* constructs met by its team */
	uint32_t thread;                         /* recorded thread that met it */
	uint64_t begin_ns, end_ns;
	uint64_t sum_work_ns, max_work_ns; /* over implicit tasks, with their chunks and sections */
	uint64_t forking_ns; /* fork/join overhead on the thread that met it; at most end - begin */
	uint64_t own_work_ns; /* the part of sum_work_ns that is in no chunk or section */
	/* of outermost regions: user code of all threads meanwhile, the longest path in it
	 * (logical), and the longest time for which one mutex was held in all */
	uint64_t work_ns, span_ns, held_ns;
	uint32_t n_implicit;
	uint32_t is_closed;
	uint32_t
	    is_cancelled; /* a thread of it cancelled the region, or observed the cancellation */
};

/* A worksharing loop or sections construct, met by a whole team. */
struct wn_loop {
	uint32_t region;     /* UINT32_MAX outside regions */
	uint32_t number;     /* from 0 among the region's loops (or sections) */
	uint32_t site;       /* of the thread that began its first chunk, or met it first */
	uint32_t kind_flags; /* enum wn_work_kind | WN_LOOP_* */
	uint64_t trip_count;
	int64_t lower, step; /* user-visible; valid with WN_LOOP_BOUNDS */
	uint64_t chunk_size; /* 0 = not given */
	uint32_t n_chunks, n_threads;
	uint64_t sum_work_ns, max_work_ns;               /* over chunks */
	uint64_t sum_thread_work_ns, max_thread_work_ns; /* over threads that entered it */
	uint64_t overhead_ns;                            /* dispatch, all threads */
	uint32_t
	    longest_section; /* of sections: 1 + the index of that with max_work_ns; 0: unknown */
};

/* How evenly the threads of a team share the work between two barriers of a region, or of a loop,
 * summed over all instances at one place: what chance may explain can be told from what cannot. */
struct wn_spread {
	uint32_t site;  /* of the region or loop */
	uint32_t until; /* of a region: the barrier that ends the part; WN_NO_SITE: its end */
	uint32_t next;  /* private to the builder: another spread of that site */
	bool is_loop;
	uint64_t n;          /* instances in which two threads or more took part, and had work */
	double mean_ns;      /* sum over the instances of the mean work of the threads ... */
	double lost_ns;      /* ... of the busiest thread's work above the mean ... */
	double lost2_ns;     /* ... of the squares of that, in ns * ns */
	double wide_ns;      /* the part of mean_ns in instances with a wide gap, WN_SPREAD_WIDE */
	uint64_t *thread_ns; /* [n_threads] by thread number: its work in all instances */
	/* [n_threads] as long as that takes on the fastest CPU; NULL: their speeds are unknown, or
	 * about equal */
	uint64_t *fastest_ns;
	size_t n_threads, threads_capacity;
};

/* A busiest thread that works this many times the mean, or more, is above what equal work takes on
 * cores that are not disturbed. */
#define WN_SPREAD_WIDE 1.15

/* Barriers that are met less often are not too many. */
#define WN_SPREAD_MANY 100

/* Time of a recorded thread by account. Inside regions: region = work + creation + dispatch +
 * scheduling + leaving + mutex + mpi + idle_ready + idle_empty + nested_forking + preempted +
 * blocked, exactly. Time off the CPU is known from switch records; where there are none, preempted
 * and blocked are 0, and the time is in the others. */
struct wn_thread_time {
	uint64_t region_ns;
	uint64_t work_ns;       /* user code of grains and of implicit tasks */
	uint64_t creation_ns;   /* task creation */
	uint64_t dispatch_ns;   /* chunk dispatch */
	uint64_t scheduling_ns; /* in waits: until the thread got a task, while one was ready */
	uint64_t leaving_ns; /* in waits: from fulfilment of the condition to the end of the wait */
	uint64_t idle_ready_ns; /* in waits: a task was ready, but this thread did not get one */
	uint64_t taskwait_ready_ns; /* the part of idle_ready_ns in taskwaits and taskgroups */
	uint64_t idle_empty_ns;     /* in waits: no ready work */
	uint64_t forking_ns; /* fork/join overhead; outermost regions' lies outside region_ns */
	uint64_t nested_forking_ns; /* the part of forking_ns inside region_ns */
	uint64_t serial_ns;         /* user code outside regions */
	uint64_t mutex_ns;          /* inside regions: waiting for mutexes */
	uint64_t mpi_ns;            /* inside regions: in calls of MPI ... */
	uint64_t serial_mpi_ns;     /* ... and outside */
	uint64_t paused_ns; /* outside regions, after the program had paused the recording: neither
	                       serial code nor idle */
	uint64_t lost_ns;   /* time covered by a gap in the trace */
	/* inside regions: off the CPU, although it could have worked: in user code, in the runtime,
	 * and in waits that could have ended or in which a task was ready */
	uint64_t preempted_ns;
	uint64_t blocked_ns; /* inside regions: user code that gave the CPU up, to sleep or wait */
	uint64_t serial_preempted_ns; /* outside regions, likewise */
	uint64_t serial_blocked_ns;
	uint64_t unknown_ns; /* of its time on all accounts: without switch records */
	/* with a calibration: taken out of work, creation, dispatch and forking, inside regions and
	 * outside; and what all its probes cost, those in waits too, in picoseconds */
	uint64_t recording_ns, serial_recording_ns, probes_ps;
	uint32_t n_grains;
};

/* What a thread does: the account of its time, and of the growth of its counters. */
enum wn_account {
	WN_ACCOUNT_OWN = 0,  /* a grain's, an implicit task's or a context's own work */
	WN_ACCOUNT_CREATION, /* task creation by the runtime */
	WN_ACCOUNT_WAITING,  /* in a wait, without the tasks that run there */
	WN_ACCOUNT_DISPATCH, /* chunk dispatch */
	WN_ACCOUNT_FORKING,  /* fork/join overhead */
	WN_ACCOUNT_LOCKED,   /* waiting for a mutex */
	WN_ACCOUNT_MPI,      /* in a call of MPI */
	WN_ACCOUNT_PAUSED,   /* outside regions, recording paused */
	WN_ACCOUNT_OUTSIDE,  /* before and after the thread's recorded time */
	WN_ACCOUNT_LOST,     /* unattributed: part of the stream is missing */
	WN_ACCOUNT_N
};

/* A counter that the recorder has read at events, like the clock. */
struct wn_counts {
	const char *name, *unit,
	    *by;             /* borrowed from the trace; name NULL: the trace has no name for it */
	uint64_t *own;       /* [n] in own work, as work_ns */
	uint8_t *is_unknown; /* [n] bits: part of its work was not counted */
	uint64_t total;      /* of all threads; sum of sum[] */
	uint64_t sum[WN_ACCOUNT_N]; /* sum[WN_ACCOUNT_OWN] is the sum of own[] */
	uint32_t n_threads;         /* threads that counted it */
	bool is_carried; /* from another run: of own work only, and the total is unknown */
	/* how long it was requested, and scheduled on the processor, as threads recorded; 0: all
	 * the time */
	uint64_t enabled_ns, running_ns;
	uint32_t n_threads_without_turn; /* where it was requested, but never scheduled on the
	                                    processor */
};

/* A fragment that ran on another CPU than the previous one. */
struct wn_cpu_move {
	wn_grain grain;
	uint32_t fragment; /* index in the grain, from 0, as in graph->fragments */
	uint64_t work_ns;  /* of it and the following ones up to the next move */
	uint16_t cpu;      /* UINT16_MAX unknown */
};

/* Statistics of counts transferred from another run. */
struct wn_carried {
	uint64_t n_matched;        /* grains that have counts there */
	uint64_t n_without_counts; /* grains of this run that the other run lacks ... */
	uint64_t n_without_grains; /* ... and grains of the other run that this one lacks */
	uint64_t n_by_order;       /* matched where several have one name: by order */
	uint64_t
	    n_divided; /* with another number of pieces there: their weights are divided by time */
	uint64_t n_execs;    /* programs started there by exec, not counted */
	uint32_t n_threads;  /* that counted there */
	bool is_other_build; /* of the program */
	const char *by;      /* source of the counts; borrowed */
	/* what was not counted there, one line each; borrowed */
	const char *const *missing;
	size_t n_missing;
	/* lineages of the first grain without counts, and of the first without a grain here; "":
	 * there is none */
	char first_without_counts[48], first_without_grains[48];
};

/* What the builder had to guess or repair; all zero for a good trace. */
struct wn_anomalies {
	uint64_t n_unmatched;      /* ends without a begin, begins of ids never handed out */
	uint64_t n_incomplete;     /* tasks that never completed */
	uint64_t n_never_started;  /* tasks created, never run */
	uint64_t n_group_approx;   /* 0: no taskgroup is a guess any more; reports have the key */
	uint64_t n_lost;           /* ids whose creation record is missing */
	uint64_t n_parts_unseen;   /* times that an untied task was left at an unknown time */
	uint64_t n_counts_unknown; /* counts of unnamed counters, or implausibly large ones */
};

/* Logical iterations of a chunk or of a taskloop's task; a section's number. */
struct wn_range {
	uint64_t first;
	uint64_t iterations; /* 0 = unknown */
	uint64_t
	    taskloop; /* of taskloop tasks: index of the taskloop in the parent's context, from 0 */
};

struct wn_note_count {
	uint32_t site;
	uint32_t note; /* enum wn_note */
	uint64_t count;
};

/* Mutexes requested at one place. */
struct wn_mutex {
	uint32_t site;
	uint32_t shares_with; /* another entry, where one of its mutexes was requested before;
	                         itself: none */
	uint8_t kind;         /* enum wn_mutex_kind */
	uint64_t n_acquired;  /* times one was acquired */
	uint64_t n_contended; /* of these, after another task had held it or got it first; never for
	                         WN_MUTEX_DOACROSS, which has no holder */
	uint64_t wait_ns, max_wait_ns;
	uint64_t held_ns; /* until it was released */
};

/* Calls of one function of MPI at one place. */
struct wn_mpi_call {
	uint32_t name, site; /* name: for wn_trace_name(), "MPI_Send"; 0 = unknown */
	uint64_t n;          /* calls begun */
	uint64_t ns, max_ns; /* in calls that have ended: in all, and the longest one */
	uint64_t bytes;      /* of the messages whose size is known ... */
	uint64_t n_sized;    /* ... and their number */
	/* time of other calls that completed what these have started; a call that completes several
	 * is divided evenly */
	uint64_t waited_ns;
	enum wn_mpi_kind kind;
};

/* A mutex was acquired or released by a grain; not for doacross waits. In a whole graph only. */
struct wn_mutex_use {
	wn_grain grain;
	uint32_t mutex;     /* number of the mutex, from 0 */
	uint64_t offset_ns; /* work of the fragment before the acquisition began, or before the
	                       release */
	uint64_t wait_ns;   /* of an acquisition: since the request */
	uint32_t fragment;  /* index in the grain, from 0, as in graph->fragments */
	uint32_t place;     /* index in graph->mutexes: where it was acquired */
	uint8_t kind;       /* enum wn_mutex_kind */
	bool is_release;
};

/* A region that the program named, over all threads. */
struct wn_mark {
	uint32_t name; /* for wn_trace_name() */
	uint64_t count;
	uint64_t wall_ns; /* on the marking thread; of nested ones of one name, the outermost */
	uint64_t self_ns; /* without named regions inside */
	uint64_t max_ns;  /* the longest one */
	uint64_t work_ns; /* user code that the marking thread ran during the region, of any task */
};

/* A column of an imported table, from the file or computed by the import. */
struct wn_extra {
	const char *name, *unit; /* borrowed from the trace; unit "" = none */
	double *values;          /* [n] NAN = missing */
	bool is_derived;
};

/* Data that only graphs of imported tables have. */
struct wn_imported {
	const struct wn_table *table; /* borrowed from the trace */
	uint64_t span_fragments_ns;   /* longest path of fragments, by execution time */
	bool has_loops;               /* there are chunks, or tasks that represent them */
	bool has_fragments;           /* the table has create_instant: when tasks were created */
	uint64_t n_critical_fragments;
	uint32_t *critical_fragments; /* [n] of each grain; NULL without fragments */
	wn_grain *
	    fragment_winner; /* [n_fjs] the grain that a join waits for there; WN_NO_GRAIN = none */
	bool is_fragments;   /* wn_graph_use_fragments() has been called */
	uint64_t n_unmeasured;      /* tasks without execution time or work: both count as 0 */
	uint64_t n_negative_work;   /* tasks with more overhead than execution: work counts as 0 */
	uint64_t n_guessed;         /* tasks whose creation instants do not fit their children */
	uint64_t n_parents_guessed; /* of them: with children */
};

/* The longest path by a requested weight. */
struct wn_path {
	char name[64];
	const char *unit;   /* "ns", "", ...; borrowed */
	uint64_t work;      /* total weight, on the path or not */
	uint64_t span;      /* the heaviest path */
	uint64_t n_unknown; /* grains with unknown or partly unknown weight: they weigh less */
	uint64_t *weight;   /* [n] */
	bool has_fragments; /* else they are graph->fragments */
	struct wn_fragments fragments; /* their weights, in the same order */
};

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

/* Returns the moves of a grain, in order; NULL and 0 if it stayed on its CPU. Cost: O(log). */
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

#endif /* WN_GRAPH_GRAPH_H */
