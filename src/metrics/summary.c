/* SPDX-License-Identifier: MIT */
#include "metrics/summary.h"

#include "base/error.h"
#include "base/mem.h"
#include "expr/expr.h"

#include <math.h>
#include <string.h>

static bool
find(const void *user, const char *name, size_t n, uint32_t *index)
{
	(void)user;
	*index = 0;
	return n == 1 && name[0] == 'x';
}

static double
row_value(const void *user, size_t row, uint32_t index)
{
	const double *values = user;
	(void)index;
	return values[row];
}

/* Computes an aggregate of values[n]; some reorder them. */
static double
of_values(const char *text, double *values, size_t n)
{
	static const struct wn_expr_names names = {.find = find};
	struct wn_expr_table table = {n, NULL, row_value, values};
	struct wn_expr_error error;
	struct wn_expr e;
	double result = NAN;
	if (wn_expr_parse(text, strlen(text), &names, &names, &e, &error))
		wn_expr_aggregate(&e, &table, values, &result);
	return result;
}

wn_status
wn_summarise(const struct wn_metrics *m, const struct wn_column *column, struct wn_summary *out,
             wn_err *err)
{
	const struct wn_graph *g = m->g;
	struct wn_summary s = {0};
	double *values = wn_calloc(g->n, sizeof *values);
	if (!values)
		return wn_no_memory(err);
	for (wn_grain id = 0; id < g->n; id++) {
		if (!wn_is_grain(g, id))
			continue;
		double value = wn_column_value(column, m, id);
		if (isnan(value))
			s.n_missing++;
		else
			values[s.n++] = value;
	}
	s.sum = s.n ? of_values("sum(x)", values, s.n) : (double)NAN;
	s.mean = of_values("mean(x)", values, s.n);
	s.min = of_values("min(x)", values, s.n);
	s.max = of_values("max(x)", values, s.n);
	s.median = of_values("median(x)", values, s.n);
	s.p95 = of_values("p(95, x)", values, s.n);
	wn_free(values);
	*out = s;
	return WN_OK;
}
