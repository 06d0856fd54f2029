/* SPDX-License-Identifier: MIT */
/* records.h - what a grain graph consists of: kinds and flags of grains, fork-joins, joins,
 * regions, loops, time of threads, counters, mutexes, calls of MPI, and what only imported tables
 * have. The graph itself is in graph.h. */
#pragma once

#include "graph/fragments.h"
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

/* A task with depend clauses or with dependents, or such a waitpoint (WN_GRAIN_HELPER). Its
 * predecessors are siblings; each edge is stored once, and only edges that do not follow from
 * others at the same address. Where a set of two or more tasks precedes two or more tasks, a gate
 * stands between. */
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

/* What threads did alone in the single or masked constructs of one site, in regions of another. */
struct wn_alone {
	uint32_t site, region_site;
	uint64_t work_ns; /* without tasks, and regions inside */
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
 * summed over all instances at one place, from which follows whether an imbalance is significant.
 */
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
	uint64_t off_cpu_ns; /* of a region: time of its threads off the CPU */
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
