/* SPDX-License-Identifier: MIT */
/* Opens argv[1], a library that uses MPI, locally, as an interpreter opens an extension module. */
#include <dlfcn.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	void *handle = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*run)(void) = handle ? (int (*)(void))dlsym(handle, "run") : NULL;
	if (!run) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	return run();
}
