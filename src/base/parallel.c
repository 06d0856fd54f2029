/* SPDX-License-Identifier: MIT */
/* parallel.c - threads that take the next job from a shared counter. */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct crew {
	wn_job_fn *fn;
	void *user;
	size_t n_jobs;
	atomic_size_t next; /* relaxed: jobs are independent, and starting and joining threads
	                       orders everything else */
};

static void *
take_shares(void *user)
{
	struct crew *crew = user;
	for (;;) {
		size_t job = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);
		if (job >= crew->n_jobs)
			return NULL;
		crew->fn(crew->user, job);
	}
}

void
wn_parallel(unsigned n_threads, size_t n_jobs, wn_job_fn *fn, void *user)
{
	struct crew crew = {.fn = fn, .user = user, .n_jobs = n_jobs};
	pthread_t helper[WN_THREADS_MAX];
	unsigned n_helpers = 0;
	if (n_threads > WN_THREADS_MAX)
		n_threads = WN_THREADS_MAX;
	while (n_helpers + 1 < n_threads && n_helpers + 1 < n_jobs &&
	       pthread_create(&helper[n_helpers], NULL, take_shares, &crew) == 0)
		n_helpers++;
	take_shares(&crew);
	while (n_helpers > 0)
		pthread_join(helper[--n_helpers], NULL);
}

unsigned
wn_parallel_cpus(void)
{
	cpu_set_t cpus;
	if (sched_getaffinity(0, sizeof cpus, &cpus) != 0)
		return 1;
	int n = CPU_COUNT(&cpus);
	return n < 1 ? 1 : n > (int)WN_THREADS_MAX ? WN_THREADS_MAX : (unsigned)n;
}
