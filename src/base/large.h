/* SPDX-License-Identifier: MIT */
/* large.h - allocates blocks of many pages for mem.c. Freed blocks stay mapped and are reused:
 * page faults on fresh pages cost more than most work done on the pages. */
#pragma once

#include <stddef.h>

/* Blocks of at least this size are handled here. */
#define WN_LARGE_BYTES ((size_t)256 << 10)

/**
 * Allocates a block of n_bytes, zeroed if is_zero.
 *
 * @param may_grow  reserve address space behind the block.
 * @return NULL if memory ran out or this allocator is not available. Release with wn_large_give().
 * Cost     O(blocks), and the cost of zeroing.  Threads  any.
 */
void *wn_large_take(size_t n_bytes, int is_zero, int may_grow);

/* Returns the size of a block, or 0 if it was not allocated here. Cost O(log blocks). Threads any.
 */
size_t wn_large_size(const void *block);

/* Resizes a block in place; returns 0 if that is not possible. New bytes are not initialised. */
int wn_large_resize(void *block, size_t n_bytes);

/* Frees a block. Its pages stay mapped for later blocks. */
void wn_large_give(void *block);

/* Returns the pages of free blocks to the kernel. Threads  any. */
void wn_large_trim(void);
