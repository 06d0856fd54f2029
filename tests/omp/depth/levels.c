/* SPDX-License-Identifier: MIT */
/*
 * levels.c DEPTH KIND THREADS - a task creates a task and waits for it, DEPTH times. Says how many
 * bytes of stack a level takes: the median over neighbouring levels on the same thread.
 *
 * KIND: tied, untied, undeferred, group, depend, detach, taskloop; waited (taskwait with depend),
 * waiting (undeferred, with depend), copied (an array of variable length), large (more arguments
 * than the recorder keeps in one place).
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	TIED,
	UNTIED,
	UNDEFERRED,
	GROUP,
	DEPEND,
	DETACH,
	TASKLOOP,
	WAITED,
	WAITING,
	COPIED,
	LARGE,
	N_KINDS
};
static const char *const kinds[] = {"tied",    "untied", "undeferred", "group",
                                    "depend",  "detach", "taskloop",   "waited",
                                    "waiting", "copied", "large"};

static unsigned kind;
static struct level {
	uintptr_t stack;
	int thread;
} * levels;

static void descend(long left);

static __attribute__((noinline)) void
note(long left)
{
	volatile char here = 0;
	levels[left].stack = (uintptr_t)&here;
	levels[left].thread = omp_get_thread_num();
}

/* Apart, so that its event takes no stack of other kinds. */
static __attribute__((noinline)) void
descend_detached(long left)
{
	omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(left)
	{
		omp_fulfill_event(event);
		descend(left - 1);
	}
#pragma omp taskwait
}

/* Likewise. gcc's libgomp calls a constructor of it; clang has none. */
static __attribute__((noinline)) void
descend_copied(long left, int n)
{
#ifndef __clang__
	long values[n];
	values[0] = left;
#pragma omp task firstprivate(values)
	descend(values[0] - 1);
#pragma omp taskwait
#endif
	(void)left;
	(void)n;
}

struct large {
	long left;
	char unused[4096];
};

static __attribute__((noinline)) void
descend_large(long left)
{
	struct large large = {left, {0}};
#pragma omp task firstprivate(large)
	descend(large.left - 1);
#pragma omp taskwait
}

static __attribute__((noinline)) void
descend(long left)
{
	note(left);
	if (left == 0)
		return;
	switch (kind) {
	case TIED:
#pragma omp task firstprivate(left)
		descend(left - 1);
#pragma omp taskwait
		break;
	case UNTIED:
#pragma omp task untied firstprivate(left)
		descend(left - 1);
#pragma omp taskwait
		break;
	case UNDEFERRED:
#pragma omp task if (0) firstprivate(left)
		descend(left - 1);
		break;
	case DEPEND:
#pragma omp task depend(inout : levels[left]) firstprivate(left)
		descend(left - 1);
#pragma omp taskwait
		break;
	case DETACH:
		descend_detached(left);
		break;
	case TASKLOOP:
#pragma omp taskloop num_tasks(1) firstprivate(left)
		for (int i = 0; i < 1; i++)
			descend(left - 1);
		break;
	case WAITED:
#pragma omp task depend(inout : levels[left]) firstprivate(left)
		descend(left - 1);
#pragma omp taskwait depend(in : levels[left])
		break;
	case WAITING:
#pragma omp task if (0) depend(inout : levels[left]) firstprivate(left)
		descend(left - 1);
		break;
	case COPIED:
		descend_copied(left, 2);
		break;
	case LARGE:
		descend_large(left);
		break;
	default:
#pragma omp taskgroup
	{
#pragma omp task firstprivate(left)
		descend(left - 1);
	}
	}
	note(left); /* no call in tail position */
}

static int
compare(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;
	return (x > y) - (x < y);
}

int
main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	long depth = atol(argv[1]), n = 0;
	while (kind < N_KINDS && strcmp(argv[2], kinds[kind]) != 0)
		kind++;
	int n_threads = atoi(argv[3]);
	levels = calloc((size_t)depth + 1, sizeof *levels);
	long *bytes = calloc((size_t)depth, sizeof *bytes);
	if (kind == N_KINDS || !levels || !bytes)
		return 2;
#pragma omp parallel num_threads(n_threads)
#pragma omp single
#pragma omp task
	descend(depth);
	for (long i = 0; i < depth; i++)
		if (levels[i].thread == levels[i + 1].thread)
			bytes[n++] = (long)(levels[i + 1].stack - levels[i].stack);
	qsort(bytes, (size_t)n, sizeof *bytes, compare);
	printf("%ld\n", n > 0 ? bytes[n / 2] : 0);
	free(bytes);
	free(levels);
	return 0;
}
