/* SPDX-License-Identifier: MIT */
/*
 * pool.h - equal-sized elements named by small indices, at addresses that never move. Freed
 * elements are handed out again, newest first, so that a hot set stays small.
 */
#ifndef WN_BASE_POOL_H
#define WN_BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

#define WN_POOL_PAGE 256u
#define WN_POOL_NONE UINT32_MAX

struct wn_pool {
	size_t size_bytes; /* of an element */
	unsigned char **pages;
	size_t pages_capacity;
	uint32_t n;     /* indices handed out so far */
	uint32_t *free; /* stack of indices to hand out again */
	size_t n_free, free_capacity;
};

void wn_pool_init(struct wn_pool *pool, size_t size_bytes);
void wn_pool_fini(struct wn_pool *pool);

/* A zeroed element's index, or WN_POOL_NONE when memory ran out. */
uint32_t wn_pool_take(struct wn_pool *pool);

/* Gives an element back. Cannot fail: room was made when it was taken. */
void wn_pool_give(struct wn_pool *pool, uint32_t index);

static inline void *
wn_pool_at(const struct wn_pool *pool, uint32_t index)
{
	return pool->pages[index / WN_POOL_PAGE] + index % WN_POOL_PAGE * pool->size_bytes;
}

#endif /* WN_BASE_POOL_H */
