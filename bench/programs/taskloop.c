/* SPDX-License-Identifier: MIT */
/*
 * taskloop.c - a taskloop with grainsize, num_tasks or neither, with or without nogroup.
 *
 * The counts hold one `chunk taskloop <lo> <hi>` line per task made by the construct (it is not
 * among explicit_tasks): a firstprivate mark tells the tasks apart.  OpenMP fixes the number of
 * tasks only for num_tasks (at most that many) and the sizes for grainsize (G to 2G - 1
 * iterations, unless there are fewer).  With --nogroup a taskwait joins the tasks.  Check: each
 * iteration is executed once.
 */
#include "bench.h"

struct loop {
	long trip;
	long step;
	long amount; /* of the grainsize or num_tasks clause */
	long work;
	uint64_t *result;
};

static uint64_t
iteration_value(const struct loop *l, long i)
{
	uint64_t value = (uint64_t)i;

	for (long n = l->work; n > 0; n--)
		value = bench_hash(value);
	return value | 1;
}

static void
iterate(const struct loop *l, long i, long *mark)
{
	long k = i / l->step;

	count_taskloop("taskloop", -1, k, mark);
	l->result[k] += iteration_value(l, i);
}

/* clang computes a taskloop's bounds in unsigned 64-bit integers and warns about its own code. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"

#define PRAGMA(text) _Pragma(#text)
#define TASKLOOP(name, clauses)                                                                    \
	static void name##_up(const struct loop *l, long mark)                                     \
	{                                                                                          \
		PRAGMA(omp taskloop firstprivate(mark, l) clauses)                                 \
		for (long i = 0; i < l->trip * l->step; i += l->step)                              \
			iterate(l, i, &mark);                                                      \
	}                                                                                          \
	static void name##_down(const struct loop *l, long mark)                                   \
	{                                                                                          \
		PRAGMA(omp taskloop firstprivate(mark, l) clauses)                                 \
		for (long i = 0; i > l->trip * l->step; i += l->step)                              \
			iterate(l, i, &mark);                                                      \
	}

TASKLOOP(loop_plain, )
TASKLOOP(loop_grainsize, grainsize(l->amount))
TASKLOOP(loop_num_tasks, num_tasks(l->amount))
TASKLOOP(loop_plain_nogroup, nogroup)
TASKLOOP(loop_grainsize_nogroup, grainsize(l->amount) nogroup)
TASKLOOP(loop_num_tasks_nogroup, num_tasks(l->amount) nogroup)

#pragma GCC diagnostic pop

typedef void loop_function(const struct loop *l, long mark);

enum clause { PLAIN, GRAINSIZE, NUM_TASKS };

/* [clause][nogroup][downwards] */
static loop_function *const loop_functions[3][2][2] = {
    [PLAIN] = {{loop_plain_up, loop_plain_down}, {loop_plain_nogroup_up, loop_plain_nogroup_down}},
    [GRAINSIZE] = {{loop_grainsize_up, loop_grainsize_down},
                   {loop_grainsize_nogroup_up, loop_grainsize_nogroup_down}},
    [NUM_TASKS] = {{loop_num_tasks_up, loop_num_tasks_down},
                   {loop_num_tasks_nogroup_up, loop_num_tasks_nogroup_down}},
};

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"trip", "iterations", 10000, 0, 1L << 30, NULL},
	    {"--grainsize", "least iterations per task; 0: no clause", 0, 0, 1L << 30, NULL},
	    {"--num-tasks", "tasks; 0: no clause", 0, 0, 1L << 30, NULL},
	    {"--nogroup", "taskwait in place of the implied taskgroup", 0, 0, 1, NULL},
	    {"--work", "hash rounds per iteration", 10000, 0, 1000000000, NULL},
	    {"--step", "of the loop variable, not 0", 1, -1000, 1000, NULL},
	};
	uint64_t checksum = 0;
	bool ok = true;

	bench_parse(argc, argv, "A taskloop.", arg, 6);
	long grainsize = arg[1].value, n_tasks = arg[2].value;
	bool has_group = !arg[3].value;
	enum clause clause = grainsize > 0 ? GRAINSIZE : n_tasks > 0 ? NUM_TASKS : PLAIN;
	struct loop l = {.trip = arg[0].value,
	                 .step = arg[5].value,
	                 .amount = grainsize > 0 ? grainsize : n_tasks,
	                 .work = arg[4].value,
	                 .result = bench_alloc((size_t)arg[0].value, sizeof(uint64_t))};
	if (l.step == 0) {
		fprintf(stderr, "%s: the step may not be 0\n", argv[0]);
		return 2;
	}
	loop_function *run = loop_functions[clause][!has_group][l.step < 0];

	bench_begin();
#pragma omp parallel shared(l, run, has_group)
#pragma omp single
	{
		run(&l, -1);
		if (!has_group) {
			count_taskwait();
#pragma omp taskwait
		}
	}
	bench_end();
	for (long k = 0; k < l.trip; k++) {
		checksum += l.result[k];
		ok = ok && l.result[k] == iteration_value(&l, k * l.step);
	}
	free(l.result);
	printf("taskloop of %ld, checksum %llu\n", l.trip, (unsigned long long)checksum);
	return bench_finish(ok);
}
