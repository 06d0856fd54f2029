/* SPDX-License-Identifier: MIT */
/*
 * static.c - loops and sections whose share the compiled code computes from one call.
 *
 * The call turns the loop's bounds into the thread's first chunk and the stride to its next one.
 * From then to the call of fini the thread makes no calls: its chunks are known but their times are
 * not, so the whole share is one record.
 */
#include "record/control/control.h"
#include "record/sources/libomp/libomp.h"

struct static_loop {
	const struct kmp_ident *loc;
	const void *site;
	int32_t sched;
	bool is_sections;
	bool is_unsigned;
	bool is_named; /* the compiler passes the construct's kind; flang does not */
	int64_t lower; /* of the whole loop */
	int64_t upper;
	int64_t step;
	int64_t chunk;
	int64_t own_lower; /* of the thread's first chunk */
	int64_t own_upper;
	int64_t own_stride; /* between its chunks */
	uint64_t entered;   /* the call, by the clock; 0: it returned at once */
};

struct static_share {
	uint64_t first;
	uint64_t n_chunks; /* 0 = nothing to do */
	uint64_t chunk;
	uint64_t stride;
	uint64_t last; /* iterations of the last chunk */
};

static bool
is_chunked(int32_t sched)
{
	return (sched & ~(int32_t)KMP_SCHED_MODIFIERS) == KMP_SCHED_STATIC_CHUNKED;
}

/* Logical numbers from the bounds before and after the call. */
static struct static_share
share_of(const struct static_loop *loop, uint64_t n_iterations)
{
	struct static_share s = {0, 0, 0, 0, 0};
	uint64_t own = trip_count(loop->own_lower, loop->own_upper, loop->step, loop->is_unsigned);

	s.first = logical_index(loop->lower, loop->own_lower, loop->step);
	if (own == 0 || s.first >= n_iterations)
		return s;
	uint64_t left = n_iterations - s.first;
	s.chunk = own < left ? own : left;
	s.stride = s.chunk;
	s.n_chunks = 1;
	s.last = s.chunk;
	if (!is_chunked(loop->sched) || own >= left)
		return s;
	uint64_t stride = logical_index(0, loop->own_stride, loop->step);
	if (stride < s.chunk)
		return s;
	s.stride = stride;
	s.n_chunks = (left - 1) / stride + 1;
	uint64_t rest = left - (s.n_chunks - 1) * stride;
	s.last = rest < s.chunk ? rest : s.chunk;
	return s;
}

static void
share_begin(struct wn_thread *t, uint64_t tick, const struct static_loop *loop,
            struct static_share s)
{
	if (s.n_chunks == 0)
		return;
	if (loop->is_sections) {
		s = (struct static_share){s.first, s.chunk, 1, 1, 1};
	} else if (s.n_chunks > WN_STATIC_CHUNKS_MAX) {
		uint64_t n_iterations = (s.n_chunks - 1) * s.chunk + s.last;
		wn_ev_note(t, loop->site, WN_NOTE_STATIC_MERGED, s.n_chunks);
		s = (struct static_share){s.first, 1, n_iterations, n_iterations, n_iterations};
	}
	bool is_offer = s.n_chunks > 1 && !loop->is_sections;
	if (is_offer)
		wn_offer_begin(t);
	wn_ev_static_begin(t, tick, s.first, (uint32_t)s.n_chunks, s.chunk, s.stride, s.last);
	t->loop.chunk_open = true;
	if (is_offer)
		wn_offer_end(
		    t, &(struct wn_command_share){s.first, s.n_chunks, s.chunk, s.stride, s.last});
}

struct user_bounds {
	int64_t lower, step;
	bool is_unsigned;
};

/* clang counts loops from 0 by 1. The user's bounds are known only from the plug-in; of a league's
 * loop, a team has only a part. */
static struct user_bounds
bounds_of(const struct static_loop *loop, const struct wn_loop_state *plugin)
{
	if (!plugin->has_bounds || loop->step != 1)
		return (struct user_bounds){loop->lower, loop->step, loop->is_unsigned};
	uint64_t lower = (uint64_t)plugin->lower + (uint64_t)loop->lower * (uint64_t)plugin->step;
	return (struct user_bounds){(int64_t)lower, plugin->step, plugin->is_unsigned};
}

static void
static_begin(struct wn_thread *t, struct static_loop *loop)
{
	uint64_t tick = wn_clock(), entered = loop->entered ? loop->entered : tick;
	struct loop_schedule s = wn_libomp_schedule(loop->loc, loop->sched, 0, loop->chunk);
	uint32_t kind = s.kind | WN_LOOP_INLINE;
	struct wn_loop_state plugin = t->loop; /* from a plug-in (plugin/static.c) */

	loop->step = loop->step ? loop->step : 1;
	loop->site = user_code_or_null(loop->site);
	uint64_t n_iterations = trip_count(loop->lower, loop->upper, loop->step, loop->is_unsigned);
	loop_close(t, entered);
	t->loop = (struct wn_loop_state){.lower = loop->lower, .step = loop->step, .is_open = true};
	t->loop.reports_chunks = plugin.reports_chunks && !loop->is_sections;
	struct user_bounds user = bounds_of(loop, &plugin);
	kind |= user.is_unsigned ? (uint32_t)WN_LOOP_UNSIGNED : 0u;
	if (loop->is_sections)
		wn_ev_work_begin(t, entered, loop->site, WN_WORK_SECTIONS, n_iterations);
	else if (!loop->is_named)
		wn_ev_work_begin(t, entered, loop->site, kind, n_iterations);
	else
		wn_ev_loop_begin(t, entered, loop->site, kind, n_iterations, user.lower, user.step,
		                 s.chunk);
	if (!t->loop.reports_chunks)
		share_begin(t, tick, loop, share_of(loop, n_iterations));
}

/* distribute divides a league's iterations; OMPT's work callback records it (sources/ompt/work.c),
 * with the call site stored here. */
static inline struct wn_thread *
enter_init(const struct kmp_ident *loc, int32_t sched, const void *caller)
{
	struct wn_thread *t = recorded_thread();
	int32_t plain = sched & ~(int32_t)KMP_SCHED_MODIFIERS;

	if (!t)
		return NULL;
	if (plain == KMP_SCHED_DISTRIBUTE || plain == KMP_SCHED_DISTRIBUTE_CHUNKED ||
	    (loc && (loc->flags & KMP_IDENT_WORK_DISTRIBUTE))) {
		t->source_ptr[PTR_SUBMIT_SITE] = (void *)(uintptr_t)caller;
		return NULL;
	}
	wn_ompt_call_site = caller;
	t->source_flags |= FLAG_IN_LOOP_CALL;
	return t;
}

/* With a tool, libomp warns on stderr if the compiler did not pass the construct's kind, so the
 * wrapper passes it. flang's loops count from 0 by 1, so that the bounds are not the user's, and
 * its sections look like loops. */
static inline struct kmp_ident *
named_ident(struct kmp_ident *loc)
{
	static struct kmp_ident unnamed = {
	    .flags = KMP_IDENT_KMPC | KMP_IDENT_WORK_LOOP,
	    .psource = ";unknown;unknown;0;0;;",
	};
	return wn_ompt_is_on && loc && !(loc->flags & KMP_IDENT_WORK) ? &unnamed : loc;
}

#define WN_STATIC(suffix, type, step_type, unsignedness)                                           \
	WN_EXPORT void __kmpc_for_static_init_##suffix(                                            \
	    struct kmp_ident *loc, int32_t gtid, int32_t sched, int32_t *is_last, type *lower,     \
	    type *upper, step_type *stride, step_type step, step_type chunk);                      \
	WN_REAL(void, __kmpc_for_static_init_##suffix, struct kmp_ident *, int32_t, int32_t,       \
	        int32_t *, type *, type *, step_type *, step_type, step_type)                      \
	void __kmpc_for_static_init_##suffix(struct kmp_ident *loc, int32_t gtid, int32_t sched,   \
	                                     int32_t *is_last, type *lower, type *upper,           \
	                                     step_type *stride, step_type step, step_type chunk)   \
	{                                                                                          \
		struct wn_thread *t = enter_init(loc, sched, __builtin_return_address(0));         \
		struct static_loop loop = {                                                        \
		    .loc = loc,                                                                    \
		    .site = __builtin_return_address(0),                                           \
		    .is_named = !loc || (loc->flags & KMP_IDENT_WORK),                             \
		    .sched = sched,                                                                \
		    .is_sections = loc && (loc->flags & KMP_IDENT_WORK_SECTIONS),                  \
		    .is_unsigned = unsignedness,                                                   \
		    .lower = (int64_t)*lower,                                                      \
		    .upper = (int64_t)*upper,                                                      \
		    .step = (int64_t)step,                                                         \
		    .chunk = (int64_t)chunk,                                                       \
		    .entered = wn_ompt_has_assertions ? wn_clock() : 0,                            \
		};                                                                                 \
		__kmpc_for_static_init_##suffix##_function real =                                  \
		    __kmpc_for_static_init_##suffix##_real(loc);                                   \
		if (!t) {                                                                          \
			real(named_ident(loc), gtid, sched, is_last, lower, upper, stride, step,   \
			     chunk);                                                               \
			return;                                                                    \
		}                                                                                  \
		real(named_ident(loc), gtid, sched, is_last, lower, upper, stride, step, chunk);   \
		loop.own_lower = (int64_t)*lower;                                                  \
		loop.own_upper = (int64_t)*upper;                                                  \
		loop.own_stride = stride ? (int64_t)*stride : 0;                                   \
		t->source_flags &= ~(uint32_t)FLAG_IN_LOOP_CALL;                                   \
		static_begin(t, &loop);                                                            \
	}

WN_STATIC(4, int32_t, int32_t, false)
WN_STATIC(4u, uint32_t, int32_t, true)
WN_STATIC(8, int64_t, int64_t, false)
WN_STATIC(8u, uint64_t, int64_t, true)

WN_EXPORT void __kmpc_for_static_fini(struct kmp_ident *loc, int32_t gtid);
WN_REAL(void, __kmpc_for_static_fini, struct kmp_ident *, int32_t)

void
__kmpc_for_static_fini(struct kmp_ident *loc, int32_t gtid)
{
	struct wn_thread *t = recorded_thread();

	if (!t || !t->loop.is_open || (t->source_flags & FLAG_LOOP_BY_OMPT)) {
		__kmpc_for_static_fini_real(loc)(named_ident(loc), gtid);
		return;
	}
	loop_close(t, wn_clock());
	wn_ompt_call_site = __builtin_return_address(0);
	t->source_flags |= FLAG_IN_LOOP_CALL;
	__kmpc_for_static_fini_real(loc)(named_ident(loc), gtid);
	t->source_flags &= ~(uint32_t)FLAG_IN_LOOP_CALL;
}
