/* SPDX-License-Identifier: MIT */
/* A library that opens a region with n tasks and 8 chunks. */
int work(int n);
void work_last(void);
int nest(int (*inner)(int));

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

/* One region with 3 tasks, a taskgroup and a static loop, opened by a tail call: it returns into
 * the caller's object. */
void
work_last(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp single
#pragma omp taskgroup
		for (int i = 0; i < 3; i++)
#pragma omp task
			compute();
#pragma omp for schedule(static)
		for (int i = 0; i < 8; i++)
			compute();
	}
}

/* Both threads of a region call another library. */
int
nest(int (*inner)(int))
{
	int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
	sum += inner(10);
	return sum;
}
