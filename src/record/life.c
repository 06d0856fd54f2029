/* SPDX-License-Identifier: MIT */
/*
 * life.c - starts and ends recording, and handles fork.
 *
 * Loading this library costs nothing until a source announces a runtime: no file, no memory. A
 * forked child starts without a trace and, if it uses OpenMP, gets one of its own.
 */
#include "base/clock.h"
#include "base/path.h"
#include "record/job.h"
#include "record/state.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void
start_again_in_child(void)
{
	struct recorder *r = &wn_recorder;
	int phase = atomic_load(&r->phase);
	wn_counters_forget();
	recorder_switches_forget();
	recorder_thread_forget();
	recorder_modules_reset();
	if (phase == PHASE_REFUSED)
		return;
	recorder_file_close_inherited();
	r->is_announced = false;
	atomic_store(&r->phase, PHASE_OFF);
}

uint32_t wn_trace_generation;

static void
announce(enum wn_source_bit source, const char *runtime)
{
	struct wn_trace_header *h = wn_recorder.header;
	/* checked first, because threads that cannot be recorded may call this at every event */
	uint32_t before = atomic_load(&h->sources);
	if (!(before & (uint32_t)source))
		before = atomic_fetch_or(&h->sources, (uint32_t)source);
	if (before & (uint32_t)source)
		return;
	if (recorder_report("start", wn_source_name(source), wn_recorder.path, 0))
		wn_recorder.is_announced = true;
	if (source != WN_SOURCE_MPI && (before & ~(uint32_t)WN_SOURCE_MPI) == 0)
		snprintf(h->runtime, sizeof h->runtime, "%s", runtime ? runtime : "");
	recorder_header_save();
}

static bool
open_trace(void)
{
	static bool has_fork_handler;
	struct recorder *r = &wn_recorder;

	recorder_thread_init_key();
	if (!has_fork_handler)
		has_fork_handler = pthread_atfork(NULL, NULL, start_again_in_child) == 0;
	wn_trace_generation++;
	bool is_open = recorder_file_open();
	if (is_open) { /* before any thread is recorded */
		wn_counters_open();
		recorder_switches_open();
		recorder_facts_open();
	}
	atomic_store_explicit(&r->phase, is_open ? PHASE_ON : PHASE_REFUSED, memory_order_release);
	if (is_open) {
		recorder_modules_write();
		recorder_runtimes_write();
		wn_counters_write();
	}
	return is_open;
}

bool
wn_recorder_start(enum wn_source_bit source, const char *runtime)
{
	struct recorder *r = &wn_recorder;
	int saved_errno = errno;
	int expected = PHASE_OFF;

	if (!wn_source_is_wanted(source))
		return false;
	if (atomic_load(&r->phase) == PHASE_OFF &&
	    atomic_compare_exchange_strong(&r->phase, &expected, PHASE_STARTING))
		open_trace();
	while (atomic_load_explicit(&r->phase, memory_order_acquire) == PHASE_STARTING)
		sched_yield();
	int phase = atomic_load(&r->phase);
	/* a trace that ended at its first page is still a trace: it contains the reason */
	if (phase == PHASE_ON || phase == PHASE_DEAD)
		announce(source, runtime);
	errno = saved_errno;
	return phase == PHASE_ON;
}

/* Is `winnow record` waiting, to save the windows when this process has ended? It opens the trace
 * by its path, which the program may have renamed. */
static bool
is_launcher_waiting(void)
{
	return wn_recorder.is_announced && recorder_are_segments_free() && recorder_is_at_path() &&
	       recorder_has_launcher();
}

/* Reads /proc, because the direct query is a further kind of system call. */
bool
recorder_is_filtered(void)
{
	static char status[4096];
	wn_read_start("/proc/self/status", status, sizeof status);
	const char *mode = strstr(status, "\nSeccomp:");
	return mode && strtol(mode + strlen("\nSeccomp:"), NULL, 10) != 0;
}

/* At process exit, frees memory that has no other reader. Under a seccomp filter any system call
 * that the program does not make itself may be fatal: then everything is left in shared memory for
 * the launcher. */
static void
save_windows(bool is_end)
{
	if (wn_recorder.is_announced && recorder_arena_is_shared() && recorder_is_at_path() &&
	    recorder_is_filtered())
		return;
	bool is_left = is_launcher_waiting();
	bool is_saved = recorder_arena_save(is_left);
	if (is_end && !is_left && is_saved)
		recorder_arena_remove();
	else
		recorder_header_save();
}

/* Data for the reader that is known only late; written as late as possible. */
static void
write_last(struct wn_trace_header *h)
{
	recorder_modules_write();
	recorder_switches_save();
	recorder_facts_write();
	if (wn_self)
		wn_counters_last(wn_self);
	h->last_mono_ns = wn_now_ns(CLOCK_MONOTONIC);
	h->last_tick = wn_clock();
}

static void
finish(bool is_end)
{
	struct recorder *r = &wn_recorder;
	int phase = atomic_load(&r->phase);
	int saved_errno = errno;
	if (phase == PHASE_ON) {
		write_last(r->header);
		uint32_t recording = WN_STATE_RECORDING;
		atomic_compare_exchange_strong(&r->header->state, &recording, WN_STATE_CLOSED);
	}
	if (phase == PHASE_ON || phase == PHASE_DEAD)
		save_windows(is_end);
	errno = saved_errno;
}

/* End of the runtime; in a forked child that is the parent's time. */
static uint64_t runtime_ended_ns;

void
wn_recorder_runtime_ended(bool is_unwatched)
{
	struct recorder *r = &wn_recorder;
	if (atomic_load(&r->phase) != PHASE_ON)
		return;
	int saved_errno = errno;
	write_last(r->header);
	runtime_ended_ns = r->header->last_mono_ns;
	if (is_unwatched && r->header->unseen_since_ns == 0)
		r->header->unseen_since_ns = runtime_ended_ns;
	save_windows(false); /* the process may end during the destructor */
	errno = saved_errno;
}

void
wn_recorder_unseen(enum wn_unseen what, enum wn_source_bit source, const char *runtime)
{
	if (atomic_load(&wn_is_paused) || !wn_recorder_start(source, runtime))
		return;
	struct wn_trace_header *h = wn_recorder.header;
	h->unseen_since_ns = runtime_ended_ns; /* every thread writes the same value */
	/* relaxed: numbers that only grow */
	atomic_fetch_add_explicit(what == WN_UNSEEN_REGION ? &h->n_unseen_regions
	                                                   : &h->n_unseen_tasks,
	                          1, memory_order_relaxed);
}

void
wn_recorder_finish(void)
{
	finish(false);
}

void
wn_recorder_out_of_memory(void)
{
	recorder_die(WN_DEAD_NO_MEMORY, ENOMEM);
}

__attribute__((destructor)) static void
finish_at_exit(void)
{
	finish(true);
	recorder_job_end();
}
