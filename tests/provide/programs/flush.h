/* SPDX-License-Identifier: MIT */
/* flush.h - what a program of gcc lacks that tells its tools to flush. */
#include <stddef.h>
enum { omp_control_tool_flush = 3 };
int omp_control_tool(int command, int modifier, void *arg) __attribute__((weak));
#define omp_control_tool(command, modifier, arg)                                                   \
	(omp_control_tool ? omp_control_tool(command, modifier, arg) : -2)
