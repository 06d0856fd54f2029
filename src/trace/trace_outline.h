/* SPDX-License-Identifier: MIT */
/* trace_outline.h - summarises a trace from its block headers and the last block of each thread. */
#pragma once

#include "trace/trace_complete.h"

struct wn_outline {
	struct wn_trace_header header;
	uint64_t file_bytes;  /* apparent size as in `ls -l`, holes included */
	uint64_t disk_bytes;  /* allocated size */
	uint64_t event_bytes; /* records of all threads */
	/* Tasks, chunks and sections, whether they ran or not; also the few internal tasks by
	 * which a runtime splits a large taskloop, which only a graph distinguishes from the
	 * others. */
	uint64_t n_grains;
	/* Durations of parallel regions, summed over the threads that open them; nested regions on
	 * the same thread are not added. An open region lasts to its thread's last record. */
	uint64_t region_ns;
	/* damage inside blocks is included only for the last block of each thread: the hashes of
	 * the others are not verified */
	struct wn_facts facts;
};

/**
 * Reads the outline of a trace, without reading all events.
 *
 * @param path  the trace; its process may still be writing it.
 * @param out   written only on success.
 * @param err   NULL, or filled on failure.
 *
 * For traces before version 1.4, n_grains and region_ns are computed by reading all events.
 *
 * @return WN_OK · WN_E_IO · WN_E_FORMAT (V1, V3) · WN_E_VERSION (V2) · WN_E_NOMEM
 *
 * Cost     reads 128 bytes for each block of 64 KiB, and one block of each thread twice.
 * Threads  distinct traces are independent.
 * Oracle   tests/unit/test_outline.c (the same from reading all events)
 */
WN_MUST_CHECK wn_status wn_trace_outline(const char *path, struct wn_outline *out, wn_err *err);

/**
 * Opens a file for reading if it starts with the header of a trace.
 *
 * @param path    the file.
 * @param flags   as for open().
 * @param header  the header as found; written only on success.
 * @param fd      written only on success; to be closed by the caller.
 *
 * @return as wn_trace_outline()
 */
WN_MUST_CHECK wn_status wn_trace_open_header(const char *path, int flags,
                                             struct wn_trace_header *header, int *fd, wn_err *err);
