/* SPDX-License-Identifier: MIT */
/*
 * timeline.h - the recorded timeline: draws what each thread did over time as pixels, and adds up
 * ranges of time.
 *
 * A thread is a row. In each column of pixels its states are stacked by their share of the column's
 * time, so that the picture is right at every zoom: from a column that holds a million grains to a
 * stretch of one grain over many columns. The data are bins of the whole run, and slices of time
 * with finer stretches (src/view/timeline.c), which are used as far as they are loaded.
 *
 * Native code and the page's worker produce the same bytes (tests: suite `page`).
 */
#pragma once

#include "winnow/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Columns of sums: states by their number in the file (columns.def, column 217), and work on the
 * critical path, which is work, too. */
enum {
	TIMELINE_WORK = 0,
	TIMELINE_OUTSIDE = 16,
	TIMELINE_STATES_N,
	TIMELINE_CRITICAL = TIMELINE_STATES_N,
	TIMELINE_SUMS_N
};

/* Colours of the palette: 16 classes of work by place, then states, then the lines. */
#define TIMELINE_CLASSES_N 16u
enum {
	TIMELINE_COLOUR_STATE = TIMELINE_CLASSES_N,
	TIMELINE_COLOUR_PAPER = TIMELINE_CLASSES_N + TIMELINE_STATES_N,
	TIMELINE_COLOUR_CRITICAL,
	TIMELINE_COLOURS_N
};

struct timeline;

/* Creates a timeline with slices [n_slices], none of which is loaded. */
WN_MUST_CHECK wn_status timeline_new(uint32_t n_threads, uint32_t n_slices, struct timeline **out,
                                     wn_err *err);
void timeline_free(struct timeline *t); /* NULL is fine */
/* Defines when a slice is; slices follow each other without gaps. */
void timeline_slice(struct timeline *t, uint32_t slice, double begin_ns, double end_ns);
/* Sets the colours of places: [n_sites] class of each site, below TIMELINE_CLASSES_N. */
WN_MUST_CHECK wn_status timeline_sites(struct timeline *t, const uint8_t *classes, uint32_t n_sites,
                                       wn_err *err);

/* A part of the file: timeline_begin(), timeline_put() for each block, timeline_end(). bin_ns 0: it
 * is a slice, else the bins of the run. On failure the part is not loaded. */
void timeline_begin(struct timeline *t, uint32_t slice, uint32_t n_rows, double bin_ns);
bool timeline_wants(uint16_t column);
/* @param bytes  [n_bytes] inflated: of that size by width, state and rows. */
WN_MUST_CHECK wn_status timeline_put(struct timeline *t, uint16_t column, uint8_t code,
                                     uint8_t width, uint8_t state, const uint8_t *bytes,
                                     size_t n_bytes, wn_err *err);
WN_MUST_CHECK wn_status timeline_end(struct timeline *t, wn_err *err);
void timeline_drop(struct timeline *t, uint32_t slice);
size_t timeline_bytes(const struct timeline *t, uint32_t slice);

struct timeline_view {
	double from_ns, to_ns; /* from < to */
	uint32_t width;        /* pixels */
	uint32_t row, gap;     /* pixels of a thread, and below it */
	uint32_t first_thread, n_threads;
};
#define TIMELINE_PIXELS_MAX (UINT32_C(1) << 24)

/* Reserves memory for pictures of a size. WN_OK · WN_E_ARG (too large) · WN_E_NOMEM */
WN_MUST_CHECK wn_status timeline_prepare(struct timeline *t, uint32_t width, uint32_t height,
                                         wn_err *err);
/**
 * Draws the view; allocates nothing. Fails if it has not been prepared for that size.
 *
 * @param palette  [TIMELINE_COLOURS_N] pixels as they are written.
 * @param pixels   set to [width * n_threads * (row + gap)]; valid until the next call.
 * @param working  set to [width] threads that work, on average in the column.
 * Cost  O(rows in view + pixels).
 */
bool timeline_paint(struct timeline *t, const struct timeline_view *view, const uint32_t *palette,
                    const uint32_t **pixels, const float **working);
/* Lists slices in the window that are not loaded: those of at most about a row per pixel; returns
 * their number in out[n_max]. */
uint32_t timeline_needs(const struct timeline *t, double from_ns, double to_ns, uint32_t *out,
                        uint32_t n_max);

/* Adds up a range of time of a thread: out [TIMELINE_SUMS_N] nanoseconds. */
void timeline_sum(const struct timeline *t, uint32_t thread, double from_ns, double to_ns,
                  double *out);
/* The stretch of a thread at a time: its begin, end, site (-1: none), and sums; false: none. */
bool timeline_at(const struct timeline *t, uint32_t thread, double at_ns, double out[3],
                 double *sums);
