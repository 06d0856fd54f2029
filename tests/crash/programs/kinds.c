/* SPDX-License-Identifier: MIT */
/*
 * kinds.c - does one kind of thing until it is killed, and counts it where the count survives it.
 *
 *   kinds KIND COUNTERS     COUNTERS is a file of four 64-bit numbers, mapped and shared
 *
 * Created is counted before a task is made; ended is the last thing that its body does, and
 * iterations the last thing that the body of a loop does.
 */
#include <fcntl.h>
#include <omp.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct counters {
	atomic_ulong created, begun, ended, iterations;
};

static struct counters *counters;
static omp_lock_t lock;
static int values[32];

static void
create(void)
{
	atomic_fetch_add(&counters->created, 1);
}

static void
end(void)
{
	atomic_fetch_add(&counters->ended, 1);
}

static void
end_iteration(void)
{
	atomic_fetch_add(&counters->iterations, 1);
}

static void
fib(int n)
{
	for (int i = 1; n > 1 && i <= 2; i++) {
		create();
#pragma omp task firstprivate(n, i)
		fib(n - i);
	}
#pragma omp taskwait
	end();
}

static void
tree_untied(int depth)
{
	for (int i = 0; depth > 0 && i < 3; i++) {
		create();
#pragma omp task firstprivate(depth) untied
		tree_untied(depth - 1);
	}
	end();
}

static void
depend(void)
{
	for (int i = 0; i < 200; i++) {
		int k = i % 31;
		create();
#pragma omp task depend(inout : values[k]) depend(in : values[k + 1])
		end();
	}
}

static void
taskloop(void)
{
	for (int i = 0; i < 40; i++)
		create();
#pragma omp taskloop grainsize(1)
	for (int i = 0; i < 40; i++)
		end();
}

static void
nested(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 8; i++)
			end_iteration();
		create();
#pragma omp task
		end();
	}
}

static void
locks(void)
{
	for (int i = 0; i < 40; i++) {
		create();
#pragma omp task
		{
			omp_set_lock(&lock);
			values[0]++;
			omp_unset_lock(&lock);
#pragma omp critical
			values[1]++;
			end();
		}
#pragma omp taskyield
	}
}

static void
by_one(void (*make)(void))
{
#pragma omp parallel
#pragma omp single
	make();
}

static void
fib_14(void)
{
	create();
#pragma omp task
	fib(14);
}

static void
untied_6(void)
{
	create();
#pragma omp task untied
	tree_untied(6);
}

static void
loops(int is_guided)
{
#pragma omp parallel
	for (int round = 0; round < 4; round++) {
		if (is_guided) {
#pragma omp for schedule(guided)
			for (int i = 0; i < 200; i++)
				end_iteration();
		} else {
#pragma omp for schedule(dynamic, 1) nowait
			for (int i = 0; i < 100; i++)
				end_iteration();
		}
	}
}

static int
round_of(const char *kind)
{
	if (strcmp(kind, "fib") == 0)
		by_one(fib_14);
	else if (strcmp(kind, "untied") == 0)
		by_one(untied_6);
	else if (strcmp(kind, "depend") == 0)
		by_one(depend);
	else if (strcmp(kind, "taskloop") == 0)
		by_one(taskloop);
	else if (strcmp(kind, "locks") == 0)
		by_one(locks);
	else if (strcmp(kind, "dynamic") == 0)
		loops(0);
	else if (strcmp(kind, "guided") == 0)
		loops(1);
	else if (strcmp(kind, "nested") == 0) {
#pragma omp parallel num_threads(2)
		nested();
	} else
		return 0;
	return 1;
}

int
main(int argc, char **argv)
{
	int fd = argc > 2 ? open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0644) : -1;
	if (fd < 0 || ftruncate(fd, sizeof *counters) != 0)
		return 2;
	counters = mmap(NULL, sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (counters == MAP_FAILED)
		return 2;
	omp_init_lock(&lock);
	alarm(60);
	while (round_of(argv[1]))
		;
	return 2;
}
