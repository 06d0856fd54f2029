/* SPDX-License-Identifier: MIT */
/*
 * test_calibrated.c - a calibration in a trace: exact times of a made-up run with known costs; text
 * that is damaged; mutexes whose contention recording may have made.
 */
#include "tests/report/fake_trace.h"

#include "graph/graph.h"
#include "metrics/metrics.h"
#include "tests/tap.h"
#include "trace/trace_calibration.h"

#include <string.h>

enum { SITE = 0x1000, TASK = 0x2000, OTHER = 0x3000 };

/* After TASK_BEGIN 10 ns, before TASK_END 10 ns, and so on; 50.5 ns between TASK_CREATE and
 * CREATE_END. */
static const char text[] = "winnow-calibration 1\n"
			   "cpu Fake\n"
			   "later words of another version\n"
			   "piece TASK_BEGIN TASK_END 20000 1000\n"
			   "piece CREATE_END TASK_CREATE 30000 3000\n"
			   "piece CREATE_END SYNC_BEGIN 30000 3000\n"
			   "piece TASK_CREATE CREATE_END 50500 5000\n"
			   "piece NO_SUCH_EVENT TASK_END 7 7\n"
			   "end\n";

static struct fake f;
static struct wn_trace *trace;
static struct wn_graph *g;
static struct wn_metrics *m;
static wn_err err;

static void
task(uint64_t create, uint64_t site)
{
	FAKE(&f, 0, TASK_CREATE, create, site, 0);
	FAKE(&f, 0, CREATE_END, create + 100, 0, 0);
}

static void
body(uint64_t begin, uint64_t number, uint64_t ns)
{
	FAKE(&f, 0, TASK_BEGIN, begin, 0, 0, 0, number);
	FAKE(&f, 0, TASK_END, begin + ns, 0, 0);
}

/* Four tasks of 15, 19, 25 and 1000 ns as recorded; the last one is of another place. */
static void
make(void)
{
	fake_init(&f);
	FAKE(&f, 0, REGION_BEGIN, 1000, SITE, 0, 1);
	FAKE(&f, 0, IMPLICIT_BEGIN, 1000, 0, 0, 0, 1, 1, 0);
	task(2000, TASK);
	task(2200, TASK);
	task(2310, TASK);
	task(2500, OTHER);
	FAKE(&f, 0, SYNC_BEGIN, 2700, SITE, WN_SYNC_BARRIER_REGION);
	body(3000, 2, 15);
	body(3100, 3, 19);
	body(3200, 4, 25);
	body(3300, 5, 1000);
	FAKE(&f, 0, SYNC_END, 5000, 0, 0);
	FAKE(&f, 0, IMPLICIT_END, 5000, 0, 0);
	FAKE(&f, 0, REGION_END, 5000, 0, 0);
}

static void
build(const char *calibration, size_t n_bytes)
{
	make();
	if (calibration)
		fake_fact(&f, WN_PROCESS_CALIBRATION, calibration, (uint32_t)n_bytes);
	wn_status st = fake_graph(&f, &trace, &g, &err);
	if (st == WN_OK)
		st = wn_metrics_build(g, NULL, &m, &err);
	ok(st == WN_OK && wn_graph_check(g, &err) == WN_OK, "metrics of a sound graph");
}

static void
drop(void)
{
	wn_metrics_free(m);
	wn_graph_free(g);
	wn_trace_close(trace);
}

static void
test_sums(void)
{
	build(text, sizeof text - 1);
	const struct wn_thread_time *t = &g->thread_time[0];
	wn_grain first = g->first_id[0];
	ok(wn_work_ns(g, first + 2) == 0 && g->recording_ns[first + 2] == 15,
	   "a piece shorter than its cost is 0");
	ok(wn_work_ns(g, first + 3) == 0 && g->recording_ns[first + 3] == 19,
	   "the next one of its place pays the rest");
	ok(wn_work_ns(g, first + 4) == 25 - 25 + 0 && g->recording_ns[first + 4] == 25,
	   "and the one after it: %d", (int)wn_work_ns(g, first + 4));
	ok(wn_work_ns(g, first + 5) == 980 && g->recording_ns[first + 5] == 20,
	   "another place does not");
	/* 1000 before the first creation without a known cost, then 100, 10, 90 and 100 */
	ok(wn_work_ns(g, first + 1) == 1000 + 300 - 4 * 30 && g->recording_ns[first + 1] == 120,
	   "the implicit task: %d", (int)wn_work_ns(g, first + 1));
	ok(t->creation_ns == 400 - 202, "creation, half a nanosecond carried over: %d",
	   (int)t->creation_ns);
	ok(t->recording_ns == 15 + 19 + 25 + 20 + 120 + 202, "booked as recording");
	ok(m->totals.recording_ns == t->recording_ns && m->totals.is_calibrated, "in the totals");
	ok(m->totals.n_below_resolution == 3, "below resolution: %d",
	   (int)m->totals.n_below_resolution);
	uint64_t idle_ns = t->idle_empty_ns + t->idle_ready_ns + t->scheduling_ns + t->leaving_ns;
	drop();
	build(NULL, 0);
	t = &g->thread_time[0];
	ok(wn_work_ns(g, first + 2) == 15 && !g->recording_ns && t->recording_ns == 0 &&
	       !m->totals.is_calibrated,
	   "without a calibration times are as recorded");
	ok(idle_ns == t->idle_empty_ns + t->idle_ready_ns + t->scheduling_ns + t->leaving_ns,
	   "waits are the same");
	drop();
}

/* Two threads take turns with a mutex, each 50 times, and hold it for so long; the other one waits.
 */
static double
perturbation_of(uint64_t held_ns)
{
	uint64_t at = 1000;
	fake_init(&f);
	FAKE(&f, 0, REGION_BEGIN, at, SITE, 0, 2);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(&f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 1, 2, i);
		FAKE(&f, i, MUTEX_WAIT, at + 20, SITE, WN_MUTEX_CRITICAL, 9);
	}
	for (uint32_t k = 0; k < 100; k++) {
		at += 500;
		FAKE(&f, k % 2, MUTEX_ACQUIRED, at, 0, 0);
		FAKE(&f, k % 2, MUTEX_RELEASED, at + held_ns, SITE, WN_MUTEX_CRITICAL, 9);
		if (k < 98)
			FAKE(&f, k % 2, MUTEX_WAIT, at + held_ns + 20, SITE, WN_MUTEX_CRITICAL, 9);
		at += held_ns;
	}
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(&f, i, SYNC_BEGIN, at + 1000, SITE, WN_SYNC_BARRIER_REGION);
		FAKE(&f, i, SYNC_END, at + 1100, 0, 0);
		FAKE(&f, i, IMPLICIT_END, at + 1100, 0, 0);
	}
	FAKE(&f, 0, REGION_END, at + 1200, 0, 0);
	wn_status st = fake_graph(&f, &trace, &g, &err);
	if (st == WN_OK)
		st = wn_metrics_build(g, NULL, &m, &err);
	ok(st == WN_OK, "mutexes held for %d ns", (int)held_ns);
	double perturbation = m->totals.perturbation;
	drop();
	return perturbation;
}

static void
test_perturbation(void)
{
	double is_hot = perturbation_of(40), is_long = perturbation_of(100000);
	ok(is_hot > WN_PERTURBED, "waits for a mutex held for 40 ns may be made by recording: %g",
	   is_hot);
	ok(is_long < WN_PERTURBED / 10, "not those for one held for 100 us: %g", is_long);
}

/* Cut anywhere it is damaged; so it is with a number too large, negative or missing. */
static void
test_damage(void)
{
	static const char *const bad[] = {
	    "",
	    "winnow-calibration 2\nend\n",
	    "winnow-calibration 1\npiece TASK_BEGIN TASK_END 1000000001 1\nend\n",
	    "winnow-calibration 1\npiece TASK_BEGIN TASK_END 99999999999999999999 1\nend\n",
	    "winnow-calibration 1\npiece TASK_BEGIN TASK_END -1 1\nend\n",
	    "winnow-calibration 1\npiece TASK_BEGIN TASK_END 1\nend\n",
	    "winnow-calibration 1\npiece TASK_BEGIN TASK_END 1 1 1\nend\n",
	    "winnow-calibration 1\nrounds x\nend\n",
	    "winnow-calibration 1\n\nend\n",
	};
	static struct wn_calibration c;
	bool is_refused = true;
	for (size_t n = 0; n < sizeof text - 1; n++)
		is_refused &= wn_calibration_read(text, n, &c, &err) == WN_E_FORMAT;
	ok(is_refused, "a cut text is damaged");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(wn_calibration_read(bad[i], strlen(bad[i]), &c, &err) == WN_E_FORMAT,
		   "damaged: %s", err.msg);
	ok(wn_calibration_read(text, sizeof text - 1, &c, &err) == WN_OK && c.n_pieces == 4 &&
	       strcmp(c.cpu, "Fake") == 0 &&
	       c.piece[WN_EV_TASK_BEGIN_OWN][WN_EV_TASK_END].ps == 20000,
	   "sound");
	make();
	static const struct {
		struct wn_counter_record r;
		char name[4];
	} counter = {{.name_bytes = 4}, "step"};
	fake_fact(&f, WN_PROCESS_COUNTER, &counter, sizeof counter);
	fake_fact(&f, WN_PROCESS_CALIBRATION, text, sizeof text - 1);
	fake_seal(&f);
	ok(wn_trace_open_bytes(f.bytes, sizeof f.bytes, &trace, &err) == WN_OK &&
	       !wn_trace_calibration(trace, NULL),
	   "where counters are read, a calibration is not used");
	wn_trace_close(trace);
	bool is_damaged = false;
	build(bad[2], strlen(bad[2]));
	ok(!wn_trace_calibration(trace, &is_damaged) && is_damaged && !g->recording_ns,
	   "a damaged calibration in a trace is not used");
	drop();
}

int
main(void)
{
	test_sums();
	test_damage();
	test_perturbation();
	return done();
}
