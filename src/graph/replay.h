/* SPDX-License-Identifier: MIT */
/*
 * replay.h - the state machine that turns events, in the order of time, into a graph. Private.
 *
 *   build.c         columns, merging of the threads' streams, the end
 *   replay.c        what each event does
 *   replay_task.c   creating, beginning, ending tasks; forks
 *   replay_sync.c   waits, taskgroups, barriers, regions; joins
 *   replay_loop.c   loops, sections, chunks
 *   replay_depend.c which tasks wait for which siblings
 *   dependences.c   the same as edges, once all tasks are known
 *   account.c       where time goes
 *
 * Spans are computed on the way, as Cilkview does: each live grain carries its distance from the
 * start of the program. There are three of them (enum span_kind), advanced together.
 */
#ifndef WN_GRAPH_REPLAY_H
#define WN_GRAPH_REPLAY_H

#include "base/pool.h"
#include "graph/graph.h"

enum span_kind { SPAN_LOGICAL = 0, SPAN_SCHEDULED = 1, SPAN_BURDENED = 2, SPAN_N };

/* The latest end seen so far, with the grain that had it. */
struct latest {
	uint64_t dist[SPAN_N];
	wn_grain winner; /* of SPAN_LOGICAL */
	uint32_t winner_pos;
	uint64_t end_ns; /* real time of the last one that ended */
};

/* What a grain needs between its creation and its end. */
struct live {
	wn_grain id;
	uint64_t dist[SPAN_N];
	uint64_t piece_ns;      /* work since the last fragment ended */
	struct wn_run run;      /* its fragments */
	struct latest children; /* direct children that ended */
	uint32_t group;         /* innermost open taskgroup, own or inherited */
	uint32_t born_in_group;
	wn_grain implicit; /* implicit or initial task above */
	uint32_t region;   /* UINT32_MAX outside */
	uint32_t open_fj;  /* of the children made since the last join or opening of a group */
	uint32_t older_fj; /* others that are open at this depth of groups, newest first */
	uint32_t n_fjs;
	uint32_t pending_fj; /* of implicit tasks: fork-joins of rogue children */
	uint32_t n_regions, n_regions_in_context;
	uint32_t context, n_in_thread_context, n_in_context;
	uint32_t n_singles, n_loops, n_sections;
	uint32_t n_taskloops, n_taskloop_tasks;
	uint32_t n_taskloops_in_context, n_taskloop_tasks_in_context;
	uint32_t taskloop_number; /* of the taskloop met last, from 0 in its context */
	uint32_t barrier_number;
	uint32_t team_size;

	/* runtime activity of this grain that is going on */
	wn_grain creating; /* child whose creation is open */
	uint64_t creation_ns;
	uint64_t burden_ns; /* of its own creation, when it began before that ended */
	bool is_forking;    /* between REGION_BEGIN and REGION_END */
	bool is_ready_counted;
	bool in_taskloop;
	wn_grain taskloop_first; /* first task made by the open taskloop */
	uint32_t taskloop_n;
	uint64_t taskloop_trips;
	uint64_t taskloop_ns;
	/* dependences; lists of links, NO_INDEX = none */
	uint32_t member_of; /* sets that it is in, until it ends */
	uint32_t follows;   /* sets that precede it, until it begins */
	uint32_t n_unmet;   /* of those, sets with members that have not ended */
	uint32_t table;     /* what its children named */
	wn_grain waitpoint; /* the child made last, if it is one */
	bool is_offered;    /* deferred, and its creation is over */

	uint8_t sync_kind; /* 0 = not waiting */
	bool sync_joins;   /* this wait has something to join */

	/* worksharing; innermost construct of an implicit task */
	uint32_t loop; /* loop id, UINT32_MAX = none */
	uint32_t loop_fj;
	uint64_t loop_dist[SPAN_N];
	struct latest chunks;
	uint64_t loop_work_ns;   /* of the chunks of this loop ... */
	uint64_t chunks_work_ns; /* ... and of all loops */
	uint64_t dispatch_ns;    /* since the last chunk ended */
	uint64_t next_iteration; /* logical end of the last chunk */
	uint32_t n_in_loop;      /* chunks so far, all loops: birth order on this thread */
	uint32_t work_depth;     /* nesting of single, sections, loops */
	uint8_t work_kind[8];    /* innermost last; deeper ones are not tracked */

	/* a static share of several chunks runs as its first chunk */
	uint64_t share[5];
	bool is_share;
};

struct group {
	wn_grain owner;
	uint32_t outer;    /* next open group outwards */
	uint32_t outer_fj; /* fork-joins that its owner had open when it opened the group */
	uint32_t pending_fj;
	uint32_t n_members; /* tasks of it that have not ended */
	struct latest members;
};

struct barrier {
	uint32_t number;
	bool is_entered, is_released;
	struct latest entries;
};

/* What a region needs while it is open. */
struct team {
	uint32_t region;
	struct barrier barrier[2]; /* by parity: nobody enters n + 2 before all have left n */
	struct latest tasks;       /* tasks of the team that ended */
	wn_grain *implicit;        /* implicit tasks begun */
	size_t n_implicit, implicit_capacity;
	uint32_t *loops, *sections;
	size_t n_loops, loops_capacity, n_sections, sections_capacity;
	uint32_t n_ready; /* deferred tasks created and not begun */
	uint64_t ready_since_ns, ready_ns;
	uint64_t start_dist[SPAN_N];
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

struct replay_thread {
	struct wn_cursor cursor;
	struct wn_event event; /* next one, not yet handled */
	uint64_t event_ns;
	uint32_t index;
	wn_grain *stack;
	size_t depth, stack_capacity;
	uint32_t *open_regions;
	size_t n_open_regions, open_regions_capacity;
	uint64_t last_ns;    /* time up to which this thread is accounted */
	uint64_t ready_mark; /* team's ready_ns when the current wait piece began */
	uint64_t region_begin_ns;
	struct latest strays; /* tasks that ended outside all regions */
	uint32_t n_implicit;  /* implicit tasks on the stack */
	uint16_t cpu;
	bool creation_unknown, dispatch_unknown;
	wn_grain created; /* what it began to create last */
	bool may_carry;   /* it is what a waitpoint was for, if it has no clauses of its own */
	struct dep_clause *clauses;
	size_t n_clauses, clauses_capacity;
};

enum wait_end { WAIT_GOES_ON, WAIT_GOT_TASK, WAIT_RELEASED };

struct replay {
	struct wn_graph *g;
	struct wn_trace *trace;
	struct replay_thread *threads;
	uint32_t *heap; /* thread indices by event time */
	uint32_t n_heap;
	struct wn_pool lives, groups, teams;
	struct wn_pool cells; /* of runs of fragments */
	uint32_t *live_of;    /* [n] index into lives, NO_INDEX = not live */
	uint32_t *team_of;    /* [n_regions] index into teams, NO_INDEX = not open */
	uint32_t *fj_next;    /* [fjs_capacity] links of lists: pending ones, older ones */
	size_t fj_next_capacity;
	struct wn_pool dep_sets, dep_tables, dep_links;
	uint32_t n_dep_sets;
	struct dep_records members, followers; /* of all sets */
	uint64_t *named;                       /* scratch: addresses that a task names */
	size_t named_capacity;
	bool is_out_of_memory; /* found where nothing can be returned */
	uint64_t now_ns;       /* of the event that is being handled */
	uint64_t release_ns;   /* when the wait that ends now was fulfilled; 0 = unknown */
	wn_err *err;
};

#define NO_INDEX UINT32_MAX

/* All return WN_OK or WN_E_NOMEM (err filled); names say the rest. */
wn_status replay_event(struct replay *r, struct replay_thread *t);
wn_status replay_end(struct replay *r);
wn_grain new_id(struct replay *r, const struct replay_thread *t, uint64_t n_before_last);

/* account.c */
void account(struct replay *r, struct replay_thread *t, uint64_t now_ns, enum wait_end how);
void team_ready(struct team *team, uint64_t now_ns, int change);
uint64_t team_ready_ns(const struct team *team, uint64_t now_ns);

/* Counts a task as ready, if it is offered and waits for nothing. */
void ready_now(struct replay *r, struct live *l, uint64_t now_ns);

/* replay_depend.c */
void depend_init(struct replay *r);
void depend_fini(struct replay *r);
wn_status on_depend(struct replay *r, struct replay_thread *t);
wn_status depend_clauses_end(struct replay *r, struct replay_thread *t);
/* The task's first fragment is not before the end of what it depends on. */
void depend_begin(struct replay *r, struct live *l);
void depend_end(struct replay *r, struct live *l, uint64_t now_ns);
void depend_free(struct replay *r, struct live *l); /* what is left when a grain is gone */
/* Waits for the waitpoint that `p` has made last. */
bool depend_wait_joins(struct replay *r, const struct live *p);
uint64_t depend_wait_met_ns(struct replay *r, const struct live *p);
wn_status depend_wait_end(struct replay *r, struct live *p);
/* `p` makes another child, and not the one that the waitpoint was for. */
void depend_drop_waitpoint(struct replay *r, struct live *p);

/* dependences.c */
wn_status dependences_make(struct replay *r);

/* replay_task.c */
wn_status replay_no_memory(struct replay *r);         /* WN_E_NOMEM, err filled */
struct live *live_get(struct replay *r, wn_grain id); /* NULL if none */
struct live *actor(struct replay *r, const struct replay_thread *t);
wn_status live_new(struct replay *r, wn_grain id, struct live **out);
/* What is known of it while it lives goes; its fragments stay. */
void live_free(struct replay *r, wn_grain id);
wn_status fragment_end(struct replay *r, struct live *l);
wn_status stack_push(struct replay *r, struct replay_thread *t, wn_grain id);
wn_grain stack_top(const struct replay_thread *t);
wn_status thread_base(struct replay *r, struct replay_thread *t, uint64_t now_ns);
wn_status grain_adopt(struct replay *r, wn_grain id, wn_grain parent, struct live **out);
wn_status on_task_create(struct replay *r, struct replay_thread *t, wn_grain parent);
wn_status on_create_end(struct replay *r, struct replay_thread *t);
wn_status on_task_begin(struct replay *r, struct replay_thread *t, wn_grain id);
wn_status on_task_end(struct replay *r, struct replay_thread *t);
wn_status on_task_switch(struct replay *r, struct replay_thread *t);
/* Ends a grain for good: last fragment, those who wait for it, its state. */
wn_status grain_complete(struct replay *r, struct live *l, uint64_t now_ns);
wn_status on_task_range(struct replay *r, struct replay_thread *t);
wn_status on_taskloop_begin(struct replay *r, struct replay_thread *t);
wn_status on_taskloop_end(struct replay *r, struct replay_thread *t);
wn_status range_add(struct replay *r, wn_grain id, uint64_t first, uint64_t iterations);

/* replay_sync.c */
void latest_merge(struct latest *into, const struct latest *from);
void latest_add(struct latest *latest, const struct live *l, uint32_t last_join, uint64_t now_ns);
wn_status fj_new(struct replay *r, wn_grain owner, struct live *l, uint32_t *out);
wn_status join_new(struct replay *r, struct live *l, enum wn_join_kind kind,
                   const struct latest *latest, uint32_t fj);
wn_status context_join(struct replay *r, struct live *l, const struct latest *tasks);
/* Puts a fork-join in front of a list. */
void fj_pend(struct replay *r, uint32_t *list, uint32_t fj);
/* Moves all fork-joins that a grain has open, at any depth of groups, to older_fj. */
void gather_open(struct replay *r, struct live *l);
wn_status on_sync_begin(struct replay *r, struct replay_thread *t);
wn_status on_sync_end(struct replay *r, struct replay_thread *t);
wn_status on_group_begin(struct replay *r, struct replay_thread *t);
wn_status on_region_begin(struct replay *r, struct replay_thread *t);
wn_status on_region_end(struct replay *r, struct replay_thread *t);
wn_status on_implicit_begin(struct replay *r, struct replay_thread *t, wn_grain id);
wn_status on_implicit_end(struct replay *r, struct replay_thread *t);
wn_status region_close(struct replay *r, uint32_t region, uint64_t now_ns);
struct team *team_get(struct replay *r, uint32_t region); /* NULL if closed or none */

/* replay_loop.c */
wn_status on_work_begin(struct replay *r, struct replay_thread *t);
wn_status leave_loop(struct replay *r, struct live *l); /* if it is in one */
wn_status on_work_end(struct replay *r, struct replay_thread *t);
wn_status on_chunk_begin(struct replay *r, struct replay_thread *t, wn_grain id);
wn_status on_chunk_end(struct replay *r, struct replay_thread *t);
void chunk_completed(struct replay *r, struct live *l, uint64_t now_ns);
wn_status on_static_begin(struct replay *r, struct replay_thread *t, wn_grain first);

#endif /* WN_GRAPH_REPLAY_H */
