/* SPDX-License-Identifier: MIT */
/*
 * replay.c - see replay.h. One struct stream for each thread, a big stack of open things in it.
 */
#include "replay.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum task_bit {
	TASK_CREATED = 1,
	TASK_BEGUN = 2,
	TASK_ENDED = 4,
	TASK_RANGED = 8,
	TASK_POINT = 16,
	TASK_DETACHABLE = 32,
	TASK_FULFILLED = 64,
	TASK_UNTIED = 128,
	TASK_LEFT = 256 /* without an event */
};
enum open_kind {
	OPEN_REGION,
	OPEN_IMPLICIT,
	OPEN_TASK,
	OPEN_CREATE,
	OPEN_SYNC,
	OPEN_GROUP,
	OPEN_WORK,
	OPEN_CHUNK,
	OPEN_TASKLOOP,
	OPEN_MUTEX
};

static const char *const open_name[] = {"region",   "implicit task",   "task",      "creation",
                                        "wait",     "group",           "construct", "chunk",
                                        "taskloop", "wait for a mutex"};

struct open {
	enum open_kind kind;
	uint64_t id;         /* task or implicit task; region number */
	uint64_t region[2];  /* of an implicit task */
	uint64_t n_loops;    /* met by an implicit task */
	uint64_t trip_count; /* of a construct */
	uint64_t chunk_next; /* of a construct */
	uint64_t begin_tick; /* of a construct */
	uint32_t aux;
};

struct stream {
	struct replay *r;
	uint32_t thread;
	uint64_t n_ids;
	struct open *open;
	size_t n_open, max_open;
	uint64_t outside_loops; /* loops met outside all regions */
	bool no_ends;           /* of creations, as a note said */
};

__attribute__((format(printf, 2, 3))) static void
fault(struct stream *s, const char *fmt, ...)
{
	struct replay *r = s->r;
	va_list args;

	if (r->n_faults < REPLAY_FAULTS_MAX) {
		int n =
		    snprintf(r->fault[r->n_faults], sizeof r->fault[0], "thread %u: ", s->thread);
		va_start(args, fmt);
		vsnprintf(r->fault[r->n_faults] + n, sizeof r->fault[0] - (size_t)n, fmt, args);
		va_end(args);
	}
	r->n_faults++;
}

static struct open *
push(struct stream *s, enum open_kind kind)
{
	if (s->n_open == s->max_open) {
		s->max_open = s->max_open ? 2 * s->max_open : 256;
		s->open = realloc(s->open, s->max_open * sizeof *s->open);
	}
	struct open *open = &s->open[s->n_open++];
	*open = (struct open){.kind = kind};
	return open;
}

static struct open *
top(struct stream *s)
{
	return s->n_open ? &s->open[s->n_open - 1] : NULL;
}

static bool
pop(struct stream *s, enum open_kind kind)
{
	struct open *open = top(s);
	if (!open || open->kind != kind) {
		fault(s, "end of %s, but open is %s", open_name[kind],
		      open ? open_name[open->kind] : "nothing");
		return false;
	}
	s->n_open--;
	return true;
}

/* The innermost open thing of a kind; with stop_at_task only above the running task. */
static struct open *
innermost(struct stream *s, enum open_kind kind)
{
	for (size_t i = s->n_open; i-- > 0;)
		if (s->open[i].kind == kind)
			return &s->open[i];
	return NULL;
}

static struct open *
current_task(struct stream *s)
{
	for (size_t i = s->n_open; i-- > 0;)
		if (s->open[i].kind == OPEN_TASK || s->open[i].kind == OPEN_IMPLICIT)
			return &s->open[i];
	return NULL;
}

static uint16_t *
task_bits(struct stream *s, uint64_t thread, uint64_t number)
{
	static uint16_t nothing;
	struct replay *r = s->r;

	if (thread >= wn_trace_n_threads(r->trace) || number == 0 ||
	    number > wn_trace_n_ids(r->trace, (uint32_t)thread)) {
		fault(s, "task %" PRIu64 ".%" PRIu64 " does not exist", thread, number);
		return &nothing;
	}
	return &r->task[thread][number];
}

static void
cover(struct stream *s, uint64_t first, uint64_t n)
{
	struct replay *r = s->r;
	struct open *work = innermost(s, OPEN_WORK);
	struct open *implicit = innermost(s, OPEN_IMPLICIT);

	r->count[TALLY_iterations] += (long)n;
	if (!work)
		return;
	if (r->n_covered == r->max_covered) {
		r->max_covered = r->max_covered ? 2 * r->max_covered : 1024;
		r->covered = realloc(r->covered, r->max_covered * sizeof *r->covered);
	}
	struct covered *c = &r->covered[r->n_covered++];
	*c = (struct covered){{0, 0, s->outside_loops}, first, first + n, work->trip_count};
	if (implicit) {
		c->loop[0] = implicit->region[0] + 1;
		c->loop[1] = implicit->region[1];
		c->loop[2] = implicit->n_loops;
	} else {
		c->loop[1] = s->thread;
	}
}

static void
on_create(struct stream *s, const struct wn_event *e, uint32_t aux, uint64_t addr)
{
	long *n = s->r->count;
	uint16_t *bits = task_bits(s, s->thread, ++s->n_ids);

	*bits |= TASK_CREATED;
	if (!s->no_ends || (aux & WN_TASK_WAITPOINT))
		push(s, OPEN_CREATE)->aux = aux;
	if (aux & WN_TASK_WAITPOINT) {
		*bits |= TASK_POINT;
		n[TALLY_waitpoints]++;
		return;
	}
	n[TALLY_tasks]++;
	n[TALLY_created_by] += e->code == WN_EV_TASK_CREATE_BY;
	n[TALLY_undeferred] += (aux & WN_TASK_UNDEFERRED) != 0;
	n[TALLY_untied] += (aux & WN_TASK_UNTIED) != 0;
	n[TALLY_final] += (aux & WN_TASK_FINAL) != 0;
	n[TALLY_detachable] += (aux & WN_TASK_DETACH) != 0;
	*bits |= aux & WN_TASK_DETACH ? TASK_DETACHABLE : 0;
	*bits |= aux & WN_TASK_UNTIED ? TASK_UNTIED : 0;
	n[TALLY_dependent] += (aux & WN_TASK_DEPENDENT) != 0;
	n[TALLY_foreign] += (aux & WN_TASK_FOREIGN_SITE) != 0;
	n[TALLY_site_function] += (aux & WN_TASK_SITE_FUNCTION) != 0;
	n[TALLY_taskloop_tasks] += (aux & WN_TASK_TASKLOOP) != 0;
	n[TALLY_null_task_sites] += addr == 0;
}

static void
on_task_begin(struct stream *s, uint64_t tick, uint64_t thread, uint64_t number)
{
	uint16_t *bits = task_bits(s, thread, number);

	if (!(*bits & TASK_CREATED) && thread == s->thread)
		fault(s, "task %" PRIu64 ".%" PRIu64 " begins before it is created", thread,
		      number);
	if ((*bits & TASK_ENDED) && s->r->ended_tick[thread][number] < tick)
		fault(s, "task %" PRIu64 ".%" PRIu64 " begins after its end", thread, number);
	if (!(*bits & TASK_BEGUN))
		s->r->count[TALLY_begun]++;
	*bits |= TASK_BEGUN;
	push(s, OPEN_TASK)->id = thread << 32 | number;
}

static void
on_task_end(struct stream *s, uint64_t tick, bool is_ended)
{
	struct open *open = top(s);
	uint64_t id = open ? open->id : 0;

	if (!pop(s, OPEN_TASK))
		return;
	if (!is_ended) {
		s->r->count[TALLY_suspends]++;
		return;
	}
	*task_bits(s, id >> 32, (uint32_t)id) |= TASK_ENDED;
	if (s->r->ended_tick[id >> 32][(uint32_t)id])
		fault(s, "task %" PRIu64 ".%u ends twice", id >> 32, (uint32_t)id);
	s->r->ended_tick[id >> 32][(uint32_t)id] = tick;
	s->r->count[TALLY_ended]++;
}

static bool
is_barrier(uint32_t kind)
{
	return kind == WN_SYNC_BARRIER_EXPLICIT || kind == WN_SYNC_BARRIER_IMPLICIT ||
	       kind == WN_SYNC_BARRIER_REGION || kind == WN_SYNC_BARRIER_TEAMS;
}

static void
on_sync_begin(struct stream *s, uint32_t kind, uint64_t addr)
{
	static const enum tally tally[WN_SYNC_KIND_N] = {
	    [WN_SYNC_TASKWAIT] = TALLY_taskwaits,
	    [WN_SYNC_TASKGROUP] = TALLY_group_waits,
	    [WN_SYNC_BARRIER_EXPLICIT] = TALLY_barriers_explicit,
	    [WN_SYNC_BARRIER_IMPLICIT] = TALLY_barriers_implicit,
	    [WN_SYNC_BARRIER_REGION] = TALLY_barriers_region,
	    [WN_SYNC_BARRIER_TEAMS] = TALLY_barriers_teams,
	    [WN_SYNC_DEPEND] = TALLY_depend_waits,
	    [WN_SYNC_TASKYIELD] = TALLY_taskyields,
	    [WN_SYNC_REDUCTION] = TALLY_reductions,
	};
	if (kind >= WN_SYNC_KIND_N || !tally[kind])
		fault(s, "wait of kind %u", kind);
	else
		s->r->count[tally[kind]]++;
	s->r->count[TALLY_null_barrier_sites] += is_barrier(kind) && addr == 0;
	if (top(s) && (top(s)->kind == OPEN_CHUNK || top(s)->kind == OPEN_WORK) && is_barrier(kind))
		fault(s, "barrier inside an open loop");
	push(s, OPEN_SYNC)->aux = kind;
}

static void
on_sync_end(struct stream *s)
{
	struct open *open = top(s);
	uint32_t kind = open ? open->aux : 0;

	if (pop(s, OPEN_SYNC) && kind == WN_SYNC_TASKGROUP)
		pop(s, OPEN_GROUP);
}

static void
on_work_begin(struct stream *s, const struct wn_event *e, uint32_t aux, uint64_t addr)
{
	long *n = s->r->count;
	uint32_t kind = aux & WN_WORK_KIND_MASK;
	struct open *implicit = innermost(s, OPEN_IMPLICIT);
	struct open *open;

	if (e->code == WN_EV_LOOP_BEGIN || kind <= WN_WORK_SECTIONS) {
		if (implicit)
			implicit->n_loops++;
		else
			s->outside_loops++;
	}
	open = push(s, OPEN_WORK);
	open->trip_count = e->v[0];
	open->begin_tick = e->tick;
	open->aux = aux;
	n[TALLY_sections_entered] += kind == WN_WORK_SECTIONS;
	n[TALLY_single_executor] += kind == WN_WORK_SINGLE_EXECUTOR;
	n[TALLY_single_other] += kind == WN_WORK_SINGLE_OTHER;
	n[TALLY_masked] += kind == WN_WORK_MASKED;
	n[TALLY_distributes] += kind == WN_WORK_DISTRIBUTE;
	if (e->code != WN_EV_LOOP_BEGIN) {
		n[TALLY_unknown_loops] += kind <= WN_WORK_LOOP_OTHER;
		return;
	}
	n[TALLY_loops]++;
	n[TALLY_static_loops] += kind == WN_WORK_LOOP_STATIC;
	n[TALLY_dynamic_loops] += kind == WN_WORK_LOOP_DYNAMIC;
	n[TALLY_guided_loops] += kind == WN_WORK_LOOP_GUIDED;
	n[TALLY_runtime_loops] += (aux & WN_LOOP_RUNTIME) != 0;
	n[TALLY_ordered_loops] += (aux & WN_LOOP_ORDERED) != 0;
	n[TALLY_inline_loops] += (aux & WN_LOOP_INLINE) != 0;
	n[TALLY_null_loop_sites] += addr == 0;
}

static void
on_chunk(struct stream *s, const struct wn_event *e)
{
	struct open *work = innermost(s, OPEN_WORK);
	int64_t gap = (int64_t)(e->v[0] >> 1) ^ -(int64_t)(e->v[0] & 1);

	s->n_ids++;
	s->r->count[TALLY_chunks]++;
	if (work) {
		cover(s, work->chunk_next + (uint64_t)gap, e->v[1]);
		work->chunk_next += (uint64_t)gap + e->v[1];
	}
	push(s, OPEN_CHUNK);
}

static void
on_share(struct stream *s, const struct wn_event *e)
{
	struct open *work = innermost(s, OPEN_WORK);
	bool is_sections = work && (work->aux & WN_WORK_KIND_MASK) == WN_WORK_SECTIONS;

	s->n_ids += e->v[1];
	s->r->count[TALLY_shares]++;
	s->r->count[is_sections ? TALLY_sections : TALLY_chunks] += (long)e->v[1];
	for (uint64_t i = 0; i < e->v[1]; i++)
		cover(s, e->v[0] + i * e->v[3], i + 1 < e->v[1] ? e->v[2] : e->v[4]);
	/* a libomp with assertions takes long to enter a loop */
	bool takes_long = strstr(wn_trace_header(s->r->trace)->runtime, "[assertions]");
	if (work && takes_long != (e->tick > work->begin_tick))
		fault(s, "entering a loop takes %d ticks", (int)(e->tick - work->begin_tick));
	push(s, OPEN_CHUNK);
}

static void
on_range(struct stream *s, const struct wn_event *e)
{
	struct open *open = top(s);

	if (!open || open->kind != OPEN_TASK) {
		fault(s, "a range outside a task");
		return;
	}
	uint16_t *bits = task_bits(s, open->id >> 32, (uint32_t)open->id);
	if (*bits & TASK_RANGED)
		fault(s, "two ranges in one task");
	*bits |= TASK_RANGED;
	s->r->count[TALLY_ranged]++;
	s->r->count[TALLY_ranged_iterations] += (long)e->v[1];
	long end = (long)((int64_t)(e->v[0] >> 1) ^ -(int64_t)(e->v[0] & 1)) + (long)e->v[1];
	if (end > s->r->count[TALLY_ranges_end])
		s->r->count[TALLY_ranges_end] = end;
}

static void
on_implicit_begin(struct stream *s, const struct wn_event *e)
{
	/* a worker's last region was left at its final barrier */
	if (e->v[0] != s->thread)
		s->n_open = 0;
	struct open *open = push(s, OPEN_IMPLICIT);
	open->id = (uint64_t)s->thread << 32 | ++s->n_ids;
	open->region[0] = e->v[0];
	open->region[1] = e->v[1];
	s->r->count[TALLY_implicit]++;
	if (e->v[3] >= e->v[2])
		fault(s, "thread %" PRIu64 " of %" PRIu64, e->v[3], e->v[2]);
}

/* Back to a task beneath: those above it have been left before, without an event. */
static bool
leave_above(struct stream *s, uint64_t next)
{
	size_t n = s->n_open;

	while (n > 0 && s->open[n - 1].kind == OPEN_TASK && s->open[n - 1].id != next)
		n--;
	size_t place = n; /* above it */
	while (place > 0 && s->open[place - 1].kind != OPEN_TASK &&
	       s->open[place - 1].kind != OPEN_IMPLICIT)
		place--;
	if (n == s->n_open || place == 0 || s->open[place - 1].id != next)
		return false;
	for (; s->n_open > n; s->n_open--) {
		uint64_t id = top(s)->id;
		*task_bits(s, id >> 32, (uint32_t)id) |= TASK_LEFT;
	}
	return true;
}

static void
on_switch(struct stream *s, const struct wn_event *e)
{
	struct open *task = current_task(s);

	if (!e->v[0] && leave_above(s, e->v[1] << 32 | e->v[2]))
		return;
	s->r->count[TALLY_switches]++;
	if (task && task->kind == OPEN_TASK && e->v[0])
		*task_bits(s, task->id >> 32, (uint32_t)task->id) |= TASK_ENDED;
	fault(s, "a switch that does not follow the stack");
}

static void
on_depend(struct stream *s, uint64_t kind)
{
	static const enum tally tally[WN_DEPEND_KIND_N] = {
	    [WN_DEPEND_IN] = TALLY_depends_in,
	    [WN_DEPEND_OUT] = TALLY_depends_inout,
	    [WN_DEPEND_INOUT] = TALLY_depends_inout,
	    [WN_DEPEND_MUTEXINOUTSET] = TALLY_depends_mutexinoutset,
	    [WN_DEPEND_INOUTSET] = TALLY_depends_inoutset,
	    [WN_DEPEND_ALL_MEMORY] = TALLY_depends_all,
	};
	struct open *creation = top(s);

	if (kind >= WN_DEPEND_KIND_N || !tally[kind])
		fault(s, "dependence of kind %" PRIu64, kind);
	else
		s->r->count[tally[kind]]++;
	s->r->count[TALLY_depends]++;
	if (!s->no_ends && (!creation || creation->kind != OPEN_CREATE))
		fault(s, "a dependence outside a creation");
	else if (!s->no_ends && !(creation->aux & WN_TASK_DEPENDENT))
		fault(s, "a dependence of a task without");
}

static bool
mutex_is_new(struct replay *r, uint64_t mutex)
{
	for (size_t i = 0; i < r->n_mutexes; i++)
		if (r->mutex[i] == mutex)
			return false;
	if (r->n_mutexes < REPLAY_MUTEXES_MAX)
		r->mutex[r->n_mutexes++] = mutex;
	return true;
}

static void
on_mutex_wait(struct stream *s, uint32_t kind, uint64_t addr, uint64_t mutex)
{
	static const enum tally tally[WN_MUTEX_KIND_N] = {
	    [WN_MUTEX_CRITICAL] = TALLY_criticals,   [WN_MUTEX_ATOMIC] = TALLY_atomics,
	    [WN_MUTEX_ORDERED] = TALLY_ordereds,     [WN_MUTEX_LOCK] = TALLY_locks,
	    [WN_MUTEX_NEST_LOCK] = TALLY_nest_locks, [WN_MUTEX_DOACROSS] = TALLY_doacross_waits,
	};
	long *n = s->r->count;

	if (kind >= WN_MUTEX_KIND_N || !tally[kind])
		fault(s, "mutex of kind %u", kind);
	else
		n[tally[kind]]++;
	n[TALLY_null_mutex_sites] += addr == 0;
	n[TALLY_mutexes_held] += kind != WN_MUTEX_DOACROSS;
	n[TALLY_mutex_names] += kind != WN_MUTEX_DOACROSS && mutex_is_new(s->r, mutex);
	push(s, OPEN_MUTEX);
}

static void
on_cancel(struct stream *s, uint32_t flags)
{
	long *n = s->r->count;
	struct open *open = top(s);

	n[TALLY_cancels] += (flags & WN_CANCEL_ACTIVATED) != 0;
	n[TALLY_cancels_seen] += (flags & WN_CANCEL_DETECTED) != 0;
	n[TALLY_discarded] += (flags & WN_CANCEL_DISCARDED) != 0;
	if ((flags & WN_CANCEL_DISCARDED) && (!open || open->kind != OPEN_TASK))
		fault(s, "what is discarded is no task");
}

static void
on_fulfill(struct stream *s, uint64_t thread, uint64_t number)
{
	uint16_t *bits = task_bits(s, thread, number);

	s->r->count[TALLY_fulfills]++;
	if (*bits & TASK_FULFILLED)
		fault(s, "task %" PRIu64 ".%" PRIu64 " is fulfilled twice", thread, number);
	*bits |= TASK_FULFILLED;
}

static void
on_note(struct stream *s, uint32_t note)
{
	long *n = s->r->count;

	n[TALLY_notes_creation] += note == WN_NOTE_CREATION_UNKNOWN;
	n[TALLY_notes_dispatch] += note == WN_NOTE_DISPATCH_UNKNOWN;
	n[TALLY_notes_merged] += note == WN_NOTE_STATIC_MERGED;
	n[TALLY_notes_teams] += note == WN_NOTE_TEAMS;
	n[TALLY_notes_target] += note == WN_NOTE_TARGET;
	n[TALLY_notes_detach] += note == WN_NOTE_DETACH;
	if (note == WN_NOTE_CREATION_UNKNOWN) {
		s->no_ends = true;
		pop(s, OPEN_CREATE);
	}
}

static void
play(struct stream *s, const struct wn_event *e)
{
	long *n = s->r->count;
	struct wn_site_key site = {0, 0};

	if (e->site != WN_NO_SITE)
		site = wn_trace_site(s->r->trace, e->site);
	switch ((int)e->code) {
	case WN_EV_REGION_BEGIN:
		push(s, OPEN_REGION);
		n[TALLY_regions]++;
		n[TALLY_leagues] += (site.aux & WN_REGION_LEAGUE) != 0;
		n[TALLY_null_region_sites] += site.addr == 0;
		break;
	case WN_EV_REGION_END:
		pop(s, OPEN_REGION);
		break;
	case WN_EV_IMPLICIT_BEGIN:
		on_implicit_begin(s, e);
		break;
	case WN_EV_IMPLICIT_END:
		pop(s, OPEN_IMPLICIT);
		break;
	case WN_EV_TASK_CREATE:
	case WN_EV_TASK_CREATE_BY:
		on_create(s, e, site.aux, site.addr);
		break;
	case WN_EV_CREATE_END:
		if (top(s))
			n[TALLY_create_ends] += !(top(s)->aux & WN_TASK_WAITPOINT);
		pop(s, OPEN_CREATE);
		break;
	case WN_EV_TASK_BEGIN_OWN:
		on_task_begin(s, e->tick, s->thread, s->n_ids - e->v[0]);
		break;
	case WN_EV_TASK_BEGIN:
		on_task_begin(s, e->tick, e->v[0], e->v[1]);
		break;
	case WN_EV_TASK_END:
		on_task_end(s, e->tick, true);
		break;
	case WN_EV_TASK_SUSPEND:
		on_task_end(s, e->tick, false);
		break;
	case WN_EV_TASK_SWITCH:
		on_switch(s, e);
		break;
	case WN_EV_TASK_RANGE:
		on_range(s, e);
		break;
	case WN_EV_SYNC_BEGIN:
		on_sync_begin(s, site.aux, site.addr);
		break;
	case WN_EV_SYNC_END:
		on_sync_end(s);
		break;
	case WN_EV_GROUP_BEGIN:
		push(s, OPEN_GROUP);
		n[TALLY_groups]++;
		break;
	case WN_EV_WORK_BEGIN:
	case WN_EV_LOOP_BEGIN:
		on_work_begin(s, e, site.aux, site.addr);
		break;
	case WN_EV_WORK_END:
		pop(s, OPEN_WORK);
		break;
	case WN_EV_CHUNK_BEGIN:
		on_chunk(s, e);
		break;
	case WN_EV_STATIC_BEGIN:
		on_share(s, e);
		break;
	case WN_EV_CHUNK_END:
		pop(s, OPEN_CHUNK);
		break;
	case WN_EV_TASKLOOP_BEGIN:
		push(s, OPEN_TASKLOOP);
		n[TALLY_taskloops]++;
		n[TALLY_taskloop_iterations] += (long)e->v[0];
		n[TALLY_taskloop_planned] += (long)e->v[1];
		break;
	case WN_EV_TASKLOOP_END:
		pop(s, OPEN_TASKLOOP);
		break;
	case WN_EV_NOTE:
		on_note(s, site.aux);
		break;
	case WN_EV_DEPEND:
		on_depend(s, e->v[0]);
		break;
	case WN_EV_MUTEX_WAIT:
		on_mutex_wait(s, site.aux, site.addr, e->v[0]);
		break;
	case WN_EV_MUTEX_ACQUIRED:
		pop(s, OPEN_MUTEX);
		break;
	case WN_EV_MUTEX_RELEASED:
		n[TALLY_mutexes_held]--;
		break;
	case WN_EV_CANCEL:
		on_cancel(s, site.aux);
		break;
	case WN_EV_TASK_FULFILL:
		on_fulfill(s, e->v[0], e->v[1]);
		break;
	case WN_EV_GAP:
		fault(s, "a gap in the stream");
		break;
	default:
		break;
	}
}

/* At the end only a worker's last barrier may be open. */
static void
play_end(struct stream *s)
{
	size_t n = s->n_open;

	if (n >= 2 && s->open[n - 1].kind == OPEN_SYNC && s->open[n - 2].kind == OPEN_IMPLICIT)
		n -= 2;
	for (size_t i = 0; i < n; i++)
		fault(s, "%s still open at the end", open_name[s->open[i].kind]);
}

static int
compare_covered(const void *left, const void *right)
{
	const struct covered *a = left, *b = right;

	for (int i = 0; i < 3; i++)
		if (a->loop[i] != b->loop[i])
			return a->loop[i] < b->loop[i] ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static void
check_coverage(struct replay *r)
{
	struct stream s = {.r = r};

	qsort(r->covered, r->n_covered, sizeof *r->covered, compare_covered);
	for (size_t i = 0; i < r->n_covered; i++) {
		const struct covered *c = &r->covered[i];
		bool is_first = i == 0 || memcmp(c[-1].loop, c->loop, sizeof c->loop) != 0;
		bool is_last =
		    i + 1 == r->n_covered || memcmp(c[1].loop, c->loop, sizeof c->loop) != 0;
		if (c->first != (is_first ? 0 : c[-1].last))
			fault(&s, "a loop's iterations jump to %" PRIu64, c->first);
		if (is_last && c->last != c->trip_count)
			fault(&s, "a loop ends at %" PRIu64 " of %" PRIu64, c->last, c->trip_count);
	}
}

static void
check_tasks(struct replay *r)
{
	struct stream s = {.r = r};

	for (uint32_t thread = 0; thread < wn_trace_n_threads(r->trace); thread++) {
		for (uint64_t id = 1; id <= wn_trace_n_ids(r->trace, thread); id++) {
			unsigned bits = r->task[thread][id];
			if ((bits & TASK_BEGUN) && !(bits & TASK_ENDED))
				fault(&s, "task %u.%" PRIu64 " never ended", thread, id);
			if ((bits & TASK_BEGUN) && (!(bits & TASK_CREATED) || (bits & TASK_POINT)))
				fault(&s, "task %u.%" PRIu64 " begins, but is none", thread, id);
			if ((bits & TASK_LEFT) && !(bits & TASK_UNTIED))
				fault(&s, "task %u.%" PRIu64 " is left, but is tied", thread, id);
		}
	}
}

void
replay_run(struct replay *r)
{
	uint32_t n_threads = wn_trace_n_threads(r->trace);

	for (uint32_t i = 0; i < n_threads && i < REPLAY_THREADS_MAX; i++) {
		r->task[i] = calloc(wn_trace_n_ids(r->trace, i) + 1, sizeof(uint16_t));
		r->ended_tick[i] = calloc(wn_trace_n_ids(r->trace, i) + 1, sizeof(uint64_t));
	}
	for (uint32_t i = 0; i < n_threads; i++) {
		struct stream s = {.r = r, .thread = i};
		struct wn_cursor cursor;
		struct wn_event e;
		bool is_seen = false;
		wn_cursor_init(&cursor, r->trace, i);
		while (wn_cursor_next(&cursor, &e) > 0) {
			is_seen |= e.code != WN_EV_THREAD;
			play(&s, &e);
		}
		r->count[TALLY_threads_seen] += is_seen;
		play_end(&s);
		free(s.open);
	}
	if (!r->is_uncovered)
		check_coverage(r);
	check_tasks(r);
	const struct wn_damage *damage = wn_trace_damage(r->trace);
	if (damage->n_bad_blocks || damage->n_gaps || damage->n_bad_bytes || damage->n_dropped) {
		struct stream s = {.r = r};
		fault(&s, "the trace is damaged");
	}
}

void
replay_dump(struct replay *r, FILE *out)
{
	for (uint32_t i = 0; i < wn_trace_n_threads(r->trace); i++) {
		struct wn_cursor cursor;
		struct wn_event e;
		wn_cursor_init(&cursor, r->trace, i);
		while (wn_cursor_next(&cursor, &e) > 0) {
			fprintf(out, "T%u %10" PRIu64 " %s", i, wn_trace_ns(r->trace, e.tick),
			        wn_event_name(e.code));
			if (e.site != WN_NO_SITE) {
				struct wn_site_key site = wn_trace_site(r->trace, e.site);
				fprintf(out, " @%" PRIx64 "/%x", site.addr, site.aux);
			}
			for (unsigned k = 0; k < wn_event_n_values(e.code); k++)
				fprintf(out, " %" PRIu64, e.v[k]);
			fputc('\n', out);
		}
	}
}

long
replay_count(const struct replay *r, const char *name)
{
	static const char *const names[] = {
#define TALLY(name, text) #name,
#include "tally.def"
#undef TALLY
	};
	for (int i = 0; i < TALLY_N; i++)
		if (strcmp(names[i], name) == 0)
			return r->count[i];
	fprintf(stderr, "no such count: %s\n", name);
	return -1;
}

void
replay_free(struct replay *r)
{
	for (size_t i = 0; i < REPLAY_THREADS_MAX; i++) {
		free(r->task[i]);
		free(r->ended_tick[i]);
	}
	free(r->covered);
	wn_trace_close(r->trace);
}
