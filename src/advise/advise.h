/* SPDX-License-Identifier: MIT */
/* advise.h - finds the largest performance problems of a run: a list of findings, worst first,
 * each with its place, advice, and what fixing it is expected to save. Rules: advise/rules.c,
 * savings: advise/savings.c, definitions: doc/metrics.md, "Findings". */
#pragma once

#include "model/model.h"
#include "simulate/simulate.h"

/* Summaries of ranks store the numbers: new ones come last. */
enum wn_rule {
	WN_RULE_SMALL_TASKS = 0, /* task granularity too fine: overhead exceeds work */
	WN_RULE_UNEVEN_LOOP,     /* load imbalance of a loop */
	WN_RULE_SMALL_CHUNKS,    /* chunk granularity too fine: overhead exceeds work */
	WN_RULE_UNEVEN_REGION,   /* load imbalance of a region (loops not visible) */
	WN_RULE_SERIAL,          /* serial code outside regions */
	WN_RULE_SERIAL_START,    /* serial code before the first OpenMP event */
	WN_RULE_WAIT_EACH,       /* a wait after each task serialises them */
	WN_RULE_ONE_PRODUCER,    /* idle threads while one thread creates all tasks */
	WN_RULE_NO_PARALLELISM,  /* low parallelism: a long dependent chain */
	WN_RULE_UNEVEN_TASKS,    /* load imbalance of tasks: a few long siblings delay their join */
	WN_RULE_MANY_REGIONS,    /* fork/join overhead exceeds the regions' work */
	WN_RULE_LONE_TEAMS,      /* single-threaded regions while cores are idle */
	WN_RULE_MUTEX,           /* lock contention */
	WN_RULE_INLINE_TASKS,    /* the runtime ran tasks at once, while other threads were idle */
	WN_RULE_OVERSUBSCRIBED,  /* more threads than CPUs */
	WN_RULE_BOUND,           /* threads bound to fewer CPUs than they could use */
	WN_RULE_QUOTA,           /* a CPU quota of a control group stops the threads */
	WN_RULE_OTHER_THREADS,   /* threads that are not OpenMP's take CPUs */
	WN_RULE_PAGE_FAULTS,     /* first touches of pages take much of the time */
	WN_RULE_CPU_SPEEDS,      /* threads wait for others whose CPUs are slower */
	WN_RULE_PASSIVE_WAITS,   /* threads sleep in waits, and have to be woken */
	WN_RULE_BLOCKED,         /* sleeps, input and output, locks that are not OpenMP's */
	WN_RULE_TASK_QUEUE,      /* threads wait for one another to take tasks */
	WN_RULE_TASKWAIT,        /* idle in taskwaits while other tasks are ready */
	WN_RULE_CREATION,        /* creating a task takes long, as with copies of large data */
	WN_RULE_FEW_TASKS,       /* idle while others run the last tasks, or code of one thread */
	WN_RULE_MANY_BARRIERS,   /* threads often leave barriers, with little work in between */
	WN_RULE_UNEXPLAINED,     /* much of the time is lost, and no other rule explains it */
	WN_RULE_ATOMIC, /* from the program's code: atomic updates of the same memory in a loop, ...
	                 */
	WN_RULE_FALSE_SHARING, /* ... stores of threads to elements of one cache line, ... */
	WN_RULE_TRUE_SHARING,  /* ... stores to one variable, ... */
	WN_RULE_STRIDED,       /* ... and accesses that use little of each cache line */
	WN_RULE_INFLATION, /* work inflation: the same grains take longer on more threads; for two
	                      runs only */
	WN_RULE_BUSY_WAIT, /* from samples of the code: threads wait in loops of the program */
	WN_RULE_UNEVEN_SECTIONS, /* load imbalance of sections */
	WN_RULE_RUNTIME_CALLS, /* from samples of the code: the runtime's code that no event covers
	                        */
	WN_RULE_REPEATED,      /* from the program's code: each thread does the same work */
	WN_RULE_N
};

/* For sets of rules. */
#define WN_RULE_BIT(name) (UINT64_C(1) << WN_RULE_##name)

/* Variant of WN_RULE_ATOMIC: samples show that threads are at the updates, and for how long. */
#define WN_FINDING_SAMPLED 1u
/* ... and that their memory is another one in each turn, such as bins of a histogram. */
#define WN_FINDING_SAMPLED_MOVING 2u
/* ... on one thread: the updates themselves, without contention */
#define WN_FINDING_SAMPLED_ALONE 3u
/* ... of reference counts, by several threads */
#define WN_FINDING_SAMPLED_COUNT 4u
/* Variant of WN_RULE_UNEVEN_REGION: one thread has nearly all work. */
#define WN_FINDING_ALONE 1u
/* ... or it is that in single or masked constructs; the place is theirs. */
#define WN_FINDING_SINGLE 2u
/* ... or, of WN_RULE_UNEVEN_LOOP, too: threads with less work in one part have more in another. */
#define WN_FINDING_OPPOSITE 3u
/* Variant of WN_RULE_BUSY_WAIT: the loop is in the C library, which waits for a lock of its own. */
#define WN_FINDING_IN_LIBRARY 2u
/* ... or of a mutex that the program has, such as a std::mutex. */
#define WN_FINDING_AT_MUTEX 3u

/* Variants of WN_RULE_BLOCKED: the one call of the code in which threads may sleep, at the place.
 */
#define WN_FINDING_IN_MUTEX  1u
#define WN_FINDING_IN_SLEEP  2u
#define WN_FINDING_IN_OUTPUT 3u

/* Where in its place a finding comes from. */
#define WN_FINDING_PARTS 3
struct wn_finding_part {
	uint32_t site;
	double share; /* of n; WN_RULE_MUTEX: of the time held; WN_RULE_LONE_TEAMS: of the gain */
};

/* Elapsed time that the program is expected to save without the problem. */
struct wn_saving {
	uint64_t low_ns, expected_ns, high_ns; /* 90 % of all changes save between low and high, of
	                                        * any run */
	uint64_t marginal_ns; /* the part of expected_ns that no finding before it saves */
};

/* A change that was simulated, and its best values. */
struct wn_finding_change {
	enum wn_sim_change_kind kind; /* WN_SIM_CHANGE_NONE: none was */
	uint64_t first, last;         /* depths, iterations per chunk, or parts of a task */
};

struct wn_finding {
	enum wn_rule rule;
	uint32_t site;    /* site of the finding; WN_NO_SITE for the whole program */
	uint64_t loss_ns; /* time that the problem took in the recorded run */
	struct wn_saving saving;
	uint64_t gain_ns; /* upper bound on the wall time saved, at least saving.high_ns, of any
	                   * run: at most wn_finding_of_high_ns() */
	uint64_t of_ns;   /* what was measured: the run with OpenMP, or the whole process */
	uint64_t work_ns; /* work of all threads that a fix may remove, too */
	uint64_t contended_ns; /* of loss_ns, contention for cache lines: it differs between runs */
	uint64_t n;            /* grains, loops, regions or threads concerned */
	uint32_t variant; /* of the rule's advice; 0: the rule has one, or two by other numbers */
	double value;     /* the finding's main number; its meaning depends on the rule */
	double value2;
	bool on_critical_path;
	bool is_noise; /* a load imbalance that chance may explain: at most nearest, never a finding
	                */
	/* WN_RULE_ONE_PRODUCER: where its tasks are created; of others the places of one cause: one
	 * recursion (WN_RULE_SMALL_TASKS), the same mutexes (WN_RULE_MUTEX), the same settings
	 * (WN_RULE_LONE_TEAMS); most first */
	struct wn_finding_change change; /* the saving is that of simulating it */
	uint32_t n_parts;
	struct wn_finding_part parts[WN_FINDING_PARTS];
};

const char *wn_rule_name(enum wn_rule rule);  /* "small_tasks", ... as in JSON */
const char *wn_rule_title(enum wn_rule rule); /* "load imbalance (loop)", ... for display */
const char *wn_finding_title(const struct wn_finding *f); /* the same, where its variant is known */
const char *wn_rule_brief(enum wn_rule rule);             /* the same in at most 15 columns */

/**
 * Finds performance problems.
 *
 * @param place_of_site  [wn_trace_n_sites] group number of equal source places, as for
 *                       wn_metrics_places(); findings at one place are merged.
 * @param n_places       number of groups.
 * @param out            *out is allocated; free with wn_free(). Sorted by
 *                       wn_finding_compare().
 * @param n_near         findings below 1 % of the elapsed time, and load imbalance within noise,
 *                       are left out; but if there are no others, up to three of them follow after
 *                       the n_out (0) findings.
 * @return WN_OK · WN_E_NOMEM.  Cost O(n). Pure.
 */
wn_status wn_advise(const struct wn_model *x, const uint32_t *place_of_site, size_t n_places,
                    struct wn_finding **out, size_t *n_out, size_t *n_near, wn_err *err);

/* The order of findings, for qsort(): the largest expected saving first, but first of all
 * oversubscription that takes a twentieth of the time, and last time without a known cause. */
int wn_finding_compare(const void *left, const void *right);

/* Returns why a finding precedes another one with a larger expected saving, to follow "what to
 * change; ". NULL: its saving is not smaller. Static. */
const char *wn_finding_precedence(const struct wn_finding *a, const struct wn_finding *b);

/* Findings whose changes are simulated, and grains of a run up to which that is fast. */
#define WN_SIMULATED_FINDINGS 3u
#define WN_SIMULATED_GRAINS   200000u

/**
 * The same; the savings of the first findings are those of their changes, simulated, where these
 * are a cut-off, other chunks, parts of tasks, or partial results in the place of a lock.
 *
 * @param s  of the same trace.
 * @return also as wn_simulate()
 * Cost     also some 10 simulations for each of at most WN_SIMULATED_FINDINGS findings.
 */
WN_MUST_CHECK wn_status wn_advise_simulated(const struct wn_model *x, const uint32_t *place_of_site,
                                            size_t n_places, const struct wn_simulation *s,
                                            struct wn_finding **out, size_t *n_out, size_t *n_near,
                                            wn_err *err);

/* Returns whether wn_advise_simulated() may give another saving for one of the first findings. */
bool wn_advice_can_simulate(const struct wn_finding *findings, size_t n);

/**
 * Makes the change that a finding advises, whose last part is to be searched (simulate/search.h).
 *
 * @param is_at  [n_sites] is set to the places; the changes borrow it.
 * @return parts of the change; 0: it cannot be simulated. Cost O(grains + sites). Pure.
 */
size_t wn_finding_changes(const struct wn_finding *f, const uint32_t *place_of_site,
                          uint32_t n_sites, const struct wn_simulation *s, uint8_t *is_at,
                          struct wn_sim_change out[2]);

/* Whether a change was simulated that has a value: a lock's partial results have none. */
bool wn_finding_has_value(const struct wn_finding *f);

/* Writes the best values of the simulated change, "a cut-off at depth 8 to 11". NULL: none was. */
#define WN_FINDING_VALUE_BYTES 80
const char *wn_finding_value(const struct wn_finding *f, char out[WN_FINDING_VALUE_BYTES]);

/* The elapsed times of two runs of one program differ by at most this share in nine of ten pairs.
 */
#define WN_RUN_SPREAD 0.05

/* The most that fixing it could save of the recorded run, which saving.high_ns may exceed. */
uint64_t wn_finding_most_ns(const struct wn_finding *f);

/* Returns what another run of the same program takes at most. */
uint64_t wn_finding_of_high_ns(const struct wn_finding *f);

/* Sets the saving and the bound of a finding about a loss that recording did not change. */
void wn_finding_save(struct wn_finding *f, uint64_t loss_ns);

/* Raises the bound to a loss that the problem may have taken, but probably did not. */
void wn_finding_allow(struct wn_finding *f, uint64_t most_ns);

/* Findings that are expected to save less than this share of the elapsed time are not reported. */
#define WN_LEAST_GAIN 0.01

/* Write a sentence with the numbers, to follow the title; the advice; and what could prevent the
 * saving. `size` as for snprintf. */
size_t wn_finding_message(const struct wn_finding *f, const struct wn_metrics *m, char *text,
                          size_t size);
const char *wn_finding_advice(const struct wn_finding *f);
const char *wn_finding_doubt(const struct wn_finding *f, const struct wn_metrics *m);
