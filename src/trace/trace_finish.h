/* SPDX-License-Identifier: MIT */
/*
 * trace_finish.h - what `winnow record` adds to a trace when the process is gone.
 */
#ifndef WN_TRACE_FINISH_H
#define WN_TRACE_FINISH_H

#include "winnow/base.h"

/* How the process of a trace ended, as its parent sees it. */
struct wn_trace_end {
	int wait_status;  /* as waitpid() gives it */
	uint64_t wall_ns; /* from its start to its end */
};

/**
 * Seals the windows that the dead process left in memory and in the file, stores how it ended, and
 * gives back what the file occupies beyond what is in it.
 *
 * @param path  the trace; its process must have ended.
 * @param end   NULL where nobody knows: then the trace does not say either.
 * @param err   NULL, or filled on failure. A trace that is not finished stays readable.
 *
 * @return WN_OK · WN_E_IO · WN_E_FORMAT · WN_E_VERSION · WN_E_NOMEM
 *
 * Cost     reads 128 bytes for each block, and the windows. Threads  no other process may write the
 * file.
 */
wn_status wn_trace_finish(const char *path, const struct wn_trace_end *end, wn_err *err);

/**
 * Stores in a trace how many programs of its run were started by exec, and so run without being
 * counted (the header's n_execs).
 *
 * @param path  the trace; if its process still runs, that does not write the same place.
 * @param err   NULL, or filled on failure; then the trace says what it said before.
 *
 * @return WN_OK · WN_E_IO · WN_E_FORMAT · WN_E_VERSION · WN_E_NOMEM
 *
 * Cost     reads its header. Threads  any, of different traces.
 */
wn_status wn_trace_store_execs(const char *path, uint64_t n_execs, wn_err *err);

/**
 * Does as wn_trace_finish() without an end if the trace still has windows in memory and its process
 * is gone; else, or if the file cannot be written, nothing.
 *
 * @param path  the trace, of which nothing is known.
 *
 * Cost     reads the header, and only where there is something to do the file. Threads  any.
 */
void wn_trace_settle(const char *path);

/**
 * Removes the memory of this user's processes that have ended and whose trace no longer exists: of
 * the recording to `out_path`, and of others where it is older than an hour; and that of processes
 * that were killed before there was a trace.
 *
 * Cost     a system call for each segment in use, and three more for each that is not in use.
 * Threads  any.
 */
void wn_trace_sweep(const char *out_path);

#endif /* WN_TRACE_FINISH_H */
