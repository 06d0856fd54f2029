/* SPDX-License-Identifier: MIT */
/* match_places.h - matches the source places of two runs by name, so that a rebuilt program keeps
 * its places. */
#pragma once

#include "compare/match.h"

#define WN_NO_PAIR UINT32_MAX

struct wn_place_name {
	const char *file, *function; /* NULL if unknown */
	const char *label;           /* its text if the file is unknown */
	int line;                    /* 0 if unknown */
	uint8_t kind;                /* enum wn_grain_kind */
};

struct wn_place_pairs {
	uint32_t n;           /* pairs, and places of one run only */
	uint32_t (*place)[2]; /* [n] of A, of B; WN_NO_PAIR if it has none */
	uint32_t *of[2];      /* by place: its pair */
	uint8_t *how;         /* [n] enum wn_pairing */
	uint32_t n_moved;     /* pairs on different lines, or of different paths */
};

enum wn_pairing {
	WN_PAIRED_NOT = 0,
	WN_PAIRED_BY_NAME,
	WN_PAIRED_MOVED,    /* by name, on different lines or in different paths */
	WN_PAIRED_BY_GRAINS /* by their grains */
};

/**
 * Matches places of one kind in several passes, by
 *   1. the same path, line and function; of places without a file: the same label;
 *   2. the same file name, line and function;
 *   3. the same file name and function, in order of lines, if both runs have equally many.
 *
 * @param out  written only on success; release with wn_place_pairs_fini().
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(n log n) comparisons of names. Threads  pure.
 */
WN_MUST_CHECK wn_status wn_place_pairs_init(struct wn_place_pairs *out,
                                            const struct wn_place_name *a, uint32_t n_a,
                                            const struct wn_place_name *b, uint32_t n_b,
                                            wn_err *err);

/**
 * Matches remaining places by grains: a place of A and one of B, if most common grains of either
 * belong to the other. So a program rebuilt in place keeps its places, although the names of the
 * old ones are lost. Matched places of B leave an entry without a place in the list.
 *
 * @param place_of_site  [2][sites] places, or UINT32_MAX.
 * @return WN_OK · WN_E_NOMEM.  Cost O(grains + places). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_place_pairs_by_grains(struct wn_place_pairs *pairs,
                                                 const struct wn_match *match,
                                                 const uint32_t *const place_of_site[2],
                                                 wn_err *err);
void wn_place_pairs_fini(struct wn_place_pairs *pairs);
