/* SPDX-License-Identifier: MIT */
/*
 * test_finish.c - a finished trace holds what it held, its windows are sealed and occupy no more
 * than they need; how the process ended is there if it is known, and not if not.
 */
#include "tests/format/sample.h"
#include "trace/trace_finish.h"
#include "trace/trace_tally.h"

#include "tests/tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/winnow-finish.XXXXXX";

/* Into a file without holes. Returns what it occupies. */
static off_t
write_sample(const struct sample *s)
{
	struct stat info = {0};
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(s->bytes, 1, SAMPLE_BYTES, file) != SAMPLE_BYTES || fclose(file) != 0 ||
	    stat(path, &info) != 0)
		abort();
	return (off_t)info.st_blocks * 512;
}

static bool
holds_everything(uint64_t n_events, struct wn_trace_header *header)
{
	struct wn_trace *trace;
	struct wn_tally tally = {0};
	if (wn_trace_open(path, &trace, NULL) != WN_OK)
		return false;
	bool is_read = wn_trace_tally(trace, &tally, NULL) == WN_OK && tally.n_events == n_events &&
	               wn_trace_damage(trace)->n_bad_blocks == 0;
	*header = *wn_trace_header(trace);
	wn_trace_close(trace);
	return is_read;
}

static bool
is_cut(void)
{
	struct wn_trace *trace;
	if (wn_trace_open(path, &trace, NULL) != WN_OK)
		abort();
	bool is_cut = wn_trace_damage(trace)->is_cut;
	wn_trace_close(trace);
	return is_cut;
}

static uint16_t
kind_of_slot(uint32_t slot)
{
	struct wn_block_header b = {0};
	FILE *file = fopen(path, "rb");
	if (!file || fseek(file, (long)(WN_HEADER_BYTES + slot * WN_SLOT_BYTES), SEEK_SET) != 0 ||
	    fread(&b, sizeof b, 1, file) != 1)
		abort();
	fclose(file);
	return b.kind;
}

static bool
knows_holes(int fd)
{
	return ftruncate(fd, WN_SLOT_BYTES) == 0 &&
	       fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, WN_SLOT_BYTES) == 0;
}

int
main(void)
{
	struct sample sample;
	struct wn_trace_header header;
	struct stat info;
	const struct wn_trace_end end = {.wait_status = 3 << 8, .wall_ns = 12345};
	int fd = mkstemp(path);
	if (fd < 0)
		abort();
	bool is_sparse = knows_holes(fd);
	close(fd);
	sample_make(&sample);

	off_t whole_bytes = write_sample(&sample);
	ok(wn_trace_finish(path, NULL, NULL) == WN_OK, "an end that nobody knows");
	ok(holds_everything(sample.n_events, &header), "all events are there");
	ok(!header.finished && header.wait_status == 0 && header.wall_ns == 0,
	   "the header tells no status and no time");
	ok(kind_of_slot(5) == WN_BLOCK_SEALED && kind_of_slot(6) == WN_BLOCK_SEALED,
	   "windows are sealed");
	stat(path, &info);
	ok(info.st_size == (off_t)SAMPLE_BYTES, "the file is as long as before");
	if (is_sparse && whole_bytes > 0)
		ok((off_t)info.st_blocks * 512 <= whole_bytes - 2 * 56 * 1024,
		   "two windows with little in them give back most of their 64 KiB");
	else
		skip("this file system knows no holes", "windows give back room");

	sample_header(&sample)->state = WN_STATE_RECORDING;
	whole_bytes = write_sample(&sample);
	ok(wn_trace_finish(path, NULL, NULL) == WN_OK && stat(path, &info) == 0 &&
	       (off_t)info.st_blocks * 512 == whole_bytes,
	   "what may still be written keeps its room");

	write_sample(&sample);
	ok(wn_trace_finish(path, &end, NULL) == WN_OK, "an end that is known");
	ok(holds_everything(sample.n_events, &header) && header.finished &&
	       header.wait_status == 3 << 8 && header.wall_ns == 12345,
	   "the header tells it");
	ok(wn_trace_finish(path, NULL, NULL) == WN_OK &&
	       holds_everything(sample.n_events, &header) && header.finished &&
	       header.wall_ns == 12345,
	   "finished again, it still does");

	ok(header.n_execs == 0 && wn_trace_store_execs(path, 7, NULL) == WN_OK &&
	       holds_everything(sample.n_events, &header) && header.n_execs == 7 &&
	       header.finished && header.wall_ns == 12345,
	   "how many programs were started uncounted is there, and all else as it was");
	ok(wn_trace_finish(path, &end, NULL) == WN_OK &&
	       holds_everything(sample.n_events, &header) && header.n_execs == 7,
	   "and stays when the trace is finished once more");

	sample_header(&sample)->n_slots += 3;
	write_sample(&sample);
	ok(!is_cut() && wn_trace_finish(path, &end, NULL) == WN_OK && !is_cut() &&
	       holds_everything(sample.n_events, &header),
	   "claims that an ended process never wrote to are not missing, finished or not");
	ok(truncate(path, (off_t)(SAMPLE_BYTES - 1)) == 0 && is_cut() &&
	       wn_trace_finish(path, NULL, NULL) == WN_OK && is_cut(),
	   "cut after that, it is cut, and stays so when it is finished again");

	ok(truncate(path, 100) == 0 && wn_trace_finish(path, &end, NULL) == WN_E_FORMAT,
	   "half a header is refused");
	ok(wn_trace_store_execs(path, 7, NULL) == WN_E_FORMAT && stat(path, &info) == 0 &&
	       info.st_size == 100,
	   "and nothing is stored in it");
	unlink(path);
	ok(wn_trace_finish(path, &end, NULL) == WN_E_IO &&
	       wn_trace_store_execs(path, 7, NULL) == WN_E_IO,
	   "so is a file that is not there");
	sample_free(&sample);
	return done();
}
