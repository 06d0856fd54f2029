/* SPDX-License-Identifier: MIT */
/* table_metrics.c - evaluates user metrics on grains as src/metrics/user_metrics.c does, from the
 * columns of run.grains. */
#include "base/error.h"
#include "base/mem.h"
#include "page/table_private.h"

#include <string.h>

/* Resolves names in a metric: not is_problem, which depends on metrics. Earlier metrics have
 * priority, as their names differ from columns. */
static bool
find(const void *user, const char *name, size_t n, uint32_t *index)
{
	const struct table *t = user;
	for (uint32_t k = 0; k < t->n_metrics; k++)
		if (strlen(t->metrics[k].name) == n && memcmp(t->metrics[k].name, name, n) == 0) {
			*index = TABLE_METRIC + k;
			return true;
		}
	return table_names(t).find(t, name, n, index) &&
	       (*index >= TABLE_PROBLEM || strcmp(table_column(t, *index), "is_problem") != 0);
}

static const char *
word(const void *user, uint32_t index, size_t k, double *number)
{
	return index >= TABLE_METRIC ? NULL : table_names(user).word(user, index, k, number);
}

void
table_cut_metrics(struct table *t, uint32_t n)
{
	while (t->n_metrics > n)
		wn_free(t->metrics[--t->n_metrics].name);
}

wn_status
table_define(struct table *t, const char *name, const char *text, uint32_t fold, wn_err *err)
{
	const struct wn_expr_names names = {find, table_names(t).list, word, t};
	struct wn_expr_error error;
	size_t n = strlen(name);
	if (!t->metrics)
		t->metrics = wn_calloc(TABLE_METRICS_MAX, sizeof *t->metrics);
	if (!t->metrics)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	if (t->n_metrics == TABLE_METRICS_MAX || fold > WN_FOLD_AGAIN)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "too many metrics");
	struct table_metric_def *m = &t->metrics[t->n_metrics];
	/* an invalid metric keeps its index but has no name: it is missing everywhere */
	bool is_fine = wn_expr_parse(text, strlen(text), &names, NULL, &m->expr, &error);
	m->name = wn_calloc((is_fine ? n : 0) + 1, 1);
	if (!m->name)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	memcpy(m->name, name, is_fine ? n : 0);
	m->is_fine = is_fine;
	m->fold = is_fine ? (uint8_t)fold : WN_FOLD_NONE;
	m->needs = UINT64_C(1) << t->n_metrics;
	for (uint32_t i = 0; is_fine && i < m->expr.n_names; i++)
		if (table_metric_of(m->expr.names[i]) < t->n_metrics)
			m->needs |= t->metrics[table_metric_of(m->expr.names[i])].needs;
	t->n_metrics++;
	return is_fine ? WN_OK : wn_fail(err, WN_E_ARG, error.column, "%s", error.why);
}

void
table_request_metric(struct table *t, uint32_t metric)
{
	t->wants |= UINT64_C(1) << WN_COLUMN_KIND;
	for (uint32_t k = 0; metric < t->n_metrics && k <= metric; k++) {
		const struct table_metric_def *m = &t->metrics[k];
		for (uint32_t i = 0; m->is_fine && i < m->expr.n_names; i++)
			if (t->metrics[metric].needs >> k & 1)
				table_request_name(t, m->expr.names[i]);
	}
}

void
table_metrics_of(const struct table *t, uint64_t wanted, uint32_t row, double *values)
{
	double of_name[WN_EXPR_NAMES_MAX];
	for (uint32_t k = 0; k < t->n_metrics; k++) {
		const struct wn_expr *e = &t->metrics[k].expr;
		if (!(wanted >> k & 1))
			continue;
		for (uint32_t i = 0; t->metrics[k].is_fine && i < e->n_names; i++) {
			uint32_t other = table_metric_of(e->names[i]);
			of_name[i] =
			    other < k ? values[other] : table_value_of(t, e->names[i], row);
		}
		values[k] = t->metrics[k].is_fine ? wn_expr_eval(e, of_name, NULL) : MISSING;
	}
}

double
table_metric_value(const struct table *t, uint32_t metric, uint32_t row)
{
	double values[TABLE_METRICS_MAX];
	if (metric >= t->n_metrics)
		return MISSING;
	table_metrics_of(t, t->metrics[metric].needs, row, values);
	return values[metric];
}

bool
table_is_judged(const struct table *t, uint32_t row)
{
	uint64_t kind;
	return t->is_imported || !table_get(t, WN_COLUMN_KIND, row, &kind) ||
	       kind != WN_GRAINS_IMPLICIT;
}
