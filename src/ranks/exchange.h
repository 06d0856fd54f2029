/* SPDX-License-Identifier: MIT */
/*
 * exchange.h - matches the messages and collectives of a job's ranks, and what follows from that:
 * the run time on an ideal network, the critical path across ranks, and bounds on the clocks of
 * nodes.
 *
 * The k-th send and the k-th receive with equal communicator, sender, receiver and tag belong
 * together, as MPI orders them; a receive from any source, or with any tag, has those that it
 * received. The k-th collective of each member of a communicator belong together. If anything is
 * left over, nothing is known.
 */
#pragma once

#include "graph/messages.h"
#include "ranks/summary.h"

/* --- files: the steps of a rank's communication (graph/messages.h) as a file beside its summary,
 * to be matched with those of other ranks. Like a summary it is read on the kind of
 * machine and by the version that wrote it, and is stale when its trace has changed.
 *
 *   | struct wn_steps_header | struct wn_mpi_communicator ... | struct wn_mpi_step ... |
 */
#define WN_STEPS_MAGIC "\x89WNSTEPS"

struct wn_steps_header {
	char magic[8];
	uint64_t layout; /* wn_ranks_layout() */
	uint64_t n_steps;
	uint32_t n_communicators, breaks;
	uint64_t end_ns, outside_ns; /* as in struct wn_messages */
	uint32_t rank, unused;
	struct wn_rank_source source;
};

/* The file of a rank. */
struct wn_steps {
	void *bytes; /* mapped */
	size_t n_bytes;
	const struct wn_steps_header *header;
	const struct wn_mpi_communicator *communicators;
	const struct wn_mpi_step *steps;
};

/* Writes the file. @return whether all was written */
bool wn_steps_write(const struct wn_messages *m, uint32_t rank, const struct wn_rank_source *source,
                    FILE *to);

/**
 * Opens and validates a file: lengths, and all numbers that name something in it.
 *
 * @param row  of the rank: the file must be of the same state of its trace.
 * @return WN_OK · WN_E_IO · WN_E_FORMAT. Release with wn_steps_close().
 * Cost     O(steps). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_steps_open(const char *path, const struct wn_rank_row *row,
                                      struct wn_steps *out, wn_err *err);
/* Takes steps that are in memory, for tests and for the rank that has just been analysed. */
WN_MUST_CHECK wn_status wn_steps_read(const void *bytes, size_t n_bytes, struct wn_steps *out,
                                      wn_err *err);
void wn_steps_close(struct wn_steps *s);

/* --- matching --- */

/* Steps of a job are matched up to this number, which takes 40 bytes each. */
#define WN_EXCHANGE_STEPS_MAX (UINT64_C(1) << 25)

/* A step of a rank; of is the index of the rank. */
struct wn_step_at {
	uint32_t of, step;
};
#define WN_NO_STEP UINT32_MAX

/* One collective: its members' steps. */
struct wn_collective {
	uint64_t identity, nth;
	uint32_t size, n;
	uint8_t kind;           /* enum wn_mpi_step_kind */
	struct wn_step_at root; /* if it has one */
	struct wn_step_at last; /* whose call began last, by related clocks */
};

struct wn_exchange {
	const struct wn_steps *ranks; /* [n] borrowed */
	size_t n;
	uint64_t *first; /* [n + 1] number of the first step of a rank among all */
	/* [all steps] of a send the receive, of a receive the send, of a collective its number */
	struct wn_step_at *partner;
	struct wn_collective *collectives;
	size_t n_collectives, collectives_capacity;
	uint64_t n_messages;
	char why[160]; /* not empty: why it is not complete, and nothing follows from it */
};

/* Time of a rank on the critical path. */
struct wn_path_share {
	uint32_t index;          /* of the rank */
	uint64_t ns, outside_ns; /* on the path; of it, outside MPI */
};

struct wn_rank_path {
	uint64_t ns, outside_ns;      /* from the begin of the first rank on the path to its end */
	uint64_t n_switches;          /* from rank to rank */
	struct wn_path_share *shares; /* [n] most time first; free with wn_free() */
	size_t n;
};

/**
 * Matches all steps.
 *
 * @param ranks  [n] must outlive the match.
 * @param size   ranks of the job.
 * @return WN_OK (out->why is "" if it is complete) · WN_E_NOMEM. Release with
 * wn_exchange_fini(). Cost     O(steps). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_exchange_make(const struct wn_steps *ranks, size_t n, uint64_t size,
                                         struct wn_exchange *out, wn_err *err);
void wn_exchange_fini(struct wn_exchange *m);

/**
 * The run time on a network that takes no time: between its calls each rank takes the time that it
 * took; a receive ends when the message is sent, a collective when all have come whose data it
 * needs, other calls take no time. Sends do not wait, but for synchronous ones.
 *
 * @param out_ns  the longest time of a rank, from its first event to its last.
 * @return WN_OK · WN_E_NOMEM · WN_E_INVARIANT (ranks wait for each other)
 * Cost     O(steps). Threads  pure.
 * Source   co-design.pop-coe.eu, transfer efficiency; Dimemas's ideal network.
 * Oracle   tests/unit/test_exchange.c: a slow replay in rounds.
 */
WN_MUST_CHECK wn_status wn_exchange_ideal(const struct wn_exchange *m,
                                          const struct wn_rank_row *rows, uint64_t *out_ns,
                                          wn_err *err);

/**
 * The chain of work and waits that ends last: backwards from the rank that ends last; where a call
 * waited for another rank that came later, on at that rank. Time between a sender's call and the
 * end of the receiver's is the receiver's, in MPI.
 *
 * @param begin_ns  [n] first event of each rank, by related clocks.
 * @return WN_OK · WN_E_NOMEM · WN_E_INVARIANT (clocks contradict messages)
 * Cost     O(steps). Threads  pure.
 * Source   Böhme, Wolf, de Supinski, Schulz, Geimer, Scalable critical-path based performance
 *          analysis (2012), section III.
 */
WN_MUST_CHECK wn_status wn_exchange_path(const struct wn_exchange *m,
                                         const struct wn_rank_row *rows, const uint64_t *begin_ns,
                                         struct wn_rank_path *out, wn_err *err);

/**
 * Relates the clocks of nodes by messages: none is received before it is sent, and no collective
 * ends before those that it needs have begun it. So each pair of nodes that exchanges messages in
 * both directions, directly or over others, has an interval in which the difference of their clocks
 * is; the middle is taken.
 *
 * @param node      [n] of each rank, below n_nodes; at most WN_EXCHANGE_NODES_MAX.
 * @param begin_ns  [n] corrected on success.
 * @param error_ns  written on success: the largest error that is left of the difference of two
 *                  nodes' clocks.
 * @param skew_ns   likewise: by how much the differences before were wrong, at most.
 * @param is_known  false: nodes do not bound each other, or their bounds contradict each other as
 *                  clocks drift; begin_ns is unchanged.
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(steps + ranks nodes + nodes^3, and of each collective the square of its nodes).
 *          Threads  pure.
 */
WN_MUST_CHECK wn_status wn_exchange_clocks(const struct wn_exchange *m,
                                           const struct wn_rank_row *rows, const uint32_t *node,
                                           uint32_t n_nodes, uint64_t *begin_ns, uint64_t *error_ns,
                                           uint64_t *skew_ns, bool *is_known, wn_err *err);
#define WN_EXCHANGE_NODES_MAX 256u
