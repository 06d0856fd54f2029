/* SPDX-License-Identifier: MIT */
/* edit.c - changes that add or remove steps: a copy of the compact form with them. Other changes
 * are applied while the simulation runs. */
#include "base/error.h"
#include "base/mem.h"
#include "simulate/program.h"

#include <string.h>

/* Work of a grain is split where one stretch of it has at least this share. */
#define SPLIT_SHARE 8u

/* Serial code between merged regions: the longest that each thread may execute for itself; and the
 * largest part of the regions' work. */
#define REPLICATED_NS 1000u
#define BETWEEN_SHARE 10u

struct added {
	uint32_t grain;
	uint64_t work_ns;
};

struct editor {
	const struct program *from;
	struct program *p;
	const struct wn_scenario *s;
	size_t grains_capacity, parents_capacity, sites_capacity, groups_capacity, fjs_capacity,
	    regions_capacity, implicit_capacity;
	struct added *added; /* grains of one step, after the current one */
	size_t n_added, added_capacity;
	uint32_t *fj_to; /* [from->n_fjs] that joins the tasks of a removed wait */
	uint32_t
	    *merged_into;   /* [from->n_grains] the implicit task that it becomes a part of; NONE */
	uint32_t *head_of;  /* [from->n_grains] first region of those merged, of implicit tasks */
	uint32_t *index_of; /* [from->n_grains] among the implicit tasks of its region */
	uint32_t *next_region; /* [from->n_regions] that follows in a merged one; NONE */
	uint8_t *is_follower;  /* [from->n_regions] it is merged into an earlier one */
	uint64_t *between_ns;  /* [from->n_regions] serial code before it, of followers */
	uint8_t *is_reduced;   /* [from->n_grains] implicit tasks with partial results */
	struct edge *edges;
	size_t n_edges, edges_capacity;
};

struct edge {
	uint32_t from, to;
};

static bool
is_structural(enum wn_sim_change_kind kind)
{
	return kind == WN_SIM_CHANGE_REDUCTION || kind == WN_SIM_CHANGE_SPLIT ||
	       kind == WN_SIM_CHANGE_NO_WAIT || kind == WN_SIM_CHANGE_RELAX ||
	       kind == WN_SIM_CHANGE_MERGE;
}

/* The change of this kind that applies to a site; NULL. */
static const struct wn_sim_change *
change_at(const struct editor *e, enum wn_sim_change_kind kind, uint32_t site)
{
	for (size_t i = 0; i < e->s->n_changes; i++) {
		const struct wn_sim_change *c = &e->s->changes[i];
		if (c->kind == kind && c->is_at && site != WN_NO_SITE && c->is_at[site])
			return c;
	}
	return NULL;
}

/* Whether partial results take the place of this mutex. */
static bool
is_reduced(const struct editor *e, uint32_t site, uint32_t mutex)
{
	for (size_t i = 0; i < e->s->n_changes; i++)
		if (e->s->changes[i].kind == WN_SIM_CHANGE_REDUCTION &&
		    is_of_mutex(e->from, &e->s->changes[i], site, mutex))
			return true;
	return false;
}

static bool
has_reduction(const struct editor *e, uint32_t grain)
{
	const struct program *p = e->from;
	if (p->grains[grain].first_step == NONE)
		return false;
	const struct step *s = &p->steps[p->grains[grain].first_step];
	for (; s->kind != STEP_END; s++)
		if (s->kind == STEP_ACQUIRE && is_reduced(e, p->site[grain], s->target))
			return true;
	return false;
}

/* Adds a grain with one step, at the site of its parent. */
static wn_status
add_grain(struct editor *e, struct sim_grain grain, uint32_t parent, uint64_t work_ns, wn_err *err)
{
	struct program *p = e->p;
	size_t n = (size_t)p->n_grains + 1;
	if (p->n_grains >= NONE - 2)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "more than 2^32 - 2 grains");
	if (wn_grow(&p->grains, &e->grains_capacity, n, sizeof *p->grains) != 0 ||
	    wn_grow(&p->own_parent, &e->parents_capacity, n, sizeof *p->own_parent) != 0 ||
	    wn_grow(&p->own_site, &e->sites_capacity, n, sizeof *p->own_site) != 0 ||
	    (p->group && wn_grow(&p->group, &e->groups_capacity, n, sizeof *p->group) != 0) ||
	    wn_grow(&e->added, &e->added_capacity, e->n_added + 1, sizeof *e->added) != 0)
		return wn_no_memory(err);
	e->added[e->n_added++] = (struct added){p->n_grains, work_ns};
	p->parent = p->own_parent;
	p->site = p->own_site;
	p->own_parent[p->n_grains] = parent;
	p->own_site[p->n_grains] = p->site[parent];
	if (p->group)
		p->group[p->n_grains] = p->group[parent];
	p->grains[p->n_grains++] = grain;
	return WN_OK;
}

/* Steps of the grains added for the current one. */
static wn_status
flush_added(struct editor *e, wn_err *err)
{
	wn_status st = WN_OK;
	for (size_t i = 0; i < e->n_added && st == WN_OK; i++) {
		e->p->grains[e->added[i].grain].first_step = (uint32_t)e->p->n_steps;
		st = program_add_step(e->p, STEP_END, e->added[i].work_ns, 0, err);
	}
	e->n_added = 0;
	return st;
}

/* Work becomes tasks and a wait for them. */
static wn_status
split_work(struct editor *e, uint32_t owner, uint64_t work_ns, uint64_t k, wn_err *err)
{
	struct program *p = e->p;
	const struct sim_grain of = p->grains[owner];
	uint32_t fj = p->n_fjs;
	wn_status st = WN_OK;
	if (wn_grow(&p->fj_owner, &e->fjs_capacity, (size_t)fj + 1, sizeof *p->fj_owner) != 0)
		return wn_no_memory(err);
	p->fj_owner[p->n_fjs++] = owner;
	for (uint64_t i = 0; i < k; i++) {
		struct sim_grain part = {.first_step = NONE,
		                         .fj = fj,
		                         .level = (uint16_t)(of.level + (of.level < UINT16_MAX)),
		                         .kind = WN_GRAIN_TASK,
		                         .flags = of.flags & SIM_UNDEFERRED};
		uint64_t part_ns = work_ns / k + (i < work_ns % k);
		WN_TRY(program_add_step(p, STEP_CREATE, 0, p->n_grains, err));
		WN_TRY(add_grain(e, part, owner, part_ns, err));
	}
	WN_TRY(program_add_step(p, STEP_WAIT, 0, fj, err));
out:
	return st;
}

/* Serial work becomes a region, a part for each implicit task. */
static wn_status
split_serial(struct editor *e, uint32_t owner, uint64_t work_ns, uint32_t k, wn_err *err)
{
	struct program *p = e->p;
	wn_status st = WN_OK;
	size_t n_implicit = (size_t)p->n_implicit + k;
	if (wn_grow(&p->regions, &e->regions_capacity, (size_t)p->n_regions + 1,
	            sizeof *p->regions) != 0 ||
	    wn_grow(&p->implicit, &e->implicit_capacity, n_implicit, sizeof *p->implicit) != 0)
		return wn_no_memory(err);
	p->regions[p->n_regions] = (struct sim_region){.first_implicit = p->n_implicit,
	                                               .n_implicit = k,
	                                               .team_size = k,
	                                               .site = WN_NO_SITE,
	                                               .is_scaled = true};
	for (uint32_t i = 0; i < k; i++) {
		struct sim_grain part = {.fj = WN_NO_FJ, .kind = WN_GRAIN_IMPLICIT};
		p->implicit[p->n_implicit++] = p->n_grains;
		WN_TRY(add_grain(e, part, owner, work_ns / k + (i < work_ns % k), err));
	}
	WN_TRY(program_add_step(p, STEP_REGION, 0, p->n_regions++, err));
out:
	return st;
}

/* Parts of the grain's longest stretches; 0: none. */
static uint64_t
parts_of(const struct editor *e, uint32_t grain)
{
	const struct wn_sim_change *c = change_at(e, WN_SIM_CHANGE_SPLIT, e->from->site[grain]);
	bool is_initial = e->from->grains[grain].kind == WN_GRAIN_INITIAL;
	for (size_t i = 0; is_initial && i < e->s->n_changes; i++)
		if (e->s->changes[i].kind == WN_SIM_CHANGE_SPLIT && !e->s->changes[i].is_at)
			c = &e->s->changes[i];
	return c ? c->amount : 0;
}

/* ---- steps ---- */

/* Whether the step vanishes. Its work stays. */
static bool
is_dropped(const struct editor *e, uint32_t grain, const struct step *s)
{
	uint32_t site = e->from->site[grain];
	switch (s->kind) {
	case STEP_WORK:
		return true;
	case STEP_ACQUIRE: /* releases of what is not held have no effect */
		return is_reduced(e, site, s->target);
	case STEP_WAIT:
		return change_at(e, WN_SIM_CHANGE_NO_WAIT, site) ||
		       change_at(e, WN_SIM_CHANGE_RELAX, site);
	case STEP_REGION:
		return s->target < e->from->n_regions && e->is_follower[s->target];
	default:
		return false;
	}
}

static wn_status
copy_steps(struct editor *e, uint32_t grain, uint32_t into, bool is_last, uint64_t left_ns,
           wn_err *err)
{
	const struct step *s = &e->from->steps[e->from->grains[grain].first_step];
	uint64_t parts = parts_of(e, grain), long_ns = program_work(e->from, grain);
	bool is_initial = e->from->grains[grain].kind == WN_GRAIN_INITIAL;
	wn_status st = WN_OK;
	for (;; s++) {
		uint64_t work_ns = s->work_ns + left_ns;
		enum step_kind kind = s->kind;
		left_ns = 0;
		if (is_dropped(e, grain, s)) {
			/* code between merged regions is executed inside */
			left_ns = kind == STEP_REGION ? 0 : work_ns;
			continue;
		}
		if (parts > 1 && work_ns > 0 && work_ns >= long_ns / SPLIT_SHARE) {
			WN_TRY(is_initial ? split_serial(e, into, work_ns, (uint32_t)parts, err)
			                  : split_work(e, into, work_ns, parts, err));
			work_ns = 0;
		}
		if (kind == STEP_END && !is_last)
			kind = STEP_BARRIER;
		WN_TRY(program_add_step(e->p, kind, work_ns, s->target, err));
		if (s->kind == STEP_END)
			break;
	}
out:
	return st;
}

/* The partial result of a thread is added to the whole at the end, under the mutex. */
static wn_status
add_reduction(struct editor *e, uint32_t grain, wn_err *err)
{
	struct program *p = e->p;
	wn_status st = WN_OK;
	if (!e->is_reduced[grain])
		return WN_OK;
	uint64_t work_ns = p->steps[--p->n_steps].work_ns;
	uint32_t mutex = e->from->n_mutexes;
	p->n_mutexes = mutex + 1;
	WN_TRY(program_add_step(p, STEP_ACQUIRE, work_ns, mutex, err));
	WN_TRY(program_add_step(p, STEP_RELEASE, 0, mutex, err));
	WN_TRY(program_add_step(p, STEP_END, 0, 0, err));
out:
	return st;
}

/* An implicit task goes on with those of the regions that are merged into its own: after a barrier,
 * and after the serial code between. */
static wn_status
copy_merged(struct editor *e, uint32_t region, uint32_t index, uint32_t into, wn_err *err)
{
	const struct program *f = e->from;
	wn_status st = WN_OK;
	for (uint32_t r = region; r != NONE; r = e->next_region[r]) {
		uint64_t before_ns = r == region ? 0 : e->between_ns[r];
		if (before_ns > REPLICATED_NS) {
			WN_TRY(program_add_step(e->p, STEP_BARRIER, index == 0 ? before_ns : 0, 0,
			                        err));
			before_ns = 0;
		}
		uint32_t grain = f->implicit[f->regions[r].first_implicit + index];
		WN_TRY(copy_steps(e, grain, into, e->next_region[r] == NONE, before_ns, err));
	}
out:
	return st;
}

static wn_status
copy_all(struct editor *e, wn_err *err)
{
	const struct program *f = e->from;
	wn_status st = WN_OK;
	for (uint32_t id = 0; id < f->n_grains; id++) {
		if (f->grains[id].first_step == NONE || e->merged_into[id] != NONE)
			continue;
		e->p->grains[id].first_step = (uint32_t)e->p->n_steps;
		if (e->head_of[id] == NONE)
			WN_TRY(copy_steps(e, id, id, true, 0, err));
		else
			WN_TRY(copy_merged(e, e->head_of[id], e->index_of[id], id, err));
		WN_TRY(add_reduction(e, id, err));
		WN_TRY(flush_added(e, err));
	}
out:
	return st;
}

/* ---- what the edits need to know ---- */

static bool
is_mergeable(const struct editor *e, uint32_t first, uint32_t next, uint64_t between_ns)
{
	const struct sim_region *a = &e->from->regions[first], *b = &e->from->regions[next];
	return change_at(e, WN_SIM_CHANGE_MERGE, a->site) &&
	       change_at(e, WN_SIM_CHANGE_MERGE, b->site) && a->n_implicit == b->n_implicit &&
	       a->team_size == b->team_size && !a->is_nested && !b->is_nested &&
	       between_ns <= (a->work_ns + b->work_ns) / BETWEEN_SHARE;
}

/* Regions that follow one another in the code outside regions. */
static void
find_merged(struct editor *e)
{
	const struct program *f = e->from;
	const struct step *s = &f->steps[f->grains[f->initial].first_step];
	uint32_t last = NONE;
	for (; s->kind != STEP_END; s++) {
		if (s->kind != STEP_REGION || s->target >= f->n_regions) {
			last = NONE;
			continue;
		}
		uint32_t r = s->target;
		if (last != NONE && is_mergeable(e, last, r, s->work_ns)) {
			e->next_region[last] = r;
			e->is_follower[r] = 1;
			e->between_ns[r] = s->work_ns;
		}
		last = r;
	}
	for (uint32_t head = 0; head < f->n_regions; head++) {
		if (e->is_follower[head] || e->next_region[head] == NONE)
			continue;
		for (uint32_t r = head; r != NONE; r = e->next_region[r])
			for (uint32_t i = 0; i < f->regions[r].n_implicit; i++) {
				uint32_t into = f->implicit[f->regions[head].first_implicit + i];
				uint32_t id = f->implicit[f->regions[r].first_implicit + i];
				e->head_of[id] = head;
				e->index_of[id] = i;
				if (r != head)
					e->merged_into[id] = into;
			}
	}
}

/* Tasks and owners of fork-joins refer to the implicit task that goes on. */
static void
relink_merged(struct editor *e)
{
	struct program *p = e->p;
	for (uint32_t id = 0; id < e->from->n_grains; id++) {
		uint32_t *parent = &p->own_parent[id];
		if (*parent < e->from->n_grains && e->merged_into[*parent] != NONE)
			*parent = e->merged_into[*parent];
		if (e->merged_into[id] != NONE)
			p->grains[id].first_step = NONE;
	}
	for (uint32_t fj = 0; fj < e->from->n_fjs; fj++) {
		uint32_t owner = p->fj_owner[fj];
		if (owner < e->from->n_grains && e->merged_into[owner] != NONE)
			p->fj_owner[fj] = e->merged_into[owner];
	}
}

/* Tasks that no taskwait waits for any more are waited for by the group around, or a barrier. */
static void
relink_waits(struct editor *e)
{
	const struct program *f = e->from;
	for (uint32_t id = 0; id < f->n_grains; id++) {
		if (f->grains[id].first_step == NONE)
			continue;
		const struct step *s = &f->steps[f->grains[id].first_step];
		for (; s->kind != STEP_END; s++)
			if (s->kind == STEP_WAIT && is_dropped(e, id, s))
				e->fj_to[s->target] = group_of(f, id);
	}
	for (uint32_t id = 0; id < f->n_grains; id++) {
		uint32_t fj = f->grains[id].fj;
		if (!is_task_grain(&f->grains[id]))
			continue; /* of a chunk it is something else */
		for (unsigned i = 0; i < UINT16_MAX && fj != WN_NO_FJ && e->fj_to[fj] != fj; i++)
			fj = e->fj_to[fj] == NONE ? WN_NO_FJ : e->fj_to[fj];
		e->p->grains[id].fj = fj;
	}
}

/* Implicit tasks that are around grains with a reduction. */
static void
find_reduced(struct editor *e)
{
	const struct program *f = e->from;
	bool is_any = false;
	for (size_t i = 0; i < e->s->n_changes; i++)
		is_any |= e->s->changes[i].kind == WN_SIM_CHANGE_REDUCTION;
	if (!is_any)
		return;
	for (uint32_t id = 0; id < f->n_grains; id++) {
		if (!has_reduction(e, id))
			continue;
		uint32_t up = id;
		while (up < f->n_grains && f->grains[up].kind != WN_GRAIN_IMPLICIT)
			up = f->parent[up];
		if (up >= f->n_grains)
			continue;
		e->is_reduced[e->merged_into[up] != NONE ? e->merged_into[up] : up] = 1;
	}
}

/* ---- dependences in the place of a taskwait ---- */

static wn_status
add_edge(struct editor *e, uint32_t from, uint32_t to, wn_err *err)
{
	if (wn_grow(&e->edges, &e->edges_capacity, e->n_edges + 1, sizeof *e->edges) != 0)
		return wn_no_memory(err);
	e->edges[e->n_edges++] = (struct edge){from, to};
	return WN_OK;
}

/* Each task after the wait depends on those before it at the same place in their phase, up to
 * `reach` tasks off. */
static wn_status
relate(struct editor *e, const uint32_t *before, size_t n_before, const uint32_t *after,
       size_t n_after, uint64_t reach, wn_err *err)
{
	wn_status st = WN_OK;
	for (size_t i = 0; i < n_after && n_before > 0; i++) {
		uint64_t at = (uint64_t)i * n_before / n_after;
		uint64_t to = at + reach < n_before - 1 ? at + reach : n_before - 1;
		for (uint64_t k = at > reach ? at - reach : 0; k <= to; k++)
			WN_TRY(add_edge(e, before[k], after[i], err));
	}
out:
	return st;
}

/* Phases of the tasks that a grain creates, with dropped waits between them. */
static wn_status
relate_phases(struct editor *e, uint32_t grain, uint64_t reach, uint32_t *tasks, wn_err *err)
{
	const struct step *s = &e->from->steps[e->from->grains[grain].first_step];
	size_t n_before = 0, n = 0; /* tasks of the phase before, then of this one */
	wn_status st = WN_OK;
	for (;; s++) {
		bool ends = s->kind == STEP_WAIT || s->kind == STEP_GROUP || s->kind == STEP_END;
		if (s->kind == STEP_CREATE)
			tasks[n_before + n++] = s->target;
		if (!ends)
			continue;
		WN_TRY(relate(e, tasks, n_before, tasks + n_before, n, reach, err));
		if (s->kind == STEP_END)
			break;
		bool goes_on = is_dropped(e, grain, s);
		memmove(tasks, tasks + n_before, n * sizeof *tasks);
		n_before = goes_on ? n : 0;
		n = 0;
	}
out:
	return st;
}

static wn_status
put_dependences(struct editor *e, wn_err *err)
{
	const struct program *f = e->from;
	struct program *p = e->p;
	size_t n = (size_t)f->n_grains + f->n_gates, n_old = 0;
	uint32_t *first = wn_calloc(n + 2, sizeof *first), *list = NULL;
	uint32_t *unmet = wn_calloc(n + 1, sizeof *unmet);
	if (f->n_predecessors)
		n_old = f->first_successor[n];
	list = wn_calloc(n_old + e->n_edges + 1, sizeof *list);
	if (!first || !list || !unmet) {
		wn_free(first);
		wn_free(list);
		wn_free(unmet);
		return wn_no_memory(err);
	}
	for (size_t i = 0; i < n && f->n_predecessors; i++) {
		unmet[i] = f->n_predecessors[i];
		first[i + 2] = f->first_successor[i + 1] - f->first_successor[i];
	}
	for (size_t i = 0; i < e->n_edges; i++) {
		first[e->edges[i].from + 2]++;
		unmet[e->edges[i].to]++;
	}
	for (size_t i = 0; i < n; i++)
		first[i + 2] += first[i + 1];
	for (size_t i = 0; i < n && f->n_predecessors; i++)
		for (uint32_t k = f->first_successor[i]; k < f->first_successor[i + 1]; k++)
			list[first[i + 1]++] = f->successors[k];
	for (size_t i = 0; i < e->n_edges; i++)
		list[first[e->edges[i].from + 1]++] = e->edges[i].to;
	p->n_predecessors = unmet;
	p->first_successor = first;
	p->successors = list;
	return WN_OK;
}

static wn_status
add_dependences(struct editor *e, wn_err *err)
{
	const struct program *f = e->from;
	uint32_t *tasks = wn_calloc((size_t)f->n_grains + 1, sizeof *tasks);
	wn_status st = tasks ? WN_OK : wn_no_memory(err);
	for (uint32_t id = 0; id < f->n_grains && st == WN_OK; id++) {
		const struct wn_sim_change *c = change_at(e, WN_SIM_CHANGE_RELAX, f->site[id]);
		if (c && f->grains[id].first_step != NONE)
			st = relate_phases(e, id, c->amount, tasks, err);
	}
	wn_free(tasks);
	if (st == WN_OK && (e->n_edges || f->n_predecessors))
		st = put_dependences(e, err);
	return st;
}

/* ---- the copy ---- */

static void *
copy_of(const void *from, size_t n, size_t bytes)
{
	void *to = wn_calloc(n + 1, bytes);
	if (to && n)
		memcpy(to, from, n * bytes);
	return to;
}

static wn_status
begin_copy(struct editor *e, wn_err *err)
{
	const struct program *f = e->from;
	struct program *p = e->p;
	*p = *f;
	p->steps = NULL;
	p->n_steps = p->steps_capacity = 0;
	p->n_predecessors = p->first_successor = p->successors = NULL;
	p->grains = copy_of(f->grains, f->n_grains, sizeof *p->grains);
	p->fj_owner = copy_of(f->fj_owner, f->n_fjs, sizeof *p->fj_owner);
	p->chunks = copy_of(f->chunks, f->n_chunks, sizeof *p->chunks);
	p->loops = copy_of(f->loops, f->n_loops, sizeof *p->loops);
	p->regions = copy_of(f->regions, f->n_regions, sizeof *p->regions);
	p->implicit = copy_of(f->implicit, f->n_implicit, sizeof *p->implicit);
	p->mutex_site = NULL; /* steps are copied by that of `from` */
	p->parent = p->own_parent = copy_of(f->parent, f->n_grains, sizeof *p->own_parent);
	p->site = p->own_site = copy_of(f->site, f->n_grains, sizeof *p->own_site);
	if (f->group)
		p->group = copy_of(f->group, f->n_grains, sizeof *p->group);
	e->grains_capacity = e->parents_capacity = e->sites_capacity = e->groups_capacity =
	    (size_t)f->n_grains + 1;
	e->fjs_capacity = (size_t)f->n_fjs + 1;
	e->regions_capacity = (size_t)f->n_regions + 1;
	e->implicit_capacity = (size_t)f->n_implicit + 1;
	e->fj_to = wn_calloc((size_t)f->n_fjs + 1, sizeof *e->fj_to);
	e->merged_into = wn_calloc_none((size_t)f->n_grains + 1);
	e->head_of = wn_calloc_none((size_t)f->n_grains + 1);
	e->index_of = wn_calloc((size_t)f->n_grains + 1, sizeof *e->index_of);
	e->next_region = wn_calloc_none((size_t)f->n_regions + 1);
	e->is_follower = wn_calloc((size_t)f->n_regions + 1, 1);
	e->between_ns = wn_calloc((size_t)f->n_regions + 1, sizeof *e->between_ns);
	e->is_reduced = wn_calloc((size_t)f->n_grains + 1, 1);
	if (!p->grains || !p->parent || !p->site || (f->group && !p->group) || !p->fj_owner ||
	    !p->chunks || !p->loops || !p->regions || !p->implicit || !e->fj_to ||
	    !e->merged_into || !e->head_of || !e->index_of || !e->next_region || !e->is_follower ||
	    !e->between_ns || !e->is_reduced)
		return wn_no_memory(err);
	for (uint32_t i = 0; i < f->n_fjs; i++)
		e->fj_to[i] = i;
	return WN_OK;
}

static void
editor_fini(struct editor *e)
{
	void *const blocks[] = {e->added,      e->fj_to,       e->merged_into, e->head_of,
	                        e->index_of,   e->next_region, e->is_follower, e->between_ns,
	                        e->is_reduced, e->edges};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		wn_free(blocks[i]);
}

bool
program_needs_edit(const struct wn_scenario *s)
{
	for (size_t i = 0; i < s->n_changes; i++)
		if (is_structural(s->changes[i].kind))
			return true;
	return false;
}

wn_status
program_edit(const struct program *from, const struct wn_scenario *s, struct program *out,
             wn_err *err)
{
	struct program p;
	struct editor e = {.from = from, .p = &p, .s = s};
	wn_status st;
	WN_TRY(begin_copy(&e, err));
	find_merged(&e);
	find_reduced(&e);
	relink_waits(&e);
	relink_merged(&e);
	WN_TRY(copy_all(&e, err));
	WN_TRY(add_dependences(&e, err));
	*out = p;
	p = (struct program){0};
out:
	program_fini(&p);
	editor_fini(&e);
	return st;
}
