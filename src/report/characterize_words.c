/* SPDX-License-Identifier: MIT */
/* characterize_words.c - describes a component or a cluster by its variables, and by the terms of
 * [P2] if the variables are those of [P2]. */
#include "report/characterize.h"
#include "report/properties.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAMED_MAX 4u  /* variables on each side */
#define LARGE     0.8 /* relative to the loading that each variable would have if all were equal */

static const char *
variable_name(const struct wn_characterization *r, size_t variable)
{
	return r->cases->variables[r->variable_of[variable]];
}

static void
add(char out[WN_MEANING_BYTES], const char *text)
{
	size_t used = strlen(out);
	snprintf(out + used, WN_MEANING_BYTES - used, "%s", text);
}

/* Returns the variable that follows `last` in descending order of sign * value, if its value is
 * above `least`; n: none. */
static size_t
find_next(const double *values, size_t n, double sign, double least, size_t last)
{
	size_t best = n;
	for (size_t i = 0; i < n; i++) {
		double value = sign * values[i], before = last < n ? sign * values[last] : INFINITY;
		bool is_after = value < before || (value <= before && i > last);
		if (value > least && is_after && (best == n || value > sign * values[best]))
			best = i;
	}
	return best;
}

static void
add_side(const struct wn_characterization *r, const double *values, double sign, double least,
         const char *word, const char *unit, char out[WN_MEANING_BYTES])
{
	char text[96];
	size_t last = r->n_variables;
	for (size_t k = 0; k < NAMED_MAX; k++) {
		size_t i = find_next(values, r->n_variables, sign, least, last);
		if (i == r->n_variables)
			return;
		last = i;
		add(out, k == 0 && out[0] ? "; " : "");
		add(out, k == 0 ? word : ", ");
		snprintf(text, sizeof text, "%.60s", variable_name(r, i));
		add(out, text);
		if (unit)
			snprintf(text, sizeof text, " %+.1f%s", values[i], unit);
		add(out, unit ? text : "");
	}
}

/* Returns the loading of one of the paper's properties; 0 if it is not large or not a variable. */
static double
large(const struct wn_characterization *r, const double *loadings, enum wn_property p)
{
	double least = LARGE / sqrt((double)r->n_variables);
	for (size_t j = 0; j < r->n_variables; j++)
		if (wn_property_named(variable_name(r, j)) == p)
			return fabs(loadings[j]) > least ? loadings[j] : 0;
	return 0;
}

static void
add_character(const struct wn_characterization *r, const double *l, char out[WN_MEANING_BYTES])
{
	double tasks = large(r, l, WN_PROPERTY_TASKS),
	       instructions = large(r, l, WN_PROPERTY_INSTRUCTIONS),
	       stack = large(r, l, WN_PROPERTY_STACK_READS) + large(r, l, WN_PROPERTY_STACK_WRITES),
	       path = large(r, l, WN_PROPERTY_CRITICAL_PATH), work = large(r, l, WN_PROPERTY_WORK),
	       memory =
		   large(r, l, WN_PROPERTY_MEMORY_READS) + large(r, l, WN_PROPERTY_MEMORY_WRITES);
	const char *word = "";
	if (tasks * instructions < 0)
		word = tasks > 0 ? " (up: finer grain)" : " (up: coarser grain)";
	else if (instructions * memory > 0)
		word = instructions > 0 ? " (up: larger tasks)" : " (up: smaller tasks)";
	else if (stack != 0 && memory == 0)
		word = stack > 0 ? " (up: more on the stack)" : " (up: less on the stack)";
	else if (path != 0 && path * work <= 0)
		word = path > 0 ? " (up: less parallelism)" : " (up: more parallelism)";
	add(out, word);
}

void
wn_component_meaning(const struct wn_characterization *r, size_t component,
                     char out[WN_MEANING_BYTES])
{
	const double *loadings = r->pca.loadings + component * r->n_variables;
	double least = LARGE / sqrt((double)r->n_variables);
	out[0] = '\0';
	add_side(r, loadings, 1, least, "up with ", NULL, out);
	add_side(r, loadings, -1, least, "down with ", NULL, out);
	if (!out[0])
		add(out, "all variables alike");
	add_character(r, loadings, out);
}

void
wn_cluster_meaning(const struct wn_characterization *r, size_t cluster, char out[WN_MEANING_BYTES])
{
	double means[WN_VARIABLES_MAX];
	size_t n = 0;
	out[0] = '\0';
	for (size_t j = 0; j < r->n_variables; j++) {
		double sum = 0;
		n = 0;
		for (size_t i = 0; i < r->n; i++) {
			if (r->cluster[i] != cluster)
				continue;
			double value = wn_cases_at(r->cases, r->case_of[i], r->variable_of[j]);
			sum += (value - r->mean[j]) / r->sd[j];
			n++;
		}
		means[j] = sum / (double)n;
	}
	add_side(r, means, 1, 0.5, "more ", " sd", out);
	add_side(r, means, -1, 0.5, "less ", " sd", out);
	if (!out[0])
		add(out, "near the mean of all");
}
