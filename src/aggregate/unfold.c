/* SPDX-License-Identifier: MIT */
/* unfold.c - builds a view of a graph's tree, and resolves names of nodes. */
#include "aggregate/unfold.h"

#include "aggregate/hash.h"
#include "aggregate/separate.h"
#include "base/error.h"
#include "base/mem.h"
#include "expr/nearest.h"

#include <stdio.h>
#include <string.h>

#define LINES_DEFAULT 24
#define GID_DIGITS    16

const char *
wn_tree_name_grown(const struct wn_tree *t, wn_tree_node node, char **buffer, size_t *capacity)
{
	size_t length = wn_tree_name(t, node, *buffer, *capacity);
	if (length < *capacity)
		return *buffer;
	if (wn_grow(buffer, capacity, length + 1, 1) != 0)
		return NULL;
	wn_tree_name(t, node, *buffer, *capacity);
	return *buffer;
}

static const char *
list_problems(const void *user, size_t k)
{
	const struct wn_metrics *m = user;
	return k < (size_t)m->n_problems ? m->problem_types[k].name : NULL;
}

static wn_status
choose_problems(struct wn_unfolded *r, const char *name, wn_err *err)
{
	char names[200] = "";
	const struct wn_metrics *m = r->m;
	r->only = -1;
	r->problems = WN_PROBLEMS_DEFAULT;
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
	const char *near = wn_nearest_word(list_problems, m, name, strlen(name));
	if (near)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "no problem is called '%.60s'; did you mean '%.60s'?", name, near);
	return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "'%.16s' is none of %s", name, names);
}

/* Removes the last step of a name: its group, or the last number of its lineage. Returns false if
 * nothing is left. */
static bool
go_up(char *text)
{
	char *slash = strrchr(text, '/'), *dot = strrchr(text, '.'), *dash = strrchr(text, '-');
	char *end = slash ? slash : dot ? dot : dash; /* imported names have dashes */
	if (!end)
		return false;
	*end = '\0';
	return *text != '\0';
}

/* Finds the nearest ancestor that exists for a name that does not. */
static wn_status
find_above(const struct wn_tree *t, const char *id, wn_err *err)
{
	char text[128], why[sizeof err->msg];
	wn_tree_node node;
	wn_err ignored;
	memcpy(why, err->msg, sizeof why);
	snprintf(text, sizeof text, "%s", id);
	while (strlen(id) < sizeof text && go_up(text))
		if (wn_tree_find(t, text, &node, &ignored) == WN_OK)
			return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
			               "%.130s; the nearest above is %.90s", why, text);
	wn_tree_name(t, WN_TREE_ROOT, text, sizeof text);
	return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "%.130s; the root is %.90s", why, text);
}

/* Parses "0123456789abcdef", the form in JSON and GraphML. */
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
	wn_status st = gids ? wn_tree_gids(t, gids, err) : wn_no_memory(err);
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

/* A group's gid depends on its members. If no node of this tree has it, takes the node with the
 * name of the one that had it before separation. */
static wn_status
find_by_gid(const struct wn_tree *t, const struct wn_tree *whole, uint64_t gid, wn_tree_node *out,
            wn_err *err)
{
	char *name = NULL;
	size_t capacity = 0;
	wn_tree_node node;
	wn_status st = find_gid(t, gid, out, err);
	if (st != WN_E_ARG || whole == t)
		return st;
	WN_TRY(find_gid(whole, gid, &node, err));
	if (!wn_tree_name_grown(whole, node, &name, &capacity))
		st = wn_no_memory(err);
	else
		st = wn_tree_find(t, name, out, err);
out:
	wn_free(name);
	return st;
}

wn_status
wn_unfold_find(const struct wn_tree *t, const struct wn_tree *whole, const char *id,
               wn_tree_node *out, wn_err *err)
{
	uint64_t gid;
	if (read_gid(id, &gid))
		return find_by_gid(t, whole, gid, out, err);
	wn_status st = wn_tree_find(t, id, out, err);
	return st == WN_E_ARG ? find_above(t, id, err) : st;
}

/* Groups nodes without problems apart, and alike ones together; along the critical path all
 * members stay in place. */
static wn_status
separate(struct wn_unfolded *r, const struct wn_tree *whole, wn_err *err)
{
	struct wn_separation with_alike = {.alike = true};
	uint8_t *is_problem = wn_calloc(r->m->g->n, 1);
	if (!is_problem)
		return wn_no_memory(err);
	wn_tree_problems(r->m, r->problems, is_problem);
	wn_status st = wn_tree_separate(whole, is_problem, &with_alike, &r->tree, err);
	wn_free(is_problem);
	return st;
}

static wn_status
fold(struct wn_unfolded *r, const struct wn_unfold_options *given, wn_err *err)
{
	struct wn_tree *whole = NULL;
	wn_status st;
	WN_TRY(wn_tree_build(r->m->g, 0, &whole, err));
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
	WN_TRY(wn_tree_number(r->tree, err));
	r->root = WN_TREE_ROOT;
	if (given->id)
		WN_TRY(wn_unfold_find(r->tree, whole, given->id, &r->root, err));
out:
	if (whole != r->tree)
		wn_tree_free(whole);
	return st;
}

static wn_status
make_view(struct wn_unfolded *r, const struct wn_unfold_options *given, wn_err *err)
{
	struct wn_view_options o = wn_view_options_default();
	r->aim = given->aim;
	o.root = r->root;
	o.aim = given->aim;
	o.depth = given->depth;
	o.problems = r->problems;
	o.n_lines = given->n_lines ? given->n_lines : LINES_DEFAULT;
	o.has_all_members = given->has_all_members;
	return wn_view_new(r->tree, r->m, &o, &r->view, err);
}

wn_status
wn_unfold(struct wn_unfolded *out, const struct wn_metrics *m,
          const struct wn_unfold_options *options, wn_err *err)
{
	struct wn_unfolded u = {.m = m};
	wn_status st = choose_problems(&u, options->problem, err);
	if (st == WN_OK)
		st = fold(&u, options, err);
	if (st == WN_OK)
		st = make_view(&u, options, err);
	if (st == WN_OK)
		*out = u;
	else
		wn_unfolded_fini(&u);
	return st;
}

void
wn_unfolded_fini(struct wn_unfolded *u)
{
	wn_view_free(u->view);
	wn_tree_free(u->tree);
}
