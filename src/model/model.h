/* SPDX-License-Identifier: MIT */
/* model.h - computes where the threads' time went, and how short the run could be: the numbers
 * from which reports and findings take theirs. Definitions: doc/metrics.md, "Where the time went"
 * and "Bounds". */
#pragma once

#include "metrics/metrics.h"

enum wn_time {
#define WN_TIME(NAME, ...) WN_TIME_##NAME,
#include "model/time.def"
	WN_TIME_N
};

enum wn_time_kind {
	WN_TIME_KIND_WORK,  /* what the program is for */
	WN_TIME_KIND_LOST,  /* what a better program or machine would spend less on */
	WN_TIME_KIND_APART, /* not the program's, or unknown */
};

struct wn_time_category {
	const char *name, *title; /* "idle_ready", "idle: ready tasks not picked up" */
	enum wn_time_kind kind;
};
extern const struct wn_time_category wn_time_categories[WN_TIME_N];

struct wn_model {
	const struct wn_metrics *m; /* borrowed */
	uint32_t n_threads;         /* largest number of threads active or waiting at one time */
	uint64_t thread_ns;         /* n_threads x elapsed: the sum of ns[] */
	uint64_t ns[WN_TIME_N];
	bool is_known[WN_TIME_N]; /* false: not recorded, and inside other categories */

	double n_cpus;        /* of these threads, how many can run at a time: P in bounds */
	const char *no_bound; /* why bound_ns is not valid; NULL: it is ... */
	bool hides_loops;     /* ... only since static loops of gcc are a part of implicit tasks */
	uint64_t bound_ns;    /* the run takes at least as long with these grains */
	bool is_bound_by_mutex; /* without times for which mutexes are held, it would be less */
	bool regions_follow;    /* outermost regions do not overlap */
};

/**
 * Computes the model of a run.
 *
 * @param m    must outlive the result.
 * @param out  written only on success.
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(regions log regions). Threads  pure. Source   doc/metrics.md, doc/decisions/0019.
 */
WN_MUST_CHECK wn_status wn_model_build(const struct wn_metrics *m, struct wn_model *out,
                                       wn_err *err);

/* How threads wait, by the settings of the recorded process. */
enum wn_wait_policy {
	WN_WAIT_DEFAULT, /* they sleep after a while */
	WN_WAIT_ACTIVE,  /* never */
	WN_WAIT_PASSIVE, /* at once */
};

/* Returns the wait policy that OMP_WAIT_POLICY, KMP_BLOCKTIME or GOMP_SPINCOUNT ask for. */
enum wn_wait_policy wn_model_wait_policy(const struct wn_trace *trace);

/* What a change to the program may remove from the run. */
struct wn_edit {
	double work_ns;      /* of the user code */
	bool changes_grains; /* other dependences, mutexes and sizes of grains: no path stays */
	bool is_unlocked;    /* no mutex is held */
	bool shares_serial;  /* serial code outside regions runs on all threads, too */
};

/* Returns a lower bound on the elapsed time after a change. Cost: O(regions). Pure. */
uint64_t wn_model_floor(const struct wn_model *x, const struct wn_edit *edit);

/* Returns the thread time for which threads were not yet in a region that had begun: idle time
 * outside regions without serial code, 1 ms or more for each thread and region. 0: less, or
 * unknown, since a team had not all threads, regions overlap or records are missing. Cost:
 * O(regions). Pure. */
uint64_t wn_model_late_in_regions_ns(const struct wn_model *x);

/* Returns the thread time for which threads that had been woken waited for a CPU: as the kernel has
 * counted it, or the time above, if that is more. 0: threads share CPUs anyway, or neither is
 * known. Cost: O(regions). Pure. */
uint64_t wn_model_late_ns(const struct wn_model *x);

/* Returns the thread time off the CPU without that for which threads of the process wait for one
 * another where they share CPUs: while all of them work. Cost: O(1). Pure. */
double wn_model_preempted_ns(const struct wn_model *x);

/* Returns the thread time for which, in a disturbed run, others may have waited for threads off the
 * CPU: all others for each of them. 0: the run is not disturbed. Cost: O(regions). Pure. */
double wn_model_waited_for_ns(const struct wn_model *x);

/* Returns what other processes had of N_CPUS CPUs during the run, at most: what this one did not
 * use. NAN: its CPU time is unknown. Cost: O(1). Pure. */
double wn_model_others_ns(const struct wn_model *x, double n_cpus);

/* Returns what the hypervisor took from the CPUs that the process might use, for certain: each
 * CPU's time is rounded down to 10 ms at both readings, so that their sum is wrong by less than 8
 * ms for the root of their number in 19 of 20 runs. 0: nothing for certain, or unknown. Cost: O(1).
 * Pure. */
double wn_model_steal_ns(const struct wn_model *x);

/* A page fault costs no more: entry, page table, clearing the page, threads that wait for the
 * table, and the page's end. */
#define WN_FAULT_NS_MAX 10000.0

/* Are sleeps so short as those for a lock that threads contend for? Without it threads also have
 * less work, which contains the calls of the kernel, and waits for the lock's cache line. Cost:
 * O(switches). Pure. */
bool wn_model_sleeps_are_short(const struct wn_model *x);

/* Returns what calls of the kernel took of the threads' work, at least: its time without page
 * faults. 0: it is not known. Cost: O(1). Pure. */
double wn_model_calls_ns(const struct wn_model *x);

/* bounds.c: computes the bound of the run as it is, and what wn_model_floor() needs. Private to
 * this folder. */
void model_bounds(struct wn_model *x);
