/* SPDX-License-Identifier: MIT */
/* part.c - one function, compiled into a program, a library and one that is loaded later. */
#include "told.h"

long PART(long n);

long
PART(long n)
{
	long sum = 0;
	for (volatile long i = 0; i < n; i++)
		sum += i;
	told(NAME, n);
	return sum;
}
