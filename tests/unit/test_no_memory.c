/* SPDX-License-Identifier: MIT */
/*
 * test_no_memory.c - every allocation of opening a trace, building its graph, proving it and
 * deriving metrics is made to fail once. Each time the answer is WN_E_NOMEM, and nothing stays
 * allocated.
 */
#include "tests/format/sample.h"
#include "tests/property/emit.h"

#include "base/mem.h"
#include "compare/carry.h"
#include "graph/graph.h"
#include "metrics/define.h"
#include "metrics/summary.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

struct outcome {
	wn_status opened, built, checked, lean, weighed;
	long n_left;
};

/* What a report does first. */
static wn_status
attempt_lean(struct wn_trace *trace)
{
	static const char text[] = "metric a = work_ns\nmetric b = a / 2\nbad low\nthreshold 1";
	struct wn_graph *graph = NULL;
	struct wn_metrics *metrics = NULL;
	struct wn_metric_defs defs = {0};
	struct wn_options options = wn_options_default();
	struct wn_summary summary;
	wn_status st = wn_metric_defs_read(&defs, "file", text, strlen(text), &options, NULL);
	options.metrics = &defs;
	if (st == WN_OK)
		st = wn_graph_build_as(trace, WN_DETAIL_REPORT, &graph, NULL);
	if (st == WN_OK)
		st = wn_metrics_build(graph, &options, &metrics, NULL);
	if (st == WN_OK)
		st = wn_summarise(metrics, &metrics->columns[metrics->n_columns - 1], &summary,
		                  NULL);
	wn_metrics_free(metrics);
	wn_graph_free(graph);
	wn_metric_defs_fini(&defs);
	return st;
}

/* Paths by other weights, and by what the same run, read again, has counted. */
static wn_status
attempt_weights(struct wn_trace *trace, const void *bytes, size_t size_bytes)
{
	struct wn_trace *other = NULL;
	struct wn_graph *graph = NULL, *counts = NULL;
	wn_err err;
	wn_status st = wn_trace_open_bytes(bytes, size_bytes, &other, &err);
	if (st == WN_OK)
		st = wn_graph_build(trace, &graph, &err);
	if (st == WN_OK)
		st = wn_graph_build(other, &counts, &err);
	for (size_t i = 0; st == WN_OK && i < graph->n_counts; i++) {
		wn_free(graph->counts[i].own);
		wn_free(graph->counts[i].is_unknown);
		graph->counts[i] = (struct wn_counts){0};
	}
	if (st == WN_OK && graph->n_counts)
		st = wn_carry(graph, counts, "steps", &err);
	if (st == WN_OK)
		st = wn_graph_use_weight(graph, "time", &err);
	if (st == WN_OK)
		st = wn_graph_use_weight(graph, "work", &err);
	wn_graph_free(graph);
	wn_graph_free(counts);
	wn_trace_close(other);
	return st;
}

static struct outcome
attempt(const void *bytes, size_t size_bytes, long fail_at)
{
	struct outcome o = {WN_OK, WN_OK, WN_OK, WN_OK, WN_OK, 0};
	struct wn_trace *trace;
	struct wn_graph *graph;
	wn_err err;
	wn_mem_fail_after(fail_at);
	o.opened = wn_trace_open_bytes(bytes, size_bytes, &trace, &err);
	if (o.opened == WN_OK) {
		o.built = wn_graph_build(trace, &graph, &err);
		if (o.built == WN_OK) {
			o.checked = wn_graph_check(graph, &err);
			wn_graph_free(graph);
			if (o.checked == WN_OK)
				o.lean = attempt_lean(trace);
			if (o.lean == WN_OK && o.checked == WN_OK)
				o.weighed = attempt_weights(trace, bytes, size_bytes);
		}
		wn_trace_close(trace);
	}
	wn_mem_fail_after(-1);
	o.n_left = wn_mem_live();
	return o;
}

static bool
is_all_well(const struct outcome *o)
{
	return o->opened == WN_OK && o->built == WN_OK && o->checked == WN_OK && o->lean == WN_OK &&
	       o->weighed == WN_OK;
}

static void
starve(const void *bytes, size_t size_bytes, const char *what)
{
	long n = 0, n_bad = 0;
	for (;; n++) {
		struct outcome o = attempt(bytes, size_bytes, n);
		wn_status st = o.opened != WN_OK    ? o.opened
		               : o.built != WN_OK   ? o.built
		               : o.checked != WN_OK ? o.checked
		               : o.lean != WN_OK    ? o.lean
		                                    : o.weighed;
		if (o.n_left != 0 || (st != WN_OK && st != WN_E_NOMEM)) {
			note("allocation %ld: status %d, %ld blocks left", n, (int)st, o.n_left);
			n_bad++;
		}
		if (st == WN_OK)
			break;
	}
	ok(n_bad == 0, "%s: each of %ld allocations may fail", what, n);
	struct outcome o = attempt(bytes, size_bytes, -1);
	ok(is_all_well(&o) && o.n_left == 0, "%s: and with memory all is well", what);
}

int
main(void)
{
	struct sample sample;
	sample_make(&sample);
	starve(sample.bytes, SAMPLE_BYTES, "the sample");
	sample_free(&sample);
	for (uint64_t seed = 1; seed <= 12; seed++) {
		static struct program p;
		static struct sim s;
		struct program_shape shape = {
		    .size = 40, .has_clauses = seed % 3 != 0, .has_more = seed & 1};
		struct sim_mode mode = {.is_switching = seed & 1, .is_late = seed & 2};
		struct emit_options options;
		char what[32];
		program_make(&p, seed, &shape);
		simulate(&s, &p, seed, &mode);
		emit_options_init(&options, seed);
		options.has_counter = true;
		struct emitted file = emit(&s, &options);
		snprintf(what, sizeof what, "program %d", (int)seed);
		starve(file.bytes, file.size_bytes, what);
		free(file.bytes);
		sim_free(&s);
	}
	return done();
}
