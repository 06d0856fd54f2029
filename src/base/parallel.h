/* SPDX-License-Identifier: MIT */
/*
 * parallel.h - one function over many independent jobs, on a few threads. Who runs which job is
 * left open: a job may write only what no other job reads or writes.
 */
#ifndef WN_BASE_PARALLEL_H
#define WN_BASE_PARALLEL_H

#include <stddef.h>

#define WN_THREADS_MAX 64u

typedef void wn_job_fn(void *user, size_t job);

/*
 * Calls fn(user, job) for each job below n_jobs, each once, on at most n_threads threads, of which
 * the caller is one; returns when all are over. Jobs begin in order. Threads that cannot be started
 * are done without.
 */
void wn_parallel(unsigned n_threads, size_t n_jobs, wn_job_fn *fn, void *user);

/* CPUs that this process may use, 1 to WN_THREADS_MAX. */
unsigned wn_parallel_cpus(void);

#endif /* WN_BASE_PARALLEL_H */
