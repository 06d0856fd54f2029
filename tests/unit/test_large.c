/* SPDX-License-Identifier: MIT */
/*
 * test_large.c - a trace is never all in memory at once, however large its file is: neither when it
 * is opened, which verifies each block, nor when its events are read.
 */
#include "tests/format/sample.h"
#include "tests/tap.h"
#include "trace/trace_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EXTRA_N      2048u /* blocks of 64 KiB: 128 MiB */
#define MOST_KB_MORE (64u << 10)

static char path[] = "/tmp/winnow-large.XXXXXX";

/* The most memory that this process has had, in KiB. */
static unsigned long
most_kb(void)
{
	char line[256];
	unsigned long kb = 0;
	FILE *from = fopen("/proc/self/status", "r");
	while (from && fgets(line, sizeof line, from))
		if (strncmp(line, "VmHWM:", 6) == 0)
			kb = strtoul(line + 6, NULL, 10);
	if (from)
		fclose(from);
	return kb;
}

/* The sample, and behind it as many blocks, each full to its end, of a thread of its own. */
static void
write_large(int fd)
{
	struct sample s;
	sample_make(&s);
	if (write(fd, s.bytes, SAMPLE_BYTES) != (ssize_t)SAMPLE_BYTES)
		abort();
	struct wn_block_header *b = sample_block(&s, 1);
	b->thread_index = 2;
	atomic_store(&b->used_bytes, WN_SLOT_BYTES);
	b->n_ids = b->n_regions = 0;
	for (uint32_t i = 0; i < EXTRA_N; i++) {
		b->sequence = i;
		sample_rehash(&s, 1);
		if (write(fd, b, WN_SLOT_BYTES) != (ssize_t)WN_SLOT_BYTES)
			abort();
	}
	sample_free(&s);
}

static bool
read_all(struct wn_trace *trace)
{
	int more = 0;
	for (uint32_t i = 0; i < wn_trace_n_threads(trace) && more == 0; i++) {
		struct wn_cursor cursor;
		struct wn_event event;
		wn_cursor_init(&cursor, trace, i);
		while ((more = wn_cursor_next(&cursor, &event)) > 0)
			;
	}
	return more == 0;
}

int
main(void)
{
	struct wn_trace *trace;
	wn_err err;
	int fd = mkstemp(path);
	if (fd < 0)
		abort();
	write_large(fd);
	close(fd);
	unsigned long before_kb = most_kb();
	bool is_open = wn_trace_open(path, &trace, &err) == WN_OK;
	unsigned long opened_kb = most_kb();
	ok(is_open && opened_kb - before_kb < MOST_KB_MORE,
	   "a trace of 128 MiB is opened in %lu KiB", opened_kb - before_kb);
	ok(is_open && read_all(trace) && most_kb() - before_kb < MOST_KB_MORE,
	   "and read in %lu KiB", most_kb() - before_kb);
	if (is_open)
		wn_trace_close(trace);
	unlink(path);
	return done();
}
