/* SPDX-License-Identifier: MIT */
/* engine.h - state of one simulation. Each thread has one next event: what it does until then is
 * accounted when the event is scheduled, or when a blocked thread is woken. Shared state changes
 * only in events, which are handled in the order of time, so each change sees all earlier ones. */
#pragma once

#include "simulate/program.h"

#define NEVER UINT64_MAX

/* What a thread's next event is. */
enum phase {
	PHASE_STEP,    /* the work before the current step is done */
	PHASE_CREATED, /* the task is allocated: insert it */
	PHASE_QUEUED,  /* the queue's lock was held: it is inserted */
	PHASE_GO_ON,   /* after a step: the next one */
	PHASE_ENTER,   /* starts `target` inside the current grain */
	PHASE_LOOK,    /* looks whether a wait can end, or a task is ready */
	PHASE_LOCKED,  /* the same, holding the lock of queue `locked` */
	PHASE_CHUNK,   /* a chunk was dispatched: [chunk, chunk_end) */
	PHASE_CHUNK_END,
	PHASE_ACQUIRED, /* the mutex */
	PHASE_LEAVE,    /* a barrier */
	PHASE_JOIN,     /* a region, as its master */
	PHASE_BEGIN,    /* an implicit task */
};

enum blocked {
	BLOCKED_NOT = 0,
	BLOCKED_WAIT,    /* in a taskwait, end of a taskgroup, or wait for dependences */
	BLOCKED_BARRIER, /* or the end of a region */
	BLOCKED_MUTEX,
	BLOCKED_DOCK, /* outside regions */
	BLOCKED_N,
};

/* The next event of a thread; at_ns is NEVER if it has none. */
struct event {
	uint64_t at_ns;
	uint32_t thread;
};

#define COSTS_KNOWN 17u /* costs up to so many threads less one are computed once */

enum grain_flag {
	STATE_DONE = 1,
	STATE_DEFERRED = 2, /* queued by its creation, not run in it */
	STATE_QUEUED = 4,
	STATE_CREATED = 8,
	STATE_REMOVED = 16, /* by a cut-off: a part of its parent */
	STATE_AFTER = 32,   /* implicit task that follows another one of its nested region, on the
	                       same thread: the first one has executed their loops */
};

struct link {
	uint32_t next, prev;
};

/* A grain is in lists until it starts, and has steps from then on. */
struct grain_state {
	union {
		struct {
			struct link team, sibling; /* lists of waiting tasks */
		};
		struct {
			uint32_t first_child; /* newest waiting child */
			uint32_t below;       /* on its thread's stack */
			uint32_t step;
			uint32_t looped; /* tasks of a taskloop to be created: queued without a
			                    lock each ... */
		};
	};
	uint32_t thread; /* that runs it; before, that created it */
	uint8_t flags;
	bool is_looped_inline; /* ... or all run at once */
	uint8_t factor;        /* of its work: index into engine->factors */
};
_Static_assert(sizeof(struct grain_state) == 24, "bytes per grain");

/* A serial resource: served in the order of requests, service time by the number of threads. */
struct resource {
	uint64_t free_ns;
	uint32_t n; /* threads that wait for it or hold it */
	uint32_t last_thread;
	uint32_t last_parent; /* whose list of children was changed last; NONE */
};

struct queue {
	struct resource lock;
	uint32_t first, last, n;
};

struct sim_mutex {
	uint32_t holder, first_waiting, last_waiting, n_waiting;
	uint32_t last_thread;
};

struct loop_state {
	struct resource counter;
	uint64_t next; /* iteration; in detailed loops the chunk */
	uint32_t turn; /* chunk that may enter `ordered` */
};

struct sim_thread {
	uint64_t blocked_since_ns, ready_mark_ns; /* the engine's ready time then */
	uint64_t ns[WN_SIM_TIME_N];
	uint64_t chunk, chunk_end; /* of the current loop */
	uint64_t share, share_end; /* of a static loop, or of static stealing */
	struct queue deque;        /* libomp */
	uint32_t top, target, finished, locked, victim;
	uint32_t implicit, first_implicit; /* indices in the region's list; carried ones follow */
	uint32_t loop;
	uint32_t generation; /* of the barrier it has arrived at */
	uint32_t next_waiting;
	uint32_t lock_parent; /* whose list of children it will change with the lock */
	uint32_t n_nested;
	uint8_t phase, blocked;
	bool is_spawned; /* the runtime has created it */
	bool is_in_region, is_skeleton, holds_shorter;
	bool at_barrier;  /* it has arrived at one, and runs tasks */
	bool has_barrier; /* one of its implicit tasks has met one since the last */
	bool is_ended;    /* all of its implicit tasks have */
	bool is_counter;  /* the chunk comes from the loop's counter */
};

struct engine {
	const struct program *p;
	const struct wn_costs *c;
	const struct wn_scenario *scenario;
	struct grain_state *state;
	struct cutoffs cutoffs;
	uint32_t *fj_open; /* [n_fjs] children that are not done */
	/* newest waiting task of a taskgroup [n_fjs], and its lists [n_grains]; NULL without any */
	uint32_t *group_first;
	struct link *group_links;
	struct loop_state *loops;
	struct sim_mutex *mutexes;
	uint32_t *unmet; /* [n_nodes + n_gates] predecessors that are not done; NULL: none */
	struct sim_thread *threads;
	struct event *heap; /* the next event of each thread */
	uint32_t *heap_at;  /* [n_threads] its index there */
	uint64_t costs_ns[WN_COST_N][COSTS_KNOWN];
	uint32_t n_blocked[BLOCKED_N]; /* threads */
	uint32_t n_threads;
	/* of work: bit 0 of the index: removed by a cut-off, bit 1 + i: the i-th change */
	double factors[2u << WN_SIM_CHANGES_MAX]; /* 8 bits */
	double shorter;                           /* of work in shortened critical sections */
	double cost_scale;
	uint64_t spin_ns; /* a thread waits so long before it sleeps */
	bool is_omp, is_greedy;
	uint64_t random;

	/* the open region */
	struct sim_grain skeleton; /* implicit task of threads beyond the recorded ones */
	uint32_t region, team, n_arrived, n_ended, generation;
	uint32_t n_open;    /* deferred tasks that are not done */
	uint32_t n_tasks;   /* of these, those without unmet dependences: for the throttle */
	uint32_t n_running; /* tasks that barriers run */
	struct queue queue; /* libgomp */
	uint32_t n_ready;   /* queued tasks */
	uint64_t ready_ns,
	    ready_since_ns; /* time with any, up to the last change to or from none */
	uint64_t now_ns, end_ns;
	uint64_t n_created, n_inline, n_shared_chunks, n_events, work_ns;
	bool is_over, has_created, has_waited;
};

_Static_assert(WN_SIM_CHANGES_MAX < 8, "an index into factors has 8 bits");

static inline uint32_t
sim_site_of(const struct engine *e, uint32_t grain)
{
	return grain < e->p->n_grains ? e->p->site[grain] : WN_NO_SITE;
}

static inline bool
sim_has_unmet(const struct engine *e, uint32_t grain)
{
	return e->unmet && grain < e->p->n_nodes && e->unmet[grain] > 0;
}

/* The grains after the recorded ones are the implicit tasks of threads beyond those. */
static inline const struct sim_grain *
sim_grain_of(const struct engine *e, uint32_t grain)
{
	return grain < e->p->n_grains ? &e->p->grains[grain] : &e->skeleton;
}

static inline uint32_t
sim_thread_index(const struct engine *e, const struct sim_thread *t)
{
	return (uint32_t)(t - e->threads);
}

static inline const struct step *
sim_step_of(const struct engine *e, const struct sim_thread *t)
{
	return &e->p->steps[e->state[t->top].step];
}

/* It has arrived at a barrier, and runs no task now. */
static inline bool
sim_is_at_barrier(const struct engine *e, const struct sim_thread *t)
{
	return t->at_barrier && t->n_nested == 0 &&
	       sim_grain_of(e, t->top)->kind == WN_GRAIN_IMPLICIT;
}

/* engine.c */
void sim_schedule(struct engine *e, struct sim_thread *t, uint64_t after_ns, enum phase phase,
                  enum wn_sim_time account);
void sim_block(struct engine *e, struct sim_thread *t, enum blocked why);
/* A blocked thread goes on. */
void sim_wake(struct engine *e, struct sim_thread *t, enum phase phase);
/* Accounts the time for which it was blocked; returns it. */
uint64_t sim_unblock(struct engine *e, struct sim_thread *t);
/* A task was queued, or taken from a queue. */
void sim_ready(struct engine *e, int change);
uint64_t sim_cost_computed(const struct engine *e, enum wn_cost which, uint32_t k);
static inline uint64_t
sim_cost_of(const struct engine *e, enum wn_cost which, uint32_t k)
{
	return k < COSTS_KNOWN ? e->costs_ns[which][k] : sim_cost_computed(e, which, k);
}
/* Waits for a resource and holds it; the event `phase` is its release, where n is to be
 * decremented. */
void sim_serve(struct engine *e, struct sim_thread *t, struct resource *r, enum wn_cost which,
               enum phase phase, enum wn_sim_time account);
/* How many times as long as recorded the work of a site takes. */
double sim_growth_of(const struct engine *e, uint32_t site);
uint32_t sim_random_below(struct engine *e, uint32_t n);
/* The first call of a function of the runtime takes longer, by an unknown part of the cost COLD
 * times `n_costs`; returns 0 if `is_done`, which it sets. */
uint64_t sim_cold_ns(struct engine *e, bool *is_done, uint32_t n_costs);
void sim_start_step(struct engine *e, struct sim_thread *t);
void sim_next_step(struct engine *e, struct sim_thread *t);
void sim_enter(struct engine *e, struct sim_thread *t, uint32_t grain);
/* The task is done: successors, waiters, barrier. */
void sim_complete(struct engine *e, struct sim_thread *t, uint32_t grain);
bool sim_wait_is_over(const struct engine *e, const struct sim_thread *t);
/* The wait is over: goes on. */
void sim_wait_leave(struct engine *e, struct sim_thread *t);

/* tasks.c: queues of both runtimes. */
void sim_task_create(struct engine *e, struct sim_thread *t, uint32_t grain);
void sim_task_created(struct engine *e, struct sim_thread *t);
void sim_task_queued(struct engine *e, struct sim_thread *t);
void sim_task_finished(struct engine *e, struct sim_thread *t, uint32_t grain);
/* A task with dependences has become ready. */
void sim_task_ready(struct engine *e, struct sim_thread *t, uint32_t grain);
/* A thread waits: looks for a task. */
void sim_wait_find_task(struct engine *e, struct sim_thread *t);
void sim_wait_locked(struct engine *e, struct sim_thread *t);

/* loops.c */
void sim_loop_enter(struct engine *e, struct sim_thread *t, uint32_t loop);
void sim_loop_dispatched(struct engine *e, struct sim_thread *t);
/* After a chunk with steps: the thread's place in the loop, which inner loops may have used. */
void sim_loop_resume(const struct engine *e, struct sim_thread *t, uint32_t chunk);
void sim_loop_chunk_end(struct engine *e, struct sim_thread *t);

/* region.c */
void sim_region_begin(struct engine *e, struct sim_thread *t, uint32_t region);
/* An implicit task of a nested region has ended: the next one of it, or what follows the region. */
void sim_nested_next(struct engine *e, struct sim_thread *t, uint32_t grain);
void sim_implicit_begin(struct engine *e, struct sim_thread *t);
void sim_barrier_arrive(struct engine *e, struct sim_thread *t, bool is_end);
void sim_barrier_check(struct engine *e, struct sim_thread *t);
void sim_barrier_leave(struct engine *e, struct sim_thread *t);
void sim_region_join(struct engine *e, struct sim_thread *t);

/* mutexes.c */
void sim_mutex_acquire(struct engine *e, struct sim_thread *t, const struct step *s);
void sim_mutex_acquired(struct engine *e, struct sim_thread *t);
void sim_mutex_release(struct engine *e, struct sim_thread *t, const struct step *s);
void sim_ordered_next(struct engine *e, uint32_t loop);
