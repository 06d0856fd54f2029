/* SPDX-License-Identifier: MIT */
/* parts.c - a program of several modules, each of which counts; one thread after the other. */
#include "told.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

long part_own(long n);
long part_linked(long n);

static void *
other(void *later)
{
	long (*part_later)(long) = (long (*)(long))later;
	told_nothing();
	part_own(5);
	part_linked(6);
	part_later(7);
	told("thread", 0);
	return NULL;
}

int
main(void)
{
	void *library = dlopen("./liblater.so", RTLD_NOW);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	long (*part_later)(long) = (long (*)(long))dlsym(library, "part_later");
	pthread_t thread;
	told_nothing();
	part_own(10);
	part_linked(20);
	part_later(30);
	told("main", 0);
	pthread_create(&thread, NULL, other, (void *)part_later);
	pthread_join(thread, NULL);
	return 0;
}
