/* SPDX-License-Identifier: MIT */
/*
 * replay.h - the state machine that converts events, in order of time, to a graph. Private.
 *
 *   build.c         columns, the end
 *   stream.c        the threads' events in the order of time
 *   handlers.def    which function takes which event
 *   replay.c        the events one after the other, and what is left when one's function is done
 *   replay_live.c   what is kept of a grain while it lives; fragments
 *   replay_create.c creating grains; forks
 *   replay_task.c   beginning and ending tasks
 *   replay_sync.c   waits, taskgroups, barriers; joins
 *   replay_region.c regions and their implicit tasks
 *   replay_loop.c   loops, sections, chunks
 *   replay_balance.c how evenly threads share work, and for what they wait
 *   replay_mutex.c  mutual exclusion
 *   replay_mpi.c    calls of MPI
 *   replay_user.c   names and marks from the program
 *   replay_cancel.c cancellation
 *   replay_depend.c which tasks wait for which siblings
 *   dependences.c   the same as edges, once all tasks are known
 *   account.c       where time goes
 *   weigh.c         a second replay, in which pieces weigh something else
 *   replay_off_cpu.c when threads were off the CPU
 *   replay_calibrated.c what recording added to times
 *   replay_counts.c attribution of counters
 *
 * Spans are computed on the way, as Cilkview does: each live grain carries its distance from the
 * start of the program. There are three of them (enum span_kind), advanced together.
 */
#pragma once

#include "base/pool.h"
#include "graph/graph.h"
#include "graph/packing.h"
#include "graph/replay_calibrated.h"
#include "graph/replay_cancel.h"
#include "graph/replay_depend.h"
#include "graph/replay_latest.h"
#include "graph/replay_loop.h"
#include "graph/replay_off_cpu.h"
#include "graph/replay_taskloop.h"
#include "graph/stream.h"
#include "graph/timeline.h"
#include "graph/weigh.h"

/* The state of a grain between its creation and its end. */
struct live {
	/* what most events need is together */
	wn_grain id;       /* WN_NO_GRAIN once it is freed */
	uint32_t index;    /* in the pool */
	uint8_t sync_kind; /* 0 = not waiting */
	bool sync_joins;   /* this wait has something to join */
	bool is_forking;   /* between REGION_BEGIN and REGION_END */
	bool is_ready_counted;
	bool is_passed;        /* between two parts of an undeferred child, which the runtime runs
	                          immediately */
	bool is_over;          /* ended, but kept for tasks that may split for it */
	bool is_offered;       /* deferred, and its creation is over */
	uint32_t region;       /* UINT32_MAX outside */
	wn_grain creating;     /* child whose creation is open */
	uint32_t first_thread; /* thread where it began */
	uint32_t thread;       /* thread where it began or resumed last */
	uint64_t counted_ns;   /* time up to which it is accounted, on any thread */
	uint64_t piece_ns;     /* work since the last fragment ended */
	uint32_t piece_cpu;    /* 1 + CPU at its begin; 0 = not yet begun */
	uint32_t move;         /* 1 + index of its last move; 0 = none */

	uint64_t dist[SPAN_N];
	uint64_t work_ns;      /* its work so far */
	uint64_t n_fragments;  /* that have ended ... */
	uint64_t ran_until_ns; /* ... and where the last one did, by span */
	uint64_t creation_ns;
	uint64_t burden_ns; /* of its own creation, if it began before that ended */
	uint32_t last_join; /* its newest join */
	uint32_t open_fj;   /* of the children created since the last join or opening of a group */
	uint32_t older_fj;  /* others open at this depth of groups, newest first */
	uint32_t group;     /* innermost open taskgroup, own or inherited */
	uint32_t born_in_group;
	wn_grain implicit;      /* implicit or initial task above */
	struct latest children; /* direct children that ended */
	uint32_t n_fjs;
	uint32_t context, n_in_thread_context, n_in_context;
	uint32_t team_size, thread_num;
	uint32_t detached; /* index, for a task with an event to be fulfilled; NO_INDEX = none */
	struct live_taskloop taskloop;
	struct live_unstarted unstarted;
	struct live_depend depend;
	struct live_work work;

	uint32_t first_group; /* implicit tasks: open taskgroups of its tasks, as a list */
	uint32_t first_inner; /* implicit tasks: open regions met in it, as a list */
	uint32_t pending_fj;  /* implicit tasks: fork-joins of rogue children */
	uint32_t n_regions, n_regions_in_context;
	uint32_t n_singles, n_loops, n_sections;
	uint32_t barrier_number;
	uint64_t barrier_work_ns; /* its own work at the last barrier ... */
	uint64_t barrier_off_ns;  /* ... and its time off the CPU */
	uint64_t weighed;         /* weight of its ended pieces, by the weigher's counter */
	uint64_t begin_ns;        /* of a chunk */
};

/* A task that completes when its event is fulfilled and its body is over, whichever is later. */
struct detached {
	bool is_fulfilled, is_body_over;
	struct latest by; /* the path of the fulfilling grain at that time */
};

struct group {
	wn_grain owner;
	uint32_t outer;    /* next open group outwards */
	uint32_t outer_fj; /* fork-joins that its owner had open when it opened the group */
	uint32_t pending_fj;
	uint32_t n_members; /* tasks of it that have not ended */
	struct latest members;
	wn_grain unstarted; /* members that have not begun, as a list */
	wn_grain implicit;  /* its owner's; links that task's groups */
	uint32_t previous, next;
	bool is_cancelled;
};

struct barrier {
	uint32_t number;
	bool is_entered, is_released;
	uint32_t spread;    /* entry of graph->spreads; NO_INDEX = none yet */
	uint32_t n_arrived; /* threads, with their work since the barrier before */
	uint64_t sum_ns, busiest_ns;
	struct latest entries;
};

/* The state of a region while it is open. */
struct team {
	uint32_t region;
	struct barrier barrier[3]; /* by parity: no thread enters n + 2 before all have left n; and
	                              the last one of a cancelled region */
	struct latest tasks;       /* tasks of the team that ended */
	wn_grain *implicit;        /* implicit tasks begun */
	size_t n_implicit, implicit_capacity;
	uint32_t *loops, *sections;
	size_t n_loops, loops_capacity, n_sections, sections_capacity;
	uint32_t n_ready; /* deferred tasks created and not begun */
	uint64_t ready_since_ns, ready_ns;
	uint32_t n_running, n_waiting;     /* threads, see replay_balance.c */
	double blame;                      /* its clock ... */
	uint64_t blame_ns, blame_ready_ns; /* ... as of this time, and of ready_ns */
	uint64_t start_dist[SPAN_N];
	uint32_t start_join;    /* newest join then of the grain that met it */
	uint64_t start_work_ns; /* user code of all threads before it; outermost regions only */
	wn_grain unstarted;     /* its tasks in no group that have not begun, as a list */
	wn_grain outer;         /* implicit task or context in which the region was met ... */
	uint32_t next_inner;    /* ... and the next open region that was met there */
	bool is_cancelled;
};

/* One depend clause. */
struct dep_clause {
	uint64_t address;
	uint8_t kind; /* enum wn_depend_kind */
};

struct dep_record {
	uint32_t set;
	wn_grain grain;
};

struct dep_records {
	struct dep_record *records;
	size_t n, capacity;
};

/* A thread's wait for a mutex. */
struct mutex_wait {
	uint64_t name, since_ns;
	uint64_t n_acquired; /* number of acquisitions at that time */
	uint32_t where;      /* entry of graph->mutexes */
	uint8_t kind;
	bool is_contended, is_on;
};

/* A thread's call of MPI. */
struct mpi_open {
	uint64_t since_ns;
	size_t depth;  /* of the stack: what is on top of it is the program's again */
	uint32_t call; /* entry of graph->mpi_calls */
	bool is_on;
	bool is_posted, is_receive; /* has MPI_POST, MPI_RECEIVE */
	uint32_t known, received_known;
	int64_t peer, tag, received_peer, received_tag;
	uint64_t communicator, request;
	size_t first_step; /* of the steps of MPI_DONEs of this call */
	uint32_t n_done;   /* of posts that are known: indices in replay->mpi_done */
};

/* A request of MPI: the last post that it stood for. */
struct mpi_request {
	uint64_t request;
	uint32_t call; /* 1 + entry of graph->mpi_calls; 0: free */
	uint32_t step; /* NO_INDEX: none that matters */
};

/* What a thread does for a team, see replay_balance.c. */
enum doing { DOING_OTHER, DOING_RUN, DOING_WAIT };

struct doing_what {
	enum doing what;
	uint32_t region, site;
	double mark; /* the team's clock when it began */
};

/* A named region that a thread is in. */
struct open_mark {
	uint32_t mark; /* entry of graph->marks, NO_INDEX = none */
	uint64_t since_ns, worked_ns, inner_ns;
};

/* The last pieces of a thread's time, which will be one stretch of the timeline, and the time of
 * its states when they began. */
struct short_pieces {
	struct wn_stretch stretch; /* without `ns`; length_ns 0: there are none */
	uint64_t until_ns; /* a piece that ends before this time goes on with it; 0 = none does */
	uint64_t states_ns[WN_THREAD_STATES_N];
};

struct replay_thread {
	const struct stream_event *at; /* the event being handled, with its thread's state */
	const uint64_t *v;             /* its values */
	uint64_t event_ns;
	uint32_t index;
	struct wn_thread_time *time; /* its entry of graph->thread_time */
	struct stack_entry {
		wn_grain id;
		struct live *live; /* its state when it was pushed; NULL: it had none */
	} * stack;
	size_t depth, stack_capacity;
	uint32_t *open_regions;
	size_t n_open_regions, open_regions_capacity;
	uint64_t last_ns; /* time up to which this thread is accounted */
	struct {          /* the innermost single or masked construct that it executes */
		bool is_open;
		wn_grain id; /* of the implicit task */
		uint32_t site;
		uint64_t from_ns; /* the task's work until then */
	} alone;
	struct short_pieces pieces;
	/* no later than it is next off the CPU, or not known to be on one; UINT64_MAX = never */
	uint64_t off_next_ns;
	uint64_t ready_mark; /* team's ready_ns when the current piece of the wait began */
	uint64_t region_begin_ns;
	struct latest strays; /* tasks that ended outside all regions */
	uint32_t n_implicit;  /* implicit tasks on the stack */
	size_t left_depth;    /* depth of an entry that has continued on another thread; 0 = none */
	uint16_t cpu, cpu_before; /* as recorded; up to the last timed event */
	struct calibrated calibrated;
	struct doing_what doing;
	bool creation_unknown, dispatch_unknown;
	struct mutex_wait wait;
	struct mpi_open mpi;
	uint64_t in_mpi_ns; /* in calls that have ended */
	struct open_mark *marks;
	size_t n_marks, marks_capacity;
	bool is_paused;
	wn_grain created; /* the task whose creation it began last */
	bool may_carry;   /* may take over a waitpoint's clauses, if it has none of its own */
	struct dep_clause *clauses;
	size_t n_clauses, clauses_capacity;
	uint64_t counted, has_counted; /* counters that it reads now; that it has ever read */
	struct wn_count_share {
		uint64_t enabled_ns, running_ns;
	} * shares;        /* [n_counts] as last recorded */
	uint64_t *pending; /* [n_counts] growth since its last timed event */
	bool has_pending;
};

enum wait_end { WAIT_GOES_ON, WAIT_GOT_TASK, WAIT_RELEASED };

struct replay {
	struct wn_graph *g;
	struct wn_trace *trace;
	bool is_whole; /* no thread has records that are missing at its end */
	struct stream *stream;
	struct replay_thread *threads;
	struct wn_pool lives, groups, teams;
	struct packing *packing;
	struct packing_notes *notes; /* left to the reader; NULL: packed at once */
	uint32_t *team_of;           /* [n_regions] index into teams, NO_INDEX = not open */
	uint32_t recent_region;      /* the region that was opened last, while it is open ... */
	struct team *recent_team; /* ... and its team, for most lookups; else NO_INDEX and NULL */
	uint32_t *closing;        /* [n_closing] regions that end together with the current one */
	size_t n_closing, closing_capacity;
	uint32_t *fj_next; /* [fjs_capacity] links of lists: pending ones, older ones */
	size_t fj_next_capacity;
	struct wn_pool dep_sets, dep_tables, dep_links;
	uint32_t n_dep_sets;
	struct dep_records members, followers; /* of all sets */
	uint64_t *named;                       /* scratch: addresses in a task's clauses */
	size_t named_capacity;
	struct mutex *mutexes; /* by name, open addressing */
	size_t n_mutexes, mutexes_capacity;
	uint64_t most_held_ns; /* by one mutex since the last end of an outermost region ... */
	uint32_t n_outermost;  /* ... which is the end of this many */
	uint32_t *mpi_call_at; /* by function and site, open addressing: 1 + its entry */
	size_t mpi_calls_capacity;
	struct mpi_request *mpi_requests; /* by request, open addressing */
	size_t n_mpi_requests, mpi_requests_capacity;
	uint32_t *mpi_done; /* scratch: entries of graph->mpi_calls that a call completes */
	size_t mpi_done_capacity;
	uint32_t *mpi_communicator_of; /* by number in the trace: 1 + index; 0 = unknown */
	size_t mpi_communicators_capacity;
	uint32_t n_in_mpi;         /* threads */
	uint32_t mpi_thread;       /* that has initialised MPI; NO_INDEX = none yet */
	uint32_t mpi_other_thread; /* 1 + the thread that communicates; 0 = none yet */
	uint32_t *mutex_at;        /* [n_mutex_at] by site: 1 + entry of graph->mutexes */
	size_t n_mutex_at, mutex_at_capacity;
	uint32_t *spread_of; /* [n_spread_of] by site + 1: 1 + the newest of graph->spreads there */
	size_t n_spread_of, spread_of_capacity;
	uint32_t *mark_of; /* [n_mark_of] by name: 1 + entry of graph->marks */
	size_t n_mark_of, mark_of_capacity;
	struct wn_pool detached;
	bool is_out_of_memory; /* set where no status can be returned */
	wn_grain met; /* discarded tasks whose dependences have just been fulfilled, as a list */
	const struct replay_thread *current; /* thread whose event is being handled */
	uint64_t n_handled;                  /* events */
	_Atomic(uint32_t) n_parents;         /* that have created tasks */
	uint64_t now_ns;                     /* of the event being handled */
	uint64_t release_ns;  /* when the condition of the ending wait was fulfilled; 0 = unknown */
	struct off_cpu *off;  /* [n_threads]; NULL: the trace has no switch records */
	uint32_t *off_heap;   /* [n_threads] threads by their next switch */
	uint64_t off_turn_ns; /* the next switch of all threads; UINT64_MAX = none */
	struct compensation compensation;
	const struct wn_weigher *weigher; /* NULL: paths are of work */
	const struct wn_graph *like; /* graph of an earlier replay with the same joins; or NULL */
	wn_err *err;
};

#define NO_INDEX UINT32_MAX

/* While a grain is live, its entry of graph->thread is its index in the pool, and it has this flag,
 * whose own meaning is set when the replay is over. */
#define GF_LIVE WN_GF_CRITICAL

/* Lookups needed at every event. */
static inline struct live * /* NULL if none */
live_get(const struct replay *r, wn_grain id)
{
	if (id == WN_NO_GRAIN || !(r->g->flags[id] & GF_LIVE))
		return NULL;
	return wn_pool_at_sized(&r->lives, r->g->thread[id], sizeof(struct live));
}

/* Returns the thread where a grain, live or not, began. */
static inline uint32_t
first_thread_of(const struct replay *r, wn_grain id)
{
	const struct live *l = live_get(r, id);
	return l ? l->first_thread : r->g->thread[id];
}

static inline struct team * /* NULL if closed or none */
team_get(const struct replay *r, uint32_t region)
{
	if (region == r->recent_region)
		return r->recent_team;
	if (region == NO_INDEX || r->team_of[region] == NO_INDEX)
		return NULL;
	return wn_pool_at(&r->teams, r->team_of[region]);
}

static inline wn_grain
stack_top(const struct replay_thread *t)
{
	return t->depth ? t->stack[t->depth - 1].id : WN_NO_GRAIN;
}

/* Returns the state of an entry; faster than live_get(). */
static inline struct live * /* NULL if none */
entry_live(const struct replay *r, const struct stack_entry *e)
{
	struct live *l = e->live;
	return l && l->id == e->id && !l->is_over ? l : live_get(r, e->id);
}

static inline struct live * /* NULL if none */
live_top(const struct replay *r, const struct replay_thread *t)
{
	return t->depth ? entry_live(r, &t->stack[t->depth - 1]) : NULL;
}

/* Returns the state of the top, or of the entry it was started from if it is known to have moved
 * to another thread. */
static inline struct live * /* NULL if none */
live_runs(const struct replay *r, const struct replay_thread *t)
{
	size_t depth = t->depth;
	if (depth == t->left_depth && depth > 0)
		depth--;
	return depth ? entry_live(r, &t->stack[depth - 1]) : NULL;
}

/* Nanoseconds up to now during which the team had a ready task. */
static inline uint64_t
team_ready_ns(const struct team *team, uint64_t now_ns)
{
	bool goes_on = team->n_ready && now_ns > team->ready_since_ns;
	return team->ready_ns + (goes_on ? now_ns - team->ready_since_ns : 0);
}

static inline struct detached * /* NULL: it completes at its end */
detached_of(const struct replay *r, const struct live *l)
{
	return l->detached == NO_INDEX ? NULL : wn_pool_at(&r->detached, l->detached);
}

/* Adds the cost of task creation and chunk dispatch to the paths that include it. */
static inline void
bear(const struct replay *r, struct live *l, uint64_t ns)
{
	l->dist[SPAN_BURDENED] += ns;
	if (r->weigher && r->weigher->by == WN_WEIGH_TIME)
		l->dist[SPAN_LOGICAL] += ns;
}

/* Columns that a lean graph lacks. */
static inline void
set_ns(uint64_t *column, wn_grain id, uint64_t ns)
{
	if (column)
		column[id] = ns;
}

static inline void
set_number(uint32_t *column, wn_grain id, uint32_t number)
{
	if (column)
		column[id] = number;
}

/* Sets or increases a time; events that follow one for which memory ran out are not handled. */
static inline void
set_time(struct replay *r, struct wn_times *times, wn_grain id, uint64_t ns)
{
	r->is_out_of_memory |= wn_times_set(times, id, ns) != 0;
}

/* As wn_exec_ns(), which knows the work of grains that have ended. */
static inline uint64_t
live_exec_ns(const struct replay *r, const struct live *l)
{
	return wn_exec_ns(r->g, l->id) - wn_work_ns(r->g, l->id) + l->work_ns;
}

static inline void
count_time(struct replay *r, struct wn_times *times, wn_grain id, uint64_t ns)
{
	r->is_out_of_memory |= wn_times_add(times, id, ns) != 0;
}

/* Removes a task from the list of those that have not begun, if it is in one. */
static inline void
unstarted_remove(struct replay *r, struct live *l)
{
	if (l->unstarted.is_listed)
		unstarted_unlist(r, l);
}

/* Moves the start of the task's first fragment to after the end of its predecessors. */
static inline void
depend_begin(struct replay *r, struct live *l)
{
	if (l->depend.follows != NO_INDEX)
		depend_follow(r, l);
}

/* Its dependents no longer wait for a grain that has ended. */
static inline void
depend_end(struct replay *r, struct live *l, uint64_t now_ns)
{
	if (l->depend.member_of != NO_INDEX || r->met != WN_NO_GRAIN)
		depend_leave(r, l, now_ns);
}

/* Frees what is left when a grain is freed. */
static inline void
depend_free(struct replay *r, struct live *l)
{
	const struct live_depend *d = &l->depend;
	if (d->waitpoint != WN_NO_GRAIN || d->member_of != NO_INDEX || d->follows != NO_INDEX ||
	    d->table != NO_INDEX)
		depend_drop(r, l);
}

/* build.c: what is built. */
struct graph_plan {
	enum wn_graph_detail detail;
	bool has_timeline;
	size_t n_stretches;               /* of the timeline; 0: by the number of grains */
	const struct wn_weigher *weigher; /* NULL, or: paths and fragments have its weights */
	const struct wn_graph *like; /* graph of an earlier replay with the same joins; or NULL */
};
wn_status graph_build(struct wn_trace *trace, const struct graph_plan *plan, struct wn_graph **out,
                      wn_err *err);

/* weigh.c, for a replay with a weigher: fragment_end(); how far a grain has progressed in its
 * piece. */
wn_status weigh_piece(struct replay *r, struct live *l);
void weigh_so_far(const struct replay *r, const struct live *l, uint64_t dist[SPAN_N]);

/* All return WN_OK or WN_E_NOMEM (err filled). */
wn_status replay_events(struct replay *r); /* all of the stream */
wn_grain new_id(struct replay *r, const struct replay_thread *t, uint64_t n_before_last);
/* Returns the id with a number on a thread; WN_NO_GRAIN if there is none. */
wn_grain named_id(const struct replay *r, uint64_t thread, uint64_t number);

/* account.c */
void account(struct replay *r, struct replay_thread *t, uint64_t now_ns, enum wait_end how);
/* The time up to the event is covered by a gap of the stream. */
void account_gap(struct replay *r, struct replay_thread *t);
/* The same for an event that may occur within a wait, but does not belong to it and does not cut
 * it. */
void account_aside(struct replay *r, struct replay_thread *t);
/* There are no more pieces. */
void account_end(struct replay *r);
/* The team has one ready task more, or one less. */
static inline void
team_ready(struct team *team, uint64_t now_ns, int change)
{
	if (team->n_ready && now_ns > team->ready_since_ns)
		team->ready_ns += now_ns - team->ready_since_ns;
	team->ready_since_ns = now_ns;
	if (change > 0)
		team->n_ready++;
	else if (team->n_ready)
		team->n_ready--;
}

/* A thread waits from now on, or goes on to wait after a task. */
static inline void
wait_piece_begins(struct replay *r, struct replay_thread *t, const struct team *team,
                  uint64_t now_ns)
{
	t->ready_mark = team_ready_ns(team, now_ns);
	if (r->off)
		off_cpu_wait_begins(r, t);
}

/* Counts a task as ready, if it is offered and waits for no predecessor. */
void ready_now(struct replay *r, struct live *l, uint64_t now_ns);

/* Handlers of events, in the files that handlers.def names. */
#define WN_HANDLER(event, function) wn_status function(struct replay *r, struct replay_thread *t);
#include "graph/handlers.def"
#undef WN_HANDLER

/* replay_counts.c */
wn_status counts_init(struct replay *r);
/* Adds to the count of a note at a place. */
wn_status note_add(struct replay *r, uint32_t site, enum wn_note note, uint64_t count);
/* Adds the current thread's counts up to here to an account; OWN goes to the given grain, where
 * `has_run` marks that it ran for a time. */
void counts_give(struct replay *r, struct replay_thread *t, enum wn_account account, wn_grain id,
                 bool has_run);
/* Moves a part of one grain's counts to another. */
void counts_split(struct replay *r, wn_grain from, wn_grain to, double part);
/* Called after the last event of all threads. */
void counts_end(struct replay *r);

/* moves.c: a grain's fragment of this number has ended, piece_ns long; and all have. */
wn_status move_add(struct replay *r, struct live *l, uint64_t fragment);
wn_status moves_end(struct wn_graph *g, wn_err *err);

static inline wn_status
move_note(struct replay *r, struct live *l, uint64_t fragment)
{
	if (l->piece_cpu == 0)
		return WN_OK;
	if (l->move || l->piece_cpu - 1 != r->g->cpu[l->id])
		return move_add(r, l, fragment);
	l->piece_cpu = 0; /* still on its first CPU, the common case */
	return WN_OK;
}

/* replay_mutex.c */
void mutex_fini(struct replay *r);

/* replay_mpi.c */
void mpi_fini(struct replay *r);

/* replay_messages.c */
wn_status messages_init(struct replay *r);
void messages_fini(struct replay *r);
void messages_call_begins(struct replay *r, struct replay_thread *t);
wn_status messages_call_ends(struct replay *r, struct replay_thread *t);
void messages_end(struct replay *r);

/* replay_balance.c */
void blame_change(struct replay *r, struct replay_thread *t, enum doing what, uint32_t region,
                  uint32_t site);
/* Called after an event, with the grain that the thread runs. */
static inline void
blame_turn(struct replay *r, struct replay_thread *t, const struct live *l)
{
	const struct doing_what *now = &t->doing;
	enum doing what = DOING_OTHER;
	uint32_t region = NO_INDEX, site = 0;
	if (l) {
		region = l->region;
		site = r->g->site[l->id];
		if (l->sync_kind)
			what = DOING_WAIT;
		else if (!t->wait.is_on && !l->is_forking)
			what = DOING_RUN;
	}
	/* nothing is counted for a team that is over, so that it does not matter when it ended */
	if (what != now->what || region != now->region || site != now->site)
		blame_change(r, t, what, region, site);
}
/* Returns the entry of a region's part, or of a loop. */
wn_status spread_find(struct replay *r, uint32_t site, uint32_t until, bool is_loop, uint32_t *out);
wn_status spread_add_thread(struct replay *r, uint32_t spread, uint32_t thread_num, uint64_t ns);
/* Counts an instance that is over. */
void spread_add_instance(struct wn_spread *spread, uint32_t n_threads, uint64_t sum_ns,
                         uint64_t busiest_ns);
/* Called after the last event: loops are instances. */
wn_status spreads_end(struct replay *r);

/* replay_user.c */
void marks_end(struct replay *r, struct replay_thread *t);

/* replay_live.c */
wn_status replay_no_memory(struct replay *r); /* WN_E_NOMEM, err filled */
struct live *actor(struct replay *r, const struct replay_thread *t);
wn_status live_new(struct replay *r, wn_grain id, struct live **out);
/* Frees the state of a live grain; its fragments stay. */
void live_free(struct replay *r, wn_grain id);
wn_status fragment_end(struct replay *r, struct live *l);
/* Appends a fragment to those of a grain. */
wn_status fragment_add(struct replay *r, struct live *l, uint64_t start_ns, uint64_t ns);
wn_status last_fragment_end(struct replay *r, struct live *l);
wn_status stack_push(struct replay *r, struct replay_thread *t, wn_grain id);
wn_status thread_base_push(struct replay *r, struct replay_thread *t, uint64_t now_ns);
/* Pushes the thread's own context on an empty stack: it acts outside all regions. */
static inline wn_status
thread_base(struct replay *r, struct replay_thread *t, uint64_t now_ns)
{
	return t->depth ? WN_OK : thread_base_push(r, t, now_ns);
}

/* replay_create.c */
/* Gives a fresh id a live state below a parent whose own, `p`, may be unknown (NULL). */
wn_status grain_adopt(struct replay *r, wn_grain id, wn_grain parent, const struct live *p,
                      struct live **out);
/* Its completion requires an event in addition to its end. */
wn_status detach(struct replay *r, struct live *l);
/* Handles an id that begins without having been created: its creation record was lost. */
wn_status find_lost(struct replay *r, struct replay_thread *t, wn_grain id);
wn_status range_add(struct replay *r, wn_grain id, uint64_t first, uint64_t iterations);

/* replay_task.c */
wn_status task_begin(struct replay *r, struct replay_thread *t, wn_grain id);
/* Completes a grain: its last fragment, its waiters, its state. */
wn_status grain_complete(struct replay *r, struct live *l, uint64_t now_ns);

/* replay_sync.c */
void latest_merge(struct latest *into, const struct latest *from);
/* Ties keep the earlier one, so that the critical path is reproducible. */
static inline void
latest_add(struct latest *latest, const struct live *l, uint64_t now_ns)
{
	if (latest->winner == WN_NO_GRAIN || l->dist[SPAN_LOGICAL] > latest->dist[SPAN_LOGICAL]) {
		latest->winner = l->id;
		latest->winner_pos = l->last_join;
	}
	for (int k = 0; k < SPAN_N; k++)
		if (l->dist[k] > latest->dist[k])
			latest->dist[k] = l->dist[k];
	if (now_ns > latest->end_ns)
		latest->end_ns = now_ns;
}
wn_status fj_new(struct replay *r, wn_grain owner, struct live *l, uint32_t *out);
wn_status join_new(struct replay *r, struct live *l, enum wn_join_kind kind,
                   const struct latest *latest, uint32_t fj);
wn_status context_join(struct replay *r, struct live *l, const struct latest *tasks);
/* Prepends a fork-join to a list. */
void fj_pend(struct replay *r, uint32_t *list, uint32_t fj);
/* Moves all fork-joins that a grain has open, at any depth of groups, to older_fj. */
void gather_open(struct replay *r, struct live *l);
bool is_barrier(uint32_t kind);
/* Joins the tasks that a waiting grain's barrier has waited for. */
wn_status barrier_leave(struct replay *r, struct live *l);
/* Counts the work after its last barrier, when an implicit task ends. */
wn_status barrier_work_end(struct replay *r, struct live *l);
/* Counts what threads did before the barriers of a team that is over. */
void barriers_end(struct replay *r, struct team *team);
/* Returns when the condition of a grain's wait was fulfilled, as far as is known by now. */
uint64_t fulfilled_ns(struct replay *r, struct live *l);

/* replay_region.c */
wn_status region_close(struct replay *r, uint32_t region, uint64_t now_ns);
