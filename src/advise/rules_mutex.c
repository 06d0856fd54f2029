/* SPDX-License-Identifier: MIT */
/*
 * rules_mutex.c - places at which threads wait for a mutex that others have.
 */
#include "advise/advise_private.h"

#include <math.h>

/* Who waits is not known by thread, so it is taken as everybody's wait, as idleness is. */
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
