/* SPDX-License-Identifier: MIT */
/* loop_ull.c - loops over unsigned long long: as loop.c, with a parameter for the direction. */
#include "record/sources/libgomp/loop.h"

typedef unsigned long long ull;

static inline struct gomp_loop
loop_ull(uint32_t kind, bool is_up, ull begin, ull end, ull step, ull chunk)
{
	return (struct gomp_loop){begin, end, step, chunk, !is_up, kind | WN_LOOP_UNSIGNED};
}

#define LOOP(name)                                    GOMP_loop_ull_##name
#define LOOP_INT                                      ull
#define LOOP_UP                                       bool is_up,
#define LOOP_UP_GIVEN                                 is_up,
#define LOOP_OF(kind, is_up, begin, end, step, chunk) loop_ull(kind, is_up, begin, end, step, chunk)
#include "record/sources/libgomp/loop_entries.h"
