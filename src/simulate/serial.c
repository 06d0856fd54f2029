/* SPDX-License-Identifier: MIT */
/* serial.c - how long the work of tasks takes as plain calls, from one recording. */
#include "simulate/program.h"

#include <math.h>

/* Entering a task, and handing it its arguments, takes at most so long: work beyond it is the
 * program's. Where all tasks have more, the more that is, the less is known of entries. */
#define ENTRY_MAX_NS  12u
#define ENTRY_SURE_NS 8
#define SIZE_MAX_NS   64u

/* Entries may take no time, or twice as much; less is open where a recording with a cut-off shows
 * them. */
#define SPREAD_ESTIMATED 1
#define SPREAD_KNOWN     0.1

/* Of tasks at the place: how many have so much work, and how many tasks they create in all. */
struct sizes {
	uint64_t n[SIZE_MAX_NS + 1], n_tasks, n_children;
};

/* Mean of the smaller half. */
static double
mean_of_half(const struct sizes *s)
{
	uint64_t left = (s->n_tasks + 1) / 2;
	double sum = 0;
	for (unsigned ns = 0; ns <= SIZE_MAX_NS && left > 0; ns++) {
		uint64_t taken = s->n[ns] < left ? s->n[ns] : left;
		sum += (double)taken * ns;
		left -= taken;
	}
	return s->n_tasks ? sum / (double)((s->n_tasks + 1) / 2) : 0;
}

static void
add_task(const struct program *p, const struct sim_grain *g, struct sizes *leaves,
         struct sizes *inner)
{
	const struct step *s = &p->steps[g->first_step];
	uint64_t work_ns = 0, n_children = 0;
	for (; s->kind != STEP_END; s++) {
		work_ns += s->work_ns;
		n_children += s->kind == STEP_CREATE;
	}
	work_ns += s->work_ns;
	struct sizes *of = n_children ? inner : leaves;
	of->n[work_ns < SIZE_MAX_NS ? work_ns : SIZE_MAX_NS]++;
	of->n_children += n_children;
	of->n_tasks++;
}

void
wn_simulation_learn(const struct wn_simulation *s, struct wn_sim_change *c)
{
	const struct program *p = &s->p;
	c->factor = 1;
	c->entry_ns = s->known_entry_ns;
	c->entry_spread = isnan(s->known_entry_ns) ? SPREAD_ESTIMATED : SPREAD_KNOWN;
	if (!isnan(s->known_entry_ns))
		return;
	struct sizes leaves = {.n_tasks = 0}, inner = {.n_tasks = 0};
	for (uint32_t id = 0; id < p->n_grains; id++) {
		const struct sim_grain *g = &p->grains[id];
		uint32_t site = p->site[id];
		if (is_task_grain(g) && g->first_step != NONE && site != WN_NO_SITE &&
		    c->is_at[site])
			add_task(p, g, &leaves, &inner);
	}
	double entry_ns = mean_of_half(&leaves);
	if (inner.n_tasks)
		entry_ns += fmax(0, fmin(mean_of_half(&inner), ENTRY_MAX_NS) - entry_ns) *
		            (double)inner.n_tasks / (double)inner.n_children;
	c->entry_ns =
	    entry_ns <= ENTRY_SURE_NS ? entry_ns : ENTRY_SURE_NS * ENTRY_SURE_NS / entry_ns;
}
