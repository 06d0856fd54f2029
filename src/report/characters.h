/* SPDX-License-Identifier: MIT */
/* characters.h - reads text of unknown origin one character at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct character {
	uint32_t code; /* U+FFFD for bytes that are not UTF-8 */
	int n_bytes;   /* 1 to 4; 1 for a bad byte */
	int n_columns; /* on a terminal: 0, 1 or 2 */
	bool is_safe;  /* may be sent to a terminal */
};

/* Decodes the first character of a non-empty, NUL-terminated text. */
struct character character_at(const char *text);

/* Copies as valid UTF-8: bad bytes become U+FFFD. Cut at a whole character if too short.
 * `out_bytes` > 0. For n bytes, 3 n + 1 is always enough. */
void characters_copy_valid(const char *text, char *out, size_t out_bytes);
