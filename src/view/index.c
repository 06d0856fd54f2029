/* SPDX-License-Identifier: MIT */
/* index.c - writes the file's index as JSON, with the tables that pages show before reading any
 * column; see winnow-grains(5). */
#include "base/error.h"
#include "base/mem.h"
#include "base/printable.h"
#include "report/json.h"
#include "view/view_private.h"

#include <math.h>
#include <string.h>

#define PROFILE_BINS_MAX 4096u

bool
view_json_put(json_t *object, const char *key, json_t *value)
{
	return json_object_set_new(object, key, value) == 0;
}

/* The object being built, and whether an allocation failed. */
struct maker {
	struct wn_page_data *v;
	bool is_failed;
};

static void
put(struct maker *k, json_t *object, const char *key, json_t *value)
{
	k->is_failed |= !view_json_put(object, key, value);
}

static void
push(struct maker *k, json_t *array, json_t *value)
{
	k->is_failed |= json_array_append_new(array, value) != 0;
}

static json_t *
count(uint64_t n)
{
	return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

static json_t *
count_if(bool is_known, uint64_t n)
{
	return is_known ? count(n) : json_null();
}

static json_t *
number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* Makes a string safe to show: without marks that change the text direction. */
static json_t *
text(const char *bytes)
{
	if (!bytes)
		return json_null();
	size_t n = strlen(bytes), room = n * (WN_PRINTABLE_BYTES - 1) + 1;
	char *shown = wn_calloc(room, 1);
	if (!shown)
		return NULL;
	wn_printable(bytes, n, shown, room);
	json_t *value = json_string(shown);
	wn_free(shown);
	return value;
}

/* Replaces a string by its safe form. */
static bool
show_string(json_t *string)
{
	json_t *shown = text(json_string_value(string));
	bool is_ok = shown && (json_equal(string, shown) ||
	                       json_string_set(string, json_string_value(shown)) == 0);
	json_decref(shown);
	return is_ok;
}

/* Converts all strings of a report, which is at most a few levels deep. */
static bool
show_all(json_t *value)
{
	const char *key;
	json_t *member;
	size_t i;
	bool is_ok = true;
	if (json_is_string(value))
		return show_string(value);
	json_array_foreach(value, i, member) is_ok &= show_all(member);
	json_object_foreach(value, key, member) is_ok &= show_all(member);
	return is_ok;
}

static json_t *
places(struct maker *k)
{
	json_t *list = json_array();
	for (size_t i = 0; i < k->v->r->places.n; i++) {
		const struct wn_report_place *place = &k->v->r->places.items[i];
		const struct wn_place *s = place->is_foreign ? NULL : &place->source;
		json_t *o = json_object();
		put(k, o, "place", text(place->label));
		put(k, o, "file", text(s ? s->file : NULL));
		put(k, o, "line", count_if(s && s->line > 0, s ? (uint64_t)s->line : 0));
		put(k, o, "function", text(s ? s->function : NULL));
		put(k, o, "kind", json_string(wn_report_kind(place->kind)));
		push(k, list, o);
	}
	return list;
}

/* Writes the place of each finding of the report, by its row. */
static json_t *
finding_places(struct maker *k)
{
	const struct wn_report *r = k->v->r;
	json_t *list = json_array();
	for (size_t i = 0; i < r->n_findings; i++) {
		const struct wn_report_place *place = r->findings[i].place;
		push(k, list, count_if(place != NULL, (uint64_t)(place - r->places.items)));
	}
	return list;
}

/* Tests whether a grain is a better example of a finding than another. Small tasks: the highest
 * creation time; all others: the longest work. */
static bool
is_better(const struct wn_page_data *v, enum wn_rule rule, wn_grain id, wn_grain than)
{
	const struct wn_graph *g = v->g;
	bool is_small = rule == WN_RULE_SMALL_TASKS || rule == WN_RULE_SMALL_CHUNKS;
	uint32_t bit = UINT32_C(1) << WN_PROBLEM_PARALLEL_BENEFIT;
	if (is_small && !(v->m->problems[id] & bit))
		return false;
	if (than == WN_NO_GRAIN)
		return true;
	return is_small ? wn_creation_ns(g, id) > wn_creation_ns(g, than)
	                : wn_work_ns(g, id) > wn_work_ns(g, than);
}

/* For each finding, the node of the best example grain at its place; -1: none. */
static wn_status
find_exemplars(const struct wn_page_data *v, int64_t *node, wn_err *err)
{
	const struct wn_report *r = v->r;
	const struct wn_tree *t = v->tree;
	uint32_t *place_of_site = r->places.of_site;
	wn_grain *best = wn_calloc_none(r->n_findings);
	if (!best)
		return wn_no_memory(err);
	for (size_t f = 0; f < r->n_findings; f++)
		node[f] = -1;
	for (uint32_t i = 0; i < t->n && r->n_findings; i++) {
		uint32_t site = t->kind[i] == WN_TREE_GRAIN ? v->g->site[t->ref[i]] : WN_NO_SITE;
		if (site >= r->places.n_sites || place_of_site[site] == WN_NO_PLACE)
			continue;
		for (size_t f = 0; f < r->n_findings; f++)
			if (r->findings[f].place == &r->places.items[place_of_site[site]] &&
			    is_better(v, r->findings[f].finding.rule, t->ref[i], best[f])) {
				best[f] = t->ref[i];
				node[f] = i;
			}
	}
	wn_free(best);
	return WN_OK;
}

static json_t *
finding_nodes(struct maker *k)
{
	json_t *list = json_array();
	int64_t *node = wn_calloc(k->v->r->n_findings, sizeof *node);
	k->is_failed |= !node || find_exemplars(k->v, node, NULL) != WN_OK;
	for (size_t i = 0; i < k->v->r->n_findings && !k->is_failed; i++)
		push(k, list, count_if(node[i] >= 0, (uint64_t)node[i]));
	wn_free(node);
	return list;
}

static json_t *
labels(struct maker *k)
{
	json_t *list = json_array();
	for (uint32_t i = 0; i < k->v->n_labels; i++)
		push(k, list, text(wn_trace_name(k->v->g->trace, k->v->labels[i])));
	return list;
}

static json_t *
columns(struct maker *k)
{
	static const char *const types[] = {"ratio", "whole", "flag"};
	const struct wn_metrics *m = k->v->m;
	json_t *list = json_array();
	for (size_t i = 0; i < m->n_columns; i++) {
		const struct wn_column *c = &m->columns[i];
		bool is_user = i >= m->n_columns - m->n_user_columns;
		json_t *o = json_object(), *extra = json_null();
		for (uint32_t x = 0; x < k->v->n_extras; x++)
			if (k->v->extras[x] == c)
				extra = count(WN_COLUMN_EXTRA + x);
		put(k, o, "name", text(c->name));
		put(k, o, "unit", text(c->unit));
		put(k, o, is_user ? "expression" : "title", text(c->title));
		put(k, o, "bad", json_string(wn_bad_name(c->bad)));
		put(k, o, "propagate", json_string(wn_fold_name(c->fold)));
		put(k, o, "type", json_string(types[c->type]));
		put(k, o, "problem", count_if(c->problem >= 0, (uint64_t)(c->problem + 0)));
		put(k, o, "column", extra);
		push(k, list, o);
	}
	return list;
}

static json_t *
problems(struct maker *k)
{
	const struct wn_metrics *m = k->v->m;
	json_t *list = json_array();
	for (int p = 0; p < m->n_problems; p++) {
		const struct wn_problem_type *type = &m->problem_types[p];
		json_t *o = json_object();
		put(k, o, "name", text(type->name));
		put(k, o, "title", text(type->title));
		put(k, o, "is_below", json_boolean(type->is_below));
		put(k, o, "threshold", number(m->threshold[p]));
		put(k, o, "column", text(m->problem_column[p] ? m->problem_column[p]->name : NULL));
		put(k, o, "count", count_if(!m->problem[p].is_unknown, m->problem[p].count));
		push(k, list, o);
	}
	return list;
}

/* Writes minimum, mean and maximum, merging bins until they are few enough. */
static json_t *
profile(struct maker *k)
{
	const struct wn_metrics *m = k->v->m;
	json_t *o = json_object(), *least = json_array(), *mean = json_array(),
	       *most = json_array();
	size_t per_bin = (m->n_bins + PROFILE_BINS_MAX - 1) / PROFILE_BINS_MAX;
	for (size_t from = 0; from < m->n_bins; from += per_bin) {
		size_t n = m->n_bins - from < per_bin ? m->n_bins - from : per_bin;
		uint32_t min = UINT32_MAX, max = 0;
		uint64_t sum = 0;
		for (size_t i = from; i < from + n; i++) {
			min = m->profile[i] < min ? m->profile[i] : min;
			max = m->profile[i] > max ? m->profile[i] : max;
			sum += m->profile[i];
		}
		push(k, least, count(min));
		push(k, mean, number((double)sum / (double)n));
		push(k, most, count(max));
	}
	put(k, o, "bin_ns", number((double)m->bin_twice_ns / 2 * (double)per_bin));
	put(k, o, "min", least);
	put(k, o, "mean", mean);
	put(k, o, "max", most);
	return o;
}

static double
edge(size_t bin)
{
	uint64_t bits = (uint64_t)bin << 50;
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Writes the range from the first bin with a value to the last. */
static json_t *
histogram(struct maker *k, const char *column, const struct view_histogram *h)
{
	json_t *o = json_object(), *edges = json_array(), *counts = json_array();
	size_t from = 0, to = VIEW_HISTOGRAM_BINS;
	while (from < to && h->count[from] == 0)
		from++;
	while (to > from && h->count[to - 1] == 0)
		to--;
	for (size_t i = from; i < to; i++) {
		push(k, edges, number(edge(i)));
		push(k, counts, count(h->count[i]));
	}
	if (from < to)
		push(k, edges, number(edge(to)));
	put(k, o, "column", text(column));
	put(k, o, "missing", count(h->n_missing));
	put(k, o, "zero", count(h->n_zero));
	put(k, o, "negative", count(h->n_negative));
	put(k, o, "edges", edges);
	put(k, o, "counts", counts);
	return o;
}

static json_t *
histograms(struct maker *k)
{
	const struct wn_metrics *m = k->v->m;
	json_t *list = json_array();
	for (int p = 0; p < m->n_problems; p++)
		push(k, list,
		     histogram(k, m->problem_column[p] ? m->problem_column[p]->name : NULL,
		               &k->v->histograms[p]));
	for (int i = 0; i < VIEW_TIMES_N; i++)
		push(k, list, histogram(k, view_times[i], &k->v->histograms[m->n_problems + i]));
	return list;
}

static json_t *
bins(struct maker *k, const struct view_bins *b, uint32_t n_threads, const uint32_t *row_of)
{
	json_t *o = json_object(), *rows = json_null();
	put(k, o, "n_threads", count(b->n_rows));
	put(k, o, "n_bins", count(b->n));
	put(k, o, "bin_ns", count(b->ns));
	if (row_of && b->n_rows < n_threads) {
		rows = json_array();
		for (uint32_t i = 0; i < n_threads; i++)
			push(k, rows, count(row_of[i]));
	}
	put(k, o, "row_of_thread", rows);
	return o;
}

/* Number of places and groups kept of each list of a comparison. */
#define DIFF_TOP 200

static json_t *
diff(struct maker *k)
{
	json_t *o = NULL;
	if (!k->v->options.diff)
		return json_null();
	k->is_failed |= wn_diff_json(k->v->options.diff, DIFF_TOP, &o, NULL) != WN_OK;
	return o;
}

wn_status
view_make_index(struct wn_page_data *v, wn_err *err)
{
	struct maker k = {.v = v};
	json_t *report, *marks, *predicted;
	v->r->tree = v->tree;
	wn_status st = wn_report_json(v->r, &report, err);
	v->r->tree = NULL;
	if (st != WN_OK)
		return st;
	st = show_all(report) ? view_marks(v, &marks, err) : wn_no_memory(err);
	if (st == WN_OK && (st = view_predicted(v, &predicted, err)) != WN_OK)
		json_decref(marks);
	if (st != WN_OK) {
		json_decref(report);
		return st;
	}
	json_t *o = json_object();
	put(&k, o, "schema", json_string("winnow.grains/1"));
	put(&k, o, "report", report);
	put(&k, o, "diff", diff(&k));
	put(&k, o, "predicted", predicted ? predicted : json_null());
	put(&k, o, "marks", marks);
	put(&k, o, "places", places(&k));
	put(&k, o, "finding_places", finding_places(&k));
	put(&k, o, "finding_nodes", finding_nodes(&k));
	put(&k, o, "labels", labels(&k));
	put(&k, o, "columns", columns(&k));
	put(&k, o, "problems", problems(&k));
	put(&k, o, "n_cores", count(v->m->totals.n_cpus));
	put(&k, o, "profile", profile(&k));
	put(&k, o, "histograms", histograms(&k));
	put(&k, o, "threads", bins(&k, &v->bins, v->g->n_threads, v->row_of_thread));
	put(&k, o, "against",
	    v->reference_bins.n ? bins(&k, &v->reference_bins, 0, NULL) : json_null());
	v->index = o;
	return k.is_failed ? wn_no_memory(err) : WN_OK;
}
