/* SPDX-License-Identifier: MIT */
/* A library that opens a region with n tasks and 8 chunks. */
int work(int n);

static volatile int sink;

static void
compute(void)
{
	for (int i = 0; i < 10000; i++)
		sink = i;
}

int
work(int n)
{
	int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
#pragma omp single
		for (int i = 0; i < n; i++)
#pragma omp task
			compute();
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 8; i++) {
			compute();
			sum++;
		}
	}
	return sum;
}
