/* SPDX-License-Identifier: MIT */
/* rules_mutex.c - places of lock contention. */
#include "advise/advise_private.h"

#include <math.h>

/* Waits are not known per thread, so they are averaged over all threads, as idle time is. */
void
rule_mutex(struct advice *a)
{
	const struct wn_graph *g = a->g;
	for (size_t i = 0; i < g->n_mutexes; i++) {
		const struct wn_mutex *m = &g->mutexes[i];
		if (m->wait_ns == 0)
			continue;
		struct entry *e = advice_entry(a, WN_RULE_MUTEX, m->site);
		e->n += m->n_acquired;
		e->gain_ns = fmin(e->gain_ns + (double)m->wait_ns / a->n_threads, a->elapsed_ns);
		e->sum += (double)m->wait_ns;
		e->sum2 += (double)m->held_ns;
	}
}
