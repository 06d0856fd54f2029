/* SPDX-License-Identifier: MIT */
/*
 * replay_mutex.c - mutual exclusion: critical, atomic, ordered, locks, and waits of doacross loops.
 *
 * From MUTEX_WAIT to MUTEX_ACQUIRED a thread does nothing else, so the wait is a state of the
 * thread, and account.c accounts its time apart from work. A wait without MUTEX_ACQUIRED (a failed
 * attempt to lock) ends with the thread's next event.
 */
#include "graph/replay.h"

#include "base/mem.h"

#include <string.h>

#define MUTEXES_FIRST 16u

/* One mutex of the program. */
struct mutex {
	uint64_t name;
	uint64_t since_ns;   /* acquired */
	uint64_t n_acquired; /* acquisitions, to detect those during a wait */
	uint64_t held_ns;    /* since the end of the outermost region ... */
	uint32_t after;      /* ... with this number */
	wn_grain owner;
	uint32_t depth;  /* of nested locking; 0 = free */
	uint32_t where;  /* entry of graph->mutexes where it was acquired */
	uint32_t first;  /* 1 + the entry where it was requested first */
	uint32_t number; /* from 0, in the order of first requests */
	uint8_t kind;    /* 0 = unused entry */
	/* the owner before, whose release was not recorded yet when it was acquired again */
	bool is_late;
	wn_grain late;
	uint64_t late_since_ns;
};

void
mutex_fini(struct replay *r)
{
	wn_free(r->mutexes);
	wn_free(r->mutex_at);
}

static struct mutex *
find(struct mutex *mutexes, size_t capacity, uint64_t name, uint8_t kind)
{
	size_t at = (size_t)((name + kind) * 0x9e3779b97f4a7c15u >> 32);
	for (;; at++) {
		struct mutex *m = &mutexes[at & (capacity - 1)];
		if (!m->kind || (m->name == name && m->kind == kind))
			return m;
	}
}

/* Returns the mutex of that name; NULL when memory ran out. */
static struct mutex *
mutex_of(struct replay *r, uint64_t name, uint8_t kind)
{
	if ((r->n_mutexes + 1) * 2 > r->mutexes_capacity) {
		size_t capacity = r->mutexes_capacity ? r->mutexes_capacity * 2 : MUTEXES_FIRST;
		struct mutex *bigger = wn_calloc(capacity, sizeof *bigger);
		if (!bigger)
			return NULL;
		for (size_t i = 0; i < r->mutexes_capacity; i++) {
			const struct mutex *old = &r->mutexes[i];
			if (old->kind)
				*find(bigger, capacity, old->name, old->kind) = *old;
		}
		wn_free(r->mutexes);
		r->mutexes = bigger;
		r->mutexes_capacity = capacity;
	}
	struct mutex *m = find(r->mutexes, r->mutexes_capacity, name, kind);
	if (!m->kind)
		m->number = (uint32_t)r->n_mutexes++;
	m->name = name;
	m->kind = kind;
	return m;
}

/* Returns the entry of the place where a mutex is requested. */
static wn_status
place_of(struct replay *r, uint32_t site, uint8_t kind, uint32_t *out)
{
	struct wn_graph *g = r->g;
	if (site >= r->n_mutex_at) {
		if (wn_grow(&r->mutex_at, &r->mutex_at_capacity, (size_t)site + 1,
		            sizeof *r->mutex_at) != 0)
			return replay_no_memory(r);
		memset(r->mutex_at + r->n_mutex_at, 0,
		       (site + 1 - r->n_mutex_at) * sizeof *r->mutex_at);
		r->n_mutex_at = (size_t)site + 1;
	}
	if (!r->mutex_at[site]) {
		if (wn_grow(&g->mutexes, &g->mutexes_capacity, g->n_mutexes + 1,
		            sizeof *g->mutexes) != 0)
			return replay_no_memory(r);
		g->mutexes[g->n_mutexes] = (struct wn_mutex){
		    .site = site, .shares_with = (uint32_t)g->n_mutexes, .kind = kind};
		r->mutex_at[site] = (uint32_t)++g->n_mutexes;
	}
	*out = r->mutex_at[site] - 1;
	return WN_OK;
}

/* Links the place to the one where the mutex was requested first. Links lead to earlier entries. */
static void
link_places(struct wn_graph *g, uint32_t first, uint32_t where)
{
	while (g->mutexes[first].shares_with != first)
		first = g->mutexes[first].shares_with;
	while (g->mutexes[where].shares_with != where)
		where = g->mutexes[where].shares_with;
	g->mutexes[first > where ? first : where].shares_with = first < where ? first : where;
}

/* Lists a use for replays of the graph; a lean one has none. */
static wn_status
add_use(struct replay *r, const struct replay_thread *t, const struct mutex *m, uint64_t wait_ns,
        bool is_release)
{
	struct wn_graph *g = r->g;
	const struct live *l = live_top(r, t);
	if (!l || g->detail < WN_DETAIL_WHOLE || r->weigher)
		return WN_OK;
	if (wn_grow(&g->mutex_uses, &g->mutex_uses_capacity, g->n_mutex_uses + 1,
	            sizeof *g->mutex_uses) != 0)
		return replay_no_memory(r);
	g->mutex_uses[g->n_mutex_uses++] = (struct wn_mutex_use){
	    .grain = l->id,
	    .mutex = m->number,
	    .offset_ns = l->piece_ns,
	    .wait_ns = wait_ns,
	    .fragment = l->n_fragments < UINT32_MAX ? (uint32_t)l->n_fragments : UINT32_MAX,
	    .place = m->where,
	    .kind = m->kind,
	    .is_release = is_release,
	};
	return WN_OK;
}

wn_status
on_mutex_wait(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	uint32_t kind = t->at->aux;
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	t->wait.is_on = false;
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	if (kind == 0 || kind >= WN_MUTEX_KIND_N) {
		g->anomalies.n_unmatched++;
		return WN_OK;
	}
	if (!g->locked_ns && !(g->locked_ns = wn_calloc(g->n, sizeof *g->locked_ns)))
		return replay_no_memory(r);
	struct mutex *m = mutex_of(r, t->v[0], (uint8_t)kind);
	if (!m)
		return replay_no_memory(r);
	t->wait = (struct mutex_wait){.name = m->name,
	                              .kind = m->kind,
	                              .n_acquired = m->n_acquired,
	                              .since_ns = t->event_ns,
	                              .is_contended = m->depth && m->owner != stack_top(t),
	                              .is_on = true};
	if ((st = place_of(r, t->at->site, m->kind, &t->wait.where)) != WN_OK)
		return st;
	if (m->first == 0)
		m->first = 1 + t->wait.where;
	else if (m->first != 1 + t->wait.where)
		link_places(g, m->first - 1, t->wait.where);
	return WN_OK;
}

wn_status
on_mutex_acquired(struct replay *r, struct replay_thread *t)
{
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if (!t->wait.is_on) {
		r->g->anomalies.n_unmatched++;
		return WN_OK;
	}
	struct mutex *m = find(r->mutexes, r->mutexes_capacity, t->wait.name, t->wait.kind);
	struct wn_mutex *place = &r->g->mutexes[t->wait.where];
	uint64_t wait_ns = t->event_ns - t->wait.since_ns;
	t->wait.is_on = false;
	place->n_acquired++;
	place->n_contended += t->wait.is_contended || m->n_acquired != t->wait.n_acquired;
	place->wait_ns += wait_ns;
	if (wait_ns > place->max_wait_ns)
		place->max_wait_ns = wait_ns;
	if (m->kind == WN_MUTEX_DOACROSS) /* no holder: it is a wait for other iterations */
		return WN_OK;
	if (m->depth && m->owner == stack_top(t)) {
		m->depth++;
		return WN_OK;
	}
	if (m->depth) {
		m->is_late = true;
		m->late = m->owner;
		m->late_since_ns = m->since_ns;
	} else if (m->late == stack_top(t)) {
		m->is_late = false;
	}
	m->n_acquired++;
	m->owner = stack_top(t);
	m->depth = 1;
	m->since_ns = t->event_ns;
	m->where = t->wait.where;
	return add_use(r, t, m, wait_ns, false);
}

static void
add_held(struct replay *r, struct mutex *m, uint64_t held_ns)
{
	r->g->mutexes[m->where].held_ns += held_ns;
	m->held_ns = held_ns + (m->after == r->n_outermost ? m->held_ns : 0);
	m->after = r->n_outermost;
	if (m->held_ns > r->most_held_ns)
		r->most_held_ns = m->held_ns;
}

/* A release is recorded after it, so another thread's acquisition may be recorded before it. Any
 * thread may release a mutex; a release without a recorded acquisition is skipped. */
wn_status
on_mutex_released(struct replay *r, struct replay_thread *t)
{
	uint32_t kind = t->at->aux;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if (kind == 0 || kind >= WN_MUTEX_KIND_N || !r->mutexes_capacity)
		return WN_OK;
	struct mutex *m = find(r->mutexes, r->mutexes_capacity, t->v[0], (uint8_t)kind);
	if (m->kind && m->is_late && m->late == stack_top(t)) {
		m->is_late = false;
		add_held(r, m, m->since_ns - m->late_since_ns);
		return add_use(r, t, m, 0, true);
	}
	if (!m->kind || m->depth == 0 || --m->depth > 0)
		return WN_OK;
	add_held(r, m, t->event_ns - m->since_ns);
	return add_use(r, t, m, 0, true);
}
