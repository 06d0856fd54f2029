/* SPDX-License-Identifier: MIT */
/* parallel.h - runs one function over many independent jobs on a few threads. The assignment of
 * jobs to threads is not specified: a job may write only what no other job reads or writes. */
#pragma once

#include <stddef.h>

#define WN_THREADS_MAX 64u

typedef void wn_job_fn(void *user, size_t job);

/* Calls fn(user, job) once for each job below n_jobs, on at most n_threads threads including the
 * caller, and returns when all have finished. Jobs start in order. Threads that cannot be started
 * are left out. */
void wn_parallel(unsigned n_threads, size_t n_jobs, wn_job_fn *fn, void *user);

/* Returns the number of CPUs that this process may use, 1 to WN_THREADS_MAX. */
unsigned wn_parallel_cpus(void);
