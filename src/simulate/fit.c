/* SPDX-License-Identifier: MIT */
/* fit.c - costs that no measurement shows alone: what a task costs that other threads touch, too.
 * The measurement in which one thread creates tasks that both run is simulated with different
 * costs, until the simulation takes the measured time. */
#include "base/error.h"
#include "base/mem.h"
#include "simulate/program.h"

/* As in cli/calibrate_services.c. */
#define TASKS 32u

enum { INITIAL, MASTER, OTHER, FIRST_TASK };

static wn_status
add(struct program *p, enum step_kind kind, uint32_t target, wn_err *err)
{
	return program_add_step(p, kind, 0, target, err);
}

static void
begin(struct program *p, uint32_t grain, uint8_t kind, uint32_t parent)
{
	bool is_task = kind == WN_GRAIN_TASK;
	p->own_parent[grain] = parent;
	p->own_site[grain] = WN_NO_SITE;
	p->grains[grain] = (struct sim_grain){.first_step = (uint32_t)p->n_steps,
	                                      .fj = is_task ? 0 : WN_NO_FJ,
	                                      .level = is_task,
	                                      .kind = kind};
}

/* One region of two threads: a barrier, tasks of the first one if any, a barrier. */
static wn_status
make(struct program *p, uint32_t n_tasks, wn_err *err)
{
	wn_status st;
	*p = (struct program){.n_grains = FIRST_TASK + n_tasks,
	                      .n_fjs = 1,
	                      .n_regions = 1,
	                      .initial = INITIAL,
	                      .n_threads = 2};
	p->grains = wn_calloc(p->n_grains, sizeof *p->grains);
	p->fj_owner = wn_calloc(1, sizeof *p->fj_owner);
	p->regions = wn_calloc(1, sizeof *p->regions);
	p->implicit = wn_calloc(2, sizeof *p->implicit);
	p->parent = p->own_parent = wn_calloc(p->n_grains, sizeof *p->own_parent);
	p->site = p->own_site = wn_calloc(p->n_grains, sizeof *p->own_site);
	if (!p->grains || !p->fj_owner || !p->regions || !p->implicit || !p->parent || !p->site)
		return wn_no_memory(err);
	p->fj_owner[0] = MASTER;
	p->regions[0] = (struct sim_region){.n_implicit = 2, .team_size = 2, .is_scaled = true};
	p->implicit[0] = MASTER;
	p->implicit[1] = OTHER;
	begin(p, INITIAL, WN_GRAIN_INITIAL, WN_NO_GRAIN);
	WN_TRY(add(p, STEP_REGION, 0, err));
	WN_TRY(add(p, STEP_END, 0, err));
	for (uint32_t grain = MASTER; grain <= OTHER; grain++) {
		begin(p, grain, WN_GRAIN_IMPLICIT, INITIAL);
		WN_TRY(add(p, STEP_BARRIER, 0, err));
		for (uint32_t i = 0; grain == MASTER && i < n_tasks; i++)
			WN_TRY(add(p, STEP_CREATE, FIRST_TASK + i, err));
		WN_TRY(add(p, STEP_BARRIER, 0, err));
		WN_TRY(add(p, STEP_END, 0, err));
	}
	for (uint32_t i = 0; i < n_tasks; i++) {
		begin(p, FIRST_TASK + i, WN_GRAIN_TASK, MASTER);
		WN_TRY(add(p, STEP_END, 0, err));
	}
out:
	return st;
}

/* Time of the tasks and the second barrier. */
static wn_status
simulate(struct wn_simulation *s, uint64_t *ns, wn_err *err)
{
	const struct wn_scenario two = {.n_threads = 2, .is_as_recorded = true};
	struct wn_sim_result with, without;
	wn_status st;
	WN_TRY(make(&s->p, TASKS, err));
	WN_TRY(wn_simulate(s, &two, &with, err));
	program_fini(&s->p);
	WN_TRY(make(&s->p, 0, err));
	WN_TRY(wn_simulate(s, &two, &without, err));
	*ns = with.elapsed_ns + wn_cost_ns(&s->costs, WN_COST_BARRIER, 2) - without.elapsed_ns;
out:
	program_fini(&s->p);
	return st;
}

#define STEP_PS 32000u
#define STEPS   32u

/* The cost, of up to 1 us, whose simulation is nearest to the measurement. All are tried, since
 * with libomp the other thread takes ever fewer tasks, so that the time falls again. */
wn_status
costs_fit(struct wn_costs *c, wn_err *err)
{
	struct wn_simulation *s = wn_calloc(1, sizeof *s);
	uint64_t aim_ns = (uint64_t)c->handed_over_ps * TASKS / 1000, least_ns = UINT64_MAX;
	uint32_t best_ps = c->ps[WN_COST_MOVE][0];
	wn_status st = WN_OK;
	if (!s)
		return wn_no_memory(err);
	for (uint32_t i = 0; aim_ns > 0 && i < STEPS; i++) {
		uint64_t ns = 0;
		for (unsigned k = 0; k < WN_COST_POINTS; k++)
			c->ps[WN_COST_MOVE][k] = i * STEP_PS;
		s->costs = s->recorded_costs = *c;
		WN_TRY(simulate(s, &ns, err));
		uint64_t off_ns = ns > aim_ns ? ns - aim_ns : aim_ns - ns;
		if (off_ns < least_ns) {
			least_ns = off_ns;
			best_ps = i * STEP_PS;
		}
	}
	for (unsigned k = 0; k < WN_COST_POINTS; k++)
		c->ps[WN_COST_MOVE][k] = best_ps;
out:
	wn_free(s);
	return st;
}
