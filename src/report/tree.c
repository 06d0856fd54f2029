/* SPDX-License-Identifier: MIT */
/*
 * tree.c - from a trace to a view of its tree; finding what a name of a node means.
 */
#include "report/tree_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

#define LINES_DEFAULT 24

/* Nearly every grain has these somewhere at its ends. */
#define EXTREMES (1u << WN_PROBLEM_INST_PAR_MIN | 1u << WN_PROBLEM_INST_PAR_MAX)

static wn_status
choose_problems(struct wn_report_tree *r, const char *name, wn_err *err)
{
	char names[200] = "";
	const struct wn_metrics *m = r->metrics;
	r->only = -1;
	r->problems = ~EXTREMES;
	if (!name)
		return WN_OK;
	for (int p = 0; p < m->n_problems; p++) {
		size_t used = strlen(names);
		if (strcmp(m->problem_types[p].name, name) == 0) {
			r->only = p;
			r->problems = 1u << p;
			return WN_OK;
		}
		snprintf(names + used, sizeof names - used, "%s%s", p ? " " : "",
		         m->problem_types[p].name);
	}
	return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "'%.16s' is none of %s", name, names);
}

/* Cuts the last step off a name: its group, the last number of its lineage. False: nothing left. */
static bool
go_up(char *text)
{
	char *slash = strrchr(text, '/'), *dot = strrchr(text, '.');
	char *end = slash ? slash : dot;
	if (!end)
		return false;
	*end = '\0';
	return *text != '\0';
}

/* The nearest node above a name that is none. */
static wn_status
find_above(const struct wn_report_tree *r, const char *id, wn_err *err)
{
	char text[128], why[sizeof err->msg];
	wn_tree_node node;
	wn_err ignored;
	memcpy(why, err->msg, sizeof why);
	snprintf(text, sizeof text, "%s", id);
	while (strlen(id) < sizeof text && go_up(text))
		if (wn_tree_find(r->tree, text, &node, &ignored) == WN_OK)
			return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
			               "%.130s; the nearest above is %.90s", why, text);
	wn_tree_name(r->tree, WN_TREE_ROOT, text, sizeof text);
	return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "%.130s; the root is %.90s", why, text);
}

static wn_status
find_root(struct wn_report_tree *r, const char *id, wn_err *err)
{
	if (r->tree->n == 0)
		return wn_fail(err, WN_E_EMPTY, WN_NO_OFFSET, "there is no grain in it");
	r->root = WN_TREE_ROOT;
	if (!id)
		return WN_OK;
	wn_status st = wn_tree_find(r->tree, id, &r->root, err);
	return st == WN_E_ARG ? find_above(r, id, err) : st;
}

static wn_status
make_view(struct wn_report_tree *r, const struct wn_report_tree_options *given, wn_err *err)
{
	struct wn_view_options o = wn_view_options_default();
	r->aim = given->aim;
	o.root = r->root;
	o.aim = given->aim;
	o.depth = given->depth;
	o.problems = r->problems;
	o.n_lines = given->n_lines ? given->n_lines : LINES_DEFAULT;
	return wn_view_new(r->tree, r->metrics, &o, &r->view, err);
}

static wn_status
build(struct wn_report_tree *r, const struct wn_report_tree_options *given, wn_err *err)
{
	wn_status st;
	WN_TRY(wn_graph_build(r->trace, &r->graph, err));
	WN_TRY(wn_metrics_build(r->graph, given->metrics, &r->metrics, err));
	WN_TRY(choose_problems(r, given->problem, err));
	WN_TRY(wn_tree_build(r->graph, 0, &r->tree, err));
	WN_TRY(find_root(r, given->id, err));
	WN_TRY(make_view(r, given, err));
	WN_TRY(wn_places_init(&r->places, r->graph, err));
	const uint32_t *n = r->tree->n_of_kind;
	r->n_nodes = (uint64_t)n[WN_TREE_GRAIN] + 2 * (uint64_t)n[WN_TREE_FORK_JOIN] + 2;
	wn_report_command(r->trace, r->command);
out:
	return st;
}

wn_status
wn_report_tree_build(struct wn_trace *trace, const struct wn_report_tree_options *options,
                     struct wn_report_tree **out, wn_err *err)
{
	struct wn_report_tree *r = wn_calloc(1, sizeof *r);
	if (!r)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	r->trace = trace;
	wn_status st = build(r, options, err);
	if (st != WN_OK) {
		wn_report_tree_free(r);
		return st;
	}
	*out = r;
	return WN_OK;
}

void
wn_report_tree_free(struct wn_report_tree *r)
{
	if (!r)
		return;
	wn_view_free(r->view);
	wn_tree_free(r->tree);
	wn_places_fini(&r->places);
	wn_metrics_free(r->metrics);
	wn_graph_free(r->graph);
	wn_free(r);
}

double
tree_savings(const struct wn_report_tree *r, uint64_t theta)
{
	return 100.0 * (1.0 - (double)theta / (double)r->n_nodes);
}

const char *
tree_id(const struct wn_tree *t, wn_tree_node node, char **buffer, size_t *capacity)
{
	size_t length = wn_tree_name(t, node, *buffer, *capacity);
	if (length < *capacity)
		return *buffer;
	if (wn_grow(buffer, capacity, length + 1, 1) != 0)
		return NULL;
	wn_tree_name(t, node, *buffer, *capacity);
	return *buffer;
}
