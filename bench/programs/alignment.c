/* SPDX-License-Identifier: MIT */
/*
 * alignment.c - score of the best global alignment of every pair of n made-up sequences.
 *
 * One task per pair, all of about the same structure but of uneven length; there is no cut-off.
 * By default the main task creates all n (n - 1) / 2 of them and joins them with one taskwait.
 * With --for, a loop over the first sequence, schedule(dynamic,1), creates them and the region's
 * barrier joins them: the classic form, in which the creator of a task depends on the schedule.
 *
 * Gaps cost open + length * extend.  Scores keep one row of the table; the check recomputes every
 * 64th pair with whole tables.
 */
#include "bench.h"

#define GAP_OPEN   8
#define GAP_EXTEND 1
#define NEVER      (-1000000)

struct sequence {
	long length;
	unsigned char *letter;
};

static int
larger(int a, int b)
{
	return a > b ? a : b;
}

/* Equal letters 5; others 0 to -3, by how far apart they are. */
static int
similarity(unsigned char a, unsigned char b)
{
	return a == b ? 5 : -(abs(a - b) % 4);
}

static int
score(const struct sequence *a, const struct sequence *b)
{
	int *best = bench_alloc(2 * (size_t)(b->length + 1), sizeof(*best));
	int *gap_down = best + b->length + 1, result;

	for (long j = 0; j <= b->length; j++) {
		best[j] = j == 0 ? 0 : -GAP_OPEN - GAP_EXTEND * (int)j;
		gap_down[j] = NEVER;
	}
	for (long i = 1; i <= a->length; i++) {
		int diagonal = best[0], gap_right = NEVER;

		best[0] = -GAP_OPEN - GAP_EXTEND * (int)i;
		for (long j = 1; j <= b->length; j++) {
			int match = diagonal + similarity(a->letter[i - 1], b->letter[j - 1]);

			gap_right = larger(gap_right, best[j - 1] - GAP_OPEN) - GAP_EXTEND;
			gap_down[j] = larger(gap_down[j], best[j] - GAP_OPEN) - GAP_EXTEND;
			diagonal = best[j];
			best[j] = larger(match, larger(gap_right, gap_down[j]));
		}
	}
	result = best[b->length];
	free(best);
	return result;
}

/* The same from the definition: a whole table, and every gap length tried at every cell. */
static int
score_slowly(const struct sequence *a, const struct sequence *b)
{
	long width = b->length + 1;
	int *t = bench_alloc((size_t)((a->length + 1) * width), sizeof(*t)), result;

	for (long i = 0; i <= a->length; i++) {
		for (long j = 0; j <= b->length; j++) {
			int best = i == 0 && j == 0 ? 0 : NEVER;

			if (i > 0 && j > 0)
				best = t[(i - 1) * width + j - 1] +
				       similarity(a->letter[i - 1], b->letter[j - 1]);
			for (long k = 1; k <= i; k++)
				best = larger(best, t[(i - k) * width + j] - GAP_OPEN -
				                        GAP_EXTEND * (int)k);
			for (long k = 1; k <= j; k++)
				best = larger(best, t[i * width + j - k] - GAP_OPEN -
				                        GAP_EXTEND * (int)k);
			t[i * width + j] = best;
		}
	}
	result = t[a->length * width + b->length];
	free(t);
	return result;
}

static void
align_with_later(const struct sequence *s, int *scores, long n, long i)
{
	for (long j = i + 1; j < n; j++) {
#pragma omp task firstprivate(s, scores, n, i, j)
		{
			count_task();
			scores[i * n + j] = score(&s[i], &s[j]);
		}
	}
}

static void
align_from_single(const struct sequence *s, int *scores, long n)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp task firstprivate(s, scores, n)
		{
			count_task();
			for (long i = 0; i < n; i++)
				align_with_later(s, scores, n, i);
			count_taskwait();
#pragma omp taskwait
		}
		count_taskwait();
#pragma omp taskwait
	}
}

static void
align_from_loop(const struct sequence *s, int *scores, long n)
{
#pragma omp parallel
#pragma omp for schedule(dynamic, 1)
	for (long i = 0; i < n; i++) {
		count_iteration("align", -1, i, 1);
		align_with_later(s, scores, n, i);
	}
}

static bool
is_right(const struct sequence *s, const int *scores, long n)
{
	long pair = 0;

	for (long i = 0; i < n; i++)
		for (long j = i + 1; j < n; j++)
			if (pair++ % 64 == 0 && scores[i * n + j] != score_slowly(&s[i], &s[j]))
				return false;
	return true;
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"n", "sequences", 100, 1, 2000, NULL},
	    {"length", "longest sequence; the shortest is a third", 240, 3, 20000, NULL},
	    {"--for", "create the tasks in a dynamic loop", 0, 0, 1, NULL},
	};
	long sum = 0;

	bench_parse(argc, argv, "Alignment scores of all pairs of sequences.", arg, 3);
	long n = arg[0].value, longest = arg[1].value;
	struct sequence *s = bench_alloc((size_t)n, sizeof(*s));
	int *scores = bench_alloc((size_t)(n * n), sizeof(*scores));
	for (long i = 0; i < n; i++) {
		s[i].length = longest / 3 + bench_pick((uint64_t)i, longest - longest / 3 + 1);
		s[i].letter = bench_alloc((size_t)s[i].length, 1);
		for (long j = 0; j < s[i].length; j++)
			s[i].letter[j] = (unsigned char)bench_pick((uint64_t)(i * 65536 + j), 20);
	}
	bench_begin();
	if (arg[2].value)
		align_from_loop(s, scores, n);
	else
		align_from_single(s, scores, n);
	bench_end();
	for (long i = 0; i < n * n; i++)
		sum += scores[i] * (i % 7 + 1);
	printf("%ld sequences, checksum %ld\n", n, sum);
	bool ok = is_right(s, scores, n);
	for (long i = 0; i < n; i++)
		free(s[i].letter);
	free(s);
	free(scores);
	return bench_finish(ok);
}
