/* SPDX-License-Identifier: MIT */
/*
 * stream.c - the rules, event by event. Everything that begins ends, last in first out, on its
 * thread; only a pool thread's last barrier stays open and is dropped at its next implicit task.
 */
#include "stream.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t counts[COUNT_N];

void
fail(struct stream *s, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (s->n_errors++ < 10) {
		fputs("# ", stdout);
		vprintf(format, args);
		putchar('\n');
	}
	va_end(args);
}

struct task *
task_at(struct stream *s, uint64_t id)
{
	uint32_t thread = (uint32_t)(id >> 32), number = (uint32_t)id;
	if (number == 0 || thread >= wn_trace_n_threads(s->trace) ||
	    number > wn_trace_n_ids(s->trace, thread)) {
		fail(s, "id %u.%u is nobody's", thread, number);
		exit(1);
	}
	return &s->tasks[thread][number];
}

static void
push(struct reader *r, enum wn_event_code code, uint64_t id, uint32_t aux)
{
	if (r->depth + 1 >= OPEN_MAX) {
		fail(r->s, "nested too deep");
		exit(1);
	}
	r->open[r->depth] = (struct open){code, id, aux};
	r->depth++;
	r->member[r->depth] = r->member[r->depth - 1];
}

static struct open
pop(struct reader *r, enum wn_event_code begun, enum wn_event_code ended)
{
	struct open none = {WN_EV_NONE, 0, 0};
	if (r->depth == 0 || r->open[r->depth - 1].code != begun) {
		fail(r->s, "thread %u: %s in %s", r->thread, wn_event_name(ended),
		     r->depth ? wn_event_name(r->open[r->depth - 1].code) : "nothing");
		return none;
	}
	/* what an implicit task counted stays with the frame it was counted in */
	struct team_member member = r->member[r->depth];
	r->depth--;
	if (begun != WN_EV_IMPLICIT_BEGIN)
		r->member[r->depth] = member;
	return r->open[r->depth];
}

static uint64_t
own_id(struct reader *r)
{
	return (uint64_t)r->thread << 32 | ++r->n_ids;
}

static uint64_t
current_task(const struct reader *r)
{
	for (uint32_t i = r->depth; i > 0; i--)
		if (r->open[i - 1].code == WN_EV_TASK_BEGIN ||
		    r->open[i - 1].code == WN_EV_IMPLICIT_BEGIN)
			return r->open[i - 1].id;
	return 0;
}

static struct region *
region_of(struct stream *s, uint64_t id)
{
	for (size_t i = s->n_regions; i > 0; i--)
		if (s->regions[i - 1].id == id)
			return &s->regions[i - 1];
	s->regions = realloc(s->regions, (s->n_regions + 1) * sizeof *s->regions);
	s->regions[s->n_regions] = (struct region){.id = id};
	return &s->regions[s->n_regions++];
}

static void
implicit_begin(struct reader *r, const struct wn_event *e)
{
	uint64_t region_id = e->v[0] << 32 | e->v[1];
	struct region *region = region_of(r->s, region_id);
	bool is_master = e->v[0] == r->thread && (e->v[3] == 0 || region->is_league);
	if (!is_master) {
		bool is_stale = r->depth == 2 && r->open[0].code == WN_EV_IMPLICIT_BEGIN &&
		                r->open[1].aux == WN_SYNC_BARRIER_REGION;
		if (r->depth != 0 && !is_stale)
			fail(r->s, "thread %u: worker begins with %u things open", r->thread,
			     r->depth);
		r->depth = 0;
	}
	if (region->n_implicit && region->team_size != e->v[2])
		fail(r->s, "region %lx: team sizes %lu and %lu", region_id, region->team_size,
		     e->v[2]);
	if (e->v[3] < 64 && region->thread_nums >> e->v[3] & 1)
		fail(r->s, "region %lx: thread %lu twice", region_id, e->v[3]);
	region->team_size = e->v[2];
	region->n_implicit++;
	region->thread_nums |= e->v[3] < 64 ? UINT64_C(1) << e->v[3] : 0;
	push(r, WN_EV_IMPLICIT_BEGIN, own_id(r), 0);
	r->member[r->depth] = (struct team_member){.region = region_id};
	counts[COUNT_implicit]++;
}

static uint32_t
loop_of(struct stream *s, struct loop key)
{
	for (uint32_t i = s->n_loops; i > 0 && key.region; i--) {
		struct loop *l = &s->loops[i - 1];
		if (!l->is_taskloop && !key.is_taskloop && l->region == key.region &&
		    l->ordinal == key.ordinal)
			return i - 1;
	}
	s->loops = realloc(s->loops, (s->n_loops + 1) * sizeof *s->loops);
	s->loops[s->n_loops] = key;
	return s->n_loops++;
}

static void
loop_begin(struct reader *r, const struct wn_event *e, struct wn_site_key site)
{
	struct team_member *m = &r->member[r->depth];
	struct loop key = {
	    .region = m->region,
	    .ordinal = m->n_loops++,
	    .trip_count = e->v[0],
	    .lower = wn_unzigzag(e->v[1]),
	    .step = wn_unzigzag(e->v[2]),
	    .chunk = e->v[3],
	    .aux = site.aux,
	};
	uint32_t index = loop_of(r->s, key);
	struct loop *l = &r->s->loops[index];
	if (l->trip_count != key.trip_count || l->lower != key.lower || l->step != key.step)
		fail(r->s, "threads disagree about loop %u", index);
	l->n_met++;
	counts[COUNT_loops_met]++;
	push(r, WN_EV_WORK_BEGIN, index, site.aux);
}

void
add_range(struct stream *s, uint32_t loop, uint64_t first, uint64_t n_iterations)
{
	s->ranges = realloc(s->ranges, (s->n_ranges + 1) * sizeof *s->ranges);
	s->ranges[s->n_ranges++] = (struct range){loop, first, n_iterations};
	counts[COUNT_iterations] += n_iterations;
}

static void
chunk_begin(struct reader *r, const struct wn_event *e)
{
	uint64_t first = r->member[r->depth].chunk_next + (uint64_t)wn_unzigzag(e->v[0]);
	const struct open *work = r->depth ? &r->open[r->depth - 1] : NULL;
	if (!work || work->code != WN_EV_WORK_BEGIN ||
	    !(work->aux & (WN_LOOP_BOUNDS | WN_LOOP_INLINE)))
		fail(r->s, "thread %u: chunk outside a loop", r->thread);
	else
		add_range(r->s, (uint32_t)work->id, first, e->v[1]);
	r->member[r->depth].chunk_next = first + e->v[1];
	push(r, WN_EV_CHUNK_BEGIN, own_id(r), 0);
	counts[COUNT_chunks]++;
}

static void
task_create(struct reader *r, uint32_t flags)
{
	uint64_t id = own_id(r);
	struct task *task = task_at(r->s, id);
	task->n_created++; /* what its execution says may have been read before */
	task->parent = current_task(r);
	task->flags = flags;
	for (uint32_t i = r->depth; i > 0 && r->open[i - 1].code != WN_EV_TASK_BEGIN; i--)
		if (r->open[i - 1].code == WN_EV_TASKLOOP_BEGIN)
			task->taskloop = (uint32_t)r->open[i - 1].id + 1;
	push(r, WN_EV_TASK_CREATE, id, flags);
	counts[COUNT_undeferred] +=
	    (flags & (WN_TASK_UNDEFERRED | WN_TASK_WAITPOINT)) == WN_TASK_UNDEFERRED;
	counts[COUNT_untied] += (flags & WN_TASK_UNTIED) != 0;
	counts[COUNT_final] += (flags & WN_TASK_FINAL) != 0;
	counts[COUNT_mergeable] += (flags & WN_TASK_MERGEABLE) != 0;
	counts[COUNT_dependent] +=
	    (flags & (WN_TASK_DEPENDENT | WN_TASK_WAITPOINT)) == WN_TASK_DEPENDENT;
	counts[COUNT_detach] += (flags & WN_TASK_DETACH) != 0;
	counts[COUNT_targets] += (flags & (WN_TASK_TARGET | WN_TASK_WAITPOINT)) == WN_TASK_TARGET;
	counts[flags & WN_TASK_WAITPOINT  ? COUNT_waitpoints
	       : flags & WN_TASK_TASKLOOP ? COUNT_taskloop_tasks
	                                  : COUNT_tasks]++;
}

static void
task_begin(struct reader *r, uint64_t id)
{
	struct task *task = task_at(r->s, id);
	task->n_begun++;
	push(r, WN_EV_TASK_BEGIN, id, 0);
	counts[COUNT_begun]++;
}

static void
sync_begin(struct reader *r, uint32_t kind)
{
	static const enum count of_kind[WN_SYNC_KIND_N] = {
	    [WN_SYNC_TASKWAIT] = COUNT_taskwaits,
	    [WN_SYNC_TASKGROUP] = COUNT_taskgroup_waits,
	    [WN_SYNC_BARRIER_EXPLICIT] = COUNT_barriers_explicit,
	    [WN_SYNC_BARRIER_IMPLICIT] = COUNT_barriers_implicit,
	    [WN_SYNC_BARRIER_REGION] = COUNT_barriers_region,
	    [WN_SYNC_TASKYIELD] = COUNT_taskyields,
	    [WN_SYNC_DEPEND] = COUNT_depend_waits,
	};
	counts[of_kind[kind]]++;
	push(r, WN_EV_SYNC_BEGIN, 0, kind);
}

/* Of unknown bounds: all threads of the team meet the same ones. */
static uint32_t
inline_loop(struct reader *r)
{
	struct team_member *m = &r->member[r->depth];
	uint32_t index = loop_of(
	    r->s, (struct loop){.region = m->region, .ordinal = m->n_loops++, .is_inline = true});
	if (!r->s->loops[index].is_inline)
		fail(r->s, "threads disagree about loop %u", index);
	r->s->loops[index].n_met++;
	return index;
}

static void
work_begin(struct reader *r, uint32_t aux)
{
	r->member[r->depth].chunk_next = 0;
	enum count of = COUNT_scopes;
	if (aux == WN_WORK_SECTIONS)
		of = COUNT_sections_met;
	else if (aux == WN_WORK_SINGLE_EXECUTOR)
		of = COUNT_single_executors;
	else if (aux == WN_WORK_SINGLE_OTHER)
		of = COUNT_single_others;
	else if (aux == WN_WORK_MASKED)
		of = COUNT_masked;
	else if (aux & WN_LOOP_INLINE)
		of = COUNT_inline_loops_met;
	counts[of]++;
	push(r, WN_EV_WORK_BEGIN, of == COUNT_inline_loops_met ? inline_loop(r) : 0, aux);
}

static void
taskloop_begin(struct reader *r, const struct wn_event *e, uint32_t aux)
{
	struct loop key = {
	    .trip_count = e->v[0], .n_tasks = e->v[1], .aux = aux, .is_taskloop = true};
	push(r, WN_EV_TASKLOOP_BEGIN, loop_of(r->s, key), aux);
	counts[COUNT_taskloops]++;
}

static void
task_range(struct reader *r, const struct wn_event *e)
{
	struct task *task = task_at(r->s, current_task(r));
	if (task->n_iterations)
		fail(r->s, "a task has two ranges");
	task->first = (uint64_t)wn_unzigzag(e->v[0]);
	task->n_iterations = e->v[1];
}

static void
region_begin(struct reader *r, uint32_t flags)
{
	uint64_t id = (uint64_t)r->thread << 32 | r->cursor.n_regions;
	counts[flags & WN_REGION_LEAGUE ? COUNT_leagues : COUNT_regions]++;
	push(r, WN_EV_REGION_BEGIN, id, flags);
	region_of(r->s, id)->is_league = flags & WN_REGION_LEAGUE;
}

/* Clauses come right behind the beginning of a creation that has some. */
static void
depend(struct reader *r, const struct wn_event *e)
{
	static const enum count of_kind[WN_DEPEND_KIND_N] = {
	    [WN_DEPEND_IN] = COUNT_depend_in,
	    [WN_DEPEND_OUT] = COUNT_depend_out,
	    [WN_DEPEND_INOUT] = COUNT_depend_inout,
	    [WN_DEPEND_MUTEXINOUTSET] = COUNT_depend_mutexinoutset,
	    [WN_DEPEND_INOUTSET] = COUNT_depend_inoutset,
	    [WN_DEPEND_ALL_MEMORY] = COUNT_depend_all_memory,
	};
	const struct open *top = r->depth ? &r->open[r->depth - 1] : NULL;
	if (!top || top->code != WN_EV_TASK_CREATE || !(top->aux & WN_TASK_DEPENDENT) ||
	    !r->may_depend)
		fail(r->s, "thread %u: a dependence of nothing", r->thread);
	if (e->v[0] == 0 || e->v[0] >= WN_DEPEND_KIND_N)
		fail(r->s, "thread %u: dependence of kind %lu", r->thread, e->v[0]);
	else
		counts[of_kind[e->v[0]]]++;
}

static void
mutex_wait(struct reader *r, const struct wn_event *e, uint32_t kind)
{
	static const enum count of_kind[WN_MUTEX_KIND_N] = {
	    [WN_MUTEX_CRITICAL] = COUNT_criticals,   [WN_MUTEX_ATOMIC] = COUNT_atomics,
	    [WN_MUTEX_ORDERED] = COUNT_ordereds,     [WN_MUTEX_LOCK] = COUNT_locks,
	    [WN_MUTEX_NEST_LOCK] = COUNT_nest_locks, [WN_MUTEX_DOACROSS] = COUNT_doacross_waits,
	};
	if (kind == 0 || kind >= WN_MUTEX_KIND_N)
		fail(r->s, "thread %u: mutex of kind %u", r->thread, kind);
	else
		counts[of_kind[kind]]++;
	r->wait_tick = e->tick;
	push(r, WN_EV_MUTEX_WAIT, e->v[0], kind);
}

static void
mutex_acquired(struct reader *r, const struct wn_event *e)
{
	struct open wait = pop(r, WN_EV_MUTEX_WAIT, e->code);
	uint64_t ns = wn_trace_ns(r->s->trace, e->tick) - wn_trace_ns(r->s->trace, r->wait_tick);
	counts[COUNT_long_waits] += ns >= 100000000;
	if (wait.aux == WN_MUTEX_DOACROSS)
		return;
	if (r->n_mutexes == 64) {
		fail(r->s, "thread %u holds too many mutexes", r->thread);
		exit(1);
	}
	r->mutexes[r->n_mutexes++] = (struct held){wait.aux, wait.id, e->tick, 0};
}

static void
mutex_released(struct reader *r, const struct wn_event *e, uint32_t kind)
{
	struct stream *s = r->s;
	uint32_t i = r->n_mutexes;
	while (i > 0 && (r->mutexes[i - 1].kind != kind || r->mutexes[i - 1].mutex != e->v[0]))
		i--;
	if (i == 0) {
		fail(s, "thread %u releases what it does not hold", r->thread);
		return;
	}
	s->held = realloc(s->held, (s->n_held + 1) * sizeof *s->held);
	s->held[s->n_held] = r->mutexes[i - 1];
	s->held[s->n_held++].to_tick = e->tick;
	r->mutexes[i - 1] = r->mutexes[--r->n_mutexes];
}

static void
cancel(struct reader *r, uint32_t flags)
{
	uint32_t what = flags & 15u, how = flags & ~15u;
	if (what == 0 || (what & (what - 1)) != 0 ||
	    (how != WN_CANCEL_ACTIVATED && how != WN_CANCEL_DETECTED))
		fail(r->s, "thread %u: cancellation %x", r->thread, flags);
	counts[how == WN_CANCEL_ACTIVATED ? COUNT_cancels : COUNT_cancels_seen]++;
}

static void
fulfill(struct reader *r, uint64_t id)
{
	task_at(r->s, id)->n_fulfilled++;
	counts[COUNT_fulfills]++;
}

static void
read_end(struct reader *r, enum wn_event_code code)
{
	struct open task;
	switch ((int)code) {
	case WN_EV_IMPLICIT_END:
		pop(r, WN_EV_IMPLICIT_BEGIN, code);
		break;
	case WN_EV_REGION_END:
		region_of(r->s, pop(r, WN_EV_REGION_BEGIN, code).id)->is_ended = true;
		break;
	case WN_EV_CREATE_END:
		pop(r, WN_EV_TASK_CREATE, code);
		break;
	case WN_EV_TASK_END:
		task = pop(r, WN_EV_TASK_BEGIN, code);
		if (task.code)
			task_at(r->s, task.id)->n_ended++;
		break;
	case WN_EV_SYNC_END:
		pop(r, WN_EV_SYNC_BEGIN, code);
		break;
	case WN_EV_WORK_END:
		r->member[r->depth].chunk_next = 0;
		pop(r, WN_EV_WORK_BEGIN, code);
		break;
	case WN_EV_CHUNK_END:
		pop(r, WN_EV_CHUNK_BEGIN, code);
		break;
	case WN_EV_TASKLOOP_END:
		pop(r, WN_EV_TASKLOOP_BEGIN, code);
		break;
	default:
		fail(r->s, "unexpected %s", wn_event_name(code));
	}
}

static void
read_waiting(struct reader *r, const struct wn_event *e, struct wn_site_key site)
{
	switch ((int)e->code) {
	case WN_EV_DEPEND:
		depend(r, e);
		break;
	case WN_EV_MUTEX_WAIT:
		mutex_wait(r, e, site.aux);
		break;
	case WN_EV_MUTEX_ACQUIRED:
		mutex_acquired(r, e);
		break;
	case WN_EV_MUTEX_RELEASED:
		mutex_released(r, e, site.aux);
		break;
	case WN_EV_CANCEL:
		cancel(r, site.aux);
		break;
	case WN_EV_TASK_FULFILL:
		fulfill(r, e->v[0] << 32 | e->v[1]);
		break;
	default:
		read_end(r, e->code);
	}
}

void
read_event(struct reader *r, const struct wn_event *e, struct wn_site_key site)
{
	switch ((int)e->code) {
	case WN_EV_THREAD:
		counts[COUNT_threads]++;
		break;
	case WN_EV_CPU:
		break;
	case WN_EV_REGION_BEGIN:
		region_begin(r, site.aux);
		break;
	case WN_EV_IMPLICIT_BEGIN:
		implicit_begin(r, e);
		break;
	case WN_EV_TASK_CREATE:
		task_create(r, site.aux);
		break;
	case WN_EV_TASK_BEGIN_OWN:
		task_begin(r, (uint64_t)r->thread << 32 | (r->n_ids - e->v[0]));
		break;
	case WN_EV_TASK_BEGIN:
		task_begin(r, e->v[0] << 32 | e->v[1]);
		break;
	case WN_EV_TASK_RANGE:
		task_range(r, e);
		break;
	case WN_EV_SYNC_BEGIN:
		sync_begin(r, site.aux);
		break;
	case WN_EV_GROUP_BEGIN:
		counts[COUNT_groups]++;
		break;
	case WN_EV_WORK_BEGIN:
		work_begin(r, site.aux);
		break;
	case WN_EV_LOOP_BEGIN:
		r->member[r->depth].chunk_next = 0;
		loop_begin(r, e, site);
		break;
	case WN_EV_CHUNK_BEGIN:
		chunk_begin(r, e);
		break;
	case WN_EV_SECTION_BEGIN:
		counts[COUNT_sections]++;
		push(r, WN_EV_CHUNK_BEGIN, own_id(r), 0);
		break;
	case WN_EV_TASKLOOP_BEGIN:
		taskloop_begin(r, e, site.aux);
		break;
	case WN_EV_NOTE:
		counts[COUNT_notes]++;
		break;
	default:
		read_waiting(r, e, site);
	}
	r->may_depend = e->code == WN_EV_TASK_CREATE || e->code == WN_EV_DEPEND;
}
