/* SPDX-License-Identifier: MIT */
/* tasks_fine.c - tasks whose work is less than what creating and scheduling them costs. */
#include "case.h"

/* fault fib | small_tasks | gcc clang | - | two sites of one recursion, without a cut-off */
#ifdef CASE_fib
static uint64_t
fib(int n)
{
	uint64_t a, b;
	if (n < 2)
		return work((uint64_t)n, 10) & 1;
	if (IF_FIXED(n < 12, 0))
		return fib(n - 1) + fib(n - 2);
#pragma omp task shared(a) /* here: fib */
	a = fib(n - 1);
#pragma omp task shared(b) /* here: fib */
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	keep(fib(25));
}
#endif

/* fault tree_walk | small_tasks | gcc clang | - | a task for each node of a tree, one site */
#ifdef CASE_tree_walk
static void
walk(int depth, uint64_t node)
{
	keep(work(node, 60));
	if (depth == 0)
		return;
	for (uint64_t i = 0; i < 4; i++)
#pragma omp task if (IF_FIXED(depth > 5, 1)) final(IF_FIXED(depth <= 5, 0)) /* here: tree_walk */
		walk(depth - 1, node * 4 + i);
#pragma omp taskwait
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	walk(8, 1);
}
#endif

/* fault mutual | small_tasks | gcc clang | - | two functions that create tasks for each other */
#ifdef CASE_mutual
static uint64_t odd(int n);

static uint64_t
even(int n)
{
	uint64_t a = 0, b = 0;
	if (n < 2)
		return work((uint64_t)n, 12) & 1;
	if (IF_FIXED(n < 14, 0))
		return odd(n - 1) + odd(n - 2);
#pragma omp task shared(a) /* here: mutual */
	a = odd(n - 1);
	b = odd(n - 2);
#pragma omp taskwait
	return a + b;
}

static uint64_t
odd(int n)
{
	uint64_t a = 0, b = 0;
	if (n < 2)
		return work((uint64_t)n, 12) & 1;
	if (IF_FIXED(n < 14, 0))
		return even(n - 1) + even(n - 2);
#pragma omp task shared(a) /* here: mutual */
	a = even(n - 1);
	b = even(n - 2);
#pragma omp taskwait
	return a + b;
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	keep(even(26));
}
#endif

/* fault loop_of_tasks | small_tasks one_producer | gcc clang | - | a task for each element */
#ifdef CASE_loop_of_tasks
static void
run_case(void)
{
	int step = IF_FIXED(1000, 1);
#pragma omp parallel
#pragma omp single /* here: loop_of_tasks */
	for (int i = 0; i < 300000; i += step)
#pragma omp task firstprivate(i) /* here: loop_of_tasks */
		for (int k = 0; k < step; k++)
			keep(work((uint64_t)(i + k), 50));
}
#endif

/* fault sections_of_tasks | small_tasks | gcc clang | - | tiny tasks created in two sections */
#ifdef CASE_sections_of_tasks
static void
produce(int n)
{
	int step = IF_FIXED(1000, 1);
	for (int i = 0; i < n; i += step)
#pragma omp task firstprivate(i) /* here: sections_of_tasks */
		for (int k = 0; k < step; k++)
			keep(work((uint64_t)(i + k), 20));
}

static void
run_case(void)
{
#pragma omp parallel sections
	{
#pragma omp section
		produce(150000);
#pragma omp section
		produce(150000);
	}
}
#endif

/* fault all_produce | small_tasks | gcc clang | - | every thread creates tiny tasks in a loop */
#ifdef CASE_all_produce
static void
run_case(void)
{
	int step = IF_FIXED(500, 1);
#pragma omp parallel
#pragma omp for
	for (int i = 0; i < 800; i++)
		for (int k = 0; k < 500; k += step)
#pragma omp task firstprivate(k) /* here: all_produce */
			for (int j = 0; j < step; j++)
				keep(work((uint64_t)(k + j), 20));
}
#endif

/* fault quicksort | small_tasks | gcc clang | - | sorting down to two elements by tasks */
#ifdef CASE_quicksort
static void
quicksort(int *a, int n)
{
	if (n < 2)
		return;
	int pivot = a[n / 2], i = 0, k = n - 1;
	while (i <= k) {
		while (a[i] < pivot)
			i++;
		while (a[k] > pivot)
			k--;
		if (i <= k) {
			int swap = a[i];
			a[i++] = a[k];
			a[k--] = swap;
		}
	}
	if (IF_FIXED(n < 5000, 0)) {
		quicksort(a, k + 1);
		quicksort(a + i, n - i);
		return;
	}
#pragma omp task /* here: quicksort */
	quicksort(a, k + 1);
#pragma omp task /* here: quicksort */
	quicksort(a + i, n - i);
}

static int sorted[300000];

static void
run_case(void)
{
	unsigned seed = 1;
	for (size_t i = 0; i < sizeof sorted / sizeof *sorted; i++)
		sorted[i] = (int)((seed = seed * 1664525u + 1013904223u) >> 4);
#pragma omp parallel
#pragma omp single
	quicksort(sorted, (int)(sizeof sorted / sizeof *sorted));
	keep((uint64_t)sorted[0]);
}
#endif

/* fault queens | small_tasks | gcc clang | - | a task for each placement of a queen */
#ifdef CASE_queens
static long found;

static void
place(int n, int row, unsigned columns, unsigned left, unsigned right)
{
	if (row == n) {
#pragma omp atomic
		found++;
		return;
	}
	for (unsigned bit = 1; bit < 1u << n; bit <<= 1) {
		if ((columns | left | right) & bit)
			continue;
		if (IF_FIXED(row >= 3, 0)) {
			place(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
			continue;
		}
#pragma omp task firstprivate(bit) /* here: queens */
		place(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
	}
#pragma omp taskwait
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	place(11, 0, 0, 0, 0);
	keep((uint64_t)found);
}
#endif

/* fault taskloop_fine | small_tasks | gcc clang | - | taskloop with grainsize(1) of tiny iterations */
#ifdef CASE_taskloop_fine
static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int r = 0; r < 1000; r++)
#pragma omp taskloop grainsize(IF_FIXED(50, 1)) /* here: taskloop_fine */
		for (int i = 0; i < 100; i++)
			keep(work((uint64_t)i, 60));
}
#endif

/* fault list_walk | small_tasks one_producer | gcc clang | - | a task for each node of a list */
#ifdef CASE_list_walk
struct node {
	struct node *next;
	uint64_t value;
};

static struct node nodes[200000];

static void
visit(struct node *node, int n)
{
	for (; node && n > 0; n--, node = node->next)
		node->value = work(node->value, 50);
}

static void
run_case(void)
{
	int step = IF_FIXED(400, 1);
	for (int i = 0; i < 200000; i++)
		nodes[i] = (struct node){i + 1 < 200000 ? &nodes[i + 1] : NULL, (uint64_t)i};
#pragma omp parallel
#pragma omp single /* here: list_walk */
	for (struct node *node = nodes; node;) {
#pragma omp task firstprivate(node) /* here: list_walk */
		visit(node, step);
		for (int i = 0; node && i < step; i++)
			node = node->next;
	}
	keep(nodes[7].value);
}
#endif

/* fault depend_fine | small_tasks one_producer | gcc clang | - | tiny tasks with dependences */
#ifdef CASE_depend_fine
static uint64_t cells[64];

static void
run_case(void)
{
	int repeat = IF_FIXED(400, 1);
#pragma omp parallel
#pragma omp single /* here: depend_fine */
	for (int r = 0; r < 800; r += repeat)
		for (int i = 0; i < 64; i++)
#pragma omp task firstprivate(i) depend(inout : cells[i]) /* here: depend_fine */
			for (int k = 0; k < repeat; k++)
				cells[i] = work(cells[i], 60);
	keep(cells[3]);
}
#endif

/* fault copies | task_creation small_tasks one_producer unexplained | gcc clang | - | firstprivate copies of 64 KiB */
#ifdef CASE_copies
struct table {
	double value[8192];
};

static void
run_case(void)
{
	static struct table table;
	table.value[5] = 1;
#pragma omp parallel
#pragma omp single /* here: copies */
	for (int i = 0; i < 5000; i++) {
#ifdef FIXED
#pragma omp task
#else
#pragma omp task firstprivate(table) /* here: copies */
#endif
		keep(work((uint64_t)table.value[5], 10 * US));
	}
}
#endif

/* fault fib_entry | runtime_calls | clang | - | below the cut-off, the recursion stays in the function that creates tasks: clang calls the runtime in each */
#ifdef CASE_fib_entry
static uint64_t
fib_alone(int n)
{
	if (n < 2)
		return (uint64_t)n + (work((uint64_t)n, 4) & 1);
	return fib_alone(n - 1) + fib_alone(n - 2);
}

static uint64_t
fib(int n)
{
	uint64_t a, b;
	if (IF_FIXED(0, n < 2))
		return (uint64_t)n + (work((uint64_t)n, 4) & 1);
	if (n < 18)
		return IF_FIXED(fib_alone(n), fib(n - 1) + fib(n - 2));
#pragma omp task shared(a) /* here: fib_entry */
	a = fib(n - 1);
#pragma omp task shared(b) /* here: fib_entry */
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	keep(fib(34));
}
#endif
