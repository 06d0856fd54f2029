/* SPDX-License-Identifier: MIT */
/* trace_samples.h - where the threads' code was from time to time (rule V16 of trace_format.h). */
#pragma once

#include "trace/trace_reader.h"

struct wn_trace_sample {
	uint64_t addr; /* of an instruction, in the program's memory */
	uint32_t thread;
	uint32_t period_us; /* CPU time that the sample represents; at least 1 */
};

/* An access to memory that was sampled: a page fault, or an atomic update. */
struct wn_trace_access {
	uint64_t addr; /* of the instruction of a fault; just behind an update, or its own */
	/* of a fault the return address, if the instruction's function has saved nothing yet, else
	 * anything; of an update its memory */
	uint64_t other;
	uint32_t thread;
	uint32_t n; /* faults that it represents; at least 1 */
};

/* Return the number of sampled page faults or atomic updates, and these. Borrowed. */
size_t wn_trace_faults(const struct wn_trace *trace, const struct wn_trace_access **faults);
size_t wn_trace_updates(const struct wn_trace *trace, const struct wn_trace_access **updates);

/* Returns the number of samples, and the samples. None: the kernel did not allow it, or the
 * threads were short. Borrowed. */
size_t wn_trace_samples(const struct wn_trace *trace, const struct wn_trace_sample **samples);
