/* SPDX-License-Identifier: MIT */
/*
 * calibrate_program.c - the program that `winnow calibrate` runs, plain and recorded: OpenMP
 * constructs around nothing. Built once for each runtime.
 *
 *   winnow-calibrate-RUNTIME FILE            what recording costs
 *   winnow-calibrate-RUNTIME FILE THREADS    what the runtime needs: calibrate_services.c
 *
 * Writes a line to FILE for each phase, "NAME OPERATIONS BEGIN END": times by CLOCK_MONOTONIC, in
 * nanoseconds. "entry" is not recorded: calls of an empty body through a pointer. One thread does
 * all; where tasks are only queued in a team of two, the other one sleeps.
 */
#include "calibrate.h"

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 40, QUEUED = 48, PHASES_MAX = 16 };

static struct phase {
	const char *name;
	long n;
	uint64_t begin_ns, end_ns;
} phases[PHASES_MAX];
static int n_phases;
static volatile int is_over;

static void
queued(void)
{
	for (int i = 0; i < QUEUED; i++) {
#pragma omp task firstprivate(i)
		KEEP(i);
	}
#pragma omp taskwait
}

static void
inlined(void)
{
	for (int i = 0; i < QUEUED; i++) {
#pragma omp task if (0) firstprivate(i)
		KEEP(i);
	}
}

/* Tasks that create a task as their last act, and that only wait. */
static void
mixed(void)
{
	for (int i = 0; i < QUEUED / 4; i++) {
#pragma omp task if (0)
		{
#pragma omp task firstprivate(i)
			KEEP(i);
		}
#pragma omp task if (0)
		{
#pragma omp taskwait
		}
#pragma omp task if (0)
		{
#pragma omp critical(calibrated)
			KEEP(i);
		}
#pragma omp taskwait
	}
}

static void
trees(void)
{
	tree(5);
}

static void
taskwaits(void)
{
	for (int i = 0; i < QUEUED; i++) {
#pragma omp taskwait
	}
}

static void
criticals(void)
{
	for (int i = 0; i < QUEUED; i++) {
#pragma omp critical(calibrated)
		KEEP(i);
	}
}

static void
chunks(void)
{
#pragma omp for schedule(dynamic, 1) nowait
	for (int i = 0; i < QUEUED; i++)
		KEEP(i);
}

static void
loops(void)
{
	for (int i = 0; i < QUEUED / 8; i++) {
#pragma omp for schedule(static)
		for (int k = 0; k < 1; k++)
			KEEP(k);
	}
}

static void
regions(void)
{
	for (int i = 0; i < QUEUED / 8; i++) {
#pragma omp parallel num_threads(1)
		KEEP(i);
	}
}

/* The first times are for caches, and for the runtime to start. */
static void
phase(const char *name, void (*body)(void), long n)
{
	struct phase *p = &phases[n_phases++];
	for (int i = 0; i < 3; i++)
		body();
	rest_ns(20000);
	*p = (struct phase){name, n * TIMES, now_ns(), 0};
	for (int i = 0; i < TIMES; i++)
		body();
	p->end_ns = now_ns();
	rest_ns(20000);
}

static void __attribute__((noinline)) nothing(void *data)
{
	KEEP(data);
}

static void
entry(void)
{
	void (*volatile body)(void *) = nothing;
	struct {
		int a, b;
	} arguments;
	for (int i = 0; i < QUEUED; i++) {
		arguments.a = i;
		KEEP(&arguments);
		body(&arguments);
	}
}

static void
all(void)
{
	phase("queued", queued, QUEUED);
	phase("inlined", inlined, QUEUED);
	phase("trees", trees, 62);
	phase("mixed", mixed, QUEUED);
	phase("taskwaits", taskwaits, QUEUED);
	phase("criticals", criticals, QUEUED);
}

static __attribute__((noinline)) void
run_phases(void)
{
	phase("entry", entry, QUEUED);
#pragma omp parallel num_threads(TEAM)
	{
		if (omp_get_thread_num() == 0) {
			all();
			is_over = 1;
		}
		while (!is_over)
			rest_ns(200000);
	}
#pragma omp parallel num_threads(1)
	{
		phase("chunks", chunks, QUEUED);
		phase("loops", loops, QUEUED / 8);
	}
	phase("regions", regions, QUEUED / 8);
}

/* No region is in main(), where clang would prepare the runtime before calibrate_services()
 * measures how long that takes. */
int
main(int argc, char **argv)
{
	if (argc > 2)
		return calibrate_services(argv[1], atoi(argv[2]));
	run_phases();
	FILE *to = argc > 1 ? fopen(argv[1], "w") : stdout;
	if (!to)
		return 1;
	for (int i = 0; i < n_phases; i++)
		fprintf(to, "%s %ld %llu %llu\n", phases[i].name, phases[i].n,
		        (unsigned long long)phases[i].begin_ns,
		        (unsigned long long)phases[i].end_ns);
	return fclose(to) != 0;
}
