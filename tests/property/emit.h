/* SPDX-License-Identifier: MIT */
/* emit.h - what simulated threads saw, as the bytes of a trace. */
#ifndef WN_PROPERTY_EMIT_H
#define WN_PROPERTY_EMIT_H

#include "simulate.h"

/* When a thread was off the CPU, or nobody knows; in order, without overlap. */
struct emit_switches {
	size_t n;
	struct {
		uint64_t from, to;
		uint8_t kind; /* enum wn_switch_kind */
	} items[64];
};

struct emit_options {
	uint64_t scale;   /* every time is multiplied by it ... */
	bool has_offsets; /* ... and gets the thread's number added, so that no two coincide */
	uint8_t thread[THREADS_MAX]; /* index in the trace of each simulated thread */
	bool is_packed;              /* blocks end when they are full, and nowhere else */
	bool has_counter;            /* "steps": each thread's sim_counted() ... */
	uint32_t without_counter;    /* ... but not of these simulated threads, a bit each */
	const struct emit_switches *switches; /* [THREADS_MAX] or NULL; with scale 1 */
	const char *calibration;              /* text of one, or NULL */
	uint64_t seed; /* where blocks end, in which order they lie, which are windows */
};

struct emitted {
	uint8_t *bytes;
	size_t size_bytes;
};

/* Released with free(bytes). */
struct emitted emit(const struct sim *s, const struct emit_options *options);

/* Identity, scale 1. */
void emit_options_init(struct emit_options *options, uint64_t seed);

#endif /* WN_PROPERTY_EMIT_H */
