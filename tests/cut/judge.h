/* SPDX-License-Identifier: MIT */
/* judge.h - what must hold of any part of a recording. */
#ifndef WN_CUT_JUDGE_H
#define WN_CUT_JUDGE_H

#include "recording.h"

/* What is known of a cut without looking at the trace. */
struct cut {
	const char *how; /* for people */
	bool is_instant; /* all threads were cut at one time: nothing refers to what is missing */
	bool has_losses; /* blocks are missing in between */
	bool is_whole;   /* nothing is missing */
	uint64_t n_ids;  /* handed out to tasks, chunks and sections in what is left */
	bool has_report; /* views are made as well, not only the graph */
};

/**
 * Builds graph, tree and, if asked for, the report of the bytes of a recording.
 *
 * @return NULL, or what is wrong; valid until the next call.
 */
const char *judge(const struct recording *r, const struct cut *cut);

#endif /* WN_CUT_JUDGE_H */
