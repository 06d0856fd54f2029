/* SPDX-License-Identifier: MIT */
/*
 * views.c - from an open trace to a document in memory, the ways that the command goes.
 */
#include "export/export.h"
#include "export/union.h"
#include "harness.h"
#include "metrics/define.h"
#include "report/diff.h"
#include "report/json.h"
#include "report/similar.h"
#include "report/text.h"
#include "well_formed.h"

#include <stdlib.h>
#include <string.h>

/* A document in the making. */
struct document {
	FILE *to;
	char *text;
	size_t n;
};

static void
document_open(struct document *d)
{
	*d = (struct document){0};
	d->to = open_memstream(&d->text, &d->n);
	if (!d->to)
		harness_give_up("a document", "no memory for it");
}

static void
document_close(struct document *d, wn_status st, const char *fault)
{
	if (st != WN_OK && st != WN_E_NOMEM)
		harness_give_up("a document", "it could not be written");
	if (st == WN_OK && fault)
		harness_give_up("a document", fault);
	if (d->n)
		harness_sum += (unsigned char)d->text[d->n / 2];
	free(d->text);
}

/* Building may fail for these reasons only. */
static bool
is_built(wn_status st)
{
	if (st != WN_OK && st != WN_E_EMPTY && st != WN_E_LIMIT && st != WN_E_NOMEM)
		harness_give_up("a graph or report", "it could not be built");
	return st == WN_OK;
}

/* All that happens, happens during the run. */
static void
bound(const struct wn_graph *g)
{
	struct wn_fragment f;
	uint64_t run_ns = g->last_ns - g->first_ns;
	/* an imported table knows no run, but no path is longer than all grains are together */
	for (wn_grain id = 0; g->imported && id < g->n; id++)
		run_ns +=
		    wn_work_ns(g, id) > wn_exec_ns(g, id) ? wn_work_ns(g, id) : wn_exec_ns(g, id);
	if (g->span_ns > run_ns)
		harness_give_up("a graph breaks a law", "the span is longer than the run");
	wn_fragments_begin(&g->fragments, &f);
	while (wn_fragments_next(&f))
		if (f.start_ns + f.ns > run_ns)
			harness_give_up("a graph breaks a law", "a fragment ends after the run");
}

/* Records may contradict one another unnoticed: only the laws of graphs of damaged traces can be
 * asked for. */
static void
prove(struct wn_graph *g)
{
	char text[128];
	wn_err err;
	g->anomalies.n_unmatched++;
	if (wn_graph_check(g, &err) == WN_E_INVARIANT)
		harness_give_up("a graph breaks a law", err.msg);
	g->anomalies.n_unmatched--;
	bound(g);
	uint32_t step = g->n / 64 + 1;
	for (wn_grain id = 0; id < g->n; id += step)
		if (g->kind[id] != WN_GRAIN_NONE)
			wn_graph_lineage(g, id, text, sizeof text);
}

/* A lean graph is the whole one with something left out. */
static void
compare(const struct wn_graph *lean, const struct wn_graph *whole)
{
	size_t n = whole->n;
	bool is_same = lean->n == n && lean->span_ns == whole->span_ns &&
	               lean->span_scheduled_ns == whole->span_scheduled_ns &&
	               lean->span_burdened_ns == whole->span_burdened_ns &&
	               lean->n_fjs == whole->n_fjs && lean->n_loops == whole->n_loops &&
	               lean->n_events == whole->n_events &&
	               memcmp(&lean->anomalies, &whole->anomalies, sizeof whole->anomalies) == 0;
	if (!is_same)
		harness_give_up("a lean graph", "differs from the whole one");
	is_same = memcmp(lean->kind, whole->kind, n * sizeof *whole->kind) == 0 &&
	          memcmp(lean->flags, whole->flags, n * sizeof *whole->flags) == 0 &&
	          memcmp(lean->fj, whole->fj, n * sizeof *whole->fj) == 0;
	for (wn_grain id = 0; is_same && id < n; id++)
		is_same = wn_work_ns(lean, id) == wn_work_ns(whole, id) &&
		          wn_sync_ns(lean, id) == wn_sync_ns(whole, id) &&
		          wn_creation_ns(lean, id) == wn_creation_ns(whole, id);
	if (!is_same)
		harness_give_up("a lean graph", "has other grains than the whole one");
}

static void
present_text(const struct wn_report *r, unsigned view)
{
	struct wn_text_style style = {.width = WN_TEXT_WIDTH_MIN};
	struct document d;
	wn_err err;
	if (view & VIEW_RAW) {
		style.is_raw = true;
		style.n_top = 100;
	}
	if (view & VIEW_TERMINAL) {
		style.width = WN_TEXT_WIDTH_MAX;
		style.is_coloured = style.is_utf8 = true;
	}
	document_open(&d);
	wn_status st = wn_report_text(r, &style, d.to, &err);
	fclose(d.to);
	document_close(&d, st, st == WN_OK ? well_formed_text(d.text, d.n, &style) : NULL);
}

static void
present_json(const struct wn_report *r)
{
	struct document d;
	json_t *json;
	wn_err err;
	if (wn_report_json(r, &json, &err) != WN_OK)
		harness_give_up("a report", err.msg);
	document_open(&d);
	wn_status st = wn_report_json_write(json, d.to, &err);
	json_decref(json);
	fclose(d.to);
	document_close(&d, st, st == WN_OK ? well_formed_json(d.text, d.n) : NULL);
}

/* Metrics of a user, over columns of all kinds. */
static void
define(struct wn_metric_defs *defs, struct wn_options *options)
{
	static const char text[] = "metric cost = (creation_ns + sync_ns + locked_ns) / exec_ns\n"
				   "bad high\n"
				   "threshold 10%\n"
				   "metric wide = inst_par_median / run.cpus_used\n"
				   "bad low\n"
				   "threshold 1\n"
				   "metric odd = kind == chunk ? range_first % 2 : parent ^ cost\n";
	wn_err err;
	if (wn_metric_defs_read(defs, "text", text, sizeof text - 1, options, &err) != WN_OK)
		harness_give_up("metrics", err.msg);
	options->metrics = defs;
}

static void
present_union(const struct wn_diff *d)
{
	struct wn_union u = {.changes = &d->changes};
	struct wn_export *x;
	struct document doc;
	wn_err err;
	if (!is_built(wn_export_new(d->run[0]->graph, WN_FORM_REDUCED, &x, &err)))
		return;
	u.x[0] = u.x[1] = x;
	if (wn_union_nodes(&u) <= HARNESS_NODES_MAX) {
		document_open(&doc);
		wn_status st = wn_export_union(&u, doc.to, &err);
		fclose(doc.to);
		document_close(&doc, st, st == WN_OK ? well_formed_xml(doc.text, doc.n) : NULL);
		document_open(&doc);
		st = wn_export_union_csv(&u, doc.to, &err);
		fclose(doc.to);
		document_close(&doc, st, st == WN_OK ? well_formed_csv(doc.text, doc.n) : NULL);
	}
	wn_export_free(x);
}

static void
present_diff(struct wn_diff *d)
{
	struct wn_text_style style = {.width = WN_TEXT_WIDTH_MIN, .n_top = 100};
	struct document doc;
	json_t *json;
	wn_err err;
	if (wn_diff_find_similarity(d, 2, &err) != WN_OK)
		harness_give_up("similarity", err.msg);
	document_open(&doc);
	wn_status st = wn_diff_text(d, &style, doc.to, &err);
	fclose(doc.to);
	document_close(&doc, st, st == WN_OK ? well_formed_text(doc.text, doc.n, &style) : NULL);
	if (wn_diff_json(d, 3, &json, &err) != WN_OK)
		harness_give_up("a comparison", err.msg);
	document_open(&doc);
	st = wn_report_json_write(json, doc.to, &err);
	json_decref(json);
	fclose(doc.to);
	document_close(&doc, st, st == WN_OK ? well_formed_json(doc.text, doc.n) : NULL);
	present_union(d);
}

static void
present_alike(const struct wn_graph *g)
{
	struct wn_text_style style = {.width = WN_TEXT_WIDTH_MIN, .n_top = 100};
	struct wn_similar_options options = {WN_NO_TREE_NODE, 2};
	struct wn_tree *t;
	struct wn_similar *s;
	struct document doc;
	wn_err err;
	if (!is_built(wn_tree_build(g, 1, &t, &err)))
		return;
	if (t->n > 0 && t->kind[0] != WN_TREE_GRAIN && t->kind[0] != WN_TREE_SIBLING)
		options.group = WN_TREE_ROOT;
	if (wn_similar_build(t, &options, &s, &err) != WN_OK)
		harness_give_up("groups of one shape", err.msg);
	document_open(&doc);
	wn_status st = wn_similar_text(s, &style, doc.to, &err);
	fclose(doc.to);
	document_close(&doc, st, st == WN_OK ? well_formed_text(doc.text, doc.n, &style) : NULL);
	wn_similar_free(s);
	wn_tree_free(t);
}

/* A run does not differ from itself. */
static void
compare_with_itself(struct wn_trace *trace)
{
	struct wn_options options = wn_options_default();
	struct wn_report *r;
	struct wn_diff *d;
	wn_err err;
	options.needs_whole_graph = true;
	if (!is_built(wn_report_build(trace, &options, &r, &err)))
		return;
	if (is_built(wn_diff_build(r, r, NULL, &d, &err))) {
		if (!d->changes.is_same || d->changes.n || d->n_only[0] || d->n_only[1])
			harness_give_up("a comparison", "a run differs from itself");
		present_diff(d);
		wn_diff_free(d);
	}
	present_alike(r->graph);
	wn_report_free(r);
}

static void
report(struct wn_trace *trace, unsigned view)
{
	struct wn_options options = wn_options_default();
	struct wn_metric_defs defs = {0};
	struct wn_report *r;
	struct wn_graph *whole;
	wn_err err;
	options.compat = options.pb_exec = view & VIEW_COMPAT;
	if (view & VIEW_COMPAT)
		define(&defs, &options);
	if (!is_built(wn_report_build(trace, &options, &r, &err))) {
		wn_metric_defs_fini(&defs);
		return;
	}
	bound(r->graph);
	if ((view & VIEW_MASK) != VIEW_TEXT && view & VIEW_RAW)
		compare_with_itself(trace);
	if (is_built(wn_graph_build(trace, &whole, &err))) {
		prove(whole);
		if (options.compat && wn_graph_join_at_chunks(whole, &err) != WN_OK)
			harness_give_up("joins at chunks", err.msg);
		compare(r->graph, whole);
		wn_graph_free(whole);
	}
	if ((view & VIEW_MASK) == VIEW_TEXT)
		present_text(r, view);
	else
		present_json(r);
	wn_report_free(r);
	wn_metric_defs_fini(&defs);
}

/* How each view is written and checked; reports have another way. */
static const struct format {
	enum wn_form form;
	wn_status (*write)(const struct wn_export *x, FILE *to, wn_err *err);
	const char *(*check)(const char *text, size_t n);
} formats[VIEW_MASK + 1] = {
    [VIEW_GRAPHML] = {WN_FORM_REDUCED, wn_export_graphml, well_formed_xml},
    [VIEW_GRAPHML_FRAGMENTS] = {WN_FORM_FRAGMENTS, wn_export_graphml, well_formed_xml},
    [VIEW_DOT] = {WN_FORM_REDUCED, wn_export_dot, well_formed_dot},
    [VIEW_DOT_FRAGMENTS] = {WN_FORM_FRAGMENTS, wn_export_dot, well_formed_dot},
    [VIEW_SVG] = {WN_FORM_REDUCED, wn_export_svg, well_formed_xml},
    [VIEW_CSV] = {WN_FORM_REDUCED, wn_export_csv, well_formed_csv},
};

static void export(const struct wn_graph *g, const struct format *format, unsigned view)
{
	struct wn_options options = wn_options_default();
	struct wn_metric_defs defs = {0};
	struct document d;
	struct wn_export *x;
	uint64_t n_nodes, n_edges;
	wn_err err;
	if (!is_built(wn_export_new(g, format->form, &x, &err)))
		return;
	if (view & VIEW_COMPAT) {
		define(&defs, &options);
		x->options = &options;
	}
	wn_draw_count(x->draw, &n_nodes, &n_edges);
	if (n_nodes <= HARNESS_NODES_MAX) {
		document_open(&d);
		wn_status st = format->write(x, d.to, &err);
		fclose(d.to);
		document_close(&d, st, st == WN_OK ? format->check(d.text, d.n) : NULL);
	}
	wn_export_free(x);
	wn_metric_defs_fini(&defs);
}

void
views_run(struct wn_trace *trace, unsigned view)
{
	const struct format *format = &formats[view & VIEW_MASK];
	struct wn_graph *graph;
	wn_err err;
	if (!format->write) {
		report(trace, view);
	} else if (is_built(wn_graph_build(trace, &graph, &err))) {
		prove(graph);
		export(graph, format, view);
		wn_graph_free(graph);
	}
}
