/* SPDX-License-Identifier: MIT */
/*
 * test_graph_marks.c - names, labels, marks and pauses of programs; a cancelled region; and faults
 * that only a wrong runtime can make: events that are never fulfilled, a task that does not wait
 * for its dependences; and a thread whose records end before those of others.
 */
#include "tests/report/fake_trace.h"

#include "base/mem.h"
#include "graph/graph.h"
#include "tests/tap.h"

#include <string.h>

enum { SITE = 0x1000 };

static struct fake f;
static struct wn_trace *trace;
static struct wn_graph *g;
static wn_err err;

static void
build(void)
{
	wn_status st = fake_graph(&f, &trace, &g, &err);
	ok(st == WN_OK, "a graph is built%s%s", st == WN_OK ? "" : ": ",
	   st == WN_OK ? "" : err.msg);
}

static void
drop(void)
{
	wn_graph_free(g);
	wn_trace_close(trace);
}

static void
region(uint64_t at, uint32_t n)
{
	FAKE(&f, 0, REGION_BEGIN, at, SITE, 0, n);
	for (uint32_t i = 0; i < n; i++)
		FAKE(&f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 1, n, i);
}

static void
region_end(uint64_t at, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		FAKE(&f, i, SYNC_END, at, 0, 0);
		FAKE(&f, i, IMPLICIT_END, at, 0, 0);
	}
	FAKE(&f, 0, REGION_END, at, 0, 0);
}

static void
create(uint64_t at, uint32_t aux)
{
	FAKE(&f, 0, TASK_CREATE, at, SITE, aux);
	FAKE(&f, 0, CREATE_END, at, 0, 0);
}

static void
name(uint32_t thread, uint64_t number, const char *text)
{
	size_t n = strlen(text) + 1;
	for (size_t from = 0; from < n; from += 32) {
		uint64_t part[4] = {0};
		memcpy(part, text + from, n - from < 32 ? n - from : 32);
		FAKE(&f, thread, NAME, 0, 0, 0, number, part[0], part[1], part[2], part[3]);
	}
}

static void
test_names(void)
{
	static const char text[] = "a name that takes three records, because it is so very long";
	fake_init(&f);
	FAKE(&f, 0, SYNC_BEGIN, 100, SITE, WN_SYNC_TASKYIELD);
	FAKE(&f, 0, SYNC_END, 100, 0, 0);
	name(0, 1, text);
	name(0, 2, "exactly as long as one piece is.");
	name(0, 3, "");
	build();
	for (int twice = 0; twice < 2; twice++) {
		struct wn_cursor cursor;
		struct wn_event event;
		wn_cursor_init(&cursor, trace, 0);
		while (wn_cursor_next(&cursor, &event) > 0)
			;
	}
	ok(wn_trace_name(trace, 1) && strcmp(wn_trace_name(trace, 1), text) == 0,
	   "a name in pieces is whole, however often it is read");
	ok(wn_trace_name(trace, 2) && strlen(wn_trace_name(trace, 2)) == 32,
	   "a name may end at the end of a piece");
	ok(wn_trace_name(trace, 3) && *wn_trace_name(trace, 3) == '\0', "a name may be empty");
	ok(!wn_trace_name(trace, 4) && !wn_trace_name(trace, 0) &&
	       !wn_trace_name(trace, UINT32_MAX),
	   "names that were not told are none");
	drop();
}

static void
test_marks(void)
{
	fake_init(&f);
	FAKE(&f, 0, MARK_BEGIN, 100, SITE, 0, 1);
	FAKE(&f, 0, MARK_BEGIN, 200, SITE, 0, 2);
	FAKE(&f, 0, MARK_BEGIN, 300, SITE, 0, 1);
	FAKE(&f, 0, MARK_END, 400, 0, 0);
	FAKE(&f, 0, MARK_END, 600, 0, 0);
	FAKE(&f, 0, PAUSE, 700, SITE, 0);
	FAKE(&f, 0, RESUME, 750, SITE, 0);
	FAKE(&f, 0, MARK_END, 1000, 0, 0);
	FAKE(&f, 0, MARK_END, 1100, 0, 0);
	FAKE(&f, 0, MARK_BEGIN, 1200, SITE, 0, 2);
	FAKE(&f, 0, LABEL, 0, 0, 0, 2);
	FAKE(&f, 0, SYNC_BEGIN, 1300, SITE, WN_SYNC_TASKYIELD);
	FAKE(&f, 0, SYNC_END, 1300, 0, 0);
	build();
	ok(g->n_marks == 2, "two names, two marks");
	const struct wn_mark *a = &g->marks[0], *b = &g->marks[1];
	ok(a->name == 1 && a->count == 2 && a->wall_ns == 900 && a->max_ns == 900,
	   "time in a mark of its own name counts once");
	ok(a->self_ns == 900 - 400 + 100, "time in other marks inside is not its own");
	ok(a->work_ns == 850, "a pause is no work");
	ok(b->count == 2 && b->wall_ns == 400 + 100 && b->self_ns == 300 + 100,
	   "a mark without an end lasts as long as its thread");
	ok(g->n_marks_unmatched == 2, "an end without a begin, a begin without an end");
	ok(g->thread_time[0].paused_ns == 50 && g->thread_time[0].serial_ns == 1150,
	   "a pause is not serial code");
	ok(g->label && g->label[0] == 2, "a label is that of the grain that runs");
	ok(wn_graph_check(g, &err) == WN_OK, "all laws hold: %s", err.msg);
	drop();
}

/* Thread 1 notices, thread 0 asks for it, both from inside chunks of which nobody tells the end. */
static void
test_cancelled_region(void)
{
	fake_init(&f);
	region(100, 2);
	create(200, 0);
	FAKE(&f, 0, GROUP_BEGIN, 210, SITE, 0);
	create(220, 0);
	for (uint32_t t = 0; t < 2; t++) {
		FAKE(&f, t, LOOP_BEGIN, 300, SITE, WN_WORK_LOOP_DYNAMIC, 9, 0, 2, 1);
		FAKE(&f, t, CHUNK_BEGIN, 310 + t, 0, 0, 2 * t, 1);
		FAKE(&f, t, CANCEL, 400 + 100 * t, SITE,
		     WN_CANCEL_PARALLEL | (t ? WN_CANCEL_DETECTED : WN_CANCEL_ACTIVATED));
	}
	FAKE(&f, 1, SYNC_BEGIN, 510, SITE, WN_SYNC_BARRIER_IMPLICIT);
	FAKE(&f, 1, SYNC_END, 520, 0, 0);
	for (uint32_t t = 0; t < 2; t++)
		FAKE(&f, t, SYNC_BEGIN, 600, SITE, WN_SYNC_BARRIER_REGION);
	region_end(700, 2);
	build();
	wn_grain first = 2, second = 3, chunk = 4;
	ok(g->flags[first] & WN_GF_CANCELLED && g->end_ns[first] == 700,
	   "a task that never ran is discarded with its region");
	ok(g->flags[second] & WN_GF_CANCELLED, "also one out of a group that was never left");
	ok(g->kind[chunk] == WN_GRAIN_CHUNK && g->end_ns[chunk] == 400 &&
	       wn_work_ns(g, chunk) == 90,
	   "a chunk ends where its thread leaves the loop");
	ok(g->anomalies.n_never_started == 0 && g->anomalies.n_incomplete == 0 &&
	       g->anomalies.n_unmatched == 0,
	   "nothing of that is an anomaly");
	ok(wn_graph_check(g, &err) == WN_OK, "all laws hold: %s", err.msg);
	drop();
}

/* What a chunk has come to be, told when its begin could not be changed any more. */
static void
test_chunk_range(void)
{
	fake_init(&f);
	region(100, 1);
	FAKE(&f, 0, WORK_BEGIN, 300, SITE, WN_WORK_LOOP_STATIC | WN_LOOP_INLINE, 0);
	FAKE(&f, 0, TASK_RANGE, 0, 0, 0, fake_zigzag(4), 9);
	FAKE(&f, 0, CHUNK_BEGIN, 310, 0, 0, fake_zigzag(10), 3);
	FAKE(&f, 0, TASK_RANGE, 0, 0, 0, fake_zigzag(8), 7);
	FAKE(&f, 0, CHUNK_END, 400, 0, 0);
	FAKE(&f, 0, CHUNK_BEGIN, 400, 0, 0, fake_zigzag(2), 1);
	FAKE(&f, 0, CHUNK_END, 500, 0, 0);
	FAKE(&f, 0, WORK_END, 600, 0, 0);
	FAKE(&f, 0, SYNC_BEGIN, 600, SITE, WN_SYNC_BARRIER_REGION);
	region_end(700, 1);
	build();
	wn_grain task = 1, chunk = 2, next = 3;
	const struct wn_range *range = g->range[chunk] ? &g->ranges[g->range[chunk] - 1] : NULL;
	ok(range && range->first == 8 && range->iterations == 7, "a chunk's last range counts");
	range = g->range[next] ? &g->ranges[g->range[next] - 1] : NULL;
	ok(range && range->first == 15 && range->iterations == 1,
	   "the next one counts from what the begin said");
	ok(g->kind[chunk] == WN_GRAIN_CHUNK && g->kind[task] == WN_GRAIN_IMPLICIT &&
	       !g->range[task],
	   "a range makes nothing else of a grain");
	ok(wn_graph_check(g, &err) == WN_OK, "all laws hold: %s", err.msg);
	drop();
}

static void
test_detached(void)
{
	fake_init(&f);
	region(100, 1);
	create(200, WN_TASK_DETACH);
	FAKE(&f, 0, SYNC_BEGIN, 300, SITE, WN_SYNC_BARRIER_REGION);
	FAKE(&f, 0, TASK_BEGIN, 310, 0, 0, 0, 2);
	FAKE(&f, 0, TASK_END, 400, 0, 0);
	FAKE(&f, 0, TASK_FULFILL, 420, 0, 0, 0, 7);
	region_end(500, 1);
	build();
	ok(g->anomalies.n_incomplete == 1 && !(g->flags[2] & WN_GF_COMPLETED),
	   "a task whose event is never fulfilled does not complete");
	ok(g->anomalies.n_unmatched == 1, "the event of no task is nobody's");
	ok(wn_work_ns(g, 2) == 90 && wn_graph_check(g, &err) == WN_OK, "its work is known");
	drop();
}

static void
test_too_early(void)
{
	for (uint64_t late = 0; late < 2; late++) {
		fake_init(&f);
		region(100, 2);
		FAKE(&f, 1, SYNC_BEGIN, 150, SITE, WN_SYNC_BARRIER_REGION);
		for (uint32_t i = 0; i < 2; i++) {
			FAKE(&f, 0, TASK_CREATE, 200 + i, SITE, WN_TASK_DEPENDENT);
			FAKE(&f, 0, DEPEND, 0, 0, 0, WN_DEPEND_OUT, 8);
			FAKE(&f, 0, CREATE_END, 200 + i, 0, 0);
		}
		FAKE(&f, 0, SYNC_BEGIN, 300, SITE, WN_SYNC_BARRIER_REGION);
		FAKE(&f, 0, TASK_BEGIN, 310, 0, 0, 0, 2);
		FAKE(&f, 0, TASK_END, 350, 0, 0);
		FAKE(&f, 1, TASK_BEGIN, late ? 350 : 340, 0, 0, 0, 3);
		FAKE(&f, 1, TASK_END, 380, 0, 0);
		region_end(500, 2);
		build();
		wn_status st = wn_graph_check(g, &err);
		if (late)
			ok(st == WN_OK, "a task may begin when what it depends on has ended");
		else
			ok(st == WN_E_INVARIANT && strstr(err.msg, "depends on"),
			   "a task that begins before breaks a law: %s", err.msg);
		drop();
	}
}

/* It is left between its parts, and its parent goes on only when it has ended. */
static void
test_undeferred_parts(void)
{
	fake_init(&f);
	region(100, 1);
	FAKE(&f, 0, TASK_CREATE, 200, SITE, WN_TASK_UNDEFERRED | WN_TASK_UNTIED);
	FAKE(&f, 0, CREATE_END, 210, 0, 0);
	FAKE(&f, 0, TASK_BEGIN, 210, 0, 0, 0, 2);
	FAKE(&f, 0, TASK_SUSPEND, 250, 0, 0);
	FAKE(&f, 0, TASK_BEGIN, 290, 0, 0, 0, 2);
	FAKE(&f, 0, TASK_END, 300, 0, 0);
	FAKE(&f, 0, SYNC_BEGIN, 400, SITE, WN_SYNC_BARRIER_REGION);
	region_end(500, 1);
	build();
	ok(wn_work_ns(g, 2) == 50 && wn_work_ns(g, 1) == 200 && wn_made_ns(g, 1) == 50,
	   "between the parts of an undeferred task its parent does not work: %d, %d, %d",
	   (int)wn_work_ns(g, 2), (int)wn_work_ns(g, 1), (int)wn_made_ns(g, 1));
	ok(wn_graph_check(g, &err) == WN_OK, "all laws hold: %s", err.msg);
	drop();
}

/* Returns how long threads waited for all places. */
static double
waited_for_ns(void)
{
	double ns = 0;
	for (size_t i = 0; i < g->n_waited; i++)
		ns += g->waited_ns[i];
	return ns;
}

/* A killed process may leave fewer records of one thread than of another: what the thread does
 * after its last one is not known. */
static void
test_cut_thread(void)
{
	fake_init(&f);
	region(100, 2);
	FAKE(&f, 1, SYNC_BEGIN, 150, SITE, WN_SYNC_BARRIER_REGION);
	FAKE(&f, 0, SYNC_BEGIN, 10000, SITE, WN_SYNC_BARRIER_REGION);
	FAKE(&f, 0, SYNC_END, 10100, 0, 0);
	FAKE(&f, 0, IMPLICIT_END, 10100, 0, 0);
	build();
	double waited_ns = waited_for_ns();
	ok(waited_ns == 0, "after its last record a thread does not wait: %g", waited_ns);
	ok(wn_graph_check(g, &err) == WN_OK, "all laws hold: %s", err.msg);
	drop();
}

/* libgomp's threads wait in the region's barrier until the next region begins: in the last one that
 * is their last record. */
static void
test_last_barrier(void)
{
	fake_init(&f);
	region(100, 2);
	FAKE(&f, 1, SYNC_BEGIN, 1000, SITE, WN_SYNC_BARRIER_REGION);
	FAKE(&f, 0, SYNC_BEGIN, 9000, SITE, WN_SYNC_BARRIER_REGION);
	FAKE(&f, 0, SYNC_END, 9000, 0, 0);
	FAKE(&f, 0, IMPLICIT_END, 9000, 0, 0);
	FAKE(&f, 0, REGION_END, 9000, 0, 0);
	build();
	double waited_ns = waited_for_ns();
	ok(waited_ns == 8000 && g->thread_time[1].idle_empty_ns == 8000,
	   "a thread waits for others until its region ends: %g", waited_ns);
	ok(wn_graph_check(g, &err) == WN_OK, "all laws hold: %s", err.msg);
	drop();
}

int
main(void)
{
	test_names();
	test_marks();
	test_cancelled_region();
	test_chunk_range();
	test_detached();
	test_too_early();
	test_undeferred_parts();
	test_cut_thread();
	test_last_barrier();
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
