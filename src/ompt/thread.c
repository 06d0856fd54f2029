/* SPDX-License-Identifier: MIT */
/*
 * thread.c - threads, and memory of tasks.
 *
 * Tasks come from a list of the thread, which is refilled from a shared list or, 64 at a time, from
 * the heap. A thread that frees more tasks than it creates moves some to the shared list, so that a
 * producer and its consumers share memory.
 */
#include "base/spin.h"
#include "ompt/events.h"
#include "record/frames.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SLAB_N      64u
#define FREE_MAX    256u
#define HANDED_ON_N 128u

/* A taskloop's tasks, freed together. */
struct wn_task_block {
	_Atomic uint64_t n_left;
	uint64_t n;
	uint64_t next; /* index of the next one to create */
	struct wn_task tasks[];
};

__thread struct wn_thread *wn_self __attribute__((tls_model("initial-exec")));

extern __typeof__(pthread_key_create) pthread_key_create
    __attribute__((weak)); /* see base/glibc_versions.h */
static pthread_key_t end_key;
static bool is_key_made;
static struct wn_task *shared_free; /* a list of lists: by next_free, each first by outer */
static atomic_flag shared_lock = ATOMIC_FLAG_INIT;

/* Moves the first HANDED_ON_N of the thread's free tasks to the shared list. */
static void
hand_on(struct wn_thread *t)
{
	struct wn_task *first = t->free_tasks, *last = first;
	for (unsigned i = 1; i < HANDED_ON_N; i++)
		last = last->next_free;
	t->free_tasks = last->next_free;
	t->n_free_tasks -= HANDED_ON_N;
	last->next_free = NULL;
	wn_spin_lock(&shared_lock);
	first->outer = shared_free;
	shared_free = first;
	wn_spin_unlock(&shared_lock);
}

static bool
refill(struct wn_thread *t)
{
	wn_spin_lock(&shared_lock);
	struct wn_task *list = shared_free;
	if (list)
		shared_free = list->outer;
	wn_spin_unlock(&shared_lock);
	t->n_free_tasks = HANDED_ON_N;
	if (!list) {
		list = malloc(SLAB_N * sizeof *list);
		if (!list)
			return false;
		for (unsigned i = 0; i < SLAB_N; i++)
			list[i].next_free = i + 1 < SLAB_N ? &list[i + 1] : NULL;
		t->n_free_tasks = SLAB_N;
	}
	t->free_tasks = list;
	return true;
}

/* Initializes all fields that are read before they are set. */
static inline void
init_task(struct wn_task *task, int flags, uint32_t n_holders)
{
	memset(task, 0, offsetof(struct wn_task, word));
	task->work.type = 0;
	task->work.is_loop = false;
	task->scope.depth = 0;
	task->word = &task->data;
	task->flags = flags;
	atomic_init(&task->n_holders, n_holders);
}

struct wn_task *
provide_task_new(struct wn_thread *t, int flags, uint32_t n_holders)
{
	struct wn_task_block *b = t->block;
	if (b) {
		struct wn_task *task = &b->tasks[b->next++];
		if (b->next == b->n)
			t->block = NULL;
		init_task(task, flags, n_holders);
		task->block = b;
		return task;
	}
	if (!t->free_tasks && !refill(t))
		return NULL;
	struct wn_task *task = t->free_tasks;
	t->free_tasks = task->next_free;
	t->n_free_tasks--;
	init_task(task, flags, n_holders);
	task->block = NULL;
	return task;
}

bool
provide_block_new(struct wn_thread *t, uint64_t n)
{
	struct wn_task_block *b = NULL;
	if (n <= (SIZE_MAX - sizeof *b) / sizeof b->tasks[0])
		b = malloc(sizeof *b + n * sizeof b->tasks[0]);
	if (b) {
		atomic_init(&b->n_left, n);
		b->n = n;
		b->next = 0;
	}
	t->block = b;
	return b != NULL;
}

struct wn_task *
provide_block_first(struct wn_thread *t)
{
	return t->block->tasks;
}

void
provide_task_drop(struct wn_thread *t, struct wn_task *task)
{
	/* acq_rel: the last holder sees the other holders' writes */
	if (atomic_fetch_sub_explicit(&task->n_holders, 1, memory_order_acq_rel) != 1)
		return;
	struct wn_task_block *b = task->block;
	if (b) {
		if (atomic_fetch_sub_explicit(&b->n_left, 1, memory_order_acq_rel) == 1)
			free(b);
		return;
	}
	task->next_free = t->free_tasks;
	t->free_tasks = task;
	if (++t->n_free_tasks >= FREE_MAX)
		hand_on(t);
}

/* --- threads --- */

void
provide_thread_begin(struct wn_thread *t, ompt_thread_t kind)
{
	t->kind = (int)kind;
	t->state = ompt_state_work_serial;
	CALL_TOOL(ompt_callback_thread_begin, ompt_callback_thread_begin_t, kind, &t->data);
	if (kind != ompt_thread_initial)
		return;
	init_task(&t->initial_task, ompt_task_initial, 1);
	t->initial_region.team_size = 1;
	t->initial_task.region = &t->initial_region;
	t->initial_task.thread_num = 1;
	t->task = &t->initial_task;
	CALL_TOOL(ompt_callback_implicit_task, ompt_callback_implicit_task_t, ompt_scope_begin,
	          &t->initial_region.data, &t->initial_task.data, 1, 1, ompt_task_initial);
}

void
provide_settle(struct wn_thread *t)
{
	t->n_lost = 0;
	while (t->task && t->task != &t->initial_task) {
		t->task->region = NULL; /* freed long ago */
		if (t->task->sync)
			wn_ev_sync_end(t, 0);
		wn_ev_implicit_end(t, 0);
	}
}

void
provide_thread_end(struct wn_thread *t)
{
	if (!t->kind)
		return;
	provide_settle(t);
	if (t->kind == ompt_thread_initial)
		CALL_TOOL(ompt_callback_implicit_task, ompt_callback_implicit_task_t,
		          ompt_scope_end, &t->initial_region.data, &t->initial_task.data, 0, 1,
		          ompt_task_initial);
	t->task = NULL;
	t->kind = 0;
	CALL_TOOL(ompt_callback_thread_end, ompt_callback_thread_end_t, &t->data);
}

static void
end_thread(void *arg)
{
	struct wn_thread *t = arg;
	provide_thread_end(t);
	wn_self = NULL;
	wn_frames_end();
	while (t->n_free_tasks >= HANDED_ON_N)
		hand_on(t);
	free(t->depends);
	free(t); /* its last free tasks are not freed: their slabs are shared */
}

void
provide_thread_init(void)
{
	is_key_made = pthread_key_create && pthread_key_create(&end_key, end_thread) == 0;
}

struct wn_thread *
wn_thread_attach(void)
{
	struct wn_thread *t = wn_self;
	if (t)
		return t;
	t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	t->state = ompt_state_undefined;
	if (is_key_made)
		pthread_setspecific(end_key, t);
	wn_self = t;
	return t;
}
