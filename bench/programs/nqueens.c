/* SPDX-License-Identifier: MIT */
/*
 * nqueens.c - count the ways to place n queens on an n by n board, none attacking another.
 *
 * Every valid partial board with fewer than `cutoff` rows filled creates one task per column of
 * the next row, attacked or not, and joins them with one taskwait: the task looks whether its
 * column is free.  Boards with `cutoff` rows are finished by plain calls.  So the number of tasks
 * is 1 (main) + n * (valid boards of 0, 1, ... cutoff-1 rows); for 14 4 that is
 * 1 + 14 * (1 + 14 + 156 + 1364) = 21491 tasks, 1536 taskwaits.  Checked with the known counts.
 */
#include "bench.h"

#define MAX_N 18

static const uint64_t known[MAX_N + 1] = {
    1,   1,    0,     0,     2,      10,      4,        40,       92,        352,
    724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624,
};

/* Attacked columns of the next row, as bits: by column, and by diagonals either way. */
struct board {
	uint32_t column;
	uint32_t falling;
	uint32_t rising;
};

static struct board
board_place(struct board b, uint32_t bit)
{
	struct board next = {
	    .column = b.column | bit,
	    .falling = (b.falling | bit) << 1,
	    .rising = (b.rising | bit) >> 1,
	};

	return next;
}

static bool
is_free(struct board b, uint32_t bit)
{
	return ((b.column | b.falling | b.rising) & bit) == 0;
}

static uint64_t
count_plain(struct board b, long row, long n)
{
	uint64_t found = 0;

	if (row == n)
		return 1;
	for (long col = 0; col < n; col++) {
		uint32_t bit = UINT32_C(1) << col;

		if (is_free(b, bit))
			found += count_plain(board_place(b, bit), row + 1, n);
	}
	return found;
}

static uint64_t
count_boards(struct board b, long row, long n, long cutoff)
{
	uint64_t found[MAX_N] = {0};
	uint64_t sum = 0;

	if (row == n || row >= cutoff)
		return count_plain(b, row, n);
	for (long col = 0; col < n; col++) {
#pragma omp task firstprivate(b, row, col, n, cutoff) shared(found)
		{
			uint32_t bit = UINT32_C(1) << col;

			count_task();
			if (is_free(b, bit))
				found[col] = count_boards(board_place(b, bit), row + 1, n, cutoff);
		}
	}
	count_taskwait();
#pragma omp taskwait
	for (long col = 0; col < n; col++)
		sum += found[col];
	return sum;
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"n", "queens", 14, 1, MAX_N, NULL},
	    {"cutoff", "rows placed by tasks", 3, 0, MAX_N, NULL},
	};
	uint64_t result = 0;

	bench_parse(argc, argv, "Ways to place n queens.", arg, 2);
	bench_begin();
#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(arg, result)
		{
			struct board empty = {0, 0, 0};

			count_task();
			result = count_boards(empty, 0, arg[0].value, arg[1].value);
		}
		count_taskwait();
#pragma omp taskwait
	}
	bench_end();
	printf("%ld queens: %llu ways\n", arg[0].value, (unsigned long long)result);
	return bench_finish(result == known[arg[0].value]);
}
