/* SPDX-License-Identifier: MIT */
/*
 * depends.c - depend clauses and waits for dependences, read from the compiler's call of the
 * runtime: every version of libomp gets the same list.
 *
 *   task depend(...)          __kmpc_omp_task_with_deps()
 *   task if(0) depend(...)    __kmpc_omp_task_alloc(), __kmpc_omp_wait_deps(), ..._begin_if0()
 *   taskwait depend(...) __kmpc_omp_wait_deps() alone; younger compilers ..._taskwait_deps_51()
 *
 * A wait is recorded as a waitpoint with the dependences, and a wait of its own kind around the
 * real call. If a task has been allocated and not submitted yet, it is that task's wait, and the
 * task is marked as having depend clauses: its creation starts when the wait is over.
 *
 * Tasks run inside the call, so what it needs is in a frame (record/frames.h). libomp takes a
 * wait's code address from the call: where nothing is recorded, the call is a jump.
 */
#include "record/sources/libomp/libomp.h"

struct kmp_depend_info;

/* A call in progress. */
struct frame {
	struct wn_frame base;
	wn_function real;
	struct kmp_ident *loc;
	int32_t gtid;
	int32_t has_no_wait;
	int32_t n_deps, n_noalias;
	struct kmp_depend_info *deps, *noalias;

	struct wn_thread *t;
	wn_id id;      /* the waiting task */
	bool is_tasks; /* of an undeferred task that has been allocated */
	bool was_in_wait;
};

WN_EXPORT void __kmpc_omp_wait_deps(struct kmp_ident *loc, int32_t gtid, int32_t n_deps,
                                    struct kmp_depend_info *deps, int32_t n_noalias,
                                    struct kmp_depend_info *noalias);
WN_EXPORT void __kmpc_omp_taskwait_deps_51(struct kmp_ident *loc, int32_t gtid, int32_t n_deps,
                                           struct kmp_depend_info *deps, int32_t n_noalias,
                                           struct kmp_depend_info *noalias, int32_t has_no_wait);
WN_REAL(void, __kmpc_omp_wait_deps, struct kmp_ident *, int32_t, int32_t, struct kmp_depend_info *,
        int32_t, struct kmp_depend_info *)
WN_REAL(void, __kmpc_omp_taskwait_deps_51, struct kmp_ident *, int32_t, int32_t,
        struct kmp_depend_info *, int32_t, struct kmp_depend_info *, int32_t)

void *
wn_libomp_push_frame(struct wn_thread *t, size_t size, const void *caller, const void *at)
{
	void *frame = wn_frame_push(size, at);
	if (!frame)
		wn_ev_note(t, user_code_or_null(caller), WN_NOTE_STACK_OVERFLOW, 1);
	return frame;
}

static __attribute__((noinline)) void
begin_wait(struct frame *f, const void *caller)
{
	struct wn_thread *t = f->t;
	const void *site = user_code_or_null(caller);
	const struct wn_depends depends = {{f->deps, f->noalias}, {f->n_deps, f->n_noalias}};

	f->is_tasks = t->source_tick != 0;
	f->was_in_wait = wn_ompt_in_wait;
	f->id = wn_stack_peek(t, 0);
	uint64_t tick = f->is_tasks ? t->source_tick : wn_clock();
	wn_ev_waitpoint_create(t, tick, site,
	                       WN_TASK_WAITPOINT | WN_TASK_UNDEFERRED | WN_TASK_DEPENDENT);
	source_depends_write(t, &depends);
	tick = wn_clock();
	wn_ev_create_end(t, tick);
	wn_ev_sync_begin(t, tick, site, WN_SYNC_DEPEND);
	t->source_tick = 0; /* tasks run, and create others, during this wait */
	wn_ompt_call_site = caller;
	wn_ompt_in_wait = true;
}

static inline void
end_recorded(struct wn_thread *t, const struct frame *f)
{
	source_settle(t, f->id);
	uint64_t tick = wn_clock();

	wn_ev_sync_end(t, tick);
	if (!f->is_tasks)
		return;
	t->source_tick = tick;
	t->source_flags |= WN_TASK_DEPENDENT;
}

/* Reached by a jump. */
static __attribute__((noinline)) void
end_wait(void)
{
	struct frame *f = wn_frame_of(WN_FRAME_AT);

	wn_ompt_in_wait = f->was_in_wait;
	if (WN_LIKELY(wn_self == f->t)) /* not in a child forked meanwhile */
		end_recorded(f->t, f);
	wn_frame_pop(&f->base);
}

/* The frame of one of these is on the stack while tasks run. */
static __attribute__((noinline)) void
call_wait(void)
{
	const struct frame *f = (struct frame *)wn_frames.top;

	((__kmpc_omp_wait_deps_function)f->real)(f->loc, f->gtid, f->n_deps, f->deps, f->n_noalias,
	                                         f->noalias);
	end_wait();
}

static __attribute__((noinline)) void
call_wait_51(void)
{
	const struct frame *f = (struct frame *)wn_frames.top;

	((__kmpc_omp_taskwait_deps_51_function)f->real)(f->loc, f->gtid, f->n_deps, f->deps,
	                                                f->n_noalias, f->noalias, f->has_no_wait);
	end_wait();
}

#define FILL_FRAME(f)                                                                              \
	do {                                                                                       \
		(f)->t = t;                                                                        \
		(f)->real = (wn_function)real;                                                     \
		(f)->loc = loc;                                                                    \
		(f)->gtid = gtid;                                                                  \
		(f)->n_deps = n_deps;                                                              \
		(f)->deps = deps;                                                                  \
		(f)->n_noalias = n_noalias;                                                        \
		(f)->noalias = noalias;                                                            \
	} while (0)

/* Reached by a jump, so that the return address is still the user's. */
static WN_SLOW void
wait_deps_slowly(struct kmp_ident *loc, int32_t gtid, int32_t n_deps, struct kmp_depend_info *deps,
                 int32_t n_noalias, struct kmp_depend_info *noalias)
{
	const void *caller = __builtin_return_address(0);
	struct wn_thread *t = n_deps + n_noalias > 0 ? recorded_thread() : NULL;
	__kmpc_omp_wait_deps_function real = __kmpc_omp_wait_deps_real(loc);
	struct frame *f = t ? wn_libomp_push_frame(t, sizeof *f, caller, WN_FRAME_AT) : NULL;

	if (!f) {
		real(loc, gtid, n_deps, deps, n_noalias, noalias);
		return;
	}
	FILL_FRAME(f);
	begin_wait(f, caller);
	call_wait();
}

void
__kmpc_omp_wait_deps(struct kmp_ident *loc, int32_t gtid, int32_t n_deps,
                     struct kmp_depend_info *deps, int32_t n_noalias,
                     struct kmp_depend_info *noalias)
{
	struct wn_thread *t = n_deps + n_noalias > 0 ? recorded_thread() : NULL;
	__kmpc_omp_wait_deps_function real = __kmpc_omp_wait_deps_known(loc);
	struct frame *f = t && real ? wn_frame_push_quickly(sizeof *f, WN_FRAME_AT) : NULL;

	if (!f) {
		wait_deps_slowly(loc, gtid, n_deps, deps, n_noalias, noalias);
		return;
	}
	FILL_FRAME(f);
	begin_wait(f, __builtin_return_address(0));
	call_wait();
}

/* Reached by a jump, so that the return address is still the user's. */
static WN_SLOW void
taskwait_deps_slowly(struct kmp_ident *loc, int32_t gtid, int32_t n_deps,
                     struct kmp_depend_info *deps, int32_t n_noalias,
                     struct kmp_depend_info *noalias, int32_t has_no_wait)
{
	const void *caller = __builtin_return_address(0);
	struct wn_thread *t = n_deps + n_noalias > 0 ? recorded_thread() : NULL;
	__kmpc_omp_taskwait_deps_51_function real = __kmpc_omp_taskwait_deps_51_real(loc);
	struct frame *f = t ? wn_libomp_push_frame(t, sizeof *f, caller, WN_FRAME_AT) : NULL;

	if (!f) {
		real(loc, gtid, n_deps, deps, n_noalias, noalias, has_no_wait);
		return;
	}
	FILL_FRAME(f);
	f->has_no_wait = has_no_wait;
	begin_wait(f, caller);
	call_wait_51();
}

/* libomp also waits if the program passes that no wait is needed. */
void
__kmpc_omp_taskwait_deps_51(struct kmp_ident *loc, int32_t gtid, int32_t n_deps,
                            struct kmp_depend_info *deps, int32_t n_noalias,
                            struct kmp_depend_info *noalias, int32_t has_no_wait)
{
	struct wn_thread *t = n_deps + n_noalias > 0 ? recorded_thread() : NULL;
	__kmpc_omp_taskwait_deps_51_function real = __kmpc_omp_taskwait_deps_51_known(loc);
	struct frame *f = t && real ? wn_frame_push_quickly(sizeof *f, WN_FRAME_AT) : NULL;

	if (!f) {
		taskwait_deps_slowly(loc, gtid, n_deps, deps, n_noalias, noalias, has_no_wait);
		return;
	}
	FILL_FRAME(f);
	f->has_no_wait = has_no_wait;
	begin_wait(f, __builtin_return_address(0));
	call_wait_51();
}
