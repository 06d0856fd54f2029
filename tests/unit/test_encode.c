/* SPDX-License-Identifier: MIT */
/*
 * test_encode.c - what encode.h writes, cursor.c reads: extreme values, times, sites, and every
 * event of the table.
 */
#include "tests/format/sample.h"

#include "base/mem.h"
#include "tests/tap.h"
#include "trace/trace_reader.h"

#include <stdlib.h>

static struct sample file;
static struct wn_writer w;

/* A trace of one thread with one empty block, to be written by `w`. */
static void
begin(uint64_t first_tick)
{
	sample_free(&file);
	sample_make(&file);
	memset(file.bytes + WN_HEADER_BYTES, 0, SAMPLE_BYTES - WN_HEADER_BYTES);
	struct wn_block_header *b = sample_block(&file, 0);
	b->magic = WN_BLOCK_MAGIC;
	b->kind = WN_BLOCK_WINDOW;
	b->salt = sample_header(&file)->salt;
	b->first_tick = first_tick;
	wn_writer_start(&w, b, WN_SLOT_BYTES);
}

static struct wn_trace *
end(void)
{
	struct wn_trace *trace = NULL;
	sample_block(&file, 0)->kind = WN_BLOCK_SEALED;
	sample_rehash(&file, 0);
	wn_err err;
	if (wn_trace_open_bytes(file.bytes, SAMPLE_BYTES, &trace, &err) != WN_OK)
		note("%s", err.msg);
	return trace;
}

static void
test_values(void)
{
	uint64_t values[64 * 3 + 2];
	size_t n = 0, n_same = 0;
	values[n++] = 0;
	values[n++] = UINT64_MAX;
	for (unsigned bit = 0; bit < 64; bit++) {
		values[n++] = UINT64_C(1) << bit;
		values[n++] = (UINT64_C(1) << bit) - 1;
		values[n++] = (UINT64_C(1) << bit) + 1;
	}
	begin(0);
	for (size_t i = 0; i < n; i++) {
		uint8_t *at = wn_code_event(w.next, WN_EV_TASK_RANGE);
		at = wn_code_value(at, wn_zigzag((int64_t)values[i]));
		at = wn_code_value(at, values[i]);
		wn_writer_commit(&w, at);
	}
	struct wn_trace *trace = end();
	struct wn_cursor cursor;
	struct wn_event event;
	wn_cursor_init(&cursor, trace, 0);
	for (size_t i = 0; i < n && wn_cursor_next(&cursor, &event) == 1; i++)
		n_same += event.v[1] == values[i] && wn_unzigzag(event.v[0]) == (int64_t)values[i];
	ok(n_same == n && wn_cursor_next(&cursor, &event) == 0,
	   "%zu values come back, signed or not", n);
	wn_trace_close(trace);
}

static void
test_times(void)
{
	static const uint64_t steps[] = {0,
	                                 1,
	                                 127,
	                                 128,
	                                 16383,
	                                 16384,
	                                 1u << 21,
	                                 UINT64_C(1) << 49,
	                                 UINT64_C(1) << 56,
	                                 UINT64_C(1) << 62};
	uint64_t tick = 5, n_same = 0;
	size_t n = sizeof steps / sizeof steps[0];
	begin(tick);
	for (size_t i = 0; i < n; i++) {
		tick += steps[i];
		wn_writer_commit(&w, wn_code_timed(&w, w.next, WN_EV_CREATE_END, tick));
	}
	wn_writer_commit(&w, wn_code_timed(&w, w.next, WN_EV_CREATE_END, tick - 3));
	struct wn_trace *trace = end();
	struct wn_cursor cursor;
	struct wn_event event;
	uint64_t expected = 5;
	wn_cursor_init(&cursor, trace, 0);
	for (size_t i = 0; i < n && wn_cursor_next(&cursor, &event) == 1; i++)
		n_same += event.tick == (expected += steps[i]);
	ok(n_same == n, "times come back, however far apart");
	ok(wn_cursor_next(&cursor, &event) == 1 && event.tick == tick,
	   "an earlier time is taken as the last");
	wn_trace_close(trace);
}

static void
test_sites(void)
{
	uint32_t n_same = 0, n = 500;
	begin(0);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t addr = i % 7 == 0 ? UINT64_MAX - i : 0x401000 + 16 * (uint64_t)(i % 90);
		uint8_t *at = wn_code_timed(&w, w.next, WN_EV_SYNC_BEGIN, i);
		wn_writer_commit(&w, wn_code_site(&w, at, addr, i % 11 == 0 ? UINT32_MAX : i % 3));
	}
	struct wn_trace *trace = end();
	struct wn_cursor cursor;
	struct wn_event event;
	wn_cursor_init(&cursor, trace, 0);
	for (uint32_t i = 0; i < n && wn_cursor_next(&cursor, &event) == 1; i++) {
		uint64_t addr = i % 7 == 0 ? UINT64_MAX - i : 0x401000 + 16 * (uint64_t)(i % 90);
		struct wn_site_key key = wn_trace_site(trace, event.site);
		n_same += key.addr == addr && key.aux == (i % 11 == 0 ? UINT32_MAX : i % 3);
	}
	ok(n_same == n, "sites come back, also those that push one another out of the table");
	wn_trace_close(trace);
}

/* No record is longer than the room that is kept for one. */
static void
test_all_events(void)
{
	uint32_t n = 0, n_same = 0, longest = 0;
	begin(0);
	for (int code = 1; code < WN_EV_N; code++) {
		enum wn_event_code c = (enum wn_event_code)code;
		uint8_t *begin_at = w.next, *at = w.next;
		if (!wn_event_name(c) || c == WN_EV_STATIC_BEGIN)
			continue;
		/* far apart, but not so far that the clock overflows before the last event */
		at = wn_event_has_time(c) ? wn_code_timed(&w, at, c, (uint64_t)code << 58)
		                          : wn_code_event(at, c);
		if (wn_event_has_site(c))
			at = wn_code_site(&w, at, UINT64_MAX - 1 - (uint64_t)code, UINT32_MAX);
		for (unsigned i = 0; i < wn_event_n_values(c); i++)
			at = wn_code_value(at, UINT64_MAX - i);
		longest = (uint32_t)(at - begin_at) > longest ? (uint32_t)(at - begin_at) : longest;
		wn_writer_commit(&w, at);
		n++;
	}
	struct wn_trace *trace = end();
	struct wn_cursor cursor;
	struct wn_event event;
	wn_cursor_init(&cursor, trace, 0);
	while (wn_cursor_next(&cursor, &event) == 1) {
		bool is_same = true;
		for (unsigned i = 0; i < wn_event_n_values(event.code); i++)
			is_same &= event.v[i] == UINT64_MAX - i;
		is_same &= (event.site != WN_NO_SITE) == wn_event_has_site(event.code);
		n_same += is_same;
	}
	ok(n_same == n, "all %u events come back with their largest values", n);
	ok(longest <= WN_RECORD_MAX_BYTES, "the longest record has %u bytes", longest);
	wn_trace_close(trace);
}

int
main(void)
{
	test_values();
	test_times();
	test_sites();
	test_all_events();
	sample_free(&file);
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
