/* SPDX-License-Identifier: MIT */
/* What gcc compiles without a call, or with one that tells too little. Each line below is a fact
 * that the fidelity notes or the manual pages speak of; a gcc that changes one is noticed here.
 *
 *   masked, master     the thread's number is compared: nothing
 *   atomic             an instruction, or a loop of compare-and-exchange: nothing
 *   for static, auto,  bounds are computed: nothing but the barrier at their end, which is
 *   loop, scope        called as an explicit one is; with nowait nothing at all
 *   sections           each is seen; their reduction is not
 *   single             who executes it is seen at its start, its end only by what follows
 *   distribute         as a static loop; with parallel, each of its chunks is a region
 *   flush, threadprivate, copyin, simd    nothing
 */
// EXPECT: regions 2+20
// EXPECT: leagues 1
// EXPECT: loops 0
// EXPECT: loops_met 0
// EXPECT: chunks 0
// EXPECT: scopes 0
// EXPECT: inline_loops_met 0
// EXPECT: barriers_explicit 6*T
// EXPECT: barriers_implicit 0
// EXPECT: atomics 0
// EXPECT: criticals 0
// EXPECT: mutexes 0
// EXPECT: single_executors 1
// EXPECT: tasks 0
// EXPECT: notes 0
#include <omp.h>

static int private_sum;
#pragma omp threadprivate(private_sum)

static int total;

int
main(void)
{
	double sum = 0, sums[3] = {0};
	int n = 0, last = 0, cell[10];
	private_sum = 3;
#pragma omp parallel copyin(private_sum)
	{
#pragma omp master
		n += private_sum;
#pragma omp barrier
#pragma omp masked filter(0)
		n++;
#pragma omp atomic
		sum += 1;
#pragma omp atomic capture
		{
			private_sum = total;
			total++;
		}
#pragma omp flush
#pragma omp for
		for (int i = 0; i < 100; i++)
#pragma omp atomic
			sum += 1;
#pragma omp for schedule(static, 3) nowait lastprivate(last)
		for (int i = 0; i < 100; i++)
			last = i;
#pragma omp for schedule(auto)
		for (int i = 100; i > 0; i -= 3)
#pragma omp atomic
			sum += 1;
#pragma omp for collapse(2) schedule(static)
		for (int i = 0; i < 10; i++)
			for (int j = 0; j < 10; j++)
#pragma omp atomic
				sum += 1;
#pragma omp loop bind(parallel)
		for (int i = 0; i < 10; i++)
			cell[i] = i;
#pragma omp scope
		{
#pragma omp atomic
			sum += 1;
		}
#pragma omp scope nowait
		{
#pragma omp atomic
			sum += 1;
		}
#pragma omp for simd schedule(static) nowait
		for (int i = 0; i < 3; i++)
			sums[i] = 1;
#pragma omp single nowait
		n++;
	}
#pragma omp parallel for reduction(+ : n) if (0)
	for (int i = 0; i < 10; i++)
		n++;
#pragma omp teams num_teams(2)
#pragma omp distribute parallel for dist_schedule(static, 5)
	for (int i = 0; i < 100; i++)
#pragma omp atomic
		total++;
	return !(n == 3 + 1 + 1 + 10 && last == 99 && cell[9] == 9 && sums[2] == 1 && sum >= 237);
}
