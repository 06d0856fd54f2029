/* SPDX-License-Identifier: MIT */
/*
 * mem.h - every allocation of the analysis library goes through here, so that a test can make the
 * n-th one fail and count what is still alive. Not used inside the target process.
 */
#ifndef WN_BASE_MEM_H
#define WN_BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

/* Large blocks that are freed keep their pages, which later ones get (base/large.h).
 *
 * n zeroed elements of size_bytes each, or NULL (also when the product overflows). n may be 0. */
void *wn_calloc(size_t n, size_t size_bytes);

/* n numbers that are all UINT32_MAX, which stands for none in every list of indices; or NULL. */
uint32_t *wn_calloc_none(size_t n);

/* As realloc for n elements; the old block stays valid when NULL is returned. New bytes are not
 * zeroed. */
void *wn_realloc(void *old, size_t n, size_t size_bytes);

/* Frees what the two above returned; NULL is fine. */
void wn_free(void *block);

/* The largest number of bytes that was asked for in one request, also if it was refused, since the
 * last call. For tests. Threads: atomic, but not exact while others allocate. */
size_t wn_mem_largest(void);

/* Gives memory that is free back to the kernel: before something that takes long and needs little.
 */
void wn_mem_trim(void);

/* Has the kernel give the pages of a part of a block, which is about to be written: many at once
 * are cheaper than one after the other, and may be had while another thread writes elsewhere. What
 * is there stays. A kernel that cannot do so gives them when they are written. */
void wn_mem_prepare(void *at, size_t n_bytes);

/* Blocks allocated and not yet freed. For tests. Threads: atomic. */
long wn_mem_live(void);

/* Makes the n-th allocation from now fail (0 = the next one); negative switches it off. For tests.
 */
void wn_mem_fail_after(long n);

/*
 * Grows an array by doubling so that at least `need` elements fit. `array` points to the array
 * pointer, `capacity` to its capacity in elements. Returns 0, or -1 with both untouched.
 */
int wn_grow(void *array, size_t *capacity, size_t need, size_t size_bytes);

#endif /* WN_BASE_MEM_H */
