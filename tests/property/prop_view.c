/* SPDX-License-Identifier: MIT */
/*
 * prop_view.c - views of the trees of random programs, against a count of everything that each line
 * is about, made by walking the tree. WN_SEED=N runs one seed, WN_SEEDS=N that many.
 */
#include "aggregate/separate.h"
#include "aggregate/view.h"
#include "made.h"
#include "seeds.h"
#include "trace/trace_reader.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void
complain(const char *what, uint64_t a, uint64_t b)
{
	differ("%s: %" PRIu64 ", %" PRIu64, what, a, b);
}

static void
same(const char *what, uint64_t a, uint64_t b)
{
	if (a != b)
		complain(what, a, b);
}

/* --- the slow twin: one walk for each question --- */

static uint64_t
span_of(const struct wn_tree *t, wn_tree_node i)
{
	uint64_t span = 0;
	if (t->kind[i] == WN_TREE_GRAIN)
		return wn_work_ns(t->g, t->ref[i]);
	for (wn_tree_node c = wn_tree_first(t, i); c != WN_NO_TREE_NODE; c = wn_tree_next(t, c)) {
		uint64_t of_c = span_of(t, c);
		if (t->kind[i] == WN_TREE_LINEAR)
			span += of_c;
		else
			span = of_c > span ? of_c : span;
	}
	return span;
}

static struct wn_view_sums
sums_of(const struct wn_tree *t, const struct wn_metrics *m, uint32_t mask, wn_tree_node node)
{
	struct wn_view_sums s = {0};
	for (wn_tree_node i = node; i < t->end[node]; i++) {
		wn_grain id = t->ref[i];
		if (t->kind[i] != WN_TREE_GRAIN)
			continue;
		s.n_grains += wn_is_grain(t->g, id);
		s.work_ns += wn_work_ns(t->g, id);
		s.n_critical += (t->g->flags[id] & WN_GF_CRITICAL) != 0;
		s.n_problematic += (m->problems[id] & mask) != 0;
	}
	return s;
}

static uint64_t
problems_of(const struct wn_tree *t, const struct wn_metrics *m, wn_tree_node node, int p)
{
	uint64_t n = 0;
	for (wn_tree_node i = node; i < t->end[node]; i++)
		n += t->kind[i] == WN_TREE_GRAIN && m->problems[t->ref[i]] & 1u << p;
	return n;
}

static void
subtract(struct wn_view_sums *from, const struct wn_view_sums *s)
{
	from->n_grains -= s->n_grains;
	from->work_ns -= s->work_ns;
	from->n_critical -= s->n_critical;
	from->n_problematic -= s->n_problematic;
}

static void
same_sums(const char *what, const struct wn_view_sums *a, const struct wn_view_sums *b)
{
	if (a->n_grains != b->n_grains || a->work_ns != b->work_ns ||
	    a->n_critical != b->n_critical || a->n_problematic != b->n_problematic)
		complain(what, a->work_ns, b->work_ns);
}

/* Visible nodes: grains and closed groups where everything above is open, and forks and joins. */
static uint64_t
visible(const struct wn_view *v, const bool *is_open, wn_tree_node i)
{
	const struct wn_tree *t = v->t;
	uint64_t n = t->kind[i] == WN_TREE_FORK_JOIN ? 2 : 0;
	if (!is_open[i])
		return 1;
	for (wn_tree_node c = wn_tree_first(t, i); c != WN_NO_TREE_NODE; c = wn_tree_next(t, c))
		n += visible(v, is_open, c);
	return n;
}

static void
check_theta(const struct wn_view *v)
{
	const struct wn_tree *t = v->t;
	bool *is_open = calloc(t->n, sizeof *is_open);
	for (size_t i = 0; i < v->n; i++)
		if (v->lines[i].is_open)
			is_open[v->lines[i].node] = is_open[wn_view_group(t, v->lines[i].node)] =
			    true;
	for (wn_tree_node i = t->parent[v->lines[0].node]; i != WN_NO_TREE_NODE; i = t->parent[i])
		is_open[i] = true;
	same("theta is the number of nodes that are seen", v->theta,
	     visible(v, is_open, WN_TREE_ROOT));
	free(is_open);
}

/* The line of one group's own lines: members in order, what is left out last. */
static void
check_group(const struct wn_view *v, const struct wn_view_options *o, size_t at)
{
	const struct wn_tree *t = v->t;
	const struct wn_view_line *group = &v->lines[at], *rest = NULL, *last = NULL;
	wn_tree_node node = wn_view_group(t, group->node);
	struct wn_view_sums left = group->sums;
	wn_tree_node first = node + 1, before = node;
	uint64_t n_members = 0;
	for (size_t i = at + 1; i < v->n && v->lines[i].depth > group->depth; i++) {
		const struct wn_view_line *line = &v->lines[i];
		if (line->parent != at)
			continue;
		if (last && last->is_last)
			complain("a line behind the last one", at, i);
		last = line;
		n_members += line->n_members;
		subtract(&left, &line->sums);
		if (line->node == WN_NO_TREE_NODE) {
			rest = line;
			continue;
		}
		if (rest)
			complain("what is left out is not the last line", at, i);
		if (t->parent[line->node] != node || line->node <= before)
			complain("no member, or not in order", line->node, before);
		before = line->node;
		same("of one member", line->n_members, 1);
	}
	if (!last || !last->is_last)
		complain("no line is the last of the group", at, group->node);
	uint64_t n_missing = t->n_children[node] - n_members;
	struct wn_view_sums head = sums_of(t, v->m, o->problems, first);
	struct wn_view_sums none = {0};
	if (n_missing > 1 || (n_missing == 1 && t->kind[first] != WN_TREE_GRAIN))
		complain("members without a line", n_missing, group->node);
	if (n_missing == 1 && (o->aim == WN_VIEW_DEPTH || o->has_all_members))
		complain("a member is not told", group->node, n_missing);
	same_sums("what the lines of a group hold is what it holds", &left,
	          n_missing ? &head : &none);
	if (rest && (o->has_all_members || rest->n_members < 2))
		complain("a line for members that should have their own", at, rest->n_members);
}

static void
check_view(const struct wn_view *v, const struct wn_view_options *o)
{
	const struct wn_tree *t = v->t;
	uint64_t limit = o->n_lines ? o->n_lines : 1;
	if (v->n == 0 || v->n > limit)
		complain("too many lines", v->n, limit);
	same("the first line is the root", v->lines[0].node, o->root);
	for (size_t i = 0; i < v->n; i++) {
		const struct wn_view_line *line = &v->lines[i];
		if (i > 0 &&
		    (line->parent >= i || line->depth != v->lines[line->parent].depth + 1 ||
		     !v->lines[line->parent].is_open))
			complain("a line without its group", i, line->depth);
		if (line->node == WN_NO_TREE_NODE)
			continue;
		struct wn_view_sums s = sums_of(t, v->m, o->problems, line->node);
		same_sums("sums are those of the grains inside", &line->sums, &s);
		same("the span", line->span_ns, span_of(t, line->node));
		for (int p = 0; p < v->m->n_problems; p++)
			same("grains with a problem", line->problem[p],
			     problems_of(t, v->m, line->node, p));
		if (line->is_open)
			check_group(v, o, i);
		else if (o->aim == WN_VIEW_DEPTH && v->n_closed == 0 &&
		         t->kind[line->node] != WN_TREE_GRAIN && line->depth < o->depth)
			complain("closed above the depth", line->node, line->depth);
	}
	check_theta(v);
}

static void
check_tree(const struct wn_tree *t, const struct wn_metrics *m, struct random *random)
{
	for (int i = 0; i < 12; i++) {
		struct wn_view_options o = wn_view_options_default();
		struct wn_view *v;
		wn_err err;
		o.aim = (enum wn_view_aim)random_below(random, 3);
		o.root = random_one_in(random, 2) ? (uint32_t)random_below(random, t->n) : 0;
		o.depth = (uint32_t)random_below(random, 8);
		o.n_lines = random_one_in(random, 3) ? 100000 : (uint32_t)random_below(random, 40);
		o.n_shown = (uint32_t)random_below(random, 5);
		o.problems = random_one_in(random, 2) ? UINT32_MAX
		                                      : 1u << random_below(random, WN_PROBLEM_N);
		o.has_all_members = random_one_in(random, 4);
		if (wn_view_new(t, m, &o, &v, &err) != WN_OK) {
			complain(err.msg, 0, 0);
			return;
		}
		check_view(v, &o);
		wn_view_free(v);
	}
}

/* The tree as it is, and with problems set apart. */
static void
check_both(const struct wn_tree *t, const struct wn_metrics *m, struct random *random)
{
	struct wn_separation options = {.alike = random_one_in(random, 2)};
	uint8_t *is_problem = calloc(t->g->n, 1);
	struct wn_tree *apart;
	wn_err err;
	check_tree(t, m, random);
	wn_tree_problems(m, random_one_in(random, 3) ? 0 : 1u << random_below(random, WN_PROBLEM_N),
	                 is_problem);
	if (wn_tree_separate(t, is_problem, &options, &apart, &err) != WN_OK) {
		complain(err.msg, 0, 0);
	} else {
		check_tree(apart, m, random);
		wn_tree_free(apart);
	}
	free(is_problem);
}

/* Every allocation fails once. */
static void
check_failures(const struct wn_tree *t, const struct wn_metrics *m)
{
	struct wn_view_options o = wn_view_options_default();
	for (long n = 0;; n++) {
		struct wn_view *v = NULL;
		wn_err err;
		long live = wn_mem_live();
		wn_mem_fail_after(n);
		wn_status st = wn_view_new(t, m, &o, &v, &err);
		wn_mem_fail_after(-1);
		wn_view_free(v);
		same("memory is given back", (uint64_t)wn_mem_live(), (uint64_t)live);
		if (st == WN_OK)
			return;
		if (st != WN_E_NOMEM)
			complain("another error than memory", (uint64_t)n, 0);
	}
}

static void
check_graph(struct wn_graph *g, uint64_t seed)
{
	struct random random = {seed + 1234};
	struct wn_tree *t = NULL;
	struct wn_metrics *m = NULL;
	wn_err err;
	if (wn_tree_build(g, 1, &t, &err) != WN_OK || wn_metrics_build(g, NULL, &m, &err) != WN_OK)
		complain(err.msg, 0, 0);
	else if (t->n > 0)
		check_both(t, m, &random);
	if (t && m && t->n > 0 && seed % 100 == 3)
		check_failures(t, m);
	wn_tree_free(t);
	wn_metrics_free(m);
}

static bool
holds(uint64_t seed)
{
	static struct made m;
	struct program_shape shape = {.size = 40, .has_clauses = seed % 3 == 0};
	struct random random = {seed + 77};
	struct sim_mode mode = {.is_switching = random_one_in(&random, 3)};
	struct emit_options options;
	wn_err err;
	if (made_run(&m, seed, &shape, seed, &mode)) {
		emit_options_init(&options, seed);
		if (made_read(&m, &options, &err) != WN_OK)
			complain(err.msg, 0, 0);
		else
			check_graph(m.g, seed);
	}
	made_free(&m);
	return why[0] == '\0';
}

int
main(void)
{
	struct seeds seeds = seeds_wanted(1000);
	uint64_t n_bad = seeds_bad(seeds, holds);
	ok(n_bad == 0,
	   "views of the trees of %" PRIu64 " random programs hold what they say (%" PRIu64
	   " do not)",
	   seeds.n, n_bad);
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
