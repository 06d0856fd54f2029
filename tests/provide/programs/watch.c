/* SPDX-License-Identifier: MIT */
/*
 * watch.c - an OMPT tool that believes nothing: it follows every thread, region and task by the
 * data words it has put there, and holds the order of events against the standard's rules. It knows
 * nothing of who sends them.
 *
 *   WATCH_OUT=FILE    where to: "wrong: ..." for each rule that is broken, at the end the counts
 *   WATCH_TRACE=1     each event, too
 *   WATCH_STANDARD=1  only the standard's events
 *   WATCH_SKIP=N      event N is not asked for: then rules must be broken
 *   WATCH_DECLINES=1  initialize returns 0
 *   WATCH_EXCEPT=,N,M,  rules that the runtime is known to break by itself
 *
 * The rules are numbered in the text of what is broken.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "winnow/ompt-grain.h"

enum { THREAD = 0x7117, REGION = 0x7227, TASK = 0x7337 };
enum { NEW, RUNNING, WAITS, COMPLETE, DETACHED };

struct region {
	int magic, id, is_open;
	unsigned team_size;
	_Atomic int n_implicit;
	_Atomic uint64_t seen[4]; /* thread numbers */
	struct task *encountering;
};

struct task {
	int magic, id;
	_Atomic int state;
	int flags, is_implicit;
	struct region *region;
	struct task *outer; /* suspended below it on its thread */
	struct thread *runs_on;
	int syncs[64], n_syncs, is_waiting;
	int work, has_chunk, is_in_loop, is_masked, is_in_scope;
	int64_t lower, step;
	uint64_t iterations, covered;
	uint64_t taskloop_left;
	_Atomic int n_created;
	int n_taskloops;
};

struct thread {
	int magic, id, kind, is_over;
	struct task *task;
	struct region *regions[64];
	int n_regions;
	int mutex_kind;
	ompt_wait_id_t mutex;
};

static FILE *out;
static int is_tracing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int n_wrong, last_id;
static atomic_long counts[128];
static atomic_long n_tasks, n_undeferred, n_complete, n_chunks, n_sections, n_loops, n_static_loops,
    n_single, n_taskloop_chunks, n_waitpoints, n_dependences, n_fulfilled, n_last, n_iterations,
    n_created, n_grain_chunks, n_grain_iterations, n_implicit, n_leagues, n_cancels, n_barriers,
    n_taskwaits, n_groups, n_masked, n_scopes, n_explicit_barriers;
static double created_time, chunk_time;
static int answers[128];
static ompt_get_thread_data_t get_thread_data;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_state_t get_state;
static ompt_get_unique_id_t get_unique_id;
static ompt_set_callback_t set_callback;
static ompt_grain_get_loop_t get_loop;

static void
say(const char *what, const char *form, va_list args)
{
	pthread_mutex_lock(&lock);
	fputs(what, out);
	vfprintf(out, form, args);
	fputc('\n', out);
	fflush(out);
	pthread_mutex_unlock(&lock);
}

static const char *excepted;

static void __attribute__((format(printf, 1, 2))) wrong(const char *form, ...)
{
	va_list args;
	char rule[16];
	snprintf(rule, sizeof rule, ",%d,", atoi(form));
	if (excepted && strstr(excepted, rule))
		return;
	va_start(args, form);
	if (atomic_fetch_add(&n_wrong, 1) < 20)
		say("wrong: ", form, args);
	va_end(args);
}

static void __attribute__((format(printf, 1, 2))) trace(const char *form, ...)
{
	va_list args;
	if (!is_tracing)
		return;
	va_start(args, form);
	say("", form, args);
	va_end(args);
}

/* Every event comes on a thread that has begun and not ended. */
static struct thread *
self(int event)
{
	ompt_data_t *data = get_thread_data();
	struct thread *t = data ? data->ptr : NULL;
	atomic_fetch_add(&counts[event], 1);
	if (!t || t->magic != THREAD) {
		wrong("1: event %d on a thread that has not begun", event);
		return NULL;
	}
	if (t->is_over)
		wrong("2: event %d after the thread's end", event);
	return t;
}

static struct task *
task_of(const ompt_data_t *data, int event)
{
	struct task *task = data ? data->ptr : NULL;
	if (!task || task->magic != TASK) {
		wrong("3: event %d of a task that was never created", event);
		return NULL;
	}
	return task;
}

/* The event's task is the one that runs on this thread, and the entry points say so too. */
static struct task *
current(struct thread *t, const ompt_data_t *data, int event)
{
	struct task *task = task_of(data, event);
	ompt_data_t *asked = NULL, *asked_region = NULL;
	int thread_num = -1, flags = 0, team_size = -1;
	if (!task || !t)
		return NULL;
	if (t->task != task)
		wrong("4: event %d of task %d while %d runs on thread %d", event, task->id,
		      t->task ? t->task->id : 0, t->id);
	if (get_task_info(0, &flags, &asked, NULL, NULL, &thread_num) != 2 || asked != data)
		wrong("5: ompt_get_task_info in event %d is not of its task", event);
	if (task->region && get_parallel_info(0, &asked_region, &team_size) == 2 &&
	    asked_region->ptr != task->region)
		wrong("6: ompt_get_parallel_info in event %d is not of its region", event);
	if (task->region && task->region->is_open && team_size >= 0 &&
	    (unsigned)team_size != task->region->team_size)
		wrong("7: the team has %u threads, ompt_get_parallel_info says %d",
		      task->region->team_size, team_size);
	if (thread_num < 0 ||
	    (task->region && task->region->team_size && team_size > 0 && thread_num >= team_size))
		wrong("8: thread number %d of %d", thread_num, team_size);
	return task;
}

static void
check_region(const struct task *task, const ompt_data_t *parallel, int event)
{
	if (task && task->region && (!parallel || parallel->ptr != task->region))
		wrong("9: event %d has another region than its task", event);
}

/* Places in the code are the program's. */
static void
check_code(int event, const void *codeptr)
{
	Dl_info info;
	if (codeptr && dladdr(codeptr, &info) && info.dli_fname &&
	    strstr(info.dli_fname, "winnow-ompt"))
		wrong("77: event %d comes from code of the provider", event);
}

static void
on_thread_begin(ompt_thread_t kind, ompt_data_t *data)
{
	struct thread *t = calloc(1, sizeof *t);
	atomic_fetch_add(&counts[ompt_callback_thread_begin], 1);
	if (data->ptr)
		wrong("10: a new thread's word is not empty");
	if (get_thread_data() != data)
		wrong("11: ompt_get_thread_data in thread_begin");
	t->magic = THREAD;
	t->id = atomic_fetch_add(&last_id, 1);
	t->kind = (int)kind;
	data->ptr = t;
	trace("T%d thread_begin %d", t->id, (int)kind);
}

static void
on_thread_end(ompt_data_t *data)
{
	struct thread *t = data->ptr;
	atomic_fetch_add(&counts[ompt_callback_thread_end], 1);
	if (!t || t->magic != THREAD || t->is_over) {
		wrong("12: the end of a thread that is none");
		return;
	}
	if (t->task || t->n_regions)
		wrong("13: thread %d ends inside task %d, %d regions", t->id,
		      t->task ? t->task->id : 0, t->n_regions);
	t->is_over = 1;
	trace("T%d thread_end", t->id);
}

static void
on_parallel_begin(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *parallel,
                  unsigned int requested, int flags, const void *codeptr)
{
	struct thread *t = self(ompt_callback_parallel_begin);
	struct task *task = current(t, encountering, ompt_callback_parallel_begin);
	struct region *r = calloc(1, sizeof *r);
	if (parallel->ptr)
		wrong("14: a new region's word is not empty");
	check_code(ompt_callback_parallel_begin, codeptr);
	if (!codeptr)
		wrong("15: a region without a place in the code");
	if (!frame || !frame->enter_frame.ptr)
		wrong("16: a region is met by no frame");
	if (!(flags & (int)(ompt_parallel_team | ompt_parallel_league)))
		wrong("17: a region is neither team nor league");
	if (flags & ompt_parallel_league)
		atomic_fetch_add(&n_leagues, 1);
	else if (requested == 0)
		wrong("18: a region for 0 threads");
	r->magic = REGION;
	r->id = atomic_fetch_add(&last_id, 1);
	r->is_open = 1;
	r->encountering = task;
	parallel->ptr = r;
	if (t && t->n_regions < 64)
		t->regions[t->n_regions++] = r;
	trace("T%d parallel_begin R%d by %d, %u", t ? t->id : 0, r->id, task ? task->id : 0,
	      requested);
}

static void
on_parallel_end(ompt_data_t *parallel, ompt_data_t *encountering, int flags, const void *codeptr)
{
	struct thread *t = self(ompt_callback_parallel_end);
	struct task *task = current(t, encountering, ompt_callback_parallel_end);
	struct region *r = parallel->ptr;
	(void)flags;
	(void)codeptr;
	if (!t || !r || r->magic != REGION || !r->is_open) {
		wrong("19: the end of a region that is none");
		return;
	}
	if (t->n_regions == 0 || t->regions[t->n_regions - 1] != r)
		wrong("20: region %d ends out of order", r->id);
	if (r->encountering != task)
		wrong("21: region %d ends in another task", r->id);
	if (r->n_implicit != (int)r->team_size)
		wrong("22: region %d had %d implicit tasks of %u", r->id, r->n_implicit,
		      r->team_size);
	t->n_regions -= t->n_regions > 0;
	r->is_open = 0;
	trace("T%d parallel_end R%d", t->id, r->id);
}

static void
implicit_begin(struct thread *t, ompt_data_t *parallel, ompt_data_t *data, unsigned team_size,
               unsigned index, int flags)
{
	struct task *task = calloc(1, sizeof *task);
	struct region *r = parallel ? parallel->ptr : NULL;
	int is_whole = (flags & ompt_task_initial) && !r; /* of the program, not of a league */
	task->magic = TASK;
	task->id = atomic_fetch_add(&last_id, 1);
	task->flags = flags;
	task->is_implicit = 1;
	task->state = RUNNING;
	if (data->ptr)
		wrong("23: a new implicit task's word is not empty");
	if (is_whole) {
		if (team_size != 1 || !t || t->task || t->kind != ompt_thread_initial)
			wrong("24: an initial task of %u inside another", team_size);
	} else if (!r || r->magic != REGION || !r->is_open) {
		wrong("25: an implicit task without a region");
	} else {
		if (index >= team_size)
			wrong("26: index %u of %u", index, team_size);
		if (r->n_implicit > 0 && r->team_size != team_size)
			wrong("27: teams of %u and %u in one region", r->team_size, team_size);
		r->team_size = team_size;
		uint64_t bit = (uint64_t)1 << (index & 63);
		if (index < 256 && (atomic_fetch_or(&r->seen[index / 64], bit) & bit))
			wrong("28: thread number %u twice in region %d", index, r->id);
		atomic_fetch_add(&r->n_implicit, 1);
		task->region = r;
	}
	data->ptr = task;
	if (t) {
		task->outer = t->task;
		task->runs_on = t;
		t->task = task;
	}
	current(t, data, ompt_callback_implicit_task);
	trace("T%d implicit_begin %d in R%d %u/%u", t ? t->id : 0, task->id, r ? r->id : 0, index,
	      team_size);
}

static void
on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *data,
                 unsigned int team_size, unsigned int index, int flags)
{
	struct thread *t = self(ompt_callback_implicit_task);
	if (endpoint == ompt_scope_begin) {
		atomic_fetch_add(&n_implicit, (flags & ompt_task_implicit) != 0);
		implicit_begin(t, parallel, data, team_size, index, flags);
		return;
	}
	struct task *task = task_of(data, ompt_callback_implicit_task);
	if (!task || !t)
		return;
	if (t->task != task)
		wrong("29: implicit task %d ends while %d runs", task->id,
		      t->task ? t->task->id : 0);
	if (task->n_syncs || task->work)
		wrong("30: implicit task %d ends inside a construct", task->id);
	if (parallel && parallel->ptr != task->region)
		wrong("31: implicit task %d ends in another region", task->id);
	task->state = COMPLETE;
	t->task = task->outer;
	trace("T%d implicit_end %d", t->id, task->id);
}

static void
on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *data, int flags,
               int has_dependences, const void *codeptr)
{
	struct thread *t = self(ompt_callback_task_create);
	struct task *creator = current(t, encountering, ompt_callback_task_create);
	struct task *task = calloc(1, sizeof *task);
	(void)frame;
	(void)has_dependences;
	if (data->ptr)
		wrong("32: a new task's word is not empty");
	check_code(ompt_callback_task_create, codeptr);
	if (!codeptr)
		wrong("33: a task without a place in the code");
	if (!(flags & (ompt_task_explicit | ompt_task_taskwait | ompt_task_target)))
		wrong("34: a task of no kind: 0x%x", (unsigned)flags);
	task->magic = TASK;
	task->id = atomic_fetch_add(&last_id, 1);
	task->flags = flags;
	task->state = NEW;
	task->region = creator ? creator->region : NULL;
	data->ptr = task;
	if (flags & ompt_task_taskwait)
		atomic_fetch_add(&n_waitpoints, 1);
	else
		atomic_fetch_add(&n_tasks, 1);
	atomic_fetch_add(&n_undeferred, (flags & ompt_task_undeferred) != 0);
	trace("T%d task_create %d by %d 0x%x", t ? t->id : 0, task->id, creator ? creator->id : 0,
	      (unsigned)flags);
}

static void
leave(struct thread *t, struct task *prior, int status)
{
	int is_over = status == ompt_task_complete || status == ompt_task_detach ||
	              status == ompt_task_cancel;
	if (t->task != prior)
		wrong("35: thread %d leaves task %d while %d runs", t->id, prior->id,
		      t->task ? t->task->id : 0);
	if (is_over && (prior->n_syncs || prior->is_implicit))
		wrong("36: task %d completes inside a construct, or is implicit", prior->id);
	if (is_over)
		t->task = prior->outer;
	prior->runs_on = NULL;
	atomic_store(&prior->state, status == ompt_task_complete ? COMPLETE
	                            : status == ompt_task_detach ? DETACHED
	                                                         : WAITS);
	if (status == ompt_task_complete)
		atomic_fetch_add(&n_complete, 1);
}

static void
enter(struct thread *t, struct task *next)
{
	int state = atomic_exchange(&next->state, RUNNING);
	if (next == t->task) { /* back to what lay below */
		if (state != WAITS && state != RUNNING)
			wrong("37: thread %d goes back to task %d in state %d", t->id, next->id,
			      state);
		next->runs_on = t;
		return;
	}
	if (state != NEW)
		wrong("38: task %d starts in state %d", next->id, state);
	next->outer = t->task;
	next->runs_on = t;
	t->task = next;
}

static void
on_task_schedule(ompt_data_t *prior_data, ompt_task_status_t status, ompt_data_t *next_data)
{
	struct thread *t = self(ompt_callback_task_schedule);
	struct task *prior = task_of(prior_data, ompt_callback_task_schedule);
	if (!t || !prior)
		return;
	trace("T%d task_schedule %d:%d", t->id, prior->id, (int)status);
	if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill) {
		atomic_fetch_add(&n_fulfilled, 1);
		if (next_data)
			wrong("39: a fulfilment switches to a task");
		if (status == ompt_task_late_fulfill &&
		    atomic_exchange(&prior->state, COMPLETE) != DETACHED)
			wrong("40: late fulfilment of task %d that has not detached", prior->id);
		if (status == ompt_task_late_fulfill)
			atomic_fetch_add(&n_complete, 1);
		return;
	}
	if (status == ompt_taskwait_complete) {
		if (!(prior->flags & ompt_task_taskwait) || next_data)
			wrong("41: task %d is no taskwait", prior->id);
		return;
	}
	struct task *next = task_of(next_data, ompt_callback_task_schedule);
	leave(t, prior, (int)status);
	if (next)
		enter(t, next);
	if (next && get_task_info(0, NULL, &next_data, NULL, NULL, NULL) == 2 &&
	    next_data->ptr != next)
		wrong("42: ompt_get_task_info after a switch");
}

static void
on_dependences(ompt_data_t *data, const ompt_dependence_t *deps, int n)
{
	struct thread *t = self(ompt_callback_dependences);
	struct task *task = task_of(data, ompt_callback_dependences);
	(void)t;
	if (task && atomic_load(&task->state) != NEW)
		wrong("43: dependences of task %d after it has begun", task->id);
	if (n <= 0 || !deps)
		wrong("44: no dependences");
	for (int i = 0; i < n; i++)
		if (deps[i].dependence_type < ompt_dependence_type_in ||
		    deps[i].dependence_type > ompt_dependence_type_inoutset)
			wrong("45: dependence of type %d", (int)deps[i].dependence_type);
	atomic_fetch_add(&n_dependences, n);
}

static void
sync_event(int event, int is_wait, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
           ompt_data_t *parallel, ompt_data_t *data)
{
	struct thread *t = self(event);
	struct task *task = current(t, data, event);
	if (!task)
		return;
	trace("T%d %s %d %s task %d", t->id, is_wait ? "wait" : "sync", (int)kind,
	      endpoint == ompt_scope_begin ? "begin" : "end", task->id);
	int is_barrier = kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup;
	if (is_barrier && !task->is_implicit)
		wrong("46: a barrier in explicit task %d", task->id);
	if (endpoint == ompt_scope_begin || !is_barrier)
		check_region(task, parallel, event);
	if (is_wait) {
		if (endpoint == ompt_scope_begin && task->n_syncs == 0)
			wrong("47: task %d waits outside a sync region", task->id);
		if (task->is_waiting != (endpoint == ompt_scope_end))
			wrong("48: waits of task %d do not alternate", task->id);
		task->is_waiting = endpoint == ompt_scope_begin;
		ompt_wait_id_t id;
		int state = get_state(&id);
		if (endpoint == ompt_scope_begin && (state & ~0x3f) != 0)
			wrong("49: state 0x%x in a wait", (unsigned)state);
		return;
	}
	if (endpoint == ompt_scope_begin) {
		atomic_fetch_add(kind == ompt_sync_region_taskwait    ? &n_taskwaits
		                 : kind == ompt_sync_region_taskgroup ? &n_groups
		                                                      : &n_barriers,
		                 1);
		atomic_fetch_add(&n_explicit_barriers, kind == ompt_sync_region_barrier_explicit);
		if (task->n_syncs < 64)
			task->syncs[task->n_syncs++] = (int)kind;
	} else if (task->n_syncs == 0 || task->syncs[task->n_syncs - 1] != (int)kind) {
		wrong("50: task %d leaves sync region of kind %d it is not in", task->id,
		      (int)kind);
	} else {
		task->n_syncs--;
	}
}

static void
on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
               ompt_data_t *data, const void *codeptr)
{
	(void)codeptr;
	sync_event(ompt_callback_sync_region, 0, kind, endpoint, parallel, data);
}

static void
on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *data, const void *codeptr)
{
	(void)codeptr;
	sync_event(ompt_callback_sync_region_wait, 1, kind, endpoint, parallel, data);
}

static void
on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *data,
        uint64_t count, const void *codeptr)
{
	struct thread *t = self(ompt_callback_work);
	struct task *task = current(t, data, ompt_callback_work);
	if (!task)
		return;
	trace("T%d work %d %s count %lu", t->id, (int)type,
	      endpoint == ompt_scope_begin ? "begin" : "end", (unsigned long)count);
	check_region(task, parallel, ompt_callback_work);
	check_code(ompt_callback_work, codeptr);
	if (!codeptr)
		wrong("51: work without a place in the code");
	if ((int)type == 7) { /* taskloop */
		task->n_taskloops += endpoint == ompt_scope_begin ? 1 : -1;
		if (task->n_taskloops < 0)
			wrong("52: a taskloop ends that has not begun");
		return;
	}
	if (!task->is_implicit)
		wrong("53: worksharing in explicit task %d", task->id);
	if ((int)type == 8) { /* scope, which may contain the others */
		if (task->is_in_scope == (endpoint == ompt_scope_begin) || task->work)
			wrong("71: a scope begins or ends in work of type %d", task->work);
		task->is_in_scope = endpoint == ompt_scope_begin;
		atomic_fetch_add(&n_scopes, endpoint == ompt_scope_begin);
		return;
	}
	if (endpoint == ompt_scope_begin) {
		if (task->work)
			wrong("54: work of type %d inside %d", (int)type, task->work);
		task->work = (int)type;
		task->is_in_loop = (int)type == 1 || ((int)type >= 10 && (int)type <= 13);
		task->iterations = count;
		task->covered = 0;
		atomic_fetch_add(&n_loops, task->is_in_loop);
		atomic_fetch_add(&n_static_loops, (int)type == 10);
		atomic_fetch_add(&n_single, type == ompt_work_single_executor);
	} else {
		if (task->work != (int)type)
			wrong("55: work of type %d ends inside %d", (int)type, task->work);
		task->work = 0;
		task->is_in_loop = 0;
	}
}

static void
on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *data,
          const void *codeptr)
{
	struct thread *t = self(ompt_callback_masked);
	struct task *task = current(t, data, ompt_callback_masked);
	if (!task)
		return;
	check_region(task, parallel, ompt_callback_masked);
	check_code(ompt_callback_masked, codeptr);
	if (task->is_masked == (endpoint == ompt_scope_begin))
		wrong("70: a masked construct begins or ends twice");
	task->is_masked = endpoint == ompt_scope_begin;
	atomic_fetch_add(&n_masked, endpoint == ompt_scope_begin);
}

struct chunk {
	uint64_t start, iterations;
};

static void
on_dispatch(ompt_data_t *parallel, ompt_data_t *data, ompt_dispatch_t kind, ompt_data_t instance)
{
	struct thread *t = self(ompt_callback_dispatch);
	struct task *task = current(t, data, ompt_callback_dispatch);
	const struct chunk *chunk = instance.ptr;
	if (!task)
		return;
	trace("T%d dispatch %d", t->id, (int)kind);
	check_region(task, parallel, ompt_callback_dispatch);
	if (kind == ompt_dispatch_section) {
		atomic_fetch_add(&n_sections, 1);
		if (task->work != ompt_work_sections)
			wrong("56: a section outside of sections");
	} else if ((int)kind == 3) {
		atomic_fetch_add(&n_chunks, 1);
		atomic_fetch_add(&n_iterations, (long)chunk->iterations);
		if (!task->is_in_loop)
			wrong("57: a chunk outside of a loop");
		/* a count of 0 is one that is not known */
		uint64_t end = chunk->start + chunk->iterations;
		if (chunk->iterations == 0 || (task->iterations && end > task->iterations))
			wrong("58: chunk %lu + %lu of %lu", (unsigned long)chunk->start,
			      (unsigned long)chunk->iterations, (unsigned long)task->iterations);
		task->has_chunk = 1;
		task->lower = (int64_t)chunk->start;
		task->covered = chunk->iterations;
	} else if ((int)kind == 4) {
		atomic_fetch_add(&n_taskloop_chunks, 1);
	} else if ((int)kind == 5) {
		atomic_fetch_add(&n_chunks, 1);
		if (task->work != 6)
			wrong("72: a chunk outside of distribute");
	} else {
		wrong("59: dispatch of kind %d", (int)kind);
	}
}

#define MUTEXES_N 4096
static struct {
	_Atomic ompt_wait_id_t id;
	_Atomic(struct thread *) holder;
} mutexes[MUTEXES_N];

static _Atomic(struct thread *) *
holder_of(ompt_wait_id_t id)
{
	for (size_t i = id * 0x9e3779b97f4a7c15u >> 52;; i = (i + 1) % MUTEXES_N) {
		ompt_wait_id_t there = 0;
		if (atomic_compare_exchange_strong(&mutexes[i].id, &there, id) || there == id)
			return &mutexes[i].holder;
	}
}

static void
on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl, ompt_wait_id_t id,
                 const void *codeptr)
{
	struct thread *t = self(ompt_callback_mutex_acquire);
	(void)hint;
	(void)impl;
	(void)codeptr;
	if (!t)
		return;
	if (!id)
		wrong("60: a mutex without a name");
	t->mutex_kind = (int)kind;
	t->mutex = id;
}

static void
on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
	struct thread *t = self(ompt_callback_mutex_acquired);
	(void)codeptr;
	if (!t)
		return;
	if (t->mutex_kind != (int)kind || t->mutex != id)
		wrong("61: a mutex is acquired that was not asked for");
	struct thread *nobody = NULL;
	if (kind != ompt_mutex_ordered &&
	    !atomic_compare_exchange_strong(holder_of(id), &nobody, t))
		wrong("62: a mutex of kind %d is held twice", (int)kind);
}

static void
on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
	struct thread *t = self(ompt_callback_mutex_released);
	(void)codeptr;
	if (kind != ompt_mutex_ordered && !atomic_exchange(holder_of(id), NULL))
		wrong("63: a mutex of kind %d is released that nobody holds", (int)kind);
	(void)t;
}

static void
on_cancel(ompt_data_t *data, int flags, const void *codeptr)
{
	struct thread *t = self(ompt_callback_cancel);
	(void)codeptr;
	current(t, data, ompt_callback_cancel);
	atomic_fetch_add(&n_cancels, 1);
	if (!(flags & 0xf) || !(flags & 0x70))
		wrong("64: cancel 0x%x", (unsigned)flags);
}

static int
on_control(uint64_t command, uint64_t modifier, void *arg, const void *codeptr)
{
	(void)arg;
	(void)codeptr;
	self(ompt_callback_control_tool);
	return (int)(command + modifier);
}

/* --- the extension --- */

static double
now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void
on_grain_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *data, int flags,
                int has_dependences, double duration, const void *codeptr)
{
	struct thread *t = self(ompt_grain_callback_task_create);
	struct task *task = task_of(data, ompt_grain_callback_task_create);
	(void)frame;
	(void)has_dependences;
	(void)codeptr;
	current(t, encountering, ompt_grain_callback_task_create);
	const int more = OMPT_GRAIN_TASK_DETACHABLE | OMPT_GRAIN_TASK_DEPENDENT;
	if (task && task->flags != (flags & ~more))
		wrong("65: the two creations of task %d differ", task->id);
	if (task && atomic_fetch_add(&task->n_created, 1) != 0)
		wrong("66: task %d is created twice", task->id);
	if (!(duration >= 0 && duration < 1e10))
		wrong("67: a creation of %g ns", duration);
}

static void
on_grain_created(ompt_data_t *encountering, ompt_data_t data, double duration, const void *codeptr)
{
	struct thread *t = self(ompt_grain_callback_task_created);
	struct task *task = task_of(&data, ompt_grain_callback_task_created);
	(void)codeptr;
	current(t, encountering, ompt_grain_callback_task_created);
	atomic_fetch_add(&n_created, 1);
	if (task && atomic_fetch_add(&task->n_created, 1) != 1)
		wrong("68: the creation of task %d ends twice, or has not begun", task->id);
	if (!(duration >= 0 && duration < 1e10))
		wrong("69: a creation of %g ns", duration);
	pthread_mutex_lock(&lock);
	created_time += duration;
	pthread_mutex_unlock(&lock);
}

static void
on_loop(ext_loop_sched_t sched, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
        ompt_data_t *data, int is_signed, int64_t step, const void *codeptr)
{
	struct thread *t = self(ext_callback_loop);
	struct task *task = current(t, data, ext_callback_loop);
	ompt_grain_loop_t loop;
	(void)codeptr;
	if (!task)
		return;
	check_region(task, parallel, ext_callback_loop);
	if (!get_loop(&loop)) {
		wrong("70: ompt_grain_get_loop knows no loop");
		return;
	}
	trace("T%d loop %s %ld..%ld by %ld", t->id, endpoint == ompt_scope_begin ? "begin" : "end",
	      (long)loop.lower, (long)loop.upper, (long)loop.step);
	if (loop.step != step || loop.sched != (int)sched ||
	    ((loop.flags & OMPT_GRAIN_LOOP_SIGNED) != 0) != is_signed)
		wrong("71: the loop event and ompt_grain_get_loop differ");
	if (endpoint == ompt_scope_begin && task->work && loop.iterations != task->iterations)
		wrong("72: %lu iterations, work says %lu", (unsigned long)loop.iterations,
		      (unsigned long)task->iterations);
	task->step = step;
}

static void
on_chunk(ompt_data_t *data, int64_t lower, int64_t upper, double duration, int is_last)
{
	struct thread *t = self(ext_callback_chunk);
	struct task *task = current(t, data, ext_callback_chunk);
	ompt_grain_loop_t loop;
	if (!task)
		return;
	trace("T%d chunk %ld..%ld last %d %g", t->id, (long)lower, (long)upper, is_last, duration);
	if (!get_loop(&loop)) {
		wrong("70: ompt_grain_get_loop knows no loop");
		return;
	}
	uint64_t step = loop.step ? (uint64_t)loop.step : 1;
	int is_down = (int64_t)step < 0;
	uint64_t width = is_down ? 0 - step : step;
	uint64_t span =
	    is_down ? (uint64_t)lower - (uint64_t)upper : (uint64_t)upper - (uint64_t)lower;
	uint64_t offset = is_down ? (uint64_t)loop.lower - (uint64_t)lower
	                          : (uint64_t)lower - (uint64_t)loop.lower;
	uint64_t n = span / width + 1, first = offset / width;
	if (first + n > loop.iterations || span % width || offset % width)
		wrong("73: chunk %ld..%ld of %ld..%ld by %ld", (long)lower, (long)upper,
		      (long)loop.lower, (long)loop.upper, (long)loop.step);
	/* some runtimes dispatch nothing where compiled code computes the chunks, or nothing at all
	 */
	if (task->has_chunk && (first != (uint64_t)task->lower || n != task->covered))
		wrong("74: chunk %ld..%ld is not what was dispatched", (long)lower, (long)upper);
	task->has_chunk = 0;
	atomic_fetch_add(&n_grain_chunks, 1);
	atomic_fetch_add(&n_grain_iterations, (long)n);
	if (is_last != ((uint64_t)upper == (uint64_t)loop.upper))
		wrong("75: the last chunk is another");
	if (!(duration >= 0 && duration < 1e10))
		wrong("76: a chunk made in %g ns", duration);
	atomic_fetch_add(&n_last, is_last);
	pthread_mutex_lock(&lock);
	chunk_time += duration;
	pthread_mutex_unlock(&lock);
}

/* --- start and end --- */

static int skipped;

static void
set_event(int event, ompt_callback_t callback)
{
	if (event != skipped)
		answers[event] = (int)set_callback((ompt_callbacks_t)event, callback);
}

#define SET(event, function) set_event((int)(event), (ompt_callback_t)(void (*)(void))(function))

static int
initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data)
{
	(void)device;
	(void)tool_data;
	fprintf(out, "initialized\n");
	if (getenv("WATCH_DECLINES"))
		return 0;
	if (getenv("WATCH_SKIP"))
		skipped = atoi(getenv("WATCH_SKIP"));
	set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
	get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
	get_state = (ompt_get_state_t)lookup("ompt_get_state");
	get_unique_id = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
	get_loop = (ompt_grain_get_loop_t)lookup("ompt_grain_get_loop");
	SET(ompt_callback_thread_begin, on_thread_begin);
	SET(ompt_callback_thread_end, on_thread_end);
	SET(ompt_callback_parallel_begin, on_parallel_begin);
	SET(ompt_callback_parallel_end, on_parallel_end);
	SET(ompt_callback_implicit_task, on_implicit_task);
	SET(ompt_callback_task_create, on_task_create);
	SET(ompt_callback_task_schedule, on_task_schedule);
	SET(ompt_callback_dependences, on_dependences);
	SET(ompt_callback_sync_region, on_sync_region);
	SET(ompt_callback_sync_region_wait, on_sync_region_wait);
	SET(ompt_callback_work, on_work);
	SET(ompt_callback_masked, on_masked);
	SET(ompt_callback_dispatch, on_dispatch);
	SET(ompt_callback_mutex_acquire, on_mutex_acquire);
	SET(ompt_callback_mutex_acquired, on_mutex_acquired);
	SET(ompt_callback_mutex_released, on_mutex_released);
	SET(ompt_callback_cancel, on_cancel);
	SET(ompt_callback_control_tool, on_control);
	if (getenv("WATCH_STANDARD"))
		return 1;
	SET(ext_tool_time, now);
	SET(ompt_grain_callback_task_create, on_grain_create);
	SET(ompt_grain_callback_task_created, on_grain_created);
	SET(ext_callback_loop, on_loop);
	SET(ext_callback_chunk, on_chunk);
	return 1;
}

static void
finalize(ompt_data_t *tool_data)
{
	(void)tool_data;
	for (int i = 1; i < 128; i++)
		if (answers[i])
			fprintf(out, "answer %d: %d\n", i, answers[i]);
	for (int i = 1; i < 128; i++)
		if (counts[i])
			fprintf(out, "event %d: %ld\n", i, (long)counts[i]);
#define COUNT(name) fprintf(out, #name " %ld\n", (long)n_##name)
	COUNT(tasks);
	COUNT(undeferred);
	COUNT(complete);
	COUNT(created);
	COUNT(chunks);
	COUNT(grain_chunks);
	COUNT(grain_iterations);
	COUNT(last);
	COUNT(iterations);
	COUNT(loops);
	COUNT(static_loops);
	COUNT(sections);
	COUNT(single);
	COUNT(taskloop_chunks);
	COUNT(waitpoints);
	COUNT(dependences);
	COUNT(fulfilled);
	COUNT(implicit);
	COUNT(leagues);
	COUNT(cancels);
	COUNT(barriers);
	COUNT(taskwaits);
	COUNT(groups);
	COUNT(masked);
	COUNT(scopes);
	COUNT(explicit_barriers);
	fprintf(out, "regions %ld\n", (long)counts[ompt_callback_parallel_begin]);
	fprintf(out, "created_ns %.0f\nchunk_ns %.0f\n", created_time, chunk_time);
	fprintf(out, "broken %d\nfinalized\n", n_wrong);
	fclose(out);
}

ompt_start_tool_result_t *
ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};
	const char *name = getenv("WATCH_OUT");
	is_tracing = getenv("WATCH_TRACE") != NULL;
	excepted = getenv("WATCH_EXCEPT");
	out = name ? fopen(name, "w") : NULL;
	if (!out)
		return NULL;
	fprintf(out, "version %u, %s\n", omp_version, runtime_version);
	return &result;
}
