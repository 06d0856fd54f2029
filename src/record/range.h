/* SPDX-License-Identifier: MIT */
/*
 * range.h - where the code of the runtime lies, and that of this library.
 */
#ifndef WN_RECORD_RANGE_H
#define WN_RECORD_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* Where code lies; one range each, set before the first callback. */
struct source_range {
	uintptr_t begin;
	uintptr_t size;
};
/* The executable segment that holds an address, of size 0 if none does (range.c). Takes a lock of
 * the dynamic linker's. */
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
