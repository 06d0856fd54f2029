/* SPDX-License-Identifier: MIT */
/* Doacross loops: libgomp shares out the outer loop. */
// EXPECT: loops 4
// EXPECT: iterations 20+20+16*3+20
// EXPECT: regions 1
static int cell[21][21];

int
main(void)
{
	int n = 0;
#pragma omp parallel reduction(+ : n)
	{
#pragma omp for ordered(2) schedule(dynamic)
		for (int i = 1; i < 21; i++)
			for (int j = 1; j < 21; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
				cell[i][j] = cell[i - 1][j] + cell[i][j - 1] + 1;
#pragma omp ordered depend(source)
			}
#pragma omp for ordered(1) schedule(guided, 2)
		for (int i = 0; i < 20; i++) {
#pragma omp ordered depend(sink : i - 1)
			n++;
#pragma omp ordered depend(source)
		}
#pragma omp for collapse(2) ordered(3) schedule(static, 2)
		for (int i = 0; i < 16; i++)
			for (int j = 0; j < 3; j++)
				for (int k = 0; k < 2; k++) {
#pragma omp ordered depend(sink : i, j, k - 1)
					n++;
#pragma omp ordered depend(source)
				}
#pragma omp for ordered(1) schedule(runtime)
		for (unsigned long i = 1; i < 21; i++) {
#pragma omp ordered depend(sink : i - 1)
			n++;
#pragma omp ordered depend(source)
		}
	}
	return !(n == 20 + 96 + 20 && cell[2][2] == 5);
}
