/* SPDX-License-Identifier: MIT */
/* message.c - what a call sends or receives, as far as its arguments are known to be valid: the
 * call has succeeded, and the ABI of the MPI is known. Never passes MPI an argument that MPI may
 * have ignored: an error there would end the program. */
#include "record/mpi/layer.h"

#include <string.h>

#define MPI_5_PROC_NULL (-2)

/* As MPI_Status is laid out. */
struct status_open_mpi {
	int32_t source, tag, error, is_cancelled;
	uint64_t bytes;
};

struct status_mpich {
	uint32_t bytes_low, bytes_high; /* the lowest bit of the second: cancelled */
	int32_t source, tag, error;
};

struct status_5 {
	int32_t source, tag, error, reserved[5];
};

/* MPI_STATUS_IGNORE */
static bool
is_ignored(enum wn_mpi_abi abi, layer_word status)
{
	return status == (abi == WN_MPI_ABI_MPICH ? 1 : 0);
}

/* MPI_PROC_NULL */
static bool
is_null_process(enum wn_mpi_abi abi, int64_t peer)
{
	return peer == (abi == WN_MPI_ABI_MPICH      ? -1
	                : abi == WN_MPI_ABI_OPEN_MPI ? -2
	                                             : MPI_5_PROC_NULL);
}

/* Bits of what is known of a peer: any, none, and the root of another group are negative. */
static uint32_t
known_peer(enum wn_mpi_abi abi, int64_t peer)
{
	return peer >= 0 ? WN_MPI_PEER : is_null_process(abi, peer) ? WN_MPI_NO_PEER : 0;
}

static void
set_peer(struct wn_mpi_message *m, int64_t peer)
{
	m->known &= ~(uint32_t)(WN_MPI_PEER | WN_MPI_NO_PEER);
	m->known |= known_peer(layer_abi(), peer);
	m->peer = peer >= 0 ? peer : 0;
}

static void
set_tag(struct wn_mpi_message *m, int64_t tag)
{
	if (tag < 0)
		return;
	m->tag = tag;
	m->known |= WN_MPI_TAG;
}

static void
set_bytes(struct wn_mpi_message *m, uint64_t bytes)
{
	m->bytes = bytes;
	m->known |= WN_MPI_BYTES;
}

static void
read_status(enum wn_mpi_abi abi, layer_word address, bool has_bytes, struct wn_mpi_message *m)
{
	const void *status = (const void *)address;
	if (abi == WN_MPI_ABI_OPEN_MPI) {
		const struct status_open_mpi *s = status;
		set_peer(m, s->source);
		set_tag(m, s->tag);
		if (has_bytes)
			set_bytes(m, s->bytes);
	} else if (abi == WN_MPI_ABI_MPICH) {
		const struct status_mpich *s = status;
		set_peer(m, s->source);
		set_tag(m, s->tag);
		if (has_bytes)
			set_bytes(m, s->bytes_low | (uint64_t)(s->bytes_high >> 1) << 32);
	} else {
		const struct status_5 *s = status;
		set_peer(m, s->source);
		set_tag(m, s->tag);
	}
}

uint32_t
layer_status(layer_word statuses, size_t i, int32_t *peer, int32_t *tag)
{
	enum wn_mpi_abi abi = layer_abi();
	if (abi == WN_MPI_ABI_UNKNOWN || is_ignored(abi, statuses))
		return 0;
	if (abi == WN_MPI_ABI_OPEN_MPI) {
		const struct status_open_mpi *s = (const void *)statuses;
		*peer = s[i].source;
		*tag = s[i].tag;
	} else if (abi == WN_MPI_ABI_MPICH) {
		const struct status_mpich *s = (const void *)statuses;
		*peer = s[i].source;
		*tag = s[i].tag;
	} else {
		const struct status_5 *s = (const void *)statuses;
		*peer = s[i].source;
		*tag = s[i].tag;
	}
	return (*peer >= 0 ? WN_MPI_PEER : 0u) | (*tag >= 0 ? WN_MPI_TAG : 0u);
}

/* Numbers of arguments: what a call that also sends receives. */
static void
read_receive(enum layer_call call, const layer_word *argument, struct wn_mpi_message *m)
{
	unsigned peer, tag, status;
	if (call == LAYER_Sendrecv || call == LAYER_Sendrecv_c)
		peer = 9, tag = 10, status = 12;
	else if (call == LAYER_Sendrecv_replace || call == LAYER_Sendrecv_replace_c)
		peer = 6, tag = 7, status = 9;
	else
		return;
	int32_t from[2] = {(int32_t)argument[peer], (int32_t)argument[tag]}, got[2];
	uint32_t known = layer_status(argument[status], 0, &got[0], &got[1]);
	m->is_receive = true;
	m->received_known = known_peer(layer_abi(), from[0]) | (from[1] >= 0 ? WN_MPI_TAG : 0u);
	if (!(m->received_known & WN_MPI_NO_PEER))
		m->received_known |= known;
	m->received_peer = from[0] >= 0 || !(known & WN_MPI_PEER) ? from[0] : got[0];
	m->received_tag = from[1] >= 0 || !(known & WN_MPI_TAG) ? from[1] : got[1];
}

/* count x size of the datatype */
static void
read_size(layer_word count, bool is_wide, layer_word datatype, struct wn_mpi_message *m)
{
	int64_t n = is_wide ? (int64_t)count : (int32_t)count;
	int64_t element_bytes = n > 0 ? layer_type_bytes(datatype) : 0;
	if (n < 0 || element_bytes < 0 || (n > 0 && element_bytes > INT64_MAX / n))
		return;
	set_bytes(m, (uint64_t)(n * element_bytes));
}

void
layer_message(enum layer_call call, const layer_word *argument, layer_word result,
              struct wn_mpi_message *m)
{
	const struct layer_arguments *a = &layer_arguments[call];
	memset(m, 0, sizeof *m);
	if ((int32_t)result != 0)
		return;
	layer_requests_after(call, argument, m);
	if (!a->communicator && !a->peer)
		return;
	enum wn_mpi_abi abi = layer_abi();
	if (abi == WN_MPI_ABI_UNKNOWN)
		return;
	if (a->communicator && layer_communicator(argument[a->communicator], &m->communicator))
		m->known |= WN_MPI_COMMUNICATOR;
	int32_t peer = a->peer ? (int32_t)argument[a->peer] : 0;
	if (a->peer)
		set_peer(m, peer);
	if (a->tag)
		set_tag(m, (int32_t)argument[a->tag]);
	/* nothing is sent to a negative peer, and then the rest may be anything */
	if (a->datatype && peer >= 0)
		read_size(argument[a->count], layer_is_wide(call), argument[a->datatype], m);
	read_receive(call, argument, m);
	if (a->status && !is_ignored(abi, argument[a->status]) && !(m->known & WN_MPI_NO_PEER))
		read_status(abi, argument[a->status], call == LAYER_Recv || call == LAYER_Recv_c,
		            m);
}
