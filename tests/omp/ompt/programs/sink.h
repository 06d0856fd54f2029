/* SPDX-License-Identifier: MIT */
/* sink.h - work that no compiler removes, and a little of it. */
#ifndef WN_TESTS_OMPT_SINK_H
#define WN_TESTS_OMPT_SINK_H

static inline void
sink(long value)
{
	__asm__ volatile("" : : "r"(value) : "memory");
}

static inline void
work(void)
{
	for (int i = 0; i < 1000; i++)
		sink(i);
}

#endif
