/* SPDX-License-Identifier: MIT */
/* control.c - omp_control_tool(), which libgomp lacks: programs declare it weak. If another runtime
 * defines it, that function passes the command to its tool. */
#include "ompt/events.h"

typedef int control_function(int command, int modifier, void *arg);

__attribute__((visibility("default"))) control_function omp_control_tool;

enum { NO_TOOL = -2, NO_CALLBACK = -1 }; /* omp_control_tool_result_t */

int
omp_control_tool(int command, int modifier, void *arg)
{
	const void *site = __builtin_return_address(0);
	control_function *real =
	    (control_function *)(uintptr_t)wn_resolve("omp_control_tool", site);
	ompt_callback_control_tool_t callback = (ompt_callback_control_tool_t)(void (*)(
	    void))provide_callback(ompt_callback_control_tool);
	if (real)
		return real(command, modifier, arg);
	if (!wn_self)
		return NO_TOOL;
	if (!callback)
		return NO_CALLBACK;
	return callback((uint64_t)command, (uint64_t)modifier, arg, site);
}
