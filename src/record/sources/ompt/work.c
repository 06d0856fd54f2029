/* SPDX-License-Identifier: MIT */
/*
 * work.c - worksharing from OMPT events: single, sections, distribute, and loops without wrapper.
 *
 * Inside a wrapped loop call these callbacks only supply the schedule actually used. For other
 * loops they are the only data: chunks without the user's bounds and without gaps, because OMPT
 * reports when a chunk begins but not when it ends; libomp 14 reports no chunks.
 */
#include "record/control/control.h"
#include "record/sources/ompt/callbacks.h"
#include "record/sources/ompt/grain.h"

#include <stdatomic.h>

static uint32_t
work_kind(ompt_work_t type)
{
	switch ((unsigned)type) {
	case WN_OMPT_WORK_LOOP_STATIC:
		return WN_WORK_LOOP_STATIC;
	case WN_OMPT_WORK_LOOP_DYNAMIC:
		return WN_WORK_LOOP_DYNAMIC;
	case WN_OMPT_WORK_LOOP_GUIDED:
		return WN_WORK_LOOP_GUIDED;
	case WN_OMPT_WORK_SECTIONS:
		return WN_WORK_SECTIONS;
	case WN_OMPT_WORK_SINGLE_EXECUTOR:
		return WN_WORK_SINGLE_EXECUTOR;
	case WN_OMPT_WORK_SINGLE_OTHER:
		return WN_WORK_SINGLE_OTHER;
	case WN_OMPT_WORK_WORKSHARE:
	case WN_OMPT_WORK_WORKDISTRIBUTE:
		return WN_WORK_WORKSHARE;
	case WN_OMPT_WORK_DISTRIBUTE:
		return WN_WORK_DISTRIBUTE;
	case WN_OMPT_WORK_SCOPE:
		return WN_WORK_SCOPE;
	default:
		return WN_WORK_LOOP_OTHER;
	}
}

/* Of an unknown construct, neither begin nor end is recorded: it may be no loop. */
static bool
is_known(ompt_work_t type)
{
	return (unsigned)type - 1 < WN_OMPT_WORK_LOOP_OTHER;
}

static bool
has_chunks(uint32_t kind)
{
	return kind <= WN_WORK_SECTIONS;
}

static void
work_begin(struct wn_thread *t, uint32_t kind, uint64_t count, const void *codeptr)
{
	uint64_t tick = wn_clock();
	if (range_has(&wn_ompt_own_range,
	              codeptr)) { /* distribute, through sources/libomp/static.c */
		codeptr = t->source_ptr[PTR_SUBMIT_SITE];
		t->source_ptr[PTR_SUBMIT_SITE] = NULL;
	}
	const void *function = ompt_grain_function();
	const void *site = function ? (const char *)function + 1 : user_code_or_null(codeptr);

	if (has_chunks(kind)) {
		loop_close(t, tick);
		/* OMPT reports only the first chunk of a static loop to a thread; libomp 14 and 16
		 * do not report that the loop is static */
		t->loop = (struct wn_loop_state){
		    .step = 1,
		    .is_open = true,
		    .is_partial = kind == WN_WORK_LOOP_STATIC || kind == WN_WORK_LOOP_OTHER,
		};
		t->source_flags |= FLAG_LOOP_BY_OMPT;
		if (!(t->source_flags & FLAG_NOTED_DISPATCH)) {
			t->source_flags |= FLAG_NOTED_DISPATCH;
			wn_ev_note(t, site, WN_NOTE_DISPATCH_UNKNOWN, 1);
		}
	}
	wn_ev_work_begin(t, tick, site, kind, count);
	if (kind == WN_WORK_SINGLE_EXECUTOR)
		t->source_flags |= FLAG_SINGLE_OPEN;
}

/* libomp ends an inner loop of `distribute parallel for` under the name of distribute, so an end
 * closes the open construct. */
static void
work_end(struct wn_thread *t)
{
	uint64_t tick = wn_clock();

	if (t->source_flags & FLAG_LOOP_BY_OMPT) {
		loop_close(t, tick);
	} else {
		t->source_flags &= ~(uint32_t)FLAG_SINGLE_OPEN;
		wn_ev_work_end(t, tick);
	}
}

void
ompt_on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
             ompt_data_t *task, uint64_t count, const void *codeptr)
{
	struct wn_thread *t = wn_self;
	(void)parallel;
	(void)task;

	if (!t)
		return;
	if (type == ompt_work_taskloop) {
		if (wn_ompt_grain.reports_creations && !wn_ompt_grain.is_native)
			ompt_grain_taskloop(t, endpoint, count, codeptr);
	} else if (wn_ompt_grain.reports_loops && ompt_grain_has_work(t, type, endpoint)) {
		if (endpoint == ompt_scope_begin) /* libomp reports a chunk before its loop */
			loop_close(t, wn_clock());
	} else if (t->source_flags & FLAG_IN_LOOP_CALL) {
		if (endpoint == ompt_scope_begin)
			work_type_set(t, (uint32_t)type);
	} else if (WN_UNLIKELY(!is_known(type))) {
		ompt_note_unknown(t, codeptr);
	} else if (endpoint == ompt_scope_begin) {
		work_begin(t, work_kind(type), count, codeptr);
	} else {
		work_end(t);
	}
}

/* The runtime's own threads execute such constructs, too. */
void
ompt_on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
               const void *codeptr)
{
	struct wn_thread *t = wn_self;
	(void)task;

	if (!t || !parallel || !parallel->value || (t->source_flags & FLAG_MUTED))
		return;
	if (endpoint == ompt_scope_begin)
		wn_ev_work_begin(t, wn_clock(), user_code_or_null(codeptr), WN_WORK_MASKED, 1);
	else
		wn_ev_work_end(t, wn_clock());
}

/* The previous chunk ends where this one begins: the dispatch time in between is not observed. */
static void
loop_chunk(struct wn_thread *t, const struct wn_ompt_chunk *chunk)
{
	if (!(t->source_flags & FLAG_LOOP_BY_OMPT) || chunk->iterations == 0)
		return;
	uint64_t tick = wn_clock();
	if (t->loop.chunk_open) { /* so every chunk is reported, and commands are not needed */
		wn_ev_chunk_end(t, tick);
		t->loop.is_partial = false;
		t->loop.command = 0;
	}
	if (t->loop.is_partial)
		wn_offer_begin(t);
	wn_ev_chunk_begin(t, tick, chunk->start, chunk->iterations);
	t->loop.chunk_open = true;
	if (t->loop.is_partial)
		wn_offer_end(t, NULL);
}

/* The wrapper, if present, reports the same range again (sources/libomp/ranges.c). */
static void
taskloop_chunk(struct wn_thread *t, const ompt_data_t *task, const struct wn_ompt_chunk *chunk)
{
	int64_t base = atomic_load_explicit(&wn_ompt_taskloop_base, memory_order_relaxed);

	if (!task || task->value != wn_stack_peek(t, 0) || base == TASKLOOP_BASE_MIXED)
		return;
	t->source_word[WORD_RANGED_TASK] = task->value;
	wn_ev_task_range(t, (int64_t)chunk->start - (base > 0 ? base : 0), chunk->iterations);
}

void
ompt_on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                 ompt_data_t instance)
{
	struct wn_thread *t = wn_self;
	(void)parallel;

	if (!t || !instance.ptr)
		return;
	if (kind == (ompt_dispatch_t)WN_OMPT_DISPATCH_SECTION)
		ompt_grain_section(t);
	else if (kind == (ompt_dispatch_t)WN_OMPT_DISPATCH_LOOP_CHUNK)
		loop_chunk(t, instance.ptr);
	else if (kind == (ompt_dispatch_t)WN_OMPT_DISPATCH_TASKLOOP_CHUNK)
		taskloop_chunk(t, task, instance.ptr);
}
