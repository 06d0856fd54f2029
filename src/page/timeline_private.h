/* SPDX-License-Identifier: MIT */
/* timeline_private.h - shared by timeline.c, which loads and walks, and timeline_paint.c. */
#pragma once

#include "page/timeline.h"

#define NO_SITE UINT32_MAX
/* Windows of fewer bins than this are drawn from slices. */
#define CLOSE_BINS 700.0

/* The nanoseconds of a state in a stretch, and above them the state. */
#define SHARE_BITS 56
static inline uint64_t
share_of(unsigned state, uint64_t ns)
{
	return (uint64_t)state << SHARE_BITS | ns;
}

static inline unsigned
share_state(uint64_t share)
{
	return (unsigned)(share >> SHARE_BITS);
}

static inline double
share_ns(uint64_t share)
{
	return (double)(share & ((UINT64_C(1) << SHARE_BITS) - 1));
}

/* Stretches of all threads in a range of time: bins, or a slice. n 0: not loaded. */
struct stretches {
	double from_ns, to_ns;
	uint32_t n, n_shares;
	uint32_t *first_row;   /* [n_threads + 1] */
	double *begin_ns;      /* [n + 1] */
	uint32_t *site;        /* [n] */
	uint32_t *first_share; /* [n + 1] */
	uint64_t *shares;      /* [n_shares] share_of() */
};

/* A part that is being loaded; columns are NULL where all values are 0. */
struct loading {
	uint32_t n, slice;
	double bin_ns;
	uint64_t *ns[TIMELINE_SUMS_N], *site, *length_ns, *largest;
	uint8_t *missing; /* rows without a site */
};

struct timeline {
	uint32_t n_threads, n_slices, n_sites;
	struct stretches bins, *slices;
	uint8_t *classes; /* [n_sites] */
	struct loading loading;

	uint32_t width, height; /* reserved */
	uint32_t *pixels;       /* [width * height] */
	float *columns; /* [width * TIMELINE_COLOURS_N] shares of colours, column by column */
	float *working; /* [width] */
};

/* A part of one stretch in the range of a walk. */
struct stretch {
	double from_ns, to_ns, length_ns; /* of the part; of the whole stretch */
	uint32_t site, n;
	const uint64_t *shares; /* [n] of the whole stretch */
};
typedef void timeline_visit(void *user, const struct stretch *s);

/* Returns whether a window is drawn from slices. */
bool timeline_is_close(const struct timeline *t, double from_ns, double to_ns);
/* Visits the stretches of a thread in a range, in order: of slices as far as is_close and they are
 * loaded, else bins. */
void timeline_walk(const struct timeline *t, uint32_t thread, double from_ns, double to_ns,
                   bool is_close, timeline_visit *visit, void *user);
