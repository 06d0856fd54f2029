/* SPDX-License-Identifier: MIT */
/*
 * loops.c - parallel loops of any schedule, trip count, direction, step and work shape.
 *
 * One parallel region runs `--loops` worksharing loops over i = first, first + step, ... of `trip`
 * iterations.  Each schedule, direction and nowait is its own construct, made by one table.  Loop j
 * is called loop<j> in the counts; its iterations are logical, 0 to trip - 1, whatever the step.
 *
 * What the log cannot see: chunks of unknown size (guided; runtime and auto if they mean that)
 * that one thread executes one after the other are merged into one.  Checks: each logical iteration
 * of each loop is executed once, with the right i.
 */
#include "bench.h"

#define FIRST 1000

enum schedule { STATIC, STATIC_CHUNK, DYNAMIC, GUIDED, RUNTIME, AUTO };

struct loop {
	long first;
	long end; /* one step past the last i */
	long step;
	long chunk;
	long log_chunk; /* what the counter takes as the chunk size; 0: unknown */
	long trip;
	long index;
	long work;
	const char *shape;
	uint64_t *result; /* [trip] */
};

#ifdef _OPENMP
/* omp.h is not needed for this; the first argument is an enum in C's int. */
extern void omp_get_schedule(int *kind, int *chunk);
#else
static void
omp_get_schedule(int *kind, int *chunk)
{
	*kind = 1;
	*chunk = 0;
}
#endif

static long
work_rounds(const struct loop *l, long k)
{
	if (strcmp(l->shape, "linear") == 0)
		return 2 * l->work * k / l->trip;
	if (strcmp(l->shape, "random") == 0)
		return bench_pick((uint64_t)k, 2 * l->work + 1);
	return l->work;
}

static uint64_t
iteration_value(const struct loop *l, long i, long k)
{
	uint64_t value = (uint64_t)i;

	for (long n = work_rounds(l, k); n > 0; n--)
		value = bench_hash(value);
	return value | 1;
}

static void
iterate(const struct loop *l, long i)
{
	long k = (i - l->first) / l->step;

	count_iteration("loop", l->index, k, l->log_chunk);
	/* Twice executed, or with a wrong i: the sum is wrong. */
	l->result[k] += iteration_value(l, i, k);
}

#define PRAGMA(text) _Pragma(#text)
#define LOOP(name, clauses)                                                                        \
	static void name##_up(const struct loop *l)                                                \
	{                                                                                          \
		PRAGMA(omp for clauses)                                                            \
		for (long i = l->first; i < l->end; i += l->step)                                  \
			iterate(l, i);                                                             \
	}                                                                                          \
	static void name##_down(const struct loop *l)                                              \
	{                                                                                          \
		PRAGMA(omp for clauses)                                                            \
		for (long i = l->first; i > l->end; i += l->step)                                  \
			iterate(l, i);                                                             \
	}

LOOP(loop_static, schedule(static))
LOOP(loop_static_chunk, schedule(static, l->chunk))
LOOP(loop_dynamic, schedule(dynamic, l->chunk))
LOOP(loop_guided, schedule(guided, l->chunk))
LOOP(loop_runtime, schedule(runtime))
LOOP(loop_auto, schedule(auto))
LOOP(loop_static_nowait, schedule(static) nowait)
LOOP(loop_static_chunk_nowait, schedule(static, l->chunk) nowait)
LOOP(loop_dynamic_nowait, schedule(dynamic, l->chunk) nowait)
LOOP(loop_guided_nowait, schedule(guided, l->chunk) nowait)
LOOP(loop_runtime_nowait, schedule(runtime) nowait)
LOOP(loop_auto_nowait, schedule(auto) nowait)

typedef void loop_function(const struct loop *l);

/* [schedule][nowait][downwards] */
static loop_function *const loop_functions[][2][2] = {
    [STATIC] = {{loop_static_up, loop_static_down},
                {loop_static_nowait_up, loop_static_nowait_down}},
    [STATIC_CHUNK] = {{loop_static_chunk_up, loop_static_chunk_down},
                      {loop_static_chunk_nowait_up, loop_static_chunk_nowait_down}},
    [DYNAMIC] = {{loop_dynamic_up, loop_dynamic_down},
                 {loop_dynamic_nowait_up, loop_dynamic_nowait_down}},
    [GUIDED] = {{loop_guided_up, loop_guided_down},
                {loop_guided_nowait_up, loop_guided_nowait_down}},
    [RUNTIME] = {{loop_runtime_up, loop_runtime_down},
                 {loop_runtime_nowait_up, loop_runtime_nowait_down}},
    [AUTO] = {{loop_auto_up, loop_auto_down}, {loop_auto_nowait_up, loop_auto_nowait_down}},
};

/* "dynamic,4": the schedule, and 4 in *chunk (1 if not given); -1 if it is none. */
static int
schedule_parse(const char *text, long *chunk)
{
	static const char *const names[] = {
	    [STATIC] = "static",   [DYNAMIC] = "dynamic", [GUIDED] = "guided",
	    [RUNTIME] = "runtime", [AUTO] = "auto",
	};
	size_t length = strcspn(text, ",");
	bool has_chunk = text[length] == ',';

	*chunk = has_chunk ? strtol(text + length + 1, NULL, 10) : 1;
	if (*chunk < 1)
		return -1;
	for (int i = STATIC; i <= AUTO; i++)
		if (names[i] != NULL && strlen(names[i]) == length &&
		    strncmp(text, names[i], length) == 0)
			return i == STATIC && has_chunk ? STATIC_CHUNK : i;
	return -1;
}

/* The size of all full chunks, or 0 if it is not fixed. */
static long
fixed_chunk(int schedule, long chunk)
{
	int kind, runtime_chunk;

	if (schedule == STATIC_CHUNK || schedule == DYNAMIC)
		return chunk;
	if (schedule != RUNTIME)
		return 0;
	omp_get_schedule(&kind, &runtime_chunk);
	kind &= 0xff; /* without the monotonic modifier */
	if (kind == 2)
		return runtime_chunk > 0 ? runtime_chunk : 1;
	return kind == 1 && runtime_chunk > 0 ? runtime_chunk : 0;
}

static bool
is_right(const struct loop *l, uint64_t *checksum)
{
	bool ok = true;

	for (long k = 0; k < l->trip; k++) {
		*checksum += l->result[k];
		ok = ok && l->result[k] == iteration_value(l, l->first + k * l->step, k);
	}
	return ok;
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"schedule", "static, dynamic, guided, runtime, auto; ,N for chunks", 0, 0, 0,
	     "dynamic,4"},
	    {"trip", "iterations", 10000, 0, 1L << 30, NULL},
	    {"shape", "work per iteration: uniform, linear, random", 0, 0, 0, "uniform"},
	    {"--work", "hash rounds per iteration, on average", 10000, 0, 1000000000, NULL},
	    {"--step", "of the loop variable, not 0", 1, -1000, 1000, NULL},
	    {"--loops", "worksharing loops in the region", 1, 1, 1000, NULL},
	    {"--nowait", "no barrier after the loops", 0, 0, 1, NULL},
	};
	long chunk;

	bench_parse(argc, argv, "Parallel loops of any kind.", arg, 7);
	int schedule = schedule_parse(arg[0].text, &chunk);
	long trip = arg[1].value, step = arg[4].value, n_loops = arg[5].value;
	if (schedule < 0 || step == 0) {
		fprintf(stderr, "%s: bad schedule or step\n", argv[0]);
		return 2;
	}
	struct loop *loop = bench_alloc((size_t)n_loops, sizeof(*loop));
	for (long j = 0; j < n_loops; j++)
		loop[j] = (struct loop){.first = FIRST,
		                        .end = FIRST + trip * step,
		                        .step = step,
		                        .chunk = chunk,
		                        .log_chunk = fixed_chunk(schedule, chunk),
		                        .trip = trip,
		                        .index = j,
		                        .work = arg[3].value,
		                        .shape = arg[2].text,
		                        .result = bench_alloc((size_t)trip, sizeof(uint64_t))};
	loop_function *run = loop_functions[schedule][arg[6].value][step < 0];

	bench_begin();
#pragma omp parallel firstprivate(loop, run, n_loops)
	for (long j = 0; j < n_loops; j++)
		run(&loop[j]);
	bench_end();
	bool ok = true;
	uint64_t checksum = 0;
	for (long j = 0; j < n_loops; j++) {
		ok = is_right(&loop[j], &checksum) && ok;
		free(loop[j].result);
	}
	free(loop);
	printf("%s: %ld loops of %ld, checksum %llu\n", arg[0].text, n_loops, trip,
	       (unsigned long long)checksum);
	return bench_finish(ok);
}
