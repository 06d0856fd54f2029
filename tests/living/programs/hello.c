/* SPDX-License-Identifier: MIT */
/*
 * hello.c - a library that says so when it is loaded.
 */
#include <unistd.h>

__attribute__((constructor)) static void
hello(void)
{
	static const char text[] = "hello from " NAME "\n";
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		_exit(99);
}
