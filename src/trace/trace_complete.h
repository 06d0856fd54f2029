/* SPDX-License-Identifier: MIT */
/*
 * trace_complete.h - determines whether a recording is complete, and if not, why. All commands use
 * this judgement.
 *
 * The facts are cheap: the header, the block headers, and the last block of each thread. Callers
 * with a graph add what building it found (wn_graph_verdict(), graph/graph.h).
 */
#pragma once

#include "trace/trace_reader.h"
#include "trace/trace_unseen.h"

/* In order of precedence. */
enum wn_incomplete {
	WN_COMPLETE = 0,
	WN_INCOMPLETE_GONE,    /* there is no longer a trace at its path */
	WN_INCOMPLETE_STOPPED, /* the recorder gave up */
	WN_INCOMPLETE_RUNNING, /* the process still runs */
	WN_INCOMPLETE_CUT,     /* the file ends before its last block */
	WN_INCOMPLETE_DAMAGED, /* blocks or records of it cannot be read */
	WN_INCOMPLETE_MEMORY,  /* the newest events were lost with the memory of a killed process */
	WN_INCOMPLETE_NOT_CLOSED, /* the recorder did not see the process end */
	WN_INCOMPLETE_DROPPED,    /* events could not be stored */
	WN_INCOMPLETE_UNSEEN,    /* the runtime shut down, and the program used OpenMP afterwards */
	WN_INCOMPLETE_MISSING,   /* blocks, whole threads, or creation records of grains are missing
	                          */
	WN_INCOMPLETE_IN_REGION, /* the process ended inside a parallel region */
	WN_INCOMPLETE_IN_TASK, /* the process ended before tasks did, or a task's end is missing */
	WN_INCOMPLETE_UNMATCHED, /* events do not fit the ones before them */
	WN_INCOMPLETE_ROWS       /* rows of an imported file were left out */
};

/* Facts about a recording; zero if unknown or without problems. */
struct wn_facts {
	bool is_gone, is_running, is_cut, has_lost_windows;
	uint32_t state;       /* enum wn_trace_state */
	uint32_t dead_reason; /* enum wn_dead_reason */
	uint32_t n_bad_blocks, n_gaps;
	uint64_t n_bad_bytes, n_dropped;
	struct wn_ending ending;
	struct wn_unrecorded unseen;

	/* known only if the graph was built */
	uint64_t n_unfinished; /* tasks that never completed or never started */
	uint64_t n_unmatched;  /* events */
	uint64_t n_lost;       /* grains */
	uint64_t n_rows_lost;
};

struct wn_verdict {
	enum wn_incomplete why;
	uint32_t dead_reason;        /* reason of WN_INCOMPLETE_STOPPED */
	uint64_t count;              /* lost or missing items; 0 where there is nothing to count */
	struct wn_unrecorded unseen; /* for WN_INCOMPLETE_UNSEEN */
};

/* Collects the facts of an open trace. Damage inside blocks is known once all cursors have run to
 * their end. Cost: none. */
void wn_trace_facts(const struct wn_trace *trace, struct wn_facts *out);

/* Judges the facts; those of an open trace come from wn_trace_facts(). Cost: none. Threads: any. */
struct wn_verdict wn_judge_completeness(const struct wn_facts *facts);
struct wn_verdict wn_trace_verdict(const struct wn_trace *trace);

#define WN_VERDICT_BYTES (WN_UNSEEN_BYTES + 32u)

/* Formats the judgement, e.g. "complete", "stopped early (no space left)", "ended inside a
 * parallel region". Returns `out`. */
const char *wn_verdict_text(const struct wn_verdict *verdict, char out[WN_VERDICT_BYTES]);
