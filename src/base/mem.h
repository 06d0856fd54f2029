/* SPDX-License-Identifier: MIT */
/* mem.h - all allocation of the analysis library, so that tests can make the n-th allocation fail
 * and count live blocks. Not used inside the target process. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Large blocks keep their pages when freed, for reuse by later blocks (base/large.h).
 *
 * n zeroed elements of size_bytes each, or NULL (also when the product overflows). n may be 0. */
void *wn_calloc(size_t n, size_t size_bytes);

/* n numbers, all UINT32_MAX, which means none in lists of indices; or NULL. */
uint32_t *wn_calloc_none(size_t n);

/* As realloc for n elements; the old block stays valid when NULL is returned. New bytes are not
 * zeroed. */
void *wn_realloc(void *old, size_t n, size_t size_bytes);

/* Frees a block of the functions above; NULL is fine. */
void wn_free(void *block);

/* Frees several blocks, in this order. */
#define WN_FREE_ALL(...)                                                                           \
	wn_free_each((void *const[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
static inline void
wn_free_each(void *const *blocks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		wn_free(blocks[i]);
}

/* Returns the largest single request in bytes since the last call, including refused ones. For
 * tests. Threads: atomic, but not exact while others allocate. */
size_t wn_mem_largest(void);

/* Returns free memory to the kernel. Call before long operations that need little memory. */
void wn_mem_trim(void);

/* Asks the kernel to populate the pages of part of a block that is about to be written: populating
 * many at once is cheaper than single page faults and can overlap with another thread's writes.
 * The contents stay. Does nothing on kernels without support. */
void wn_mem_prepare(void *at, size_t n_bytes);

/* Blocks allocated and not yet freed. For tests. Threads: atomic. */
long wn_mem_live(void);

/* Makes the n-th allocation from now fail (0 = the next one); negative switches it off. For tests.
 */
void wn_mem_fail_after(long n);

/* * Grows an array, a small one by doubling, so that at least `need` elements fit. `array` points
 * to the array pointer, `capacity` to its capacity in elements. Returns 0, or -1 with both
 * untouched. */
int wn_grow_slow(void *array, size_t *capacity, size_t need, size_t size_bytes);

static inline int
wn_grow(void *array, size_t *capacity, size_t need, size_t size_bytes)
{
	return need <= *capacity ? 0 : wn_grow_slow(array, capacity, need, size_bytes);
}
