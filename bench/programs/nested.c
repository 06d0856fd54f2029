/* SPDX-License-Identifier: MIT */
/*
 * nested.c - parallel regions inside parallel regions, and teams of one thread.
 *
 * An outer region of `outer` threads; each of its threads opens `repeats` inner regions of `inner`
 * threads, and after them one region of one thread.  Each thread of an inner region runs a loop,
 * schedule(dynamic,1), of `trip` iterations together with its team, and then creates `tasks` tasks,
 * joined by a taskwait.  The one-thread region creates `tasks` tasks, joined by its barrier.
 *
 * Inner loop of outer thread t, repeat r: loop<t * repeats + r> in the counts.  Tasks:
 * outer * (repeats * inner + 1) * tasks; taskwaits: outer * repeats * inner, if the runtime grants
 * the threads asked for; what it grants is what the check goes by.
 */
#include "bench.h"

#ifdef _OPENMP
extern int omp_get_thread_num(void);
extern int omp_get_num_threads(void);
extern void omp_set_dynamic(int);
extern void omp_set_max_active_levels(int);
#else
#define omp_get_thread_num()         0
#define omp_get_num_threads()        1
#define omp_set_dynamic(on)          ((void)(on))
#define omp_set_max_active_levels(n) ((void)(n))
#endif

struct shape {
	int outer;
	int inner;
	long repeats;
	long trip;
	long tasks;
	long work;
};

static atomic_ulong n_inner_threads; /* implicit tasks of inner regions of several threads */
static atomic_ulong n_single_teams;
static atomic_ulong n_iterations;
static atomic_ulong n_tasks;
static atomic_ulong sink;

static void
spin(const struct shape *s, long seed)
{
	uint64_t value = (uint64_t)seed;

	for (long i = 0; i < s->work; i++)
		value = bench_hash(value);
	atomic_fetch_add(&sink, value);
}

static void
create_tasks(const struct shape *s)
{
	for (long i = 0; i < s->tasks; i++) {
#pragma omp task firstprivate(s, i)
		{
			count_task();
			atomic_fetch_add(&n_tasks, 1);
			spin(s, i);
		}
	}
}

static void
inner_region(const struct shape *s, long loop)
{
#pragma omp parallel num_threads(s->inner) firstprivate(s, loop)
	{
		atomic_fetch_add(&n_inner_threads, 1);
#pragma omp for schedule(dynamic, 1)
		for (long i = 0; i < s->trip; i++) {
			count_iteration("loop", loop, i, 1);
			atomic_fetch_add(&n_iterations, 1);
			spin(s, i);
		}
		create_tasks(s);
		count_taskwait();
#pragma omp taskwait
	}
}

static void
single_region(const struct shape *s)
{
#pragma omp parallel num_threads(1) firstprivate(s)
	{
		if (omp_get_num_threads() == 1)
			atomic_fetch_add(&n_single_teams, 1);
		create_tasks(s);
	}
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"outer", "threads of the outer region", 2, 1, 64, NULL},
	    {"inner", "threads of the inner regions", 2, 1, 64, NULL},
	    {"repeats", "inner regions per outer thread", 20, 0, 100000, NULL},
	    {"--trip", "iterations of each inner loop", 16, 0, 1000000, NULL},
	    {"--tasks", "tasks per inner thread", 4, 0, 1000000, NULL},
	    {"--work", "hash rounds per iteration and task", 100000, 0, 1000000000, NULL},
	};

	bench_parse(argc, argv, "Nested parallel regions.", arg, 6);
	struct shape s = {(int)arg[0].value, (int)arg[1].value, arg[2].value,
	                  arg[3].value,      arg[4].value,      arg[5].value};
	unsigned long n_outer = 0;
	omp_set_dynamic(0);
	omp_set_max_active_levels(2);

	bench_begin();
#pragma omp parallel num_threads(s.outer) shared(s, n_outer)
	{
		int thread = omp_get_thread_num();

		if (thread == 0)
			n_outer = (unsigned long)omp_get_num_threads();
		for (long r = 0; r < s.repeats; r++)
			inner_region(&s, thread * s.repeats + r);
		single_region(&s);
	}
	bench_end();
	unsigned long n_regions = n_outer * (unsigned long)s.repeats;
	printf("outer %lu, inner implicit tasks %lu, iterations %lu, tasks %lu\n", n_outer,
	       atomic_load(&n_inner_threads), atomic_load(&n_iterations), atomic_load(&n_tasks));
	return bench_finish(atomic_load(&n_iterations) == n_regions * (unsigned long)s.trip &&
	                    atomic_load(&n_single_teams) == n_outer &&
	                    atomic_load(&n_tasks) ==
	                        (atomic_load(&n_inner_threads) + n_outer) * (unsigned long)s.tasks);
}
