/* SPDX-License-Identifier: MIT */
/* Dependences: a chain, a waiting undeferred task, and a taskwait for some tasks only. */
// EXPECT: tasks 100+1+2
// EXPECT: begun 103
// EXPECT: dependent 100+1+1
// EXPECT: undeferred 1
// EXPECT: waitpoints 2
// EXPECT: depend_waits 2
// EXPECT: depend_inout 101
// EXPECT: depend_in 2
int
main(void)
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
