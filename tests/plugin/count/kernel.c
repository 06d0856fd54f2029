/* SPDX-License-Identifier: MIT */
/*
 * kernel.c N - known by hand, at any level of optimisation: N times two reads of 8 bytes and one
 * write of 4, none of them of the stack; and what the standard library does to memory, which is not
 * code of the program.
 */
#include "told.h"

#include <stdlib.h>
#include <string.h>

static _Alignas(64) volatile long a[1 << 16], b[1 << 16];
static _Alignas(64) volatile int c[1 << 16];

__attribute__((noinline)) static void
kernel(long n)
{
	told_nothing();
	for (long i = 0; i < n; i++)
		c[i] = (int)(a[i] + b[i]);
	told("kernel", n);
}

/* Every fifth long of n: 40 bytes from one to the next. */
__attribute__((noinline)) static void
stride(long n)
{
	told_nothing();
	for (int again = 0; again < 3; again++)
		for (long i = 0; i < n; i += 5)
			a[i] = i;
	told("stride", n);
}

int
main(int argc, char **argv)
{
	kernel(argc > 1 ? atol(argv[1]) : 100);
	stride(argc > 1 ? atol(argv[1]) : 100);
	return 0;
}
