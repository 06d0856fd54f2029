/* SPDX-License-Identifier: MIT */
/* sharing.c CASE - programs whose grains share cache lines in a known way, or do not. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 4000

static long adjacent[64] __attribute__((aligned(64)));
static struct {
	long value;
	char pad[120];
} padded[64] __attribute__((aligned(128)));
static long counter, guarded, table[1024];
static struct {
	long a, b;
} pair __attribute__((aligned(64)));

static void __attribute__((noinline)) bump(volatile long *at, int n)
{
	for (int i = 0; i < n; i++)
		*at += i;
}

/* --- threads of a team --- */

static void
run_adjacent(void)
{
#pragma omp parallel
	bump(&adjacent[omp_get_thread_num()], N);
}

static void
run_padded(void)
{
#pragma omp parallel
	bump(&padded[omp_get_thread_num()].value, N);
}

static void
run_atomic(void)
{
#pragma omp parallel for
	for (int i = 0; i < N; i++)
#pragma omp atomic
		counter++;
}

static void
run_critical(void)
{
#pragma omp parallel for
	for (int i = 0; i < N; i++)
#pragma omp critical
		guarded++;
}

static void
run_lock(void)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel
	for (int i = 0; i < N / 4; i++) {
		omp_set_lock(&lock);
		guarded++;
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
}

static void
run_stack(void)
{
	long sums[16] = {0};
#pragma omp parallel
	bump(&sums[omp_get_thread_num()], N);
	printf("%ld\n", sums[0]);
}

static void
run_true(void)
{
#pragma omp parallel
	bump(&counter, N);
}

static void
run_phases(void)
{
#pragma omp parallel
	for (int i = 0; i < 8; i++) {
		if (omp_get_thread_num() == i % omp_get_num_threads())
			bump(&pair.a, N);
#pragma omp barrier
	}
}

static void
run_halves(void)
{
	enum { MANY = 100001 };
	double *a = malloc(MANY * sizeof *a);
#pragma omp parallel for
	for (int i = 0; i < MANY; i++)
		a[i] = i;
	printf("%f\n", a[77]);
	free(a);
}

static void
run_table(void)
{
	long sum = 0;
	for (int i = 0; i < 1024; i++)
		table[i] = i;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < N; i++)
		sum += table[i % 1024];
	printf("%ld\n", sum);
}

/* Each thread's slot, by chunks of any thread. */
static void
run_slots(void)
{
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < 64; i++)
		bump(&padded[omp_get_thread_num()].value, N / 8);
}

/* --- tasks --- */

static void
run_members(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		bump(&pair.a, N);
#pragma omp task
		bump(&pair.b, N);
	}
}

static void
run_heap(void)
{
	struct {
		long a, b;
	} *h = calloc(16, sizeof *h);
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 16; i++)
#pragma omp task firstprivate(i)
		bump(&h[i].a, N);
	printf("%ld\n", h[3].a);
	free(h);
}

static void
run_taskatomic(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 8; i++)
#pragma omp task
		for (int k = 0; k < N; k++)
#pragma omp atomic
			counter++;
}

static void
run_depend(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 8; i++)
#pragma omp task depend(inout : pair)
		bump(i % 2 ? &pair.a : &pair.b, N);
}

static void
run_taskwait(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 8; i++) {
#pragma omp task
		bump(i % 2 ? &pair.a : &pair.b, N);
#pragma omp taskwait
	}
}

/* Grandchildren outlive their parents; the group waits for them, the taskwait would not. */
static void
run_group(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 8; i++) {
#pragma omp taskgroup
		{
#pragma omp task
			{
#pragma omp task
				bump(i % 2 ? &pair.a : &pair.b, N);
			}
		}
	}
}

/* What the creator writes before a task is ordered with it. */
static void
run_creator(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 4; i++) {
		bump(&pair.a, N);
#pragma omp task
		bump(&pair.b, N);
#pragma omp taskwait
	}
}

static void
run_outlives(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		{
#pragma omp task
			bump(&pair.a, N);
		}
#pragma omp taskwait
		bump(&pair.b, N);
	}
}

static void
run_blocks(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 64; i++)
#pragma omp task
	{
		long *p = malloc(48);
		memset(p, 0, 48);
		bump(p, N / 8);
		free(p);
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
    {"adjacent", run_adjacent}, {"padded", run_padded},
    {"atomic", run_atomic},     {"critical", run_critical},
    {"lock", run_lock},         {"stack", run_stack},
    {"true", run_true},         {"phases", run_phases},
    {"halves", run_halves},     {"table", run_table},
    {"slots", run_slots},       {"members", run_members},
    {"heap", run_heap},         {"taskatomic", run_taskatomic},
    {"depend", run_depend},     {"taskwait", run_taskwait},
    {"group", run_group},       {"creator", run_creator},
    {"outlives", run_outlives}, {"blocks", run_blocks},
};

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof cases / sizeof cases[0]; i++)
		if (strcmp(cases[i].name, argv[1]) == 0) {
			cases[i].run();
			return 0;
		}
	return 2;
}
