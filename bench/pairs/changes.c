/* SPDX-License-Identifier: MIT */
/*
 * changes.c - small programs before and after a change other than a cut-off, for bench/predict.sh:
 * what the change is depends on an argument, so that the program is compiled once.
 *
 * Each shape does the same work in each variant; `variant` 0 is the program before the change.
 */
#include "../programs/bench.h"

struct shape {
	long n, work, part, variant;
};

static uint64_t total;

static uint64_t
spin(uint64_t seed, long rounds)
{
	while (rounds-- > 0)
		seed = bench_hash(seed);
	return seed & 0xffff;
}

/* A loop whose iterations add to a sum under a mutex that they hold for `part` rounds; 1: with a
 * reduction, whose part of the work is done without the mutex. */
static void
lock(const struct shape *s)
{
	uint64_t sum = 0;
	if (s->variant == 0) {
#pragma omp parallel for schedule(dynamic, 8) shared(sum)
		for (long i = 0; i < s->n; i++) {
			uint64_t value = spin((uint64_t)i, s->work);
#pragma omp critical
			sum += spin(value, s->part);
		}
	} else {
#pragma omp parallel for schedule(dynamic, 8) reduction(+ : sum)
		for (long i = 0; i < s->n; i++) {
			uint64_t value = spin((uint64_t)i, s->work);
			sum += spin(value, s->part);
		}
	}
	total += sum;
}

static uint64_t
even_loop(const struct shape *s)
{
	uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : sum)
	for (long i = 0; i < s->n; i++)
		sum += spin((uint64_t)i, s->work);
	return sum;
}

/* Serial code between two loops; variant: the serial code in so many parts. */
static void
serial(const struct shape *s)
{
	uint64_t sum = even_loop(s);
	if (s->variant == 0) {
		sum += spin(1, s->part);
	} else {
#pragma omp parallel for schedule(static) reduction(+ : sum)
		for (long i = 0; i < s->variant; i++)
			sum += spin((uint64_t)i, s->part / s->variant);
	}
	total += sum + even_loop(s);
}

static void
long_task(const struct shape *s, long i, uint64_t *out)
{
	uint64_t part[64] = {0};
	if (s->variant == 0) {
		*out = spin((uint64_t)i, s->work);
		return;
	}
	for (long k = 0; k < s->variant; k++) {
#pragma omp task firstprivate(k, i, s) shared(part)
		part[k] = spin((uint64_t)(i + k), s->work / s->variant);
	}
#pragma omp taskwait
	for (long k = 0; k < s->variant; k++)
		*out += part[k];
}

/* Few long tasks; variant: each in so many parts. */
static void
split(const struct shape *s)
{
	uint64_t out[64] = {0};
#pragma omp parallel shared(out)
#pragma omp single
	for (long i = 0; i < s->n && i < 64; i++) {
#pragma omp task firstprivate(i, s) shared(out)
		long_task(s, i, &out[i]);
	}
	for (long i = 0; i < s->n && i < 64; i++)
		total += out[i];
}

static long
uneven(const struct shape *s, long phase, long i)
{
	return s->work / 2 + (bench_pick((uint64_t)(phase * 997 + i), 100) * s->work) / 100;
}

/* `n` phases of `part` uneven tasks each; 0: with a taskwait after each, 1: without, 2: each task
 * depends on the one at its place in the phase before. */
static void
phases(const struct shape *s)
{
	uint64_t out[256] = {0};
	long width = s->part < 256 ? s->part : 256;
#pragma omp parallel shared(out)
#pragma omp single
	for (long phase = 0; phase < s->n; phase++) {
		for (long i = 0; i < width; i++) {
			uint64_t *at = &out[i];
			if (s->variant == 2) {
#pragma omp task firstprivate(phase, i, s, at) depend(inout : at[0])
				*at += spin((uint64_t)i, uneven(s, phase, i));
			} else {
#pragma omp task firstprivate(phase, i, s, at)
				{
					uint64_t value = spin((uint64_t)i, uneven(s, phase, i));
#pragma omp atomic
					*at += value;
				}
			}
		}
		if (s->variant == 0) {
#pragma omp taskwait
		}
	}
	for (long i = 0; i < width; i++)
		total += out[i];
}

/* `n` short regions; 1: one region with barriers. Work is even, in dynamic loops so that each
 * runtime records it. */
static void
regions(const struct shape *s)
{
	uint64_t sum = 0;
	if (s->variant == 0) {
		for (long r = 0; r < s->n; r++) {
#pragma omp parallel reduction(+ : sum)
			{
#pragma omp for schedule(dynamic, 1)
				for (long i = 0; i < s->part; i++)
					sum += spin((uint64_t)(r + i), s->work);
			}
		}
	} else {
#pragma omp parallel reduction(+ : sum)
		for (long r = 0; r < s->n; r++) {
#pragma omp for schedule(dynamic, 1)
			for (long i = 0; i < s->part; i++)
				sum += spin((uint64_t)(r + i), s->work);
		}
	}
	total += sum;
}

/* Tasks at two places, the work of the second one `part`: to be made faster. */
static void
two_places(const struct shape *s)
{
	uint64_t out[2] = {0};
#pragma omp parallel shared(out)
#pragma omp single
	for (long i = 0; i < s->n; i++) {
#pragma omp task firstprivate(i, s) shared(out)
		{
			uint64_t value = spin((uint64_t)i, s->work);
#pragma omp atomic
			out[0] += value;
		}
#pragma omp task firstprivate(i, s) shared(out)
		{
			uint64_t value = spin((uint64_t)i, s->part);
#pragma omp atomic
			out[1] += value;
		}
	}
	total += out[0] + out[1];
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(const struct shape *s);
	} shapes[] = {{"lock", lock},     {"serial", serial},   {"split", split},
	              {"phases", phases}, {"regions", regions}, {"places", two_places}};
	struct bench_arg arg[] = {
	    {"shape", "lock, serial, split, phases, regions, places", 0, 0, 0, "lock"},
	    {"n", "iterations, tasks, phases or regions", 1000, 1, 1L << 30, NULL},
	    {"work", "hash rounds of each", 1000, 0, 1L << 40, NULL},
	    {"part", "rounds with the mutex, of serial code; tasks of a phase", 100, 0, 1L << 40,
	     NULL},
	    {"variant", "0: before the change", 0, 0, 64, NULL},
	};
	bench_parse(argc, argv, "Programs before and after a change.", arg, 5);
	struct shape s = {arg[1].value, arg[2].value, arg[3].value, arg[4].value};
	bool is_known = false;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (strcmp(arg[0].text, shapes[i].name) == 0) {
			is_known = true;
			bench_begin();
			shapes[i].run(&s);
			bench_end();
		}
	printf("%s %llu\n", arg[0].text, (unsigned long long)total);
	return bench_finish(is_known);
}
