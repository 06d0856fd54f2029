/* SPDX-License-Identifier: MIT */
/* Loops of all shapes whose chunks libgomp gives in the values of the user's variable. Prints, for
 * each thread and loop, what the trace has to say: THREAD TRIP-COUNT LOWER STEP: and the logical
 * iterations in the order in which the thread ran them.
 */
#include <inttypes.h>
#include <limits.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define THREADS_MAX 8
#define BYTES_MAX   65536

static char text[THREADS_MAX][BYTES_MAX];
static size_t n_bytes[THREADS_MAX];

static __attribute__((noinline)) void
add(int t, const char *what)
{
	size_t bytes = strlen(what);
	if (n_bytes[t] + bytes < BYTES_MAX)
		memcpy(text[t] + n_bytes[t], what, bytes);
	n_bytes[t] += bytes;
}

static __attribute__((noinline)) void
loop_of(int t, long trip_count, int64_t lower, int64_t step)
{
	char line[96];
	snprintf(line, sizeof line, "\n%d %ld %" PRId64 " %" PRId64 ":", t, trip_count, lower,
	         step);
	add(t, line);
}

static void
loop(long trip_count, int64_t lower, int64_t step)
{
	loop_of(omp_get_thread_num(), trip_count, lower, step);
}

/* In front of a region that is one loop. */
static void
loop_of_all(long trip_count, int64_t lower, int64_t step)
{
	for (int t = 0; t < THREADS_MAX; t++)
		loop_of(t, trip_count, lower, step);
}

static __attribute__((noinline)) void
iteration(uint64_t number)
{
	char word[24];
	snprintf(word, sizeof word, " %" PRIu64, number);
	add(omp_get_thread_num(), word);
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

/* What an iteration does. An ordered loop has its ordered region: without one, GCC 12's libgomp
 * hangs now and then, recorded or not. */
#define PLAIN(k) iteration(k);
#define IN_ORDER(k)                                                                                \
	{                                                                                          \
		iteration(k);                                                                      \
		PRAGMA(omp ordered)                                                                \
		{                                                                                  \
		}                                                                                  \
	}

/* Up and down by a step; `step` is positive in both. */
#define UP(type, n, from, to, step, body, ...)                                                     \
	loop(n, (int64_t)(from), step);                                                            \
	PRAGMA(omp for __VA_ARGS__)                                                                \
	for (type i = (from); i < (to); i += (step))                                               \
	body(((uint64_t)i - (uint64_t)(from)) / (step))
#define DOWN(type, n, from, to, step, body, ...)                                                   \
	loop(n, (int64_t)(from), -(int64_t)(step));                                                \
	PRAGMA(omp for __VA_ARGS__)                                                                \
	for (type i = (from); i > (to); i -= (step))                                               \
	body(((uint64_t)(from) - (uint64_t)i) / (step))

#define SHAPES(body, ...)                                                                          \
	UP(int, 40, -20, 20, 1, body, __VA_ARGS__)                                                 \
	UP(int, 14, -7, 91, 7, body, __VA_ARGS__)                                                  \
	DOWN(int, 40, 20, -20, 1, body, __VA_ARGS__)                                               \
	DOWN(int, 34, 50, -50, 3, body, __VA_ARGS__)                                               \
	UP(short, 25, -100, 100, 8, body, __VA_ARGS__)                                             \
	UP(unsigned char, 50, 5, 255, 5, body, __VA_ARGS__)                                        \
	UP(long, 10, LONG_MIN, LONG_MIN + 100, 10, body, __VA_ARGS__)                              \
	DOWN(long, 33, LONG_MAX, LONG_MAX - 99, 3, body, __VA_ARGS__)                              \
	UP(uint64_t, 30, UINT64_MAX - 91, UINT64_MAX - 1, 3, body, __VA_ARGS__)                    \
	DOWN(uint64_t, 30, UINT64_MAX - 1, UINT64_MAX - 61, 2, body, __VA_ARGS__)                  \
	UP(uint64_t, 4, 0, UINT64_MAX - 5, UINT64_MAX / 4, body, __VA_ARGS__)                      \
	UP(int, 1, -3, -2, 50, body, __VA_ARGS__)

#define COLLAPSED(...)                                                                             \
	loop(72, 0, 1);                                                                            \
	PRAGMA(omp for collapse(2) __VA_ARGS__)                                                    \
	for (int i = 30; i > 12; i -= 2)                                                           \
		for (int64_t j = -4; j < 12; j += 2)                                               \
			iteration((uint64_t)((30 - i) / 2 * 8 + (j + 4) / 2));

int
main(void)
{
/* Ordered loops of one schedule to a region: where two follow each other in one, GCC 12's libgomp
 * hangs now and then, recorded or not. */
#pragma omp parallel
	{SHAPES(PLAIN, schedule(dynamic)) SHAPES(PLAIN, schedule(dynamic, 3))
	     SHAPES(PLAIN, schedule(monotonic
	                            : dynamic, 4)) SHAPES(PLAIN, schedule(guided, 2))
	         SHAPES(PLAIN, schedule(monotonic
	                                : guided)) SHAPES(PLAIN, schedule(runtime))
	             COLLAPSED(schedule(dynamic, 5)) COLLAPSED(schedule(guided))
	                 COLLAPSED(schedule(runtime))}
#pragma omp parallel
	{SHAPES(IN_ORDER, schedule(static, 3) ordered)}
#pragma omp parallel
	{SHAPES(IN_ORDER, schedule(dynamic, 2) ordered)}
#pragma omp parallel
	{SHAPES(IN_ORDER, schedule(guided) ordered)} loop_of_all(11, 90, -9);
#pragma omp parallel for schedule(dynamic, 4)
	for (int i = 90; i >= 0; i -= 9)
		iteration((uint64_t)(90 - i) / 9);
	loop_of_all(50, -101, 2);
#pragma omp parallel for schedule(guided, 3)
	for (uint64_t i = UINT64_MAX - 100; i < UINT64_MAX; i += 2)
		iteration((i - (UINT64_MAX - 100)) / 2);
	loop_of_all(60, 0, 1);
#pragma omp parallel for schedule(runtime) collapse(2)
	for (int i = 0; i < 5; i++)
		for (int j = 12; j > 0; j--)
			iteration((uint64_t)(i * 12 + 12 - j));
	for (int t = 0; t < THREADS_MAX; t++) {
		if (n_bytes[t] >= BYTES_MAX)
			return 1;
		printf("%.*s", (int)n_bytes[t], text[t]);
	}
	putchar('\n');
	return 0;
}
