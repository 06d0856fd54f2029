/* SPDX-License-Identifier: MIT */
/* pop.h - efficiencies of a job of MPI ranks with OpenMP threads. Definitions: pop.def and
 * doc/metrics.md, "Jobs". */
#pragma once

#include "ranks/summary.h"

enum wn_pop {
#define WN_POP(NAME, ...) WN_POP_##NAME,
#include "ranks/pop.def"
	WN_POP_N
};

struct wn_pop_metric {
	const char *name, *title; /* "parallel_efficiency", "parallel efficiency" */
	int level;
	bool needs_mpi;
};
extern const struct wn_pop_metric wn_pop_metrics[WN_POP_N];

struct wn_pop_values {
	double value[WN_POP_N]; /* NAN: not available */
	uint64_t run_ns;        /* R: the longest elapsed time of a rank */
	uint64_t ideal_ns;      /* the same on an ideal network, at most run_ns; 0 = unknown */
	uint64_t n_threads;     /* T: of all ranks */
	bool knows_mpi;         /* of all ranks */
};

/**
 * Computes all efficiencies of the ranks of a summary.
 *
 * @param ideal_ns  run time on an ideal network (wn_exchange_ideal()); 0 = unknown.
 * Cost     O(ranks). Threads  pure.
 * Source   co-design.pop-coe.eu, glossary of the multiplicative and additive hybrid metrics.
 * Oracle   tests/unit/test_ranks.c: the worked example of doc/metrics.md.
 */
void wn_pop(const struct wn_rank_row *ranks, size_t n, uint64_t ideal_ns,
            struct wn_pop_values *out);

/* Returns the time of a rank's first thread outside MPI: X. */
static inline uint64_t
wn_rank_outside_mpi_ns(const struct wn_rank_row *rank)
{
	return rank->elapsed_ns > rank->primary_mpi_ns ? rank->elapsed_ns - rank->primary_mpi_ns
	                                               : 0;
}

static inline bool
wn_rank_knows_mpi(const struct wn_rank_row *rank)
{
	return rank->flags & WN_RANK_KNOWS_MPI;
}
