/* SPDX-License-Identifier: MIT */
/* calibrate.h - what both parts of the program that `winnow calibrate` runs share. */
#pragma once

#include <stdint.h>
#include <time.h>

/* Makes the compiler compute the variable. */
#define KEEP(variable) __asm__ volatile("" : : "r"(variable) : "memory")

/* Measures what the runtime needs, with a team of n_threads, and writes it to a file. Returns an
 * exit status. */
int calibrate_services(const char *path, int n_threads);

/* CLOCK_MONOTONIC */
static inline uint64_t
now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline void
rest_ns(long ns)
{
	struct timespec pause = {.tv_nsec = ns};
	nanosleep(&pause, NULL);
}

/* As recursive programs do: each task creates two and waits for them. */
static inline void
tree(int depth)
{
	if (depth == 0)
		return;
#pragma omp task firstprivate(depth)
	tree(depth - 1);
#pragma omp task firstprivate(depth)
	tree(depth - 1);
#pragma omp taskwait
}
