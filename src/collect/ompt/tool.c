/* SPDX-License-Identifier: MIT */
/*
 * tool.c - the door: a runtime with OMPT calls ompt_start_tool(), and is told which callbacks.
 *
 * When nothing can be recorded the answer is that of whoever comes next, so that the program runs
 * as without us. A tool that the user has besides Winnow is served too (client.h). Only what is
 * used is registered; each callback registered costs the runtime something. Dependences are not:
 * for a tool that asks for them libomp copies every depend clause, those of mutexinoutset of an
 * undeferred task beyond the end of the copy, and the program crashes. The wrappers read them.
 */
#include "ompt/callbacks.h"
#include "ompt/client.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

bool wn_ompt_is_on;
bool wn_ompt_has_client;
static char runtime_name[512];

__attribute__((visibility("default"), alias("wn_ompt_start_tool"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned int omp_version, const char *runtime_version);

static const struct {
	ompt_callbacks_t event;
	ompt_callback_t callback;
} callbacks[] = {
    {ompt_callback_parallel_begin, (ompt_callback_t)(void (*)(void))ompt_on_parallel_begin},
    {ompt_callback_parallel_end, (ompt_callback_t)(void (*)(void))ompt_on_parallel_end},
    {ompt_callback_implicit_task, (ompt_callback_t)(void (*)(void))ompt_on_implicit_task},
    {ompt_callback_thread_end, (ompt_callback_t)(void (*)(void))ompt_on_thread_end},
    {ompt_callback_task_create, (ompt_callback_t)(void (*)(void))ompt_on_task_create},
    {ompt_callback_task_schedule, (ompt_callback_t)(void (*)(void))ompt_on_task_schedule},
    {ompt_callback_sync_region, (ompt_callback_t)(void (*)(void))ompt_on_sync_region},
    {ompt_callback_work, (ompt_callback_t)(void (*)(void))ompt_on_work},
    {ompt_callback_dispatch, (ompt_callback_t)(void (*)(void))ompt_on_dispatch},
    {ompt_callback_masked, (ompt_callback_t)(void (*)(void))ompt_on_masked},
    {ompt_callback_reduction, (ompt_callback_t)(void (*)(void))ompt_on_reduction},
    {ompt_callback_mutex_acquire, (ompt_callback_t)(void (*)(void))ompt_on_mutex_acquire},
    {ompt_callback_mutex_acquired, (ompt_callback_t)(void (*)(void))ompt_on_mutex_acquired},
    {ompt_callback_mutex_released, (ompt_callback_t)(void (*)(void))ompt_on_mutex_released},
    {ompt_callback_control_tool, (ompt_callback_t)(void (*)(void))ompt_on_control_tool},
    {ompt_callback_cancel, (ompt_callback_t)(void (*)(void))ompt_on_cancel},
};

static ompt_set_callback_t set_callback;
static ompt_start_tool_result_t *client; /* the answer of the user's own tool */

static void
watch(ompt_callbacks_t event, ompt_callback_t callback)
{
	if (wn_ompt_has_client)
		client_want_own(event);
	else
		set_callback(event, callback);
}

/* Only taskgroups need this callback, which every wait would pay for. A thread's own group begins
 * before its wait, so that it is never too late. */
void
wn_ompt_watch_waits(void)
{
	static atomic_bool is_watching;

	/* relaxed: setting the same callback twice is harmless */
	if (WN_LIKELY(atomic_load_explicit(&is_watching, memory_order_relaxed)))
		return;
	watch(ompt_callback_sync_region_wait,
	      (ompt_callback_t)(void (*)(void))ompt_on_sync_region_wait);
	atomic_store_explicit(&is_watching, true, memory_order_relaxed);
}

/* libomp.so.5, libiomp5.so, or libgomp.so.1 when libomp stands in for it. A runtime linked into the
 * program or one of its libraries shares a segment with user code: then no address is told apart.
 */
static bool
is_runtime_library(const char *path)
{
	const char *slash = strrchr(path, '/');
	return strstr(path, ".so") && strstr(slash ? slash : path, "omp");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool);

static void
find_ranges(const void *runtime, const char *path)
{
	if (wn_ompt_own_range.size == 0)
		wn_ompt_own_range = ompt_range_of((const void *)(uintptr_t)&initialize);
	if (wn_ompt_runtime_range.size == 0 && is_runtime_library(path))
		wn_ompt_runtime_range = ompt_range_of(runtime);
}

static int
initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool)
{
	set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	(void)tool;
	if (!set_callback)
		return 0;
	wn_ompt_has_client = client && client_initialize(client, lookup, device);
	for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; i++)
		watch(callbacks[i].event, callbacks[i].callback);
	wn_ompt_is_on = true;
	return 1;
}

static void
finalize(ompt_data_t *tool)
{
	(void)tool;
	if (wn_ompt_has_client)
		client_finalize();
	wn_recorder_finish();
}

/* A libomp built with KMP_DEBUG exports its debug switches. It checks itself at every call, which
 * makes chunks cost many times more: whoever reads the times has to know. */
static bool
has_assertions(const char *path)
{
	void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	if (!handle)
		return false;
	bool is_found = dlsym(handle, "kmp_a_debug") != NULL;
	dlclose(handle);
	return is_found;
}

static bool
start(const void *caller)
{
	Dl_info info;

	const char *path = dladdr(caller, &info) && info.dli_fname ? info.dli_fname : "?";
	snprintf(runtime_name, sizeof runtime_name, "libomp %s%s",
	         has_assertions(path) ? "[assertions] " : "", path);
	if (!wn_recorder_start(WN_SOURCE_OMPT, runtime_name))
		return false;
	find_ranges(caller, path);
	return true;
}

/* A forked child starts without a trace, and its runtime does not ask for a tool again. */
struct wn_thread *
wn_ompt_attach(void)
{
	return wn_recorder_start(WN_SOURCE_OMPT, runtime_name) ? wn_thread_attach() : NULL;
}

/* libomp asks us twice when the first answer was NULL: by name, and as a library of its list. */
ompt_start_tool_result_t *
wn_ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};
	static bool is_asking;
	struct client_question question = {omp_version, runtime_version,
	                                   __builtin_return_address(0)};

	if (is_asking) /* by another tool that we asked */
		return NULL;
	is_asking = true;
	bool is_first = client_is_asked_by_name(question.caller);
	client = is_first ? client_ask_loaded(&question) : NULL;
	bool is_on = start(question.caller);
	if (is_on && !client)
		client = client_ask_listed(&question, !is_first);
	is_asking = false;
	return is_on ? &result : client;
}
