/* SPDX-License-Identifier: MIT */
/*
 * client.h - the user's own OMPT tool (the client), if there is one.
 *
 * A runtime supports one tool. Winnow registers as that tool and forwards to the client what it
 * would have received: the runtime's answers, its entry points, and every event it registered for,
 * with data words of its own. Without a client this adds no cost: the callbacks of callbacks.h are
 * registered directly.
 *
 *   find.c     finds other definitions of ompt_start_tool()
 *   client.c   entry points of the client, and registration
 *   both.c     callbacks that serve both tools
 *   pairs.c    two data words in place of the runtime's one
 */
#pragma once

#include "record/sources/ompt/compat.h"
#include "record/sources/ompt/source.h"

/* tool.c: ompt_start_tool() of this library; the exported name may resolve to another. */
WN_HIDDEN ompt_start_tool_result_t *wn_ompt_start_tool(unsigned int omp_version,
                                                       const char *runtime_version);

/* --- find.c --- */

typedef ompt_start_tool_result_t *(*ompt_start_function)(unsigned int, const char *);

/* Arguments of the runtime's call. */
struct client_question {
	unsigned int omp_version;
	const char *runtime_version;
	const void *caller; /* return address in the runtime */
};

/* Is this runtime calling the definition in the address space? Otherwise it opened us as a library
 * of its list. True once for each runtime. */
WN_HIDDEN bool client_is_found_by_name(const void *caller);
/* Result of the tool in the address space that comes after Winnow, NULL if none. Slow. */
WN_HIDDEN ompt_start_tool_result_t *client_find_loaded(const struct client_question *question);
/* The same for the libraries that OMP_TOOL_LIBRARIES names, and last for libarcher.so, in libomp's
 * order. With is_after only those named after Winnow. */
WN_HIDDEN ompt_start_tool_result_t *client_find_listed(const struct client_question *question,
                                                       bool is_after);

/* --- client.c --- */

/* Events are numbered from 1; newer runtimes have a few more than compat.h lists. */
#define CLIENT_EVENTS_N 64

/* The client's callback for each event; NULL = none. */
extern _Atomic(ompt_callback_t) client_callbacks[CLIENT_EVENTS_N] WN_HIDDEN;

/* Initializes the client. False if it declines: then there is no client. */
WN_HIDDEN bool client_initialize(ompt_start_tool_result_t *client, ompt_function_lookup_t lookup,
                                 int device);
WN_HIDDEN void client_finalize(void);
/* The callback to register for this event, which Winnow needs. */
WN_HIDDEN ompt_callback_t client_register_own(ompt_callbacks_t event);

/* --- both.c --- */

/* The callback that serves both tools, NULL for an event that only the client can have. */
WN_HIDDEN ompt_callback_t client_both(ompt_callbacks_t event);

/* --- pairs.c --- */

/* With a client, the runtime's data word of a region or task points to this. */
struct client_pair {
	ompt_data_t own;
	ompt_data_t client;
	struct client_pair *next; /* in a list of free pairs */
};

/* The word's pair, created if it has none. NULL only for NULL. */
WN_HIDDEN struct client_pair *client_pair_of(ompt_data_t *word);
/* A new pair, whatever the word contains: its region or task begins. */
WN_HIDDEN struct client_pair *client_pair_begin(ompt_data_t *word);
/* The region or task is over: frees the pair, and leaves the word unchanged. */
WN_HIDDEN void client_pair_end(ompt_data_t *word);
/* The calling thread ends: releases its free pairs to other threads. */
WN_HIDDEN void client_pairs_hand_back(void);

static inline ompt_data_t *
own_word(struct client_pair *pair)
{
	return pair ? &pair->own : NULL;
}

static inline ompt_data_t *
client_word(struct client_pair *pair)
{
	return pair ? &pair->client : NULL;
}
