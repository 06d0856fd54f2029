/* SPDX-License-Identifier: MIT */
/* thread.h - the recorder's state of a thread: its window, the stack of its tasks, and fields for
 * its sources. Data only. */
#pragma once

#include "record/commands.h"
#include "record/loop_state.h"
#include "record/switches.h"
#include "trace/encode.h"

#include <stdbool.h>
#include <stdint.h>

#define WN_STACK_MAX          1024u              /* tasks of the stack in the array */
#define WN_STACK_HALF         (WN_STACK_MAX / 2) /* number moved out or back at once (task_stack.c) */
#define WN_SOURCE_BLOCK_BYTES 4224u

typedef uint64_t wn_id; /* thread index << 32 | number */

/* Ordered by use: an event uses the second cache line, its source the first, and the top of the
 * stack. */
/* Calls of MPI that found nothing completed, one after the other at one place: their MPI_BEGIN is
 * written, and the end of the last one follows before the thread's next record. */
struct wn_polls {
	uint64_t n; /* 0: none */
	const void *site, *name;
	uint64_t end_tick;
	uint8_t *limit;    /* of the writer, which has no room while it is replaced */
	bool is_continued; /* the call that is open has no MPI_BEGIN of its own */
};

struct wn_thread {
	/* For the sources; the recorder does not read these. */
	uint64_t source_tick; /* a tick taken earlier, e.g. at entry to a creation */
	uint32_t source_flags;
	uint32_t source_depth;
	void *source_ptr[4];
	uint64_t chunk_next; /* logical end of the last chunk of the current loop */
	uint32_t n_regions;
	uint32_t depth_low; /* 1 while tasks of the stack are moved out, else 0 */

	const volatile uint32_t *cpu_now; /* updated by the kernel (rseq) */
	uint64_t n_ids;
	uint32_t index;
	uint32_t cpu;         /* last CPU recorded */
	uint32_t depth;       /* entries of `stack` in use (task_stack.c) */
	uint32_t is_counting; /* `counting` is in use */
	struct wn_writer w;

	struct wn_loop_state loop; /* for the sources */
	struct wn_reported_ends ends;
	struct wn_depends submitted; /* of the task being submitted, until it is created */
	uint64_t source_word[4];     /* for the sources */
	uint32_t n_works;            /* WORK_BEGINs and LOOP_BEGINs so far */
	uint32_t n_muted;            /* for the sources: unrecorded regions entered and not left */
	uint32_t n_dropped;
	struct wn_counting *counting; /* counters/count.c; kept when the thread is parked */
	bool is_paused;               /* the stream records the pause */
	bool is_in_mpi;               /* a call of MPI has begun and not ended */
	struct wn_polls polls;
	uint32_t os_tid;
	struct wn_thread *next_free; /* list of parked threads */
	struct wn_stack_part *below; /* tasks of the stack that are moved out, outermost first */
	uint32_t n_below, below_max; /* parts in use, and mapped */
	struct wn_commands commands; /* for control/ */
	/* totals of the next block's header: see trace_format.h */
	uint32_t n_open_regions;
	uint32_t n_other_ids;
	uint64_t region_ticks;
	uint64_t region_since_tick; /* start of the outermost open region */
	wn_id implicit_task;

	/* Fields from here on are not cleared when a thread starts. */
	wn_id stack[WN_STACK_MAX + 1]; /* from 1 on; entry 0 is 0, for an empty stack */
	void
	    *source_stack[WN_STACK_MAX + 1]; /* for the sources, a word for each entry of `stack` */
	_Alignas(64) unsigned char source_block[WN_SOURCE_BLOCK_BYTES]; /* for the sources */
	struct wn_switches switches;
};

/* Part of a thread's stack that is moved out. */
struct wn_stack_part {
	wn_id id[WN_STACK_HALF];
	void *source[WN_STACK_HALF];
};

static_assert(offsetof(struct wn_thread, cpu_now) == 64 && offsetof(struct wn_thread, w) == 96,
              "what every event touches is one cache line");

extern __thread struct wn_thread *wn_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern bool wn_clock_is_ticks __attribute__((visibility("hidden")));
/* The clock is the processor's, and no counters are read with it. */
extern bool wn_clock_is_bare __attribute__((visibility("hidden")));
