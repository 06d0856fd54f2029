/* SPDX-License-Identifier: MIT */
/*
 * opening.c - threads that load and unload a library all the time while others, made outside OpenMP
 * as well, open their first regions: whoever looks for a function then needs the linker's locks.
 *
 *   opening LIBRARY
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { LOADERS = 2, OPENERS = 3, LOADS = 200 };

static atomic_int is_over, n_loads, n_failed, n_tasks;

static void *
load(void *path)
{
	while (!is_over || n_loads < LOADS) {
		void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!library || dlclose(library) != 0)
			n_failed++;
		n_loads++;
	}
	return NULL;
}

static void *
open_region(void *argument)
{
	while (n_loads < 10)
		;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 10; i++)
#pragma omp task
		n_tasks++;
	return argument;
}

int
main(int argc, char **argv)
{
	pthread_t loader[LOADERS], opener[OPENERS];
	if (argc != 2)
		return 2;
	for (int i = 0; i < LOADERS; i++)
		pthread_create(&loader[i], NULL, load, argv[1]);
	for (int i = 0; i < OPENERS; i++)
		pthread_create(&opener[i], NULL, open_region, NULL);
	for (int i = 0; i < OPENERS; i++)
		pthread_join(opener[i], NULL);
	is_over = 1;
	for (int i = 0; i < LOADERS; i++)
		pthread_join(loader[i], NULL);
	printf("%d tasks, %d failed\n", n_tasks, n_failed);
	return 0;
}
