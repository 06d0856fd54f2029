/* SPDX-License-Identifier: MIT */
/*
 * loop_state.h - what a source keeps of the loop that a thread is in.
 */
#ifndef WN_RECORD_LOOP_STATE_H
#define WN_RECORD_LOOP_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* A loop that a thread is in, kept by the source between the calls that belong to it. */
struct wn_loop_state {
	int64_t lower;       /* user-visible first value */
	int64_t step;        /* user-visible step, never 0 */
	bool is_open;        /* between LOOP_BEGIN and WORK_END */
	bool chunk_open;     /* between CHUNK_BEGIN and CHUNK_END */
	bool is_partial;     /* only the first of a thread's chunks is told */
	bool is_inline;      /* no call hands its chunks out (sources/ompt/grain.c) ... */
	bool is_derived;     /* ... and all of a thread's are told as it begins */
	bool is_own;         /* commands have opened it, and no source */
	uint8_t told;        /* 1 + index in told.loop, where commands tell the chunks (control/) */
	bool tells_chunks;   /* compiled with a plug-in: each chunk of this static loop says so */
	bool tells_bounds;   /* and lower and step, until the loop is open */
	bool tells_unsigned; /* and that the variable is */
};

#endif /* WN_RECORD_LOOP_STATE_H */
