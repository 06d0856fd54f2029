/* SPDX-License-Identifier: MIT */
/* A library that a user preloads: it tells that it is there. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void
hello(void)
{
	if (getenv("SAY_HELLO"))
		puts("preloaded");
}
