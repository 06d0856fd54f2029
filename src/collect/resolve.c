/* SPDX-License-Identifier: MIT */
/*
 * resolve.c - where the real function is that a wrapper stands before.
 *
 * dlsym(RTLD_NEXT) knows only what was loaded with the program. A runtime opened later and locally
 * (an interpreter's extension module) is found through the library that calls: looking up a name
 * through a library's own handle searches that library and what it needs, and never us.
 */
#include "collect/resolve.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>

/* A runtime without that version has one of another, or none at all: its default. */
static void *
look(void *handle, const char *name, const char *version)
{
	void *found = version ? dlvsym(handle, name, version) : NULL;
	return found ? found : dlsym(handle, name);
}

static void *
find_in(const char *path, const char *name, const char *version)
{
	void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	if (!handle)
		return NULL;
	void *found = look(handle, name, version);
	dlclose(handle);
	return wn_is_own(found) ? NULL : found;
}

struct search {
	const char *name, *version;
	void *found;
};

static int
try_object(struct dl_phdr_info *object, size_t size, void *user)
{
	struct search *search = user;
	(void)size;
	if (!object->dlpi_name || !*object->dlpi_name)
		return 0;
	search->found = find_in(object->dlpi_name, search->name, search->version);
	return search->found != NULL;
}

void *
wn_resolve(const char *name, const void *caller)
{
	return wn_resolve_version(name, NULL, caller);
}

void *
wn_resolve_version(const char *name, const char *version, const void *caller)
{
	int saved_errno = errno;
	Dl_info info;
	void *found = look(RTLD_NEXT, name, version);
	if (wn_is_own(found))
		found = NULL;
	if (!found && caller && !wn_is_own(caller) && dladdr(caller, &info) && info.dli_fname)
		found = find_in(info.dli_fname, name, version);
	if (!found) {
		struct search search = {name, version, NULL};
		dl_iterate_phdr(try_object, &search);
		found = search.found;
	}
	errno = saved_errno;
	return found;
}
