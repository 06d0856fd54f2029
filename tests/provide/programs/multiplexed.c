/* SPDX-License-Identifier: MIT */
/*
 * multiplexed.c - LLVM's way to have two tools: this one counts tasks, and the header loads
 * another, which MULTIPLEXED_LIBRARIES names, and hands on to it. COUNT_OUT=FILE is where this one
 * writes to.
 */
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define CLIENT_TOOL_LIBRARIES_VAR "MULTIPLEXED_LIBRARIES"
#include <ompt-multiplex.h>

static atomic_long n_tasks, n_complete;

static void
on_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task, int flags,
          int has_dependences, const void *codeptr)
{
	(void)encountering;
	(void)frame;
	(void)flags;
	(void)has_dependences;
	(void)codeptr;
	task->value = (uint64_t)atomic_fetch_add(&n_tasks, 1) + 0x5150000;
}

static void
on_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	(void)next;
	if (status == ompt_task_complete && prior->value >> 16 == 0x515)
		atomic_fetch_add(&n_complete, 1);
}

static int
initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
	(void)device;
	(void)data;
	set(ompt_callback_task_create, (ompt_callback_t)(void (*)(void))on_create);
	set(ompt_callback_task_schedule, (ompt_callback_t)(void (*)(void))on_schedule);
	return 1;
}

static void
finalize(ompt_data_t *data)
{
	FILE *out = fopen(getenv("COUNT_OUT"), "w");
	(void)data;
	if (!out)
		return;
	fprintf(out, "tasks %ld\ncomplete %ld\n", (long)n_tasks, (long)n_complete);
	fclose(out);
}

/* The header has given this another name. */
ompt_start_tool_result_t *
ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};
	(void)omp_version;
	(void)runtime_version;
	return getenv("COUNT_OUT") ? &result : NULL;
}
