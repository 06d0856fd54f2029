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
 * Seals the windows that the dead process left, stores how it ended, and gives back what the file
 * occupies beyond what is in it.
 *
 * @param path  the trace; its process must have ended.
 * @param end   NULL where nobody knows: then the trace does not say either.
 * @param err   NULL, or filled on failure. A trace that is not finished stays readable.
 *
 * @return WN_OK · WN_E_IO · WN_E_FORMAT · WN_E_VERSION · WN_E_NOMEM
 *
 * Cost     reads the file once. Threads  no other process may write the file.
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
 * Cost     opens the trace. Threads  any, of different traces.
 */
wn_status wn_trace_store_execs(const char *path, uint64_t n_execs, wn_err *err);

#endif /* WN_TRACE_FINISH_H */
