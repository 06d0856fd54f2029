/* SPDX-License-Identifier: MIT */
/*
 * trace_complete.h - is a recording complete, and if not, why? One judgement for all who tell it.
 *
 * The facts are cheap: the header, the block headers, and the last block of each thread. Who has
 * built the graph adds what that has found (wn_graph_verdict(), graph/graph.h).
 */
#ifndef WN_TRACE_COMPLETE_H
#define WN_TRACE_COMPLETE_H

#include "trace/trace_reader.h"
#include "trace/trace_unseen.h"

/* The first that holds is the reason. */
enum wn_incomplete {
	WN_COMPLETE = 0,
	WN_INCOMPLETE_GONE,       /* there is no trace at its path any more */
	WN_INCOMPLETE_STOPPED,    /* the recorder gave up */
	WN_INCOMPLETE_RUNNING,    /* the process still runs */
	WN_INCOMPLETE_CUT,        /* the file ends before its last block */
	WN_INCOMPLETE_DAMAGED,    /* blocks or records of it cannot be read */
	WN_INCOMPLETE_MEMORY,     /* the newest events went with the memory of a killed process */
	WN_INCOMPLETE_NOT_CLOSED, /* the recorder did not see the process end */
	WN_INCOMPLETE_DROPPED,    /* events could not be stored */
	WN_INCOMPLETE_UNSEEN,     /* the runtime shut down, and the program used it afterwards */
	WN_INCOMPLETE_MISSING,    /* blocks, whole threads, or creations of grains are not there */
	WN_INCOMPLETE_IN_REGION,  /* the process ended inside a parallel region */
	WN_INCOMPLETE_IN_TASK,   /* the process ended before tasks did, or a task's end is not there
	                          */
	WN_INCOMPLETE_UNMATCHED, /* events do not fit the ones before them */
	WN_INCOMPLETE_ROWS       /* rows of an imported file were left out */
};

/* What is known of a recording; zero where it is not known, or fine. */
struct wn_facts {
	bool is_gone, is_running, is_cut, has_lost_windows;
	uint32_t state;       /* enum wn_trace_state */
	uint32_t dead_reason; /* enum wn_dead_reason */
	uint32_t n_bad_blocks, n_gaps;
	uint64_t n_bad_bytes, n_dropped;
	struct wn_ending ending;
	struct wn_unrecorded unseen;

	/* known where the graph has been built */
	uint64_t n_unfinished; /* tasks that never completed or never started */
	uint64_t n_unmatched;  /* events */
	uint64_t n_lost;       /* grains */
	uint64_t n_rows_lost;
};

struct wn_verdict {
	enum wn_incomplete why;
	uint32_t dead_reason; /* where it was stopped */
	uint64_t count;       /* of what is lost or missing; 0 where there is nothing to count */
	struct wn_unrecorded unseen; /* of a runtime that shut down */
};

/* What an open trace tells. Damage inside of blocks is known once all cursors have run to their
 * end. Cost: none. */
void wn_trace_facts(const struct wn_trace *trace, struct wn_facts *out);

/* The judgement. Cost: none. Threads: any. Of an open trace: by wn_trace_facts(). */
struct wn_verdict wn_judge_completeness(const struct wn_facts *facts);
struct wn_verdict wn_trace_verdict(const struct wn_trace *trace);

#define WN_VERDICT_BYTES (WN_UNSEEN_BYTES + 32u)

/* In words, e.g. "complete", "stopped early (no space left)", "ended inside a parallel region".
 * Returns `out`. */
const char *wn_verdict_text(const struct wn_verdict *verdict, char out[WN_VERDICT_BYTES]);

#endif /* WN_TRACE_COMPLETE_H */
