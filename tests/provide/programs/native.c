/* SPDX-License-Identifier: MIT */
/*
 * native.c - a runtime that knows the events of the grain extension by itself, as far as
 * registering goes: it asks for a tool, gives it a lookup function, and tells which callbacks came
 * through to it.
 */
#include <omp-tools.h>
#include <stdio.h>
#include <string.h>

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version);

static ompt_callback_t set[128];

static ompt_set_result_t
set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	int is_known = (int)event <= 37 || ((int)event >= 81 && (int)event <= 83);
	if (!is_known)
		return ompt_set_error;
	set[event] = callback;
	return ompt_set_always;
}

static int
nothing(void)
{
	return 0;
}

static ompt_interface_fn_t
lookup(const char *name)
{
	if (strcmp(name, "ompt_set_callback") == 0)
		return (ompt_interface_fn_t)set_callback;
	return (ompt_interface_fn_t)(void (*)(void))nothing;
}

int
main(void)
{
	ompt_start_tool_result_t *tool = ompt_start_tool(201811, "a runtime of its own");
	if (!tool || !tool->initialize(lookup, 0, &tool->tool_data))
		return 1;
	for (int event = 81; event <= 85; event++)
		printf("%d %s\n", event, set[event] ? "is the runtime's" : "is not");
	tool->finalize(&tool->tool_data);
	return 0;
}
