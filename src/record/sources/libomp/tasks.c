/* SPDX-License-Identifier: MIT */
/*
 * tasks.c - start and end of task creation.
 *
 *   user code: __kmpc_omp_task_alloc()   the time here is the start of the creation
 *              (firstprivates are copied)
 *              __kmpc_omp_task()         OMPT's task_create inside; the return is the end
 *
 * An undeferred task runs before the submitting call returns; its creation then ends where the task
 * begins (creation_close() in sources/ompt/tasks.c).
 */
#include "record/sources/libomp/libomp.h"

struct kmp_depend_info;

WN_EXPORT void *__kmpc_omp_task_alloc(struct kmp_ident *loc, int32_t gtid, int32_t flags,
                                      size_t task_bytes, size_t shareds_bytes, kmp_routine routine);
WN_EXPORT int32_t __kmpc_omp_task(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task);
WN_EXPORT int32_t __kmpc_omp_task_parts(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task);
WN_EXPORT int32_t __kmpc_omp_task_with_deps(struct kmp_ident *loc, int32_t gtid,
                                            struct kmp_task *task, int32_t n_deps,
                                            struct kmp_depend_info *deps, int32_t n_noalias,
                                            struct kmp_depend_info *noalias);
WN_EXPORT void __kmpc_omp_task_begin_if0(struct kmp_ident *loc, int32_t gtid,
                                         struct kmp_task *task);

WN_EXPORT void *__kmpc_omp_target_task_alloc(struct kmp_ident *loc, int32_t gtid, int32_t flags,
                                             size_t task_bytes, size_t shareds_bytes,
                                             kmp_routine routine, int64_t device);
WN_EXPORT void *__kmpc_task_allow_completion_event(struct kmp_ident *loc, int32_t gtid,
                                                   struct kmp_task *task);
WN_EXPORT int32_t __kmpc_omp_taskyield(struct kmp_ident *loc, int32_t gtid, int32_t end_part);

WN_REAL(void *, __kmpc_omp_task_alloc, struct kmp_ident *, int32_t, int32_t, size_t, size_t,
        kmp_routine)
WN_REAL(int32_t, __kmpc_omp_task, struct kmp_ident *, int32_t, struct kmp_task *)
WN_REAL(int32_t, __kmpc_omp_task_parts, struct kmp_ident *, int32_t, struct kmp_task *)
WN_REAL(int32_t, __kmpc_omp_task_with_deps, struct kmp_ident *, int32_t, struct kmp_task *, int32_t,
        struct kmp_depend_info *, int32_t, struct kmp_depend_info *)
WN_REAL(void, __kmpc_omp_task_begin_if0, struct kmp_ident *, int32_t, struct kmp_task *)
WN_REAL(void *, __kmpc_omp_target_task_alloc, struct kmp_ident *, int32_t, int32_t, size_t, size_t,
        kmp_routine, int64_t)
WN_REAL(void *, __kmpc_task_allow_completion_event, struct kmp_ident *, int32_t, struct kmp_task *)
WN_REAL(int32_t, __kmpc_omp_taskyield, struct kmp_ident *, int32_t, int32_t)

/* Reached by a jump, so that the return address is still the user's. */
static WN_SLOW void *
alloc_slowly(struct kmp_ident *loc, int32_t gtid, int32_t flags, size_t task_bytes,
             size_t shareds_bytes, kmp_routine routine)
{
	struct wn_thread *t = recorded_thread();

	if (t)
		t->source_tick = wn_stamp();
	else if (!wn_ompt_is_on)
		wn_ompt_unseen(WN_UNSEEN_TASK);
	return __kmpc_omp_task_alloc_real(loc)(loc, gtid, flags, task_bytes, shareds_bytes,
	                                       routine);
}

void *
__kmpc_omp_task_alloc(struct kmp_ident *loc, int32_t gtid, int32_t flags, size_t task_bytes,
                      size_t shareds_bytes, kmp_routine routine)
{
	struct wn_thread *t = recorded_thread();
	__kmpc_omp_task_alloc_function real = __kmpc_omp_task_alloc_known(loc);

	if (WN_UNLIKELY(!t || !real || !wn_clock_is_bare))
		return alloc_slowly(loc, gtid, flags, task_bytes, shareds_bytes, routine);
	t->source_tick = wn_quick_clock();
	return real(loc, gtid, flags, task_bytes, shareds_bytes, routine);
}

/* A tail call returns into the runtime: then the task's own function is the site. */
static inline __attribute__((always_inline)) void
submit_enter(struct wn_thread *t, const void *caller, const struct kmp_task *task)
{
	if (WN_UNLIKELY(is_in_runtime(caller))) {
		caller = (const void *)(uintptr_t)task->routine;
		t->source_flags |= WN_TASK_SITE_FUNCTION;
	} else if (WN_UNLIKELY(t->source_flags & WN_TASK_SITE_FUNCTION)) {
		/* of a task that runs while it is being submitted, and submits this one */
		t->source_flags &= ~(uint32_t)WN_TASK_SITE_FUNCTION;
	}
	t->source_ptr[PTR_SUBMIT_SITE] = (void *)(uintptr_t)caller;
}

static __attribute__((noinline)) int32_t
creation_end_slowly(struct wn_thread *t, int32_t answer)
{
	wn_ev_create_end(t, wn_clock());
	return answer;
}

/* creation_close() of an open creation. */
static inline int32_t
creation_end(struct wn_thread *t, int32_t answer)
{
	t->source_flags &= ~(uint32_t)FLAG_CREATION_OPEN;
	if (WN_UNLIKELY(!wn_quick(t)))
		return creation_end_slowly(t, answer);
	wn_quick_plain(t, WN_EV_CREATE_END, wn_quick_clock());
	return answer;
}

/* The site is still set if no task was created: the next part of an untied task was queued. libomp
 * may run the task during its submission, and tasks nest as deep as the program recurses. So a
 * submission keeps one register on the stack, and jumps here at its end. */
static __attribute__((noinline)) int32_t
submit_leave(struct wn_thread *t, int32_t answer)
{
	t->source_ptr[PTR_SUBMIT_SITE] = NULL;
	uint32_t flags = t->source_flags;
	if (WN_UNLIKELY(flags & FLAG_SITE_MASK))
		t->source_flags = flags &= ~(uint32_t)FLAG_SITE_MASK;
	if (flags & FLAG_CREATION_OPEN)
		return creation_end(t, answer);
	return answer;
}

/* Reached by a jump, so that the return address is still the user's. */
#define SUBMIT(name)                                                                               \
	static WN_SLOW int32_t name##_slowly(struct kmp_ident *loc, int32_t gtid,                  \
	                                     struct kmp_task *task)                                \
	{                                                                                          \
		struct wn_thread *t = recorded_thread();                                           \
                                                                                                   \
		if (!t)                                                                            \
			return name##_real(loc)(loc, gtid, task);                                  \
		submit_enter(t, __builtin_return_address(0), task);                                \
		return submit_leave(t, name##_real(loc)(loc, gtid, task));                         \
	}                                                                                          \
	int32_t name(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task)                   \
	{                                                                                          \
		struct wn_thread *t = recorded_thread();                                           \
		name##_function real = name##_known(loc);                                          \
                                                                                                   \
		if (WN_UNLIKELY(!real))                                                            \
			return name##_slowly(loc, gtid, task);                                     \
		if (WN_UNLIKELY(!t))                                                               \
			return real(loc, gtid, task);                                              \
		submit_enter(t, __builtin_return_address(0), task);                                \
		return submit_leave(t, real(loc, gtid, task));                                     \
	}

SUBMIT(__kmpc_omp_task)
SUBMIT(__kmpc_omp_task_parts)

/* The clauses are recorded when libomp reports the task's creation, before it runs any other. */
static __attribute__((noinline)) int32_t
depends_leave(struct wn_thread *t, int32_t answer)
{
	t->submitted.n[0] = t->submitted.n[1] = 0;
	return submit_leave(t, answer);
}

/* Reached by a jump, so that the return address is still the user's. */
static WN_SLOW int32_t
with_deps_slowly(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task, int32_t n_deps,
                 struct kmp_depend_info *deps, int32_t n_noalias, struct kmp_depend_info *noalias)
{
	struct wn_thread *t = recorded_thread();
	__kmpc_omp_task_with_deps_function real = __kmpc_omp_task_with_deps_real(loc);

	if (!t)
		return real(loc, gtid, task, n_deps, deps, n_noalias, noalias);
	t->submitted = (struct wn_depends){{deps, noalias}, {n_deps, n_noalias}};
	submit_enter(t, __builtin_return_address(0), task);
	return depends_leave(t, real(loc, gtid, task, n_deps, deps, n_noalias, noalias));
}

int32_t
__kmpc_omp_task_with_deps(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task,
                          int32_t n_deps, struct kmp_depend_info *deps, int32_t n_noalias,
                          struct kmp_depend_info *noalias)
{
	struct wn_thread *t = recorded_thread();
	__kmpc_omp_task_with_deps_function real = __kmpc_omp_task_with_deps_known(loc);
	void *caller = __builtin_return_address(0);

	/* with so many parameters, whatever is rare goes elsewhere, so that few registers are saved
	 */
	if (WN_UNLIKELY(!t || !real || range_has(&wn_ompt_runtime_range, caller) ||
	                (t->source_flags & WN_TASK_SITE_FUNCTION)))
		return with_deps_slowly(loc, gtid, task, n_deps, deps, n_noalias, noalias);
	t->submitted = (struct wn_depends){{deps, noalias}, {n_deps, n_noalias}};
	t->source_ptr[PTR_SUBMIT_SITE] = caller;
	return depends_leave(t, real(loc, gtid, task, n_deps, deps, n_noalias, noalias));
}

/* Reached by a jump, so that the return address is still the user's. */
static WN_SLOW void
begin_if0_slowly(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task)
{
	struct wn_thread *t = recorded_thread();

	if (!t) {
		__kmpc_omp_task_begin_if0_real(loc)(loc, gtid, task);
		return;
	}
	submit_enter(t, __builtin_return_address(0), task);
	__kmpc_omp_task_begin_if0_real(loc)(loc, gtid, task);
	submit_leave(t, 0);
}

void
__kmpc_omp_task_begin_if0(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task)
{
	struct wn_thread *t = recorded_thread();
	__kmpc_omp_task_begin_if0_function real = __kmpc_omp_task_begin_if0_known(loc);

	if (WN_UNLIKELY(!t || !real)) {
		begin_if0_slowly(loc, gtid, task);
		return;
	}
	submit_enter(t, __builtin_return_address(0), task);
	real(loc, gtid, task);
	submit_leave(t, 0);
}

void *
__kmpc_omp_target_task_alloc(struct kmp_ident *loc, int32_t gtid, int32_t flags, size_t task_bytes,
                             size_t shareds_bytes, kmp_routine routine, int64_t device)
{
	struct wn_thread *t = recorded_thread();

	if (t)
		t->source_tick = wn_stamp();
	return __kmpc_omp_target_task_alloc_real(loc)(loc, gtid, flags, task_bytes, shareds_bytes,
	                                              routine, device);
}

/* Called for the task just allocated, if it has a detach clause, which OMPT does not report. */
void *
__kmpc_task_allow_completion_event(struct kmp_ident *loc, int32_t gtid, struct kmp_task *task)
{
	struct wn_thread *t = recorded_thread();

	if (t)
		t->source_flags |= WN_TASK_DETACH;
	return __kmpc_task_allow_completion_event_real(loc)(loc, gtid, task);
}

int32_t
__kmpc_omp_taskyield(struct kmp_ident *loc, int32_t gtid, int32_t end_part)
{
	struct wn_thread *t = recorded_thread();

	if (!t)
		return __kmpc_omp_taskyield_real(loc)(loc, gtid, end_part);
	wn_ev_sync_begin(t, wn_clock(), user_code_or_null(__builtin_return_address(0)),
	                 WN_SYNC_TASKYIELD);
	wn_id id = wn_stack_peek(t, 0);
	int32_t answer = __kmpc_omp_taskyield_real(loc)(loc, gtid, end_part);
	source_settle(t, id);
	wn_ev_sync_end(t, wn_clock());
	return answer;
}
