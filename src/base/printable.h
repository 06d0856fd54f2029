/* SPDX-License-Identifier: MIT */
/* printable.h - makes untrusted text (names of files, functions and variables, arguments) safe to
 * display: valid UTF-8 without control sequences or changes of writing direction. Every name
 * printed on a terminal goes through here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The longest form of one character: \U0010ffff and a NUL. */
#define WN_PRINTABLE_BYTES 11u

/* Returns whether a character may be shown unchanged. Excluded are controls, line and paragraph
 * separators, bidirectional and zero-width characters, private use and noncharacters. Threads
 * pure. */
bool wn_is_printable(uint32_t code);

/**
 * Converts one character to its printable form: itself, or \n, \t, \r, \xHH (ASCII controls,
 * invalid UTF-8 bytes), \uHHHH or \UHHHHHHHH.
 *
 * @param n    bytes of text, at least 1.
 * @param out  filled, with a NUL.
 * @return number of bytes of the text consumed, 1 to 4
 *
 * Cost     O(1).  Threads  pure.
 */
size_t wn_printable_one(const char *text, size_t n, char out[WN_PRINTABLE_BYTES]);

/**
 * Converts a text to its printable form; truncates it after a whole character if `room` is too
 * small.
 *
 * @param room  bytes of out, at least 1; 4 n + 1 are enough for n bytes without characters above
 *              U+FFFF that are not shown, 10 n + 1 for any.
 * @return number of bytes written, without the NUL
 *
 * Cost     O(n).  Threads  pure.
 */
size_t wn_printable(const char *text, size_t n, char *out, size_t room);

/* Writes the printable form of a text. Errors are left in the stream. */
void wn_print(FILE *to, const char *text, size_t n);
