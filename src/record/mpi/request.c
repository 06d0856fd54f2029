/* SPDX-License-Identifier: MIT */
/* request.c - operations that one call starts and another one completes. A call that completes
 * operations nulls their requests, so they are copied before it; one with more than WN_MPI_DONE_MAX
 * of them completes nothing that is known. A call that only tests, and finds nothing completed, is
 * idle: the recorder may take a loop of them for one call. */
#include "record/mpi/layer.h"

enum role {
	NONE,
	POST, /* the last argument is the request */
	ONE,  /* MPI_Wait: request, status */
	ONE_IF,
	ALL, /* count, requests, statuses */
	ALL_IF,
	ANY, /* count, requests, index, status */
	ANY_IF,
	SOME,    /* count, requests, number of completed ones, their indices, statuses */
	SOME_IF, /* likewise, and may complete none */
	PROBE,   /* the last but one argument tells whether there is a message */
	STATE    /* request, flag, status; completes nothing */
};

#define WITH_C(name, role) [LAYER_##name] = (role), [LAYER_##name##_c] = (role)

static const uint8_t roles[LAYER_N] = {
    WITH_C(Isend, POST),
    WITH_C(Ibsend, POST),
    WITH_C(Issend, POST),
    WITH_C(Irsend, POST),
    WITH_C(Irecv, POST),
    WITH_C(Imrecv, POST),
    [LAYER_Ibarrier] = POST,
    WITH_C(Ibcast, POST),
    WITH_C(Igather, POST),
    WITH_C(Igatherv, POST),
    WITH_C(Iscatter, POST),
    WITH_C(Iscatterv, POST),
    WITH_C(Iallgather, POST),
    WITH_C(Iallgatherv, POST),
    WITH_C(Ialltoall, POST),
    WITH_C(Ialltoallv, POST),
    WITH_C(Ialltoallw, POST),
    WITH_C(Iallreduce, POST),
    WITH_C(Ireduce, POST),
    WITH_C(Ireduce_scatter, POST),
    WITH_C(Ireduce_scatter_block, POST),
    WITH_C(Iscan, POST),
    WITH_C(Iexscan, POST),
    [LAYER_Wait] = ONE,
    [LAYER_Test] = ONE_IF,
    [LAYER_Waitall] = ALL,
    [LAYER_Testall] = ALL_IF,
    [LAYER_Waitany] = ANY,
    [LAYER_Testany] = ANY_IF,
    [LAYER_Waitsome] = SOME,
    [LAYER_Testsome] = SOME_IF,
    [LAYER_Iprobe] = PROBE,
    [LAYER_Improbe] = PROBE,
    [LAYER_Request_get_status] = STATE,
};

/* The requests of the calling thread's outermost call. */
static __thread uint64_t requests[WN_MPI_DONE_MAX] __attribute__((tls_model("initial-exec")));
static __thread struct wn_mpi_done done[WN_MPI_DONE_MAX] __attribute__((tls_model("initial-exec")));
static __thread uint32_t n_requests __attribute__((tls_model("initial-exec")));

void
layer_requests_before(enum layer_call call, const layer_word *argument)
{
	enum role role = (enum role)roles[call];
	if (role < ONE || role > SOME_IF)
		return;
	bool is_one = role == ONE || role == ONE_IF;
	int32_t n = is_one ? 1 : (int32_t)argument[1];
	n_requests = 0;
	if (n < 1 || n > (int32_t)WN_MPI_DONE_MAX || layer_abi() == WN_MPI_ABI_UNKNOWN)
		return;
	for (int32_t i = 0; i < n; i++)
		requests[i] = (uint64_t)layer_handle_at(argument[is_one ? 1 : 2], (size_t)i);
	n_requests = (uint32_t)n;
}

/* The k-th status is of request i. */
static void
add_done(struct wn_mpi_message *m, int32_t i, layer_word statuses, size_t k)
{
	if (i < 0 || (uint32_t)i >= n_requests || m->n_done == WN_MPI_DONE_MAX)
		return;
	struct wn_mpi_done *to = &done[m->n_done++];
	*to = (struct wn_mpi_done){.request = requests[i]};
	to->known = layer_status(statuses, k, &to->peer, &to->tag);
}

static void
add_all(struct wn_mpi_message *m, layer_word statuses)
{
	for (uint32_t i = 0; i < n_requests; i++)
		add_done(m, (int32_t)i, statuses, i);
}

static int32_t
int_at(layer_word address)
{
	return *(const int32_t *)address;
}

static void
add_several_done(struct wn_mpi_message *m, const layer_word *argument)
{
	int32_t n = int_at(argument[3]); /* negative: there was no request */
	for (int32_t k = 0; k < n; k++)
		add_done(m, ((const int32_t *)argument[4])[k], argument[5], (size_t)k);
}

void
layer_requests_after(enum layer_call call, const layer_word *argument, struct wn_mpi_message *m)
{
	const layer_word *a = argument;
	m->done = done;
	switch ((enum role)roles[call]) {
	case POST:
		m->is_post = layer_abi() != WN_MPI_ABI_UNKNOWN;
		if (m->is_post)
			m->request = (uint64_t)layer_handle_at(a[layer_n_arguments[call]], 0);
		break;
	case ONE:
		add_done(m, 0, a[2], 0);
		break;
	case ONE_IF:
		m->is_idle = !int_at(a[2]);
		if (!m->is_idle)
			add_done(m, 0, a[3], 0);
		break;
	case ALL:
		add_all(m, a[3]);
		break;
	case ALL_IF:
		m->is_idle = !int_at(a[3]);
		if (!m->is_idle)
			add_all(m, a[4]);
		break;
	case ANY:
		add_done(m, int_at(a[3]), a[4], 0);
		break;
	case ANY_IF:
		m->is_idle = !int_at(a[4]);
		if (!m->is_idle)
			add_done(m, int_at(a[3]), a[5], 0);
		break;
	case SOME_IF:
		m->is_idle = int_at(a[3]) == 0;
		add_several_done(m, a);
		break;
	case SOME:
		add_several_done(m, a);
		break;
	case PROBE:
		m->is_idle = !int_at(a[4]);
		break;
	case STATE:
		m->is_idle = !int_at(a[2]);
		break;
	case NONE:
		break;
	}
}
