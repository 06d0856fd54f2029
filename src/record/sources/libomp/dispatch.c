/* SPDX-License-Identifier: MIT */
/*
 * dispatch.c - loops whose chunks are dispatched by calls: dynamic, guided, runtime, ordered.
 *
 *   init    LOOP_BEGIN
 *   next    CHUNK_END of the chunk before, at entry; CHUNK_BEGIN of the next one, at return,
 *           or WORK_END when there is none
 *
 * So the dispatch time is between the chunks, on every version of libomp. OMPT has no event for the
 * end of a chunk, and libomp 14 sends no chunk events.
 */
#include "record/sources/libomp/libomp.h"

static void
dispatch_begin(struct wn_thread *t, const struct kmp_ident *loc, const void *site, int32_t sched,
               int64_t lower, int64_t upper, int64_t step, int64_t chunk, bool is_unsigned)
{
	uint64_t tick = wn_clock();
	struct loop_schedule s = wn_libomp_schedule(loc, sched, work_type_of(t), chunk);

	loop_close(t, tick);
	t->loop = (struct wn_loop_state){.lower = lower, .step = step ? step : 1, .is_open = true};
	wn_ev_loop_begin(
	    t, tick, user_code_or_null(site), s.kind | (is_unsigned ? WN_LOOP_UNSIGNED : 0u),
	    trip_count(lower, upper, t->loop.step, is_unsigned), lower, t->loop.step, s.chunk);
}

static inline struct wn_thread *
enter_init(const void *caller)
{
	struct wn_thread *t = recorded_thread();

	if (t) {
		wn_ompt_call_site = caller;
		t->source_flags |= FLAG_IN_LOOP_CALL;
		work_type_set(t, 0);
	}
	return t;
}

/* The thread, if the loop of this dispatch call was begun here. */
static inline struct wn_thread *
enter_next(const void *caller)
{
	struct wn_thread *t = recorded_thread();

	if (!t || !t->loop.is_open || (t->source_flags & FLAG_LOOP_BY_OMPT))
		return NULL;
	if (t->loop.chunk_open)
		wn_ev_chunk_end(t, wn_clock());
	t->loop.chunk_open = false;
	wn_ompt_call_site = caller;
	t->source_flags |= FLAG_IN_LOOP_CALL;
	return t;
}

static inline void
leave_next(struct wn_thread *t, bool has_chunk, int64_t lower, int64_t upper, bool is_unsigned)
{
	uint64_t tick = wn_clock();

	t->source_flags &= ~(uint32_t)FLAG_IN_LOOP_CALL;
	if (!has_chunk) {
		loop_close(t, tick);
		return;
	}
	wn_ev_chunk_begin(t, tick, logical_index(t->loop.lower, lower, t->loop.step),
	                  trip_count(lower, upper, t->loop.step, is_unsigned));
	t->loop.chunk_open = true;
}

#define WN_DISPATCH(suffix, type, step_type, is_unsigned)                                          \
	WN_EXPORT void __kmpc_dispatch_init_##suffix(struct kmp_ident *loc, int32_t gtid,          \
	                                             int32_t sched, type lower, type upper,        \
	                                             step_type step, step_type chunk);             \
	WN_EXPORT int32_t __kmpc_dispatch_next_##suffix(struct kmp_ident *loc, int32_t gtid,       \
	                                                int32_t *is_last, type *lower,             \
	                                                type *upper, step_type *step);             \
	WN_REAL(void, __kmpc_dispatch_init_##suffix, struct kmp_ident *, int32_t, int32_t, type,   \
	        type, step_type, step_type)                                                        \
	WN_REAL(int32_t, __kmpc_dispatch_next_##suffix, struct kmp_ident *, int32_t, int32_t *,    \
	        type *, type *, step_type *)                                                       \
	void __kmpc_dispatch_init_##suffix(struct kmp_ident *loc, int32_t gtid, int32_t sched,     \
	                                   type lower, type upper, step_type step,                 \
	                                   step_type chunk)                                        \
	{                                                                                          \
		struct wn_thread *t = enter_init(__builtin_return_address(0));                     \
		__kmpc_dispatch_init_##suffix##_function real =                                    \
		    __kmpc_dispatch_init_##suffix##_real(loc);                                     \
		if (!t) {                                                                          \
			real(loc, gtid, sched, lower, upper, step, chunk);                         \
			return;                                                                    \
		}                                                                                  \
		real(loc, gtid, sched, lower, upper, step, chunk);                                 \
		t->source_flags &= ~(uint32_t)FLAG_IN_LOOP_CALL;                                   \
		dispatch_begin(t, loc, __builtin_return_address(0), sched, (int64_t)lower,         \
		               (int64_t)upper, (int64_t)step, (int64_t)chunk, is_unsigned);        \
	}                                                                                          \
	int32_t __kmpc_dispatch_next_##suffix(struct kmp_ident *loc, int32_t gtid,                 \
	                                      int32_t *is_last, type *lower, type *upper,          \
	                                      step_type *step)                                     \
	{                                                                                          \
		struct wn_thread *t = enter_next(__builtin_return_address(0));                     \
		__kmpc_dispatch_next_##suffix##_function real =                                    \
		    __kmpc_dispatch_next_##suffix##_real(loc);                                     \
		if (!t)                                                                            \
			return real(loc, gtid, is_last, lower, upper, step);                       \
		int32_t more = real(loc, gtid, is_last, lower, upper, step);                       \
		leave_next(t, more != 0, (int64_t)*lower, (int64_t)*upper, is_unsigned);           \
		return more;                                                                       \
	}

WN_DISPATCH(4, int32_t, int32_t, false)
WN_DISPATCH(4u, uint32_t, int32_t, true)
WN_DISPATCH(8, int64_t, int64_t, false)
WN_DISPATCH(8u, uint64_t, int64_t, true)
