/* SPDX-License-Identifier: MIT */
/* slot.c - as the program has counted for itself. */
#include "totals.h"

#include "record/counters/touched.h"

struct wn_count_slot *winnow_count_slot(void);

const uint64_t *
totals_of_slot(void)
{
	wn_touched_settle(winnow_count_slot());
	return winnow_count_slot()->count;
}

void
begins_in_slot(void)
{
	static _Atomic uint64_t last;
	static _Thread_local uint64_t grain;
	struct wn_count_slot *slot = winnow_count_slot();
	uint64_t before = grain;
	if (!before)
		wn_touched_begin(slot);
	grain = ++last;
	wn_touched_runs(slot, grain, before);
}
