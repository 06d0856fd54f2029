/* SPDX-License-Identifier: MIT */
/* An object at address 0 is an object like others to a libgomp without omp_all_memory. */
// na libgomp exporting GOMP_taskwait_depend_nowait: it takes address 0 for omp_all_memory
// EXPECT: depend_inout 2
// EXPECT: depend_in 1
// EXPECT: depend_all_memory 0
int
main(void)
{
	int n = 0, *volatile nowhere = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : *nowhere) shared(n)
		n = 1;
#pragma omp task depend(in : *nowhere) shared(n)
		n += n == 1;
#pragma omp task depend(inout : *nowhere) shared(n)
		n += n == 2;
	}
	return n != 3;
}
