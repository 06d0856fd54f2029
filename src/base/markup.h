/* SPDX-License-Identifier: MIT */
/* markup.h - escapes untrusted text for XML and HTML: the result contains no markup, no terminal
 * control sequences, and is valid UTF-8. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* U+FFFD, which replaces invalid bytes and characters. */
#define WN_REPLACEMENT "\xef\xbf\xbd"

/* Returns the length of the UTF-8 character at the start of text[n], or 0 if it is not valid;
 * stores its code point in *code. Threads  pure. */
size_t wn_utf8(const char *text, size_t n, uint32_t *code);

/* Returns whether a terminal may interpret the character: control characters and bidirectional
 * formatting characters. */
bool wn_is_control(uint32_t code);

enum wn_markup {
	WN_MARKUP_XML = 0, /* may be printed on a terminal: no control characters */
	WN_MARKUP_HTML     /* in a page whose script shows the same text unchanged */
};

/**
 * Escapes one character for text and attributes: & < > and quotes, tabs and line ends become
 * references; each invalid UTF-8 byte becomes U+FFFD, in XML also other control characters and
 * noncharacters.
 *
 * @param n      bytes of text, at least 1.
 * @param out    the bytes to write: part of the text or constant.
 * @param n_out  number of these bytes.
 * @return number of bytes of the text consumed, 1 to 4
 *
 * Cost     O(1).  Threads  pure.
 * Source   Extensible Markup Language 1.0, 2.2 Characters and 2.4 Character Data and Markup.
 */
size_t wn_markup(enum wn_markup where, const char *text, size_t n, const char **out, size_t *n_out);
