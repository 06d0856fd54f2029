/* SPDX-License-Identifier: MIT */
/* Tasks. */
#include "../../../programs/several.h"

#include <omp.h>
#include <stdint.h>
#include <string.h>

static int
tree(int depth)
{
	int a = 0, b = 0;
	if (depth == 0)
		return 1;
#pragma omp task shared(a)
	a = tree(depth - 1);
#pragma omp task shared(b)
	b = tree(depth - 1);
#pragma omp taskwait
	return a + b;
}

/* Tied tasks: a tree without taskwait at its leaves, waited for by taskwait. */
// EXPECT: tasks 2046
// EXPECT: begun 2046
// EXPECT: taskwaits 1023
// EXPECT: single_executors 1
// EXPECT: single_others T-1
PROGRAM(task)
{
	int n = 0;
#pragma omp parallel
#pragma omp single
	n = tree(10);
	return n != 1024;
}

/* untied, if, final, mergeable, priority: one flag each. Children of a final task are included. */
// EXPECT: tasks 11+10
// EXPECT: begun 21
// EXPECT: untied 1+10
// EXPECT: undeferred 1+10
// EXPECT: final 1
// EXPECT: mergeable 1
PROGRAM(task_clauses)
{
	int n = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task if (0) shared(n)
		n++;
#pragma omp task untied shared(n)
		{
#pragma omp taskyield
#pragma omp atomic
			n++;
		}
#pragma omp taskwait
#pragma omp task final(1) shared(n)
		{
			for (int i = 0; i < 4; i++) {
#pragma omp task shared(n)
				n += omp_in_final();
			}
		}
#pragma omp taskwait
#pragma omp task mergeable priority(3) shared(n)
		n++;
#pragma omp taskwait
		for (int i = 0; i < 3; i++) {
#pragma omp task shared(n)
#pragma omp atomic
			n++;
		}
#pragma omp taskwait
		for (int i = 0; i < 10; i++) {
#pragma omp task if (i < 0) untied shared(n)
			n++;
		}
	}
	return n != 1 + 1 + 4 + 1 + 3 + 10;
}

/* Dependences: a chain, a waiting undeferred task, and a taskwait for some tasks only. */
// EXPECT: tasks 100+1+2
// EXPECT: begun 103
// EXPECT: dependent 100+1+1
// EXPECT: undeferred 1
// EXPECT: waitpoints 2
// EXPECT: depend_waits 2
// EXPECT: depend_inout 101
// EXPECT: depend_in 2
PROGRAM(task_depend)
{
	int n = 0, m = 0, other = 0;
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : n) shared(n) firstprivate(i)
			n += n == i;
		}
#pragma omp task depend(in : n) if (0) shared(n, m)
		m = n;
#pragma omp task depend(out : m) shared(m)
		m++;
#pragma omp task shared(other)
		other = 1;
#pragma omp taskwait depend(in : m)
		m += m == 101;
	}
	return !(n == 100 && m == 102 && other == 1);
}

/* Both layouts of GOMP_task's depend array, depobj of each kind, iterators. */
// EXPECT: tasks 6+1
// EXPECT: begun 7
// EXPECT: dependent 7
// EXPECT: depend_inout 2+2+1+1+1+1
// EXPECT: depend_in 1+1+1+8+1
// EXPECT: depend_mutexinoutset 2+1
// EXPECT: depend_out 1
// EXPECT: waitpoints 0
PROGRAM(depend_kinds)
{
	int a[8] = {0}, n = 8, n_run = 0;
	omp_depend_t in, out, inout, mutex;
#pragma omp depobj(in) depend(in : a[0])
#pragma omp depobj(out) depend(out : a[1])
#pragma omp depobj(inout) depend(inout : a[2])
#pragma omp depobj(mutex) depend(mutexinoutset : a[3])
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(in : a[0]) depend(out : a[1]) depend(inout : a[2]) shared(n_run)
#pragma omp atomic
		n_run++;
#pragma omp task depend(mutexinoutset                                                              \
                        : a[3]) depend(out                                                         \
                                       : a[4], a[5]) depend(in                                     \
                                                            : a[6]) shared(n_run)
#pragma omp atomic
		n_run++;
#pragma omp task depend(mutexinoutset : a[3]) depend(inout : a[6]) shared(n_run)
#pragma omp atomic
		n_run++;
#pragma omp task depend(depobj : in, out, inout, mutex) shared(n_run)
#pragma omp atomic
		n_run++;
#pragma omp task depend(iterator(i = 0 : n), in : a[i]) shared(n_run)
#pragma omp atomic
		n_run++;
#pragma omp depobj(inout) update(in)
#pragma omp depobj(in) update(inout)
#pragma omp task depend(depobj : inout, in) shared(n_run)
#pragma omp atomic
		n_run++;
#pragma omp task depend(out : a[7]) priority(3) untied mergeable shared(n_run)
#pragma omp atomic
		n_run++;
	}
#pragma omp depobj(in) destroy
	return n_run != 7;
}

/* A taskgroup waits for descendants; task reductions inside it. */
// EXPECT: tasks 10+10+10
// EXPECT: begun 30
// EXPECT: groups 2
// EXPECT: taskgroup_waits 2
// EXPECT: taskyields 10
PROGRAM(taskgroup)
{
	int n = 0, sum = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < 10; i++) {
#pragma omp task shared(n)
			{
#pragma omp task shared(n)
#pragma omp atomic
				n++;
#pragma omp taskyield
			}
		}
		if (n != 10)
			sum = -1000;
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
			sum += i;
		}
	}
	return sum != 45;
}

static int n_bad;

static void
note(int is_bad)
{
	if (is_bad)
#pragma omp atomic
		n_bad++;
}

static void
create(int i)
{
	omp_event_handle_t later, inside, copied, seen = 0, seen_later = 0;
	char array[i];
	array[i - 1] = (char)i;
#pragma omp taskgroup
	{
#pragma omp task detach(inside) if (i % 2)
		omp_fulfill_event(inside);
#pragma omp task detach(copied) firstprivate(array, i) shared(seen)
		{
			note(array[i - 1] != i);
			seen = copied;
			omp_fulfill_event(copied);
		}
		/* a team of one runs the task at once and would wait for the event for ever */
		if (omp_get_num_threads() > 1) {
#pragma omp task detach(later) shared(seen_later)
			seen_later = later;
			omp_fulfill_event(later);
		}
	}
	note(seen != copied || (omp_get_num_threads() > 1 && seen_later != later));
}

/* Detachable tasks: the event handle reaches task and creator, with a copy function too. */
// EXPECT: tasks 2*20+(T>1)*20
// EXPECT: begun 2*20+(T>1)*20
// EXPECT: detach 2*20+(T>1)*20
// EXPECT: taskgroup_waits 20
// EXPECT: fulfills 2*20+(T>1)*20
// EXPECT: notes 0
PROGRAM(task_detach)
{
#pragma omp parallel
#pragma omp single
	for (int i = 1; i <= 20; i++)
		create(i);
	return n_bad;
}

/* Taskloops with reductions, whose group is made by the wrapper: in a team and outside all. */
// EXPECT: taskloops 2+2
// EXPECT: taskloop_tasks 7+9+3+4
// EXPECT: begun 16+3+4
// EXPECT: iterations 200+20+20
// EXPECT: notes 0
// EXPECT: groups 2+2
// EXPECT: taskgroup_waits 2+2
PROGRAM(taskloop_reduction)
{
	int sum = 0, other = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop reduction(+ : sum) num_tasks(7)
		for (int i = 0; i < 100; i++)
			sum += i;
#pragma omp taskgroup task_reduction(+ : other)
#pragma omp taskloop in_reduction(+ : other) num_tasks(9) nogroup
		for (int i = 0; i < 100; i++)
			other += i;
	}
	/* outside all regions libgomp makes a team for it */
	long product = 1;
	double least = 100;
#pragma omp taskloop reduction(* : product) num_tasks(3)
	for (int i = 1; i <= 20; i++)
		product *= i % 2 + 1;
#pragma omp parallel num_threads(1)
#pragma omp taskloop reduction(min : least) num_tasks(4)
	for (unsigned long long i = 50; i > 30; i--)
		least = (double)i < least ? (double)i : least;
	return !(sum == 4950 && other == 4950 && product == 1024 && least == 31);
}

/* An object at address 0 is an object like others to a libgomp without omp_all_memory. */
// na libgomp exporting GOMP_taskwait_depend_nowait: it takes address 0 for omp_all_memory
// EXPECT: depend_inout 2
// EXPECT: depend_in 1
// EXPECT: depend_all_memory 0
PROGRAM(depend_null)
{
	int n = 0, *volatile nowhere = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : *nowhere) shared(n)
		n = 1;
#pragma omp task depend(in : *nowhere) shared(n)
		n += n == 1;
#pragma omp task depend(inout : *nowhere) shared(n)
		n += n == 2;
	}
	return n != 3;
}

struct wide {
	_Alignas(128) char c[256];
};

static void
create_with_arguments(int i, int is_deferred)
{
	int size = 1 + i * 97;
	char array[size];
	char fixed[5000];
	struct wide wide;
	memset(array, i, sizeof array);
	memset(fixed, i, sizeof fixed);
	memset(&wide, i, sizeof wide);
#pragma omp task if (is_deferred) firstprivate(array, size, i)
	{
		int sum = 0;
		for (int k = 0; k < size; k++)
			sum += array[k] == i;
		note(sum != size);
		array[0] = 99;
	}
#pragma omp task if (is_deferred) firstprivate(fixed, wide, i)
	{
		int sum = 0;
		for (int k = 0; k < 5000; k++)
			sum += fixed[k] == i;
		note(sum != 5000 || (uintptr_t)&wide % 128 || wide.c[255] != i);
	}
	note(array[0] != i);
	memset(array, 77, sizeof array);
	memset(fixed, 77, sizeof fixed);
	memset(&wide, 77, sizeof wide);
}

/* Argument blocks: every size, large alignment, a copy function (variable length array), deferred
 * and not. */
// EXPECT: tasks 4*50
// EXPECT: begun 4*50
// EXPECT: undeferred 100
PROGRAM(task_arguments)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 50; i++) {
		create_with_arguments(i, 0);
		create_with_arguments(i, 1);
	}
	return n_bad;
}
