/* SPDX-License-Identifier: MIT */
/* replay_live.c - the state of live grains: their pieces, the ends of fragments, and their place
 * on the stacks of threads. */
#include "graph/replay.h"

#include "base/error.h"
#include "base/mem.h"

wn_status
replay_no_memory(struct replay *r)
{
	return wn_no_memory(r->err);
}

wn_status
live_new(struct replay *r, wn_grain id, struct live **out)
{
	uint32_t index = wn_pool_take(&r->lives);
	if (index == WN_POOL_NONE)
		return replay_no_memory(r);
	struct live *l = wn_pool_at(&r->lives, index);
	r->g->flags[id] |= GF_LIVE;
	r->g->thread[id] = index;
	l->id = id;
	l->index = index;
	l->last_join = WN_NO_JOIN;
	l->group = l->born_in_group = NO_INDEX;
	l->open_fj = l->older_fj = l->pending_fj = NO_INDEX;
	l->region = l->work.loop = l->work.loop_fj = NO_INDEX;
	l->first_group = l->first_inner = NO_INDEX;
	l->depend.member_of = l->depend.follows = l->depend.table = l->detached =
	    l->taskloop.splits_for = NO_INDEX;
	l->depend.waitpoint = l->unstarted.next = l->unstarted.previous = WN_NO_GRAIN;
	l->implicit = l->creating = l->taskloop.first = WN_NO_GRAIN;
	l->children.winner = l->work.chunks.winner = WN_NO_GRAIN;
	*out = l;
	return WN_OK;
}

/* Passes a note on. Field by field: a copy would wait until all of it is in the cache. */
static inline wn_status
pass_note(struct replay *r, uint64_t start_ns, uint64_t ns, uint32_t live, wn_grain ended)
{
	struct packing_notes *notes = r->notes;
	if (!notes) {
		packing_add(r->packing, start_ns, ns, live, ended);
		return r->packing->is_out_of_memory ? replay_no_memory(r) : WN_OK;
	}
	if (wn_grow(&notes->items, &notes->capacity, notes->n + 1, sizeof *notes->items) != 0)
		return replay_no_memory(r);
	struct packing_note *note = &notes->items[notes->n++];
	note->start_ns = start_ns;
	note->ns = ns;
	note->live = live;
	note->ended = ended;
	return WN_OK;
}

static inline wn_status
add(struct replay *r, struct live *l, uint64_t start_ns, uint64_t ns)
{
	l->n_fragments++;
	l->ran_until_ns = start_ns + ns;
	return pass_note(r, start_ns, ns, l->index, PACKING_GOES_ON);
}

wn_status
fragment_add(struct replay *r, struct live *l, uint64_t start_ns, uint64_t ns)
{
	return add(r, l, start_ns, ns);
}

/* Notes that a grain has ended: mostly with the fragment noted last. */
static void
run_close(struct replay *r, uint32_t index, wn_grain id)
{
	const struct packing_notes *notes = r->notes;
	struct packing_note *last = notes && notes->n > 0 ? &notes->items[notes->n - 1] : NULL;
	if (last && last->live == index && last->ended == PACKING_GOES_ON)
		last->ended = id;
	else if (pass_note(r, 0, PACKING_NONE, index, id) != WN_OK)
		r->is_out_of_memory = true;
}

static void
live_give(struct replay *r, uint32_t index)
{
	struct live *l = wn_pool_at(&r->lives, index);
	if (l->n_fragments > 0)
		run_close(r, index, l->id);
	l->id = WN_NO_GRAIN;
	wn_pool_give(&r->lives, index);
}

void
live_free(struct replay *r, wn_grain id)
{
	struct live *l = live_get(r, id);
	uint32_t index = r->g->thread[id], parent = l->taskloop.splits_for;
	r->is_out_of_memory |= wn_times_set(&r->g->work, id, l->work_ns) != 0;
	depend_free(r, l);
	unstarted_remove(r, l);
	if (l->detached != NO_INDEX)
		wn_pool_give(&r->detached, l->detached);
	r->g->flags[id] &= (uint16_t)~GF_LIVE;
	r->g->thread[id] = l->first_thread;
	if (l->taskloop.n_may_split == 0)
		live_give(r, index);
	else
		l->is_over = true;
	if (parent == NO_INDEX)
		return;
	struct live *p = wn_pool_at(&r->lives, parent);
	if (--p->taskloop.n_may_split == 0 && p->is_over)
		live_give(r, parent);
}

/* Limits a piece and its predecessors to the time that has passed: any excess was claimed by two
 * threads of a damaged stream, one of which reported it late. */
static void
cut_piece(struct replay *r, struct live *l, uint64_t passed_ns)
{
	uint64_t room_ns = passed_ns > l->ran_until_ns ? passed_ns - l->ran_until_ns : 0;
	if (l->piece_ns <= room_ns)
		return;
	l->work_ns -= l->piece_ns - room_ns;
	l->piece_ns = room_ns;
	r->g->anomalies.n_unmatched++;
}

/* Ends the running fragment of a grain at the work it has done so far. No path is longer than the
 * time that has passed: work done during a wait, which a damaged stream may have for the parent of
 * an undeferred task, does not come after the wait. */
wn_status
fragment_end(struct replay *r, struct live *l)
{
	uint64_t passed_ns = r->now_ns - r->g->first_ns;
	if (r->weigher)
		return weigh_piece(r, l);
	cut_piece(r, l, passed_ns);
	if (l->dist[SPAN_LOGICAL] + l->piece_ns > passed_ns)
		l->dist[SPAN_LOGICAL] = passed_ns - l->piece_ns;
	wn_status st = add(r, l, l->dist[SPAN_LOGICAL], l->piece_ns);
	if (st == WN_OK)
		st = move_note(r, l, l->n_fragments - 1);
	for (int k = 0; k < SPAN_N; k++)
		l->dist[k] += l->piece_ns;
	l->piece_ns = 0;
	return st;
}

/* Ends the last fragment of a grain whose end is not recorded. A loop ends with the grain. The
 * piece before a wait has ended with the wait's begin, and none follows a wait without an end. */
wn_status
last_fragment_end(struct replay *r, struct live *l)
{
	const struct detached *d = detached_of(r, l);
	bool is_waiting = l->sync_kind && (l->sync_joins || is_barrier(l->sync_kind));
	bool is_in_loop = l->work.loop != NO_INDEX;
	wn_status st = leave_loop(r, l);
	if (st != WN_OK || (is_waiting && !is_in_loop) || (d && d->is_body_over))
		return st;
	return fragment_end(r, l);
}

/* Returns the grain on top, if it may meet regions, loops and waits. The runtime's own tasks may
 * not; a stream in which they do is damaged. */
struct live *
actor(struct replay *r, const struct replay_thread *t)
{
	struct live *l = live_top(r, t);
	if (!l || r->g->kind[l->id] != WN_GRAIN_HELPER)
		return l;
	r->g->anomalies.n_unmatched++;
	return NULL;
}

wn_status
stack_push(struct replay *r, struct replay_thread *t, wn_grain id)
{
	if (wn_grow(&t->stack, &t->stack_capacity, t->depth + 1, sizeof *t->stack) != 0)
		return replay_no_memory(r);
	if (t->left_depth > t->depth)
		t->left_depth = 0;
	t->stack[t->depth++] = (struct stack_entry){id, live_get(r, id)};
	return WN_OK;
}

wn_status
thread_base_push(struct replay *r, struct replay_thread *t, uint64_t now_ns)
{
	struct wn_graph *g = r->g;
	wn_grain id = g->first_id[t->index];
	struct live *l;
	wn_status st;
	if (g->kind[id] == WN_GRAIN_NONE) {
		if ((st = live_new(r, id, &l)) != WN_OK)
			return st;
		g->kind[id] = WN_GRAIN_INITIAL;
		g->flags[id] |= WN_GF_STARTED;
		set_ns(g->begin_ns, id, now_ns);
		l->first_thread = t->index;
		g->cpu[id] = t->cpu;
		l->implicit = id;
		l->team_size = 1;
	}
	return stack_push(r, t, id);
}
