/* SPDX-License-Identifier: MIT */
#include "trace/trace_tally.h"

#include "base/error.h"

/* The outermost open region of one thread. */
struct open_region {
	uint32_t depth;
	uint64_t since_tick;
};

static void
leave(const struct wn_trace *trace, struct open_region *open, uint64_t tick, struct wn_tally *tally)
{
	if (open->depth > 0 && tick > open->since_tick)
		tally->region_ns += wn_trace_ns(trace, tick) - wn_trace_ns(trace, open->since_tick);
	open->depth = 0;
}

static void
take(const struct wn_trace *trace, struct open_region *open, const struct wn_event *event,
     struct wn_tally *tally, uint64_t *n_others)
{
	tally->n_events++;
	switch ((int)event->code) {
	case WN_EV_IMPLICIT_BEGIN:
		*n_others += 1;
		break;
	case WN_EV_TASK_CREATE:
		*n_others += (wn_trace_site(trace, event->site).aux & WN_TASK_WAITPOINT) != 0;
		break;
	case WN_EV_REGION_BEGIN:
		if (open->depth++ == 0)
			open->since_tick = event->tick;
		break;
	case WN_EV_REGION_END:
		if (open->depth > 1)
			open->depth--;
		else
			leave(trace, open, event->tick, tally);
		break;
	case WN_EV_GAP: /* open regions may have ended in the missing part */
		open->depth = 0;
		break;
	default:
		break;
	}
}

wn_status
wn_trace_tally(struct wn_trace *trace, struct wn_tally *out, wn_err *err)
{
	struct wn_tally tally = {0};
	for (uint32_t thread = 0; thread < wn_trace_n_threads(trace); thread++) {
		struct open_region open = {0};
		struct wn_cursor cursor;
		struct wn_event event = {0};
		uint64_t n_ids = wn_trace_n_ids(trace, thread), n_others = 0;
		int got;
		wn_cursor_init(&cursor, trace, thread);
		while ((got = wn_cursor_next(&cursor, &event)) == 1)
			take(trace, &open, &event, &tally, &n_others);
		if (got < 0)
			return wn_no_memory(err);
		leave(trace, &open, event.tick, &tally);
		tally.n_grains += n_ids > n_others ? n_ids - n_others : 0;
	}
	*out = tally;
	return WN_OK;
}
