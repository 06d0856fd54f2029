/* SPDX-License-Identifier: MIT */
/* The recorder's stack of nested tasks against an array that is large enough. */
#include "record/emit.h"

#include "tap.h"

#include <stdlib.h>
#include <sys/resource.h>

#define DEEPEST 300000u

static struct wn_thread thread;
static wn_id twin[DEEPEST + 1];
static uint32_t depth;
static uint32_t n_notes;
static uint64_t seed = 20240607;

/* The window is always full: what is noted is counted here. */
bool
wn_thread_flush(struct wn_thread *t)
{
	(void)t;
	n_notes++;
	return false;
}

static uint64_t
draw(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (seed >> 33) % below;
}

static void
push(void)
{
	wn_id id = seed | 1;
	twin[++depth] = id;
	wn_push(&thread, id);
	thread.source_stack[thread.depth] = (void *)(uintptr_t)id;
}

static void
pop(void)
{
	depth -= depth > 0;
	wn_pop(&thread);
}

static bool
is_alike(void)
{
	return wn_stack_depth(&thread) == depth && wn_stack_peek(&thread, 0) == twin[depth] &&
	       (depth == 0) == (thread.depth == 0) &&
	       (depth == 0 || (wn_id)(uintptr_t)thread.source_stack[thread.depth] == twin[depth]);
}

static uint32_t
find_slowly(wn_id id)
{
	uint32_t at = depth ? depth - 1 : 0;
	while (at > 0 && twin[at] != id)
		at--;
	return at;
}

/* Up and down, and a look at all that there is now and then. */
static bool
walk(uint32_t n_steps, uint32_t of_16_up)
{
	for (uint32_t i = 0; i < n_steps; i++) {
		draw(2);
		if (draw(16) < of_16_up && depth < DEEPEST)
			push();
		else
			pop();
		if (!is_alike())
			return false;
		if (i % 1000)
			continue;
		if (depth > 0 && wn_stack_beneath(&thread) != twin[depth - 1])
			return false;
		uint32_t place = depth ? 1 + (uint32_t)draw(depth) : 0;
		if (place && wn_stack_at(&thread, place) != twin[place])
			return false;
		if (place && wn_stack_find(&thread, twin[place]) != find_slowly(twin[place]))
			return false;
		if (!is_alike())
			return false;
	}
	return true;
}

static bool
cut(void)
{
	for (int i = 0; i < 200; i++) {
		while (depth < 5000)
			push();
		depth = (uint32_t)draw(i % 3 ? 5000 : 3);
		if (i % 50 == 0)
			depth = 512u * (uint32_t)draw(9);
		wn_stack_cut(&thread, depth);
		if (!is_alike() || !walk(700, 8))
			return false;
	}
	depth = 0;
	wn_stack_empty(&thread);
	return is_alike() && thread.depth_low == 0;
}

/* Tasks beyond the array are counted, noted, and left again. */
static bool
is_lost_and_found(void)
{
	const struct rlimit no_more = {0, 0};
	struct wn_thread *t = aligned_alloc(64, sizeof *t);
	bool is_right = t != NULL;
	if (!t)
		return false;
	memset(t, 0, sizeof *t);
	setrlimit(RLIMIT_AS, &no_more);
	n_notes = 0;
	for (uint32_t i = 1; i <= 3000; i++)
		wn_push(t, i);
	is_right &= n_notes == 3000 - WN_STACK_MAX && wn_stack_depth(t) == 3000;
	is_right &= !wn_stack_is_known(t) && wn_stack_peek(t, 0) == 0 && !wn_stack_find(t, 5);
	for (uint32_t i = 3000; i > 0; i--) {
		is_right &= wn_stack_peek(t, 0) == (i <= WN_STACK_MAX ? i : 0);
		wn_pop(t);
	}
	is_right &= wn_stack_depth(t) == 0 && wn_stack_peek(t, 0) == 0;
	free(t);
	return is_right;
}

int
main(void)
{
	ok(walk(3000, 8), "a few tasks");
	ok(walk(400000, 14), "many tasks, mostly deeper");
	ok(walk(100000, 8), "to and fro");
	ok(walk(600000, 1), "and back");
	ok(cut(), "to any place at once");
	ok(is_lost_and_found(), "without memory the rest is counted, noted and left again");
	return done();
}
