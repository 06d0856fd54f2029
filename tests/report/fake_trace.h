/* SPDX-License-Identifier: MIT */
/*
 * fake_trace.h - traces of runs that never happened, by a fake clock: one tick is one nanosecond.
 *
 * Writes the plainest bytes that the format allows (every value takes nine bytes, every site is
 * spelt out), so that these tests do not depend on the recorder's encoder.
 */
#ifndef WN_TESTS_FAKE_TRACE_H
#define WN_TESTS_FAKE_TRACE_H

#include "graph/graph.h"
#include "trace/trace_format.h"

#include <stdbool.h>
#include <stddef.h>

#define FAKE_THREADS 4u
#define FAKE_BYTES   (WN_HEADER_BYTES + (FAKE_THREADS + 1) * WN_SLOT_BYTES)

/* Slot 0 of the file holds process facts, slot i + 1 the block of thread i. */
struct fake {
	uint8_t bytes[FAKE_BYTES];
	uint8_t *next[FAKE_THREADS];
	uint64_t tick[FAKE_THREADS];
	uint8_t *next_fact;
};

struct wn_trace_header *fake_header(struct fake *f);
struct wn_block_header *fake_block(struct fake *f, uint32_t slot);

/* A closed recording of ./fake by OMPT that ended well; no thread has an event yet. */
void fake_init(struct fake *f);

/* Adds an event with the aux of its site (0 if it has none) and then the values that events.def
 * names; signed ones zigzag coded by the caller. */
void fake_event(struct fake *f, uint32_t thread, enum wn_event_code code, uint64_t tick,
                uint64_t addr, const uint64_t *aux_and_values);

/* FAKE(f, thread, code, tick, addr, aux, values...): the same with the values in a row. */
#define FAKE(f, thread, code, tick, addr, ...)                                                     \
	fake_event(f, thread, WN_EV_##code, tick, addr, (const uint64_t[]){__VA_ARGS__})

uint64_t fake_zigzag(int64_t value);

/* Adds a fact about the process. */
void fake_fact(struct fake *f, enum wn_process_type type, const void *payload, uint32_t n_bytes);

/* Adds a number about the process. */
void fake_number(struct fake *f, enum wn_fact kind, uint64_t value);

/* Computes the hashes. Nothing may be added afterwards. */
void fake_seal(struct fake *f);

/* Seals it, opens the trace in the bytes of `f` and builds its graph; NULL for what failed. */
wn_status fake_graph(struct fake *f, struct wn_trace **trace, struct wn_graph **graph, wn_err *err);

#endif /* WN_TESTS_FAKE_TRACE_H */
