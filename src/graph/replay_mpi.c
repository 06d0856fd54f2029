/* SPDX-License-Identifier: MIT */
/*
 * replay_mpi.c - calls of MPI.
 *
 * From MPI_BEGIN to MPI_END the thread is in MPI, on the grain that it ran: account.c accounts this
 * time apart from work. Functions of the program that MPI calls may contain constructs of OpenMP;
 * what runs in them, on top of that grain, is accounted as anywhere else.
 */
#include "graph/replay.h"

#include "base/mem.h"
#include "trace/encode.h"

#define CALLS_FIRST 16u

void
mpi_fini(struct replay *r)
{
	wn_free(r->mpi_call_at);
	messages_fini(r);
}

/* Returns the slot of a function at a site: 1 + its entry of graph->mpi_calls, 0 = free. */
static uint32_t *
find_slot(const struct replay *r, uint32_t name, uint32_t site)
{
	size_t at = (size_t)((((uint64_t)name << 32 | site) * 0x9e3779b97f4a7c15u) >> 32);
	for (;; at++) {
		uint32_t *slot = &r->mpi_call_at[at & (r->mpi_calls_capacity - 1)];
		if (!*slot || (r->g->mpi_calls[*slot - 1].name == name &&
		               r->g->mpi_calls[*slot - 1].site == site))
			return slot;
	}
}

static wn_status
grow_slots(struct replay *r)
{
	size_t capacity = r->mpi_calls_capacity ? r->mpi_calls_capacity * 2 : CALLS_FIRST;
	uint32_t *slots = wn_calloc(capacity, sizeof *slots);
	if (!slots)
		return replay_no_memory(r);
	wn_free(r->mpi_call_at);
	r->mpi_call_at = slots;
	r->mpi_calls_capacity = capacity;
	for (size_t i = 0; i < r->g->n_mpi_calls; i++) {
		const struct wn_mpi_call *c = &r->g->mpi_calls[i];
		*find_slot(r, c->name, c->site) = (uint32_t)i + 1;
	}
	return WN_OK;
}

/* Returns the entry of a function at a site. */
static wn_status
call_of(struct replay *r, uint32_t name, uint32_t site, uint32_t *out)
{
	struct wn_graph *g = r->g;
	wn_status st;
	if ((g->n_mpi_calls + 1) * 2 > r->mpi_calls_capacity && (st = grow_slots(r)) != WN_OK)
		return st;
	uint32_t *slot = find_slot(r, name, site);
	if (!*slot) {
		if (wn_grow(&g->mpi_calls, &g->mpi_calls_capacity, g->n_mpi_calls + 1,
		            sizeof *g->mpi_calls) != 0)
			return replay_no_memory(r);
		g->mpi_calls[g->n_mpi_calls++] = (struct wn_mpi_call){
		    .name = name,
		    .site = site,
		    .kind = wn_mpi_kind_of(wn_trace_name(r->trace, name)),
		};
		*slot = (uint32_t)g->n_mpi_calls;
	}
	*out = *slot - 1;
	return WN_OK;
}

/* The call is over, by its end or by the next one's begin. */
static wn_status
leave(struct replay *r, struct replay_thread *t)
{
	struct wn_mpi_call *c = &r->g->mpi_calls[t->mpi.call];
	uint64_t ns = t->event_ns - t->mpi.since_ns;
	t->mpi.is_on = false;
	c->ns += ns;
	if (ns > c->max_ns)
		c->max_ns = ns;
	wn_status st = messages_call_ends(r, t);
	t->in_mpi_ns += ns;
	return st;
}

wn_status
on_mpi_begin(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if (t->mpi.is_on) {
		g->anomalies.n_unmatched++;
		if ((st = leave(r, t)) != WN_OK)
			return st;
	}
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	if (!g->mpi_ns && !(g->mpi_ns = wn_calloc(g->n, sizeof *g->mpi_ns)))
		return replay_no_memory(r);
	uint32_t name = t->v[0] <= WN_NAMES_MAX ? (uint32_t)t->v[0] : 0;
	t->mpi = (struct mpi_open){.since_ns = t->event_ns, .depth = t->depth, .is_on = true};
	if ((st = call_of(r, name, t->at->site, &t->mpi.call)) != WN_OK)
		return st;
	g->mpi_calls[t->mpi.call].n++;
	messages_call_begins(r, t);
	return WN_OK;
}

wn_status
on_mpi_message(struct replay *r, struct replay_thread *t)
{
	t->mpi.known = (uint32_t)t->v[0];
	t->mpi.peer = wn_unzigzag(t->v[2]);
	t->mpi.tag = wn_unzigzag(t->v[3]);
	t->mpi.communicator = t->v[4];
	if (!t->mpi.is_on || !(t->v[0] & WN_MPI_BYTES))
		return WN_OK;
	struct wn_mpi_call *c = &r->g->mpi_calls[t->mpi.call];
	c->n_sized++;
	if (__builtin_add_overflow(c->bytes, t->v[1], &c->bytes))
		c->bytes = UINT64_MAX;
	return WN_OK;
}

wn_status
on_mpi_end(struct replay *r, struct replay_thread *t)
{
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if (t->mpi.is_on)
		return leave(r, t);
	r->g->anomalies.n_unmatched++;
	return WN_OK;
}

wn_status
on_mpi_polls(struct replay *r, struct replay_thread *t)
{
	if (t->mpi.is_on && t->v[0] > 1)
		r->g->mpi_calls[t->mpi.call].n += t->v[0] - 1;
	return WN_OK;
}
