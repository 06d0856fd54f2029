/* SPDX-License-Identifier: MIT */
/*
 * account.c - accounts a thread's time. Between two events a thread does one thing, determined by
 * the grain on top of its stack and by the open construct of that grain.
 *
 * A wait is cut into pieces by the tasks that run inside it. In a piece that ends because the
 * thread got a task, the time during which the team had a ready task (one whose creation was over
 * and which had not begun) is scheduling overhead, the rest is idle: no ready work. The last piece
 * of a wait ends when the wait is released: the time after its condition was fulfilled is the
 * wake-up cost (a thread has to notice, or to be woken), the time before is idle.
 *
 * Where the trace has switch records, time in which the thread was off the CPU is taken out of
 * that:
 *
 *   user code          preempted and blocked
 *   runtime            preempted: a thread that the runtime puts to sleep sleeps as part of what it
 *                      does, as in the creation of a task while another thread has the queue's lock
 *   wait               preempted, as far as a task was ready or the wait could end: a thread that
 *                      waits for nothing that is there loses nothing by it
 *   lock, MPI, pause   nothing: it is not known whether it could have gone on
 *
 * Where the trace has a calibration, user code and runtime then pay what recording has added
 * (replay_calibrated.h).
 */
#include "graph/replay.h"

#include <string.h>

static uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The parts of a piece of a wait, without what was off the CPU, which is the rest. */
struct wait_parts {
	uint64_t scheduling_ns, leaving_ns, ready_ns, empty_ns;
	uint64_t preempted_ns;
};

/* Of a piece of a wait: time off the CPU that counts, before its condition was fulfilled and
 * after. Rare, like all time off the CPU, and so kept out of the functions for each event. */
struct wait_off {
	uint64_t before_ns, after_ns;
};

static __attribute__((noinline, cold)) struct wait_off
wait_off_cpu(struct replay *r, struct replay_thread *t, uint64_t fulfilled_at_ns, uint64_t now_ns,
             uint64_t ready_ns)
{
	uint64_t before_ns = off_cpu_in(r, t, t->last_ns, fulfilled_at_ns).ns[WN_SWITCH_PREEMPTED];
	uint64_t after_ns = off_cpu_in(r, t, fulfilled_at_ns, now_ns).ns[WN_SWITCH_PREEMPTED];
	before_ns = min_u64(before_ns, off_cpu_ready_ns(r, t, now_ns));
	return (struct wait_off){min_u64(before_ns, ready_ns), after_ns};
}

static inline struct wait_parts
wait_cut(struct replay *r, struct replay_thread *t, const struct live *l, uint64_t now_ns,
         enum wait_end how)
{
	const struct team *team = team_get(r, l->region);
	uint64_t passed_ns = now_ns - t->last_ns, from_ns = now_ns;
	uint64_t ready_ns = team ? team_ready_ns(team, now_ns) - t->ready_mark : 0;
	struct wait_parts w = {0};
	if (how == WAIT_RELEASED) {
		from_ns = r->release_ns > t->last_ns ? r->release_ns : t->last_ns;
		w.leaving_ns = now_ns > from_ns ? now_ns - from_ns : 0;
	}
	ready_ns = min_u64(ready_ns, passed_ns - w.leaving_ns);
	w.empty_ns = passed_ns - w.leaving_ns - ready_ns;
	if (t->off_next_ns < now_ns) {
		struct wait_off off = wait_off_cpu(r, t, now_ns - w.leaving_ns, now_ns, ready_ns);
		w.preempted_ns = off.before_ns + off.after_ns;
		w.leaving_ns -= off.after_ns;
		ready_ns -= off.before_ns;
	}
	w.scheduling_ns = how == WAIT_GOT_TASK ? ready_ns : 0;
	w.ready_ns = how == WAIT_GOT_TASK ? 0 : ready_ns;
	return w;
}

/* A weighted majority vote in one pass. */
static void
vote_for_site(struct wn_graph *g, uint32_t site, uint64_t ns)
{
	if (site == g->taskwait_site) {
		g->taskwait_votes_ns += ns;
	} else if (ns > g->taskwait_votes_ns) {
		g->taskwait_site = site;
		g->taskwait_votes_ns = ns - g->taskwait_votes_ns;
	} else {
		g->taskwait_votes_ns -= ns;
	}
}

static __attribute__((noinline)) void
account_wait(struct replay *r, struct replay_thread *t, struct live *l, uint64_t now_ns,
             enum wait_end how)
{
	struct wn_thread_time *time = t->time;
	struct wait_parts w = {.empty_ns = now_ns - t->last_ns};
	if (t->n_implicit > 0)
		w = wait_cut(r, t, l, now_ns, how);
	/* a barrier's wait belongs to the team, and is no cost of this grain's tasks */
	bool is_of_tasks = l->sync_kind == WN_SYNC_TASKWAIT || l->sync_kind == WN_SYNC_TASKGROUP ||
	                   l->sync_kind == WN_SYNC_DEPEND;
	if (is_of_tasks)
		count_time(r, &r->g->sync, l->id, now_ns - t->last_ns - w.preempted_ns);
	if (t->n_implicit == 0)
		return;
	if (is_of_tasks) {
		time->taskwait_ready_ns += w.ready_ns;
		vote_for_site(r->g, r->g->site[l->id], w.ready_ns);
	}
	time->scheduling_ns += w.scheduling_ns;
	time->leaving_ns += w.leaving_ns;
	time->idle_ready_ns += w.ready_ns;
	time->idle_empty_ns += w.empty_ns;
	time->preempted_ns += w.preempted_ns;
}

/* Returns the account that the thread's current grain implies. */
static inline __attribute__((always_inline)) enum wn_account
account_of(const struct replay *r, const struct replay_thread *t, const struct live *l)
{
	if (!l)
		return t->depth > 0 ? WN_ACCOUNT_LOST : WN_ACCOUNT_OUTSIDE;
	if (l->sync_kind)
		return WN_ACCOUNT_WAITING;
	if (l->creating != WN_NO_GRAIN || l->taskloop.is_open || l->is_passed ||
	    r->g->kind[l->id] == WN_GRAIN_HELPER)
		return WN_ACCOUNT_CREATION;
	if (t->mpi.is_on && t->mpi.depth == t->depth)
		return WN_ACCOUNT_MPI;
	if (t->wait.is_on)
		return WN_ACCOUNT_LOCKED;
	if (l->is_forking)
		return WN_ACCOUNT_FORKING;
	if (l->work.loop != NO_INDEX)
		return WN_ACCOUNT_DISPATCH;
	return t->is_paused && t->n_implicit == 0 ? WN_ACCOUNT_PAUSED : WN_ACCOUNT_OWN;
}

static inline void
account_creation(struct replay *r, const struct replay_thread *t, struct live *l,
                 uint64_t passed_ns)
{
	if (l->creating != WN_NO_GRAIN)
		l->creation_ns += passed_ns;
	else if (l->taskloop.is_open)
		l->taskloop.ns += passed_ns;
	count_time(r, &r->g->made, l->id, passed_ns);
	bear(r, l, passed_ns);
	t->time->creation_ns += t->n_implicit > 0 ? passed_ns : 0;
}

/* is_voted: for what stretch of the timeline it counts is not known yet. */
static inline __attribute__((always_inline)) void
account_own(const struct replay *r, struct replay_thread *t, struct live *l, uint64_t passed_ns,
            bool is_voted)
{
	if (is_voted && passed_ns)
		wn_stretch_add_work(&t->pieces.stretch, l->id, (uint32_t)passed_ns,
		                    r->g->site[l->id], (uint32_t)passed_ns);
	l->work_ns += passed_ns;
	if (l->piece_ns == 0 && t->cpu_before != UINT16_MAX)
		l->piece_cpu = 1u + t->cpu_before;
	l->piece_ns += passed_ns;
	*(t->n_implicit > 0 ? &t->time->work_ns : &t->time->serial_ns) += passed_ns;
}

static void
account_forking(struct replay *r, const struct replay_thread *t, uint64_t passed_ns)
{
	uint32_t region = t->n_open_regions ? t->open_regions[t->n_open_regions - 1] : NO_INDEX;
	if (region != NO_INDEX)
		r->g->regions[region].forking_ns += passed_ns;
	t->time->forking_ns += passed_ns;
	t->time->nested_forking_ns += t->n_implicit > 0 ? passed_ns : 0;
}

/* What is neither work nor creation of tasks. */
static __attribute__((noinline)) void
account_rest(struct replay *r, const struct replay_thread *t, struct live *l, enum wn_account what,
             uint64_t passed_ns)
{
	bool in_region = t->n_implicit > 0;
	if (what == WN_ACCOUNT_LOCKED) {
		r->g->locked_ns[l->id] += passed_ns;
		t->time->mutex_ns += in_region ? passed_ns : 0;
	} else if (what == WN_ACCOUNT_MPI) {
		r->g->mpi_ns[l->id] += passed_ns;
		*(in_region ? &t->time->mpi_ns : &t->time->serial_mpi_ns) += passed_ns;
	} else if (what == WN_ACCOUNT_FORKING) {
		account_forking(r, t, passed_ns);
	} else if (what == WN_ACCOUNT_DISPATCH) {
		l->work.dispatch_ns += passed_ns;
		r->g->loops[l->work.loop].overhead_ns += passed_ns;
		t->time->dispatch_ns += in_region ? passed_ns : 0;
	} else if (what == WN_ACCOUNT_PAUSED) {
		t->time->paused_ns += passed_ns;
	}
}

/* Takes the time off the CPU out of a piece that is no wait; returns the rest. */
static __attribute__((noinline, cold)) uint64_t
account_off_cpu(struct replay *r, struct replay_thread *t, const struct live *l,
                enum wn_account what, uint64_t now_ns)
{
	struct wn_thread_time *time = t->time;
	uint64_t passed_ns = now_ns - t->last_ns;
	struct off_piece off = off_cpu_in(r, t, t->last_ns, now_ns);
	uint64_t preempted_ns = off.ns[WN_SWITCH_PREEMPTED];
	uint64_t blocked_ns = what == WN_ACCOUNT_OWN ? off.ns[WN_SWITCH_BLOCKED] : 0;
	bool in_region = t->n_implicit > 0;
	*(in_region ? &time->preempted_ns : &time->serial_preempted_ns) += preempted_ns;
	*(in_region ? &time->blocked_ns : &time->serial_blocked_ns) += blocked_ns;
	if (what == WN_ACCOUNT_OWN)
		r->g->off_cpu_ns[l->id] += preempted_ns + blocked_ns;
	return passed_ns - preempted_ns - blocked_ns;
}

/* Takes out of a piece that is no wait what is not the program's; returns the rest. */
static inline __attribute__((always_inline)) uint64_t
account_rest_of(struct replay *r, struct replay_thread *t, const struct live *l,
                enum wn_account what, uint64_t now_ns)
{
	uint64_t ns = now_ns - t->last_ns;
	if (what == WN_ACCOUNT_LOCKED || what == WN_ACCOUNT_PAUSED || what == WN_ACCOUNT_MPI)
		return ns;
	if (t->off_next_ns < now_ns)
		ns = account_off_cpu(r, t, l, what, now_ns);
	return r->compensation.by ? calibrated_rest(r, t, l, what == WN_ACCOUNT_OWN, ns) : ns;
}

static __attribute__((noinline, cold)) void
account_unknown(struct replay *r, struct replay_thread *t, uint64_t now_ns)
{
	t->time->unknown_ns += off_cpu_in(r, t, t->last_ns, now_ns).ns[WN_SWITCH_UNKNOWN];
}

/* Accounts time that cannot be attributed. */
static void
account_lost(struct replay_thread *t, uint64_t until_ns)
{
	if (until_ns <= t->last_ns)
		return;
	t->time->lost_ns += until_ns - t->last_ns;
	t->last_ns = until_ns;
}

/* Accounts a thread's time until now, which is what its current grain implies. is_voted: work
 * counts for the open stretch of the timeline. */
static inline __attribute__((always_inline)) void
account_piece(struct replay *r, struct replay_thread *t, struct live *l, enum wn_account what,
              uint64_t now_ns, enum wait_end how, bool is_voted)
{
	if (r->g->n_counts)
		counts_give(r, t, what, l ? l->id : WN_NO_GRAIN, now_ns > t->last_ns);
	if (what == WN_ACCOUNT_LOST)
		account_lost(t, now_ns);
	/* two threads that run one grain at the same time contradict each other: its time counts
	 * once */
	if (l && l->counted_ns > t->last_ns)
		account_lost(t, min_u64(l->counted_ns, now_ns));
	if (now_ns <= t->last_ns)
		return;
	if (t->off_next_ns < now_ns && l)
		account_unknown(r, t, now_ns);
	if (what == WN_ACCOUNT_WAITING) {
		account_wait(r, t, l, now_ns, how);
	} else if (l) {
		uint64_t ns = account_rest_of(r, t, l, what, now_ns);
		if (what == WN_ACCOUNT_OWN)
			account_own(r, t, l, ns, is_voted);
		else if (what == WN_ACCOUNT_CREATION)
			account_creation(r, t, l, ns);
		else
			account_rest(r, t, l, what, ns);
	}
	if (l)
		l->counted_ns = now_ns;
	t->last_ns = now_ns;
	t->calibrated.piece_ps = 0;
}

static inline __attribute__((always_inline)) void
account_until(struct replay *r, struct replay_thread *t, uint64_t now_ns, enum wait_end how,
              bool is_voted)
{
	struct live *l = live_runs(r, t);
	account_piece(r, t, l, account_of(r, t, l), now_ns, how, is_voted);
}

/* The nanoseconds of each state so far. */
static void
states_of(const struct wn_thread_time *time, uint64_t ns[WN_THREAD_STATES_N])
{
	ns[WN_THREAD_WORK] = time->work_ns;
	ns[WN_THREAD_SERIAL] = time->serial_ns;
	ns[WN_THREAD_CREATION] = time->creation_ns;
	ns[WN_THREAD_DISPATCH] = time->dispatch_ns;
	ns[WN_THREAD_SCHEDULING] = time->scheduling_ns;
	ns[WN_THREAD_LEAVING] = time->leaving_ns;
	ns[WN_THREAD_MUTEX] = time->mutex_ns;
	ns[WN_THREAD_IDLE_READY] = time->idle_ready_ns;
	ns[WN_THREAD_IDLE_EMPTY] = time->idle_empty_ns;
	ns[WN_THREAD_FORKING] = time->forking_ns;
	ns[WN_THREAD_OFF_CPU] = time->preempted_ns + time->serial_preempted_ns;
	ns[WN_THREAD_BLOCKED] = time->blocked_ns + time->serial_blocked_ns;
	ns[WN_THREAD_RECORDING] = time->recording_ns + time->serial_recording_ns;
	ns[WN_THREAD_PAUSED] = time->paused_ns;
	ns[WN_THREAD_LOST] = time->lost_ns;
	ns[WN_THREAD_MPI] = time->mpi_ns + time->serial_mpi_ns;
}

/* Returns how many nanoseconds each state has grown by since the last call. */
static void
states_grown(struct replay_thread *t, uint64_t ns[WN_THREAD_STATES_N])
{
	uint64_t now[WN_THREAD_STATES_N];
	states_of(t->time, now);
	for (unsigned k = 0; k < WN_THREAD_STATES_N; k++)
		ns[k] = now[k] - t->pieces.states_ns[k];
	memcpy(t->pieces.states_ns, now, sizeof now);
}

/* Most records take less, so that the run is over before all bytes have been counted. */
enum { BYTES_OF_EVENT = 4 };

/* Appends the pieces so far, if there are any, as one stretch. */
static void
append_pieces(struct replay *r, struct replay_thread *t)
{
	struct wn_stretch *s = &t->pieces.stretch;
	uint64_t ns[WN_THREAD_STATES_N];
	t->pieces.until_ns = 0;
	if (s->length_ns == 0)
		return;
	states_grown(t, ns);
	for (unsigned k = 0; k < WN_THREAD_STATES_N; k++)
		s->ns[k] = (uint32_t)ns[k];
	wn_timeline_progress(r->g->timeline, r->n_handled * BYTES_OF_EVENT,
	                     wn_trace_event_bytes(r->trace));
	r->is_out_of_memory |= !wn_timeline_append(r->g->timeline, t->index, s);
	s->length_ns = 0;
}

/* Appends the time since from_ns, all of it one piece. What a wait was for comes before what ended
 * it. */
static void
append_whole(struct replay *r, struct replay_thread *t, uint64_t from_ns, wn_grain grain)
{
	uint64_t ns[WN_THREAD_STATES_N], last[WN_THREAD_STATES_N] = {0}, after_ns = 0;
	states_grown(t, ns);
	bool is_wait = ns[WN_THREAD_IDLE_READY] + ns[WN_THREAD_IDLE_EMPTY] > 0;
	for (int k = WN_THREAD_SCHEDULING; is_wait && k <= WN_THREAD_LEAVING; k++) {
		after_ns += last[k] = ns[k];
		ns[k] = 0;
	}
	if (t->last_ns <= from_ns)
		return;
	bool is_ok = wn_timeline_add(r->g->timeline, t->index, from_ns, t->last_ns - after_ns, ns,
	                             grain, grain == WN_NO_GRAIN ? WN_NO_SITE : r->g->site[grain]);
	if (after_ns > 0)
		is_ok &= wn_timeline_add(r->g->timeline, t->index, t->last_ns - after_ns,
		                         t->last_ns, last, WN_NO_GRAIN, WN_NO_SITE);
	r->is_out_of_memory |= !is_ok;
}

/* Accounts a piece of the open stretch, whose states are found at its end: nearly all pieces of a
 * run with many grains are shorter than a stretch. */
static inline __attribute__((always_inline)) void
account_short(struct replay *r, struct replay_thread *t, uint64_t now_ns, enum wait_end how)
{
	struct wn_stretch *s = &t->pieces.stretch;
	account_until(r, t, now_ns, how, true);
	s->length_ns = (uint32_t)(t->last_ns - s->begin_ns);
}

static __attribute__((noinline)) void
account_untimed(struct replay *r, struct replay_thread *t, uint64_t now_ns, enum wait_end how)
{
	account_until(r, t, now_ns, how, false);
}

/* Accounts a piece that may end a stretch, or begin one. */
static __attribute__((noinline)) void
account_timed(struct replay *r, struct replay_thread *t, uint64_t now_ns, enum wait_end how)
{
	const uint64_t most_ns = WN_STRETCH_NS_MAX / 2;
	struct short_pieces *p = &t->pieces;
	const struct live *l = live_runs(r, t);
	uint64_t from_ns = t->last_ns, quantum_ns = min_u64(r->g->timeline->quantum_ns, most_ns);
	if (now_ns <= from_ns) {
		account_untimed(r, t, now_ns, how);
		return;
	}
	bool is_short = now_ns - from_ns < quantum_ns, is_wait = l && l->sync_kind;
	if (!is_short || p->stretch.length_ns >= quantum_ns ||
	    p->stretch.begin_ns + p->stretch.length_ns != from_ns)
		append_pieces(r, t);
	p->until_ns = 0;
	if (is_short || (!is_wait && now_ns - from_ns < most_ns)) {
		if (p->stretch.length_ns == 0)
			wn_stretch_begin(&p->stretch, from_ns);
		account_short(r, t, now_ns, how);
		p->until_ns = p->stretch.begin_ns + quantum_ns;
		return;
	}
	account_untimed(r, t, now_ns, how);
	append_whole(r, t, from_ns, l ? l->id : WN_NO_GRAIN);
}

void
account(struct replay *r, struct replay_thread *t, uint64_t now_ns, enum wait_end how)
{
	if (!r->g->timeline)
		account_until(r, t, now_ns, how, false);
	else if (now_ns < t->pieces.until_ns)
		account_short(r, t, now_ns, how);
	else
		account_timed(r, t, now_ns, how);
	t->cpu_before = t->cpu;
}

void
account_aside(struct replay *r, struct replay_thread *t)
{
	const struct live *l = live_runs(r, t);
	if (!l || !l->sync_kind)
		account(r, t, t->event_ns, WAIT_GOES_ON);
}

void
account_gap(struct replay *r, struct replay_thread *t)
{
	uint64_t from_ns = t->last_ns;
	if (r->g->timeline)
		append_pieces(r, t);
	account_lost(t, t->event_ns);
	if (r->g->timeline)
		append_whole(r, t, from_ns, WN_NO_GRAIN);
}

void
account_end(struct replay *r)
{
	for (uint32_t i = 0; r->g->timeline && i < r->g->n_threads; i++)
		append_pieces(r, &r->threads[i]);
}
