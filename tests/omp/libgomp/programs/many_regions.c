/* SPDX-License-Identifier: MIT */
/* Twenty thousand regions. */
// EXPECT: regions 20000
// EXPECT: implicit 20000*T
int
main(void)
{
	int n = 0;
	for (int i = 0; i < 20000; i++) {
#pragma omp parallel
#pragma omp master
		n++;
	}
	return n != 20000;
}
