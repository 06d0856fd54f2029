/* SPDX-License-Identifier: MIT */
/* loop_state.h - a source's state of the loop and other constructs that a thread is in. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* State of a loop, kept between the calls that belong to it. */
struct wn_loop_state {
	int64_t lower;   /* user-visible first value */
	int64_t step;    /* user-visible step, never 0 */
	bool is_open;    /* between LOOP_BEGIN and WORK_END */
	bool chunk_open; /* between CHUNK_BEGIN and CHUNK_END */
	bool is_partial; /* only the first of a thread's chunks is reported */
	bool is_inline;  /* no call dispatches its chunks (sources/ompt/grain.c) ... */
	bool is_derived; /* ... and all chunks of a thread are reported when it begins */
	bool is_own;     /* opened by commands, not by a source */
	uint8_t command; /* 1 + index in told.loop, if commands report the chunks (control/) */
	/* compiled with a plug-in: each chunk of this static loop is reported */
	bool reports_chunks;
	bool has_bounds;  /* lower and step are known from the plug-in, until the loop is open */
	bool is_unsigned; /* the variable is unsigned, from the plug-in */
};

/* Constructs of an implicit task whose ends the program reports (sources/libgomp/static.c). */
struct wn_reported_ends {
	uint32_t n_scopes;  /* open ones */
	bool is_loop_due;   /* the end of a loop that was recorded has not been reported yet */
	bool is_masked_due; /* the same for a masked construct */
};

/* Depend clauses of a task, as the compiler laid them out for libomp. */
struct kmp_depend_info;
struct wn_depends {
	const struct kmp_depend_info *list[2]; /* the second list contains no address twice */
	int32_t n[2];
};
