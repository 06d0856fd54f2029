/* SPDX-License-Identifier: MIT */
/* memory.c - time that threads lose in caches, memory and page faults. */
#include "case.h"

/* fault false_sharing | false_sharing work_inflation | gcc clang | - | counters of all threads in one cache line */
#ifdef CASE_false_sharing
static volatile long counts[64 * 16] __attribute__((aligned(64)));

static void
run_case(void)
{
#pragma omp parallel /* here: false_sharing */
	{
		volatile long *own = &counts[omp_get_thread_num() * IF_FIXED(16, 1)];
		for (int i = 0; i < 40000000; i++)
			(*own)++; /* here: false_sharing */
	}
}
#endif

/* fault false_struct | false_sharing work_inflation | gcc clang | - | neighbouring elements written by different threads, static,1 */
#ifdef CASE_false_struct
static struct {
	volatile double sum;
	double pad[IF_FIXED(15, 1)];
} cells[8] __attribute__((aligned(64)));

static void
run_case(void)
{
#pragma omp parallel for schedule(static, 1) /* here: false_struct */
	for (int i = 0; i < 8; i++)
		for (int k = 0; k < 3000000; k++)
			cells[i].sum = cells[i].sum + k; /* here: false_struct */
}
#endif

/* fault bandwidth | work_inflation memory_bandwidth | gcc clang | - | passes over arrays larger than the caches, not blocked */
#ifdef CASE_bandwidth
#define LENGTH 4000000
#define PASSES 12

static void
pass_over(double *a, const double *b, int from, int to)
{
	for (int i = from; i < to; i++)
		a[i] = a[i] * 0.5 + b[i];
}

static void
run_case(void)
{
	double *a = doubles(LENGTH), *b = doubles(LENGTH);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < LENGTH; i++)
		a[i] = b[i] = i;
#ifdef FIXED
#pragma omp parallel for schedule(static)
	for (int from = 0; from < LENGTH; from += 2000)
		for (int r = 0; r < PASSES; r++)
			pass_over(a, b, from, from + 2000);
#else
	for (int r = 0; r < PASSES; r++)
#pragma omp parallel for schedule(static) /* here: bandwidth */
		for (int from = 0; from < LENGTH; from += 2000)
			pass_over(a, b, from, from + 2000);
#endif
	keep((uint64_t)a[17]);
	free(a);
	free(b);
}
#endif

/* fault first_touch | serial_part serial_start page_faults | gcc clang | - | one thread touches all memory first */
#ifdef CASE_first_touch
static void
run_case(void)
{
	size_t length = 10000000;
	double *a = doubles(length), sum = 0;
#ifdef FIXED
#pragma omp parallel for
#endif
	for (size_t i = 0; i < length; i++)
		a[i] = (double)i;
#pragma omp parallel for reduction(+ : sum) /* here: first_touch */
	for (size_t i = 0; i < length; i++)
		sum += a[i];
	keep((uint64_t)sum);
	free(a);
}
#endif

/* fault malloc_pages | page_faults work_inflation | gcc clang | - | each iteration maps and unmaps a large buffer */
#ifdef CASE_malloc_pages
#include <sys/mman.h>
#define BYTES (1u << 20)

static char *
map_pages(void)
{
	return (char *)mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void
run_case(void)
{
#pragma omp parallel
	{
		char *own = map_pages();
#pragma omp for schedule(static) /* here: malloc_pages */
		for (int i = 0; i < 400; i++) {
			char *buffer = IF_FIXED(own, map_pages());
			memset(buffer, i, BYTES);
			keep((uint64_t)buffer[i]);
			if (buffer != own)
				munmap(buffer, BYTES);
		}
		munmap(own, BYTES);
	}
}
#endif

/* fault shared_sum | true_sharing false_sharing work_inflation | gcc clang | - | tasks update one of two shared counters, in one cache line */
#ifdef CASE_shared_sum
static volatile long progress[2];

static void
run_case(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 40; i++)
#pragma omp task /* here: shared_sum */
	{
		volatile long own = 0, *count = IF_FIXED(&own, &progress[i % 2]);
		for (int k = 0; k < 2000000; k++)
			(*count)++; /* here: shared_sum */
	}
}
#endif

/* fault transpose | strided_access work_inflation | gcc clang | - | threads write interleaved columns of one matrix */
#ifdef CASE_transpose
#define N 1500
static float from[N * N], to[N * N];

static void
run_case(void)
{
	for (int r = 0; r < 6; r++) {
#ifdef FIXED
#pragma omp parallel for schedule(static)
		for (int i = 0; i < N; i++)
			for (int k = 0; k < N; k++)
				to[i * N + k] += from[i * N + k];
#else
#pragma omp parallel for schedule(static, 1) /* here: transpose */
		for (int k = 0; k < N; k++)
			for (int i = 0; i < N; i++)
				to[i * N + k] += from[i * N + k]; /* here: transpose */
#endif
	}
	keep((uint64_t)to[9]);
}
#endif
