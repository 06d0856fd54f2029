/* SPDX-License-Identifier: MIT */
/*
 * tell.h - the commands, and a log of what each thread did, which run.sh holds against the trace:
 *
 *     loop K thread T: FIRST+N FIRST+N ...     the chunks that thread T got of the region's K-th
 * loop
 *
 * Chunks are those of an obvious twin: where the logical number of an iteration is not one more
 * than the last one, or where it is divisible by the chunk size, there a chunk starts.
 */
#ifndef TELL_H
#define TELL_H

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef VIA_MARK
#include <winnow/mark.h>
/* by the header's own names */
static inline int
TELL(int command, uint64_t value)
{
	switch (command) {
	case 64:
		return WINNOW_CHUNK(value);
	case 65:
		return WINNOW_TASK_CREATE_BEGIN();
	case 66:
		return WINNOW_TASK_CREATE_END();
	case 67:
		return WINNOW_LOOP_BEGIN(value);
	case 68:
		return WINNOW_LOOP_END();
	case 69:
		return WINNOW_LOOP_LOWER(value);
	default: /* and LOOP_INFO, by its parts */
		return winnow_control(command, 0, (void *)(uintptr_t)value);
	}
}
#else
/* Weak: libgomp has no such function, and no Winnow may be there. */
extern int omp_control_tool(int command, int modifier, void *arg) __attribute__((weak));
#define TELL(command, value)                                                                       \
	(omp_control_tool ? omp_control_tool(command, 0, (void *)(intptr_t)(value)) : -2)
#endif

enum {
	CHUNK = 64,
	CREATE_BEGIN = 65,
	CREATE_END = 66,
	LOOP_BEGIN = 67,
	LOOP_END = 68,
	LOWER = 69,
	STEP = 70,
	SIZE = 71,
	ANY = 0,
	STATIC = 1,
	DYNAMIC = 2,
	GUIDED = 3,
	UNSIGNED = 256
};

#define LOOPS_MAX      8
#define ITERATIONS_MAX 4096
#define TEAM_MAX       64

struct log {
	unsigned n[LOOPS_MAX];
	uint64_t logical[LOOPS_MAX][ITERATIONS_MAX];
};

static struct log logs[TEAM_MAX];
static uint64_t chunk_size[LOOPS_MAX];

static inline void
work(void)
{
	for (volatile int k = 0; k < 100; k++)
		;
}

/* At the top of an iteration: `value` is the loop variable's, `logical` the iteration's number. */
static inline void
iteration(unsigned loop, uint64_t value, uint64_t logical)
{
	struct log *l = &logs[omp_get_thread_num()];

	TELL(CHUNK, value);
	if (l->n[loop] < ITERATIONS_MAX)
		l->logical[loop][l->n[loop]++] = logical;
	work();
}

static inline void
about(int64_t lower, int64_t step, uint64_t size)
{
	TELL(LOWER, (uint64_t)lower);
#ifdef VIA_MARK
	WINNOW_LOOP_INFO(step, size);
#else
	TELL(STEP, (uint64_t)step);
	TELL(SIZE, size);
#endif
}

static void
print_log(void)
{
	for (unsigned loop = 0; loop < LOOPS_MAX; loop++) {
		for (unsigned thread = 0; thread < TEAM_MAX; thread++) {
			const struct log *l = &logs[thread];
			uint64_t size = chunk_size[loop], n = 0;
			if (l->n[loop] == 0)
				continue;
			printf("loop %u thread %u:", loop, thread);
			for (unsigned i = 0; i < l->n[loop]; i++) {
				uint64_t now = l->logical[loop][i];
				int starts = i == 0 || now != l->logical[loop][i - 1] + 1 ||
				             (size && now % size == 0);
				if (starts && n)
					printf("+%llu", (unsigned long long)n);
				if (starts)
					printf(" %llu", (unsigned long long)now);
				n = starts ? 1 : n + 1;
			}
			printf("+%llu\n", (unsigned long long)n);
		}
	}
}

#endif /* TELL_H */
