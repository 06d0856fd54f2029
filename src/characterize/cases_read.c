/* SPDX-License-Identifier: MIT */
/*
 * cases_read.c - comma-separated values to cases. One field at a time; the line and the field that
 * cannot be read are named.
 */
#include "base/error.h"
#include "base/mem.h"
#include "characterize/cases.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELD_BYTES 1024

enum end { END_FIELD, END_LINE, END_FILE };

struct reader {
	FILE *from;
	size_t line;  /* of the field, from 1 */
	size_t lines; /* ended so far */
	char field[FIELD_BYTES];
	size_t n; /* bytes of the field */
	bool is_quoted;
	double values[WN_VARIABLES_MAX];
	wn_err *err;
};

static wn_status
bad(struct reader *r, const char *what)
{
	return wn_fail(r->err, WN_E_FORMAT, WN_NO_OFFSET, "line %zu: %s", r->line, what);
}

/* The rest of a field in quotes, from after the first one. */
static wn_status
read_quoted(struct reader *r)
{
	for (;;) {
		int c = getc(r->from);
		if (c == EOF)
			return bad(r, "a quote is not closed");
		if (c == '"') {
			c = getc(r->from);
			if (c != '"') {
				ungetc(c, r->from);
				return WN_OK;
			}
		}
		r->lines += c == '\n';
		if (c == '\0')
			return bad(r, "a zero byte; this is no table of text");
		if (r->n + 1 >= FIELD_BYTES)
			return bad(r, "a field is too long");
		r->field[r->n++] = (char)c;
	}
}

static wn_status
read_field(struct reader *r, enum end *end)
{
	wn_status st = WN_OK;
	r->n = 0;
	r->is_quoted = false;
	r->line = r->lines + 1;
	for (;;) {
		int c = getc(r->from);
		if (c == '\r') {
			c = getc(r->from);
			if (c != '\n' && c != EOF)
				return bad(r, "a carriage return inside the line");
		}
		if (c == ',' || c == '\n' || c == EOF) {
			r->lines += c == '\n';
			*end = c == ',' ? END_FIELD : c == '\n' ? END_LINE : END_FILE;
			r->field[r->n] = '\0';
			return WN_OK;
		}
		if (c == '"' && r->n == 0 && !r->is_quoted) {
			r->is_quoted = true;
			if ((st = read_quoted(r)) != WN_OK)
				return st;
			continue;
		}
		if (r->is_quoted)
			return bad(r, "text after a field in quotes");
		if (c == '\0')
			return bad(r, "a zero byte; this is no table of text");
		if (r->n + 1 >= FIELD_BYTES)
			return bad(r, "a field is too long");
		r->field[r->n++] = (char)c;
	}
}

static bool
is_missing(const char *field)
{
	static const char *const words[] = {"", "NA", "NaN", "nan", "null", "-"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(field, words[i]) == 0)
			return true;
	return false;
}

static wn_status
read_number(struct reader *r, const char *variable, double *out)
{
	char *end;
	if (is_missing(r->field)) {
		*out = NAN;
		return WN_OK;
	}
	*out = strtod(r->field, &end);
	if (end != r->field && !*end && isfinite(*out))
		return WN_OK;
	return wn_fail(r->err, WN_E_FORMAT, WN_NO_OFFSET,
	               "line %zu, column '%.40s': '%.40s' is no finite number; NA stands for a "
	               "missing one",
	               r->line, variable, r->field);
}

static wn_status
read_header(struct reader *r, struct wn_cases *c)
{
	enum end end;
	wn_status st = read_field(r, &end); /* the name of the names */
	if (st == WN_OK && end == END_FILE && r->n == 0)
		return wn_fail(r->err, WN_E_EMPTY, WN_NO_OFFSET, "empty");
	while (st == WN_OK && end == END_FIELD) {
		if ((st = read_field(r, &end)) != WN_OK)
			break;
		if (r->n == 0)
			return bad(r, "a column has no name");
		for (size_t i = 0; i < c->n_variables; i++)
			if (strcmp(c->variables[i], r->field) == 0)
				return wn_fail(r->err, WN_E_FORMAT, WN_NO_OFFSET,
				               "line 1: two columns are called '%.40s'", r->field);
		if (c->n_variables == WN_VARIABLES_MAX)
			return wn_fail(r->err, WN_E_LIMIT, WN_NO_OFFSET, "more than %u columns",
			               WN_VARIABLES_MAX);
		st = wn_cases_add_variable(c, r->field, r->err);
	}
	if (st == WN_OK && c->n_variables == 0)
		return bad(r, "only one column; wanted are a name and numbers, with commas");
	return st;
}

/* One line; an empty one at the end of the file is none. */
static wn_status
read_case(struct reader *r, struct wn_cases *c, bool *is_end)
{
	char name[FIELD_BYTES];
	enum end end;
	wn_status st = read_field(r, &end);
	if (st != WN_OK)
		return st;
	if (end != END_FIELD && r->n == 0 && !r->is_quoted) {
		*is_end = end == END_FILE;
		return WN_OK;
	}
	memcpy(name, r->field, r->n + 1);
	size_t k = 0;
	while (st == WN_OK && end == END_FIELD) {
		if ((st = read_field(r, &end)) != WN_OK)
			return st;
		if (k == c->n_variables)
			return bad(r, "more fields than the first line has");
		st = read_number(r, c->variables[k], &r->values[k]);
		k++;
	}
	if (st == WN_OK && k < c->n_variables)
		return bad(r, "fewer fields than the first line has");
	*is_end = end == END_FILE;
	return st == WN_OK ? wn_cases_add(c, name, r->values, r->err) : st;
}

wn_status
wn_cases_read(FILE *from, struct wn_cases *c, wn_err *err)
{
	struct reader *r = wn_calloc(1, sizeof *r);
	if (!r)
		return wn_no_memory(err);
	r->from = from;
	r->err = err;
	errno = 0;
	bool is_end = false;
	wn_status st = read_header(r, c);
	while (st == WN_OK && !is_end)
		st = read_case(r, c, &is_end);
	if (ferror(from))
		st = wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", strerror(errno));
	else if (st == WN_OK && c->n == 0)
		st = wn_fail(err, WN_E_EMPTY, WN_NO_OFFSET, "no line after the first");
	wn_free(r);
	return st;
}
