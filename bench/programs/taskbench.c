/* SPDX-License-Identifier: MIT */
/*
 * taskbench.c - what managing tasks costs, one way of making them at a time, after the kernels of
 * EPCC's taskbench (LaGrone, Aribuki, Chapman: "A set of microbenchmarks for measuring OpenMP task
 * overheads", 2011).
 *
 *	kernel         what T threads do, R repeats            tasks
 *	parallel       each makes R tasks                      R T
 *	master         one makes all, the others wait          R T
 *	busy           one makes R, the others work as long    R
 *	conditional    each makes R tasks with a false if      R T
 *	wait           each makes R tasks, and waits for each  R T
 *	barrier        each makes R tasks, a barrier for each  R T
 *	nested         each makes R tasks, each of which makes one and waits for it   2 R T
 *	nested-master  one makes T tasks, each of which makes R                       R T + T
 *	branch         R binary trees of tasks, work in all    R (2^7 - 2)
 *	leaf           the same, work in the leaves only       R (2^7 - 2)
 *
 * Check: the work of all tasks adds up.
 */
#include "bench.h"

#define DEPTH 6

#ifdef _OPENMP
extern int omp_get_thread_num(void);
extern int omp_get_num_threads(void);
#else
#define omp_get_thread_num()  0
#define omp_get_num_threads() 1
#endif

struct kernel {
	long repeats;
	long work;
	uint64_t value;      /* of a piece of work that was right */
	atomic_ulong n_done; /* pieces of work of all threads, in the end */
	atomic_bool is_wrong;
};

static _Thread_local unsigned long n_done_here;

static uint64_t
delay_value(const struct kernel *k)
{
	uint64_t value = 1;

	for (long i = 0; i < k->work; i++)
		value = bench_hash(value);
	return value;
}

static void
delay(struct kernel *k)
{
	if (delay_value(k) != k->value)
		atomic_store(&k->is_wrong, true);
	n_done_here++;
}

static void
body(struct kernel *k)
{
	count_task();
	delay(k);
}

static long
run_parallel(struct kernel *k)
{
	for (long i = 0; i < k->repeats; i++) {
#pragma omp task firstprivate(k)
		body(k);
	}
	return k->repeats * omp_get_num_threads();
}

static long
run_master(struct kernel *k)
{
	long n = k->repeats * omp_get_num_threads();

	if (omp_get_thread_num() == 0)
		for (long i = 0; i < n; i++) {
#pragma omp task firstprivate(k)
			body(k);
		}
	return n;
}

static long
run_busy(struct kernel *k)
{
	for (long i = 0; i < k->repeats; i++) {
		if (omp_get_thread_num() == 0) {
#pragma omp task firstprivate(k)
			body(k);
		} else {
			delay(k);
		}
	}
	return k->repeats * omp_get_num_threads();
}

static long
run_conditional(struct kernel *k)
{
	for (long i = 0; i < k->repeats; i++) {
#pragma omp task if (k->repeats < 0) firstprivate(k)
		body(k);
	}
	return k->repeats * omp_get_num_threads();
}

static long
run_wait(struct kernel *k)
{
	for (long i = 0; i < k->repeats; i++) {
#pragma omp task firstprivate(k)
		body(k);
		count_taskwait();
#pragma omp taskwait
	}
	return k->repeats * omp_get_num_threads();
}

static long
run_barrier(struct kernel *k)
{
	for (long i = 0; i < k->repeats; i++) {
#pragma omp task firstprivate(k)
		body(k);
#pragma omp barrier
	}
	return k->repeats * omp_get_num_threads();
}

static long
run_nested(struct kernel *k)
{
	for (long i = 0; i < k->repeats; i++) {
#pragma omp task firstprivate(k)
		{
			count_task();
#pragma omp task firstprivate(k)
			body(k);
			count_taskwait();
#pragma omp taskwait
		}
	}
	return k->repeats * omp_get_num_threads();
}

static long
run_nested_master(struct kernel *k)
{
	if (omp_get_thread_num() == 0)
		for (int t = 0; t < omp_get_num_threads(); t++) {
#pragma omp task firstprivate(k)
			{
				count_task();
				run_parallel(k);
			}
		}
	return k->repeats * omp_get_num_threads();
}

static void
tree(struct kernel *k, int depth, bool in_all)
{
	if (depth == 0)
		return;
	for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(k, depth, in_all)
		{
			count_task();
			if (in_all || depth == 1)
				delay(k);
			tree(k, depth - 1, in_all);
		}
	}
	count_taskwait();
#pragma omp taskwait
}

static long
run_trees(struct kernel *k, bool in_all)
{
#pragma omp single
	for (long i = 0; i < k->repeats; i++)
		tree(k, DEPTH, in_all);
	return k->repeats * (in_all ? (2L << DEPTH) - 2 : 1L << DEPTH);
}

static long
run_branch(struct kernel *k)
{
	return run_trees(k, true);
}

static long
run_leaf(struct kernel *k)
{
	return run_trees(k, false);
}

static const struct {
	const char *name;
	long (*run)(struct kernel *k); /* by every thread; returns the pieces of work of all */
} kernels[] = {
    {"parallel", run_parallel}, {"master", run_master},
    {"busy", run_busy},         {"conditional", run_conditional},
    {"wait", run_wait},         {"barrier", run_barrier},
    {"nested", run_nested},     {"nested-master", run_nested_master},
    {"branch", run_branch},     {"leaf", run_leaf},
};

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"kernel", "see above", 0, 0, 0, "parallel"},
	    {"repeats", "of each thread", 1000, 0, 1000000000, NULL},
	    {"work", "hash rounds in a task", 100, 0, 1000000000, NULL},
	};
	long (*run)(struct kernel *) = NULL;
	long n_wanted = 0;

	bench_parse(argc, argv, "One way of making tasks.", arg, 3);
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (strcmp(arg[0].text, kernels[i].name) == 0)
			run = kernels[i].run;
	if (run == NULL) {
		fprintf(stderr, "%s: no kernel '%s'\n", argv[0], arg[0].text);
		return 2;
	}
	struct kernel k = {.repeats = arg[1].value, .work = arg[2].value};
	k.value = delay_value(&k);

	bench_begin();
#pragma omp parallel shared(k, n_wanted, run)
	{
		long n = run(&k);
		if (omp_get_thread_num() == 0)
			n_wanted = n;
#pragma omp barrier
		atomic_fetch_add(&k.n_done, n_done_here);
	}
	bench_end();
	return bench_finish(!atomic_load(&k.is_wrong) && (long)atomic_load(&k.n_done) == n_wanted);
}
