/* SPDX-License-Identifier: MIT */
/*
 * client.c - the client's entry points, and the registration of callbacks.
 *
 * Only entry points that concern data words and registration differ from the runtime's; all others
 * are passed through. An event that only the client wants and that has no region or task data word
 * is registered unchanged.
 */
#include "record/sources/ompt/client.h"
#include "record/sources/ompt/grain.h"

#include <string.h>

_Atomic(ompt_callback_t) client_callbacks[CLIENT_EVENTS_N];

/* The runtime's functions; those of the last runtime if a process has two, as the client itself
 * would keep them. */
static struct {
	ompt_function_lookup_t lookup;
	ompt_set_callback_t set_callback;
	ompt_get_callback_t get_callback;
	ompt_get_parallel_info_t get_parallel_info;
	ompt_get_task_info_t get_task_info;
} runtime;

static ompt_start_tool_result_t *client;
static ompt_set_result_t unset_result; /* the runtime's result for a NULL callback */
static bool is_wanted_here[CLIENT_EVENTS_N];

static bool
is_numbered(ompt_callbacks_t event)
{
	return (unsigned)event > 0 && (unsigned)event < CLIENT_EVENTS_N;
}

static ompt_set_result_t
set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	ompt_callback_t both = is_numbered(event) ? client_both(event) : NULL;

	if (ompt_grain_is_event(event)) /* used by Winnow */
		return ompt_set_error;
	if (!both)
		return runtime.set_callback(event, callback);
	/* release: publishes what the client prepared to the threads that call it */
	atomic_store_explicit(&client_callbacks[event], callback, memory_order_release);
	if (callback)
		return runtime.set_callback(event, both);
	return is_wanted_here[event] ? unset_result : runtime.set_callback(event, NULL);
}

static int
get_callback(ompt_callbacks_t event, ompt_callback_t *callback)
{
	if (ompt_grain_is_event(event))
		return 0;
	if (!is_numbered(event) || !client_both(event))
		return runtime.get_callback(event, callback);
	ompt_callback_t wanted =
	    atomic_load_explicit(&client_callbacks[event], memory_order_acquire);
	ompt_callback_t both;
	if (!wanted || !runtime.get_callback(event, &both))
		return 0;
	*callback = wanted;
	return 1;
}

static void
translate(ompt_data_t **word)
{
	if (word && *word)
		*word = client_word(client_pair_of(*word));
}

static int
get_parallel_info(int ancestor_level, ompt_data_t **parallel, int *team_size)
{
	int answer = runtime.get_parallel_info(ancestor_level, parallel, team_size);
	if (answer == 2)
		translate(parallel);
	return answer;
}

static int
get_task_info(int ancestor_level, int *flags, ompt_data_t **task, ompt_frame_t **frame,
              ompt_data_t **parallel, int *thread_num)
{
	int answer =
	    runtime.get_task_info(ancestor_level, flags, task, frame, parallel, thread_num);
	if (answer == 2) {
		translate(task);
		translate(parallel);
	}
	return answer;
}

static ompt_interface_fn_t
lookup(const char *name)
{
	bool is_grain = strncmp(name, "ompt_grain_", sizeof "ompt_grain_" - 1) == 0;
	ompt_interface_fn_t found = is_grain ? NULL : runtime.lookup(name);

	if (!found)
		return NULL;
	if (strcmp(name, "ompt_set_callback") == 0)
		return (ompt_interface_fn_t)set_callback;
	if (strcmp(name, "ompt_get_callback") == 0)
		return (ompt_interface_fn_t)(void (*)(void))get_callback;
	if (strcmp(name, "ompt_get_parallel_info") == 0)
		return (ompt_interface_fn_t)(void (*)(void))get_parallel_info;
	if (strcmp(name, "ompt_get_task_info") == 0)
		return (ompt_interface_fn_t)(void (*)(void))get_task_info;
	return found;
}

/* Callbacks of a client that then declined. */
static void
forget_callbacks(void)
{
	for (unsigned event = 1; event < CLIENT_EVENTS_N; event++) {
		ompt_callback_t set = NULL;
		atomic_store(&client_callbacks[event], NULL);
		if (runtime.get_callback && runtime.get_callback((ompt_callbacks_t)event, &set) &&
		    set)
			runtime.set_callback((ompt_callbacks_t)event, NULL);
	}
}

bool
client_initialize(ompt_start_tool_result_t *result, ompt_function_lookup_t runtime_lookup,
                  int device)
{
	runtime.lookup = runtime_lookup;
	runtime.set_callback = (ompt_set_callback_t)runtime_lookup("ompt_set_callback");
	runtime.get_callback = (ompt_get_callback_t)runtime_lookup("ompt_get_callback");
	runtime.get_parallel_info =
	    (ompt_get_parallel_info_t)runtime_lookup("ompt_get_parallel_info");
	runtime.get_task_info = (ompt_get_task_info_t)runtime_lookup("ompt_get_task_info");
	unset_result = runtime.set_callback(ompt_callback_thread_begin, NULL);
	if (!result->initialize || !result->initialize(lookup, device, &result->tool_data)) {
		forget_callbacks();
		return false;
	}
	client = result;
	return true;
}

void
client_finalize(void)
{
	if (client && client->finalize)
		client->finalize(&client->tool_data);
}

ompt_callback_t
client_register_own(ompt_callbacks_t event)
{
	is_wanted_here[event] = true;
	return client_both(event);
}
