/* SPDX-License-Identifier: MIT */
#include "base/pool.h"

#include "base/mem.h"

#include <string.h>

void
wn_pool_init(struct wn_pool *pool, size_t size_bytes)
{
	memset(pool, 0, sizeof *pool);
	pool->size_bytes = size_bytes;
}

void
wn_pool_fini(struct wn_pool *pool)
{
	for (uint32_t at = 0; at < pool->n; at += WN_POOL_PAGE)
		wn_free(pool->pages[at / WN_POOL_PAGE]);
	wn_free(pool->pages);
	wn_free(pool->free);
	memset(pool, 0, sizeof *pool);
}

uint32_t
wn_pool_take(struct wn_pool *pool)
{
	if (pool->n_free) {
		uint32_t index = pool->free[--pool->n_free];
		memset(wn_pool_at(pool, index), 0, pool->size_bytes);
		return index;
	}
	if (pool->n == WN_POOL_NONE)
		return WN_POOL_NONE;
	size_t page = pool->n / WN_POOL_PAGE;
	/* reserve a free-list entry for every element now, so that wn_pool_give() cannot fail */
	if (wn_grow(&pool->free, &pool->free_capacity, (size_t)pool->n + 1, sizeof *pool->free) !=
	        0 ||
	    wn_grow(&pool->pages, &pool->pages_capacity, page + 1, sizeof *pool->pages) != 0)
		return WN_POOL_NONE;
	if (pool->n % WN_POOL_PAGE == 0) {
		pool->pages[page] = wn_calloc(WN_POOL_PAGE, pool->size_bytes);
		if (!pool->pages[page])
			return WN_POOL_NONE;
	}
	return pool->n++;
}

void
wn_pool_give(struct wn_pool *pool, uint32_t index)
{
	pool->free[pool->n_free++] = index;
}
