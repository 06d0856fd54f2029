/* SPDX-License-Identifier: MIT */
/*
 * bars.c - from samples (measure.c) to a table, and to whether each bar holds.
 *
 *   bars < samples.csv
 *
 * A tool is compared with the plain run of the same round; what is printed is the median over the
 * rounds, and the least and greatest. "Added" is CPU time of the whole process, above plain, per
 * task or chunk. Special programs, by name:
 *
 *   threads/N   the same work by N threads: memory per thread from the smallest and largest N
 *   .../pomp2   plain is the program as it was, the others are instrumented
 *   report/...  not a program under a tool but the analysis of a trace; `plain` alone
 *   linear/...  two analyses: `twice` is of twice the tasks of `plain`
 *
 * A bar that is compared with another tool "holds" or "FAILS" when the two tools' samples do not
 * overlap; else the medians decide, and "holds?" or "fails?" says that the noise is larger than
 * what is judged. Every bar is stated in doc/performance.md. Exit status 0 whatever holds: a shared
 * machine can make any of them fail once.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SERIES_MAX 1024
#define ROUNDS_MAX 64

struct series {
	char program[64];
	char tool[32];
	double grains;
	double tasks;
	int n;
	double cpu_s[ROUNDS_MAX], wall_s[ROUNDS_MAX], rss_kib[ROUNDS_MAX], bytes[ROUNDS_MAX];
};

struct spread {
	double median, least, greatest;
};

static struct series all[SERIES_MAX];
static int n_all;

static struct series *
find(const char *program, const char *tool)
{
	for (int i = 0; i < n_all; i++)
		if (strcmp(all[i].program, program) == 0 && strcmp(all[i].tool, tool) == 0)
			return &all[i];
	return NULL;
}

static void
read_samples(void)
{
	char text[512], program[64], tool[32];
	double tasks, chunks, cpu_s, wall_s, rss_kib, bytes;
	int round;

	while (fgets(text, sizeof text, stdin)) {
		if (sscanf(text, "%63[^,],%lf,%lf,%31[^,],%d,%lf,%lf,%lf,%lf", program, &tasks,
		           &chunks, tool, &round, &cpu_s, &wall_s, &rss_kib, &bytes) != 9)
			continue;
		struct series *s = find(program, tool);

		if (s == NULL) {
			if (n_all == SERIES_MAX)
				exit(1);
			s = &all[n_all++];
			strcpy(s->program, program);
			strcpy(s->tool, tool);
			s->grains = tasks + chunks > 0 ? tasks + chunks : 1;
			s->tasks = tasks;
		}
		if (s->n == ROUNDS_MAX)
			continue;
		s->cpu_s[s->n] = cpu_s;
		s->wall_s[s->n] = wall_s;
		s->rss_kib[s->n] = rss_kib;
		s->bytes[s->n++] = bytes;
	}
}

static int
compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static struct spread
spread_of(const double *values, int n)
{
	double sorted[ROUNDS_MAX];

	memcpy(sorted, values, (size_t)n * sizeof *sorted);
	qsort(sorted, (size_t)n, sizeof *sorted, compare);
	double median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	return (struct spread){median, sorted[0], sorted[n - 1]};
}

static int
rounds_of(const struct series *a, const struct series *b)
{
	return a->n < b->n ? a->n : b->n;
}

static struct spread
ratio(const struct series *s, const struct series *plain, bool is_wall)
{
	double values[ROUNDS_MAX];
	int n = rounds_of(s, plain);

	for (int i = 0; i < n; i++)
		values[i] =
		    is_wall ? s->wall_s[i] / plain->wall_s[i] : s->cpu_s[i] / plain->cpu_s[i];
	return spread_of(values, n);
}

static struct spread
added_ns(const struct series *s, const struct series *plain)
{
	double values[ROUNDS_MAX];
	int n = rounds_of(s, plain);

	for (int i = 0; i < n; i++)
		values[i] = (s->cpu_s[i] - plain->cpu_s[i]) / s->grains * 1e9;
	return spread_of(values, n);
}

static double
grain_ns(const struct series *plain)
{
	return spread_of(plain->cpu_s, plain->n).median / plain->grains * 1e9;
}

static bool
is_special(const char *program)
{
	return strncmp(program, "threads/", 8) == 0 || strncmp(program, "report/", 7) == 0 ||
	       strncmp(program, "linear/", 7) == 0;
}

static void
print_table(void)
{
	printf("%-22s %9s %9s  %-8s %-19s %-19s %-24s %7s %8s\n", "program/threads", "grains",
	       "ns/grain", "tool", "CPU (least-most)", "wall (least-most)", "added ns (least-most)",
	       "B/grain", "RSS+ KiB");
	for (int i = 0; i < n_all; i++) {
		const struct series *s = &all[i];
		const struct series *plain = find(s->program, "plain");

		if (is_special(s->program) || plain == NULL || s == plain)
			continue;
		struct spread cpu = ratio(s, plain, false), wall = ratio(s, plain, true);
		struct spread add = added_ns(s, plain);
		printf("%-22s %9.0f %9.0f  %-8s %4.2f (%4.2f-%5.2f)   %4.2f (%4.2f-%5.2f)   "
		       "%6.0f (%6.0f-%6.0f) %7.1f %8.0f\n",
		       s->program, s->grains, grain_ns(plain), s->tool, cpu.median, cpu.least,
		       cpu.greatest, wall.median, wall.least, wall.greatest, add.median, add.least,
		       add.greatest, spread_of(s->bytes, s->n).median / s->grains,
		       spread_of(s->rss_kib, s->n).median -
		           spread_of(plain->rss_kib, plain->n).median);
	}
}

static void
print_bar(const char *verdict, const char *bar, const char *program, double is, const char *unit,
          double at_most)
{
	printf("%-7s %-30s %-22s %9.2f %s, bar %.2f\n", verdict, bar, program, is, unit, at_most);
}

static void
say(bool holds, const char *bar, const char *program, double is, const char *unit, double at_most)
{
	print_bar(holds ? "holds" : "FAILS", bar, program, is, unit, at_most);
}

/* Added time against `factor` times that of another tool. */
static void
say_against(const char *bar, const char *program, struct spread is, struct spread other,
            double factor)
{
	double at_most = factor * other.median;
	/* a tool that made the program faster was not measured */
	bool is_clear = other.least > 0 &&
	                (is.greatest <= factor * other.least || is.least > factor * other.greatest);
	bool holds = is.median <= at_most;
	const char *verdict = holds      ? (is_clear ? "holds" : "holds?")
	                      : is_clear ? "FAILS"
	                                 : "fails?";

	print_bar(verdict, bar, program, is.median, "ns/grain", at_most);
}

/* Reference tools are told of every task; of chunks only if the runtime reports them. */
static bool
has_seen_all(const struct series *file)
{
	return spread_of(file->bytes, file->n).median / file->grains >= 24;
}

/* Programs that OPARI2 has instrumented: 32.3 % is what Lorenz et al. add to near-empty tasks by
 * keeping ids, which the tool `ids` does too. */
static void
judge_instrumented(const struct series *s, const struct series *plain)
{
	struct spread added = ratio(s, plain, false);
	const char *verdict = added.greatest <= 1.323 ? "holds"
	                      : added.median <= 1.323 ? "holds?"
	                      : added.least <= 1.323  ? "fails?"
	                                              : "FAILS";
	char bar[32];

	snprintf(bar, sizeof bar, "6 pomp2, %s", s->tool);
	print_bar(verdict, bar, s->program, 100 * (added.median - 1), "% added", 32.3);
}

static bool
is_instrumented(const char *program)
{
	return strstr(program, "/pomp2") != NULL;
}

static void
judge_recording(const struct series *winnow)
{
	const char *program = winnow->program;
	const struct series *plain = find(program, "plain");
	const struct series *file = find(program, "file"), *ring = find(program, "ring");

	if (plain == NULL)
		return;
	struct spread added = added_ns(winnow, plain);
	double wall = ratio(winnow, plain, true).median;
	double grain = grain_ns(plain);
	double bytes = spread_of(winnow->bytes, winnow->n).median / winnow->grains;
	double bytes_bar = winnow->tasks > 0 ? 24 : 12;

	if (file && has_seen_all(file) && grain <= 10000) { /* else less than the noise */
		say_against("1 CPU at most file's", program, added, added_ns(file, plain), 1);
		if (ring && grain < 2000 && winnow->tasks > 0)
			say_against("1 CPU at most 1.6 x ring's", program, added,
			            added_ns(ring, plain), 1.6);
	}
	if (grain > 2000)
		say(wall <= (grain > 10000 ? 1.05 : 1.15), "1 wall", program, wall, "x plain",
		    grain > 10000 ? 1.05 : 1.15);
	if (winnow->grains >= 100000) /* fewer do not fill the first slots */
		say(bytes <= bytes_bar, "2 bytes in the file", program, bytes, "B/grain",
		    bytes_bar);
}

/* `winnow record PROGRAM`, with all that comes before and after the program. */
static void
judge_command(const struct series *command)
{
	const struct series *plain = find(command->program, "plain");
	const struct series *file = find(command->program, "file");
	const struct series *winnow = find(command->program, "winnow");

	if (plain == NULL || file == NULL || winnow == NULL || command->grains < 300000)
		return; /* fewer: what a process costs is most of it */
	struct spread added = added_ns(command, plain);
	if (has_seen_all(file))
		say_against("1 as typed: at most file's", command->program, added,
		            added_ns(file, plain), 1);
	struct spread more = added_ns(command, winnow);
	say(more.median <= 10, "1 as typed: above winnow", command->program, more.median,
	    "ns/grain", 10);
}

static double
memory_kib(int n_threads, const char *tool)
{
	char program[64];

	snprintf(program, sizeof program, "threads/%d", n_threads);
	const struct series *s = find(program, tool);
	return s ? spread_of(s->rss_kib, s->n).median : 0;
}

static void
judge_memory(void)
{
	int fewest = 0, most = 0;

	for (int i = 0; i < n_all; i++) {
		int n;

		if (sscanf(all[i].program, "threads/%d", &n) != 1)
			continue;
		fewest = fewest == 0 || n < fewest ? n : fewest;
		most = n > most ? n : most;
	}
	if (most <= fewest)
		return;
	double at_most = memory_kib(most, "winnow") - memory_kib(most, "plain");
	double at_fewest = memory_kib(fewest, "winnow") - memory_kib(fewest, "plain");
	double kib = (at_most - at_fewest) / (most - fewest);
	say(kib <= 2048, "3 resident memory", "per thread", kib, "KiB", 2048);
}

static void
judge_analysis(const struct series *s)
{
	double cpu_s = spread_of(s->cpu_s, s->n).median;
	double wall_s = spread_of(s->wall_s, s->n).median;
	double bytes = spread_of(s->rss_kib, s->n).median * 1024 / s->tasks;

	say(s->tasks / cpu_s >= 1e6, "4 analysis, CPU", s->program, cpu_s / s->tasks * 1e9,
	    "ns/task", 1000);
	say(bytes <= 120, "4 analysis, resident", s->program, bytes, "B/task", 120);
	say(bytes <= 300, "4 analysis, resident at most", s->program, bytes, "B/task", 300);
	say(wall_s <= 2e-6 * s->tasks, "4 analysis, wall", s->program, wall_s, "s",
	    2e-6 * s->tasks);
}

/* Twice the tasks. */
static void
judge_growth(const struct series *twice, const struct series *once)
{
	struct spread grown = ratio(twice, once, false);
	const char *verdict = grown.greatest <= 2.3 ? "holds"
	                      : grown.median <= 2.3 ? "holds?"
	                      : grown.least <= 2.3  ? "fails?"
	                                            : "FAILS";

	print_bar(verdict, "7 CPU for twice the tasks", twice->program, grown.median, "x", 2.3);
}

/* The recorder is there, but has nowhere to write. */
static void
judge_loaded(const struct series *s, const struct series *plain, const struct series *empty)
{
	if (plain && empty)
		say_against("5 loaded: at most empty's", s->program, added_ns(s, plain),
		            added_ns(empty, plain), 1);
}

static void
judge(void)
{
	printf("\n");
	for (int i = 0; i < n_all; i++) {
		const struct series *s = &all[i];
		const struct series *plain = find(s->program, "plain");

		if (strncmp(s->program, "report/", 7) == 0)
			judge_analysis(s);
		else if (strcmp(s->tool, "twice") == 0)
			judge_growth(s, plain);
		else if (is_instrumented(s->program) && strcmp(s->tool, "plain") != 0)
			judge_instrumented(s, find(s->program, "plain"));
		else if (strcmp(s->tool, "winnow") == 0 && !is_special(s->program))
			judge_recording(s);
		else if (strcmp(s->tool, "command") == 0 && !is_special(s->program))
			judge_command(s);
		else if (strcmp(s->tool, "loaded") == 0 && !is_special(s->program))
			judge_loaded(s, plain, find(s->program, "empty"));
	}
	judge_memory();
}

int
main(void)
{
	read_samples();
	if (n_all == 0) {
		fprintf(stderr, "bars: no samples\n");
		return 1;
	}
	print_table();
	judge();
	return 0;
}
