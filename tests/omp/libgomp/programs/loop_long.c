/* SPDX-License-Identifier: MIT */
/* More chunks than a block of the trace holds, with a region inside some of them. */
// EXPECT: chunks 50000+50*20
// EXPECT: iterations 50000+50*20
// EXPECT: regions 1+50
// EXPECT: tasks 50000
// EXPECT: begun 50000

int
main(void)
{
	int n = 0;
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < 50000; i++) {
#pragma omp task shared(n)
#pragma omp atomic
		n++;
		if (i % 1000 == 0) {
#pragma omp parallel for schedule(dynamic) num_threads(1)
			for (int j = 0; j < 20; j++)
#pragma omp atomic
				n++;
		}
	}
	return n != 50000 + 1000;
}
