/* SPDX-License-Identifier: MIT */
/*
 * fragments.h - the pieces of all grains, packed: most are short and follow one another without a
 * gap, so that three bytes hold one. They can be read in order only, or from a grain's first one.
 *
 *   run:   varint zigzag(grain - grain of the run before), varint n fragments, varint start, then
 *          for each fragment: bit 0: a gap precedes it, bits 1..: its duration; varint gap if any
 *
 * One run for each grain, in the order in which grains were over. Varints have 7 bits a byte, the
 * lowest first. Start: distance from the start of the program by span; a gap lies between the end
 * of the fragment before and the start of this one.
 */
#ifndef WN_GRAPH_FRAGMENTS_H
#define WN_GRAPH_FRAGMENTS_H

#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wn_fragments {
	uint8_t *bytes; /* whole runs */
	size_t n_bytes, capacity;
	uint64_t n; /* fragments in them */
	uint32_t last_grain;
};

/* A fragment, and where the next one is. */
struct wn_fragment {
	uint32_t grain;
	uint64_t start_ns, ns;
	bool is_first, is_last; /* of its grain */

	const uint8_t *next, *end;
	uint64_t n_left; /* of its run, after this one */
};

/* Before the first fragment of all. Valid until the store grows. */
void wn_fragments_begin(const struct wn_fragments *all, struct wn_fragment *f);

/* Goes to the next one; false if there is none. Cost: O(1), some ns. */
bool wn_fragments_next_slow(struct wn_fragment *f);

/* Inside a run, a short one without a gap is a byte. */
static inline bool
wn_fragments_next(struct wn_fragment *f)
{
	if (f->n_left == 0 || *f->next & 0x81)
		return wn_fragments_next_slow(f);
	f->is_first = false;
	f->start_ns += f->ns;
	f->ns = *f->next++ >> 1;
	f->is_last = --f->n_left == 0;
	return true;
}

/* Where the run starts to which the fragment belongs that is next, and to go there again. Grains
 * are told only to who reads from the beginning. */
size_t wn_fragments_place(const struct wn_fragments *all, const struct wn_fragment *f);
void wn_fragments_at(const struct wn_fragments *all, size_t place, struct wn_fragment *f);

/* The run of a grain that is not over yet: bytes in cells of a pool, since many may grow at once.
 */
#define WN_RUN_BYTES 28u
struct wn_run_cell {
	uint32_t next;
	uint8_t bytes[WN_RUN_BYTES];
};

struct wn_run {
	uint64_t n;
	uint64_t end_ns; /* of its last fragment */
	uint32_t first, last;
	uint32_t n_in_last; /* bytes */
	uint32_t n_cells;
};

/* All zero is an empty run. Both return 0, or -1 when memory ran out; closing empties the run. */
int wn_run_add(struct wn_run *run, struct wn_pool *cells, uint64_t start_ns, uint64_t ns);
int wn_run_close(struct wn_run *run, struct wn_pool *cells, uint32_t grain,
                 struct wn_fragments *all);

#endif /* WN_GRAPH_FRAGMENTS_H */
