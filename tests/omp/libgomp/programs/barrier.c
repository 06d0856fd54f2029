/* SPDX-License-Identifier: MIT */
/* Barriers; static loops are inlined by gcc and end in the same call. */
// EXPECT: barriers_explicit 10*T+T
// EXPECT: barriers_region T
// EXPECT: loops 0
// EXPECT: tasks T
// EXPECT: begun T
int
main(void)
{
	int n = 0;
#pragma omp parallel
	{
		for (int i = 0; i < 10; i++) {
#pragma omp barrier
		}
#pragma omp for schedule(static)
		for (int i = 0; i < 100; i++)
#pragma omp atomic
			n++;
#pragma omp task shared(n)
#pragma omp atomic
		n++;
	}
	return n < 100;
}
