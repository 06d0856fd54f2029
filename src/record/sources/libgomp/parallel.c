/* SPDX-License-Identifier: MIT */
/*
 * parallel.c - parallel regions: membership of threads in teams, with times.
 *
 * The struct gomp_region is on the master's stack: the real call returns after every worker has
 * left the body. A worker's last event is its arrival at the region's last barrier, because libgomp
 * does not report its release. Its task stack is therefore emptied when it next enters a body: a
 * pool thread is at the bottom of its stack there, a master never is. For the same reason a worker
 * of an unrecorded region stays muted until then.
 */
#include "record/sources/libgomp/parallel.h"

#include <stdlib.h>

static bool
is_wanted(gomp_fn fn, struct wn_thread *t)
{
	return t && wn_region_is_wanted(t, gomp_site_of(fn));
}

void
gomp_region_pass(const struct gomp_module *m)
{
	if (!m->num_threads) /* otherwise it is a libgomp that is still active */
		wn_ompt_unseen(WN_UNSEEN_REGION);
}

void
gomp_region_open(struct gomp_region *r, struct wn_thread *t, const struct gomp_module *m,
                 unsigned n_threads)
{
	if (!r->started) /* otherwise checked when it was allocated */
		r->is_unwanted = !is_wanted(r->fn, t);
	if (r->is_unwanted) {
		wn_mute();
		return;
	}
	r->module = m;
	r->master = t;
	r->saved = gomp_work_save(t);
	uint32_t flags = r->has_loop ? WN_REGION_COMBINED_LOOP : 0u;
	r->id = wn_ev_region_begin(t, wn_clock(), gomp_site_of(r->fn), flags, n_threads);
}

/* A team thread enters the region's body. */
static void
enter(struct gomp_region *r, struct wn_thread *t)
{
	if (t != r->master)
		wn_stack_empty(t);
	gomp_work_start(t);
	GOMP_REGION(t) = r->id;
	uint64_t tick = wn_clock();
	wn_ev_implicit_begin(t, tick, r->id, (uint32_t)r->module->num_threads(),
	                     (uint32_t)r->module->thread_num());
	GOMP_FN(t) = (void *)(uintptr_t)r->fn;
	if (r->has_loop)
		gomp_loop_begin(t, tick, gomp_site_of(r->fn), &r->loop);
	else if (r->n_sections)
		gomp_sections_begin(t, tick, gomp_site_of(r->fn), r->n_sections);
}

/* A team thread has left the body and arrives at the region's barrier. */
static void
leave(const struct gomp_region *r, struct wn_thread *t)
{
	uint64_t tick = wn_clock();
	gomp_work_leave(t, tick);
	wn_ev_sync_begin(t, tick, gomp_site_of(r->fn), WN_SYNC_BARRIER_REGION);
}

void
gomp_region_body(void *region)
{
	struct gomp_region *r = region;
	if (__builtin_expect(r->is_unwanted, 0)) {
		if (wn_n_muted == 0)
			wn_mute();
		r->fn(r->data);
		return;
	}
	wn_unmute_all();
	struct wn_thread *t = gomp_self();
	if (t)
		enter(r, t);
	r->fn(r->data);
	if (gomp_is_same(t))
		leave(r, t);
}

void
gomp_region_close(struct gomp_region *r)
{
	struct wn_thread *t = r->master;
	if (r->is_unwanted)
		wn_unmute();
	if (!gomp_is_same(t))
		return;
	uint64_t tick = wn_clock_after(); /* as in gomp_sync_end() */
	wn_ev_sync_end(t, tick);
	wn_ev_implicit_end(t, tick);
	wn_ev_region_end(t, tick);
	gomp_work_restore(t, &r->saved);
}

GOMP_ENTRY(void, GOMP_parallel, gomp_fn fn, void *data, unsigned n_threads, unsigned flags)
{
	GOMP_ENTER(GOMP_parallel);
	if (!gomp_region_is_seen(module, t)) {
		real(fn, data, n_threads, flags);
		return;
	}
	struct gomp_region r = {.fn = fn, .data = data};
	gomp_region_open(&r, t, module, n_threads);
	real(gomp_region_body, &r, n_threads, flags);
	gomp_region_close(&r);
}

GOMP_ENTRY(unsigned, GOMP_parallel_reductions, gomp_fn fn, void *data, unsigned n_threads,
           unsigned flags)
{
	GOMP_ENTER(GOMP_parallel_reductions);
	if (!gomp_region_is_seen(module, t))
		return real(fn, data, n_threads, flags);
	struct gomp_region r = {.first_word = *(void **)data, .fn = fn, .data = data};
	gomp_region_open(&r, t, module, n_threads);
	unsigned team_size = real(gomp_region_body, &r, n_threads, flags);
	gomp_region_close(&r);
	return team_size;
}

GOMP_ENTRY(void, GOMP_parallel_sections, gomp_fn fn, void *data, unsigned n_threads, unsigned count,
           unsigned flags)
{
	GOMP_ENTER(GOMP_parallel_sections);
	if (!gomp_region_is_seen(module, t)) {
		real(fn, data, n_threads, count, flags);
		return;
	}
	struct gomp_region r = {.fn = fn, .data = data, .n_sections = count};
	gomp_region_open(&r, t, module, n_threads);
	real(gomp_region_body, &r, n_threads, count, flags);
	gomp_region_close(&r);
}

/* Unrecorded regions of the old interface; the others are in GOMP_STARTS. */
static __thread struct gomp_region *unwanted_starts __attribute__((tls_model("initial-exec")));

static struct gomp_region *
push(struct gomp_region **list, const struct gomp_region *filled)
{
	struct gomp_region *r = malloc(sizeof *r);
	if (!r)
		return NULL;
	*r = *filled;
	r->outer = *list;
	*list = r;
	return r;
}

struct gomp_region *
gomp_region_alloc(const struct gomp_region *filled, struct wn_thread *t,
                  const struct gomp_module *m)
{
	struct gomp_region *r = NULL;
	if (is_wanted(filled->fn, t)) {
		GOMP_STARTED(t)++;
		struct gomp_region *list = GOMP_STARTS(t);
		if ((r = push(&list, filled))) {
			r->started = GOMP_STARTED(t);
			GOMP_STARTS(t) = list;
		}
	} else if (gomp_region_is_seen(m, t) && (r = push(&unwanted_starts, filled))) {
		r->started = 1;
		r->is_unwanted = true;
	}
	return r;
}

void
gomp_region_started(struct gomp_region *r)
{
	if (gomp_is_same(r->master))
		enter(r, r->master);
}

GOMP_ENTRY(void, GOMP_parallel_start, gomp_fn fn, void *data, unsigned n_threads)
{
	GOMP_ENTER(GOMP_parallel_start);
	struct gomp_region filled = {.fn = fn, .data = data};
	struct gomp_region *r = gomp_region_alloc(&filled, t, module);
	if (!r) {
		real(fn, data, n_threads);
		return;
	}
	gomp_region_open(r, t, module, n_threads);
	real(gomp_region_body, r, n_threads);
	gomp_region_started(r);
}

GOMP_ENTRY(void, GOMP_parallel_sections_start, gomp_fn fn, void *data, unsigned n_threads,
           unsigned count)
{
	GOMP_ENTER(GOMP_parallel_sections_start);
	struct gomp_region filled = {.fn = fn, .data = data, .n_sections = count};
	struct gomp_region *r = gomp_region_alloc(&filled, t, module);
	if (!r) {
		real(fn, data, n_threads, count);
		return;
	}
	gomp_region_open(r, t, module, n_threads);
	real(gomp_region_body, r, n_threads, count);
	gomp_region_started(r);
}

GOMP_ENTRY(void, GOMP_parallel_end, void)
{
	GOMP_ENTER(GOMP_parallel_end);
	if (wn_n_muted > 0 && module->is_recorded && unwanted_starts) {
		struct gomp_region *unwanted = unwanted_starts;
		real();
		unwanted_starts = unwanted->outer;
		gomp_region_close(unwanted);
		free(unwanted);
		return;
	}
	struct gomp_region *r = t ? GOMP_STARTS(t) : NULL;
	if (r && r->started != GOMP_STARTED(t))
		r = NULL;
	if (r)
		leave(r, t);
	real();
	if (gomp_is_same(t) && GOMP_STARTED(t) > 0)
		GOMP_STARTED(t)--;
	if (!r)
		return;
	if (gomp_is_same(t))
		GOMP_STARTS(t) = r->outer;
	gomp_region_close(r);
	free(r);
}
