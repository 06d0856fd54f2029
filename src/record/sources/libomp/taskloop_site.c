/* SPDX-License-Identifier: MIT */
/* taskloop_site.c - site of a taskloop, for the callbacks of an OMPT tool: libomp's own events
 * contain an address inside the runtime. */
#include "record/sources/libomp/libomp.h"

#define PARAMETERS                                                                                 \
	struct kmp_ident *loc, int32_t gtid, struct kmp_task *task, int32_t is_deferred,           \
	    uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t sched,        \
	    uint64_t grainsize

WN_EXPORT void __kmpc_taskloop(PARAMETERS, void *task_dup);
WN_EXPORT void __kmpc_taskloop_5(PARAMETERS, int32_t modifier, void *task_dup);
WN_REAL(void, __kmpc_taskloop, PARAMETERS, void *task_dup)
WN_REAL(void, __kmpc_taskloop_5, PARAMETERS, int32_t modifier, void *task_dup)

static const void *
enter(struct wn_thread *t, const void *caller)
{
	const void *outer = t->taskloop_site;
	t->taskloop_site = is_in_runtime(caller) ? NULL : caller;
	return outer;
}

void
__kmpc_taskloop(PARAMETERS, void *task_dup)
{
	struct wn_thread *t = recorded_thread();
	const void *outer = t ? enter(t, __builtin_return_address(0)) : NULL;

	__kmpc_taskloop_real(loc)(loc, gtid, task, is_deferred, lower, upper, step, nogroup, sched,
	                          grainsize, task_dup);
	if (t)
		t->taskloop_site = outer;
}

void
__kmpc_taskloop_5(PARAMETERS, int32_t modifier, void *task_dup)
{
	struct wn_thread *t = recorded_thread();
	const void *outer = t ? enter(t, __builtin_return_address(0)) : NULL;

	__kmpc_taskloop_5_real(loc)(loc, gtid, task, is_deferred, lower, upper, step, nogroup,
	                            sched, grainsize, modifier, task_dup);
	if (t)
		t->taskloop_site = outer;
}
