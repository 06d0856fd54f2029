/* SPDX-License-Identifier: MIT */
/*
 * prop_cases.c - tables that are written as comma-separated values, and read again: what is read is
 * what was written, whatever names have in them. And the same with bytes changed, cut off and put
 * in: it is read, or refused with the line that is to blame.
 */
#include "base/mem.h"
#include "base/mix.h"
#include "characterize/cases.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TABLES  400u
#define DAMAGES 25u
#define NAME    24u

static uint64_t state;

static uint64_t
pick(uint64_t n)
{
	state = wn_mix(state, 7);
	return state % n;
}

/* --- a table, and what it looks like --- */

struct table {
	size_t n, p;
	char (*names)[NAME], (*variables)[NAME];
	double *at;
};

/* Of letters that mean something to a reader; the k-th of its kind, so that no two are alike. */
static void
make_name(char out[NAME], size_t k)
{
	static const char letters[] = "ab,\"\n;' #0-.\xc3\xa9N";
	size_t n = pick(8);
	for (size_t i = 0; i < n; i++)
		out[i] = letters[pick(sizeof letters - 1)];
	snprintf(out + n, NAME - n, "x%zu", k);
}

static double
make_value(void)
{
	static const double special[] = {0, -0.0, 1, -1, 1e308, DBL_MIN, 4.9e-324, 1e15, 0.1};
	uint64_t kind = pick(6);
	if (kind == 0)
		return NAN;
	if (kind == 1)
		return special[pick(sizeof special / sizeof *special)];
	return ((double)pick(UINT64_C(1) << 53) - 1e15) / (double)(1 + pick(1000000));
}

static struct table
make_table(uint64_t seed)
{
	state = wn_mix(seed, 4180);
	struct table t = {.n = 1 + pick(9), .p = 1 + pick(6)};
	t.names = calloc(t.n, sizeof *t.names);
	t.variables = calloc(t.p, sizeof *t.variables);
	t.at = calloc(t.n * t.p, sizeof *t.at);
	for (size_t i = 0; i < t.n; i++)
		make_name(t.names[i], i);
	for (size_t j = 0; j < t.p; j++)
		make_name(t.variables[j], j);
	for (size_t i = 0; i < t.n * t.p; i++)
		t.at[i] = make_value();
	return t;
}

static void
table_fini(struct table *t)
{
	free(t->names);
	free(t->variables);
	free(t->at);
}

static void
put_name(FILE *to, const char *name)
{
	bool needs_quotes = strpbrk(name, ",\"\n\r") || pick(3) == 0;
	if (!needs_quotes) {
		fputs(name, to);
		return;
	}
	fputc('"', to);
	for (; *name; name++)
		fputs(*name == '"' ? "\"\"" : (char[]){*name, '\0'}, to);
	fputc('"', to);
}

static void
put_value(FILE *to, double value)
{
	static const char *const missing[] = {"", "NA", "NaN", "nan", "null", "-", "\"NA\""};
	const char *quote = pick(5) == 0 ? "\"" : "";
	if (isnan(value))
		fputs(missing[pick(sizeof missing / sizeof *missing)], to);
	else
		fprintf(to, "%s%.17g%s", quote, value, quote);
}

/* The bytes; lines end in one way or the other, the last one perhaps not at all. */
static char *
write_table(const struct table *t, size_t *n_bytes)
{
	char *text = NULL;
	const char *end = pick(2) ? "\r\n" : "\n";
	FILE *to = open_memstream(&text, n_bytes);
	fputs("name", to);
	for (size_t j = 0; j < t->p; j++) {
		fputc(',', to);
		put_name(to, t->variables[j]);
	}
	fputs(end, to);
	for (size_t i = 0; i < t->n; i++) {
		put_name(to, t->names[i]);
		for (size_t j = 0; j < t->p; j++) {
			fputc(',', to);
			put_value(to, t->at[i * t->p + j]);
		}
		if (i + 1 < t->n || pick(2))
			fputs(end, to);
	}
	fclose(to);
	return text;
}

static wn_status
read_text(const char *text, size_t n_bytes, struct wn_cases *c, wn_err *err)
{
	*c = (struct wn_cases){0};
	*err = (wn_err){.msg = ""};
	FILE *from = tmpfile();
	if (!from)
		abort();
	if (n_bytes)
		fwrite(text, 1, n_bytes, from);
	rewind(from);
	wn_status st = wn_cases_read(from, c, err);
	fclose(from);
	return st;
}

/* --- what must hold --- */

static bool
is_same(const struct table *t, const struct wn_cases *c)
{
	if (c->n != t->n || c->n_variables != t->p)
		return false;
	for (size_t j = 0; j < t->p; j++)
		if (strcmp(c->variables[j], t->variables[j]) != 0)
			return false;
	for (size_t i = 0; i < t->n; i++) {
		if (strcmp(c->names[i], t->names[i]) != 0)
			return false;
		for (size_t j = 0; j < t->p; j++) {
			double here = wn_cases_at(c, i, j), there = t->at[i * t->p + j];
			if (memcmp(&here, &there, sizeof here) != 0 &&
			    !(isnan(here) && isnan(there)))
				return false;
		}
	}
	return true;
}

/* Names are there and differ, values are finite or missing. */
static bool
is_sound(const struct wn_cases *c)
{
	for (size_t j = 0; j < c->n_variables; j++)
		for (size_t k = 0; k < j; k++)
			if (strcmp(c->variables[j], c->variables[k]) == 0)
				return false;
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(c->names[i], c->names[k]) == 0)
				return false;
	for (size_t i = 0; i < c->n * c->n_variables; i++)
		if (isinf(c->at[i]))
			return false;
	return c->n > 0 && c->n_variables > 0;
}

/* One line of text that says where, unless there is nothing at all. */
static bool
is_told(wn_status st, const wn_err *err)
{
	bool has_place =
	    strncmp(err->msg, "line ", 5) == 0 && err->msg[5] >= '1' && err->msg[5] <= '9';
	return memchr(err->msg, '\0', sizeof err->msg) && err->msg[0] &&
	       ((st == WN_E_FORMAT && has_place) || st == WN_E_EMPTY || st == WN_E_LIMIT);
}

static char *
damage(const char *text, size_t n, size_t *n_new)
{
	static const char bytes[] = "\0,\"\n\rNa-1e9 .\xff";
	char *copy = calloc(n + 2, 1);
	size_t at = pick(n + 1);
	*n_new = n;
	memcpy(copy, text, n);
	switch (pick(4)) {
	case 0: /* cut off */
		*n_new = at;
		break;
	case 1: /* changed */
		if (at < n)
			copy[at] = bytes[pick(sizeof bytes - 1)];
		break;
	case 2: /* put in */
		memmove(copy + at + 1, copy + at, n - at);
		copy[at] = bytes[pick(sizeof bytes - 1)];
		*n_new = n + 1;
		break;
	default: /* taken out */
		if (at < n) {
			memmove(copy + at, copy + at + 1, n - at - 1);
			*n_new = n - 1;
		}
		break;
	}
	return copy;
}

int
main(void)
{
	unsigned n_other = 0, n_unsound = 0, n_unplaced = 0, n_read = 0, n_refused = 0;
	for (uint64_t seed = 0; seed < TABLES; seed++) {
		struct table t = make_table(seed);
		struct wn_cases c;
		wn_err err;
		size_t n_bytes, n_new;
		char *text = write_table(&t, &n_bytes);
		wn_status st = read_text(text, n_bytes, &c, &err);
		if (st != WN_OK || !is_same(&t, &c)) {
			n_other++;
			note("seed %llu: %s", (unsigned long long)seed, err.msg);
		}
		wn_cases_fini(&c);
		for (unsigned k = 0; k < DAMAGES; k++) {
			char *other = damage(text, n_bytes, &n_new);
			st = read_text(other, n_new, &c, &err);
			n_unsound += st == WN_OK && !is_sound(&c);
			n_unplaced += st != WN_OK && !is_told(st, &err);
			n_read += st == WN_OK;
			n_refused += st != WN_OK;
			wn_cases_fini(&c);
			free(other);
		}
		free(text);
		table_fini(&t);
	}
	ok(n_other == 0, "%u tables are read as they were written", TABLES);
	ok(n_unsound == 0, "what is read of damaged ones is a table");
	ok(n_unplaced == 0, "what is refused has a line and a reason");
	ok(n_read > TABLES && n_refused > TABLES, "there were enough of both: %u and %u", n_read,
	   n_refused);
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
