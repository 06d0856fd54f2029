/* SPDX-License-Identifier: MIT */
/*
 * overhead.h - what recording has cost a program, estimated.
 *
 * Bytes recorded times what one takes the recorder, measured on this machine when it is asked for;
 * and what each process pays once. Not in it: what the runtime takes to report events (a libomp
 * with a tool is slower even where the tool does nothing), and what the records push out of the
 * program's caches. The only way to know those is to run the program without Winnow too.
 */
#ifndef WN_CLI_OVERHEAD_H
#define WN_CLI_OVERHEAD_H

#include "trace/trace_format.h"

#include <stddef.h>
#include <stdint.h>

/* CPU time of all threads together. Cost: about 0.1 ms; none where even the most that a byte can
 * take is below `least_ns`. */
uint64_t overhead_estimate_ns(uint64_t event_bytes, size_t n_processes, enum wn_clock_kind clock,
                              uint64_t least_ns);

#endif /* WN_CLI_OVERHEAD_H */
