/* SPDX-License-Identifier: MIT */
/*
 * bench.h - what the benchmark programs share: arguments, a hash, a clock, the verdict, and
 * the independent counter.
 *
 * The counter is the oracle for recorders.  Built with -DWN_COUNT, a program counts for itself
 * the tasks it executes, the taskwaits it meets, and the loop chunks each thread executes, and
 * bench_finish() writes them to the file named by the environment variable WN_COUNT_FILE:
 *
 *	explicit_tasks N             bodies of task constructs executed (taskloops: chunk lines)
 *	taskwaits N                  taskwait constructs executed
 *	chunk <loopname> <lo> <hi>   logical iterations [lo, hi) of a loop, sections construct or
 *	                             taskloop task; sorted by name, then lo
 *
 * It must not use any OpenMP facility: no omp_* call, no lock, only atomics and thread-locals.
 * Without -DWN_COUNT the count functions are empty.
 */
#ifndef WN_BENCH_H
#define WN_BENCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * One argument.  A name without dashes is positional; "--name" is a switch when max is 1 and
 * otherwise takes "--name=VALUE".  With text set, the argument is a string kept there.
 */
struct bench_arg {
	const char *name;
	const char *help;
	long value; /* the default, then what was given */
	long min;
	long max;
	const char *text;
};

static double bench_start_s;
static double bench_elapsed_s;
static bool bench_show_time;

static inline double
bench_now_s(void)
{
	struct timespec now;

	timespec_get(&now, TIME_UTC);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void
bench_begin(void)
{
	bench_start_s = bench_now_s();
}

static inline void
bench_end(void)
{
	bench_elapsed_s = bench_now_s() - bench_start_s;
}

/* A well mixed 64-bit number from any other; the same on every machine. */
static inline uint64_t
bench_hash(uint64_t x)
{
	x += 0x8f14e45fceea1673u;
	x ^= x >> 31;
	x *= 0xd1a2c3b4f5968779u;
	x ^= x >> 29;
	x *= 0x94b7e15d3c86a2fbu;
	return x ^ (x >> 32);
}

/* A number in [0, limit) from a seed. */
static inline long
bench_pick(uint64_t seed, long limit)
{
	return (long)(bench_hash(seed) % (uint64_t)limit);
}

static inline void *
bench_alloc(size_t n, size_t size_bytes)
{
	void *p = calloc(n > 0 ? n : 1, size_bytes);

	if (p == NULL) {
		fprintf(stderr, "out of memory\n");
		exit(1);
	}
	return p;
}

static inline void
bench_usage(FILE *out, const char *program, const char *about, const struct bench_arg *arg, int n)
{
	fprintf(out, "usage: %s", program);
	for (int i = 0; i < n; i++)
		if (arg[i].name[0] != '-')
			fprintf(out, " [%s", arg[i].name);
	for (int i = 0; i < n; i++)
		if (arg[i].name[0] != '-')
			fputc(']', out);
	fprintf(out, " [options]\n%s\n\n", about);
	for (int i = 0; i < n; i++) {
		fprintf(out, "  %-14s %s", arg[i].name, arg[i].help);
		if (arg[i].text != NULL)
			fprintf(out, " (default %s)\n", arg[i].text);
		else if (arg[i].name[0] == '-' && arg[i].max == 1)
			fputc('\n', out);
		else
			fprintf(out, " (default %ld)\n", arg[i].value);
	}
	fprintf(out, "  %-14s print the elapsed seconds\n  %-14s print this text\n", "--time",
	        "--help");
}

static inline bool
bench_arg_set(struct bench_arg *arg, const char *text)
{
	char *end;
	long value;

	if (arg->text != NULL) {
		arg->text = text;
		return true;
	}
	value = strtol(text, &end, 10);
	if (end == text || *end != '\0' || value < arg->min || value > arg->max)
		return false;
	arg->value = value;
	return true;
}

static inline bool
bench_parse_option(const char *word, struct bench_arg *arg, int n)
{
	for (int i = 0; i < n; i++) {
		size_t length = strlen(arg[i].name);

		if (strncmp(word, arg[i].name, length) != 0)
			continue;
		if (word[length] == '=')
			return bench_arg_set(&arg[i], word + length + 1);
		if (word[length] == '\0' && arg[i].max == 1 && arg[i].text == NULL) {
			arg[i].value = 1;
			return true;
		}
	}
	return false;
}

/* Fills arg from the command line; prints the usage and exits on --help or a bad word. */
static inline void
bench_parse(int argc, char **argv, const char *about, struct bench_arg *arg, int n)
{
	struct bench_arg defaults[16];
	int place = 0;

	memcpy(defaults, arg, (size_t)n * sizeof(*arg));
	for (int i = 1; i < argc; i++) {
		bool ok;

		if (strcmp(argv[i], "--help") == 0) {
			bench_usage(stdout, argv[0], about, defaults, n);
			exit(0);
		}
		if (strcmp(argv[i], "--time") == 0) {
			bench_show_time = true;
			continue;
		}
		while (place < n && arg[place].name[0] == '-')
			place++;
		if (argv[i][0] == '-' && argv[i][1] == '-')
			ok = bench_parse_option(argv[i], arg, n);
		else
			ok = place < n && bench_arg_set(&arg[place++], argv[i]);
		if (!ok) {
			fprintf(stderr, "%s: bad argument: %s\n", argv[0], argv[i]);
			bench_usage(stderr, argv[0], about, defaults, n);
			exit(2);
		}
	}
}

#ifdef WN_COUNT

struct bench_chunk {
	const char *loop;
	long loop_index; /* printed after the name unless negative */
	long lo;
	long hi;
};

/* One per thread that executed an iteration; only its thread writes it. */
struct bench_log {
	struct bench_log *next;
	struct bench_chunk *chunk;
	size_t n_chunks;
	size_t capacity;
};

static atomic_ulong bench_n_tasks;
static atomic_ulong bench_n_taskwaits;
static _Atomic(struct bench_log *) bench_logs;
static _Thread_local struct bench_log *bench_log_own;

static inline void
count_task(void)
{
	atomic_fetch_add_explicit(&bench_n_tasks, 1, memory_order_relaxed);
}

static inline void
count_taskwait(void)
{
	atomic_fetch_add_explicit(&bench_n_taskwaits, 1, memory_order_relaxed);
}

static inline struct bench_log *
bench_log_get(void)
{
	struct bench_log *log = bench_log_own;

	if (log != NULL)
		return log;
	log = bench_alloc(1, sizeof(*log));
	log->next = atomic_load(&bench_logs);
	while (!atomic_compare_exchange_weak(&bench_logs, &log->next, log))
		;
	bench_log_own = log;
	return log;
}

/* Opens a chunk at iteration k in the calling thread's log; returns its place there. */
static inline long
bench_log_open(const char *loop, long loop_index, long k)
{
	struct bench_log *log = bench_log_get();

	if (log->n_chunks == log->capacity) {
		log->capacity = log->capacity == 0 ? 1024 : 2 * log->capacity;
		log->chunk = realloc(log->chunk, log->capacity * sizeof(*log->chunk));
		if (log->chunk == NULL) {
			fprintf(stderr, "out of memory\n");
			exit(1);
		}
	}
	log->chunk[log->n_chunks] = (struct bench_chunk){loop, loop_index, k, k + 1};
	return (long)log->n_chunks++;
}

/*
 * The calling thread executes logical iteration k of a loop.  Consecutive iterations are one
 * chunk; chunks that follow each other on one thread are told apart by their size, if known.
 */
static inline void
count_iteration(const char *loop, long loop_index, long k, long chunk_size)
{
	struct bench_log *log = bench_log_get();
	struct bench_chunk *last = log->n_chunks == 0 ? NULL : &log->chunk[log->n_chunks - 1];

	if (last != NULL && last->loop == loop && last->loop_index == loop_index && last->hi == k &&
	    (chunk_size == 0 || last->hi - last->lo < chunk_size))
		last->hi++;
	else
		bench_log_open(loop, loop_index, k);
}

/*
 * A taskloop task executes iteration k.  mark is a firstprivate variable, -1 before the loop:
 * each task has its own copy, which is what tells the tasks apart.
 */
static inline void
count_taskloop(const char *loop, long loop_index, long k, long *mark)
{
	if (*mark < 0)
		*mark = bench_log_open(loop, loop_index, k);
	else
		bench_log_own->chunk[*mark].hi = k + 1;
}

static inline int
bench_chunk_compare(const void *left, const void *right)
{
	const struct bench_chunk *a = left, *b = right;
	int names = strcmp(a->loop, b->loop);

	if (names != 0)
		return names;
	if (a->loop_index != b->loop_index)
		return a->loop_index < b->loop_index ? -1 : 1;
	return (a->lo > b->lo) - (a->lo < b->lo);
}

static inline void
bench_write_chunks(FILE *out)
{
	struct bench_chunk *all;
	size_t n = 0;

	for (struct bench_log *log = atomic_load(&bench_logs); log != NULL; log = log->next)
		n += log->n_chunks;
	all = bench_alloc(n, sizeof(*all));
	n = 0;
	for (struct bench_log *log = atomic_load(&bench_logs); log != NULL; log = log->next) {
		memcpy(all + n, log->chunk, log->n_chunks * sizeof(*all));
		n += log->n_chunks;
	}
	qsort(all, n, sizeof(*all), bench_chunk_compare);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "chunk %s", all[i].loop);
		if (all[i].loop_index >= 0)
			fprintf(out, "%ld", all[i].loop_index);
		fprintf(out, " %ld %ld\n", all[i].lo, all[i].hi);
	}
	free(all);
}

static inline bool
bench_write_counts(void)
{
	const char *path = getenv("WN_COUNT_FILE");
	FILE *out;

	if (path == NULL)
		return true;
	out = fopen(path, "w");
	if (out == NULL) {
		perror(path);
		return false;
	}
	fprintf(out, "explicit_tasks %lu\n", atomic_load(&bench_n_tasks));
	fprintf(out, "taskwaits %lu\n", atomic_load(&bench_n_taskwaits));
	bench_write_chunks(out);
	return fclose(out) == 0;
}

#else

static inline void
count_task(void)
{
}

static inline void
count_taskwait(void)
{
}

static inline void
count_iteration(const char *loop, long loop_index, long k, long chunk_size)
{
	(void)loop, (void)loop_index, (void)k, (void)chunk_size;
}

static inline void
count_taskloop(const char *loop, long loop_index, long k, long *mark)
{
	(void)loop, (void)loop_index, (void)k, (void)mark;
}

static inline bool
bench_write_counts(void)
{
	return true;
}

#endif /* WN_COUNT */

/* Prints the verdict, writes the counts; the exit status of the program. */
static inline int
bench_finish(bool ok)
{
	if (bench_show_time)
		printf("time %.6f s\n", bench_elapsed_s);
	puts(ok ? "OK" : "FAILED");
	return bench_write_counts() && ok ? 0 : 1;
}

#endif /* WN_BENCH_H */
