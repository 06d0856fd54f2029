/* SPDX-License-Identifier: MIT */
/* define.c - parses definitions of metrics, from options or files. user_metrics.c evaluates them.
 */
#include "metrics/define.h"

#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "expr/expr.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum wn_fold
wn_metric_fold(const struct wn_metric_def *def)
{
	return def->fold < WN_FOLD_N ? def->fold : wn_fold_of_bad(def->bad);
}

static char *
copy(const char *text, size_t n)
{
	char *out = wn_calloc(n + 1, 1);
	if (out)
		memcpy(out, text, n);
	return out;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool
is_word(const char *text, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(text, word, n) == 0;
}

/* Text being parsed: a line of a file, or an option's value. */
struct piece {
	const char *where; /* file or option */
	uint32_t line;     /* 0: an option */
	const char *text;
	size_t n, at; /* size, and bytes already read */
};

/* FILE:LINE:COLUMN, or the option and its value. */
static wn_status
fail(wn_err *err, const struct piece *p, size_t offset, const char *why)
{
	if (!p->line)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "%s '%s': %s", p->where, p->text, why);
	return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "%s:%u:%u: %s", p->where, (unsigned)p->line,
	               (unsigned)wn_expr_column(p->text, offset), why);
}

static void
skip_blanks(struct piece *p)
{
	while (p->at < p->n && is_blank(p->text[p->at]))
		p->at++;
}

/* Reads the next word: up to a blank or one of `ends`. */
static size_t
take_word(struct piece *p, const char *ends)
{
	size_t begin = p->at;
	while (p->at < p->n && !is_blank(p->text[p->at]) && !strchr(ends, p->text[p->at]))
		p->at++;
	return begin;
}

/* Removes blanks at the end. */
static void
trim(struct piece *p)
{
	while (p->n > p->at && is_blank(p->text[p->n - 1]))
		p->n--;
}

static const char *
fault_of_name(const struct wn_metric_defs *defs, const char *name, size_t n)
{
	if (n > WN_EXPR_NAME_MAX)
		return "the name is too long";
	if (!wn_expr_is_free_name(name, n))
		return "a name is letters, digits and _, begins with a letter, and is no word of "
		       "expressions";
	if (wn_column_is_taken(name, n))
		return "there is a column of this name";
	for (int p = 0; p < WN_PROBLEM_N; p++)
		if (is_word(name, n, wn_problem_types[p].name))
			return "there is a problem of this name";
	for (size_t i = 0; i < defs->n; i++)
		if (is_word(name, n, defs->items[i].name))
			return "there is a metric of this name";
	return NULL;
}

/* NAME = EXPR */
static wn_status
add(struct wn_metric_defs *defs, struct piece *p, wn_err *err)
{
	skip_blanks(p);
	size_t begin = take_word(p, "="), end = p->at;
	const char *fault = fault_of_name(defs, p->text + begin, end - begin);
	skip_blanks(p);
	if (begin == end || p->at == p->n || p->text[p->at] != '=')
		return fail(err, p, begin == end ? begin : p->at,
		            "a metric is defined as NAME = EXPR");
	if (fault)
		return fail(err, p, begin, fault);
	p->at++;
	skip_blanks(p);
	trim(p);
	if (defs->n == WN_METRIC_DEFS_MAX)
		return fail(err, p, begin, "too many metrics");
	if (wn_grow(&defs->items, &defs->capacity, defs->n + 1, sizeof *defs->items) != 0)
		return wn_no_memory(err);
	struct wn_metric_def def = {
	    .name = copy(p->text + begin, end - begin),
	    .text = copy(p->text + p->at, p->n - p->at),
	    .fold = WN_FOLD_N,
	    .threshold = NAN,
	    .file = p->line ? copy(p->where, strlen(p->where)) : NULL,
	    .line = p->line,
	    .column = wn_expr_column(p->text, p->at),
	};
	defs->items[defs->n++] = def;
	return def.name && def.text && (def.file || !p->line) ? WN_OK : wn_no_memory(err);
}

static bool
find_nothing(const void *user, const char *name, size_t n, uint32_t *index)
{
	(void)user;
	(void)name;
	(void)n;
	(void)index;
	return false;
}

bool
metrics_read_number(const char *text, size_t n, double *out)
{
	static const struct wn_expr_names names = {.find = find_nothing};
	struct wn_expr_error error;
	struct wn_expr e;
	if (!wn_expr_parse(text, n, &names, NULL, &e, &error))
		return false;
	*out = wn_expr_eval(&e, NULL, NULL);
	return isfinite(*out);
}

/* The metric is one of those after the first n_before. */
static wn_status
set(struct wn_metric_defs *defs, size_t n_before, enum wn_metric_attribute attribute,
    struct piece *p, wn_err *err)
{
	skip_blanks(p);
	trim(p);
	const char *value = p->text + p->at;
	size_t n = p->n - p->at;
	if (defs->n == n_before)
		return fail(err, p, p->at, "there is no metric before it");
	struct wn_metric_def *def = &defs->items[defs->n - 1];
	switch (attribute) {
	case WN_METRIC_BAD:
		return wn_bad_named(value, n, &def->bad)
		           ? WN_OK
		           : fail(err, p, p->at, "it is one of low, high, none");
	case WN_METRIC_PROPAGATE:
		return wn_fold_named(value, n, &def->fold)
		           ? WN_OK
		           : fail(err, p, p->at,
		                  "it is one of sum, min, max, median, mean, any, again, none");
	case WN_METRIC_THRESHOLD:
		return metrics_read_number(value, n, &def->threshold)
		           ? WN_OK
		           : fail(err, p, p->at, "it is a number");
	}
	return WN_E_ARG;
}

wn_status
wn_metric_defs_add(struct wn_metric_defs *defs, const char *text, wn_err *err)
{
	struct piece p = {.where = "--metric", .text = text, .n = strlen(text)};
	return add(defs, &p, err);
}

wn_status
wn_metric_defs_set(struct wn_metric_defs *defs, enum wn_metric_attribute attribute,
                   const char *value, wn_err *err)
{
	static const char *const options[] = {[WN_METRIC_BAD] = "--bad",
	                                      [WN_METRIC_THRESHOLD] = "--threshold",
	                                      [WN_METRIC_PROPAGATE] = "--propagate"};
	struct piece p = {.where = options[attribute], .text = value, .n = strlen(value)};
	return set(defs, 0, attribute, &p, err);
}

/* threshold TYPE<NUMBER, of a built-in problem type */
static wn_status
move_threshold(struct piece *p, struct wn_options *options, wn_err *err)
{
	char text[128];
	trim(p);
	int n = snprintf(text, sizeof text, "%.*s", (int)(p->n - p->at), p->text + p->at);
	if (n > 0 && (size_t)n < sizeof text && wn_options_threshold(options, text))
		return WN_OK;
	return fail(err, p, p->at,
	            "no problem type of this name, direction and a number after it; see "
	            "winnow-report(1)");
}

static wn_status
read_line(struct wn_metric_defs *defs, size_t n_before, struct piece *p, struct wn_options *options,
          wn_err *err)
{
	skip_blanks(p);
	size_t begin = take_word(p, "=<>"), n = p->at - begin;
	const char *word = p->text + begin;
	if (n == 0 && p->at == p->n)
		return WN_OK;
	skip_blanks(p);
	if (is_word(word, n, "metric"))
		return add(defs, p, err);
	if (is_word(word, n, "bad"))
		return set(defs, n_before, WN_METRIC_BAD, p, err);
	if (is_word(word, n, "propagate"))
		return set(defs, n_before, WN_METRIC_PROPAGATE, p, err);
	if (is_word(word, n, "threshold"))
		return memchr(p->text + p->at, '<', p->n - p->at) ||
		               memchr(p->text + p->at, '>', p->n - p->at)
		           ? move_threshold(p, options, err)
		           : set(defs, n_before, WN_METRIC_THRESHOLD, p, err);
	return fail(err, p, begin, "a line begins with metric, bad, threshold, propagate or #");
}

wn_status
wn_metric_defs_read(struct wn_metric_defs *defs, const char *file, const char *text, size_t n_bytes,
                    struct wn_options *options, wn_err *err)
{
	const char *end = text + n_bytes;
	uint32_t line = 0;
	if (memchr(text, '\0', n_bytes))
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "%s: it is no text", file);
	size_t n_before = defs->n;
	while (text < end) {
		const char *next = memchr(text, '\n', (size_t)(end - text));
		const char *comment;
		next = next ? next : end;
		comment = memchr(text, '#', (size_t)(next - text));
		struct piece p = {.where = file,
		                  .line = ++line,
		                  .text = text,
		                  .n = (size_t)((comment ? comment : next) - text)};
		wn_status st = read_line(defs, n_before, &p, options, err);
		if (st != WN_OK)
			return st;
		text = next < end ? next + 1 : end;
	}
	return WN_OK;
}

void
wn_metric_defs_fini(struct wn_metric_defs *defs)
{
	for (size_t i = 0; i < defs->n; i++) {
		wn_free(defs->items[i].name);
		wn_free(defs->items[i].text);
		wn_free(defs->items[i].file);
	}
	wn_free(defs->items);
	*defs = (struct wn_metric_defs){0};
}
