/* SPDX-License-Identifier: MIT */
/* oracle.c - work, structure, and the split of the threads' time. Spans: oracle_span.c. */
#include "oracle.h"

#include "graph/graph.h"
#include "operate.h"

#include <stdlib.h>
#include <string.h>

static void *
make(size_t n, size_t size_bytes)
{
	void *block = calloc(n + 1, size_bytes);
	if (!block)
		abort();
	return block;
}

static bool
has_members(const struct sim *s, uint32_t group)
{
	for (uint32_t id = 0; id < s->n_grains; id++)
		if (s->grains[id].group == group && !s->grains[id].is_silent &&
		    (s->grains[id].kind == WN_GRAIN_TASK ||
		     s->grains[id].kind == WN_GRAIN_TASKLOOP))
			return true;
	return false;
}

/* The wait of a waitpoint has a sibling to wait for, done or not; earlier waits are such, too. */
static bool
waits_for_any(const struct sim *s, uint32_t waitpoint)
{
	for (uint32_t id = 0; id < waitpoint; id++)
		if (sim_depends(s, waitpoint, id))
			return true;
	return false;
}

/* Whether item i of a grain, a taskwait or the end of a group, has anything to join: a child that
 * nothing has joined, or a member. */
static bool
joins_something(const struct sim *s, uint32_t grain, size_t i)
{
	const struct item *items = s->grains[grain].items;
	uint32_t children[GRAINS_MAX], n = 0;
	for (size_t k = 0; k < i; k++) {
		uint32_t kept = 0;
		switch (items[k].kind) {
		case IT_CREATE:
			children[n++] = items[k].what;
			break;
		case IT_WAIT:
		case IT_BARRIER:
			n = 0;
			break;
		case IT_GROUP_CLOSE:
			for (uint32_t c = 0; c < n; c++)
				if (!sim_in_group(s, &s->grains[children[c]], items[k].what))
					children[kept++] = children[c];
			n = kept;
			break;
		default:
			break;
		}
	}
	if (items[i].kind == IT_WAIT)
		return n > 0;
	if (items[i].kind == IT_WAIT_FOR)
		return waits_for_any(s, items[i].what);
	if (items[i].kind != IT_GROUP_CLOSE)
		return false;
	for (size_t k = 0; k < n; k++)
		if (sim_in_group(s, &s->grains[children[k]], items[i].what))
			return true;
	return has_members(s, items[i].what);
}

/* A static share's work belongs to its chunks by their iterations; the first one has at least what
 * it had done when it last created something. */
static void
divide_share(struct oracle *o, uint32_t first)
{
	const struct sim_grain *g = &o->s->grains[first];
	uint64_t total = (g->share.n - 1) * g->share.chunk + g->share.last;
	uint64_t all = o->work[first], fixed = 0, piece = 0, done = 0, given = 0;
	for (size_t i = 0; i < g->n_items; i++) {
		const struct item *item = &g->items[i];
		if (item->kind == IT_WORK)
			piece += item->ns;
		if (item->kind == IT_CREATE || item->kind == IT_HELPER ||
		    item->kind == IT_REGION_OPEN || joins_something(o->s, first, i)) {
			fixed += piece;
			piece = 0;
		}
	}
	for (uint64_t k = 0; k < g->share.n; k++) {
		done += k + 1 < g->share.n ? g->share.chunk : g->share.last;
		uint64_t upto = (uint64_t)((double)done / (double)total * (double)all);
		if (k + 1 == g->share.n)
			upto = all;
		if (upto < fixed)
			upto = fixed;
		o->work[first + k] = upto - given;
		given = upto;
		o->s->grains[first + k].is_estimated = true;
	}
}

void
oracle_work(struct oracle *o)
{
	struct sim *s = o->s;
	for (uint32_t id = 0; id < s->n_grains; id++) {
		const struct sim_grain *g = &s->grains[id];
		for (size_t i = 0; i < g->n_items; i++) {
			o->work[id] += g->items[i].kind == IT_WORK ? g->items[i].ns : 0;
			o->made[id] += g->items[i].kind == IT_MADE ? g->items[i].ns : 0;
			o->locked[id] += g->items[i].kind == IT_LOCKED ? g->items[i].ns : 0;
		}
		o->t1 += o->work[id];
	}
	/* a share of one chunk is no estimate */
	for (uint32_t id = 0; id < s->n_grains; id++)
		if (s->grains[id].share.n > 1)
			divide_share(o, id);
	for (size_t i = 0; i < s->n_intervals; i++)
		if (s->intervals[i].sync == WN_SYNC_TASKWAIT ||
		    s->intervals[i].sync == WN_SYNC_DEPEND ||
		    s->intervals[i].sync == WN_SYNC_TASKGROUP)
			o->sync[s->intervals[i].grain] += s->intervals[i].to - s->intervals[i].from;
}

/* --- fork-joins: children since the last join, and what outlived its parent --- */

#define OPEN_MAX 64

struct walk {
	uint32_t
	    open;   /* fork-join of the children made since the last join or opening of a group */
	uint32_t n; /* fork-joins of this owner so far */
	uint32_t depth; /* of groups */
	uint32_t n_older;
	struct {
		uint32_t fj, depth;
	} older[OPEN_MAX]; /* other fork-joins that are open */
};

static void
set_aside(struct walk *w)
{
	if (w->open == NONE)
		return;
	if (w->n_older == OPEN_MAX)
		abort();
	w->older[w->n_older].fj = w->open;
	w->older[w->n_older++].depth = w->depth;
	w->open = NONE;
}

/* Joins all that was opened at this depth or below; how many that are. */
static uint32_t
close_to(struct walk *w, uint32_t depth)
{
	uint32_t n = 0;
	set_aside(w);
	for (; w->n_older && w->older[w->n_older - 1].depth >= depth; n++)
		w->n_older--;
	return n;
}

static uint32_t
fj_of(struct oracle *o, struct walk *w, uint32_t owner)
{
	if (w->open == NONE) {
		sim_grow(&o->fjs, &o->fjs_capacity, o->n_fjs + 1, sizeof *o->fjs);
		o->fjs[o->n_fjs] = (struct oracle_fj){.owner = owner, .index = w->n++};
		w->open = (uint32_t)o->n_fjs++;
	}
	return w->open;
}

/* Moves all children of fork-join `from` to `to`. */
static void
lift(struct oracle *o, uint32_t from, uint32_t to)
{
	for (uint32_t id = 0; id < o->s->n_grains; id++)
		if (o->fj[id] == from)
			o->fj[id] = to;
}

/* Fork-joins that nobody closed, of grains for which `owner`'s join of this kind waits. */
static void
lift_rogues(struct oracle *o, struct walk *w, uint32_t owner, uint32_t group, uint32_t phase,
            const uint32_t *left_open)
{
	const struct sim *s = o->s;
	bool has_any = false;
	for (uint32_t id = 0; id < s->n_grains; id++) {
		const struct sim_grain *g = &s->grains[id];
		bool is_mine = group != NONE
		                   ? g->group == group
		                   : g->group == NONE && g->implicit == owner && g->phase == phase;
		if (left_open[id] == NONE || !is_mine || id == owner ||
		    g->kind == WN_GRAIN_IMPLICIT)
			continue;
		/* not into what is older than the grain whose child it is may be */
		if (!has_any && w->open != NONE && o->fjs[w->open].index + 1 != w->n)
			set_aside(w);
		lift(o, left_open[id], fj_of(o, w, owner));
		has_any = true;
	}
}

static void
structure_of(struct oracle *o, uint32_t id, uint32_t *left_open)
{
	struct sim *s = o->s;
	struct walk w = {.open = NONE};
	uint32_t before_loop = NONE, n_closed;
	for (size_t i = 0; i < s->grains[id].n_items; i++) {
		const struct item item = s->grains[id].items[i];
		switch (item.kind) {
		case IT_CREATE:
			o->fj[item.what] = fj_of(o, &w, id);
			o->n_children[id]++;
			break;
		case IT_RETURN:
			o->n_joins[id][WN_JOIN_UNDEFERRED]++;
			break;
		case IT_WAIT:
			o->n_joins[id][WN_JOIN_TASKWAIT] += close_to(&w, 0);
			break;
		case IT_WAIT_FOR:
			o->n_joins[id][WN_JOIN_DEPEND] += joins_something(s, id, i);
			break;
		case IT_GROUP_OPEN:
			set_aside(&w);
			w.depth++;
			break;
		case IT_GROUP_CLOSE:
			lift_rogues(o, &w, id, item.what, NONE, left_open);
			n_closed = close_to(&w, w.depth);
			o->n_joins[id][WN_JOIN_GROUP] +=
			    n_closed ? n_closed : has_members(s, item.what);
			w.depth--;
			break;
		case IT_BARRIER:
			lift_rogues(o, &w, id, NONE, item.what, left_open);
			n_closed = close_to(&w, 0);
			o->n_joins[id][WN_JOIN_BARRIER] += n_closed ? n_closed : 1;
			break;
		case IT_LOOP_OPEN:
			before_loop = w.open;
			w.open = NONE;
			break;
		case IT_CHUNK:
			o->fj[item.what] = fj_of(o, &w, id);
			o->n_children[id]++;
			break;
		case IT_LOOP_CLOSE:
			o->n_joins[id][WN_JOIN_LOOP]++;
			w.open = before_loop;
			break;
		case IT_REGION_OPEN: {
			uint32_t open = w.open;
			w.open = NONE;
			const struct sim_team *team = &s->teams[item.what];
			for (uint32_t k = 0; k < team->n_implicit; k++)
				o->fj[team->implicit[k]] = fj_of(o, &w, id);
			o->n_children[id] += team->n_implicit;
			o->n_joins[id][WN_JOIN_REGION]++;
			w.open = open;
			break;
		}
		default:
			break;
		}
	}
	const struct sim_grain *g = &s->grains[id];
	bool ends_context = g->kind == WN_GRAIN_INITIAL ||
	                    (g->kind == WN_GRAIN_IMPLICIT && !s->teams[g->team].has_barrier);
	if (ends_context) {
		lift_rogues(o, &w, id, NONE, g->kind == WN_GRAIN_INITIAL ? 0 : g->n_barriers,
		            left_open);
		o->n_joins[id][WN_JOIN_BARRIER] += close_to(&w, 0);
	}
	/* whoever joins one of them joins them all */
	set_aside(&w);
	for (uint32_t k = 1; k < w.n_older; k++)
		lift(o, w.older[k].fj, w.older[0].fj);
	o->n_joins[id][WN_JOIN_FULFILL] =
	    g->fulfilled_by != NONE && g->fulfilled_by != id && !g->is_silent;
	left_open[id] = w.n_older ? w.older[0].fj : NONE;
}

void
oracle_structure(struct oracle *o)
{
	const struct sim *s = o->s;
	uint32_t *left_open = make(s->n_grains, sizeof *left_open);
	for (uint32_t id = 0; id < s->n_grains; id++)
		left_open[id] = NONE;
	/* a grain's children have larger ids here, so that what they left is known */
	for (uint32_t id = (uint32_t)s->n_grains; id-- > 0;)
		structure_of(o, id, left_open);
	for (uint32_t id = 0; id < s->n_grains; id++) {
		if (o->fj[id] == NONE)
			continue;
		struct oracle_fj *f = &o->fjs[o->fj[id]];
		f->n_children++;
		f->sum_work += o->work[id];
		if (o->work[id] > f->max_work)
			f->max_work = o->work[id];
	}
	free(left_open);
}

/* --- dependences --- */

/* What a task's clauses amount to at an address; 0 = nothing, out for inout and omp_all_memory. */
static uint8_t
kind_at(const struct sim_grain *g, uint8_t address)
{
	uint8_t kind = 0;
	for (uint32_t i = 0; i < g->n_clauses; i++) {
		uint8_t k = g->clauses[i].kind;
		if (k == WN_DEPEND_ALL_MEMORY)
			return WN_DEPEND_INOUT;
		if (g->clauses[i].address != address)
			continue;
		k = k == WN_DEPEND_OUT ? WN_DEPEND_INOUT : k;
		kind = kind && kind != k ? WN_DEPEND_INOUT : k;
	}
	return kind;
}

static bool
names_all(const struct sim_grain *g)
{
	for (uint32_t i = 0; i < g->n_clauses; i++)
		if (g->clauses[i].kind == WN_DEPEND_ALL_MEMORY)
			return true;
	return false;
}

/* Is an edge between these two, both with omp_all_memory, one that others make needless? */
static bool
is_between(const struct sim *s, uint32_t before, uint32_t id)
{
	if (!names_all(&s->grains[before]) || !names_all(&s->grains[id]))
		return false;
	for (uint32_t k = before + 1; k < id; k++)
		if (s->grains[k].parent == s->grains[id].parent && s->grains[k].n_clauses &&
		    (s->grains[k].kind != WN_GRAIN_HELPER || s->grains[k].carrier == NONE))
			return true;
	return false;
}

/* Marks the run of siblings of one kind at this address that lies before the run of `id`. */
static void
find_predecessors(struct oracle *o, uint32_t id, uint8_t address)
{
	const struct sim *s = o->s;
	uint8_t own = kind_at(&s->grains[id], address), run = 0;
	bool is_in_own_run = own != WN_DEPEND_INOUT;
	for (uint32_t before = id; own && before-- > 0;) {
		const struct sim_grain *b = &s->grains[before];
		uint8_t kind = b->parent == s->grains[id].parent ? kind_at(b, address) : 0;
		if (!kind || (b->kind == WN_GRAIN_HELPER && b->carrier != NONE))
			continue;
		is_in_own_run = is_in_own_run && kind == own;
		if (is_in_own_run)
			continue;
		if (run && (kind != run || run == WN_DEPEND_INOUT))
			return;
		run = kind;
		if (b->kind != WN_GRAIN_HELPER && !is_between(s, before, id))
			o->precedes[(size_t)id * s->n_grains + before] = 1;
	}
}

void
oracle_dependences(struct oracle *o)
{
	const struct sim *s = o->s;
	for (uint32_t id = 0; id < s->n_grains; id++)
		for (uint8_t address = 0; s->grains[id].n_clauses && address < 4; address++)
			find_predecessors(o, id, address);
}

/* --- thread time --- */

static bool
is_barrier(uint32_t sync)
{
	return sync >= WN_SYNC_BARRIER_EXPLICIT && sync <= WN_SYNC_BARRIER_TEAMS;
}

/* The latest end, up to `until`, of what `id` depends on; a discarded task has none of its own. */
static uint64_t
met_at(const struct sim *s, uint32_t id, uint64_t until)
{
	uint64_t at = 0;
	for (uint32_t before = 0; before < id; before++) {
		const struct sim_grain *b = &s->grains[before];
		if (b->kind == WN_GRAIN_HELPER || !sim_depends(s, id, before))
			continue;
		uint64_t end = b->is_silent ? met_at(s, before, until) : b->end;
		if (end <= until && end > at)
			at = end;
	}
	return at;
}

/* When what the wait stood for had happened. */
static uint64_t
fulfilled_at(const struct sim *s, const struct interval *w)
{
	const struct sim_grain *g = &s->grains[w->grain];
	uint64_t at = 0;
	if (w->sync == WN_SYNC_DEPEND)
		return met_at(s, w->what, w->to);
	if (is_barrier(w->sync)) {
		const struct sim_team *team = &s->teams[g->team];
		for (uint32_t i = 0; i < team->n_arrived[w->what]; i++)
			if (team->arrived[w->what][i] > at)
				at = team->arrived[w->what][i];
	}
	for (uint32_t id = 0; id < s->n_grains; id++) {
		const struct sim_grain *c = &s->grains[id];
		if (c->kind != WN_GRAIN_TASK && c->kind != WN_GRAIN_TASKLOOP)
			continue;
		bool counts = is_barrier(w->sync) ? c->team == g->team && c->phase <= w->what
		              : w->sync == WN_SYNC_TASKGROUP
		                  ? c->group == w->what
		                  : c->parent == w->grain && c->create_at <= w->from;
		if (counts && !c->is_silent && c->end <= w->to && c->end > at)
			at = c->end;
	}
	return at;
}

/* From here on a task was to be had: it was made, and all that it depends on had ended. */
static uint64_t
offered_at(const struct sim *s, uint32_t id)
{
	uint64_t at = s->grains[id].offer_at;
	for (uint32_t before = 0; before < id; before++) {
		const struct sim_grain *b = &s->grains[before];
		if (b->kind == WN_GRAIN_HELPER || !sim_depends(s, id, before))
			continue;
		if (b->end > at)
			at = b->end;
		uint64_t met = b->is_silent ? met_at(s, before, UINT64_MAX) : 0;
		if (met > at)
			at = met;
	}
	return at;
}

uint64_t
oracle_off(const struct oracle *o, uint32_t thread, uint64_t from, uint64_t to, int kind)
{
	uint64_t sum = 0;
	for (size_t i = 0; o->switches && i < o->switches[thread].n; i++)
		for (uint64_t at = from; at < to; at++)
			sum += o->switches[thread].items[i].kind == kind &&
			       at >= o->switches[thread].items[i].from &&
			       at < o->switches[thread].items[i].to;
	return sum;
}

/* Nanoseconds of [from, to) in which the team had a task whose creation was over and which had not
 * begun; and those of them in which a thread was preempted. */
static uint64_t
ready_within(const struct oracle *o, uint32_t team, uint64_t from, uint64_t to, uint32_t thread,
             uint64_t *preempted)
{
	const struct sim *s = o->s;
	uint8_t *is_ready = make(to - from, 1);
	uint64_t sum = 0;
	*preempted = 0;
	for (uint32_t id = 0; id < s->n_grains; id++) {
		const struct sim_grain *g = &s->grains[id];
		if (!g->is_counted_ready || g->team != team || g->begin <= from)
			continue;
		uint64_t offered = offered_at(s, id);
		for (uint64_t at = offered > from ? offered : from; at < to && at < g->begin; at++)
			is_ready[at - from] = 1;
	}
	for (uint64_t at = from; at < to; at++) {
		sum += is_ready[at - from];
		if (is_ready[at - from])
			*preempted += oracle_off(o, thread, at, at + 1, WN_SWITCH_PREEMPTED);
	}
	free(is_ready);
	return sum;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void
add_wait(struct oracle *o, const struct interval *w, struct oracle_time *time)
{
	const struct sim *s = o->s;
	uint64_t passed = w->to - w->from, off, until = w->to;
	uint64_t ready = ready_within(o, s->grains[w->grain].team, w->from, w->to, w->thread, &off);
	uint64_t scheduling = 0, leaving = 0;
	if (w->result == RELEASED) {
		uint64_t at = fulfilled_at(s, w);
		until = at > w->from ? least(at, w->to) : w->from;
		leaving = w->to - until;
		/* no more idleness than there is time before the release */
		ready = ready < passed - leaving ? ready : passed - leaving;
	}
	time->idle_empty += passed - leaving - ready;
	off = least(off, oracle_off(o, w->thread, w->from, until, WN_SWITCH_PREEMPTED));
	off = least(off, ready);
	uint64_t late = oracle_off(o, w->thread, until, w->to, WN_SWITCH_PREEMPTED);
	time->preempted += off + late;
	ready -= off;
	leaving -= late;
	if (w->result == GOT_TASK) {
		scheduling = ready;
		ready = 0;
	}
	time->scheduling += scheduling;
	time->leaving += leaving;
	time->idle_ready += ready;
}

static bool
is_outermost(const struct sim *s, const struct sim_grain *g)
{
	for (uint32_t id = 0; id < s->n_grains; id++) {
		const struct sim_grain *a = &s->grains[id];
		if (a->kind == WN_GRAIN_IMPLICIT && a != g && a->thread == g->thread &&
		    a->begin <= g->begin && a->end >= g->end && a->number < g->number)
			return false;
	}
	return true;
}

void
oracle_times(struct oracle *o)
{
	struct sim *s = o->s;
	for (uint32_t id = 0; id < s->n_grains; id++) {
		const struct sim_grain *g = &s->grains[id];
		if (g->kind == WN_GRAIN_IMPLICIT && is_outermost(s, g))
			o->time[g->thread].region += g->end - g->begin;
	}
	for (size_t i = 0; i < s->n_intervals; i++) {
		const struct interval *v = &s->intervals[i];
		struct oracle_time *time = &o->time[v->thread];
		uint64_t ns = v->to - v->from;
		bool in_region = s->grains[v->grain].team != NONE;
		time->unknown += oracle_off(o, v->thread, v->from, v->to, WN_SWITCH_UNKNOWN);
		if (v->activity != ACT_WAIT && v->activity != ACT_LOCKED) {
			uint64_t preempted =
			    oracle_off(o, v->thread, v->from, v->to, WN_SWITCH_PREEMPTED);
			uint64_t blocked =
			    v->activity == ACT_WORK
				? oracle_off(o, v->thread, v->from, v->to, WN_SWITCH_BLOCKED)
				: 0;
			*(in_region ? &time->preempted : &time->serial_preempted) += preempted;
			*(in_region ? &time->blocked : &time->serial_blocked) += blocked;
			ns -= preempted + blocked;
		}
		if (v->activity == ACT_FORKING) {
			time->forking += ns;
			time->nested += in_region ? ns : 0;
		} else if (!in_region) {
			time->serial += v->activity == ACT_WORK ? ns : 0;
		} else if (v->activity == ACT_WAIT) {
			add_wait(o, v, time);
		} else {
			*(v->activity == ACT_WORK     ? &time->work
			  : v->activity == ACT_LOCKED ? &time->locked
			  : v->activity == ACT_MADE   ? &time->creation
			                              : &time->dispatch) += ns;
		}
	}
}

void
oracle_make(struct oracle *o, struct sim *s)
{
	memset(o, 0, sizeof *o);
	o->s = s;
	o->work = make(s->n_grains, sizeof *o->work);
	o->made = make(s->n_grains, sizeof *o->made);
	o->sync = make(s->n_grains, sizeof *o->sync);
	o->locked = make(s->n_grains, sizeof *o->locked);
	o->fj = make(s->n_grains, sizeof *o->fj);
	o->n_children = make(s->n_grains, sizeof *o->n_children);
	o->n_joins = make(s->n_grains, sizeof *o->n_joins);
	o->precedes = make((size_t)s->n_grains * s->n_grains, 1);
	for (size_t i = 0; i < s->n_grains; i++)
		o->fj[i] = NONE;
	oracle_work(o);
	oracle_structure(o);
	oracle_dependences(o);
	oracle_spans(o);
	oracle_times(o);
}

void
oracle_free(struct oracle *o)
{
	free(o->work);
	free(o->made);
	free(o->sync);
	free(o->locked);
	free(o->fj);
	free(o->n_children);
	free(o->n_joins);
	free(o->precedes);
	free(o->fjs);
	free(o->nodes);
	free(o->edges);
	free(o->first_edge);
}
