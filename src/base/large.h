/* SPDX-License-Identifier: MIT */
/*
 * large.h - blocks of many pages. What is given back stays mapped and is handed out again: pages
 * that are fresh from the kernel cost more than any work done on them. For mem.c.
 */
#ifndef WN_BASE_LARGE_H
#define WN_BASE_LARGE_H

#include <stddef.h>

/* Blocks from here on. */
#define WN_LARGE_BYTES ((size_t)256 << 10)

/**
 * A block of n_bytes, all zero if is_zero.
 *
 * @param may_grow  some address space is kept free behind it.
 * @return NULL: there is no memory, or none to be had this way. wn_large_give() it.
 * Cost     O(blocks), and what zeroing takes.  Threads  any.
 */
void *wn_large_take(size_t n_bytes, int is_zero, int may_grow);

/* The size of a block, 0: it is none of these. Cost O(log blocks). Threads  any. */
size_t wn_large_size(const void *block);

/* Makes it as large as that where it is; 0: it cannot. New bytes may hold anything. */
int wn_large_resize(void *block, size_t n_bytes);

/* Takes a block back. Its pages stay, for the next one. */
void wn_large_give(void *block);

/* The pages of what is free go back to the kernel. Threads  any. */
void wn_large_trim(void);

#endif /* WN_BASE_LARGE_H */
