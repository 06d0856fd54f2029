/* SPDX-License-Identifier: MIT */
/* markup.h - foreign words in XML and HTML: no markup, nothing that a terminal obeys, valid UTF-8.
 */
#ifndef WN_BASE_MARKUP_H
#define WN_BASE_MARKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* U+FFFD, which stands for what is no character. */
#define WN_REPLACEMENT "\xef\xbf\xbd"

/* Bytes of the UTF-8 character that text begins with, or 0 if there is none in these n bytes. Its
 * code point goes to *code. Threads  pure. */
size_t wn_utf8(const char *text, size_t n, uint32_t *code);

/* What a terminal may obey, which is where standard output often goes: controls, and marks that
 * turn the direction of writing. */
bool wn_is_control(uint32_t code);

enum wn_markup {
	WN_MARKUP_XML = 0, /* may come to a terminal, and has no control characters */
	WN_MARKUP_HTML     /* in a page whose script shows the same words as they are */
};

/**
 * Takes one character of a text and says how it is written, in text and in attributes: & < > and
 * quotes, tabs and line ends as references; U+FFFD for each byte that is no UTF-8, in XML also for
 * other control characters and noncharacters.
 *
 * @param n      bytes of text, at least 1.
 * @param out    the bytes to write: of the text itself or constant.
 * @param n_out  how many these are.
 * @return how many bytes of the text it took, 1 to 4
 *
 * Cost     O(1).  Threads  pure.
 * Source   Extensible Markup Language 1.0, 2.2 Characters and 2.4 Character Data and Markup.
 */
size_t wn_markup(enum wn_markup where, const char *text, size_t n, const char **out, size_t *n_out);

#endif /* WN_BASE_MARKUP_H */
