/* SPDX-License-Identifier: MIT */
/* rules_tasks.c - tasks and chunks that are too small, tasks that are unbalanced or waited for one
 * by one, and low parallelism of the graph. */
#include "advise/advise_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>

/* Where it is unknown or frequent that threads are off the CPU, longer starts are not the
 * runtime's: the threads that take the tasks may wait for a CPU. */
#define START_NS_MAX 10e3

/* Average scheduling overhead of the team per task. */
static double
scheduling_per_task(const struct advice *a)
{
	const struct wn_totals *t = &a->m->totals;
	uint64_t n = t->n_explicit + t->n_taskloop;
	double start_ns = n ? (double)t->scheduling_ns / (double)n : 0;
	return a->g->off_cpu_ns && a->off_ns <= 0 ? start_ns : fmin(start_ns, START_NS_MAX);
}

/* Below this share of a place's tasks, small ones are outliers, such as an effect of other
 * processes. */
#define LEAST_SMALL 0.25

/* Whether tasks pay off includes their start-up time, which is not known per task. */
wn_status
rule_small_tasks(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	double start_ns = scheduling_per_task(a), cores_used = fmax(1, a->m->totals.cores_used);
	uint64_t *n_tasks = wn_calloc(a->n_places + 1, sizeof *n_tasks);
	if (!n_tasks)
		return wn_no_memory(err);
	for (wn_grain id = 0; id < g->n; id++) {
		if (!advice_is_task(g, id))
			continue;
		bool is_known = g->flags[id] & WN_GF_CREATION_KNOWN;
		double creation_ns = is_known ? (double)wn_creation_ns(g, id) : 0;
		double cost_ns = fmax(LEAST_TASK_COST_NS, creation_ns + start_ns);
		n_tasks[advice_place(a, g->site[id])]++;
		double work_ns = (double)wn_work_ns(g, id);
		if (work_ns >= cost_ns)
			continue;
		struct entry *e = advice_entry(a, WN_RULE_SMALL_TASKS, g->site[id]);
		e->n++;
		e->gain_ns += cost_ns / cores_used;
		e->sum += work_ns;
		e->sum2 += cost_ns;
		e->on_critical_path |= g->flags[id] & WN_GF_CRITICAL;
	}
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = advice_at(a, WN_RULE_SMALL_TASKS, place);
		if ((double)e->n < LEAST_SMALL * (double)n_tasks[place])
			e->n = 0;
	}
	wn_free(n_tasks);
	return WN_OK;
}

/* Chunks whose dispatch takes more than a tenth of their work. */
void
rule_small_chunks(struct advice *a)
{
	const struct wn_graph *g = a->g;
	for (size_t i = 0; i < g->n_loops; i++) {
		const struct wn_loop *loop = &g->loops[i];
		/* below a tenth of the work, larger chunks would have no visible effect */
		if (!advice_is_loop(loop) || !loop->n_chunks || loop->kind_flags & WN_LOOP_INLINE ||
		    loop->overhead_ns * 10 < loop->sum_work_ns)
			continue;
		struct entry *e = advice_entry(a, WN_RULE_SMALL_CHUNKS, loop->site);
		e->n += loop->n_chunks;
		e->gain_ns += (double)loop->overhead_ns / fmax(1, loop->n_threads);
		e->sum += (double)loop->sum_work_ns;
		e->sum2 += (double)loop->overhead_ns;
	}
}

static bool
is_lonely(const struct wn_graph *g, wn_grain id)
{
	return advice_is_task(g, id) && g->fj[id] != WN_NO_FJ && g->fjs[g->fj[id]].n_children == 1;
}

/* What rule_wait_each() knows of owners and places. */
struct lonely {
	uint8_t *n;         /* [n_grains] fork-joins with one task: 0, 1, 2 and more; COUNTED */
	uint32_t *place_of; /* [n_grains] of such an owner: the place of one of its tasks */
	uint32_t
	    *same_as; /* [n_places + 1] another place with tasks of the same owner, or itself */
	uint8_t *is_member; /* [n_places + 1] */
};
enum { COUNTED = 3 };

static wn_status
lonely_init(struct lonely *l, const struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	*l = (struct lonely){
	    .n = wn_calloc(g->n, sizeof *l->n),
	    .place_of = wn_calloc_none(g->n),
	    .same_as = wn_calloc(a->n_places + 1, sizeof *l->same_as),
	    .is_member = wn_calloc(a->n_places + 1, sizeof *l->is_member),
	};
	if (!l->n || !l->place_of || !l->same_as || !l->is_member)
		return wn_no_memory(err);
	for (uint32_t place = 0; place <= a->n_places; place++)
		l->same_as[place] = place;
	for (size_t i = 0; i < g->n_fjs; i++)
		if (g->fjs[i].alias == WN_NO_FJ && g->fjs[i].n_children == 1 &&
		    l->n[g->fjs[i].owner] < 2)
			l->n[g->fjs[i].owner]++;
	return WN_OK;
}

static uint32_t
first_of_same(struct lonely *l, uint32_t place)
{
	while (l->same_as[place] != place)
		place = l->same_as[place] = l->same_as[l->same_as[place]];
	return place;
}

/* A wait for each of several tasks of one owner is one cause, as in the halves of a recursion. */
static void
merge_waits(struct advice *a, struct lonely *l)
{
	for (uint32_t first = 0; first < a->n_places; first++) {
		size_t n_members = 0;
		if (l->same_as[first] != first || !advice_at(a, WN_RULE_WAIT_EACH, first)->n)
			continue;
		for (uint32_t place = 0; place <= a->n_places; place++) {
			l->is_member[place] = first_of_same(l, place) == first;
			n_members += l->is_member[place];
		}
		if (n_members > 1)
			advice_merge(a, WN_RULE_WAIT_EACH, l->is_member);
	}
}

/* Owners whose fork-joins repeatedly contain one task each. What else may run beside such tasks is
 * the own work of their owner, and other tasks of the place that are waited for at once. */
wn_status
rule_wait_each(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	double share = 1 - 1 / a->n_threads;
	struct lonely l;
	wn_status st = lonely_init(&l, a, err);
	for (wn_grain id = 0; st == WN_OK && id < g->n; id++) {
		if (!is_lonely(g, id))
			continue;
		wn_grain owner = g->fjs[g->fj[id]].owner;
		uint32_t place = (uint32_t)advice_place(a, g->site[id]);
		struct entry *e = advice_at(a, WN_RULE_WAIT_EACH, place);
		if (l.n[owner] < 2) {
			e->maybe_ns += (double)wn_work_ns(g, id) * share;
			continue;
		}
		e = advice_entry(a, WN_RULE_WAIT_EACH, g->site[id]);
		if (l.n[owner] != COUNTED && !is_lonely(g, owner))
			e->maybe_ns += (double)wn_work_ns(g, owner) * share;
		if (l.n[owner] == COUNTED)
			l.same_as[first_of_same(&l, place)] = first_of_same(&l, l.place_of[owner]);
		l.n[owner] = COUNTED;
		l.place_of[owner] = place;
		e->n++;
		e->gain_ns += (double)wn_work_ns(g, id) * share;
		e->sum += (double)wn_work_ns(g, id);
		e->on_critical_path |= g->flags[id] & WN_GF_CRITICAL;
	}
	if (st == WN_OK)
		merge_waits(a, &l);
	for (size_t place = 0; st == WN_OK && place <= a->n_places; place++) {
		struct entry *e = advice_at(a, WN_RULE_WAIT_EACH, place);
		e->gain_ns = fmin(e->gain_ns, a->idle_ns);
	}
	WN_FREE_ALL(l.n, l.place_of, l.same_as, l.is_member);
	return st;
}

/* Of the CPUs, and of the elapsed time: a parallelism above the one that loses less than the other
 * is within what other causes, or chance, take. */
#define LOW_PARALLELISM  0.9
#define LEAST_LOST_BY_IT 0.1

/* All descendants of a final task run in it, so the place of their work is the outermost one's.
 * Deeper ones are rare enough to stay where they are. */
#define FINAL_DEPTH_MAX 1000

static uint32_t
site_of_work(const struct wn_graph *g, wn_grain id)
{
	for (int depth = 0; depth < FINAL_DEPTH_MAX; depth++) {
		wn_grain parent = g->parent[id];
		if (parent == WN_NO_GRAIN || !advice_is_task(g, parent) ||
		    !(g->flags[parent] & WN_GF_FINAL))
			break;
		id = parent;
	}
	return g->site[id];
}

/* Where threads are off the CPU, idle time has other reasons, too. The times of the graph's longest
 * path have none of it, unless it is unknown: what the path takes longer than all work divided
 * among the CPUs. */
static double
structural_ns(const struct advice *a)
{
	const struct wn_totals *t = &a->m->totals;
	double unknown_ns = (double)t->switch_unknown_ns;
	if (t->n_explicit + t->n_taskloop == 0 || !a->g->off_cpu_ns || a->x->no_bound ||
	    (a->off_ns <= 0 && a->n_cpus >= a->n_threads))
		return 0;
	return fmax(0, (double)t->span_ns - (double)t->work_ns / a->n_cpus - unknown_ns);
}

/* Low parallelism of the graph; the place is where the critical path has most work. */
wn_status
rule_no_parallelism(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	const struct wn_totals *t = &a->m->totals;
	if (a->n_threads < 2 || !(t->parallelism < a->n_cpus) || t->serial_ns * 2 > t->span_ns)
		return WN_OK;
	struct {
		/* on the path; the parts in tasks with depend clauses, and in implicit tasks */
		double ns, dependent_ns, implicit_ns;
	} *work = wn_calloc(a->n_places + 1, sizeof *work);
	uint8_t *has_tasks = wn_calloc(a->n_places + 1, 1);
	if (!work || !has_tasks) {
		WN_FREE_ALL(work, has_tasks);
		return wn_no_memory(err);
	}
	advice_mark_tasks(a, has_tasks);
	uint32_t site = WN_NO_SITE;
	double most_ns = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!(g->flags[id] & WN_GF_CRITICAL))
			continue;
		uint32_t of_work = site_of_work(g, id);
		size_t place = advice_place(a, of_work);
		if (place >= a->n_places)
			continue;
		work[place].ns += (double)wn_work_ns(g, id);
		if (g->flags[id] & WN_GF_DEPENDENT)
			work[place].dependent_ns += (double)wn_work_ns(g, id);
		if (g->kind[id] == WN_GRAIN_IMPLICIT)
			work[place].implicit_ns += (double)wn_work_ns(g, id);
		if (work[place].ns > most_ns) {
			most_ns = work[place].ns;
			site = of_work;
		}
	}
	struct entry *e = advice_entry(a, WN_RULE_NO_PARALLELISM, site);
	size_t most = advice_place(a, site);
	if (work[most].dependent_ns > most_ns / 2)
		e->variant = PATH_DEPENDS;
	else if (has_tasks[most] && work[most].implicit_ns > most_ns / 2)
		e->variant = PATH_CREATES;
	WN_FREE_ALL(work, has_tasks);
	e->n = 1;
	e->gain_ns =
	    fmax(0, a->elapsed_ns - (double)t->work_ns / a->n_threads - (double)t->serial_ns);
	/* a schedule loses no more than twice what the path takes longer than its share of work */
	double path_ns = fmax(0, (double)t->span_ns - (double)t->work_ns / a->n_cpus);
	if (!a->x->no_bound)
		e->gain_ns = fmin(e->gain_ns, 2 * path_ns);
	e->gain_ns = fmax(fmin(e->gain_ns, a->idle_ns), structural_ns(a));
	if (t->parallelism >= LOW_PARALLELISM * a->n_cpus &&
	    e->gain_ns < LEAST_LOST_BY_IT * a->elapsed_ns)
		e->n = 0;
	e->sum = t->parallelism;
	e->sum2 = (double)t->span_ns;
	e->on_critical_path = true;
	return WN_OK;
}

/* A leaf far longer than its siblings, on the critical path; and the only such sibling, since
 * where dependences chain siblings, the join does not wait for the longest one. */
wn_status
rule_uneven_tasks(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	uint8_t *n_critical = wn_calloc(g->n_fjs, sizeof *n_critical); /* children, up to 2 */
	if (!n_critical)
		return wn_no_memory(err);
	for (wn_grain id = 0; id < g->n; id++)
		if (g->flags[id] & WN_GF_CRITICAL && g->fj[id] != WN_NO_FJ &&
		    n_critical[g->fj[id]] < 2)
			n_critical[g->fj[id]]++;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!advice_is_task(g, id) || g->n_children[id] ||
		    !(g->flags[id] & WN_GF_CRITICAL) ||
		    !(a->m->problems[id] >> WN_PROBLEM_SIBLING_BALANCE & 1) ||
		    g->fj[id] == WN_NO_FJ || n_critical[g->fj[id]] > 1)
			continue;
		const struct wn_fork_join *f = &g->fjs[g->fj[id]];
		const struct wn_fork_join_work work = wn_fork_join_work(g, g->fj[id]);
		if (f->n_children < 2 || wn_work_ns(g, id) != work.max_ns)
			continue;
		double mean_ns = (double)work.sum_ns / f->n_children;
		struct entry *e = advice_entry(a, WN_RULE_UNEVEN_TASKS, g->site[id]);
		e->n++;
		e->gain_ns = fmin(e->gain_ns + (double)wn_work_ns(g, id) - mean_ns, a->idle_ns);
		e->sum += (double)wn_work_ns(g, id);
		e->sum2 += (double)(work.sum_ns - work.max_ns) / (f->n_children - 1);
		e->on_critical_path = true;
	}
	wn_free(n_critical);
	return WN_OK;
}
