/* SPDX-License-Identifier: MIT */
#include "graph/fragments.h"

#include "base/mem.h"
#include "trace/encode.h"

#include <string.h>

/* More bytes than those of a number are written and read. */
#define SLACK 8u

size_t
wn_fragments_place(const struct wn_fragments *all, const struct wn_fragment *f)
{
	return (size_t)(f->next - all->bytes);
}

void
wn_fragments_at(const struct wn_fragments *all, size_t place, struct wn_fragment *f)
{
	wn_fragments_begin(all, f);
	f->next += place;
}

void
wn_fragments_fini(struct wn_fragments *all)
{
	wn_free(all->bytes);
	wn_free(all->marks);
	*all = (struct wn_fragments){0};
}

/* Reserves one more byte; NULL when memory ran out. */
static uint8_t *
run_room(struct wn_run *run, struct wn_pool *cells)
{
	struct wn_run_cell *cell = run->n_cells ? wn_pool_at(cells, run->last) : NULL;
	if (run->n_in_last < WN_RUN_BYTES)
		return (cell ? cell->bytes : run->own) + run->n_in_last++;
	uint32_t index = wn_pool_take(cells);
	if (index == WN_POOL_NONE)
		return NULL;
	if (cell)
		cell->next = index;
	else
		run->first = index;
	run->last = index;
	run->n_cells++;
	run->n_in_last = 1;
	return ((struct wn_run_cell *)wn_pool_at(cells, index))->bytes;
}

/* The general case: any fragment, at any position in a run. Apart, since its array makes the
 * compiler guard the stack of the function that it is in. */
__attribute__((noinline)) int
wn_run_add_slow(struct wn_run *run, struct wn_pool *cells, uint64_t start_ns, uint64_t ns)
{
	uint8_t bytes[3 * WN_NUMBER_BYTES + SLACK], *end = bytes;
	bool has_gap = run->n > 0 && start_ns != run->end_ns;
	if (run->n == 0)
		end = wn_code_value(end, start_ns);
	end = wn_put_duration(end, ns, has_gap);
	if (has_gap)
		end = wn_code_value(end, start_ns - run->end_ns);
	for (const uint8_t *from = bytes; from < end; from++) {
		uint8_t *at = run_room(run, cells);
		if (!at)
			return -1;
		*at = *from;
	}
	return 0;
}

static uint8_t *
put_cells(uint8_t *to, const struct wn_run *run, struct wn_pool *cells)
{
	for (uint32_t at = run->first, left = run->n_cells; left > 0; left--) {
		const struct wn_run_cell *cell = wn_pool_at(cells, at);
		uint32_t next = cell->next, n = left > 1 ? WN_RUN_BYTES : run->n_in_last;
		memcpy(to, cell->bytes, n);
		to += n;
		wn_pool_give(cells, at);
		at = next;
	}
	return to;
}

static int
add_mark(struct wn_fragments *all)
{
	if (wn_grow(&all->marks, &all->marks_capacity, all->n_marks + 1, sizeof *all->marks) != 0)
		return -1;
	all->marks[all->n_marks++] = (struct wn_fragments_mark){all->n_bytes, all->last_grain};
	all->n_at_mark = all->n;
	return 0;
}

int
wn_run_close(struct wn_run *run, struct wn_pool *cells, uint32_t grain, struct wn_fragments *all)
{
	uint32_t step = grain - all->last_grain;
	size_t most =
	    all->n_bytes + 2 * WN_NUMBER_BYTES + (1 + (size_t)run->n_cells) * WN_RUN_BYTES + SLACK;
	if (run->n == 0)
		return 0;
	if (wn_grow(&all->bytes, &all->capacity, most, 1) != 0)
		return -1;
	if ((all->n_marks == 0 || all->n - all->n_at_mark >= WN_FRAGMENTS_SHARE) &&
	    add_mark(all) != 0)
		return -1;
	uint8_t *to = all->bytes + all->n_bytes;
	to = wn_code_value(to, step << 1 ^ -(step >> 31));
	to = wn_code_value(to, run->n);
	memcpy(to, run->own, WN_RUN_BYTES); /* bytes after the used ones are allocated, too */
	to += run->n_cells ? WN_RUN_BYTES : run->n_in_last;
	to = put_cells(to, run, cells);
	all->n_bytes = (size_t)(to - all->bytes);
	all->n += run->n;
	all->last_grain = grain;
	run->n = 0;
	run->n_cells = run->n_in_last = 0;
	return 0;
}
