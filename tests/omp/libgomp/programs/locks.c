/* SPDX-License-Identifier: MIT */
/* What is not recorded must go on working: critical, atomic, locks, masked, ordered, teams, target. */
// EXPECT: tasks 0
// EXPECT: regions 1+2
#include <omp.h>

int
main(void)
{
	int n = 0, m = 0, k = 0, teams = 0;
	long double slow = 0;
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel
	{
#pragma omp critical
		n++;
#pragma omp critical(named)
		m++;
		omp_set_lock(&lock);
		k++;
		omp_unset_lock(&lock);
#pragma omp atomic
		slow += 1;
#pragma omp master
		n += 100;
	}
#pragma omp teams num_teams(2) reduction(+ : teams)
#pragma omp parallel num_threads(2) reduction(+ : teams)
	teams++;
#pragma omp target map(tofrom : n)
	n += 1000;
	return !(m == k && n == m + 1100 && slow == m && teams == 4);
}
