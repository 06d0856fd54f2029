/* SPDX-License-Identifier: MIT */
/* alone.c - base/parallel.h on the one thread that a worker is. */
#include "base/parallel.h"

void
wn_parallel(unsigned n_threads, size_t n_jobs, wn_job_fn *fn, void *user)
{
	(void)n_threads;
	for (size_t i = 0; i < n_jobs; i++)
		fn(user, i);
}

unsigned
wn_parallel_cpus(void)
{
	return 1;
}
