/* SPDX-License-Identifier: MIT */
/*
 * calibrate_services.c - part of the program that `winnow calibrate` runs: what the runtime itself
 * needs, with a team of a given size. Not recorded.
 *
 *   winnow-calibrate-RUNTIME FILE THREADS
 *
 * Writes a line to FILE for each measurement, "NAME PICOSECONDS": lower quartiles of many short
 * repeats, since a time slice of another process makes some of them long.
 */
#include "calibrate.h"

#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 40, TASKS = 32, TREE_DEPTH = 5, CHUNKS = 1024, ACQUISITIONS = 256, BARRIERS = 32 };

static FILE *to;
static uint64_t samples[REPEATS];

static int
by_value(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return (a > b) - (a < b);
}

/* The lower quartile of the samples, each of which is of n operations. */
static void
put(const char *name, uint64_t n)
{
	qsort(samples, REPEATS, sizeof *samples, by_value);
	fprintf(to, "%s %llu\n", name, (unsigned long long)(samples[REPEATS / 4] * 1000 / n));
}

static uint64_t
create_tasks(void)
{
	uint64_t begin_ns = now_ns();
	for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i)
		KEEP(i);
	}
	return now_ns() - begin_ns;
}

/* Tasks in a group, and one by one. */
static void
measure_alone(uint64_t create_ns[REPEATS], uint64_t wait_ns[REPEATS], uint64_t single_ns[REPEATS])
{
	for (int r = 0; r < REPEATS; r++) {
		create_ns[r] = create_tasks();
		uint64_t begin_ns = now_ns();
#pragma omp taskwait
		wait_ns[r] = now_ns() - begin_ns;
		begin_ns = now_ns();
		for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i)
			KEEP(i);
#pragma omp taskwait
		}
		single_ns[r] = now_ns() - begin_ns;
	}
}

static void
trees(uint64_t trees_ns[REPEATS])
{
	for (int r = 0; r < REPEATS; r++) {
		uint64_t begin_ns = now_ns();
		tree(TREE_DEPTH);
		trees_ns[r] = now_ns() - begin_ns;
	}
}

/* Without children. */
static void
empty_waits(uint64_t waits_ns[REPEATS])
{
	for (int r = 0; r < REPEATS; r++) {
		uint64_t begin_ns = now_ns();
		for (int i = 0; i < TASKS; i++) {
#pragma omp taskwait
		}
		waits_ns[r] = now_ns() - begin_ns;
	}
}

static void
put_all(const char *name, const uint64_t values[REPEATS], uint64_t n)
{
	for (int r = 0; r < REPEATS; r++)
		samples[r] = values[r];
	put(name, n);
}

/* One thread creates and runs tasks; the others sleep. */
static void
alone(int n_threads)
{
	static volatile int is_over;
	static uint64_t create_ns[REPEATS], wait_ns[REPEATS], single_ns[REPEATS];
	static uint64_t empty_ns[REPEATS], trees_ns[REPEATS];
	is_over = 0;
#pragma omp parallel num_threads(n_threads)
	{
		if (omp_get_thread_num() == 0) {
			measure_alone(create_ns, wait_ns, single_ns);
			empty_waits(empty_ns);
			trees(trees_ns);
			is_over = 1;
		}
		while (!is_over)
			rest_ns(100000);
	}
	put_all("alone_create", create_ns, TASKS);
	put_all("alone_wait", wait_ns, TASKS);
	put_all("single", single_ns, TASKS);
	put_all("taskwait", empty_ns, TASKS);
	put_all("tree", trees_ns, (2u << TREE_DEPTH) - 2);
}

/* Runs a body on each thread, in a task that the region's end has picked: libgomp then makes no
 * system call for each task that the body creates. All begin each repeat together. */
static int n_begun; /* repeats, of all threads */

static void
meet(int repeat, int n_threads)
{
	__atomic_add_fetch(&n_begun, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&n_begun, __ATOMIC_ACQUIRE) < (repeat + 1) * n_threads)
		;
}

static void
on_each(int n_threads, void (*body)(int number, int n_threads))
{
	n_begun = 0;
#pragma omp parallel num_threads(n_threads)
#pragma omp single
	for (int i = 0; i < n_threads; i++) {
#pragma omp task firstprivate(i)
		body(i, n_threads);
	}
}

/* Creates tasks and waits for them. */
static void
create_and_wait(int number, int n_threads)
{
	for (int r = 0; r < REPEATS; r++) {
		meet(r, n_threads);
		uint64_t begin_ns = now_ns();
		create_tasks();
#pragma omp taskwait
		if (number == 0)
			samples[r] = now_ns() - begin_ns;
	}
}

static unsigned n_turns; /* that threads have taken, one after another */

static void
await_turn(int number, int n_threads)
{
	while (__atomic_load_n(&n_turns, __ATOMIC_ACQUIRE) % (unsigned)n_threads !=
	       (unsigned)number)
		;
}

static void
pass_turn(void)
{
	__atomic_add_fetch(&n_turns, 1, __ATOMIC_ACQ_REL);
}

/* Creations and waits by turns: each thread finds the lock of the queues and what it guards in the
 * cache of another one, and waits for none. */
static uint64_t pick_ns[REPEATS];

static void
create_by_turns(int number, int n_threads)
{
	for (int r = 0; r < REPEATS; r++) {
		uint64_t creations_ns = 0, waits_ns = 0;
		for (int i = 0; i < TASKS; i++) {
			await_turn(number, n_threads);
			uint64_t begin_ns = now_ns();
#pragma omp task firstprivate(i)
			KEEP(i);
			creations_ns += now_ns() - begin_ns;
			pass_turn();
			await_turn(number, n_threads);
			begin_ns = now_ns();
#pragma omp taskwait
			waits_ns += now_ns() - begin_ns;
			pass_turn();
		}
		if (number == 0) {
			samples[r] = creations_ns;
			pick_ns[r] = waits_ns;
		}
	}
}

/* One thread creates tasks that the others take. */
static void
handed_over(int n_threads)
{
#pragma omp parallel num_threads(n_threads)
	for (int r = 0; r < REPEATS; r++) {
		uint64_t begin_ns = 0;
#pragma omp barrier
		if (omp_get_thread_num() == 0) {
			begin_ns = now_ns();
			create_tasks();
		}
#pragma omp barrier
		if (omp_get_thread_num() == 0)
			samples[r] = now_ns() - begin_ns;
	}
	put("handed_over", TASKS);
}

/* From the creation of a task to its begin on a thread that waits. */
static void
wake_ups(int n_threads)
{
	static volatile uint64_t began_ns;
#pragma omp parallel num_threads(n_threads)
	{
		if (omp_get_thread_num() == 0) {
			for (int r = 0; r < REPEATS; r++) {
				rest_ns(20000);
				began_ns = 0;
				uint64_t begin_ns = now_ns();
#pragma omp task
				began_ns = now_ns();
				while (!began_ns)
					;
				samples[r] = began_ns - begin_ns;
			}
		}
	}
	put("wake", 1);
}

static void
undeferred(void)
{
	for (int r = 0; r < REPEATS; r++) {
		uint64_t begin_ns = now_ns();
		for (int i = 0; i < TASKS; i++) {
#pragma omp task if (0) firstprivate(i)
			KEEP(i);
		}
		samples[r] = now_ns() - begin_ns;
	}
	put("inline", TASKS);
}

static void
undeferred_alone(void)
{
#pragma omp parallel num_threads(1)
	undeferred();
}

static void
barriers(int n_threads)
{
#pragma omp parallel num_threads(n_threads)
	for (int r = 0; r < REPEATS; r++) {
		uint64_t begin_ns = now_ns();
		for (int i = 0; i < BARRIERS; i++) {
#pragma omp barrier
		}
		if (omp_get_thread_num() == 0)
			samples[r] = now_ns() - begin_ns;
	}
	put("barrier", BARRIERS);
}

/* From the construct to the begin of the last thread, and from there to the continuation. */
static void
regions(int n_threads)
{
	static uint64_t joins_ns[REPEATS], begun_ns[1024];
	for (int r = 0; r < REPEATS; r++) {
		uint64_t begin_ns = now_ns(), last_ns = 0;
#pragma omp parallel num_threads(n_threads)
		begun_ns[omp_get_thread_num() & 1023] = now_ns();
		uint64_t end_ns = now_ns();
		for (int i = 0; i < n_threads && i < 1024; i++)
			last_ns = begun_ns[i] > last_ns ? begun_ns[i] : last_ns;
		samples[r] = last_ns - begin_ns;
		joins_ns[r] = end_ns - last_ns;
	}
	put("fork", 1);
	for (int r = 0; r < REPEATS; r++)
		samples[r] = joins_ns[r];
	put("join", 1);
}

/* Chunks of one iteration, each with n_work steps of work: without any, one thread takes many in a
 * row. */
static void
measure_chunks(const char *name, int n_threads, int n_work)
{
	for (int r = 0; r < REPEATS; r++) {
		uint64_t begin_ns = 0, end_ns = 0;
#pragma omp parallel num_threads(n_threads) firstprivate(n_work)
		{
#pragma omp barrier
			if (omp_get_thread_num() == 0)
				begin_ns = now_ns();
#pragma omp for schedule(monotonic : dynamic, 1)
			for (int i = 0; i < CHUNKS; i++)
				for (int k = 0; k < n_work; k++)
					KEEP(k);
			if (omp_get_thread_num() == 0)
				end_ns = now_ns();
		}
		samples[r] = end_ns - begin_ns;
	}
	put(name, CHUNKS);
}

/* By each thread from its own range where the runtime does so; time on each thread. */
static void
own_chunks(int n_threads)
{
	for (int r = 0; r < REPEATS; r++) {
		uint64_t begin_ns = 0, end_ns = 0;
#pragma omp parallel num_threads(n_threads)
		{
#pragma omp barrier
			if (omp_get_thread_num() == 0)
				begin_ns = now_ns();
#pragma omp for schedule(nonmonotonic : dynamic, 1)
			for (int i = 0; i < CHUNKS; i++)
				KEEP(i);
			if (omp_get_thread_num() == 0)
				end_ns = now_ns();
		}
		samples[r] = (end_ns - begin_ns) * (uint64_t)n_threads;
	}
	put("own_chunk", CHUNKS);
}

static void
mutexes(int n_threads)
{
	for (int r = 0; r < REPEATS; r++) {
		uint64_t begin_ns = 0, end_ns = 0;
#pragma omp parallel num_threads(n_threads)
		{
#pragma omp barrier
			if (omp_get_thread_num() == 0)
				begin_ns = now_ns();
			for (int i = 0; i < ACQUISITIONS; i++) {
#pragma omp critical(calibrated)
				KEEP(i);
			}
#pragma omp barrier
			if (omp_get_thread_num() == 0)
				end_ns = now_ns();
		}
		samples[r] = end_ns - begin_ns;
	}
	put("mutex", (uint64_t)ACQUISITIONS * (uint64_t)n_threads);
}

/* Each thread reads an array of its own that no cache holds: the time per KiB, of the fastest of a
 * few passes. All arrays together have at most 512 MiB. */
#define ARRAY_BYTES  (64u << 20)
#define ARRAYS_BYTES (512u << 20)
#define PASSES       6

static void
memory(int n_threads)
{
	size_t n_bytes = ARRAYS_BYTES / (unsigned)n_threads, n = 0;
	uint64_t best_ns = UINT64_MAX;
	n = (n_bytes < ARRAY_BYTES ? n_bytes : ARRAY_BYTES) / sizeof(uint64_t);
	uint64_t *words = malloc(n * (size_t)n_threads * sizeof *words);
	if (!words)
		return;
#pragma omp parallel num_threads(n_threads)
	{
		uint64_t *own = words + n * (size_t)omp_get_thread_num(), sum = 0;
		for (size_t i = 0; i < n; i++)
			own[i] = i;
		for (int pass = 0; pass < PASSES; pass++) {
#pragma omp barrier
			uint64_t begin_ns = now_ns();
			for (size_t i = 0; i < n; i += 8) /* a cache line */
				sum += own[i];
			KEEP(sum);
#pragma omp barrier
			if (omp_get_thread_num() == 0)
				best_ns =
				    now_ns() - begin_ns < best_ns ? now_ns() - begin_ns : best_ns;
		}
	}
	free(words);
	fprintf(to, "memory %llu\n",
	        (unsigned long long)(best_ns * 1000 / (n * sizeof(uint64_t) >> 10)));
}

/* Milliseconds, which differ by more from process to process than creating a thread takes: so
 * that is measured after it. */
static __attribute__((noinline)) void
prepare_runtime(void)
{
#pragma omp parallel num_threads(1)
	KEEP(to);
}

/* The first region, which creates the threads. It has no clause: for num_threads clang calls the
 * runtime when the function begins, which prepares most of it before the clock is read. So the
 * number of threads comes from OMP_NUM_THREADS. */
static void
first_region(int n_threads)
{
	if (n_threads > 1)
		prepare_runtime();
	static uint64_t begun_ns[1024];
	uint64_t begin_ns = now_ns(), last_ns = 0;
#pragma omp parallel
	begun_ns[omp_get_thread_num() & 1023] = now_ns();
	for (int i = 1; i < n_threads && i < 1024; i++)
		last_ns = begun_ns[i] > last_ns ? begun_ns[i] : last_ns;
	if (n_threads < 2) {
		fprintf(to, "init %llu\n", (unsigned long long)((begun_ns[0] - begin_ns) * 1000));
		return;
	}
	uint64_t late_ns = last_ns > begun_ns[0] ? last_ns - begun_ns[0] : 0;
	fprintf(to, "spawn %llu\nstart %llu\n",
	        (unsigned long long)((begun_ns[0] - begin_ns) * 1000 / (uint64_t)(n_threads - 1)),
	        (unsigned long long)(late_ns * 1000));
}

/* One step of a loop that waits for another thread, as runtimes pause in it. */
static void
pauses(void)
{
#if defined __x86_64__
	for (int r = 0; r < REPEATS; r++) {
		uint64_t begin_ns = now_ns();
		for (int i = 0; i < 1000; i++)
			__builtin_ia32_pause();
		samples[r] = now_ns() - begin_ns;
	}
	put("pause", 1000);
#endif
}

/* Before other processes, where that is allowed: on a busy machine threads would meet seldom. */
static void
take_precedence(void)
{
	struct sched_param parameter = {.sched_priority = 1};
	if (sched_getscheduler(0) == SCHED_OTHER)
		(void)sched_setscheduler(0, SCHED_RR, &parameter);
}

/* Not inlined: clang would move its call that prepares the runtime before the first region. */
static __attribute__((noinline)) void
further_regions(int n_threads)
{
	alone(n_threads);
	on_each(n_threads, create_and_wait);
	put("together", TASKS);
	n_turns = 0;
	on_each(n_threads, create_by_turns);
	put("turn_create", TASKS);
	put_all("turn_wait", pick_ns, TASKS);
	if (n_threads == 1) {
		pauses();
		undeferred_alone();
	} else {
		handed_over(n_threads);
		wake_ups(n_threads);
	}
	barriers(n_threads);
	regions(n_threads);
	measure_chunks("chunk", n_threads, 0);
	measure_chunks("chunk_work", n_threads, 100);
	own_chunks(n_threads);
	mutexes(n_threads);
	memory(n_threads);
}

int
calibrate_services(const char *path, int n_threads)
{
	to = fopen(path, "w");
	if (!to || n_threads < 1 || n_threads > 1024)
		return 1;
	take_precedence();
	first_region(n_threads);
	further_regions(n_threads);
	return fclose(to) != 0;
}
