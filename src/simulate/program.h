/* SPDX-License-Identifier: MIT */
/* program.h - the compact form of a run that simulations replay: for each grain its steps in
 * program order, each with the work before it. Nothing in it depends on the recorded schedule,
 * except which implicit task executed what is not in a loop. */
#pragma once

#include "simulate/simulate.h"

#define NONE UINT32_MAX

enum step_kind {
	STEP_END,     /* of the grain */
	STEP_CREATE,  /* target: the task */
	STEP_LOOPED,  /* the next `target` steps create the tasks of one taskloop */
	STEP_WAIT,    /* for the children of fork-join `target`: taskwait ... */
	STEP_GROUP,   /* ... or end of a taskgroup */
	STEP_DEPENDS, /* for the predecessors of waitpoint `target` */
	STEP_BARRIER,
	STEP_LOOP,    /* target: the loop */
	STEP_REGION,  /* target: the region */
	STEP_ACQUIRE, /* target: the mutex */
	STEP_ORDERED, /* likewise, of `ordered` */
	STEP_RELEASE,
	STEP_WORK, /* nothing: work that does not fit into one step */
};

#define STEP_WORK_MAX ((1u << 28) - 1)

/* Long runs have hundreds of millions. */
struct step {
	uint32_t kind : 4;     /* enum step_kind */
	uint32_t work_ns : 28; /* before it */
	uint32_t target;
};
_Static_assert(sizeof(struct step) == 8, "bytes per step");

enum sim_grain_flag {
	SIM_UNDEFERRED = 1, /* by the program: if(0), final */
	SIM_DETAIL = 2,     /* a chunk with steps of its own */
	SIM_INLINE = 4,     /* ran in its creation, as recorded */
	/* the only task of an implicit task, recorded on another thread, or on the same one */
	SIM_TAKEN = 8,
	SIM_KEPT = 16,
};

/* Its parent and site are in the graph. */
struct sim_grain {
	uint32_t first_step;
	uint32_t fj;    /* fork-join that joins it; of a chunk its index in `chunks` */
	uint16_t level; /* tasks above it */
	uint8_t kind;   /* enum wn_grain_kind */
	uint8_t flags;
};
_Static_assert(sizeof(struct sim_grain) == 12, "bytes per grain");

struct sim_chunk {
	uint64_t first, iterations;
	uint64_t work_ns, extra_ns;          /* extra: recording and time off the CPU */
	uint64_t before_ns, before_extra_ns; /* of the loop's earlier chunks */
	uint32_t grain;
	uint32_t n_beside; /* of the loop's chunks up to this one: those after another thread's */
};

struct sim_loop {
	uint32_t first_chunk, n_chunks; /* by iteration */
	uint32_t site;
	uint8_t kind;     /* enum wn_work_kind */
	bool is_detailed; /* chunks have steps: they stay as they are */
	bool is_ordered;
	uint64_t trip_count, chunk_size;
	/* what a chunk takes longer after one of another thread, 0: not known; the share of chunks
	 * that follow such a one */
	double beside_ns, beside_share;
};

struct sim_region {
	uint32_t first_implicit, n_implicit; /* in `implicit`, by thread number */
	uint32_t team_size;
	uint32_t site;
	bool is_nested, is_scaled; /* scaled: has as many threads as the program */
	uint64_t work_ns;          /* of outermost regions: of all threads */
	uint64_t hidden_ns;        /* of it, what may be static loops of gcc; 0: none is */
};

/* Parts of the threads' time that both the recording and its replay have. */
enum sim_part { SIM_PART_WORK, SIM_PART_RUNTIME, SIM_PART_LOCKS, SIM_PART_IDLE, SIM_PART_N };

/* What the creation of a task took, without the body of one that ran in it; and what it takes in a
 * plain run. */
struct sim_creation {
	double recorded_ns, plain_ns;
};

struct program {
	enum wn_wait_policy waits; /* as recorded */
	uint32_t n_grains, n_fjs, n_loops, n_regions, n_mutexes;
	uint32_t n_implicit, n_sites;
	/* nodes of dependences: the first grains, then gates */
	uint32_t n_nodes, n_gates;
	uint32_t initial; /* the context that executes the program */
	uint32_t n_threads, n_cpus;
	/* work of taskloops with as many tasks as threads; of static loops recorded as one chunk */
	uint64_t defaulted_ns, unsplit_ns;
	uint32_t *mutex_site; /* [n_mutexes] where it was acquired first */
	size_t mutexes_capacity;
	uint64_t n_waits;      /* steps that wait for tasks */
	uint32_t machine_cpus; /* that the process could use */
	uint32_t n_memories;   /* memory nodes of the machine */
	struct sim_grain *grains;
	/* columns of the grains, borrowed from the graph or the same as own_ ... */
	const uint32_t *parent, *site;
	uint32_t *own_parent, *own_site;
	uint32_t *group; /* fork-join of the innermost taskgroup, NONE; NULL: there are none */
	/* [n_nodes] added by recording, and off the CPU: not in the steps' work; borrowed; NULL: 0
	 */
	const uint64_t *recording_ns, *off_cpu_ns;
	struct step *steps;
	size_t n_steps, steps_capacity;
	uint32_t *fj_owner;
	struct sim_chunk *chunks;
	uint32_t n_chunks;
	struct sim_loop *loops;
	struct sim_region *regions;
	uint32_t *implicit;
	/* dependences: NULL without */
	uint32_t *n_predecessors;               /* [n_nodes + n_gates] */
	uint32_t *first_successor, *successors; /* [n_nodes + n_gates + 1] */
	uint64_t work_ns, span_ns, serial_ns;
	uint64_t divided_ns; /* work that the program may divide by thread numbers */
	/* of a divided copy: work of the thread with most in each static loop of gcc, and others'
	 */
	uint64_t hidden_most_ns, hidden_rest_ns;

	/* of the recording, in nanoseconds; NAN: unknown */
	struct sim_creation deferred, undeferred;
	bool has_one_worker;            /* one of several threads ran the tasks */
	uint64_t recorded_ns;           /* elapsed, as far as recorded ... */
	uint64_t part_ns[SIM_PART_N];   /* ... and the threads' time in parts of it */
	uint64_t compensation_sigma_ns; /* of all work */
	uint64_t unprobed_ns;  /* what events added whose cost the calibration lacks, about */
	double unprobed_share; /* of all events; 0 without a calibration */
	uint64_t peak_bytes;   /* of memory; 0: unknown */
	bool has_divisible_loops;
	bool has_nested_teams; /* of several threads */
	bool is_calibrated;    /* work is without what recording added */
};

/* How long work takes on so many threads, as a ratio to this recording. */
struct sim_growth {
	uint32_t n_threads;
	double *ratio; /* [n_sites + 1], the last for grains without a site */
};

struct wn_simulation {
	struct program p;
	struct wn_costs costs, recorded_costs;       /* of the plain run, and as recorded */
	struct sim_growth growth[WN_SIM_GROWTH_MAX]; /* [n_growth] by number of threads */
	uint32_t n_growth;
	double bytes_per_ns; /* that work reads from memory, by counted cache misses; 0: unknown */
	/* shown by a recording with a cut-off: what each of its missing tasks added to work; NAN */
	double known_entry_ns;
	/* of the run as it was recorded; valid until a cost changes */
	struct wn_sim_result recorded;
	bool knows_recorded;
};

/* growth.c: ratios for a number of threads, [n_sites + 1], owned; NULL: nothing is known. */
void simulation_count_bytes(struct wn_simulation *s, const struct wn_graph *g, uint64_t work_ns);
wn_status simulation_growth(const struct wn_simulation *s, uint32_t n_threads, double **out,
                            wn_err *err);

void program_fini(struct program *p);

/* Whether a change of mutexes is of this one, acquired by a grain of the site. */
static inline bool
is_of_mutex(const struct program *p, const struct wn_sim_change *c, uint32_t site, uint32_t mutex)
{
	if (c->is_mutex_at)
		return mutex < p->n_mutexes && p->mutex_site[mutex] != WN_NO_SITE &&
		       c->is_mutex_at[p->mutex_site[mutex]];
	return site != WN_NO_SITE && c->is_at && c->is_at[site];
}

static inline bool
is_task_grain(const struct sim_grain *g)
{
	return g->kind == WN_GRAIN_TASK || g->kind == WN_GRAIN_TASKLOOP;
}

static inline uint32_t
group_of(const struct program *p, uint32_t grain)
{
	return p->group ? p->group[grain] : NONE;
}

/* fit.c: sets costs that only show together with others, so that the simulation of a measurement
 * takes the measured time, as near as possible. */
wn_status costs_fit(struct wn_costs *c, wn_err *err);

/* What cut-offs remove. */
struct cutoffs {
	uint8_t *is_cut; /* bits [grains] of the tasks, owned; NULL without a cut-off */
	double share;    /* of their work is left */
};

static inline bool
cutoffs_has(const uint8_t *is_cut, uint32_t grain)
{
	return is_cut && is_cut[grain / 8] >> grain % 8 & 1;
}

/* cutoffs.c */
wn_status cutoffs_mark(const struct program *p, const struct wn_scenario *s, struct cutoffs *out,
                       wn_err *err);
/* span.c: the longest path, with a burden at each creation, start and wait; a lower bound of the
 * elapsed time if it is 0. O(steps) time, 8 bytes per fork-join. */
wn_status program_span(const struct program *p, const struct wn_scenario *s, uint64_t burden_ns,
                       uint64_t *out, wn_err *err);
/* edit.c: whether the scenario has changes that need an edited copy, and the copy. */
bool program_needs_edit(const struct wn_scenario *s);
wn_status program_edit(const struct program *from, const struct wn_scenario *s, struct program *out,
                       wn_err *err);

/* divide.c: work of implicit tasks that may be static loops of gcc becomes such loops, in a copy
 * of program_edit(); they are taken from divided_ns. O(steps of implicit tasks). */
wn_status program_divide(struct program *p, wn_err *err);

/* loops.c: whether a loop has more chunks in the scenario than can be simulated. */
bool simulation_has_endless_loop(const struct program *p, const struct wn_scenario *scenario);

/* engine.c: why a scenario cannot be simulated, or NULL; wn_simulate() of an edited program. */
const char *simulation_refuses(const struct program *p, const struct wn_scenario *scenario);
wn_status simulate_program(const struct wn_simulation *s, const struct program *p,
                           const struct wn_scenario *scenario, struct wn_sim_result *out,
                           wn_err *err);

/* program.c */
wn_status program_build(const struct wn_model *x, struct program *p, wn_err *err);
/* beside.c: what chunks take longer after those of another thread; thread: [grains]. */
wn_status program_compare_neighbours(struct program *p, const uint32_t *thread, wn_err *err);
/* The work of a grain, of all of its steps. */
uint64_t program_work(const struct program *p, uint32_t grain);
/* Adds a step; before it one or more of STEP_WORK for longer work. */
wn_status program_add_step(struct program *p, enum step_kind kind, uint64_t work_ns,
                           uint32_t target, wn_err *err);
/* program_loops.c: chunks, loops, regions, dependences. */
wn_status program_add_loops(const struct wn_graph *g, struct program *p, wn_err *err);
wn_status program_add_regions(const struct wn_graph *g, const struct wn_model *x, struct program *p,
                              wn_err *err);
wn_status program_add_dependences(const struct wn_graph *g, struct program *p, wn_err *err);
