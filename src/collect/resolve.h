/* SPDX-License-Identifier: MIT */
/*
 * resolve.h - finding the real functions that wrappers stand before.
 */
#ifndef WN_COLLECT_RESOLVE_H
#define WN_COLLECT_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>

/* The next definition of `name` after this library, as the caller at `caller` would find it (pass
 * __builtin_return_address(0)); NULL if there is none. Never returns an address in this library. */
void *wn_resolve(const char *name, const void *caller);

/* The same of a version, for names that mean different things in different ones. */
void *wn_resolve_version(const char *name, const char *version, const void *caller);

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

#endif /* WN_COLLECT_RESOLVE_H */
