/* SPDX-License-Identifier: MIT */
/*
 * several.h - a file of several programs of one kind: one compilation, and one place to read them.
 *
 *	(comment: what the test expects of it)
 *	PROGRAM(name)
 *	{
 *		...
 *		return 0;
 *	}
 *
 * The first argument says which one runs. Scripts find them with programs_in (tests/tap.bash).
 */
#ifndef WN_TESTS_SEVERAL_H
#define WN_TESTS_SEVERAL_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct program {
	const char *name;
	int (*run)(void);
	struct program *next;
};

static struct program *programs;

#define PROGRAM(function)                                                                          \
	static int function(void);                                                                 \
	__attribute__((constructor)) static void add_##function(void)                              \
	{                                                                                          \
		static struct program program = {#function, function, NULL};                       \
		program.next = programs;                                                           \
		programs = &program;                                                               \
	}                                                                                          \
	static int function(void)

int
main(int argc, char **argv)
{
	for (struct program *p = programs; p && argc == 2; p = p->next)
		if (strcmp(p->name, argv[1]) == 0)
			return p->run();
	fprintf(stderr, "usage: %s PROGRAM\n", argv[0]);
	return 2;
}

#endif /* WN_TESTS_SEVERAL_H */
