/* SPDX-License-Identifier: MIT */
/*
 * rules.c - each rule looks at the graph once and adds what it finds to its (rule, place) entry.
 *
 * Gains are upper bounds of wall time, from the recorded run alone: what the threads would not have
 * spent or waited if the fault were gone and nothing else changed. They do not add up.
 */
#include "advise/advise.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Findings below this share of the elapsed time are noise to the reader. */
#define LEAST_GAIN 0.01
/* The busiest thread's work by the mean, below which a loop is even. */
#define LEAST_UNEVEN 1.05

/* Small tasks are a fault of the program only where they are no exception among a place's tasks. */
#define LEAST_SMALL_SHARE 0.05

/* A finding that explains this much of another, vaguer one makes it superfluous. */
#define EXPLAINS 0.6

struct entry {
	double gain_ns;
	uint64_t n;
	double sum, sum2; /* means are formed at the end */
	uint64_t n_of;    /* grains that were looked at */
	uint32_t site;
	bool on_critical_path;
};

struct advice {
	const struct wn_metrics *m;
	const struct wn_graph *g;
	const uint32_t *place_of_site;
	size_t n_places;
	struct entry *entries; /* [WN_RULE_N][n_places + 1]; the last is the whole program's */
	double n_threads;
	double elapsed_ns, idle_ns; /* idle for want of work, per thread */
};

static size_t
place_at(const struct advice *a, uint32_t site)
{
	if (site < wn_trace_n_sites(a->g->trace) && a->place_of_site[site] < a->n_places)
		return a->place_of_site[site];
	return a->n_places;
}

static struct entry *
entry_at(struct advice *a, enum wn_rule rule, uint32_t site)
{
	struct entry *e = &a->entries[(size_t)rule * (a->n_places + 1) + place_at(a, site)];
	if (e->n == 0)
		e->site = site;
	return e;
}

static bool
is_task(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP;
}

/* No runtime takes longer to start a task. What is more is the system's: threads waking up, CPUs
 * that others had. */
#define START_NS_MAX 10e3

/* What it costs the team to find and start a task, on average. */
static double
scheduling_per_task(const struct advice *a)
{
	const struct wn_totals *t = &a->m->totals;
	uint64_t n = t->n_explicit + t->n_taskloop;
	return n ? fmin((double)t->scheduling_ns / (double)n, START_NS_MAX) : 0;
}

/* Below this share of a place's tasks, small ones are a matter of chance: somebody else's process.
 */
#define LEAST_SMALL 0.25

/* Whether they are worth it is asked with the time to start them, which no task has to itself. */
static wn_status
small_tasks(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	double start_ns = scheduling_per_task(a);
	uint64_t *n_tasks = wn_calloc(a->n_places + 1, sizeof *n_tasks);
	if (!n_tasks)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	for (wn_grain id = 0; id < g->n; id++) {
		if (!is_task(g, id) || !(g->flags[id] & WN_GF_CREATION_KNOWN))
			continue;
		double cost_ns = (double)g->creation_ns[id] + start_ns;
		n_tasks[place_at(a, g->site[id])]++;
		if ((double)g->work_ns[id] >= cost_ns)
			continue;
		struct entry *e = entry_at(a, WN_RULE_SMALL_TASKS, g->site[id]);
		e->n++;
		e->gain_ns += cost_ns / fmax(1, a->m->totals.cores_used);
		e->sum += (double)g->work_ns[id];
		e->sum2 += cost_ns;
		e->on_critical_path |= g->flags[id] & WN_GF_CRITICAL;
	}
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = &a->entries[WN_RULE_SMALL_TASKS * (a->n_places + 1) + place];
		if ((double)e->n < LEAST_SMALL * (double)n_tasks[place])
			e->n = 0;
	}
	wn_free(n_tasks);
	return WN_OK;
}

static bool
is_loop(const struct wn_loop *loop)
{
	uint32_t kind = loop->kind_flags & WN_WORK_KIND_MASK;
	return kind >= WN_WORK_LOOP_STATIC && kind <= WN_WORK_LOOP_OTHER;
}

static void
uneven_loops(struct advice *a)
{
	const struct wn_graph *g = a->g;
	for (size_t i = 0; i < g->n_loops; i++) {
		const struct wn_loop *loop = &g->loops[i];
		if (!is_loop(loop) || loop->n_threads < 2 || loop->sum_thread_work_ns == 0)
			continue;
		double mean_ns = (double)loop->sum_thread_work_ns / loop->n_threads;
		double lost_ns = (double)loop->max_thread_work_ns - mean_ns;
		struct entry *e = entry_at(a, WN_RULE_UNEVEN_LOOP, loop->site);
		e->n++;
		e->gain_ns += lost_ns;
		e->sum += (double)loop->max_thread_work_ns / mean_ns;
		e->sum2 = loop->kind_flags & WN_WORK_KIND_MASK;
	}
}

static void
small_chunks(struct advice *a)
{
	const struct wn_graph *g = a->g;
	for (size_t i = 0; i < g->n_loops; i++) {
		const struct wn_loop *loop = &g->loops[i];
		/* below a tenth of the work, larger chunks would not be felt */
		if (!is_loop(loop) || !loop->n_chunks || loop->kind_flags & WN_LOOP_INLINE ||
		    loop->overhead_ns * 10 < loop->sum_work_ns)
			continue;
		struct entry *e = entry_at(a, WN_RULE_SMALL_CHUNKS, loop->site);
		e->n += loop->n_chunks;
		e->gain_ns += (double)loop->overhead_ns / fmax(1, loop->n_threads);
		e->sum += (double)loop->sum_work_ns;
		e->sum2 += (double)loop->overhead_ns;
	}
}

/* Regions in which nothing but the implicit tasks was seen. */
static wn_status
uneven_regions(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	uint8_t *has_grains = wn_calloc(g->n_regions, 1);
	if (!has_grains)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	for (wn_grain id = 0; id < g->n; id++)
		if (g->kind[id] == WN_GRAIN_IMPLICIT && g->n_children[id])
			has_grains[g->context[id]] = 1;
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		if (has_grains[i] || region->n_implicit < 2 || region->sum_work_ns == 0)
			continue;
		double mean_ns = (double)region->sum_work_ns / region->n_implicit;
		struct entry *e = entry_at(a, WN_RULE_UNEVEN_REGION, region->site);
		e->n++;
		e->gain_ns += (double)region->max_work_ns - mean_ns;
		e->sum += (double)region->max_work_ns / mean_ns;
	}
	wn_free(has_grains);
	return WN_OK;
}

/* Time the initial thread computes alone; the place is the region after the longest stretch. */
static wn_status
serial_part(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	double total_ns = (double)a->m->totals.serial_ns;
	if (a->n_threads < 2 || a->m->totals.n_regions == 0)
		return WN_OK;
	uint32_t *n_seen = wn_calloc(g->n_threads, sizeof *n_seen);
	if (!n_seen)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	uint64_t longest_ns = 0;
	uint32_t site = WN_NO_SITE;
	for (size_t i = 0; i < g->n_fragments; i++) {
		wn_grain id = g->fragment_grain[i];
		if (g->kind[id] != WN_GRAIN_INITIAL)
			continue;
		/* the k-th fragment of a thread's own context ends where its k-th region begins */
		uint32_t thread = g->thread[id], k = n_seen[thread]++;
		uint32_t region = g->first_region[thread] + k;
		if (g->fragment_ns[i] <= longest_ns)
			continue;
		longest_ns = g->fragment_ns[i];
		site = region < g->first_region[thread + 1] ? g->regions[region].site : WN_NO_SITE;
	}
	struct entry *e = entry_at(a, WN_RULE_SERIAL, site);
	e->n = 1;
	e->gain_ns = total_ns * (1 - 1 / a->n_threads);
	e->sum = total_ns;
	e->sum2 = (double)longest_ns;
	e->on_critical_path = true;
	wn_free(n_seen);
	return WN_OK;
}

/* Owners whose fork-joins hold one task each, again and again. */
static wn_status
wait_each(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	uint32_t *n_lonely = wn_calloc(g->n, sizeof *n_lonely);
	if (!n_lonely)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	for (size_t i = 0; i < g->n_fjs; i++)
		if (g->fjs[i].alias == WN_NO_FJ && g->fjs[i].n_children == 1)
			n_lonely[g->fjs[i].owner]++;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!is_task(g, id) || g->fj[id] == WN_NO_FJ || g->fjs[g->fj[id]].n_children != 1 ||
		    n_lonely[g->fjs[g->fj[id]].owner] < 2)
			continue;
		struct entry *e = entry_at(a, WN_RULE_WAIT_EACH, g->site[id]);
		e->n++;
		e->gain_ns =
		    fmin(e->gain_ns + (double)g->work_ns[id] * (1 - 1 / a->n_threads), a->idle_ns);
		e->sum += (double)g->work_ns[id];
		e->on_critical_path |= g->flags[id] & WN_GF_CRITICAL;
	}
	wn_free(n_lonely);
	return WN_OK;
}

/* One grain makes nearly all tasks, spends much of the run on that, and the others starve. */
static void
one_producer(struct advice *a)
{
	const struct wn_graph *g = a->g;
	const struct wn_totals *t = &a->m->totals;
	uint64_t n_tasks = t->n_explicit + t->n_taskloop;
	wn_grain producer = WN_NO_GRAIN;
	if (n_tasks < 100 || a->n_threads < 2)
		return;
	for (wn_grain id = 0; id < g->n; id++)
		if (g->n_children[id] >= n_tasks * 9 / 10 && g->kind[id] != WN_GRAIN_NONE)
			producer = id;
	if (producer == WN_NO_GRAIN || (double)g->made_ns[producer] < 0.2 * a->elapsed_ns)
		return;
	for (wn_grain id = 0; id < g->n; id++) {
		if (g->parent[id] != producer || !is_task(g, id))
			continue;
		struct entry *e = entry_at(a, WN_RULE_ONE_PRODUCER, g->site[id]);
		e->n = g->n_children[producer];
		e->gain_ns = a->idle_ns;
		e->sum = (double)g->made_ns[producer] * (double)e->n;
		e->sum2 = a->idle_ns * (double)e->n;
		return;
	}
}

/* The graph itself cannot keep the threads busy; the place is where the critical path works most.
 */
static wn_status
no_parallelism(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	const struct wn_totals *t = &a->m->totals;
	if (a->n_threads < 2 || !(t->parallelism < a->n_threads) || t->serial_ns * 2 > t->span_ns)
		return WN_OK;
	double *work_ns = wn_calloc(a->n_places + 1, sizeof *work_ns);
	if (!work_ns)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	uint32_t site = WN_NO_SITE;
	double most_ns = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!(g->flags[id] & WN_GF_CRITICAL) || g->site[id] >= wn_trace_n_sites(g->trace))
			continue;
		uint32_t place = a->place_of_site[g->site[id]];
		if (place >= a->n_places)
			continue;
		work_ns[place] += (double)g->work_ns[id];
		if (work_ns[place] > most_ns) {
			most_ns = work_ns[place];
			site = g->site[id];
		}
	}
	wn_free(work_ns);
	struct entry *e = entry_at(a, WN_RULE_NO_PARALLELISM, site);
	e->n = 1;
	e->gain_ns =
	    fmax(0, a->elapsed_ns - (double)t->work_ns / a->n_threads - (double)t->serial_ns);
	e->gain_ns = fmin(e->gain_ns, a->idle_ns);
	e->sum = t->parallelism;
	e->sum2 = (double)t->span_ns;
	e->on_critical_path = true;
	return WN_OK;
}

/* A leaf far longer than its siblings, on the critical path. */
static void
uneven_tasks(struct advice *a)
{
	const struct wn_graph *g = a->g;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!is_task(g, id) || g->n_children[id] || !(g->flags[id] & WN_GF_CRITICAL) ||
		    !(a->m->problems[id] >> WN_PROBLEM_SIBLING_BALANCE & 1) ||
		    g->fj[id] == WN_NO_FJ)
			continue;
		const struct wn_fork_join *f = &g->fjs[g->fj[id]];
		if (f->n_children < 2 || g->work_ns[id] != f->max_work_ns)
			continue;
		double mean_ns = (double)f->sum_work_ns / f->n_children;
		struct entry *e = entry_at(a, WN_RULE_UNEVEN_TASKS, g->site[id]);
		e->n++;
		e->gain_ns = fmin(e->gain_ns + (double)g->work_ns[id] - mean_ns, a->idle_ns);
		e->sum += (double)g->work_ns[id];
		e->sum2 += mean_ns;
		e->on_critical_path = true;
	}
}

static void
many_regions(struct advice *a)
{
	const struct wn_graph *g = a->g;
	const struct wn_totals *t = &a->m->totals;
	if (t->n_regions < 100 || (double)t->forking_ns < 0.05 * a->elapsed_ns)
		return;
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		if (region->parent == WN_NO_GRAIN)
			continue;
		struct entry *e = entry_at(a, WN_RULE_MANY_REGIONS, region->site);
		e->n++;
		e->gain_ns += (double)t->forking_ns / (double)t->n_regions;
		e->sum += (double)(region->end_ns - region->begin_ns);
		e->sum2 += (double)t->forking_ns / (double)t->n_regions;
	}
}

/* Is there a finding of that rule at the place, with at least `share` of the gain? */
static bool
is_told_by(const struct advice *a, enum wn_rule rule, size_t place, double share, double gain_ns)
{
	const struct entry *e = &a->entries[(size_t)rule * (a->n_places + 1) + place];
	return e->n && e->gain_ns >= share * gain_ns;
}

/*
 * One fault, one finding. That there is too little parallelism goes without saying where the reason
 * is known; and chunks too small to be worth it are not to be made smaller because they are uneven.
 */
static void
drop_repeated(struct advice *a)
{
	static const enum wn_rule reasons[] = {
	    WN_RULE_UNEVEN_LOOP,  WN_RULE_UNEVEN_REGION, WN_RULE_WAIT_EACH,   WN_RULE_ONE_PRODUCER,
	    WN_RULE_UNEVEN_TASKS, WN_RULE_SMALL_TASKS,   WN_RULE_SMALL_CHUNKS};
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = &a->entries[WN_RULE_NO_PARALLELISM * (a->n_places + 1) + place];
		struct entry *loop = &a->entries[WN_RULE_UNEVEN_LOOP * (a->n_places + 1) + place];
		for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
			if (is_told_by(a, reasons[i], place, 0.25, e->gain_ns))
				e->n = 0;
		if (is_told_by(a, WN_RULE_SMALL_CHUNKS, place, 1, loop->gain_ns))
			loop->n = 0;
	}
}

/* Loops and regions whose busiest thread works little more than the mean are even enough. */
static void
drop_even(struct advice *a)
{
	static const enum wn_rule rules[] = {WN_RULE_UNEVEN_LOOP, WN_RULE_UNEVEN_REGION};
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		for (size_t place = 0; place <= a->n_places; place++) {
			struct entry *e = &a->entries[rules[i] * (a->n_places + 1) + place];
			if (e->n && e->sum < LEAST_UNEVEN * (double)e->n)
				e->n = 0;
		}
}

static int
by_gain(const void *left, const void *right)
{
	const struct wn_finding *a = left, *b = right;
	if (a->gain_ns != b->gain_ns)
		return a->gain_ns > b->gain_ns ? -1 : 1;
	if (a->rule != b->rule)
		return a->rule < b->rule ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

/* What a rule's sums mean once everything is added: means over n, or the sums themselves. */
static void
finish(const struct entry *e, enum wn_rule rule, struct wn_finding *f)
{
	double n = (double)e->n;
	bool is_total = rule == WN_RULE_SERIAL || rule == WN_RULE_NO_PARALLELISM;
	f->rule = rule;
	f->site = e->site;
	f->gain_ns = (uint64_t)e->gain_ns;
	f->n = e->n;
	f->value = is_total ? e->sum : e->sum / n;
	f->value2 = is_total || rule == WN_RULE_UNEVEN_LOOP ? e->sum2 : e->sum2 / n;
	f->on_critical_path = e->on_critical_path;
}

/* Want of parallelism is what is left when nothing more precise accounts for it. */
static size_t
drop_vague(struct wn_finding *findings, size_t n)
{
	double precise_ns = 0;
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (findings[i].rule != WN_RULE_NO_PARALLELISM &&
		    findings[i].rule != WN_RULE_SMALL_TASKS)
			precise_ns = fmax(precise_ns, (double)findings[i].gain_ns);
	for (size_t i = 0; i < n; i++)
		if (findings[i].rule != WN_RULE_NO_PARALLELISM ||
		    precise_ns < EXPLAINS * (double)findings[i].gain_ns)
			findings[kept++] = findings[i];
	return kept;
}

static bool
is_worth_saying(const struct advice *a, const struct entry *e)
{
	return e->n && (double)e->n >= LEAST_SMALL_SHARE * (double)e->n_of &&
	       e->gain_ns >= LEAST_GAIN * a->elapsed_ns && e->gain_ns >= 1;
}

static wn_status
collect(struct advice *a, struct wn_finding **out, size_t *n_out, wn_err *err)
{
	size_t n = 0, n_entries = (size_t)WN_RULE_N * (a->n_places + 1);
	struct wn_finding *findings = wn_calloc(n_entries, sizeof *findings);
	if (!findings)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	for (size_t i = 0; i < n_entries; i++) {
		const struct entry *e = &a->entries[i];
		if (is_worth_saying(a, e))
			finish(e, (enum wn_rule)(i / (a->n_places + 1)), &findings[n++]);
	}
	qsort(findings, n, sizeof *findings, by_gain);
	*out = findings;
	*n_out = drop_vague(findings, n);
	return WN_OK;
}

wn_status
wn_advise(const struct wn_metrics *m, const uint32_t *place_of_site, size_t n_places,
          struct wn_finding **out, size_t *n_out, wn_err *err)
{
	wn_status st = WN_OK;
	struct advice a = {.m = m, .g = m->g, .place_of_site = place_of_site, .n_places = n_places};
	a.n_threads = m->totals.n_threads;
	a.elapsed_ns = (double)m->totals.elapsed_ns;
	a.idle_ns = (double)m->totals.idle_empty_ns / fmax(1, a.n_threads);
	a.entries = wn_calloc((size_t)WN_RULE_N * (n_places + 1), sizeof *a.entries);
	if (!a.entries)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	WN_TRY(small_tasks(&a, err));
	uneven_loops(&a);
	small_chunks(&a);
	WN_TRY(uneven_regions(&a, err));
	WN_TRY(serial_part(&a, err));
	WN_TRY(wait_each(&a, err));
	one_producer(&a);
	WN_TRY(no_parallelism(&a, err));
	uneven_tasks(&a);
	many_regions(&a);
	drop_even(&a);
	drop_repeated(&a);
	WN_TRY(collect(&a, out, n_out, err));
out:
	wn_free(a.entries);
	return st;
}
