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
 */
#include "record/sources/libomp/libomp.h"

struct kmp_depend_info;

struct wait {
	bool is_tasks; /* of an undeferred task that has been allocated */
	bool was_in_wait;
	wn_id id; /* the waiting task */
};

static WN_SLOW struct wait
wait_begin(struct wn_thread *t, const void *caller, const struct source_depends *depends)
{
	struct wait wait = {t->source_tick != 0, wn_ompt_in_wait, wn_stack_peek(t, 0)};
	const void *site = user_code_or_null(caller);
	uint64_t tick = wait.is_tasks ? t->source_tick : wn_clock();

	wn_ev_waitpoint_create(t, tick, site,
	                       WN_TASK_WAITPOINT | WN_TASK_UNDEFERRED | WN_TASK_DEPENDENT);
	source_depends_write(t, depends);
	tick = wn_clock();
	wn_ev_create_end(t, tick);
	wn_ev_sync_begin(t, tick, site, WN_SYNC_DEPEND);
	t->source_tick = 0; /* tasks run, and create others, during this wait */
	wn_ompt_call_site = caller;
	wn_ompt_in_wait = true;
	return wait;
}

static WN_SLOW void
wait_end(struct wn_thread *t, struct wait wait)
{
	source_settle(t, wait.id);
	uint64_t tick = wn_clock();

	wn_ompt_in_wait = wait.was_in_wait;
	wn_ev_sync_end(t, tick);
	if (!wait.is_tasks)
		return;
	t->source_tick = tick;
	t->source_flags |= WN_TASK_DEPENDENT;
}

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

/*
 * libomp takes a wait's code address from the call. So where nothing is recorded the call has to be
 * a jump, which a function with locals of its own cannot make; each wrapper jumps to one of two
 * functions with its own parameters.
 */
static WN_SLOW void
recorded_wait_deps(struct kmp_ident *loc, int32_t gtid, int32_t n_deps,
                   struct kmp_depend_info *deps, int32_t n_noalias, struct kmp_depend_info *noalias)
{
	struct wn_thread *t = recorded_thread();
	struct source_depends depends = {{deps, noalias}, {n_deps, n_noalias}};
	struct wait wait = wait_begin(t, __builtin_return_address(0), &depends);

	__kmpc_omp_wait_deps_real(loc)(loc, gtid, n_deps, deps, n_noalias, noalias);
	wait_end(t, wait);
}

void
__kmpc_omp_wait_deps(struct kmp_ident *loc, int32_t gtid, int32_t n_deps,
                     struct kmp_depend_info *deps, int32_t n_noalias,
                     struct kmp_depend_info *noalias)
{
	if (n_deps + n_noalias > 0 && recorded_thread())
		recorded_wait_deps(loc, gtid, n_deps, deps, n_noalias, noalias);
	else
		__kmpc_omp_wait_deps_real(loc)(loc, gtid, n_deps, deps, n_noalias, noalias);
}

static WN_SLOW void
recorded_taskwait_deps(struct kmp_ident *loc, int32_t gtid, int32_t n_deps,
                       struct kmp_depend_info *deps, int32_t n_noalias,
                       struct kmp_depend_info *noalias, int32_t has_no_wait)
{
	struct wn_thread *t = recorded_thread();
	struct source_depends depends = {{deps, noalias}, {n_deps, n_noalias}};
	struct wait wait = wait_begin(t, __builtin_return_address(0), &depends);

	__kmpc_omp_taskwait_deps_51_real(loc)(loc, gtid, n_deps, deps, n_noalias, noalias,
	                                      has_no_wait);
	wait_end(t, wait);
}

/* libomp also waits if the program passes that no wait is needed. */
void
__kmpc_omp_taskwait_deps_51(struct kmp_ident *loc, int32_t gtid, int32_t n_deps,
                            struct kmp_depend_info *deps, int32_t n_noalias,
                            struct kmp_depend_info *noalias, int32_t has_no_wait)
{
	if (n_deps + n_noalias > 0 && recorded_thread())
		recorded_taskwait_deps(loc, gtid, n_deps, deps, n_noalias, noalias, has_no_wait);
	else
		__kmpc_omp_taskwait_deps_51_real(loc)(loc, gtid, n_deps, deps, n_noalias, noalias,
		                                      has_no_wait);
}
