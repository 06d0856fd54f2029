/* SPDX-License-Identifier: MIT */
/*
 * producer.c - one thread makes tasks and does work of its own in between; a tool says how long the
 * creations took. The time of the loop is what the producer worked, plus what the creations took,
 * plus the tasks that it had to run inside them. Prints the four in ns.
 *
 * With -DTASKLOOP each is a taskloop of ten. With -DTOOL this is the tool, which adds up in the
 * program's variable.
 */
#include <stdio.h>

#ifndef TOOL
#define TOOL_IS_PROGRAM
#endif
#include "tool.h"

#ifdef TASKLOOP
enum { TASKS_N = 500, WORK_NS = 8000, LOOP_N = 10, COPIED_N = 32768 };
#else
enum { TASKS_N = 20000, WORK_NS = 2000 };
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

int
main(void)
{
	double all = 0, own = 0, executed = 0;
#ifdef TASKLOOP
	char copied[COPIED_N] = {0}; /* so that creations take a good part of the time */
#endif
#pragma omp parallel
#pragma omp single
	{
		is_producing = 1;
		double begin = tool_now();
		for (int i = 0; i < TASKS_N; i++) {
			own += spin(WORK_NS);
#ifdef TASKLOOP
#pragma omp taskloop nogroup num_tasks(LOOP_N) firstprivate(copied)
			for (int k = 0; k < LOOP_N; k++)
				run(copied[k]);
#else
#pragma omp task
			run(0);
#endif
		}
		all = tool_now() - begin;
		executed = executed_ns;
		is_producing = 0;
	}
	printf("%.0f %.0f %.0f %.0f\n", all, own, created_ns, executed);
	return 0;
}

#endif
