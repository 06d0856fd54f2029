/* SPDX-License-Identifier: MIT */
/* Teams that grow and shrink, larger than OMP_NUM_THREADS; libgomp ends surplus threads. Thread
 * counts by a hundred. */
// EXPECT: regions 40
// EXPECT: implicit 20*(1+16)
// EXPECT: tasks 20*17
// EXPECT: begun 20*17
int
main(void)
{
	int n = 0;
	for (int i = 0; i < 40; i++) {
#pragma omp parallel num_threads(i % 2 ? 1 : 16)
#pragma omp task shared(n)
#pragma omp atomic
		n++;
	}
	return n != 20 * 17;
}
