/* SPDX-License-Identifier: MIT */
/* text_counters.c - counter values in grains and in the runtime, and the metrics derived from them
 * over all grains. */
#include "report/text_private.h"
#include "report/text_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t
of_grains(const struct wn_graph *g, const struct wn_counts *c)
{
	uint64_t sum = 0;
	for (wn_grain id = 0; id < g->n; id++)
		sum += wn_is_grain(g, id) ? c->own[id] : 0;
	return sum;
}

static const char *
amount(const struct wn_counts *c, uint64_t n, bool is_raw, char out[UNITS_BYTES])
{
	return strcmp(c->unit, "ns") == 0 ? units_time(n, is_raw, out) : units_count(n, out);
}

/* Creation of tasks and regions, chunk dispatch, waits. */
static uint64_t
of_runtime(const struct wn_counts *c)
{
	return c->sum[WN_ACCOUNT_CREATION] + c->sum[WN_ACCOUNT_WAITING] +
	       c->sum[WN_ACCOUNT_DISPATCH] + c->sum[WN_ACCOUNT_FORKING] + c->sum[WN_ACCOUNT_LOCKED];
}

static void
add_counter(struct table *table, const struct terminal *s, const struct wn_graph *g,
            const struct wn_counts *c)
{
	char text[UNITS_BYTES];
	bool is_raw = s->style.is_raw;
	uint64_t grains = of_grains(g, c);
	table_add(table, "%s%s%s", c->name, is_raw && *c->unit ? ", " : "", is_raw ? c->unit : "");
	table_add(table, "%s", amount(c, grains, is_raw, text));
	table_add(table, "%s", c->is_carried ? "-" : units_percent(grains, c->total, text));
	table_add(table, "%s", c->is_carried ? "-" : units_percent(of_runtime(c), c->total, text));
	table_add(table, "%s", c->is_carried ? "-" : amount(c, c->total, is_raw, text));
	if (c->enabled_ns > c->running_ns)
		table_add(table, "%s", units_percent(c->running_ns, c->enabled_ns, text));
	else
		table_add(table, "%s", "");
	table_add(table, "%s", c->by);
}

static void
add_ratios(struct terminal *s, const struct wn_report *r)
{
	static const struct text_widths widths = {20, 10};
	struct wn_counted_ratio ratios[WN_COUNTED_RATIOS_MAX];
	size_t n = wn_metrics_ratios(r->metrics, ratios);
	char text[256], grains[UNITS_BYTES], all[UNITS_BYTES];
	for (size_t i = 0; i < n; i++) {
		const struct wn_counted_ratio *q = &ratios[i];
		if (isnan(q->of_grains))
			continue;
		int used = snprintf(text, sizeof text, "%s, in grains", q->title);
		if (!isnan(q->of_all))
			snprintf(text + used, sizeof text - (size_t)used, "; %s in all",
			         units_ratio(q->of_all, all));
		text_row(s, &widths, q->name, units_ratio(q->of_grains, grains), text);
	}
}

void
text_counters(struct terminal *s, const struct wn_report *r)
{
	static const struct table_column columns[] = {
	    {"counter", false, 14, STYLE_PLACE}, {"in grains", true, 0, STYLE_PLAIN},
	    {"of all", true, 0, STYLE_PLAIN},    {"runtime", true, 0, STYLE_PLAIN},
	    {"in all", true, 0, STYLE_PLAIN},    {"had its turn", true, 0, STYLE_BAD},
	    {"by", false, 8, STYLE_FAINT},
	};
	const struct wn_graph *g = r->graph;
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	for (size_t i = 0; i < g->n_counts; i++)
		if (g->counts[i].name)
			add_counter(&table, s, g, &g->counts[i]);
	if (table.n_rows == 0)
		return;
	text_title(s, "Counters");
	table_print(&table, s);
	add_ratios(s, r);
}
