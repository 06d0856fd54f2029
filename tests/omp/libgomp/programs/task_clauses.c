/* SPDX-License-Identifier: MIT */
/* untied, if, final, mergeable, priority: one flag each. Children of a final task are included. */
// EXPECT: tasks 11+10
// EXPECT: begun 21
// EXPECT: untied 1+10
// EXPECT: undeferred 1+10
// EXPECT: final 1
// EXPECT: mergeable 1
#include <omp.h>

int
main(void)
{
	int n = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task if (0) shared(n)
		n++;
#pragma omp task untied shared(n)
		{
#pragma omp taskyield
#pragma omp atomic
			n++;
		}
#pragma omp taskwait
#pragma omp task final(1) shared(n)
		{
			for (int i = 0; i < 4; i++) {
#pragma omp task shared(n)
				n += omp_in_final();
			}
		}
#pragma omp taskwait
#pragma omp task mergeable priority(3) shared(n)
		n++;
#pragma omp taskwait
		for (int i = 0; i < 3; i++) {
#pragma omp task shared(n)
#pragma omp atomic
			n++;
		}
#pragma omp taskwait
		for (int i = 0; i < 10; i++) {
#pragma omp task if (i < 0) untied shared(n)
			n++;
		}
	}
	return n != 1 + 1 + 4 + 1 + 3 + 10;
}
