/* SPDX-License-Identifier: MIT */
/* json_counters.c - counter values by where they were counted: in grains, in the runtime,
 * elsewhere. */
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
#define KEYS_OF_COUNTERS
#include "report/keys.def"
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
		const struct wn_counted_ratio *ratio = &ratios[i];
		json_t *o = json_object();
#define KEYS_OF_COUNTER_RATIOS
#include "report/keys.def"
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
#define KEYS_OF_COUNTS
#include "report/keys.def"
	return o;
}
