/* SPDX-License-Identifier: MIT */
#include "job/json_text.h"

#include <stdio.h>
#include <string.h>

void
json_text_init(struct json_text *j, char *to, size_t room)
{
	*j = (struct json_text){.to = to, .room = room, .is_first = true};
	to[0] = '\0';
}

static void
append(struct json_text *j, const char *bytes, size_t n)
{
	if (j->is_cut || n >= j->room - j->used) {
		j->is_cut = true;
		return;
	}
	memcpy(j->to + j->used, bytes, n);
	j->used += n;
	j->to[j->used] = '\0';
}

/* Length of the UTF-8 character at `text`; 0 if there is none. Surrogates and overlong forms are
 * not characters. */
static size_t
character_bytes(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned low = 0x80, high = 0xbf;
	if (s[0] < 0x80)
		return 1;
	size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	low = s[0] == 0xe0 ? 0xa0 : s[0] == 0xf0 ? 0x90 : low;
	high = s[0] == 0xed ? 0x9f : s[0] == 0xf4 ? 0x8f : high;
	if (s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < n; i++)
		if (s[i] < 0x80 || s[i] > 0xbf)
			return 0;
	return n;
}

static void
append_quoted(struct json_text *j, const char *text)
{
	char escape[8];
	append(j, "\"", 1);
	while (*text) {
		size_t n = character_bytes(text);
		if (n == 0) {
			append(j, "\xef\xbf\xbd", 3);
			n = 1;
		} else if (*text == '"' || *text == '\\') {
			append(j, "\\", 1);
			append(j, text, 1);
		} else if (n == 1 && ((unsigned char)*text < 0x20 || *text == 0x7f)) {
			snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*text);
			append(j, escape, 6);
		} else {
			append(j, text, n);
		}
		text += n;
	}
	append(j, "\"", 1);
}

static void
begin_value(struct json_text *j, const char *key)
{
	if (!j->is_first)
		append(j, ",", 1);
	if (j->used > 0)
		append(j, "\n", 1);
	j->is_first = false;
	if (!key)
		return;
	append_quoted(j, key);
	append(j, ": ", 2);
}

void
json_text_open(struct json_text *j, const char *key, char bracket)
{
	begin_value(j, key);
	append(j, &bracket, 1);
	j->is_first = true;
}

void
json_text_close(struct json_text *j, char bracket)
{
	append(j, &bracket, 1);
	j->is_first = false;
}

void
json_text_string(struct json_text *j, const char *key, const char *text)
{
	begin_value(j, key);
	if (text)
		append_quoted(j, text);
	else
		append(j, "null", 4);
}

void
json_text_number(struct json_text *j, const char *key, int64_t value)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%lld", (long long)value);
	begin_value(j, key);
	append(j, digits, (size_t)n);
}

void
json_text_number_if(struct json_text *j, const char *key, bool is_known, int64_t value)
{
	if (is_known)
		json_text_number(j, key, value);
	else
		json_text_null(j, key);
}

void
json_text_bool(struct json_text *j, const char *key, bool value)
{
	begin_value(j, key);
	append(j, value ? "true" : "false", value ? 4 : 5);
}

void
json_text_null(struct json_text *j, const char *key)
{
	json_text_string(j, key, NULL);
}

bool
json_text_keep(struct json_text *j, size_t used, bool is_first, size_t reserve)
{
	if (!j->is_cut && j->room - j->used > reserve)
		return true;
	j->used = used;
	j->to[used] = '\0';
	j->is_first = is_first;
	j->is_cut = false;
	return false;
}
