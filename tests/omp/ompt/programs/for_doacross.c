/* SPDX-License-Identifier: MIT */
/* An iteration waits for others: no dependence between tasks, though OMPT uses the same event, and
 * no mutex that somebody holds.
 *
 * // EXPECT: loops == 2*T
 * // EXPECT: iterations == 40
 * // EXPECT: depends == 0
 * // EXPECT: doacross_waits == 40
 * // EXPECT: mutexes_held == 0
 * // EXPECT: null_mutex_sites == 0
 */
#include "sink.h"

int
main(void)
{
	int a[21] = {0};
#pragma omp parallel
	{
#pragma omp for ordered(1) schedule(static, 1)
		for (int i = 0; i < 20; i++) {
#pragma omp ordered depend(sink : i - 1)
			a[i + 1] = a[i] + 1;
#pragma omp ordered depend(source)
		}
#pragma omp for ordered(1) schedule(dynamic, 1)
		for (int i = 0; i < 20; i++) {
#pragma omp ordered depend(sink : i - 1)
			a[i + 1] = a[i] + 1;
#pragma omp ordered depend(source)
		}
	}
	return a[20] - 20;
}
