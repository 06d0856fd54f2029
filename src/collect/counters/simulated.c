/* SPDX-License-Identifier: MIT */
/*
 * simulated.c - counters whose values a test knows: so many for each tick of the clock.
 *
 *   WINNOW_COUNTERS=simulated:cycles=3,misses=1
 *
 * The sum over any stretch of a trace is then its ticks times that number, exactly. "none" in place
 * of a number: the counter is refused. "odd": it counts one for each tick, on every other thread.
 * "rdtscp": it is the processor's own clock, each time read by an instruction that takes as long as
 * one that reads a hardware counter.
 */
#include "collect/counters/counters.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

static struct {
	uint64_t rate; /* counts for a tick */
	bool is_odd;   /* on every other thread */
	bool is_read;  /* by an instruction of its own */
} counters[WN_COUNTERS_MAX];
static uint32_t n_counters;
static _Atomic uint32_t n_threads;

static bool
open_simulated(const char *wanted, struct wn_counter_set *set)
{
	n_counters = 0;
	atomic_store(&n_threads, 0);
	while (*wanted && n_counters < WN_COUNTERS_MAX) {
		size_t n = strcspn(wanted, ",");
		size_t name_bytes = strcspn(wanted, "=,");
		const char *value = wanted + name_bytes + (name_bytes < n);
		struct wn_counter_name *name = &set->names[n_counters];
		if (name_bytes < sizeof name->name) {
			memset(name, 0, sizeof *name);
			memcpy(name->name, wanted, name_bytes);
			if (strncmp(value, "none", 4) == 0) {
				wn_counters_miss(set, name->name, "refused by the simulation");
			} else {
				counters[n_counters].is_odd = strncmp(value, "odd", 3) == 0;
				counters[n_counters].is_read = strncmp(value, "rdtscp", 6) == 0;
				counters[n_counters].rate =
				    counters[n_counters].is_odd ? 1 : strtoull(value, NULL, 10);
				n_counters++;
			}
		}
		wanted += n + (wanted[n] == ',');
	}
	set->n = n_counters;
	memcpy(set->by, "simulation", sizeof "simulation");
	return true;
}

static uint64_t
begin(struct wn_counter_thread *c, uint32_t os_tid, uint64_t tick)
{
	uint32_t number = atomic_fetch_add(&n_threads, 1);
	uint64_t counted = 0;
	(void)os_tid;
	c->base[0] = tick;
	for (uint32_t i = 0; i < n_counters; i++)
		if (!counters[i].is_odd || number % 2)
			counted |= UINT64_C(1) << i;
	return counted;
}

static uint64_t
clock_now(uint64_t tick)
{
#if defined(__x86_64__)
	unsigned processor;
	(void)tick;
	return __rdtscp(&processor);
#else
	return tick;
#endif
}

static void
read_simulated(struct wn_counter_thread *c, uint64_t tick, uint64_t *totals)
{
	for (uint32_t i = 0; i < n_counters; i++)
		totals[i] = counters[i].is_read ? clock_now(tick) - c->base[0]
		                                : (tick - c->base[0]) * counters[i].rate;
}

const struct wn_counter_backend wn_counters_simulated = {
    .name = "simulated", .open = open_simulated, .begin = begin, .read = read_simulated};
