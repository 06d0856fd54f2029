/* SPDX-License-Identifier: MIT */
/*
 * task_stack.c - the stack of a thread's nested tasks, of any depth.
 *
 * The innermost tasks are in an array in struct wn_thread, for fast access by events. When the
 * array is full, its outer half is moved to a mapping; when it is empty, the half moved last is
 * brought back. So depth has no cost per event, and a program that alternates around the border
 * moves nothing. The mapping doubles when full, and is kept for the next thread that reuses this
 * state.
 *
 *   outermost  | below[0] | below[1] | ... | stack[1 .. depth] |  innermost
 *
 * If the kernel refuses the mapping, `depth` counts beyond the array: those tasks are unknown, and
 * each is noted in the stream.
 */
#include "base/map.h"
#include "record/emit.h"

#include <string.h>
#include <sys/mman.h>

#define FIRST_PARTS 16u

static bool
grow(struct wn_thread *t)
{
	const size_t part_bytes = sizeof *t->below;
	uint32_t wanted = t->below_max ? 2 * t->below_max : FIRST_PARTS;
	void *map =
	    wn_map_more(t->below, t->below_max * part_bytes, wanted * part_bytes, MAP_NORESERVE);
	if (!map)
		return false;
	t->below = map;
	t->below_max = wanted;
	return true;
}

/* The array is full: moves half of it out. */
static bool
move_half_out(struct wn_thread *t)
{
	const size_t n_bytes = WN_STACK_HALF * sizeof *t->stack;

	if (t->n_below == t->below_max && !grow(t))
		return false;
	struct wn_stack_part *part = &t->below[t->n_below++];
	memcpy(part->id, t->stack + 1, n_bytes);
	memcpy(part->source, t->source_stack + 1, n_bytes);
	memcpy(t->stack + 1, t->stack + 1 + WN_STACK_HALF, n_bytes);
	memcpy(t->source_stack + 1, t->source_stack + 1 + WN_STACK_HALF, n_bytes);
	t->depth -= WN_STACK_HALF;
	t->depth_low = 1;
	t->stack[0] = WN_STACK_PUT_AWAY;
	return true;
}

/* Moves the last part back to the bottom of the array, whose entries there are free. */
static void
take_last_part(struct wn_thread *t)
{
	const struct wn_stack_part *part = &t->below[--t->n_below];

	memcpy(t->stack + 1, part->id, sizeof part->id);
	memcpy(t->source_stack + 1, part->source, sizeof part->source);
	if (t->n_below == 0) {
		t->depth_low = 0;
		t->stack[0] = 0;
	}
}

void
wn_stack_push_deep(struct wn_thread *t, wn_id id)
{
	if (t->depth == WN_STACK_MAX && move_half_out(t)) {
		t->stack[++t->depth] = id;
		return;
	}
	t->depth++;
	wn_ev_note(t, NULL, WN_NOTE_STACK_OVERFLOW, 1);
}

void
wn_stack_fetch(struct wn_thread *t)
{
	const size_t n_bytes = t->depth * sizeof *t->stack;

	memmove(t->stack + 1 + WN_STACK_HALF, t->stack + 1, n_bytes);
	memmove(t->source_stack + 1 + WN_STACK_HALF, t->source_stack + 1, n_bytes);
	take_last_part(t);
	t->depth += WN_STACK_HALF;
}

void
wn_stack_cut(struct wn_thread *t, uint32_t depth)
{
	uint32_t n_below = depth > 0 ? (depth - 1) / WN_STACK_HALF : 0;

	if (n_below < t->n_below) {
		t->n_below = n_below + 1;
		take_last_part(t);
	}
	t->depth = depth - t->n_below * WN_STACK_HALF;
}

uint32_t
wn_stack_find(const struct wn_thread *t, wn_id id)
{
	if (id == 0 || t->depth == 0 || !wn_stack_is_known(t))
		return 0;
	for (uint32_t at = t->depth - 1; at > 0; at--)
		if (t->stack[at] == id)
			return t->n_below * WN_STACK_HALF + at;
	for (uint32_t n = t->n_below; n-- > 0;)
		for (uint32_t at = WN_STACK_HALF; at-- > 0;)
			if (t->below[n].id[at] == id)
				return n * WN_STACK_HALF + at + 1;
	return 0;
}

wn_id
wn_stack_at(const struct wn_thread *t, uint32_t place)
{
	uint32_t n_below = t->n_below * WN_STACK_HALF;

	if (place > n_below)
		return t->stack[place - n_below];
	return t->below[(place - 1) / WN_STACK_HALF].id[(place - 1) % WN_STACK_HALF];
}
