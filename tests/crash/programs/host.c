/* SPDX-License-Identifier: MIT */
/* host LIBRARY global|local - opens a library that brings OpenMP, calls it, and closes it. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int
main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	void *library =
	    dlopen(argv[1], RTLD_NOW | (strcmp(argv[2], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL));
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	int (*work)(int);
	*(void **)&work = dlsym(library, "work");
	for (int i = 0; work && i < 4; i++)
		printf("%d\n", work(25));
	return dlclose(library);
}
