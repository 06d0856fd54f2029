/* SPDX-License-Identifier: MIT */
/*
 * thread.c - a thread's window: attach, flush when full, park when the thread ends.
 *
 * The window is memory that outlives the process (arena.c). A full window is written to the file as
 * a sealed block, then emptied: reusing 64 KiB is cheaper than touching fresh memory. Each record
 * is in at least one place at any instant; a reader that finds it in both ignores the window (rule
 * V6).
 */
#include "base/clock.h"
#include "base/map.h"
#include "base/spin.h"
#include "record/emit_facts.h"
#include "record/frames.h"
#include "record/state.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/rseq.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread struct wn_thread *wn_self __attribute__((tls_model("initial-exec")));
void (*_Atomic wn_on_attach)(struct wn_thread *t);

extern __typeof__(pthread_key_create) pthread_key_create
    __attribute__((weak)); /* see base/glibc_versions.h */
static pthread_key_t end_key;
static bool is_key_made;
static uint32_t cpu_unknown = UINT32_MAX;

/* glibc since 2.35 keeps the kernel's current CPU number at a fixed offset in each thread. The
 * recorder also runs with an older one, so it looks the offset up. */
static bool is_cpu_kept;
static ptrdiff_t cpu_offset;

static void
find_current_cpu(void)
{
	const unsigned *size = dlsym(RTLD_DEFAULT, "__rseq_size");
	const ptrdiff_t *offset = dlsym(RTLD_DEFAULT, "__rseq_offset");
	is_cpu_kept = size && offset && *size > 0;
	if (is_cpu_kept)
		cpu_offset = *offset + (ptrdiff_t)offsetof(struct rseq, cpu_id);
}

static const volatile uint32_t *
current_cpu_address(void)
{
	if (!is_cpu_kept)
		return &cpu_unknown;
	char *base;
#if defined(__x86_64__)
	__asm__("mov %%fs:0, %0" : "=r"(base)); /* clang 14 lacks the builtin */
#elif defined(__powerpc64__)
	__asm__("mr %0, 13" : "=r"(base)); /* gcc lacks it there */
#else
	base = __builtin_thread_pointer();
#endif
	return (const volatile uint32_t *)(void *)(base + cpu_offset);
}

static void
start_block(struct wn_thread *t, uint32_t sequence)
{
	struct wn_block_header *b = t->w.block;

	/* while used_bytes is 0 a reader treats the slot as empty (V4) */
	atomic_store_explicit(&b->used_bytes, 0, memory_order_release);
	atomic_thread_fence(memory_order_release);
	b->magic = WN_BLOCK_MAGIC;
	b->kind = WN_BLOCK_WINDOW;
	b->flags = 0;
	b->salt = wn_recorder.header->salt;
	b->thread_index = t->index;
	b->sequence = sequence;
	b->n_dropped = t->n_dropped;
	b->n_dropped_after = 0;
	b->hash = 0;
	b->first_tick = t->w.last_tick;
	b->mono_ns = wn_now_ns(CLOCK_MONOTONIC);
	b->mono_tick = wn_clock();
	b->n_ids = t->n_ids;
	b->current_task = wn_stack_peek(t, 0);
	b->n_regions = t->n_regions;
	b->cpu = t->cpu;
	b->depth = wn_stack_depth(t);
	b->os_tid = t->os_tid;
	b->n_open_regions = t->n_open_regions;
	b->region_ticks = t->region_ticks;
	if (t->n_open_regions > 0 && b->first_tick > t->region_since_tick)
		b->region_ticks += b->first_tick - t->region_since_tick;
	b->implicit_task = t->implicit_task;
	b->n_other_ids = t->n_other_ids;
	memset(b->reserved, 0, sizeof b->reserved);
	wn_writer_start(&t->w, b, WN_SLOT_BYTES);
}

/* From now on every event of this thread takes the slow path and is counted as lost. */
static void
close_window(struct wn_thread *t)
{
	t->w.limit = (uint8_t *)t->w.block;
}

/* A full window is written as a whole slot: file systems handle whole aligned pages in half the
 * time of partial ones. */
static bool
seal_window(struct wn_thread *t, bool is_full)
{
	struct wn_block_header *b = t->w.block;
	struct wn_block_header sealed;
	size_t payload_bytes = (size_t)(t->w.next - (uint8_t *)b) - sizeof *b;
	size_t written_bytes = is_full ? WN_SLOT_BYTES - sizeof *b : payload_bytes;

	memcpy(&sealed, b, sizeof sealed);
	sealed.kind = WN_BLOCK_SEALED;
	return recorder_write_block(&sealed, b + 1, payload_bytes, written_bytes);
}

uint64_t
wn_polls_take(struct wn_thread *t)
{
	uint64_t n = t->polls.n;
	if (n > 0)
		t->w.limit = t->polls.limit;
	t->polls.n = 0;
	return n;
}

void
wn_polls_end(struct wn_thread *t)
{
	uint64_t n = wn_polls_take(t);
	if (n > 1)
		wn_ev_mpi_polls(t, n);
	if (n > 0)
		wn_ev_mpi_end(t, t->polls.end_tick);
}

bool
wn_thread_flush(struct wn_thread *t)
{
	int saved_errno = errno;
	bool has_room = false;

	if (t->polls.n > 0) {
		wn_polls_end(t);
		if (wn_writer_room(&t->w))
			return true;
	}
	if (t->w.limit != (uint8_t *)t->w.block && seal_window(t, true)) {
		start_block(t, t->w.block->sequence + 1);
		wn_counters_emit(t);
		if (wn_switches_are_many(&t->switches))
			wn_switches_relieve(t);
		has_room = true;
	} else {
		close_window(t);
		t->n_dropped++;
		t->w.block->n_dropped_after++;
	}
	errno = saved_errno;
	return has_room;
}

bool
wn_thread_seal(struct wn_thread *t)
{
	int saved_errno = errno;
	wn_polls_end(t);
	bool is_open = t->w.limit != (uint8_t *)t->w.block;

	if (is_open && t->w.next > (uint8_t *)(t->w.block + 1)) {
		is_open = seal_window(t, false);
		if (is_open) {
			start_block(t, t->w.block->sequence + 1);
			wn_counters_emit(t);
		} else {
			close_window(t);
		}
	}
	errno = saved_errno;
	return is_open;
}

/* Runs when a thread ends. Seals its events and parks its window for the next new thread. */
static void
park_thread(void *arg)
{
	struct wn_thread *t = arg;
	int saved_errno = errno;

	wn_polls_end(t);
	wn_unmute_all();
	wn_self = NULL;
	wn_frames_end();
	wn_counters_end(t);
	recorder_switches_end(t);
	recorder_facts_thread();
	if (atomic_load_explicit(&wn_recorder.phase, memory_order_relaxed) == PHASE_ON &&
	    t->w.limit != (uint8_t *)t->w.block && seal_window(t, false)) {
		atomic_store_explicit(&t->w.block->used_bytes, 0, memory_order_release);
		wn_spin_lock(&wn_recorder.parked_lock);
		t->next_free = wn_recorder.parked;
		wn_recorder.parked = t;
		wn_spin_unlock(&wn_recorder.parked_lock);
	}
	errno = saved_errno;
}

static struct wn_thread *
unpark_thread(void)
{
	wn_spin_lock(&wn_recorder.parked_lock);
	struct wn_thread *t = wn_recorder.parked;
	if (t)
		wn_recorder.parked = t->next_free;
	wn_spin_unlock(&wn_recorder.parked_lock);
	return t;
}

static struct wn_thread *
new_thread(void)
{
	struct wn_thread *t = wn_map(sizeof *t, 0);
	if (!t) {
		wn_recorder_out_of_memory(); /* its events are lost, which the trace must record */
		return NULL;
	}
	t->w.block = recorder_new_window();
	if (!t->w.block) {
		munmap(t, sizeof *t);
		return NULL;
	}
	recorder_switches_add(t);
	return t;
}

static void
init_thread(struct wn_thread *t)
{
	struct wn_block_header *block = t->w.block;
	struct wn_counting *counting = t->counting;
	struct wn_stack_part *below = t->below;
	uint32_t below_max = t->below_max;
	memset(t, 0, offsetof(struct wn_thread, stack));
	t->w.block = block;
	t->counting = counting;
	t->below = below;
	t->below_max = below_max;
	t->stack[0] = 0;
	t->source_stack[0] = NULL;
	/* relaxed: only uniqueness matters */
	t->index =
	    atomic_fetch_add_explicit(&wn_recorder.header->n_threads, 1, memory_order_relaxed);
	t->os_tid = (uint32_t)syscall(SYS_gettid);
	t->cpu = UINT32_MAX;
	t->cpu_now = current_cpu_address();
	recorder_switches_begin(t);
	t->w.last_tick = wn_clock();
	start_block(t, 0);
	uint8_t *at = wn_code_event(t->w.next, WN_EV_THREAD);
	wn_writer_commit(&t->w, wn_code_value(wn_code_value(at, t->os_tid), 0));
	wn_counters_begin(t);
}

struct wn_thread *
wn_thread_attach(void)
{
	if (wn_n_muted > 0 ||
	    atomic_load_explicit(&wn_recorder.phase, memory_order_acquire) != PHASE_ON)
		return NULL;
	int saved_errno = errno;
	struct wn_thread *t = unpark_thread();
	if (!t)
		t = new_thread();
	if (t) {
		init_thread(t);
		recorder_facts_attach();
		if (is_key_made)
			pthread_setspecific(end_key, t);
		wn_self = t;
		/* relaxed: reads this thread's own writes */
		void (*on_attach)(struct wn_thread *) =
		    atomic_load_explicit(&wn_on_attach, memory_order_relaxed);
		if (on_attach)
			on_attach(t);
	}
	errno = saved_errno;
	return t;
}

void
recorder_thread_forget(void)
{
	wn_self = NULL;
	recorder_mute_forget();
	wn_recorder.parked = NULL;
	if (is_key_made)
		pthread_setspecific(end_key, NULL);
	atomic_flag_clear(&wn_recorder.parked_lock);
}

void
recorder_thread_init_key(void)
{
	if (is_key_made)
		return;
	is_key_made = pthread_key_create && pthread_key_create(&end_key, park_thread) == 0;
	find_current_cpu();
}
