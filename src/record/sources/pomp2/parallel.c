/* SPDX-License-Identifier: MIT */
/*
 * parallel.c - parallel regions: membership of threads in teams, with times.
 *
 * A team's thread calls POMP2_Parallel_begin with only the construct. Its fork is found by its
 * ancestors: the thread numbers from the root down to the encountering thread are the same for
 * both. Roots created by the program itself (pthreads) have the same empty path; if two of them
 * encounter one construct at the same time, thread numbers are assigned in order of arrival, which
 * can swap threads of equal number between the two teams.
 */
#include "base/map.h"
#include "pomp2.h"

#include <errno.h>
#include <stdlib.h>

_Atomic int pomp2_state;

static bool
start(void)
{
	int state = atomic_load(&pomp2_state);
	if (state == 0 || wn_self == NULL) {
		bool is_on = state >= 0 && pomp2_runtime_is_whole() &&
		             wn_recorder_start(WN_SOURCE_POMP2, "instrumented by OPARI2");
		state = is_on ? 1 : -1;
		atomic_store(&pomp2_state, state);
	}
	return state > 0;
}

/* Also in a forked child, which starts without a trace. */
struct wn_thread *
pomp2_attach(void)
{
	if (atomic_load_explicit(&pomp2_state, memory_order_relaxed) < 0)
		return NULL;
	int saved_errno = errno;
	struct wn_thread *t = start() ? wn_thread_attach() : NULL;
	errno = saved_errno;
	return t;
}

static struct pomp2_side *
side_of(struct wn_thread *t)
{
	if (!POMP2_SIDE(t))
		POMP2_SIDE(t) = wn_map(sizeof(struct pomp2_side), 0);
	return POMP2_SIDE(t);
}

/* Hash of the thread numbers from the root to level `level`, and of the level; never 0. */
static uint64_t
path_to(int level)
{
	const struct winnow_pomp2_runtime *omp = pomp2_runtime();
	uint64_t path = 0x9e3779b97f4a7c15u + (uint64_t)level;
	for (int i = 1; i <= level; i++)
		path = (path ^ (uint64_t)omp->ancestor_thread_num(i)) * 0xff51afd7ed558ccdu;
	return path | 1;
}

/* Publishes the fork for the team's threads; false if the table is full. */
static bool
publish(struct pomp2_region *r, struct pomp2_fork *f)
{
	uint32_t first = (uint32_t)(atomic_load_explicit(&f->path, memory_order_relaxed) >> 32);
	for (uint32_t i = 0; i < POMP2_FORKS_OPEN; i++) {
		struct pomp2_fork *none = NULL;
		f->slot = (first + i) % POMP2_FORKS_OPEN;
		/* release: pairs with find_fork */
		if (atomic_compare_exchange_strong_explicit(
			&r->open[f->slot], &none, f, memory_order_release, memory_order_relaxed))
			return true;
	}
	return false;
}

/* The open fork whose path matches this thread's ancestors, and which has no thread of this number
 * yet. */
static struct pomp2_fork *
find_fork(struct pomp2_region *r, uint64_t path, int thread_num)
{
	uint32_t first = (uint32_t)(path >> 32);
	uint64_t mine = UINT64_C(1) << (thread_num & 63);
	struct pomp2_fork *last = NULL;
	for (uint32_t i = 0; i < POMP2_FORKS_OPEN; i++) {
		struct pomp2_fork *f = atomic_load_explicit(
		    &r->open[(first + i) % POMP2_FORKS_OPEN], memory_order_acquire);
		if (!f || atomic_load_explicit(&f->path, memory_order_relaxed) != path)
			continue;
		last = f;
		if (!(atomic_fetch_or_explicit(&f->taken, mine, memory_order_relaxed) & mine))
			return f;
	}
	return last; /* a team of more than 64 threads */
}

void
pomp2_at_fork(POMP2_Region_handle *handle, int if_clause, int num_threads,
              POMP2_Task_handle *old_task, const char *text, const void *site)
{
	struct wn_thread *t = pomp2_thread();
	struct pomp2_region *r = t ? pomp2_region_of(handle, text) : NULL;
	struct pomp2_side *side = r ? side_of(t) : NULL;
	*old_task = 0;
	if (!side || side->n_forks++ >= POMP2_FORKS_DEEP)
		return;
	struct pomp2_fork *f = &side->forks[side->n_forks - 1];
	f->region = r;
	f->loop = t->loop;
	f->chunk_next = t->chunk_next;
	f->flags = t->source_flags;
	f->depth = wn_stack_depth(t);
	f->ref = 0;
	*old_task = (POMP2_Task_handle)wn_stack_peek(t, 0);
	atomic_store_explicit(&f->path, path_to(pomp2_runtime()->level()), memory_order_relaxed);
	atomic_store_explicit(&f->taken, 0, memory_order_relaxed);
	if (POMP2_MUTED(t) == 0 && wn_region_is_wanted(t, site) && publish(r, f)) {
		pomp2_place(t, r, site, 0);
		f->ref =
		    wn_ev_region_begin(t, wn_clock(), site, 0,
		                       if_clause && num_threads > 0 ? (uint32_t)num_threads : 1);
	}
}

void
pomp2_at_begin(POMP2_Region_handle *handle)
{
	struct wn_thread *t = pomp2_thread();
	struct pomp2_region *r = t ? pomp2_region_of(handle, NULL) : NULL;
	if (!r) {
		if (t)
			POMP2_MUTED(t)++;
		return;
	}
	const struct winnow_pomp2_runtime *omp = pomp2_runtime();
	int thread_num = omp->thread_num();
	struct pomp2_side *side = POMP2_SIDE(t);
	struct pomp2_fork *f = NULL;
	/* thread 0 of a team is the one that encountered the construct */
	bool is_master =
	    thread_num == 0 && side && side->n_forks > 0 && side->n_forks <= POMP2_FORKS_DEEP;
	if (is_master)
		f = &side->forks[side->n_forks - 1];
	if (f && f->ref)
		atomic_fetch_or_explicit(&f->taken, 1, memory_order_relaxed);
	if (!f && POMP2_MUTED(t) == 0)
		f = find_fork(r, path_to(omp->level() - 1), thread_num);
	if (!f || !f->ref) {
		POMP2_MUTED(t)++;
		return;
	}
	if (!is_master)
		wn_stack_empty(t);
	t->source_flags = 0;
	t->loop = (struct wn_loop_state){0};
	wn_ev_implicit_begin(t, wn_clock(), f->ref, (uint32_t)omp->num_threads(),
	                     (uint32_t)thread_num);
}

void
pomp2_at_end(void)
{
	struct wn_thread *t = pomp2_thread();
	if (!t)
		return;
	if (POMP2_MUTED(t)) {
		POMP2_MUTED(t)--;
		return;
	}
	if (t->depth == 0)
		return; /* a child forked in a region */
	uint64_t tick = wn_clock();
	pomp2_work_close(t, tick);
	wn_ev_implicit_end(t, tick);
}

void
pomp2_at_join(POMP2_Task_handle old_task)
{
	struct wn_thread *t = pomp2_thread();
	struct pomp2_side *side = t ? POMP2_SIDE(t) : NULL;
	if (!side || side->n_forks == 0 || side->n_forks-- > POMP2_FORKS_DEEP)
		return;
	struct pomp2_fork *f = &side->forks[side->n_forks];
	t->loop = f->loop;
	t->chunk_next = f->chunk_next;
	t->source_flags = f->flags;
	if (!f->ref)
		return;
	atomic_store_explicit(&f->path, 0, memory_order_relaxed);
	atomic_store_explicit(&f->region->open[f->slot], NULL, memory_order_release);
	uint64_t tick = wn_clock();
	if (wn_stack_depth(t) > f->depth) /* a cancelled region is left without its end */
		wn_ev_implicit_end(t, tick);
	wn_stack_cut(t, f->depth);
	wn_ev_region_end(t, tick);
	pomp2_resume(t, tick, old_task);
}
