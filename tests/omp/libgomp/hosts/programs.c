/* SPDX-License-Identifier: MIT */
/* Programs that meet libgomp in uncommon ways. */
#include "../../../programs/several.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void fn_t(void *);
typedef void copy_t(void *, void *);

extern void GOMP_task(fn_t *fn, void *data, copy_t *copy, long size, long align, bool is_deferrable,
                      unsigned flags, void **depend, int priority, void *detach);
extern void GOMP_taskloop(fn_t *fn, void *data, copy_t *copy, long size, long align, unsigned flags,
                          unsigned long n_tasks, int priority, long begin, long end, long step);
extern void GOMP_taskwait(void);

enum { SIZE_MAX_BYTES = 8192, ALIGN_MAX_BYTES = 256, DEPEND = 8, IF = 0x400, NOGROUP = 0x800 };

static alignas(ALIGN_MAX_BYTES) unsigned char source[SIZE_MAX_BYTES];
static long size_now, align_now, skip_now; /* the first bytes that a taskloop writes */
static int n_ran, n_wrong;

static void
look(void *arguments)
{
	unsigned char *at = arguments;
	if ((uintptr_t)at % (uintptr_t)align_now != 0 ||
	    memcmp(at + skip_now, source + skip_now, (size_t)(size_now - skip_now)) != 0)
		__atomic_fetch_add(&n_wrong, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&n_ran, 1, __ATOMIC_RELAXED);
}

static void
copy_bytes(void *to, void *from)
{
	memcpy(to, from, (size_t)size_now);
}

static void
create(copy_t *copy, bool is_deferrable)
{
	static int place;
	void *depend[] = {(void *)1, (void *)1, &place};
	skip_now = 0;
	GOMP_task(look, source, copy, size_now, align_now, is_deferrable, 0, NULL, 0, NULL);
	GOMP_task(look, source, copy, size_now, align_now, is_deferrable, DEPEND, depend, 0, NULL);
	GOMP_taskwait();
	if (size_now < 16)
		return;
	skip_now = 16;
	GOMP_taskloop(look, source, copy, size_now, align_now, is_deferrable ? IF : 0, 2, 0, 0, 2,
	              1);
}

/* Every size and alignment, with the stack `below` bytes further down. */
static void
create_at(size_t below)
{
	static const long sizes[] = {0, 1, 8, 12, 16, 24, 56, 64, 100, 256, 4080, 4096, 4104, 8192};
	volatile char *room = __builtin_alloca(below + 16);
	room[0] = 0;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		for (align_now = 1; align_now <= ALIGN_MAX_BYTES; align_now *= 2) {
			size_now = sizes[i];
			create(NULL, true);
			create(NULL, false);
			create(copy_bytes, true);
			create(copy_bytes, false);
		}
}

/*
 * Argument blocks of any size and alignment, handed to libgomp as GCC's code does, by creators
 * whose stack begins anywhere. Every task must find its arguments whole and aligned as asked.
 * Prints how many tasks ran.
 */
PROGRAM(blocks)
{
	for (size_t i = 0; i < SIZE_MAX_BYTES; i++)
		source[i] = (unsigned char)(i * 7 + i / 251);
	for (size_t below = 0; below < ALIGN_MAX_BYTES; below += 16)
		create_at(below); /* outside of a team libgomp runs tasks at once */
#pragma omp parallel num_threads(2)
#pragma omp single
	for (size_t below = 0; below < ALIGN_MAX_BYTES; below += 16)
		create_at(below);
	printf("%d\n", n_ran);
	return n_wrong != 0;
}

static int
nest(int depth)
{
	int n = 0;
	if (depth == 0)
		return 0;
#pragma omp task shared(n) if (depth % 3)
	n = nest(depth - 1);
#pragma omp taskwait
	return n + 1;
}

/* Undeferred and waited-for tasks nested deeper than the recorder's stack. */
PROGRAM(deep)
{
	int n = 0;
#pragma omp parallel
#pragma omp single
	n = nest(3000);
	return n != 3000;
}

/* exit() inside a region. */
PROGRAM(ends)
{
#pragma omp parallel for schedule(dynamic) num_threads(4)
	for (int i = 0; i < 1000; i++)
		if (i == 500)
			exit(7);
	return 0;
}

/* fork() inside a task of a team of one: the child goes on in the middle of it. */
PROGRAM(forks)
{
	int n = 0, status = 0;
	pid_t child = 0;
#pragma omp parallel num_threads(1)
	{
#pragma omp task shared(n, child)
		{
			child = fork();
#pragma omp task shared(n)
			n += child ? 100 : 200;
#pragma omp taskwait
		}
	}
#pragma omp parallel num_threads(1)
	n++;
	if (child == 0)
		return n == 201 ? 5 : 6;
	waitpid(child, &status, 0);
	return !(n == 101 && WIFEXITED(status) && WEXITSTATUS(status) == 5);
}
