/* SPDX-License-Identifier: MIT */
/* tasks_shape.c - tasks of a good size whose graph or order leaves threads idle. */
#include "case.h"

/* fault taskwait_each | wait_after_each_task | gcc clang | - | a taskwait inside the loop of tasks */
#ifdef CASE_taskwait_each
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 100; i++) {
#pragma omp task /* here: taskwait_each */
			keep(work((uint64_t)i, 1000 * US));
#ifndef FIXED
#pragma omp taskwait
#endif
		}
#pragma omp taskwait
	}
}
#endif

/* fault taskgroup_each | wait_after_each_task | gcc clang | - | a taskgroup around each task */
#ifdef CASE_taskgroup_each
static void
create(int i)
{
#pragma omp task /* here: taskgroup_each */
	keep(work((uint64_t)i, 1000 * US));
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 100; i++) {
#ifdef FIXED
		create(i);
#else
#pragma omp taskgroup
		create(i);
#endif
	}
}
#endif

/* fault producer_works | one_producer no_parallelism | gcc clang | - | the creator prepares each task */
#ifdef CASE_producer_works
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single /* here: producer_works */
	for (int i = 0; i < 400; i++) {
		uint64_t seed = (uint64_t)i;
#ifndef FIXED
		seed = work(seed, 250 * US);
#endif
#pragma omp task firstprivate(seed) /* here: producer_works */
		{
#ifdef FIXED
			seed = work(seed, 250 * US);
#endif
			keep(work(seed, 50 * US));
		}
	}
}
#endif

/* fault chain | no_parallelism | gcc clang | - | each task updates the same sum */
#ifdef CASE_chain
static uint64_t sum, parts[100];

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 100; i++)
#ifdef FIXED
#pragma omp task depend(inout : parts[i])
			parts[i] = work((uint64_t)i, 1000 * US);
#else
#pragma omp task depend(inout : sum) /* here: chain */
			sum += work((uint64_t)i, 1000 * US);
#endif
#pragma omp taskwait
		for (int i = 0; i < 100; i++)
			sum += parts[i];
	}
	keep(sum);
}
#endif

/* fault depend_strict | no_parallelism | gcc clang | - | a dependence on the whole grid instead of a block */
#ifdef CASE_depend_strict
static uint64_t grid[16];

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int step = 0; step < 10; step++)
		for (int i = 0; i < 16; i++)
#pragma omp task firstprivate(i) depend(inout : grid[IF_FIXED(i, 0)]) /* here: depend_strict */
			grid[i] = work(grid[i], 600 * US);
	keep(grid[2]);
}
#endif

/* fault one_long | uneven_tasks | gcc | - | one of 41 tasks has 30 times the work */
#ifdef CASE_one_long
static void
filter(int i, long rounds)
{
#pragma omp task firstprivate(i) /* here: one_long */
	keep(work((uint64_t)i, rounds));
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 40; i++)
			filter(i, 1000 * US);
		for (int k = 0; k < IF_FIXED(30, 1); k++)
			filter(k, IF_FIXED(1000, 30000) * US);
	}
}
#endif

/* fault long_last | uneven_tasks | gcc | - | the longest task is created last */
#ifdef CASE_long_last
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 12; i++) {
		int k = IF_FIXED(11 - i, i);
#pragma omp task firstprivate(k) /* here: long_last */
		keep(work((uint64_t)k, (k == 11 ? 40000 : 4000) * US));
	}
}
#endif

/* fault priority | uneven_tasks no_parallelism | gcc clang | OMP_MAX_TASK_PRIORITY=1 | the long task has the lowest priority */
#ifdef CASE_priority
static void
one(int i, long rounds, int priority)
{
#pragma omp task priority(priority) firstprivate(i, rounds) /* here: priority */
	keep(work((uint64_t)i, rounds));
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 40; i++)
			one(i, 1000 * US, IF_FIXED(0, 1));
		one(0, 40000 * US, IF_FIXED(1, 0));
	}
}
#endif

/* fault if_false | no_parallelism teams_of_one | gcc clang | - | if(0): the creator runs each task itself */
#ifdef CASE_if_false
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single /* here: if_false */
	for (int i = 0; i < 100; i++)
#pragma omp task if (IF_FIXED(1, 0)) /* here: if_false */
		keep(work((uint64_t)i, 1000 * US));
}
#endif

/* fault final_root | no_parallelism | gcc clang | - | final at the root makes all descendants undeferred */
#ifdef CASE_final_root
static void
split(int depth)
{
	if (depth == 0) {
		keep(work(7, 1500 * US));
		return;
	}
#pragma omp task
	split(depth - 1);
#pragma omp task
	split(depth - 1);
#pragma omp taskwait
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp task final(IF_FIXED(0, 1)) /* here: final_root */
	split(6);
}
#endif

/* fault taskloop_many | inline_tasks | gcc | - | taskloop of more than 64 tasks for each thread */
#ifdef CASE_taskloop_many
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(IF_FIXED(100, 800)) /* here: taskloop_many */
	for (int i = 0; i < 800; i++)
		keep(work((uint64_t)i, 150 * US));
}
#endif

/* fault taskloop_coarse | uneven_tasks no_parallelism | gcc clang | - | taskloop of two uneven tasks */
#ifdef CASE_taskloop_coarse
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(IF_FIXED(100, 2)) /* here: taskloop_coarse */
	for (int i = 0; i < 300; i++)
		keep(work((uint64_t)i, 3 * i * US));
}
#endif

/* fault tasks_in_critical | contended_mutex | gcc clang | - | the body of each task is one critical section */
#ifdef CASE_tasks_in_critical
static uint64_t sum;

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 200; i++)
#pragma omp task
	{
#ifdef FIXED
		uint64_t value = work((uint64_t)i, 500 * US);
#pragma omp critical
		sum += value;
#else
#pragma omp critical /* here: tasks_in_critical */
		sum += work((uint64_t)i, 500 * US);
#endif
	}
	keep(sum);
}
#endif

/* fault phases | few_tasks uneven_tasks no_parallelism | gcc | - | a taskwait between phases of three tasks each */
#ifdef CASE_phases
static uint64_t data[3];

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int phase = 0; phase < 20; phase++) {
		for (int i = 0; i < 3; i++)
#pragma omp task firstprivate(i) depend(inout : data[i]) /* here: phases */
			data[i] = work(data[i], 2000 * US);
#ifndef FIXED
#pragma omp taskwait
#endif
	}
	keep(data[1]);
}
#endif

/* fault merge_serial | few_tasks no_parallelism | gcc clang | - | the parent combines results that children could combine */
#ifdef CASE_merge_serial
static uint64_t
tree(int depth)
{
	uint64_t a = 0, b = 0;
	if (depth == 0)
		return work(3, 500 * US);
#pragma omp task shared(a) /* here: merge_serial */
	a = tree(depth - 1);
#pragma omp task shared(b) /* here: merge_serial */
	b = tree(depth - 1);
#pragma omp taskwait
	if (depth < 4)
		return a + b;
#ifdef FIXED
#pragma omp taskloop num_tasks(8)
	for (int i = 0; i < 8; i++)
		keep(work(a, 3750 * US));
	return a + b;
#else
	return work(a + b, 30000 * US);
#endif
}

static void
run_case(void)
{
#pragma omp parallel /* here: merge_serial */
#pragma omp single
	keep(tree(6));
}
#endif

/* fault last_alone | few_tasks uneven_tasks no_parallelism | gcc clang | - | three equal tasks for two threads */
#ifdef CASE_last_alone
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < IF_FIXED(300, 3); i++)
#pragma omp task firstprivate(i) /* here: last_alone */
		keep(work((uint64_t)i, IF_FIXED(400, 40000) * US));
}
#endif

/* fault list_recursion | no_parallelism | gcc clang | - | each task does its work, then creates the next task */
#ifdef CASE_list_recursion
static void
step(int left)
{
	if (left == 0)
		return;
#ifdef FIXED
#pragma omp task firstprivate(left)
	step(left - 1);
	keep(work((uint64_t)left, 300 * US));
#else
	keep(work((uint64_t)left, 300 * US));
#pragma omp task firstprivate(left) /* here: list_recursion */
	step(left - 1);
#endif
}
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	step(300);
}
#endif

/* fault inout_all | no_parallelism | gcc clang | - | tasks of separate rows depend on the whole matrix */
#ifdef CASE_inout_all
static double m[64][8];
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int r = 0; r < 5; r++)
		for (int i = 0; i < 64; i++)
#pragma omp task depend(inout : m[IF_FIXED(i, 0)]) /* here: inout_all */
			m[i][0] += (double)work((uint64_t)i, 300 * US);
	keep((uint64_t)m[5][0]);
}
#endif

/* fault slow_stage | no_parallelism | gcc clang | - | a pipeline whose middle stage takes most of the time */
#ifdef CASE_slow_stage
static void
run_case(void)
{
	char stage[3] = {0}, item[64] = {0};
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 30; i++) {
#pragma omp task depend(inout : stage[0]) depend(out : item[i])
		keep(work(1, 400 * US));
#ifdef FIXED
#pragma omp task depend(inout : item[i])
#else
#pragma omp task depend(inout : stage[1], item[i]) /* here: slow_stage */
#endif
		keep(work(2, 4000 * US));
#pragma omp task depend(inout : stage[2]) depend(in : item[i])
		keep(work(3, 400 * US));
	}
}
#endif

/* fault taskloop_sum | uneven_tasks no_parallelism few_tasks | gcc clang | - | taskloop with a reduction, a triangle in two tasks */
#ifdef CASE_taskloop_sum
static void
run_case(void)
{
	uint64_t sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(IF_FIXED(40, 2)) reduction(+ : sum) /* here: taskloop_sum */
	for (int i = 0; i < 400; i++)
		sum += work((uint64_t)i, i * 2 * US);
	keep(sum);
}
#endif

/* fault hungry | no_parallelism few_tasks one_producer | gcc clang | - | the creator works on while its only two tasks are done */
#ifdef CASE_hungry
static void
run_case(void)
{
#pragma omp parallel /* here: hungry */
#pragma omp single
	for (int r = 0; r < 10; r++) {
#ifdef FIXED
		for (int k = 0; k < 10; k++)
#pragma omp task
			keep(work((uint64_t)k, 1400 * US));
#pragma omp taskwait
#else
#pragma omp task
		keep(work(1, 2000 * US));
		keep(work(2, 12000 * US)); /* here: hungry */
#pragma omp taskwait
#endif
	}
}
#endif

/* fault halves_in_turn | wait_after_each_task no_parallelism | gcc clang | - | a divide and conquer that waits for one half before it begins the other */
#ifdef CASE_halves_in_turn
static void
divide(int n)
{
	if (n < 8) {
		keep(work((uint64_t)n, n * 200 * US));
		return;
	}
	keep(work((uint64_t)n, n * 20 * US));
#pragma omp task /* here: halves_in_turn */
	divide(n / 2);
#ifndef FIXED
#pragma omp taskwait /* here: halves_in_turn */
#endif
	divide(n - n / 2);
#pragma omp taskwait
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	divide(400);
}
#endif
