/* SPDX-License-Identifier: MIT */
/*
 * grain.c - converts events of the extension for grains to records, as the wrappers in
 * record/sources/libomp and record/sources/libgomp do.
 *
 * Durations are in ticks of this library's clock, which is the tool's time: a creation began its
 * duration before its event, and a chunk's predecessor ended when the call began that dispatched
 * the chunk. A share of a static loop that is reported at once is one record, which is extended as
 * long as no other record follows it.
 */
#include "record/sources/ompt/grain.h"
#include "base/map.h"
#include "record/control/control.h"
#include "record/sources/ompt/callbacks.h"
#include "record/sources/ompt/client.h"

#include <sys/mman.h>

struct ompt_grain wn_ompt_grain;

static ompt_grain_get_loop_t get_loop;
static ompt_grain_is_told_t is_reported;
static ompt_grain_get_section_t get_section;
static ompt_grain_get_function_t get_function;

/* wn_thread.source_word of a libgomp thread, whose own source records nothing: open creations whose
 * end is due. */
enum { WORD_CREATIONS = 0 };

/* Ticks since then, because a double has only 53 bits. */
static uint64_t first_tick;

static double
tool_time(void)
{
	return (double)(wn_clock() - first_tick);
}

static inline uint64_t
tick_before(uint64_t tick, double duration)
{
	return duration > 0 && duration < (double)tick ? tick - (uint64_t)duration : tick;
}

/* This library's data word of a task, also with a second tool. */
static inline ompt_data_t *
own_word_of(ompt_data_t *word)
{
	return WN_UNLIKELY(wn_ompt_has_client) ? own_word(client_pair_of(word)) : word;
}

const void *
ompt_grain_function(void)
{
	return get_function ? get_function() : NULL;
}

/* The site of a construct other than a task. Its function's site is the first byte, and readers
 * look up the byte before, hence + 1. */
static const void *
site_of(const void *codeptr)
{
	const void *function = ompt_grain_function();
	return function ? (const char *)function + 1 : user_code_or_null(codeptr);
}

/* --- tasks ------------------------------------------------------------------------------------ */

/* The taskloops that this thread is in, by stack depth; mapped at the first one, and doubled when
 * full. Without memory, tasks of deeper ones are recorded as single tasks. */
struct open_taskloop {
	const void *site;
	uint32_t depth;
	uint32_t flags; /* enum wn_task_flag */
};
#define TASKLOOPS_BYTES 4096u /* initially */
static __thread struct open_taskloop *taskloops __attribute__((tls_model("initial-exec")));
static __thread size_t taskloops_bytes __attribute__((tls_model("initial-exec")));
static __thread uint32_t n_taskloops __attribute__((tls_model("initial-exec")));

static struct open_taskloop *
taskloop_top(void)
{
	bool is_kept = n_taskloops > 0 && n_taskloops <= taskloops_bytes / sizeof *taskloops;
	return is_kept ? &taskloops[n_taskloops - 1] : NULL;
}

static inline bool
is_in_taskloop(const struct wn_thread *t)
{
	const struct open_taskloop *top = WN_UNLIKELY(n_taskloops > 0) ? taskloop_top() : NULL;
	return top && top->depth == wn_stack_depth(t);
}

static void
grow_taskloops(void)
{
	size_t n_bytes = taskloops ? 2 * taskloops_bytes : TASKLOOPS_BYTES;
	void *map = wn_map_more(taskloops, taskloops_bytes, n_bytes, 0);
	if (!map)
		return;
	taskloops = map;
	taskloops_bytes = n_bytes;
}

void
ompt_grain_thread_end(void)
{
	if (taskloops)
		munmap(taskloops, taskloops_bytes);
	taskloops = NULL;
	taskloops_bytes = 0;
}

/* The function if it is known, for source lines (ompt-grain.h). */
static inline const void *
task_site(const void *codeptr, uint32_t *flags)
{
	const void *function = ompt_grain_function();
	if (function) {
		*flags |= WN_TASK_SITE_FUNCTION;
		return function;
	}
	const void *site = user_code_or_null(codeptr);
	*flags |= site ? 0u : (uint32_t)WN_TASK_FOREIGN_SITE;
	return site;
}

void
ompt_grain_taskloop(struct wn_thread *t, ompt_scope_endpoint_t endpoint, uint64_t count,
                    const void *codeptr)
{
	uint64_t tick = wn_clock();
	if (endpoint == ompt_scope_begin) {
		uint32_t flags = WN_TASK_TASKLOOP;
		const void *site = task_site(codeptr, &flags);
		if (n_taskloops++ >= taskloops_bytes / sizeof *taskloops)
			grow_taskloops();
		if (!taskloop_top())
			return;
		*taskloop_top() = (struct open_taskloop){site, wn_stack_depth(t), flags};
		wn_ev_taskloop_begin(t, tick, site, flags, count, 0);
	} else if (n_taskloops > 0) {
		if (taskloop_top())
			wn_ev_taskloop_end(t, tick);
		n_taskloops--;
	}
}

/* Created by a taskloop, whose time is measured as a whole; or by a helper task of the runtime, on
 * behalf of the task that met the taskloop. */
static WN_SLOW wn_id
create_in_taskloop(struct wn_thread *t, wn_id parent, uint64_t tick, double duration,
                   uint32_t flags)
{
	wn_id id;

	if (is_in_taskloop(t)) {
		const struct open_taskloop *loop = taskloop_top();
		id = wn_ev_task_create(t, tick, loop->site, flags | loop->flags);
	} else {
		flags |= WN_TASK_TASKLOOP;
		const void *site = task_site(NULL, &flags);
		parent = parent ? parent : (wn_id)t->index << 32;
		id = wn_ev_task_create_by(t, tick_before(tick, duration), site, flags, parent);
	}
	wn_ev_create_end(t, tick);
	return id;
}

/* Slow path: the site is new, the window is full, or the task has a special kind. */
static WN_SLOW void
create_slowly(struct wn_thread *t, const ompt_data_t *encountering, ompt_data_t *task,
              uint32_t flags, double duration, const void *codeptr)
{
	uint64_t tick = wn_clock();
	wn_id parent = encountering ? encountering->value : 0;
	bool is_elsewhere = parent != wn_stack_peek(t, 0) && t->depth > 0 && wn_stack_is_known(t);

	if (flags & WN_TASK_WAITPOINT) {
		ompt_waitpoint_begin(t, flags, codeptr);
		return;
	}
	creation_close(t, tick_before(tick, duration));
	if (is_elsewhere || is_in_taskloop(t)) {
		task->value = create_in_taskloop(t, parent, tick, duration, flags);
		return;
	}
	bool is_timed = duration > 0 || wn_ompt_grain.reports_all_ends;
	const void *site = task_site(codeptr, &flags);
	uint64_t command_tick = is_timed ? 0 : wn_command_creation_tick(t, wn_stack_peek(t, 0));
	task->value = wn_ev_task_create(
	    t, command_tick ? command_tick : tick_before(tick, duration), site, flags);
	if (wn_ompt_grain.is_native && duration > 0)
		wn_ev_create_end(t, tick); /* the rest of it has no event */
	else if (wn_ompt_grain.reports_all_ends)
		t->source_word[WORD_CREATIONS]++;
	else if (is_timed || command_tick)
		t->source_flags |= FLAG_CREATION_OPEN;
	else
		ompt_note_creation(t, site);
	t->commands.owes_creation_end |= command_tick != 0;
	if ((flags & WN_TASK_DEPENDENT) && !wn_ompt_grain.is_libgomp)
		ompt_note_depend(t, site);
}

static void
on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task,
               int ompt_flags, int has_dependences, double duration, const void *codeptr)
{
	struct wn_thread *t = wn_self;
	(void)frame;

	if (!t)
		return;
	encountering = own_word_of(encountering);
	uint32_t flags = ompt_task_flags(ompt_flags, has_dependences);
	flags |= ompt_flags & OMPT_GRAIN_TASK_DETACHABLE ? (uint32_t)WN_TASK_DETACH : 0u;
	flags |= ompt_flags & OMPT_GRAIN_TASK_DEPENDENT ? (uint32_t)WN_TASK_DEPENDENT : 0u;
	if (!(flags & WN_TASK_WAITPOINT))
		task = own_word_of(task);
	const void *function = ompt_grain_function();
	unsigned place = function ? wn_quick_site(t, function, flags | WN_TASK_SITE_FUNCTION)
	                          : wn_quick_site(t, codeptr, flags);
	/* the table of sites contains only user code */
	if (WN_LIKELY(place != WN_SITE_TABLE_N && wn_quick(t) && !n_taskloops && encountering &&
	              encountering->value == wn_stack_peek(t, 0) &&
	              !(flags & (WN_TASK_WAITPOINT | WN_TASK_DEPENDENT)) &&
	              !(t->source_flags & FLAG_CREATION_OPEN) && !wn_ompt_grain.is_native &&
	              (duration > 0 || wn_ompt_grain.reports_all_ends))) {
		wn_quick_at(t, WN_EV_TASK_CREATE, tick_before(wn_quick_clock(), duration), place);
		if (wn_ompt_grain.reports_all_ends)
			t->source_word[WORD_CREATIONS]++;
		else
			t->source_flags |= FLAG_CREATION_OPEN;
		task->value = wn_new_id(t);
		return;
	}
	create_slowly(t, encountering, task, flags, duration, codeptr);
}

/* If ends of creations are reported, that of a task executed inside its own creation follows the
 * task. */
static void
on_task_created(ompt_data_t *encountering, ompt_data_t task, double duration, const void *codeptr)
{
	struct wn_thread *t = wn_self;
	(void)encountering;
	(void)task;
	(void)duration;
	(void)codeptr;

	if (!t)
		return;
	if (!wn_ompt_grain.reports_all_ends) {
		creation_close(t, wn_clock());
		return;
	}
	if (is_in_taskloop(t) || t->source_word[WORD_CREATIONS] == 0)
		return;
	t->source_word[WORD_CREATIONS]--;
	if (WN_LIKELY(wn_quick(t)))
		wn_quick_plain(t, WN_EV_CREATE_END, wn_quick_clock());
	else
		wn_ev_create_end(t, wn_clock());
}

void
ompt_grain_on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int n)
{
	static const uint8_t kinds[] = {
	    [ompt_dependence_type_in] = WN_DEPEND_IN,
	    [ompt_dependence_type_out] = WN_DEPEND_OUT,
	    [ompt_dependence_type_inout] = WN_DEPEND_INOUT,
	    [ompt_dependence_type_mutexinoutset] = WN_DEPEND_MUTEXINOUTSET,
	    [ompt_dependence_type_inoutset] = WN_DEPEND_INOUTSET,
	};
	struct wn_thread *t = wn_self;
	(void)task;

	if (!t || !wn_ompt_grain.is_libgomp || !wn_ompt_grain.reports_creations)
		return;
	for (int i = 0; i < n; i++) {
		unsigned kind = (unsigned)list[i].dependence_type;
		const void *address = list[i].variable.ptr;
		if (!address && kind == ompt_dependence_type_inout)
			wn_ev_depend(t, WN_DEPEND_ALL_MEMORY, NULL);
		else if (kind < sizeof kinds && kinds[kind])
			wn_ev_depend(t, (enum wn_depend_kind)kinds[kind], address);
	}
}

/* --- loops ------------------------------------------------------------------------------------ */

/* The share being reported on this thread, while t->loop.is_derived. */
static __thread struct wn_command_share share __attribute__((tls_model("initial-exec")));
static __thread uint64_t share_tick __attribute__((tls_model("initial-exec")));
static __thread uint8_t *share_end __attribute__((tls_model("initial-exec")));

static uint32_t
kind_of_loop(int sched, int flags)
{
	uint32_t kind = WN_WORK_LOOP_OTHER;

	if (sched == ext_loop_sched_static)
		kind = WN_WORK_LOOP_STATIC;
	else if (sched == ext_loop_sched_dynamic)
		kind = WN_WORK_LOOP_DYNAMIC;
	else if (sched == ext_loop_sched_guided)
		kind = WN_WORK_LOOP_GUIDED;
	return kind | (flags & OMPT_GRAIN_LOOP_SIGNED ? 0u : WN_LOOP_UNSIGNED) |
	       (flags & OMPT_GRAIN_LOOP_RUNTIME ? WN_LOOP_RUNTIME : 0u) |
	       (flags & OMPT_GRAIN_LOOP_ORDERED ? WN_LOOP_ORDERED : 0u) |
	       (flags & OMPT_GRAIN_LOOP_INLINE ? WN_LOOP_INLINE : 0u);
}

static void
loop_begin(struct wn_thread *t, uint64_t tick, const ompt_grain_loop_t *loop, const void *site)
{
	uint32_t kind = kind_of_loop(loop->sched, loop->flags);

	loop_close(t, tick);
	if (loop->step)
		wn_ev_loop_begin(t, tick, site, kind, loop->iterations, loop->lower, loop->step,
		                 loop->chunk_size);
	else
		wn_ev_counted_begin(t, tick, site, kind & ~(uint32_t)WN_LOOP_UNSIGNED,
		                    loop->iterations, loop->chunk_size);
	t->loop = (struct wn_loop_state){
	    .lower = loop->step ? loop->lower : 0,
	    .step = loop->step ? loop->step : 1,
	    .is_open = true,
	    .is_inline = loop->flags & OMPT_GRAIN_LOOP_INLINE,
	};
}

static void
on_loop(ext_loop_sched_t sched, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
        ompt_data_t *task, int is_signed, int64_t step, const void *codeptr)
{
	struct wn_thread *t = wn_self;
	(void)parallel;
	(void)task;

	if (!t || (t->source_flags & FLAG_MUTED))
		return;
	uint64_t tick = wn_clock();
	if (endpoint == ompt_scope_end) {
		loop_close(t, tick);
		return;
	}
	ompt_grain_loop_t loop;
	if (get_loop && get_loop(&loop)) {
		loop_begin(t, tick, &loop, site_of(codeptr));
		return;
	}
	/* without bounds from the runtime, chunks are counted from 0 */
	loop = (ompt_grain_loop_t){.sched = (int)sched,
	                           .flags = is_signed ? OMPT_GRAIN_LOOP_SIGNED : 0};
	loop_begin(t, tick, &loop, site_of(codeptr));
	t->loop.step = step ? step : 1;
}

/* Removes the share's record, if it is the last one of the window. */
static bool
share_undo(struct wn_thread *t)
{
	const struct wn_command_undo *u = &t->commands.undo;

	if (t->w.next != share_end || u->sequence != t->w.block->sequence)
		return false;
	wn_writer_commit(&t->w, u->before);
	t->w.last_tick = u->tick;
	t->n_ids = u->n_ids;
	t->chunk_next = u->chunk_next;
	return true;
}

static void
share_write(struct wn_thread *t)
{
	struct wn_command_share s = share;

	if (s.n > WN_STATIC_CHUNKS_MAX) {
		uint64_t n_iterations = (s.n - 1) * s.chunk + s.last;
		s = (struct wn_command_share){s.first, 1, n_iterations, n_iterations, n_iterations};
	}
	wn_ev_cpu(t);
	wn_offer_begin(t);
	wn_ev_static_begin(t, share_tick, s.first, (uint32_t)s.n, s.chunk, s.stride, s.last);
	t->loop.chunk_open = true;
	if (s.n > 1)
		wn_offer_end(t, &s);
	share_end = t->w.next;
}

/* Is the next chunk of a share at the same distance as the previous ones? */
static bool
share_takes(uint64_t first, uint64_t iterations)
{
	uint64_t stride = first - (share.first + (share.n - 1) * share.stride);

	return share.last == share.chunk && iterations <= share.chunk &&
	       (share.n == 1 ? first > share.first : stride == share.stride);
}

static void
share_chunk(struct wn_thread *t, uint64_t first, uint64_t iterations)
{
	bool is_open = t->loop.is_derived && t->loop.chunk_open;

	if (is_open && share_takes(first, iterations) && share_undo(t)) {
		share.stride = share.n == 1 ? first - share.first : share.stride;
		share.last = iterations;
		if (++share.n == WN_STATIC_CHUNKS_MAX + 1)
			wn_ev_note(t, NULL, WN_NOTE_STATIC_MERGED, share.n);
	} else {
		share_tick = wn_clock();
		if (is_open)
			wn_ev_chunk_end(t, share_tick);
		share = (struct wn_command_share){first, 1, iterations, iterations, iterations};
	}
	t->loop.is_derived = true;
	share_write(t);
}

/* Is this chunk part of a share that is reported at once? Checked at a loop's first chunk. */
static bool
is_derived(struct wn_thread *t)
{
	ompt_grain_loop_t loop;

	if (!t->loop.is_inline || t->loop.reports_chunks)
		return false;
	if (!t->loop.chunk_open)
		t->loop.reports_chunks =
		    !get_loop || !get_loop(&loop) || !(loop.flags & OMPT_GRAIN_LOOP_DERIVED);
	return !t->loop.reports_chunks;
}

static void
on_chunk(ompt_data_t *task, int64_t lower, int64_t upper, double duration, int is_last)
{
	struct wn_thread *t = wn_self;
	(void)task;
	(void)is_last;

	if (!t || !t->loop.is_open || (t->source_flags & (FLAG_MUTED | FLAG_LOOP_BY_OMPT)))
		return;
	uint64_t first = logical_index(t->loop.lower, lower, t->loop.step);
	uint64_t iterations = logical_index(lower, upper, t->loop.step) + 1;
	if (WN_UNLIKELY(t->loop.is_inline) && is_derived(t)) {
		share_chunk(t, first, iterations);
		return;
	}
	uint64_t tick = wn_clock();
	if (t->loop.chunk_open)
		wn_ev_chunk_end(t, tick_before(tick, duration));
	wn_ev_chunk_begin(t, tick, first, iterations);
	t->loop.chunk_open = true;
}

/* At the begin of a loop, closes the open one, since the first chunk may be reported before its
 * loop. An end that libomp reports under another name (`distribute`) closes the open loop. */
bool
ompt_grain_has_work(struct wn_thread *t, ompt_work_t type, ompt_scope_endpoint_t endpoint)
{
	bool is_loop =
	    (unsigned)type == WN_OMPT_WORK_LOOP || ((unsigned)type >= WN_OMPT_WORK_LOOP_STATIC &&
	                                            (unsigned)type <= WN_OMPT_WORK_LOOP_OTHER);

	if (!wn_ompt_grain.reports_loops || (t->source_flags & FLAG_LOOP_BY_OMPT))
		return false;
	if (endpoint == ompt_scope_end && t->loop.is_open)
		return true;
	return is_loop && (!is_reported || is_reported());
}

void
ompt_grain_section(struct wn_thread *t)
{
	uint64_t number;

	if (!(t->source_flags & FLAG_LOOP_BY_OMPT) || !get_section || !get_section(&number))
		return;
	uint64_t tick = wn_clock();
	if (t->loop.chunk_open)
		wn_ev_chunk_end(t, tick);
	wn_ev_section_begin(t, tick, number);
	t->loop.chunk_open = true;
}

/* --- querying the extension ------------------------------------------------------------------- */

void
ompt_grain_query(ompt_function_lookup_t lookup, bool is_libgomp)
{
	ompt_grain_get_version_t version =
	    (ompt_grain_get_version_t)lookup("ompt_grain_get_version");
	/* a lookup may return a function for any name; a version below 1 means none */
	wn_ompt_grain = (struct ompt_grain){
	    .is_native = !version || version() < 1,
	    .is_libgomp = is_libgomp,
	};
	if (wn_ompt_grain.is_native)
		return;
	get_loop = (ompt_grain_get_loop_t)lookup("ompt_grain_get_loop");
	is_reported = (ompt_grain_is_told_t)lookup("ompt_grain_is_told");
	get_function = (ompt_grain_get_function_t)lookup("ompt_grain_get_function");
	get_section = (ompt_grain_get_section_t)lookup("ompt_grain_get_section");
}

#define CALLBACK(function) ((ompt_callback_t)(void (*)(void))(function))

static ompt_set_result_t
set_event(ompt_set_callback_t set, int event, ompt_callback_t callback)
{
	return set((ompt_callbacks_t)event, callback);
}

bool
ompt_grain_set(ompt_set_callback_t set)
{
	struct ompt_grain *g = &wn_ompt_grain;

	first_tick = wn_clock();
	if (set_event(set, ext_tool_time, CALLBACK(tool_time)) < ompt_set_sometimes)
		return false;
	g->reports_loops =
	    set_event(set, ext_callback_loop, CALLBACK(on_loop)) >= ompt_set_sometimes &&
	    set_event(set, ext_callback_chunk, CALLBACK(on_chunk)) >= ompt_set_sometimes;
	if (g->is_native) {
		g->reports_creations = g->reports_loops && !wn_ompt_has_client &&
		                       set_event(set, ompt_callback_task_create,
		                                 CALLBACK(on_task_create)) >= ompt_set_sometimes;
		return g->reports_loops;
	}
	ompt_set_result_t ends =
	    set_event(set, ompt_grain_callback_task_created, CALLBACK(on_task_created));
	g->reports_all_ends = ends == ompt_set_always;
	g->reports_creations =
	    ends >= ompt_set_sometimes && set_event(set, ompt_grain_callback_task_create,
	                                            CALLBACK(on_task_create)) >= ompt_set_sometimes;
	return g->reports_loops || g->reports_creations;
}
