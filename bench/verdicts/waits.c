/* SPDX-License-Identifier: MIT */
/* waits.c - threads that wait in their own code, and loops that look like that. */
#include "case.h"

/* fault flag_items | busy_wait | gcc clang | - | one thread produces, the others spin on an atomic flag for each item */
#ifdef CASE_flag_items
#define ITEMS 40
static int ready[ITEMS];
static uint64_t item[ITEMS];

static void
run_case(void)
{
	uint64_t sum = 0;
#ifdef FIXED
#pragma omp parallel for reduction(+ : sum) schedule(static)
	for (int i = 0; i < ITEMS; i++)
		sum += work(item[i] = work((uint64_t)i, 2500 * US), 100 * US);
#else
#pragma omp parallel reduction(+ : sum)
	{
		int me = omp_get_thread_num(), n = omp_get_num_threads();
		if (me == 0) {
			for (int i = 0; i < ITEMS; i++) {
				item[i] = work((uint64_t)i, 2500 * US);
				__atomic_store_n(&ready[i], 1, __ATOMIC_RELEASE);
			}
		}
		if (me > 0 || n == 1)
			for (int i = n > 1 ? me - 1 : 0; i < ITEMS; i += n > 1 ? n - 1 : 1) {
				int is_ready = 0;
				while (!is_ready) { /* here: flag_items */
#pragma omp atomic read
					is_ready = ready[i]; /* here: flag_items */
				}
				sum += work(item[i], 100 * US);
			}
	}
#endif
	keep(sum);
}
#endif

/* fault flush_steps | busy_wait | gcc clang | - | each step waits for the neighbour by flush; one thread has most of the work */
#ifdef CASE_flush_steps
static volatile int step_of[64 * 16];

static void
run_case(void)
{
#pragma omp parallel
	{
		int me = omp_get_thread_num(), n = omp_get_num_threads();
		for (int step = 1; step <= 50; step++) {
			keep(work((uint64_t)step, IF_FIXED(1000, (me == 0 ? 1600 : 400)) * US));
			step_of[me * 16] = step;
#pragma omp flush
			while (step_of[(me + 1) % n * 16] < step) { /* here: flush_steps */
#pragma omp flush
			} /* here: flush_steps */
		}
	}
}
#endif

/* fault count_done | busy_wait | gcc clang | - | the first thread polls a counter until all have added to it, and works alone after that */
#ifdef CASE_count_done
static void
run_case(void)
{
	int done = 0;
#pragma omp parallel
	{
		int me = omp_get_thread_num(), n = omp_get_num_threads();
		for (int round = 1; round <= 20; round++) {
			keep(work((uint64_t)me, IF_FIXED(2500, me == 0 ? 500 : 4500) * US));
#pragma omp atomic
			done++;
			int seen = 0;
			do { /* here: count_done */
#pragma omp atomic read
				seen = done; /* here: count_done */
			} while (seen < round * n);
		}
	}
}
#endif

/* fault spin_lock | busy_wait contended_atomic | gcc clang | - | a spin lock of the program's own, held over work that needs none */
#ifdef CASE_spin_lock
static int locked;

static void
run_case(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 200; i++) {
#ifndef FIXED
		while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE)) /* here: spin_lock */
			;
#endif
		keep(work((uint64_t)i, 500 * US));
#ifndef FIXED
		__atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
#endif
	}
}
#endif

/* sound flag_even | - | gcc clang | - | neighbours wait for each other by flags, with equal work */
#ifdef CASE_flag_even
static volatile int step_of[64 * 16];

static void
run_case(void)
{
#pragma omp parallel
	{
		int me = omp_get_thread_num(), n = omp_get_num_threads();
		for (int step = 1; step <= 50; step++) {
			keep(work((uint64_t)step, 2000 * US));
			__atomic_store_n(&step_of[me * 16], step, __ATOMIC_RELEASE);
			while (__atomic_load_n(&step_of[(me + 1) % n * 16], __ATOMIC_ACQUIRE) < step)
				;
		}
	}
}
#endif

/* sound list_length | - | gcc clang | - | equal threads follow chains of pointers until they find an element */
#ifdef CASE_list_length
struct node {
	struct node *volatile next;
	volatile long key;
};

static void
run_case(void)
{
	enum { LENGTH = 4000 };
	struct node *nodes = malloc(LENGTH * sizeof *nodes);
	for (int i = 0; i < LENGTH; i++)
		nodes[i] = (struct node){&nodes[(i + 1) % LENGTH], i};
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 20000; i++) {
		struct node *at = nodes;
		while (at->key != LENGTH - 1)
			at = at->next;
		keep((uint64_t)at->key);
	}
	free(nodes);
}
#endif

/* fault one_slot | busy_wait | gcc clang | - | a producer and a consumer pass each item through one slot */
#ifdef CASE_one_slot
#define SLOTS IF_FIXED(256, 1)
static int made, used;
static uint64_t slots[SLOTS];

static void
run_case(void)
{
	enum { ITEMS = 30000 };
	uint64_t sum = 0;
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		for (int i = 0; i < ITEMS; i++) {
			while (i - __atomic_load_n(&used, __ATOMIC_ACQUIRE) >= SLOTS) /* here: one_slot */
				;
			slots[i % SLOTS] = work((uint64_t)i, US);
			__atomic_store_n(&made, i + 1, __ATOMIC_RELEASE);
		}
#pragma omp section
		for (int i = 0; i < ITEMS; i++) {
			while (__atomic_load_n(&made, __ATOMIC_ACQUIRE) <= i) /* here: one_slot */
				;
			sum += work(slots[i % SLOTS], US);
			__atomic_store_n(&used, i + 1, __ATOMIC_RELEASE);
		}
	}
	keep(sum);
}
#endif
