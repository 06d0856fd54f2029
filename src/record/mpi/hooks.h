/* SPDX-License-Identifier: MIT */
/* hooks.h - what the layer in front of MPI (libwinnow-mpi.so) calls in the recorder: a table that
 * it finds by its name, so that neither library links the other. Without the recorder the layer
 * only forwards. */
#pragma once

#include "trace/trace_format.h"

#include <stdbool.h>
#include <stdint.h>

/* An operation that a call completes. */
struct wn_mpi_done {
	uint64_t request;
	uint32_t known; /* enum wn_mpi_known, or-ed */
	int32_t peer, tag;
};

#define WN_MPI_DONE_MAX 64u

/* What is known of a call; the values are valid if their bits of `known` are set. */
struct wn_mpi_message {
	uint32_t known; /* enum wn_mpi_known, or-ed; 0: nothing */
	uint64_t bytes;
	int64_t peer, tag;
	uint64_t communicator;
	bool is_receive; /* of a call that sends and receives: what it receives */
	uint32_t received_known;
	int64_t received_peer, received_tag;
	bool is_post; /* it starts an operation, which the request stands for */
	bool is_idle; /* a call that only tests has found nothing completed */
	uint64_t request;
	uint32_t n_done;
	const struct wn_mpi_done *done; /* [n_done] */
};

struct wn_mpi_hooks {
	uint32_t size; /* bytes of this struct */
	/* Opens the trace, if it is not open: MPI is about to be initialised. */
	void (*start)(void);
	/* The name of a function, for begin(). NULL if there is no memory. */
	void *(*name)(const char *text);
	/* The calling thread enters a function of MPI and leaves it. Calls do not nest. */
	void (*begin)(void *name, const void *site);
	void (*end)(const struct wn_mpi_message *message);
	/* Between begin() and end(): there is a new communicator (MPI_COMMUNICATOR). */
	void (*communicator)(uint64_t number, uint64_t identity, uint32_t rank, uint32_t size);
	/* How the process uses MPI: after the initialisation, and when that changes. Slow. */
	void (*used)(const struct wn_mpi_record *use);
};

#define WN_MPI_HOOKS "winnow_mpi_2"
