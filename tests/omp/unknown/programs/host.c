/* SPDX-License-Identifier: MIT */
/*
 * Calls the libraries that it opens, one after the other, or with LINKED one that it links.
 *
 *   --nest A B    the threads of a region of A call B
 *   --last A B    regions opened by tail calls, of A, B, A, B
 *   --both A B    two threads call A and B, 20 times each, at once
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*work_function)(int);

#ifdef LINKED
int work(int n);
#endif

static void *
find(const char *path, const char *name)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void *found = library ? dlsym(library, name) : NULL;
	if (!found) {
		puts(dlerror());
		exit(2);
	}
	return found;
}

static void *
call_often(void *function)
{
	long sum = 0;
	for (int i = 0; i < 20; i++)
		sum += ((work_function)function)(10);
	return (void *)sum;
}

static int
call_two(const char *how, char **path)
{
	work_function work[2];
	void (*last[2])(void);
	for (int i = 0; i < 2; i++) {
		work[i] = (work_function)find(path[i], "work");
		last[i] = (void (*)(void))find(path[i], "work_last");
	}
	if (strcmp(how, "--nest") == 0) {
		int (*nest)(work_function) = (int (*)(work_function))find(path[0], "nest");
		printf("%d\n", nest(work[1]));
	} else if (strcmp(how, "--last") == 0) {
		for (int i = 0; i < 4; i++)
			last[i % 2]();
	} else {
		pthread_t other;
		void *sum = NULL;
		pthread_create(&other, NULL, call_often, (void *)work[1]);
		printf("%ld\n", (long)call_often((void *)work[0]));
		pthread_join(other, &sum);
		printf("%ld\n", (long)sum);
	}
	return 0;
}

int
main(int argc, char **argv)
{
#ifdef LINKED
	printf("%d\n", work(10));
#endif
	if (argc == 4 && strncmp(argv[1], "--", 2) == 0)
		return call_two(argv[1], argv + 2);
	for (int i = 1; i < argc; i++)
		printf("%d\n", ((work_function)find(argv[i], "work"))(10));
	return 0;
}
