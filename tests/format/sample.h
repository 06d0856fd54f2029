/* SPDX-License-Identifier: MIT */
/*
 * sample.h - a small good trace in memory, for tests that damage it.
 *
 *   slot 0  process facts: a module, the command line, an environment variable, two counters
 *   slot 1  thread 0, block 0, sealed      slot 2  thread 1, block 0, sealed
 *   slot 3  thread 0, block 1, sealed      slot 4  never written
 *   slot 5  thread 1, block 1, window      slot 6  thread 0, block 2, window
 *   slot 7  thread 0, block 2, sealed: supersedes the one before
 */
#ifndef WN_FORMAT_SAMPLE_H
#define WN_FORMAT_SAMPLE_H

#include "trace/encode.h"
#include "trace/hash.h"

#define SAMPLE_SLOTS_N  8u
#define SAMPLE_BLOCKS_N 5u /* believed ones of threads */
#define SAMPLE_TASKS_N  24u
#define SAMPLE_BYTES    (WN_HEADER_BYTES + SAMPLE_SLOTS_N * (size_t)WN_SLOT_BYTES)

struct sample {
	uint8_t *bytes; /* [SAMPLE_BYTES] */
	uint64_t n_events;
};

void sample_make(struct sample *s);
void sample_free(struct sample *s);

struct wn_trace_header *sample_header(struct sample *s);
struct wn_block_header *sample_block(struct sample *s, uint32_t slot);

/* Gives header and block the hash that fits them. */
void sample_rehash_header(struct sample *s);
void sample_rehash(struct sample *s, uint32_t slot);

#endif /* WN_FORMAT_SAMPLE_H */
