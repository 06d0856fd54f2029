/* SPDX-License-Identifier: MIT */
/* cutoffs.c - which tasks cut-offs turn into plain calls: by depth, by work or by descendants, with
 * all tasks below them; and how much of their work is left. */
#include "base/error.h"
#include "base/mem.h"
#include "simulate/program.h"

#include <math.h>

static bool
is_at(const struct program *p, uint32_t grain, const struct wn_sim_change *c)
{
	uint32_t site = p->site[grain];
	return c->kind == WN_SIM_CHANGE_CUTOFF && is_task_grain(&p->grains[grain]) &&
	       site != WN_NO_SITE && c->is_at[site];
}

/* Whether some cut-off has the place of the task: such tasks count as levels. */
static bool
has_cutoff(const struct program *p, const struct wn_scenario *s, uint32_t grain)
{
	for (size_t i = 0; i < s->n_changes; i++)
		if (is_at(p, grain, &s->changes[i]))
			return true;
	return false;
}

static void
mark(uint8_t *bits, uint32_t grain)
{
	bits[grain / 8] |= (uint8_t)(1u << grain % 8);
}

/* Depth of each task among those with a cut-off. Parents may have higher ids: each path up to a
 * task whose depth is known is walked twice. Depths are stored plus one. */
static wn_status
mark_by_depth(const struct program *p, const struct wn_scenario *s, uint8_t *bits, wn_err *err)
{
	uint32_t *depths = wn_calloc((size_t)p->n_grains + 1, sizeof *depths);
	if (!depths)
		return wn_no_memory(err);
	for (uint32_t id = 0; id < p->n_grains; id++) {
		uint32_t up = id, n = 0;
		for (; up < p->n_grains && !depths[up] && is_task_grain(&p->grains[up]);
		     up = p->parent[up])
			n += has_cutoff(p, s, up);
		uint32_t above = up < p->n_grains && is_task_grain(&p->grains[up])
		                     ? depths[up] - 1 + has_cutoff(p, s, up)
		                     : 0;
		uint32_t depth = above + n;
		for (uint32_t at = id; at != up; at = p->parent[at]) {
			depth -= has_cutoff(p, s, at);
			depths[at] = depth + 1;
		}
		for (size_t i = 0; i < s->n_changes; i++)
			if (is_at(p, id, &s->changes[i]) &&
			    s->changes[i].measure == WN_SIM_CUTOFF_DEPTH &&
			    depths[id] > s->changes[i].amount)
				mark(bits, id);
	}
	wn_free(depths);
	return WN_OK;
}

/* Adds up from the leaves to the roots: a task is added to its parent when all of its own children
 * have been. */
static wn_status
add_up(const struct program *p, bool is_of_work, uint64_t *sums, wn_err *err)
{
	uint32_t *open = wn_calloc((size_t)p->n_grains + 1, sizeof *open);
	if (!open)
		return wn_no_memory(err);
	for (uint32_t id = 0; id < p->n_grains; id++) {
		sums[id] = is_of_work ? program_work(p, id) : 0;
		if (is_task_grain(&p->grains[id]) && p->parent[id] < p->n_grains)
			open[p->parent[id]]++;
	}
	for (uint32_t id = 0; id < p->n_grains; id++) {
		uint32_t at = id;
		while (at < p->n_grains && open[at] == 0 && is_task_grain(&p->grains[at])) {
			uint32_t up = p->parent[at];
			open[at] = NONE; /* done */
			if (up >= p->n_grains)
				break;
			sums[up] += sums[at] + !is_of_work;
			open[up]--;
			at = up;
		}
	}
	wn_free(open);
	return WN_OK;
}

static wn_status
mark_by_sum(const struct program *p, const struct wn_scenario *s, enum wn_sim_cutoff measure,
            uint8_t *bits, wn_err *err)
{
	uint64_t *sums = wn_calloc((size_t)p->n_grains + 1, sizeof *sums);
	if (!sums)
		return wn_no_memory(err);
	wn_status st = add_up(p, measure == WN_SIM_CUTOFF_WORK, sums, err);
	for (uint32_t id = 0; st == WN_OK && id < p->n_grains; id++)
		for (size_t i = 0; i < s->n_changes; i++)
			if (is_at(p, id, &s->changes[i]) && s->changes[i].measure == measure &&
			    sums[id] < s->changes[i].amount)
				mark(bits, id);
	wn_free(sums);
	return st;
}

static bool
has_measure(const struct wn_scenario *s, enum wn_sim_cutoff measure)
{
	for (size_t i = 0; i < s->n_changes; i++)
		if (s->changes[i].kind == WN_SIM_CHANGE_CUTOFF && s->changes[i].measure == measure)
			return true;
	return false;
}

/* Tasks below removed ones are removed. Each path up to a task that is done is walked twice. */
static wn_status
mark_below(const struct program *p, uint8_t *bits, wn_err *err)
{
	uint8_t *is_done = wn_calloc((size_t)p->n_grains / 8 + 1, 1);
	if (!is_done)
		return wn_no_memory(err);
	for (uint32_t id = 0; id < p->n_grains; id++) {
		uint32_t up = id;
		while (up < p->n_grains && is_task_grain(&p->grains[up]) &&
		       !cutoffs_has(bits, up) && !cutoffs_has(is_done, up))
			up = p->parent[up];
		bool is_below =
		    up < p->n_grains && is_task_grain(&p->grains[up]) && cutoffs_has(bits, up);
		for (uint32_t at = id; at != up; at = p->parent[at])
			mark(is_below ? bits : is_done, at);
	}
	wn_free(is_done);
	return WN_OK;
}

/* The share of the removed tasks' work that is left without their entries: of all of it, since a
 * small task may have less work than an entry takes on average. */
static double
share_left(const struct program *p, const struct wn_scenario *s, const uint8_t *bits)
{
	double work_ns = 0, n = 0, entry_ns = 0, factor = 1;
	for (size_t i = 0; i < s->n_changes; i++)
		if (s->changes[i].kind == WN_SIM_CHANGE_CUTOFF) {
			factor = s->changes[i].factor;
			entry_ns = fmax(entry_ns, s->changes[i].entry_ns);
		}
	for (uint32_t id = 0; entry_ns > 0 && id < p->n_grains; id++)
		if (cutoffs_has(bits, id)) {
			work_ns += (double)program_work(p, id);
			n++;
		}
	return work_ns > 0 ? factor * fmax(0, 1 - n * entry_ns / work_ns) : factor;
}

wn_status
cutoffs_mark(const struct program *p, const struct wn_scenario *s, struct cutoffs *out, wn_err *err)
{
	uint8_t *bits = NULL;
	wn_status st = WN_OK;
	bool has[] = {has_measure(s, WN_SIM_CUTOFF_DEPTH), has_measure(s, WN_SIM_CUTOFF_WORK),
	              has_measure(s, WN_SIM_CUTOFF_DESCENDANTS)};
	if (has[0] || has[1] || has[2]) {
		bits = wn_calloc((size_t)p->n_grains / 8 + 1, 1);
		if (!bits)
			return wn_no_memory(err);
	}
	if (has[0])
		WN_TRY(mark_by_depth(p, s, bits, err));
	if (has[1])
		WN_TRY(mark_by_sum(p, s, WN_SIM_CUTOFF_WORK, bits, err));
	if (has[2])
		WN_TRY(mark_by_sum(p, s, WN_SIM_CUTOFF_DESCENDANTS, bits, err));
	*out = (struct cutoffs){.share = 1};
	if (!bits)
		return WN_OK;
	WN_TRY(mark_below(p, bits, err));
	*out = (struct cutoffs){bits, share_left(p, s, bits)};
	bits = NULL;
out:
	wn_free(bits);
	return st;
}
