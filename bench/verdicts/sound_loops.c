/* SPDX-License-Identifier: MIT */
/* sound_loops.c - loops and regions without a fault. */
#include "case.h"

/* sound loop_static | - | gcc clang | - | equal iterations, static */
#ifdef CASE_loop_static
static void
run_case(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 800; i++)
		keep(work((uint64_t)i, 200 * US));
}
#endif

/* sound loop_dynamic | - | gcc clang | - | a triangle in dynamic chunks of a good size */
#ifdef CASE_loop_dynamic
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 4)
	for (int i = 0; i < 1000; i++)
		keep(work((uint64_t)i, i * US / 3));
}
#endif

/* sound loop_guided | - | gcc clang | - | guided, equal iterations */
#ifdef CASE_loop_guided
static void
run_case(void)
{
#pragma omp parallel for schedule(guided, 8)
	for (int i = 0; i < 4000; i++)
		keep(work((uint64_t)i, 40 * US));
}
#endif

/* sound loop_cyclic | - | gcc clang | - | a triangle dealt out row by row */
#ifdef CASE_loop_cyclic
static void
run_case(void)
{
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 1000; i++)
		keep(work((uint64_t)i, i * US / 3));
}
#endif

/* sound reduction | - | gcc clang | - | a sum by a reduction */
#ifdef CASE_reduction
static void
run_case(void)
{
	uint64_t sum = 0;
	for (int r = 0; r < 10; r++)
#pragma omp parallel for reduction(+ : sum)
		for (int i = 0; i < 20000; i++)
			sum += work((uint64_t)i, 500);
	keep(sum);
}
#endif

/* sound collapsed | - | gcc clang | - | collapse(2) of a small outer loop */
#ifdef CASE_collapsed
static void
run_case(void)
{
#pragma omp parallel for collapse(2) schedule(dynamic, 4)
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 400; k++)
			keep(work((uint64_t)(i + k), 150 * US));
}
#endif

/* sound sections_equal | - | gcc clang | - | four equal sections, twice */
#ifdef CASE_sections_equal
static void
part(void)
{
	for (int i = 0; i < 40; i++)
		keep(work((uint64_t)i, 500 * US));
}

static void
run_case(void)
{
	for (int r = 0; r < 2; r++) {
#pragma omp parallel sections
		{
#pragma omp section
			part();
#pragma omp section
			part();
#pragma omp section
			part();
#pragma omp section
			part();
		}
	}
}
#endif

/* sound stencil | - | gcc clang | - | steps with a barrier, arrays in the caches */
#ifdef CASE_stencil
#define LENGTH 200000
static double a[LENGTH], b[LENGTH];

static void
run_case(void)
{
#pragma omp parallel
	for (int r = 0; r < 500; r++) {
		double *from = r % 2 ? a : b, *to = r % 2 ? b : a;
#pragma omp for schedule(static)
		for (int i = 1; i < LENGTH - 1; i++)
			to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
	}
	keep((uint64_t)a[9]);
}
#endif

/* sound stream | - | gcc clang | - | one pass over each of several arrays: bound by memory */
#ifdef CASE_stream
static void
run_case(void)
{
	size_t length = 1000000;
	double *a = doubles(length), *b = doubles(length);
#pragma omp parallel
	{
#pragma omp for schedule(static)
		for (size_t i = 0; i < length; i++)
			a[i] = b[i] = (double)i;
		for (int r = 0; r < 300; r++)
#pragma omp for schedule(static)
			for (size_t i = 0; i < length; i++)
				a[i] = b[i] * 3 + a[i];
	}
	keep((uint64_t)a[5]);
	free(a);
	free(b);
}
#endif

/* sound nested_right | - | gcc clang | OMP_MAX_ACTIVE_LEVELS=2 | an inner region of one thread per outer one, by num_threads(1) */
#ifdef CASE_nested_right
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < 40; i++)
#pragma omp parallel for num_threads(1)
		for (int k = 0; k < 100; k++)
			keep(work((uint64_t)k, 40 * US));
}
#endif

/* sound nested_serial | - | gcc clang | OMP_MAX_ACTIVE_LEVELS=1 | inner regions serialised by the setting, the outer one full */
#ifdef CASE_nested_serial
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < 40; i++)
#pragma omp parallel for
		for (int k = 0; k < 100; k++)
			keep(work((uint64_t)k, 40 * US));
}
#endif

/* sound lock_rare | - | gcc clang | - | a short critical section after much work */
#ifdef CASE_lock_rare
static uint64_t sum;

static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < 800; i++) {
		uint64_t value = work((uint64_t)i, 200 * US);
#pragma omp critical
		sum += value;
	}
	keep(sum);
}
#endif

/* sound atomic_rare | - | gcc clang | - | an atomic update after much work */
#ifdef CASE_atomic_rare
static void
run_case(void)
{
	uint64_t sum = 0;
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 2000; i++) {
		uint64_t value = work((uint64_t)i, 60 * US);
#pragma omp atomic
		sum += value;
	}
	keep(sum);
}
#endif

/* sound atomic_merge | - | gcc clang | - | private bins, added up by atomic updates after each step */
#ifdef CASE_atomic_merge
static long bins[8];

static void
run_case(void)
{
#pragma omp parallel
	for (int r = 0; r < 20; r++) {
		long own[8] = {0};
#pragma omp for schedule(static)
		for (int i = 0; i < 8000000; i++)
			own[(unsigned)i * 2654435761u >> 29]++;
		for (int i = 0; i < 8; i++)
#pragma omp atomic
			bins[i] += own[i];
	}
	keep((uint64_t)bins[3]);
}
#endif

/* sound atomic_scatter | - | gcc clang | - | atomic updates all over a large array, which rarely meet */
#ifdef CASE_atomic_scatter
static double field[1 << 17];

static void
run_case(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 3000000; i++)
#pragma omp atomic
		field[(unsigned)i * 2654435761u >> 15] += 1;
	keep((uint64_t)field[7]);
}
#endif

/* sound ordered_small | - | gcc clang | - | a small ordered part in equal iterations */
#ifdef CASE_ordered_small
static uint64_t last;

static void
run_case(void)
{
#pragma omp parallel for ordered schedule(dynamic, 1)
	for (int i = 0; i < 400; i++) {
		uint64_t value = work((uint64_t)i, 400 * US);
#pragma omp ordered
		last += value;
	}
	keep(last);
}
#endif

/* sound two_loops | - | gcc clang | - | two equal loops with nowait */
#ifdef CASE_two_loops
static void
run_case(void)
{
#pragma omp parallel
	for (int r = 0; r < 10; r++) {
#pragma omp for schedule(static) nowait
		for (int i = 0; i < 100; i++)
			keep(work((uint64_t)i, 80 * US));
#pragma omp for schedule(static) nowait
		for (int i = 0; i < 100; i++)
			keep(work((uint64_t)i, 80 * US));
	}
}
#endif

/* sound private_counters | - | gcc clang | - | counters on lines of their own */
#ifdef CASE_private_counters
static volatile long counts[64 * 16] __attribute__((aligned(64)));

static void
run_case(void)
{
#pragma omp parallel
	{
		volatile long *own = &counts[omp_get_thread_num() * 16];
		for (int i = 0; i < 200000000; i++)
			(*own)++;
	}
}
#endif

/* sound many_long_regions | - | gcc clang | - | a hundred regions of a millisecond */
#ifdef CASE_many_long_regions
static void
run_case(void)
{
	for (int r = 0; r < 100; r++)
#pragma omp parallel for schedule(static)
		for (int i = 0; i < 40; i++)
			keep(work((uint64_t)i, 50 * US));
}
#endif

/* sound doacross_wide | - | gcc clang | - | the dependence is 64 iterations away */
#ifdef CASE_doacross_wide
static uint64_t last[1024];

static void
run_case(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
	for (int i = 64; i < 1024; i++) {
#pragma omp ordered depend(sink : i - 64)
		last[i] = work(last[i - 64], 200 * US);
#pragma omp ordered depend(source)
	}
	keep(last[1000]);
}
#endif

/* sound jacobi | - | gcc clang | - | a stencil on a grid larger than the caches */
#ifdef CASE_jacobi
#define SIDE 1500
static double u[SIDE][SIDE], v[SIDE][SIDE];
static void
run_case(void)
{
#pragma omp parallel for
	for (int i = 0; i < SIDE; i++)
		for (int k = 0; k < SIDE; k++)
			u[i][k] = v[i][k] = i ^ k;
	for (int r = 0; r < 15; r++) {
#pragma omp parallel for
		for (int i = 1; i < SIDE - 1; i++)
			for (int k = 1; k < SIDE - 1; k++)
				v[i][k] = 0.25 * (u[i - 1][k] + u[i + 1][k] + u[i][k - 1] + u[i][k + 1]);
#pragma omp parallel for
		for (int i = 1; i < SIDE - 1; i++)
			for (int k = 1; k < SIDE - 1; k++)
				u[i][k] = v[i][k];
	}
	keep((uint64_t)u[5][5]);
}
#endif

/* sound triad | - | gcc clang | - | triad of large arrays */
#ifdef CASE_triad
static double a[6000000], b[6000000], c[6000000];
static void
run_case(void)
{
	int n = 6000000;
#pragma omp parallel for
	for (int i = 0; i < n; i++) {
		a[i] = 1;
		b[i] = 2;
		c[i] = 0;
	}
	for (int r = 0; r < 10; r++)
#pragma omp parallel for
		for (int i = 0; i < n; i++)
			a[i] = b[i] + 3 * c[i];
	keep((uint64_t)a[3]);
}
#endif

/* sound particles | - | gcc clang | - | an array of structures, all members used */
#ifdef CASE_particles
static struct p {
	double x[3], v[3], f[3], m;
} p[100000];
static void
run_case(void)
{
	for (int r = 0; r < 40; r++)
#pragma omp parallel for
		for (int i = 0; i < 100000; i++)
			for (int d = 0; d < 3; d++) {
				p[i].v[d] += p[i].f[d] * (1 + p[i].m);
				p[i].x[d] += p[i].v[d] * 0.1;
			}
	keep((uint64_t)p[9].x[0]);
}
#endif

/* sound monte | - | gcc clang | - | private counters, one sum */
#ifdef CASE_monte
static void
run_case(void)
{
	long n = 0;
#pragma omp parallel reduction(+ : n)
	{
		unsigned s = (unsigned)omp_get_thread_num() + 1;
#pragma omp for
		for (int i = 0; i < 20000000; i++) {
			s = s * 1664525u + 1013904223u;
			double x = s * 0x1p-32;
			s = s * 1664525u + 1013904223u;
			double y = s * 0x1p-32;
			n += x * x + y * y < 1;
		}
	}
	keep((uint64_t)n);
}
#endif

/* sound cyclic_by_hand | - | gcc clang | - | threads take blocks in turn by hand */
#ifdef CASE_cyclic_by_hand
enum { BLOCK = 512, BLOCKS = 800 };
static double x[BLOCKS][BLOCK];
static void
run_case(void)
{
#pragma omp parallel
	{
		int n = omp_get_num_threads(), me = omp_get_thread_num();
		for (int r = 0; r < 100; r++)
			for (int b = me; b < BLOCKS; b += n)
				for (int i = 0; i < BLOCK; i++)
					x[b][i] = x[b][i] * 0.5 + i;
	}
	keep((uint64_t)x[1][3]);
}
#endif

/* sound matmul_right | - | gcc clang | - | loops in the right order */
#ifdef CASE_matmul_right
#define ROWS 500
static double a[ROWS][ROWS], b[ROWS][ROWS], c[ROWS][ROWS];
static void
run_case(void)
{
#pragma omp parallel for
	for (int i = 0; i < ROWS; i++)
		for (int k = 0; k < ROWS; k++)
			a[i][k] = b[i][k] = i + k;
#pragma omp parallel for
	for (int i = 0; i < ROWS; i++)
		for (int k = 0; k < ROWS; k++)
			for (int j = 0; j < ROWS; j++)
				c[i][j] += a[i][k] * b[k][j];
	keep((uint64_t)c[3][4]);
}
#endif

/* sound own_tables | - | gcc clang | - | each thread fills a table of its own, which all need */
#ifdef CASE_own_tables
enum { ENTRIES = 16000 };
static double result[400];
static void
run_case(void)
{
#pragma omp parallel
	{
		double own[ENTRIES];
		for (int step = 0; step < 200; step++) {
			for (int i = 0; i < ENTRIES; i++)
				own[i] = sqrt(i * 0.5 + step);
#pragma omp barrier
#pragma omp for
			for (int i = 0; i < 400; i++)
				for (int k = 0; k < ENTRIES; k += 8)
					result[i] += own[k] * i;
		}
	}
	keep((uint64_t)result[7]);
}
#endif
