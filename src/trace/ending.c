/* SPDX-License-Identifier: MIT */
/*
 * ending.c - computes a thread's state at the end of its stream, and its totals, from its last
 * block.
 *
 * A worker's stack is cleared without a record when it enters another team: runtimes report the
 * end of its implicit task late or never. So older stack entries are ignored, and so is an
 * implicit task at the bottom.
 */
#include "trace/trace_private.h"

/* A thread's stack depth and totals, starting from its block's header and updated by each record.
 */
struct standing {
	uint64_t n_other_ids;
	uint64_t region_ticks, since_tick;
	uint64_t implicit_task;
	uint64_t last_tick;
	uint32_t n_open_regions;
	uint32_t depth;
	uint32_t cpu;
	bool bottom_is_task; /* else it is an implicit task */
};

static void
start_at_header(struct standing *s, const struct wn_block_header *h, bool has_totals)
{
	*s = (struct standing){.last_tick = h->first_tick, .depth = h->depth, .cpu = h->cpu};
	if (!has_totals)
		return;
	s->n_other_ids = h->n_other_ids;
	s->region_ticks = h->region_ticks;
	s->since_tick = h->first_tick;
	s->implicit_task = h->implicit_task;
	s->n_open_regions = h->n_open_regions;
	s->bottom_is_task = h->depth == 1 && h->current_task != h->implicit_task;
}

static void
push(struct standing *s, bool is_task)
{
	if (s->depth++ == 0)
		s->bottom_is_task = is_task;
}

static void
pop(struct standing *s)
{
	if (s->depth > 0)
		s->depth--;
}

static void
leave_region(struct standing *s, uint64_t tick)
{
	if (s->n_open_regions > 0 && --s->n_open_regions == 0 && tick > s->since_tick)
		s->region_ticks += tick - s->since_tick;
}

/* Returns to the implicit task, or to a task above it. */
static void
switch_to(struct standing *s, uint64_t task)
{
	bool is_implicit = task == s->implicit_task;
	s->depth = is_implicit ? 1 : 2;
	s->bottom_is_task = false;
}

static void
take(struct standing *s, const struct wn_trace *trace, const struct wn_cursor *c,
     const struct wn_event *event)
{
	s->last_tick = event->tick;
	switch ((int)event->code) {
	case WN_EV_CPU:
		s->cpu = event->v[0] < UINT32_MAX ? (uint32_t)event->v[0] : UINT32_MAX;
		break;
	case WN_EV_REGION_BEGIN:
		if (s->n_open_regions++ == 0)
			s->since_tick = event->tick;
		break;
	case WN_EV_REGION_END:
		leave_region(s, event->tick);
		break;
	case WN_EV_IMPLICIT_BEGIN:
		if (s->n_open_regions == 0)
			s->depth = 0;
		push(s, false);
		s->implicit_task = (uint64_t)c->thread << 32 | (uint32_t)c->n_ids;
		s->n_other_ids++;
		break;
	case WN_EV_TASK_CREATE:
		s->n_other_ids += (wn_trace_site(trace, event->site).aux & WN_TASK_WAITPOINT) != 0;
		break;
	case WN_EV_TASK_BEGIN_OWN:
	case WN_EV_TASK_BEGIN:
		push(s, true);
		break;
	case WN_EV_IMPLICIT_END:
	case WN_EV_TASK_END:
	case WN_EV_TASK_SUSPEND:
		pop(s);
		break;
	case WN_EV_TASK_SWITCH:
		switch_to(s, event->v[1] << 32 | event->v[2]);
		break;
	default:
		break;
	}
}

static void
add_unfinished(struct wn_ending *ending, const struct standing *s, uint64_t n_ids)
{
	uint64_t n_other = s->n_other_ids < n_ids ? s->n_other_ids : n_ids;
	ending->n_grains += n_ids - n_other;
	ending->region_ticks += s->region_ticks;
	if (s->n_open_regions > 0 && s->last_tick > s->since_tick)
		ending->region_ticks += s->last_tick - s->since_tick;
	if (s->n_open_regions > 0)
		ending->n_threads_in_region++;
	else if (s->depth > 1 || (s->depth == 1 && s->bottom_is_task))
		ending->n_threads_in_task++;
}

int
ending_read(struct wn_cursor *c, const struct wn_block_header *h, struct wn_ending *ending)
{
	struct standing s;
	struct wn_event event;
	int more;
	start_at_header(&s, h, c->trace->header.version_minor >= WN_TRACE_MINOR_TOTALS);
	while ((more = wn_cursor_next(c, &event)) > 0)
		take(&s, c->trace, c, &event);
	add_unfinished(ending, &s, c->n_ids);
	if (s.cpu < WN_ENDING_CPUS)
		ending->cpus[s.cpu / 64] |= (uint64_t)1 << s.cpu % 64;
	return more;
}

const struct wn_ending *
wn_trace_ending(const struct wn_trace *trace)
{
	return &trace->ending;
}
