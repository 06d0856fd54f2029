/* SPDX-License-Identifier: MIT */
/*
 * chunks.c CASE - loops whose chunks the program tells. "corner" cases are those of the method:
 * sequences of iterations that a simple version of it gets wrong. Where no construct gives such a
 * sequence, the loop is shared out by hand.
 *
 * guess: CASE ...       the report must say that ranges are guesses, and not of other cases
 * runs: CASE ...        chunk sizes differ, and adjacent chunks cannot be told apart: only the
 *                       sequences of iterations are compared
 * source: CASE ...      chunks are only told where no source knows them
 */
#include "tell.h"

/* guess: corner_3_guess corner_4_guess corner_5_guess corner_6_guess */

static void
begin(int kind, int64_t lower, int64_t step, uint64_t size)
{
	about(lower, step, size);
	TELL(LOOP_BEGIN, kind);
}

static void
static_plain(void)
{
	begin(STATIC, 0, 1, 0);
#pragma omp for schedule(static)
	for (int i = 0; i < 50; i++)
		iteration(0, (uint64_t)i, (uint64_t)i);
	TELL(LOOP_END, 0);
}

static void
static_chunks(void)
{
	chunk_size[0] = 3;
	begin(STATIC, 0, 1, 3);
#pragma omp for schedule(static, 3)
	for (int i = 0; i < 50; i++)
		iteration(0, (uint64_t)i, (uint64_t)i);
	TELL(LOOP_END, 0);
}

static void
dynamic_chunks(void)
{
	chunk_size[0] = 4;
	begin(DYNAMIC, 10, 1, 4);
#pragma omp for schedule(dynamic, 4)
	for (int i = 10; i < 60; i++)
		iteration(0, (uint64_t)i, (uint64_t)i - 10);
	TELL(LOOP_END, 0);
}

static void
guided(void)
{
	begin(GUIDED, 0, 1, 2);
#pragma omp for schedule(guided, 2)
	for (int i = 0; i < 100; i++)
		iteration(0, (uint64_t)i, (uint64_t)i);
	TELL(LOOP_END, 0);
}

static void
negative_step(void)
{
	chunk_size[0] = 2;
	begin(STATIC, 100, -7, 2);
#pragma omp for schedule(static, 2)
	for (int i = 100; i > -50; i -= 7)
		iteration(0, (uint64_t)(int64_t)i, (uint64_t)(100 - i) / 7);
	TELL(LOOP_END, 0);
}

static void
unsigned_64(void)
{
	const uint64_t lower = UINT64_MAX - 1000, step = 9;
	chunk_size[0] = 4;
	TELL(LOWER, lower);
	TELL(STEP, step);
	TELL(SIZE, 4);
	TELL(LOOP_BEGIN, STATIC | UNSIGNED);
#pragma omp for schedule(static, 4)
	for (uint64_t i = lower; i < UINT64_MAX - 20; i += step)
		iteration(0, i, (i - lower) / step);
	TELL(LOOP_END, 0);
}

static void
big_step(void)
{
	const int64_t lower = INT64_MIN / 2, step = INT64_C(1) << 40;
	chunk_size[0] = 2;
	begin(STATIC, lower, step, 2);
#pragma omp for schedule(static, 2)
	for (int64_t i = lower; i < lower + 30 * step; i += step)
		iteration(0, (uint64_t)i, (uint64_t)(i - lower) / (uint64_t)step);
	TELL(LOOP_END, 0);
}

/* The logical number of the collapsed loop is what is told. */
static void
collapse(void)
{
	chunk_size[0] = 5;
	begin(STATIC, 0, 1, 5);
#pragma omp for collapse(2) schedule(static, 5)
	for (int i = 0; i < 7; i++)
		for (int j = 0; j < 6; j++)
			iteration(0, (uint64_t)(i * 6 + j), (uint64_t)(i * 6 + j));
	TELL(LOOP_END, 0);
}

/* Four loops one after the other without a barrier. */
static void
nowait(void)
{
	chunk_size[1] = 1;
	chunk_size[2] = 2;
	begin(STATIC, 0, 1, 0);
#pragma omp for schedule(static) nowait
	for (int i = 0; i < 20; i++)
		iteration(0, (uint64_t)i, (uint64_t)i);
	TELL(LOOP_END, 0);
	begin(STATIC, 0, 1, 1);
#pragma omp for schedule(static, 1) nowait
	for (int i = 0; i < 3; i++)
		iteration(1, (uint64_t)i, (uint64_t)i);
	TELL(LOOP_END, 0);
	begin(DYNAMIC, 0, 2, 2);
#pragma omp for schedule(dynamic, 2) nowait
	for (int i = 0; i < 40; i += 2)
		iteration(2, (uint64_t)i, (uint64_t)i / 2);
	TELL(LOOP_END, 0);
	begin(STATIC, 5, 1, 0);
#pragma omp for schedule(static) nowait
	for (int i = 5; i < 25; i++)
		iteration(3, (uint64_t)i, (uint64_t)i - 5);
	TELL(LOOP_END, 0);
}

/* Nobody says that the first loop is over but the next one's begin, and the region's end. */
static void
no_end(void)
{
	begin(STATIC, 0, 1, 0);
#pragma omp for schedule(static) nowait
	for (int i = 0; i < 20; i++)
		iteration(0, (uint64_t)i, (uint64_t)i);
	begin(STATIC, 0, 1, 0);
#pragma omp for schedule(static) nowait
	for (int i = 0; i < 20; i++)
		iteration(1, (uint64_t)i, (uint64_t)i);
}

/* What is known of the loop may be said after its begin as well. */
static void
late_info(void)
{
	chunk_size[0] = 2;
	TELL(LOOP_BEGIN, STATIC);
	about(0, 1, 2);
#pragma omp for schedule(static, 2)
	for (int i = 0; i < 30; i++)
		iteration(0, (uint64_t)i, (uint64_t)i);
	TELL(LOOP_END, 0);
}

/* A loop of which everything is known to its source, with what was said of it: that must not be
 * taken for the next one's. */
static void
stale_info(void)
{
	chunk_size[0] = 2;
	about(0, 1, 2);
#pragma omp for schedule(dynamic, 2)
	for (int i = 0; i < 30; i++)
		iteration(0, (uint64_t)i, (uint64_t)i);
	about(3, 3, 0);
	TELL(LOOP_BEGIN, STATIC);
#pragma omp for schedule(static)
	for (int i = 3; i < 99; i += 3)
		iteration(1, (uint64_t)i, (uint64_t)i / 3 - 1);
	TELL(LOOP_END, 0);
}

/* The third chunk takes three milliseconds, which must be its own and nobody else's. */
static void
slow_chunk(void)
{
	chunk_size[0] = 2;
	begin(STATIC, 0, 1, 2);
#pragma omp for schedule(static, 2)
	for (int i = 0; i < 20; i++) {
		iteration(0, (uint64_t)i, (uint64_t)i);
		double start = omp_get_wtime();
		while (i == 4 && omp_get_wtime() - start < 3e-3)
			;
	}
	TELL(LOOP_END, 0);
}

/* --- corners -----------------------------------------------------------------------------------
 */

static void
corner_1_last_chunk(void)
{
	const int n = 3 * omp_get_num_threads();
	chunk_size[0] = 3;
	begin(STATIC, 0, 1, 3);
#pragma omp for schedule(static, 3)
	for (int i = 0; i < 2 * n + 1; i++)
		iteration(0, (uint64_t)i, (uint64_t)i);
	TELL(LOOP_END, 0);
}

/* One iteration for each thread, and then for only one of them. */
static void
corner_2_one_or_none(void)
{
	const int n = omp_get_num_threads();
	begin(STATIC, 0, 1, 0);
#pragma omp for schedule(static)
	for (int i = 0; i < n; i++)
		iteration(0, (uint64_t)i, (uint64_t)i);
	TELL(LOOP_END, 0);
	begin(STATIC, 0, 1, 0);
#pragma omp for schedule(static)
	for (int i = 0; i < 1; i++)
		iteration(1, (uint64_t)i, (uint64_t)i);
	TELL(LOOP_END, 0);
	/* the threads that had no iteration are in the same loop as the others again */
	begin(STATIC, 0, 1, 0);
#pragma omp for schedule(static)
	for (int i = 0; i < 4 * n; i++)
		iteration(2, (uint64_t)i, (uint64_t)i);
	TELL(LOOP_END, 0);
}

static void
corner_3_size_one(void)
{
	chunk_size[0] = chunk_size[1] = 1;
	begin(STATIC, 0, 1, 1);
#pragma omp for schedule(static, 1)
	for (int i = 0; i < 40; i++)
		iteration(0, (uint64_t)i, (uint64_t)i);
	TELL(LOOP_END, 0);
	begin(DYNAMIC, 0, 3, 1);
#pragma omp for schedule(dynamic, 1)
	for (int i = 0; i < 90; i += 3)
		iteration(1, (uint64_t)i, (uint64_t)i / 3);
	TELL(LOOP_END, 0);
}

/* By hand: iterations of this thread in loop 0; values are logical numbers. */
static void
sequence(unsigned n, const int *values)
{
	for (unsigned i = 0; i < n; i++)
		iteration(0, (uint64_t)values[i], (uint64_t)values[i]);
}

#define SEQUENCE(...) sequence(sizeof((int[]){__VA_ARGS__}) / sizeof(int), (int[]){__VA_ARGS__})

/* Chunks of size 1 until two neighbours show what the step is. */
static void
corner_3_guess(void)
{
	TELL(LOOP_BEGIN, DYNAMIC);
	SEQUENCE(0, 7, 12, 13, 30);
	TELL(LOOP_END, 0);
}

static void
corner_4_first_of_one(void)
{
	begin(DYNAMIC, 0, 1, 0);
	SEQUENCE(5, 8, 9, 10, 20, 21, 40);
	TELL(LOOP_END, 0);
}

static void
corner_4_guess(void)
{
	TELL(LOOP_BEGIN, GUIDED);
	SEQUENCE(5, 8, 9, 10, 20, 21, 40);
	TELL(LOOP_END, 0);
}

static void
corner_5_adjacent(void)
{
	chunk_size[0] = 3;
	begin(DYNAMIC, 0, 1, 3);
	SEQUENCE(0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14, 15, 16, 17, 30, 31);
	TELL(LOOP_END, 0);
}

/* Without a chunk size they are one. */
static void
corner_5_guess(void)
{
	TELL(STEP, 1);
	TELL(LOOP_BEGIN, DYNAMIC);
	SEQUENCE(0, 1, 2, 3, 4, 5, 9, 10, 11);
	TELL(LOOP_END, 0);
}

static void
corner_6_counting_down(void)
{
	chunk_size[0] = 3;
	begin(DYNAMIC, 60, -2, 3);
#pragma omp for schedule(dynamic, 3)
	for (int i = 60; i > 0; i -= 2)
		iteration(0, (uint64_t)(int64_t)i, (uint64_t)(60 - i) / 2);
	TELL(LOOP_END, 0);
	begin(STATIC, 60, -2, 0);
#pragma omp for schedule(static)
	for (int i = 60; i > 0; i -= 2)
		iteration(1, (uint64_t)(int64_t)i, (uint64_t)(60 - i) / 2);
	TELL(LOOP_END, 0);
}

/* Counting down from an unknown bound: a chunk is known by its lowest value. */
static void
corner_6_guess(void)
{
	static const int up[] = {3, 4, 5, 10, 11};
	static const int down[] = {11, 10, 5, 4, 3};
	struct log *l = &logs[omp_get_thread_num()];
	TELL(STEP, -1);
	TELL(SIZE, 0);
	TELL(LOOP_BEGIN, DYNAMIC);
	for (unsigned i = 0; i < 5; i++)
		TELL(CHUNK, down[i]);
	/* in the trace's order: first the chunk that is 10 and 11 */
	l->logical[0][0] = (uint64_t)up[3];
	l->logical[0][1] = (uint64_t)up[4];
	for (unsigned i = 0; i < 3; i++)
		l->logical[0][2 + i] = (uint64_t)up[i];
	l->n[0] = 5;
	TELL(LOOP_END, 0);
}

/* A task from every second iteration; the others go on at once. */
static void
corner_7_continue_and_tasks(void)
{
	chunk_size[0] = 4;
	begin(STATIC, 0, 1, 4);
#pragma omp for schedule(static, 4)
	for (int i = 0; i < 64; i++) {
		iteration(0, (uint64_t)i, (uint64_t)i);
		if (i % 2)
			continue;
#pragma omp task
		work();
	}
	TELL(LOOP_END, 0);
}

static void
corner_8_ordered(void)
{
	chunk_size[0] = 2;
	begin(STATIC, 0, 1, 2);
#pragma omp for ordered schedule(static, 2)
	for (int i = 0; i < 30; i++) {
		iteration(0, (uint64_t)i, (uint64_t)i);
#pragma omp ordered
		work();
	}
	TELL(LOOP_END, 0);
}

/* --- what the trace makes of long and interrupted chunks -------------------------------------- */

/* So many tasks in one iteration that the window is written meanwhile, and that more than once. */
static void
sealed_in_chunk(void)
{
	begin(STATIC, 0, 1, 0);
#pragma omp for schedule(static)
	for (int i = 0; i < 40; i++) {
		iteration(0, (uint64_t)i, (uint64_t)i);
		if (i % 5 == 2) {
			for (int k = 0; k < 6000; k++) {
#pragma omp task
				;
			}
#pragma omp taskwait
		}
	}
	TELL(LOOP_END, 0);
}

/* The program asks for it: after each third iteration. */
static void
flushed_in_chunk(void)
{
	chunk_size[0] = 10;
	begin(STATIC, 0, 1, 10);
#pragma omp for schedule(static, 10)
	for (int i = 0; i < 80; i++) {
		iteration(0, (uint64_t)i, (uint64_t)i);
		if (i % 3 == 1)
			TELL(3, 0);
	}
	TELL(LOOP_END, 0);
}

/* Regions inside chunks, with loops of their own; only the outer loop is logged. */
static void
nested(void)
{
	chunk_size[0] = 2;
	begin(STATIC, 0, 1, 2);
#pragma omp for schedule(static, 2)
	for (int i = 0; i < 16; i++) {
		iteration(0, (uint64_t)i, (uint64_t)i);
#pragma omp parallel num_threads(2)
		{
			begin(STATIC, 0, 1, 0);
#pragma omp for schedule(static)
			for (int j = 0; j < 6; j++) {
				TELL(CHUNK, j);
				work();
			}
			TELL(LOOP_END, 0);
		}
	}
	TELL(LOOP_END, 0);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
    {"static_plain", static_plain},
    {"static_chunks", static_chunks},
    {"dynamic_chunks", dynamic_chunks},
    {"guided", guided},
    {"negative_step", negative_step},
    {"unsigned_64", unsigned_64},
    {"big_step", big_step},
    {"collapse", collapse},
    {"nowait", nowait},
    {"no_end", no_end},
    {"late_info", late_info},
    {"stale_info", stale_info},
    {"slow_chunk", slow_chunk},
    {"corner_1_last_chunk", corner_1_last_chunk},
    {"corner_2_one_or_none", corner_2_one_or_none},
    {"corner_3_size_one", corner_3_size_one},
    {"corner_3_guess", corner_3_guess},
    {"corner_4_first_of_one", corner_4_first_of_one},
    {"corner_4_guess", corner_4_guess},
    {"corner_5_adjacent", corner_5_adjacent},
    {"corner_5_guess", corner_5_guess},
    {"corner_6_counting_down", corner_6_counting_down},
    {"corner_6_guess", corner_6_guess},
    {"corner_7_continue_and_tasks", corner_7_continue_and_tasks},
    {"corner_8_ordered", corner_8_ordered},
    {"sealed_in_chunk", sealed_in_chunk},
    {"flushed_in_chunk", flushed_in_chunk},
    {"nested", nested},
};

int
main(int argc, char **argv)
{
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (argc < 2)
			puts(cases[i].name);
		else if (strcmp(argv[1], cases[i].name) == 0) {
#pragma omp parallel
			cases[i].run();
			print_log();
		}
	}
	return 0;
}
