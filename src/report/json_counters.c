/* SPDX-License-Identifier: MIT */
/*
 * json_counters.c - counter values by where they were counted: in grains, in the runtime,
 * elsewhere.
 */
#include "report/json_private.h"
#include "report/weight.h"

/* Counts in own work of grains as the papers define them; contexts run code outside of regions. */
static void
sum_own(const struct wn_graph *g, const struct wn_counts *c, uint64_t *grains, uint64_t *serial,
        uint64_t *n_unknown)
{
	*grains = *serial = *n_unknown = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		if (wn_is_grain(g, id)) {
			*grains += c->own[id];
			*n_unknown += wn_count_is_unknown(c, id);
		} else if (g->kind[id] == WN_GRAIN_INITIAL) {
			*serial += c->own[id];
		}
	}
}

static json_t *
json_counter(struct json_maker *j, const struct wn_counts *c)
{
	const struct wn_graph *g = j->r->graph;
	const uint64_t *sum = c->sum;
	uint64_t grains, serial, n_unknown;
	json_t *o = json_object();
	sum_own(g, c, &grains, &serial, &n_unknown);
	json_put(j, o, "name", json_text(c->name));
	json_put(j, o, "unit", json_text(c->unit));
	json_put(j, o, "by", json_text(c->by));
	json_put(j, o, "carried", json_boolean(c->is_carried));
	json_put(j, o, "threads", json_count(c->n_threads));
	json_put(j, o, "running_share",
	         json_ratio(c->enabled_ns ? (double)c->running_ns / (double)c->enabled_ns : 1));
	json_put(j, o, "total", json_count_if(!c->is_carried, c->total));
	json_put(j, o, "grains", json_count(grains));
	json_put(j, o, "implicit", json_count(sum[WN_ACCOUNT_OWN] - grains - serial));
	json_put(j, o, "serial", json_count(serial));
	json_put(j, o, "creation", json_count_if(!c->is_carried, sum[WN_ACCOUNT_CREATION]));
	json_put(j, o, "waiting", json_count_if(!c->is_carried, sum[WN_ACCOUNT_WAITING]));
	json_put(j, o, "dispatch", json_count_if(!c->is_carried, sum[WN_ACCOUNT_DISPATCH]));
	json_put(j, o, "forking", json_count_if(!c->is_carried, sum[WN_ACCOUNT_FORKING]));
	json_put(j, o, "mutex", json_count_if(!c->is_carried, sum[WN_ACCOUNT_LOCKED]));
	json_put(j, o, "outside",
	         json_count_if(!c->is_carried, sum[WN_ACCOUNT_OUTSIDE] + sum[WN_ACCOUNT_PAUSED]));
	json_put(j, o, "lost", json_count_if(!c->is_carried, sum[WN_ACCOUNT_LOST]));
	json_put(j, o, "grains_unknown", json_count(n_unknown));
	return o;
}

json_t *
json_counters(struct json_maker *j)
{
	const struct wn_graph *g = j->r->graph;
	json_t *list = json_array();
	for (size_t i = 0; i < g->n_counts; i++)
		if (g->counts[i].name)
			json_push(j, list, json_counter(j, &g->counts[i]));
	return list;
}

json_t *
json_counter_ratios(struct json_maker *j)
{
	struct wn_counted_ratio ratios[WN_COUNTED_RATIOS_MAX];
	size_t n = wn_metrics_ratios(j->r->metrics, ratios);
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++) {
		json_t *o = json_object();
		json_put(j, o, "name", json_text(ratios[i].name));
		json_put(j, o, "grains", json_ratio(ratios[i].of_grains));
		json_put(j, o, "total", json_ratio(ratios[i].of_all));
		json_push(j, list, o);
	}
	return list;
}

json_t *
json_carried(struct json_maker *j, const struct wn_carried *c, const char *file)
{
	char note[WN_CARRIED_BYTES];
	if (!c)
		return json_null();
	json_t *o = json_object();
	json_put(j, o, "file", json_text(file));
	json_put(j, o, "by", json_text(c->by));
	json_put(j, o, "threads", json_count(c->n_threads));
	json_put(j, o, "matched", json_count(c->n_matched));
	json_put(j, o, "without_counts", json_count(c->n_without_counts));
	json_put(j, o, "without_grains", json_count(c->n_without_grains));
	json_put(j, o, "first_without_counts",
	         json_text(c->n_without_counts ? c->first_without_counts : NULL));
	json_put(j, o, "first_without_grains",
	         json_text(c->n_without_grains ? c->first_without_grains : NULL));
	json_put(j, o, "divided", json_count(c->n_divided));
	json_put(j, o, "by_order", json_count(c->n_by_order));
	json_put(j, o, "other_build", json_boolean(c->is_other_build));
	json_put(j, o, "note", json_text(report_carried(c, note)));
	return o;
}
