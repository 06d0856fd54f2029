/* SPDX-License-Identifier: MIT */
/*
 * test_tally.c - events and time in regions are what went into a trace, also where regions nest, do
 * not end, or are lost in part.
 */
#include "tests/format/sample.h"
#include "tests/report/fake_trace.h"
#include "trace/trace_tally.h"

#include "base/mem.h"
#include "tests/tap.h"

#include <stdlib.h>

static struct fake fake;

static wn_status
tally_bytes(const void *bytes, size_t size_bytes, struct wn_tally *tally)
{
	struct wn_trace *trace;
	wn_status st = wn_trace_open_bytes(bytes, size_bytes, &trace, NULL);
	if (st != WN_OK)
		return st;
	st = wn_trace_tally(trace, tally, NULL);
	wn_trace_close(trace);
	return st;
}

static struct wn_tally
tally_fake(void)
{
	struct wn_tally tally = {0};
	fake_seal(&fake);
	ok(tally_bytes(&fake, sizeof fake.bytes, &tally) == WN_OK, "it can be counted");
	return tally;
}

static void
begin(uint32_t thread, uint64_t tick)
{
	FAKE(&fake, thread, REGION_BEGIN, tick, 0x1000, 0, 2);
}

static void
end(uint32_t thread, uint64_t tick)
{
	FAKE(&fake, thread, REGION_END, tick, 0, 0);
}

static void
test_regions(void)
{
	fake_init(&fake);
	struct wn_tally tally = tally_fake();
	ok(tally.n_events == 0 && tally.region_ns == 0, "an empty trace has nothing");

	fake_init(&fake);
	begin(0, 1000);
	end(0, 1500);
	begin(0, 2000);
	begin(0, 2100);
	end(0, 2200);
	end(0, 2300);
	begin(2, 1400);
	end(2, 1450);
	tally = tally_fake();
	ok(tally.n_events == 8, "every event counts");
	ok(tally.region_ns == 500 + 300 + 50,
	   "regions of all threads count, one inside another does not");
}

static void
test_broken(void)
{
	fake_init(&fake);
	end(0, 500);
	begin(0, 1000);
	FAKE(&fake, 0, TASKLOOP_END, 1700, 0, 0);
	struct wn_tally tally = tally_fake();
	ok(tally.n_events == 3 && tally.region_ns == 700,
	   "a region that has not ended lasts to the last event; an end alone is none");

	fake_init(&fake);
	fake_block(&fake, 1)->sequence = 3;
	end(0, 500);
	begin(0, 1000);
	end(0, 1100);
	tally = tally_fake();
	ok(tally.n_events == 4 && tally.region_ns == 100, "a gap is an event, and no region");
}

static void
test_memory(void)
{
	struct sample sample;
	struct wn_tally tally = {0};
	sample_make(&sample);
	ok(tally_bytes(sample.bytes, SAMPLE_BYTES, &tally) == WN_OK &&
	       tally.n_events == sample.n_events,
	   "windows and sealed blocks give all events");
	for (long n = 0;; n++) {
		struct wn_tally untouched = {.n_events = 7, .region_ns = 8};
		wn_mem_fail_after(n);
		wn_status st = tally_bytes(sample.bytes, SAMPLE_BYTES, &untouched);
		wn_mem_fail_after(-1);
		if (st == WN_OK)
			break;
		if (st != WN_E_NOMEM || untouched.n_events != 7 || untouched.region_ns != 8 ||
		    wn_mem_live() != 0) {
			ok(false, "allocation %ld may fail", n);
			break;
		}
	}
	ok(wn_mem_live() == 0, "every allocation may fail, and nothing is left");
	sample_free(&sample);
}

int
main(void)
{
	test_regions();
	test_broken();
	test_memory();
	return done();
}
