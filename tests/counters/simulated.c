/* SPDX-License-Identifier: MIT */
/*
 * simulated.c - counters with known values for tests: a constant number per clock tick.
 *
 *   LD_PRELOAD=BUILD/tests/counters/libsimulated.so
 *   WINNOW_COUNTERS=simulated:NAME=VALUE[+HARDSHIP]...,...
 *
 *   VALUE     a number   counts per tick: the sum over any part of a trace is exactly its ticks
 *                        times that number, with any hardships
 *             odd        one per tick, on every other thread
 *             none       not available
 *             reads      number of times that the thread's counters were read
 *             calls      number of counters that were read by a system call instead
 *             retries    number of repeated reads of a page
 *             rdtscp     the processor's own clock, read through a page like a hardware counter,
 *                        by an instruction that takes as long
 *
 *   HARDSHIP  wrap       the counter's register has 48 bits and passes zero in every slice
 *             turns:N    on the processor for one slice in N, and scaled up
 *             refused    not readable in user space in every other slice
 *             moves      the thread moves to another processor in the middle of every third read
 *
 * Numbers with a hardship have a page like the kernel's (counter_page.h), which a simulated kernel
 * writes at each slice of 2^14 ticks, and registers that a simulated processor reads.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "record/counters/counter_page.h"
#include "record/counters/counters.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#define SLICE_TICKS    (UINT64_C(1) << 14)
#define REGISTER_BITS  48u
#define REGISTER_MASK  ((UINT64_C(1) << REGISTER_BITS) - 1)
#define REGISTER_OTHER UINT64_C(0x123456789abc) /* another thread uses the register now */
#define MOVES_EVERY    3u

enum source { OF_TICKS, OF_CLOCK, OF_READS, OF_CALLS, OF_RETRIES };

static struct simulated_counter {
	enum source source;
	uint64_t rate;  /* counts per tick */
	uint64_t turns; /* on the processor for one slice in this many; at least 1 */
	bool is_odd;    /* only on every other thread */
	bool wraps, is_refused, moves;
} counters[WN_COUNTERS_MAX];
static uint32_t n_counters;
static bool has_slices; /* the simulated kernel has work to do */
static bool is_clocks;  /* all counters count the processor's own clock */
static _Atomic uint32_t n_threads;

/* One thread's processor, with two registers for each counter, and the kernel's state for it. */
struct simulated_thread {
	struct perf_event_mmap_page pages[WN_COUNTERS_MAX];
	struct {
		uint64_t value, since; /* value at a tick from which it counts */
	} registers[2 * WN_COUNTERS_MAX];
	uint64_t slice[WN_COUNTERS_MAX];   /* slice in which the page was written */
	uint64_t n_tries[WN_COUNTERS_MAX]; /* attempts to read the page in this read() */
	uint64_t now;                      /* ticks since the thread began */
	uint64_t n_reads, n_calls, n_retries;
};

static _Thread_local struct simulated_thread *self __attribute__((tls_model("initial-exec")));

/* --- the kernel ------------------------------------------------------------------------------ */

static bool
is_on(const struct simulated_counter *s, uint64_t slice)
{
	return slice % s->turns == s->turns - 1;
}

/* Ticks, out of the first `ticks`, in which the counter was on the processor. */
static uint64_t
running_ticks(const struct simulated_counter *s, uint64_t ticks)
{
	uint64_t slice = ticks / SLICE_TICKS;
	uint64_t whole = slice / s->turns * SLICE_TICKS;
	return whole + (is_on(s, slice) ? ticks % SLICE_TICKS : 0);
}

/* Moves the counter to its other register at this tick. Its count so far is in the offset. */
static void
write_page(struct simulated_thread *t, uint32_t i, uint64_t ticks)
{
	const struct simulated_counter *s = &counters[i];
	struct perf_event_mmap_page *page = &t->pages[i];
	uint64_t running = running_ticks(s, ticks), slice = ticks / SLICE_TICKS;
	bool was_on_first = page->index == 2 * i + 1;
	page->lock += 2;
	page->time_enabled = ticks;
	page->time_running = running;
	page->time_offset = 0 - ticks; /* the clock counts ticks of 1 ns */
	page->time_mult = 1;
	page->cap_user_time = 1;
	page->cap_user_rdpmc = !(s->is_refused && slice % 2);
	page->pmc_width = REGISTER_BITS;
	page->index = !is_on(s, slice) ? 0 : 2 * i + (was_on_first ? 2 : 1);
	page->offset = (int64_t)(running * s->rate);
	t->slice[i] = slice;
	if (page->index == 0)
		return;
	/* negative by half a slice's counts, or the previous value */
	uint64_t value = s->wraps ? 0 - s->rate * SLICE_TICKS / 2 : ticks & 0xffff;
	page->offset -= (int64_t)value;
	t->registers[page->index - 1].value = value;
	t->registers[page->index - 1].since = ticks;
}

/* Advances the simulated kernel before pages are read. */
static void
attend(struct simulated_thread *t)
{
	uint64_t slice = t->now / SLICE_TICKS;
	for (uint32_t i = 0; i < n_counters; i++) {
		t->n_tries[i] = 0;
		if (counters[i].source == OF_TICKS && (t->slice[i] != slice || !t->pages[i].lock))
			write_page(t, i, slice * SLICE_TICKS);
	}
}

/* In the middle of a read: the register now counts another thread. */
static void
move(struct simulated_thread *t, uint32_t i, uint32_t index)
{
	write_page(t, i, t->now);
	t->registers[index].value = REGISTER_OTHER;
}

/* --- the processor --------------------------------------------------------------------------- */

static uint64_t
clock_now(void)
{
#if defined(__x86_64__)
	unsigned processor;
	return __rdtscp(&processor);
#else
	return self->now;
#endif
}

static uint64_t
count_ticks(uint32_t index)
{
	struct simulated_thread *t = self;
	uint32_t i = index / 2;
	const struct simulated_counter *s = &counters[i];
	uint64_t attempt = t->n_tries[i]++;
	t->n_retries += attempt > 0;
	if (s->moves && attempt == 0 && t->n_reads % MOVES_EVERY == 0)
		move(t, i, index);
	uint64_t counted = (t->now - t->registers[index].since) * s->rate;
	return (t->registers[index].value + counted) & REGISTER_MASK;
}

static uint64_t
read_register(uint32_t index)
{
	if (__builtin_expect(counters[index / 2].source == OF_CLOCK, 1))
		return clock_now() & REGISTER_MASK;
	return count_ticks(index);
}

static uint64_t
read_clock(void)
{
	return self->now;
}

static const struct wn_page_processor processor = {read_register, read_clock};

/* Registers of a set that counts only the clock: the bare instruction, as with hardware counters,
 * so that tests of read costs do not measure the simulation. */
static uint64_t
read_clock_register(uint32_t index)
{
	(void)index;
	return clock_now();
}

static const struct wn_page_processor clock_processor = {read_clock_register, read_clock};

/* --- the backend ----------------------------------------------------------------------------- */

static bool
is_word(const char *text, size_t n, const char *word)
{
	return strlen(word) == n && strncmp(text, word, n) == 0;
}

static void
take_hardship(struct simulated_counter *s, const char *text, size_t n)
{
	s->wraps |= is_word(text, n, "wrap");
	s->is_refused |= is_word(text, n, "refused");
	s->moves |= is_word(text, n, "moves");
	if (n > 6 && strncmp(text, "turns:", 6) == 0 && text[6] >= '1' && text[6] <= '9')
		s->turns = strtoull(text + 6, NULL, 10);
}

/* Parses VALUE[+HARDSHIP]... */
static struct simulated_counter
take_value(const char *text, size_t n_bytes)
{
	static const char *const sources[] = {[OF_CLOCK] = "rdtscp",
	                                      [OF_READS] = "reads",
	                                      [OF_CALLS] = "calls",
	                                      [OF_RETRIES] = "retries"};
	size_t n = strcspn(text, "+,");
	struct simulated_counter s = {.turns = 1, .is_odd = is_word(text, n, "odd")};
	s.rate = s.is_odd ? 1 : strtoull(text, NULL, 10);
	for (unsigned k = OF_CLOCK; k <= OF_RETRIES; k++)
		if (is_word(text, n, sources[k]))
			s.source = (enum source)k;
	while (n < n_bytes) {
		size_t next = n + 1 + strcspn(text + n + 1, "+,");
		take_hardship(&s, text + n + 1, next - n - 1);
		n = next;
	}
	return s;
}

static bool
open_simulated(const char *wanted, struct wn_counter_set *set)
{
	n_counters = 0;
	atomic_store(&n_threads, 0);
	while (*wanted && n_counters < WN_COUNTERS_MAX) {
		size_t n = strcspn(wanted, ",");
		size_t name_bytes = strcspn(wanted, "=,");
		size_t value_at = name_bytes + (name_bytes < n);
		struct wn_counter_name *name = &set->names[n_counters];
		if (name_bytes < sizeof name->name) {
			memset(name, 0, sizeof *name);
			memcpy(name->name, wanted, name_bytes);
			if (is_word(wanted + value_at, n - value_at, "none"))
				wn_counters_miss(set, name->name, "refused by the simulation");
			else
				counters[n_counters++] =
				    take_value(wanted + value_at, n - value_at);
		}
		wanted += n + (wanted[n] == ',');
	}
	has_slices = false;
	is_clocks = true;
	for (uint32_t i = 0; i < n_counters; i++) {
		has_slices |= counters[i].source == OF_TICKS;
		is_clocks &= counters[i].source == OF_CLOCK;
	}
	set->n = n_counters;
	memcpy(set->by, "simulation", sizeof "simulation");
	return true;
}

static bool
has_page(const struct simulated_counter *s)
{
	return s->source == OF_CLOCK || s->wraps || s->is_refused || s->moves || s->turns > 1;
}

/* A counter of the processor's clock was always on its register. */
static void
start_clock(struct simulated_thread *t, uint32_t i)
{
	struct perf_event_mmap_page *page = &t->pages[i];
	self = t;
	page->cap_user_rdpmc = page->cap_user_time = 1;
	page->pmc_width = REGISTER_BITS;
	page->index = 2 * i + 1;
	page->offset = -(int64_t)(clock_now() & REGISTER_MASK);
}

static uint64_t
begin(struct wn_counter_thread *c, uint32_t os_tid, uint64_t tick)
{
	uint32_t number = atomic_fetch_add(&n_threads, 1);
	uint64_t counted = 0;
	(void)os_tid;
	struct simulated_thread *t =
	    mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (t == MAP_FAILED)
		return 0;
	c->slot = t;
	c->base[0] = tick;
	for (uint32_t i = 0; i < n_counters; i++) {
		if (counters[i].is_odd && number % 2 == 0)
			continue;
		counted |= UINT64_C(1) << i;
		c->leader[i] = (uint8_t)i;
		c->page[i] = has_page(&counters[i]) ? &t->pages[i] : NULL;
		if (counters[i].source == OF_CLOCK)
			start_clock(t, i);
	}
	return counted;
}

static uint64_t
known_total(const struct simulated_thread *t, const struct simulated_counter *s)
{
	switch ((int)s->source) {
	case OF_READS:
		return t->n_reads;
	case OF_CALLS:
		return t->n_calls;
	case OF_RETRIES:
		return t->n_retries;
	default:
		return t->now * s->rate;
	}
}

/* Value for read(2) of a group, without register or page. */
static void
ask_kernel(struct wn_counter_thread *c, uint32_t leader, uint64_t *totals)
{
	struct simulated_thread *t = c->slot;
	const struct simulated_counter *s = &counters[leader];
	if (!c->page[leader]) {
		totals[leader] = known_total(t, s);
		return;
	}
	uint64_t running = running_ticks(s, t->now);
	struct wn_page_value v = {running * s->rate, t->now, running};
	t->n_calls++;
	wn_page_take(c, leader, &v, totals);
}

static void
read_simulated(struct wn_counter_thread *c, uint64_t tick, uint64_t *totals)
{
	struct simulated_thread *t = c->slot;
	if (is_clocks) {
		wn_pages_read(c, n_counters, &clock_processor, ask_kernel, totals);
		return;
	}
	self = t;
	t->now = tick - c->base[0];
	t->n_reads++;
	if (has_slices)
		attend(t);
	wn_pages_read(c, n_counters, &processor, ask_kernel, totals);
}

static void
end(struct wn_counter_thread *c)
{
	munmap(c->slot, sizeof(struct simulated_thread));
	c->slot = NULL;
}

const struct wn_counter_backend wn_counters_simulated = {.name = "simulated",
                                                         .open = open_simulated,
                                                         .begin = begin,
                                                         .read = read_simulated,
                                                         .end = end};
