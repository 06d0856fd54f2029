/* SPDX-License-Identifier: MIT */
#include "ranks/clocks.h"

#include "base/error.h"
#include "base/mem.h"

#include <stdlib.h>

static int
by_boot(const void *left, const void *right, void *user)
{
	const struct wn_ranks *s = user;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	if (s->ranks[a].boot != s->ranks[b].boot)
		return s->ranks[a].boot < s->ranks[b].boot ? -1 : 1;
	return (a > b) - (a < b);
}

/* Wall clock minus monotonic clock, both valid by rule S6. */
static int64_t
offset_of(const struct wn_rank_row *rank)
{
	return (int64_t)rank->start_realtime_ns - (int64_t)rank->start_mono_ns;
}

static int
by_offset(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
	return (a > b) - (a < b);
}

/* Sets the first events of the ranks [from, to) of the order, which are of one boot: on its
 * monotonic clock, moved to the wall clock by the median of what its ranks have read of both. */
static void
place_node(const struct wn_ranks *s, const uint32_t *order, size_t n, int64_t *offsets,
           uint64_t *begin_ns, struct wn_clocks *out)
{
	bool has_boot = s->ranks[order[0]].boot != 0;
	for (size_t k = 0; k < n; k++)
		offsets[k] = offset_of(&s->ranks[order[k]]);
	qsort(offsets, n, sizeof *offsets, by_offset);
	uint64_t step_ns = (uint64_t)offsets[n - 1] - (uint64_t)offsets[0];
	if (has_boot && step_ns > out->step_ns)
		out->step_ns = step_ns;
	int64_t middle = offsets[(n - 1) / 2];
	for (size_t k = 0; k < n; k++) {
		const struct wn_rank_row *rank = &s->ranks[order[k]];
		uint64_t start_ns =
		    has_boot ? rank->start_mono_ns + (uint64_t)middle : rank->start_realtime_ns;
		begin_ns[order[k]] = start_ns + rank->first_ns;
	}
}

void
wn_clocks_measure(const struct wn_ranks *s, uint64_t *begin_ns, struct wn_clocks *out)
{
	size_t n = s->header->n_ranks;
	uint64_t first = UINT64_MAX, last_begin = 0, first_end = UINT64_MAX, last_end = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t end = begin_ns[i] + s->ranks[i].elapsed_ns;
		first = begin_ns[i] < first ? begin_ns[i] : first;
		last_begin = begin_ns[i] > last_begin ? begin_ns[i] : last_begin;
		first_end = end < first_end ? end : first_end;
		last_end = end > last_end ? end : last_end;
	}
	out->span_ns = last_end - first;
	out->begin_spread_ns = last_begin - first;
	out->end_spread_ns = last_end - first_end;
	for (size_t i = 0; i < n; i++)
		begin_ns[i] -= first;
}

wn_status
wn_relate_clocks(const struct wn_ranks *s, uint64_t *begin_ns, struct wn_clocks *out, wn_err *err)
{
	size_t n = s->header->n_ranks;
	uint32_t *order = wn_calloc(n, sizeof *order);
	int64_t *offsets = wn_calloc(n, sizeof *offsets);
	wn_status st = WN_OK;
	*out = (struct wn_clocks){0};
	if (!order || !offsets)
		WN_TRY(wn_no_memory(err));
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof *order, by_boot, (void *)(uintptr_t)s);
	for (size_t from = 0, to; from < n; from = to) {
		uint64_t boot = s->ranks[order[from]].boot;
		for (to = from + 1; to < n && s->ranks[order[to]].boot == boot;)
			to++;
		place_node(s, order + from, to - from, offsets, begin_ns, out);
		out->n_nodes++;
	}
	out->is_one_clock = n > 0 && out->n_nodes == 1 && s->ranks[0].boot;
	if (n)
		wn_clocks_measure(s, begin_ns, out);
out:
	wn_free(order);
	wn_free(offsets);
	return st;
}
