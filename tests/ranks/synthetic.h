/* SPDX-License-Identifier: MIT */
/* synthetic.h - summaries of ranks that never ran, with planted differences, for tests and
 * benchmarks of mergers. */
#ifndef WN_TESTS_SYNTHETIC_H
#define WN_TESTS_SYNTHETIC_H

#include "ranks/summary.h"

/*
 * Makes the summary of one rank of `n`: 2 threads on nodes of 64 ranks, 40 places and up to 20
 * findings that most ranks share. Ranks that are 17 modulo 1000 have a third more work at one
 * place. The same arguments give the same bytes. WN_OK, or WN_E_NOMEM.
 */
WN_MUST_CHECK wn_status synthetic_rank(uint32_t rank, uint32_t n, uint64_t seed,
                                       struct wn_ranks *out, wn_err *err);

#endif /* WN_TESTS_SYNTHETIC_H */
