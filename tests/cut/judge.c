/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include "aggregate/check.h"
#include "aggregate/tree.h"
#include "base/mem.h"
#include "graph/graph.h"
#include "report/json.h"
#include "report/report.h"
#include "report/text.h"

#include <stdio.h>
#include <stdlib.h>

static char fault[400];

static const char *
say(const char *what, const char *why)
{
	snprintf(fault, sizeof fault, "%s: %s", what, why);
	return fault;
}

static const char *
write_numbers(const char *what, uint64_t is, uint64_t wanted)
{
	snprintf(fault, sizeof fault, "%s: %llu, not %llu", what, (unsigned long long)is,
	         (unsigned long long)wanted);
	return fault;
}

/* Every grain that the records create is there, and one that has not ended is counted as such. */
static const char *
judge_numbers(const struct wn_graph *g, const struct cut *cut)
{
	const struct wn_anomalies *a = &g->anomalies;
	uint64_t n = 0, n_open = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		bool is_helper = g->kind[id] == WN_GRAIN_HELPER;
		n += wn_is_grain(g, id) || is_helper;
		n_open += wn_is_grain(g, id) && !(g->flags[id] & WN_GF_COMPLETED);
	}
	if (n_open != a->n_incomplete + a->n_never_started)
		return write_numbers("grains counted as not ended",
		                     a->n_incomplete + a->n_never_started, n_open);
	if (!cut->is_instant || cut->has_losses)
		return NULL;
	if (n != cut->n_ids)
		return write_numbers("grains", n, cut->n_ids);
	if (a->n_lost)
		return write_numbers("grains said to be lost", a->n_lost, 0);
	return NULL;
}

static const char *
judge_tree(const struct wn_graph *g)
{
	struct wn_tree *tree;
	wn_err err = {.msg = ""};
	if (wn_tree_build(g, 1, &tree, &err) != WN_OK)
		return say("no tree", err.msg);
	const char *bad = wn_tree_check(tree, &err) == WN_OK ? NULL : say("tree", err.msg);
	wn_tree_free(tree);
	return bad;
}

static const char *
write_report(const struct wn_report *report)
{
	const struct wn_text_style style = {.width = WN_TEXT_WIDTH_MIN};
	json_t *json;
	char *text = NULL;
	size_t n;
	wn_err err = {.msg = ""};
	FILE *to = open_memstream(&text, &n);
	if (!to)
		return "no memory";
	const char *bad = NULL;
	if (wn_report_text(report, &style, to, &err) != WN_OK)
		bad = say("no text", err.msg);
	else if (wn_report_json(report, &json, &err) != WN_OK)
		bad = say("no JSON", err.msg);
	else
		json_decref(json);
	fclose(to);
	free(text);
	return bad;
}

static const char *
judge_report(struct wn_trace *trace, const struct cut *cut)
{
	struct wn_report *report;
	wn_err err = {.msg = ""};
	if (wn_report_build(trace, NULL, &report, &err) != WN_OK)
		return say("no report", err.msg);
	const char *bad = write_report(report);
	if (!bad && wn_report_is_complete(report) && !cut->is_whole)
		bad = "a report of a part calls itself complete";
	wn_report_free(report);
	return bad;
}

static const char *
judge_graph(const struct wn_graph *g, const struct cut *cut)
{
	wn_err err = {.msg = ""};
	if (wn_graph_check(g, &err) != WN_OK)
		return say("graph", err.msg);
	const char *bad = judge_numbers(g, cut);
	return bad ? bad : judge_tree(g);
}

static const char *
judge_trace(struct wn_trace *trace, const struct cut *cut)
{
	struct wn_graph *g;
	wn_err err = {.msg = ""};
	wn_status st = wn_graph_build(trace, &g, &err);
	if (st == WN_E_EMPTY)
		return NULL;
	if (st != WN_OK)
		return say("no graph", err.msg);
	const char *bad = judge_graph(g, cut);
	wn_graph_free(g);
	return bad || !cut->has_report ? bad : judge_report(trace, cut);
}

const char *
judge(const struct recording *r, const struct cut *cut)
{
	struct wn_trace *trace;
	wn_err err = {.msg = ""};
	if (wn_trace_open_bytes(r->bytes, r->size_bytes, &trace, &err) != WN_OK)
		return say("not opened", err.msg);
	const char *bad = judge_trace(trace, cut);
	wn_trace_close(trace);
	return bad || wn_mem_live() == 0 ? bad : "memory is left";
}
