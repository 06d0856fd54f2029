/* SPDX-License-Identifier: MIT */
/*
 * commands.c - start, pause, flush and end. Recorded are the regions of 2, 3 and 5 threads, and no
 * other; the last command that is obeyed is that of the end.
 */
#include "tell.h"

enum { START_AGAIN = 1, PAUSE = 2, FLUSH = 3, END = 4 };

static int failed;

static void
answers(int command, int expected)
{
	int answer = TELL(command, 0);
	if (answer != expected) {
		printf("command %d answers %d, not %d\n", command, answer, expected);
		failed = 1;
	}
}

static void
region(int n)
{
#pragma omp parallel num_threads(n)
	work();
}

int
main(void)
{
	region(2);
	answers(START_AGAIN, 0); /* it is on */
	answers(PAUSE, 0);
	answers(PAUSE, 0);
	region(4);
	answers(START_AGAIN, 0);
#pragma omp parallel num_threads(3)
	{
		answers(FLUSH, 0);
		answers(FLUSH, 0);
		work();
	}
#pragma omp parallel num_threads(5)
	{
#pragma omp master
		answers(END, 0);
		work();
	}
	answers(START_AGAIN, 1);
	answers(PAUSE, 1);
	answers(FLUSH, 1);
	answers(END, 1);
	region(6);
	return failed;
}
