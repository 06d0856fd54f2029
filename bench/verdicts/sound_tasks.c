/* SPDX-License-Identifier: MIT */
/* sound_tasks.c - tasks without a fault. */
#include "case.h"

/* sound fib_cutoff | - | clang | - | a recursion with a cut-off; libgomp's taskwait leaves ready tasks where they are */
#ifdef CASE_fib_cutoff
static uint64_t
fib_alone(int n)
{
	if (n < 2)
		return (uint64_t)n + (work((uint64_t)n, 20) & 1);
	return fib_alone(n - 1) + fib_alone(n - 2);
}

static uint64_t
fib(int n)
{
	uint64_t a, b;
	if (n < 18)
		return fib_alone(n);
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	keep(fib(33));
}
#endif

/* sound sort_cutoff | - | gcc clang | - | merge sort with a cut-off; its merges are tasks too */
#ifdef CASE_sort_cutoff
static void
mill(int depth)
{
	if (depth == 0) {
		keep(work(5, 400 * US));
		return;
	}
	for (int i = 0; i < 2; i++)
#pragma omp task
		mill(depth - 1);
#pragma omp taskwait
	for (int i = 0; i < 4; i++)
#pragma omp task
		keep(work((uint64_t)i, (100l << depth) * US / 8));
#pragma omp taskwait
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	mill(8);
}
#endif

/* sound loop_of_coarse_tasks | - | gcc clang | - | equal tasks of a good size from one thread */
#ifdef CASE_loop_of_coarse_tasks
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 1000; i++)
#pragma omp task
		keep(work((uint64_t)i, 150 * US));
}
#endif

/* sound taskloop_good | - | gcc clang | - | taskloop with a good number of tasks */
#ifdef CASE_taskloop_good
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(60)
	for (int i = 0; i < 6000; i++)
		keep(work((uint64_t)i, 30 * US));
}
#endif

/* sound pipeline | - | gcc clang | - | three equal stages with depend, many items */
#ifdef CASE_pipeline
static uint64_t item[100];
static char stage[3];

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : stage[0]) depend(out : item[i])
		item[i] = work((uint64_t)i, 500 * US);
#pragma omp task depend(inout : stage[1]) depend(inout : item[i])
		item[i] = work(item[i], 500 * US);
#pragma omp task depend(inout : stage[2]) depend(in : item[i])
		keep(work(item[i], 500 * US));
	}
}
#endif

/* sound wavefront | - | gcc clang | - | blocks that depend on their upper and left neighbours */
#ifdef CASE_wavefront
static uint64_t block[21][21];

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 1; i < 21; i++)
		for (int k = 1; k < 21; k++)
#pragma omp task depend(in : block[i - 1][k], block[i][k - 1]) depend(out : block[i][k])
			block[i][k] = work(block[i - 1][k] + block[i][k - 1], 400 * US);
	keep(block[20][20]);
}
#endif

/* sound cholesky | - | gcc clang | - | the tasks of a blocked factorisation */
#ifdef CASE_cholesky
static uint64_t tile[12][12];

static void
run_case(void)
{
	int n = 12;
#pragma omp parallel
#pragma omp single
	for (int k = 0; k < n; k++) {
#pragma omp task depend(inout : tile[k][k])
		tile[k][k] = work(tile[k][k], 100 * US);
		for (int i = k + 1; i < n; i++)
#pragma omp task depend(in : tile[k][k]) depend(inout : tile[i][k])
			tile[i][k] = work(tile[i][k], 300 * US);
		for (int i = k + 1; i < n; i++)
			for (int j = k + 1; j <= i; j++)
#pragma omp task depend(in : tile[i][k], tile[j][k]) depend(inout : tile[i][j])
				tile[i][j] = work(tile[i][j], 500 * US);
	}
	keep(tile[11][11]);
}
#endif

/* sound uneven_but_many | - | gcc clang | - | uneven tasks, enough of them to balance */
#ifdef CASE_uneven_but_many
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 600; i++)
#pragma omp task
		keep(work((uint64_t)i, (50 + i * 37 % 400) * US));
}
#endif

/* sound all_produce_coarse | - | gcc clang | - | every thread creates tasks of a good size */
#ifdef CASE_all_produce_coarse
static void
run_case(void)
{
#pragma omp parallel
#pragma omp for
	for (int i = 0; i < 40; i++)
		for (int k = 0; k < 20; k++)
#pragma omp task
			keep(work((uint64_t)k, 200 * US));
}
#endif

/* sound untied_search | - | gcc clang | - | untied tasks of a tree search with a cut-off */
#ifdef CASE_untied_search
static void
search(int depth)
{
	if (depth == 0) {
		keep(work(7, 300 * US));
		return;
	}
	for (int i = 0; i < 3; i++)
#pragma omp task untied
		search(depth - 1);
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	search(6);
}
#endif

/* sound first_long | - | gcc clang | - | the long task is created first and fills one thread */
#ifdef CASE_first_long
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		keep(work(1, 50000 * US));
		for (int i = 0; i < 400; i++)
#pragma omp task
			keep(work((uint64_t)i, 300 * US));
	}
}
#endif

/* sound taskgroup_once | - | gcc clang | - | nested tasks inside one taskgroup, with a reduction */
#ifdef CASE_taskgroup_once
static void
run_case(void)
{
	uint64_t sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
	for (int i = 0; i < 100; i++)
#pragma omp task in_reduction(+ : sum)
	{
		sum += work((uint64_t)i, 600 * US);
		for (int k = 0; k < 3; k++)
#pragma omp task in_reduction(+ : sum)
			sum += work((uint64_t)k, 400 * US);
	}
	keep(sum);
}
#endif
