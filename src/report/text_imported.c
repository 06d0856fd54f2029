/* SPDX-License-Identifier: MIT */
/* text_imported.c - the text for an imported table: its work and its available parallelism. Cycles
 * are printed as they are, as the clock frequency is unknown. */
#include "report/text_private.h"

#include "base/plural.h"

#include <inttypes.h>
#include <string.h>

static const struct text_widths widths = {20, 18};

static void
add_path(struct terminal *s, const struct wn_report *r)
{
	char value[UNITS_BYTES], text[200];
	const struct wn_graph *g = r->graph;
	uint64_t n = 0;
	for (wn_grain id = 0; id < g->n; id++)
		n += wn_is_grain(g, id) && g->flags[id] & WN_GF_CRITICAL;
	snprintf(text, sizeof text, "grains of %" PRIu64 " are on it%s",
	         r->metrics->totals.n_grains,
	         g->imported->is_fragments ? ", wholly or in part" : "");
	text_row(s, &widths, "critical path", units_count(n, value), text);
	if (g->imported->is_fragments)
		text_row(s, &widths, "", units_count(g->imported->n_critical_fragments, value),
		         "fragments are on it");
}

/* Prints the other form in one row. */
static void
add_fragments(struct terminal *s, const struct wn_report *r)
{
	char a[UNITS_BYTES], b[UNITS_BYTES], text[200];
	const struct wn_imported *i = r->graph->imported;
	if (i->is_fragments || !i->has_fragments)
		return;
	snprintf(text, sizeof text,
	         "span of fragments, by execution time, with %s fragments on it; --form fragments",
	         units_count(i->n_critical_fragments, b));
	text_row(s, &widths, "span of fragments",
	         units_time(i->span_fragments_ns, s->style.is_raw, a), text);
}

void
text_imported_verdict(struct terminal *s, const struct wn_report *r)
{
	char a[UNITS_BYTES], b[UNITS_BYTES];
	const struct wn_metrics *m = r->metrics;
	int worst = 0;
	for (int p = 1; p < m->n_problems; p++)
		if (m->problem[p].count > m->problem[worst].count)
			worst = p;
	if (m->problem[worst].count == 0)
		terminal_add(s, STYLE_GOOD, "No problem grains found.");
	else
		terminal_wrap(s, STYLE_BAD, 0, "Worst: %s of %s grains %s.",
		              units_count(m->problem[worst].count, a),
		              units_count(m->totals.n_grains, b), m->problem_types[worst].title);
	terminal_end(s);
}

void
text_imported(struct terminal *s, const struct wn_report *r, bool is_verdict_last)
{
	char a[UNITS_BYTES], b[UNITS_BYTES], by[80], sum[100];
	const struct wn_totals *t = &r->metrics->totals;
	bool is_raw = s->style.is_raw, is_fragments = r->graph->imported->is_fragments;
	int room = s->style.width / 2, columns = terminal_columns(s, r->command);
	terminal_left(s, STYLE_TITLE, columns < room ? columns : room, r->command);
	terminal_line(s, STYLE_PLAIN, ": imported, %s grain%s on %s CPU%s.",
	              units_count(t->n_grains, a), wn_plural(t->n_grains),
	              units_count(t->n_cpus, b), wn_plural(t->n_cpus));
	if (!wn_report_is_complete(r)) {
		terminal_line(s, STYLE_BAD,
		              "Not all of the file could be used: see \"Limitations of this "
		              "recording\" below.");
	}
	if (!is_verdict_last)
		text_imported_verdict(s, r);
	snprintf(by, sizeof by, "%.60s", r->graph->path ? r->graph->path->name : "work");
	snprintf(sum, sizeof sum, "%.60s of all grains", by);
	text_title(s, "Parallelism (%s%s%s)",
	           is_fragments ? "fragments, by execution time" : "reduced graph, by ",
	           is_fragments ? "" : by,
	           !is_raw                                          ? ""
	           : strcmp(wn_trace_unit(r->trace), "cycles") == 0 ? "; times in cycles"
	                                                            : "; times in ns");
	text_row(s, &widths, "work", units_time(t->work_ns, is_raw, a),
	         is_fragments     ? "execution time of all grains"
	         : r->graph->path ? sum
	                          : "total work of all grains");
	text_row(s, &widths, "span", units_time(t->span_ns, is_raw, a),
	         "the longest path through the graph");
	text_row(s, &widths, "work / span", units_ratio(t->parallelism, a), "average parallelism");
	add_path(s, r);
	add_fragments(s, r);
}
