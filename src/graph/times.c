/* SPDX-License-Identifier: MIT */
#include "graph/times.h"

int
wn_times_set_long(struct wn_times *times, uint32_t id, uint64_t ns)
{
	uint32_t cell = times->cells[id];
	if (cell >= WN_TIMES_LONG) {
		times->longs[cell - WN_TIMES_LONG] = ns;
		return 0;
	}
	if (times->n_longs >= WN_TIMES_LONG ||
	    wn_grow(&times->longs, &times->capacity, times->n_longs + 1, sizeof *times->longs) != 0)
		return -1;
	times->longs[times->n_longs] = ns;
	times->cells[id] = WN_TIMES_LONG + (uint32_t)times->n_longs++;
	return 0;
}
