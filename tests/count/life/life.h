/* SPDX-License-Identifier: MIT */
/*
 * life.h - what the programs of this folder share: cases by name, each of which tells what it
 * found.
 *
 *   PROG list      the cases, a line each: name, expected exit status (128 + n: by signal n)
 *   PROG CASE      runs it, in a task of a team of one unless it is to be outside
 *
 * Where a case does not end the program, it says "end" behind a last task of more than 500000
 * instructions. What is told must not depend on time, addresses, or the machine. A case knows
 * itself what is right, and ends with 99 at the first thing that is not.
 */
#ifndef WN_LIFE_H
#define WN_LIFE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LIFE_WRONG = 99, LIFE_OUTSIDE = 1, LIFE_LAST = 100000 };

struct life_case {
	const char *name;
	void (*run)(void);
	int status; /* that it ends with */
	int flags;
};

static char **life_argv;

/* One write for a line, and no buffer that a fork could double. */
__attribute__((format(printf, 1, 2), unused)) static void
tell(const char *format, ...)
{
	char line[512];
	va_list list;

	va_start(list, format);
	int n = vsnprintf(line, sizeof line - 1, format, list);
	va_end(list);
	if (n < 0 || (size_t)n >= sizeof line - 1)
		n = sizeof line - 2;
	line[n++] = '\n';
	if (write(STDOUT_FILENO, line, (size_t)n) < 0)
		_exit(98);
}

__attribute__((noreturn, unused)) static void
life_wrong(const char *file, int line, const char *what)
{
	const char *name = strrchr(file, '/');

	tell("wrong: %s:%d: %s", name ? name + 1 : file, line, what);
	_exit(LIFE_WRONG);
}

#define MUST(truth)                                                                                \
	do {                                                                                       \
		if (!(truth))                                                                      \
			life_wrong(__FILE__, __LINE__, #truth);                                    \
	} while (0)

/*
 * How often to try what depends on the moment: a quarter as often where there is a choice
 * (tests/tap.bash).
 */
__attribute__((unused)) static int
life_rounds(int n)
{
	const char *choice = getenv("WN_CHOICE");

	return choice && strcmp(choice, "all") != 0 ? n / 4 : n;
}

/* Work whose result is known by its own: a hash of n numbers from a seed. */
__attribute__((noinline, unused)) static uint64_t
life_work(uint64_t seed, uint64_t n)
{
	uint64_t hash = seed * 0x9e3779b97f4a7c15u + 1;

	for (uint64_t i = 0; i < n; i++) {
		hash ^= i;
		hash *= 0x100000001b3u;
		hash ^= hash >> 29;
	}
	return hash;
}

__attribute__((unused)) static uint64_t
life_hash(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ at[i]) * 0x100000001b3u;
	return hash;
}

__attribute__((unused)) static double
life_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((unused)) static void
life_nap(long us)
{
	struct timespec time = {us / 1000000, us % 1000000 * 1000};

	while (nanosleep(&time, &time) < 0)
		;
}

static int
life_main(int argc, char **argv, const struct life_case *cases, size_t n)
{
	life_argv = argv;
	if (argc < 2)
		return 2;
	if (strcmp(argv[1], "list") == 0) {
		for (size_t i = 0; i < n; i++)
			printf("%s %d\n", cases[i].name, cases[i].status);
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (strcmp(argv[1], cases[i].name) != 0)
			continue;
#pragma omp parallel num_threads(1)
#pragma omp single
#pragma omp task
		{
			if (cases[i].flags & LIFE_OUTSIDE)
				life_work(1, 10);
			else
				cases[i].run();
		}
		if (cases[i].flags & LIFE_OUTSIDE)
			cases[i].run();
			/* who counts has not lost it on the way: a task of that many instructions
			 */
#pragma omp parallel num_threads(1)
#pragma omp single
#pragma omp task
		MUST(life_work(99, LIFE_LAST) != 0);
		tell("end");
		return 0;
	}
	fprintf(stderr, "no case %s\n", argv[1]);
	return 2;
}

#define LIFE_MAIN(cases)                                                                           \
	int main(int argc, char **argv)                                                            \
	{                                                                                          \
		return life_main(argc, argv, cases, sizeof cases / sizeof cases[0]);               \
	}

#endif
