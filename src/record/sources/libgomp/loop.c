/* SPDX-License-Identifier: MIT */
/*
 * loop.c - loops whose variable fits a long, and code shared by all loops: begin, chunks, end.
 * loop_ull.c has the other loops.
 *
 * Static loops are not observed here, because GCC compiles them to arithmetic.
 */
#include "record/sources/libgomp/loop.h"
#include "record/sources/libgomp/event.h"
#include "record/sources/libgomp/work.h"

enum {
	SCHEDULE_RUNTIME = 0,
	SCHEDULE_STATIC = 1,
	SCHEDULE_DYNAMIC = 2,
	SCHEDULE_GUIDED = 3,
	SCHEDULE_AUTO = 4
};

uint32_t
gomp_loop_kind_of(long schedule)
{
	switch (schedule & 0x7fffffff) { /* the top bit means "monotonic" */
	case SCHEDULE_RUNTIME:
		return WN_LOOP_RUNTIME;
	case SCHEDULE_STATIC:
		return WN_WORK_LOOP_STATIC;
	case SCHEDULE_DYNAMIC:
		return WN_WORK_LOOP_DYNAMIC;
	case SCHEDULE_GUIDED:
		return WN_WORK_LOOP_GUIDED;
	default:
		return WN_WORK_LOOP_OTHER;
	}
}

void
gomp_loop_query_schedule(const struct gomp_module *m, struct gomp_loop *loop)
{
	int kind = 0, chunk = 0;
	m->get_schedule(&kind, &chunk); /* omp_sched_t uses the same codes as GOMP_loop_start */
	loop->kind |= WN_LOOP_RUNTIME | gomp_loop_kind_of(kind);
	/* with auto, a leftover of the previous schedule */
	bool has_chunk = chunk > 0 && (kind & 0x7fffffff) != SCHEDULE_AUTO;
	loop->chunk = has_chunk ? (uint64_t)chunk : 0;
}

void
gomp_loop_begin(struct wn_thread *t, uint64_t tick, const void *site, const struct gomp_loop *loop)
{
	bool is_unsigned = loop->kind & WN_LOOP_UNSIGNED;
	uint64_t mag = loop->is_down ? 0 - loop->step : loop->step;
	gomp_work_close(t, tick);
	bool is_unknown = loop->kind & WN_LOOP_INLINE; /* the given bounds are not the loop's */
	if (is_unknown && WN_REPORTS_UNKNOWN_LOOPS)
		wn_ev_work_begin(t, tick, site, loop->kind, 0);
	if (!is_unknown)
		wn_ev_loop_begin(
		    t, tick, site, loop->kind,
		    gomp_iterations(loop->begin, loop->end, loop->step, loop->is_down, is_unsigned),
		    (int64_t)loop->begin, (int64_t)loop->step, loop->chunk);
	t->loop = (struct wn_loop_state){
	    .lower = (int64_t)loop->begin, .step = (int64_t)loop->step, .is_open = true};
	t->source_flags = loop->is_down ? GOMP_LOOP_DOWN : 0;
	if (loop->kind & WN_LOOP_INLINE)
		t->source_flags |= GOMP_LOOP_INLINE;
	GOMP_STEP_MAG(t) = mag ? mag : 1;
}

/* Logical iterations of the chunk [begin, end) dispatched to the thread. */
void
gomp_chunk_begin(struct wn_thread *t, uint64_t begin, uint64_t end)
{
	if (!gomp_is_same(t) || !t->loop.is_open)
		return;
	uint64_t mag = GOMP_STEP_MAG(t);
	uint64_t offset = begin - (uint64_t)t->loop.lower;
	uint64_t span = end - begin;
	if (t->source_flags & GOMP_LOOP_DOWN) {
		offset = 0 - offset;
		span = 0 - span;
	}
	uint64_t first = mag == 1 ? offset : offset / mag;
	t->loop.chunk_open = true;
	wn_ev_chunk_begin(t, wn_clock(), first, gomp_trip_count(span, mag));
}

#define LOOP(name) GOMP_loop_##name
#define LOOP_INT   long
#define LOOP_UP
#define LOOP_UP_GIVEN
#define LOOP_OF(kind, is_up, begin, end, step, chunk)                                              \
	gomp_loop_signed(kind, begin, end, step, chunk)
#include "record/sources/libgomp/loop_entries.h"

GOMP_WORK_ENDS(loop)
