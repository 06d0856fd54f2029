/* SPDX-License-Identifier: MIT */
/* Waits of doacross loops: of one and of many dimensions, signed and unsigned long long. The sum of
 * several variables takes the mutex of large atomics. */
// EXPECT: doacross_waits 9+9+(8+12)+1
// EXPECT: atomics T
// EXPECT: mutexes 1
// EXPECT: loops 4
static int cell[2][2][2][2][2][2][2][2];

int
main(void)
{
	int n = 0, m = 0, last = 0, n_bad = 0;
#pragma omp parallel reduction(+ : n, m, n_bad)
	{
#pragma omp for ordered(1) schedule(dynamic, 1)
		for (int i = 0; i < 10; i++) {
#pragma omp ordered depend(sink : i - 1)
			n++;
#pragma omp ordered depend(source)
		}
#pragma omp for ordered(1) schedule(dynamic, 1)
		for (unsigned long long i = 1ull << 63; i < (1ull << 63) + 10; i++) {
#pragma omp ordered depend(sink : i - 1)
			m++;
#pragma omp ordered depend(source)
		}
		/* eight dimensions: more values than fit registers */
#pragma omp for ordered(8) schedule(dynamic, 1)
		for (int a = 0; a < 2; a++)
			for (int b = 0; b < 2; b++)
				for (int c = 0; c < 1; c++)
					for (int d = 0; d < 1; d++)
						for (int e = 0; e < 1; e++)
							for (int f = 0; f < 1; f++)
								for (int g = 0; g < 1; g++)
									for (int h = 0; h < 4;
									     h++) {
#pragma omp ordered depend(sink                                                                    \
                           : a - 1, b, c, d, e, f, g, h) depend(sink                               \
                                                                : a, b, c, d, e, f, g, h - 1)
										if (h > 0)
											n_bad +=
											    cell[a]
												[b]
												[0]
												[0]
												[0]
												[0]
												[(h -
											          1) /
											         2]
												[(h -
											          1) %
											         2] !=
											    1;
										if (a > 0)
											n_bad +=
											    cell[0]
												[b]
												[0]
												[0]
												[0]
												[0]
												[h /
											         2]
												[h %
											         2] !=
											    1;
										cell[a][b][0][0][0]
										    [0][h / 2]
										    [h % 2] = 1;
#pragma omp ordered depend(source)
									}
#pragma omp for ordered(1) schedule(static, 1)
		for (int i = 0; i < 2; i++) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp atomic
			last++;
#pragma omp ordered depend(source)
		}
	}
	return n != 10 || m != 10 || n_bad || last != 2;
}
