/* SPDX-License-Identifier: MIT */
/*
 * taskloop.c - the taskloop construct: its site, its number of iterations, and that tasks created
 * during the call on this level belong to it (sources/ompt/tasks.c).
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

struct taskloop_call {
	struct kmp_task *task;
	const uint64_t *lower;
	const uint64_t *upper;
	int64_t step;
	int32_t nogroup;
	int32_t sched;
	uint64_t size;
	bool is_strict;
};

static void
base_see(int64_t lower)
{
	/* relaxed: readers run a task created after this call, or by another one */
	int64_t base = atomic_load_explicit(&wn_ompt_taskloop_base, memory_order_relaxed);

	if (base == lower || base == TASKLOOP_BASE_MIXED)
		return;
	if (base != TASKLOOP_BASE_UNSEEN || lower < 0)
		lower = TASKLOOP_BASE_MIXED;
	atomic_store_explicit(&wn_ompt_taskloop_base, lower, memory_order_relaxed);
}

/* Fills `loop` and makes it the thread's innermost one; returns the enclosing one. Inlined, so that
 * no frame holds the call while tasks run. */
static inline __attribute__((always_inline)) struct source_taskloop *
taskloop_enter(struct wn_thread *t, struct source_taskloop *loop, const void *caller,
               const struct taskloop_call *call)
{
	struct source_taskloop *outer = taskloop_of(t);
	uint64_t n = count_iterations(*call->lower, *call->upper, call->step);
	bool is_user = is_user_code(caller);

	wn_ompt_taskloop_wrapped = true;
	base_see((int64_t)*call->lower);
	*loop = (struct source_taskloop){
	    .site = is_user ? caller : (const void *)(uintptr_t)call->task->routine,
	    .site_flags = is_user ? 0 : WN_TASK_SITE_FUNCTION,
	    .depth = wn_stack_depth(t),
	    .trip_count = n,
	    .n_tasks = count_tasks(n, call->sched, call->size, call->is_strict, team_size_of(t)),
	    .phase = n > 0 ? TASKLOOP_PENDING : TASKLOOP_DONE,
	};
	uint64_t tick = t->source_tick ? t->source_tick : wn_clock();
	t->source_tick = 0;
	t->source_ptr[PTR_SUBMIT_SITE] = NULL;
	t->source_ptr[PTR_TASKLOOP] = loop;
	if (call->nogroup)
		source_taskloop_open(t, tick);
	if (!is_in_runtime(caller))
		wn_libomp_taskloop_watch(call->task, call->lower, call->upper, call->step);
	return outer;
}

static void
taskloop_leave(struct wn_thread *t, struct source_taskloop *outer)
{
	if (taskloop_of(t)->phase != TASKLOOP_DONE)
		source_taskloop_close(t, wn_clock());
	t->source_ptr[PTR_TASKLOOP] = outer;
}

void
__kmpc_taskloop(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task, int32_t is_deferred,
                uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t sched,
                uint64_t grainsize, void *task_dup)
{
	struct wn_thread *t = recorded_thread();
	struct taskloop_call call = {task, lower, upper, step, nogroup, sched, grainsize, false};
	struct source_taskloop loop, *outer = NULL;

	if (t)
		outer = taskloop_enter(t, &loop, __builtin_return_address(0), &call);
	__kmpc_taskloop_real(loc)(loc, gtid, task, is_deferred, lower, upper, step, nogroup, sched,
	                          grainsize, task_dup);
	if (t)
		taskloop_leave(t, outer);
}

void
__kmpc_taskloop_5(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task, int32_t is_deferred,
                  uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t sched,
                  uint64_t grainsize, int32_t modifier, void *task_dup)
{
	struct wn_thread *t = recorded_thread();
	struct taskloop_call call = {task,    lower, upper,     step,
	                             nogroup, sched, grainsize, modifier != 0};
	struct source_taskloop loop, *outer = NULL;

	if (t)
		outer = taskloop_enter(t, &loop, __builtin_return_address(0), &call);
	__kmpc_taskloop_5_real(loc)(loc, gtid, task, is_deferred, lower, upper, step, nogroup,
	                            sched, grainsize, modifier, task_dup);
	if (t)
		taskloop_leave(t, outer);
}
