/* SPDX-License-Identifier: MIT */
/*
 * snapshot.h - what pictures show of a page's data: one problem type or all that count, by the
 * thresholds in use when it was made. Choosing another problem, moving a threshold or loading a
 * chunk makes a new snapshot; nothing in one changes. All functions that draw take it as const, so
 * a picture is a function of a snapshot and a view.
 */
#ifndef WN_PAGE_SNAPSHOT_H
#define WN_PAGE_SNAPSHOT_H

#include "page/private.h"

/* Which grains of a chunk have the problem that is shown. */
struct shown_grains {
	uint64_t *bits;      /* of grains; NULL: none has it */
	uint32_t *n_before;  /* set bits before each 64 grains */
	uint32_t n;          /* set bits */
	uint32_t n_in_front; /* in all chunks before this one */
};

struct snapshot {
	const struct page *page;
	uint8_t problem;             /* PAGE_ALL_PROBLEMS: all that count */
	uint32_t mask;               /* the same as bits */
	uint32_t moved;              /* those of them whose threshold the user has moved */
	uint32_t n_chunks;           /* of the page */
	uint32_t only;               /* the chunk whose bits are new; SNAPSHOT_ALL_CHUNKS */
	struct shown_grains *chunks; /* [n_chunks] */
};

/* How a snapshot differs from the one before. */
struct snapshot_change {
	uint8_t problem;
	uint32_t pass;  /* problems whose bits are those that the pass has found */
	uint32_t reset; /* problems by the thresholds of the file again */
	uint32_t chunk; /* the only one whose bits have changed; SNAPSHOT_ALL_CHUNKS */
};
#define SNAPSHOT_ALL_CHUNKS UINT32_MAX

/**
 * Makes a snapshot of p's data. It is shown by snapshot_show(), before anything else changes.
 *
 * @return NULL: out of memory; p and what it shows are as before.
 *
 * Cost     O(grains / 64 * problems shown) of the chunks that have changed, O(chunks).
 */
WN_MUST_CHECK struct snapshot *snapshot_new(const struct page *p,
                                            const struct snapshot_change *change);
/* Shows a snapshot, which the page owns from now on; returns the one before, to be freed. Of a
 * change of all chunks that one is complete, and may be shown again. O(chunks). */
struct snapshot *snapshot_show(struct page *p, struct snapshot *s);
/* All three. False: out of memory, and the snapshot before is still shown. */
WN_MUST_CHECK bool snapshot_renew(struct page *p, const struct snapshot_change *change);
/* NULL is fine. */
void snapshot_free(struct snapshot *s);

/* How many grains inside a row have the problem. O(log chunks). */
uint32_t snapshot_problems(const struct snapshot *s, const struct row *r);
/* How far a grain that has it is beyond the threshold: 1 to 255; 0: not at all, or unknown. */
uint8_t snapshot_severity(const struct snapshot *s, const struct row *r);
/* Grains of a group whose value is unknown, so that no moved threshold was compared with it. */
uint32_t snapshot_unknown(const struct snapshot *s, const struct row *r);
/* The value of the shown metric that a node has; NAN: none, or it is unknown. */
double snapshot_value(const struct snapshot *s, uint32_t node);

#endif /* WN_PAGE_SNAPSHOT_H */
