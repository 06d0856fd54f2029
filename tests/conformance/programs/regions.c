/* SPDX-License-Identifier: MIT */
/* Regions, leagues and barriers. */
#include "../../programs/several.h"
#include "../conformance.h"

#include <pthread.h>

// construct: parallel
// expect: parallel_regions=1 implicit_tasks=T grains=0
// place: implicit @region=T
PROGRAM(parallel)
{
#pragma omp parallel // @region
	work();
	return done();
}

// construct: parallel, if(0): a team of one
// expect: parallel_regions=1 implicit_tasks=1 explicit_tasks=2
// place: task @task=1
PROGRAM(parallel_if)
{
#pragma omp parallel if (0)
	{
#pragma omp task // @task
		work();
#pragma omp task
		work();
	}
	return done();
}

// construct: parallel, nested
// expect: parallel_regions=1+T implicit_tasks=T+2*T grains=0
// place: implicit @inner=2*T
// env: OMP_MAX_ACTIVE_LEVELS=2
PROGRAM(parallel_nested)
{
#pragma omp parallel
#pragma omp parallel num_threads(2) // @inner
	work();
	return done();
}

// construct: parallel, another number of threads each time
// expect: parallel_regions=3 implicit_tasks=1+2+3
// place: implicit @implicit=1..
PROGRAM(parallel_sizes)
{
	for (int n = 1; n <= 3; n++) {
#pragma omp parallel num_threads(n) // @implicit
		work();
	}
	return done();
}

// construct: barrier, explicit and implicit
// expect: explicit_tasks=2*T
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
PROGRAM(barrier)
{
#pragma omp parallel // @implicit
	{
#pragma omp task // @task2
		work();
#pragma omp barrier
#pragma omp task // @task3
		work();
	}
	return done();
}

// construct: teams, on the host
// expect: parallel_regions=1+2
// limit ompt: parallel_regions: league
// limit pomp2: parallel_regions: teams
// place: implicit @implicit=1..
PROGRAM(teams)
{
#pragma omp teams num_teams(2) thread_limit(2)
	{
#pragma omp parallel num_threads(2) // @implicit
		work();
	}
	return done();
}

// construct: threads made outside OpenMP that open regions
// expect: parallel_regions=3
// place: implicit @implicit=1..
static void *
body(void *argument)
{
#pragma omp parallel num_threads(2) // @implicit
	work();
	return argument;
}

PROGRAM(pthreads)
{
	pthread_t thread[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, body, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return done();
}
