/* SPDX-License-Identifier: MIT */
/* Libraries that are loaded when they are needed. */
#include "base/load.h"
#include "tap.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

struct functions {
	double (*cosine)(double);
	double (*unknown)(double);
};

static wn_status
load(const char *file, const char *second, struct functions *f, void **handle, wn_err *err)
{
	const struct wn_load_function functions[] = {
	    {"cos", offsetof(struct functions, cosine)},
	    {second, offsetof(struct functions, unknown)},
	    {NULL, 0},
	};
	const struct wn_load_library library = {"the thing", file, "libthing1", functions};
	return wn_load(&library, f, handle, err);
}

int
main(void)
{
	struct functions f = {NULL, NULL};
	void *handle = NULL;
	wn_err err = {0};
	ok(load("libm.so.6", NULL, &f, &handle, &err) == WN_OK && handle, "a library is loaded");
	ok(f.cosine && f.cosine(0.0) == 1.0 && !f.unknown, "its function is found and runs");
	wn_unload(handle);

	/* not used by anything else here */
	const struct wn_load_function resolver[] = {{"ns_initparse", 0}, {NULL, 0}};
	const struct wn_load_library other = {"the resolver", "libresolv.so.2", "libc6", resolver};
	void *function = NULL;
	ok(!dlopen(other.file, RTLD_LAZY | RTLD_NOLOAD) &&
	       wn_load(&other, &function, &handle, &err) == WN_OK,
	   "another library is loaded");
	wn_unload(handle);
	ok(dlopen(other.file, RTLD_LAZY | RTLD_NOLOAD) != NULL,
	   "and stays in memory, since threads of its own may still run");

	f = (struct functions){NULL, NULL};
	handle = NULL;
	ok(load("libm.so.6", "cos_of_nothing", &f, &handle, &err) == WN_E_IO && !handle &&
	       !f.cosine,
	   "a library without one of the functions is rejected, and nothing is written");
	ok(strstr(err.msg, "libm.so.6 has no cos_of_nothing") && strstr(err.msg, "libthing1"),
	   "the message names the function and the package");

	ok(load("libthing.so.1", NULL, &f, &handle, &err) == WN_E_IO && !handle,
	   "a library that is not there is an error");
	ok(strcmp(err.msg, "the thing (libthing.so.1) is not there; on Debian: apt-get install "
	                   "libthing1") == 0,
	   "the message names the library, its file and the package");
	wn_unload(NULL);
	return done();
}
