/* SPDX-License-Identifier: MIT */
/*
 * conformance.h - what the programs share: something to do, and a check of what they computed.
 */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <omp.h>
#include <stdio.h>

static volatile int conformance_failed;

static inline void
work(void)
{
	for (volatile int i = 0; i < 50; i++)
		;
}

/* A zero that no compiler knows. */
static inline int
zero(void)
{
	static volatile int value;
	return value;
}

static inline void
expect(int is_so)
{
	if (!is_so)
		conformance_failed = 1;
}

static inline int
done(void)
{
	puts(conformance_failed ? "wrong" : "right");
	return conformance_failed;
}

#endif /* CONFORMANCE_H */
