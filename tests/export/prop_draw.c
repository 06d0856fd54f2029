/* SPDX-License-Identifier: MIT */
/*
 * prop_draw.c - both drawn forms of random programs, checked from the outside: only the nodes and
 * edges that were handed out are looked at. WN_SEED=N runs one seed, WN_SEEDS=N that many.
 */
#include "aggregate/unfold.h"
#include "export/bundle.h"
#include "export/folded.h"
#include "export/links.h"
#include "export/nested.h"
#include "graph/draw.h"
#include "made.h"
#include "seeds.h"
#include "trace/trace_reader.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NODES_MAX 65536u
#define NONE      UINT32_MAX

struct picked_node {
	char name[WN_NODE_NAME_BYTES];
	struct wn_node n;
	uint32_t n_in, n_out, last_out; /* of edges that are no rogue ones */
};

struct picked_edge {
	uint32_t from, to;
	struct wn_edge e;
};

static struct picked_node nodes[NODES_MAX];
static struct picked_edge edges[2 * NODES_MAX];
static uint32_t n_nodes, n_edges;
static enum wn_form form;
static void
complain(const char *what, const char *name)
{
	differ("%s: %.60s: %.150s", form ? "fragments" : "reduced", name, what);
}

static wn_status
take_node(const struct wn_node *n, void *user)
{
	(void)user;
	if (n_nodes == NODES_MAX)
		return WN_E_LIMIT;
	struct picked_node *to = &nodes[n_nodes++];
	*to = (struct picked_node){.n = *n, .last_out = NONE};
	wn_node_name(n->id, to->name);
	return WN_OK;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct picked_node *)a)->name, ((const struct picked_node *)b)->name);
}

static uint32_t
find(const char *name)
{
	struct picked_node key = {.last_out = NONE};
	snprintf(key.name, sizeof key.name, "%s", name);
	struct picked_node *found = bsearch(&key, nodes, n_nodes, sizeof *nodes, by_name);
	return found ? (uint32_t)(found - nodes) : NONE;
}

static wn_status
take_edge(const struct wn_edge *e, void *user)
{
	char from[WN_NODE_NAME_BYTES], to[WN_NODE_NAME_BYTES];
	(void)user;
	if (n_edges == 2 * NODES_MAX)
		return WN_E_LIMIT;
	struct picked_edge *p = &edges[n_edges];
	*p = (struct picked_edge){find(wn_node_name(e->from, from)), find(wn_node_name(e->to, to)),
	                          *e};
	if (p->from == NONE || p->to == NONE) {
		complain("an edge has no such end", p->from == NONE ? from : to);
		return WN_OK;
	}
	if (e->is_critical && !(nodes[p->from].n.is_critical && nodes[p->to].n.is_critical))
		complain("a critical edge from or to a node that is not", from);
	if (!e->is_rogue && e->kind != WN_EDGE_DEPEND) {
		nodes[p->to].n_in++;
		nodes[p->from].n_out++;
		nodes[p->from].last_out = p->to;
	}
	n_edges++;
	return WN_OK;
}

static void
pick(const struct wn_draw *d)
{
	uint64_t counted_nodes, counted_edges;
	n_nodes = n_edges = 0;
	if (wn_draw_nodes(d, take_node, NULL) != WN_OK)
		complain("too many nodes", "test");
	qsort(nodes, n_nodes, sizeof *nodes, by_name);
	for (uint32_t i = 1; i < n_nodes; i++)
		if (strcmp(nodes[i].name, nodes[i - 1].name) == 0)
			complain("two nodes have this name", nodes[i].name);
	if (wn_draw_edges(d, take_edge, NULL) != WN_OK)
		complain("too many edges", "test");
	wn_draw_count(d, &counted_nodes, &counted_edges);
	if (counted_nodes != n_nodes || counted_edges != n_edges)
		complain("wn_draw_count() says something else", "counts");
}

/* The local rules of the grammar; S may have several ways out when several threads begin regions.
 */
static void
check_degrees(void)
{
	for (uint32_t i = 0; i < n_nodes; i++) {
		const struct picked_node *p = &nodes[i];
		bool is_fine = true;
		switch (p->n.id.kind) {
		case WN_NODE_START:
			is_fine = p->n_in == 0 && p->n_out >= 1;
			break;
		case WN_NODE_END:
			is_fine = p->n_in >= 1 && p->n_out == 0;
			break;
		case WN_NODE_FORK:
			is_fine = p->n_in == 1 && p->n_out >= 1;
			break;
		case WN_NODE_JOIN:
			is_fine = p->n_in >= 1 && p->n_out == 1;
			break;
		case WN_NODE_GRAIN:
		case WN_NODE_FRAGMENT:
			is_fine = p->n_in == 1 && p->n_out == 1 &&
			          (p->n.id.kind == WN_NODE_GRAIN) == (form == WN_FORM_REDUCED);
			break;
		case WN_NODE_GATE:
			is_fine = p->n_in == 0 && p->n_out == 0;
			break;
		case WN_NODE_KIND_N:
			is_fine = false;
		}
		if (!is_fine)
			complain("has the wrong number of edges", p->name);
	}
}

/* Takes nodes without unseen predecessors away until none is left. */
static void
check_acyclic(void)
{
	static uint32_t left[NODES_MAX], queue[NODES_MAX], first[NODES_MAX + 1],
	    list[2 * NODES_MAX];
	uint32_t head = 0, tail = 0;
	memset(left, 0, sizeof left);
	memset(first, 0, sizeof first);
	for (uint32_t i = 0; i < n_edges; i++) {
		left[edges[i].to]++;
		first[edges[i].from + 1]++;
	}
	for (uint32_t i = 0; i < n_nodes; i++)
		first[i + 1] += first[i];
	for (uint32_t i = n_edges; i-- > 0;)
		list[--first[edges[i].from + 1]] = i;
	for (uint32_t i = 0; i < n_nodes; i++)
		if (left[i] == 0)
			queue[tail++] = i;
	while (head < tail) {
		uint32_t at = queue[head++];
		for (uint32_t i = first[at + 1]; i < n_edges && edges[list[i]].from == at; i++)
			if (--left[edges[list[i]].to] == 0)
				queue[tail++] = edges[list[i]].to;
	}
	if (tail != n_nodes)
		complain("the graph has a cycle", "order");
}

/* Follows what comes after a grain to where its branch ends. */
static uint32_t
branch_end(uint32_t grain)
{
	uint32_t at = nodes[grain].last_out;
	for (uint32_t steps = 0; at != NONE && steps < n_nodes; steps++) {
		char join[WN_NODE_NAME_BYTES];
		if (nodes[at].n.id.kind != WN_NODE_FORK)
			return at;
		snprintf(join, sizeof join, "j%.30s", nodes[at].name + 1);
		at = find(join);
		at = at == NONE ? NONE : nodes[at].last_out;
	}
	return NONE;
}

/* fj := fork seq{1..} join: all branches of f.p.j end in j.p.j. */
static void
check_nesting(void)
{
	for (uint32_t i = 0; i < n_edges; i++) {
		const struct picked_edge *e = &edges[i];
		if (e->e.is_rogue || e->e.kind == WN_EDGE_DEPEND ||
		    nodes[e->from].n.id.kind != WN_NODE_FORK)
			continue;
		uint32_t end = branch_end(e->to);
		if (end == NONE || strcmp(nodes[e->from].name + 1, nodes[end].name + 1) != 0)
			complain("this branch does not end in its fork's join", nodes[e->to].name);
	}
}

static void
check_reduced(const struct wn_graph *g)
{
	uint64_t n_grains = 0, n_fjs = 0, n_gates = 0;
	for (uint32_t i = 0; i < n_nodes; i++)
		n_gates += nodes[i].n.id.kind == WN_NODE_GATE;
	for (wn_grain id = 0; id < g->n; id++)
		n_grains += wn_is_drawn(g, id);
	for (size_t i = 0; i < g->n_fjs; i++)
		n_fjs += g->fjs[i].n_children > 0;
	if (n_nodes != n_grains + 2 * n_fjs + n_gates + 2)
		complain("nodes are not grains + 2 fork-joins + 2", "count");
	check_degrees();
	check_nesting();
	check_acyclic();
}

static void
check_fragments(const struct wn_graph *g)
{
	uint64_t *sum = calloc(g->n, sizeof *sum);
	check_degrees();
	check_acyclic();
	for (uint32_t i = 0; sum && i < n_nodes; i++)
		if (nodes[i].n.id.kind == WN_NODE_FRAGMENT)
			sum[nodes[i].n.id.grain] += nodes[i].n.weight_ns;
	for (wn_grain id = 0; sum && id < g->n; id++)
		if (wn_is_drawn(g, id) && sum[id] != wn_work_ns(g, id))
			complain("fragments do not add up to a grain's work", "sum");
	free(sum);
}

static void
check_graph(const struct wn_graph *g)
{
	static const enum wn_form forms[] = {WN_FORM_REDUCED, WN_FORM_FRAGMENTS};
	for (size_t i = 0; i < 2; i++) {
		struct wn_draw *d;
		wn_err err;
		form = forms[i];
		if (wn_draw_new(g, form, &d, &err) != WN_OK) {
			complain(err.msg, "not drawn");
			return;
		}
		pick(d);
		if (form == WN_FORM_REDUCED)
			check_reduced(g);
		else
			check_fragments(g);
		wn_draw_free(d);
	}
}

/* Branches of a fork-join that the path goes through. */
static uint32_t
branches_on_path(const struct wn_tree *t, wn_tree_node fork_join)
{
	uint32_t n = 0;
	for (wn_tree_node c = fork_join + 1; c < t->end[fork_join]; c = t->end[c]) {
		bool is_on_path = false;
		for (wn_tree_node i = c; i < t->end[c]; i++)
			is_on_path = is_on_path || (t->kind[i] == WN_TREE_GRAIN &&
			                            t->g->flags[t->ref[i]] & WN_GF_CRITICAL);
		n += is_on_path;
	}
	return n;
}

/* Branches that are said to be on it. */
static uint32_t
members_on_path(const struct bundles *b, uint32_t row)
{
	uint32_t n = 0;
	for (uint32_t i = row + 1; i < b->n; i++)
		if (b->items[i].parent == row && b->items[i].is_critical)
			n += b->items[i].n_members;
	return n;
}

/* Of a bundled tree: each grain is in one node, and what it weighs; none is larger than asked for,
 * but for what each fork needs; what is on the path is never among what is not. */
static void
check_bundles(const struct wn_tree *t, const struct bundles *b, uint32_t n_most)
{
	uint64_t n_grains = 0, n_drawn = 0, weight = 0, n_all = 0, n_leaves = 0, all = 0;
	for (wn_tree_node i = 0; i < t->n; i++) {
		if (t->kind[i] != WN_TREE_GRAIN)
			continue;
		n_leaves++;
		n_all += wn_is_grain(t->g, t->ref[i]);
		all += wn_path_weight(t->g, t->ref[i]);
	}
	for (uint32_t i = 0; i < b->n; i++) {
		const struct bundle *one = &b->items[i];
		bool is_closed = one->kind == BUNDLE_CLOSED;
		if ((i == 0) != (one->parent == UINT32_MAX) ||
		    (i > 0 && (one->parent >= i || b->items[one->parent].kind == BUNDLE_CLOSED)))
			complain("a node is inside one behind it, or inside a closed one",
			         "bundles");
		if (one->kind == BUNDLE_ROW &&
		    members_on_path(b, i) != branches_on_path(t, one->node))
			complain("the path is among others of its fork", "bundles");
		n_grains += is_closed ? one->n_grains : 0;
		n_drawn += is_closed ? one->n_drawn : 0;
		weight += is_closed ? one->weight : 0;
	}
	if (n_grains != n_all || n_drawn != n_leaves || weight != all)
		complain("a grain is in no node, or in two", "bundles");
	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t n_in = 0;
		for (wn_tree_node k = 0; k < t->n; k++)
			n_in += t->kind[k] == WN_TREE_GRAIN && b->in[k] == i;
		if (n_in != (b->items[i].kind == BUNDLE_CLOSED ? b->items[i].n_drawn : 0))
			complain("a node is not what its grains say that they are in", "bundles");
	}
	if (b->n > 3 * (size_t)n_most)
		complain("far more nodes than asked for", "bundles");
}

static _Atomic uint64_t n_links; /* that were checked */

/* Edges beside the grammar, in order; each at a gate as its kind says. */
struct beside {
	struct wn_edge *edges;
	size_t n, capacity;
};

static wn_status
keep_beside(const struct wn_edge *edge, void *user)
{
	struct beside *all = user;
	if (!edge->is_rogue && edge->kind != WN_EDGE_DEPEND)
		return WN_OK;
	if (all->n == all->capacity) {
		all->capacity = 2 * all->capacity + 64;
		all->edges = realloc(all->edges, all->capacity * sizeof *all->edges);
		if (!all->edges)
			abort();
	}
	all->edges[all->n++] = *edge;
	return WN_OK;
}

static uint64_t
between(const struct beside *all, const uint32_t *node_of, const struct link *l)
{
	uint64_t n = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct wn_edge *e = &all->edges[i];
		if (e->is_rogue != l->is_rogue || e->from.kind != WN_NODE_GRAIN ||
		    node_of[e->from.grain] != l->from)
			continue;
		if (e->to.kind == WN_NODE_GRAIN)
			n += node_of[e->to.grain] == l->to;
		for (size_t k = 0; k < all->n && e->to.kind == WN_NODE_GATE; k++)
			n += all->edges[k].from.kind == WN_NODE_GATE &&
			     all->edges[k].from.index == e->to.index &&
			     node_of[all->edges[k].to.grain] == l->to;
	}
	return n;
}

/* Grains in any three nodes or in none: as many links between each two as there are ways.
 * Programs are too small for many at one gate: those are cases/taskgraph-links.sh. */
static void
check_links(const struct wn_export *x)
{
	struct beside all = {0};
	struct links found;
	uint32_t *node_of = calloc(x->g->n + 1, sizeof *node_of);
	uint64_t n_found = 0, n_ways = 0;
	if (!node_of || wn_export_edges(x, keep_beside, &all) != WN_OK)
		abort();
	for (wn_grain id = 0; id < x->g->n; id++)
		node_of[id] = id * 7 / 4 % 4 < 3 ? id * 7 / 4 % 4 : LINKS_NONE;
	if (all.n < 3000 && links_make(x, node_of, 3, &found, NULL) == WN_OK) {
		for (size_t i = 0; i < found.n; i++)
			n_found += found.items[i].n;
		for (uint32_t pair = 0; pair < 18; pair++) {
			struct link l = {
			    .from = pair / 3 % 3, .to = pair % 3, .is_rogue = pair >= 9};
			uint64_t n = l.from == l.to ? 0 : between(&all, node_of, &l), n_said = 0;
			for (size_t i = 0; i < found.n; i++)
				if (found.items[i].from == l.from && found.items[i].to == l.to &&
				    found.items[i].is_rogue == l.is_rogue)
					n_said = n_said ? UINT64_MAX : found.items[i].n;
			if (n_said != n)
				complain("not as many links as there are edges", "links");
			n_ways += n;
		}
		if (n_found != n_ways)
			complain("links to nowhere", "links");
		n_links += n_ways;
		links_fini(&found);
	}
	free(all.edges);
	free(node_of);
}

static wn_status
export_bundled(struct wn_export *x, const struct wn_tree *t, FILE *to, wn_err *err)
{
	wn_status st = wn_export_taskgraph(x, to, err);
	for (uint32_t n_most = 10; st == WN_OK && n_most <= 640; n_most *= 4) {
		struct bundles b;
		st = bundles_make(x, t, WN_TREE_ROOT, n_most, &b, err);
		if (st == WN_OK)
			check_bundles(t, &b, n_most);
		bundles_fini(&b);
	}
	return st == WN_OK ? wn_export_taskgraph_folded(x, t, WN_TREE_ROOT, 30, to, err) : st;
}

/* All that is drawn of the tree, of its part with the last node, and of a view. */
static wn_status
export_folded(struct wn_export *x, FILE *to, wn_err *err)
{
	struct wn_unfold_options open = {.aim = WN_VIEW_DEPTH, .depth = 3, .has_all_members = true};
	struct wn_nested_options nested = {.view = WN_NESTED_STRUCTURE};
	struct wn_unfolded u = {0};
	struct wn_metrics *m = NULL;
	struct wn_tree *t = NULL;
	char name[256];
	wn_status st;
	if ((st = wn_metrics_build(x->g, NULL, &m, err)) != WN_OK ||
	    (st = wn_tree_build(x->g, 1, &t, err)) != WN_OK)
		goto out;
	if (t->n == 0)
		goto out;
	if ((st = export_bundled(x, t, to, err)) != WN_OK)
		goto out;
	wn_tree_name(t, 0, name, sizeof name);
	nested.local = name;
	if ((st = wn_export_nested(x, t, m, &nested, to, err)) != WN_OK)
		goto out;
	nested.view = WN_PROBLEM_PARALLEL_BENEFIT;
	if ((st = wn_export_nested(x, t, m, &nested, to, err)) != WN_OK ||
	    (st = wn_unfold(&u, m, &open, err)) != WN_OK ||
	    (st = wn_export_folded_dot(x, u.view, to, err)) != WN_OK ||
	    (st = wn_export_folded_svg(x, u.view, to, err)) != WN_OK ||
	    (st = wn_export_restrict(x, t, t->n - 1, err)) != WN_OK)
		goto out;
	nested.local = NULL;
	st = wn_export_nested(x, t, m, &nested, to, err);
out:
	wn_unfolded_fini(&u);
	wn_tree_free(t);
	wn_metrics_free(m);
	return st;
}

/* Every allocation fails once: an error comes back and nothing stays behind. */
static void
check_failures(const struct wn_graph *g)
{
	FILE *to = fopen("/dev/null", "w");
	long live = wn_mem_live();
	wn_status st = WN_E_NOMEM;
	for (long n = 0; to && st == WN_E_NOMEM && n < 10000; n++) {
		struct wn_export *x = NULL;
		wn_err err;
		wn_mem_fail_after(n);
		st = wn_export_new(g, n % 2 ? WN_FORM_FRAGMENTS : WN_FORM_REDUCED, &x, &err);
		if (st == WN_OK)
			st = wn_export_graphml(x, to, &err);
		if (st == WN_OK)
			st = wn_export_csv(x, to, &err);
		if (st == WN_OK && x->form == WN_FORM_REDUCED)
			st = wn_export_svg(x, to, &err);
		if (st == WN_OK)
			st = wn_export_gexf(x, to, &err);
		if (st == WN_OK && x->form == WN_FORM_REDUCED)
			st = export_folded(x, to, &err);
		wn_mem_fail_after(-1);
		wn_export_free(x);
		if (wn_mem_live() != live)
			complain("memory is left after a failure", "allocation");
	}
	if (st != WN_OK)
		complain("does not succeed even when nothing fails", "allocation");
	if (to)
		fclose(to);
}

/* Task graphs of any program, in a few circles. */
static void
check_taskgraph(const struct wn_graph *g)
{
	FILE *to = fopen("/dev/null", "w");
	struct wn_export *x = NULL;
	struct wn_tree *t = NULL;
	wn_err err = {.msg = ""};
	wn_status st = wn_export_new(g, WN_FORM_REDUCED, &x, &err);
	if (st == WN_OK)
		st = wn_tree_build(g, 1, &t, &err);
	if (to && st == WN_OK && t->n > 0)
		st = export_bundled(x, t, to, &err);
	if (st == WN_OK)
		check_links(x);
	if (st != WN_OK)
		complain(err.msg, "task graph");
	wn_tree_free(t);
	wn_export_free(x);
	if (to)
		fclose(to);
}

static bool
holds(uint64_t seed)
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
	if (made_run(&m, seed, &shape, seed, &mode)) {
		emit_options_init(&options, seed);
		if (made_read(&m, &options, &err) != WN_OK)
			complain(err.msg, "not built");
		else
			check_graph(m.g);
		if (m.g && seed % 4 == 3)
			check_taskgraph(m.g);
		if (m.g && seed % 250 == 3)
			check_failures(m.g);
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
	   "both forms of %" PRIu64 " random programs obey their rules (%" PRIu64 " do not)",
	   seeds.n, n_bad);
	ok(n_links > seeds.n || seeds.n < 100, "%" PRIu64 " links between nodes of many grains",
	   (uint64_t)n_links);
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
