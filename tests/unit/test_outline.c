/* SPDX-License-Identifier: MIT */
/*
 * test_outline.c - the outline of a trace is what reading all of its events gives, and the
 * judgement on its completeness names the first reason that holds.
 */
#include "outline.h"
#include "tests/format/sample.h"
#include "tests/report/fake_trace.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <unistd.h>

static struct fake fake;
static char path[64];

static void
store(const void *bytes, size_t n_bytes)
{
	FILE *to = fopen(path, "wb");
	if (!to || fwrite(bytes, 1, n_bytes, to) != n_bytes || fclose(to) != 0)
		abort();
}

/* What the outline of the stored trace says. */
static void
says(const char *wanted)
{
	struct wn_outline outline;
	char text[WN_VERDICT_BYTES] = "";
	wn_err err = {.msg = ""};
	if (wn_trace_outline(path, &outline, &err) == WN_OK) {
		struct wn_verdict v = wn_judge_completeness(&outline.facts);
		wn_verdict_text(&v, text);
	}
	ok(strcmp(text, wanted) == 0, "it says: %s (%s%s)", wanted, text, err.msg);
}

static void
agrees(const char *what)
{
	char why[OUTLINE_WHY_BYTES];
	ok(!outline_differs(path, why), "%s: %s", what, why);
}

static void
says_fake(const char *what, const char *wanted)
{
	fake_seal(&fake);
	store(fake.bytes, sizeof fake.bytes);
	agrees(what);
	says(wanted);
}

/* A region of two threads, begun. */
static void
begin_region(void)
{
	fake_init(&fake);
	FAKE(&fake, 0, REGION_BEGIN, 1000, 0x1000, 0, 2);
	FAKE(&fake, 0, IMPLICIT_BEGIN, 1100, 0, 0, 0, 1, 2, 0);
	FAKE(&fake, 1, IMPLICIT_BEGIN, 1100, 0, 0, 0, 1, 2, 1);
	FAKE(&fake, 0, TASK_CREATE, 1200, 0x2000, 0);
	FAKE(&fake, 0, CREATE_END, 1300, 0, 0);
}

static void
end_region(void)
{
	FAKE(&fake, 0, IMPLICIT_END, 3000, 0, 0);
	FAKE(&fake, 0, REGION_END, 3100, 0, 0);
}

static void
test_endings(void)
{
	begin_region();
	FAKE(&fake, 1, TASK_BEGIN, 1400, 0, 0, 0, 2);
	FAKE(&fake, 1, TASK_END, 1500, 0, 0);
	end_region();
	says_fake("a worker's implicit task that never ends is no fault", "complete");

	begin_region();
	FAKE(&fake, 1, TASK_BEGIN, 1400, 0, 0, 0, 2);
	FAKE(&fake, 1, TASK_END, 1500, 0, 0);
	says_fake("a region that has not ended", "ended inside a parallel region");

	begin_region();
	FAKE(&fake, 1, TASK_BEGIN, 1400, 0, 0, 0, 2);
	end_region();
	says_fake("a task that has not ended", "ended with tasks not completed");

	begin_region();
	FAKE(&fake, 1, TASK_BEGIN, 1400, 0, 0, 0, 2);
	FAKE(&fake, 1, TASK_END, 1500, 0, 0);
	end_region();
	fake_header(&fake)->state = WN_STATE_RECORDING;
	says_fake("a trace that is not closed", "not closed by the program, readable");

	fake_header(&fake)->state = WN_STATE_DEAD;
	fake_header(&fake)->dead_reason = WN_DEAD_NO_SPACE;
	fake_header(&fake)->n_dropped = 7;
	says_fake("a recorder that gave up", "stopped early (no space left), 7 events lost");

	fake_header(&fake)->state = WN_STATE_CLOSED;
	says_fake("events that were dropped", "closed, 7 events lost");

	fake_init(&fake);
	says_fake("a trace without an event", "complete");
	fake_header(&fake)->n_threads = 2;
	store(fake.bytes, sizeof fake.bytes);
	says("closed, part of its events is missing");
}

/* Tasks outside all regions. */
static void
test_serial_tasks(void)
{
	fake_init(&fake);
	FAKE(&fake, 0, TASK_CREATE, 1200, 0x2000, WN_TASK_UNDEFERRED);
	FAKE(&fake, 0, TASK_BEGIN_OWN, 1300, 0, 0, 0);
	says_fake("an end in a task outside all regions", "ended with tasks not completed");
}

static void
test_sample(void)
{
	struct sample sample;
	sample_make(&sample);
	store(sample.bytes, SAMPLE_BYTES);
	agrees("blocks, sealed and not");
	/* as a full disk leaves a block: with its header, and not all of what follows */
	memset((uint8_t *)sample_block(&sample, 7) + sizeof(struct wn_block_header) + 8, 0, 24);
	store(sample.bytes, SAMPLE_BYTES);
	agrees("a last block that is half written, and its window");
	memset(sample_block(&sample, 6), 0, WN_SLOT_BYTES);
	store(sample.bytes, SAMPLE_BYTES);
	agrees("a last block that is half written, and an older one");
	sample_free(&sample);
	sample_make(&sample);
	sample_header(&sample)->version_minor = 3;
	sample_rehash_header(&sample);
	store(sample.bytes, SAMPLE_BYTES);
	agrees("a trace of a version without totals");
	sample_header(&sample)->end_bytes = SAMPLE_BYTES;
	store(sample.bytes, SAMPLE_BYTES - WN_SLOT_BYTES);
	says("cut off: the file ends before its last block");
	store(sample.bytes, 4000);
	says("");
	store("text", 4);
	says("");
	sample_free(&sample);
}

/* A region that was open when a thread's last block began. */
static void
test_totals(void)
{
	begin_region();
	FAKE(&fake, 1, TASK_BEGIN, 1400, 0, 0, 0, 2);
	FAKE(&fake, 1, TASK_END, 1500, 0, 0);
	struct wn_block_header *b = fake_block(&fake, 1);
	b->n_open_regions = 1;
	b->region_ticks = 500;
	b->n_other_ids = 3;
	b->n_ids = 10;
	b->n_regions = 1;
	fake_seal(&fake);
	store(fake.bytes, sizeof fake.bytes);
	struct wn_outline outline;
	wn_err err;
	ok(wn_trace_outline(path, &outline, &err) == WN_OK, "it has an outline");
	ok(outline.n_grains == 8, "grains go on from the block's header (%" PRIu64 ")",
	   outline.n_grains);
	ok(outline.region_ns == 500 + 1300, "so does time in regions (%" PRIu64 ")",
	   outline.region_ns);
}

int
main(void)
{
	snprintf(path, sizeof path, "/tmp/winnow-outline.XXXXXX");
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	test_endings();
	test_serial_tasks();
	test_sample();
	test_totals();
	unlink(path);
	ok(access(path, F_OK) != 0, "nothing is left behind");
	says("");
	return done();
}
