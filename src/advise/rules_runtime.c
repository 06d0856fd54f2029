/* SPDX-License-Identifier: MIT */
/*
 * rules_runtime.c - what the runtime and the machine add: tasks that it does not queue, more
 * threads than CPUs, and time lost for which no rule knows the cause.
 */
#include "advise/advise_private.h"

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
		e->sum += (double)g->work_ns[id];
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

/* Time lost below this share of the threads' time needs no explanation. */
#define LEAST_LOST 0.10

/* Threads that wait hold CPUs that others need, and what they wait for may not be running. */
void
rule_oversubscribed(struct advice *a)
{
	const struct wn_totals *t = &a->m->totals;
	double waits_ns = (double)(t->leaving_ns + t->idle_ready_ns + t->idle_empty_ns +
	                           t->scheduling_ns + t->mutex_ns + t->preempted_ns);
	if (!(a->n_cpus < a->n_threads) || waits_ns < LEAST_LOST * a->n_threads * a->elapsed_ns)
		return;
	struct entry *e = advice_entry(a, WN_RULE_OVERSUBSCRIBED, WN_NO_SITE);
	e->n = 1;
	e->gain_ns = waits_ns / a->n_threads;
	e->sum = a->n_cpus;
	e->sum2 = waits_ns / (a->n_threads * a->elapsed_ns);
	e->on_critical_path = true;
}

#define RULE(name) (1u << WN_RULE_##name)

/* A category of the threads' time that is no work, and the rules that may explain it. */
enum lost {
	IDLE_READY,
	SCHEDULING,
	LEAVING,
	CREATION,
	DISPATCH,
	IDLE_EMPTY,
	FORKING,
	BLOCKED,
	LOST_N
};

static const struct {
	uint32_t explained_by;
	const char *name, *advice;
} lost_times[LOST_N] = {
    [IDLE_READY] =
	{
	    RULE(INLINE_TASKS) | RULE(OVERSUBSCRIBED) | RULE(ONE_PRODUCER),
	    "idle: ready tasks not picked up",
	    "look for taskwait in tasks, where libgomp runs only children of the waiting task; "
	    "OMP_WAIT_POLICY=active; priorities",
	},
    [SCHEDULING] =
	{
	    RULE(SMALL_TASKS) | RULE(OVERSUBSCRIBED),
	    "task scheduling",
	    "larger tasks; compare with fewer threads, since threads that take tasks from one "
	    "queue "
	    "wait for one another",
	},
    [LEAVING] =
	{
	    RULE(OVERSUBSCRIBED) | RULE(MANY_REGIONS),
	    "synchronisation (wake-up)",
	    "fewer barriers and regions; OMP_WAIT_POLICY=active if each thread has a core of its "
	    "own",
	},
    [CREATION] =
	{
	    RULE(SMALL_TASKS) | RULE(ONE_PRODUCER),
	    "task creation",
	    "fewer, larger tasks, without copies of large data (firstprivate)",
	},
    [DISPATCH] =
	{
	    RULE(SMALL_CHUNKS),
	    "loop scheduling (chunk dispatch)",
	    "larger chunks, or schedule(static)",
	},
    [IDLE_EMPTY] =
	{
	    RULE(UNEVEN_LOOP) | RULE(UNEVEN_REGION) | RULE(UNEVEN_TASKS) | RULE(WAIT_EACH) |
		RULE(ONE_PRODUCER) | RULE(NO_PARALLELISM) | RULE(LONE_TEAMS) | RULE(INLINE_TASKS) |
		RULE(OVERSUBSCRIBED) | RULE(MUTEX) | RULE(SMALL_TASKS),
	    "idle: no ready work",
	    "winnow view shows where threads wait, and for whom; more work between the waits",
	},
    [FORKING] =
	{
	    RULE(MANY_REGIONS) | RULE(OVERSUBSCRIBED) | RULE(LONE_TEAMS),
	    "fork/join overhead",
	    "fewer and longer regions; no nested ones, for which libgomp starts threads each time",
	},
    [BLOCKED] =
	{
	    0,
	    "off the CPU: blocked",
	    "look for sleeps, input and output, and locks that are not OpenMP's in this code",
	},
};

/* What all findings of these rules account for, in time of threads. */
static double
explained_ns(const struct advice *a, uint32_t rules)
{
	double sum_ns = 0;
	for (int rule = 0; rule < WN_RULE_N; rule++)
		for (size_t place = 0; rules >> rule & 1 && place <= a->n_places; place++) {
			const struct entry *e = advice_at(a, (enum wn_rule)rule, place);
			sum_ns += e->n ? e->gain_ns * a->n_threads : 0;
		}
	return sum_ns;
}

/* Time of that category that threads may have lost because others were off the CPU. */
static double
waits_for_off_ns(const struct advice *a, int lost)
{
	return lost == IDLE_READY || lost == IDLE_EMPTY || lost == LEAVING ? a->off_ns : 0;
}

void
rule_unexplained(struct advice *a)
{
	const struct wn_totals *t = &a->m->totals;
	double lost_ns[LOST_N] = {
	    [IDLE_READY] = (double)t->idle_ready_ns, [SCHEDULING] = (double)t->scheduling_ns,
	    [LEAVING] = (double)t->leaving_ns,       [CREATION] = (double)t->creation_ns,
	    [DISPATCH] = (double)t->dispatch_ns,     [IDLE_EMPTY] = (double)t->idle_empty_ns,
	    [FORKING] = (double)t->forking_ns,       [BLOCKED] = (double)t->blocked_ns,
	};
	double all_ns = a->n_threads * (double)t->recorded_ns;
	int most = -1;
	for (int i = 0; i < LOST_N; i++)
		lost_ns[i] = fmax(0, lost_ns[i] - waits_for_off_ns(a, i));
	for (int i = 0; i < LOST_N; i++)
		if (a->n_threads > 1 && lost_ns[i] >= LEAST_LOST * all_ns &&
		    explained_ns(a, lost_times[i].explained_by) < lost_ns[i] / 2 &&
		    (most < 0 || lost_ns[i] > lost_ns[most]))
			most = i;
	if (most < 0)
		return;
	struct entry *e = advice_entry(a, WN_RULE_UNEXPLAINED, WN_NO_SITE);
	e->n = 1;
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
