/* SPDX-License-Identifier: MIT */
/*
 * resolve.c - finds the real function behind a wrapper.
 *
 * dlsym(RTLD_NEXT) only knows objects loaded with the program. A runtime opened later and locally
 * (an interpreter's extension module) is found through the calling library: a lookup through a
 * library's own handle searches that library and its dependencies, but not this library.
 */
#include "record/resolve.h"
#include "base/map.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

/* A runtime without that version has another one, or none: uses its default. */
static void *
look(void *handle, const char *name, const char *version)
{
	void *found = version ? dlvsym(handle, name, version) : NULL;
	return found ? found : dlsym(handle, name);
}

/* Is this address in the recorder or the provider? Neither may take the other for a runtime. Both
 * are recognised by the plug-ins' entry point, which only they define. */
static bool
is_winnow(void *found)
{
	Dl_info info, other;
	if (!found || wn_is_own(found))
		return found != NULL;
	void *handle = dladdr(found, &info) && info.dli_fname
	                   ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
	                   : NULL;
	void *entry = handle ? dlsym(handle, "winnow_static_begin") : NULL;
	bool is_there = entry && dladdr(entry, &other) && other.dli_fbase == info.dli_fbase;
	if (handle)
		dlclose(handle);
	return is_there;
}

static void *
find_in(const char *path, const char *name, const char *version)
{
	void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	if (!handle)
		return NULL;
	void *found = look(handle, name, version);
	dlclose(handle);
	return is_winnow(found) ? NULL : found;
}

/* Paths of all objects, concatenated, as far as they fit. The objects are opened after the walk,
 * because during it the linker holds a lock that dlopen in another thread waits for. */
struct paths {
	char *text;
	size_t capacity, used;
};

static int
add_path(struct dl_phdr_info *object, size_t size, void *user)
{
	struct paths *paths = user;
	(void)size;
	if (!object->dlpi_name || !*object->dlpi_name)
		return 0;
	size_t length = strlen(object->dlpi_name) + 1;
	if (paths->used + length <= paths->capacity)
		memcpy(paths->text + paths->used, object->dlpi_name, length);
	paths->used += length;
	return 0;
}

/* Of all objects loaded now. */
static bool
read_list(struct wn_object_list *list)
{
	struct paths paths = {NULL, 0, 0};
	dl_iterate_phdr(add_path, &paths);
	size_t capacity = paths.used + 65536; /* for objects loaded meanwhile */
	paths.text = wn_map(capacity, 0);
	if (!paths.text)
		return false;
	paths.capacity = capacity;
	paths.used = 0;
	dl_iterate_phdr(add_path, &paths);
	*list = (struct wn_object_list){paths.text, capacity};
	return true;
}

struct extent_search {
	uintptr_t address;
	struct wn_extent found;
};

static int
match_object(struct dl_phdr_info *object, size_t size, void *user)
{
	struct extent_search *search = user;
	uintptr_t begin = UINTPTR_MAX, end = 0;
	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];
		if (p->p_type != PT_LOAD)
			continue;
		uintptr_t first = object->dlpi_addr + p->p_vaddr;
		begin = first < begin ? first : begin;
		end = first + p->p_memsz > end ? first + p->p_memsz : end;
	}
	if (search->address < begin || search->address >= end)
		return 0;
	search->found = (struct wn_extent){begin, end};
	return 1;
}

struct wn_extent
wn_extent_of(const void *address)
{
	struct extent_search search = {(uintptr_t)address, {0, 0}};
	dl_iterate_phdr(match_object, &search);
	return search.found;
}

void *
wn_resolve_beside(const void *address, const char *name)
{
	Dl_info info;
	if (!dladdr(address, &info) || !info.dli_fname)
		return NULL;
	return find_in(info.dli_fname, name, NULL);
}

static void *
find_anywhere(struct wn_object_list *list, const char *name, const char *version)
{
	void *found = NULL;
	if (!list->paths && !read_list(list))
		return NULL;
	const char *end = list->paths + list->bytes;
	for (const char *path = list->paths; !found && path < end && *path;
	     path += strlen(path) + 1)
		found = find_in(path, name, version);
	return found;
}

void *
wn_resolve_listed(struct wn_object_list *list, const char *name, const char *version,
                  const void *caller)
{
	int saved_errno = errno;
	Dl_info info;
	void *found = look(RTLD_NEXT, name, version);
	if (wn_is_own(found))
		found = NULL;
	if (!found && caller && !wn_is_own(caller) && dladdr(caller, &info) && info.dli_fname)
		found = find_in(info.dli_fname, name, version);
	if (!found && list)
		found = find_anywhere(list, name, version);
	errno = saved_errno;
	return found;
}

void
wn_object_list_free(struct wn_object_list *list)
{
	int saved_errno = errno;
	if (list->paths)
		munmap(list->paths, list->bytes);
	list->paths = NULL;
	errno = saved_errno;
}

void *
wn_resolve(const char *name, const void *caller)
{
	struct wn_object_list list = {NULL, 0};
	void *found = wn_resolve_listed(&list, name, NULL, caller);
	wn_object_list_free(&list);
	return found;
}

void *
wn_take_module(void *first, size_t size_bytes, unsigned n, _Atomic unsigned *n_taken)
{
	unsigned i = atomic_load_explicit(n_taken, memory_order_relaxed);
	while (i < n)
		if (atomic_compare_exchange_weak_explicit(n_taken, &i, i + 1, memory_order_relaxed,
		                                          memory_order_relaxed))
			return (char *)first + i * size_bytes;
	return wn_map(size_bytes, 0);
}
