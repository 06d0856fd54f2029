/* SPDX-License-Identifier: MIT */
/* shares.c - bounds the number of chunks that the records of static shares stand for. One record
 * of some ten bytes creates up to WN_STATIC_IDS_MAX chunks, so the file size does not bound them.
 * The loops and the clock do: a share has no more chunks than its loop has strides, and a thread
 * starts them one after the other. */
#include "base/error.h"
#include "trace/trace_private.h"

/* A chunk takes a comparison and a jump; no processor does more than this many in 1 ns. */
#define CHUNKS_PER_NS 4u

/* State of one thread's stream. */
struct thread_shares {
	uint64_t n_chunks;  /* that its loops can contain */
	uint64_t most_trip; /* iterations of its largest loop so far; UINT64_MAX = unknown */
	uint64_t first_tick, last_tick;
};

/* A loop of unknown bounds has 0 iterations; after a gap, a loop of any size may be open. */
static void
add_loop(struct thread_shares *s, uint64_t trip_count)
{
	uint64_t trip = trip_count ? trip_count : UINT64_MAX;
	s->most_trip = trip > s->most_trip ? trip : s->most_trip;
}

static void
add_share(struct thread_shares *s, const struct wn_event *event)
{
	uint64_t stride = event->v[3] ? event->v[3] : 1;
	uint64_t most = s->most_trip ? (s->most_trip - 1) / stride + 1 : 0;
	s->n_chunks += event->v[1] < most ? event->v[1] : most;
}

static int
read_thread(struct wn_trace *t, uint32_t thread, struct thread_shares *s)
{
	struct wn_cursor c;
	struct wn_event event;
	int more;
	wn_cursor_init(&c, t, thread);
	c.is_counting = true;
	s->first_tick = UINT64_MAX;
	while ((more = wn_cursor_next(&c, &event)) > 0) {
		if (event.code == WN_EV_LOOP_BEGIN || event.code == WN_EV_WORK_BEGIN)
			add_loop(s, event.v[0]);
		else if (event.code == WN_EV_GAP)
			add_loop(s, 0);
		else if (event.code == WN_EV_STATIC_BEGIN)
			add_share(s, &event);
		s->first_tick = event.tick < s->first_tick ? event.tick : s->first_tick;
		s->last_tick = event.tick > s->last_tick ? event.tick : s->last_tick;
	}
	return more;
}

wn_status
wn_trace_count_shares(struct wn_trace *t, uint64_t *n_chunks, wn_err *err)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < t->n_threads; i++) {
		struct thread_shares s = {0};
		struct wn_damage saved = t->damage;
		int more = read_thread(t, i, &s);
		t->damage = saved;
		if (more < 0)
			return wn_no_memory(err);
		if (s.n_chunks == 0)
			continue;
		uint64_t ns = wn_trace_ns(t, s.last_tick) - wn_trace_ns(t, s.first_tick);
		uint64_t most = ns < UINT64_MAX / CHUNKS_PER_NS ? ns * CHUNKS_PER_NS : UINT64_MAX;
		n += s.n_chunks < most ? s.n_chunks : most;
	}
	*n_chunks = n;
	return WN_OK;
}
