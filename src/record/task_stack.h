/* SPDX-License-Identifier: MIT */
/* task_stack.h - the stack of a thread's tasks (task_stack.c). Positions count from 1, the
 * outermost task. */
#pragma once

#include "record/thread.h"

/* Entry 0 of `stack` while tasks are moved out: not a task id. */
#define WN_STACK_PUT_AWAY UINT64_MAX

/* Slow, once in WN_STACK_HALF calls of the functions below. */
void wn_stack_push_deep(struct wn_thread *t, wn_id id);
void wn_stack_fetch(struct wn_thread *t);
/* Slow: reduces the stack to that many tasks, not more than it has. */
void wn_stack_cut(struct wn_thread *t, uint32_t depth);
/* Slow: innermost position of a task below the top; 0 if absent or unknown. Cost O(depth). */
uint32_t wn_stack_find(const struct wn_thread *t, wn_id id);
/* Slow: the task at that position. */
wn_id wn_stack_at(const struct wn_thread *t, uint32_t place);

/* Number of tasks on the stack. */
static inline uint32_t
wn_stack_depth(const struct wn_thread *t)
{
	return t->n_below * WN_STACK_HALF + t->depth;
}

/* Is the task on top known? Not if memory for the stack was refused. */
static inline bool
wn_stack_is_known(const struct wn_thread *t)
{
	return t->depth <= WN_STACK_MAX;
}

static inline void
wn_push(struct wn_thread *t, wn_id id)
{
	if (__builtin_expect(t->depth < WN_STACK_MAX, 1))
		t->stack[++t->depth] = id;
	else
		wn_stack_push_deep(t, id);
}

/* One entry stays in the array as long as there are tasks on the stack. */
static inline void
wn_pop(struct wn_thread *t)
{
	if (__builtin_expect(t->depth > t->depth_low, 1)) {
		t->depth--;
	} else if (t->depth_low) {
		wn_stack_fetch(t);
		t->depth--;
	}
}

/* Empties the stack, whatever was recorded last. */
static inline void
wn_stack_empty(struct wn_thread *t)
{
	if (__builtin_expect(t->depth_low, 0))
		wn_stack_cut(t, 0);
	t->depth = 0;
}

/* The task `below` positions under the top (0 = top); 0 if unknown or outside. The one under the
 * top may be moved out: wn_stack_beneath(). */
static inline wn_id
wn_stack_peek(const struct wn_thread *t, uint32_t below)
{
	uint32_t at = t->depth - below;
	return at <= WN_STACK_MAX ? t->stack[at] : 0;
}

/* The task under the top, in the array or moved out. */
static inline wn_id
wn_stack_beneath(struct wn_thread *t)
{
	if (__builtin_expect(t->depth == t->depth_low && t->depth_low, 0))
		wn_stack_fetch(t);
	return wn_stack_peek(t, 1);
}
