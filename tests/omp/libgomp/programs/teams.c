/* SPDX-License-Identifier: MIT */
/* A league on the host: its teams follow each other, each an implicit task. */
// EXPECT: leagues 3
// EXPECT: regions 3+4+4+3
// EXPECT: implicit 3+4+3+2*(3+4)+4+3
// EXPECT: tasks 4
// EXPECT: barriers_region 2*(3+4)+4+3
// EXPECT: notes 0
#include <omp.h>

static __attribute__((noinline)) void
orphan(int *m)
{
#pragma omp task
	++*m;
#pragma omp taskwait
}

int
main(void)
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
