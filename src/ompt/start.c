/* SPDX-License-Identifier: MIT */
/*
 * start.c - finds the tool and starts it.
 *
 * libgomp does not call a tool at its start, so the tool is looked up at the program's first call
 * of libgomp, in the standard's order: a definition of ompt_start_tool() in the address space, then
 * the libraries of OMP_TOOL_LIBRARIES. Without a tool, with OMP_TOOL=disabled, or with a tool whose
 * initialize registers no callback, wrappers only jump to the real function.
 */
#include "ompt/start.h"
#include "base/clock.h"
#include "ompt/events.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum phase {
	PHASE_OFF,
	PHASE_STARTING,
	PHASE_ON,
	PHASE_IDLE, /* the tool receives only finalize */
	PHASE_NO_TOOL,
	PHASE_NATIVE, /* the runtime has OMPT */
	PHASE_OVER
};

static _Atomic int phase;
static __thread bool is_starting __attribute__((tls_model("initial-exec")));
static ompt_start_tool_result_t *tool;
static _Atomic unsigned n_missed;

enum { WAIT_MAX_S = 5 };
#define WAIT_MAX_NS (WAIT_MAX_S * UINT64_C(1000000000))

_Atomic(ompt_callback_t) provide_callbacks[PROVIDE_EVENTS_N];

/* Another definition in the address space; this library's own is for runtimes that have OMPT. */
static provide_start_function
of_address_space(void)
{
	void *first = dlsym(RTLD_DEFAULT, "ompt_start_tool");
	if (wn_is_own(first))
		first = dlsym(RTLD_NEXT, "ompt_start_tool");
	return (provide_start_function)(uintptr_t)first;
}

static ompt_start_tool_result_t *
query_library(const char *name, unsigned version, const char *runtime)
{
	void *handle = dlopen(name, RTLD_LAZY);
	void *found = handle ? dlsym(handle, "ompt_start_tool") : NULL;
	provide_start_function start = (provide_start_function)(uintptr_t)found;
	ompt_start_tool_result_t *answer = NULL;
	if (start && !wn_is_own(found))
		answer = start(version, runtime);
	if (handle && !answer)
		dlclose(handle);
	return answer;
}

static ompt_start_tool_result_t *
query_listed(unsigned version, const char *runtime)
{
	const char *list = getenv("OMP_TOOL_LIBRARIES");
	char *names = list ? strdup(list) : NULL, *rest = NULL;
	ompt_start_tool_result_t *answer = NULL;
	for (char *name = names ? strtok_r(names, ":", &rest) : NULL; name && !answer;
	     name = strtok_r(NULL, ":", &rest))
		answer = query_library(name, version, runtime);
	free(names);
	return answer;
}

ompt_start_tool_result_t *
provide_find_tool(unsigned version, const char *runtime)
{
	const char *wish = getenv("OMP_TOOL");
	if (wish && strcasecmp(wish, "disabled") == 0)
		return NULL;
	provide_start_function start = of_address_space();
	ompt_start_tool_result_t *answer = start ? start(version, runtime) : NULL;
	return answer ? answer : query_listed(version, runtime);
}

static bool
is_any_set(void)
{
	for (int i = 0; i < PROVIDE_EVENTS_N; i++)
		if (i != ext_tool_time && provide_callback(i))
			return true;
	return false;
}

bool
provide_is_idle(void)
{
	return atomic_load_explicit(&phase, memory_order_acquire) == PHASE_IDLE;
}

static enum phase
start_tool(const char *runtime)
{
	const unsigned openmp_5_2 = 202111;
	tool = provide_find_tool(openmp_5_2, runtime);
	if (!tool || !tool->initialize)
		return PHASE_NO_TOOL;
	provide_thread_init();
	if (!tool->initialize(provide_lookup, 0, &tool->tool_data))
		return PHASE_NO_TOOL;
	return is_any_set() ? PHASE_ON : PHASE_IDLE;
}

/* Another thread is starting the tool. It needs the dynamic linker for that, whose lock this thread
 * may hold (a library's constructor that opens a region). So the wait is limited, and happens once
 * per thread; events of this thread before the tool has started are lost. */
static void
wait_for_start(void)
{
	static __thread bool has_waited __attribute__((tls_model("initial-exec")));
	const struct timespec nap = {0, 200000};
	uint64_t begin = wn_now_ns(CLOCK_MONOTONIC);
	while (atomic_load(&phase) == PHASE_STARTING && !has_waited) {
		if (wn_now_ns(CLOCK_MONOTONIC) - begin < WAIT_MAX_NS) {
			nanosleep(&nap, NULL);
			continue;
		}
		has_waited = true;
		atomic_fetch_add(&n_missed, 1);
	}
}

bool
wn_recorder_is_starting(void)
{
	return !is_starting && atomic_load(&phase) == PHASE_STARTING;
}

unsigned
provide_n_missed(void)
{
	return atomic_load(&n_missed);
}

bool
wn_recorder_start(enum wn_source_bit source, const char *runtime)
{
	int expected = PHASE_OFF, saved_errno = errno;
	(void)source;
	if (atomic_load(&phase) == PHASE_OFF &&
	    atomic_compare_exchange_strong(&phase, &expected, PHASE_STARTING)) {
		is_starting = true;
		enum phase now = start_tool(runtime);
		is_starting = false;
		atomic_store_explicit(&phase, (int)now, memory_order_release);
	}
	/* the tool itself may use OpenMP while it starts */
	if (!is_starting)
		wait_for_start();
	errno = saved_errno;
	return atomic_load_explicit(&phase, memory_order_acquire) == PHASE_ON;
}

bool
provide_claim(void)
{
	int expected = PHASE_OFF;
	return atomic_compare_exchange_strong(&phase, &expected, PHASE_NATIVE);
}

void
provide_unclaim(void)
{
	atomic_store(&phase, PHASE_OFF);
}

/* The last events are those of the thread that ends the process; later events of other threads are
 * discarded. */
void
provide_finalize(void)
{
	int on = PHASE_ON, idle = PHASE_IDLE;
	if (!atomic_compare_exchange_strong(&phase, &on, PHASE_OVER) &&
	    !atomic_compare_exchange_strong(&phase, &idle, PHASE_OVER))
		return;
	if (wn_self)
		provide_thread_end(wn_self);
	for (unsigned i = 0; i < PROVIDE_EVENTS_N; i++)
		atomic_store_explicit(&provide_callbacks[i], NULL, memory_order_release);
	if (tool->finalize)
		tool->finalize(&tool->tool_data);
}

__attribute__((destructor)) static void
finalize_at_exit(void)
{
	provide_finalize();
}
