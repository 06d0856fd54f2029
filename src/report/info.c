/* SPDX-License-Identifier: MIT */
/* info.c - prints numbers as R does: paste() prints 15 digits, a vector 7. */
#include "report/info.h"

#include "base/error.h"
#include "base/mem.h"
#include "report/terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct info {
	const struct wn_report *r;
	const struct wn_graph *g;
	bool is_fragments;
	uint64_t n_tasks, n_nodes, n_edges, n_fragments, n_forks;
	uint64_t *degrees; /* [n_degrees] number of forks with each out-degree */
	size_t n_degrees;
};

static bool
count_degree(struct info *i, size_t degree)
{
	size_t capacity = i->n_degrees;
	if (degree >= i->n_degrees) {
		if (wn_grow(&i->degrees, &capacity, degree + 1, sizeof *i->degrees) != 0)
			return false;
		memset(i->degrees + i->n_degrees, 0,
		       (capacity - i->n_degrees) * sizeof *i->degrees);
		i->n_degrees = capacity;
	}
	i->degrees[degree]++;
	return true;
}

/* Each task has a fork before it that also continues in the parent; initial tasks have none. */
static bool
count_fragments(struct info *i)
{
	uint64_t n_joins_of_tasks = 0, n_children_of_tasks = 0;
	bool has_memory = true;
	for (size_t fj = 0; fj < i->g->n_fjs; fj++) {
		bool is_of_task = i->g->fjs[fj].owner != 0;
		n_joins_of_tasks += is_of_task;
		n_children_of_tasks += is_of_task ? i->g->fjs[fj].n_children : 0;
		for (uint32_t k = 0; has_memory && k < i->g->fjs[fj].n_children; k++)
			has_memory = count_degree(i, is_of_task ? 2 : 1);
	}
	i->n_forks = i->n_tasks;
	i->n_fragments = i->n_tasks + n_children_of_tasks + n_joins_of_tasks;
	i->n_nodes = i->n_fragments + i->n_forks + i->g->n_fjs;
	i->n_edges = 2 * i->n_tasks + 2 * n_children_of_tasks + 2 * n_joins_of_tasks;
	return has_memory;
}

static bool
count_reduced(struct info *i)
{
	uint64_t n_leaves = 0, n_owners = 0;
	bool has_memory = true;
	for (wn_grain id = 0; id < i->g->n; id++)
		n_leaves += wn_is_grain(i->g, id) && i->g->n_children[id] == 0;
	for (size_t fj = 0; has_memory && fj < i->g->n_fjs; fj++) {
		n_owners += i->g->fjs[fj].index == 0;
		has_memory = count_degree(i, i->g->fjs[fj].n_children);
	}
	i->n_forks = i->g->n_fjs;
	i->n_nodes = i->n_tasks + 2 * i->n_forks + 2;
	i->n_edges = i->n_tasks + n_owners + n_leaves + i->n_forks;
	return has_memory;
}

/* Returns the decimals that a number needs for seven digits. */
static int
decimals_of(double value)
{
	char text[40];
	snprintf(text, sizeof text, "%.6e", value);
	char *e = strchr(text, 'e');
	int exponent = e ? (int)strtol(e + 1, NULL, 10) : 0, digits = 6;
	for (char *at = e; at && digits > 0 && *--at == '0'; digits--)
		;
	int decimals = digits - exponent;
	return decimals > 0 ? decimals : 0;
}

/* Prints a vector in lines of at most 80 columns, each beginning with the index of its first value.
 */
static void
put_distribution(const struct info *i, FILE *to)
{
	size_t n = i->n_degrees;
	int decimals = 0, width = 0, label = 2;
	char text[64];
	while (n > 1 && i->degrees[n - 1] == 0)
		n--;
	for (size_t k = 0; k < n; k++) {
		int needed = decimals_of((double)i->degrees[k] / (double)i->n_forks);
		decimals = needed > decimals ? needed : decimals;
	}
	for (size_t k = 0; k < n; k++) {
		int length = snprintf(text, sizeof text, "%.*f", decimals,
		                      (double)i->degrees[k] / (double)i->n_forks);
		width = length > width ? length : width;
	}
	for (size_t k = n; k > 0; k /= 10)
		label++;
	size_t in_line = (size_t)((80 - label) / (width + 1));
	in_line = in_line ? in_line : 1;
	for (size_t k = 0; k < n; k++) {
		snprintf(text, sizeof text, "[%zu]", k + 1);
		if (k % in_line == 0)
			fprintf(to, "%s%*s", k ? "\n" : "", label, text);
		fprintf(to, " %*.*f", width, decimals, (double)i->degrees[k] / (double)i->n_forks);
	}
	fputc('\n', to);
}

static void
put_structure(const struct info *i, FILE *to)
{
	fprintf(to,
	        "# Structure\nNumber of nodes = %" PRIu64 "\nNumber of edges = %" PRIu64
	        "\nNumber of tasks = %" PRIu64 "\n",
	        i->n_nodes, i->n_edges, i->n_tasks);
	if (i->is_fragments)
		fprintf(to, "Number of fragments = %" PRIu64 "\n", i->n_fragments);
	fprintf(to, "Number of forks = %" PRIu64 "\n# Out-degree distribution of forks\n",
	        i->n_forks);
	put_distribution(i, to);
}

static void
put_parallelism(const struct info *i, FILE *to)
{
	const struct wn_totals *t = &i->r->metrics->totals;
	uint64_t n_critical = 0;
	for (wn_grain id = 0; id < i->g->n; id++)
		n_critical += wn_is_grain(i->g, id) && i->g->flags[id] & WN_GF_CRITICAL;
	fprintf(to,
	        "# Cilk theory parallelism (metric = %s)\nSpan (critical path) = %" PRIu64
	        "\nWork = %" PRIu64 "\nParallelism (Work/Span) = ",
	        wn_imported_weight_name(i->g), t->span_ns, t->work_ns);
	if (isnan(t->parallelism))
		fputs("NaN\n", to);
	else
		fprintf(to, "%.15g\n", t->parallelism);
	if (i->is_fragments)
		fprintf(to, "Number of critical fragments = %" PRIu64 "\n",
		        i->g->imported->n_critical_fragments);
	else
		fprintf(to, "Number of critical tasks = %" PRIu64 "\n", n_critical);
}

/* The prototype's table of problems, in the same order. */
static const struct {
	const char *type, *variable, *condition;
} problems[] = {
    {"memory_hierarchy_utilization", "mem_hier_util", "> 0.5"},
    {"memory_footprint", "mem_fp", "> 512000"},
    {"compute_intensity", "compute_int", "< 2"},
    {"work_deviation", "work_deviation", "> 2"},
    {"parallel_benefit", "parallel_benefit", "< 1"},
    {"instantaneous_parallelism_median", "inst_par_median", "< length(unique(task_data$cpu_id))"},
    {"instantaneous_parallelism_min", "inst_par_min", "< length(unique(task_data$cpu_id))"},
    {"instantaneous_parallelism_max", "inst_par_max", "< length(unique(task_data$cpu_id))"},
    {"sibling_work_balance", "sibling_work_balance", "> 2"},
    {"sibling_scatter", "sibling_scatter", "> length(unique(task_data$cpu_id))/4"},
    {"chunk_work_balance", "chunk_work_balance", "> 2"},
    {"chunk_work_cpu_balance", "chunk_work_cpu_balance", "> 2"},
};

/* Counts grains, or fragments in the other form, as the prototype does. */
static void
put_problem(const struct info *i, int p, const char *variable, const char *condition, FILE *to)
{
	const uint32_t *critical = i->g->imported->critical_fragments;
	uint64_t n = 0, n_critical = 0;
	for (wn_grain id = 0; id < i->g->n; id++) {
		if (!wn_is_grain(i->g, id) || !(i->r->metrics->problems[id] >> p & 1))
			continue;
		bool is_critical = i->g->flags[id] & WN_GF_CRITICAL;
		uint64_t n_joins = 0;
		for (uint32_t j = i->g->last_join[id]; i->is_fragments && j != WN_NO_JOIN;
		     j = i->g->joins[j].prev)
			n_joins++;
		n += i->is_fragments ? 1 + i->g->n_children[id] + n_joins : 1;
		n_critical += i->is_fragments ? critical[id] : is_critical;
	}
	fprintf(to,
	        "%" PRIu64 " grains have !is.na(%s) & %s %s, %" PRIu64
	        " of which are on the critical path.\n",
	        n, variable, variable, condition, n_critical);
}

/* Tests for data. The prototype omits the line if a column is missing. */
static bool
is_known(const struct info *i, int p)
{
	for (wn_grain id = 0; id < i->g->n; id++)
		if (wn_is_grain(i->g, id) && !isnan(wn_problem_value(i->r->metrics, id, p)))
			return true;
	return false;
}

static void
put_problems(const struct info *i, FILE *to)
{
	const struct wn_metrics *m = i->r->metrics;
	fputs("# Problems\n", to);
	for (size_t k = 0; k < sizeof problems / sizeof *problems; k++)
		for (int p = 0; p < m->n_problems; p++)
			if (strcmp(m->problem_types[p].name, problems[k].type) == 0 &&
			    is_known(i, p))
				put_problem(i, p, problems[k].variable, problems[k].condition, to);
}

wn_status
wn_report_info(const struct wn_report *r, FILE *to, wn_err *err)
{
	struct info i = {.r = r, .g = r->graph};
	if (!i.g->imported)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "--info is of imported tables; this is a recording");
	i.is_fragments = i.g->imported->is_fragments;
	i.n_tasks = r->metrics->totals.n_grains;
	errno = 0;
	if (!(i.is_fragments ? count_fragments(&i) : count_reduced(&i))) {
		wn_free(i.degrees);
		return wn_no_memory(err);
	}
	put_structure(&i, to);
	put_parallelism(&i, to);
	put_problems(&i, to);
	wn_free(i.degrees);
	return report_flush(to, err);
}
