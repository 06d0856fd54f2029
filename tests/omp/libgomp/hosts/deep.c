/* SPDX-License-Identifier: MIT */
/* Undeferred and waited-for tasks nested deeper than the recorder's stack. */
static int
deep(int depth)
{
	int n = 0;
	if (depth == 0)
		return 0;
#pragma omp task shared(n) if (depth % 3)
	n = deep(depth - 1);
#pragma omp taskwait
	return n + 1;
}

int
main(void)
{
	int n = 0;
#pragma omp parallel
#pragma omp single
	n = deep(3000);
	return n != 3000;
}
