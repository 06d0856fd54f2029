/* SPDX-License-Identifier: MIT */
#include "base/plural.h"
#include "report/characterize_private.h"
#include "report/properties.h"
#include "report/text_private.h"
#include "report/text_table.h"
#include "report/weight.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define VARIABLES_IN_ROW 5u  /* next to a name and a cluster */
#define VARIABLES_WIDTH  100 /* lines of text for so many columns */
#define COMPONENTS_SHOWN 7u
#define CASES_MAX        200u

static const char *
noun(const struct wn_characterize_view *v, size_t n)
{
	return v->is_table ? n == 1 ? "row" : "rows" : n == 1 ? "run" : "runs";
}

static const char *
variable(const struct wn_characterization *r, size_t j)
{
	return r->cases->variables[r->variable_of[j]];
}

/* Formats three digits, with a unit prefix for large values. */
static const char *
short_number(double value, char out[24])
{
	static const char *const prefixes[] = {"", " k", " M", " G", " T", " P"};
	size_t k = 0;
	if (isnan(value))
		return "-";
	double size = fabs(value);
	bool is_strange = size >= 999.5e15 || (size > 0 && size < 0.001);
	while (!is_strange && size >= 999.5 && k + 1 < sizeof prefixes / sizeof *prefixes) {
		size /= 1000;
		k++;
	}
	double shown = value < 0 ? -size : size;
	if (is_strange)
		snprintf(out, 24, "%.2e", value);
	else
		snprintf(out, 24, "%.*f%s",
		         size >= 99.95 || (k == 0 && value == floor(value)) ? 0
		         : size >= 9.995                                    ? 1
		                                                            : 2,
		         shown, prefixes[k]);
	return out;
}

/* --- the parts --- */

static void
add_head(struct terminal *s, const struct wn_characterize_view *v)
{
	const struct wn_characterization *r = v->result;
	char text[400];
	if (r->none == WN_TOO_FEW_CASES)
		snprintf(text, sizeof text,
		         "%zu %s of %zu can be analysed, and two are needed. Their known "
		         "properties are below.",
		         r->n, noun(v, r->n), r->cases->n);
	else if (r->none == WN_TOO_FEW_VARIABLES)
		snprintf(
		    text, sizeof text,
		    "The %zu %s do not differ in anything that was measured: there is nothing to "
		    "analyse.",
		    r->n, noun(v, r->n));
	else
		snprintf(text, sizeof text,
		         "%zu %s, %zu propert%s: %zu component%s hold%s %.1f %% of the "
		         "variance (%.0f %% are wanted); %zu cluster%s.",
		         r->n, noun(v, r->n), r->n_variables,
		         r->n_variables == 1 ? "y that differs" : "ies that differ", r->n_kept,
		         r->n_kept == 1 ? "" : "s", r->n_kept == 1 ? "s" : "",
		         100 * r->pca.cumulative[r->n_kept - 1], 100 * r->keep, r->n_clusters,
		         r->n_clusters == 1 ? "" : "s");
	terminal_paragraph(s, STYLE_PLAIN, 0, "%s", text);
}

/* Prints the values of all cases, a few variables at a time; for runs, parallelism follows the
 * last. */
static void
add_values(struct terminal *s, const struct wn_characterize_view *v, size_t first, size_t n_columns)
{
	bool has_more = !v->is_table && first + n_columns == v->result->cases->n_variables;
	const struct wn_characterization *r = v->result;
	const struct wn_cases *c = r->cases;
	struct table_column columns[TABLE_COLUMNS_MAX] = {
	    {v->is_table ? "row" : "run", false, 12, STYLE_PLACE},
	    {"cluster", true, 0, STYLE_TITLE},
	};
	struct table t = {.columns = columns, .n_columns = 2 + n_columns + has_more};
	char text[24];
	size_t used = 0;
	columns[2 + n_columns] = (struct table_column){"parallelism", true, 6, STYLE_PLAIN};
	for (size_t j = 0; j < n_columns; j++)
		columns[2 + j] =
		    (struct table_column){c->variables[first + j], true, 6, STYLE_PLAIN};
	for (size_t i = 0; i < c->n && i < CASES_MAX; i++) {
		bool is_used = r->left_case[i] == WN_USED;
		table_add(&t, "%s", c->names[i]);
		if (is_used && r->none == WN_ANALYSED)
			table_add(&t, "%zu", r->cluster[used] + 1);
		else
			table_add(&t, "%s", r->none == WN_ANALYSED ? "-" : "");
		used += is_used;
		for (size_t j = 0; j < n_columns; j++)
			table_add(&t, "%s", short_number(wn_cases_at(c, i, first + j), text));
		if (has_more)
			table_add(&t, "%s", short_number(wn_exposed_parallelism(c, i), text));
	}
	table_print(&t, s);
}

static bool
is_time(const char *weight)
{
	return strcmp(weight, "time") == 0 || strcmp(weight, "work") == 0;
}

/* Lists the runs with transferred counts, and the mismatches of those that do not match grain by
 * grain. */
static void
add_counts(struct terminal *s, const struct wn_characterize_view *v)
{
	const struct wn_cases *c = v->result->cases;
	char note[WN_CARRIED_BYTES];
	size_t n = 0;
	for (size_t i = 0; v->counts && i < c->n; i++)
		n += v->counts[i].file != NULL;
	if (n == 0)
		return;
	terminal_paragraph(s, STYLE_FAINT, 2,
	                   "counts of %zu of %zu %s are of other runs of the same", n, c->n,
	                   noun(v, c->n));
	for (size_t i = 0; i < c->n && i < CASES_MAX; i++) {
		const struct wn_carried *k = &v->counts[i].carried;
		if (!v->counts[i].file || !(k->n_without_counts || k->n_without_grains ||
		                            k->n_by_order || k->is_other_build))
			continue;
		terminal_paragraph(s, k->n_without_counts ? STYLE_BAD : STYLE_FAINT, 2, "%.80s: %s",
		                   c->names[i], report_carried(k, note));
	}
}

/* Lists what was not counted in each run. */
static void
add_missing(struct terminal *s, const struct wn_characterize_view *v)
{
	const struct wn_cases *c = v->result->cases;
	for (size_t i = 0; v->counts && i < c->n && i < CASES_MAX; i++) {
		if (!*v->counts[i].missing)
			continue;
		terminal_paragraph(s, STYLE_BAD, 2, "%.80s: not counted: %s", c->names[i],
		                   v->counts[i].missing);
	}
}

/* All engines count alike: returns the architecture without the engine's name. */
static const char *
kind_of(const char *by)
{
	return strncmp(by, "qemu-", 5) == 0 ? by + 5 : strncmp(by, "winnow-", 7) == 0 ? by + 7 : by;
}

/* Warns about runs counted on different architectures, and about times that are not valid. */
static void
add_kinds(struct terminal *s, const struct wn_characterize_view *v)
{
	const struct wn_cases *c = v->result->cases;
	const char *kind = NULL, *other = NULL;
	size_t first = 0, second = 0, n_slow = 0;
	for (size_t i = 0; v->counts && i < c->n; i++) {
		const char *by = kind_of(v->counts[i].by);
		n_slow += *v->counts[i].emulator != '\0';
		if (*by && !kind) {
			kind = by;
			first = i;
		} else if (*by && !other && strcmp(by, kind) != 0) {
			other = by;
			second = i;
		}
	}
	if (other) {
		terminal_paragraph(s, STYLE_BAD, 2,
		                   "instructions are of different kinds: %.80s: %.60s; %.80s: "
		                   "%.60s; these runs may differ in how they were counted only",
		                   c->names[first], kind, c->names[second], other);
	}
	if (n_slow && v->weight && is_time(v->weight)) {
		terminal_paragraph(
		    s, STYLE_BAD, 2,
		    "times of %zu of %zu %s are not the program's: it was run to be counted",
		    n_slow, c->n, noun(v, c->n));
	}
}

static void
add_cases(struct terminal *s, const struct wn_characterize_view *v)
{
	const struct wn_cases *c = v->result->cases;
	char text[200];
	text_title(s, "%s", v->is_table ? "The table" : "The runs");
	/* names of properties are explained below the table */
	const size_t in_row = s->style.width < VARIABLES_WIDTH ? 3 : VARIABLES_IN_ROW;
	for (size_t first = 0; first < c->n_variables; first += in_row) {
		size_t n = c->n_variables - first;
		if (first > 0)
			terminal_end(s);
		add_values(s, v, first, n < in_row ? n : in_row);
	}
	if (c->n > CASES_MAX) {
		terminal_paragraph(s, STYLE_FAINT, 2,
		                   "the first %u of %zu; all are in --json and --csv", CASES_MAX,
		                   c->n);
	}
	if (v->weight) {
		snprintf(
		    text, sizeof text,
		    "critical_path and work: %.40s%s; tasks and join_degree: numbers; the others: "
		    "medians over tasks",
		    v->weight, is_time(v->weight) ? " in ns" : "");
		terminal_paragraph(s, STYLE_FAINT, 2, "%s", text);
	}
	add_counts(s, v);
	add_kinds(s, v);
	add_missing(s, v);
}

static void
add_components(struct terminal *s, const struct wn_characterization *r)
{
	char meaning[WN_MEANING_BYTES], text[64];
	text_title(s, "Components");
	terminal_line(s, STYLE_FAINT, "              variance   so far");
	for (size_t k = 0; k < r->pca.n_components; k++) {
		bool is_kept = k < r->n_kept;
		if (!is_kept && k >= COMPONENTS_SHOWN)
			break;
		snprintf(text, sizeof text, "PC%zu%s", k + 1, is_kept ? " kept" : "");
		terminal_left(s, STYLE_PLAIN, 2, "");
		terminal_left(s, STYLE_TITLE, 12, text);
		snprintf(text, sizeof text, "%6.1f %% %6.1f %%  ", 100 * r->pca.share[k],
		         100 * r->pca.cumulative[k]);
		terminal_left(s, STYLE_PLAIN, 19, text);
		wn_component_meaning(r, k, meaning);
		terminal_wrap(s, STYLE_PLAIN, 33, "%s", is_kept ? meaning : "");
		terminal_end(s);
	}
}

/* Adds a column for each kept component that fits. Returns their number. */
static size_t
add_component_columns(const struct wn_characterization *r, struct table_column *columns)
{
	static const char *const titles[COMPONENTS_SHOWN] = {"PC1", "PC2", "PC3", "PC4",
	                                                     "PC5", "PC6", "PC7"};
	size_t n = r->n_kept < COMPONENTS_SHOWN ? r->n_kept : COMPONENTS_SHOWN;
	for (size_t k = 0; k < n; k++)
		columns[k] = (struct table_column){titles[k], true, 0, STYLE_PLAIN};
	return n;
}

static void
add_loadings(struct terminal *s, const struct wn_characterization *r)
{
	struct table_column columns[TABLE_COLUMNS_MAX] = {{"property", false, 10, STYLE_PLACE}};
	size_t n = add_component_columns(r, columns + 1);
	struct table t = {.columns = columns, .n_columns = 1 + n};
	text_title(s, "Loadings");
	for (size_t j = 0; j < r->n_variables; j++) {
		table_add(&t, "%s", variable(r, j));
		for (size_t k = 0; k < n; k++)
			table_add(&t, "%+.3f", r->pca.loadings[k * r->n_variables + j]);
	}
	table_print(&t, s);
}

static void
add_scores(struct terminal *s, const struct wn_characterize_view *v)
{
	const struct wn_characterization *r = v->result;
	struct table_column columns[TABLE_COLUMNS_MAX] = {
	    {v->is_table ? "row" : "run", false, 12, STYLE_PLACE},
	    {"cluster", true, 0, STYLE_TITLE},
	};
	size_t n = add_component_columns(r, columns + 2);
	struct table t = {.columns = columns, .n_columns = 2 + n};
	text_title(s, "Scores");
	for (size_t i = 0; i < r->n && i < CASES_MAX; i++) {
		table_add(&t, "%s", r->cases->names[r->case_of[i]]);
		table_add(&t, "%zu", r->cluster[i] + 1);
		for (size_t k = 0; k < n; k++)
			table_add(&t, "%+.2f", r->pca.scores[k * r->n + i]);
	}
	table_print(&t, s);
}

static void
add_clusters(struct terminal *s, const struct wn_characterize_view *v)
{
	const struct wn_characterization *r = v->result;
	char text[WN_MEANING_BYTES + 200];
	text_title(s, "%s", r->ward == WN_WARD_D ? "Clusters (ward.D)" : "Clusters (ward.D2)");
	for (size_t k = 0; k < r->n_clusters; k++) {
		char meaning[WN_MEANING_BYTES];
		size_t n = 0;
		for (size_t i = 0; i < r->n; i++)
			n += r->cluster[i] == k;
		wn_cluster_meaning(r, k, meaning);
		snprintf(text, sizeof text, "%zu %s: %s", n, noun(v, n), meaning);
		char number[24];
		snprintf(number, sizeof number, "%zu", k + 1);
		terminal_right(s, STYLE_TITLE, 4, number);
		terminal_left(s, STYLE_PLAIN, 2, "");
		terminal_wrap(s, STYLE_PLAIN, 6, "%s", text);
		terminal_end(s);
	}
	if (r->n_kept + 1 >= r->n && r->n > 2)
		terminal_paragraph(
		    s, STYLE_BAD, 2,
		    "All possible components are kept: autoscaled, all cases are equally far from "
		    "each other, and clusters are meaningless. Add runs, or use --keep.");
}

static void
add_tree(struct terminal *s, const struct wn_characterize_view *v)
{
	const struct wn_characterization *r = v->result;
	char text[200];
	text_title(s, "Dendrogram");
	if (r->n > CHARACTERIZE_TREE_MAX) {
		terminal_paragraph(s, STYLE_FAINT, 2,
		                   "%zu %s are too many to draw; --svg draws them", r->n,
		                   noun(v, r->n));
		return;
	}
	snprintf(text, sizeof text, "the last two meet at a height of %.3g",
	         r->merges[r->n - 2].height);
	characterize_tree(s, r);
	terminal_paragraph(s, STYLE_FAINT, 2, "%s", text);
}

static void
add_validation(struct terminal *s, const struct wn_characterize_view *v)
{
	const struct wn_characterization *r = v->result;
	const struct wn_crossval *c = &r->crossval;
	char text[400];
	text_title(s, "Cross-validation");
	if (!r->is_validated || c->n == 0) {
		terminal_paragraph(s, STYLE_FAINT, 2,
		                   "Not done: %zu %s by %zu properties are too %s.", r->n,
		                   noun(v, r->n), r->n_variables, r->is_validated ? "few" : "many");
		return;
	}
	int used =
	    snprintf(text, sizeof text,
	             "Hidden values are predicted best by %zu component%s. Mean square error "
	             "with 0, 1, ...:",
	             c->best, wn_plural(c->best));
	for (size_t q = 0; q < c->n && used > 0 && (size_t)used < sizeof text; q++)
		used += snprintf(text + used, sizeof text - (size_t)used, "%s %.3f", q ? "," : "",
		                 c->error[q]);
	terminal_paragraph(s, STYLE_PLAIN, 2, "%s", text);
	if (c->best + 1 == c->n && c->n == WN_CROSSVAL_COMPONENTS + 1)
		terminal_paragraph(s, STYLE_FAINT, 2, "No more than that were tried.");
	if (c->n_unsettled) {
		terminal_paragraph(
		    s, STYLE_BAD, 2,
		    "%zu prediction%s had not converged after 1000 steps; the last %s.",
		    c->n_unsettled, wn_plural(c->n_unsettled),
		    c->n_unsettled == 1 ? "one counts" : "ones count");
	}
}

static bool
is_any_left(const struct wn_characterization *r)
{
	for (size_t j = 0; j < r->cases->n_variables; j++)
		if (r->left_variable[j] != WN_USED)
			return true;
	for (size_t i = 0; i < r->cases->n; i++)
		if (r->left_case[i] != WN_USED)
			return true;
	return false;
}

/* Explains why no run has a value of a property. */
static const char *
path_why(const struct wn_characterize_view *v, const char *name)
{
	enum wn_property p = wn_property_named(name);
	bool is_path = p == WN_PROPERTY_CRITICAL_PATH || p == WN_PROPERTY_WORK;
	return !is_path ? "measured by no run; winnow count measures it"
	       : strcmp(v->weight, "instructions") == 0
	           ? "no run has instructions for a weight; winnow count measures them, or take "
	             "--weight work"
	           : "no run has such a weight; --weight work is known of all";
}

static void
add_left_out(struct terminal *s, const struct wn_characterize_view *v)
{
	const struct wn_characterization *r = v->result;
	const struct wn_cases *c = r->cases;
	if (!is_any_left(r))
		return;
	text_title(s, "Left out");
	for (size_t j = 0; j < c->n_variables; j++) {
		if (r->left_variable[j] == WN_USED)
			continue;
		bool is_missing = r->left_variable[j] == WN_LEFT_MISSING;
		const char *why = !is_missing   ? "does not differ"
		                  : v->is_table ? "no row has it"
		                                : path_why(v, c->variables[j]);
		terminal_paragraph(s, STYLE_FAINT, 2, "%.80s: %s", c->variables[j], why);
	}
	for (size_t i = 0; i < c->n; i++) {
		if (r->left_case[i] == WN_USED)
			continue;
		terminal_paragraph(s, STYLE_FAINT, 2, "%.80s: has no %.80s", c->names[i],
		                   c->variables[r->missing[i]]);
	}
}

wn_status
wn_characterize_text(const struct wn_characterize_view *v, const struct wn_text_style *style,
                     FILE *to, wn_err *err)
{
	struct terminal s = {.to = to, .style = *style};
	errno = 0;
	add_head(&s, v);
	add_cases(&s, v);
	if (v->result->none == WN_ANALYSED) {
		add_components(&s, v->result);
		add_loadings(&s, v->result);
		add_scores(&s, v);
		add_clusters(&s, v);
		add_tree(&s, v);
		add_validation(&s, v);
	}
	add_left_out(&s, v);
	return terminal_finish(&s, err);
}
