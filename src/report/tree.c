/* SPDX-License-Identifier: MIT */
/*
 * tree.c - from a trace to a view of its tree; finding what a name of a node means.
 */
#include "report/tree_private.h"

#include "aggregate/hash.h"
#include "aggregate/separate.h"
#include "base/error.h"
#include "base/mem.h"

#include <string.h>

#define LINES_DEFAULT 24
#define GID_DIGITS    16

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

/* "0123456789abcdef", as JSON and GraphML have it. */
static bool
read_gid(const char *text, uint64_t *out)
{
	uint64_t gid = 0;
	for (int i = 0; i < GID_DIGITS; i++) {
		char c = text[i];
		if (c >= '0' && c <= '9')
			gid = gid << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			gid = gid << 4 | (uint64_t)(c - 'a' + 10);
		else
			return false;
	}
	*out = gid;
	return !text[GID_DIGITS];
}

static wn_status
find_gid(const struct wn_tree *t, uint64_t gid, wn_tree_node *out, wn_err *err)
{
	uint64_t *gids = wn_calloc(t->n, sizeof *gids);
	wn_status st = gids ? wn_tree_gids(t, gids, err)
	                    : wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	if (st == WN_OK) {
		wn_tree_node i = 0;
		while (i < t->n && gids[i] != gid)
			i++;
		*out = i;
		if (i == t->n)
			st = wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "'%016llx': no node has this gid",
			             (unsigned long long)gid);
	}
	wn_free(gids);
	return st;
}

/* The gid of a group depends on what is in it: if no node of this tree has it, the one of that name
 * is meant which had it before anything was set apart. */
static wn_status
find_by_gid(struct wn_report_tree *r, const struct wn_tree *whole, uint64_t gid, wn_err *err)
{
	char *name = NULL;
	size_t capacity = 0;
	wn_tree_node node;
	wn_status st = find_gid(r->tree, gid, &r->root, err);
	if (st != WN_E_ARG || whole == r->tree)
		return st;
	WN_TRY(find_gid(whole, gid, &node, err));
	if (!tree_id(whole, node, &name, &capacity))
		st = wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	else
		st = wn_tree_find(r->tree, name, &r->root, err);
out:
	wn_free(name);
	return st;
}

static wn_status
find_root(struct wn_report_tree *r, const struct wn_tree *whole, const char *id, wn_err *err)
{
	uint64_t gid;
	r->root = WN_TREE_ROOT;
	if (!id)
		return WN_OK;
	if (read_gid(id, &gid))
		return find_by_gid(r, whole, gid, err);
	wn_status st = wn_tree_find(r->tree, id, &r->root, err);
	return st == WN_E_ARG ? find_above(r, id, err) : st;
}

/* What has no problem is put apart, and what is alike together; but along the critical path all
 * members are where they are. */
static wn_status
separate(struct wn_report_tree *r, const struct wn_tree *whole, wn_err *err)
{
	struct wn_separation with_alike = {.alike = true};
	uint8_t *is_problem = wn_calloc(r->graph->n, 1);
	if (!is_problem)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	wn_tree_problems(r->metrics, r->problems, is_problem);
	wn_status st = wn_tree_separate(whole, is_problem, &with_alike, &r->tree, err);
	wn_free(is_problem);
	return st;
}

static wn_status
fold(struct wn_report_tree *r, const struct wn_report_tree_options *given, wn_err *err)
{
	struct wn_tree *whole = NULL;
	wn_status st;
	WN_TRY(wn_tree_build(r->graph, 0, &whole, err));
	if (whole->n == 0)
		WN_TRY(wn_fail(err, WN_E_EMPTY, WN_NO_OFFSET, "there is no grain in it"));
	const uint32_t *n = whole->n_of_kind;
	r->n_nodes = (uint64_t)n[WN_TREE_GRAIN] + 2 * (uint64_t)n[WN_TREE_FORK_JOIN] + 2;
	r->n_groups = whole->n - n[WN_TREE_GRAIN];
	r->theta_max = whole->theta_max;
	if (given->aim == WN_VIEW_CRITICAL)
		r->tree = whole;
	else
		WN_TRY(separate(r, whole, err));
	WN_TRY(find_root(r, whole, given->id, err));
out:
	if (whole != r->tree)
		wn_tree_free(whole);
	return st;
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

/* The group of members that are all alike, or none. */
static wn_tree_node
alike_of(const struct wn_report_tree *r, const struct wn_view_line *line)
{
	if (line->node == WN_NO_TREE_NODE || r->tree->kind[line->node] == WN_TREE_GRAIN)
		return WN_NO_TREE_NODE;
	wn_tree_node group = wn_view_group(r->tree, line->node);
	return r->tree->kind[group] == WN_TREE_ALIKE ? group : WN_NO_TREE_NODE;
}

static wn_status
find_work(struct wn_report_tree *r, wn_err *err)
{
	const struct wn_column *work = wn_column_find(r->metrics, "work_ns", sizeof "work_ns" - 1);
	size_t i = 0;
	while (i < r->view->n && alike_of(r, &r->view->lines[i]) == WN_NO_TREE_NODE)
		i++;
	if (i == r->view->n)
		return WN_OK;
	r->work_ns = wn_calloc(r->tree->n, sizeof *r->work_ns);
	return r->work_ns ? wn_tree_column(r->tree, r->metrics, work, r->work_ns, err)
	                  : wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
}

bool
tree_spread(const struct wn_report_tree *r, const struct wn_view_line *line,
            struct wn_tree_spread *out)
{
	wn_tree_node group = alike_of(r, line);
	wn_err err;
	return group != WN_NO_TREE_NODE &&
	       wn_tree_spread_of(r->tree, group, r->work_ns, out, &err) == WN_OK;
}

static wn_status
build(struct wn_report_tree *r, const struct wn_report_tree_options *given, wn_err *err)
{
	wn_status st;
	WN_TRY(wn_graph_build(r->trace, &r->graph, err));
	WN_TRY(wn_metrics_build(r->graph, given->metrics, &r->metrics, err));
	WN_TRY(choose_problems(r, given->problem, err));
	WN_TRY(fold(r, given, err));
	WN_TRY(make_view(r, given, err));
	WN_TRY(find_work(r, err));
	WN_TRY(wn_places_init(&r->places, r->graph, err));
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
	wn_free(r->work_ns);
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
