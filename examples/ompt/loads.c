/* SPDX-License-Identifier: MIT */
/*
 * An OMPT tool that prints what each chunk of a program's loops took: thread, iterations, time. It
 * works on programs of gcc as they are, on GCC's own runtime (doc/ompt-grain.md):
 *
 *     gcc -shared -fPIC -idirafter /usr/lib/llvm-14/lib/clang/14.0.6/include \
 *         $(pkg-config --cflags winnow) loads.c -o libloads.so
 *     LD_PRELOAD=/usr/local/lib/winnow/libwinnow-ompt.so OMP_TOOL_LIBRARIES=./libloads.so ./program
 */
#include <omp-tools.h>
#include <stdio.h>
#include <time.h>
#include <winnow/ompt-grain.h>

static ompt_get_task_info_t get_task_info;
static __thread struct {
	long lower, upper;
	double begin;
} chunk; /* that this thread runs; begin 0 = none */

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
	int thread = -1;
	double end = now() - next_took;
	get_task_info(0, NULL, NULL, NULL, NULL, &thread);
	if (chunk.begin > 0)
		printf("%6d %12ld %12ld %12.0f\n", thread, chunk.lower, chunk.upper,
		       end - chunk.begin);
	chunk.begin = 0;
}

static void
on_chunk(ompt_data_t *task, int64_t lower, int64_t upper, double creation, int is_last)
{
	(void)task, (void)is_last;
	end_chunk(creation);
	chunk.lower = lower, chunk.upper = upper, chunk.begin = now();
}

static void
on_loop(ext_loop_sched_t schedule, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
        ompt_data_t *task, int is_signed, int64_t step, const void *code)
{
	(void)schedule, (void)parallel, (void)task, (void)is_signed, (void)step, (void)code;
	if (endpoint == ompt_scope_end)
		end_chunk(0);
}

static int
initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
	(void)device, (void)data;
	get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	printf("thread        first         last           ns\n");
	set((ompt_callbacks_t)ext_tool_time, (ompt_callback_t)(void (*)(void))now);
	set((ompt_callbacks_t)ext_callback_loop, (ompt_callback_t)(void (*)(void))on_loop);
	return set((ompt_callbacks_t)ext_callback_chunk,
	           (ompt_callback_t)(void (*)(void))on_chunk) >= ompt_set_sometimes;
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
