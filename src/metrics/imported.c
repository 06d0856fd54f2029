/* SPDX-License-Identifier: MIT */
/* imported.c - columns of an imported table, and the R prototype's problems. */
#include "metrics/columns.h"
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

struct wn_imported_metrics {
	const double *of_problem[WN_PROBLEM_N]; /* values in the file, or computed by the import */
	struct wn_column *columns;
};

/* The prototype's table of problems, for columns that recordings do not have. */
static const struct {
	const char *column;
	struct wn_problem_type type; /* threshold NAN = a multiple of C */
	enum wn_bad bad;
	enum wn_fold fold;
	double of_cpus; /* threshold / C, if it depends on C */
} problems[] = {
    {"mem_hier_util",
     {"memory_hierarchy_utilization", "stall for long", false, 0.5},
     WN_BAD_HIGH,
     WN_FOLD_MAX,
     0},
    {"mem_fp", {"memory_footprint", "use much memory", false, 512000}, WN_BAD_HIGH, WN_FOLD_MAX, 0},
    {"compute_int",
     {"compute_intensity", "do little with the memory they use", true, 2},
     WN_BAD_LOW,
     WN_FOLD_MIN,
     0},
    {"work_deviation",
     {"work_deviation", "take longer than in the run they are compared with", false, 2},
     WN_BAD_HIGH,
     WN_FOLD_MAX,
     0},
    {"sibling_scatter",
     {"sibling_scatter", "run far from their siblings", false, NAN},
     WN_BAD_HIGH,
     WN_FOLD_MAX,
     0.25},
};
#define PROBLEMS_N (sizeof problems / sizeof *problems)

static double
value_of_extra(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	const struct wn_extra *e = self->data;
	(void)m;
	return e->values[id];
}

/* Times and counts add up; other values do not fold. */
static enum wn_fold
fold_of(const struct wn_extra *e)
{
	size_t n = strlen(e->name);
	bool is_sum = n > 4 && strcmp(e->name + n - 4, "_sum") == 0;
	bool is_place = strstr(e->name, "instant") || strcmp(e->name, "root_dist") == 0;
	return (*e->unit && !is_place) || is_sum ? WN_FOLD_SUM : WN_FOLD_NONE;
}

static void
add_problem(struct wn_metrics *m, struct wn_column *c, size_t k)
{
	int p = m->n_problems++;
	c->bad = problems[k].bad;
	c->fold = problems[k].fold;
	c->problem = p;
	m->problem_types[p] = problems[k].type;
	m->threshold[p] = problems[k].of_cpus > 0 ? problems[k].of_cpus * m->totals.n_cpus
	                                          : problems[k].type.threshold;
}

/* Built-in names take precedence: their values come from the table, too. */
static wn_status
add_columns(struct wn_metrics *m, wn_err *err)
{
	const struct wn_graph *g = m->g;
	struct wn_column *columns = wn_calloc(m->n_columns + g->n_extras, sizeof *columns);
	size_t n = m->n_columns;
	if (!columns)
		return wn_no_memory(err);
	memcpy(columns, m->columns, n * sizeof *columns);
	m->imported->columns = columns;
	for (size_t i = 0; i < g->n_extras; i++) {
		const struct wn_extra *e = &g->extras[i];
		if (wn_column_find(NULL, e->name, strlen(e->name)))
			continue;
		struct wn_column *c = &columns[n++];
		*c = (struct wn_column){.name = e->name,
		                        .unit = e->unit,
		                        .title =
		                            e->is_derived ? "computed at import" : "as imported",
		                        .fold = fold_of(e),
		                        .problem = -1,
		                        .value = value_of_extra,
		                        .data = e};
		for (size_t k = 0; k < PROBLEMS_N; k++)
			if (strcmp(problems[k].column, e->name) == 0)
				add_problem(m, c, k);
	}
	metrics_use_columns(m, columns, n);
	return WN_OK;
}

wn_status
metrics_imported_add(struct wn_metrics *m, wn_err *err)
{
	if (!m->g->imported)
		return WN_OK;
	m->imported = wn_calloc(1, sizeof *m->imported);
	if (!m->imported)
		return wn_no_memory(err);
	for (int p = 0; p < WN_PROBLEM_N; p++)
		m->imported->of_problem[p] =
		    wn_graph_extra(m->g, wn_column_def_of_problem((enum wn_problem)p)->name);
	return add_columns(m, err);
}

void
metrics_imported_free(struct wn_imported_metrics *imported)
{
	if (!imported)
		return;
	wn_free(imported->columns);
	wn_free(imported);
}

bool
metrics_imported_value(const struct wn_metrics *m, wn_grain id, int p, double *value)
{
	bool is_profile = p == WN_PROBLEM_INST_PAR_MEDIAN || p == WN_PROBLEM_INST_PAR_MIN ||
	                  p == WN_PROBLEM_INST_PAR_MAX;
	if (!m->imported || p >= WN_PROBLEM_N)
		return false;
	const double *values = m->imported->of_problem[p];
	if (!values && is_profile) /* the profile is computed from fragments */
		return false;
	*value = values && wn_is_grain(m->g, id) ? values[id] : (double)NAN;
	return true;
}

void
metrics_imported_judge(struct wn_metrics *m, wn_grain id)
{
	double value;
	for (int p = 0; p < WN_PROBLEM_N; p++)
		if (metrics_imported_value(m, id, p, &value))
			metrics_judge(m, id, p, value);
	for (int p = WN_PROBLEM_N; p < m->n_problems; p++)
		if (m->problem_column[p]->value == value_of_extra)
			metrics_judge(m, id, p, value_of_extra(m->problem_column[p], m, id));
}
