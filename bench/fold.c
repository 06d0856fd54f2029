/* SPDX-License-Identifier: MIT */
/*
 * fold.c - what folding a grain graph costs: time on one thread and on two, memory of its own.
 *
 *   fold [GRAINS [ROUNDS [SHAPE]]]     10 million, 5 and all of tests/property/forest.h unless told
 *
 * The graphs are made in memory (tests/property/forest.h), so that nothing else is measured. The
 * runs on one thread and on two take turns; figures are medians, and the least and greatest. "fold"
 * is reduction, normalisation and theta, which is what a report needs; "all" is that, a sum and a
 * minimum for all groups, the shapes of all of them, and separation with one grain of a thousand a
 * problem. Bars are those of doc/performance.md.
 */
#include "aggregate/hash.h"
#include "aggregate/propagate.h"
#include "aggregate/separate.h"
#include "base/mem.h"
#include "tests/property/forest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS_MAX 32

static double
now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Bytes in memory, now or at most since memory_reset(). */
static double
memory(const char *key)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	double kib = 0;
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, key, strlen(key)) == 0)
			kib = strtod(line + strlen(key) + 1, NULL);
	if (f)
		fclose(f);
	return kib * 1024;
}

static void
memory_reset(void)
{
	FILE *f = fopen("/proc/self/clear_refs", "w");
	if (f) {
		fputs("5", f);
		fclose(f);
	}
}

static double
value_of(void *user, wn_grain id)
{
	(void)user;
	return (double)(id % 1000);
}

struct sample {
	double fold_s, fold_bytes, all_s, all_bytes;
};

static void
die(const char *what)
{
	fprintf(stderr, "fold: %s\n", what);
	exit(1);
}

static struct sample
run(const struct wn_graph *g, const uint8_t *is_problem, unsigned n_threads)
{
	struct sample s;
	struct wn_tree *t, *apart;
	memory_reset();
	double before = memory("VmRSS:"), start = now_s();
	if (wn_tree_build(g, n_threads, &t, NULL) != WN_OK)
		die("not folded");
	s.fold_s = now_s() - start;
	s.fold_bytes = memory("VmHWM:") - before;
	start = now_s();
	double *values = wn_calloc(t->n, sizeof *values);
	if (!values || wn_tree_propagate(t, WN_FOLD_SUM, value_of, NULL, values, NULL) != WN_OK ||
	    wn_tree_propagate(t, WN_FOLD_MIN, value_of, NULL, values, NULL) != WN_OK ||
	    wn_tree_shapes(t, (uint64_t *)values, NULL) != WN_OK)
		die("no values");
	wn_free(values);
	if (wn_tree_separate(t, is_problem, NULL, &apart, NULL) != WN_OK)
		die("not separated");
	s.all_s = s.fold_s + now_s() - start;
	s.all_bytes = memory("VmHWM:") - before;
	wn_tree_free(apart);
	wn_tree_free(t);
	return s;
}

/* In a process of its own, as a command folds: what an earlier run gave back to the kernel, and in
 * which pieces, would decide over the next one. */
static struct sample
run_apart(const struct wn_graph *g, const uint8_t *is_problem, unsigned n_threads)
{
	struct sample s;
	int ends[2], status;
	if (pipe(ends) != 0)
		die("no pipe");
	pid_t child = fork();
	if (child == 0) {
		s = run(g, is_problem, n_threads);
		_exit(write(ends[1], &s, sizeof s) == sizeof s ? 0 : 1);
	}
	close(ends[1]);
	if (child < 0 || read(ends[0], &s, sizeof s) != sizeof s ||
	    waitpid(child, &status, 0) != child || status != 0)
		die("a run failed");
	close(ends[0]);
	return s;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* "median (least to most)" of what each round gave. */
static const char *
spread(const double *values, int n, const char *format)
{
	static char text[8][96];
	static int next;
	double sorted[ROUNDS_MAX];
	char *to = text[next++ % 8], one[3][24];
	memcpy(sorted, values, (size_t)n * sizeof *sorted);
	qsort(sorted, (size_t)n, sizeof *sorted, by_value);
	snprintf(one[0], sizeof one[0], format, sorted[n / 2]);
	snprintf(one[1], sizeof one[1], format, sorted[0]);
	snprintf(one[2], sizeof one[2], format, sorted[n - 1]);
	snprintf(to, sizeof text[0], "%s (%s to %s)", one[0], one[1], one[2]);
	return to;
}

/* In proportion for other numbers of grains. */
static void
judge(uint32_t n, int rounds, double s[2][ROUNDS_MAX], double bytes)
{
	double sorted[2][ROUNDS_MAX], most_s = 5 * (double)n / 1e7;
	for (int i = 0; i < 2; i++) {
		memcpy(sorted[i], s[i], (size_t)rounds * sizeof **s);
		qsort(sorted[i], (size_t)rounds, sizeof **s, by_value);
	}
	double one = sorted[0][rounds / 2], two = sorted[1][rounds / 2];
	printf("%-7s at most %.1f s on one thread %s; at most 100 bytes per grain %s; "
	       "two threads 1.6 times as fast %s\n",
	       "", most_s, one <= most_s ? "holds" : "FAILS", bytes <= 100 ? "holds" : "FAILS",
	       one >= 1.6 * two ? "holds" : "FAILS");
}

static void
measure(enum forest_shape shape, uint32_t n, int rounds)
{
	struct wn_graph *g = forest_new(shape, n, 1);
	uint8_t *is_problem = calloc(n, 1);
	double s[2][ROUNDS_MAX], ratio[ROUNDS_MAX], all[2][ROUNDS_MAX], all_ratio[ROUNDS_MAX];
	double bytes = 0, all_bytes = 0;
	if (!is_problem)
		die("out of memory");
	for (uint32_t i = 0; i < n; i += 1000)
		is_problem[i] = 1;
	for (int round = -1; round < rounds; round++) { /* the first does not count */
		struct sample one = run_apart(g, is_problem, 1), two = run_apart(g, is_problem, 2);
		if (round < 0)
			continue;
		s[0][round] = one.fold_s;
		s[1][round] = two.fold_s;
		all[0][round] = one.all_s;
		all[1][round] = two.all_s;
		ratio[round] = one.fold_s / two.fold_s;
		all_ratio[round] = one.all_s / two.all_s;
		bytes = one.fold_bytes > bytes ? one.fold_bytes : bytes;
		all_bytes = one.all_bytes > all_bytes ? one.all_bytes : all_bytes;
	}
	printf("%-7s fold %s s, on two threads %s s: %s times; %.0f bytes per grain\n",
	       forest_names[shape], spread(s[0], rounds, "%.2f"), spread(s[1], rounds, "%.2f"),
	       spread(ratio, rounds, "%.2f"), bytes / n);
	printf("%-7s all  %s s, on two threads %s s: %s times; %.0f bytes per grain\n", "",
	       spread(all[0], rounds, "%.2f"), spread(all[1], rounds, "%.2f"),
	       spread(all_ratio, rounds, "%.2f"), all_bytes / n);
	judge(n, rounds, s, bytes / n);
	fflush(stdout);
	free(is_problem);
	forest_free(g);
}

int
main(int argc, char **argv)
{
	uint32_t n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000000;
	int rounds = argc > 2 ? atoi(argv[2]) : 5;
	if (argc > 4 || n == 0 || rounds < 1 || rounds > ROUNDS_MAX)
		die("usage: fold [GRAINS [ROUNDS [SHAPE]]]");
	for (uint32_t shape = 0; shape < FOREST_RANDOM; shape++)
		if (argc < 4 || strcmp(argv[3], forest_names[shape]) == 0)
			measure(shape, n, rounds);
	return 0;
}
