/* SPDX-License-Identifier: MIT */
/*
 * host LIBRARY global|local [KEPT] - opens a library that brings OpenMP, calls it, and closes it.
 * The library KEPT then stays: where nothing else keeps libgomp, it goes while its threads still
 * wait in it, and the first of them that wakes crashes.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int
main(int argc, char **argv)
{
	if (argc != 3 && argc != 4)
		return 2;
	void *library =
	    dlopen(argv[1], RTLD_NOW | (strcmp(argv[2], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL));
	if (!library || (argc == 4 && !dlopen(argv[3], RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE))) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	int (*work)(int);
	*(void **)&work = dlsym(library, "work");
	for (int i = 0; work && i < 4; i++)
		printf("%d\n", work(25));
	return dlclose(library);
}
