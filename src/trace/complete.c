/* SPDX-License-Identifier: MIT */
#include "trace/trace_complete.h"

#include "base/plural.h"

#include <inttypes.h>
#include <stdio.h>

void
wn_trace_facts(const struct wn_trace *trace, struct wn_facts *out)
{
	const struct wn_trace_header *h = wn_trace_header(trace);
	const struct wn_damage *d = wn_trace_damage(trace);
	*out = (struct wn_facts){
	    .state = h->state,
	    .dead_reason = h->dead_reason,
	    .is_cut = d->is_cut,
	    .has_lost_windows = d->has_lost_windows,
	    .unseen = wn_header_unseen(h),
	    .n_bad_blocks = d->n_bad_blocks,
	    .n_bad_bytes = d->n_bad_bytes,
	    .n_gaps = d->n_gaps,
	    .n_dropped = d->n_dropped,
	    .ending = *wn_trace_ending(trace),
	};
}

/* For a process that ended normally: judges the contents. */
static struct wn_verdict
judge_content(const struct wn_facts *f)
{
	const struct wn_ending *e = &f->ending;
	if (f->n_dropped)
		return (struct wn_verdict){.why = WN_INCOMPLETE_DROPPED, .count = f->n_dropped};
	if (f->unseen.has_any)
		return (struct wn_verdict){.why = WN_INCOMPLETE_UNSEEN, .unseen = f->unseen};
	if (f->n_gaps || e->n_gaps || e->n_threads_missing || f->n_lost)
		return (struct wn_verdict){.why = WN_INCOMPLETE_MISSING};
	if (e->n_threads_in_region)
		return (struct wn_verdict){.why = WN_INCOMPLETE_IN_REGION};
	if (e->n_threads_in_task || f->n_unfinished)
		return (struct wn_verdict){.why = WN_INCOMPLETE_IN_TASK};
	if (f->n_unmatched)
		return (struct wn_verdict){.why = WN_INCOMPLETE_UNMATCHED, .count = f->n_unmatched};
	if (f->n_rows_lost)
		return (struct wn_verdict){.why = WN_INCOMPLETE_ROWS, .count = f->n_rows_lost};
	return (struct wn_verdict){.why = WN_COMPLETE};
}

struct wn_verdict
wn_judge_completeness(const struct wn_facts *f)
{
	if (f->is_gone)
		return (struct wn_verdict){.why = WN_INCOMPLETE_GONE};
	if (f->state == WN_STATE_DEAD)
		return (struct wn_verdict){.why = WN_INCOMPLETE_STOPPED,
		                           .dead_reason = f->dead_reason,
		                           .count = f->n_dropped};
	if (f->is_running)
		return (struct wn_verdict){.why = WN_INCOMPLETE_RUNNING};
	if (f->is_cut)
		return (struct wn_verdict){.why = WN_INCOMPLETE_CUT};
	if (f->n_bad_blocks || f->n_bad_bytes)
		return (struct wn_verdict){.why = WN_INCOMPLETE_DAMAGED};
	if (f->has_lost_windows)
		return (struct wn_verdict){.why = WN_INCOMPLETE_MEMORY};
	if (f->state != WN_STATE_CLOSED)
		return (struct wn_verdict){.why = WN_INCOMPLETE_NOT_CLOSED, .count = f->n_dropped};
	return judge_content(f);
}

struct wn_verdict
wn_trace_verdict(const struct wn_trace *trace)
{
	struct wn_facts facts;
	wn_trace_facts(trace, &facts);
	return wn_judge_completeness(&facts);
}

static const char *
dead_text(uint32_t reason)
{
	switch (reason) {
	case WN_DEAD_NO_SPACE:
		return "no space left";
	case WN_DEAD_IO:
		return "a write failed";
	case WN_DEAD_FD_LOST:
		return "the program closed the recorder's file";
	case WN_DEAD_NO_MEMORY:
		return "no memory";
	default:
		return "reason unknown";
	}
}

/* Reasons without a count. */
static const char *const plain_texts[] = {
    [WN_COMPLETE] = "complete",
    [WN_INCOMPLETE_GONE] = "the trace file is gone",
    [WN_INCOMPLETE_RUNNING] = "still running",
    [WN_INCOMPLETE_CUT] = "cut off: the file ends before its last block",
    [WN_INCOMPLETE_DAMAGED] = "damaged",
    [WN_INCOMPLETE_MEMORY] = "the newest events are lost with the memory of the process",
    [WN_INCOMPLETE_NOT_CLOSED] = "not closed by the program, readable",
    [WN_INCOMPLETE_DROPPED] = "closed",
    [WN_INCOMPLETE_MISSING] = "closed, part of its events is missing",
    [WN_INCOMPLETE_IN_REGION] = "ended inside a parallel region",
    [WN_INCOMPLETE_IN_TASK] = "ended with tasks not completed",
    [WN_INCOMPLETE_ROWS] = "rows of the imported file were left out",
};

const char *
wn_verdict_text(const struct wn_verdict *verdict, char out[WN_VERDICT_BYTES])
{
	int used;
	if (verdict->why == WN_INCOMPLETE_UNSEEN)
		return wn_unseen_text(&verdict->unseen, out, WN_VERDICT_BYTES);
	if (verdict->why == WN_INCOMPLETE_STOPPED)
		used = snprintf(out, WN_VERDICT_BYTES, "stopped early (%s)",
		                dead_text(verdict->dead_reason));
	else if (verdict->why == WN_INCOMPLETE_UNMATCHED)
		used = snprintf(out, WN_VERDICT_BYTES, "closed, %" PRIu64 " event%s not fit",
		                verdict->count, wn_either(verdict->count, " does", "s do"));
	else
		used = snprintf(out, WN_VERDICT_BYTES, "%s", plain_texts[verdict->why]);
	bool has_losses = verdict->why == WN_INCOMPLETE_STOPPED ||
	                  verdict->why == WN_INCOMPLETE_NOT_CLOSED ||
	                  verdict->why == WN_INCOMPLETE_DROPPED;
	if (has_losses && verdict->count > 0 && (size_t)used < WN_VERDICT_BYTES)
		snprintf(out + used, WN_VERDICT_BYTES - (size_t)used, ", %" PRIu64 " event%s lost",
		         verdict->count, wn_plural(verdict->count));
	return out;
}
