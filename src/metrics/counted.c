/* SPDX-License-Identifier: MIT */
/*
 * counted.c - the columns of what the recorder has counted: one of each counter, under its name.
 * A grain's value is what its own work has counted, as its work is the time of it.
 */
#include "metrics/columns.h"
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

static double
value_of_counter(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	const struct wn_counts *c = self->data;
	bool is_known = m->g->flags[id] & WN_GF_STARTED && !wn_count_is_unknown(c, id);
	return is_known ? (double)c->own[id] : (double)NAN;
}

wn_status
metrics_counted_add(struct wn_metrics *m, wn_err *err)
{
	const struct wn_graph *g = m->g;
	if (g->n_counts == 0)
		return WN_OK;
	struct wn_column *columns = wn_calloc(m->n_columns + g->n_counts, sizeof *columns);
	size_t n = m->n_columns;
	if (!columns)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	memcpy(columns, m->columns, n * sizeof *columns);
	for (size_t i = 0; i < g->n_counts; i++) {
		const struct wn_counts *c = &g->counts[i];
		if (!c->name || wn_column_find(NULL, c->name, strlen(c->name)))
			continue;
		columns[n++] = (struct wn_column){.name = c->name,
		                                  .unit = c->unit,
		                                  .title = "counted in its own work",
		                                  .fold = WN_FOLD_SUM,
		                                  .problem = -1,
		                                  .value = value_of_counter,
		                                  .data = c};
	}
	for (size_t i = 0; i < n; i++)
		if (columns[i].problem >= 0)
			m->problem_column[columns[i].problem] = &columns[i];
	m->counted_columns = columns;
	m->columns = columns;
	m->n_columns = n;
	return WN_OK;
}
