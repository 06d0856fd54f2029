/* SPDX-License-Identifier: MIT */
/*
 * recording.h - a recording in memory, of which any prefix of any thread can be had: what a killed
 * process leaves. The file is read once; a cut rewrites only the headers of blocks.
 */
#ifndef WN_CUT_RECORDING_H
#define WN_CUT_RECORDING_H

#include "trace/trace_reader.h"

/* A record of a thread's stream. */
struct cut_event {
	uint64_t tick;
	uint64_t end; /* one past its last byte in the file */
	uint32_t thread;
	uint8_t code;
	uint32_t n_ids; /* that it hands out to tasks, chunks and sections */
};

/* A block of a thread. */
struct cut_block {
	uint64_t offset;
	uint32_t thread, sequence;
};

struct recording {
	uint8_t *bytes, *original; /* the second is never changed */
	size_t size_bytes;
	struct cut_event *events; /* by thread */
	size_t n_events;
	size_t *first; /* [n_threads + 1] into events */
	uint32_t n_threads;
	uint32_t *by_time; /* [n_events] events in the order of time, then of thread */
	struct cut_block *blocks;
	size_t n_blocks;
};

/* Reads a file whole; false, and a reason, if it is no recording without damage. */
bool recording_load(struct recording *r, const char *path, char reason[200]);
void recording_free(struct recording *r);

/* Makes the bytes those that are left when each thread has written its first keep[thread] records
 * only, and the process was killed. */
void recording_cut(struct recording *r, const size_t *keep);

/* Takes a block away, on top of a cut. */
void recording_lose(struct recording *r, size_t block);

#endif /* WN_CUT_RECORDING_H */
