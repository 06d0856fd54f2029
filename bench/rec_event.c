/* SPDX-License-Identifier: MIT */
/*
 * rec_event.c - nanoseconds per kind of event, on the event path alone: no runtime, no program.
 *
 *   cc -O2 -D_GNU_SOURCE -I src -I include bench/rec_event.c src/record/[a-z]*.c \
 *      src/record/counters/[a-z]*.c src/record/mark/[mn]*.c -o x
 *   WINNOW_OUT=/tmp/x.winnow ./x
 *
 * Each figure is the fastest of ROUNDS rounds of N events by CPU time, with the clock read for each
 * event and the windows written to the file. The first line is the clock alone. A task is what a
 * deferred task with its share of a taskwait comes to; times between events are those of the loop.
 */
#include "record/emit.h"

#include <stdio.h>
#include <unistd.h>

/* A round is shorter than a turn on a busy processor. */
#define N      10000
#define ROUNDS 300

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Here as in a program, every event is reached by a call. */
#define EVENT static __attribute__((noinline)) void

EVENT
clock_only(struct wn_thread *t, unsigned i)
{
	(void)i;
	t->source_tick = wn_clock();
}

EVENT
plain(struct wn_thread *t, unsigned i)
{
	(void)i;
	wn_ev_sync_end(t, wn_clock());
}

EVENT
quick_plain(struct wn_thread *t, unsigned i)
{
	if (wn_quick(t))
		wn_quick_plain(t, WN_EV_SYNC_END, wn_quick_clock());
	else
		plain(t, i);
}

EVENT
at_site(struct wn_thread *t, unsigned i)
{
	wn_ev_sync_begin(t, wn_clock(), (const char *)0x400000 + i % 8 * 16, WN_SYNC_TASKWAIT);
}

EVENT
task(struct wn_thread *t, unsigned i)
{
	uint64_t tick = wn_clock();
	wn_id id = wn_ev_task_create(t, tick, (const char *)0x400000 + i % 8 * 16, 0);

	wn_ev_create_end(t, wn_clock());
	wn_ev_task_begin(t, wn_clock(), id);
	wn_ev_task_end(t, wn_clock());
	if (i % 2) {
		at_site(t, i);
		plain(t, i);
	}
}

EVENT
chunk(struct wn_thread *t, unsigned i)
{
	wn_ev_chunk_begin(t, wn_clock(), i, 1);
	wn_ev_chunk_end(t, wn_clock());
}

static void
measure(struct wn_thread *t, const char *name, void (*event)(struct wn_thread *, unsigned))
{
	double best_ns = 1e9;
	uint64_t bytes = 0;

	for (int round = 0; round < ROUNDS; round++) {
		uint32_t sequence = t->w.block->sequence, used = t->w.block->used_bytes;
		uint64_t start_ns = now_ns();

		for (unsigned i = 0; i < N; i++)
			event(t, i);
		double ns = (double)(now_ns() - start_ns) / N;
		bytes = (uint64_t)(t->w.block->sequence - sequence) * WN_SLOT_BYTES +
		        t->w.block->used_bytes - used;
		best_ns = ns < best_ns ? ns : best_ns;
	}
	printf("%-12s %6.1f ns %6.1f bytes\n", name, best_ns, (double)bytes / N);
}

int
main(void)
{
	if (!wn_recorder_start(WN_SOURCE_OMPT, "none") || !wn_thread_self()) {
		fprintf(stderr, "rec_event: set WINNOW_OUT to a new file\n");
		return 1;
	}
	struct wn_thread *t = wn_thread_self();

	measure(t, "clock", clock_only);
	measure(t, "plain", plain);
	measure(t, "quick plain", quick_plain);
	measure(t, "with site", at_site);
	measure(t, "task", task);
	measure(t, "chunk", chunk);
	wn_recorder_finish();
	return 0;
}
