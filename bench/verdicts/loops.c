/* SPDX-License-Identifier: MIT */
/* loops.c - worksharing loops, sections and single with the wrong schedule, size or barrier. */
#include "case.h"

/* fault chunk_one | small_chunks | gcc clang | - | schedule(dynamic) of tiny iterations */
#ifdef CASE_chunk_one
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, IF_FIXED(10000, 1)) /* here: chunk_one */
	for (int i = 0; i < 400000; i++)
		keep(work((uint64_t)i, 10));
}
#endif

/* fault triangle | uneven_loop uneven_region | gcc clang | - | static schedule of a triangular loop */
#ifdef CASE_triangle
static void
run_case(void)
{
#ifdef FIXED
#pragma omp parallel for schedule(dynamic, 4)
#else
#pragma omp parallel for schedule(static) /* here: triangle */
#endif
	for (int i = 0; i < 1000; i++)
		keep(work((uint64_t)i, i * US / 4));
}
#endif

/* fault triangle_inside | uneven_loop uneven_region | gcc clang | - | the same loop inside a region with others */
#ifdef CASE_triangle_inside
static void
run_case(void)
{
#pragma omp parallel /* here: triangle_inside */
	for (int r = 0; r < 10; r++) {
#pragma omp for schedule(dynamic, 10)
		for (int i = 0; i < 200; i++)
			keep(work((uint64_t)i, 10 * US));
#ifdef FIXED
#pragma omp for schedule(dynamic, 4)
#else
#pragma omp for schedule(static) /* here: triangle_inside */
#endif
		for (int i = 0; i < 200; i++)
			keep(work((uint64_t)i, i * US / 2));
	}
}
#endif

/* fault chunk_large | uneven_loop | gcc clang | - | dynamic with two chunks for uneven iterations */
#ifdef CASE_chunk_large
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, IF_FIXED(4, 200)) /* here: chunk_large */
	for (int i = 0; i < 400; i++)
		keep(work((uint64_t)i, i * 3 * US / 2));
}
#endif

/* fault guided_front | uneven_loop | gcc | - | guided: the first chunk has half of the iterations, the long ones */
#ifdef CASE_guided_front
static void
run_case(void)
{
#ifdef FIXED
#pragma omp parallel for schedule(dynamic, 4)
#else
#pragma omp parallel for schedule(guided) /* here: guided_front */
#endif
	for (int i = 0; i < 400; i++)
		keep(work((uint64_t)i, (i < 200 ? 600 : 60) * US));
}
#endif

/* fault block_cyclic | uneven_loop uneven_region | gcc clang | - | static,100: one thread gets all the long blocks */
#ifdef CASE_block_cyclic
static void
run_case(void)
{
#pragma omp parallel for schedule(static, IF_FIXED(1, 100)) /* here: block_cyclic */
	for (int i = 0; i < 800; i++)
		keep(work((uint64_t)i, (i / 100 % 2 ? 300 : 30) * US));
}
#endif

/* fault collapse | uneven_loop uneven_region | gcc clang | - | three outer iterations, no collapse(2) */
#ifdef CASE_collapse
static void
run_case(void)
{
#ifdef FIXED
#pragma omp parallel for collapse(2)
#else
#pragma omp parallel for /* here: collapse */
#endif
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 400; k++)
			keep(work((uint64_t)(i + k), 100 * US));
}
#endif

/* fault outlier | uneven_loop uneven_region | gcc clang | - | one iteration has half of the work */
#ifdef CASE_outlier
static void
run_case(void)
{
#ifdef FIXED
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < 200; i++)
		keep(work((uint64_t)i, 800 * US));
#else
#pragma omp parallel for schedule(static) /* here: outlier */
	for (int i = 0; i < 101; i++)
		keep(work((uint64_t)i, (i == 40 ? 80000 : 800) * US));
#endif
}
#endif

/* fault ordered_all | contended_mutex | gcc clang | - | nearly all of the body is ordered */
#ifdef CASE_ordered_all
static uint64_t last;

static void
run_case(void)
{
#pragma omp parallel for ordered schedule(dynamic, 1)
	for (int i = 0; i < 300; i++) {
		uint64_t value = work((uint64_t)i, IF_FIXED(380, 20) * US);
#pragma omp ordered /* here: ordered_all */
		last = work(last + value, IF_FIXED(20, 380) * US);
	}
	keep(last);
}
#endif

/* fault doacross | contended_mutex | gcc clang | - | every iteration waits for the one before */
#ifdef CASE_doacross
static uint64_t last[301];

static void
run_case(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1) /* here: doacross */
	for (int i = 1; i <= 300; i++) {
		uint64_t value = 0;
#ifdef FIXED
		value = work((uint64_t)i, 380 * US);
#endif
#pragma omp ordered depend(sink : i - 1) /* here: doacross */
		last[i] = work(last[i - 1] + value, IF_FIXED(20, 400) * US);
#pragma omp ordered depend(source)
	}
	keep(last[300]);
}
#endif

/* fault barriers | uneven_region uneven_loop no_parallelism | gcc clang | - | a barrier between halves that are each uneven */
#ifdef CASE_barriers
static void
run_case(void)
{
#pragma omp parallel /* here: barriers */
	for (int r = 0; r < 40; r++) {
		int is_long = (omp_get_thread_num() + r) % 2;
		keep(work((uint64_t)r, (is_long ? 4000 : 1000) * US));
#ifndef FIXED
#pragma omp barrier /* here: barriers */
#endif
	}
}
#endif

/* fault nowait | uneven_loop uneven_region | gcc clang | - | two loops of opposite imbalance without nowait */
#ifdef CASE_nowait
static void
run_case(void)
{
#pragma omp parallel /* here: nowait */
	{
#pragma omp for schedule(static) nowait
		for (int i = 0; i < 2; i++)
			keep(work((uint64_t)i, 100 * US));
		for (int r = 0; r < 20; r++) {
#ifdef FIXED
#pragma omp for schedule(static) nowait
#else
#pragma omp for schedule(static) /* here: nowait */
#endif
			for (int i = 0; i < 200; i++)
				keep(work((uint64_t)i, ((r % 2 ? i : 199 - i) / 2) * US));
		}
	}
}
#endif

/* fault sections | uneven_sections uneven_loop uneven_region no_parallelism | gcc clang | - | sections of unequal work */
#ifdef CASE_sections
static void
part(int n)
{
	for (int i = 0; i < n; i++)
		keep(work((uint64_t)i, 1000 * US));
}

static void
run_case(void)
{
#pragma omp parallel sections /* here: sections */
	{
#pragma omp section
		part(IF_FIXED(50, 90));
#pragma omp section
		part(IF_FIXED(50, 10));
	}
}
#endif

/* fault single_each | no_parallelism uneven_region | gcc clang | - | each step has a long single */
#ifdef CASE_single_each
static void
run_case(void)
{
#pragma omp parallel /* here: single_each */
	for (int r = 0; r < 20; r++) {
#pragma omp for schedule(dynamic, 5)
		for (int i = 0; i < 100; i++)
			keep(work((uint64_t)i, IF_FIXED(80, 40) * US));
#pragma omp single /* here: single_each */
		keep(work(5, IF_FIXED(0, 4000) * US));
	}
}
#endif

/* fault master_works | no_parallelism uneven_region | gcc clang | - | the master prepares each step, others wait at a barrier */
#ifdef CASE_master_works
static void
run_case(void)
{
#pragma omp parallel /* here: master_works */
	for (int r = 0; r < 20; r++) {
#pragma omp master /* here: master_works */
		keep(work(5, IF_FIXED(0, 4000) * US));
#pragma omp barrier
#pragma omp for schedule(dynamic, 5)
		for (int i = 0; i < 100; i++)
			keep(work((uint64_t)i, IF_FIXED(80, 40) * US));
	}
}
#endif

/* fault critical_loop | contended_mutex | gcc clang | - | nearly all of the body is a critical section */
#ifdef CASE_critical_loop
static uint64_t sum;

static void
run_case(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 400; i++) {
		uint64_t value = work((uint64_t)i, IF_FIXED(280, 30) * US);
#pragma omp critical /* here: critical_loop */
		sum += work(value, IF_FIXED(2, 250) * US);
	}
	keep(sum);
}
#endif

/* fault guided_min | uneven_loop uneven_region | gcc clang | - | guided with a least chunk of half the loop, cost grows */
#ifdef CASE_guided_min
static void
run_case(void)
{
#pragma omp parallel for schedule(guided, IF_FIXED(4, 300)) /* here: guided_min */
	for (int i = 0; i < 600; i++)
		keep(work((uint64_t)i, i * US));
}
#endif

/* fault single_setup | no_parallelism uneven_region few_tasks | gcc clang | - | setup inside single, the others wait */
#ifdef CASE_single_setup
static uint64_t table[400];
static void
run_case(void)
{
#pragma omp parallel /* here: single_setup */
	{
#ifdef FIXED
#pragma omp for schedule(dynamic, 4)
		for (int i = 0; i < 400; i++)
			table[i] = work((uint64_t)i, 150 * US);
#else
#pragma omp single /* here: single_setup */
		for (int i = 0; i < 400; i++)
			table[i] = work((uint64_t)i, 150 * US);
#endif
#pragma omp for schedule(dynamic, 4)
		for (int i = 0; i < 400; i++)
			keep(work(table[i], 200 * US));
	}
}
#endif

/* fault tiny_barriers | many_barriers | gcc clang | - | a barrier after each microsecond of work */
#ifdef CASE_tiny_barriers
static void
run_case(void)
{
#pragma omp parallel /* here: tiny_barriers */
	for (int r = 0; r < IF_FIXED(10, 100000); r++) {
		keep(work((uint64_t)r, IF_FIXED(10000, 1) * US / 2));
#pragma omp barrier /* here: tiny_barriers */
	}
}
#endif

/* fault skewed_rows | uneven_loop uneven_region | gcc clang | - | rows of very different length, static schedule */
#ifdef CASE_skewed_rows
static void
run_case(void)
{
#pragma omp parallel /* here: skewed_rows */
	for (int r = 0; r < 10; r++)
#ifdef FIXED
#pragma omp for schedule(dynamic, 8)
#else
#pragma omp for schedule(static) /* here: skewed_rows */
#endif
		for (int i = 0; i < 1000; i++)
			keep(work((uint64_t)i, 2 * US + 60 * US / (1 + i / 20)));
}
#endif

/* fault ordered_static | contended_mutex | gcc clang | - | a small ordered part, but blocks of iterations: later threads wait for the first one's block */
#ifdef CASE_ordered_static
static void
run_case(void)
{
	uint64_t sum = 0;
#ifdef FIXED
#pragma omp parallel for ordered schedule(static, 1)
#else
#pragma omp parallel for ordered schedule(static) /* here: ordered_static */
#endif
	for (int i = 0; i < 200; i++) {
		uint64_t x = work((uint64_t)i, 800 * US);
#pragma omp ordered /* here: ordered_static */
		sum += x;
	}
	keep(sum);
}
#endif

/* fault each_fills_all | repeated_work | gcc clang | - | each thread fills the whole table: the construct that divides the loop is missing */
#ifdef CASE_each_fills_all
enum { FACTORS = 16384 };
static double factor[FACTORS], image[FACTORS];
static void
run_case(void)
{
	for (int step = 0; step < 120; step++) {
#pragma omp parallel /* here: each_fills_all */
		{
#ifdef FIXED
#pragma omp for
#endif
			for (int i = 0; i < FACTORS; i++) /* here: each_fills_all */
				factor[i] = sin(i * 0.001 * step) + cos(i * 0.002);
#pragma omp barrier
#pragma omp for
			for (int i = 0; i < FACTORS; i++)
				image[i] = 0.5 * image[i] + factor[i] * sqrt(i + 1.0);
		}
	}
	keep((uint64_t)image[7]);
}
#endif
