/* SPDX-License-Identifier: MIT */
/* resolve.h - finds the real functions behind wrappers. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next definition of `name` after this library, as the caller at `caller` would find it (pass
 * __builtin_return_address(0)); NULL if there is none. Never returns an address in this library. */
void *wn_resolve(const char *name, const void *caller);

/* Loaded objects by path, read at the first lookup. Zero-initialized before the first lookup, freed
 * after the last. */
struct wn_object_list {
	char *paths;
	size_t bytes;
};

/* The same for several names in order of preference, and for a version, NULL = the default one,
 * since a name may have different meanings in different versions. `list` may be NULL: then only
 * what the caller itself would find. */
void *wn_resolve_listed(struct wn_object_list *list, const char *name, const char *version,
                        const void *caller);
void wn_object_list_free(struct wn_object_list *list);

/* Addresses of the loaded object that contains `address`, from its first segment to its last; 0, 0
 * if there is none. Takes a lock of the dynamic linker. */
struct wn_extent {
	uintptr_t begin, end;
};
struct wn_extent wn_extent_of(const void *address);

/* The definition of `name` in the object that contains `address`, or in what it depends on. */
void *wn_resolve_beside(const void *address, const char *name);

/* Memory for one module of a runtime's callers: the first `n` are elements of `first`, because the
 * program may have no memory left, further ones a mapping each; never given back. NULL if there is
 * no memory. Any thread. */
void *wn_take_module(void *first, size_t size_bytes, unsigned n, _Atomic unsigned *n_taken);

/* Linker symbols for the first byte of this library and the byte after its last. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/* Is this address inside this library? */
static inline bool
wn_is_own(const void *address)
{
	uintptr_t begin = (uintptr_t)__ehdr_start;
	return (uintptr_t)address - begin < (uintptr_t)_end - begin;
}
