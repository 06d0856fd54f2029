/* SPDX-License-Identifier: MIT */
/* test_times.c - src/graph/times.h: short and long times in one column. */
#include "graph/times.h"

#include "tests/tap.h"

enum { N = 200 };

static const uint64_t edges[] = {
    0, 1, (UINT64_C(1) << 31) - 1, UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_MAX};
enum { EDGES = sizeof edges / sizeof *edges };

/* A column of 64-bit numbers is the slow twin. */
static void
test_twin(void)
{
	struct wn_times times = {0};
	uint64_t twin[N] = {0}, state = 1;
	bool is_same = wn_times_init(&times, N);
	for (unsigned step = 0; is_same && step < 20000; step++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		uint32_t id = (uint32_t)(state >> 33) % N;
		uint64_t ns = edges[(state >> 50) % EDGES] >> (state >> 20) % 3;
		if (state >> 62 == 1) {
			twin[id] = ns > twin[id] ? ns : twin[id];
			is_same = wn_times_raise(&times, id, ns) == 0;
		} else if (state >> 62) {
			twin[id] = ns;
			is_same = wn_times_set(&times, id, ns) == 0;
		} else {
			twin[id] += ns;
			is_same = wn_times_add(&times, id, ns) == 0;
		}
		is_same = is_same && wn_times_get(&times, id) == twin[id];
	}
	for (uint32_t id = 0; is_same && id < N; id++)
		is_same = wn_times_get(&times, id) == twin[id];
	ok(is_same, "times are what was set, added and raised to, short or long");
	ok(times.n_longs <= N, "a long time keeps its place");
	wn_times_fini(&times);
}

static void
test_edges(void)
{
	struct wn_times times = {0};
	bool is_same = wn_times_init(&times, EDGES);
	for (uint32_t i = 0; is_same && i < EDGES; i++)
		is_same =
		    wn_times_set(&times, i, edges[i]) == 0 && wn_times_get(&times, i) == edges[i];
	ok(is_same && times.n_longs == 3, "times from 2^31 ns on are in the list");
	wn_times_fini(&times);
}

static void
test_no_memory(void)
{
	struct wn_times times = {0};
	bool is_made = wn_times_init(&times, 2);
	wn_mem_fail_after(0);
	ok(is_made && wn_times_set(&times, 0, UINT64_MAX) == -1 && wn_times_get(&times, 0) == 0,
	   "without memory a long time is refused, and the old one stays");
	wn_mem_fail_after(-1);
	wn_times_fini(&times);
	ok(wn_mem_live() == 0, "no memory is left");
}

int
main(void)
{
	test_twin();
	test_edges();
	test_no_memory();
	return done();
}
