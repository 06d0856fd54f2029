/* SPDX-License-Identifier: MIT */
/* Opens OpenMP libraries late and privately, and calls them from several threads at once. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *
run(void *library)
{
	int (*fn)(void) = (int (*)(void))dlsym(library, "run_library");
	for (int i = 0; i < 100; i++)
		if (!fn || !fn())
			exit(1);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t thread[16];
	for (int i = 1; i < argc && i < 16; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		if (!library) {
			puts(dlerror());
			return 2;
		}
		run(library);
		pthread_create(&thread[i], NULL, run, library);
	}
	for (int i = 1; i < argc && i < 16; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
