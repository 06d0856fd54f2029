/* SPDX-License-Identifier: MIT */
/*
 * tap.h - how a test program says what it found: one line for each check, in the Test Anything
 * Protocol, which `meson test` reads.
 *
 *     int main(void)
 *     {
 *             ok(1 + 1 == 2, "one and one make two");
 *             return done();
 *     }
 *
 * A check may fail in any thread and never leaves the program: the numbers are atomic, each line is
 * printed whole. A name is a sentence. done() prints the plan; a program that dies before it has
 * failed.
 */
#ifndef WN_TESTS_TAP_H
#define WN_TESTS_TAP_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

/* ok(condition, "sentence", ...): true if it holds. */
#define ok(condition, ...) tap_check((condition), #condition, __FILE__, __LINE__, __VA_ARGS__)

/* skip("sentence", ...): a check that cannot be made here; `why` says what is missing. */
#define skip(why, ...) tap_skip((why), __VA_ARGS__)

/* A remark in the log, e.g. the seed. */
#define note(...) tap_note(__VA_ARGS__)

#define done() tap_done()

static _Atomic int tap_n_checks;
static _Atomic int tap_n_failed;

__attribute__((format(printf, 4, 0))) static inline void
tap_line(bool is_good, const char *suffix, const char *why, const char *fmt, va_list args)
{
	flockfile(stdout);
	printf("%sok %d - ", is_good ? "" : "not ", atomic_fetch_add(&tap_n_checks, 1) + 1);
	vprintf(fmt, args);
	printf("%s%s\n", suffix, why);
	fflush(stdout);
	funlockfile(stdout);
}

__attribute__((format(printf, 5, 6))) static inline bool
tap_check(bool is_good, const char *condition, const char *file, int line, const char *fmt, ...)
{
	va_list args;
	flockfile(stdout);
	va_start(args, fmt);
	tap_line(is_good, "", "", fmt, args);
	va_end(args);
	if (!is_good) {
		atomic_fetch_add(&tap_n_failed, 1);
		printf("# %s:%d: %s\n", file, line, condition);
	}
	funlockfile(stdout);
	return is_good;
}

__attribute__((format(printf, 2, 3))) static inline void
tap_skip(const char *why, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	tap_line(true, " # SKIP ", why, fmt, args);
	va_end(args);
}

__attribute__((format(printf, 1, 2))) static inline void
tap_note(const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	flockfile(stdout);
	fputs("# ", stdout);
	vprintf(fmt, args);
	putchar('\n');
	funlockfile(stdout);
	va_end(args);
}

/* The plan, and main's return value. */
static inline int
tap_done(void)
{
	printf("1..%d\n", atomic_load(&tap_n_checks));
	fflush(stdout);
	return atomic_load(&tap_n_failed) == 0 ? 0 : 1;
}

#endif /* WN_TESTS_TAP_H */
