/* SPDX-License-Identifier: MIT */
/* regions.c - parallel regions: too many, nested, of one thread, and serial code around them. */
#include "case.h"

#include <unistd.h>

/* fault short_regions | many_regions | gcc clang | - | thousands of regions of a few microseconds */
#ifdef CASE_short_regions
static void
run_case(void)
{
#ifdef FIXED
#pragma omp parallel for
	for (int i = 0; i < 120000; i++)
		keep(work((uint64_t)i, US / 2));
#else
	for (int r = 0; r < 60000; r++)
#pragma omp parallel /* here: short_regions */
		keep(work((uint64_t)r, US / 2));
#endif
}
#endif

/* fault inner_loop | many_regions | gcc clang | - | the inner loop of a nest is the parallel one */
#ifdef CASE_inner_loop
static void
run_case(void)
{
#ifdef FIXED
#pragma omp parallel for
#endif
	for (int i = 0; i < 32000; i++)
#ifndef FIXED
#pragma omp parallel for /* here: inner_loop */
#endif
		for (int k = 0; k < 100; k++)
			keep(work((uint64_t)k, 20));
}
#endif

/* fault serial_between | serial_part | gcc clang | - | serial code between regions */
#ifdef CASE_serial_between
static void
run_case(void)
{
	for (int r = 0; r < 10; r++) {
#ifdef FIXED
#pragma omp parallel for schedule(dynamic, 2)
#endif
		for (int i = 0; i < 50; i++)
			keep(work((uint64_t)i, 100 * US));
#pragma omp parallel for schedule(dynamic, 2) /* here: serial_between */
		for (int i = 0; i < 100; i++)
			keep(work((uint64_t)i, 100 * US));
	}
}
#endif

/* fault serial_before | serial_start serial_part | gcc clang | - | a long serial start */
#ifdef CASE_serial_before
static void
run_case(void)
{
#ifdef FIXED
#pragma omp parallel for schedule(dynamic, 2)
#endif
	for (int i = 0; i < 1000; i++)
		keep(work((uint64_t)i, 100 * US));
#pragma omp parallel for schedule(dynamic, 2) /* here: serial_before */
	for (int i = 0; i < 1000; i++)
		keep(work((uint64_t)i, 100 * US));
}
#endif

/* fault serial_after | serial_part serial_end | gcc clang | - | a long serial part between the last two regions */
#ifdef CASE_serial_after
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < 1000; i++)
		keep(work((uint64_t)i, 100 * US));
#ifdef FIXED
#pragma omp parallel for schedule(dynamic, 2)
#endif
	for (int i = 0; i < 500; i++)
		keep(work((uint64_t)i, 100 * US));
#pragma omp parallel /* here: serial_after */
	keep(1);
}
#endif

/* fault nested | many_regions oversubscription | gcc clang | OMP_MAX_ACTIVE_LEVELS=2 | regions inside each iteration of a parallel loop */
#ifdef CASE_nested
static void
run_case(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 60; i++) {
#ifndef FIXED
#pragma omp parallel for /* here: nested */
#endif
		for (int k = 0; k < 8; k++)
			keep(work((uint64_t)k, 200 * US));
	}
}
#endif

/* fault inner_one | teams_of_one no_parallelism uneven_region uneven_loop | gcc clang | - | the outer loop has one iteration, the inner region one thread */
#ifdef CASE_inner_one
static void
run_case(void)
{
#ifndef FIXED
#pragma omp parallel for /* here: inner_one */
#endif
	for (int i = 0; i < 1; i++)
#pragma omp parallel for schedule(dynamic, 2) /* here: inner_one */
		for (int k = 0; k < 200; k++)
			keep(work((uint64_t)k, 500 * US));
}
#endif

/* fault if_clause | teams_of_one | gcc clang | - | an if clause with a limit that is too high */
#ifdef CASE_if_clause
static void
run_case(void)
{
	int n = 500;
	for (int r = 0; r < 4; r++)
#pragma omp parallel for schedule(dynamic, 10) if (n > IF_FIXED(100, 1000)) /* here: if_clause */
		for (int i = 0; i < n; i++)
			keep(work((uint64_t)i, 50 * US));
}
#endif

/* fault one_thread | teams_of_one | gcc clang | - | num_threads(1) left over from a test */
#ifdef CASE_one_thread
static void
run_case(void)
{
#pragma omp parallel for schedule(dynamic, 2)
	for (int i = 0; i < 100; i++)
		keep(work((uint64_t)i, 300 * US));
#pragma omp parallel for schedule(dynamic, 2) num_threads(IF_FIXED(omp_get_max_threads(), 1)) /* here: one_thread */
	for (int i = 0; i < 100; i++)
		keep(work((uint64_t)i, 600 * US));
}
#endif

/* fault master_sleeps | no_parallelism uneven_region unexplained blocked_time | gcc clang | - | the master waits for a device while the others wait for it */
#ifdef CASE_master_sleeps
static void
run_case(void)
{
#pragma omp parallel /* here: master_sleeps */
	for (int r = 0; r < 20; r++) {
#pragma omp master /* here: master_sleeps */
		usleep(IF_FIXED(0, 3000));
#pragma omp barrier
#pragma omp for schedule(dynamic, 5)
		for (int i = 0; i < 100; i++)
			keep(work((uint64_t)i, 40 * US));
	}
}
#endif

/* fault serial_write | serial_part blocked_time | gcc clang | - | output by one thread after each step */
#ifdef CASE_serial_write
static void
run_case(void)
{
	static char text[100][200 * 40];
	static size_t n[100];
	FILE *file = tmpfile();
	if (!file)
		exit(1);
	for (int r = 0; r < 10; r++) {
#pragma omp parallel for schedule(dynamic, 2) /* here: serial_write */
		for (int i = 0; i < 100; i++) {
			keep(work((uint64_t)i, 60 * US));
			n[i] = 0;
			for (int k = 0; k < IF_FIXED(200, 0); k++)
				n[i] += (size_t)snprintf(text[i] + n[i], 40, "%d %g\n", k, k * 0.1);
		}
		for (int i = 0; i < IF_FIXED(100, 20000); i++)
			if (IF_FIXED(1, 0))
				fwrite(text[i % 100], 1, n[i % 100], file);
			else
				fprintf(file, "%d %g\n", i % 200, i % 200 * 0.1);
	}
	fclose(file);
}
#endif

/* fault serial_reduce | serial_part | gcc clang | - | partial results combined by one thread between regions */
#ifdef CASE_serial_reduce
static uint64_t partial[2000];

static void
run_case(void)
{
	uint64_t sum = 0;
	for (int r = 0; r < 5; r++) {
#pragma omp parallel for schedule(dynamic, 20) /* here: serial_reduce */
		for (int i = 0; i < 2000; i++)
			partial[i] = IF_FIXED(work(work((uint64_t)i, 8 * US), 5 * US), work((uint64_t)i, 8 * US));
		for (int i = 0; i < 2000; i++)
			sum += IF_FIXED(partial[i], work(partial[i], 5 * US));
	}
	keep(sum);
}
#endif

/* fault set_one | teams_of_one | gcc clang | - | a library function sets one thread, and does not set it back */
#ifdef CASE_set_one
static void
library(void)
{
#ifndef FIXED
	omp_set_num_threads(1);
#endif
#pragma omp parallel
	keep(work(1, 100 * US));
}

static void
run_case(void)
{
#pragma omp parallel for
	for (int i = 0; i < 20; i++)
		keep(work(1, 1000 * US));
	library();
#pragma omp parallel for /* here: set_one */
	for (int i = 0; i < 100; i++)
		keep(work(1, 1500 * US));
}
#endif

/* fault solver_steps | many_regions many_barriers | gcc clang | - | several short parallel loops in each of thousands of steps */
#ifdef CASE_solver_steps
#define CELLS 400
static double p[CELLS], q[CELLS], r[CELLS];
static void
run_case(void)
{
	for (int step = 0; step < 9000; step++) {
#ifdef FIXED
		for (int i = 0; i < CELLS; i++) {
			p[i] = 0.5 * p[i] + q[i];
			q[i] = 0.25 * q[i] + r[i];
			r[i] = 0.125 * r[i] + 1;
		}
#else
#pragma omp parallel for /* here: solver_steps */
		for (int i = 0; i < CELLS; i++)
			p[i] = 0.5 * p[i] + q[i];
#pragma omp parallel for /* here: solver_steps */
		for (int i = 0; i < CELLS; i++)
			q[i] = 0.25 * q[i] + r[i];
#pragma omp parallel for /* here: solver_steps */
		for (int i = 0; i < CELLS; i++)
			r[i] = 0.125 * r[i] + 1;
#endif
	}
#pragma omp parallel
	keep((uint64_t)(p[1] + q[2] + r[3]));
}
#endif

/* fault small_systems | many_barriers | gcc clang | - | all threads solve each of many small systems together, with several barriers in a step */
#ifdef CASE_small_systems
#define UNKNOWNS 200
static double a[64][UNKNOWNS], b[64][UNKNOWNS], norm;

static void
solve(double *restrict x, double *restrict y)
{
	for (int step = 0; step < 200; step++) {
#ifndef FIXED
#pragma omp for
#endif
		for (int i = 1; i < UNKNOWNS - 1; i++) /* here: small_systems */
			y[i] = x[i] + 0.2 * (x[i - 1] - 2 * x[i] + x[i + 1]);
#ifndef FIXED
#pragma omp for
#endif
		for (int i = 1; i < UNKNOWNS - 1; i++) /* here: small_systems */
			x[i] = 0.5 * (x[i] + y[i]);
#ifndef FIXED
#pragma omp single /* here: small_systems */
#endif
		x[0] = y[1];
#ifndef FIXED
#pragma omp for reduction(+ : norm)
		for (int i = 0; i < UNKNOWNS; i++) /* here: small_systems */
			norm += x[i];
#else
		double sum = 0;
		for (int i = 0; i < UNKNOWNS; i++)
			sum += x[i];
		y[0] = sum;
#endif
	}
}

static void
run_case(void)
{
	for (int round = 0; round < 4; round++) {
		for (int i = 0; i < 64 * UNKNOWNS; i++)
			a[i / UNKNOWNS][i % UNKNOWNS] = i % 17;
#ifdef FIXED
#pragma omp parallel for schedule(dynamic, 4)
#else
#pragma omp parallel
#endif
		for (int system = 0; system < 64; system++)
			solve(a[system], b[system]);
	}
	keep((uint64_t)(a[1][1] + norm));
}
#endif
