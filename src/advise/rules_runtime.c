/* SPDX-License-Identifier: MIT */
/* rules_runtime.c - what the runtime adds: tasks that it does not queue, queues that threads
 * contend for, idle taskwaits; and time lost for which no rule knows the cause. */
#include "advise/advise_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "trace/trace_switches.h"

#include <math.h>

/* libgomp queues all tasks of a taskloop, or none of them: where the team would have more than 64
 * tasks for each thread, it runs them in the call, one after the other. The gain is at most the
 * idle time of the other threads. Single tasks that it does not queue cost nothing: the others have
 * those in the queue. */
wn_status
rule_inline_tasks(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	const struct wn_totals *t = &a->m->totals;
	double idle_ns =
	    fmax(0, (double)(t->idle_ready_ns + t->idle_empty_ns) - a->off_ns) / a->n_threads;
	(void)err;
	for (wn_grain id = 0; id < g->n; id++) {
		if (g->kind[id] != WN_GRAIN_TASKLOOP || !(g->flags[id] & WN_GF_INLINE))
			continue;
		struct entry *e = advice_entry(a, WN_RULE_INLINE_TASKS, g->site[id]);
		e->n++;
		e->sum += (double)wn_work_ns(g, id);
		e->on_critical_path |= g->flags[id] & WN_GF_CRITICAL;
	}
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = advice_at(a, WN_RULE_INLINE_TASKS, place);
		e->gain_ns = fmin(e->sum * (1 - 1 / a->n_threads), idle_ns);
		if (e->n < 2)
			e->n = 0;
	}
	return WN_OK;
}

/* Runs whose times of waits are not the program's own have no finding about them: nor have threads
 * that share CPUs. */
static bool
is_disturbed(const struct advice *a)
{
	return a->off_ns > 0 || a->n_cpus < a->n_threads;
}

/* Tasks that are worth their creation, but not their way through the queues, whose locks the
 * threads contend for. Small tasks have a rule of their own, at however many places. The place is
 * where most tasks are created. */
void
rule_task_queue(struct advice *a)
{
	const struct wn_graph *g = a->g;
	const struct wn_totals *t = &a->m->totals;
	double n_tasks = (double)(t->n_explicit + t->n_taskloop);
	double lost_ns = (double)t->scheduling_ns, small_ns = 0;
	if (n_tasks < 1 || a->n_threads < 2 || is_disturbed(a) ||
	    lost_ns < LEAST_LOST * a->n_threads * (double)t->recorded_ns)
		return;
	for (size_t place = 0; place <= a->n_places; place++) {
		const struct entry *e = advice_at(a, WN_RULE_SMALL_TASKS, place);
		small_ns += e->n ? e->gain_ns : 0;
	}
	if (small_ns >= lost_ns / a->n_threads / 2)
		return;
	uint32_t site = WN_NO_SITE; /* a majority vote in one pass */
	uint64_t votes = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!advice_is_task(g, id))
			continue;
		if (votes == 0)
			site = g->site[id];
		votes = site == g->site[id] ? votes + 1 : votes - 1;
	}
	struct entry *e = advice_entry(a, WN_RULE_TASK_QUEUE, votes ? site : WN_NO_SITE);
	e->n = (uint64_t)n_tasks;
	e->gain_ns = lost_ns / a->n_threads;
	e->sum = lost_ns / n_tasks;
	e->sum2 = lost_ns / (a->n_threads * (double)t->recorded_ns);
}

/* User code that gave the CPU up. The place is the one with the most time off the CPU; which part
 * of that is blocked is known of the run only. */
wn_status
rule_blocked(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	const struct wn_totals *t = &a->m->totals;
	double blocked_ns = (double)t->blocked_ns, all_ns = a->n_threads * (double)t->recorded_ns;
	if (!g->off_cpu_ns || blocked_ns < LEAST_LOST * all_ns)
		return WN_OK;
	uint64_t *off_ns = wn_calloc(a->n_places + 1, sizeof *off_ns);
	uint64_t most_ns = 0;
	uint32_t site = WN_NO_SITE;
	if (!off_ns)
		return wn_no_memory(err);
	for (wn_grain id = 0; id < g->n && t->preempted_ns < t->blocked_ns / 2; id++) {
		size_t place = advice_place(a, g->site[id]);
		off_ns[place] += g->off_cpu_ns[id];
		if (off_ns[place] > most_ns) {
			most_ns = off_ns[place];
			site = g->site[id];
		}
	}
	wn_free(off_ns);
	struct entry *e = advice_entry(a, WN_RULE_BLOCKED, site);
	for (size_t i = 0; site != WN_NO_SITE && i < g->n_spreads; i++) {
		const struct wn_spread *s = &g->spreads[i];
		bool is_there = advice_place(a, s->site) == advice_place(a, site);
		if (is_there && s->off_cpu_ns > 0 && advice_is_inside(a, s))
			advice_keep_part(e, s->until, (double)s->off_cpu_ns / (double)most_ns);
	}
	e->n = 1;
	e->gain_ns = fmin(blocked_ns, (double)t->elapsed_ns);
	if (wn_model_sleeps_are_short(a->x)) {
		e->entry_ns = (double)t->work_ns;
		e->calls_ns = wn_model_calls_ns(a->x);
		e->gain_ns += e->calls_ns / a->n_cpus;
	}
	e->sum = blocked_ns;
	e->sum2 = blocked_ns / all_ns;
	return WN_OK;
}

/* Idle time in taskwaits and taskgroups while the team had ready tasks: libgomp's taskwait runs
 * only children of the waiting task, libomp's only its descendants. */
void
rule_taskwait(struct advice *a)
{
	const struct wn_graph *g = a->g;
	double lost_ns = 0;
	for (uint32_t i = 0; i < g->n_threads; i++)
		lost_ns += (double)g->thread_time[i].taskwait_ready_ns;
	if (is_disturbed(a) || a->n_threads < 2 ||
	    lost_ns < LEAST_LOST * a->n_threads * (double)a->m->totals.recorded_ns)
		return;
	struct entry *e = advice_entry(a, WN_RULE_TASKWAIT, g->taskwait_site);
	e->n = 1;
	e->gain_ns = lost_ns / a->n_threads;
	e->sum = lost_ns;
	e->sum2 = lost_ns / (a->n_threads * (double)a->m->totals.recorded_ns);
}

#define MACHINE                                                                                    \
	(WN_RULE_BIT(OVERSUBSCRIBED) | WN_RULE_BIT(BOUND) | WN_RULE_BIT(QUOTA) |                   \
	 WN_RULE_BIT(OTHER_THREADS))

/* A category of the threads' time that is no work, and the rules that may explain it. */
enum lost { IDLE_READY, SCHEDULING, LEAVING, CREATION, DISPATCH, IDLE_EMPTY, FORKING, LOST_N };

static const struct {
	uint64_t explained_by;
	const char *name, *advice;
} lost_times[LOST_N] = {
    [IDLE_READY] =
	{
	    WN_RULE_BIT(INLINE_TASKS) | WN_RULE_BIT(TASKWAIT) | WN_RULE_BIT(ONE_PRODUCER) | MACHINE,
	    "idle: ready tasks not picked up",
	    "look for taskwait in tasks, where libgomp runs only children of the waiting task; "
	    "OMP_WAIT_POLICY=active; priorities",
	},
    [SCHEDULING] =
	{
	    WN_RULE_BIT(SMALL_TASKS) | WN_RULE_BIT(TASK_QUEUE) | MACHINE,
	    "task scheduling",
	    "larger tasks; compare with fewer threads, since threads that take tasks from one "
	    "queue "
	    "wait for one another",
	},
    [LEAVING] =
	{
	    WN_RULE_BIT(PASSIVE_WAITS) | WN_RULE_BIT(MANY_REGIONS) | WN_RULE_BIT(MANY_BARRIERS) |
		MACHINE,
	    "synchronisation (wake-up)",
	    "fewer barriers and regions; OMP_WAIT_POLICY=active if each thread has a core of its "
	    "own",
	},
    [CREATION] =
	{
	    WN_RULE_BIT(SMALL_TASKS) | WN_RULE_BIT(ONE_PRODUCER) | WN_RULE_BIT(CREATION),
	    "task creation",
	    "fewer, larger tasks, without copies of large data (firstprivate)",
	},
    [DISPATCH] =
	{
	    WN_RULE_BIT(SMALL_CHUNKS) | WN_RULE_BIT(MANY_REGIONS) | WN_RULE_BIT(MANY_BARRIERS),
	    "loop scheduling (chunk dispatch)",
	    "larger chunks, or schedule(static)",
	},
    [IDLE_EMPTY] =
	{
	    WN_RULE_BIT(CPU_SPEEDS) | WN_RULE_BIT(UNEVEN_LOOP) | WN_RULE_BIT(UNEVEN_REGION) |
		WN_RULE_BIT(UNEVEN_TASKS) | WN_RULE_BIT(WAIT_EACH) | WN_RULE_BIT(ONE_PRODUCER) |
		WN_RULE_BIT(NO_PARALLELISM) | WN_RULE_BIT(LONE_TEAMS) | WN_RULE_BIT(INLINE_TASKS) |
		WN_RULE_BIT(MUTEX) | WN_RULE_BIT(SMALL_TASKS) | WN_RULE_BIT(BLOCKED) |
		WN_RULE_BIT(CREATION) | WN_RULE_BIT(FEW_TASKS) | WN_RULE_BIT(UNEVEN_SECTIONS) |
		WN_RULE_BIT(MANY_BARRIERS) | MACHINE,
	    "idle: no ready work",
	    "winnow view shows where threads wait, and for whom; more work between the waits",
	},
    [FORKING] =
	{
	    WN_RULE_BIT(MANY_REGIONS) | WN_RULE_BIT(LONE_TEAMS) | WN_RULE_BIT(PASSIVE_WAITS) |
		MACHINE,
	    "fork/join overhead",
	    "fewer and longer regions; no nested ones, for which libgomp starts threads each time",
	},
};

/* What all findings of these rules account for, in time of threads. */
static double
explained_ns(const struct advice *a, uint64_t rules)
{
	double sum_ns = 0;
	for (int rule = 0; rule < WN_RULE_N; rule++)
		for (size_t place = 0; rules >> rule & 1 && place <= a->n_places; place++) {
			const struct entry *e = advice_at(a, (enum wn_rule)rule, place);
			sum_ns += e->n && !e->is_noise ? e->gain_ns * a->n_threads : 0;
		}
	return sum_ns;
}

/* Time of that category that threads may have lost because others were off the CPU, or the
 * hypervisor had a CPU. */
static double
waits_for_off_ns(const struct advice *a, int lost)
{
	bool is_wait =
	    lost == IDLE_READY || lost == IDLE_EMPTY || lost == LEAVING || lost == FORKING;
	return is_wait ? a->off_ns + a->steal_ns : 0;
}

/* Tasks of a place, and what those of them took to create whose creation is known. */
struct created {
	double ns, work_ns;
	uint64_t n, n_known;
};

/* Returns a site of the place with most creation; creation that is not known by task, as inside
 * libomp's taskloops, is divided among those tasks. */
static uint32_t
find_created(const struct advice *a, struct created *places, struct created *most)
{
	const struct wn_graph *g = a->g;
	uint32_t site = WN_NO_SITE;
	double known_ns = 0, n_unknown = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!advice_is_task(g, id))
			continue;
		struct created *place = &places[advice_place(a, g->site[id])];
		bool is_known = g->flags[id] & WN_GF_CREATION_KNOWN;
		place->work_ns += (double)wn_work_ns(g, id);
		place->n++;
		place->n_known += is_known;
		place->ns += is_known ? (double)wn_creation_ns(g, id) : 0;
		known_ns += is_known ? (double)wn_creation_ns(g, id) : 0;
		n_unknown += !is_known;
	}
	double each_ns = fmax(0, (double)a->m->totals.creation_ns - known_ns) / fmax(1, n_unknown);
	for (size_t i = 0; i < a->n_places; i++) {
		struct created *place = &places[i];
		place->ns += each_ns * (double)(place->n - place->n_known);
		place->ns = fmax(place->ns, LEAST_TASK_COST_NS * (double)place->n);
		if (place->ns > most->ns)
			*most = *place;
	}
	for (wn_grain id = 0; id < g->n && site == WN_NO_SITE; id++) {
		size_t i = advice_place(a, g->site[id]);
		if (advice_is_task(g, id) && i < a->n_places && places[i].ns >= most->ns)
			site = g->site[id];
	}
	return site;
}

/* Creation that takes longer copies data; where it does not, only the number of tasks is at fault.
 */
#define COPIES_NS 2000.0
/* So long takes no lock of the queue, for which up to four threads contend. */
#define SURE_COPIES_NS 10000.0

/* Copies for each task are the cause of what tasks cost there, and of the waits for the thread that
 * creates them: removes findings about these, and adds the waits. */
static void
take_creation(struct advice *a, struct entry *creation, size_t place)
{
	advice_at(a, WN_RULE_SMALL_TASKS, place)->n = 0;
	for (size_t i = 0; i <= a->n_places; i++) {
		struct entry *producer = advice_at(a, WN_RULE_ONE_PRODUCER, i);
		creation->gain_ns += producer->n ? producer->gain_ns : 0;
		producer->n = 0;
	}
}

/* Tasks that work longer than they take to create, which is a large part of the run all the same;
 * and those that copies make expensive. */
wn_status
rule_creation(struct advice *a, wn_err *err)
{
	const struct wn_totals *t = &a->m->totals;
	double all_ns = a->n_threads * (double)t->recorded_ns;
	double n_tasks = (double)t->n_explicit + (double)t->n_taskloop;
	double lost_ns = fmax((double)t->creation_ns, LEAST_TASK_COST_NS * n_tasks);
	if (lost_ns < LEAST_LOST * (all_ns - (double)t->recording_ns))
		return WN_OK;
	struct created *places = wn_calloc(a->n_places + 1, sizeof *places), most = {0};
	if (!places)
		return wn_no_memory(err);
	uint32_t site = find_created(a, places, &most);
	wn_free(places);
	if (site == WN_NO_SITE || most.ns < lost_ns / 2)
		return WN_OK;
	bool has_copies = most.ns >= COPIES_NS * (double)most.n;
	bool is_sure = most.ns >= SURE_COPIES_NS * fmax(1, a->n_threads / 4) * (double)most.n;
	if (!is_sure &&
	    explained_ns(a, WN_RULE_BIT(SMALL_TASKS) | WN_RULE_BIT(ONE_PRODUCER)) >= lost_ns / 2)
		return WN_OK;
	struct entry *e =
	    advice_entry(a, has_copies ? WN_RULE_CREATION : WN_RULE_SMALL_TASKS, site);
	if (e->n > 0 && e->gain_ns >= most.ns / a->n_threads)
		return WN_OK;
	e->n = most.n;
	e->gain_ns = most.ns / a->n_threads;
	e->sum = has_copies ? most.ns / (double)most.n : most.work_ns;
	e->sum2 = has_copies ? most.ns / all_ns : most.ns;
	if (is_sure)
		take_creation(a, e, advice_place(a, site));
	return WN_OK;
}

/* The idle time that is a finding if no other one explains half of it. */
static double
unexplained_idle_ns(const struct advice *a)
{
	double all_ns = a->n_threads * (double)a->m->totals.recorded_ns;
	double idle_ns = fmax(0, (double)a->m->totals.idle_empty_ns - a->off_ns);
	double explained_by_ns = explained_ns(a, lost_times[IDLE_EMPTY].explained_by);
	bool is_known = a->n_threads < 2 || idle_ns < LEAST_LOST * all_ns ||
	                explained_by_ns - a->n_threads * a->free_ns >= idle_ns / 2;
	return is_known ? 0 : idle_ns;
}

/* Returns a site of the place that idle threads wait for most; WN_NO_SITE: none has half of it. */
static uint32_t
find_waited(const struct advice *a, double *most_ns, wn_status *st, wn_err *err)
{
	uint32_t most = WN_NO_SITE;
	double *waited_ns = wn_calloc(a->n_places + 1, sizeof *waited_ns), sum_ns = 0;
	*most_ns = 0;
	*st = waited_ns ? WN_OK : wn_no_memory(err);
	for (size_t i = 0; waited_ns && i < a->g->n_waited; i++) {
		uint32_t site = i ? (uint32_t)i - 1 : WN_NO_SITE;
		size_t place = advice_place(a, site);
		waited_ns[place] += a->g->waited_ns[i];
		sum_ns += a->g->waited_ns[i];
		if (place < a->n_places && waited_ns[place] > *most_ns) {
			*most_ns = waited_ns[place];
			most = site;
		}
	}
	wn_free(waited_ns);
	return *most_ns >= sum_ns / 2 ? most : WN_NO_SITE;
}

/* Returns whether the grains of that place are tasks. */
static bool
has_tasks_at(const struct advice *a, size_t place)
{
	for (wn_grain id = 0; id < a->g->n; id++)
		if (advice_is_task(a->g, id) && advice_place(a, a->g->site[id]) == place)
			return true;
	return false;
}

/* Returns whether gaps between threads explain idle time at a place: within noise, or where threads
 * share CPUs. */
static bool
is_known_gap(const struct advice *a, enum wn_rule rule, size_t place)
{
	const struct entry *e = advice_at(a, rule, place);
	return e->is_noise || (e->n > 0 && a->n_cpus < a->n_threads);
}

/* Threads are idle because too few tasks are left, or one thread runs code of its own. Where gaps
 * between threads with equal work may explain it, it has no cause in the program. */
wn_status
rule_few_tasks(struct advice *a, wn_err *err)
{
	double idle_ns = unexplained_idle_ns(a), waited_ns;
	bool is_shared = a->n_cpus < a->n_threads;
	wn_status st = WN_OK;
	if (idle_ns <= 0)
		return WN_OK;
	uint32_t site = find_waited(a, &waited_ns, &st, err);
	if (st != WN_OK || site == WN_NO_SITE || waited_ns < idle_ns / 2)
		return st;
	size_t place = advice_place(a, site);
	bool has_tasks = has_tasks_at(a, place);
	if (is_known_gap(a, WN_RULE_UNEVEN_REGION, place) ||
	    is_known_gap(a, WN_RULE_UNEVEN_LOOP, place) || (is_shared && !has_tasks))
		return WN_OK;
	struct entry *e = advice_entry(a, WN_RULE_FEW_TASKS, site);
	e->n = 1;
	e->gain_ns = fmin(waited_ns, idle_ns) / a->n_threads;
	if (is_shared)
		e->gain_ns = fmin(e->gain_ns, a->free_ns);
	e->sum = waited_ns;
	e->sum2 = waited_ns / (a->n_threads * (double)a->m->totals.recorded_ns);
	e->variant = has_tasks ? FEW_OF_TASKS : FEW_OF_THREADS;
	e->on_critical_path = true;
	return WN_OK;
}

/* Returns the place of gaps between threads that are within noise and that explain half of this
 * idle time. */
static uint32_t
find_noise(const struct advice *a, double idle_ns)
{
	static const enum wn_rule rules[] = {WN_RULE_UNEVEN_LOOP, WN_RULE_UNEVEN_REGION};
	uint32_t site = WN_NO_SITE;
	double most_ns = idle_ns / a->n_threads / 2;
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		for (size_t place = 0; place <= a->n_places; place++) {
			const struct entry *e = advice_at(a, rules[i], place);
			if (e->n == 0 || !e->is_noise || e->gain_ns < most_ns)
				continue;
			site = e->site;
			most_ns = e->gain_ns;
		}
	return site;
}

/* What one thread alone loses is less than this where it only begins and ends a short region. */
#define LEAST_ALONE_NS 100e3

void
rule_unexplained(struct advice *a)
{
	const struct wn_totals *t = &a->m->totals;
	double lost_ns[LOST_N] = {
	    [IDLE_READY] = (double)t->idle_ready_ns, [SCHEDULING] = (double)t->scheduling_ns,
	    [LEAVING] = (double)t->leaving_ns,       [CREATION] = (double)t->creation_ns,
	    [DISPATCH] = (double)t->dispatch_ns,     [IDLE_EMPTY] = (double)t->idle_empty_ns,
	    [FORKING] = (double)t->forking_ns,
	};
	double all_ns = a->n_threads * (double)t->recorded_ns;
	double least_ns = fmax(LEAST_LOST * all_ns, a->n_threads < 2 ? LEAST_ALONE_NS : 0);
	int most = -1;
	for (int i = 0; i < LOST_N; i++) {
		lost_ns[i] = fmax(0, lost_ns[i] - waits_for_off_ns(a, i));
		bool is_wait = i == IDLE_EMPTY || i == IDLE_READY || i == LEAVING;
		if (is_wait && a->n_cpus < a->n_threads) /* others use the CPU meanwhile */
			lost_ns[i] = 0;
	}
	for (int i = 0; i < LOST_N; i++)
		if (lost_ns[i] >= least_ns &&
		    explained_ns(a, lost_times[i].explained_by) < lost_ns[i] / 2 &&
		    (most < 0 || lost_ns[i] > lost_ns[most]))
			most = i;
	if (most < 0)
		return;
	uint32_t site = most == IDLE_EMPTY ? find_noise(a, lost_ns[most]) : WN_NO_SITE;
	struct entry *e = advice_entry(a, WN_RULE_UNEXPLAINED, site);
	e->n = 1;
	e->is_noise = site != WN_NO_SITE;
	e->gain_ns = lost_ns[most] / a->n_threads;
	e->sum = most;
	e->sum2 = lost_ns[most] / all_ns;
}

const char *
lost_time_name(const struct wn_finding *f)
{
	return lost_times[(int)f->value].name;
}

const char *
lost_time_advice(const struct wn_finding *f)
{
	return lost_times[(int)f->value].advice;
}
