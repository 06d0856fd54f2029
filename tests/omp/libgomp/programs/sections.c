/* SPDX-License-Identifier: MIT */
/* sections of their own, with nowait, combined with parallel, and more threads than sections. */
// EXPECT: sections_met 2*T+T
// EXPECT: sections 3+2+4
// EXPECT: regions 2
// EXPECT: barriers_implicit T
static int n;

static void
work(void)
{
#pragma omp atomic
	n++;
}

int
main(void)
{
#pragma omp parallel
	{
#pragma omp sections
	    {
#pragma omp section
		work();
#pragma omp section
	work();
#pragma omp section
	work();
}
#pragma omp sections nowait
{
#pragma omp section
	work();
#pragma omp section
	work();
}
}
#pragma omp parallel sections
{
#pragma omp section
	work();
#pragma omp section
	work();
#pragma omp section
	work();
#pragma omp section
	work();
}
return n != 9;
}
