/* SPDX-License-Identifier: MIT */
/* work.c - worksharing constructs, their chunks and sections. An implicit task is in at most one
 * construct, which is stored in the task. */
#include "ompt/events.h"

static int
work_type(uint32_t kind)
{
	static const int types[WN_WORK_KIND_N] = {
	    [WN_WORK_LOOP_STATIC] = WN_OMPT_WORK_LOOP_STATIC,
	    [WN_WORK_LOOP_DYNAMIC] = WN_OMPT_WORK_LOOP_DYNAMIC,
	    [WN_WORK_LOOP_GUIDED] = WN_OMPT_WORK_LOOP_GUIDED,
	    [WN_WORK_LOOP_OTHER] = WN_OMPT_WORK_LOOP_OTHER,
	    [WN_WORK_SECTIONS] = WN_OMPT_WORK_SECTIONS,
	    [WN_WORK_SINGLE_EXECUTOR] = WN_OMPT_WORK_SINGLE_EXECUTOR,
	    [WN_WORK_SINGLE_OTHER] = WN_OMPT_WORK_SINGLE_OTHER,
	    [WN_WORK_WORKSHARE] = WN_OMPT_WORK_WORKSHARE,
	    [WN_WORK_DISTRIBUTE] = WN_OMPT_WORK_DISTRIBUTE,
	    [WN_WORK_MASKED] = PROVIDE_IN_MASKED,
	    [WN_WORK_SCOPE] = WN_OMPT_WORK_SCOPE,
	};
	return types[kind];
}

static int
schedule_of(uint32_t kind)
{
	switch (kind) {
	case WN_WORK_LOOP_STATIC:
		return ext_loop_sched_static;
	case WN_WORK_LOOP_DYNAMIC:
		return ext_loop_sched_dynamic;
	case WN_WORK_LOOP_GUIDED:
		return ext_loop_sched_guided;
	default:
		return ext_loop_sched_other;
	}
}

static int
loop_flags(uint32_t flags)
{
	return (flags & WN_LOOP_UNSIGNED ? 0 : OMPT_GRAIN_LOOP_SIGNED) |
	       (flags & WN_LOOP_RUNTIME ? OMPT_GRAIN_LOOP_RUNTIME : 0) |
	       (flags & WN_LOOP_ORDERED ? OMPT_GRAIN_LOOP_ORDERED : 0) |
	       (flags & WN_LOOP_INLINE ? OMPT_GRAIN_LOOP_INLINE : 0);
}

static void
report_work(struct wn_thread *t, ompt_scope_endpoint_t endpoint)
{
	const struct wn_work *w = &t->task->work;
	if (w->type == PROVIDE_IN_MASKED)
		CALL_TOOL(ompt_callback_masked, ompt_callback_masked_t, endpoint,
		          provide_region_data(t->task), t->task->word, w->codeptr);
	else
		CALL_TOOL(ompt_callback_work, ompt_callback_work_t, (ompt_work_t)w->type, endpoint,
		          provide_region_data(t->task), t->task->word, w->count, w->codeptr);
}

/* One that may contain other constructs. */
static void
report_scope(struct wn_thread *t, ompt_scope_endpoint_t endpoint)
{
	CALL_TOOL(ompt_callback_work, ompt_callback_work_t, (ompt_work_t)WN_OMPT_WORK_SCOPE,
	          endpoint, provide_region_data(t->task), t->task->word, 1, t->task->scope.codeptr);
}

static void
scope_begin(struct wn_thread *t, const void *site)
{
	if (t->task->scope.depth++ > 0)
		return;
	t->task->scope.codeptr = site;
	report_scope(t, ompt_scope_begin);
}

static void
scope_end(struct wn_thread *t)
{
	if (t->task->scope.depth > 0 && --t->task->scope.depth == 0)
		report_scope(t, ompt_scope_end);
}

static void
report_loop(struct wn_thread *t, ompt_scope_endpoint_t endpoint)
{
	const struct wn_work *w = &t->task->work;
	CALL_TOOL(ext_callback_loop, ext_callback_loop_t, (ext_loop_sched_t)w->loop.sched, endpoint,
	          provide_region_data(t->task), t->task->word,
	          (w->loop.flags & OMPT_GRAIN_LOOP_SIGNED) != 0, w->loop.step, w->codeptr);
}

static void
begin(struct wn_thread *t, const void *site, uint32_t kind_and_flags, uint64_t count)
{
	struct wn_work *w = &t->task->work;
	uint32_t kind = kind_and_flags & WN_WORK_KIND_MASK;
	*w = (struct wn_work){.type = work_type(kind), .count = count};
	w->is_loop = kind <= WN_WORK_LOOP_OTHER;
	/* the site of a combined construct is the outlined function; a tool gets the call's return
	 * address */
	const char *outlined = t->source_ptr[0]; /* GOMP_FN */
	bool is_combined = outlined && site == outlined + 1 && t->task->region;
	t->function = is_combined ? outlined : NULL;
	w->codeptr = is_combined ? t->task->region->codeptr : site;
	w->loop.iterations = count;
	w->loop.upper = (int64_t)(count - 1);
	w->loop.sched = schedule_of(kind);
	w->loop.flags = loop_flags(kind_and_flags);
}

static void
report_begin(struct wn_thread *t)
{
	report_work(t, ompt_scope_begin);
	if (!t->task->work.is_loop)
		return;
	report_loop(t, ompt_scope_begin);
	t->task->work.entry = provide_time(ext_callback_chunk, 0);
}

void
wn_ev_work_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t kind_and_flags,
                 uint64_t count)
{
	(void)tick;
	if (t->n_lost || !t->task)
		return;
	if ((kind_and_flags & WN_WORK_KIND_MASK) == WN_WORK_SCOPE) {
		scope_begin(t, site);
		return;
	}
	begin(t, site, kind_and_flags, count);
	report_begin(t);
}

void
wn_ev_loop_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t kind_and_flags,
                 uint64_t trip_count, int64_t lower, int64_t step, uint64_t chunk)
{
	(void)tick;
	if (t->n_lost || !t->task)
		return;
	begin(t, site, kind_and_flags, trip_count);
	ompt_grain_loop_t *loop = &t->task->work.loop;
	loop->lower = lower;
	loop->step = step;
	loop->upper = (int64_t)((uint64_t)lower + (trip_count - 1) * (uint64_t)step);
	loop->chunk_size = chunk;
	report_begin(t);
}

void
wn_ev_counted_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t kind_and_flags,
                    uint64_t trip_count, uint64_t chunk)
{
	(void)tick;
	if (t->n_lost || !t->task)
		return;
	begin(t, site, kind_and_flags, trip_count);
	t->task->work.loop.chunk_size = chunk;
	report_begin(t);
}

void
wn_ev_work_end(struct wn_thread *t, uint64_t tick)
{
	(void)tick;
	if (t->n_lost || !t->task)
		return;
	if (!t->task->work.type) {
		scope_end(t);
		return;
	}
	if (t->task->work.is_loop)
		report_loop(t, ompt_scope_end);
	report_work(t, ompt_scope_end);
	t->task->work.type = 0;
}

wn_id
wn_ev_chunk_begin(struct wn_thread *t, uint64_t tick, uint64_t first, uint64_t iterations)
{
	struct wn_ompt_chunk chunk = {first, iterations};
	struct wn_task *task = t->task;
	(void)tick;
	if (t->n_lost || !task)
		return 0;
	const ompt_grain_loop_t *loop = &task->work.loop;
	int kind =
	    task->work.is_loop ? WN_OMPT_DISPATCH_LOOP_CHUNK : WN_OMPT_DISPATCH_DISTRIBUTE_CHUNK;
	CALL_TOOL(ompt_callback_dispatch, ompt_callback_dispatch_t, provide_region_data(task),
	          task->word, (ompt_dispatch_t)kind, (ompt_data_t){.ptr = &chunk});
	bool is_counted = task->work.is_loop && loop->iterations > 0;
	if (!is_counted || !provide_callback(ext_callback_chunk))
		return 0;
	uint64_t step = loop->step ? (uint64_t)loop->step : 1;
	uint64_t lower = (uint64_t)loop->lower + first * step;
	double cost = loop->flags & OMPT_GRAIN_LOOP_INLINE
	                  ? 0
	                  : provide_time(ext_callback_chunk, 0) - task->work.entry;
	CALL_TOOL(ext_callback_chunk, ext_callback_chunk_t, task->word, (int64_t)lower,
	          (int64_t)(lower + (iterations - 1) * step), cost,
	          first + iterations == loop->iterations);
	return 0;
}

/* A share of a static loop that is computed in line: each chunk's bounds are known, but not its
 * times. */
void
wn_ev_static_begin(struct wn_thread *t, uint64_t tick, uint64_t first, uint64_t n_chunks,
                   uint64_t chunk, uint64_t stride, uint64_t last)
{
	if (t->n_lost || !t->task || !t->task->work.is_loop ||
	    !provide_callback(ext_callback_chunk))
		return;
	t->task->work.loop.flags |= OMPT_GRAIN_LOOP_DERIVED;
	for (uint64_t i = 0; i < n_chunks; i++)
		wn_ev_chunk_begin(t, tick, first + i * stride, i + 1 < n_chunks ? chunk : last);
}

/* The thread requests the next one. */
void
wn_ev_chunk_end(struct wn_thread *t, uint64_t tick)
{
	(void)tick;
	if (!t->n_lost && t->task && t->task->work.is_loop)
		t->task->work.entry = provide_time(ext_callback_chunk, 0);
}

/* libgomp returns a section's number; the section's code follows the call. */
wn_id
wn_ev_section_begin(struct wn_thread *t, uint64_t tick, uint64_t number)
{
	(void)tick;
	if (t->n_lost)
		return 0;
	t->task->work.has_section = true;
	t->task->work.section = number;
	CALL_TOOL(ompt_callback_dispatch, ompt_callback_dispatch_t, provide_region_data(t->task),
	          t->task->word, ompt_dispatch_section,
	          (ompt_data_t){.value = (uint64_t)(uintptr_t)t->codeptr});
	return 0;
}
