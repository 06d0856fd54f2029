/* SPDX-License-Identifier: MIT */
/*
 * client.h - the tool that the user has besides Winnow, if there is one.
 *
 * A runtime talks to one tool. Winnow is that one, and hands on what another would have got: the
 * runtime's answers, its entry points, every event it asked for, with data words of its own.
 * Without such a tool none of this is on the way of an event: what is registered then are the
 * callbacks of callbacks.h themselves.
 *
 *   find.c     who else answers ompt_start_tool()
 *   client.c   its entry points, and what is registered for whom
 *   both.c     the callbacks that serve two tools
 *   pairs.c    two data words where the runtime has one
 */
#ifndef WN_OMPT_CLIENT_H
#define WN_OMPT_CLIENT_H

#include "record/sources/ompt/compat.h"
#include "record/sources/ompt/source.h"

/* tool.c: ompt_start_tool() of this library; the exported name may be another's. */
WN_HIDDEN ompt_start_tool_result_t *wn_ompt_start_tool(unsigned int omp_version,
                                                       const char *runtime_version);

/* --- find.c --- */

typedef ompt_start_tool_result_t *(*ompt_start_function)(unsigned int, const char *);

/* How a runtime asked. */
struct client_question {
	unsigned int omp_version;
	const char *runtime_version;
	const void *caller; /* code of the runtime */
};

/* Is this runtime asking whoever is in the address space? Otherwise it opened us as a library of
 * its list. True once for each runtime. */
WN_HIDDEN bool client_is_asked_by_name(const void *caller);
/* What the tool in the address space answers that comes after Winnow, NULL if none. Slow. */
WN_HIDDEN ompt_start_tool_result_t *client_ask_loaded(const struct client_question *question);
/* The same of the libraries that OMP_TOOL_LIBRARIES names, and last of libarcher.so, as libomp
 * does. With is_after only of those named after Winnow. */
WN_HIDDEN ompt_start_tool_result_t *client_ask_listed(const struct client_question *question,
                                                      bool is_after);

/* --- client.c --- */

/* Events are numbered from 1; a younger runtime has a few more than compat.h knows. */
#define CLIENT_EVENTS_N 64

/* What the client wants to be called for each event; NULL = nothing. */
extern _Atomic(ompt_callback_t) client_callbacks[CLIENT_EVENTS_N] WN_HIDDEN;

/* Initializes the client. False when it declines: then it is as if there was none. */
WN_HIDDEN bool client_initialize(ompt_start_tool_result_t *client, ompt_function_lookup_t lookup,
                                 int device);
WN_HIDDEN void client_finalize(void);
/* Winnow is to hear of this event from now on. */
WN_HIDDEN void client_want_own(ompt_callbacks_t event);

/* --- both.c --- */

/* The callback that serves both tools, NULL for an event that the client alone can have. */
WN_HIDDEN ompt_callback_t client_both(ompt_callbacks_t event);

/* --- pairs.c --- */

/* What the runtime's word of a region or task points to while there is a client. */
struct client_pair {
	ompt_data_t own;
	ompt_data_t client;
	struct client_pair *next; /* in a list of free ones */
};

/* The word's pair; made when it has none. NULL only for NULL. */
WN_HIDDEN struct client_pair *client_pair_of(ompt_data_t *word);
/* A new pair, whatever the word holds: its region or task begins. */
WN_HIDDEN struct client_pair *client_pair_begin(ompt_data_t *word);
/* The region or task is over; the word keeps what it has. */
WN_HIDDEN void client_pair_end(ompt_data_t *word);
/* The calling thread ends: others may have what it kept. */
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

#endif /* WN_OMPT_CLIENT_H */
