/* SPDX-License-Identifier: MIT */
/* Argument blocks: every size, large alignment, a copy function (variable length array), deferred
 * and not. */
// EXPECT: tasks 4*50
// EXPECT: begun 4*50
// EXPECT: undeferred 100
#include <stdint.h>
#include <string.h>

struct wide {
	_Alignas(128) char c[256];
};

static int n_bad;

static void
note(int is_bad)
{
	if (is_bad)
#pragma omp atomic
		n_bad++;
}

static void
create(int i, int is_deferred)
{
	int size = 1 + i * 97;
	char array[size];
	char fixed[5000];
	struct wide wide;
	memset(array, i, sizeof array);
	memset(fixed, i, sizeof fixed);
	memset(&wide, i, sizeof wide);
#pragma omp task if (is_deferred) firstprivate(array, size, i)
	{
		int sum = 0;
		for (int k = 0; k < size; k++)
			sum += array[k] == i;
		note(sum != size);
		array[0] = 99;
	}
#pragma omp task if (is_deferred) firstprivate(fixed, wide, i)
	{
		int sum = 0;
		for (int k = 0; k < 5000; k++)
			sum += fixed[k] == i;
		note(sum != 5000 || (uintptr_t)&wide % 128 || wide.c[255] != i);
	}
	note(array[0] != i);
	memset(array, 77, sizeof array);
	memset(fixed, 77, sizeof fixed);
	memset(&wide, 77, sizeof wide);
}

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 50; i++) {
		create(i, 0);
		create(i, 1);
	}
	return n_bad;
}
