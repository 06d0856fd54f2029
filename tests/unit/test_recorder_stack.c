/* SPDX-License-Identifier: MIT */
/* The recorder's stack of nested tasks against an array that is large enough; and the frames of the
 * calls that they run in. */
#include "record/emit.h"
#include "record/frames.h"

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

#define FRAMES_MAX 4000

struct frame {
	_Alignas(WN_FRAME_ALIGN) struct wn_frame base;
	size_t n_bytes;
	unsigned char filled[];
};

static struct frame *frames[FRAMES_MAX];
static char places[FRAMES_MAX + 1]; /* addresses of wrappers' frames */
static int n_frames;

static bool
push_frame(size_t n_bytes)
{
	struct frame *f = wn_frame_push(sizeof *f + n_bytes, &places[FRAMES_MAX - n_frames]);
	if (!f || (uintptr_t)f % WN_FRAME_ALIGN != 0)
		return false;
	f->n_bytes = n_bytes;
	memset(f->filled, n_frames & 0xff, n_bytes);
	frames[n_frames++] = f;
	return true;
}

/* Its contents are still there, although frames were pushed and popped beside it. */
static bool
pop_frame(void)
{
	n_frames--;
	const struct frame *f = wn_frame_of(&places[FRAMES_MAX - n_frames]);
	bool is_right = f == frames[n_frames];
	for (size_t i = 0; is_right && i < f->n_bytes; i++)
		is_right = f->filled[i] == (n_frames & 0xff);
	if (is_right)
		wn_frame_pop(&f->base);
	return is_right;
}

/* Frames of all sizes, up and down. */
static bool
frames_walk(int n_steps, uint32_t of_16_up)
{
	for (int i = 0; i < n_steps; i++) {
		draw(2);
		size_t n_bytes = draw(draw(100) == 0 ? 300000 : 600);
		bool is_up = n_frames == 0 || (draw(16) < of_16_up && n_frames < FRAMES_MAX);
		if (is_up ? !push_frame(n_bytes) : !pop_frame())
			return false;
	}
	return true;
}

static bool
frames_end(void)
{
	while (n_frames > 0)
		if (!pop_frame())
			return false;
	bool is_empty = wn_frames.top == NULL && wn_frames.first != NULL;
	wn_frames_end();
	return is_empty && wn_frames.first == NULL && wn_frames.end == NULL;
}

/* Calls inside another one that were left by a jump, and one that no frame is of. */
static bool
frames_are_left(void)
{
	bool is_right = true;
	for (int i = 0; i < 1000; i++)
		is_right &= push_frame(200);
	n_frames = 301;
	is_right &= pop_frame();
	is_right &= wn_frames.top == &frames[299]->base;
	is_right &= wn_frame_of(&n_frames) == frames[299] && wn_frames.top == &frames[299]->base;
	return is_right && frames_end();
}

static bool
frames_without_memory(void)
{
	bool is_right = !push_frame(100) && wn_frames.top == NULL;
	return is_right && !push_frame(SIZE_MAX - 1000) && wn_frames.first == NULL;
}

static void
forbid_memory(bool is_forbidden)
{
	struct rlimit limit;
	getrlimit(RLIMIT_AS, &limit);
	limit.rlim_cur = is_forbidden ? 0 : limit.rlim_max;
	setrlimit(RLIMIT_AS, &limit);
}

/* Tasks beyond the array are counted, noted, and left again. From here on there is no memory. */
static bool
is_lost_and_found(void)
{
	struct wn_thread *t = aligned_alloc(64, sizeof *t);
	bool is_right = t != NULL;
	if (!t)
		return false;
	memset(t, 0, sizeof *t);
	forbid_memory(true);
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
	ok(frames_walk(20000, 8), "some frames");
	ok(frames_walk(6000, 14) && frames_walk(3000, 3), "many frames, and fewer");
	ok(frames_end(), "no frame");
	ok(frames_are_left(), "frames of calls that were left");
	ok(is_lost_and_found(), "without memory the rest is counted, noted and left again");
	ok(frames_without_memory(), "nor a frame");
	forbid_memory(false);
	return done();
}
