/* SPDX-License-Identifier: MIT */
/* Leagues and target constructs, on the host. */
#include "../../../programs/several.h"

#include <omp.h>
#include <string.h>

static __attribute__((noinline)) void
orphan(int *m)
{
#pragma omp task
	++*m;
#pragma omp taskwait
}

/* A league on the host: its teams follow each other, each an implicit task. */
// EXPECT: leagues 3
// EXPECT: regions 3+4+4+3
// EXPECT: implicit 3+4+3+2*(3+4)+4+3
// EXPECT: tasks 4
// EXPECT: barriers_region 2*(3+4)+4+3
// EXPECT: notes 0
PROGRAM(teams)
{
	int n = 0, m = 0, k = 0;
#pragma omp teams num_teams(3) reduction(+ : n)
	{
		n += 100 * omp_get_team_num() + (omp_get_num_teams() == 3);
#pragma omp parallel num_threads(2) reduction(+ : n)
		n++;
	}
#pragma omp teams num_teams(4) reduction(+ : m)
	{
#pragma omp distribute parallel for num_threads(2) reduction(+ : m)
		for (int i = 0; i < 40; i++)
			m++;
#pragma omp parallel num_threads(1)
		orphan(&m);
	}
#pragma omp teams distribute parallel for thread_limit(1) num_teams(3) reduction(+ : k)
	for (int i = 0; i < 30; i++)
		k++;
	return !(n == 300 + 3 + 6 && m == 44 && k == 30);
}

/* Target constructs on the host: each is a task, deferred with nowait, with what it maps intact. */
// EXPECT: targets 1+1+20+20+1
// EXPECT: tasks 1+1+20+20+1+5
// EXPECT: begun 1+1+20+20+1+5
// EXPECT: undeferred 1+1+20+1
// EXPECT: dependent 20+20
// EXPECT: depend_inout 20+20+1+1
// EXPECT: depend_in 1
// EXPECT: waitpoints 20+3
// EXPECT: depend_waits 20+2
// EXPECT: leagues 1
// EXPECT: regions 1+4
// EXPECT: notes 0
PROGRAM(target)
{
	int a[4] = {0}, big[300], chain = 0, n_bad = 0, small = 7, in_task = 0;
	struct {
		char bytes[5000];
	} wide;
	memset(&wide, 1, sizeof wide);
	memset(big, 0, sizeof big);
#pragma omp target map(tofrom : a) firstprivate(small, wide)
	{
		for (int i = 0; i < 4; i++)
			a[i] += small;
		n_bad = n_bad;
		a[0] += wide.bytes[4999];
	}
#pragma omp target
	;
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 20; i++) {
			small = i;
#pragma omp target nowait map(tofrom : chain) firstprivate(small, wide) depend(inout : chain)
			{
				chain += chain == 2 * small && wide.bytes[17] == 1;
				small = 1000;
			}
#pragma omp target map(tofrom : chain) firstprivate(small) depend(inout : chain)
			chain += chain == 2 * small + 1;
		}
#pragma omp target enter data map(to : a) depend(out : a[0])
#pragma omp target update to(a) nowait depend(in : a[0])
#pragma omp target exit data map(from : a) depend(out : a[0])
#pragma omp target update from(a)
#pragma omp target data map(a)
		small = 1;
		for (int i = 0; i < 5; i++) {
#pragma omp task shared(in_task)
#pragma omp atomic
			in_task++;
		}
	}
	int sum = 0;
#pragma omp target teams distribute parallel for num_teams(4) reduction(+ : sum)
	for (int i = 0; i < 100; i++)
		sum += i;
	return n_bad || !(a[3] == 7 && a[0] == 8 && chain == 40 && in_task == 5 && sum == 4950);
}
