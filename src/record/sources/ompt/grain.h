/* SPDX-License-Identifier: MIT */
/*
 * grain.h - the OMPT extension for grains (winnow/ompt-grain.h, doc/ompt-grain.md), used as a tool.
 * Events that wrappers of this library observe on other runtimes arrive as callbacks instead.
 * Exactly one of the two is the source.
 *
 *   offered by                    used
 *   a provider, on libgomp        always: the program calls no wrapper of ours
 *   a provider, on libomp         where this library is a tool only, and not preloaded
 *   the runtime itself            the same
 */
#pragma once

#include "record/sources/ompt/compat.h"
#include "record/sources/ompt/source.h"
#include "winnow/ompt-grain.h"

struct ompt_grain {
	bool reports_loops;     /* loops and chunks are reported by the extension */
	bool reports_creations; /* tasks are reported by the extension */
	bool reports_all_ends;  /* the end of each creation is reported, in stack order */
	bool is_native;         /* implemented by the runtime, as by the extension's authors */
	bool is_libgomp;        /* the runtime is GCC's */
};
extern struct ompt_grain wn_ompt_grain WN_HIDDEN;

/* Queries the runtime that initializes this tool. */
WN_HIDDEN void ompt_grain_query(ompt_function_lookup_t lookup, bool is_libgomp);
/* Registers the callbacks that are available; false if there are none. */
WN_HIDDEN bool ompt_grain_set(ompt_set_callback_t set);
/* Is this event number part of the extension? */
static inline bool
ompt_grain_is_event(ompt_callbacks_t event)
{
	return (int)event >= ext_callback_loop && (int)event <= ompt_grain_callback_task_created;
}

/* The function of the region, task or loop being reported, NULL if unknown. */
WN_HIDDEN const void *ompt_grain_function(void);

/* Is this work event one of a loop that the extension reports? */
WN_HIDDEN bool ompt_grain_has_work(struct wn_thread *t, ompt_work_t type,
                                   ompt_scope_endpoint_t endpoint);
/* A taskloop begins or ends. */
WN_HIDDEN void ompt_grain_taskloop(struct wn_thread *t, ompt_scope_endpoint_t endpoint,
                                   uint64_t count, const void *codeptr);
/* The calling thread ends. */
WN_HIDDEN void ompt_grain_thread_end(void);
/* A section starts. */
WN_HIDDEN void ompt_grain_section(struct wn_thread *t);
/* The clauses of the creation reported last. */
WN_HIDDEN void ompt_grain_on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int n);
