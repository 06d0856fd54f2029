/* SPDX-License-Identifier: MIT */
/*
 * The footprint's sets against a slow twin, which keeps a byte for each place of a small memory;
 * and what happens when grains take turns, go from thread to thread, are many, are large, are too
 * large.
 */
#include "record/counters/footprint.h"
#include "tests/tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MIB       (1ull << 20)
#define GRAINS_N  7
#define PLACES_N  (64u << 10)
#define BASE      0x7f0000000000u
#define ACCESSES  400000
#define THREADS_N 4
#define ROUNDS_N  300

static struct wn_footprint_pool pool;

static uint64_t
next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* One byte for each place, and for each line, of each grain. */
struct twin {
	unsigned char starts[GRAINS_N][PLACES_N + 64];
	unsigned char lines[GRAINS_N][PLACES_N / 64 + 1];
	uint64_t n_lines, n_addresses;
};

static void
twin_touch(struct twin *w, uint64_t grain, uint64_t place, uint64_t size)
{
	w->n_addresses += !w->starts[grain][place];
	w->starts[grain][place] = 1;
	for (uint64_t line = place / 64; line <= (place + size - 1) / 64; line++) {
		w->n_lines += !w->lines[grain][line];
		w->lines[grain][line] = 1;
	}
}

static void
check_twin(uint64_t seed)
{
	struct wn_footprint_thread t[2];
	struct twin *w = calloc(1, sizeof *w);
	uint64_t n_forgotten = 0;
	if (!w)
		return;
	wn_footprint_pool_init(&pool, 64 * MIB);
	wn_footprint_thread_init(&t[0], &pool);
	wn_footprint_thread_init(&t[1], &pool);
	uint64_t grain = 0, thread = 0;
	wn_footprint_switch(&t[0], 1);
	for (int i = 0; i < ACCESSES; i++) {
		if (next_random(&seed) % 50 == 0) {
			thread = next_random(&seed) % 2;
			grain = next_random(&seed) % GRAINS_N;
			wn_footprint_switch(&t[1 - thread], 0);
			wn_footprint_switch(&t[thread], grain + 1);
		}
		if (next_random(&seed) % 5000 == 0) {
			memset(w->starts[grain], 0, sizeof w->starts[grain]);
			memset(w->lines[grain], 0, sizeof w->lines[grain]);
			wn_footprint_forget(&t[thread], grain + 1);
			wn_footprint_switch(&t[thread], grain + 1);
			n_forgotten++;
		}
		uint64_t size = 1ull << next_random(&seed) % 6;
		uint64_t place = next_random(&seed) % (PLACES_N >> next_random(&seed) % 8);
		twin_touch(w, grain, place, size);
		wn_footprint_touch(&t[thread], BASE + place, size);
	}
	ok(t[0].n_lines + t[1].n_lines == w->n_lines, "lines are those of the twin: %llu",
	   (unsigned long long)w->n_lines);
	ok(t[0].n_addresses + t[1].n_addresses == w->n_addresses,
	   "addresses are those of the twin: %llu", (unsigned long long)w->n_addresses);
	ok(t[0].n_lost + t[1].n_lost == 0 && n_forgotten > 10, "nothing is lost");
	free(w);
}

static void
check_turns(void)
{
	struct wn_footprint_thread t;
	wn_footprint_pool_init(&pool, 64 * MIB);
	wn_footprint_thread_init(&t, &pool);
	wn_footprint_touch(&t, 64, 8);
	ok(t.n_lines == 0, "nothing is kept of no grain");
	wn_footprint_switch(&t, 1);
	wn_footprint_touch(&t, 64, 8);
	wn_footprint_touch(&t, 72, 8);
	wn_footprint_switch(&t, 2);
	wn_footprint_touch(&t, 64, 8);
	wn_footprint_switch(&t, 1);
	wn_footprint_touch(&t, 64, 4);
	ok(t.n_lines == 2 && t.n_addresses == 3, "a grain goes on with what it had");
	wn_footprint_touch(&t, 60 + 64, 8);
	ok(t.n_lines == 3 && t.n_addresses == 4, "an access over a border is in two lines");
	wn_footprint_forget(&t, 1);
	ok(!t.now, "a grain that is forgotten is not in hand");
	wn_footprint_switch(&t, 1);
	wn_footprint_touch(&t, 64, 8);
	ok(t.n_lines == 4, "a number that comes again is another grain");
	wn_footprint_forget(&t, 99);
	wn_footprint_forget(&t, 0);
	ok(t.n_lost == 0, "to forget what is not known does nothing");
}

static void
check_many(void)
{
	struct wn_footprint_thread t;
	wn_footprint_pool_init(&pool, 2 * MIB);
	wn_footprint_thread_init(&t, &pool);
	/* more than there are generations */
	for (uint64_t grain = 1; grain <= 1200000; grain++) {
		wn_footprint_switch(&t, grain);
		for (uint64_t i = 0; i < 5; i++)
			wn_footprint_touch(&t, 4096 + 64 * i, 8);
		wn_footprint_forget(&t, grain);
	}
	ok(t.n_lines == 6000000 && t.n_lost == 0, "a million grains, one after the other");
	ok(atomic_load(&pool.used_bytes) <= MIB, "take the memory of one");
	for (uint64_t grain = 1; grain <= 1000; grain++) {
		wn_footprint_switch(&t, grain);
		wn_footprint_touch(&t, grain, 1);
	}
	uint64_t lines = t.n_lines;
	for (uint64_t grain = 1000; grain > 0; grain--) {
		wn_footprint_switch(&t, grain);
		wn_footprint_touch(&t, grain, 1);
		wn_footprint_forget(&t, grain);
	}
	ok(t.n_lines == lines && t.n_lost == 0, "a thousand grains, one inside the other");
	bool is_empty = true;
	for (int i = 0; i < WN_FOOTPRINT_SHARDS_N; i++)
		is_empty = is_empty && pool.shards[i].n == 0;
	ok(is_empty, "all are forgotten");
}

static void
check_large(void)
{
	struct wn_footprint_thread t;
	uint64_t n = 64 * MIB / 64;
	wn_footprint_pool_init(&pool, 256 * MIB);
	wn_footprint_thread_init(&t, &pool);
	for (int round = 0; round < 3; round++) {
		wn_footprint_switch(&t, 1 + (uint64_t)round);
		for (uint64_t i = 0; i < n; i++)
			wn_footprint_touch(&t, BASE + i * 64 * (round == 2 ? 16 : 1), 8);
		wn_footprint_forget(&t, 1 + (uint64_t)round);
	}
	ok(t.n_lines == 3 * n && t.n_addresses == 3 * n && t.n_lost == 0, "64 MiB, three times");
}

static void
check_too_large(void)
{
	struct wn_footprint_thread t;
	wn_footprint_pool_init(&pool, MIB);
	wn_footprint_thread_init(&t, &pool);
	wn_footprint_switch(&t, 1);
	for (uint64_t i = 0; i < 100000; i++)
		wn_footprint_touch(&t, BASE + i * 64, 8);
	ok(t.n_lost > 0 && t.n_lost + t.n_lines == 100000, "what is not kept is counted");
	ok(atomic_load(&pool.used_bytes) <= MIB, "the limit holds");
	uint64_t lost = t.n_lost;
	wn_footprint_forget(&t, 1);
	wn_footprint_switch(&t, 2);
	wn_footprint_touch(&t, BASE, 8);
	ok(t.n_lost == lost, "the next grain is well again");

	wn_footprint_pool_init(&pool, 0);
	wn_footprint_thread_init(&t, &pool);
	wn_footprint_switch(&t, 1);
	wn_footprint_touch(&t, BASE, 8);
	wn_footprint_touch(&t, BASE + 1000, 8);
	wn_footprint_forget(&t, 1);
	ok(t.n_lost == 2 && t.n_lines == 0, "no memory at all is said as well");
}

/* Each thread has grains of its own, of which every other ends on the next thread. */
static struct wn_footprint_thread threads[THREADS_N];
static pthread_barrier_t barrier;

static void *
work(void *which)
{
	struct wn_footprint_thread *t = which;
	uint64_t own = (uint64_t)(t - threads), other = (own + 1) % THREADS_N;
	for (uint64_t round = 0; round < ROUNDS_N; round++) {
		uint64_t first = 1 + round * THREADS_N;
		wn_footprint_switch(t, first + own);
		for (uint64_t i = 0; i < 100; i++)
			wn_footprint_touch(t, BASE + 64 * i * (1 + round % 3), 8);
		pthread_barrier_wait(&barrier);
		wn_footprint_switch(t, first + other);
		for (uint64_t i = 50; i < 110; i++)
			wn_footprint_touch(t, BASE + 64 * i * (1 + round % 3), 8);
		wn_footprint_forget(t, first + other);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void
check_threads(void)
{
	pthread_t id[THREADS_N];
	uint64_t n_lines = 0, n_lost = 0;
	wn_footprint_pool_init(&pool, 64 * MIB);
	pthread_barrier_init(&barrier, NULL, THREADS_N);
	for (int i = 0; i < THREADS_N; i++) {
		wn_footprint_thread_init(&threads[i], &pool);
		pthread_create(&id[i], NULL, work, &threads[i]);
	}
	for (int i = 0; i < THREADS_N; i++) {
		pthread_join(id[i], NULL);
		n_lines += threads[i].n_lines;
		n_lost += threads[i].n_lost;
		wn_footprint_thread_fini(&threads[i]);
	}
	ok(n_lines == 110 * ROUNDS_N * THREADS_N && n_lost == 0, "grains go from thread to thread");
	pthread_barrier_destroy(&barrier);
}

int
main(void)
{
	for (uint64_t seed = 1; seed <= 3; seed++)
		check_twin(seed);
	check_turns();
	check_many();
	check_large();
	check_too_large();
	check_threads();
	return done();
}
