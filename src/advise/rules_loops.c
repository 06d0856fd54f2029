/* SPDX-License-Identifier: MIT */
/* rules_loops.c - loops with load imbalance, and with chunks too small. */
#include "advise/advise_private.h"

#include <math.h>

static bool
is_loop(const struct wn_loop *loop)
{
	uint32_t kind = loop->kind_flags & WN_WORK_KIND_MASK;
	return kind >= WN_WORK_LOOP_STATIC && kind <= WN_WORK_LOOP_OTHER;
}

void
rule_uneven_loops(struct advice *a)
{
	const struct wn_graph *g = a->g;
	for (size_t i = 0; i < g->n_loops; i++) {
		const struct wn_loop *loop = &g->loops[i];
		if (!is_loop(loop) || loop->n_threads < 2 || loop->sum_thread_work_ns == 0)
			continue;
		double mean_ns = (double)loop->sum_thread_work_ns / loop->n_threads;
		double lost_ns = (double)loop->max_thread_work_ns - mean_ns;
		struct entry *e = advice_entry(a, WN_RULE_UNEVEN_LOOP, loop->site);
		e->n++;
		e->gain_ns += lost_ns;
		e->sum += (double)loop->max_thread_work_ns / mean_ns;
		e->sum2 = loop->kind_flags & WN_WORK_KIND_MASK;
	}
}

void
rule_small_chunks(struct advice *a)
{
	const struct wn_graph *g = a->g;
	for (size_t i = 0; i < g->n_loops; i++) {
		const struct wn_loop *loop = &g->loops[i];
		/* below a tenth of the work, larger chunks would have no visible effect */
		if (!is_loop(loop) || !loop->n_chunks || loop->kind_flags & WN_LOOP_INLINE ||
		    loop->overhead_ns * 10 < loop->sum_work_ns)
			continue;
		struct entry *e = advice_entry(a, WN_RULE_SMALL_CHUNKS, loop->site);
		e->n += loop->n_chunks;
		e->gain_ns += (double)loop->overhead_ns / fmax(1, loop->n_threads);
		e->sum += (double)loop->sum_work_ns;
		e->sum2 += (double)loop->overhead_ns;
	}
}
