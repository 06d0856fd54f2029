/* SPDX-License-Identifier: MIT */
/* range.h - address ranges of the runtime's code and of this library. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Ranges of code, set before the first callback. */
struct source_range {
	uintptr_t begin;
	uintptr_t size;
};
/* The executable segment that contains an address, of size 0 if there is none
 * (range.c). Takes a lock of the dynamic linker. */
struct source_range ompt_range_of(const void *code) __attribute__((visibility("hidden")));
/* The OpenMP runtimes that report by OMPT: usually one. The first range
 * encloses all of them. */
#define WN_RUNTIME_RANGES_MAX 8u
extern struct source_range wn_ompt_runtime_range __attribute__((visibility("hidden")));
extern struct source_range wn_ompt_runtime_ranges[WN_RUNTIME_RANGES_MAX]
    __attribute__((visibility("hidden")));
extern _Atomic unsigned wn_ompt_n_runtime_ranges __attribute__((visibility("hidden")));
void wn_ompt_runtime_range_add(struct source_range range) __attribute__((visibility("hidden")));
extern struct source_range wn_ompt_own_range
    __attribute__((visibility("hidden"))); /* this library */

static inline bool
range_has(const struct source_range *range, const void *address)
{
	return (uintptr_t)address - range->begin < range->size;
}

/* Is the address in the code of an OpenMP runtime that reports by OMPT? */
static inline bool
is_in_runtime(const void *address)
{
	if (__builtin_expect(!range_has(&wn_ompt_runtime_range, address), 1))
		return false;
	/* acquire: pairs with the release in range.c */
	unsigned n = atomic_load_explicit(&wn_ompt_n_runtime_ranges, memory_order_acquire);
	for (unsigned i = 0; i < n; i++)
		if (range_has(&wn_ompt_runtime_ranges[i], address))
			return true;
	return false;
}
