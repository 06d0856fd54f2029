/* SPDX-License-Identifier: MIT */
/* times.h - a column of times in ns, nearly all of which are below two seconds: these take four
 * bytes. A cell with the highest bit set is the number of a longer one in a list. */
#pragma once

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct wn_times {
	uint32_t *cells; /* [n] 0 to begin with */
	uint64_t *longs; /* [n_longs] */
	size_t n_longs, capacity;
};

#define WN_TIMES_LONG (UINT32_C(1) << 31)

static inline bool
wn_times_init(struct wn_times *times, size_t n)
{
	return (times->cells = wn_calloc(n, sizeof *times->cells)) != NULL;
}

static inline void
wn_times_fini(struct wn_times *times)
{
	wn_free(times->cells);
	wn_free(times->longs);
}

static inline uint64_t
wn_times_get(const struct wn_times *times, uint32_t id)
{
	uint32_t cell = times->cells[id];
	return cell < WN_TIMES_LONG ? cell : times->longs[cell - WN_TIMES_LONG];
}

/* Sets a time that is long, or was. 0, or -1 when memory ran out. */
int wn_times_set_long(struct wn_times *times, uint32_t id, uint64_t ns);

/* Sets a time: 0, or -1 when memory ran out. */
static inline int
wn_times_set(struct wn_times *times, uint32_t id, uint64_t ns)
{
	if (ns >= WN_TIMES_LONG || times->cells[id] >= WN_TIMES_LONG)
		return wn_times_set_long(times, id, ns);
	times->cells[id] = (uint32_t)ns;
	return 0;
}

static inline int
wn_times_add(struct wn_times *times, uint32_t id, uint64_t ns)
{
	uint32_t cell = times->cells[id];
	if (cell < WN_TIMES_LONG && cell + ns < WN_TIMES_LONG) {
		times->cells[id] = cell + (uint32_t)ns;
		return 0;
	}
	return wn_times_set(times, id, wn_times_get(times, id) + ns);
}

/* Sets a time if it is longer than before. */
static inline int
wn_times_raise(struct wn_times *times, uint32_t id, uint64_t ns)
{
	uint32_t cell = times->cells[id];
	if (cell < WN_TIMES_LONG && ns <= cell)
		return 0;
	return ns > wn_times_get(times, id) ? wn_times_set(times, id, ns) : 0;
}
