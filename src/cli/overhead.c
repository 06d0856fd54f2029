/* SPDX-License-Identifier: MIT */
#include "cli/overhead.h"

#include "trace/encode.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS   5
#define EVENTS_N 20000u

/* The file, the list of modules, the first windows: doc/performance.md. */
#define START_NS 600000u

static uint64_t
now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t
read_clock(enum wn_clock_kind clock)
{
#if defined(__x86_64__)
	if (clock == WN_CLOCK_TSC)
		return __builtin_ia32_rdtsc();
#endif
	return now_ns();
}

/* One event as sources send it: a call, a reading of the clock, a record with a site or without. */
static __attribute__((noinline)) void
send_event(struct wn_writer *w, enum wn_clock_kind clock, unsigned i)
{
	uint64_t tick = read_clock(clock);
	bool has_site = i % 3 == 0;
	uint8_t *at = wn_code_timed(w, w->next, has_site ? WN_EV_SYNC_BEGIN : WN_EV_SYNC_END, tick);
	if (has_site)
		at = wn_code_site(w, at, 0x400000u + i % 8 * 16, WN_SYNC_TASKWAIT);
	wn_writer_commit(w, at);
}

/* A full window goes to the file, here one in memory: the copy into fresh pages is what costs. */
static void
send_events(struct wn_block_header *block, int fd, enum wn_clock_kind clock)
{
	struct wn_writer w = {0};
	off_t offset = 0;
	wn_writer_start(&w, block, WN_SLOT_BYTES);
	for (unsigned i = 0; i < EVENTS_N; i++) {
		if (!wn_writer_room(&w)) {
			ssize_t n = pwrite(fd, block, WN_SLOT_BYTES, offset);
			(void)n; /* without a file an event costs a little less */
			offset += WN_SLOT_BYTES;
			wn_writer_start(&w, block, WN_SLOT_BYTES);
		}
		send_event(&w, clock, i);
	}
}

/* The fastest round: whatever else this machine does is no cost of an event. */
static double
event_ns(enum wn_clock_kind clock)
{
	uint64_t best_ns = UINT64_MAX;
	struct wn_block_header *block = calloc(1, WN_SLOT_BYTES);
	int fd = memfd_create("winnow-overhead", MFD_CLOEXEC);
	for (int round = 0; block && round < ROUNDS; round++) {
		if (fd >= 0 && ftruncate(fd, 0) != 0)
			break;
		uint64_t start_ns = now_ns();
		send_events(block, fd, clock);
		uint64_t ns = now_ns() - start_ns;
		best_ns = ns < best_ns ? ns : best_ns;
	}
	if (fd >= 0)
		close(fd);
	free(block);
	return best_ns == UINT64_MAX ? 0 : (double)best_ns / EVENTS_N;
}

uint64_t
overhead_estimate_ns(uint64_t n_events, size_t n_processes, enum wn_clock_kind clock)
{
	return (uint64_t)((double)n_events * event_ns(clock)) + n_processes * START_NS;
}
