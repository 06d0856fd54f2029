/* SPDX-License-Identifier: MIT */
/*
 * message.h - prints messages to stderr, one line each, in one form:
 *     winnow VERB: what: fact; consequence
 */
#pragma once

#include "cli/exit.h"

#include <stdint.h>

/* The verb that runs, which messages begin with; "" before it is known. */
extern const char *message_verb;

/* Writes one line with a single write, so that lines of several processes do not mix; on a
 * terminal, it is broken at blanks to the terminal's width. Escapes control characters
 * (base/printable.h), so that names need no escaping. */
void message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print a message, and have the value of an exit code: `return USAGE_ERROR("no file")`. */
#define USAGE_ERROR(...) (message(__VA_ARGS__), CLI_USAGE)
#define FAILURE(...)     (message(__VA_ARGS__), CLI_FAILURE)

/* Formats 12345678 as "12.3 MB", at most 15 characters. Returns `out`. */
const char *message_bytes(uint64_t size_bytes, char out[16]);
