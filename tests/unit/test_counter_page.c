/* SPDX-License-Identifier: MIT */
/*
 * test_counter_page.c - a counter read from a page as the kernel writes it, on a simulated
 * processor: known counts, registers that wrap, counters that take turns, a thread that moves while
 * it is read, and what may not be read.
 */
#include "record/counters/counter_page.h"
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

/* --- a thread's counters ---------------------------------------------------------------------- */

#define GROUP_COUNT 77 /* what the kernel says of a counter that is asked for */

static struct wn_counter_thread thread;
static struct perf_event_mmap_page pages[WN_COUNTERS_MAX];
static uint64_t totals[WN_COUNTERS_MAX];
static int n_groups, moves_at;

/* Register k holds 100 * k + 1; at one of them its page changes, as if the thread had moved. */
static uint64_t
counter_of_many(uint32_t index)
{
	n_reads++;
	if (moves_left > 0 && (int)index == moves_at) {
		moves_left--;
		pages[index].lock += 2;
		pages[index].offset = 5000;
		return 3; /* another thread's by now */
	}
	return 100 * index + 1;
}

static void
read_kernel(struct wn_counter_thread *c, uint32_t leader, uint64_t *out)
{
	n_groups++;
	if (c->counted >> leader & 1)
		out[leader] = GROUP_COUNT;
}

static void
lose(struct wn_counter_thread *c, uint32_t leader, uint64_t *out)
{
	(void)out;
	c->counted &= ~(UINT64_C(1) << leader);
}

static void
start_many(uint32_t n)
{
	start();
	memset(&thread, 0, sizeof thread);
	n_groups = moves_at = 0;
	for (uint32_t i = 0; i < WN_COUNTERS_MAX; i++) {
		pages[i] = page;
		pages[i].index = i + 1;
		pages[i].offset = 10;
		pages[i].time_enabled = pages[i].time_running = 900;
		thread.page[i] = &pages[i];
		thread.leader[i] = (uint8_t)i;
		totals[i] = 5;
	}
	thread.counted = (UINT64_C(1) << n) - 1;
}

/* That the first n were read from their registers, but for counter `other`, which is `total`. */
static bool
have(uint32_t n, uint32_t other, uint64_t total)
{
	for (uint32_t i = 0; i < WN_COUNTERS_MAX; i++) {
		uint64_t expected = i == other ? total : i < n ? 100 * i + 11 : 5;
		if (totals[i] != expected) {
			note("of %u: counter %u is %lu, expected %lu", n, i,
			     (unsigned long)totals[i], (unsigned long)expected);
			return false;
		}
	}
	return true;
}

static bool
read_many(uint32_t n, wn_group_read *read_group)
{
	static const struct wn_page_processor many = {counter_of_many, simulated_clock};
	wn_pages_read(&thread, n, &many, read_group, totals);
	return true;
}

#define NONE WN_COUNTERS_MAX

static void
test_many(void)
{
	bool is_right[7] = {true, true, true, true, true, true, true};
	for (uint32_t n = 1; n <= 6; n++) {
		start_many(n);
		is_right[0] &= read_many(n, read_kernel) && have(n, NONE, 0) && n_reads == (int)n &&
		               thread.enabled_ns[0] == thread.running_ns[0];
		for (uint32_t i = 0; i < n; i++) {
			start_many(n);
			moves_left = 1;
			moves_at = (int)i;
			is_right[1] &= read_many(n, read_kernel) && have(n, i, 5000 + 100 * i + 1);
			start_many(n);
			pages[i].cap_user_rdpmc = 0;
			is_right[2] &=
			    read_many(n, read_kernel) && have(n, i, GROUP_COUNT) && n_groups == 1;
			start_many(n);
			pages[i].lock = 1;
			is_right[3] &=
			    read_many(n, lose) && have(n, i, 5) && !(thread.counted >> i & 1);
			start_many(n);
			thread.counted &= ~(UINT64_C(1) << i);
			is_right[4] &=
			    read_many(n, read_kernel) && have(n, i, 5) && n_reads == (int)n - 1;
			start_many(n);
			thread.page[i] = NULL;
			is_right[5] &= read_many(n, read_kernel) && have(n, i, GROUP_COUNT);
			start_many(n);
			pages[i].time_running = 300;
			is_right[6] &= read_many(n, read_kernel) &&
			               have(n, i, 3 * (100 * i + 11)) &&
			               thread.enabled_ns[i] == 900 && thread.running_ns[i] == 300;
		}
	}
	ok(is_right[0], "one to six counters: each from its register, once");
	ok(is_right[1],
	   "one that moves meanwhile is read where it is then, the others as they are");
	ok(is_right[2], "one that may not be read is asked of the kernel, and no other");
	ok(is_right[3], "one that can be read in no way is lost, and keeps its total");
	ok(is_right[4], "one that is not counted is not touched");
	ok(is_right[5], "one without a page is asked of the kernel");
	ok(is_right[6], "one that took turns is scaled, and its times are kept");
}

int
main(void)
{
	test_counts();
	test_wrap();
	test_turns();
	test_moves();
	test_denied();
	test_many();
	return tap_done();
}
