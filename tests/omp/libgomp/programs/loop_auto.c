/* SPDX-License-Identifier: MIT */
/* A combined loop with schedule(auto) and a long variable: gcc announces it to libgomp and then
 * computes every share itself, so that there is no loop to see. */
// EXPECT: regions 1
// EXPECT: implicit T
// EXPECT: loops_met 0
// EXPECT: chunks 0

static int n;

int
main(void)
{
#pragma omp parallel for schedule(auto)
	for (long i = 1; i < 100; i++)
#pragma omp atomic
		n++;
	return n != 99;
}
