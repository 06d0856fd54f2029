/* SPDX-License-Identifier: MIT */
#include "count/modules.h"

#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static bool
starts_with_any(const char *name, const char *const *starts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(name, starts[i], strlen(starts[i])) == 0)
			return true;
	return false;
}

enum module_kind
module_kind_of(const char *path)
{
	static const char *const runtime[] = {"libgomp.so", "libgomp-",    "libomp.so",
	                                      "libomp5",    "libiomp5.so", "libwinnow-"};
	static const char *const neutral[] = {
	    "libc.so",     "libc-2",       "libm.so",  "libm-2",    "libmvec",  "libpthread",
	    "ld-linux",    "ld-2",         "libdl.so", "libdl-2",   "librt.so", "librt-2",
	    "libgcc_s.so", "libatomic.so", "[vdso]",   "[vsyscall]"};
	const char *name = path;
	for (const char *at = path; *at; at++)
		if (*at == '/')
			name = at + 1;
	return starts_with_any(name, runtime, COUNT(runtime))   ? MODULE_RUNTIME
	       : starts_with_any(name, neutral, COUNT(neutral)) ? MODULE_NEUTRAL
	                                                        : MODULE_USER;
}
