/* SPDX-License-Identifier: MIT */
/*
 * ranges.c - iterations of each task of a taskloop, recorded when the task starts.
 *
 * libomp clones one pattern task per task and writes the clone's bounds into it. Newer versions
 * report them by OMPT, but not for undeferred tasks; libomp 14 never does. So the pattern's
 * function is replaced, before libomp clones it, by one that reads the bounds from its own task,
 * writes the record and jumps to the real one:
 *
 *   pattern.routine = watch_17 ── cloned ──> task.routine = watch_17 ── runs ──> routine[17]
 *
 * The real function must be found from the task alone, on any thread and at any time after the call
 * (nogroup), so each taskloop construct of the program permanently owns one of N_WATCHES functions.
 * If they are used up, or the bounds are not at clang's position, the task is left unchanged.
 * Helper tasks, which split large taskloops, have another function and no range.
 */
#include "record/sources/libomp/libomp.h"

#define N_WATCHES 512u

static _Atomic(kmp_routine) routines[N_WATCHES];

static __attribute__((noinline)) int32_t
watch(int32_t gtid, struct kmp_task *task, unsigned slot)
{
	struct wn_thread *t = recorded_thread();

	if (t && task->part_id == 0) {
		wn_id id = wn_stack_peek(t, 0);
		if (t->source_word[WORD_RANGED_TASK] != id)
			wn_ev_task_range(t, (int64_t)task->lower, task->upper - task->lower + 1);
		t->source_word[WORD_RANGED_TASK] = 0;
	}
	/* relaxed: the slot was filled before this function was stored in any task */
	return atomic_load_explicit(&routines[slot], memory_order_relaxed)(gtid, task);
}

/* Three octal digits make a name and, with a 0 before them, a number. */
#define WATCH(n)                                                                                   \
	static int32_t watch_##n(int32_t gtid, void *task)                                         \
	{                                                                                          \
		return watch(gtid, task, 0##n);                                                    \
	}
#define NAME(n)     watch_##n,
#define EIGHT(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define SIXTY_FOUR(X, n)                                                                           \
	EIGHT(X, n##0)                                                                             \
	EIGHT(X, n##1)                                                                             \
	EIGHT(X, n##2) EIGHT(X, n##3) EIGHT(X, n##4) EIGHT(X, n##5) EIGHT(X, n##6) EIGHT(X, n##7)
#define ALL(X)                                                                                     \
	SIXTY_FOUR(X, 0)                                                                           \
	SIXTY_FOUR(X, 1)                                                                           \
	SIXTY_FOUR(X, 2)                                                                           \
	SIXTY_FOUR(X, 3) SIXTY_FOUR(X, 4) SIXTY_FOUR(X, 5) SIXTY_FOUR(X, 6) SIXTY_FOUR(X, 7)

/* clang-format off */
ALL(WATCH)

static const kmp_routine watches[N_WATCHES] = {ALL(NAME)};
/* clang-format on */

/* The construct's slot, claimed now if new; N_WATCHES if there is none left. */
static unsigned
slot_of(kmp_routine routine)
{
	unsigned home = (unsigned)((uintptr_t)routine >> 4 ^ (uintptr_t)routine >> 13);

	for (unsigned i = 0; i < N_WATCHES; i++) {
		unsigned slot = (home + i) % N_WATCHES;
		/* relaxed: no other data is published with the value */
		kmp_routine seen = atomic_load_explicit(&routines[slot], memory_order_relaxed);
		if (!seen && atomic_compare_exchange_strong_explicit(&routines[slot], &seen,
		                                                     routine, memory_order_relaxed,
		                                                     memory_order_relaxed))
			return slot;
		if (seen == routine)
			return slot;
	}
	return N_WATCHES;
}

/* clang counts a taskloop's iterations from 0 by 1, so bounds in the task are logical numbers.
 * Tasks of libomp's own GOMP layer have an argument block with the bounds at the same place, and
 * their function takes only that block: these are left unchanged. */
void
wn_libomp_taskloop_watch(struct kmp_task *task, const uint64_t *lower, const uint64_t *upper,
                         int64_t step)
{
	if (lower != &task->lower || upper != &task->upper || step != 1 || *lower != 0 ||
	    task->shareds == &task->lower)
		return;
	unsigned slot = slot_of(task->routine);
	if (slot < N_WATCHES)
		task->routine = watches[slot];
}
