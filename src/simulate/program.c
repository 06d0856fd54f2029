/* SPDX-License-Identifier: MIT */
/* program.c - the compact form from the grain graph: each grain's creations, joins and uses of
 * mutexes in program order, with the fragments of work between them. */
#include "simulate/program.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What an event adds that was not calibrated, about. */
#define PROBE_NS   25u
#define PAGE_BYTES 4096u

/* Something that a grain does, before it becomes a step. */
struct act {
	uint64_t place; /* order in the grain: by its newest join, then */
	uint64_t instant_ns, number;
	struct step step;
	bool takes_fragment;
	uint32_t waitpoint; /* that the creation waits for; NONE */
};

struct builder {
	const struct wn_graph *g;
	struct program *p;
	uint32_t *first_child, *children; /* by parent, tasks and waitpoints only */
	uint32_t *first_join, *joins;     /* by owner, in order */
	uint32_t *first_use, *uses;       /* by grain */
	uint8_t *fj_kind;                 /* [n_fjs] enum wn_join_kind that joined it, 0 = none */
	uint64_t *run_ns;                 /* [n_run] fragments of the current grain */
	size_t n_run, run_capacity;
	uint32_t *implicit_loop; /* [n_joins] of WN_JOIN_LOOP: the loop */
	struct act *acts;
	size_t acts_capacity;
	bool has_groups, is_gomp;
};

void
program_fini(struct program *p)
{
	void *const blocks[] = {p->grains,          p->steps,      p->fj_owner,   p->chunks,
	                        p->loops,           p->regions,    p->implicit,   p->n_predecessors,
	                        p->first_successor, p->successors, p->own_parent, p->own_site,
	                        p->group,           p->mutex_site};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		wn_free(blocks[i]);
	memset(p, 0, sizeof *p);
}

wn_status
program_add_step(struct program *p, enum step_kind kind, uint64_t work_ns, uint32_t target,
                 wn_err *err)
{
	for (bool is_last = false; !is_last; p->n_steps++) {
		is_last = work_ns <= STEP_WORK_MAX;
		uint32_t ns = is_last ? (uint32_t)work_ns : STEP_WORK_MAX;
		if (p->n_steps >= NONE - 1)
			return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET,
			               "more than 2^32 - 2 fragments");
		if (wn_grow(&p->steps, &p->steps_capacity, p->n_steps + 1, sizeof *p->steps) != 0)
			return wn_no_memory(err);
		p->steps[p->n_steps] = (struct step){.kind = (is_last ? kind : STEP_WORK) & 15,
		                                     .work_ns = ns & STEP_WORK_MAX,
		                                     .target = target};
		work_ns -= ns;
	}
	return WN_OK;
}

uint64_t
program_work(const struct program *p, uint32_t grain)
{
	uint64_t sum_ns = 0;
	if (p->grains[grain].first_step == NONE)
		return 0;
	const struct step *s = &p->steps[p->grains[grain].first_step];
	for (; s->kind != STEP_END; s++)
		sum_ns += s->work_ns;
	return sum_ns + s->work_ns;
}

static bool
is_task(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP;
}

/* Waitpoints are created and cut fragments, as tasks do; splitters of taskloops as well. */
static bool
is_created(const struct wn_graph *g, wn_grain id)
{
	return is_task(g, id) || g->kind[id] == WN_GRAIN_HELPER;
}

static uint32_t
child_key(const struct builder *b, size_t i)
{
	return is_created(b->g, (wn_grain)i) && b->g->parent[i] < b->g->n ? b->g->parent[i] : NONE;
}

static uint32_t
join_key(const struct builder *b, size_t i)
{
	return b->g->joins[i].owner;
}

static uint32_t
use_key(const struct builder *b, size_t i)
{
	return b->g->mutex_uses[i].grain;
}

/* Lists by grain, stable. */
static wn_status
group_by(const struct builder *b, size_t n, uint32_t (*key)(const struct builder *, size_t),
         uint32_t **first, uint32_t **list, wn_err *err)
{
	uint32_t n_grains = b->g->n;
	if (n == 0)
		return WN_OK; /* NULL */
	*first = wn_calloc((size_t)n_grains + 2, sizeof **first);
	*list = wn_calloc(n + 1, sizeof **list);
	if (!*first || !*list)
		return wn_no_memory(err);
	for (size_t i = 0; i < n; i++)
		if (key(b, i) < n_grains)
			(*first)[key(b, i) + 2]++;
	for (uint32_t i = 0; i < n_grains; i++)
		(*first)[i + 2] += (*first)[i + 1];
	for (size_t i = 0; i < n; i++)
		if (key(b, i) < n_grains)
			(*list)[(*first)[key(b, i) + 1]++] = (uint32_t)i;
	return WN_OK;
}

static uint32_t
resolve(const struct wn_graph *g, uint32_t fj)
{
	for (size_t i = 0; fj != WN_NO_FJ && g->fjs[fj].alias != WN_NO_FJ && i < g->n_fjs; i++)
		fj = g->fjs[fj].alias;
	return fj;
}

/* The loop of each LOOP join: of a thread that got no chunk, the one that other threads of the
 * team met at that place. */
static wn_status
find_loops(struct builder *b, wn_err *err)
{
	const struct wn_graph *g = b->g;
	if (g->n_loops == 0)
		return WN_OK; /* NULL */
	uint32_t *of_fj = wn_calloc_none(g->n_fjs);
	b->implicit_loop = wn_calloc_none(g->n_joins);
	if (!of_fj || !b->implicit_loop) {
		wn_free(of_fj);
		return wn_no_memory(err);
	}
	for (wn_grain id = 0; id < g->n; id++)
		if ((g->kind[id] == WN_GRAIN_CHUNK || g->kind[id] == WN_GRAIN_SECTION) &&
		    g->fj[id] != WN_NO_FJ)
			of_fj[g->fj[id]] = g->context[id];
	for (size_t i = 0; i < g->n_joins; i++)
		if (g->joins[i].kind == WN_JOIN_LOOP && g->joins[i].fj != WN_NO_FJ)
			b->implicit_loop[i] = of_fj[g->joins[i].fj];
	wn_free(of_fj);
	return WN_OK;
}

/* The n-th LOOP join of some implicit task of the region whose loop is known. */
static uint32_t
loop_met_by_others(const struct builder *b, wn_grain id, uint32_t nth)
{
	const struct sim_region *r = &b->p->regions[b->g->context[id]];
	for (uint32_t i = 0; i < r->n_implicit; i++) {
		wn_grain other = b->p->implicit[r->first_implicit + i];
		uint32_t n = 0;
		for (uint32_t k = b->first_join[other]; k < b->first_join[other + 1]; k++) {
			if (b->g->joins[b->joins[k]].kind != WN_JOIN_LOOP || n++ != nth)
				continue;
			if (b->implicit_loop[b->joins[k]] != NONE)
				return b->implicit_loop[b->joins[k]];
			break;
		}
	}
	return NONE;
}

WN_COMPARE(by_place, struct act, WN_BY_FIRST(place, WN_BY_FIRST(instant_ns, WN_BY(number))))

static struct act
act_of_child(const struct builder *b, wn_grain child)
{
	const struct wn_graph *g = b->g;
	uint32_t after = g->after_join[child];
	return (struct act){
	    .place = after == WN_NO_JOIN ? 0 : 2 * ((uint64_t)after + 1),
	    .instant_ns = g->kind[child] == WN_GRAIN_HELPER ? 0 : g->instant_ns[child],
	    .number = child,
	    .step = {.kind = STEP_CREATE, .target = child},
	    .takes_fragment = true,
	};
}

/* Joins that are no steps of their own have kind STEP_END here. */
static struct act
act_of_join(struct builder *b, wn_grain id, uint32_t index, uint32_t *n_loops)
{
	const struct wn_join *j = &b->g->joins[index];
	struct act act = {.place = 2 * ((uint64_t)index + 1) - 1, .takes_fragment = true};
	uint32_t fj = resolve(b->g, j->fj);
	switch (j->kind) {
	case WN_JOIN_TASKWAIT:
	case WN_JOIN_GROUP:
		if (fj != WN_NO_FJ)
			act.step =
			    (struct step){.kind = j->kind == WN_JOIN_GROUP ? STEP_GROUP : STEP_WAIT,
			                  .target = fj};
		break;
	case WN_JOIN_DEPEND:
		if (j->waitpoint < b->g->n)
			act.step = (struct step){.kind = STEP_DEPENDS, .target = j->waitpoint};
		break;
	case WN_JOIN_BARRIER:
		act.step = (struct step){.kind = STEP_BARRIER};
		break;
	case WN_JOIN_REGION:
		act.step = (struct step){.kind = STEP_REGION, .target = NONE};
		break;
	case WN_JOIN_LOOP: {
		uint32_t loop = b->implicit_loop ? b->implicit_loop[index] : NONE;
		if (b->implicit_loop && loop == NONE && b->g->kind[id] == WN_GRAIN_IMPLICIT)
			loop = loop_met_by_others(b, id, *n_loops);
		(*n_loops)++;
		if (loop != NONE)
			act.step = (struct step){.kind = STEP_LOOP, .target = loop};
		break;
	}
	default: /* the creation of the undeferred task has been a step */
		act.takes_fragment = false;
	}
	return act;
}

/* Sorts what a grain does into program order. Returns the number of acts. */
static wn_status
list_acts(struct builder *b, wn_grain id, size_t *n_acts, wn_err *err)
{
	size_t n = 0, n_children = b->first_child[id + 1] - b->first_child[id];
	uint32_t j = b->joins ? b->first_join[id] : 0,
		 last_join = b->joins ? b->first_join[id + 1] : 0;
	size_t need = n_children + last_join - j;
	uint32_t n_loops = 0;
	bool is_sorted = true;
	if (wn_grow(&b->acts, &b->acts_capacity, need + 1, sizeof *b->acts) != 0)
		return wn_no_memory(err);
	uint32_t c = b->first_child[id];
	/* children have ascending ids and mostly are in order */
	while (c < b->first_child[id + 1] || j < last_join) {
		uint64_t join_place =
		    j < last_join ? 2 * ((uint64_t)b->joins[j] + 1) - 1 : UINT64_MAX;
		bool is_child = c < b->first_child[id + 1];
		struct act child =
		    is_child ? act_of_child(b, b->children[c]) : (struct act){.place = UINT64_MAX};
		if (is_child && child.place < join_place) {
			b->acts[n] = child;
			c++;
		} else {
			b->acts[n] = act_of_join(b, id, b->joins[j], &n_loops);
			j++;
		}
		is_sorted &= n == 0 || b->acts[n - 1].place <= b->acts[n].place;
		n++;
	}
	if (!is_sorted)
		qsort(b->acts, n, sizeof *b->acts, by_place);
	*n_acts = n;
	return WN_OK;
}

/* Uses of mutexes in a fragment cut it. */
struct cutter {
	const struct wn_mutex_use *uses;
	const uint32_t *at, *end;
};

static wn_status
know_mutex(struct builder *b, const struct wn_mutex_use *use, wn_err *err)
{
	struct program *p = b->p;
	if (use->mutex < p->n_mutexes && p->mutex_site[use->mutex] != WN_NO_SITE)
		return WN_OK;
	if (wn_grow(&p->mutex_site, &p->mutexes_capacity, (size_t)use->mutex + 1,
	            sizeof *p->mutex_site) != 0)
		return wn_no_memory(err);
	for (; p->n_mutexes <= use->mutex; p->n_mutexes++)
		p->mutex_site[p->n_mutexes] = WN_NO_SITE;
	if (use->place < b->g->n_mutexes)
		p->mutex_site[use->mutex] = b->g->mutexes[use->place].site;
	return WN_OK;
}

/* Adds the uses inside a fragment; returns the work that is left of it. */
static wn_status
cut_by_mutexes(struct builder *b, struct cutter *c, uint64_t fragment, bool is_last,
               uint64_t before_ns, uint64_t *work_ns, wn_err *err)
{
	uint64_t done_ns = 0;
	while (c->at < c->end && (is_last || c->uses[*c->at].fragment <= fragment)) {
		const struct wn_mutex_use *use = &c->uses[*c->at++];
		uint64_t at_ns = use->fragment < fragment ? 0 : before_ns + use->offset_ns;
		at_ns = at_ns > *work_ns ? *work_ns : at_ns < done_ns ? done_ns : at_ns;
		enum step_kind kind = use->is_release                 ? STEP_RELEASE
		                      : use->kind == WN_MUTEX_ORDERED ? STEP_ORDERED
		                                                      : STEP_ACQUIRE;
		wn_status st = program_add_step(b->p, kind, at_ns - done_ns, use->mutex, err);
		done_ns = at_ns;
		if (st != WN_OK)
			return st;
		if ((st = know_mutex(b, use, err)) != WN_OK)
			return st;
	}
	*work_ns -= done_ns;
	return WN_OK;
}

/* Number of taskloop tasks from here on that belong together. */
static uint32_t
taskloop_length(const struct builder *b, size_t i, size_t n)
{
	const struct wn_graph *g = b->g;
	wn_grain id = b->acts[i].step.target;
	uint32_t length = 0;
	if (b->acts[i].step.kind != STEP_CREATE || g->kind[id] != WN_GRAIN_TASKLOOP)
		return 0;
	uint64_t taskloop = g->range[id] ? g->ranges[g->range[id] - 1].taskloop : 0;
	for (; i < n && b->acts[i].step.kind == STEP_CREATE; i++, length++) {
		wn_grain other = b->acts[i].step.target;
		if (g->kind[other] != WN_GRAIN_TASKLOOP ||
		    (g->range[other] ? g->ranges[g->range[other] - 1].taskloop : 0) != taskloop)
			break;
	}
	return length;
}

/* Without a clause libgomp makes a task for each thread. */
static void
count_defaulted(struct builder *b, size_t i, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		b->p->defaulted_ns += wn_work_ns(b->g, b->acts[i + k].step.target);
}

/* One barrier has a join for each open fork-join. */
static bool
is_same_barrier(const struct builder *b, size_t i)
{
	if (i == 0 || b->acts[i].step.kind != STEP_BARRIER ||
	    b->acts[i - 1].step.kind != STEP_BARRIER)
		return false;
	const struct wn_join *at = &b->g->joins[(b->acts[i].place + 1) / 2 - 1];
	const struct wn_join *before = &b->g->joins[(b->acts[i - 1].place + 1) / 2 - 1];
	return at->fj != WN_NO_FJ && before->fj != WN_NO_FJ && at->instant_ns == before->instant_ns;
}

/* Which region each REGION join ends, in the order in which the grain met them. */
static uint32_t
region_of_join(const struct builder *b, const struct act *act)
{
	const struct wn_join *j = &b->g->joins[(act->place + 1) / 2 - 1];
	return j->fj == WN_NO_FJ ? NONE : j->fj;
}

/* Returns what a thread's entry of a loop takes, which counts as its work here; 0 for loops whose
 * chunks are dispatched. */
static uint64_t
entry_ns(const struct wn_loop *loop)
{
	return loop->kind_flags & WN_LOOP_INLINE && loop->n_threads
	           ? loop->overhead_ns / loop->n_threads
	           : 0;
}

static wn_status
add_steps(struct builder *b, wn_grain id, const uint32_t *region_of_fj, wn_err *err)
{
	const struct wn_graph *g = b->g;
	size_t fragment = 0;
	struct cutter c = {g->mutex_uses, NULL, NULL};
	if (b->uses)
		c = (struct cutter){g->mutex_uses, b->uses + b->first_use[id],
		                    b->uses + b->first_use[id + 1]};
	uint32_t looped_left = 0;
	size_t n = 0;
	wn_status st = list_acts(b, id, &n, err);
	if (st != WN_OK)
		return st;
	b->p->grains[id].first_step = (uint32_t)b->p->n_steps;
	uint64_t left_ns = 0; /* work that no step has taken */
	for (size_t i = 0; i <= n; i++) {
		uint64_t work_ns = left_ns, index = fragment;
		bool is_last = i == n;
		if (!is_last && !b->acts[i].takes_fragment)
			continue;
		if (fragment < b->n_run)
			work_ns += b->run_ns[fragment++];
		while (is_last && fragment < b->n_run)
			work_ns += b->run_ns[fragment++];
		if ((st = cut_by_mutexes(b, &c, index, is_last, left_ns, &work_ns, err)) != WN_OK)
			return st;
		left_ns = work_ns;
		struct step step = is_last ? (struct step){.kind = STEP_END} : b->acts[i].step;
		if (!is_last && step.kind == STEP_END)
			continue;
		if (step.kind == STEP_REGION) {
			uint32_t fj = region_of_join(b, &b->acts[i]);
			step.target = fj == NONE ? NONE : region_of_fj[fj];
			if (step.target == NONE)
				continue;
		}
		if (step.kind == STEP_CREATE && g->kind[step.target] == WN_GRAIN_HELPER)
			continue; /* its wait is a join; splitters of taskloops are the runtime's */
		if (step.kind == STEP_BARRIER && is_same_barrier(b, i))
			continue;
		if (step.kind == STEP_CREATE && looped_left == 0 &&
		    (looped_left = taskloop_length(b, i, n)) > 0) {
			if (looped_left == b->p->n_threads && b->is_gomp)
				count_defaulted(b, i, looped_left);
			st = program_add_step(b->p, STEP_LOOPED, left_ns, looped_left, err);
			if (st != WN_OK)
				return st;
			left_ns = 0;
		}
		looped_left -= looped_left > 0;
		if (step.kind == STEP_LOOP)
			left_ns += entry_ns(&g->loops[step.target]);
		b->p->n_waits += step.kind == STEP_WAIT || step.kind == STEP_GROUP;
		st = program_add_step(b->p, step.kind, left_ns, step.target, err);
		if (st != WN_OK)
			return st;
		left_ns = 0;
	}
	return WN_OK;
}

/* A region's own end is a barrier, whether or not the recording has its event on each thread. The
 * barrier becomes work. */
static void
drop_last_barrier(struct program *p, uint32_t grain)
{
	size_t first = p->grains[grain].first_step, at = p->n_steps - 1;
	while (at > first && p->steps[at - 1].kind == STEP_WORK)
		at--;
	if (at > first && p->steps[at - 1].kind == STEP_BARRIER)
		p->steps[at - 1].kind = STEP_WORK;
}

static bool
has_detail(const struct program *p, uint32_t grain)
{
	const struct step *s = &p->steps[p->grains[grain].first_step];
	while (s->kind == STEP_WORK)
		s++;
	return s->kind != STEP_END;
}

/* A grain without its steps. */
static struct sim_grain
grain_of(const struct builder *b, wn_grain id, uint32_t fj)
{
	const struct wn_graph *g = b->g;
	struct sim_grain s = {.first_step = NONE, .fj = fj, .kind = g->kind[id]};
	/* on one thread libomp calls all tasks undeferred */
	bool is_alone = !b->is_gomp && b->p->n_threads == 1;
	if (is_task(g, id) &&
	    (g->flags[id] & WN_GF_FINAL || (g->flags[id] & WN_GF_UNDEFERRED && !is_alone)))
		s.flags |= SIM_UNDEFERRED;
	if (g->flags[id] & WN_GF_INLINE)
		s.flags |= SIM_INLINE;
	return s;
}

static void
list_grains(struct builder *b)
{
	const struct wn_graph *g = b->g;
	for (wn_grain id = 0; id < g->n; id++) {
		uint32_t fj = resolve(g, g->fj[id]);
		b->p->grains[id] = grain_of(b, id, fj);
		if (b->p->group)
			b->p->group[id] =
			    fj != WN_NO_FJ && b->fj_kind[fj] == WN_JOIN_GROUP ? fj : NONE;
	}
}

static wn_status
finish_grain(struct builder *b, wn_grain id, const uint32_t *region_of_fj, wn_err *err)
{
	struct sim_grain *s = &b->p->grains[id];
	if (s->kind == WN_GRAIN_NONE || s->kind == WN_GRAIN_HELPER || s->first_step != NONE)
		return WN_OK;
	wn_status st = add_steps(b, id, region_of_fj, err);
	if (st != WN_OK)
		return st;
	if (s->kind == WN_GRAIN_IMPLICIT)
		drop_last_barrier(b->p, id);
	if ((s->kind == WN_GRAIN_CHUNK || s->kind == WN_GRAIN_SECTION) && has_detail(b->p, id))
		s->flags |= SIM_DETAIL;
	return WN_OK;
}

/* Fragments are stored by grain, in the order in which grains ended; then come grains without any.
 */
static wn_status
add_grains(struct builder *b, const uint32_t *region_of_fj, wn_err *err)
{
	struct wn_fragment f;
	wn_status st = WN_OK;
	list_grains(b);
	wn_fragments_begin(&b->g->fragments, &f);
	while (wn_fragments_next(&f)) {
		if (f.is_first)
			b->n_run = 0;
		if (wn_grow(&b->run_ns, &b->run_capacity, b->n_run + 1, sizeof *b->run_ns) != 0)
			return wn_no_memory(err);
		b->run_ns[b->n_run++] = f.ns;
		if (f.is_last)
			WN_TRY(finish_grain(b, f.grain, region_of_fj, err));
	}
	b->n_run = 0;
	for (wn_grain id = 0; id < b->g->n; id++)
		WN_TRY(finish_grain(b, id, region_of_fj, err));
out:
	return st;
}

/* Levels, and taskgroups inherited from parents. Parents may have higher ids, as of tasks created
 * on another thread: each grain's path up to one that is done is walked twice, so the cost is
 * linear. */
static void
set_levels(struct program *p, uint8_t *is_done)
{
	for (uint32_t id = 0; id < p->n_grains; id++) {
		uint32_t up = id, n_tasks = 0;
		while (up < p->n_grains && !is_done[up]) {
			n_tasks += is_task_grain(&p->grains[up]);
			up = p->parent[up];
		}
		uint32_t base = up < p->n_grains ? p->grains[up].level : 0;
		uint32_t level = base + n_tasks;
		for (uint32_t at = id; at < p->n_grains && !is_done[at]; at = p->parent[at]) {
			struct sim_grain *g = &p->grains[at];
			g->level = (uint16_t)(level > UINT16_MAX ? UINT16_MAX : level);
			level -= is_task_grain(g);
			is_done[at] = 1;
		}
	}
}

static void
inherit_group(struct program *p, uint32_t from, uint32_t to, uint32_t group)
{
	for (uint32_t at = from; group != NONE && at != to; at = p->parent[at])
		p->group[at] = group;
}

/* Of a task outside a group of its own: its parent's. Each path up is walked twice, likewise. */
static void
set_groups(struct program *p, uint8_t *is_done)
{
	memset(is_done, 0, p->n_grains);
	for (uint32_t id = 0; id < p->n_grains; id++) {
		uint32_t from = id, up = id;
		for (; up < p->n_grains && !is_done[up]; up = p->parent[up]) {
			is_done[up] = 1;
			if (p->group[up] == NONE && is_task_grain(&p->grains[up]))
				continue;
			inherit_group(p, from, up, p->group[up]);
			from = p->parent[up];
		}
		if (up < p->n_grains && from != up)
			inherit_group(p, from, up, p->group[up]);
	}
}

static wn_status
list_fjs(struct builder *b, wn_err *err)
{
	const struct wn_graph *g = b->g;
	b->fj_kind = wn_calloc(g->n_fjs + 1, 1);
	b->p->fj_owner = wn_calloc(g->n_fjs + 1, sizeof *b->p->fj_owner);
	if (!b->fj_kind || !b->p->fj_owner)
		return wn_no_memory(err);
	for (size_t i = 0; i < g->n_fjs; i++)
		b->p->fj_owner[i] = g->fjs[i].owner;
	for (size_t i = 0; i < g->n_joins; i++)
		if (g->joins[i].fj != WN_NO_FJ) {
			b->fj_kind[resolve(g, g->joins[i].fj)] = g->joins[i].kind;
			b->has_groups |= g->joins[i].kind == WN_JOIN_GROUP;
		}
	b->p->n_fjs = (uint32_t)g->n_fjs;
	return WN_OK;
}

#define SAMPLES_MAX 65536u

/* A creation: its thread, and below that the time. */
static uint64_t
creation_sample(const struct builder *b, wn_grain id, bool is_inline)
{
	const struct wn_graph *g = b->g;
	uint64_t ns = wn_creation_ns(g, id), thread = 0;
	if (b->is_gomp && !is_inline && g->parent[id] < g->n)
		thread = g->thread[g->parent[id]];
	return thread << 32 | (ns < NONE ? ns : NONE);
}

/* Mean of the lower nine tenths: of the others, most have touched new memory of the recorder, or
 * waited for a CPU. */
static double
mean_without_longest(const uint64_t *sorted, uint32_t n)
{
	uint32_t n_counted = n - n / 10;
	double sum = 0;
	for (uint32_t i = 0; i < n_counted; i++)
		sum += (double)(uint32_t)sorted[i];
	return sum / n_counted;
}

/* Returns where the samples of the thread end that begin at `first`. */
static uint32_t
end_of_thread(const uint64_t *sorted, uint32_t n, uint32_t first)
{
	uint32_t end = first;
	while (end < n && sorted[end] >> 32 == sorted[first] >> 32)
		end++;
	return end;
}

/* The lower quartile of the creations of the thread on which that is shortest: others may call the
 * kernel in each (costs.def, wake_call). Threads with few creations, compared with the thread with
 * most, do not count. */
static double
shortest_quartile(const uint64_t *sorted, uint32_t n)
{
	double least_ns = NAN;
	uint32_t most = 0;
	for (uint32_t first = 0, end = 0; first < n; first = end) {
		end = end_of_thread(sorted, n, first);
		most = end - first > most ? end - first : most;
	}
	for (uint32_t first = 0, end = 0; first < n; first = end) {
		end = end_of_thread(sorted, n, first);
		if (8 * (uint64_t)(end - first) >= most)
			least_ns = fmin(least_ns, (uint32_t)sorted[first + (end - first) / 4]);
	}
	return least_ns;
}

/* What a creation took, and what it takes without the recorder; NAN without any. On one thread
 * those are means. With several threads most creations have waited: a lower quartile stands for
 * those that have not. */
static struct sim_creation
creation_of(const struct builder *b, bool is_inline, uint64_t *samples)
{
	const struct wn_graph *g = b->g;
	uint32_t n = 0, step = 1 + g->n / SAMPLES_MAX;
	uint64_t n_all = 0;
	double sum = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		bool runs_inline = g->flags[id] & (WN_GF_INLINE | WN_GF_UNDEFERRED | WN_GF_FINAL);
		/* of a taskloop's tasks on several threads, only the time of the whole call is
		 * known */
		if (!is_task(g, id) || (b->p->n_threads > 1 && g->kind[id] == WN_GRAIN_TASKLOOP) ||
		    !(g->flags[id] & WN_GF_CREATION_KNOWN) || runs_inline != is_inline)
			continue;
		sum += (double)wn_creation_ns(g, id);
		if (n_all++ % step == 0)
			samples[n++] = creation_sample(b, id, is_inline);
	}
	if (n == 0)
		return (struct sim_creation){NAN, NAN};
	qsort(samples, n, sizeof *samples, wn_compare_u64);
	if (b->p->n_threads == 1 || is_inline)
		return (struct sim_creation){sum / (double)n_all, mean_without_longest(samples, n)};
	double ns = shortest_quartile(samples, n);
	return (struct sim_creation){ns, ns};
}

/* Whether one of several threads ran all tasks but one in a hundred. */
static bool
has_one_worker(const struct builder *b)
{
	const struct wn_graph *g = b->g;
	uint32_t thread = NONE;
	uint64_t n_lead = 0, n_tasks = 0, n_there = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!is_task(g, id))
			continue;
		if (n_lead == 0)
			thread = g->thread[id];
		n_lead = g->thread[id] == thread ? n_lead + 1 : n_lead - 1;
	}
	for (wn_grain id = 0; id < g->n; id++)
		if (is_task(g, id)) {
			n_tasks++;
			n_there += g->thread[id] == thread;
		}
	return b->p->n_threads > 1 && n_there >= n_tasks - n_tasks / 100;
}

static wn_status
measure_creation(struct builder *b, wn_err *err)
{
	uint64_t *samples = wn_calloc(SAMPLES_MAX, sizeof *samples);
	if (!samples)
		return wn_no_memory(err);
	b->p->deferred = creation_of(b, false, samples);
	b->p->undeferred = creation_of(b, true, samples);
	b->p->has_one_worker = has_one_worker(b);
	wn_free(samples);
	return WN_OK;
}

static const char *
reason_against(const struct wn_model *x)
{
	const struct wn_graph *g = x->m->g;
	if (!g->thread_time)
		return "an imported table has no times of threads";
	if (g->detail < WN_DETAIL_WHOLE)
		return "a lean graph has no fragments";
	if (g->n_regions == 0 || g->n == 0)
		return "no parallel region was recorded";
	uint64_t n_bound;
	if (x->n_cpus < x->n_threads ||
	    (wn_trace_fact(g->trace, WN_FACT_BOUND_CPUS, &n_bound) && n_bound < x->n_threads))
		return "threads shared CPUs: how the system divides these is not modelled";
	if (x->no_bound && !x->hides_loops)
		return x->no_bound;
	if (wn_graph_verdict(g).why != WN_COMPLETE)
		return "the recording is incomplete";
	if (x->m->totals.paused_ns > 0)
		return "the program paused the recording";
	for (wn_grain id = 0; id < g->n; id++) {
		if (g->flags[id] & WN_GF_DETACHED)
			return "tasks with detach complete at times that are not part of the graph";
		if (g->flags[id] & WN_GF_CANCELLED)
			return "tasks were cancelled, and which ones depends on the schedule";
	}
	for (size_t i = 0; i < g->n_mutexes; i++)
		if (g->mutexes[i].kind == WN_MUTEX_DOACROSS)
			return "loops with doacross dependences are not modelled";
	return NULL;
}

/* Elapsed time, less what threads were off the CPU inside the runtime, where no step has it: exact
 * for one thread, the mean over threads otherwise. */
static uint64_t
recorded_on_cpu(const struct wn_model *x)
{
	const struct wn_totals *t = &x->m->totals;
	const struct wn_graph *g = x->m->g;
	uint64_t off_ns = t->preempted_ns + t->blocked_ns, of_grains_ns = 0;
	for (wn_grain id = 0; g->off_cpu_ns && id < g->n; id++)
		of_grains_ns += g->off_cpu_ns[id];
	off_ns = off_ns > of_grains_ns ? (off_ns - of_grains_ns) / x->n_threads : 0;
	return t->recorded_ns > off_ns ? t->recorded_ns - off_ns : t->recorded_ns;
}

/* As recorded: work with what recording added to it, and with time off the CPU. */
static void
set_parts(struct program *p, const struct wn_totals *t)
{
	p->part_ns[SIM_PART_WORK] =
	    t->work_ns + t->static_ns + t->grain_recording_ns + t->preempted_ns + t->blocked_ns;
	p->part_ns[SIM_PART_RUNTIME] = t->creation_ns + t->dispatch_ns - t->static_ns +
	                               t->scheduling_ns + t->leaving_ns + t->forking_ns +
	                               t->recording_ns - t->grain_recording_ns;
	p->part_ns[SIM_PART_LOCKS] = t->mutex_ns;
	p->part_ns[SIM_PART_IDLE] = t->idle_ready_ns + t->idle_empty_ns;
}

static void
builder_fini(struct builder *b)
{
	void *const blocks[] = {b->first_child,   b->children, b->first_join, b->joins,
	                        b->first_use,     b->uses,     b->fj_kind,    b->run_ns,
	                        b->implicit_loop, b->acts};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		wn_free(blocks[i]);
}

/* What is known of the run as a whole; columns are borrowed. */
static void
set_run(struct program *p, const struct wn_model *x)
{
	const struct wn_graph *g = x->m->g;
	p->n_grains = g->n;
	p->parent = g->parent;
	p->site = g->site;
	p->recording_ns = g->recording_ns;
	p->off_cpu_ns = g->off_cpu_ns;
	p->n_sites = wn_trace_n_sites(g->trace);
	p->n_threads = x->n_threads;
	p->waits = wn_model_wait_policy(g->trace);
	p->n_cpus = (uint32_t)fmax(1, x->n_cpus);
	p->machine_cpus = wn_trace_header(g->trace)->n_cpus;
	p->n_memories = wn_trace_n_nodes(g->trace);
	p->work_ns = x->m->totals.work_ns;
	p->span_ns = x->m->totals.span_ns;
	p->serial_ns = x->m->totals.serial_ns;
	p->recorded_ns = recorded_on_cpu(x);
	set_parts(p, &x->m->totals);
	p->is_calibrated = x->m->totals.is_calibrated;
	p->compensation_sigma_ns = g->probes_sigma_ps / 1000;
	uint64_t peak_pages = 0;
	if (p->is_calibrated)
		p->unprobed_ns = g->n_unprobed * PROBE_NS;
	if (wn_trace_fact(g->trace, WN_FACT_PEAK_PAGES, &peak_pages))
		p->peak_bytes = peak_pages * PAGE_BYTES;
}

/* Which thread began the only task of an implicit task: libgomp's threads race for it. On one
 * thread there is no race: more threads that keep it leave the task to the one that waits for it.
 */
static void
mark_races(const struct builder *b)
{
	const struct wn_graph *g = b->g;
	for (uint32_t i = 0; b->is_gomp && i < b->p->n_implicit; i++) {
		uint32_t id = b->p->implicit[i];
		if (b->first_child[id + 1] - b->first_child[id] != 1)
			continue;
		uint32_t child = b->children[b->first_child[id]];
		if (is_task(g, child))
			b->p->grains[child].flags |=
			    g->thread[child] == g->thread[id] ? SIM_KEPT : SIM_TAKEN;
	}
}

wn_status
program_build(const struct wn_model *x, struct program *p, wn_err *err)
{
	const struct wn_graph *g = x->m->g;
	const char *why = reason_against(x);
	struct builder b = {
	    .g = g, .p = p, .is_gomp = wn_trace_header(g->trace)->sources & WN_SOURCE_LIBGOMP};
	uint32_t *region_of_fj = NULL;
	uint8_t *is_done = NULL;
	wn_status st = WN_OK;
	if (why)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "%s", why);
	set_run(p, x);
	p->grains = wn_calloc((size_t)g->n + 1, sizeof *p->grains);
	region_of_fj = wn_calloc_none(g->n_fjs + 1);
	if (!p->grains || !region_of_fj)
		WN_TRY(wn_no_memory(err));
	for (uint32_t i = 0; i < g->n_regions; i++)
		if (g->regions[i].parent != WN_NO_GRAIN)
			region_of_fj[g->regions[i].fj] = i;
	WN_TRY(group_by(&b, g->n, child_key, &b.first_child, &b.children, err));
	WN_TRY(group_by(&b, g->n_joins, join_key, &b.first_join, &b.joins, err));
	WN_TRY(group_by(&b, g->n_mutex_uses, use_key, &b.first_use, &b.uses, err));
	WN_TRY(list_fjs(&b, err));
	if (b.has_groups && !(p->group = wn_calloc((size_t)g->n + 1, sizeof *p->group)))
		WN_TRY(wn_no_memory(err));
	WN_TRY(program_add_regions(g, x, p, err));
	WN_TRY(find_loops(&b, err));
	/* about as many steps as there will be, so that they are not moved */
	if (wn_grow(&p->steps, &p->steps_capacity, 2 * (size_t)g->n + g->n_joins + g->n_mutex_uses,
	            sizeof *p->steps) != 0)
		WN_TRY(wn_no_memory(err));
	WN_TRY(add_grains(&b, region_of_fj, err));
	is_done = wn_calloc((size_t)g->n + 1, 1);
	if (!is_done)
		WN_TRY(wn_no_memory(err));
	set_levels(p, is_done);
	if (b.has_groups)
		set_groups(p, is_done);
	WN_TRY(program_add_loops(g, p, err));
	WN_TRY(program_compare_neighbours(p, g->thread, err));
	WN_TRY(program_add_dependences(g, p, err));
	WN_TRY(measure_creation(&b, err));
	mark_races(&b);
out:
	wn_free(region_of_fj);
	wn_free(is_done);
	builder_fini(&b);
	return st;
}
