/* SPDX-License-Identifier: MIT */
/*
 * need.c - memory, or the end.
 */
#include "facts.h"

#include <stdlib.h>

void *
need(void *memory)
{
	if (!memory) {
		fputs("out of memory\n", stderr);
		exit(3);
	}
	return memory;
}
