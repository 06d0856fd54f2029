/* SPDX-License-Identifier: MIT */
/*
 * tool.c - the OMPT tool: ompt_start_tool() and the registration of callbacks.
 *
 * If nothing can be recorded, the next tool's result is returned, so that the program runs as
 * without Winnow. A user's own tool is served too (client.h). Only needed callbacks are registered,
 * because each one costs the runtime time. The dependences callback is not: with it libomp copies
 * every depend clause, and writes those of mutexinoutset of an undeferred task beyond the end of
 * the copy, which crashes the program. The wrappers read dependences instead.
 */
#include "record/sources/ompt/callbacks.h"
#include "record/sources/ompt/client.h"
#include "record/sources/ompt/grain.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wn_ompt_is_on;
bool wn_ompt_has_assertions;
bool wn_ompt_is_over;
_Atomic(wn_function) wn_ompt_at_end;
bool wn_ompt_has_client;
static _Atomic unsigned n_runtimes;         /* started and not ended */
static char runtime_name[WN_RUNTIME_BYTES]; /* of the first runtime */
static bool is_libgomp;                     /* the recorded runtime's provider is for libgomp */

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

/* Runtimes that called ompt_start_tool(). Two threads may start two runtimes at the same time. */
#define RUNTIMES_MAX 8u
static struct runtime {
	ompt_start_tool_result_t result;  /* first: with its address a runtime is identified */
	ompt_start_tool_result_t *client; /* result of the user's own tool */
	bool is_libgomp;
	_Atomic(ompt_set_callback_t) set_callback; /* NULL until it has started */
} runtimes[RUNTIMES_MAX];
static _Atomic unsigned n_taken;

static void
watch(ompt_set_callback_t set_callback, ompt_callbacks_t event, ompt_callback_t callback)
{
	set_callback(event, wn_ompt_has_client ? client_register_own(event) : callback);
}

/* Only taskgroups need this callback, which would slow down every wait. A thread's own group begins
 * before its wait, so registering it then is early enough. */
static atomic_bool is_watching_waits;

static void
watch_waits_of(ompt_set_callback_t set_callback)
{
	watch(set_callback, ompt_callback_sync_region_wait,
	      (ompt_callback_t)(void (*)(void))ompt_on_sync_region_wait);
}

void
wn_ompt_watch_waits(void)
{
	/* relaxed: setting the same callback twice is harmless */
	if (WN_LIKELY(atomic_load_explicit(&is_watching_waits, memory_order_relaxed)))
		return;
	/* a runtime that starts meanwhile sees the flag, or is seen here */
	atomic_store(&is_watching_waits, true);
	for (unsigned i = 0; i < RUNTIMES_MAX; i++) {
		ompt_set_callback_t set_callback = atomic_load(&runtimes[i].set_callback);
		if (set_callback)
			watch_waits_of(set_callback);
	}
}

/* Address range of libomp.so.5, libiomp5.so, or libgomp.so.1 if libomp replaces it. A runtime
 * linked into the program or one of its libraries shares a segment with user code: then addresses
 * are not distinguished. */
static bool
is_runtime_library(const char *path)
{
	const char *slash = strrchr(path, '/');
	return strstr(path, ".so") && strstr(slash ? slash : path, "omp");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool);
static void finalize(ompt_data_t *tool);

static void
find_ranges(const void *runtime, const char *path)
{
	if (wn_ompt_own_range.size == 0)
		wn_ompt_own_range = ompt_range_of((const void *)(uintptr_t)&initialize);
	if (is_runtime_library(path))
		wn_ompt_runtime_range_add(ompt_range_of(runtime));
}

/* Only then do this library's wrappers precede the runtimes. */
static bool
is_preloaded(void)
{
	/* not RTLD_DEFAULT, which also searches where this library was opened */
	void *program = dlopen(NULL, RTLD_LAZY);
	bool is_first = program && wn_is_own(dlsym(program, "winnow_marks_1"));
	if (program)
		dlclose(program);
	return is_first;
}

/* Do wrappers of this library precede the runtime of this source? */
static bool
is_wrapping(void)
{
	return !is_libgomp && is_preloaded();
}

/* With a provider, its code is on the call path instead of this library's. */
static void
find_provider_ranges(ompt_function_lookup_t lookup)
{
	wn_ompt_own_range = ompt_range_of((const void *)(uintptr_t)lookup);
	/* in place of the provider's, which called */
	atomic_store(&wn_ompt_n_runtime_ranges, 0);
	wn_ompt_runtime_range = (struct source_range){0, 0};
	wn_ompt_runtime_range_add(
	    ompt_range_of((const void *)(uintptr_t)lookup("ompt_get_proc_id")));
}

/* Is the extension for grains offered, and needed here? */
static bool
use_grain(ompt_set_callback_t set_callback, ompt_function_lookup_t lookup)
{
	if (is_wrapping())
		return false;
	ompt_grain_query(lookup, is_libgomp);
	if (!ompt_grain_set(set_callback)) {
		wn_ompt_grain = (struct ompt_grain){0};
		return false;
	}
	if (!wn_ompt_grain.is_native)
		find_provider_ranges(lookup);
	return wn_recorder_start(WN_SOURCE_OMPT_GRAIN, runtime_name);
}

/* The standard's event for a creation duplicates the extension's. */
static bool
is_needed(ompt_callbacks_t event)
{
	return event != ompt_callback_task_create || !wn_ompt_grain.reports_creations ||
	       wn_ompt_has_client;
}

static void
watch_all(ompt_set_callback_t set_callback)
{
	for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; i++)
		if (is_needed(callbacks[i].event))
			watch(set_callback, callbacks[i].event, callbacks[i].callback);
	if (wn_ompt_grain.is_libgomp) /* whose dependence lists are complete */
		watch(set_callback, ompt_callback_dependences,
		      (ompt_callback_t)(void (*)(void))ompt_grain_on_dependences);
}

static bool is_watching_exit, is_exiting;

static void
note_exit(void)
{
	is_exiting = true;
}

/* If one runtime of the process has the extension, only one runtime is served: a callback
 * identifies its event, but not its runtime. */
static int
initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool)
{
	static _Atomic bool has_grain, is_second;
	struct runtime *r =
	    (struct runtime *)((char *)tool - offsetof(struct runtime, result.tool_data));
	ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	if (has_grain || !set_callback)
		return 0;
	wn_ompt_has_client = r->client && client_initialize(r->client, lookup, device);
	if (!atomic_exchange(&is_second, true)) {
		is_libgomp = r->is_libgomp;
		has_grain = use_grain(set_callback, lookup);
	}
	if (!has_grain && wn_source_is_grain())
		return wn_ompt_has_client;
	watch_all(set_callback);
	atomic_store(&r->set_callback, set_callback);
	if (atomic_load(&is_watching_waits))
		watch_waits_of(set_callback);
	/* a runtime's own handler was registered earlier, so it runs later */
	if (!is_watching_exit)
		is_watching_exit = atexit(note_exit) == 0;
	n_runtimes++;
	wn_ompt_is_over = false;
	wn_ompt_is_on = true;
	return 1;
}

/* Runs not only at the end of the process: omp_pause_resource_all(omp_pause_hard) shuts libomp
 * down. It restarts with the next construct, and does not look for a tool again. Then only wrappers
 * observe the program: they write no events that lack the runtime's part, and count constructs.
 * While another runtime is on, they cannot count: then the time since when some are missing is
 * recorded.
 */
static void
finalize(ompt_data_t *tool)
{
	struct runtime *r =
	    (struct runtime *)((char *)tool - offsetof(struct runtime, result.tool_data));
	atomic_store(&r->set_callback, NULL);
	if (wn_ompt_has_client)
		client_finalize();
	wn_recorder_runtime_ended(is_watching_exit && !is_exiting &&
	                          (n_runtimes > 1 || !is_wrapping()));
	if (atomic_load(&n_runtimes) > 0 && atomic_fetch_sub(&n_runtimes, 1) > 1)
		return;
	wn_ompt_is_on = false;
	wn_ompt_is_over = true;
	wn_function at_end = atomic_load(&wn_ompt_at_end);
	if (at_end)
		at_end();
}

void
wn_ompt_unseen(enum wn_unseen what)
{
	if (wn_ompt_is_over && wn_n_muted == 0)
		wn_recorder_unseen(what, WN_SOURCE_OMPT, runtime_name);
}

/* A libomp built with KMP_DEBUG exports its debug switches. Its checks at every call make chunks
 * several times slower, which the trace notes for readers of the times. */
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

static const char *
path_of(const void *code)
{
	Dl_info info;
	return code && dladdr(code, &info) && info.dli_fname ? info.dli_fname : "?";
}

static bool
defines(const char *path, const char *name)
{
	void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	const void *symbol = handle ? dlsym(handle, name) : NULL; /* or a dependency's */
	if (handle)
		dlclose(handle);
	return symbol && strcmp(path_of(symbol), path) == 0;
}

/* A libgomp that looks for a tool itself, as none does yet (libomp has both interfaces, a provider
 * an entry point for the plug-ins). Its wrappers record it, and OMPT would record it once more. */
static bool
is_wrapped_libgomp(const char *path)
{
	return defines(path, "GOMP_parallel") && !defines(path, "__kmpc_fork_call") &&
	       !defines(path, "winnow_static_begin") && is_preloaded() &&
	       wn_source_is_wanted(WN_SOURCE_LIBGOMP);
}

/* Range of the runtime's code: the caller's; with a provider, which is recognised by an entry point
 * for the plug-ins, that behind it. */
static const char *
runtime_path(const void *caller)
{
	const char *path = path_of(caller);
	void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	bool is_provider = handle && dlsym(handle, "winnow_static_begin");
	if (handle)
		dlclose(handle);
	/* a provider precedes it, and lacks this one */
	const void *entry = is_provider ? dlsym(RTLD_DEFAULT, "__kmpc_end") : NULL;
	return entry && !wn_is_own(entry) ? path_of(entry) : path;
}

/* The first runtime's name stays: a forked child's trace has it. */
static void
keep_name(const char *name)
{
	static atomic_flag is_kept = ATOMIC_FLAG_INIT;
	if (!atomic_flag_test_and_set(&is_kept))
		memcpy(runtime_name, name, sizeof runtime_name);
}

/* Starts the recorder for this runtime. NULL if it cannot be recorded. */
static struct runtime *
start(const struct client_question *question)
{
	static const char gcc_runtime[] = "libgomp ";
	const char *version = question->runtime_version ? question->runtime_version : "";
	const char *path = runtime_path(question->caller);
	if (is_wrapped_libgomp(path))
		return NULL;
	bool is_gcc = strncmp(version, gcc_runtime, sizeof gcc_runtime - 1) == 0;
	char name[sizeof runtime_name];
	wn_ompt_has_assertions |= !is_gcc && has_assertions(path);
	if (is_gcc)
		snprintf(name, sizeof name, "%s", version);
	else
		snprintf(name, sizeof name, "libomp %s%s",
		         has_assertions(path) ? "[assertions] " : "", path);
	keep_name(name);
	if (!wn_recorder_start(WN_SOURCE_OMPT, name))
		return NULL;
	wn_recorder_runtime(name);
	find_ranges(question->caller, path);
	unsigned i = atomic_fetch_add(&n_taken, 1);
	if (i >= RUNTIMES_MAX)
		return NULL;
	runtimes[i].result = (ompt_start_tool_result_t){initialize, finalize, {0}};
	runtimes[i].is_libgomp = is_gcc;
	return &runtimes[i];
}

/* A forked child starts without a trace, and its runtime does not look for a tool again. */
struct wn_thread *
wn_ompt_attach(void)
{
	if (!wn_recorder_start(WN_SOURCE_OMPT, runtime_name))
		return NULL;
	if (wn_ompt_grain.reports_loops || wn_ompt_grain.reports_creations)
		wn_recorder_start(WN_SOURCE_OMPT_GRAIN, runtime_name);
	return wn_thread_attach();
}

/* libomp calls us twice if the first result was NULL: by name, and as a library of its list. */
ompt_start_tool_result_t *
wn_ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static __thread bool is_asking __attribute__((tls_model("initial-exec")));
	struct client_question question = {omp_version, runtime_version,
	                                   __builtin_return_address(0)};

	if (is_asking) /* called by another tool that we called */
		return NULL;
	is_asking = true;
	bool is_first = client_is_found_by_name(question.caller);
	ompt_start_tool_result_t *client = is_first ? client_find_loaded(&question) : NULL;
	struct runtime *r = start(&question);
	if (r && !client)
		client = client_find_listed(&question, !is_first);
	is_asking = false;
	if (!r)
		return client;
	r->client = client;
	return &r->result;
}
