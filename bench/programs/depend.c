/* SPDX-License-Identifier: MIT */
/*
 * depend.c - one task after the other, each of which reads one place and changes another.
 *
 * With `places` few, everything depends on everything before; with many, few tasks meet at a place.
 * One task in four is out in place of inout: its place starts anew. The places are drawn at random,
 * the same in every run. Check: each place ends with what a serial run computes.
 */
#include "bench.h"

struct step {
	long read, change;
	bool is_anew;
};

static struct step
step_of(long i, long places)
{
	uint64_t bits = bench_hash((uint64_t)i);
	struct step s = {.read = (long)(bits >> 8) % places, .is_anew = (bits & 3) == 0};

	s.change = (long)(bench_hash(bits) >> 8) % places;
	if (s.change == s.read)
		s.change = (s.change + 1) % places;
	return s;
}

static void
take(uint64_t *value, const struct step *s, long i)
{
	uint64_t from = s->is_anew ? 0 : value[s->change];

	value[s->change] = bench_hash(from + value[s->read] + (uint64_t)i);
}

static void
run(uint64_t *value, long tasks, long places)
{
	for (long i = 0; i < tasks; i++) {
		struct step s = step_of(i, places);

		if (s.is_anew) {
#pragma omp task depend(in : value[s.read]) depend(out : value[s.change])
			{
				count_task();
				take(value, &s, i);
			}
		} else {
#pragma omp task depend(in : value[s.read]) depend(inout : value[s.change])
			{
				count_task();
				take(value, &s, i);
			}
		}
	}
	count_taskwait();
#pragma omp taskwait
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"tasks", "tasks in all", 10000, 0, 1000000000, NULL},
	    {"places", "places that they read and change", 20, 2, 1000000000, NULL},
	};
	bool ok = true;

	bench_parse(argc, argv, "Tasks that depend on each other.", arg, 2);
	long tasks = arg[0].value, places = arg[1].value;
	uint64_t *value = bench_alloc((size_t)places, sizeof(*value));
	uint64_t *wanted = bench_alloc((size_t)places, sizeof(*wanted));

	bench_begin();
#pragma omp parallel shared(value, tasks, places)
#pragma omp single
	run(value, tasks, places);
	bench_end();
	for (long i = 0; i < tasks; i++) {
		struct step s = step_of(i, places);
		take(wanted, &s, i);
	}
	uint64_t checksum = 0;
	for (long p = 0; p < places; p++) {
		ok = ok && value[p] == wanted[p];
		checksum += value[p];
	}
	free(value);
	free(wanted);
	printf("%ld tasks, checksum %llu\n", tasks, (unsigned long long)checksum);
	return bench_finish(ok);
}
