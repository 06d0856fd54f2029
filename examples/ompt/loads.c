/* SPDX-License-Identifier: MIT */
/*
 * An OMPT tool that prints what each chunk of a program's loops took: thread, iterations, time. It
 * works on programs of gcc as they are, on GCC's own runtime (doc/ompt-grain.md):
 *
 *     gcc -shared -fPIC -idirafter $(clang-14 -print-resource-dir)/include \
 *         $(pkg-config --cflags winnow) loads.c -o loads.so
 *     LD_PRELOAD=$(pkg-config --variable=ompt winnow) OMP_TOOL_LIBRARIES=./loads.so ./program
 */
#include <omp-tools.h>
#include <stdio.h>
#include <time.h>
#include <winnow/ompt-grain.h>

static ompt_get_task_info_t get_task_info;
static __thread long first, last;
static __thread double begin; /* of the chunk that this thread runs; 0 = none */

static double
now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* It ended when the thread asked for the next one. */
static void
end_chunk(double next_took)
{
	double took = now() - next_took - begin;
	int thread = 0;
	get_task_info(0, NULL, NULL, NULL, NULL, &thread);
	if (begin > 0)
		printf("%6d %12ld %12ld %12.0f\n", thread, first, last, took);
	begin = 0;
}

static void
on_chunk(ompt_data_t *task, int64_t lower, int64_t upper, double creation, int is_last)
{
	end_chunk(creation);
	first = lower, last = upper, begin = now();
}

static void
on_loop(ext_loop_sched_t schedule, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
        ompt_data_t *task, int is_signed, int64_t step, const void *code)
{
	if (endpoint == ompt_scope_end)
		end_chunk(0);
}

static int
initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
	get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	puts("thread        first         last           ns");
	set((ompt_callbacks_t)ext_tool_time, (ompt_callback_t)now);
	set((ompt_callbacks_t)ext_callback_loop, (ompt_callback_t)on_loop);
	set((ompt_callbacks_t)ext_callback_chunk, (ompt_callback_t)on_chunk);
	return 1;
}

static void
finalize(ompt_data_t *data)
{
}

ompt_start_tool_result_t *
ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};
	return &result;
}
