/* SPDX-License-Identifier: MIT */
/* work.h - open constructs of an implicit task: loop, sections, single, scope. A thread is in at
 * most one worksharing construct per implicit task, so the state is in wn_thread; a nested region
 * saves it. Constructs whose end libgomp does not report end at the next event that implies it. */
#pragma once

#include "record/sources/libgomp/real.h"

/* A loop as the user wrote it, except that collapsed loops are one loop from 0. Bounds are bit
 * patterns: signed and unsigned loops do the same arithmetic modulo 2^64. */
struct gomp_loop {
	uint64_t begin, end, step;
	uint64_t chunk; /* 0 = not given */
	bool is_down;
	uint32_t kind; /* enum wn_work_kind | WN_LOOP_* */
};

/* State saved by a nested region. */
struct gomp_saved {
	struct wn_loop_state loop;
	struct wn_reported_ends ends;
	uint32_t open;
	uint64_t step_mag;
	uint64_t chunk_next; /* chunks are recorded relative to the loop's last one */
	uint64_t region, league;
	void *fn;
};

/* Records a cancellation. `what`: WN_CANCEL_PARALLEL or another code of that kind. */
static inline void
gomp_cancel_seen(struct wn_thread *t, const void *site, uint32_t what, bool is_cancelled)
{
	if (__builtin_expect(is_cancelled, 0) && gomp_is_same(t))
		wn_ev_cancel(t, wn_clock(), site, what | WN_CANCEL_DETECTED);
}

static inline struct gomp_saved
gomp_work_save(struct wn_thread *t)
{
	return (struct gomp_saved){t->loop,       t->ends,        t->source_flags, GOMP_STEP_MAG(t),
	                           t->chunk_next, GOMP_REGION(t), GOMP_LEAGUE(t),  GOMP_FN(t)};
}

static inline void
gomp_work_restore(struct wn_thread *t, const struct gomp_saved *saved)
{
	t->loop = saved->loop;
	t->ends = saved->ends;
	t->source_flags = saved->open;
	GOMP_STEP_MAG(t) = saved->step_mag;
	t->chunk_next = saved->chunk_next;
	GOMP_REGION(t) = saved->region;
	GOMP_LEAGUE(t) = saved->league;
	GOMP_FN(t) = saved->fn;
}

static inline void
gomp_work_clear(struct wn_thread *t)
{
	t->loop.is_open = false;
	t->loop.chunk_open = false;
	t->loop.reports_chunks = false;
	t->source_flags = 0;
}

/* An implicit task begins. */
static inline void
gomp_work_start(struct wn_thread *t)
{
	gomp_work_clear(t);
	t->ends = (struct wn_reported_ends){0};
}

/* Ends all open constructs of the implicit task, except scopes that report their end: those contain
 * other constructs. */
static inline void
gomp_work_close(struct wn_thread *t, uint64_t tick)
{
	bool has_chunk = t->loop.chunk_open || (t->source_flags & GOMP_OPEN_SECTION);
	const uint32_t inline_reported = GOMP_LOOP_INLINE | GOMP_LOOP_REPORTED;
	bool is_unreported = !WN_REPORTS_UNKNOWN_LOOPS &&
	                     (t->source_flags & inline_reported) == (uint32_t)GOMP_LOOP_INLINE;
	const uint32_t any =
	    GOMP_OPEN_SINGLE | GOMP_OPEN_SECTIONS | GOMP_OPEN_SCOPE | GOMP_OPEN_MASKED;
	if (has_chunk)
		wn_ev_chunk_end(t, tick);
	if ((t->loop.is_open && !is_unreported) || (t->source_flags & any))
		wn_ev_work_end(t, tick);
	gomp_work_clear(t);
}

/* The same at the end of the implicit task, with all scopes. */
static inline void
gomp_work_leave(struct wn_thread *t, uint64_t tick)
{
	gomp_work_close(t, tick);
	for (; t->ends.n_scopes > 0; t->ends.n_scopes--)
		wn_ev_work_end(t, tick);
}

static inline void
gomp_work_wait(struct wn_thread *t, const void *site)
{
	uint64_t tick = wn_clock();
	gomp_work_close(t, tick);
	wn_ev_sync_begin(t, tick, site, WN_SYNC_BARRIER_IMPLICIT);
}

/* The three ends of a loop or of sections: at a barrier, which may be cancelled, or without one. */
#define GOMP_WORK_ENDS(construct)                                                                  \
	GOMP_ENTRY(void, GOMP_##construct##_end, void)                                             \
	{                                                                                          \
		GOMP_ENTER(GOMP_##construct##_end);                                                \
		if (t)                                                                             \
			gomp_work_wait(t, site);                                                   \
		real();                                                                            \
		if (gomp_is_same(t))                                                               \
			gomp_sync_end(t);                                                          \
	}                                                                                          \
	GOMP_ENTRY(bool, GOMP_##construct##_end_cancel, void)                                      \
	{                                                                                          \
		GOMP_ENTER(GOMP_##construct##_end_cancel);                                         \
		if (t)                                                                             \
			gomp_work_wait(t, site);                                                   \
		bool is_cancelled = real();                                                        \
		if (gomp_is_same(t))                                                               \
			gomp_sync_end(t);                                                          \
		gomp_cancel_seen(t, site, WN_CANCEL_PARALLEL, is_cancelled);                       \
		return is_cancelled;                                                               \
	}                                                                                          \
	GOMP_ENTRY(void, GOMP_##construct##_end_nowait, void)                                      \
	{                                                                                          \
		GOMP_ENTER(GOMP_##construct##_end_nowait);                                         \
		if (t)                                                                             \
			gomp_work_close(t, wn_clock());                                            \
		real();                                                                            \
	}

/* Iterations that fit a span of values in steps of `mag`. */
static inline uint64_t
gomp_trip_count(uint64_t span, uint64_t mag)
{
	if (span == 0)
		return 0;
	return mag == 1 ? span : (span - 1) / (mag ? mag : 1) + 1;
}

/* Iterations of a loop over [begin, end) by `step`, all modulo 2^64. */
static inline uint64_t
gomp_iterations(uint64_t begin, uint64_t end, uint64_t step, bool is_down, bool is_unsigned)
{
	uint64_t low = is_down ? end : begin, high = is_down ? begin : end;
	bool is_empty = is_unsigned ? low >= high : (int64_t)low >= (int64_t)high;
	return is_empty ? 0 : gomp_trip_count(high - low, is_down ? 0 - step : step);
}

void gomp_loop_begin(struct wn_thread *t, uint64_t tick, const void *site,
                     const struct gomp_loop *loop);
void gomp_sections_begin(struct wn_thread *t, uint64_t tick, const void *site, unsigned n_sections);

/* The current schedule of schedule(runtime): sets kind and chunk of `loop`. */
void gomp_loop_query_schedule(const struct gomp_module *m, struct gomp_loop *loop);

/* Decodes a schedule of GOMP_loop_start. */
uint32_t gomp_loop_kind_of(long schedule);

static inline struct gomp_loop
gomp_loop_signed(uint32_t kind, long begin, long end, long step, long chunk)
{
	return (struct gomp_loop){(uint64_t)begin, (uint64_t)end,
	                          (uint64_t)step,  chunk > 0 ? (uint64_t)chunk : 0,
	                          step < 0,        kind};
}
