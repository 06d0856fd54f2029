/* SPDX-License-Identifier: MIT */
/* advise_private.h - declarations shared by the rules. Each rule visits the graph once and adds to
 * its (rule, place) entries. Private to this folder. */
#pragma once

#include "advise/advise.h"

/* Time lost below this share of the threads' time needs no explanation. */
#define LEAST_LOST 0.10
/* What a runtime takes at least for a task, also for one that it runs at once: the call, the check
 * of its queue, and the call of the body. Compensation may leave less of the creation. */
#define LEAST_TASK_COST_NS 10

struct entry {
	double gain_ns;
	uint64_t n;
	double sum, sum2; /* means are computed at the end */
	uint32_t site;
	uint32_t variant;
	bool on_critical_path;
	double maybe_ns; /* what may be lost, too: in the bound only */
	double entry_ns; /* findings about small grains: entering their bodies */
	double calls_ns; /* of all work: calls of the kernel that a fix removes, too */
	bool is_noise;   /* not more than chance may explain: explains no other time */
	uint32_t n_parts;
	struct wn_finding_part parts[WN_FINDING_PARTS];
};

struct advice {
	const struct wn_model *x;
	const struct wn_metrics *m;
	const struct wn_graph *g;
	const uint32_t *place_of_site; /* [n_sites] */
	uint32_t n_sites;
	size_t n_places;
	struct entry *entries; /* [WN_RULE_N][n_places + 1]; the last is for the whole program */
	double n_threads;
	double n_cpus;              /* of these, threads that can run at a time */
	double elapsed_ns, idle_ns; /* idle: no ready work, per thread */
	/* serial code before the first event and after the last one; the same where it is so short
	 * that every process may have it */
	double outside_ns, short_outside_ns;
	double off_ns; /* in a disturbed run: idle time that may be waits for threads off the CPU */
	double steal_ns; /* that the hypervisor took from the CPUs for certain, at unknown times */
	double free_ns;  /* of more threads than CPUs: elapsed time that CPUs had nothing to run */
};

/* rules_balance.c: are the gaps between the threads at a place those of short work between frequent
 * barriers, so that they are a cost of the barriers? */
bool advice_is_of_barriers(const struct advice *a, const struct wn_spread *s);

/* Returns the place of a site; n_places if it has none. */
static inline size_t
advice_place(const struct advice *a, uint32_t site)
{
	size_t place = site < a->n_sites ? a->place_of_site[site] : a->n_places;
	return place < a->n_places ? place : a->n_places;
}

static inline struct entry *
advice_at(const struct advice *a, enum wn_rule rule, size_t place)
{
	return &a->entries[(size_t)rule * (a->n_places + 1) + place];
}

/* Returns a rule's entry for the place of a site; the first site becomes the entry's. */
static inline struct entry *
advice_entry(struct advice *a, enum wn_rule rule, uint32_t site)
{
	struct entry *e = advice_at(a, rule, advice_place(a, site));
	if (e->n == 0)
		e->site = site;
	return e;
}

/* Adds a part, and keeps the largest ones in order. */
void advice_keep_part(struct entry *e, uint32_t site, double share);

/* Is that part of a region between two barriers inside it? The end of a region has the region's
 * address in some runtimes. */
static inline bool
advice_is_inside(const struct advice *a, const struct wn_spread *s)
{
	return !s->is_loop && s->until != WN_NO_SITE &&
	       wn_trace_site(a->g->trace, s->until).addr !=
	           wn_trace_site(a->g->trace, s->site).addr;
}

/* Makes one finding of a rule's findings at some places: at the place of the largest, with all of
 * them as parts. */
void advice_merge(struct advice *a, enum wn_rule rule, const uint8_t *is_member);

/* Marks places of regions, [n_places + 1], in which implicit tasks, or chunks of theirs, create
 * tasks: threads without work of their own run those. */
void advice_mark_tasks(const struct advice *a, uint8_t *has_tasks);

/* Returns whether a finding is large enough to report. */
bool advice_is_significant(const struct advice *a, const struct entry *e);

static inline bool
advice_is_task(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP;
}

/* Findings about more threads, less work than was recorded, or causes outside the program: no floor
 * of the recorded work limits them. */
bool advice_is_unlimited(enum wn_rule rule);

/* Returns advice.free_ns: on average of the CPUs, in regions; 0 where each thread has a CPU. */
double advice_free_ns(const struct advice *a);

/* Returns the most time that a fix can save, if it also removes `work_ns` of work. */
double advice_limit(const struct advice *a, enum wn_rule rule, double work_ns);

/* savings.c: sets entry_ns, which larger grains save, too; the saving and the bound of a finding
 * whose of_ns is set; the part of each saving that the findings before it leave. */
void advice_count_entries(struct advice *a);
void advice_save(const struct advice *a, const struct entry *e, enum wn_rule rule,
                 struct wn_finding *f);
void advice_marginal(const struct advice *a, struct wn_finding *findings, size_t n);

/* simulated.c: the savings of the first findings whose change can be simulated. */
WN_MUST_CHECK wn_status advice_simulate(const struct advice *a, const struct wn_simulation *s,
                                        struct wn_finding *findings, size_t n, wn_err *err);

/* Sections have no schedule that could be changed. */
static inline bool
advice_is_loop(const struct wn_loop *loop)
{
	uint32_t kind = loop->kind_flags & WN_WORK_KIND_MASK;
	return kind >= WN_WORK_LOOP_STATIC && kind <= WN_WORK_LOOP_OTHER;
}

/* rules_tasks.c */
wn_status rule_small_tasks(struct advice *a, wn_err *err);
void rule_small_chunks(struct advice *a);
wn_status rule_wait_each(struct advice *a, wn_err *err);
/* variants: the path is mostly in tasks with depend clauses; in threads that create tasks */
enum { PATH_DEPENDS = 1, PATH_CREATES };
wn_status rule_no_parallelism(struct advice *a, wn_err *err);
wn_status rule_uneven_tasks(struct advice *a, wn_err *err);

/* rules_balance.c */
wn_status rule_uneven_loops(struct advice *a, wn_err *err); /* sections, too */
wn_status rule_uneven_regions(struct advice *a, wn_err *err);

/* rules_regions.c */
void rule_serial_part(struct advice *a);
void rule_serial_start(struct advice *a);
void rule_many_regions(struct advice *a);
wn_status merge_regions(struct advice *a, wn_err *err); /* one finding for those of one loop */
wn_status rule_many_barriers(struct advice *a, wn_err *err);

/* rules_producer.c */
wn_status rule_one_producer(struct advice *a, wn_err *err);

/* rules_teams.c */
wn_status rule_lone_teams(struct advice *a, wn_err *err);

/* rules_mutex.c: one finding for places that use the same mutexes. */
/* variants: waits are much longer than it is held; it is the order of iterations */
enum { MUTEX_LATE = 1, MUTEX_ORDERED, MUTEX_REDUCTION, MUTEX_DOACROSS };
wn_status rule_mutex(struct advice *a, wn_err *err);

/* rules_runtime.c */
wn_status rule_inline_tasks(struct advice *a, wn_err *err);
wn_status rule_blocked(struct advice *a, wn_err *err);
void rule_task_queue(struct advice *a);
void rule_taskwait(struct advice *a);
wn_status rule_creation(struct advice *a, wn_err *err);
/* Called after all others: finds idle time that they do not explain, at the place that threads wait
 * for. */
enum { FEW_OF_TASKS, FEW_OF_THREADS }; /* variants: of tasks, of threads with work of their own */
wn_status rule_few_tasks(struct advice *a, wn_err *err);
/* Called last: finds the largest category of lost time that the other entries do not explain. */
void rule_unexplained(struct advice *a);
/* Texts for a finding of it; value: the category. */
const char *lost_time_name(const struct wn_finding *f);
const char *lost_time_advice(const struct wn_finding *f);

/* rules_machine.c: all rules on causes outside the program's text. */
void rules_machine(struct advice *a);
/* Texts for a finding of them; the advice is NULL where the rule has only one. */
int machine_message(const struct wn_finding *f, char *text, size_t size);
const char *machine_advice(const struct wn_finding *f);

/* recursion.c: merges findings on small tasks at places that create tasks for one another. */
wn_status merge_recursions(struct advice *a, wn_err *err);
