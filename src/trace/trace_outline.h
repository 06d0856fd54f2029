/* SPDX-License-Identifier: MIT */
/*
 * trace_outline.h - what a trace amounts to, from its block headers and the last block of each
 * thread.
 */
#ifndef WN_TRACE_OUTLINE_H
#define WN_TRACE_OUTLINE_H

#include "trace/trace_complete.h"

struct wn_outline {
	struct wn_trace_header header;
	uint64_t file_bytes;  /* as `ls -l` has it, holes included */
	uint64_t disk_bytes;  /* that it occupies */
	uint64_t event_bytes; /* records of all threads */
	/* Tasks, chunks and sections, whether they ran or not; and the few tasks of a runtime's own
	 * that split a large taskloop, which only a graph tells from the others. */
	uint64_t n_grains;
	/* From the beginnings of parallel regions to their ends, summed over the threads that open
	 * them; a region inside another of the same thread does not count again. One that has not
	 * ended lasts to its thread's last record. */
	uint64_t region_ns;
	/* damage inside of blocks is among them only in the last ones of each thread: the hashes of
	 * the others are not verified */
	struct wn_facts facts;
};

/**
 * Reads the outline of a trace, without its events.
 *
 * @param path  the trace; its process may still write it.
 * @param out   written only on success.
 * @param err   NULL, or filled on failure.
 *
 * Of a trace before version 1.4, n_grains and region_ns come from reading all of it.
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
 * @param flags   as open() has them.
 * @param header  the header as found; written only on success.
 * @param fd      written only on success; to be closed by the caller.
 *
 * @return as wn_trace_outline()
 */
WN_MUST_CHECK wn_status wn_trace_open_header(const char *path, int flags,
                                             struct wn_trace_header *header, int *fd, wn_err *err);

#endif /* WN_TRACE_OUTLINE_H */
