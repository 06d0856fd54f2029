/* SPDX-License-Identifier: MIT */
/*
 * replay.c - one event: account the time before it, then let it change the state.
 */
#include "graph/replay.h"

#include "base/error.h"
#include "base/mem.h"
#include "trace/encode.h"

wn_status
note_add(struct replay *r, uint32_t site, enum wn_note note, uint64_t count)
{
	struct wn_graph *g = r->g;
	for (size_t i = 0; i < g->n_notes; i++) {
		if (g->notes[i].site == site) {
			g->notes[i].count += count;
			return WN_OK;
		}
	}
	if (wn_grow(&g->notes, &g->notes_capacity, g->n_notes + 1, sizeof *g->notes) != 0)
		return wn_fail(r->err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	g->notes[g->n_notes++] = (struct wn_note_count){site, note, count};
	return WN_OK;
}

static wn_status
on_note(struct replay *r, struct replay_thread *t)
{
	uint32_t aux = wn_trace_site(r->trace, t->event.site).aux;
	if (aux == WN_NOTE_CREATION_UNKNOWN)
		t->creation_unknown = true;
	if (aux == WN_NOTE_DISPATCH_UNKNOWN)
		t->dispatch_unknown = true;
	return note_add(r, t->event.site, (enum wn_note)aux, t->event.v[0]);
}

/* The stream restarts: what was on the stack is left as it is, time in between is nobody's. */
static wn_status
restart(struct replay *r, struct replay_thread *t)
{
	wn_status st = WN_OK;
	counts_give(r, t, WN_ACCOUNT_LOST, WN_NO_GRAIN, false);
	t->counted = 0; /* until it says so again */
	if (t->n_implicit > 0) {
		r->g->thread_time[t->index].region_ns += t->last_ns - t->region_begin_ns;
		t->n_implicit = 0;
	}
	if (t->event_ns > t->last_ns) {
		if (t->depth)
			r->g->thread_time[t->index].lost_ns += t->event_ns - t->last_ns;
		t->last_ns = t->event_ns;
	}
	t->depth = t->left_depth = 0;
	t->n_open_regions = 0;
	t->created = WN_NO_GRAIN;
	t->wait.is_on = false;
	uint64_t id = t->event.v[1];
	uint32_t thread = (uint32_t)(id >> 32);
	if (t->event.v[2] && (uint32_t)id && thread < r->g->n_threads) {
		uint64_t index = (uint64_t)r->g->first_id[thread] + (uint32_t)id;
		if (index < r->g->first_id[thread + 1])
			st = on_task_begin(r, t, (wn_grain)index);
		struct live *l = live_get(r, stack_top(t));
		if (l)
			l->loop =
			    NO_INDEX; /* where its next chunk starts is lost until the next loop */
	}
	return st;
}

/* The id that the event just decoded handed out on its own thread. An id that is in use already
 * (a damaged stream names it before it was created, or counts backwards) is refused: a grain that
 * got a parent twice could become its own ancestor. */
wn_grain
new_id(struct replay *r, const struct replay_thread *t, uint64_t n_before_last)
{
	uint64_t id = (uint64_t)r->g->first_id[t->index] + t->cursor.n_ids - n_before_last;
	if (id < r->g->first_id[t->index + 1] && r->g->kind[id] == WN_GRAIN_NONE)
		return (wn_grain)id;
	r->g->anomalies.n_unmatched++;
	return WN_NO_GRAIN;
}

static wn_grain
named_id(const struct replay *r, uint64_t thread, uint64_t number)
{
	if (thread >= r->g->n_threads)
		return WN_NO_GRAIN;
	uint64_t id = r->g->first_id[thread] + number;
	return number < UINT32_MAX && id < r->g->first_id[thread + 1] ? (wn_grain)id : WN_NO_GRAIN;
}

static wn_status
dispatch_rest(struct replay *r, struct replay_thread *t)
{
	switch ((int)t->event.code) {
	case WN_EV_CANCEL:
		return on_cancel(r, t);
	case WN_EV_MUTEX_WAIT:
		return on_mutex_wait(r, t);
	case WN_EV_MUTEX_ACQUIRED:
		return on_mutex_acquired(r, t);
	case WN_EV_MUTEX_RELEASED:
		return on_mutex_released(r, t);
	case WN_EV_MARK_BEGIN:
		return on_mark_begin(r, t);
	case WN_EV_MARK_END:
		return on_mark_end(r, t);
	case WN_EV_LABEL:
		return on_label(r, t);
	case WN_EV_PAUSE:
	case WN_EV_RESUME:
		return on_pause(r, t);
	default:
		return WN_OK;
	}
}

static wn_status
dispatch_task(struct replay *r, struct replay_thread *t)
{
	const uint64_t *v = t->event.v;
	switch ((int)t->event.code) {
	case WN_EV_TASK_CREATE:
		return on_task_create(r, t, WN_NO_GRAIN);
	case WN_EV_TASK_CREATE_BY:
		return on_task_create(r, t, named_id(r, v[0], v[1]));
	case WN_EV_CREATE_END:
		return on_create_end(r, t);
	case WN_EV_TASK_BEGIN_OWN:
		return on_task_begin(r, t,
		                     v[0] < t->cursor.n_ids
		                         ? named_id(r, t->index, t->cursor.n_ids - v[0])
		                         : WN_NO_GRAIN);
	case WN_EV_TASK_BEGIN:
		return on_task_begin(r, t, named_id(r, v[0], v[1]));
	case WN_EV_TASK_END:
	case WN_EV_TASK_SUSPEND:
		return on_task_end(r, t);
	case WN_EV_TASK_SWITCH:
		return on_task_switch(r, t);
	case WN_EV_TASK_RANGE:
		return on_task_range(r, t);
	case WN_EV_TASKLOOP_BEGIN:
		return on_taskloop_begin(r, t);
	case WN_EV_TASKLOOP_END:
		return on_taskloop_end(r, t);
	case WN_EV_DEPEND:
		return on_depend(r, t);
	case WN_EV_TASK_FULFILL:
		return on_task_fulfill(r, t, named_id(r, v[0], v[1]));
	default:
		return dispatch_rest(r, t);
	}
}

static wn_status
dispatch(struct replay *r, struct replay_thread *t)
{
	switch ((int)t->event.code) {
	case WN_EV_GAP:
		return restart(r, t);
	case WN_EV_THREAD:
		return WN_OK;
	case WN_EV_CPU:
		t->cpu = t->event.v[0] < UINT16_MAX ? (uint16_t)t->event.v[0] : UINT16_MAX;
		return WN_OK;
	case WN_EV_COUNTS:
		on_counts(r, t);
		return WN_OK;
	case WN_EV_COUNT_SHARE:
		on_count_share(r, t);
		return WN_OK;
	case WN_EV_COUNTING:
		on_counting(r, t);
		return WN_OK;
	case WN_EV_NOTE:
		return on_note(r, t);
	case WN_EV_REGION_BEGIN:
		return on_region_begin(r, t);
	case WN_EV_REGION_END:
		return on_region_end(r, t);
	case WN_EV_IMPLICIT_BEGIN:
		return on_implicit_begin(r, t, new_id(r, t, 0));
	case WN_EV_IMPLICIT_END:
		return on_implicit_end(r, t);
	case WN_EV_SYNC_BEGIN:
		return on_sync_begin(r, t);
	case WN_EV_SYNC_END:
		return on_sync_end(r, t);
	case WN_EV_GROUP_BEGIN:
		return on_group_begin(r, t);
	case WN_EV_WORK_BEGIN:
	case WN_EV_LOOP_BEGIN:
		return on_work_begin(r, t);
	case WN_EV_WORK_END:
		return on_work_end(r, t);
	case WN_EV_CHUNK_BEGIN:
	case WN_EV_SECTION_BEGIN:
		return on_chunk_begin(r, t, new_id(r, t, 0));
	case WN_EV_CHUNK_END:
		return on_chunk_end(r, t);
	case WN_EV_STATIC_BEGIN:
		return on_static_begin(
		    r, t, t->event.v[1] ? new_id(r, t, t->event.v[1] - 1) : WN_NO_GRAIN);
	default:
		return dispatch_task(r, t);
	}
}

wn_status
replay_event(struct replay *r, struct replay_thread *t)
{
	r->now_ns = t->event_ns;
	r->current = t;
	wn_status st = dispatch(r, t);
	/* a mutex that was tried and not got: the thread has gone on */
	if (t->wait.is_on && wn_event_has_time(t->event.code) && t->event.code != WN_EV_MUTEX_WAIT)
		t->wait.is_on = false;
	if (st == WN_OK && t->depth > 0) {
		struct live *l = live_get(r, stack_runs(t));
		struct team *team = l && l->sync_kind ? team_get(r, l->region) : NULL;
		if (team && t->last_ns == t->event_ns) /* else it was none of the wait */
			t->ready_mark = team_ready_ns(team, t->last_ns);
	}
	r->g->n_events++;
	return st == WN_OK && r->is_out_of_memory ? replay_no_memory(r) : st;
}
