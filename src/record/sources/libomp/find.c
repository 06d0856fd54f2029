/* SPDX-License-Identifier: MIT */
/*
 * find.c - finds the real entry point behind a wrapper.
 */
#include "record/sources/libomp/libomp.h"

#include <string.h>
#include <unistd.h>

static void
say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

wn_function
wn_libomp_find(const char *name, const void *caller)
{
	void *found = wn_resolve(name, caller);

	if (!found) {
		say("symbol lookup error: undefined symbol: ");
		say(name);
		say("\n");
		_exit(127);
	}
	return (wn_function)(uintptr_t)found;
}
