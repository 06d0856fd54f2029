/* SPDX-License-Identifier: MIT */
/*
 * authors.c - a runtime with the extension as its authors have it: a region of one thread, a loop
 * of two chunks and a task, reported to the tool that OMP_TOOL_LIBRARIES names. The creation of the
 * task is reported with its duration, which the standard's callback lacks. Prints it in ns,
 * without the time that the thread was off the CPU, which the recording leaves out, too.
 */
#include <dlfcn.h>
#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "winnow/ompt-grain.h"

typedef void (*authors_task_create_t)(ompt_data_t *encountering, const ompt_frame_t *frame,
                                      ompt_data_t *task, int flags, int has_dependences,
                                      double duration, const void *codeptr);
typedef ompt_start_tool_result_t *(*start_t)(unsigned int omp_version, const char *runtime);

static ompt_callback_t set[128];

#define TELL(event, type, ...)                                                                     \
	do {                                                                                       \
		if (set[event])                                                                    \
			((type)set[event])(__VA_ARGS__);                                           \
	} while (0)

static ompt_set_result_t
set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	if ((int)event > 37 && ((int)event < 81 || (int)event > 83))
		return ompt_set_error;
	set[event] = callback;
	return ompt_set_always;
}

static ompt_interface_fn_t
lookup(const char *name)
{
	return strcmp(name, "ompt_set_callback") == 0 ? (ompt_interface_fn_t)set_callback : NULL;
}

static double
now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double
tool_time(void)
{
	return set[ext_tool_time] ? ((ext_tool_time_t)(void (*)(void))set[ext_tool_time])() : 0;
}

static ompt_data_t initial, outside, region, implicit;
static ompt_frame_t frame;

static void
run_loop(const void *code)
{
	TELL(ext_callback_loop, ext_callback_loop_t, ext_loop_sched_dynamic, ompt_scope_begin,
	     &region, &implicit, 1, 1, code);
	for (int64_t lower = 0; lower < 10; lower += 5) {
		double begin = tool_time();
		TELL(ext_callback_chunk, ext_callback_chunk_t, &implicit, lower, lower + 4,
		     tool_time() - begin, lower == 5);
	}
	TELL(ext_callback_loop, ext_callback_loop_t, ext_loop_sched_dynamic, ompt_scope_end,
	     &region, &implicit, 1, 1, code);
}

static void
run_task(const void *code)
{
	ompt_data_t task = {0};
	double begin = tool_time(), begin_ns = now(), end_ns;
	/* long beside what a switch between two readings of clocks may take */
	while ((end_ns = now()) < begin_ns + 5e6)
		;
	TELL(ompt_callback_task_create, authors_task_create_t, &implicit, &frame, &task,
	     ompt_task_explicit, 0, tool_time() - begin, code);
	TELL(ompt_callback_task_schedule, ompt_callback_task_schedule_t, &implicit,
	     ompt_task_switch, &task);
	TELL(ompt_callback_task_schedule, ompt_callback_task_schedule_t, &task, ompt_task_complete,
	     &implicit);
	printf("%.0f\n", end_ns - begin_ns);
}

static ompt_start_tool_result_t *tool;

/* As runtimes do, when the process ends. */
static void
shut_down(void)
{
	if (tool)
		tool->finalize(&tool->tool_data);
}

int
main(void)
{
	const void *code = (const char *)(void *)main + 1;
	const char *name = getenv("OMP_TOOL_LIBRARIES");
	void *library = name ? dlopen(name, RTLD_LAZY) : NULL;
	start_t start = library ? (start_t)dlsym(library, "ompt_start_tool") : NULL;
	atexit(shut_down);
	tool = start ? start(201611, "of the authors") : NULL;
	if (!tool || !tool->initialize(lookup, 0, &tool->tool_data))
		return 1;
	TELL(ompt_callback_implicit_task, ompt_callback_implicit_task_t, ompt_scope_begin, &outside,
	     &initial, 1, 1, ompt_task_initial);
	TELL(ompt_callback_parallel_begin, ompt_callback_parallel_begin_t, &initial, &frame,
	     &region, 1, ompt_parallel_team, code);
	TELL(ompt_callback_implicit_task, ompt_callback_implicit_task_t, ompt_scope_begin, &region,
	     &implicit, 1, 0, ompt_task_implicit);
	run_loop(code);
	run_task(code);
	TELL(ompt_callback_implicit_task, ompt_callback_implicit_task_t, ompt_scope_end, NULL,
	     &implicit, 0, 0, ompt_task_implicit);
	TELL(ompt_callback_parallel_end, ompt_callback_parallel_end_t, &region, &initial,
	     ompt_parallel_team, code);
	return 0;
}
