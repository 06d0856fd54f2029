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

/* Between two runs: where the next one starts, and whose the one before is. */
struct wn_fragments_mark {
	size_t place;
	uint32_t grain_before;
};

struct wn_fragments {
	uint8_t *bytes; /* whole runs */
	size_t n_bytes, capacity;
	uint64_t n; /* fragments in them */
	uint32_t last_grain;
	/* [n_marks] where reading may begin: at the start, and after every so many fragments */
	struct wn_fragments_mark *marks;
	size_t n_marks, marks_capacity;
	uint64_t n_at_mark; /* fragments before the last one */
};

/* Fragments between two marks, and a few more: what one job reads. */
#define WN_FRAGMENTS_SHARE (UINT64_C(1) << 16)

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

/* Inside a run, one of less than 8 us without a gap is a byte or two. */
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

/* Where the run starts to which the fragment belongs that is next, and to go there again. Grains
 * are told only to who reads from the beginning. */
size_t wn_fragments_place(const struct wn_fragments *all, const struct wn_fragment *f);
void wn_fragments_at(const struct wn_fragments *all, size_t place, struct wn_fragment *f);

/* Before the first fragment of a share, share < all->n_marks; reading ends where the next share
 * begins. */
void wn_fragments_share(const struct wn_fragments *all, size_t share, struct wn_fragment *f);

/* Before the first run that was added after a mark. */
void wn_fragments_from(const struct wn_fragments *all, struct wn_fragments_mark mark,
                       struct wn_fragment *f);

/* Frees what it holds. */
void wn_fragments_fini(struct wn_fragments *all);

/* The run of a grain that is not over yet: some bytes of its own, which are enough for most, then
 * bytes in cells of a pool, since many may grow at once. */
#define WN_RUN_BYTES 28u
struct wn_run_cell {
	uint32_t next;
	uint8_t bytes[WN_RUN_BYTES];
};

struct wn_run {
	uint64_t n;
	uint64_t end_ns;    /* of its last fragment */
	uint32_t n_cells;   /* when its own bytes are full */
	uint32_t n_in_last; /* bytes there; of its own if there is no cell */
	uint32_t first, last;
	uint8_t own[WN_RUN_BYTES];
};

/* All zero is an empty run. Both return 0, or -1 when memory ran out; closing empties the run. */
int wn_run_add(struct wn_run *run, struct wn_pool *cells, uint64_t start_ns, uint64_t ns);
int wn_run_close(struct wn_run *run, struct wn_pool *cells, uint32_t grain,
                 struct wn_fragments *all);

#endif /* WN_GRAPH_FRAGMENTS_H */
