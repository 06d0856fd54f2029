/* SPDX-License-Identifier: MIT */
/* replay_messages.c - steps of graph->messages, from the calls of MPI; which calls wait for which;
 * calls that the thread level forbids. */
#include "graph/replay.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/mix.h"
#include "trace/encode.h"

#include <stdlib.h>
#include <string.h>

#define REQUESTS_FIRST      64u
#define COMMUNICATORS_MAX   (1u << 20) /* numbers of a trace beyond are unknown */
#define UNKNOWN             UINT32_MAX
#define MINOR_WITH_REQUESTS 8 /* version of traces that have what is needed */

/* --- what functions do, by name --- */

struct kind_name {
	const char
	    *name; /* without "MPI_", without the "I" of a call that only starts it, and "_c" */
	enum wn_mpi_kind kind;
};

/* sorted by name */
static const struct kind_name kinds[] = {
    {"Accumulate", WN_MPI_ONE_SIDED},
    {"Allgather", WN_MPI_TO_ALL},
    {"Allgatherv", WN_MPI_TO_ALL},
    {"Allreduce", WN_MPI_TO_ALL},
    {"Alltoall", WN_MPI_TO_ALL},
    {"Alltoallv", WN_MPI_TO_ALL},
    {"Alltoallw", WN_MPI_TO_ALL},
    {"Barrier", WN_MPI_TO_ALL},
    {"Bcast", WN_MPI_FROM_ROOT},
    {"Bsend", WN_MPI_SEND},
    {"Cancel", WN_MPI_OTHER},
    {"Comm_accept", WN_MPI_OTHER},
    {"Comm_connect", WN_MPI_OTHER},
    {"Comm_create", WN_MPI_TO_ALL},
    {"Comm_disconnect", WN_MPI_TO_ALL},
    {"Comm_dup", WN_MPI_TO_ALL},
    {"Comm_dup_with_info", WN_MPI_TO_ALL},
    {"Comm_idup", WN_MPI_OTHER},
    {"Comm_idup_with_info", WN_MPI_OTHER},
    {"Comm_spawn", WN_MPI_OTHER},
    {"Comm_spawn_multiple", WN_MPI_OTHER},
    {"Comm_split", WN_MPI_TO_ALL},
    {"Comm_split_type", WN_MPI_TO_ALL},
    {"Compare_and_swap", WN_MPI_ONE_SIDED},
    {"Exscan", WN_MPI_TO_ALL},
    {"Fetch_and_op", WN_MPI_ONE_SIDED},
    {"File_close", WN_MPI_OTHER},
    {"File_open", WN_MPI_OTHER},
    {"File_read_all", WN_MPI_OTHER},
    {"File_read_at_all", WN_MPI_OTHER},
    {"File_write_all", WN_MPI_OTHER},
    {"File_write_at_all", WN_MPI_OTHER},
    {"Finalize", WN_MPI_WORLD},
    {"Gather", WN_MPI_TO_ROOT},
    {"Gatherv", WN_MPI_TO_ROOT},
    {"Get", WN_MPI_ONE_SIDED},
    {"Get_accumulate", WN_MPI_ONE_SIDED},
    {"Init", WN_MPI_WORLD},
    {"Init_thread", WN_MPI_WORLD},
    {"Intercomm_create", WN_MPI_OTHER},
    {"Intercomm_merge", WN_MPI_OTHER},
    {"Mprobe", WN_MPI_OTHER},
    {"Mrecv", WN_MPI_OTHER},
    {"Neighbor_allgather", WN_MPI_OTHER},
    {"Neighbor_allgatherv", WN_MPI_OTHER},
    {"Neighbor_alltoall", WN_MPI_OTHER},
    {"Neighbor_alltoallv", WN_MPI_OTHER},
    {"Neighbor_alltoallw", WN_MPI_OTHER},
    {"Precv_init", WN_MPI_PERSISTENT},
    {"Psend_init", WN_MPI_PERSISTENT},
    {"Put", WN_MPI_ONE_SIDED},
    {"Raccumulate", WN_MPI_ONE_SIDED},
    {"Recv", WN_MPI_RECEIVE},
    {"Reduce", WN_MPI_TO_ROOT},
    {"Reduce_scatter", WN_MPI_TO_ALL},
    {"Reduce_scatter_block", WN_MPI_TO_ALL},
    {"Rget", WN_MPI_ONE_SIDED},
    {"Rget_accumulate", WN_MPI_ONE_SIDED},
    {"Rput", WN_MPI_ONE_SIDED},
    {"Rsend", WN_MPI_SEND},
    {"Scan", WN_MPI_TO_ALL},
    {"Scatter", WN_MPI_FROM_ROOT},
    {"Scatterv", WN_MPI_FROM_ROOT},
    {"Send", WN_MPI_SEND},
    {"Sendrecv", WN_MPI_SEND_RECEIVE},
    {"Sendrecv_replace", WN_MPI_SEND_RECEIVE},
    {"Session_init", WN_MPI_OTHER},
    {"Ssend", WN_MPI_SYNCHRONOUS_SEND},
    {"Start", WN_MPI_PERSISTENT},
    {"Startall", WN_MPI_PERSISTENT},
    {"Test", WN_MPI_COMPLETE},
    {"Testall", WN_MPI_COMPLETE},
    {"Testany", WN_MPI_COMPLETE},
    {"Testsome", WN_MPI_COMPLETE},
    {"Wait", WN_MPI_COMPLETE},
    {"Waitall", WN_MPI_COMPLETE},
    {"Waitany", WN_MPI_COMPLETE},
    {"Waitsome", WN_MPI_COMPLETE},
    {"Win_allocate", WN_MPI_ONE_SIDED},
    {"Win_complete", WN_MPI_ONE_SIDED},
    {"Win_create", WN_MPI_ONE_SIDED},
    {"Win_fence", WN_MPI_ONE_SIDED},
    {"Win_flush", WN_MPI_ONE_SIDED},
    {"Win_flush_all", WN_MPI_ONE_SIDED},
    {"Win_free", WN_MPI_ONE_SIDED},
    {"Win_lock", WN_MPI_ONE_SIDED},
    {"Win_lock_all", WN_MPI_ONE_SIDED},
    {"Win_post", WN_MPI_ONE_SIDED},
    {"Win_start", WN_MPI_ONE_SIDED},
    {"Win_unlock", WN_MPI_ONE_SIDED},
    {"Win_unlock_all", WN_MPI_ONE_SIDED},
    {"Win_wait", WN_MPI_ONE_SIDED},
};

static int
by_name(const void *key, const void *entry)
{
	return strcmp(key, ((const struct kind_name *)entry)->name);
}

static const struct kind_name *
find_kind(const char *name)
{
	return bsearch(name, kinds, sizeof kinds / sizeof *kinds, sizeof *kinds, by_name);
}

enum wn_mpi_kind
wn_mpi_kind_of(const char *name)
{
	char stem[64];
	size_t n = name ? strlen(name) : 0;
	if (n < 5 || n >= sizeof stem || strncmp(name, "MPI_", 4) != 0)
		return WN_MPI_LOCAL;
	memcpy(stem, name + 4, n - 4 + 1);
	n -= 4;
	if (n > 2 && strcmp(stem + n - 2, "_c") == 0)
		stem[n - 2] = '\0';
	const struct kind_name *found = find_kind(stem);
	if (!found && stem[0] == 'I' && stem[1]) { /* "Isend": Send */
		stem[1] = (char)(stem[1] - 'a' + 'A');
		found = find_kind(stem + 1);
	}
	return found ? found->kind : WN_MPI_LOCAL;
}

/* --- begin and end --- */

wn_status
messages_init(struct replay *r)
{
	struct wn_messages *m = &r->g->messages;
	const struct wn_mpi_record *use = wn_trace_mpi(r->trace);
	r->mpi_thread = NO_INDEX;
	if (wn_grow(&m->communicators, &m->communicators_capacity, 1, sizeof *m->communicators))
		return replay_no_memory(r);
	m->communicators[m->n_communicators++] = (struct wn_mpi_communicator){
	    .rank = use && use->rank >= 0 ? (uint32_t)use->rank : UNKNOWN,
	    .size = use && use->size >= 0 ? (uint32_t)use->size : 0,
	};
	return WN_OK;
}

void
messages_fini(struct replay *r)
{
	WN_FREE_ALL(r->mpi_requests, r->mpi_done, r->mpi_communicator_of);
}

/* --- communicators --- */

wn_status
on_mpi_communicator(struct replay *r, struct replay_thread *t)
{
	struct wn_messages *m = &r->g->messages;
	uint64_t number = t->v[0];
	if (number >= COMMUNICATORS_MAX || t->v[2] >= t->v[3] || t->v[3] > UINT32_MAX)
		return WN_OK;
	size_t n_before = r->mpi_communicators_capacity;
	if (wn_grow(&r->mpi_communicator_of, &r->mpi_communicators_capacity, number + 1,
	            sizeof *r->mpi_communicator_of) ||
	    wn_grow(&m->communicators, &m->communicators_capacity, m->n_communicators + 1,
	            sizeof *m->communicators))
		return replay_no_memory(r);
	for (size_t i = n_before; i < r->mpi_communicators_capacity; i++)
		r->mpi_communicator_of[i] = 0;
	m->communicators[m->n_communicators] = (struct wn_mpi_communicator){
	    .identity = t->v[1], .rank = (uint32_t)t->v[2], .size = (uint32_t)t->v[3]};
	r->mpi_communicator_of[number] = (uint32_t)++m->n_communicators;
	return WN_OK;
}

/* Returns its index, or UNKNOWN. */
static uint32_t
find_communicator(const struct replay *r, uint32_t known, uint64_t number)
{
	if (!(known & WN_MPI_COMMUNICATOR))
		return UNKNOWN;
	if (number == 0)
		return 0;
	if (number >= r->mpi_communicators_capacity || !r->mpi_communicator_of[number])
		return UNKNOWN;
	return r->mpi_communicator_of[number] - 1;
}

/* --- requests --- */

static struct mpi_request *
find_request(const struct replay *r, uint64_t request)
{
	size_t at = (size_t)wn_mix(0, request);
	for (;; at++) {
		struct mpi_request *q = &r->mpi_requests[at & (r->mpi_requests_capacity - 1)];
		if (!q->call || q->request == request)
			return q;
	}
}

static wn_status
grow_requests(struct replay *r)
{
	struct mpi_request *old = r->mpi_requests;
	size_t n_old = r->mpi_requests_capacity, capacity = n_old ? n_old * 2 : REQUESTS_FIRST;
	struct mpi_request *slots = wn_calloc(capacity, sizeof *slots);
	if (!slots)
		return replay_no_memory(r);
	r->mpi_requests = slots;
	r->mpi_requests_capacity = capacity;
	for (size_t i = 0; i < n_old; i++)
		if (old[i].call)
			*find_request(r, old[i].request) = old[i];
	wn_free(old);
	return WN_OK;
}

static wn_status
note_request(struct replay *r, uint64_t request, uint32_t call, uint32_t step)
{
	wn_status st;
	if ((r->n_mpi_requests + 1) * 2 > r->mpi_requests_capacity &&
	    (st = grow_requests(r)) != WN_OK)
		return st;
	struct mpi_request *q = find_request(r, request);
	r->n_mpi_requests += !q->call;
	*q = (struct mpi_request){request, call + 1, step};
	return WN_OK;
}

/* --- steps --- */

/* The time of a thread at its event without its calls of MPI before. */
static uint64_t
outside_ns(const struct replay_thread *t, uint64_t at_ns)
{
	return at_ns > t->in_mpi_ns ? at_ns - t->in_mpi_ns : 0;
}

static wn_status
add_step(struct replay *r, struct replay_thread *t, enum wn_mpi_step_kind kind,
         uint32_t communicator, int64_t peer, int64_t tag, uint32_t of)
{
	struct wn_messages *m = &r->g->messages;
	if (m->n >= WN_MPI_STEPS_MAX) {
		m->breaks |= WN_MPI_BREAK_MANY;
		return WN_OK;
	}
	if (r->mpi_other_thread && r->mpi_other_thread != t->index + 1)
		m->breaks |= WN_MPI_BREAK_THREADS;
	r->mpi_other_thread = t->index + 1;
	if (wn_grow(&m->steps, &m->capacity, m->n + 1, sizeof *m->steps))
		return replay_no_memory(r);
	m->steps[m->n++] = (struct wn_mpi_step){
	    .begin_ns = t->mpi.since_ns,
	    .end_ns = t->event_ns,
	    .outside_ns = outside_ns(t, t->mpi.since_ns),
	    .communicator = communicator,
	    .of = of,
	    .peer = (int32_t)peer,
	    .tag = (int32_t)tag,
	    .kind = (uint8_t)kind,
	};
	return WN_OK;
}

/* The last step is an operation of the open call: the call waits for it, or a request stands for
 * it. */
static wn_status
await(struct replay *r, struct replay_thread *t)
{
	uint32_t step = (uint32_t)r->g->messages.n - 1;
	if (r->g->messages.breaks & WN_MPI_BREAK_MANY)
		return WN_OK;
	if (t->mpi.is_posted)
		return note_request(r, t->mpi.request, t->mpi.call, step);
	return add_step(r, t, WN_MPI_STEP_DONE, r->g->messages.steps[step].communicator, 0, 0,
	                step);
}

static wn_status
add_operation(struct replay *r, struct replay_thread *t, enum wn_mpi_step_kind kind, uint32_t known,
              int64_t peer, int64_t tag)
{
	struct wn_messages *m = &r->g->messages;
	uint32_t communicator = find_communicator(r, t->mpi.known, t->mpi.communicator);
	bool is_receive = kind == WN_MPI_STEP_RECEIVE;
	bool has_peer = kind != WN_MPI_STEP_TO_ALL, has_tag = kind <= WN_MPI_STEP_RECEIVE;
	wn_status st;
	if (known & WN_MPI_NO_PEER) {
		return t->mpi.is_posted ? note_request(r, t->mpi.request, t->mpi.call, NO_INDEX)
		                        : WN_OK;
	}
	if (communicator == UNKNOWN)
		m->breaks |= WN_MPI_BREAK_COMMUNICATOR;
	/* what a wildcard has received is in the MPI_DONE */
	if (!(is_receive && t->mpi.is_posted) &&
	    ((has_peer && !(known & WN_MPI_PEER)) || (has_tag && !(known & WN_MPI_TAG))))
		m->breaks |= WN_MPI_BREAK_PEER;
	WN_TRY(add_step(r, t, kind, communicator, known & WN_MPI_PEER ? peer : -1,
	                known & WN_MPI_TAG ? tag : -1, NO_INDEX));
	if (kind == WN_MPI_STEP_SEND)
		st = t->mpi.is_posted ? note_request(r, t->mpi.request, t->mpi.call, NO_INDEX)
		                      : WN_OK;
	else
		st = await(r, t);
out:
	return st;
}

wn_status
on_mpi_receive(struct replay *r, struct replay_thread *t)
{
	(void)r;
	t->mpi.is_receive = true;
	t->mpi.received_known = (uint32_t)t->v[0];
	t->mpi.received_peer = wn_unzigzag(t->v[1]);
	t->mpi.received_tag = wn_unzigzag(t->v[2]);
	return WN_OK;
}

wn_status
on_mpi_post(struct replay *r, struct replay_thread *t)
{
	(void)r;
	t->mpi.is_posted = true;
	t->mpi.request = t->v[0];
	return WN_OK;
}

wn_status
on_mpi_done(struct replay *r, struct replay_thread *t)
{
	struct wn_messages *m = &r->g->messages;
	if (!t->mpi.is_on || !r->mpi_requests_capacity)
		return WN_OK;
	struct mpi_request *q = find_request(r, t->v[3]);
	if (!q->call)
		return WN_OK;
	if (wn_grow(&r->mpi_done, &r->mpi_done_capacity, t->mpi.n_done + 1, sizeof *r->mpi_done))
		return replay_no_memory(r);
	r->mpi_done[t->mpi.n_done++] = q->call - 1;
	if (q->step == NO_INDEX)
		return WN_OK;
	struct wn_mpi_step *of = &m->steps[q->step];
	if (of->kind == WN_MPI_STEP_RECEIVE) {
		if (of->peer < 0 && t->v[0] & WN_MPI_PEER)
			of->peer = (int32_t)wn_unzigzag(t->v[1]);
		if (of->tag < 0 && t->v[0] & WN_MPI_TAG)
			of->tag = (int32_t)wn_unzigzag(t->v[2]);
	}
	wn_status st = add_step(r, t, WN_MPI_STEP_DONE, of->communicator, 0, 0, q->step);
	q->step = NO_INDEX; /* it is completed once */
	return st;
}

/* --- calls --- */

/* Functions that any thread may call at any time, and those before MPI is initialised. */
static bool
is_always_allowed(const char *name)
{
	static const char *const names[] = {"MPI_Initialized",  "MPI_Finalized",
	                                    "MPI_Query_thread", "MPI_Is_thread_main",
	                                    "MPI_Get_version",  "MPI_Get_library_version"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void
check_level(struct replay *r, const struct replay_thread *t)
{
	const struct wn_mpi_record *use = wn_trace_mpi(r->trace);
	struct wn_mpi_misuse *misuse = &r->g->mpi_misuse;
	const struct wn_mpi_call *call = &r->g->mpi_calls[t->mpi.call];
	const char *name = wn_trace_name(r->trace, call->name);
	if (!use || use->provided < 0 || !name || r->mpi_thread == NO_INDEX ||
	    is_always_allowed(name))
		return;
	bool is_foreign = use->provided < 2 && t->index != r->mpi_thread;
	bool is_overlapping = use->provided < 3 && r->n_in_mpi > 0;
	if ((is_foreign || is_overlapping) && !misuse->n_foreign && !misuse->n_overlapping) {
		misuse->site = call->site;
		misuse->name = call->name;
	}
	misuse->n_foreign += is_foreign;
	misuse->n_overlapping += is_overlapping;
}

void
messages_call_begins(struct replay *r, struct replay_thread *t)
{
	enum wn_mpi_kind kind = r->g->mpi_calls[t->mpi.call].kind;
	if (kind == WN_MPI_WORLD && r->mpi_thread == NO_INDEX)
		r->mpi_thread = t->index;
	check_level(r, t);
	r->n_in_mpi++;
	t->mpi.first_step = r->g->messages.n;
}

/* Each operation that the call has completed has waited for an even share of it. */
static void
share_wait(struct replay *r, const struct replay_thread *t)
{
	uint64_t ns = t->event_ns - t->mpi.since_ns, n = t->mpi.n_done;
	for (uint32_t i = 0; i < n; i++)
		r->g->mpi_calls[r->mpi_done[i]].waited_ns += ns * (i + 1) / n - ns * i / n;
}

static wn_status
add_operations(struct replay *r, struct replay_thread *t, enum wn_mpi_kind kind)
{
	struct mpi_open *c = &t->mpi;
	wn_status st = WN_OK;
	switch (kind) {
	case WN_MPI_SEND:
		return add_operation(r, t, WN_MPI_STEP_SEND, c->known, c->peer, c->tag);
	case WN_MPI_SYNCHRONOUS_SEND:
		return add_operation(r, t, WN_MPI_STEP_SYNCHRONOUS, c->known, c->peer, c->tag);
	case WN_MPI_RECEIVE:
		return add_operation(r, t, WN_MPI_STEP_RECEIVE, c->known, c->peer, c->tag);
	case WN_MPI_SEND_RECEIVE:
		st = add_operation(r, t, WN_MPI_STEP_SEND, c->known, c->peer, c->tag);
		return st != WN_OK ? st
		                   : add_operation(r, t, WN_MPI_STEP_RECEIVE, c->received_known,
		                                   c->received_peer, c->received_tag);
	case WN_MPI_TO_ALL:
		return add_operation(r, t, WN_MPI_STEP_TO_ALL, c->known, c->peer, 0);
	case WN_MPI_FROM_ROOT:
		return add_operation(r, t, WN_MPI_STEP_FROM_ROOT, c->known, c->peer, 0);
	case WN_MPI_TO_ROOT:
		return add_operation(r, t, WN_MPI_STEP_TO_ROOT, c->known, c->peer, 0);
	case WN_MPI_WORLD:
		c->known = WN_MPI_COMMUNICATOR;
		c->communicator = 0;
		return add_operation(r, t, WN_MPI_STEP_TO_ALL, c->known, 0, 0);
	case WN_MPI_PERSISTENT:
		r->g->messages.breaks |= WN_MPI_BREAK_PERSISTENT;
		break;
	case WN_MPI_ONE_SIDED:
		r->g->messages.breaks |= WN_MPI_BREAK_ONE_SIDED;
		break;
	case WN_MPI_OTHER:
		r->g->messages.breaks |= WN_MPI_BREAK_OTHER;
		break;
	case WN_MPI_LOCAL:
	case WN_MPI_COMPLETE:
		break;
	}
	return st;
}

wn_status
messages_call_ends(struct replay *r, struct replay_thread *t)
{
	struct wn_messages *m = &r->g->messages;
	wn_status st = add_operations(r, t, r->g->mpi_calls[t->mpi.call].kind);
	if (t->mpi.n_done)
		share_wait(r, t);
	for (size_t i = t->mpi.first_step; i < m->n; i++)
		m->steps[i].end_ns = t->event_ns;
	r->n_in_mpi -= r->n_in_mpi > 0;
	return st;
}

/* A receive that was not completed, or whose source and tag are unknown. */
static void
check_receives(struct wn_messages *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->steps[i].kind == WN_MPI_STEP_RECEIVE &&
		    (m->steps[i].peer < 0 || m->steps[i].tag < 0))
			m->breaks |= WN_MPI_BREAK_PEER;
}

void
messages_end(struct replay *r)
{
	struct wn_messages *m = &r->g->messages;
	const struct wn_damage *d = wn_trace_damage(r->trace);
	if (r->mpi_thread == NO_INDEX)
		return;
	check_receives(m);
	m->thread = r->mpi_other_thread ? r->mpi_other_thread - 1 : r->mpi_thread;
	const struct replay_thread *t = &r->threads[m->thread];
	m->end_ns = r->g->last_ns;
	m->outside_ns = outside_ns(t, r->g->last_ns);
	const struct wn_trace_header *h = wn_trace_header(r->trace);
	if (h->version_minor < MINOR_WITH_REQUESTS || h->state != WN_STATE_CLOSED || d->n_dropped ||
	    d->n_gaps || d->n_bad_blocks || d->n_bad_bytes)
		m->breaks |= WN_MPI_BREAK_LOST;
}
