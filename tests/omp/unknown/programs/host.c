/* SPDX-License-Identifier: MIT */
/* Calls the libraries that it opens, one after the other, or with LINKED one that it links. */
#include <dlfcn.h>
#include <stdio.h>

#ifdef LINKED
int work(int n);
#endif

int
main(int argc, char **argv)
{
#ifdef LINKED
	printf("%d\n", work(10));
#endif
	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		int (*call)(int) = library ? (int (*)(int))dlsym(library, "work") : NULL;
		if (!call) {
			puts(dlerror());
			return 2;
		}
		printf("%d\n", call(10));
	}
	return 0;
}
