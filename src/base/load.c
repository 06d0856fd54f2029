/* SPDX-License-Identifier: MIT */
#include "base/load.h"

#include "base/error.h"

#include <dlfcn.h>
#include <string.h>

wn_status
wn_load(const struct wn_load_library *library, void *functions, void **handle, wn_err *err)
{
	const struct wn_load_function *f = library->functions;
	/* It is never unmapped: threads of its own may still run, as OpenBLAS's do. */
	void *opened = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!opened)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET,
		               "%s (%s) is not there; on Debian: apt-get install %s", library->name,
		               library->file, library->package);
	while (f->name && dlsym(opened, f->name))
		f++;
	if (f->name) {
		dlclose(opened);
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET,
		               "%s has no %s; on Debian: apt-get install %s", library->file,
		               f->name, library->package);
	}
	for (f = library->functions; f->name; f++) {
		void *found = dlsym(opened, f->name);
		memcpy((char *)functions + f->offset, &found, sizeof found);
	}
	*handle = opened;
	return WN_OK;
}

void
wn_unload(void *handle)
{
	if (handle)
		dlclose(handle);
}
