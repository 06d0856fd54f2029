/* SPDX-License-Identifier: MIT */
/* against.c - changes that would have no effect on a run, and why. */
#include "simulate/program.h"

static bool
has_loop(const struct program *p, const uint8_t *is_at, bool divisible_only)
{
	for (uint32_t i = 0; i < p->n_loops; i++) {
		const struct sim_loop *loop = &p->loops[i];
		if (loop->site != WN_NO_SITE && is_at[loop->site] && loop->n_chunks &&
		    !(divisible_only && loop->is_detailed))
			return true;
	}
	return false;
}

/* Whether the grain has such a step. */
static bool
has_step(const struct program *p, const struct sim_grain *g, enum step_kind kind)
{
	if (g->first_step == NONE)
		return false;
	for (const struct step *s = &p->steps[g->first_step]; s->kind != STEP_END; s++)
		if (s->kind == (unsigned)kind)
			return true;
	return false;
}

static bool
is_affected(const struct program *p, const struct sim_grain *g, enum wn_sim_change_kind kind)
{
	switch ((unsigned)kind) {
	case WN_SIM_CHANGE_CUTOFF:
		return is_task_grain(g);
	case WN_SIM_CHANGE_SHORTER_LOCK:
		return has_step(p, g, STEP_ACQUIRE) || has_step(p, g, STEP_ORDERED);
	case WN_SIM_CHANGE_REDUCTION:
		return has_step(p, g, STEP_ACQUIRE);
	case WN_SIM_CHANGE_NO_WAIT:
	case WN_SIM_CHANGE_RELAX:
		return has_step(p, g, STEP_WAIT);
	case WN_SIM_CHANGE_SPLIT:
		return g->first_step != NONE && g->kind != WN_GRAIN_INITIAL;
	default:
		return true;
	}
}

static bool
has_grain(const struct program *p, const struct wn_sim_change *c)
{
	for (uint32_t i = 0; i < p->n_grains; i++) {
		const struct sim_grain *g = &p->grains[i];
		if (p->site[i] != WN_NO_SITE && c->is_at[p->site[i]] && is_affected(p, g, c->kind))
			return true;
	}
	return false;
}

static uint32_t
n_regions_at(const struct program *p, const uint8_t *is_at)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < p->n_regions; i++)
		n += p->regions[i].site != WN_NO_SITE && is_at[p->regions[i].site] &&
		     !p->regions[i].is_nested;
	return n;
}

static bool
has_serial_work(const struct program *p)
{
	const struct step *s = &p->steps[p->grains[p->initial].first_step];
	while (s->kind != STEP_END && s->work_ns == 0)
		s++;
	return s->work_ns > 0;
}

static const char *
reason_without_place(const struct program *p, const struct wn_sim_change *c)
{
	if (c->kind == WN_SIM_CHANGE_NESTED_OFF) {
		for (uint32_t i = 0; i < p->n_regions; i++)
			if (p->regions[i].is_nested && p->regions[i].team_size > 1)
				return NULL;
		return "no region inside another one had several threads";
	}
	if (c->kind == WN_SIM_CHANGE_SPLIT && !has_serial_work(p))
		return "there is no code between regions";
	return NULL;
}

static const char *
reason_at_place(const struct program *p, const struct wn_sim_change *c)
{
	switch ((unsigned)c->kind) {
	case WN_SIM_CHANGE_CHUNK:
	case WN_SIM_CHANGE_SCHEDULE:
		if (!has_loop(p, c->is_at, false))
			return "there is no loop with recorded chunks";
		return has_loop(p, c->is_at, true)
		           ? NULL
		           : "the loop's chunks have tasks, mutexes or 'ordered' in them, and stay "
		             "as recorded";
	case WN_SIM_CHANGE_MERGE:
		return n_regions_at(p, c->is_at) > 1 ? NULL
		                                     : "fewer than two regions were met there";
	case WN_SIM_CHANGE_CUTOFF:
		return has_grain(p, c) ? NULL : "there are no tasks";
	case WN_SIM_CHANGE_SHORTER_LOCK:
	case WN_SIM_CHANGE_REDUCTION:
		return has_grain(p, c) ? NULL : "no mutex was acquired in grains of it";
	case WN_SIM_CHANGE_NO_WAIT:
	case WN_SIM_CHANGE_RELAX:
		return has_grain(p, c) ? NULL : "its grains have no taskwait";
	default:
		return has_grain(p, c) ? NULL : "there are no grains";
	}
}

const char *
wn_simulation_against(const struct wn_simulation *s, const struct wn_sim_change *c)
{
	return c->is_at ? reason_at_place(&s->p, c) : reason_without_place(&s->p, c);
}
