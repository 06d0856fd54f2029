/* SPDX-License-Identifier: MIT */
#include "ranks/exchange.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/mix.h"

#include <inttypes.h>
#include <string.h>

/* --- tables --- */

/* Messages with equal communicator, sender, receiver and tag that are not yet received. Keys are
 * hashes of 64 bits: that two of them are equal is not expected in a job. */
struct channel {
	uint64_t key; /* 0: free */
	struct wn_step_at head, tail;
};

struct tables {
	struct channel *channels; /* open addressing */
	size_t n_channels, channels_capacity;
	uint32_t *collective_at; /* open addressing: 1 + number */
	size_t collectives_capacity;
	uint64_t *n_nth; /* of each communicator of the rank that is read */
	size_t nth_capacity;
};

static const struct wn_step_at nowhere = {WN_NO_STEP, WN_NO_STEP};

static uint64_t
number_of(const struct wn_exchange *m, struct wn_step_at at)
{
	return m->first[at.of] + at.step;
}

static struct channel *
find_channel(const struct tables *t, uint64_t key)
{
	for (size_t i = (size_t)key;; i++) {
		struct channel *c = &t->channels[i & (t->channels_capacity - 1)];
		if (!c->key || c->key == key)
			return c;
	}
}

static wn_status
grow_channels(struct tables *t, wn_err *err)
{
	struct channel *old = t->channels;
	size_t n_old = t->channels_capacity;
	t->channels_capacity = n_old ? n_old * 2 : 1024;
	t->channels = wn_calloc(t->channels_capacity, sizeof *t->channels);
	if (!t->channels) {
		t->channels = old;
		t->channels_capacity = n_old;
		return wn_no_memory(err);
	}
	for (size_t i = 0; i < n_old; i++)
		if (old[i].key)
			*find_channel(t, old[i].key) = old[i];
	wn_free(old);
	return WN_OK;
}

/* --- messages --- */

static uint64_t
key_of(const struct wn_steps *rank, const struct wn_mpi_step *s, bool is_receive)
{
	const struct wn_mpi_communicator *c = &rank->communicators[s->communicator];
	uint64_t own = c->rank, peer = (uint32_t)s->peer;
	uint64_t key = wn_mix(c->identity, is_receive ? peer : own);
	key = wn_mix(wn_mix(key, is_receive ? own : peer), (uint32_t)s->tag);
	return key ? key : 1;
}

static wn_status
add_sends(struct wn_exchange *m, struct tables *t, uint32_t of, wn_err *err)
{
	const struct wn_steps *rank = &m->ranks[of];
	wn_status st;
	for (uint32_t i = 0; i < rank->header->n_steps; i++) {
		const struct wn_mpi_step *s = &rank->steps[i];
		struct wn_step_at at = {of, i};
		if (s->kind != WN_MPI_STEP_SEND && s->kind != WN_MPI_STEP_SYNCHRONOUS)
			continue;
		if ((t->n_channels + 1) * 2 > t->channels_capacity &&
		    (st = grow_channels(t, err)) != WN_OK)
			return st;
		uint64_t key = key_of(rank, s, false);
		struct channel *c = find_channel(t, key);
		if (!c->key) {
			*c = (struct channel){key, at, at};
			t->n_channels++;
			continue;
		}
		if (c->head.of == WN_NO_STEP)
			c->head = at;
		else
			m->partner[number_of(m, c->tail)] =
			    at; /* until it is received: the next one */
		c->tail = at;
	}
	return WN_OK;
}

/* Returns how many receives have no send. */
static uint64_t
take_receives(struct wn_exchange *m, const struct tables *t, uint32_t of)
{
	const struct wn_steps *rank = &m->ranks[of];
	uint64_t n_left = 0;
	for (uint32_t i = 0; i < rank->header->n_steps; i++) {
		const struct wn_mpi_step *s = &rank->steps[i];
		struct wn_step_at at = {of, i};
		if (s->kind != WN_MPI_STEP_RECEIVE)
			continue;
		struct channel *c =
		    t->channels_capacity ? find_channel(t, key_of(rank, s, true)) : NULL;
		if (!c || !c->key || c->head.of == WN_NO_STEP) {
			n_left++;
			continue;
		}
		struct wn_step_at send = c->head;
		bool is_last = send.of == c->tail.of && send.step == c->tail.step;
		c->head = is_last ? nowhere : m->partner[number_of(m, send)];
		m->partner[number_of(m, at)] = send;
		m->partner[number_of(m, send)] = at;
		m->n_messages++;
	}
	return n_left;
}

/* --- collectives --- */

static bool
is_collective(const struct wn_mpi_step *s)
{
	return s->kind == WN_MPI_STEP_TO_ALL || s->kind == WN_MPI_STEP_FROM_ROOT ||
	       s->kind == WN_MPI_STEP_TO_ROOT;
}

static uint32_t *
find_collective(const struct wn_exchange *m, const struct tables *t, uint64_t identity,
                uint64_t nth)
{
	for (size_t i = (size_t)wn_mix(identity, nth);; i++) {
		uint32_t *at = &t->collective_at[i & (t->collectives_capacity - 1)];
		if (!*at || (m->collectives[*at - 1].identity == identity &&
		             m->collectives[*at - 1].nth == nth))
			return at;
	}
}

static wn_status
grow_collectives(struct wn_exchange *m, struct tables *t, wn_err *err)
{
	size_t capacity = t->collectives_capacity ? t->collectives_capacity * 2 : 1024;
	uint32_t *at = wn_calloc(capacity, sizeof *at);
	if (!at)
		return wn_no_memory(err);
	wn_free(t->collective_at);
	t->collective_at = at;
	t->collectives_capacity = capacity;
	for (size_t i = 0; i < m->n_collectives; i++)
		*find_collective(m, t, m->collectives[i].identity, m->collectives[i].nth) =
		    (uint32_t)i + 1;
	return WN_OK;
}

static wn_status
join_collective(struct wn_exchange *m, struct tables *t, struct wn_step_at at, wn_err *err)
{
	const struct wn_steps *rank = &m->ranks[at.of];
	const struct wn_mpi_step *s = &rank->steps[at.step];
	const struct wn_mpi_communicator *c = &rank->communicators[s->communicator];
	uint64_t nth = t->n_nth[s->communicator]++;
	wn_status st;
	if ((m->n_collectives + 1) * 2 > t->collectives_capacity &&
	    (st = grow_collectives(m, t, err)) != WN_OK)
		return st;
	uint32_t *slot = find_collective(m, t, c->identity, nth);
	if (!*slot) {
		if (wn_grow(&m->collectives, &m->collectives_capacity, m->n_collectives + 1,
		            sizeof *m->collectives))
			return wn_no_memory(err);
		m->collectives[m->n_collectives++] = (struct wn_collective){.identity = c->identity,
		                                                            .nth = nth,
		                                                            .size = c->size,
		                                                            .kind = s->kind,
		                                                            .root = nowhere,
		                                                            .last = nowhere};
		*slot = (uint32_t)m->n_collectives;
	}
	struct wn_collective *x = &m->collectives[*slot - 1];
	m->partner[number_of(m, at)] = (struct wn_step_at){0, *slot - 1};
	x->n++;
	if (x->kind != s->kind)
		x->size = 0; /* it is never complete */
	if (s->kind != WN_MPI_STEP_TO_ALL && (uint32_t)s->peer == c->rank)
		x->root = at;
	return WN_OK;
}

static wn_status
join_collectives(struct wn_exchange *m, struct tables *t, uint32_t of, wn_err *err)
{
	const struct wn_steps *rank = &m->ranks[of];
	wn_status st = WN_OK;
	if (wn_grow(&t->n_nth, &t->nth_capacity, rank->header->n_communicators, sizeof *t->n_nth))
		return wn_no_memory(err);
	memset(t->n_nth, 0, rank->header->n_communicators * sizeof *t->n_nth);
	for (uint32_t i = 0; st == WN_OK && i < rank->header->n_steps; i++)
		if (is_collective(&rank->steps[i]))
			st = join_collective(m, t, (struct wn_step_at){of, i}, err);
	return st;
}

/* --- whether all is there --- */

static void
explain_breaks(struct wn_exchange *m)
{
	static const struct {
		uint32_t bit;
		const char *text;
	} reasons[] = {
	    {WN_MPI_BREAK_LOST, "part of its calls of MPI was not recorded"},
	    {WN_MPI_BREAK_MANY, "it communicates more often than is matched"},
	    {WN_MPI_BREAK_THREADS, "several of its threads communicate"},
	    {WN_MPI_BREAK_ONE_SIDED, "it uses one-sided communication"},
	    {WN_MPI_BREAK_PERSISTENT, "it uses persistent requests"},
	    {WN_MPI_BREAK_COMMUNICATOR, "the members of a communicator are unknown"},
	    {WN_MPI_BREAK_PEER, "the sender of a message is unknown"},
	    {WN_MPI_BREAK_OTHER, "it calls functions of MPI that are not matched"},
	};
	for (size_t i = 0; i < m->n; i++)
		for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++)
			if (m->ranks[i].header->breaks & reasons[k].bit) {
				snprintf(m->why, sizeof m->why, "rank %u: %s",
				         m->ranks[i].header->rank, reasons[k].text);
				return;
			}
}

/* What may not be followed: steps that name no member. */
static bool
is_usable(const struct wn_steps *rank)
{
	for (uint64_t i = 0; i < rank->header->n_steps; i++) {
		const struct wn_mpi_step *s = &rank->steps[i];
		if (s->kind != WN_MPI_STEP_DONE && s->communicator == UINT32_MAX)
			return false;
	}
	return true;
}

static void
check_collectives(struct wn_exchange *m)
{
	uint64_t n_left = 0;
	for (size_t i = 0; i < m->n_collectives; i++) {
		const struct wn_collective *x = &m->collectives[i];
		n_left +=
		    x->n != x->size || (x->kind != WN_MPI_STEP_TO_ALL && x->root.of == WN_NO_STEP);
	}
	if (n_left)
		snprintf(m->why, sizeof m->why, "%" PRIu64 " of %zu collectives lack members",
		         n_left, m->n_collectives);
}

static wn_status
match_all(struct wn_exchange *m, struct tables *t, wn_err *err)
{
	uint64_t n_left = 0;
	wn_status st;
	for (uint32_t i = 0; i < m->n; i++)
		WN_TRY(add_sends(m, t, i, err));
	for (uint32_t i = 0; i < m->n; i++) {
		n_left += take_receives(m, t, i);
		WN_TRY(join_collectives(m, t, i, err));
	}
	check_collectives(m);
	if (n_left)
		snprintf(m->why, sizeof m->why,
		         "%" PRIu64 " receives have no send that was recorded", n_left);
	/* sends without a receive are no obstacle; their partners are of the list */
	for (size_t i = 0; i < t->channels_capacity; i++)
		for (struct wn_step_at at = t->channels[i].head, next;
		     t->channels[i].key && at.of != WN_NO_STEP; at = next) {
			bool is_last =
			    at.of == t->channels[i].tail.of && at.step == t->channels[i].tail.step;
			next = is_last ? nowhere : m->partner[number_of(m, at)];
			m->partner[number_of(m, at)] = nowhere;
			if (m->ranks[at.of].steps[at.step].kind == WN_MPI_STEP_SYNCHRONOUS)
				snprintf(m->why, sizeof m->why,
				         "a synchronous send has no receive that was recorded");
		}
out:
	return st;
}

wn_status
wn_exchange_make(const struct wn_steps *ranks, size_t n, uint64_t size, struct wn_exchange *out,
                 wn_err *err)
{
	struct wn_exchange m = {.ranks = ranks, .n = n};
	struct tables t = {0};
	wn_status st = WN_OK;
	m.first = wn_calloc(n + 1, sizeof *m.first);
	if (!m.first)
		WN_TRY(wn_no_memory(err));
	for (size_t i = 0; i < n; i++)
		m.first[i + 1] = m.first[i] + ranks[i].header->n_steps;
	explain_breaks(&m);
	for (size_t i = 0; i < n && !*m.why; i++)
		if (!is_usable(&ranks[i]))
			snprintf(m.why, sizeof m.why, "the members of a communicator are unknown");
	if (n < size)
		snprintf(m.why, sizeof m.why, "%zu of %" PRIu64 " ranks are there", n, size);
	else if (m.first[n] > WN_EXCHANGE_STEPS_MAX)
		snprintf(m.why, sizeof m.why, "there are more than %" PRIu64 " million calls",
		         WN_EXCHANGE_STEPS_MAX >> 20);
	if (!*m.why) {
		m.partner = wn_calloc(m.first[n], sizeof *m.partner);
		st = m.partner || !m.first[n] ? match_all(&m, &t, err) : wn_no_memory(err);
	}
out:
	WN_FREE_ALL(t.channels, t.collective_at, t.n_nth);
	if (st == WN_OK)
		*out = m;
	else
		wn_exchange_fini(&m);
	return st;
}

void
wn_exchange_fini(struct wn_exchange *m)
{
	WN_FREE_ALL(m->first, m->partner, m->collectives);
	*m = (struct wn_exchange){0};
}
