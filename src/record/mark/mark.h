/* SPDX-License-Identifier: MIT */
/*
 * mark.h - the source for what a program says through winnow/mark.h: what its files share.
 *
 *   names.c   a text becomes a name, once
 *   mark.c    regions and labels
 *   door.c    the struct that programs find
 */
#ifndef WN_MARK_H
#define WN_MARK_H

#include "record/emit.h"

#include <stdatomic.h>

/* Of a longer name, what comes behind is not kept. */
#define MARK_NAME_BYTES 1000u

/* Names that a process keeps: what readers take, less room for those of instrumented code. */
#define MARK_NAMES_MAX ((1u << 20) - (1u << 16))

struct mark_name;

/* The name of this text; NULL if it is NULL or empty, there is no memory, or there are too many. */
__attribute__((visibility("hidden"))) struct mark_name *mark_name_of(const char *text);

/* From now on new texts get no name. */
__attribute__((visibility("hidden"))) bool mark_names_are_full(void);

/* The name's number, told to the trace when it is new there; 0 for NULL. */
__attribute__((visibility("hidden"))) uint32_t mark_name_number(struct wn_thread *t,
                                                                struct mark_name *n);

/* A named region of the calling thread starts, and ends. Nothing but counted where it is not to be
 * recorded, or where no recording has started: then it begins when one does. */
__attribute__((visibility("hidden"))) void mark_region_begin(struct mark_name *name,
                                                             const void *site);
__attribute__((visibility("hidden"))) void mark_region_end(void);

/* A stream starts for the calling thread: the regions that are open begin there once more. */
__attribute__((visibility("hidden"))) void mark_attached(struct wn_thread *t);

/* The grain that the calling thread runs is called so. */
__attribute__((visibility("hidden"))) void mark_label(struct mark_name *name, const void *site);

#endif /* WN_MARK_H */
