/* SPDX-License-Identifier: MIT */
/* Links no OpenMP runtime; opens the library named by its argument, which does. */
#include <dlfcn.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*sum)(void) = library ? (int (*)(void))dlsym(library, "library_sum") : NULL;
	if (!sum)
		return 1;
	printf("sum %d\n", sum());
	return 0;
}
