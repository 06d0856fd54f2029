/* SPDX-License-Identifier: MIT */
/*
 * fuzz_expr.c - the input is an expression, read and evaluated. What is accepted gives a finite
 * number or nothing, the same in brackets; what is refused has a reason and a place. The input is
 * also read as a file of metrics.
 */
#include "base/mem.h"
#include "expr/expr.h"
#include "fuzz/harness.h"
#include "metrics/define.h"

#include <math.h>
#include <string.h>

#define ROWS 5

static const char *const words[] = {"work_ns", "exec_ns", "kind", "leaf", "run.threads", "x"};
#define WORDS_N (sizeof words / sizeof *words)

static bool
find(const void *user, const char *name, size_t n, uint32_t *index)
{
	(void)user;
	for (uint32_t i = 0; i < WORDS_N; i++)
		if (strlen(words[i]) == n && memcmp(words[i], name, n) == 0) {
			*index = i;
			return true;
		}
	return false;
}

static const char *
list(const void *user, size_t k)
{
	(void)user;
	return k < WORDS_N ? words[k] : NULL;
}

static const char *
word(const void *user, uint32_t index, size_t k, double *number)
{
	(void)user;
	*number = 3;
	return index == 2 && k == 0 ? "task" : NULL;
}

static double
value(const void *user, size_t row, uint32_t index)
{
	static const double values[] = {0, 1, NAN, 1e308, -2.5, INFINITY, 7};
	(void)user;
	return values[(row * 3 + index) % 7];
}

static double
evaluate(const struct wn_expr *e)
{
	struct wn_expr_table table = {ROWS, NULL, value, NULL};
	double values[WN_EXPR_NAMES_MAX], room[ROWS], results[WN_EXPR_AGGREGATES_MAX];
	for (unsigned i = 0; i < e->n_names; i++)
		values[i] = value(NULL, 1, e->names[i]);
	wn_expr_aggregate(e, &table, wn_expr_needs_room(e) ? room : NULL, results);
	double found = wn_expr_eval(e, values, results);
	if (isinf(found))
		harness_give_up("a value", "infinite");
	wn_expr_is_condition(e);
	return found;
}

/* Without aggregates and with, for names of both. */
static void
run(const char *text, size_t n, const struct wn_expr_names *rows)
{
	static const struct wn_expr_names names = {find, list, word, NULL};
	static struct wn_expr e, other;
	static char more[WN_EXPR_TEXT_MAX + 4];
	struct wn_expr_error error = {0, ""};
	if (!wn_expr_parse(text, n, &names, rows, &e, &error)) {
		if (error.column == 0 || error.column > n + 1 || !error.why[0] ||
		    !memchr(error.why, '\0', sizeof error.why))
			harness_give_up("a complaint", "no place or no reason");
		return;
	}
	double found = evaluate(&e);
	if (n + 4 > WN_EXPR_TEXT_MAX)
		return;
	more[0] = ' ';
	more[1] = '(';
	memcpy(more + 2, text, n);
	more[n + 2] = ')';
	if (!wn_expr_parse(more, n + 3, &names, rows, &other, &error)) {
		if (!strstr(error.why, "too deep"))
			harness_give_up("brackets around it", error.why);
		return;
	}
	double again = evaluate(&other);
	if (memcmp(&found, &again, sizeof found) != 0 && !(isnan(found) && isnan(again)))
		harness_give_up("brackets around it", "another value");
}

static void
read_file(const char *text, size_t n)
{
	struct wn_metric_defs defs = {0};
	struct wn_options options = wn_options_default();
	bool needs_whole_graph;
	wn_err err = {.msg = ""};
	wn_status st = wn_metric_defs_read(&defs, "file", text, n, &options, &err);
	if (st == WN_OK)
		st = wn_metric_defs_check(&defs, true, &needs_whole_graph, &err);
	if (st != WN_OK && (st != WN_E_ARG || strncmp(err.msg, "file:", 5) != 0))
		harness_give_up("a file of metrics", "refused without a place");
	wn_metric_defs_fini(&defs);
	if (wn_mem_live() != 0)
		harness_give_up("a file of metrics", "memory is left");
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
	static const struct wn_expr_names rows = {find, list, word, NULL};
	const char *text = (const char *)bytes;
	run(text, size_bytes, NULL);
	run(text, size_bytes, &rows);
	read_file(text, size_bytes);
	return 0;
}
