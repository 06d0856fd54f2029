/* SPDX-License-Identifier: MIT */
#include "cli/overhead.h"

#include "base/clock.h"
#include "trace/encode.h"
#include "trace/ticks.h"
#include "trace/trace_calibration.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROUNDS   5
#define EVENTS_N 512u /* few, so that they and their window stay in the first-level cache */

/* Fixed cost of the file, the list of modules, the first windows: doc/performance.md. */
#define START_NS 600000u

/* Upper bound of the cost per byte of an event and its share of a window's write, on any known
 * machine: doc/performance.md. */
#define BYTE_MOST_NS 20.0

static inline uint64_t
read_clock(enum wn_clock_kind clock)
{
	return clock == WN_CLOCK_TICKS ? wn_ticks() : wn_now_ns(CLOCK_MONOTONIC);
}

/* Records one event as sources do: a call, a reading of the clock, a record with or without a site.
 */
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

/* Returns the recorded bytes. */
static size_t
send_events(struct wn_block_header *block, enum wn_clock_kind clock)
{
	struct wn_writer w = {0};
	wn_writer_start(&w, block, WN_SLOT_BYTES);
	for (unsigned i = 0; i < EVENTS_N && wn_writer_room(&w); i++)
		send_event(&w, clock, i);
	return (size_t)(w.next - (uint8_t *)block);
}

/* A full window goes to the file, here in memory: the cost is the copy into fresh pages. */
static double
copy_byte_ns(const struct wn_block_header *block)
{
	int fd = memfd_create("winnow-overhead", MFD_CLOEXEC);
	uint64_t start_ns = wn_now_ns(CLOCK_MONOTONIC);
	ssize_t n = fd >= 0 ? pwrite(fd, block, WN_SLOT_BYTES, 0) : 0;
	uint64_t ns = wn_now_ns(CLOCK_MONOTONIC) - start_ns;
	if (fd >= 0)
		close(fd);
	return n > 0 ? (double)ns / (double)n : 0;
}

/* Takes the fastest round: other activity of the machine is no cost of an event. */
static double
byte_ns(enum wn_clock_kind clock)
{
	double best_ns = BYTE_MOST_NS;
	struct wn_block_header *block = calloc(1, WN_SLOT_BYTES);
	for (int round = 0; block && round < ROUNDS; round++) {
		uint64_t start_ns = wn_now_ns(CLOCK_MONOTONIC);
		size_t n_bytes = send_events(block, clock);
		double ns = (double)(wn_now_ns(CLOCK_MONOTONIC) - start_ns) / (double)n_bytes;
		best_ns = ns < best_ns ? ns : best_ns;
	}
	if (block)
		best_ns += copy_byte_ns(block);
	free(block);
	return best_ns;
}

uint64_t
overhead_estimate_ns(uint64_t event_bytes, size_t n_processes, uint64_t n_threads,
                     enum wn_clock_kind clock, uint64_t least_ns)
{
	uint64_t start_ns = n_processes * START_NS + n_threads * WN_ATTACH_NS;
	double most_ns = (double)event_bytes * BYTE_MOST_NS;
	if ((double)start_ns + most_ns < (double)least_ns)
		return start_ns;
	return (uint64_t)((double)event_bytes * byte_ns(clock)) + start_ns;
}
