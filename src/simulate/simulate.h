/* SPDX-License-Identifier: MIT */
/* simulate.h - predicts how long a recorded run would take on another number of threads, or after a
 * change: replays its grain graph on a model of the runtime's scheduler and of its contention.
 * Method, constants and measured errors: doc/prediction.md. */
#pragma once

#include "model/model.h"
#include "simulate/costs.h"

struct wn_simulation;

enum wn_sim_change_kind {
	WN_SIM_CHANGE_NONE = 0,
	WN_SIM_CHANGE_CUTOFF,       /* tasks of the place become plain calls below a limit */
	WN_SIM_CHANGE_FASTER,       /* work of grains of the place takes 1 / factor */
	WN_SIM_CHANGE_SHORTER_LOCK, /* work with a mutex acquired in grains of the place, likewise
	                             */
	WN_SIM_CHANGE_CHUNK,        /* loops of the place hand out chunks of this size */
	WN_SIM_CHANGE_SCHEDULE,     /* loops of the place have this schedule */
	WN_SIM_CHANGE_REDUCTION,    /* grains of the place add to a partial result of their thread,
	                               instead of acquiring a mutex */
	WN_SIM_CHANGE_SPLIT,        /* long work of grains of the place becomes `amount` tasks and a
	                               taskwait; is_at NULL: of serial code, a region of so many parts */
	WN_SIM_CHANGE_NO_WAIT,      /* grains of the place do not wait for their tasks */
	WN_SIM_CHANGE_RELAX,       /* instead of a taskwait, each task depends on those of the phase
	                              before at the same place in it, up to `amount` tasks off */
	WN_SIM_CHANGE_MERGE,       /* regions of the place that follow one another become one, with
	                              barriers between */
	WN_SIM_CHANGE_NESTED_OFF,  /* regions inside others have one thread */
	WN_SIM_CHANGE_WAIT_POLICY, /* amount: enum wn_wait_policy */
	WN_SIM_CHANGE_BINDING,     /* threads stay on CPUs of their own: as if they did already */
};

/* What a cut-off compares with its limit. */
enum wn_sim_cutoff {
	WN_SIM_CUTOFF_DEPTH,       /* removes tasks at this depth and deeper: the tasks above whose
	                              places have a cut-off, from 0 */
	WN_SIM_CUTOFF_WORK,        /* with less work than this, in ns, descendants' included */
	WN_SIM_CUTOFF_DESCENDANTS, /* with fewer descendants than this */
};

/* An edit of the graph. */
struct wn_sim_change {
	enum wn_sim_change_kind kind;
	enum wn_sim_cutoff measure; /* of WN_SIM_CHANGE_CUTOFF */
	const uint8_t *is_at; /* [sites of the trace] the places that it applies to; borrowed; NULL:
	                         it has no place */
	const uint8_t *is_mutex_at; /* [sites] of WN_SIM_CHANGE_REDUCTION: the mutexes first
	                               acquired there, in any grain, and is_at is not used; NULL:
	                               all mutexes of grains in is_at; borrowed */
	uint64_t chunk;  /* of WN_SIM_CHANGE_SCHEDULE: iterations; 0: the default of the schedule */
	uint64_t amount; /* limit, iterations per chunk, enum wn_work_kind, parts, policy */
	double factor;   /* of WN_SIM_CHANGE_FASTER and WN_SIM_CHANGE_SHORTER_LOCK, over 0; of
	                    WN_SIM_CHANGE_CUTOFF: work of removed tasks takes this share of its time,
	                    less ... */
	double
	    entry_ns; /* ... this for each of them: a plain call is shorter than a task's entry */
	double entry_spread; /* how far off that may be, as a ratio */
};

#define WN_SIM_CHANGES_MAX 7u

struct wn_scenario {
	uint32_t n_threads;  /* of the team; 0: as many as recorded */
	uint64_t seed;       /* of random choices: victims, winners of mutexes */
	bool is_as_recorded; /* with what recording added, and time off the CPU: for comparison with
	                        the recorded time */
	bool is_greedy;      /* without costs, throttle or scheduling constraints: a baseline */
	bool keeps_races; /* whether a wait for one task takes it, or another thread, is as recorded
	                   */
	double cost_scale;    /* of the costs of the runtime under contention; 0 = 1 */
	const double *growth; /* [sites of the trace + 1] work takes so many times as long as
	                         recorded, the last for grains without a site; borrowed; NULL: 1 */
	const struct wn_sim_change *changes;
	size_t n_changes; /* at most WN_SIM_CHANGES_MAX */
};

/* Categories of the simulated threads' time; they add up to threads x elapsed. */
enum wn_sim_time {
	WN_SIM_WORK,       /* user code, in regions and outside */
	WN_SIM_CREATION,   /* task creation, without the runtime's locks */
	WN_SIM_RUNTIME,    /* the runtime's own locks: waiting for them, and holding them */
	WN_SIM_SCHEDULE,   /* picking tasks up and ending them, stealing, chunk dispatch */
	WN_SIM_MUTEX,      /* the program's mutexes */
	WN_SIM_SYNC,       /* fork, join, barriers, wake-ups */
	WN_SIM_IDLE,       /* waiting, inside regions: no task was ready */
	WN_SIM_IDLE_READY, /* a task was ready, and the wait may not take it */
	WN_SIM_SERIAL,     /* idle threads while one is outside regions */
	WN_SIM_TIME_N
};

struct wn_sim_result {
	uint64_t elapsed_ns;
	uint64_t ns[WN_SIM_TIME_N]; /* of all threads */
	uint64_t work_ns;           /* total work with the changes */
	uint64_t n_tasks, n_inline; /* explicit tasks; those run in their creation */
	uint64_t n_shared_chunks;   /* that a loop's counter handed out to a team of several */
	uint64_t n_events;
};

/**
 * Builds the compact form of a run that simulations replay.
 *
 * @param x      of a whole graph; must outlive the result.
 * @param costs  of the runtime; NULL: those of the recording's calibration, or the defaults.
 * @param out    written only on success; release with wn_simulation_free().
 * @return WN_OK · WN_E_ARG (the run cannot be simulated: err has the reason) · WN_E_NOMEM
 * Cost     O(n log n); 60 bytes per grain of a recursion, until wn_simulation_free() 32.
 * Threads  pure. Source   doc/prediction.md. Oracle   tests/unit/test_simulate.c
 */
WN_MUST_CHECK wn_status wn_simulation_build(const struct wn_model *x, const struct wn_costs *costs,
                                            struct wn_simulation **out, wn_err *err);
void wn_simulation_free(struct wn_simulation *s);

/* Returns the costs in use, and the recorded number of threads. */
const struct wn_costs *wn_simulation_costs(const struct wn_simulation *s);
uint32_t wn_simulation_threads(const struct wn_simulation *s);

/* Returns the share of the recorded time that events take whose cost the recording's calibration
 * lacks, at 25 ns each: it is still in the times. 0 without a calibration. */
double wn_simulation_unprobed(const struct wn_simulation *s);

/* Returns why a change would have no effect, or NULL. Cost: O(grains + fragments). */
const char *wn_simulation_against(const struct wn_simulation *s, const struct wn_sim_change *c);

/**
 * Sets factor, entry_ns and entry_spread of a cut-off: how long the work of removed tasks takes as
 * plain calls.
 *
 * A task that does next to nothing still takes some nanoseconds, which a plain call does not: the
 * mean of the smaller half of the place's tasks without children. Nor does a plain call store
 * arguments for others: what tasks with children take longer, per child. Of more than 8 ns in all,
 * part is work.
 *
 * Cost     O(grains). Threads  pure. Source   doc/prediction.md, "Cut-offs".
 */
void wn_simulation_learn(const struct wn_simulation *s, struct wn_sim_change *c);

/* Recordings on other numbers of threads that wn_simulation_add_growth() takes. */
#define WN_SIM_GROWTH_MAX 16u

/**
 * Tells how long work takes on another number of threads, from another recording: predictions for
 * numbers between and beyond use it.
 *
 * @param ratio  [sites + 1] the place's work there by its work here; 0: unknown. The last: of
 * grains without a site.
 * @return WN_OK · WN_E_ARG (more than WN_SIM_GROWTH_MAX, or as many threads as recorded or as an
 *         earlier one) · WN_E_NOMEM
 * Source   doc/prediction.md, "Work that grows"
 */
WN_MUST_CHECK wn_status wn_simulation_add_growth(struct wn_simulation *s, uint32_t n_threads,
                                                 const double *ratio, wn_err *err);

/* What is known of how work grows: WN_GROWTH_MEMORY if only how much it would if it were bound by
 * memory. */
enum wn_growth {
	WN_GROWTH_NONE,       /* no more threads than recorded */
	WN_GROWTH_RECORDINGS, /* other recordings */
	WN_GROWTH_COUNTERS,   /* cache misses, and the profile of the machine's memory */
	WN_GROWTH_MEMORY,     /* the profile alone */
	WN_GROWTH_UNKNOWN,
};
enum wn_growth wn_simulation_growth(const struct wn_simulation *s, uint32_t n_threads);

/* Tells what each task that a recording with a cut-off lacks adds to work here, in ns: cut-offs use
 * it instead of an estimate. */
void wn_simulation_set_entry(struct wn_simulation *s, double entry_ns);

/**
 * Simulates the run: deterministic for a scenario.
 *
 * @param out  written only on success.
 * @return WN_OK · WN_E_ARG (too many changes; nested regions; a change that the graph does not
 *         allow) · WN_E_NOMEM · WN_E_INVARIANT (no thread can go on: the graph is inconsistent)
 * Cost     O(grains x log threads); 28 bytes per grain meanwhile.
 * Threads  pure. Oracle   tests/unit/test_simulate.c
 */
WN_MUST_CHECK wn_status wn_simulate(const struct wn_simulation *s,
                                    const struct wn_scenario *scenario, struct wn_sim_result *out,
                                    wn_err *err);

/* What limits a predicted run. */
enum wn_limit {
	WN_LIMIT_WORK,     /* all threads work nearly all the time */
	WN_LIMIT_SERIAL,   /* code outside regions */
	WN_LIMIT_SPAN,     /* too few tasks or iterations are ready */
	WN_LIMIT_RUNTIME,  /* contention for the runtime's locks */
	WN_LIMIT_CREATION, /* creating tasks */
	WN_LIMIT_SCHEDULE, /* picking up tasks, dispatching chunks */
	WN_LIMIT_MUTEX,    /* the program's own locks */
	WN_LIMIT_SYNC,     /* fork/join, barriers, wake-ups */
	WN_LIMIT_WAITS,    /* waits that may not take the tasks that are ready */
	WN_LIMIT_N
};
extern const char *const wn_limit_names[WN_LIMIT_N], *const wn_limit_titles[WN_LIMIT_N];

/* Replay of the recorded run. */
struct wn_self_check {
	uint64_t simulated_ns, recorded_ns;
	double error;        /* simulated / recorded - 1 */
	bool is_widened;     /* over 10 % */
	bool is_unknown;     /* the recorded run cannot be replayed, as with nested teams */
	const char *refused; /* over 25 %: why nothing is predicted; else NULL */
	const char *mostly;  /* the threads' time that differs most; NULL if is_unknown */
};

/* A range that spans more than this has no single number in it that is predicted. */
#define WN_PREDICT_OPEN 3.0

struct wn_prediction {
	uint32_t n_threads;
	uint64_t ns, low_ns, high_ns; /* predicted time, and the range for 90 % of cases */
	double speed_up, efficiency;  /* predicted time on 1 thread / this one; by threads */
	uint64_t greedy_ns;           /* without costs of the runtime, throttles and constraints */
	uint64_t burdened_ns;         /* work / threads + span with the burden of Cilkview */
	uint64_t bound_work_ns, bound_span_ns; /* it takes at least as long: work / CPUs; span */
	enum wn_limit limit;
	/* outcomes that differ depend on which thread is first: the medians of the faster and of
	 * the slower ones, and the share of the latter */
	bool is_race;
	uint64_t fast_ns, slow_ns;
	double slow_share;
	const char *extrapolated; /* NULL, or beyond what: CPUs or measured costs */
	const char *open; /* NULL, or why no single time is predicted: what is so little known that
	                     the range spans more than WN_PREDICT_OPEN, or a race of which both
	                     outcomes are likely. `ns` is the median of simulations all the same */
	enum wn_growth growth; /* what is known of how work grows with threads */
	double memory_ratio;   /* how many times as long work would take if memory bound it; 0:
	                          unknown */
	struct wn_sim_result result;
};

/* Is it a race of which both outcomes are likely? They are shown in place of a single time. */
static inline bool
wn_prediction_is_either(const struct wn_prediction *p)
{
	return p->is_race && p->open;
}

/* Compares the replay of the recorded run with it. Cost: one wn_simulate(). */
WN_MUST_CHECK wn_status wn_predict_check(const struct wn_simulation *s, struct wn_self_check *out,
                                         wn_err *err);

/**
 * Predicts the time of the plain run, not recorded, with a calibration; else of a recorded run.
 *
 * @param check  of wn_predict_check().
 * @return as wn_simulate()
 * Cost     about 12 simulations. Threads  pure. Source   doc/prediction.md, "Ranges".
 */
WN_MUST_CHECK wn_status wn_predict(const struct wn_simulation *s, const struct wn_self_check *check,
                                   const struct wn_scenario *scenario, struct wn_prediction *out,
                                   wn_err *err);
