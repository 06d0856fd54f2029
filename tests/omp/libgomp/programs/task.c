/* SPDX-License-Identifier: MIT */
/* Tied tasks: a tree without taskwait at its leaves, waited for by taskwait. */
// EXPECT: tasks 2046
// EXPECT: begun 2046
// EXPECT: taskwaits 1023
// EXPECT: single_executors 1
// EXPECT: single_others T-1
static int
tree(int depth)
{
	int a = 0, b = 0;
	if (depth == 0)
		return 1;
#pragma omp task shared(a)
	a = tree(depth - 1);
#pragma omp task shared(b)
	b = tree(depth - 1);
#pragma omp taskwait
	return a + b;
}

int
main(void)
{
	int n = 0;
#pragma omp parallel
#pragma omp single
	n = tree(10);
	return n != 1024;
}
