/* SPDX-License-Identifier: MIT */
/*
 * taskloop.c - the taskloop construct: its site, its number of iterations, and that tasks created
 * during the call on this level belong to it (sources/ompt/tasks.c). Its tasks run inside the call,
 * and taskloops nest as deep as the program recurses, so all that is in a frame (record/frames.h).
 */
#include "record/sources/libomp/libomp.h"

enum taskloop_schedule { TASKLOOP_DEFAULT = 0, TASKLOOP_GRAINSIZE = 1, TASKLOOP_NUM_TASKS = 2 };

WN_EXPORT void __kmpc_taskloop(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task,
                               int32_t is_deferred, uint64_t *lower, uint64_t *upper, int64_t step,
                               int32_t nogroup, int32_t sched, uint64_t grainsize, void *task_dup);
WN_EXPORT void __kmpc_taskloop_5(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task,
                                 int32_t is_deferred, uint64_t *lower, uint64_t *upper,
                                 int64_t step, int32_t nogroup, int32_t sched, uint64_t grainsize,
                                 int32_t modifier, void *task_dup);
WN_REAL(void, __kmpc_taskloop, struct kmp_ident *, int32_t, struct kmp_task *, int32_t, uint64_t *,
        uint64_t *, int64_t, int32_t, int32_t, uint64_t, void *)
WN_REAL(void, __kmpc_taskloop_5, struct kmp_ident *, int32_t, struct kmp_task *, int32_t,
        uint64_t *, uint64_t *, int64_t, int32_t, int32_t, uint64_t, int32_t, void *)

/* As libomp's __kmp_taskloop(): without a clause, ten tasks per thread of the team. */
static uint64_t
count_tasks(uint64_t n_iterations, int32_t sched, uint64_t size, bool is_strict, uint64_t team_size)
{
	if (sched == TASKLOOP_GRAINSIZE) {
		if (size == 0)
			return 0;
		if (size > n_iterations)
			return 1;
		return is_strict ? (n_iterations - 1) / size + 1 : n_iterations / size;
	}
	uint64_t wanted = sched == TASKLOOP_NUM_TASKS ? size : 10 * (team_size ? team_size : 1);
	return wanted < n_iterations ? wanted : n_iterations;
}

/* The bounds are in the task itself; libomp reads them as signed for a step other than 1. */
static uint64_t
count_iterations(uint64_t lower, uint64_t upper, int64_t step)
{
	if (step == 1)
		return upper - lower + 1;
	uint64_t width = step > 0 ? (uint64_t)step : -(uint64_t)step;
	return width == 0 ? 0 : (step > 0 ? upper - lower : lower - upper) / width + 1;
}

/* A call in progress. */
struct frame {
	_Alignas(WN_FRAME_ALIGN) struct wn_frame base;
	/* a word each, as for WN_FRAME_CALL_11 */
	wn_function real;
	struct kmp_ident *loc;
	int64_t gtid;
	struct kmp_task *task;
	int64_t is_deferred;
	uint64_t *lower;
	uint64_t *upper;
	int64_t step;
	int64_t nogroup;
	int64_t sched;
	uint64_t grainsize;
	void *task_dup;

	int32_t modifier; /* of __kmpc_taskloop_5 */
	struct wn_thread *t;
	struct source_taskloop loop, *outer;
};

static void
update_base(int64_t lower)
{
	/* relaxed: readers run a task created after this call, or by another one */
	int64_t base = atomic_load_explicit(&wn_ompt_taskloop_base, memory_order_relaxed);

	if (base == lower || base == TASKLOOP_BASE_MIXED)
		return;
	if (base != TASKLOOP_BASE_UNSEEN || lower < 0)
		lower = TASKLOOP_BASE_MIXED;
	atomic_store_explicit(&wn_ompt_taskloop_base, lower, memory_order_relaxed);
}

/* Fills the frame's loop and makes it the thread's innermost one. */
static __attribute__((noinline)) void
taskloop_enter(struct frame *f, const void *caller)
{
	struct wn_thread *t = f->t;
	uint64_t n = count_iterations(*f->lower, *f->upper, f->step);
	uint64_t n_tasks =
	    count_tasks(n, (int32_t)f->sched, f->grainsize, f->modifier != 0, team_size_of(t));
	bool is_user = is_user_code(caller);

	wn_ompt_taskloop_wrapped = true;
	update_base((int64_t)*f->lower);
	f->outer = taskloop_of(t);
	f->loop = (struct source_taskloop){
	    .site = is_user ? caller : (const void *)(uintptr_t)f->task->routine,
	    .site_flags = is_user ? 0 : WN_TASK_SITE_FUNCTION,
	    .depth = wn_stack_depth(t),
	    .trip_count = n,
	    .n_tasks = n_tasks,
	    .phase = n > 0 ? TASKLOOP_PENDING : TASKLOOP_DONE,
	};
	uint64_t tick = t->source_tick ? t->source_tick : wn_clock();
	t->source_tick = 0;
	t->source_ptr[PTR_SUBMIT_SITE] = NULL;
	t->source_ptr[PTR_TASKLOOP] = &f->loop;
	if (f->nogroup)
		source_taskloop_open(t, tick);
	if (!is_in_runtime(caller))
		wn_libomp_taskloop_watch(f->task, f->lower, f->upper, f->step);
}

/* Reached by a jump. */
WN_HIDDEN void wn_libomp_taskloop_end(void);

void
wn_libomp_taskloop_end(void)
{
	struct frame *f = wn_frame_of(WN_FRAME_AT);
	struct wn_thread *t = f->t;

	if (WN_LIKELY(wn_self == t)) { /* not in a child forked meanwhile */
		if (f->loop.phase != TASKLOOP_DONE)
			source_taskloop_close(t, wn_clock());
		t->source_ptr[PTR_TASKLOOP] = f->outer;
	}
	wn_frame_pop(&f->base);
}

/* The frame of one of these is on the stack while tasks run. */
#ifdef WN_HAS_FRAME_CALL_11
static_assert(offsetof(struct frame, task_dup) == offsetof(struct frame, real) + 11 * 8,
              "parameters");
WN_HIDDEN void wn_libomp_taskloop_call(void);
WN_FRAME_CALL_11(wn_libomp_taskloop_call, wn_libomp_taskloop_end);
#else
static __attribute__((noinline)) void
wn_libomp_taskloop_call(void)
{
	const struct frame *f = (struct frame *)wn_frames.top;

	((__kmpc_taskloop_function)f->real)(
	    f->loc, (int32_t)f->gtid, f->task, (int32_t)f->is_deferred, f->lower, f->upper, f->step,
	    (int32_t)f->nogroup, (int32_t)f->sched, f->grainsize, f->task_dup);
	wn_libomp_taskloop_end();
}
#endif

static __attribute__((noinline)) void
call_5(void)
{
	const struct frame *f = (struct frame *)wn_frames.top;

	((__kmpc_taskloop_5_function)f->real)(
	    f->loc, (int32_t)f->gtid, f->task, (int32_t)f->is_deferred, f->lower, f->upper, f->step,
	    (int32_t)f->nogroup, (int32_t)f->sched, f->grainsize, f->modifier, f->task_dup);
	wn_libomp_taskloop_end();
}

#define FILL_FRAME(f)                                                                              \
	do {                                                                                       \
		(f)->t = t;                                                                        \
		(f)->real = (wn_function)real;                                                     \
		(f)->loc = loc;                                                                    \
		(f)->gtid = gtid;                                                                  \
		(f)->task = task;                                                                  \
		(f)->is_deferred = is_deferred;                                                    \
		(f)->lower = lower;                                                                \
		(f)->upper = upper;                                                                \
		(f)->step = step;                                                                  \
		(f)->nogroup = nogroup;                                                            \
		(f)->sched = sched;                                                                \
		(f)->grainsize = grainsize;                                                        \
		(f)->task_dup = task_dup;                                                          \
	} while (0)

/* Reached by a jump, so that the return address is still the user's. */
static WN_SLOW void
taskloop_slowly(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task, int32_t is_deferred,
                uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t sched,
                uint64_t grainsize, void *task_dup)
{
	struct wn_thread *t = recorded_thread();
	__kmpc_taskloop_function real = __kmpc_taskloop_real(loc);
	struct frame *f =
	    t ? wn_libomp_push_frame(t, sizeof *f, __builtin_return_address(0), WN_FRAME_AT) : NULL;

	if (!f) {
		real(loc, gtid, task, is_deferred, lower, upper, step, nogroup, sched, grainsize,
		     task_dup);
		return;
	}
	FILL_FRAME(f);
	f->modifier = 0;
	taskloop_enter(f, __builtin_return_address(0));
	wn_libomp_taskloop_call();
}

void
__kmpc_taskloop(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task, int32_t is_deferred,
                uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t sched,
                uint64_t grainsize, void *task_dup)
{
	struct wn_thread *t = recorded_thread();
	__kmpc_taskloop_function real = __kmpc_taskloop_known(loc);
	struct frame *f = t && real ? wn_frame_push_quickly(sizeof *f, WN_FRAME_AT) : NULL;

	if (!f) {
		taskloop_slowly(loc, gtid, task, is_deferred, lower, upper, step, nogroup, sched,
		                grainsize, task_dup);
		return;
	}
	FILL_FRAME(f);
	f->modifier = 0;
	taskloop_enter(f, __builtin_return_address(0));
	wn_libomp_taskloop_call();
}

void
__kmpc_taskloop_5(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task, int32_t is_deferred,
                  uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t sched,
                  uint64_t grainsize, int32_t modifier, void *task_dup)
{
	struct wn_thread *t = recorded_thread();
	__kmpc_taskloop_5_function real = __kmpc_taskloop_5_real(loc);
	struct frame *f =
	    t ? wn_libomp_push_frame(t, sizeof *f, __builtin_return_address(0), WN_FRAME_AT) : NULL;

	if (!f) {
		real(loc, gtid, task, is_deferred, lower, upper, step, nogroup, sched, grainsize,
		     modifier, task_dup);
		return;
	}
	FILL_FRAME(f);
	f->modifier = modifier;
	taskloop_enter(f, __builtin_return_address(0));
	call_5();
}
