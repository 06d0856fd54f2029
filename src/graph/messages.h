/* SPDX-License-Identifier: MIT */
/*
 * messages.h - what a process sends, receives and does collectively, as far as it is needed to
 * match it with what other processes do (ranks/exchange.h): a list of steps in the order of time.
 *
 *   MPI_Send       SEND                        MPI_Isend      SEND, its end is not needed
 *   MPI_Recv       RECEIVE, DONE               MPI_Irecv      RECEIVE ... MPI_Wait: DONE
 *   MPI_Allreduce  COLLECTIVE, DONE            MPI_Iallreduce COLLECTIVE ... MPI_Wait: DONE
 *
 * A process may wait for others in a DONE, and nowhere else. Steps of one call have its times.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* What functions of MPI do, as far as it matters here. */
enum wn_mpi_kind {
	WN_MPI_LOCAL, /* waits for no other process, or is not looked at */
	WN_MPI_SEND,
	WN_MPI_SYNCHRONOUS_SEND, /* its end waits for the receive to be posted */
	WN_MPI_RECEIVE,
	WN_MPI_SEND_RECEIVE,
	WN_MPI_TO_ALL,    /* collective: each waits for all */
	WN_MPI_FROM_ROOT, /* collective: each waits for the root */
	WN_MPI_TO_ROOT,   /* collective: the root waits for all */
	WN_MPI_WORLD,     /* as TO_ALL, of MPI_COMM_WORLD: MPI_Init, MPI_Finalize */
	WN_MPI_COMPLETE,  /* waits for what other calls have started */
	WN_MPI_PERSISTENT,
	WN_MPI_ONE_SIDED,
	WN_MPI_OTHER /* may wait for other processes, and it is not known how */
};

/* Why steps are not all that there was. */
enum wn_mpi_break {
	WN_MPI_BREAK_COMMUNICATOR = 1, /* of unknown members */
	WN_MPI_BREAK_PEER = 2,    /* a receive from any source, or with any tag, without a status */
	WN_MPI_BREAK_THREADS = 4, /* several threads communicate */
	WN_MPI_BREAK_PERSISTENT = 8,
	WN_MPI_BREAK_ONE_SIDED = 16,
	WN_MPI_BREAK_OTHER = 32,
	WN_MPI_BREAK_LOST = 64, /* part of the recording is missing */
	WN_MPI_BREAK_MANY = 128 /* more than WN_MPI_STEPS_MAX steps */
};

#define WN_MPI_STEPS_MAX (1u << 20)

enum wn_mpi_step_kind {
	WN_MPI_STEP_SEND,
	WN_MPI_STEP_SYNCHRONOUS,
	WN_MPI_STEP_RECEIVE,
	WN_MPI_STEP_TO_ALL,
	WN_MPI_STEP_FROM_ROOT,
	WN_MPI_STEP_TO_ROOT,
	WN_MPI_STEP_DONE, /* of an earlier step */
	WN_MPI_STEP_N
};

struct wn_mpi_step {
	uint64_t begin_ns, end_ns; /* of the call, since the trace began */
	uint64_t outside_ns;       /* begin_ns without the thread's time in calls before */
	uint32_t communicator;     /* index */
	uint32_t of;               /* DONE: index of that step */
	int32_t peer, tag;         /* ranks in the communicator; peer of a collective: its root */
	uint8_t kind, unused[7];   /* enum wn_mpi_step_kind */
};

struct wn_mpi_communicator {
	uint64_t identity; /* equal in all members */
	uint32_t rank, size;
};

struct wn_messages {
	struct wn_mpi_step *steps; /* [n] */
	size_t n, capacity;
	struct wn_mpi_communicator *communicators; /* [n_communicators]; 0: MPI_COMM_WORLD */
	size_t n_communicators, communicators_capacity;
	uint32_t breaks;     /* enum wn_mpi_break, or-ed; 0: the steps are all that there was */
	uint32_t thread;     /* that communicates */
	uint64_t end_ns;     /* of the thread ... */
	uint64_t outside_ns; /* ... and the same without its time in calls */
};

/* Calls of MPI that the thread level forbids. */
struct wn_mpi_misuse {
	uint64_t
	    n_foreign; /* below MPI_THREAD_SERIALIZED: by a thread that has not initialised MPI */
	uint64_t n_overlapping; /* below MPI_THREAD_MULTIPLE: while another thread is in MPI */
	uint32_t site;          /* of the first of them */
	uint32_t name;
};

/* Returns what a function does: "MPI_Send". NULL: LOCAL. Cost: O(log functions). Threads: pure. */
enum wn_mpi_kind wn_mpi_kind_of(const char *name);
