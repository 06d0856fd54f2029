/* SPDX-License-Identifier: MIT */
/*
 * counters.h - what counts beside the clock: one interface, a backend for each way.
 *
 *   slots.c      memory that an emulator or compiled-in code counts into (slot.h)
 *   sources.c    and which sources of the program have no such code
 *   perf.c       the kernel's: events of the processor and its own (page.h: without calling it)
 *   simulated.c  numbers that a test knows beforehand
 *   miss.c       what is not counted, and why
 *
 * Which backend counts, and what of it goes into a thread's stream, is the recorder's: count.c.
 * Nothing here calls the recorder.
 *
 * A backend counts in running totals, one of each counter and thread, that never run backwards for
 * longer than a moment. They are read when the clock is: a counter is a further clock.
 *
 * The rules of the recorder's event path hold for read() and runs(): nothing is allocated, locked
 * or said, and they cannot fail. What cannot be read keeps its total.
 */
#ifndef WN_RECORD_COUNTERS_H
#define WN_RECORD_COUNTERS_H

#include "trace/trace_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WN_COUNTER_NAME_BYTES 64u

struct wn_counter_name {
	char name[WN_COUNTER_NAME_BYTES]; /* of the column: letters, digits, _ */
	char unit[8];                     /* "" = a number of something */
};

/* What a process counts. */
struct wn_counter_set {
	uint32_t n;
	struct wn_counter_name names[WN_COUNTERS_MAX];
	char by[80]; /* who counts, for people */
	/* NUL-terminated lines "name: why", one after the other: what was asked for and is not to
	 * be had */
	char missing[2048];
	size_t missing_bytes;
};

/* What a backend keeps of one thread; zeros at first. */
struct wn_counter_thread {
	void *slot;
	uint64_t base[WN_COUNTERS_MAX];
	uint64_t counted; /* bit i: counter i; read() may find that one is lost */
	int fd[WN_COUNTERS_MAX];
	uint64_t id[WN_COUNTERS_MAX];
	void *page[WN_COUNTERS_MAX];
	uint8_t leader[WN_COUNTERS_MAX]; /* of its group */
	/* how long it was asked for and how long on the processor, by now; 0: all the time */
	uint64_t enabled_ns[WN_COUNTERS_MAX], running_ns[WN_COUNTERS_MAX];
};

struct wn_counter_backend {
	const char *name;
	/* May threads of this process count? `wanted` is the backend's part of WINNOW_COUNTERS.
	 * Slow. */
	bool (*open)(const char *wanted, struct wn_counter_set *set);
	/* The calling thread starts to be recorded. The counters that it has, a bit each. Slow. */
	uint64_t (*begin)(struct wn_counter_thread *c, uint32_t os_tid, uint64_t tick);
	/* The totals since begin(), at about `tick`: [set->n], others are left alone. */
	void (*read)(struct wn_counter_thread *c, uint64_t tick, uint64_t *totals);
	/* From here on it runs `grain` (0: what is of no grain), and `ended` (0: none) is over.
	 * NULL: does not matter here. */
	void (*runs)(struct wn_counter_thread *c, uint64_t grain, uint64_t ended);
	/* The thread is over, or another process's: what is open is closed. NULL: nothing. Slow. */
	void (*end)(struct wn_counter_thread *c);
};

extern const struct wn_counter_backend wn_counters_slots, wn_counters_perf, wn_counters_simulated;

/* "name: why" into set->missing, as far as there is room. */
void wn_counters_miss(struct wn_counter_set *set, const char *name, const char *why);

#endif /* WN_RECORD_COUNTERS_H */
