/* SPDX-License-Identifier: MIT */
#include "report/characterize.h"
#include "report/json_private.h"
#include "report/properties.h"

#include <math.h>

static json_t *
json_numbers(struct json_maker *j, const double *values, size_t n, size_t stride)
{
	json_t *array = json_array();
	for (size_t i = 0; i < n; i++)
		json_push(j, array, json_ratio(values[i * stride]));
	return array;
}

static json_t *
json_left(uint8_t why)
{
	return why == WN_USED           ? json_null()
	       : why == WN_LEFT_MISSING ? json_string("missing")
	                                : json_string("constant");
}

static json_t *
json_unless_empty(const char *text)
{
	return json_text(*text ? text : NULL);
}

static json_t *
json_case(struct json_maker *j, const struct wn_characterize_view *v, size_t i, size_t used)
{
	const struct wn_characterization *r = v->result;
	const struct wn_cases *c = r->cases;
	const struct wn_case_counts nobody = {.file = NULL},
				    *counts = v->counts ? &v->counts[i] : &nobody;
	bool is_used = r->left_case[i] == WN_USED && r->none == WN_ANALYSED;
	json_t *o = json_object(), *values = json_object();
	json_put(j, o, "name", json_text(c->names[i]));
	json_put(j, o, "file", json_text(v->files ? v->files[i] : NULL));
	json_put(j, o, "counts",
	         counts->file ? json_carried(j, &counts->carried, counts->file) : json_null());
	json_put(j, o, "counted_by", json_unless_empty(counts->by));
	json_put(j, o, "emulator", json_unless_empty(counts->emulator));
	json_put(j, o, "not_counted", json_unless_empty(counts->missing));
	json_put(j, o, "left_out", json_left(r->left_case[i]));
	json_put(j, o, "lacks",
	         json_text(r->left_case[i] == WN_USED ? NULL : c->variables[r->missing[i]]));
	for (size_t k = 0; k < c->n_variables; k++) {
		json_t *key =
		    json_text(c->variables[k]); /* a key must be UTF-8; a name may be anything */
		json_put(j, values, key ? json_string_value(key) : "",
		         json_ratio(wn_cases_at(c, i, k)));
		json_decref(key);
	}
	json_put(j, o, "properties", values);
	json_put(j, o, "parallelism", json_ratio(wn_exposed_parallelism(c, i)));
	json_put(j, o, "cluster", json_count_if(is_used, is_used ? r->cluster[used] + 1 : 0));
	json_put(j, o, "scores",
	         is_used ? json_numbers(j, r->pca.scores + used, r->pca.n_components, r->n)
	                 : json_null());
	return o;
}

static json_t *
json_variable(struct json_maker *j, const struct wn_characterization *r, size_t k, size_t used)
{
	json_t *o = json_object();
	const char *name = r->cases->variables[k];
	enum wn_property p = wn_property_named(name);
	bool is_used = r->left_variable[k] == WN_USED && r->none == WN_ANALYSED;
	json_put(j, o, "name", json_text(name));
	json_put(j, o, "title", json_text(p < WN_PROPERTY_N ? wn_property_names[p].title : NULL));
	json_put(j, o, "left_out", json_left(r->left_variable[k]));
	json_put(j, o, "mean", json_ratio(is_used ? r->mean[used] : (double)NAN));
	json_put(j, o, "sd", json_ratio(is_used ? r->sd[used] : (double)NAN));
	json_put(j, o, "loadings",
	         is_used
	             ? json_numbers(j, r->pca.loadings + used, r->pca.n_components, r->n_variables)
	             : json_null());
	return o;
}

static json_t *
json_components(struct json_maker *j, const struct wn_characterization *r)
{
	json_t *array = json_array();
	for (size_t k = 0; k < r->pca.n_components; k++) {
		json_t *o = json_object();
		char text[WN_MEANING_BYTES];
		snprintf(text, sizeof text, "PC%zu", k + 1);
		json_put(j, o, "name", json_string(text));
		json_put(j, o, "sd", json_ratio(r->pca.sd[k]));
		json_put(j, o, "share", json_ratio(r->pca.share[k]));
		json_put(j, o, "cumulative", json_ratio(r->pca.cumulative[k]));
		json_put(j, o, "kept", json_boolean(k < r->n_kept));
		wn_component_meaning(r, k, text);
		json_put(j, o, "meaning", json_text(text));
		json_push(j, array, o);
	}
	return array;
}

static json_t *
json_clusters(struct json_maker *j, const struct wn_characterization *r)
{
	json_t *array = json_array();
	for (size_t k = 0; k < r->n_clusters; k++) {
		json_t *o = json_object(), *names = json_array();
		char text[WN_MEANING_BYTES];
		wn_cluster_meaning(r, k, text);
		for (size_t i = 0; i < r->n; i++)
			if (r->cluster[i] == k)
				json_push(j, names, json_text(r->cases->names[r->case_of[i]]));
		json_put(j, o, "cluster", json_count(k + 1));
		json_put(j, o, "meaning", json_text(text));
		json_put(j, o, "members", names);
		json_push(j, array, o);
	}
	return array;
}

static json_t *
json_tree(struct json_maker *j, const struct wn_characterization *r)
{
	json_t *o = json_object(), *merges = json_array(), *order = json_array();
	for (size_t i = 0; i + 1 < r->n; i++) {
		json_t *merge = json_object();
		json_put(j, merge, "a", json_integer(r->merges[i].a));
		json_put(j, merge, "b", json_integer(r->merges[i].b));
		json_put(j, merge, "height", json_ratio(r->merges[i].height));
		json_push(j, merges, merge);
	}
	for (size_t i = 0; i < r->n; i++)
		json_push(j, order, json_text(r->cases->names[r->case_of[r->order[i]]]));
	json_put(j, o, "method", json_string(r->ward == WN_WARD_D ? "ward.D" : "ward.D2"));
	json_put(j, o, "merges", merges);
	json_put(j, o, "order", order);
	return o;
}

static json_t *
json_validation(struct json_maker *j, const struct wn_characterization *r)
{
	const struct wn_crossval *c = &r->crossval;
	if (!r->is_validated || c->n == 0)
		return json_null();
	json_t *o = json_object();
	json_put(j, o, "errors", json_numbers(j, c->error, c->n, 1));
	json_put(j, o, "best", json_count(c->best));
	json_put(j, o, "unsettled", json_count(c->n_unsettled));
	return o;
}

wn_status
wn_characterize_json(const struct wn_characterize_view *v, json_t **out, wn_err *err)
{
	static const char *const analyses[] = {
	    [WN_ANALYSED] = "done",
	    [WN_TOO_FEW_CASES] = "too few cases",
	    [WN_TOO_FEW_VARIABLES] = "nothing differs",
	};
	const struct wn_characterization *r = v->result;
	bool is_done = r->none == WN_ANALYSED;
	struct json_maker j = {0};
	json_t *o = json_object(), *cases = json_array(), *variables = json_array();
	json_put(&j, o, "schema", json_string("winnow.characterize/1"));
	json_put(&j, o, "analysis", json_string(analyses[r->none]));
	json_put(&j, o, "weight", json_text(v->weight));
	json_put(&j, o, "keep", json_ratio(r->keep));
	json_put(&j, o, "kept", json_count_if(is_done, r->n_kept));
	for (size_t i = 0, used = 0; i < r->cases->n; i++) {
		json_push(&j, cases, json_case(&j, v, i, used));
		used += r->left_case[i] == WN_USED;
	}
	for (size_t k = 0, used = 0; k < r->cases->n_variables; k++) {
		json_push(&j, variables, json_variable(&j, r, k, used));
		used += r->left_variable[k] == WN_USED;
	}
	json_put(&j, o, "cases", cases);
	json_put(&j, o, "properties", variables);
	json_put(&j, o, "components", is_done ? json_components(&j, r) : json_null());
	json_put(&j, o, "clusters", is_done ? json_clusters(&j, r) : json_null());
	json_put(&j, o, "tree", is_done ? json_tree(&j, r) : json_null());
	json_put(&j, o, "cross_validation", is_done ? json_validation(&j, r) : json_null());
	return json_finish(&j, o, out, err);
}
