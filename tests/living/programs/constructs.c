/* SPDX-License-Identifier: MIT */
/*
 * constructs.c - a bit of everything that sends OMPT events, in numbers that do not depend on time.
 *
 *   constructs [N]     N rounds (3); prints a sum, and whether a tool gives back its number
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef NO_CONTROL_TOOL /* libgomp 12; a tool may have it */
enum { omp_control_tool_flush = 3 };
int omp_control_tool(int command, int modifier, void *arg) __attribute__((weak));
#define omp_control_tool(command, modifier, arg)                                                   \
	(omp_control_tool ? omp_control_tool(command, modifier, arg) : -2)
#endif

static long sum;

__attribute__((noinline)) static void
add(long n)
{
#pragma omp atomic
	sum += n;
}

static void
tree(int depth)
{
	add(1);
	if (depth == 0)
		return;
#pragma omp task firstprivate(depth)
	tree(depth - 1);
#pragma omp task firstprivate(depth) if (depth > 2)
	tree(depth - 1);
#pragma omp taskwait
}

static void
dependent(void)
{
	int a = 0, b = 0;
	for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : a) shared(a)
		a++;
#pragma omp task depend(in : a) depend(inout : b) shared(a, b)
		b += a;
	}
#pragma omp task if (0) depend(inout : a, b) shared(a, b)
	add(a + b);
#pragma omp taskwait
}

static void
loops(omp_lock_t *lock, omp_nest_lock_t *nest)
{
	long local = 0;
#pragma omp for schedule(static)
	for (int i = 0; i < 64; i++)
		add(i);
#pragma omp for schedule(static, 3) nowait
	for (int i = 0; i < 64; i++)
		add(i);
#pragma omp barrier
#pragma omp for schedule(dynamic, 4)
	for (int i = 0; i < 64; i++)
		add(i);
#pragma omp for schedule(dynamic, 4) ordered
	for (int i = 0; i < 16; i++)
#pragma omp ordered
		add(i);
#pragma omp sections
	{
#pragma omp section
		add(1);
#pragma omp section
		add(2);
	}
#pragma omp critical
	local++;
	omp_set_lock(lock);
	local++;
	omp_unset_lock(lock);
	omp_set_nest_lock(nest);
	omp_set_nest_lock(nest);
	local++;
	omp_unset_nest_lock(nest);
	omp_unset_nest_lock(nest);
#pragma omp flush
	add(local);
}

static void
round_of_all(omp_lock_t *lock, omp_nest_lock_t *nest)
{
	long total = 0;
#pragma omp parallel reduction(+ : total)
	{
		loops(lock, nest);
		total += 1;
#pragma omp single
		{
			tree(4);
			dependent();
		}
#pragma omp master
		add(5);
#pragma omp barrier
#pragma omp single nowait
#pragma omp taskgroup
		{
#pragma omp task
			add(3);
		}
#pragma omp barrier
#pragma omp single
#pragma omp taskloop num_tasks(4)
		for (int i = 0; i < 16; i++)
			add(i);
	}
	add(total);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	add(1);
#pragma omp parallel if (0)
	{
#pragma omp task
		add(1);
#pragma omp taskwait
	}
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 3;
	omp_lock_t lock;
	omp_nest_lock_t nest;
	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp for schedule(static)
	for (int i = 0; i < 4; i++)
		add(i);
	for (int i = 0; i < n; i++)
		round_of_all(&lock, &nest);
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
	int answer = omp_control_tool(omp_control_tool_flush, 42, NULL);
	printf("%ld %d\n", sum, answer == 42);
	return 0;
}
