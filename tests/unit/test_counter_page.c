/* SPDX-License-Identifier: MIT */
/*
 * test_counter_page.c - a counter read from a page as the kernel writes it, on a simulated
 * processor: known counts, registers that wrap, counters that take turns, a thread that moves while
 * it is read, and what may not be read.
 */
#include "collect/counters/page.h"
#include "tap.h"

#include <string.h>

static struct perf_event_mmap_page page;
static uint64_t registers[4], now;
static int n_reads, moves_left;

/* The kernel puts the thread on another processor while this one reads: another register, its own
 * start, and all that was counted so far in the offset. */
static void
move(void)
{
	page.lock += 2;
	page.offset = 5000;
	page.index = 3;
	registers[2] = (uint64_t)-100 & 0xffffffffffff;
}

static uint64_t
counter(uint32_t index)
{
	n_reads++;
	uint64_t value = registers[index];
	if (moves_left > 0) {
		moves_left--;
		move();
	}
	return value;
}

static uint64_t
simulated_clock(void)
{
	return now;
}

static const struct wn_page_processor processor = {counter, simulated_clock};

static void
start(void)
{
	memset(&page, 0, sizeof page);
	memset(registers, 0, sizeof registers);
	n_reads = moves_left = 0;
	now = 0;
	page.cap_user_rdpmc = 1;
	page.pmc_width = 48;
	page.index = 1;
}

static uint64_t
value(void)
{
	struct wn_page_value v = {.value = UINT64_MAX};
	return wn_page_read(&page, &processor, &v) ? v.value : UINT64_MAX;
}

static void
test_counts(void)
{
	start();
	registers[0] = 1234;
	ok(value() == 1234, "what the register holds");
	page.offset = 1000;
	ok(value() == 2234, "and what was counted before");
	page.index = 2;
	registers[1] = 7;
	ok(value() == 1007, "of the register that the page names");
	page.index = 0;
	ok(value() == 1000, "off the processor: what was counted until then");
	ok(n_reads == 3, "and no register is read");
}

static void
test_wrap(void)
{
	start();
	/* the kernel starts a register of 48 bits at -2^47, with the rest in the offset */
	page.offset = INT64_C(1) << 47;
	for (uint64_t counted = 0; counted < 1000; counted += 333) {
		registers[0] = ((UINT64_C(1) << 47) + counted) & 0xffffffffffff;
		ok(value() == counted, "a register that starts below zero has counted %d",
		   (int)counted);
	}
	registers[0] = 5; /* it has passed zero, and the kernel has not looked yet */
	ok(value() == (UINT64_C(1) << 47) + 5, "a register that has wrapped goes on");
	page.pmc_width = 32;
	page.offset = 100;
	registers[0] = UINT64_C(0xabc00000000) | 0xffffffff;
	ok(value() == 99, "bits above the register's width are nothing");
}

static void
test_turns(void)
{
	struct wn_page_value v;
	start();
	registers[0] = 300;
	page.time_enabled = 900;
	page.time_running = 300;
	ok(wn_page_read(&page, &processor, &v) && wn_page_scale(&v) == 900,
	   "a third of the time on the processor: scaled by three");
	page.cap_user_time = 1;
	page.time_mult = 2;
	page.time_shift = 1;
	page.time_offset = 0;
	now = 300; /* ns since the page was written */
	ok(wn_page_read(&page, &processor, &v) && v.enabled_ns == 1200 && v.running_ns == 600,
	   "time goes on since the page was written");
	ok(wn_page_scale(&v) == 600, "and scales by what it is now");
	page.index = 0;
	page.offset = 300;
	ok(wn_page_read(&page, &processor, &v) && v.enabled_ns == 1200 && v.running_ns == 300 &&
	       wn_page_scale(&v) == 1200,
	   "off the processor it does not run, and is asked for all the same");
	v = (struct wn_page_value){7, 100, 0};
	ok(wn_page_scale(&v) == 7, "one that never ran is not scaled");
	v = (struct wn_page_value){UINT64_C(1) << 60, 3000, 1000};
	ok(wn_page_scale(&v) == UINT64_C(3) << 60, "and large ones do not overflow on the way");
}

static void
test_moves(void)
{
	start();
	registers[0] = 4000;
	page.offset = 0;
	moves_left = 1;
	ok(value() == 4900, "a thread that moves while it is read is read again, where it is");
	ok(n_reads == 2, "once");
	start();
	moves_left = 1000000;
	ok(value() == UINT64_MAX, "a page that never keeps still is given up");
	start();
	page.lock = 1;
	ok(value() == UINT64_MAX, "and one that is just being written");
}

static void
test_denied(void)
{
	start();
	page.cap_user_rdpmc = 0;
	ok(value() == UINT64_MAX && n_reads == 0, "what may not be read is not touched");
}

int
main(void)
{
	test_counts();
	test_wrap();
	test_turns();
	test_moves();
	test_denied();
	return tap_done();
}
