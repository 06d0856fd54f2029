/* SPDX-License-Identifier: MIT */
/*
 * savings.c - what fixing a finding is expected to save, with a range, and what of it remains
 * beside the findings before it.
 *
 * A rule gives the time that the recorded run lost by its problem. A run without recording loses
 * less of what recording made slower; a fix does not always remove all of it, and sometimes more.
 * How much, by class of problem, is in `classes`: quantiles of the real savings of the corpus of
 * verdicts (doc/verdicts.md) by what the rules gave. Besides, two runs of one program differ
 * (WN_RUN_SPREAD): what a fix saves is the difference of two times, each with that error. Where
 * threads contend for cache lines, they differ by more (CONTENTION_SPREAD).
 */
#include "advise/advise_private.h"

#include <math.h>

enum class {
	IMBALANCE, /* threads wait for others: known exactly, and the same without recording */
	SERIES,    /* the same, of serial code, some of which may have to stay so */
	TASKS,     /* what the runtime takes for tasks, and how threads contend for it */
	CHUNKS,
	REGIONS,
	LOCKS,
	SLEEPS,
	MACHINE, /* settings and other processes: what threads do instead is not recorded */
	MEMORY,
	VAGUE,    /* the cause is unknown */
	SAMPLED,  /* its time is known from samples */
	CPUS,     /* threads that wait for one another's CPUs */
	POSSIBLE, /* whether it costs anything is unknown; the loss is the most */
	LINES,    /* the same of cache lines, seen in the code; the loss is what they mostly cost */
	CLASSES_N
};

static const struct {
	double low, expected, high; /* of the loss without recording */
} classes[CLASSES_N] = {
    [IMBALANCE] = {0.90, 1.00, 1 + WN_RUN_SPREAD},
    [SERIES] = {0.65, 1.00, 1 + WN_RUN_SPREAD},
    [TASKS] = {0.65, 0.92, 1.20},
    [CHUNKS] = {0.80, 1.00, 1.30},
    [REGIONS] = {0.65, 1.00, 1.25},
    [LOCKS] = {0.80, 1.00, 1 + WN_RUN_SPREAD},
    [SLEEPS] = {0.50, 1.00, 1 + WN_RUN_SPREAD},
    [MACHINE] = {0.25, 0.75, 1 + WN_RUN_SPREAD},
    [MEMORY] = {0.30, 0.90, 1.30},
    [VAGUE] = {0.00, 0.50, 1 + WN_RUN_SPREAD},
    [SAMPLED] = {0.60, 0.95, 1.20},
    [CPUS] = {0.25, 1.00,
              1.15}, /* threads that share a CPU are preempted while others wait for them */
    [POSSIBLE] = {0.00, 0.25, 1 + WN_RUN_SPREAD},
    [LINES] = {0.00, 0.95, 1 + WN_RUN_SPREAD},
};

#define BIT(name)   (1u << WN_TIME_##name)
#define ANY_IDLE    (BIT(IDLE_EMPTY) | BIT(IDLE_READY) | BIT(LEAVING))
#define ANY_TASKING (BIT(CREATION) | BIT(SCHEDULING) | ANY_IDLE | BIT(WORK))
#define ANY_SERIAL  (BIT(SERIAL_IDLE) | BIT(SERIAL) | BIT(FORKING))
#define ANYTHING    (~0u)

/* The class of each rule, and the categories of the threads' time that its fix reduces. */
static const struct {
	enum class class;
	uint32_t takes;
} kinds[WN_RULE_N] = {
    [WN_RULE_SMALL_TASKS] = {TASKS, ANY_TASKING},
    [WN_RULE_UNEVEN_LOOP] = {IMBALANCE, ANY_IDLE},
    [WN_RULE_SMALL_CHUNKS] = {CHUNKS, BIT(DISPATCH) | BIT(WORK) | ANY_IDLE},
    [WN_RULE_UNEVEN_REGION] = {IMBALANCE, ANY_IDLE},
    [WN_RULE_SERIAL] = {SERIES, ANY_SERIAL},
    [WN_RULE_SERIAL_START] = {SERIES, 0},
    [WN_RULE_WAIT_EACH] = {IMBALANCE, ANY_IDLE | BIT(SCHEDULING)},
    [WN_RULE_ONE_PRODUCER] = {IMBALANCE, ANY_IDLE | BIT(CREATION)},
    [WN_RULE_NO_PARALLELISM] = {IMBALANCE, ANY_IDLE},
    [WN_RULE_UNEVEN_TASKS] = {IMBALANCE, ANY_IDLE},
    [WN_RULE_MANY_REGIONS] = {REGIONS, ANY_SERIAL | ANY_IDLE | BIT(DISPATCH)},
    [WN_RULE_LONE_TEAMS] = {IMBALANCE, ANYTHING},
    [WN_RULE_MUTEX] = {LOCKS, BIT(MUTEX) | ANY_IDLE | BIT(WORK)},
    [WN_RULE_INLINE_TASKS] = {IMBALANCE, ANY_IDLE},
    [WN_RULE_OVERSUBSCRIBED] = {CPUS, ANYTHING},
    [WN_RULE_BOUND] = {CPUS, ANYTHING},
    [WN_RULE_QUOTA] = {MACHINE, ANYTHING},
    [WN_RULE_OTHER_THREADS] = {MACHINE, ANYTHING},
    [WN_RULE_CPU_SPEEDS] = {POSSIBLE, ANY_IDLE},
    [WN_RULE_PAGE_FAULTS] = {MEMORY, BIT(WORK) | BIT(SERIAL) | BIT(SERIAL_IDLE)},
    [WN_RULE_PASSIVE_WAITS] = {MACHINE, ANY_IDLE | BIT(SCHEDULING) | BIT(FORKING)},
    [WN_RULE_BLOCKED] = {SLEEPS, BIT(BLOCKED) | ANY_IDLE},
    [WN_RULE_TASK_QUEUE] = {TASKS, BIT(SCHEDULING)},
    [WN_RULE_TASKWAIT] = {MACHINE, BIT(IDLE_READY)},
    [WN_RULE_CREATION] = {TASKS, BIT(CREATION) | ANY_IDLE},
    [WN_RULE_FEW_TASKS] = {IMBALANCE, ANY_IDLE},
    [WN_RULE_MANY_BARRIERS] = {REGIONS, ANY_IDLE | BIT(DISPATCH)},
    [WN_RULE_UNEXPLAINED] = {VAGUE, ANYTHING},
    [WN_RULE_ATOMIC] = {LINES, BIT(WORK)},
    [WN_RULE_FALSE_SHARING] = {LINES, BIT(WORK)},
    [WN_RULE_TRUE_SHARING] = {LINES, BIT(WORK)},
    [WN_RULE_STRIDED] = {LINES, BIT(WORK)},
    [WN_RULE_BUSY_WAIT] = {SAMPLED, BIT(WORK)},
    [WN_RULE_UNEVEN_SECTIONS] = {IMBALANCE, ANY_IDLE},
    [WN_RULE_REPEATED] = {SAMPLED, BIT(WORK)},
    [WN_RULE_RUNTIME_CALLS] = {SAMPLED, BIT(WORK)},
    [WN_RULE_INFLATION] = {MACHINE, BIT(WORK)},
};

/* Entering and leaving a body takes at most this much of a small grain's work: the call, its
 * arguments, what is not in the caches yet. An implicit task whose loops are grains also has what
 * libomp does for static loops, for which there is no event. */
#define ENTRY_NS      100
#define LOOP_ENTRY_NS 400

/* Returns the rule whose findings count this grain as too small; WN_RULE_N: none does. */
static enum wn_rule
small_by(const struct wn_graph *g, wn_grain id)
{
	switch (g->kind[id]) {
	case WN_GRAIN_TASK:
	case WN_GRAIN_TASKLOOP:
		return WN_RULE_SMALL_TASKS;
	case WN_GRAIN_CHUNK:
		return WN_RULE_SMALL_CHUNKS;
	case WN_GRAIN_IMPLICIT:
		return WN_RULE_MANY_REGIONS;
	default:
		return WN_RULE_N;
	}
}

void
advice_count_entries(struct advice *a)
{
	const struct wn_graph *g = a->g;
	double implicit_ns = ENTRY_NS;
	if (!(wn_trace_header(g->trace)->sources & WN_SOURCE_LIBGOMP))
		implicit_ns = LOOP_ENTRY_NS;
	for (wn_grain id = 0; id < g->n; id++) {
		enum wn_rule rule = small_by(g, id);
		if (rule == WN_RULE_N)
			continue;
		struct entry *e = advice_at(a, rule, advice_place(a, g->site[id]));
		double most_ns = rule == WN_RULE_MANY_REGIONS ? implicit_ns : ENTRY_NS;
		if (e->n > 0)
			e->entry_ns += fmin(most_ns, (double)wn_work_ns(g, id));
	}
	for (size_t place = 0; place <= a->n_places; place++) { /* of what is between barriers */
		struct entry *e = advice_at(a, WN_RULE_MANY_BARRIERS, place);
		e->entry_ns = (double)e->n * a->n_threads * fmin(implicit_ns, e->sum);
	}
}

/* Threads that contend for a lock also move its line and those that it protects: without it, each
 * passage takes less work by this much at most. */
#define HANDOVER_NS 200

/* By this share, the work of one run is more than that of another. */
#define WORK_SPREAD 0.03

/* Returns the work, of all threads, that a fix may remove, or that another run does not have. */
static double
removable_ns(const struct advice *a, const struct entry *e, enum wn_rule rule)
{
	double all_ns = (double)a->m->totals.work_ns;
	double ns = rule == WN_RULE_MUTEX ? HANDOVER_NS * (double)e->n : e->entry_ns;
	return fmin(ns + WORK_SPREAD * all_ns, all_ns);
}

/* The cost of a probe that was not measured is guessed at more than twice of what it mostly is
 * (metrics/totals.c). */
#define GUESS_LIKELY 0.4

/* Of what calibration takes off as the cost of recording grains, this share may be the runtime's:
 * in a loop of empty constructs, probes and runtime overlap in another way than in a program. */
#define PROBES_UNSURE 0.5

/* Returns the time, by thread, that may be the program's although it was taken for that of the
 * probes of a finding's grains. */
static double
unsure_ns(const struct advice *a, const struct entry *e, enum wn_rule rule)
{
	enum class class = kinds[rule].class;
	double share = a->g->n ? fmin(1, (double)e->n / (double)a->g->n) : 0;
	if (class != TASKS && class != CHUNKS)
		return 0;
	return PROBES_UNSURE * share * (double)a->x->ns[WN_TIME_RECORDING] / a->n_threads;
}

/* What a thread's probes take, other threads may pay, too: while they wait for it in the runtime's
 * queues and locks. */
#define PROBES_MOST 2.0

/* Threads that pass a short section by turns move its lock's cache line each time, which takes
 * about this long. Whether they do, or one passes many times while the others are elsewhere,
 * depends on what is around it: a recorded run may lose much more than another. */
#define PASSAGE_NS 100

/* Returns the share of the waits for a mutex that another run has at least. */
static double
certain_waits(const struct entry *e)
{
	double held_ns = e->n > 0 ? e->sum2 / (double)e->n : 0;
	return e->sum2 > 0 ? held_ns / (held_ns + PASSAGE_NS) : 1;
}

/* How long a cache line takes from one core to another depends on where the threads run, and how
 * often it has to on how they meet: by this share, the time that contention takes differs from one
 * run to another. */
#define CONTENTION_SPREAD 0.25

/* Returns the share of a loss that is contention for cache lines: of tasks and chunks for the
 * runtime's queues and counters, of atomic updates and stores for what they write. */
static double
contended_share(const struct advice *a, const struct entry *e, enum wn_rule rule)
{
	enum class class = kinds[rule].class;
	if (a->n_threads < 2)
		return 0;
	if (class == LOCKS)
		return 1 - certain_waits(e);
	return class == TASKS || class == CHUNKS ? 1 : 0;
}

static bool
is_of_cache_lines(enum wn_rule rule)
{
	return rule == WN_RULE_ATOMIC || rule == WN_RULE_FALSE_SHARING ||
	       rule == WN_RULE_TRUE_SHARING;
}

static double
at_most(double value, double limit)
{
	return fmax(0, fmin(value, limit));
}

/* Returns by how much the difference of the times before and after a fix differs from one pair of
 * runs to another, in nine of ten. */
static double
pair_ns(double of_ns, double saving_ns)
{
	return WN_RUN_SPREAD * sqrt(0.5) * hypot(of_ns, of_ns - saving_ns);
}

/* Sets the saving and the bound. The range has independent errors: the finding's own, from
 * `low_ns` to `high_ns`, and those of the runs. The bound has their sum, of the most that a run may
 * take. */
static void
set_saving(struct wn_finding *f, double low_ns, double expected_ns, double high_ns, double limit_ns)
{
	double of_ns = (double)f->of_ns, other_ns = (double)wn_finding_of_high_ns(f) - of_ns;
	double most_ns = at_most(high_ns, fmin(limit_ns, of_ns)), bound_ns = most_ns + other_ns;
	f->gain_ns = 0;
	f->saving = (struct wn_saving){0};
	if (most_ns < 1)
		return;
	expected_ns = at_most(expected_ns, most_ns);
	double runs_ns =
	    hypot(pair_ns(of_ns, expected_ns), CONTENTION_SPREAD * (double)f->contended_ns);
	double below_ns = hypot(fmax(0, expected_ns - low_ns), runs_ns);
	double above_ns = hypot(most_ns - expected_ns, runs_ns);
	f->gain_ns = (uint64_t)bound_ns;
	f->saving = (struct wn_saving){
	    .low_ns = (uint64_t)at_most(expected_ns - below_ns, of_ns),
	    .expected_ns = (uint64_t)expected_ns,
	    .high_ns = (uint64_t)at_most(expected_ns + above_ns, bound_ns),
	    .marginal_ns = (uint64_t)expected_ns,
	};
}

void
wn_finding_save(struct wn_finding *f, uint64_t loss_ns)
{
	enum class class = kinds[f->rule].class;
	double ns = (double)loss_ns;
	f->contended_ns = is_of_cache_lines(f->rule) ? loss_ns : 0;
	set_saving(f, ns * classes[class].low, ns * classes[class].expected,
	           ns * classes[class].high, INFINITY);
	f->loss_ns = loss_ns;
}

void
wn_finding_allow(struct wn_finding *f, uint64_t most_ns)
{
	double ns = (1 + WN_RUN_SPREAD) * (double)most_ns, of_ns = (double)f->of_ns;
	uint64_t contended_most_ns = most_ns < f->of_ns ? most_ns : f->of_ns;
	if (is_of_cache_lines(f->rule) && f->contended_ns < contended_most_ns)
		f->contended_ns = contended_most_ns;
	double contended_ns = CONTENTION_SPREAD * (double)f->contended_ns;
	double other_ns = (double)wn_finding_of_high_ns(f) - of_ns;
	double bound_ns = at_most(ns, of_ns) + other_ns;
	f->gain_ns = bound_ns > (double)f->gain_ns ? (uint64_t)bound_ns : f->gain_ns;
	f->saving.high_ns =
	    (uint64_t)fmin((double)f->gain_ns, fmax((double)f->saving.high_ns, ns + contended_ns));
}

uint64_t
wn_finding_of_high_ns(const struct wn_finding *f)
{
	return (uint64_t)((1 + WN_RUN_SPREAD) * (double)f->of_ns +
	                  CONTENTION_SPREAD * (double)f->contended_ns);
}

uint64_t
wn_finding_most_ns(const struct wn_finding *f)
{
	return f->saving.high_ns < f->of_ns ? f->saving.high_ns : f->of_ns;
}

void
advice_save(const struct advice *a, const struct entry *e, enum wn_rule rule, struct wn_finding *f)
{
	enum class class = kinds[rule].class;
	const struct wn_totals *t = &a->m->totals;
	double work_ns = removable_ns(a, e, rule);
	double loss_ns = at_most(e->gain_ns, advice_limit(a, rule, e->calls_ns));
	double most_ns = (e->gain_ns + e->maybe_ns + unsure_ns(a, e, rule) + work_ns / a->n_cpus) *
	                 classes[class].high;
	double made = fmin(0.9, t->perturbation),
	       likely = t->is_calibrated ? made : GUESS_LIKELY * made;
	double without_most = 1 - fmin(0.9, PROBES_MOST * made);
	double low = 1, expected = 1; /* shares without what recording adds */
	f->contended_ns = (uint64_t)(loss_ns * contended_share(a, e, rule));
	if (class == TASKS || class == CHUNKS || class == REGIONS) {
		low = without_most;
		expected = 1 - 0.75 * likely;
	} else if (class == LOCKS) { /* of these waits, recording makes an unknown part */
		low = without_most * certain_waits(e);
		expected = 1 - likely / 2;
	}
	set_saving(f, loss_ns * low * classes[class].low,
	           loss_ns * expected * classes[class].expected, most_ns,
	           advice_limit(a, rule, work_ns));
	f->loss_ns = (uint64_t)loss_ns;
	f->work_ns = (uint64_t)work_ns;
}

/* Takes the expected saving from the categories of time that the fix reduces, in their order.
 * Returns the part that these categories had left. */
static double
take_time(double left_ns[WN_TIME_N], uint32_t takes, double ns)
{
	double taken_ns = 0;
	for (int i = 0; i < WN_TIME_N; i++) {
		double part_ns = takes >> i & 1 ? fmin(left_ns[i], ns - taken_ns) : 0;
		left_ns[i] -= part_ns;
		taken_ns += part_ns;
	}
	return taken_ns;
}

/* Each nanosecond of the threads can be saved once. What findings save together is at most what all
 * threads lost, and at most the elapsed time above the floor. */
void
advice_marginal(const struct advice *a, struct wn_finding *findings, size_t n)
{
	double left_ns[WN_TIME_N];
	double rest_ns =
	    advice_limit(a, WN_RULE_SERIAL, 0) - a->short_outside_ns * (1 - 1 / a->n_cpus);
	for (int i = 0; i < WN_TIME_N; i++)
		left_ns[i] = (double)a->x->ns[i];
	left_ns[WN_TIME_SERIAL] +=
	    a->outside_ns; /* before the first event and after the last one */
	left_ns[WN_TIME_SERIAL_IDLE] += a->outside_ns * (a->n_threads - 1);
	for (size_t i = 0; i < n; i++) {
		struct wn_saving *s = &findings[i].saving;
		enum wn_rule rule = findings[i].rule;
		double ns = (double)s->expected_ns;
		if (kinds[rule].takes) {
			ns =
			    take_time(left_ns, kinds[rule].takes, ns * a->n_threads) / a->n_threads;
			if (!advice_is_unlimited(rule)) {
				ns = fmin(ns, rest_ns);
				rest_ns -= ns;
			}
		}
		s->marginal_ns = (uint64_t)ns;
	}
}
