/* SPDX-License-Identifier: MIT */
/*
 * regions.c - parallel regions, leagues and implicit tasks.
 *
 * The master of a team is the thread that opened the region, and only the master receives the
 * region's end in time: a worker's last barrier end and implicit task end arrive when it is woken
 * for the next region, or at shutdown. They are distinguished by t->source_depth, the number of
 * regions this thread has opened and not ended: a sleeping worker has none.
 *
 * A thread can open a region inside a loop chunk; the loop's state is then saved in a frame.
 */
#include "base/map.h"
#include "record/sources/ompt/callbacks.h"
#include "record/sources/ompt/grain.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAMES_BYTES 4096u
#define FRAMES_MAX   (FRAMES_BYTES / sizeof(struct source_frame))

__thread void *wn_ompt_microtask __attribute__((tls_model("initial-exec")));

static struct source_frame *
frames_of(struct wn_thread *t)
{
	if (t->source_ptr[PTR_FRAMES])
		return t->source_ptr[PTR_FRAMES];
	t->source_ptr[PTR_FRAMES] = wn_map(FRAMES_BYTES, 0);
	return t->source_ptr[PTR_FRAMES];
}

/* Closes a loop that cannot be saved: the rest of the loop is then not recorded on this thread. */
static WN_SLOW void
frame_push(struct wn_thread *t, uint64_t tick)
{
	struct source_frame *frames = frames_of(t);
	uint32_t n = n_frames_of(t);

	if (!frames || n >= FRAMES_MAX) {
		loop_close(t, tick);
		single_close(t, tick);
		return;
	}
	frames[n] = (struct source_frame){
	    .loop = t->loop,
	    .chunk_next = t->chunk_next,
	    .team_size = team_size_of(t),
	    .region_site = t->source_ptr[PTR_REGION_SITE],
	    .source_depth = t->source_depth + 1,
	    .flags = t->source_flags & FLAG_FRAME_MASK,
	};
	n_frames_set(t, n + 1);
	t->source_flags &= ~(uint32_t)FLAG_FRAME_MASK;
	t->loop = (struct wn_loop_state){0};
}

static WN_SLOW void
frame_pop(struct wn_thread *t)
{
	struct source_frame *frames = t->source_ptr[PTR_FRAMES];
	struct source_frame *frame = &frames[n_frames_of(t) - 1];

	if (frame->source_depth != t->source_depth)
		return;
	n_frames_set(t, n_frames_of(t) - 1);
	t->loop = frame->loop;
	t->chunk_next = frame->chunk_next;
	team_size_set(t, frame->team_size);
	t->source_ptr[PTR_REGION_SITE] = frame->region_site;
	t->source_flags |= frame->flags;
}

/* The user's call, or the outlined function for a tail call. A region of the runtime itself (hidden
 * helper threads) has neither. */
static const void *
region_site(const void *codeptr, const void *microtask)
{
	const void *function = ompt_grain_function();
	if (function && wn_ompt_grain.is_libgomp)
		return (const char *)function + 1;
	const void *site = user_code_or_null(codeptr);
	return site ? site : user_code_or_null(microtask ? microtask : function);
}

/* The league that this thread was last an initial task of. */
static __thread uint64_t league __attribute__((tls_model("initial-exec")));

/* The league that this thread opened with its last region; its own initial task begins next. */
static __thread uint64_t league_opened __attribute__((tls_model("initial-exec")));

/* Sites of the regions opened last: barrier events of a team's threads only identify the region. If
 * two regions collide, the older one is lost. */
#define PLACES_N 256u

static struct {
	_Atomic uint64_t region;
	_Atomic(const void *) site;
	_Atomic(const void *) function;
} places[PLACES_N];

static unsigned
place_of(uint64_t region)
{
	return (unsigned)(region ^ region >> 32 << 5) % PLACES_N;
}

static void
place_store(uint64_t region, const void *site, const void *function)
{
	unsigned i = place_of(region);

	/* no reader looks up this region before its team starts; one that looks up the entry's
	 * previous region must not get the new addresses */
	atomic_store_explicit(&places[i].region, 0, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&places[i].site, site, memory_order_relaxed);
	atomic_store_explicit(&places[i].function, function, memory_order_relaxed);
	atomic_store_explicit(&places[i].region, region, memory_order_release);
}

static bool
place_is(unsigned i, uint64_t region)
{
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&places[i].region, memory_order_relaxed) == region;
}

const void *
source_region_site(uint64_t region)
{
	unsigned i = place_of(region);
	const void *site = atomic_load_explicit(&places[i].site, memory_order_relaxed);

	return place_is(i, region) ? site : NULL;
}

const void *
source_region_function(uint64_t region)
{
	unsigned i = place_of(region);
	const void *function = atomic_load_explicit(&places[i].function, memory_order_relaxed);

	return place_is(i, region) ? function : NULL;
}

static void
region_open(struct wn_thread *t, const void *codeptr, const void *microtask, ompt_data_t *parallel,
            uint32_t region_flags, uint32_t requested)
{
	const void *site = region_site(codeptr, microtask);
	if (!site && league) /* the runtime opens a league's teams */
		site = source_region_site(league);
	uint64_t tick = wn_clock();

	if (WN_UNLIKELY(t->loop.is_open || t->source_depth > 0 ||
	                (t->source_flags & FLAG_FRAME_MASK)))
		frame_push(t, tick);
	t->source_depth++;
	t->source_ptr[PTR_REGION_SITE] = (void *)(uintptr_t)codeptr;
	parallel->value = wn_ev_region_begin(t, tick, site, region_flags, requested);
	if (!microtask)
		microtask = ompt_grain_function();
	place_store(parallel->value, site, user_code_or_null(microtask));
	if ((region_flags & WN_REGION_LEAGUE) && !wn_ompt_grain.is_libgomp)
		wn_ev_note(t, site, WN_NOTE_TEAMS, 1);
	if (WN_UNLIKELY(wn_ompt_has_device_code)) {
		/* noted once; a duplicate note by another thread is harmless */
		wn_ompt_has_device_code = false;
		wn_ev_note(t, NULL, WN_NOTE_TARGET, 1);
	}
}

/* An unrecorded region: its threads have no recorder until it ends (a worker until its next
 * recorded region begins), so nothing inside is recorded either. */
#define REGION_UNWANTED UINT64_MAX

static void
unwanted_open(ompt_data_t *parallel)
{
	parallel->value = REGION_UNWANTED;
	wn_mute();
}

/* The team of the runtime's hidden helper threads, which run target tasks. If no wrapper provides
 * the outlined function, such a region is recognised because the runtime opens it outside all
 * others and not on the program's first thread (where the runtime opens flang's regions with an if
 * clause, too). */
static bool
is_own_region(const struct wn_thread *t, const void *microtask, const void *codeptr, int flags)
{
	if (microtask)
		return is_in_runtime(microtask);
	return !(flags & (int)ompt_parallel_league) && is_in_runtime(codeptr) &&
	       (!t || (t->source_depth == 0 && t->depth == 0)) && syscall(SYS_gettid) != getpid();
}

static void
region_begin(struct wn_thread *t, void *microtask, ompt_data_t *parallel, unsigned int requested,
             int flags, const void *codeptr)
{
	if (WN_UNLIKELY(wn_n_muted > 0)) {
		unwanted_open(parallel);
		return;
	}
	if (is_own_region(t, microtask, codeptr, flags))
		return;
	if (!t && !(t = wn_ompt_attach()))
		return;
	if (WN_UNLIKELY(!wn_region_is_wanted(t, region_site(codeptr, microtask)))) {
		unwanted_open(parallel);
		return;
	}
	uint32_t region_flags = flags & (int)ompt_parallel_league ? WN_REGION_LEAGUE : 0;
	region_open(t, codeptr, microtask, parallel, region_flags, requested);
}

void
ompt_on_parallel_begin(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *parallel,
                       unsigned int requested, int flags, const void *codeptr)
{
	struct wn_thread *t = wn_thread_self();
	void *microtask = wn_ompt_microtask;
	(void)encountering;
	(void)frame;

	wn_ompt_microtask = NULL;
	parallel->value = 0;
	region_begin(t, microtask, parallel, requested, flags, codeptr);
	league_opened = flags & (int)ompt_parallel_league ? parallel->value : 0;
}

void
ompt_on_parallel_end(ompt_data_t *parallel, ompt_data_t *encountering, int flags,
                     const void *codeptr)
{
	struct wn_thread *t = wn_self;
	(void)parallel;
	(void)encountering;
	(void)flags;
	(void)codeptr;

	if (WN_UNLIKELY(wn_n_muted > 0)) {
		wn_unmute();
		return;
	}
	if (!t || t->source_depth == 0)
		return;
	wn_ev_region_end(t, wn_clock());
	if (n_frames_of(t) > 0)
		frame_pop(t);
	t->source_depth--;
}

/* A worker starts with an empty stack, whatever its last region left on it. */
static void
implicit_begin(struct wn_thread *t, uint64_t region, ompt_data_t *task, uint32_t team_size,
               uint32_t index)
{
	if (t->source_depth == 0) {
		wn_stack_empty(t);
		t->loop = (struct wn_loop_state){0};
		t->source_flags &= ~(uint32_t)(FLAG_MUTED | FLAG_FRAME_MASK | FLAG_CREATION_OPEN);
	}
	team_size_set(t, team_size);
	task->value = wn_ev_implicit_begin(t, wn_clock(), region, team_size, index);
}

/* A worker's end arrives late, with a copy of its task's data word that libomp keeps for the
 * thread. libomp aborts if the copy is not 0 when the thread later waits for dependences, so it is
 * reset. */
static void
implicit_end(struct wn_thread *t, ompt_data_t *task)
{
	if (t->source_depth == 0) {
		wn_stack_empty(t);
		if (task)
			task->value = 0;
		return;
	}
	uint64_t tick = wn_clock();
	loop_close(t, tick);
	single_close(t, tick);
	wn_ev_implicit_end(t, tick);
}

/* The region that an implicit task belongs to. For the initial task of a league of one team, libomp
 * passes stale contents of the data word instead of the league. An initial task without a league is
 * a thread's context; its word may be stale, too. */
static uint64_t
region_of(const ompt_data_t *parallel, unsigned team_size, int flags)
{
	if (WN_UNLIKELY(flags & (int)ompt_task_initial)) {
		uint64_t opened = league_opened;
		league_opened = 0;
		if (opened || team_size <= 1)
			return opened;
	}
	return parallel ? parallel->value : 0;
}

/* A thread of such a region's team starts; or a thread of such a team starts in another region. */
static bool
team_is_unwanted(uint64_t region)
{
	if (region == REGION_UNWANTED && wn_n_muted == 0)
		wn_mute();
	else if (region && region != REGION_UNWANTED)
		wn_unmute_all();
	return wn_n_muted > 0;
}

/* An initial task whose region has no number is a thread's context: id 0, empty stack. The initial
 * tasks of a league belong to the league as implicit tasks belong to a team. */
void
ompt_on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                      unsigned int team_size, unsigned int index, int flags)
{
	uint64_t region = endpoint == ompt_scope_begin ? region_of(parallel, team_size, flags) : 0;
	if (WN_UNLIKELY(wn_n_muted > 0 || region == REGION_UNWANTED) &&
	    endpoint == ompt_scope_begin && team_is_unwanted(region))
		return;
	/* a thread that has ended may still receive an end event, which must not start a stream */
	struct wn_thread *t = endpoint == ompt_scope_begin ? wn_thread_self() : wn_self;

	if (!t)
		return;
	if (endpoint == ompt_scope_end) {
		implicit_end(t, task);
	} else if (region) {
		league = flags & (int)ompt_task_initial ? region : 0;
		implicit_begin(t, region, task, team_size, index);
	} else {
		task->value = 0;
		if (!(flags & (int)ompt_task_initial))
			t->source_flags |= FLAG_MUTED;
	}
}

void
ompt_on_thread_end(ompt_data_t *thread)
{
	wn_unmute_all();
	ompt_grain_thread_end();
	struct wn_thread *t = wn_self;
	(void)thread;

	if (!t || !t->source_ptr[PTR_FRAMES])
		return;
	munmap(t->source_ptr[PTR_FRAMES], FRAMES_BYTES);
	t->source_ptr[PTR_FRAMES] = NULL;
	n_frames_set(t, 0);
}
