/* SPDX-License-Identifier: MIT */
/*
 * steps.h - the steps of a rank's communication (graph/messages.h) as a file beside its summary,
 * for those who match them with those of other ranks. Like a summary it is read on the kind of
 * machine and by the version that wrote it, and is stale when its trace has changed.
 *
 *   | struct wn_steps_header | struct wn_mpi_communicator ... | struct wn_mpi_step ... |
 */
#ifndef WN_RANKS_STEPS_H
#define WN_RANKS_STEPS_H

#include "graph/messages.h"
#include "ranks/summary.h"

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

#endif /* WN_RANKS_STEPS_H */
