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
			memset(buffer, i, BYTES); /* here: malloc_pages */
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

/* fault hits | false_sharing work_inflation | gcc clang | - | counters of threads side by side, incremented on a condition */
#ifdef CASE_hits
static volatile int hits[64 * 16];
static void
run_case(void)
{
#pragma omp parallel /* here: hits */
	{
		int me = omp_get_thread_num() * IF_FIXED(16, 1);
		unsigned x = 12345u + (unsigned)me;
#pragma omp for
		for (int i = 0; i < 60000000; i++) {
			x = x * 1664525u + 1013904223u;
			if (x >> 31)
				hits[me]++; /* here: hits */
		}
	}
}
#endif

/* fault matmul | strided_access work_inflation | gcc clang | - | innermost loop runs down a column */
#ifdef CASE_matmul
#define SIZE 480
static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];
static void
run_case(void)
{
	for (int i = 0; i < SIZE; i++)
		for (int k = 0; k < SIZE; k++)
			a[i][k] = b[i][k] = i + k;
#pragma omp parallel for /* here: matmul */
	for (int i = 0; i < SIZE; i++)
#ifdef FIXED
		for (int k = 0; k < SIZE; k++)
			for (int j = 0; j < SIZE; j++)
				c[i][j] += a[i][k] * b[k][j];
#else
		for (int j = 0; j < SIZE; j++) {
			double s = 0;
			for (int k = 0; k < SIZE; k++)
				s += a[i][k] * b[k][j]; /* here: matmul */
			c[i][j] = s;
		}
#endif
	keep((uint64_t)c[3][4]);
}
#endif

/* fault column_call | strided_access work_inflation | gcc clang | - | a function that reads an element is called down the columns */
#ifdef CASE_column_call
struct matrix {
	int rows, columns;
	double *v;
};

__attribute__((noinline)) static double
element(const struct matrix *m, int row, int column)
{
	return m->v[(size_t)row * (size_t)m->columns + (size_t)column]; /* here: column_call */
}

static void
run_case(void)
{
	struct matrix m = {3000, 2400, (double *)malloc(3000 * 2400 * sizeof *m.v)};
	double sum = 0;
#pragma omp parallel for
	for (int i = 0; i < m.rows * m.columns; i++)
		m.v[i] = i & 7;
	for (int round = 0; round < 4; round++) {
#ifdef FIXED
#pragma omp parallel for reduction(+ : sum)
		for (int i = 0; i < m.rows; i++)
			for (int k = 0; k < m.columns; k++)
				sum += element(&m, i, k);
#else
#pragma omp parallel for reduction(+ : sum) /* here: column_call */
		for (int k = 0; k < m.columns; k++)
			for (int i = 0; i < m.rows; i++)
				sum += element(&m, i, k); /* here: column_call */
#endif
	}
	keep((uint64_t)sum);
	free(m.v);
}
#endif

/* fault columns | strided_access work_inflation | gcc clang | - | sums of columns of a matrix whose size is known at run time */
#ifdef CASE_columns
static void
sum_columns(const double *m, double *sums, int n)
{
#ifdef FIXED
#pragma omp parallel
	{
		double *own = (double *)calloc((size_t)n, sizeof *own);
#pragma omp for
		for (int i = 0; i < n; i++)
			for (int k = 0; k < n; k++)
				own[k] += m[(size_t)i * n + k];
#pragma omp critical
		for (int k = 0; k < n; k++)
			sums[k] += own[k];
		free(own);
	}
#else
#pragma omp parallel for /* here: columns */
	for (int k = 0; k < n; k++) {
		double s = 0;
		for (int i = 0; i < n; i++)
			s += m[(size_t)i * n + k]; /* here: columns */
		sums[k] = s;
	}
#endif
}
static void
run_case(void)
{
	int n = 2000 + (getenv("NEVER") != NULL);
	double *m = doubles((size_t)n * n), *sums = doubles((size_t)n);
#pragma omp parallel for
	for (int i = 0; i < n; i++) {
		sums[i] = 0;
		for (int k = 0; k < n; k++)
			m[(size_t)i * n + k] = i ^ k;
	}
	for (int r = 0; r < 6; r++)
		sum_columns(m, sums, n);
	keep((uint64_t)sums[7]);
}
#endif

/* fault map_few_times | page_faults | gcc clang | - | each iteration allocates so much that the C library maps it anew, a few times */
#ifdef CASE_map_few_times
#define MAPPED (5u << 20) /* numbers */
static void
run_case(void)
{
#pragma omp parallel
	{
		double *own = malloc(MAPPED * sizeof *own);
#pragma omp for schedule(static) /* here: map_few_times */
		for (int i = 0; i < 8; i++) {
			double *buffer = IF_FIXED(own, malloc(MAPPED * sizeof *buffer));
			for (unsigned k = 0; k < MAPPED; k += 4)
				buffer[k] = k * 0.5 + i; /* here: map_few_times */
			keep((uint64_t)buffer[i]);
			if (buffer != own)
				free(buffer);
		}
		free(own);
	}
}
#endif

/* fault minmax | false_sharing work_inflation | gcc clang | - | statistics of each thread side by side, which a function updates for each sample */
#ifdef CASE_minmax
struct stats {
	double sum, least, most;
	long n;
#ifdef FIXED
	char unused[224];
#endif
};
static struct stats all[64] __attribute__((aligned(64)));
/* The first store is that of a sum, or of the count. */
__attribute__((noinline)) static void
add_sample(struct stats *s, double v)
{
	s->sum += v; /* here: minmax */
	s->least = v < s->least ? v : s->least;
	s->most = v > s->most ? v : s->most;
	s->n++; /* here: minmax */
}
static void
run_case(void)
{
#pragma omp parallel for schedule(static) /* here: minmax */
	for (int i = 0; i < 30000000; i++)
		add_sample(&all[omp_get_thread_num()], (double)(i % 1000) * 0.5);
	keep((uint64_t)all[0].sum);
}
#endif

/* fault thread_number | runtime_calls | clang | - | each thread's own bins, whose number is requested for each element */
#ifdef CASE_thread_number
static unsigned bins[64][256];
static void
run_case(void)
{
#pragma omp parallel /* here: thread_number */
	{
		unsigned *own IF_FIXED(= bins[omp_get_thread_num()], );
#pragma omp for schedule(static) /* here: thread_number */
		for (int i = 0; i < 40000000; i++) {
#ifndef FIXED
			own = bins[omp_get_thread_num()];
#endif
			own[((unsigned)i * 2654435761u) >> 24]++;
		}
	}
	keep(bins[0][1]);
}
#endif

/* fault lags_in_turn | false_sharing work_inflation | gcc clang | - | threads take the elements of a short array in turn, again and again */
#ifdef CASE_lags_in_turn
enum { LAGS = 32, SIGNAL = 40000 };
static double signal[SIGNAL];

static void
correlate(double *sums)
{
#pragma omp parallel /* here: lags_in_turn */
	{
		int me = omp_get_thread_num(), all = omp_get_num_threads();
		int begin = IF_FIXED(LAGS * me / all, me), end = IF_FIXED(LAGS * (me + 1) / all, LAGS);
		int step = IF_FIXED(1, all);
		for (int k = 0; k + LAGS < SIGNAL; k++)
			for (int lag = begin; lag < end; lag += step)
				sums[lag] += signal[k] * signal[k + lag]; /* here: lags_in_turn */
	}
}

static void
run_case(void)
{
	double *sums = aligned_alloc(64, LAGS * sizeof *sums);
	memset(sums, 0, LAGS * sizeof *sums);
	for (int i = 0; i < SIGNAL; i++)
		signal[i] = i % 29 * 0.01;
	for (int round = 0; round < 25; round++)
		correlate(sums);
	keep((uint64_t)sums[7]);
	free(sums);
}
#endif

/* fault robots | false_sharing work_inflation | gcc clang | - | a function that has a loop updates elements of threads side by side */
#ifdef CASE_robots
static struct robot {
	uint64_t seed;
	int x, y;
	long steps;
} robots[64 * 4];

__attribute__((noinline)) static void
move(struct robot *r)
{
	uint64_t seed = r->seed;
	for (int i = 0; i < 6; i++)
		seed = seed * 6364136223846793005u + 1442695040888963407u;
	r->seed = seed; /* here: robots */
	r->x += (int)(seed >> 62) - 1;
	r->y += (int)(seed >> 60 & 3) - 1;
	r->steps++; /* here: robots */
}

static void
run_case(void)
{
#pragma omp parallel
	{
		struct robot *mine = &robots[omp_get_thread_num() * IF_FIXED(4, 1)];
#pragma omp for schedule(static)
		for (int i = 0; i < 4000; i++)
			for (int k = 0; k < 2000; k++)
				move(mine);
	}
	keep((uint64_t)robots[0].steps);
}
#endif
