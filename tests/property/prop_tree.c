/* SPDX-License-Identifier: MIT */
/*
 * prop_tree.c - the tree of groups of random programs and of random forests: what the slow tree
 * says (slow_tree.h), and laws that need no oracle. WN_SEED=N runs one seed, WN_SEEDS=N that many.
 */
#include "aggregate/check.h"
#include "aggregate/hash.h"
#include "aggregate/propagate.h"
#include "aggregate/separate.h"
#include "base/mem.h"
#include "forest.h"
#include "graph/draw.h"
#include "made.h"
#include "seeds.h"
#include "slow_tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *
room(size_t n, size_t size)
{
	void *block = calloc(n + 1, size);
	if (!block)
		abort();
	return block;
}

static struct wn_tree *
built(const struct wn_graph *g, unsigned n_threads)
{
	struct wn_tree *t = NULL;
	wn_err err;
	if (wn_tree_build(g, n_threads, &t, &err) != WN_OK) {
		differ("not built: %s", err.msg);
		abort();
	}
	return t;
}

static void
same_trees(const struct wn_tree *a, const struct wn_tree *b, const char *what)
{
	size_t n = a->n;
	if (a->n != b->n || memcmp(a->kind, b->kind, n) != 0 ||
	    memcmp(a->flags, b->flags, n) != 0 ||
	    memcmp(a->parent, b->parent, n * sizeof *a->parent) != 0 ||
	    memcmp(a->end, b->end, n * sizeof *a->end) != 0 ||
	    memcmp(a->ref, b->ref, n * sizeof *a->ref) != 0 ||
	    memcmp(a->n_children, b->n_children, n * sizeof *a->n_children) != 0 ||
	    memcmp(a->theta, b->theta, n * sizeof *a->theta) != 0 || a->theta_max != b->theta_max)
		differ("%s gives another tree", what);
}

/* --- unfolding --- */

struct drawn {
	uint8_t *grains, *fjs; /* how often each was seen */
	uint64_t n_nodes;
};

static wn_status
count_node(const struct wn_node *node, void *user)
{
	struct drawn *d = user;
	d->n_nodes += node->id.kind != WN_NODE_GATE;
	if (node->id.kind == WN_NODE_GRAIN)
		d->grains[node->id.grain]++;
	if (node->id.kind == WN_NODE_FORK)
		d->fjs[node->id.fj]++;
	return WN_OK;
}

/* The leaves and the fork-join groups are the grains and the forks of the drawing, each once. */
static void
check_unfold(const struct wn_tree *t)
{
	const struct wn_graph *g = t->g;
	struct drawn d = {room(g->n, 1), room(g->n_fjs, 1), 0};
	struct wn_draw *draw;
	if (wn_draw_new(g, WN_FORM_REDUCED, &draw, NULL) != WN_OK ||
	    wn_draw_nodes(draw, count_node, &d) != WN_OK)
		abort();
	wn_draw_free(draw);
	for (wn_tree_node i = 0; i < t->n; i++) {
		if (t->kind[i] == WN_TREE_GRAIN)
			d.grains[t->ref[i]]--;
		if (t->kind[i] == WN_TREE_FORK_JOIN)
			d.fjs[t->ref[i]]--;
	}
	for (wn_grain id = 0; id < g->n; id++)
		if (d.grains[id])
			differ("grain %u is not there once", id);
	for (size_t fj = 0; fj < g->n_fjs; fj++)
		if (d.fjs[fj])
			differ("fork-join %zu is not there once", fj);
	if (d.n_nodes != t->n_of_kind[WN_TREE_GRAIN] + 2 * t->n_of_kind[WN_TREE_FORK_JOIN] + 2)
		differ("the drawing has another number of nodes");
	free(d.grains);
	free(d.fjs);
}

/* --- names --- */

/* Grains whose creation tells too little share a name, and so do their groups. */
static void
check_names(const struct wn_tree *t)
{
	for (wn_tree_node i = 0; i < t->n; i++) {
		char name[256], other[256];
		wn_tree_node found;
		wn_err err;
		wn_tree_name(t, i, name, sizeof name);
		if (wn_tree_find(t, name, &found, &err) != WN_OK) {
			differ("node %u is not found: %s", i, err.msg);
			continue;
		}
		wn_tree_name(t, found, other, sizeof other);
		if (strcmp(name, other) != 0 || (found != i && t->kind[found] != t->kind[i]))
			differ("%s leads to node %u, %s, not to %u", name, found, other, i);
	}
}

/* Numbers counted once give the same names. */
static void
check_numbers(struct wn_tree *t)
{
	char(*names)[256] = room(t->n, sizeof *names);
	for (wn_tree_node i = 0; i < t->n; i++)
		wn_tree_name(t, i, names[i], sizeof names[i]);
	if (wn_tree_number(t, NULL) != WN_OK)
		differ("no numbers");
	for (wn_tree_node i = 0; i < t->n; i++) {
		char name[256];
		wn_tree_name(t, i, name, sizeof name);
		if (strcmp(name, names[i]) != 0)
			differ("%s is called %s once numbers are counted", names[i], name);
	}
	free(names);
}

static bool
names_are_unique(const struct wn_tree *t)
{
	for (wn_tree_node i = 0; i < t->n; i++) {
		char name[256];
		wn_tree_node found = WN_NO_TREE_NODE;
		wn_tree_name(t, i, name, sizeof name);
		if (wn_tree_find(t, name, &found, NULL) != WN_OK || found != i)
			return false;
	}
	return true;
}

/* --- hashes --- */

static void
collect_shapes(const struct slow *s, char **texts)
{
	texts[s->node] = slow_shape(s);
	for (uint32_t i = 0; i < s->n; i++)
		collect_shapes(s->members[i], texts);
}

/* Two nodes have one hash if and only if their structure is one. */
static void
check_shapes(const struct wn_tree *t, const struct slow *s)
{
	uint64_t *shapes = room(t->n, sizeof *shapes);
	char **texts = room(t->n, sizeof *texts);
	if (wn_tree_shapes(t, shapes, NULL) != WN_OK)
		differ("no shapes");
	if (s)
		collect_shapes(s, texts);
	for (wn_tree_node i = 0; i < t->n; i++)
		for (wn_tree_node k = 0; k < i; k++)
			if ((shapes[i] == shapes[k]) != (strcmp(texts[i], texts[k]) == 0))
				differ("nodes %u and %u: one hash is not one structure", k, i);
	for (wn_tree_node i = 0; i < t->n; i++)
		free(texts[i]);
	free(texts);
	free(shapes);
}

static int
by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static uint64_t *
sorted_gids(const struct wn_tree *t)
{
	uint64_t *gids = room(t->n, sizeof *gids);
	wn_err err;
	if (wn_tree_gids(t, gids, &err) != WN_OK)
		differ("no gids: %s", err.msg);
	qsort(gids, t->n, sizeof *gids, by_number);
	return gids;
}

static void
check_gids_differ(const struct wn_tree *t)
{
	uint64_t *gids = sorted_gids(t);
	for (wn_tree_node i = 1; i < t->n; i++)
		if (gids[i] == gids[i - 1])
			differ("two nodes have one gid");
	free(gids);
}

static void
same_gids(const struct wn_tree *a, const struct wn_tree *b, const char *what)
{
	uint64_t *x = sorted_gids(a), *y = sorted_gids(b);
	if (a->n != b->n || memcmp(x, y, a->n * sizeof *x) != 0)
		differ("%s gives other gids", what);
	free(x);
	free(y);
}

/* --- values --- */

static double *
random_values(uint32_t n, struct random *random)
{
	double *values = room(n, sizeof *values);
	for (uint32_t i = 0; i < n; i++) {
		values[i] = (double)random_below(random, 1000) - 300;
		if (random_one_in(random, 5))
			values[i] = NAN;
		else if (random_one_in(random, 40))
			values[i] = random_one_in(random, 2) ? INFINITY : -INFINITY;
		else if (random_one_in(random, 4))
			values[i] = 0;
	}
	return values;
}

static double
value_at(void *user, wn_grain id)
{
	return ((const double *)user)[id];
}

static bool
is_same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static void
compare_values(const struct slow *s, enum wn_fold rule, const double *values, const double *found)
{
	double expected = slow_fold(s, rule, values);
	if (!is_same(expected, found[s->node]))
		differ("rule %d at node %u: %g, not %g", (int)rule, s->node, found[s->node],
		       expected);
	for (uint32_t i = 0; i < s->n; i++)
		compare_values(s->members[i], rule, values, found);
}

static uint32_t
grains_inside(const struct slow *s)
{
	uint32_t n = s->kind == WN_TREE_GRAIN;
	for (uint32_t i = 0; i < s->n; i++)
		n += grains_inside(s->members[i]);
	return n;
}

static void
compare_counts(const struct slow *s, const uint32_t *found)
{
	if (found[s->node] != grains_inside(s))
		differ("node %u holds another number of grains", s->node);
	for (uint32_t i = 0; i < s->n; i++)
		compare_counts(s->members[i], found);
}

static void
check_values(const struct wn_tree *t, const struct slow *s, struct random *random)
{
	double *values = random_values(t->g->n, random), *found = room(t->n, sizeof *found);
	uint32_t *counts = room(t->n, sizeof *counts);
	for (enum wn_fold rule = WN_FOLD_SUM; s && rule < WN_FOLD_AGAIN; rule++) {
		if (wn_tree_propagate(t, rule, value_at, values, found, NULL) != WN_OK)
			differ("rule %d is not folded", (int)rule);
		else
			compare_values(s, rule, values, found);
	}
	if (wn_tree_propagate(t, WN_FOLD_AGAIN, value_at, values, found, NULL) != WN_E_ARG)
		differ("a rule that there is not is folded");
	wn_tree_count_grains(t, counts);
	if (s)
		compare_counts(s, counts);
	free(counts);
	free(found);
	free(values);
}

static void
check_spread(const struct wn_tree *t, struct random *random)
{
	double *values = random_values(t->n, random), sorted[256];
	for (wn_tree_node i = 0; i < t->n; i++) {
		struct wn_tree_spread spread;
		uint32_t n = 0;
		if (t->n_children[i] > 200 || t->kind[i] == WN_TREE_GRAIN)
			continue;
		for (wn_tree_node c = i + 1; c < t->end[i]; c = t->end[c]) {
			values[c] = isinf(values[c]) ? 1 : values[c];
			if (isnan(values[c]))
				continue;
			uint32_t k = n++;
			for (; k > 0 && sorted[k - 1] > values[c]; k--)
				sorted[k] = sorted[k - 1];
			sorted[k] = values[c];
		}
		if (wn_tree_spread_of(t, i, values, &spread, NULL) != WN_OK || spread.n != n) {
			differ("no spread, or of other members");
			continue;
		}
		double found[] = {spread.min, spread.quartile1, spread.median, spread.quartile3,
		                  spread.max};
		for (uint32_t q = 0; q < 5; q++) {
			/* in quarters of a step, which are exact */
			uint32_t at = n ? q * (n - 1) : 0;
			double low = n ? sorted[at / 4] : (double)NAN;
			double high = n && at % 4 ? sorted[at / 4 + 1] : low;
			if (!is_same(found[q], low + (high - low) * (at % 4) / 4))
				differ("quartile %u of node %u", q, i);
		}
	}
	free(values);
}

/* --- separation --- */

static uint8_t *
random_problems(uint32_t n, struct random *random)
{
	uint8_t *is_problem = room(n, 1);
	uint32_t one_in = 1 + random_below(random, 12);
	for (uint32_t i = 0; i < n; i++)
		is_problem[i] = random_one_in(random, one_in);
	return is_problem;
}

static bool
has_flag(const struct slow *s, const struct wn_graph *g, const uint8_t *is_problem)
{
	bool has = s->kind == WN_TREE_GRAIN &&
	           (is_problem ? is_problem[s->ref] : g->flags[s->ref] & WN_GF_CRITICAL);
	for (uint32_t i = 0; !has && i < s->n; i++)
		has = has_flag(s->members[i], g, is_problem);
	return has;
}

static void
compare_flags(const struct slow *s, const struct wn_tree *t, const uint8_t *is_problem)
{
	if (has_flag(s, t->g, is_problem) != !!(t->flags[s->node] & WN_TF_PROBLEM))
		differ("problems of node %u", s->node);
	if (has_flag(s, t->g, NULL) != !!(t->flags[s->node] & WN_TF_CRITICAL))
		differ("node %u is critical, or is not", s->node);
	for (uint32_t i = 0; i < s->n; i++)
		compare_flags(s->members[i], t, is_problem);
}

static uint64_t
theta_of_problems(const struct slow *s, const uint8_t *is_problem)
{
	uint64_t most = s->kind == WN_TREE_GRAIN && is_problem[s->ref] ? slow_theta(s) : 0;
	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t inside = theta_of_problems(s->members[i], is_problem);
		most = inside > most ? inside : most;
	}
	return most;
}

static void
check_separation(struct wn_tree *t, struct random *random, bool has_names)
{
	uint8_t *is_problem = random_problems(t->g->n, random);
	for (uint32_t alike = 0; alike < 2; alike++) {
		struct wn_separation options = {.alike = alike};
		struct wn_tree *apart = NULL;
		struct slow *s = t->n ? slow_of_tree(t, WN_TREE_ROOT) : NULL;
		uint32_t theta = 0;
		wn_err err;
		if (wn_tree_separate(t, is_problem, &options, &apart, &err) != WN_OK) {
			differ("not separated: %s", err.msg);
			abort();
		}
		if (wn_tree_check(apart, &err) != WN_OK)
			differ("separated: %s", err.msg);
		if (s)
			slow_separate(s, is_problem, alike);
		const char *difference = slow_compare(s, apart);
		if (*difference)
			differ("separated%s: %s", alike ? ", alike" : "", difference);
		else if (s)
			compare_flags(s, apart, is_problem);
		if (!alike && (wn_tree_theta_apart(t, is_problem, &theta, NULL) != WN_OK ||
		               theta != (s ? theta_of_problems(s, is_problem) : 0)))
			differ("theta of problems");
		if (has_names) {
			check_names(apart);
			check_numbers(apart);
		}
		check_spread(apart, random);
		struct wn_tree *twice = NULL;
		if (wn_tree_separate(apart, NULL, NULL, &twice, &err) == WN_OK)
			differ("separated twice");
		wn_tree_free(twice);
		wn_tree_free(apart);
		slow_free(s);
	}
	struct wn_tree *same = NULL;
	if (wn_tree_separate(t, NULL, NULL, &same, NULL) == WN_OK)
		same_trees(t, same, "separation without problems");
	wn_tree_free(same);
	wn_tree_mark(t, is_problem);
	struct slow *s = t->n ? slow_of_tree(t, WN_TREE_ROOT) : NULL;
	if (slow_compare(s, t)[0])
		differ("a copy is not the same");
	else if (s)
		compare_flags(s, t, is_problem);
	wn_tree_mark(t, NULL);
	slow_free(s);
	free(is_problem);
}

/* --- without what created nothing --- */

static bool
owns_one(const struct wn_graph *g, const uint32_t *n_members, wn_grain id)
{
	for (size_t fj = 0; fj < g->n_fjs; fj++)
		if (g->fjs[fj].owner == id && n_members[fj])
			return true;
	return false;
}

/* One after the other goes, until nothing more can. */
static void
check_childless(const struct wn_graph *g)
{
	uint8_t *is_kept = room(g->n, 1);
	uint32_t *n_members = room(g->n_fjs, sizeof *n_members);
	struct wn_tree_options options = {.n_threads = 2, .drops_childless = true};
	struct wn_tree *t;
	bool has_changed = true;
	uint32_t n_left = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		is_kept[id] = wn_is_drawn(g, id);
		if (is_kept[id] && g->fj[id] != WN_NO_FJ)
			n_members[g->fj[id]]++;
	}
	while (has_changed) {
		has_changed = false;
		for (wn_grain id = 0; id < g->n; id++)
			if (is_kept[id] && g->kind[id] == WN_GRAIN_IMPLICIT &&
			    !owns_one(g, n_members, id)) {
				is_kept[id] = 0;
				n_members[g->fj[id]]--;
				has_changed = true;
			}
	}
	if (wn_tree_build_as(g, &options, &t, NULL) != WN_OK)
		abort();
	for (wn_tree_node i = 0; i < t->n; i++) {
		if (t->kind[i] == WN_TREE_GRAIN && !is_kept[t->ref[i]]--)
			differ("grain %u is there, and should not be", t->ref[i]);
		if (t->kind[i] == WN_TREE_FORK_JOIN && !n_members[t->ref[i]])
			differ("fork-join %u is empty", t->ref[i]);
		if (t->kind[i] == WN_TREE_FORK_JOIN && t->n_children[i] != n_members[t->ref[i]])
			differ("fork-join %u has lost some", t->ref[i]);
		if (t->kind[i] != WN_TREE_GRAIN && t->n_children[i] == 0)
			differ("an empty group");
	}
	for (wn_grain id = 0; id < g->n; id++)
		n_left += is_kept[id] == 1;
	if (n_left)
		differ("%u grains are missing", n_left);
	wn_tree_free(t);
	free(is_kept);
	free(n_members);
}

/* --- proofs --- */

/* A tree is proven; with anything in it changed, it is not. */
static void
check_faults(struct wn_tree *t, struct random *random)
{
	uint32_t *columns[] = {t->parent, t->end, t->ref, t->n_children, t->theta};
	wn_err err;
	if (wn_tree_check(t, &err) != WN_OK)
		differ("not proven: %s", err.msg);
	for (uint32_t i = 0; i < 20 && t->n; i++) {
		uint32_t which = random_below(random, 5);
		wn_tree_node at = random_below(random, t->n);
		uint32_t was = columns[which][at];
		columns[which][at] = was + 1 + random_below(random, 3);
		if (wn_tree_check(t, &err) != WN_E_INVARIANT)
			differ("column %u of node %u changed, and proven", which, at);
		columns[which][at] = was;
		uint8_t kind = t->kind[at];
		t->kind[at] = (uint8_t)((kind + 1 + random_below(random, 4)) % WN_TREE_KIND_N);
		if (wn_tree_check(t, &err) != WN_E_INVARIANT)
			differ("kind of node %u changed, and proven", at);
		t->kind[at] = kind;
	}
}

/* --- one graph --- */

static void
check_failures(const struct wn_graph *g, const uint8_t *is_problem)
{
	long live = wn_mem_live();
	wn_status st = WN_E_NOMEM;
	uint64_t *hashes = room(3 * (size_t)g->n + 8, sizeof *hashes);
	for (long n = 0; st == WN_E_NOMEM && n < 10000; n++) {
		struct wn_tree *t = NULL, *apart = NULL;
		struct wn_tree_options options = {.n_threads = 1, .drops_childless = n % 2};
		struct wn_separation separation = {.alike = true};
		wn_tree_node found;
		wn_err err;
		wn_mem_fail_after(n);
		st = wn_tree_build_as(g, &options, &t, &err);
		if (st == WN_OK)
			st = wn_tree_shapes(t, hashes, &err);
		if (st == WN_OK)
			st = wn_tree_gids(t, hashes, &err);
		if (st == WN_OK && t->n)
			st = wn_tree_find(t, "R/F0", &found, &err) == WN_E_NOMEM ? WN_E_NOMEM
			                                                         : WN_OK;
		if (st == WN_OK)
			st = wn_tree_separate(t, is_problem, &separation, &apart, &err);
		wn_mem_fail_after(-1);
		wn_tree_free(t);
		wn_tree_free(apart);
		if (wn_mem_live() != live)
			differ("memory is left after a failure");
	}
	if (st != WN_OK)
		differ("does not succeed even when nothing fails");
	free(hashes);
}

static void
check_threads(const struct wn_graph *g, const struct wn_tree *t, struct random *random)
{
	uint8_t *is_problem = random_problems(g->n, random);
	double *values = random_values(g->n, random);
	struct wn_tree *apart = NULL;
	struct wn_separation options = {.alike = true};
	if (wn_tree_separate(t, is_problem, &options, &apart, NULL) != WN_OK)
		abort();
	for (unsigned n_threads = 2; n_threads < 6; n_threads++) {
		struct wn_tree *other = built(g, n_threads), *other_apart = NULL;
		same_trees(t, other, "another number of threads");
		if (wn_tree_separate(other, is_problem, &options, &other_apart, NULL) != WN_OK)
			abort();
		same_trees(apart, other_apart, "separation on another number of threads");
		double *a = room(t->n, sizeof *a), *b = room(t->n, sizeof *b);
		for (enum wn_fold rule = WN_FOLD_SUM; rule < WN_FOLD_AGAIN; rule++)
			if (wn_tree_propagate(t, rule, value_at, values, a, NULL) != WN_OK ||
			    wn_tree_propagate(other, rule, value_at, values, b, NULL) != WN_OK ||
			    memcmp(a, b, t->n * sizeof *a) != 0)
				differ("values on another number of threads");
		if (wn_tree_shapes(t, (uint64_t *)a, NULL) != WN_OK ||
		    wn_tree_shapes(other, (uint64_t *)b, NULL) != WN_OK ||
		    memcmp(a, b, t->n * sizeof *a) != 0)
			differ("shapes on another number of threads");
		free(a);
		free(b);
		wn_tree_free(other);
		wn_tree_free(other_apart);
	}
	wn_tree_free(apart);
	free(is_problem);
	free(values);
}

static void
check_graph(const struct wn_graph *g, uint64_t seed)
{
	struct random random = {seed + 5};
	struct wn_tree *t = built(g, 1), *other;
	struct slow *s = slow_of_drawing(g);
	const char *difference = slow_compare(s, t);
	uint64_t theta_max = 0;
	if (*difference)
		differ("reduced: %s", difference);
	for (wn_tree_node i = 0; i < t->n; i++)
		if (t->kind[i] == WN_TREE_GRAIN && t->theta[i] > theta_max)
			theta_max = t->theta[i];
	if (t->theta_max != theta_max)
		differ("theta_max");
	check_unfold(t);
	check_faults(t, &random);
	if (!why[0]) {
		other = built(g, 3);
		same_trees(t, other, "three threads");
		wn_tree_free(other);
		check_names(t);
		check_shapes(t, s);
		check_values(t, s, &random);
		check_separation(t, &random, true);
		check_childless(g);
		if (names_are_unique(t))
			check_gids_differ(t);
		if (seed % 100 == 3) {
			uint8_t *is_problem = random_problems(g->n, &random);
			check_failures(g, is_problem);
			free(is_problem);
		}
	}
	slow_free(s);
	wn_tree_free(t);
}

/* --- programs --- */

/* A lean graph folds to the same tree. */
static void
check_lean(struct wn_trace *trace, const struct wn_graph *g)
{
	struct wn_graph *lean = NULL;
	struct wn_tree *a, *b;
	if (wn_graph_build_as(trace, WN_DETAIL_REPORT, &lean, NULL) != WN_OK)
		abort();
	a = built(g, 1);
	b = built(lean, 2);
	same_trees(a, b, "a lean graph");
	wn_tree_free(a);
	wn_tree_free(b);
	wn_graph_free(lean);
}

/* The threads have other names: the same grains and groups. */
static void
check_relabelled(const struct wn_graph *g, uint64_t seed, const struct program_shape *shape,
                 const struct sim_mode *mode)
{
	static struct made other;
	struct emit_options options;
	wn_err err;
	emit_options_init(&options, seed + 1);
	options.scale = 32;
	options.has_offsets = true;
	made_run(&other, seed, shape, seed, mode);
	for (uint32_t i = 1; i < other.s.n_threads; i++) /* the first stays the first */
		options.thread[i] = (uint8_t)(other.s.n_threads - i);
	if (made_read(&other, &options, &err) == WN_OK) {
		struct wn_tree *a = built(g, 1), *b = built(other.g, 1);
		same_gids(a, b, "other names of threads");
		if (a->theta_max != b->theta_max)
			differ("other names of threads give another theta");
		wn_tree_free(a);
		wn_tree_free(b);
	} else {
		differ("not built: %s", err.msg);
	}
	made_free(&other);
}

/* Of a trace that has lost bytes, what is left still folds, and is proven. */
static void
check_damaged(const struct emitted *file, struct random *random)
{
	uint8_t *bytes = room(file->size_bytes, 1);
	size_t size = file->size_bytes;
	struct wn_trace *trace = NULL;
	struct wn_graph *g = NULL;
	struct wn_tree *t = NULL;
	wn_err err;
	memcpy(bytes, file->bytes, size);
	for (uint32_t i = 0; i < 3; i++) { /* not the header's page */
		size_t at = 4096 + random_next(random) % (size - 4096);
		size_t n = random_below(random, 600);
		memset(bytes + at, (int)random_below(random, 256), n < size - at ? n : size - at);
	}
	if (random_one_in(random, 3))
		size -= random_next(random) % (size / 2);
	if (wn_trace_open_bytes(bytes, size, &trace, &err) == WN_OK &&
	    wn_graph_build(trace, &g, &err) == WN_OK &&
	    (wn_tree_build(g, 2, &t, &err) != WN_OK || wn_tree_check(t, &err) != WN_OK))
		differ("damaged: %s", err.msg);
	wn_tree_free(t);
	wn_graph_free(g);
	wn_trace_close(trace);
	free(bytes);
}

static bool
program_holds(uint64_t seed)
{
	static struct made m;
	struct program_shape shape = {
	    .size = 40, .has_clauses = seed % 3 != 0, .has_more = seed % 4 == 1};
	struct random random = {seed + 77};
	struct sim_mode mode = {.is_switching = random_one_in(&random, 3),
	                        .is_early = random_one_in(&random, 4),
	                        .is_late = random_one_in(&random, 2)};
	struct emit_options options;
	wn_err err;
	emit_options_init(&options, seed);
	options.scale = 32;
	options.has_offsets = true;
	if (made_run(&m, seed, &shape, seed, &mode)) {
		if (made_read(&m, &options, &err) == WN_OK) {
			check_graph(m.g, seed);
			check_lean(m.trace, m.g);
			check_relabelled(m.g, seed, &shape, &mode);
			for (uint32_t i = 0; i < 10; i++)
				check_damaged(&m.file, &random);
		} else {
			differ("not built: %s", err.msg);
		}
	}
	made_free(&m);
	return why[0] == '\0';
}

/* --- forests --- */

static int
by_shape(const void *a, const void *b)
{
	return by_number(a, b);
}

/* Other ids put siblings in another order: the same shapes, as often. */
static void
check_shuffled(const struct wn_graph *g, const struct wn_tree *t, uint64_t seed)
{
	struct wn_graph *other = forest_shuffle(g, seed, NULL);
	struct wn_tree *shuffled = built(other, 2);
	uint64_t *a = room(t->n, sizeof *a), *b = room(t->n, sizeof *b);
	if (wn_tree_shapes(t, a, NULL) != WN_OK || wn_tree_shapes(shuffled, b, NULL) != WN_OK)
		abort();
	if (t->n != shuffled->n || (t->n && a[0] != b[0]))
		differ("siblings in another order give another shape");
	qsort(a, t->n, sizeof *a, by_shape);
	qsort(b, t->n, sizeof *b, by_shape);
	if (memcmp(a, b, t->n * sizeof *a) != 0)
		differ("siblings in another order give other shapes");
	if (t->theta_max != shuffled->theta_max)
		differ("siblings in another order give another theta");
	same_gids(t, shuffled, "another order of siblings");
	free(a);
	free(b);
	wn_tree_free(shuffled);
	forest_free(other);
}

/* Large enough that the tree is cut into pieces and ranges: theta, ends and parents are proven by
 * the definitions, which need no slow tree. */
static void
check_columns(const struct wn_tree *t)
{
	const struct wn_graph *g = t->g;
	uint8_t *seen = room(g->n, 1);
	for (wn_tree_node i = 0; i < t->n; i++) {
		wn_tree_node parent = t->parent[i], end = i + 1;
		uint32_t n = 0;
		for (wn_tree_node c = i + 1; t->kind[i] != WN_TREE_GRAIN && c < t->end[i];
		     c = t->end[c], n++) {
			end = t->end[c];
			if (t->parent[c] != i)
				differ("node %u is not its parent's", c);
		}
		if (end != t->end[i] || n != t->n_children[i])
			differ("node %u has another end or other members", i);
		if (t->theta[i] != (i ? t->theta[parent] : 0) + wn_tree_adds(t->kind[i], n))
			differ("theta of node %u", i);
		if (t->kind[i] != WN_TREE_GRAIN)
			continue;
		wn_grain id = t->ref[i];
		seen[id]++;
		wn_tree_node fj = parent;
		if (fj != WN_NO_TREE_NODE && t->kind[fj] == WN_TREE_LINEAR)
			fj = t->parent[fj];
		bool is_top = fj == WN_NO_TREE_NODE || t->kind[fj] == WN_TREE_SIBLING;
		if (is_top ? g->fj[id] != WN_NO_FJ : t->ref[fj] != g->fj[id])
			differ("grain %u is in another fork-join", id);
	}
	for (wn_grain id = 0; id < g->n; id++)
		if (seen[id] != wn_is_drawn(g, id))
			differ("grain %u is not there once", id);
	free(seen);
}

/* Grains in a ring of fork-joins hang off nothing, which is said. */
static void
check_ring(void)
{
	struct wn_graph *g = forest_new(FOREST_CHAIN, 100, 1);
	struct wn_tree *t = NULL;
	wn_err err;
	uint32_t was = g->fj[40], fjs[] = {g->fj[41], g->fj[60], g->fj[99]};
	for (uint32_t i = 0; i < 3; i++) { /* itself is in what it owns, or in what is further in */
		g->fj[40] = fjs[i];
		for (unsigned n_threads = 1; n_threads < 3; n_threads++)
			if (wn_tree_build(g, n_threads, &t, &err) != WN_E_INVARIANT)
				differ("a ring is folded");
	}
	g->fj[40] = was;
	t = built(g, 1);
	if (t->n != 3 * 99 - 1)
		differ("a chain without a ring has other nodes");
	wn_tree_free(t);
	forest_free(g);
}

/* Nothing drawn: nothing to fold, and nothing fails. */
static void
check_nothing(void)
{
	struct wn_graph *g = forest_new(FOREST_WIDE, 1, 1);
	struct wn_tree *t = built(g, 2), *apart = NULL;
	struct wn_separation options = {.alike = true};
	wn_tree_node node;
	wn_err err;
	double value;
	if (t->n != 0 || t->theta_max != 0)
		differ("there is a tree of nothing");
	if (wn_tree_separate(t, NULL, &options, &apart, &err) != WN_OK || apart->n != 0)
		differ("nothing is not separated");
	if (wn_tree_propagate(t, WN_FOLD_MEDIAN, value_at, NULL, &value, &err) != WN_OK)
		differ("nothing has values");
	if (wn_tree_find(t, "R/F0", &node, &err) != WN_E_ARG ||
	    wn_tree_find(t, "R/S", &node, &err) != WN_E_ARG ||
	    wn_tree_find(t, "", &node, &err) != WN_E_ARG)
		differ("something is found in nothing");
	wn_tree_free(apart);
	wn_tree_free(t);
	forest_free(g);
}

/* What is no id, or none here, is refused. */
static void
check_refused(void)
{
	static const char *const texts[] = {
	    "",         "/",          "1/",           "1/X",   "1/L/",  "1/L/R1",
	    "1/L/R1-",  "1/L/R0-1x",  "1/F",          "1/F9",  "1/F01", "1/F0/A",
	    "1/F0/A0",  "1/F0/S",     "1/F0/S/A0",    "1/A0",  "R/S",   "R/S/A0",
	    "R",        "7.7.7",      "1.",           ".1",    "1..1",  "1/F4294967296",
	    "1/L/R0-1", "1/F0/S/A-1", "1/F00000000x", "t0.P0", "P0.t0", "1/F0/F0"};
	struct wn_graph *g = forest_new(FOREST_FIB, 60, 1);
	struct wn_tree *t = built(g, 1);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		wn_tree_node node = 77;
		wn_err err = {.msg = ""};
		if (wn_tree_find(t, texts[i], &node, &err) != WN_E_ARG || node != 77 || !err.msg[0])
			differ("'%s' is found", texts[i]);
	}
	wn_tree_free(t);
	forest_free(g);
}

/* The deepest grain of a chain, by its name and back. */
static void
check_deep_name(uint32_t depth)
{
	struct wn_graph *g = forest_new(FOREST_CHAIN, depth + 1, 1);
	struct wn_tree *t = built(g, 1);
	size_t size = 2 * (size_t)depth + 1;
	char *name = room(size, 1), *expected = room(size, 1);
	wn_grain found = WN_NO_GRAIN;
	for (uint32_t i = 0; i < depth; i++)
		memcpy(expected + 2 * (size_t)i, "1.", 2);
	expected[size - 2] = '\0';
	if (wn_graph_lineage(g, depth, name, size) != size - 2 || strcmp(name, expected) != 0)
		differ("the name of a grain %u deep", depth);
	if (wn_graph_find(g, name, size - 2, &found, NULL) != WN_OK || found != depth)
		differ("the grain %u deep is not found", depth);
	name[size - 3] = '2';
	if (wn_graph_find(g, name, size - 2, &found, NULL) != WN_E_ARG)
		differ("a grain is found that there is not");
	free(name);
	free(expected);
	wn_tree_free(t);
	forest_free(g);
}

static bool
forest_holds(enum forest_shape shape, uint32_t n, uint64_t seed)
{
	struct wn_graph *g = forest_new(shape, n, seed);
	struct wn_graph *shuffled = forest_shuffle(g, seed + 1, NULL);
	struct random random = {seed};
	why[0] = '\0';
	for (uint32_t i = 0; i < 2; i++) {
		const struct wn_graph *one = i ? shuffled : g;
		struct wn_tree *t = built(one, 1);
		check_columns(t);
		check_threads(one, t, &random);
		check_shuffled(g, t, seed + 2);
		wn_tree_free(t);
	}
	forest_free(g);
	forest_free(shuffled);
	return why[0] == '\0';
}

/* Small ones, with several contexts and lone grains, separated as the slow tree is. */
static bool
small_forests_hold(uint64_t n)
{
	why[0] = '\0';
	for (uint64_t seed = 1; seed <= n && !why[0]; seed++) {
		struct random random = {seed};
		struct wn_graph *g =
		    forest_new(FOREST_RANDOM, 2 + random_below(&random, 250), seed);
		struct wn_tree *t = built(g, 1);
		struct slow *s = t->n ? slow_of_tree(t, WN_TREE_ROOT) : NULL;
		if (slow_compare(s, t)[0])
			differ("a copy is not the same");
		check_shapes(t, s);
		check_separation(t, &random, true);
		slow_free(s);
		wn_tree_free(t);
		forest_free(g);
	}
	return !why[0];
}

int
main(void)
{
	struct seeds seeds = seeds_wanted(600);
	uint64_t n_bad = seeds_bad(seeds, program_holds);
	ok(n_bad == 0,
	   "folding, values, names and separation of %" PRIu64 " random programs (%" PRIu64 " bad)",
	   seeds.n, n_bad);
	uint32_t n_large = seeds.n < 600 ? 50000 : 200000;
	for (uint32_t shape = 0; shape < FOREST_SHAPES_N; shape++) {
		bool holds = true;
		for (uint64_t seed = 1; holds && seed < 4; seed++)
			holds = forest_holds(shape, seed == 1 ? n_large : 3000, seed);
		if (!ok(holds, "forests (%s) are whole, and the same on any number of threads",
		        forest_names[shape]))
			note("%s", why);
	}
	if (!ok(small_forests_hold(seeds.n / 4 + 1), "small forests are separated"))
		note("%s", why);
	why[0] = '\0';
	check_ring();
	check_nothing();
	check_refused();
	if (!ok(!why[0], "rings, nothing at all, and ids that are none are told from trees"))
		note("%s", why);
	why[0] = '\0';
	for (uint32_t depth = 1; depth < 1000000; depth = depth * 3 + 1)
		check_deep_name(depth);
	check_deep_name(255);
	check_deep_name(256);
	check_deep_name(257);
	if (!ok(!why[0], "names of grains that lie deep lead to them"))
		note("%s", why);
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
