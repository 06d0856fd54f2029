/* SPDX-License-Identifier: MIT */
/*
 * range.h - address ranges of the runtime's code and of this library.
 */
#ifndef WN_RECORD_RANGE_H
#define WN_RECORD_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* One range of code each, set before the first callback. */
struct source_range {
	uintptr_t begin;
	uintptr_t size;
};
/* The executable segment that contains an address, of size 0 if there is none (range.c). Takes a
 * lock of the dynamic linker. */
struct source_range ompt_range_of(const void *code) __attribute__((visibility("hidden")));
extern struct source_range wn_ompt_runtime_range
    __attribute__((visibility("hidden"))); /* the OpenMP runtime */
extern struct source_range wn_ompt_own_range
    __attribute__((visibility("hidden"))); /* this library */

static inline bool
range_has(const struct source_range *range, const void *address)
{
	return (uintptr_t)address - range->begin < range->size;
}

#endif /* WN_RECORD_RANGE_H */
