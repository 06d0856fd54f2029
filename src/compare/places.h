/* SPDX-License-Identifier: MIT */
/*
 * places.h - which place in the source of one run is which of another's: by names, so that a
 * program that was built anew keeps its places.
 */
#ifndef WN_COMPARE_PLACES_H
#define WN_COMPARE_PLACES_H

#include "winnow/base.h"

#define WN_NO_PAIR UINT32_MAX

struct wn_place_name {
	const char *file, *function; /* NULL where not known */
	const char *label;           /* what it is called where the file is not known */
	int line;                    /* 0 where not known */
	uint8_t kind;                /* enum wn_grain_kind */
};

struct wn_place_pairs {
	uint32_t n;           /* pairs, and places that one run has alone */
	uint32_t (*place)[2]; /* [n] of A, of B; WN_NO_PAIR where that has none */
	uint32_t *of[2];      /* by place: which pair it is in */
	uint32_t n_moved;     /* pairs on different lines, or of different paths */
};

/**
 * Pairs places of one kind, in turn those with
 *   1. the same path, line and function; of places without a file: the same label;
 *   2. the same file name, line and function;
 *   3. the same file name and function, in order of lines, where both runs have as many.
 *
 * @param out  written only on success; release with wn_place_pairs_fini().
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(n log n) comparisons of names. Threads  pure.
 */
WN_MUST_CHECK wn_status wn_place_pairs_init(struct wn_place_pairs *out,
                                            const struct wn_place_name *a, uint32_t n_a,
                                            const struct wn_place_name *b, uint32_t n_b,
                                            wn_err *err);
void wn_place_pairs_fini(struct wn_place_pairs *pairs);

#endif /* WN_COMPARE_PLACES_H */
