/* SPDX-License-Identifier: MIT */
/* trace_finish.h - completes a trace when its process is gone, for `winnow record`. */
#pragma once

#include "trace/trace_format.h"
#include "winnow/base.h"

/* How a process ended, as observed by its parent. */
struct wn_trace_end {
	int wait_status;  /* as from waitpid() */
	uint64_t wall_ns; /* from its start to its end */
};

/**
 * Seals the windows that the dead process left in memory and in the file, stores how it ended, and
 * frees unused bytes of the file.
 *
 * @param path  the trace; its process must have ended.
 * @param end   NULL if unknown: then the trace does not contain it.
 * @param err   NULL, or filled on failure. A trace that is not finished stays readable.
 *
 * @return WN_OK · WN_E_IO · WN_E_FORMAT · WN_E_VERSION · WN_E_NOMEM
 *
 * Cost     reads 128 bytes for each block, and the windows. Threads  no other process may write the
 * file.
 */
wn_status wn_trace_finish(const char *path, const struct wn_trace_end *end, wn_err *err);

/**
 * Stores in a trace the number of programs of its run that were started by exec, and so ran
 * without being counted (the header's n_execs).
 *
 * @param path  the trace; its process may still run, as it does not write this field.
 * @param err   NULL, or filled on failure; then the trace is unchanged.
 *
 * @return WN_OK · WN_E_IO · WN_E_FORMAT · WN_E_VERSION · WN_E_NOMEM
 *
 * Cost     reads its header. Threads  any, of different traces.
 */
wn_status wn_trace_store_execs(const char *path, uint64_t n_execs, wn_err *err);

/**
 * Adds a record to the process blocks of a trace whose process has ended.
 *
 * @param path     the trace, finished.
 * @param n_bytes  of the payload; with its block it fits a slot.
 * @param err      NULL, or filled on failure; then no reader sees the record.
 *
 * @return WN_OK · WN_E_IO · WN_E_ARG · WN_E_FORMAT · WN_E_VERSION · WN_E_NOMEM
 *
 * Cost     writes one block. Threads  any, of different traces.
 */
wn_status wn_trace_append(const char *path, enum wn_process_type type, const void *payload,
                          size_t n_bytes, wn_err *err);

/**
 * Does as wn_trace_finish() without an end if the trace still has windows in memory and its
 * process is gone; otherwise, or if the file cannot be written, does nothing.
 *
 * @param path  any trace.
 *
 * Cost     reads the header, and the file only if there is something to do. Threads  any.
 */
void wn_trace_settle(const char *path);

/**
 * Removes shared memory of this user's processes that have ended and whose trace no longer exists:
 * of the recording to `out_path`, and of others if older than an hour; also that of processes that
 * were killed before they created a trace.
 *
 * Cost     a system call for each segment in use, and three more for each that is not in use.
 * Threads  any.
 */
void wn_trace_sweep(const char *out_path);
