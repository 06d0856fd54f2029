/* SPDX-License-Identifier: MIT */
/* Every shape of loop, by every schedule: each iteration is covered once, counted from 0 by 1. A
 * loop without iterations sends nothing.
 *
 * // EXPECT: loops == 33*T
 * // EXPECT: iterations == 1899
 * // EXPECT: null_loop_sites == 0
 */
#include "sink.h"

#include <stddef.h>
#include <stdint.h>

#define TEXT(...) _Pragma(#__VA_ARGS__)
#define FOR(...)  TEXT(omp for __VA_ARGS__)

/* 11 loops, 633 iterations */
#define SHAPES(how)                                                                                \
	FOR(how) for (int i = 99; i >= 0; i--) sink(i);                                            \
	FOR(how) for (int i = 50; i > -50; i -= 3) sink(i);                                        \
	FOR(how) for (int i = -7; i < 90; i += 7) sink(i);                                         \
	FOR(how) for (unsigned i = 3000000000u; i < 3000000050u; i++) sink((long)i);               \
	FOR(how) for (int64_t i = INT64_MAX - 100; i < INT64_MAX - 1; i += 2) sink((long)i);       \
	FOR(how) for (uint64_t i = UINT64_MAX - 100; i > UINT64_MAX - 200; i--) sink((long)i);     \
	FOR(how) for (size_t i = 0; i < 1; i++) sink((long)i);                                     \
	FOR(how) for (char *p = text; p < text + 100; p += 2) sink(*p);                            \
	FOR(how) for (int i = 0; i < none; i++) sink(i);                                           \
	FOR(how collapse(2)) for (int i = 0; i < 12; i++) for (int j = 5; j > 0; j--) sink(i + j); \
	FOR(how lastprivate(last)) for (int i = 0; i < 80; i++) last = i;                          \
	FOR(how nowait) for (int i = 0; i < 94; i++) sink(i);

int
main(void)
{
	static char text[100];
	int last = 0, none = 0;
	sink((long)(uintptr_t)&none);
#pragma omp parallel
	{
		SHAPES(schedule(static))
		SHAPES(schedule(dynamic, 3))
		SHAPES(schedule(guided, 2))
	}
	return last == 79 ? 0 : 1;
}
