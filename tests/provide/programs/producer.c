/* SPDX-License-Identifier: MIT */
/*
 * producer.c - one thread makes tasks and does work of its own in between; a tool says how long the
 * creations took. The time of the loop is what the producer worked, plus what the creations took,
 * plus the tasks that it had to run inside them. Prints the four in ns, added up over the rounds in
 * which the machine did not put the producer aside: what others did then is in none of the three.
 * Then two medians: how much of a round is in none of the three, less half of its creation; and how
 * much that is of a round in which nothing is done, where only reading the clock takes time. Both
 * grow alike where the machine is busy.
 *
 * With -DTASKLOOP each is a taskloop of ten. With -DTOOL this is the tool, which adds up in the
 * program's variable.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#ifndef TOOL
#define TOOL_IS_PROGRAM
#endif
#include "tool.h"

#ifdef TASKLOOP
enum { TASKS_N = 500, WORK_NS = 8000, LOOP_N = 10, COPIED_N = 32768 };
#else
enum { TASKS_N = 14000, WORK_NS = 3000, LOOP_N = 1 };
#endif

extern double created_ns; /* only one thread creates */

#ifdef TOOL

static void
on_created(ompt_data_t *encountering, ompt_data_t task, double duration, const void *codeptr)
{
	(void)encountering, (void)task, (void)codeptr;
	created_ns += duration;
}

static int
tool_initialize(ompt_function_lookup_t lookup, ompt_set_callback_t set)
{
	(void)lookup;
	TOOL_SET(set, ext_tool_time, tool_now);
	return TOOL_SET(set, ompt_grain_callback_task_created, on_created) >= ompt_set_sometimes;
}

#else

double created_ns;
static _Thread_local double executed_ns; /* in tasks */
static _Thread_local int is_producing;

/* What it really took. */
static double
spin(double ns)
{
	double begin = tool_now(), end;
	do
		end = tool_now();
	while (end - begin < ns);
	return end - begin;
}

static void
run(char more)
{
	double took = spin(WORK_NS + more);
	if (is_producing)
		executed_ns += took;
}

/* How often this thread had to leave its processor. */
static long
n_switches(void)
{
	struct rusage usage;
	return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw + usage.ru_nivcsw : -1;
}

struct sums {
	double all, own, created, executed;
};

static struct sums
now(double own)
{
	return (struct sums){tool_now(), own, created_ns, executed_ns};
}

static void
add(struct sums *sums, const struct sums *begin, const struct sums *end)
{
	sums->all += end->all - begin->all;
	sums->own += end->own - begin->own;
	sums->created += end->created - begin->created;
	sums->executed += end->executed - begin->executed;
}

static double missing[TASKS_N], missing_of_none[TASKS_N]; /* by round that was kept */

static int
compare(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static double
median(double *list, size_t n)
{
	qsort(list, n, sizeof *list, compare);
	return n ? list[n / 2] : -1;
}

/* Of a round as those below, without anything in it. */
static double
nothing(void)
{
	struct sums begin = now(0);
	double own = spin(0);
	for (int k = 0; k < LOOP_N; k++) /* those that it may have to run */
		own += spin(0);
	struct sums end = now(own);
	return end.all - begin.all - own;
}

int
main(void)
{
	struct sums kept = {0};
	size_t n_kept = 0;
#ifdef TASKLOOP
	char copied[COPIED_N] = {0}; /* so that creations take a good part of the time */
#endif
#pragma omp parallel
#pragma omp single
	{
		is_producing = 1;
		for (int i = 0; i < TASKS_N; i++) {
			long switches = n_switches();
			struct sums begin = now(0);
			double own = spin(WORK_NS);
#ifdef TASKLOOP
#pragma omp taskloop nogroup num_tasks(LOOP_N) firstprivate(copied)
			for (int k = 0; k < LOOP_N; k++)
				run(copied[k]);
#else
#pragma omp task
			run(0);
#endif
			struct sums end = now(own);
			double none = nothing();
			if (n_switches() != switches)
				continue;
			struct sums round = {0};
			add(&round, &begin, &end);
			missing[n_kept] = round.all - own - round.executed - 1.5 * round.created;
			missing_of_none[n_kept++] = none;
			add(&kept, &begin, &end);
		}
		is_producing = 0;
	}
	printf("%.0f %.0f %.0f %.0f %.0f %.0f\n", kept.all, kept.own, kept.created, kept.executed,
	       median(missing, n_kept), median(missing_of_none, n_kept));
	return 0;
}

#endif
