/* SPDX-License-Identifier: MIT */
/*
 * wrong.c - commands where they make no sense, and values that are none. Each must answer 1, change
 * nothing and be counted: the last line says how many there were.
 */
#include "tell.h"

#include <limits.h>

static int n_wrong, failed;

static void
wrong(int command, uint64_t value)
{
	int answer = TELL(command, value);
	n_wrong++;
	if (answer != 1) {
		printf("command %d answers %d, not 1\n", command, answer);
		failed = 1;
	}
}

static void
right(int command, uint64_t value)
{
	int answer = TELL(command, value);
	if (answer != 0) {
		printf("command %d answers %d, not 0\n", command, answer);
		failed = 1;
	}
}

static void
outside_loops(void)
{
	wrong(CHUNK, 0);
	wrong(CHUNK, UINT64_MAX);
	wrong(LOOP_END, 0);
	wrong(CREATE_END, 0);
	right(CREATE_BEGIN, 0);
	wrong(CREATE_BEGIN, 0);
	right(CREATE_END, 0);
	wrong(CREATE_END, 0);
	wrong(0, 0);
	wrong(5, 0);
	wrong(63, 0);
	wrong(72, 0);
	wrong(INT_MAX, 0);
	wrong(INT_MIN, 0);
	wrong(-1, 0);
	wrong(STEP, 0);
	wrong(SIZE, UINT64_MAX);
	wrong(LOOP_BEGIN, 4);
	wrong(LOOP_BEGIN, 1024);
	wrong(LOOP_BEGIN, UINT64_MAX);
}

static void
in_loops(void)
{
	/* two commands in one iteration; a value between two of the loop's */
	right(LOWER, 0);
	right(STEP, 10);
	right(SIZE, 2);
	right(LOOP_BEGIN, STATIC);
	right(CHUNK, 0);
	wrong(CHUNK, 0);
	wrong(CHUNK, 5);
	right(CHUNK, 10);
	right(CHUNK, 20);
	wrong(CREATE_END, 0);
#pragma omp task if (0)
	{
		wrong(CHUNK, 30); /* a task is in no loop */
		wrong(LOOP_END, 0);
	}
	right(LOOP_END, 0);
	wrong(LOOP_END, 0);
	wrong(CHUNK, 30);

	/* the largest of everything */
	right(LOWER, (uint64_t)INT64_MIN);
	right(STEP, (uint64_t)INT64_MAX);
	right(SIZE, INT64_MAX);
	right(LOOP_BEGIN, GUIDED | UNSIGNED);
	right(CHUNK, (uint64_t)INT64_MIN);
	right(CHUNK, (uint64_t)INT64_MAX - 1);
	right(CHUNK, UINT64_MAX);
	wrong(CHUNK, 77);
	right(LOOP_END, 0);
	right(LOOP_BEGIN, ANY);
	right(CHUNK, UINT64_MAX);
	right(CHUNK, 0);
	right(CHUNK, (uint64_t)INT64_MIN);
	right(CHUNK, (uint64_t)INT64_MAX);
	right(CHUNK, 1);
	right(LOOP_END, 0);

	/* begun three times, ended once, never entered */
	right(LOOP_BEGIN, STATIC);
	right(LOOP_BEGIN, STATIC);
	right(LOOP_BEGIN, STATIC);
	right(LOOP_END, 0);
	wrong(LOOP_END, 0);
}

/* Nothing is wrong with creations inside creations, also with more than are kept. */
static void
descend(int level)
{
	if (level == 0)
		return;
	right(CREATE_BEGIN, 0);
#pragma omp task if (0)
	descend(level - 1);
	right(CREATE_END, 0);
}

int
main(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp master
		{
			outside_loops();
			in_loops();
			descend(100);
		}
	}
	wrong(CHUNK, 1);
	wrong(LOOP_BEGIN, STATIC);
	wrong(LOOP_END, 0);
	for (int i = 0; i < 100000; i++)
		wrong(CHUNK, 1);
	if (!failed)
		printf("wrong %d\n", n_wrong);
	return failed;
}
