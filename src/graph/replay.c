/* SPDX-License-Identifier: MIT */
/* replay.c - handles the events, one after the other: each accounts the time before it, then
 * updates the state. */
#include "graph/replay.h"

#include "base/error.h"
#include "base/mem.h"
#include "trace/encode.h"

wn_status
note_add(struct replay *r, uint32_t site, enum wn_note note, uint64_t count)
{
	struct wn_graph *g = r->g;
	for (size_t i = 0; i < g->n_notes; i++) {
		if (g->notes[i].site == site) {
			g->notes[i].count += count;
			return WN_OK;
		}
	}
	if (wn_grow(&g->notes, &g->notes_capacity, g->n_notes + 1, sizeof *g->notes) != 0)
		return wn_no_memory(r->err);
	g->notes[g->n_notes++] = (struct wn_note_count){site, note, count};
	return WN_OK;
}

wn_status
on_note(struct replay *r, struct replay_thread *t)
{
	uint32_t aux = t->at->aux;
	if (aux == WN_NOTE_CREATION_UNKNOWN)
		t->creation_unknown = true;
	if (aux == WN_NOTE_DISPATCH_UNKNOWN)
		t->dispatch_unknown = true;
	return note_add(r, t->at->site, (enum wn_note)aux, t->v[0]);
}

/* The stream restarts: the stack is abandoned, and the time in between is unattributed. */
static wn_status
on_gap(struct replay *r, struct replay_thread *t)
{
	wn_status st = WN_OK;
	counts_give(r, t, WN_ACCOUNT_LOST, WN_NO_GRAIN, false);
	t->counted = 0; /* until the next COUNTING */
	if (t->n_implicit > 0) {
		t->time->region_ns += t->last_ns - t->region_begin_ns;
		t->n_implicit = 0;
	}
	if (t->event_ns > t->last_ns) {
		if (t->depth)
			account_gap(r, t);
		t->last_ns = t->event_ns;
		t->pieces.until_ns = 0; /* time is missing before what follows */
	}
	t->depth = t->left_depth = 0;
	t->n_open_regions = 0;
	t->created = WN_NO_GRAIN;
	t->wait.is_on = t->mpi.is_on = false;
	uint64_t id = t->v[1];
	uint32_t thread = (uint32_t)(id >> 32);
	if (t->v[2] && (uint32_t)id && thread < r->g->n_threads) {
		uint64_t index = (uint64_t)r->g->first_id[thread] + (uint32_t)id;
		if (index < r->g->first_id[thread + 1])
			st = task_begin(r, t, (wn_grain)index);
		struct live *l = live_top(r, t);
		if (l)
			l->work.loop =
			    NO_INDEX; /* its next chunk's start is unknown until the next loop */
	}
	t->calibrated.piece_ps = 0;
	return st;
}

/* Returns the id that the event just decoded created on its own thread. An id already in use (a
 * damaged stream names it before it was created, or counts backwards) is rejected: a grain that
 * got a parent twice could become its own ancestor. */
wn_grain
new_id(struct replay *r, const struct replay_thread *t, uint64_t n_before_last)
{
	uint64_t id = (uint64_t)r->g->first_id[t->index] + t->at->n_ids - n_before_last;
	if (id < r->g->first_id[t->index + 1] && r->g->kind[id] == WN_GRAIN_NONE)
		return (wn_grain)id;
	r->g->anomalies.n_unmatched++;
	return WN_NO_GRAIN;
}

wn_grain
named_id(const struct replay *r, uint64_t thread, uint64_t number)
{
	if (thread >= r->g->n_threads)
		return WN_NO_GRAIN;
	uint64_t id = r->g->first_id[thread] + number;
	return number < UINT32_MAX && id < r->g->first_id[thread + 1] ? (wn_grain)id : WN_NO_GRAIN;
}

wn_status
on_nothing(struct replay *r, struct replay_thread *t)
{
	(void)r;
	(void)t;
	return WN_OK;
}

wn_status
on_cpu(struct replay *r, struct replay_thread *t)
{
	(void)r;
	t->cpu = t->v[0] < UINT16_MAX ? (uint16_t)t->v[0] : UINT16_MAX;
	return WN_OK;
}

typedef wn_status handler(struct replay *r, struct replay_thread *t);

static handler *const handlers[WN_EV_N] = {
    [WN_EV_GAP] = on_gap,
#define WN_HANDLER(event, function) [WN_EV_##event] = function,
#include "graph/handlers.def"
#undef WN_HANDLER
};

/* Checks that every event has a row. */
enum {
#define WN_HANDLER(event, function) HAS_HANDLER_##event,
#include "graph/handlers.def"
#undef WN_HANDLER
#define WN_EVENT(event, code, time, site, n, values, text) IS_HANDLED_##event = HAS_HANDLER_##event,
#include "trace/events.def"
#undef WN_EVENT
};

/* What the event left: an attempt to acquire a mutex that failed, since the thread has continued;
 * and the next piece of a wait. */
static void
after_event(struct replay *r, struct replay_thread *t)
{
	bool has_time = t->at->has_time;
	if (t->wait.is_on && has_time && t->at->code != WN_EV_MUTEX_WAIT)
		t->wait.is_on = false;
	const struct live *l = live_runs(r, t);
	if (has_time)
		blame_turn(r, t, l);
	const struct team *team = l && l->sync_kind ? team_get(r, l->region) : NULL;
	if (team && t->last_ns == t->event_ns) /* else not part of the wait */
		wait_piece_begins(r, t, team, t->last_ns);
}

static inline wn_status
replay_event(struct replay *r, const struct stream_event *e, const uint64_t *v)
{
	struct replay_thread *t = &r->threads[e->thread];
	t->at = e;
	t->v = v;
	t->event_ns = r->now_ns = e->ns;
	r->current = t;
	r->n_handled++;
	if (r->off_turn_ns <= e->ns)
		off_cpu_sample(r, e->ns);
	t->calibrated.piece_ps += e->probe_ps;
	wn_status st = handlers[e->code](r, t);
	if (st != WN_OK || r->is_out_of_memory)
		return replay_no_memory(r);
	after_event(r, t);
	if (e->ends_clauses && (t->n_clauses || t->may_carry)) {
		t->event_ns = e->ns + v[e->n_values];
		st = depend_clauses_end(r, t);
	}
	/* its region ends later, or what it does from here on is unknown: it neither waits nor runs
	 */
	if (e->is_last && !r->is_whole)
		blame_change(r, t, DOING_OTHER, NO_INDEX, 0);
	return st;
}

/* Finds the first event of activity, or the end of a gap in the middle of activity: a stream may be
 * opened long before its thread's first activity. */
static bool
find_beginning(struct wn_graph *g, const struct stream_event *events, size_t n, const uint64_t *v)
{
	for (size_t i = 0; i < n; v += stream_n_values(&events[i++])) {
		if (!events[i].has_time && !(events[i].code == WN_EV_GAP && v[2]))
			continue;
		g->first_ns = events[i].ns;
		return true;
	}
	return false;
}

wn_status
replay_events(struct replay *r)
{
	struct wn_graph *g = r->g;
	const struct stream_event *events;
	const uint64_t *v;
	bool has_begun = false;
	size_t n;
	wn_status st;
	while ((st = stream_next(r->stream, &events, &v, &n)) == WN_OK && n > 0) {
		r->notes = stream_notes(r->stream);
		if (g->n_events == 0)
			g->first_ns = events[0].ns;
		if (!has_begun)
			has_begun = find_beginning(g, events, n, v);
		for (const struct stream_event *e = events; e < events + n; e++) {
			if ((st = replay_event(r, e, v)) != WN_OK)
				return st;
			v += stream_n_values(e);
		}
		g->n_events += n;
		g->last_ns = events[n - 1].ns;
	}
	stream_finish(r->stream);
	r->notes = NULL;
	return st == WN_OK && !r->packing->is_out_of_memory ? WN_OK : replay_no_memory(r);
}
