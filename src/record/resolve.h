/* SPDX-License-Identifier: MIT */
/*
 * resolve.h - finding the real functions that wrappers stand before.
 */
#ifndef WN_RECORD_RESOLVE_H
#define WN_RECORD_RESOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next definition of `name` after this library, as the caller at `caller` would find it (pass
 * __builtin_return_address(0)); NULL if there is none. Never returns an address in this library. */
void *wn_resolve(const char *name, const void *caller);

/* What is loaded, by path; read when a look-up first needs it. Zero before the first look-up, freed
 * after the last. */
struct wn_object_list {
	char *paths;
	size_t bytes;
};

/* The same for many names, one after the other; and of a version, NULL = the default one, for names
 * that mean different things in different ones. */
void *wn_resolve_listed(struct wn_object_list *list, const char *name, const char *version,
                        const void *caller);
void wn_object_list_free(struct wn_object_list *list);

/* The linker's marks for the first and one past the last byte of this library. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/* Is this the address of something in this library? */
static inline bool
wn_is_own(const void *address)
{
	uintptr_t begin = (uintptr_t)__ehdr_start;
	return (uintptr_t)address - begin < (uintptr_t)_end - begin;
}

#endif /* WN_RECORD_RESOLVE_H */
