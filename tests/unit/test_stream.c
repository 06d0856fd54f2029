/* SPDX-License-Identifier: MIT */
/*
 * test_stream.c - the events of all threads come in the order of time and of causes, and read ahead
 * on another thread they are the same; and so are the fragments that it packs.
 */
#include "tests/report/fake_trace.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "graph/stream.h"
#include "tests/tap.h"

#include <sched.h>
#include <string.h>

/* More than the reader may be ahead. */
enum { SITE = 0x1000, ROUNDS = 650, ENDS = 2300, EVENTS = 3 * ROUNDS + ENDS };
enum { IDS = 1000, EVENTS_MOST = 20000 };

static struct fake f;
static struct stream_event seen[2][EVENTS_MOST];
static uint64_t n_bad_values, n_long;

struct seen_of {
	uint64_t n_depends, next_ns;
	bool knows_next;
};

/* Threads that begin tasks at times that often fall together. */
static void
make_trace(void)
{
	fake_init(&f);
	for (uint32_t thread = 0; thread < FAKE_THREADS; thread++) {
		uint64_t tick = 10;
		for (uint32_t i = 0; i < ROUNDS; i++) {
			FAKE(&f, thread, TASK_CREATE, tick, SITE + i % 5, 0);
			FAKE(&f, thread, DEPEND, 0, 0, 0, 1, 0x100 + i);
			tick += i == 300 ? UINT64_C(5000000000) : (i * 7 + thread) % 3;
			FAKE(&f, thread, CREATE_END, tick, 0, 0);
		}
		for (uint32_t i = 0; i < ENDS; i++)
			FAKE(&f, thread, TASK_END, tick += i % 2, 0, 0);
	}
	fake_seal(&f);
}

/* Values are only valid as long as the event; the time to the next event is one of them where
 * depend clauses end. */
static void
check_values(const struct stream_event *e, const uint64_t *v, size_t n, struct seen_of *threads)
{
	for (size_t i = 0; i < n; v += stream_n_values(&e[i++])) {
		struct seen_of *t = &threads[e[i].thread];
		n_bad_values += t->knows_next && t->next_ns != e[i].ns;
		t->knows_next = e[i].ends_clauses;
		if (t->knows_next) {
			t->next_ns = e[i].ns + v[e[i].n_values];
			n_long += v[e[i].n_values] > UINT32_MAX;
		}
		if (e[i].code == WN_EV_DEPEND)
			n_bad_values += v[0] != 1 || v[1] != 0x100 + t->n_depends++;
	}
}

/* Each event ends a fragment; and some a grain, of a thread that many others may be between. */
static void
end_fragment(struct stream *s, struct packing *packing, const struct stream_event *e)
{
	struct packing_notes *notes = stream_notes(s);
	uint32_t ended = e->code == WN_EV_TASK_END || e->n_ids % 5 == 0 ? e->thread * IDS + e->n_ids
	                                                                : PACKING_GOES_ON;
	if (!notes) {
		packing_add(packing, e->ns, e->ns % 300, e->thread, ended);
		return;
	}
	if (wn_grow(&notes->items, &notes->capacity, notes->n + 1, sizeof *notes->items) != 0)
		return;
	notes->items[notes->n++] = (struct packing_note){e->ns, e->ns % 300, e->thread, ended};
}

/* Returns the number of events, and their fragments. */
static size_t
read_all(struct wn_trace *trace, struct stream_event *out, struct wn_fragments *fragments,
         struct wn_durations *durations)
{
	struct packing *packing = packing_new(durations, true);
	uint32_t first_id[FAKE_THREADS + 1] = {0};
	uint8_t *column = wn_calloc(FAKE_THREADS * IDS, 1);
	_Atomic(uint32_t) n_written = 0;
	const struct stream_column columns[] = {
	    {column, 1, NULL}, {column, 1, &n_written}, {NULL, 8, NULL}};
	const struct stream_event *events;
	const uint64_t *values;
	struct stream *s;
	size_t n, n_all = 0;
	struct seen_of threads[FAKE_THREADS] = {{0}};
	for (uint32_t i = 0; i < FAKE_THREADS; i++)
		first_id[i + 1] = first_id[i] + IDS;
	if (stream_open(trace, first_id, columns, 3, packing, &s, NULL) != WN_OK)
		return 0;
	while (stream_next(s, &events, &values, &n) == WN_OK && n > 0 && n_all + n <= EVENTS_MOST) {
		memcpy(out + n_all, events, n * sizeof *events);
		check_values(events, values, n, threads);
		for (size_t i = 0; i < n; i++)
			end_fragment(s, packing, &events[i]);
		n_all += n;
	}
	stream_finish(s);
	packing_take(packing, fragments, durations);
	stream_close(s);
	packing_free(packing);
	wn_free(column);
	return n_all;
}

static bool
is_same(const struct stream_event *a, const struct stream_event *b)
{
	return a->code == b->code && a->site == b->site && a->aux == b->aux &&
	       a->has_addr == b->has_addr && a->ns == b->ns && a->probe_ps == b->probe_ps &&
	       a->n_ids == b->n_ids && a->thread == b->thread && a->ends_clauses == b->ends_clauses;
}

/* Each event against what the thread's next one is. */
static uint64_t
count_bad(const struct stream_event *e, size_t n)
{
	const struct stream_event *last[FAKE_THREADS] = {NULL};
	uint64_t n_bad = 0, n_ids[FAKE_THREADS] = {0};
	for (size_t i = 0; i < n; i++) {
		const struct stream_event *before = last[e[i].thread];
		if (i > 0 && (e[i].ns < e[i - 1].ns ||
		              (e[i].ns == e[i - 1].ns && e[i].thread < e[i - 1].thread)))
			n_bad++;
		if (before && before->ends_clauses !=
		                  (before->code == WN_EV_DEPEND && e[i].code != WN_EV_DEPEND))
			n_bad++;
		n_ids[e[i].thread] += e[i].code == WN_EV_TASK_CREATE;
		n_bad += e[i].n_ids != n_ids[e[i].thread];
		if (e[i].site != WN_NO_SITE && !e[i].has_addr)
			n_bad++;
		last[e[i].thread] = &e[i];
	}
	return n_bad;
}

/* Returns where an event of a thread is in the order. */
static size_t
place_of(size_t n, uint32_t thread, enum wn_event_code code)
{
	size_t i = 0;
	while (i < n && (seen[0][i].thread != thread || seen[0][i].code != code))
		i++;
	return i;
}

/* A clock that stands still: what is later in a trace may be the cause of what is earlier in it. */
static void
test_causes(void)
{
	struct wn_trace *trace;
	struct wn_fragments packed;
	struct wn_durations lengths = {.count =
	                                   wn_calloc(WN_DURATIONS_SHORT, sizeof *lengths.count)};
	fake_init(&f);
	FAKE(&f, 0, IMPLICIT_BEGIN, 10, 0, 0, 3, 1, 4, 1);
	FAKE(&f, 0, TASK_BEGIN, 10, 0, 0, 2, 1);
	FAKE(&f, 0, TASK_END, 10, 0, 0);
	FAKE(&f, 0, TASK_BEGIN, 10, 0, 0, 2, 9); /* is never created */
	FAKE(&f, 0, SYNC_END, 20, 0, 0);
	FAKE(&f, 0, REGION_END, 20, 0, 0);
	FAKE(&f, 1, TASK_CREATE, 10, SITE, 0);
	FAKE(&f, 1, CREATE_END, 10, 0, 0);
	FAKE(&f, 1, TASK_END, 20, 0, 0);
	FAKE(&f, 2, TASK_BEGIN, 10, 0, 0, 1, 1);
	FAKE(&f, 2, TASK_CREATE, 10, SITE, 0);
	FAKE(&f, 2, CREATE_END, 10, 0, 0);
	FAKE(&f, 3, REGION_BEGIN, 10, SITE, 0, 4);
	fake_seal(&f);
	if (!ok(wn_trace_open_bytes(f.bytes, sizeof f.bytes, &trace, NULL) == WN_OK, "events"))
		return;
	size_t n = read_all(trace, seen[0], &packed, &lengths);
	ok(n == 13, "of four threads at one time all come");
	ok(place_of(n, 3, WN_EV_REGION_BEGIN) < place_of(n, 0, WN_EV_IMPLICIT_BEGIN),
	   "a region begins before its implicit tasks");
	ok(place_of(n, 1, WN_EV_TASK_CREATE) < place_of(n, 2, WN_EV_TASK_BEGIN) &&
	       place_of(n, 2, WN_EV_TASK_CREATE) < place_of(n, 0, WN_EV_TASK_BEGIN),
	   "tasks are created before they begin, one after the other");
	ok(place_of(n, 1, WN_EV_TASK_END) < place_of(n, 0, WN_EV_SYNC_END),
	   "a task ends before the wait for it does");
	wn_fragments_fini(&packed);
	wn_free(lengths.count);
	wn_trace_close(trace);
}

static void
use_one_cpu(void)
{
	cpu_set_t cpus;
	CPU_ZERO(&cpus);
	CPU_SET((size_t)sched_getcpu(), &cpus);
	sched_setaffinity(0, sizeof cpus, &cpus);
}

int
main(void)
{
	struct wn_trace *trace;
	make_trace();
	if (wn_trace_open_bytes(f.bytes, sizeof f.bytes, &trace, NULL) != WN_OK)
		return 1;
	struct wn_fragments packed[2];
	struct wn_durations lengths[2] = {{0}, {0}};
	for (int i = 0; i < 2; i++)
		lengths[i].count = wn_calloc(WN_DURATIONS_SHORT, sizeof *lengths[i].count);
	size_t n = read_all(trace, seen[0], &packed[0], &lengths[0]), n_different = 0;
	ok(n == FAKE_THREADS * EVENTS, "all events come");
	ok(count_bad(seen[0], n) == 0, "in order, with what a handler needs of the next one");

	uint32_t first_id[FAKE_THREADS + 1] = {0};
	const struct stream_event *events;
	const uint64_t *values;
	struct stream *s;
	struct packing *packing = packing_new(&lengths[0], false);
	long n_live = wn_mem_live();
	ok(stream_open(trace, first_id, NULL, 0, packing, &s, NULL) == WN_OK, "a stream is opened");
	ok(stream_next(s, &events, &values, &n) == WN_OK && n > 0, "and begun");
	stream_close(s);
	ok(wn_mem_live() == n_live, "it can be closed before its end");
	packing_free(packing);

	use_one_cpu();
	ok(wn_parallel_cpus() == 1, "there is one CPU");
	n = read_all(trace, seen[1], &packed[1], &lengths[1]);
	for (size_t i = 0; i < n; i++)
		n_different += !is_same(&seen[0][i], &seen[1][i]);
	ok(n == FAKE_THREADS * EVENTS && n_different == 0, "events are the same there");
	ok(n_bad_values == 0, "with their values");
	ok(n_long == 2 * FAKE_THREADS, "and times to the next event of any length");
	ok(packed[0].n == FAKE_THREADS * EVENTS && packed[0].n == packed[1].n &&
	       packed[0].n_bytes == packed[1].n_bytes &&
	       memcmp(packed[0].bytes, packed[1].bytes, packed[0].n_bytes) == 0,
	   "fragments are packed in the same way on both threads");
	ok(lengths[0].n == lengths[1].n && lengths[0].sum_ns == lengths[1].sum_ns &&
	       memcmp(lengths[0].count, lengths[1].count,
	              WN_DURATIONS_SHORT * sizeof *lengths[0].count) == 0,
	   "and counted by their lengths");
	for (int i = 0; i < 2; i++) {
		wn_fragments_fini(&packed[i]);
		wn_free(lengths[i].count);
	}
	wn_trace_close(trace);
	n_bad_values = 0;
	test_causes();
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
