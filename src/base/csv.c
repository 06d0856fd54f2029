/* SPDX-License-Identifier: MIT */
#include "base/csv.h"

#include "base/mem.h"

#include <string.h>

bool
wn_csv_begin(struct wn_csv *s, const char *bytes, size_t n, bool is_lenient)
{
	*s = (struct wn_csv){.is_lenient = is_lenient};
	wn_csv_rewind(s, bytes, n);
	/* no field is longer than the text */
	if (!memchr(bytes, '"', n))
		return true;
	s->room = wn_calloc(n, 1);
	return s->room != NULL;
}

void
wn_csv_rewind(struct wn_csv *s, const char *bytes, size_t n)
{
	bool has_mark = s->is_lenient && n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
	s->at = bytes + (has_mark ? 3 : 0);
	s->end = bytes + n;
	s->line = 1;
}

void
wn_csv_fini(struct wn_csv *s)
{
	wn_free(s->room);
}

/* From the opening quote to behind the closing one. */
static void
take_quoted(struct wn_csv *s, struct wn_csv_field *f)
{
	bool has_pairs = false;
	f->is_quoted = true;
	f->text = ++s->at;
	for (; s->at < s->end; s->at++) {
		if (*s->at == '"' && s->at + 1 < s->end && s->at[1] == '"') {
			has_pairs = true;
			s->at++;
		} else if (*s->at == '"') {
			break;
		} else if (*s->at == '\n') {
			s->line++;
		}
	}
	f->n = (size_t)(s->at - f->text);
	if (s->at == s->end)
		f->fault = WN_CSV_OPEN_QUOTE;
	else
		s->at++;
	if (!has_pairs)
		return;
	char *to = s->room + s->room_used;
	size_t length = 0;
	for (size_t i = 0; i < f->n; i++) {
		to[length++] = f->text[i];
		i += f->text[i] == '"';
	}
	s->room_used += length;
	f->text = to;
	f->n = length;
}

static bool
is_line_end(const struct wn_csv *s)
{
	return s->at == s->end || *s->at == '\n' || *s->at == '\r';
}

static void
skip_text(struct wn_csv *s)
{
	while (!is_line_end(s) && *s->at != ',' && !(s->is_lenient && *s->at == '#'))
		s->at++;
}

/* Consumes the separator or line end after a field. */
static void
take_end(struct wn_csv *s, struct wn_csv_field *f)
{
	if (s->at < s->end && *s->at == '#')
		while (!is_line_end(s))
			s->at++;
	f->end = s->at == s->end ? WN_CSV_FILE : *s->at == ',' ? WN_CSV_FIELD : WN_CSV_LINE;
	if (f->end == WN_CSV_FIELD)
		s->at++;
	if (f->end != WN_CSV_LINE)
		return;
	if (*s->at == '\r' && s->at + 1 < s->end && s->at[1] != '\n' && !s->is_lenient)
		f->fault = WN_CSV_CR;
	if (*s->at == '\r' && s->at + 1 == s->end && !s->is_lenient)
		f->end = WN_CSV_FILE;
	s->at += *s->at == '\r';
	s->at += s->at < s->end && *s->at == '\n';
	s->line++;
}

struct wn_csv_field
wn_csv_next(struct wn_csv *s)
{
	struct wn_csv_field f = {.text = s->at, .line = s->line};
	while (s->is_lenient && s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
		s->at++;
	if (s->at < s->end && *s->at == '"') {
		take_quoted(s, &f);
		const char *after = s->at;
		skip_text(s);
		if (!s->is_lenient && s->at != after)
			f.fault = WN_CSV_AFTER_QUOTE;
	} else {
		skip_text(s);
		f.n = (size_t)(s->at - f.text);
	}
	if (f.fault != WN_CSV_AFTER_QUOTE)
		take_end(s, &f);
	return f;
}
