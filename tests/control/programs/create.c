/* SPDX-License-Identifier: MIT */
/*
 * create.c - the program says what belongs to a task's creation: here also a millisecond before the
 * construct. Sources that measure creations themselves do not believe it; others have no other
 * word.
 *
 * Line SINGLE: one task for each pair of commands. Line FIRST and LAST: two in one pair; the time
 * is the last one's.
 */
#include "tell.h"

#include <time.h>

static void
spin(void)
{
	struct timespec start, now;
	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < 1000000);
}

static void
descend(int level)
{
	if (level == 0)
		return;
	TELL(CREATE_BEGIN, 0);
#pragma omp task if (0)
	descend(level - 1);
	TELL(CREATE_END, 0);
}

int
main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		for (int i = 0; i < 5; i++) {
			TELL(CREATE_BEGIN, 0);
			spin();
#pragma omp task // SINGLE
			work();
			TELL(CREATE_END, 0);
		}
		TELL(CREATE_BEGIN, 0);
		spin();
#pragma omp task // FIRST
		work();
#pragma omp task // LAST
		work();
		TELL(CREATE_END, 0);
		/* creations inside creations */
		descend(50);
	}
	return 0;
}
