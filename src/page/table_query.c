/* SPDX-License-Identifier: MIT */
/* table_query.c - evaluates expressions over the current chunk: filters grains, finds the first,
 * and computes distributions. */
#include "base/error.h"
#include "base/mem.h"
#include "page/table_private.h"

#include <math.h>
#include <string.h>

static const char *const number_names[TABLE_NUMBERS_N] = {
    "run.cpus_used",   "run.elapsed_ns", "run.grains",
    "run.parallelism", "run.span_ns",    "run.work_ns",
};

static bool
is_word(const char *text, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(text, word, n) == 0;
}

static bool
find(const void *user, const char *name, size_t n, uint32_t *index)
{
	static const char prefix[] = "problem.";
	const struct table *t = user;
	for (uint32_t k = 0; k < TABLE_NUMBERS_N; k++)
		if (is_word(name, n, number_names[k])) {
			*index = TABLE_NUMBER + k;
			return true;
		}
	for (uint32_t p = 0; n > sizeof prefix - 1 && p < t->n_problems; p++)
		if (memcmp(name, prefix, sizeof prefix - 1) == 0 &&
		    is_word(name + sizeof prefix - 1, n - (sizeof prefix - 1),
		            t->problems[p].name)) {
			*index = TABLE_PROBLEM + p;
			return true;
		}
	*index = table_find(t, name, n);
	return *index != WN_GRAINS_NONE;
}

static const char *
list(const void *user, size_t k)
{
	const struct table *t = user;
	size_t n = 0;
	while (table_column(t, (uint32_t)n))
		n++;
	if (k < n)
		return table_column(t, (uint32_t)k);
	return k - n < TABLE_NUMBERS_N ? number_names[k - n] : NULL;
}

static const char *
word(const void *user, uint32_t index, size_t k, double *number)
{
	static const struct {
		const char *name;
		uint8_t kind;
	} words[] = {{"task", WN_GRAINS_TASK},
	             {"taskloop", WN_GRAINS_TASKLOOP},
	             {"chunk", WN_GRAINS_LOOP_CHUNK},
	             {"section", WN_GRAINS_SECTION},
	             {"implicit", WN_GRAINS_IMPLICIT}};
	const char *name = index < TABLE_PROBLEM ? table_column(user, index) : NULL;
	if (!name || strcmp(name, "kind") != 0 || k >= sizeof words / sizeof *words)
		return NULL;
	*number = words[k].kind;
	return words[k].name;
}

struct wn_expr_names
table_names(const struct table *t)
{
	return (struct wn_expr_names){find, list, word, t};
}

double
table_value_of(const struct table *t, uint32_t index, uint32_t row)
{
	if (index >= TABLE_NUMBER)
		return t->numbers[index - TABLE_NUMBER];
	if (index >= TABLE_PROBLEM)
		return table_has_problem(t, index - TABLE_PROBLEM, row);
	return table_value(t, index, row);
}

static double
evaluate(const struct table *t, const struct wn_expr *e, uint32_t row)
{
	double values[WN_EXPR_NAMES_MAX];
	for (uint16_t k = 0; k < e->n_names; k++)
		values[k] = table_value_of(t, e->names[k], row);
	return wn_expr_eval(e, values, NULL);
}

static bool
is_blank(const char *text)
{
	while (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r')
		text++;
	return *text == '\0';
}

void
table_request_name(struct table *t, uint32_t index)
{
	if (index >= TABLE_NUMBER || table_metric_of(index) != UINT32_MAX)
		return;
	if (index >= TABLE_PROBLEM) {
		table_request_problem(t, index - TABLE_PROBLEM);
		return;
	}
	table_request_column(t, index);
	for (uint32_t p = 0; p < t->n_problems && strcmp(table_column(t, index), "is_problem") == 0;
	     p++)
		if (t->problems[p].threshold != t->problems[p].given)
			table_request_problem(t, p);
}

/* Parses an expression and requests what it needs. */
static wn_status
parse(struct table *t, const char *text, struct wn_expr *out, wn_err *err)
{
	struct wn_expr_names names = table_names(t);
	struct wn_expr_error error;
	if (!wn_expr_parse(text, strlen(text), &names, NULL, out, &error))
		return wn_fail(err, WN_E_ARG, error.column, "%s", error.why);
	for (uint16_t k = 0; k < out->n_names; k++)
		table_request_name(t, out->names[k]);
	return WN_OK;
}

wn_status
table_query(struct table *t, const char *where, const char *by, bool is_descending,
            const uint8_t *wanted_sites, uint32_t n_sites, uint32_t n_max, int *which, wn_err *err)
{
	wn_status st;
	t->n_items = t->n_max = 0;
	t->n_matching = 0;
	t->has_where = !is_blank(where);
	t->has_by = !is_blank(by);
	t->is_descending = is_descending;
	t->is_sorted = false;
	wn_free(t->sites);
	t->sites = NULL;
	t->n_sites = n_sites;
	*which = 0;
	if (t->has_where)
		WN_TRY(parse(t, where, &t->where, err));
	*which = 1;
	if (t->has_by)
		WN_TRY(parse(t, by, &t->by, err));
	wn_free(t->items);
	t->items = wn_calloc(n_max + 1u, sizeof *t->items);
	t->sites = wanted_sites ? wn_calloc(n_sites + 1u, 1) : NULL;
	if (!t->items || (wanted_sites && !t->sites))
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory for %u rows",
		               (unsigned)n_max);
	if (wanted_sites)
		memcpy(t->sites, wanted_sites, n_sites);
	t->n_max = n_max;
out:
	return st;
}

/* Total order of grains a and b; no two are equal. */
static bool
is_before(const struct table *t, const struct table_item *a, const struct table_item *b)
{
	bool has_a = !isnan(a->key), has_b = !isnan(b->key);
	if (has_a != has_b)
		return has_a;
	if (has_a && a->key != b->key)
		return (a->key < b->key) != t->is_descending;
	return a->node < b->node;
}

static void
sink(struct table *t, uint32_t at, uint32_t n)
{
	struct table_item item = t->items[at];
	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child >= n)
			break;
		if (child + 1 < n && is_before(t, &t->items[child], &t->items[child + 1]))
			child++;
		if (!is_before(t, &item, &t->items[child]))
			break;
		t->items[at] = t->items[child];
		at = child;
	}
	t->items[at] = item;
}

static void
add(struct table *t, const struct table_item *item)
{
	if (t->n_items == t->n_max) {
		if (t->n_max == 0 || !is_before(t, item, &t->items[0]))
			return;
		t->items[0] = *item;
		sink(t, 0, t->n_items);
		return;
	}
	uint32_t at = t->n_items++;
	for (; at > 0 && is_before(t, &t->items[(at - 1) / 2], item); at = (at - 1) / 2)
		t->items[at] = t->items[(at - 1) / 2];
	t->items[at] = *item;
}

/* A sorted list is a reversed heap. */
static void
make_heap(struct table *t)
{
	for (uint32_t i = 0; i < t->n_items / 2; i++) {
		struct table_item item = t->items[i];
		t->items[i] = t->items[t->n_items - 1 - i];
		t->items[t->n_items - 1 - i] = item;
	}
	t->is_sorted = false;
}

void
table_match_rows(struct table *t, uint32_t *matches, uint32_t *n_matches)
{
	uint32_t n = 0;
	if (t->is_sorted)
		make_heap(t);
	for (uint32_t row = 0; row < t->n_rows; row++) {
		uint32_t site = table_site(t, row);
		if (t->sites && (site >= t->n_sites || !t->sites[site]))
			continue;
		double is_match = t->has_where ? evaluate(t, &t->where, row) : 1;
		if (isnan(is_match) || is_match == 0)
			continue;
		if (matches)
			matches[n] = row;
		n++;
		struct table_item item = {.key = t->has_by ? evaluate(t, &t->by, row) : 0,
		                          .chunk = t->part.number,
		                          .row = row,
		                          .node = table_node(t, row),
		                          .site = site};
		add(t, &item);
	}
	t->n_matching += n;
	if (n_matches)
		*n_matches = n;
}

uint64_t
table_matching(const struct table *t)
{
	return t->n_matching;
}

const struct table_item *
table_items(struct table *t, uint32_t *n)
{
	for (uint32_t last = t->n_items; !t->is_sorted && last > 1; last--) {
		struct table_item item = t->items[0];
		t->items[0] = t->items[last - 1];
		t->items[last - 1] = item;
		sink(t, 0, last - 1);
	}
	t->is_sorted = true;
	*n = t->n_items;
	return t->items;
}

wn_status
table_metric(struct table *t, const char *text, bool is_below, double threshold, wn_err *err)
{
	memset(&t->measured, 0, sizeof t->measured);
	t->measured.least = t->measured.most = MISSING;
	t->metric_threshold = threshold;
	t->is_metric_below = is_below;
	t->has_metric = false;
	wn_status st = parse(t, text, &t->metric, err);
	t->has_metric = st == WN_OK;
	t->wants |= UINT64_C(1) << WN_COLUMN_KIND;
	return st;
}

void
table_measure(struct table *t)
{
	struct table_metric *m = &t->measured;
	for (uint32_t row = 0; t->has_metric && row < t->n_rows; row++) {
		uint64_t bits;
		if (!table_is_judged(t, row))
			continue;
		double value = evaluate(t, &t->metric, row);
		m->n++;
		if (isnan(value)) {
			m->n_missing++;
			continue;
		}
		m->sum += value;
		if (!(m->least <= value))
			m->least = value;
		if (!(m->most >= value))
			m->most = value;
		m->n_flagged +=
		    t->is_metric_below ? value < t->metric_threshold : value > t->metric_threshold;
		memcpy(&bits, &value, sizeof bits);
		if (value > 0)
			m->positive[bits >> 50]++;
		else if (value < 0)
			m->n_negative++;
		else
			m->n_zero++;
	}
}

const struct table_metric *
table_measured(const struct table *t)
{
	return &t->measured;
}
