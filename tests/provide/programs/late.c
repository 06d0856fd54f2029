/* SPDX-License-Identifier: MIT */
/*
 * late.c - the first region of the process is opened by one thread while another one is in a
 * library's constructor that opens a region, too, under the dynamic linker's lock.
 *
 *   -DLIBRARY  the library
 *   -DTOOL     a tool that takes LATE_MS to answer; it asks the linker before it does if LATE_ASKS
 *              is set. Says at its end how many regions it saw, and how many threads were missed.
 *   else       the program: late LIBRARY MS MS: when the one opens its region, and the other the
 * library
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "winnow/ompt-grain.h"

#if defined(LIBRARY)

_Atomic int late_sum;

/* Others have time to open their first region. */
__attribute__((constructor)) static void
begin(void)
{
	usleep(200000);
#pragma omp parallel num_threads(2)
	late_sum++;
}

#elif defined(TOOL)

static atomic_int n_regions;
static ompt_grain_get_missed_t get_missed;

static void
on_region(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region, unsigned n, int flags,
          const void *codeptr)
{
	(void)task, (void)frame, (void)region, (void)n, (void)flags, (void)codeptr;
	n_regions++;
}

static int
initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
	(void)device, (void)data;
	get_missed = (ompt_grain_get_missed_t)lookup("ompt_grain_get_missed");
	return set(ompt_callback_parallel_begin, (ompt_callback_t)(void (*)(void))on_region) ==
	       ompt_set_always;
}

static void
finalize(ompt_data_t *data)
{
	(void)data;
	fprintf(stderr, "regions %d missed %d\n", n_regions, get_missed());
}

ompt_start_tool_result_t *
ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};
	(void)omp_version, (void)runtime_version;
	usleep((useconds_t)atoi(getenv("LATE_MS")) * 1000);
	if (getenv("LATE_ASKS"))
		dlclose(dlopen("libm.so.6", RTLD_LAZY));
	return &result;
}

#else

static void
wait_ms(const char *ms)
{
	usleep((useconds_t)atoi(ms) * 1000);
}

static void *
load(void *words)
{
	char **argv = words;
	wait_ms(argv[3]);
	if (!dlopen(argv[1], RTLD_NOW))
		abort();
	int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
	n++;
	return (void *)(long)n;
}

int
main(int argc, char **argv)
{
	pthread_t other;
	void *n_there;
	int n_here = 0;
	if (argc < 4 || pthread_create(&other, NULL, load, argv) != 0)
		return 2;
	wait_ms(argv[2]);
#pragma omp parallel num_threads(2) reduction(+ : n_here)
	n_here++;
	pthread_join(other, &n_there);
	puts(n_here == 2 && n_there == (void *)2 ? "right" : "wrong");
	return 0;
}

#endif
