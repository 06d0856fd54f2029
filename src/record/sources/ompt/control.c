/* SPDX-License-Identifier: MIT */
/* control.c - omp_control_tool(): the runtime's callback, and the function itself. If this library
 * is preloaded, its own omp_control_tool() replaces the runtime's once recording has started. */
#include "record/control/control.h"
#include "record/sources/ompt/callbacks.h"
#include "record/sources/ompt/client.h"

#include <stdatomic.h>

/* Is there another tool that receives commands? */
static bool
shares_commands(void)
{
	/* acquire: as in both.c */
	return atomic_load_explicit(&client_callbacks[ompt_callback_control_tool],
	                            memory_order_acquire) != NULL;
}

/* Both arguments were int in older runtimes. */
int
ompt_on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *codeptr)
{
	return wn_control((int)(int64_t)command, (int)(int64_t)modifier, arg,
	                  user_code_or_null(codeptr));
}

/* --- omp_control_tool() -------------------------------------------------------------------------
 */

typedef int (*control_function)(int command, int modifier, void *arg);

__attribute__((visibility("default"))) int omp_control_tool(int command, int modifier, void *arg);

/* The next definition of omp_control_tool(); NULL if there is none. */
static control_function
real_function(const void *caller)
{
	static _Atomic(control_function) found;
	static atomic_bool is_searched;

	if (!atomic_load_explicit(&is_searched, memory_order_acquire)) {
		control_function real =
		    (control_function)(uintptr_t)wn_resolve("omp_control_tool", caller);
		/* relaxed: published by the release below, and all threads store the same value */
		atomic_store_explicit(&found, real, memory_order_relaxed);
		atomic_store_explicit(&is_searched, true, memory_order_release);
	}
	return atomic_load_explicit(&found, memory_order_relaxed);
}

/* libgomp lacks this function: programs declare it weak, and get this one. libomp's own function,
 * if there is one, passes commands to all tools; it is skipped if this library is the only tool.
 * Its result without a tool is not returned while recording is active. */
int
omp_control_tool(int command, int modifier, void *arg)
{
	const void *site = __builtin_return_address(0);
	control_function real = real_function(site);
	bool is_only = wn_self && (!wn_ompt_is_on || !shares_commands());

	if (!real || (is_only && wn_ompt_is_on))
		return wn_control(command, modifier, arg, site);
	if (!is_only)
		return real(command, modifier, arg);
	int own = wn_control(command, modifier, arg, site);
	int other = real(command, modifier, arg);
	return other < 0 ? own : other;
}
