/* SPDX-License-Identifier: MIT */
/*
 * steady.c - makes tasks until it is killed, and counts them where the count survives it.
 *
 *   steady COUNTERS [FILE]     COUNTERS is a file of three 64-bit numbers, mapped and shared; the
 *                              program ends when FILE is there
 *
 * Created is counted before a task is made, ended is the last thing that its body does.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

struct counters {
	atomic_ulong created, begun, ended;
};

static struct counters *counters;

static void
tree(int depth)
{
	atomic_fetch_add(&counters->begun, 1);
	if (depth > 0) {
		for (int i = 0; i < 3; i++) {
			atomic_fetch_add(&counters->created, 1);
#pragma omp task firstprivate(depth)
			tree(depth - 1);
		}
#pragma omp taskwait
	}
	atomic_fetch_add(&counters->ended, 1);
}

static void
region(void)
{
	static atomic_ulong sum;
#pragma omp parallel
	{
/* not dynamic: libomp with passive waits may end such a program by an assertion (doc/tried-on.md) */
#pragma omp for schedule(guided, 2)
		for (int i = 0; i < 40; i++)
			atomic_fetch_add(&sum, 1);
#pragma omp single
		for (int i = 0; i < 4; i++) {
			atomic_fetch_add(&counters->created, 1);
#pragma omp task
			tree(4);
		}
	}
}

int
main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0644) : -1;
	if (fd < 0 || ftruncate(fd, sizeof *counters) != 0)
		return 2;
	counters = mmap(NULL, sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (counters == MAP_FAILED)
		return 2;
	do {
		region();
	} while (argc < 3 || access(argv[2], F_OK) != 0);
	puts("done");
	return 0;
}
