/* SPDX-License-Identifier: MIT */
/* counted.c - columns of recorded counters: one per counter, under its name, and ratios of
 * several. A grain's value is the count during its own work. A ratio with a counter that was not
 * read has no column. */
#include "metrics/columns.h"
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* scale * over / (the sum of under); without `under`: scale * over. */
static const struct derived {
	const char *name, *unit, *title;
	enum wn_bad bad;
	enum wn_fold fold;
	double scale;
	const char *over, *under[2];
} derived[] = {
#define WN_TABLE_COUNTED(name, unit, bad, fold, scale, over, under, also, title, sentence, source) \
	{#name, unit, title, WN_BAD_##bad, WN_FOLD_##fold, scale, over, {under, also}},
#include "table/columns.def"
};
#define DERIVED_N (sizeof derived / sizeof *derived)

/* Problem types of derived columns. */
static const struct {
	const char *column;
	struct wn_problem_type type;
} judged[] = {
    {"mem_hier_util", {"memory_hierarchy_utilization", "stall for long", true, 2}},
    {"mem_fp", {"memory_footprint", "use much memory", false, 512000}},
    {"comp_intensity", {"compute_intensity", "do little with the memory they use", true, 2}},
};
#define JUDGED_N (sizeof judged / sizeof *judged)

/* A derived column of this run. */
struct operands {
	double scale;
	const struct wn_counts *over, *under[2]; /* under[0] NULL: none */
};

struct wn_counted_metrics {
	struct wn_column *columns;
	struct operands operands[DERIVED_N];
	int first_problem, n_problems;
};

static double
count_of(const struct wn_counts *c, const struct wn_metrics *m, wn_grain id)
{
	bool is_known = m->g->flags[id] & WN_GF_STARTED && !wn_count_is_unknown(c, id);
	return is_known ? (double)c->own[id] : (double)NAN;
}

static double
value_of_counter(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	return count_of(self->data, m, id);
}

/* Division by 0: infinite, or missing if both are 0. */
static double
value_of_derived(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	const struct operands *o = self->data;
	double over = o->scale * count_of(o->over, m, id);
	if (!o->under[0])
		return over;
	double under = count_of(o->under[0], m, id);
	if (o->under[1])
		under += count_of(o->under[1], m, id);
	if (under > 0 || isnan(under))
		return over / under;
	return over > 0 ? (double)INFINITY : (double)NAN;
}

static bool
find_operands(const struct wn_graph *g, const struct derived *d, struct operands *out)
{
	*out =
	    (struct operands){d->scale,
	                      wn_counts_named(g, d->over),
	                      {wn_counts_named(g, d->under[0]), wn_counts_named(g, d->under[1])}};
	return out->over && !(d->under[0] && !out->under[0]) && !(d->under[1] && !out->under[1]);
}

static void
add_problem(struct wn_metrics *m, struct wn_column *c, const struct wn_problem_type *type)
{
	int p = m->n_problems++;
	c->problem = p;
	m->problem_types[p] = *type;
	m->threshold[p] = type->threshold;
	m->problem[p].is_unknown = m->totals.n_grains > 0;
	m->counted->n_problems++;
}

static size_t
add_counters(struct wn_metrics *m, struct wn_column *columns, size_t n)
{
	for (size_t i = 0; i < m->g->n_counts; i++) {
		const struct wn_counts *c = &m->g->counts[i];
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
	return n;
}

static size_t
add_derived(struct wn_metrics *m, struct wn_column *columns, size_t n)
{
	for (size_t i = 0; i < DERIVED_N; i++) {
		const struct derived *d = &derived[i];
		struct operands *o = &m->counted->operands[i];
		if (!find_operands(m->g, d, o) || wn_counts_named(m->g, d->name)) {
			o->over = NULL;
			continue;
		}
		struct wn_column *c = &columns[n++];
		*c = (struct wn_column){.name = d->name,
		                        .unit = d->unit,
		                        .title = d->title,
		                        .bad = d->bad,
		                        .fold = d->fold,
		                        .problem = -1,
		                        .value = value_of_derived,
		                        .data = o};
		for (size_t k = 0; k < JUDGED_N; k++)
			if (strcmp(judged[k].column, d->name) == 0)
				add_problem(m, c, &judged[k].type);
	}
	return n;
}

wn_status
metrics_counted_add(struct wn_metrics *m, wn_err *err)
{
	const struct wn_graph *g = m->g;
	if (g->n_counts == 0)
		return WN_OK;
	size_t n = m->n_columns;
	m->counted = wn_calloc(1, sizeof *m->counted);
	struct wn_column *columns =
	    m->counted ? wn_calloc(n + g->n_counts + DERIVED_N, sizeof *columns) : NULL;
	if (!columns)
		return wn_no_memory(err);
	m->counted->columns = columns;
	m->counted->first_problem = m->n_problems;
	memcpy(columns, m->columns, n * sizeof *columns);
	n = add_counters(m, columns, n);
	n = add_derived(m, columns, n);
	metrics_use_columns(m, columns, n);
	return WN_OK;
}

static double
divide(double over, double under)
{
	return under > 0 ? over / under : over > 0 ? (double)INFINITY : (double)NAN;
}

static double
ratio_of_grains(const struct operands *o, const struct wn_metrics *m)
{
	double over = 0, under = 0;
	for (wn_grain id = 0; id < m->g->n; id++) {
		if (!wn_is_grain(m->g, id))
			continue;
		double a = count_of(o->over, m, id), b = count_of(o->under[0], m, id);
		double c = o->under[1] ? count_of(o->under[1], m, id) : 0;
		if (isnan(a + b + c))
			continue;
		over += a;
		under += b + c;
	}
	return divide(o->scale * over, under);
}

size_t
wn_metrics_ratios(const struct wn_metrics *m, struct wn_counted_ratio *out)
{
	static_assert(DERIVED_N <= WN_COUNTED_RATIOS_MAX, "they have room");
	size_t n = 0;
	for (size_t i = 0; m->counted && i < DERIVED_N; i++) {
		const struct operands *o = &m->counted->operands[i];
		/* distinct cache lines do not add up */
		if (!o->over || !o->under[0] || strcmp(o->under[0]->name, "footprint_lines") == 0)
			continue;
		bool is_all_known = !o->over->is_carried && !o->under[0]->is_carried &&
		                    !(o->under[1] && o->under[1]->is_carried);
		double under =
		    (double)o->under[0]->total + (double)(o->under[1] ? o->under[1]->total : 0);
		out[n++] = (struct wn_counted_ratio){
		    derived[i].name, derived[i].title, ratio_of_grains(o, m),
		    is_all_known ? divide(o->scale * (double)o->over->total, under) : (double)NAN};
	}
	return n;
}

void
metrics_counted_judge(struct wn_metrics *m, wn_grain id)
{
	const struct wn_counted_metrics *counted = m->counted;
	for (int p = counted->first_problem; p < counted->first_problem + counted->n_problems;
	     p++) {
		double value = wn_column_value(m->problem_column[p], m, id);
		metrics_judge(m, id, p, value);
		if (!isnan(value))
			m->problem[p].is_unknown = false;
	}
}

void
metrics_counted_free(struct wn_counted_metrics *counted)
{
	if (counted)
		wn_free(counted->columns);
	wn_free(counted);
}
