/* SPDX-License-Identifier: MIT */
/* replay_off_cpu.c - intervals off the CPU, in the order of time: by thread, and over all threads.
 */
#include "graph/replay_off_cpu.h"

#include "base/error.h"
#include "base/mem.h"
#include "graph/replay.h"

/* The thread's team if it waits; else NULL. */
static const struct team *
waiting_team(const struct replay *r, const struct replay_thread *t)
{
	const struct live *l = live_runs(r, t);
	return l && l->sync_kind ? team_get(r, l->region) : NULL;
}

static uint64_t
team_ready_at(const struct replay *r, const struct replay_thread *t, uint64_t now_ns)
{
	const struct team *team = waiting_team(r, t);
	return team ? team_ready_ns(team, now_ns) : 0;
}

/* --- heap of the threads' next switches --------------------------------------------------------
 */

static bool
is_before(const struct replay *r, uint32_t a, uint32_t b)
{
	uint64_t ta = r->off[a].turn_ns, tb = r->off[b].turn_ns;
	return ta != tb ? ta < tb : a < b;
}

static void
sift_down(struct replay *r, uint32_t at)
{
	uint32_t n = r->g->n_threads;
	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child >= n)
			return;
		if (child + 1 < n && is_before(r, r->off_heap[child + 1], r->off_heap[child]))
			child++;
		if (!is_before(r, r->off_heap[child], r->off_heap[at]))
			return;
		uint32_t swap = r->off_heap[at];
		r->off_heap[at] = r->off_heap[child];
		r->off_heap[child] = swap;
		at = child;
	}
}

/* Only preemptions are sampled. */
static void
find_next_preemption(struct off_cpu *o)
{
	bool has_one;
	do
		has_one = wn_switch_next(&o->ahead, &o->now);
	while (has_one && o->now.kind != WN_SWITCH_PREEMPTED);
	o->turn_ns = has_one ? o->now.begin_ns : UINT64_MAX;
}

static void
turn(struct replay *r, uint32_t thread)
{
	struct off_cpu *o = &r->off[thread];
	uint64_t ready_ns = team_ready_at(r, &r->threads[thread], o->turn_ns);
	if (!o->is_out) {
		o->ready_at_out_ns = ready_ns;
		o->is_out = true;
		o->turn_ns = o->now.end_ns;
		return;
	}
	o->ready_ns += ready_ns > o->ready_at_out_ns ? ready_ns - o->ready_at_out_ns : 0;
	o->is_out = false;
	find_next_preemption(o);
}

void
off_cpu_sample(struct replay *r, uint64_t until_ns)
{
	while (r->off[r->off_heap[0]].turn_ns <= until_ns) {
		turn(r, r->off_heap[0]);
		sift_down(r, 0);
	}
	r->off_turn_ns = r->off[r->off_heap[0]].turn_ns;
}

void
off_cpu_wait_begins(struct replay *r, const struct replay_thread *t)
{
	r->off[t->index].ready_ns = 0;
	r->off[t->index].ready_at_out_ns = t->ready_mark;
}

uint64_t
off_cpu_ready_ns(const struct replay *r, const struct replay_thread *t, uint64_t now_ns)
{
	const struct off_cpu *o = &r->off[t->index];
	uint64_t ready_ns = o->is_out ? team_ready_at(r, t, now_ns) : 0;
	return o->ready_ns + (ready_ns > o->ready_at_out_ns ? ready_ns - o->ready_at_out_ns : 0);
}

/* --- one thread --------------------------------------------------------------------------------
 */

struct off_piece
off_cpu_in(struct replay *r, struct replay_thread *t, uint64_t from_ns, uint64_t to_ns)
{
	struct off_cpu *o = &r->off[t->index];
	struct off_piece piece = {{0}};
	while (o->has_next && o->next.end_ns <= t->last_ns)
		o->has_next = wn_switch_next(&o->here, &o->next);
	t->off_next_ns = o->has_next ? o->next.begin_ns : UINT64_MAX;
	struct wn_switch_cursor ahead = o->here;
	struct wn_switch s = o->next;
	bool has_one = o->has_next;
	while (has_one && s.begin_ns < to_ns) {
		uint64_t begin_ns = s.begin_ns > from_ns ? s.begin_ns : from_ns;
		uint64_t end_ns = s.end_ns < to_ns ? s.end_ns : to_ns;
		if (begin_ns < end_ns)
			piece.ns[s.kind] += end_ns - begin_ns;
		has_one = s.end_ns < to_ns && wn_switch_next(&ahead, &s);
	}
	return piece;
}

wn_status
off_cpu_init(struct replay *r)
{
	uint32_t n = r->g->n_threads;
	r->off_turn_ns = UINT64_MAX;
	for (uint32_t i = 0; i < n; i++)
		r->threads[i].off_next_ns = UINT64_MAX;
	if (!wn_trace_has_switches(r->trace) || n == 0)
		return WN_OK;
	r->off = wn_calloc(n, sizeof *r->off);
	r->off_heap = wn_calloc(n, sizeof *r->off_heap);
	r->g->off_cpu_ns = wn_calloc(r->g->n, sizeof *r->g->off_cpu_ns);
	if (!r->off || !r->off_heap || !r->g->off_cpu_ns)
		return wn_no_memory_for(r->err, r->g->n, "grains");
	for (uint32_t i = 0; i < n; i++) {
		struct off_cpu *o = &r->off[i];
		wn_switch_cursor_init(&o->here, r->trace, i);
		o->ahead = o->here;
		o->has_next = wn_switch_next(&o->here, &o->next);
		r->threads[i].off_next_ns = o->has_next ? o->next.begin_ns : UINT64_MAX;
		find_next_preemption(o);
		r->off_heap[i] = i;
	}
	for (uint32_t i = n / 2; i-- > 0;)
		sift_down(r, i);
	r->off_turn_ns = r->off[r->off_heap[0]].turn_ns;
	return WN_OK;
}

void
off_cpu_fini(struct replay *r)
{
	wn_free(r->off);
	wn_free(r->off_heap);
}
