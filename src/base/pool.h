/* SPDX-License-Identifier: MIT */
/* pool.h - equal-sized elements with small indices and stable addresses. Freed elements are
 * reused, newest first, to keep the working set small. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define WN_POOL_PAGE 256u
#define WN_POOL_NONE UINT32_MAX

struct wn_pool {
	size_t size_bytes; /* of an element */
	unsigned char **pages;
	size_t pages_capacity;
	uint32_t n;     /* indices handed out so far */
	uint32_t *free; /* stack of freed indices */
	size_t n_free, free_capacity;
};

void wn_pool_init(struct wn_pool *pool, size_t size_bytes);
void wn_pool_fini(struct wn_pool *pool);

/* Returns the index of a zeroed element, or WN_POOL_NONE when memory ran out. */
uint32_t wn_pool_take(struct wn_pool *pool);

/* Frees an element. Cannot fail: its free-list entry was reserved by wn_pool_take(). */
void wn_pool_give(struct wn_pool *pool, uint32_t index);

/* The same as wn_pool_at(), faster: the size of an element is a constant. */
static inline void *
wn_pool_at_sized(const struct wn_pool *pool, uint32_t index, size_t size_bytes)
{
	return pool->pages[index / WN_POOL_PAGE] + index % WN_POOL_PAGE * size_bytes;
}

static inline void *
wn_pool_at(const struct wn_pool *pool, uint32_t index)
{
	return pool->pages[index / WN_POOL_PAGE] + index % WN_POOL_PAGE * pool->size_bytes;
}
