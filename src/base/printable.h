/* SPDX-License-Identifier: MIT */
/*
 * printable.h - text of unknown origin (names of files, functions and variables, arguments) as it
 * is shown to people: valid UTF-8 of which a terminal obeys nothing and that keeps its direction.
 * Every name that goes to a terminal goes through here.
 */
#ifndef WN_BASE_PRINTABLE_H
#define WN_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The longest form of one character: \U0010ffff and a NUL. */
#define WN_PRINTABLE_BYTES 11u

/* May a character be shown as it is? Not controls, line and paragraph separators, what turns the
 * direction of writing or has no width, private use and what is no character. Threads  pure. */
bool wn_is_printable(uint32_t code);

/**
 * One character of a text as it is shown: itself, or \n, \t, \r, \xHH (controls of ASCII, bytes
 * that are no UTF-8), \uHHHH or \UHHHHHHHH.
 *
 * @param n    bytes of text, at least 1.
 * @param out  filled, with a NUL.
 * @return how many bytes of the text it took, 1 to 4
 *
 * Cost     O(1).  Threads  pure.
 */
size_t wn_printable_one(const char *text, size_t n, char out[WN_PRINTABLE_BYTES]);

/**
 * A text as it is shown, cut behind a whole character if there is too little room.
 *
 * @param room  bytes of out, at least 1; 4 n + 1 are enough for n bytes without characters above
 *              U+FFFF that are not shown, 10 n + 1 for any.
 * @return how many bytes were written, without the NUL
 *
 * Cost     O(n).  Threads  pure.
 */
size_t wn_printable(const char *text, size_t n, char *out, size_t room);

/* Writes a text as it is shown. Errors are the stream's. */
void wn_print(FILE *to, const char *text, size_t n);

#endif /* WN_BASE_PRINTABLE_H */
