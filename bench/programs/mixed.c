/* SPDX-License-Identifier: MIT */
/*
 * mixed.c - the unusual shapes of tasking, each in a region of its own, many times over.
 *
 *	part           tasks  taskwaits  what is in it
 *	kinds             7       2      tied, untied, undeferred (if(0)), mergeable, final with two
 *	                                 included children and a taskwait of its own
 *	group             9       1      a taskgroup around two tasks with three children each that
 *	                                 nobody waits for; then one more task and a taskwait
 *	rogue             6       0      three tasks with one child each, joined by the barrier only
 *	barrier          2T       0      each of T threads creates a task, explicit barrier, again
 *	nowait            8       0      two single nowait constructs of four tasks each
 *	empty             0       2      two taskwaits with nothing to wait for
 *	depend            4       1      a diamond: out a; in a, out b; in a, out c; in b and c
 *	priority          6       1      a taskyield in the middle of three tasks with priorities
 *and one child each, which they do not wait for
 *
 * A part's numbers are per repeat.  Only `barrier` depends on the number of threads.  Check:
 * every task body is executed exactly once, and what a join promises has happened after it.
 */
#include "bench.h"

#ifdef _OPENMP
extern int omp_get_num_threads(void);
#else
#define omp_get_num_threads() 1
#endif

static long work;
static atomic_long n_done;    /* task bodies finished in the current part */
static atomic_long n_broken;  /* promises of a join found broken */
static atomic_ulong checksum; /* of the work done */

static void
body(void)
{
	uint64_t x = 1;

	count_task();
	for (long i = 0; i < work; i++)
		x = bench_hash(x);
	atomic_fetch_add(&checksum, x);
	atomic_fetch_add(&n_done, 1);
}

/* At least n task bodies must have finished by now. */
static void
promise(long n)
{
	if (atomic_load(&n_done) < n)
		atomic_fetch_add(&n_broken, 1);
}

static void
final_task(void)
{
	body();
#pragma omp task
	body();
#pragma omp task
	body();
	/* Included tasks are executed at once. */
	count_taskwait();
#pragma omp taskwait
}

static long
part_kinds(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		body();
#pragma omp task untied
		body();
#pragma omp task if (0)
		body();
		promise(1);
#pragma omp task mergeable
		body();
#pragma omp task final(1)
		final_task();
		count_taskwait();
#pragma omp taskwait
		promise(7);
	}
	return 7;
}

static void
parent_task(int n_children)
{
	for (int i = 0; i < n_children; i++) {
#pragma omp task
		body();
	}
	body();
}

static long
part_group(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		{
#pragma omp task
			parent_task(3);
#pragma omp task
			parent_task(3);
		}
		promise(8);
#pragma omp task
		body();
		count_taskwait();
#pragma omp taskwait
		promise(9);
	}
	return 9;
}

static long
part_rogue(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 3; i++) {
#pragma omp task
		parent_task(1);
	}
	promise(6);
	return 6;
}

static long
part_barrier(void)
{
	long n_threads = 0;

#pragma omp parallel shared(n_threads)
	{
		long n = omp_get_num_threads();

#pragma omp master
		n_threads = n;
#pragma omp task
		body();
#pragma omp barrier
		promise(n);
#pragma omp task
		body();
	}
	promise(2 * n_threads);
	return 2 * n_threads;
}

static long
part_nowait(void)
{
#pragma omp parallel
	{
#pragma omp single nowait
		for (int i = 0; i < 4; i++) {
#pragma omp task
			body();
		}
#pragma omp single nowait
		for (int i = 0; i < 4; i++) {
#pragma omp task
			body();
		}
	}
	return 8;
}

static long
part_empty(void)
{
#pragma omp parallel
#pragma omp single
	{
		count_taskwait();
#pragma omp taskwait
		count_taskwait();
#pragma omp taskwait
	}
	return 0;
}

static long
part_depend(void)
{
	int a = 0, b = 0, c = 0, d = 0;

#pragma omp parallel shared(a, b, c, d)
#pragma omp single
	{
#pragma omp task depend(out : a) shared(a)
		{
			body();
			a = 1;
		}
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
		{
			body();
			b = a + 1;
		}
#pragma omp task depend(in : a) depend(out : c) shared(a, c)
		{
			body();
			c = a + 2;
		}
#pragma omp task depend(in : b, c) shared(b, c, d)
		{
			body();
			d = b * c;
		}
		count_taskwait();
#pragma omp taskwait
		if (d != 6)
			atomic_fetch_add(&n_broken, 1);
	}
	return 4;
}

static long
part_priority(void)
{
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 3; i++) {
#pragma omp task priority(i) firstprivate(i)
			{
#pragma omp taskyield
				parent_task(1);
			}
		}
		count_taskwait();
#pragma omp taskwait
		promise(3);
	}
	return 6;
}

struct part {
	const char *name;
	long (*run)(void); /* returns how many tasks it created */
};

static const struct part parts[] = {
    {"kinds", part_kinds},     {"group", part_group},       {"rogue", part_rogue},
    {"barrier", part_barrier}, {"nowait", part_nowait},     {"empty", part_empty},
    {"depend", part_depend},   {"priority", part_priority},
};

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"part", "one part, or all", 0, 0, 0, "all"},
	    {"repeats", "of each part", 200, 0, 1000000, NULL},
	    {"work", "hash rounds per task", 5000, 0, 1000000000, NULL},
	};
	bool ok = true, any = false;

	bench_parse(argc, argv, "Unusual shapes of tasking.", arg, 3);
	work = arg[2].value;
	bench_begin();
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (strcmp(arg[0].text, "all") != 0 && strcmp(arg[0].text, parts[i].name) != 0)
			continue;
		any = true;
		for (long r = 0; r < arg[1].value; r++) {
			atomic_store(&n_done, 0);
			long n_created = parts[i].run();

			ok = ok && atomic_load(&n_done) == n_created;
		}
		printf("%s\n", parts[i].name);
	}
	bench_end();
	return bench_finish(any && ok && atomic_load(&n_broken) == 0);
}
