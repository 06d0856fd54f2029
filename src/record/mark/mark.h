/* SPDX-License-Identifier: MIT */
/*
 * mark.h - the source for annotations through winnow/mark.h: declarations shared by its files.
 *
 *   mark_names.c   table of names
 *   mark.c         regions and labels
 *   mark_table.c   function table for programs
 */
#pragma once

#include "record/emit.h"

/* Longer names are truncated. */
#define MARK_NAME_BYTES 1000u

/* Maximum number of names per process: the reader's limit, less room for those of instrumented
 * code. */
#define MARK_NAMES_MAX ((1u << 20) - (1u << 16))

struct mark_name;

/* The name with this text; NULL if the text is NULL or empty, memory is exhausted, or there are too
 * many. */
__attribute__((visibility("hidden"))) struct mark_name *mark_name_of(const char *text);

/* From now on new texts get no name. */
__attribute__((visibility("hidden"))) bool mark_names_are_full(void);

/* The name's number, recorded in the trace when it is new there; 0 for NULL. */
__attribute__((visibility("hidden"))) uint32_t mark_name_number(struct wn_thread *t,
                                                                struct mark_name *n);

/* Begins and ends a named region of the calling thread. Only counted if recording is paused or has
 * not started: then it begins when recording does. */
__attribute__((visibility("hidden"))) void mark_region_begin(struct mark_name *name,
                                                             const void *site);
__attribute__((visibility("hidden"))) void mark_region_end(void);

/* A stream starts for the calling thread: begins its open regions there again. */
__attribute__((visibility("hidden"))) void mark_attached(struct wn_thread *t);

/* Labels the grain that the calling thread runs. */
__attribute__((visibility("hidden"))) void mark_label(struct mark_name *name, const void *site);
