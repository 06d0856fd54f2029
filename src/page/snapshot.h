/* SPDX-License-Identifier: MIT */
/* snapshot.h - the state of a page's data that pictures show: one problem type or all that count,
 * by the thresholds in use when it was made. Selecting another problem, moving a threshold or
 * loading a chunk makes a new snapshot; a snapshot never changes. Drawing functions take it as
 * const, so a picture is a function of a snapshot and a view. */
#pragma once

#include "page/private.h"

/* The grains of a chunk with the shown problem. */
struct shown_grains {
	uint64_t *bits;      /* bits of grains; NULL: none has it */
	uint32_t *n_before;  /* number of set bits before each 64 grains */
	uint32_t n;          /* set bits */
	uint32_t n_in_front; /* number in all chunks before this one */
};

struct snapshot {
	const struct page *page;
	uint8_t problem;             /* PAGE_ALL_PROBLEMS: all that count */
	uint32_t mask;               /* as bits */
	uint32_t moved;              /* those with a user threshold */
	uint32_t n_chunks;           /* of the page */
	uint32_t only;               /* the chunk with new bits; SNAPSHOT_ALL_CHUNKS */
	struct shown_grains *chunks; /* [n_chunks] */
};

/* The difference between a snapshot and its predecessor. */
struct snapshot_change {
	uint8_t problem;
	uint32_t pass;  /* problems with the bits of the last pass */
	uint32_t reset; /* problems reset to the file's thresholds */
	uint32_t chunk; /* the only chunk with changed bits; SNAPSHOT_ALL_CHUNKS */
};
#define SNAPSHOT_ALL_CHUNKS UINT32_MAX

/**
 * Makes a snapshot of p's data. Must be shown by snapshot_show() before anything else changes.
 *
 * @return NULL: out of memory; p and the shown snapshot are unchanged.
 *
 * Cost     O(grains / 64 * problems shown) of the chunks that have changed, O(chunks).
 */
WN_MUST_CHECK struct snapshot *snapshot_new(const struct page *p,
                                            const struct snapshot_change *change);
/* Shows a snapshot, which the page owns from now on; returns the previous one for the caller to
 * free. After a change of all chunks the previous one is complete and may be shown again.
 * O(chunks). */
struct snapshot *snapshot_show(struct page *p, struct snapshot *s);
/* Makes, shows and frees. False: out of memory, and the previous snapshot is still shown. */
WN_MUST_CHECK bool snapshot_renew(struct page *p, const struct snapshot_change *change);
/* NULL is fine. */
void snapshot_free(struct snapshot *s);

/* Counts grains with the problem inside a row. O(log chunks). */
uint32_t snapshot_problems(const struct snapshot *s, const struct row *r);
/* Returns the severity of a grain: 1 to 255; 0: no problem, or unknown. */
uint8_t snapshot_severity(const struct snapshot *s, const struct row *r);
/* Counts grains of a group with unknown values, which were not compared with a user threshold. */
uint32_t snapshot_unknown(const struct snapshot *s, const struct row *r);
/* Returns a node's value of the shown metric; NAN: none or unknown. */
double snapshot_value(const struct snapshot *s, uint32_t node);
