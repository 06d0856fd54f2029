/* SPDX-License-Identifier: MIT */
/* schedule(runtime) that means static: chunks are seen. Ordered loops of every schedule, of
 * one in a region, as tests/omp/traps/gcc_chunk_bounds_in_user_values.c says. */
// EXPECT: loops 3+5
// EXPECT: chunks T>1 ? T+25+25+100+100+1+100+T : 1+1+1+1+100+1+100+1
// EXPECT: iterations 8*100
// EXPECT: regions 3+5
#include <omp.h>

static int n, next;

static void
work(void)
{
#pragma omp atomic
	n++;
}

int
main(void)
{
	int n_bad = 0;
	omp_set_schedule(omp_sched_static, 0);
#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < 100; i++)
		work();
	omp_set_schedule(omp_sched_static, 4);
#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < 100; i++)
		work();
	omp_set_schedule(omp_sched_auto, 0);
#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < 100; i++)
		work();
	omp_set_schedule(omp_sched_dynamic, 1);
#pragma omp parallel reduction(+ : n_bad)
#pragma omp for ordered schedule(static, 1)
	for (int i = 0; i < 100; i++)
#pragma omp ordered
		n_bad += next++ != i;
#pragma omp parallel reduction(+ : n_bad)
#pragma omp for ordered schedule(dynamic)
	for (int i = 0; i < 100; i++)
#pragma omp ordered
		n_bad += next++ != i + 100;
#pragma omp parallel reduction(+ : n_bad)
#pragma omp for ordered schedule(guided, 100)
	for (int i = 0; i < 100; i++)
#pragma omp ordered
		n_bad += next++ != i + 200;
#pragma omp parallel reduction(+ : n_bad)
#pragma omp for ordered schedule(runtime)
	for (int i = 0; i < 100; i++)
#pragma omp ordered
		n_bad += next++ != i + 300;
#pragma omp parallel reduction(+ : n_bad)
#pragma omp for ordered
	for (int i = 0; i < 100; i++)
#pragma omp ordered
		n_bad += next++ != i + 400;
	return !(n == 300 && n_bad == 0 && next == 500);
}
