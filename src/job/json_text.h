/* SPDX-License-Identifier: MIT */
/* json_text.h - writes JSON into a buffer of fixed size, without allocation, for files that the
 * recorder writes inside the program. Texts become valid UTF-8: a byte that is not part of a
 * character becomes U+FFFD. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_text {
	char *to;
	size_t room, used; /* bytes; `to` always ends in a NUL */
	bool is_cut;       /* something did not fit: the text is no JSON */
	bool is_first;     /* no comma before the next value */
};

void json_text_init(struct json_text *j, char *to, size_t room);

/* Values, and members of objects; key = NULL in arrays and at the top. */
void json_text_open(struct json_text *j, const char *key, char bracket);       /* '{' or '[' */
void json_text_close(struct json_text *j, char bracket);                       /* '}' or ']' */
void json_text_string(struct json_text *j, const char *key, const char *text); /* NULL: null */
void json_text_number(struct json_text *j, const char *key, int64_t value);
void json_text_number_if(struct json_text *j, const char *key, bool is_known, int64_t value);
void json_text_bool(struct json_text *j, const char *key, bool value);
void json_text_null(struct json_text *j, const char *key);

/* Undoes what was written since `used` and `is_first` had these values, if the text is cut or has
 * less than `reserve` bytes left: for lists of unknown length. False if it did. */
bool json_text_keep(struct json_text *j, size_t used, bool is_first, size_t reserve);
