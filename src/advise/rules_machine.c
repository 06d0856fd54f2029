/* SPDX-License-Identifier: MIT */
/*
 * rules_machine.c - causes outside the program's text: more threads than CPUs, threads bound to too
 * few of them, CPU quotas, other threads of the process, page faults, and settings of waits.
 *
 * A cause is a finding only if a fact of the recording shows it (wn_trace_fact) and the categories
 * of time show its effect. All of them concern the whole program and have no place.
 */
#include "advise/advise_private.h"

#include "base/decimal.h"
#include "base/mem.h"
#include "base/plural.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The host of a virtual machine may have as much to do for the page as the kernel, whenever the
 * program touches it: that counts as the program's own time. */
#define HOST_FAULTS  1.0
#define LEAST_FAULTS 1000
/* Faults that a page may have: one that is read before it is written has two, and threads that
 * touch it at the same time have one each. */
#define FAULTS_OF_PAGE 3

/* Variants of the rules, which have an advice each. */
enum variant {
	VARIANT_NONE,
	VARIANT_NESTED, /* oversubscription by nested regions */
	VARIANT_OWN,    /* ... by the program: a clause, or a call */
	VARIANT_ACTIVE, /* ... while threads wait actively */
	VARIANT_MASK,   /* ... although the machine has the CPUs */
	VARIANT_OPENBLAS,
	VARIANT_MKL,
	VARIANT_BLIS,
	VARIANT_SERIAL_TOUCH /* page faults of the first thread */
};

static double
fact(const struct advice *a, enum wn_fact kind)
{
	uint64_t value;
	return wn_trace_fact(a->g->trace, kind, &value) ? (double)value : (double)NAN;
}

/* Is a file of code loaded whose name begins like that? */
static bool
has_library(const struct wn_graph *g, const char *name)
{
	const struct wn_trace_module *modules;
	size_t n = wn_trace_modules(g->trace, &modules);
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(modules[i].path, '/');
		const char *base = slash ? slash + 1 : modules[i].path;
		if (strncmp(base, name, strlen(name)) == 0)
			return true;
	}
	return false;
}

static struct entry *
add_whole(struct advice *a, enum wn_rule rule, double gain_ns, double value, double value2)
{
	struct entry *e = advice_entry(a, rule, WN_NO_SITE);
	e->n = 1;
	e->gain_ns = fmin(gain_ns, a->elapsed_ns);
	e->sum = value;
	e->sum2 = value2;
	e->on_critical_path = true;
	return e;
}

/* Time of all threads in waits and off the CPU, although they could have run; a thread that is
 * started, or begins a region, waits for a CPU, too. */
static double
waits_ns(const struct advice *a)
{
	const struct wn_totals *t = &a->m->totals;
	return (double)(t->leaving_ns + t->idle_ready_ns + t->idle_empty_ns + t->scheduling_ns +
	                t->mutex_ns + t->preempted_ns + t->forking_ns +
	                wn_model_late_in_regions_ns(a->x));
}

/*
 * With more threads than CPUs, a CPU has nothing to do for the program only if so many threads wait
 * that the others are fewer than CPUs. Uneven work explains that, not the number of threads.
 * Whether waiting threads sleep or try again does not matter.
 */
double
advice_free_ns(const struct advice *a)
{
	const struct wn_totals *t = &a->m->totals;
	double n_waiting = a->n_threads - a->n_cpus + 1;
	double used_ns = (double)(t->work_ns + t->creation_ns + t->scheduling_ns + t->dispatch_ns);
	double free_ns =
	    a->n_cpus * a->elapsed_ns - used_ns - (a->n_cpus - 1) * (double)t->serial_ns;
	double idle_ns = (double)(t->idle_empty_ns + t->idle_ready_ns + t->leaving_ns +
	                          wn_model_late_in_regions_ns(a->x));
	return n_waiting > 1 ? fmax(0, fmin(free_ns, idle_ns / n_waiting)) / a->n_cpus : 0;
}

/* Returns the time that the threads may lose to one another on the CPUs: what the work does not
 * take, nor other processes. Threads are off the CPU for those where this process has less than all
 * of the CPUs although one of its threads waits for a CPU. */
static double
lost_on_cpus_ns(const struct advice *a, double n_cpus)
{
	const struct wn_edit all = {.changes_grains = true};
	double floor_ns = (double)wn_model_floor(a->x, &all);
	double others_ns = wn_model_others_ns(a->x, n_cpus);
	/* without it, all that threads waited for a CPU is due to other threads */
	others_ns = isnan(others_ns) ? 0 : fmin((double)a->m->totals.preempted_ns, others_ns);
	if (!a->g->off_cpu_ns) /* work contains time in which threads did not run */
		return a->elapsed_ns;
	return fmax(0, a->elapsed_ns - floor_ns - others_ns / n_cpus);
}

/* Does the environment ask for more threads than that? */
static bool
asks_for_more(const struct advice *a, double n_cpus)
{
	static const char name[] = "OMP_NUM_THREADS=";
	const char *const *lines;
	size_t n = wn_trace_env(a->g->trace, &lines);
	for (size_t i = 0; i < n; i++)
		if (strncmp(lines[i], name, sizeof name - 1) == 0)
			return strtod(lines[i] + sizeof name - 1, NULL) > n_cpus;
	return false;
}

/* Returns the site of the regions whose threads take most time, of those inside others, or of those
 * with more threads than CPUs; WN_NO_SITE: there are none, or memory ran out. */
static uint32_t
most_of_regions(const struct advice *a, bool is_nested)
{
	const struct wn_graph *g = a->g;
	double *ns = wn_calloc(a->n_places + 1, sizeof *ns), most_ns = 0;
	uint32_t most = WN_NO_SITE;
	for (uint32_t i = 0; ns && i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		bool is_inside =
		    region->parent != WN_NO_GRAIN && g->kind[region->parent] != WN_GRAIN_INITIAL;
		if (is_nested ? !is_inside : region->n_implicit <= a->n_cpus)
			continue;
		size_t place = advice_place(a, region->site);
		ns[place] += (double)(region->end_ns - region->begin_ns) * region->n_implicit;
		if (place < a->n_places && ns[place] > most_ns) {
			most_ns = ns[place];
			most = region->site;
		}
	}
	wn_free(ns);
	return most;
}

/* Threads that wait hold CPUs that others need, and what they wait for may not be running. */
static void
rule_oversubscribed(struct advice *a, double n_active, double n_cpus)
{
	bool is_nested = n_active > a->m->totals.n_threads;
	double lost_ns = waits_ns(a);
	if (!(n_cpus < n_active) || lost_ns < LEAST_LOST * n_active * a->elapsed_ns)
		return;
	struct entry *e = add_whole(a, WN_RULE_OVERSUBSCRIBED, lost_ns / n_active, n_cpus,
	                            lost_ns / (n_active * a->elapsed_ns));
	e->n = (uint64_t)n_active;
	if (is_nested) {
		e->site = most_of_regions(a, true);
		e->variant = VARIANT_NESTED;
	} else if (!asks_for_more(a, n_cpus) && fact(a, WN_FACT_ONLINE_CPUS) < n_active) {
		e->site = most_of_regions(a, false);
		e->variant = VARIANT_OWN;
	} else if (wn_model_wait_policy(a->g->trace) == WN_WAIT_ACTIVE) {
		e->variant = VARIANT_ACTIVE;
	} else if (fact(a, WN_FACT_ONLINE_CPUS) >= n_active) {
		e->variant = VARIANT_MASK;
	}
	if (e->variant != VARIANT_MASK) { /* no more CPUs, but fewer threads */
		double gain_ns = fmin(e->gain_ns, lost_on_cpus_ns(a, n_cpus));
		e->maybe_ns = e->gain_ns - gain_ns;
		e->gain_ns = fmax(1, gain_ns);
	}
}

static void
rule_bound(struct advice *a, double n_active, double n_useful)
{
	double n_bound = fact(a, WN_FACT_BOUND_CPUS), lost_ns = waits_ns(a);
	if (!(n_bound < n_useful) || lost_ns < LEAST_LOST * n_active * a->elapsed_ns)
		return;
	double gain_ns = fmin(lost_ns / n_active, a->elapsed_ns * (1 - n_bound / n_useful));
	add_whole(a, WN_RULE_BOUND, gain_ns, n_bound, n_active)->n = (uint64_t)n_active;
	advice_at(a, WN_RULE_OVERSUBSCRIBED, a->n_places)->n = 0;
}

/* The kernel counts throttled time per CPU, of all processes of the group. */
static void
rule_quota(struct advice *a, double n_useful)
{
	double n_quota = fact(a, WN_FACT_QUOTA_MILLICPUS) / 1000;
	double throttled_ns = fact(a, WN_FACT_THROTTLED_NS);
	if (!(n_quota < n_useful) || !(throttled_ns >= WN_LEAST_GAIN * n_useful * a->elapsed_ns))
		return;
	double gain_ns = fmin(throttled_ns / n_useful, a->elapsed_ns * (1 - n_quota / n_useful));
	add_whole(a, WN_RULE_QUOTA, gain_ns, n_quota, throttled_ns)->n = (uint64_t)n_useful;
}

/* Threads of other libraries are a cause only where they keep recorded ones off the CPU. */
static void
rule_other_threads(struct advice *a, double n_active)
{
	double n = fact(a, WN_FACT_OTHER_THREADS), cpu_ns = fact(a, WN_FACT_OTHER_CPU_NS);
	double off_ns = (double)a->m->totals.preempted_ns, all_ns = n_active * a->elapsed_ns;
	if (!(n >= 1) || !(cpu_ns >= LEAST_LOST * all_ns) || off_ns < WN_DISTURBED * all_ns)
		return;
	struct entry *e =
	    add_whole(a, WN_RULE_OTHER_THREADS, fmin(off_ns, cpu_ns) / n_active, cpu_ns, off_ns);
	e->n = (uint64_t)n;
	if (has_library(a->g, "libopenblas"))
		e->variant = VARIANT_OPENBLAS;
	else if (has_library(a->g, "libmkl_"))
		e->variant = VARIANT_MKL;
	else if (has_library(a->g, "libblis"))
		e->variant = VARIANT_BLIS;
}

/* Time in the kernel may have other reasons; faults have no more of it than their number allows.
 * Each page has to be touched once: a fault is only that many more faults than pages, or one thread
 * that touches pages for all. */
static void
rule_page_faults(struct advice *a, double n_active)
{
	double n = fact(a, WN_FACT_MINOR_FAULTS), first = fact(a, WN_FACT_FIRST_FAULTS);
	double kernel_ns = fact(a, WN_FACT_KERNEL_NS), cpu_ns = fact(a, WN_FACT_CPU_NS);
	if (!(n >= LEAST_FAULTS) || !(kernel_ns >= LEAST_LOST * cpu_ns))
		return;
	double cost_ns = fmin(kernel_ns, n * WN_FAULT_NS_MAX);
	double n_pages = fact(a, WN_FACT_PEAK_PAGES);
	double n_again = fmax(0, n - FAULTS_OF_PAGE * n_pages); /* NAN: none */
	bool is_serial = n_active > 1 && first >= 0.8 * n && n_again < n / 2;
	double cost_of_all_ns = cost_ns / (first >= 0.8 * n ? 1 : fmin(n_active, a->n_cpus));
	double sure_ns = is_serial ? cost_ns * (1 - 1 / n_active) : cost_of_all_ns * n_again / n;
	if (sure_ns < LEAST_LOST / 2 * a->elapsed_ns)
		return;
	double gain_ns = is_serial ? sure_ns : cost_of_all_ns * (n - n_pages) / n;
	struct entry *e = add_whole(a, WN_RULE_PAGE_FAULTS, gain_ns, kernel_ns, cpu_ns);
	e->n = (uint64_t)n;
	e->maybe_ns = is_serial ? 0 : HOST_FAULTS * gain_ns;
	e->variant = is_serial ? VARIANT_SERIAL_TOUCH : VARIANT_NONE;
}

/* Where each thread can have a CPU, sleeping saves nothing, and each wake-up takes its time. */
static void
rule_passive_waits(struct advice *a, double n_active, double n_useful)
{
	const struct wn_totals *t = &a->m->totals;
	double lost_ns = fmax(0, (double)(t->leaving_ns + t->forking_ns) - a->off_ns);
	if (wn_model_wait_policy(a->g->trace) != WN_WAIT_PASSIVE || n_useful < n_active ||
	    n_active < 2 || lost_ns < LEAST_LOST * n_active * a->elapsed_ns)
		return;
	/* a thread that wakes up late lets others wait at the next barrier, too */
	double gain_ns = waits_ns(a) / n_active;
	add_whole(a, WN_RULE_PASSIVE_WAITS, gain_ns, lost_ns, lost_ns / (n_active * a->elapsed_ns));
}

void
rules_machine(struct advice *a)
{
	double n_active = a->n_threads, n_cpus = wn_trace_header(a->g->trace)->n_cpus;
	double n_useful = n_cpus > 0 ? fmin(n_cpus, n_active) : n_active;
	rule_oversubscribed(a, n_active, n_useful);
	rule_bound(a, n_active, n_useful);
	rule_quota(a, n_useful);
	rule_other_threads(a, n_active);
	rule_page_faults(a, n_active);
	rule_passive_waits(a, n_active, n_useful);
}

int
machine_message(const struct wn_finding *f, char *text, size_t size)
{
	char a[WN_DECIMAL_BYTES], b[WN_DECIMAL_BYTES], number[WN_DECIMAL_BYTES];
	wn_decimal_count(f->n, number);
	wn_decimal_time((uint64_t)fmax(0, f->value), a);
	wn_decimal_time((uint64_t)fmax(0, f->value2), b);
	switch ((int)f->rule) {
	case WN_RULE_OVERSUBSCRIBED:
		return snprintf(text, size,
		                "%s threads%s on %.0f core%s; waits, and waits for a core, take "
		                "%.0f %% of their time",
		                number, f->variant == VARIANT_NESTED ? " of nested regions" : "",
		                f->value, f->value > 1 ? "s" : "", 100 * f->value2);
	case WN_RULE_BOUND:
		return snprintf(text, size, "%s threads may use %.0f core%s", number, f->value,
		                f->value > 1 ? "s" : "");
	case WN_RULE_QUOTA:
		return snprintf(text, size,
		                "the control group may use %.2f cores, the program could use %s; "
		                "its cores were stopped for %s in total",
		                f->value, number, b);
	case WN_RULE_OTHER_THREADS:
		return snprintf(text, size,
		                "%s other thread%s of the process took %s of CPU time, and "
		                "OpenMP's threads were kept off the CPU for %s",
		                number, wn_plural(f->n), a, b);
	case WN_RULE_CPU_SPEEDS:
		if (f->value >= 1)
			return snprintf(text, size,
			                "this machine's CPUs differ in speed by up to %.2f times "
			                "at times, as calibration found: threads with equal work "
			                "may have waited for slower ones",
			                f->value2);
		return snprintf(text, size,
		                "of the %s CPUs used, the slowest ran at %.0f %% of the fastest "
		                "one's speed just after the run; threads on the faster ones wait",
		                number, 100 * f->value);
	case WN_RULE_PAGE_FAULTS:
		return snprintf(
		    text, size, "%s first touches of pages%s; the kernel took %s of %s CPU time",
		    number,
		    f->variant == VARIANT_SERIAL_TOUCH ? ", nearly all by the first thread" : "", a,
		    b);
	default: /* WN_RULE_PASSIVE_WAITS */
		return snprintf(text, size,
		                "threads sleep in waits, by their setting; to wake them takes "
		                "%.0f %% of their time",
		                100 * f->value2);
	}
}

const char *
machine_advice(const struct wn_finding *f)
{
	switch (f->variant) {
	case VARIANT_NESTED:
		return "OMP_MAX_ACTIVE_LEVELS=1, or OMP_NUM_THREADS with a number for each level "
		       "whose product is at most the number of cores";
	case VARIANT_OWN:
		return "no num_threads clause or omp_set_num_threads() beyond the number of cores "
		       "that the process may use (omp_get_num_procs())";
	case VARIANT_ACTIVE:
		return "unset OMP_WAIT_POLICY=active (KMP_BLOCKTIME, GOMP_SPINCOUNT), since "
		       "waiting threads hold cores that others need; fewer threads";
	case VARIANT_MASK:
		return "a larger allocation or affinity mask (taskset, cpuset, the job's cores): "
		       "the machine has more cores; or OMP_NUM_THREADS at most their number";
	case VARIANT_OPENBLAS:
		return "OPENBLAS_NUM_THREADS=1 where OpenMP's threads call it, or call it outside "
		       "regions";
	case VARIANT_MKL:
		return "MKL_NUM_THREADS=1 where OpenMP's threads call it, or call it outside "
		       "regions";
	case VARIANT_BLIS:
		return "BLIS_NUM_THREADS=1 where OpenMP's threads call it, or call it outside "
		       "regions";
	case VARIANT_SERIAL_TOUCH:
		return "initialise data in a parallel loop with the schedule of its use, or use "
		       "memory again";
	default:
		return NULL;
	}
}
