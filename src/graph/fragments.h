/* SPDX-License-Identifier: MIT */
/*
 * fragments.h - packed storage of the fragments of all grains: most are short and follow one
 * another without a gap, so that three bytes hold one. They can be read in order only, or from a
 * grain's first one.
 *
 *   run:   zigzag(grain - grain of the run before), n fragments, start, then for each fragment its
 *          duration, which has a flag if a gap precedes it, and the gap if any
 *
 * One run for each grain, in the order in which grains ended. Numbers are coded like those of the
 * trace (trace/encode.h): the zero bits below the lowest one of the first byte are the number of
 * bytes that follow, so that one load reads a number. A duration has its flag below these: 6 bits
 * of it are in one byte, 13 in two, up to 48 in seven, else all in eight bytes more. Start:
 * distance from the start of the program by span; a gap lies between the end of the previous
 * fragment and the start of this one.
 */
#pragma once

#include "base/pool.h"
#include "trace/encode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* How long fragments are: those of nonzero length, or all. Most are short and counted exactly. */
#define WN_DURATIONS_SHORT (1u << 16)
struct wn_durations {
	bool counts_empty;
	uint64_t n, n_short; /* shorter than WN_DURATIONS_SHORT ns */
	uint64_t sum_ns;
	uint64_t end_ns; /* the latest end */
	uint64_t *count; /* [WN_DURATIONS_SHORT] by duration */
};

static inline void
wn_durations_add(struct wn_durations *d, uint64_t start_ns, uint64_t ns)
{
	uint64_t end_ns = start_ns + ns;
	if (ns == 0 && !d->counts_empty)
		return;
	d->n++;
	d->sum_ns += ns;
	d->end_ns = end_ns > d->end_ns ? end_ns : d->end_ns;
	if (ns >= WN_DURATIONS_SHORT)
		return;
	d->count[ns]++;
	d->n_short++;
}

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

/* Positions before the first fragment of all. Valid until the store grows. Inline, like all that a
 * loop over fragments calls, so that its position is kept in registers. */
static inline void
wn_fragments_begin(const struct wn_fragments *all, struct wn_fragment *f)
{
	*f = (struct wn_fragment){.next = all->bytes,
	                          .end = all->n_bytes ? all->bytes + all->n_bytes : NULL};
}

/* Positions before the first run that was added after a mark. */
static inline void
wn_fragments_from(const struct wn_fragments *all, struct wn_fragments_mark mark,
                  struct wn_fragment *f)
{
	wn_fragments_begin(all, f);
	if (all->n_bytes)
		f->next += mark.place;
	f->grain = mark.grain_before;
}

/* Positions before the first fragment of a share, share < all->n_marks; reading ends where the
 * next share begins. */
static inline void
wn_fragments_share(const struct wn_fragments *all, size_t share, struct wn_fragment *f)
{
	wn_fragments_from(all, all->marks[share], f);
	if (share + 1 < all->n_marks)
		f->end = all->bytes + all->marks[share + 1].place;
}

static inline uint64_t
wn_fragments_number(const uint8_t **at)
{
	uint64_t raw;
	memcpy(&raw, *at, sizeof raw);
	unsigned n_bytes = (unsigned)__builtin_ctz((unsigned)(raw & 0xff) | 0x100) + 1;
	if (n_bytes == 9) {
		memcpy(&raw, *at + 1, sizeof raw);
		*at += 9;
		return raw;
	}
	*at += n_bytes;
	return wn_value_of(raw, n_bytes);
}

static inline uint64_t
wn_fragments_duration(const uint8_t **at, bool *has_gap)
{
	uint64_t raw;
	memcpy(&raw, *at, sizeof raw);
	*has_gap = raw & 1;
	unsigned n_bytes = (unsigned)__builtin_ctz((unsigned)(raw >> 1 & 0x7f) | 0x80) + 1;
	if (n_bytes == 8) {
		memcpy(&raw, *at + 1, sizeof raw);
		*at += 9;
		return raw;
	}
	*at += n_bytes;
	return wn_value_of(raw, n_bytes) >> 1; /* after the flag */
}

/* Advances to the next one; false if there is none. Cost: O(1), some ns. */
static inline bool
wn_fragments_next(struct wn_fragment *f)
{
	uint64_t start_ns = f->start_ns + f->ns;
	bool has_gap;
	f->is_first = f->n_left == 0;
	if (f->is_first) {
		if (f->next == f->end)
			return false;
		uint64_t step = wn_fragments_number(&f->next);
		f->grain += (uint32_t)(step >> 1) ^ -(uint32_t)(step & 1);
		f->n_left = wn_fragments_number(&f->next);
		start_ns = wn_fragments_number(&f->next);
	}
	f->ns = wn_fragments_duration(&f->next, &has_gap);
	if (has_gap)
		start_ns += wn_fragments_number(&f->next);
	f->start_ns = start_ns;
	f->is_last = --f->n_left == 0;
	return true;
}

/* Returns the position of the run that contains the next fragment; and goes to such a position.
 * Grains are known only when reading from the beginning. */
size_t wn_fragments_place(const struct wn_fragments *all, const struct wn_fragment *f);
void wn_fragments_at(const struct wn_fragments *all, size_t place, struct wn_fragment *f);

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

/* No number takes more bytes. */
#define WN_NUMBER_BYTES 9u

static inline uint8_t *
wn_put_duration(uint8_t *to, uint64_t ns, bool has_gap)
{
	if (ns >> 48) {
		*to = has_gap;
		memcpy(to + 1, &ns, sizeof ns);
		return to + 9;
	}
	unsigned n_bytes = wn_value_bytes(ns << 1);
	uint64_t coded = (ns << 1 | 1) << n_bytes | has_gap;
	memcpy(to, &coded, sizeof coded);
	return to + n_bytes;
}

/* A run that is all zero is empty. Adding and closing return 0, or -1 when memory ran out; closing
 * empties the run. The general case of adding: any fragment, at any position in a run. */
int wn_run_add_slow(struct wn_run *run, struct wn_pool *cells, uint64_t start_ns, uint64_t ns);

static inline int
wn_run_add(struct wn_run *run, struct wn_pool *cells, uint64_t start_ns, uint64_t ns)
{
	uint32_t most = run->n_in_last + (run->n == 0 ? 2 : 1) * WN_NUMBER_BYTES;
	bool is_plain =
	    run->n_cells == 0 && most <= WN_RUN_BYTES && (run->n == 0 || start_ns == run->end_ns);
	if (is_plain) {
		uint8_t *to = run->own + run->n_in_last;
		if (run->n == 0)
			to = wn_code_value(to, start_ns);
		to = wn_put_duration(to, ns, false);
		run->n_in_last = (uint32_t)(to - run->own);
	} else if (wn_run_add_slow(run, cells, start_ns, ns) != 0) {
		return -1;
	}
	run->n++;
	run->end_ns = start_ns + ns;
	return 0;
}

int wn_run_close(struct wn_run *run, struct wn_pool *cells, uint32_t grain,
                 struct wn_fragments *all);
