/* SPDX-License-Identifier: MIT */
/*
 * fragments.h - packed storage of the fragments of all grains: most are short and follow one
 * another without a gap, so that three bytes hold one. They can be read in order only, or from a
 * grain's first one.
 *
 *   run:   varint zigzag(grain - grain of the run before), varint n fragments, varint start, then
 *          for each fragment: bit 0: a gap precedes it, bits 1..: its duration; varint gap if any
 *
 * One run for each grain, in the order in which grains ended. Varints have 7 bits per byte, lowest
 * first. Start: distance from the start of the program by span; a gap lies between the end of the
 * previous fragment and the start of this one.
 */
#ifndef WN_GRAPH_FRAGMENTS_H
#define WN_GRAPH_FRAGMENTS_H

#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A position between two runs: where the next one starts, and the grain of the previous one. */
struct wn_fragments_mark {
	size_t place;
	uint32_t grain_before;
};

struct wn_fragments {
	uint8_t *bytes; /* complete runs */
	size_t n_bytes, capacity;
	uint64_t n; /* fragments in them */
	uint32_t last_grain;
	/* [n_marks] where reading may begin: at the start, and at regular intervals */
	struct wn_fragments_mark *marks;
	size_t n_marks, marks_capacity;
	uint64_t n_at_mark; /* fragments before the last one */
};

/* Approximate number of fragments between two marks: what one job reads. */
#define WN_FRAGMENTS_SHARE (UINT64_C(1) << 16)

/* A fragment, and the position of the next one. */
struct wn_fragment {
	uint32_t grain;
	uint64_t start_ns, ns;
	bool is_first, is_last; /* of its grain */

	const uint8_t *next, *end;
	uint64_t n_left; /* of its run, after this one */
};

/* Positions before the first fragment of all. Valid until the store grows. */
void wn_fragments_begin(const struct wn_fragments *all, struct wn_fragment *f);

/* Advances to the next one; false if there is none. Cost: O(1), some ns. */
bool wn_fragments_next_slow(struct wn_fragment *f);

/* Fast path: inside a run, a fragment of less than 8 us without a gap takes a byte or two. */
static inline bool
wn_fragments_next(struct wn_fragment *f)
{
	if (f->n_left == 0 || *f->next & 1)
		return wn_fragments_next_slow(f);
	unsigned n_bytes = 1 + (*f->next >> 7);
	uint64_t ns = *f->next >> 1 & 0x3f;
	if (n_bytes == 2) {
		if (f->next[1] & 0x80)
			return wn_fragments_next_slow(f);
		ns |= (uint64_t)f->next[1] << 6;
	}
	f->next += n_bytes;
	f->is_first = false;
	f->start_ns += f->ns;
	f->ns = ns;
	f->is_last = --f->n_left == 0;
	return true;
}

/* Returns the position of the run that contains the next fragment; and goes to such a position.
 * Grains are known only when reading from the beginning. */
size_t wn_fragments_place(const struct wn_fragments *all, const struct wn_fragment *f);
void wn_fragments_at(const struct wn_fragments *all, size_t place, struct wn_fragment *f);

/* Positions before the first fragment of a share, share < all->n_marks; reading ends where the
 * next share begins. */
void wn_fragments_share(const struct wn_fragments *all, size_t share, struct wn_fragment *f);

/* Positions before the first run that was added after a mark. */
void wn_fragments_from(const struct wn_fragments *all, struct wn_fragments_mark mark,
                       struct wn_fragment *f);

/* Frees the contents. */
void wn_fragments_fini(struct wn_fragments *all);

/* The run of a live grain: some inline bytes, which suffice for most, then bytes in cells of a
 * pool, since many may grow at once. */
#define WN_RUN_BYTES 28u
struct wn_run_cell {
	uint32_t next;
	uint8_t bytes[WN_RUN_BYTES];
};

struct wn_run {
	uint64_t n;
	uint64_t end_ns;    /* of its last fragment */
	uint32_t n_cells;   /* once the inline bytes are full */
	uint32_t n_in_last; /* bytes used there; inline bytes if there is no cell */
	uint32_t first, last;
	uint8_t own[WN_RUN_BYTES];
};

/* An empty run is all zero. Both return 0, or -1 when memory ran out; closing empties the run. */
int wn_run_add(struct wn_run *run, struct wn_pool *cells, uint64_t start_ns, uint64_t ns);
int wn_run_close(struct wn_run *run, struct wn_pool *cells, uint32_t grain,
                 struct wn_fragments *all);

#endif /* WN_GRAPH_FRAGMENTS_H */
