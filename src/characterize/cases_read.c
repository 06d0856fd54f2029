/* SPDX-License-Identifier: MIT */
/* cases_read.c - reads comma-separated values as cases. Errors contain the line and the field. */
#include "base/csv.h"
#include "base/error.h"
#include "base/mem.h"
#include "characterize/cases.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELD_BYTES 1024

struct reader {
	struct wn_csv csv;
	size_t line; /* of the field, from 1 */
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

static wn_status
read_field(struct reader *r, enum wn_csv_end *end)
{
	static const char *const faults[] = {
	    [WN_CSV_OPEN_QUOTE] = "a quote is not closed",
	    [WN_CSV_AFTER_QUOTE] = "text after a field in quotes",
	    [WN_CSV_CR] = "a carriage return inside the line",
	};
	r->csv.room_used = 0;
	struct wn_csv_field f = wn_csv_next(&r->csv);
	r->line = f.line;
	r->is_quoted = f.is_quoted;
	if (memchr(f.text, '\0', f.n < FIELD_BYTES ? f.n : FIELD_BYTES))
		return bad(r, "a zero byte; this is no table of text");
	if (f.n >= FIELD_BYTES)
		return bad(r, "a field is too long");
	if (f.fault != WN_CSV_FINE)
		return bad(r, faults[f.fault]);
	memcpy(r->field, f.text, f.n);
	r->field[f.n] = '\0';
	r->n = f.n;
	*end = f.end;
	return WN_OK;
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
	enum wn_csv_end end;
	wn_status st = read_field(r, &end); /* header of the name column */
	if (st == WN_OK && end == WN_CSV_FILE && r->n == 0)
		return wn_fail(r->err, WN_E_EMPTY, WN_NO_OFFSET, "empty");
	while (st == WN_OK && end == WN_CSV_FIELD) {
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

/* Reads one line; an empty one at the end of the file is no case. */
static wn_status
read_case(struct reader *r, struct wn_cases *c, bool *is_end)
{
	char name[FIELD_BYTES];
	enum wn_csv_end end;
	wn_status st = read_field(r, &end);
	if (st != WN_OK)
		return st;
	if (end != WN_CSV_FIELD && r->n == 0 && !r->is_quoted) {
		*is_end = end == WN_CSV_FILE;
		return WN_OK;
	}
	memcpy(name, r->field, r->n + 1);
	size_t k = 0;
	while (st == WN_OK && end == WN_CSV_FIELD) {
		if ((st = read_field(r, &end)) != WN_OK)
			return st;
		if (k == c->n_variables)
			return bad(r, "more fields than the first line has");
		st = read_number(r, c->variables[k], &r->values[k]);
		k++;
	}
	if (st == WN_OK && k < c->n_variables)
		return bad(r, "fewer fields than the first line has");
	*is_end = end == WN_CSV_FILE;
	return st == WN_OK ? wn_cases_add(c, name, r->values, r->err) : st;
}

/* Reads the whole file; the caller owns *bytes. */
static wn_status
read_all(FILE *from, char **bytes, size_t *n, wn_err *err)
{
	size_t capacity = 0, taken;
	errno = 0;
	do {
		if (wn_grow(bytes, &capacity, *n + (1 << 16), 1) != 0)
			return wn_no_memory(err);
		taken = fread(*bytes + *n, 1, capacity - *n, from);
		*n += taken;
	} while (taken > 0);
	return ferror(from) ? wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", strerror(errno)) : WN_OK;
}

wn_status
wn_cases_read(FILE *from, struct wn_cases *c, wn_err *err)
{
	struct reader *r = wn_calloc(1, sizeof *r);
	char *bytes = NULL;
	size_t n = 0;
	bool is_end = false;
	wn_status st = WN_OK;
	if (!r)
		return wn_no_memory(err);
	r->err = err;
	WN_TRY(read_all(from, &bytes, &n, err));
	if (!wn_csv_begin(&r->csv, bytes, n, false))
		WN_TRY(wn_no_memory(err));
	WN_TRY(read_header(r, c));
	while (!is_end)
		WN_TRY(read_case(r, c, &is_end));
	if (c->n == 0)
		st = wn_fail(err, WN_E_EMPTY, WN_NO_OFFSET, "no line after the first");
out:
	wn_csv_fini(&r->csv);
	wn_free(bytes);
	wn_free(r);
	return st;
}
