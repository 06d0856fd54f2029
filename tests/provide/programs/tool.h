/* SPDX-License-Identifier: MIT */
/*
 * tool.h - what the small tools here share: a clock in ns, one way to set a callback, and the
 * answer to the runtime. The including file defines tool_initialize().
 */
#ifndef PROVIDE_TOOL_H
#define PROVIDE_TOOL_H

#include <omp-tools.h>
#include <time.h>

#include "winnow/ompt-grain.h"

static inline double
tool_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#ifndef TOOL_IS_PROGRAM /* which only wants the clock */

#define TOOL_SET(set, event, function)                                                             \
	(set)((ompt_callbacks_t)(event), (ompt_callback_t)(void (*)(void))(function))

/* 0 = it declines */
static int tool_initialize(ompt_function_lookup_t lookup, ompt_set_callback_t set);

static int
initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	(void)device, (void)data;
	return tool_initialize(lookup, (ompt_set_callback_t)lookup("ompt_set_callback"));
}

static void
finalize(ompt_data_t *data)
{
	(void)data;
}

ompt_start_tool_result_t *
ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};
	(void)omp_version, (void)runtime_version;
	return &result;
}

#endif

#endif /* PROVIDE_TOOL_H */
