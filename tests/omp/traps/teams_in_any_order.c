/* SPDX-License-Identifier: MIT */
/*
 * teams_in_any_order.c SIZE - leagues of SIZE teams and regions of SIZE threads: each construct of
 * the table after each, itself included.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static int n;

static void
work(void)
{
#pragma omp atomic
	n++;
}

#define CONSTRUCT static __attribute__((noinline)) void

CONSTRUCT
teams(int size)
{
#pragma omp teams num_teams(size)
	work();
}

CONSTRUCT
teams_default(int size)
{
	(void)size;
#pragma omp teams
	work();
}

CONSTRUCT
teams_parallel(int size)
{
#pragma omp teams num_teams(size)
	{
#pragma omp parallel num_threads(2)
		work();
	}
}

CONSTRUCT
teams_regions(int size)
{
#pragma omp teams num_teams(size)
	{
#pragma omp parallel num_threads(2)
		{
#pragma omp for schedule(dynamic)
			for (int i = 0; i < 5; i++)
				work();
#pragma omp task
			work();
		}
#pragma omp parallel if (0)
		work();
	}
}

CONSTRUCT
teams_distribute(int size)
{
#pragma omp teams num_teams(size)
	{
#pragma omp distribute
		for (int i = 0; i < 7; i++)
			work();
	}
}

CONSTRUCT
teams_distribute_parallel_for(int size)
{
#pragma omp teams distribute parallel for num_teams(size) num_threads(2)
	for (int i = 0; i < 7; i++)
		work();
}

CONSTRUCT
target_teams_parallel(int size)
{
#pragma omp target teams num_teams(size)
	{
#pragma omp parallel num_threads(3)
		work();
	}
}

CONSTRUCT
target_teams_in_parallel(int size)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp target teams num_teams(size)
		{
#pragma omp parallel num_threads(2)
			work();
		}
	}
}

CONSTRUCT
parallel_tasks(int size)
{
#pragma omp parallel num_threads(size)
	{
#pragma omp single
		for (int i = 0; i < 3; i++) {
#pragma omp task
			work();
		}
	}
}

CONSTRUCT
parallel_nested(int size)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(size)
		work();
	}
}

CONSTRUCT
task_alone(int size)
{
	(void)size;
#pragma omp task
	work();
#pragma omp taskwait
}

#ifdef HAS_LOOP /* clang 14 reads no more than `teams` of these */
CONSTRUCT
teams_loop(int size)
{
#pragma omp teams loop num_teams(size)
	for (int i = 0; i < 7; i++)
		work();
}

CONSTRUCT
teams_loop_default(int size)
{
	(void)size;
#pragma omp teams loop
	for (int i = 0; i < 7; i++)
		work();
}
#endif

static void (*const constructs[])(int) = {
    teams,
    teams_default,
    teams_parallel,
    teams_regions,
    teams_distribute,
    teams_distribute_parallel_for,
    target_teams_parallel,
    target_teams_in_parallel,
    parallel_tasks,
    parallel_nested,
    task_alone,
#ifdef HAS_LOOP
    teams_loop,
    teams_loop_default,
#endif
};

int
main(int argc, char **argv)
{
	size_t n_constructs = sizeof constructs / sizeof *constructs;
	int size = argc > 1 ? atoi(argv[1]) : 2;

	for (size_t i = 0; i < n_constructs; i++)
		for (size_t j = 0; j < n_constructs; j++) {
			constructs[i](size);
			constructs[j](size);
		}
	return n == 0;
}
