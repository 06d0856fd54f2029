/* SPDX-License-Identifier: MIT */
/* map.h - memory in whole pages of zeros. Inline: the recorder links no library. errno is kept. */
#pragma once

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

/* `flags`: 0, or MAP_NORESERVE for memory of which little is touched. NULL: no memory. */
static inline void *
wn_map(size_t n_bytes, int flags)
{
	int saved_errno = errno;
	void *map =
	    mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
	errno = saved_errno;
	return map == MAP_FAILED ? NULL : map;
}

/* Enlarges a mapping, which may move; `map` NULL: a new one. NULL: no memory, and `map` stays. */
static inline void *
wn_map_more(void *map, size_t old_bytes, size_t n_bytes, int flags)
{
	if (!map)
		return wn_map(n_bytes, flags);
	int saved_errno = errno;
	map = mremap(map, old_bytes, n_bytes, MREMAP_MAYMOVE);
	errno = saved_errno;
	return map == MAP_FAILED ? NULL : map;
}
