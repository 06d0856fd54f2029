/* SPDX-License-Identifier: MIT */
/*
 * settings.c - sound programs whose environment is wrong: the faulty run has the settings of the
 * fourth field, the fixed one those behind the `/` there, or none. cpus=LIST is the CPUs that the
 * process may use.
 */
#include "case.h"

/* setting over_threads | oversubscription | gcc clang | OMP_NUM_THREADS=8 | more threads than CPUs, with barriers */
#ifdef CASE_over_threads
static void
run_case(void)
{
#pragma omp parallel
	for (int r = 0; r < 200; r++)
#pragma omp for schedule(static)
		for (int i = 0; i < 80; i++)
			keep(work((uint64_t)i, 10 * US));
}
#endif

/* setting active_over | oversubscription | gcc clang | OMP_NUM_THREADS=4 OMP_WAIT_POLICY=active | threads that spin hold the CPUs others need */
#ifdef CASE_active_over
static void
run_case(void)
{
#pragma omp parallel
	for (int r = 0; r < 100; r++)
#pragma omp for schedule(static)
		for (int i = 0; i < 80; i++)
			keep(work((uint64_t)i, 20 * US));
}
#endif

/* setting one_place | oversubscription binding | gcc clang | OMP_PLACES={0} OMP_PROC_BIND=close | all threads bound to one core */
#ifdef CASE_one_place
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < 1000; i++)
		keep(work((uint64_t)i, 100 * US));
}
#endif

/* setting affinity_gomp | oversubscription binding | gcc | GOMP_CPU_AFFINITY=0 | all threads bound to one core, libgomp's own variable */
#ifdef CASE_affinity_gomp
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < 1000; i++)
		keep(work((uint64_t)i, 100 * US));
}
#endif

/* setting one_cpu | oversubscription binding | gcc clang | cpus=0 | taskset: the process may use one CPU */
#ifdef CASE_one_cpu
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < 1000; i++)
		keep(work((uint64_t)i, 100 * US));
}
#endif

/* setting passive | wait_policy many_regions unexplained | gcc clang | OMP_WAIT_POLICY=passive | threads sleep at each of many barriers */
#ifdef CASE_passive
static void
run_case(void)
{
	for (int r = 0; r < 2000; r++)
#pragma omp parallel for schedule(static)
		for (int i = 0; i < 8; i++)
			keep(work((uint64_t)i, 8 * US));
}
#endif

/* setting spincount | wait_policy many_regions unexplained | gcc | GOMP_SPINCOUNT=0 | the same by libgomp's own variable */
#ifdef CASE_spincount
static void
run_case(void)
{
#pragma omp parallel
	for (int r = 0; r < 3000; r++)
#pragma omp for schedule(static)
		for (int i = 0; i < 8; i++)
			keep(work((uint64_t)i, 5 * US));
}
#endif

/* setting blocktime | wait_policy many_regions unexplained | clang | KMP_BLOCKTIME=0 | the same by libomp's own variable */
#ifdef CASE_blocktime
static void
run_case(void)
{
	for (int r = 0; r < 2000; r++) {
#pragma omp parallel for schedule(static)
		for (int i = 0; i < 8; i++)
			keep(work((uint64_t)i, 8 * US));
		keep(work(3, 5 * US));
	}
}
#endif

/* setting schedule_one | small_chunks | gcc clang | OMP_SCHEDULE=dynamic,1 / OMP_SCHEDULE=static | schedule(runtime) with tiny chunks */
#ifdef CASE_schedule_one
static void
run_case(void)
{
#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < 400000; i++)
		keep(work((uint64_t)i, 10));
}
#endif

/* setting schedule_static | uneven_loop uneven_region | gcc clang | OMP_SCHEDULE=static / OMP_SCHEDULE=dynamic,4 | schedule(runtime) of a triangle */
#ifdef CASE_schedule_static
static void
run_case(void)
{
#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < 1000; i++)
		keep(work((uint64_t)i, i * US / 4));
}
#endif

/* setting thread_limit | teams_of_one limited_by | gcc clang | OMP_THREAD_LIMIT=1 | the limit leaves one thread */
#ifdef CASE_thread_limit
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < 800; i++)
		keep(work((uint64_t)i, 100 * US));
}
#endif

/* setting one_requested | teams_of_one limited_by | gcc clang | OMP_NUM_THREADS=1 | one thread */
#ifdef CASE_one_requested
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < 800; i++)
		keep(work((uint64_t)i, 100 * US));
}
#endif

/* setting levels | many_regions oversubscription | gcc clang | OMP_MAX_ACTIVE_LEVELS=2 | nested regions start threads each time */
#ifdef CASE_levels
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 4)
	for (int i = 0; i < 100; i++)
#pragma omp parallel for
		for (int k = 0; k < 8; k++)
			keep(work((uint64_t)k, 100 * US));
}
#endif

/* setting no_levels | teams_of_one no_parallelism uneven_region uneven_loop | gcc | OMP_MAX_ACTIVE_LEVELS=1 / OMP_MAX_ACTIVE_LEVELS=2 | the outer region has one thread's work, the inner one cannot have more */
#ifdef CASE_no_levels
static void
run_case(void)
{
#pragma omp parallel sections
	{
#pragma omp section
#pragma omp parallel for schedule(dynamic, 2)
		for (int k = 0; k < 200; k++)
			keep(work((uint64_t)k, 500 * US));
	}
}
#endif

/* setting priorities_off | uneven_tasks no_parallelism | gcc | OMP_MAX_TASK_PRIORITY=0 / OMP_MAX_TASK_PRIORITY=1 | priorities in the program, none allowed */
#ifdef CASE_priorities_off
static void
one(int i, long rounds, int priority)
{
#pragma omp task priority(priority) firstprivate(i, rounds)
	keep(work((uint64_t)i, rounds));
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 40; i++)
			one(i, 1000 * US, 0);
		one(0, 40000 * US, 1);
	}
}
#endif

/* setting dynamic | teams_of_one | gcc clang | OMP_DYNAMIC=true | the runtime uses fewer threads while the machine is loaded */
#ifdef CASE_dynamic
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < 800; i++)
		keep(work((uint64_t)i, 200 * US));
}
#endif

/* setting stack_size | - | gcc clang | OMP_STACKSIZE=512M | large stacks are only reserved: no gain */
#ifdef CASE_stack_size
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < 800; i++)
		keep(work((uint64_t)i, 200 * US));
}
#endif
