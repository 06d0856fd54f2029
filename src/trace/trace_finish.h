/* SPDX-License-Identifier: MIT */
/*
 * trace_finish.h - what `winnow record` adds to a trace when the process is gone.
 */
#ifndef WN_TRACE_FINISH_H
#define WN_TRACE_FINISH_H

#include "winnow/base.h"

/**
 * Seals the windows that the dead process left, and stores how it ended.
 *
 * @param path         the trace; its process must have ended.
 * @param wait_status  as waitpid() gives it.
 * @param wall_ns      run time of the process as seen from outside.
 * @param err          NULL, or filled on failure. A trace that is not finished stays readable.
 *
 * @return WN_OK · WN_E_IO · WN_E_FORMAT · WN_E_VERSION · WN_E_NOMEM
 *
 * Cost     reads the file once. Threads  no other process may write the file.
 */
wn_status wn_trace_finish(const char *path, int wait_status, uint64_t wall_ns, wn_err *err);

#endif /* WN_TRACE_FINISH_H */
