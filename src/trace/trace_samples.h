/* SPDX-License-Identifier: MIT */
/* trace_samples.h - where the threads' code was from time to time (rule V16 of trace_format.h). */
#pragma once

#include "trace/trace_reader.h"

struct wn_trace_sample {
	uint64_t addr; /* of an instruction, in the program's memory */
	uint32_t thread;
	uint32_t period_us; /* CPU time that the sample represents; at least 1 */
};

/* A page fault, of so many. */
struct wn_trace_fault {
	uint64_t addr;   /* of the instruction that touched the page */
	uint64_t caller; /* return address, if the instruction's function has saved nothing yet;
	                    else anything */
	uint32_t thread;
	uint32_t n_faults; /* that it represents; at least 1 */
};

/* Returns the number of sampled page faults, and these. Borrowed. */
size_t wn_trace_fault_samples(const struct wn_trace *trace, const struct wn_trace_fault **faults);

/* Returns the number of samples, and the samples. None: the kernel did not allow it, or the
 * threads were short. Borrowed. */
size_t wn_trace_samples(const struct wn_trace *trace, const struct wn_trace_sample **samples);
