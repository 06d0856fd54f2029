/* SPDX-License-Identifier: MIT */
/*
 * counters.h - interface of the counter backends.
 *
 *   slots.c         memory that an emulator or compiled-in code counts into (slot.h)
 *   sources.c       sources of the program without such code
 *   perf.c          the kernel's counters: hardware and software events
 *   counter_page.c  reads them in user space
 *   miss.c          counters that are not available, and the reasons
 *
 * Tests preload another backend with known values (tests/counters/simulated.c).
 *
 * The recorder (count.c) selects the backend and writes its values to a thread's stream. Nothing
 * here calls the recorder.
 *
 * A backend keeps a running total for each counter and thread. A total may decrease only briefly.
 * Totals are read together with the clock: a counter is a further clock.
 *
 * The rules of the recorder's event path apply to read() and runs(): no allocation, lock or output,
 * and they cannot fail. A counter that cannot be read keeps its total.
 */
#pragma once

#include "trace/trace_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WN_COUNTER_NAME_BYTES 64u

struct wn_counter_name {
	char name[WN_COUNTER_NAME_BYTES]; /* of the column: letters, digits, _ */
	char unit[8];                     /* "" = a count */
};

/* Counters of a process. */
struct wn_counter_set {
	uint32_t n;
	struct wn_counter_name names[WN_COUNTERS_MAX];
	char by[80]; /* name of the counting tool, for display */
	/* NUL-terminated lines "name: reason", concatenated: requested counters that are not
	 * available */
	char missing[2048];
	size_t missing_bytes;
};

/* Per-thread state of a backend; initially zero. */
struct wn_counter_thread {
	void *slot;
	uint64_t base[WN_COUNTERS_MAX];
	uint64_t counted; /* bit i: counter i is counted; read() may clear it */
	int fd[WN_COUNTERS_MAX];
	uint64_t id[WN_COUNTERS_MAX];
	void *page[WN_COUNTERS_MAX];
	uint8_t leader[WN_COUNTERS_MAX]; /* leader of its group */
	/* time since it was requested, and time on the processor; 0: all the time */
	uint64_t enabled_ns[WN_COUNTERS_MAX], running_ns[WN_COUNTERS_MAX];
};

struct wn_counter_backend {
	const char *name;
	/* Can threads of this process count? `wanted` is the backend's part of WINNOW_COUNTERS.
	 * Slow. */
	bool (*open)(const char *wanted, struct wn_counter_set *set);
	/* Recording of the calling thread starts. Returns a bit for each available counter.
	 * Slow. */
	uint64_t (*begin)(struct wn_counter_thread *c, uint32_t os_tid, uint64_t tick);
	/* Reads the totals since begin(), at about `tick`: [set->n]; unavailable ones are
	 * unchanged. */
	void (*read)(struct wn_counter_thread *c, uint64_t tick, uint64_t *totals);
	/* From here on the thread runs `grain` (0: none), and grain `ended` (0: none) is over.
	 * NULL: not needed. */
	void (*runs)(struct wn_counter_thread *c, uint64_t grain, uint64_t ended);
	/* The thread ends, or belongs to a forked child: closes its open counters. NULL: not
	 * needed. Slow. */
	void (*end)(struct wn_counter_thread *c);
};

extern const struct wn_counter_backend wn_counters_slots, wn_counters_perf;

/* NULL where no library of a test defines it. */
extern const struct wn_counter_backend wn_counters_simulated
    __attribute__((weak, visibility("default")));

/* Appends "name: reason" to set->missing if there is room. */
void wn_counters_miss(struct wn_counter_set *set, const char *name, const char *why);
