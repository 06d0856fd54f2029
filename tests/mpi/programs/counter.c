/* SPDX-License-Identifier: MIT */
/*
 * counter.c - counts the calls of MPI that a program makes, from C and Fortran, knowing nothing of
 * Winnow: preloaded, it writes "NAME COUNT" lines to COUNTS.RANK when the process ends. It works
 * with every MPI; names.def has COUNT(NAME, SYMBOL, number) for each symbol of the library, see
 * tools/try-jobs.sh. A call that another counted one makes is not counted.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STACK_BYTES 192 /* of arguments that are forwarded: more than any binding takes */

static _Atomic unsigned long counts[65536];
static __thread int depth;

typedef void function();

static function *
find(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	function *real;
	if (!found)
		abort();
	memcpy(&real, &found, sizeof real);
	return real;
}

/* Not the other form of a function definition: no prototype, so that any arguments are forwarded.
 */
#define COUNT(name, symbol, number)                                                                \
	int symbol();                                                                              \
	int symbol()                                                                               \
	{                                                                                          \
		static _Atomic(function *) real;                                                   \
		void *arguments = __builtin_apply_args();                                          \
		if (!real)                                                                         \
			real = find(#symbol);                                                      \
		if (depth++ == 0)                                                                  \
			counts[number]++;                                                          \
		void *result = __builtin_apply(real, arguments, STACK_BYTES);                      \
		depth--;                                                                           \
		__builtin_return(result);                                                          \
	}
#include "names.def"
#undef COUNT

static const char *const names[] = {
#define COUNT(name, symbol, number) [number] = #name,
#include "names.def"
#undef COUNT
};

__attribute__((destructor)) static void
write_counts(void)
{
	char path[4096];
	const char *base = getenv("COUNTS"), *rank = getenv("OMPI_COMM_WORLD_RANK");
	if (!rank)
		rank = getenv("PMI_RANK");
	if (!base || !rank)
		return;
	snprintf(path, sizeof path, "%s.%s", base, rank);
	unsigned long sum = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		sum += counts[i];
	FILE *to = sum ? fopen(path, "w") : NULL;
	for (size_t i = 0; to && i < sizeof names / sizeof *names; i++)
		if (counts[i] > 0)
			fprintf(to, "%s %lu\n", names[i], counts[i]);
	if (to)
		fclose(to);
}
