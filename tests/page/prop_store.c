/* SPDX-License-Identifier: MIT */
/*
 * prop_store.c - pages of run.grains of random programs, cut into small chunks, against the whole
 * tree: with all chunks each node is the same and each map, byte for byte; with some of them
 * pictures stand for all grains. WN_SEED=N runs one seed, WN_SEEDS=N that many.
 *
 * With a folder as its argument it makes what the page's worker is compared with: containers, views
 * of them and pictures (parity.mjs).
 */
#include "container.h"

#include "aggregate/group.h"
#include "aggregate/unfold.h"
#include "base/mem.h"
#include "metrics/define.h"
#include "page/problem_bits.h"
#include "page/snapshot.h"
#include "page/table.h"
#include "tests/property/seeds.h"

#include <math.h>
#include <string.h>

static struct page_view
view_of(struct page *p, const struct container *c, uint64_t k)
{
	struct random random = {k * 977 + 3};
	struct page_view v = {.width = 200 + (float)random_below(&random, 1400),
	                      .height = 150 + (float)random_below(&random, 900),
	                      .selected = PAGE_NO_NODE,
	                      .site = PAGE_NO_NODE,
	                      .kind = (uint8_t)(k % 2),
	                      .problem = PAGE_ALL_PROBLEMS,
	                      .is_moving = k % 5 == 0,
	                      .is_log = k % 3 == 0,
	                      .has_dependences = k % 4 == 1};
	if (k % 7 == 0)
		v.problem = (uint8_t)random_below(&random, 3);
	if (k % 11 == 0)
		v.site = random_below(&random, 4);
	if (k % 3 == 1)
		v.selected = random_below(&random, c->head.n_nodes);
	double part = k % 4 == 0 ? 0 : 1.0 / (1 + random_below(&random, 30));
	if (part > 0 && page_size(p, &v, &v.w, &v.h, NULL) == WN_OK) {
		v.x = v.w * random_below(&random, 1000) / 1000 * (1 - part);
		v.y = v.h * random_below(&random, 1000) / 1000 * (1 - part);
		v.w *= part;
		v.h *= part;
	}
	return v;
}

static struct page_picture
drawn(struct page *p, const struct page_view *v)
{
	struct page_picture picture = {.shapes = NULL};
	wn_err err;
	if (page_draw(p, v, &picture, &err) != WN_OK) {
		differ("not drawn: %s", err.msg);
		abort();
	}
	return picture;
}

#define SAME(field)                                                                                \
	do {                                                                                       \
		if (a->field != b->field)                                                          \
			differ("node %u: " #field " is %" PRIu64 ", and %" PRIu64 " in the tree",  \
			       i, (uint64_t)a->field, (uint64_t)b->field);                         \
	} while (0)

static void
same_rows(const struct page *p, const struct page *whole, bool is_all)
{
	for (uint32_t i = 0; i < whole->run.n_nodes; i++) {
		const struct row *a = page_row(p, i), *b = page_row(whole, i);
		if (!a && is_all)
			differ("node %u is not here", i);
		if (!a)
			continue;
		if (snapshot_problems(p->shown, a) != snapshot_problems(whole->shown, b))
			differ("node %u: %u grains with problems, and %u in the tree", i,
			       snapshot_problems(p->shown, a), snapshot_problems(whole->shown, b));
		SAME(node);
		SAME(end);
		SAME(parent);
		SAME(kind);
		SAME(n_members);
		SAME(n_grains);
		SAME(work_ns);
		SAME(span_ns);
		SAME(best_ns);
		SAME(site);
		SAME(colour);
		SAME(flags);
		SAME(grain_kind);
	}
}

static void
same_maps(struct page *p, struct page *whole, const struct container *c, uint64_t seed)
{
	for (uint64_t k = 0; k < 6; k++) {
		struct page_view v = view_of(whole, c, seed * 12 + 2 * k);
		struct page_picture a = drawn(p, &v);
		struct page_picture b = drawn(whole, &v);
		if (a.n_shapes != b.n_shapes ||
		    memcmp(a.shapes, b.shapes, a.n_shapes * sizeof *a.shapes) != 0)
			differ("map %" PRIu64 ": %u shapes, and others than the %u of the tree", k,
			       a.n_shapes, b.n_shapes);
	}
}

/* Whatever is here: all of it is in both pictures. */
static void
stands_for_all(struct page *p, const struct container *c)
{
	for (uint8_t kind = 0; kind < 3; kind++) { /* the third: with dependences */
		struct page_view v = {.width = 900,
		                      .height = 600,
		                      .selected = PAGE_NO_NODE,
		                      .site = PAGE_NO_NODE,
		                      .kind = kind > 0,
		                      .has_dependences = kind == 2,
		                      .problem = PAGE_ALL_PROBLEMS};
		struct page_picture k = drawn(p, &v);
		if (k.n_grains != c->head.n_grains)
			differ("picture %u stands for %" PRIu64 " of %u grains", kind, k.n_grains,
			       c->head.n_grains);
	}
}

static void
same_steps(struct page *p, const struct wn_tree *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t parent = page_step(p, i, PAGE_PARENT, PAGE_ALL_PROBLEMS);
		uint32_t first = page_step(p, i, PAGE_FIRST, PAGE_ALL_PROBLEMS);
		uint32_t next = page_step(p, i, PAGE_NEXT, PAGE_ALL_PROBLEMS);
		if (parent != t->parent[i] || first != wn_tree_first(t, i) ||
		    next != wn_tree_next(t, i))
			differ("from node %u steps lead elsewhere", i);
		if (next != PAGE_NO_NODE &&
		    page_step(p, next, PAGE_PREVIOUS, PAGE_ALL_PROBLEMS) != i)
			differ("there is no way back from node %u to %u", next, i);
	}
}

static uint64_t n_related, n_rogue, n_lines; /* found in all runs */

#define BANDS 12u

/* How much of each band is filled, and how much of it by what has a problem. Which of two lanes
 * that are free at once comes first is nobody's business: so not where across. */
static void
fill(const struct page_picture *k, const struct page_view *v, double bands[BANDS][2])
{
	double h = (double)v->height / BANDS, all = (double)v->height * (double)v->width;
	memset(bands, 0, BANDS * sizeof *bands);
	for (uint32_t i = 0; i < k->n_shapes; i++) {
		const struct page_shape *s = &k->shapes[i];
		for (uint32_t n = 0; s->kind != PAGE_OPEN && n < BANDS; n++) {
			double y =
			    fmin((double)(s->y + s->h), (n + 1) * h) - fmax((double)s->y, n * h);
			if (!(y > 0))
				continue;
			bands[n][0] += (double)s->w * y / all;
			bands[n][1] +=
			    s->flags & PAGE_F_PROBLEM ? (double)s->w * y / all * s->ramp / 255 : 0;
		}
	}
}

/* A map of which the chunks come one after the other, and stay at a coarser level of detail:
 * nothing is lacking in the end, and it looks as that of the whole tree. */
static void
settles(const struct container *c, uint64_t seed)
{
	struct random random = {seed + 9};
	struct page *p = container_page(c), *whole = container_whole(c);
	struct page_view v = {.width = 100 + (float)random_below(&random, 300),
	                      .height = 100 + (float)random_below(&random, 300),
	                      .selected = PAGE_NO_NODE,
	                      .site = PAGE_NO_NODE,
	                      .problem = (uint8_t)random_below(&random, 3)};
	container_put(c, p, WN_PART_TIER, 0);
	container_put(c, p, WN_PART_TIER, 1);
	if (page_size(whole, &v, &v.w, &v.h, NULL) != WN_OK)
		abort();
	double least = 12 * v.w * v.h / ((double)v.width * (double)v.height);
	uint32_t tries[4096] = {0}, chunk;
	struct page_picture a;
	while (a = drawn(p, &v), page_needs(p, &chunk, 1) > 0) {
		if (chunk >= 4096 || tries[chunk]++ >= 4) {
			differ("map: chunk %u is lacking for ever", chunk);
			break;
		}
		container_put(c, p, WN_PART_CHUNK, chunk);
		double own = tries[chunk] < 4 ? least / pow(8, tries[chunk] - 1) : 0;
		if (page_thin(p, chunk, own, UINT32_MAX, NULL) != WN_OK)
			abort();
	}
	same_rows(p, whole, false);
	double mine[BANDS][2], theirs[BANDS][2], off[2] = {0, 0};
	fill(&a, &v, mine);
	struct page_picture b = drawn(whole, &v);
	fill(&b, &v, theirs);
	for (uint32_t n = 0; n < BANDS; n++)
		for (int i = 0; i < 2; i++)
			off[i] += fabs(mine[n][i] - theirs[n][i]);
	if (a.n_grains != c->head.n_grains || off[0] > 0.05 || off[1] > 0.05)
		differ("map: %" PRIu64 " grains, %g of it filled otherwise, %g with problems",
		       a.n_grains, off[0], off[1]);
	page_free(p);
	page_free(whole);
}

/* Drops a chunk, or keeps a coarser level of detail of it. */
static void
forget(struct page *p, uint32_t chunk, struct random *random)
{
	double least = random_below(random, 100000);
	uint32_t n_max = random_one_in(random, 2) ? UINT32_MAX : random_below(random, 40);
	if (random_one_in(random, 2) || !p->chunks[chunk].is_linked)
		page_drop(p, chunk);
	else if (page_thin(p, chunk, least, n_max, NULL) != WN_OK)
		abort();
}

/* Does a picture have the sign of a mark? */
static bool
has_sign(const struct page_picture *picture)
{
	for (uint32_t i = 0; i < picture->n_texts; i++)
		if (picture->texts[i].style == PAGE_TEXT_MARK)
			return true;
	return false;
}

/* A node that is marked, or something inside it, has a sign where it is drawn large enough; without
 * marks nothing has. Steps go from one to the next, around. */
static void
check_marks(const struct container *c, uint64_t seed)
{
	struct random random = {seed + 3};
	struct page *p = container_page(c);
	uint32_t n = c->head.n_nodes, nodes[3] = {0}, n_marked = 0, at = PAGE_NO_NODE;
	container_put(c, p, WN_PART_TIER, 0);
	container_put(c, p, WN_PART_TIER, 1);
	for (uint32_t k = 0; k < container_n(c, WN_PART_CHUNK); k++)
		container_put(c, p, WN_PART_CHUNK, k);
	struct page_view v = {.width = 900,
	                      .height = 700,
	                      .selected = PAGE_NO_NODE,
	                      .site = PAGE_NO_NODE,
	                      .kind = (uint8_t)(seed % 2),
	                      .problem = PAGE_ALL_PROBLEMS};
	struct page_picture picture = drawn(p, &v);
	if (has_sign(&picture))
		differ("there is a sign, and no mark");
	if (page_next_mark(p, 0) != PAGE_NO_NODE)
		differ("there is a way to a mark, and none");
	for (uint32_t node = random_below(&random, n); node < n && n_marked < 3;
	     node += 1 + random_below(&random, n)) {
		nodes[n_marked++] = node;
		if (page_mark(p, node, (enum page_mark)random_below(&random, PAGE_MARK_N), NULL) !=
		    WN_OK)
			differ("node %u cannot be marked", node);
	}
	if (page_mark(p, nodes[0], PAGE_MARK_SLOWER, NULL) == WN_OK && n_marked > 1)
		differ("marks need not ascend");
	if (page_mark(p, n, PAGE_MARK_SLOWER, NULL) == WN_OK)
		differ("what is no node is marked");
	for (uint32_t i = 0; i < 2 * n_marked; i++)
		if ((at = page_next_mark(p, at)) != nodes[i % n_marked])
			differ("the next mark is %u, not %u", at, nodes[i % n_marked]);
	/* framed alone, it is large */
	for (uint32_t i = 0; i < n_marked; i++) {
		double frame[4];
		v.selected = nodes[i]; /* the structure is open on the way to it */
		v.w = v.h = 0;
		if (!page_frame_of(p, &v, nodes[i], frame) || !(frame[2] > 0 && frame[3] > 0))
			continue;
		v.x = frame[0] - frame[2] / 8;
		v.y = frame[1] - frame[3] / 8;
		v.w = frame[2] * 1.25;
		v.h = frame[3] * 1.25;
		picture = drawn(p, &v);
		if (!has_sign(&picture))
			differ("node %u is marked, and picture %u has no sign", nodes[i], v.kind);
	}
	page_free(p);
}

/* Does a grain of the run depend on one of the nodes [node, end)? */
static bool
depends_on(const struct wn_graph *g, wn_grain id, const bool *is_own)
{
	const struct wn_dependent *d = wn_dependent(g, id);
	bool does = false;
	for (uint32_t k = 0; d && k < d->n_predecessors; k++)
		does |= is_own[g->predecessors[d->first_predecessor + k]];
	for (uint32_t k = 0; d && k < d->n_gates; k++) {
		const struct wn_dep_gate *gate = &g->gates[g->gates_before[d->first_gate + k]];
		for (uint32_t m = 0; m < gate->n_members; m++)
			does |= is_own[g->gate_members[gate->first_member + m]];
	}
	return does;
}

static void
same_related(struct page *p, enum page_relation what, uint64_t n, uint64_t most)
{
	const struct page_related *found;
	uint32_t n_found = page_related(p, what, &found);
	if (page_n_related(p, what) != n)
		differ("relation %d: %" PRIu64 " grains, not %" PRIu64, what,
		       page_n_related(p, what), n);
	if (n_found > 0 && found[0].work_ns != most)
		differ("relation %d: the longest is another one", what);
	for (uint32_t i = 1; i < n_found; i++)
		if (found[i].work_ns > found[i - 1].work_ns)
			differ("relation %d: not the longest first", what);
}

/* What a node has to do with others, against the graph. */
static void
relates(const struct container *c, uint64_t seed)
{
	struct random random = {seed + 11};
	const struct wn_tree *t = c->tree;
	const struct wn_graph *g = t->g;
	struct page *p = container_page(c);
	bool *is_own = calloc(g->n, 1), *is_asked = calloc(g->n, 1);
	uint64_t n[PAGE_RELATIONS_N] = {0}, most[PAGE_RELATIONS_N] = {0};
	uint32_t n_chunks = container_n(c, WN_PART_CHUNK), node = random_below(&random, t->n);
	container_put(c, p, WN_PART_TIER, 0);
	container_put(c, p, WN_PART_TIER, 1);
	container_put(c, p, WN_PART_CHUNK, page_chunk_of(p, node));
	if (!page_row(p, node)) { /* what it begins in is not here */
		page_free(p);
		free(is_own);
		free(is_asked);
		return;
	}
	for (uint32_t i = node; i < t->end[node]; i++)
		if (t->kind[i] == WN_TREE_GRAIN)
			is_own[t->ref[i]] = true;
	for (uint32_t i = 0; i < t->n; i++) {
		wn_grain id = t->kind[i] == WN_TREE_GRAIN ? t->ref[i] : WN_NO_GRAIN;
		if (id == WN_NO_GRAIN)
			continue;
		bool is_rogue = g->flags[id] & WN_GF_ROGUE;
		uint64_t work = wn_work_ns(g, id);
		if (!is_own[id] && depends_on(g, id, is_own)) {
			n[PAGE_AFTER]++;
			most[PAGE_AFTER] = work > most[PAGE_AFTER] ? work : most[PAGE_AFTER];
		}
		if (!is_own[id] && is_rogue && is_own[g->parent[id]]) {
			n[PAGE_MADE]++;
			most[PAGE_MADE] = work > most[PAGE_MADE] ? work : most[PAGE_MADE];
		}
		const struct wn_dependent *d = is_own[id] ? wn_dependent(g, id) : NULL;
		for (uint32_t k = 0; d && k < d->n_predecessors; k++)
			is_asked[g->predecessors[d->first_predecessor + k]] = true;
		for (uint32_t k = 0; d && k < d->n_gates; k++) {
			const struct wn_dep_gate *gate =
			    &g->gates[g->gates_before[d->first_gate + k]];
			for (uint32_t m = 0; m < gate->n_members; m++)
				is_asked[g->gate_members[gate->first_member + m]] = true;
		}
	}
	for (uint32_t id = 0; id < g->n; id++)
		if (is_asked[id] && !is_own[id]) {
			uint64_t work = wn_work_ns(g, id);
			n[PAGE_BEFORE]++;
			most[PAGE_BEFORE] = work > most[PAGE_BEFORE] ? work : most[PAGE_BEFORE];
		}
	if (page_relate(p, node, NULL) != WN_OK)
		abort();
	for (uint32_t k = 0; k < n_chunks; k++)
		if (p->chunks[k].first_node < t->end[node] &&
		    p->chunks[k].first_node + p->chunks[k].n_nodes > node)
			container_look(c, p, WN_PART_CHUNK, k, 0, true);
	container_look(c, p, WN_PART_GATES, 0, 0, false);
	for (uint32_t k = 0; k < n_chunks; k++)
		container_look(c, p, WN_PART_CHUNK, k, 0, false);
	same_related(p, PAGE_BEFORE, n[PAGE_BEFORE], most[PAGE_BEFORE]);
	same_related(p, PAGE_AFTER, n[PAGE_AFTER], most[PAGE_AFTER]);
	same_related(p, PAGE_MADE, n[PAGE_MADE], most[PAGE_MADE]);
	n_related += n[PAGE_BEFORE] + n[PAGE_AFTER];
	n_rogue += n[PAGE_MADE];
	for (uint8_t kind = 0; kind < 2; kind++) {
		struct page_view v = {.width = 900,
		                      .height = 600,
		                      .selected = node,
		                      .site = PAGE_NO_NODE,
		                      .kind = kind,
		                      .has_dependences = true,
		                      .problem = PAGE_ALL_PROBLEMS};
		struct page_picture k = drawn(p, &v);
		if (k.n_grains != c->head.n_grains)
			differ("with relations, picture %u stands for other grains", kind);
		for (uint32_t i = 0; i < k.n_shapes; i++)
			n_lines += k.shapes[i].kind == PAGE_DEPENDENCE &&
			           k.shapes[i].flags & PAGE_F_SELECTED;
	}
	page_free(p);
	free(is_own);
	free(is_asked);
}

static void
check(const struct container *c, uint64_t seed)
{
	struct random random = {seed + 5};
	struct page *p = container_page(c), *whole = container_whole(c);
	uint32_t n_chunks = container_n(c, WN_PART_CHUNK);
	container_put(c, p, WN_PART_TIER, 0);
	same_rows(p, whole, false);
	stands_for_all(p, c);
	container_put(c, p, WN_PART_TIER, 1);
	for (uint32_t k = 0; k < n_chunks && k < 12; k++) { /* in any order */
		uint32_t chunk = random_below(&random, n_chunks);
		if (!p->chunks[chunk].rows)
			container_put(c, p, WN_PART_CHUNK, chunk);
		else if (random_one_in(&random, 2))
			forget(p, chunk, &random);
		same_rows(p, whole, false);
		stands_for_all(p, c);
	}
	for (uint32_t k = 0; k < n_chunks; k++)
		if (!p->chunks[k].rows)
			container_put(c, p, WN_PART_CHUNK, k);
	same_rows(p, whole, true);
	same_maps(p, whole, c, seed);
	same_steps(p, c->tree);
	page_free(p);
	page_free(whole);
	settles(c, seed);
	relates(c, seed);
}

static struct table *
table_of(const struct container *c)
{
	const struct wn_metrics *m = c->report->metrics;
	struct table *t;
	if (table_new(&t, NULL) != WN_OK)
		abort();
	for (int k = 0; k < m->n_problems; k++)
		if (table_problem(t, m->problem_types[k].name, m->problem_types[k].is_below,
		                  m->threshold[k], NULL) != WN_OK)
			abort();
	return t;
}

/* What rows of chunks refer to. */
static void
take_tables(const struct container *c, struct table *t)
{
	uint32_t n_loops = container_n(c, WN_PART_LOOPS),
		 n_regions = container_n(c, WN_PART_REGIONS);
	for (uint32_t k = 0; k < n_loops && table_needs_part(t, WN_PART_LOOPS); k++)
		container_take(c, t, WN_PART_LOOPS, k, false);
	for (uint32_t k = 0; k < n_regions && table_needs_part(t, WN_PART_REGIONS); k++)
		container_take(c, t, WN_PART_REGIONS, k, false);
	for (uint32_t k = 0; k < container_n(c, WN_PART_CHUNK) && table_needs_groups(t); k++)
		container_take(c, t, WN_PART_CHUNK, k, true);
	table_has_tables(t);
}

/* A run that is judged by thresholds that move, and what its own metrics say of them. */
struct judging {
	const struct container *c;
	struct random random;
	struct page *p;
	struct table *t;
	struct wn_options options; /* with the thresholds that are moved */
	struct wn_metrics *m;
	uint32_t moved;    /* problems */
	bool *is_left_out; /* [n_chunks] */
	uint32_t n_chunks, n_again;
};

static void
measure(struct judging *j)
{
	wn_metrics_free(j->m);
	if (wn_metrics_build(j->c->report->graph, &j->options, &j->m, NULL) != WN_OK)
		abort();
}

/* Often a value that a grain has, or one just beside it. */
static double
some_threshold(struct judging *j, uint32_t problem)
{
	const struct wn_tree *t = j->c->tree;
	double value = random_below(&j->random, 4000) / 1000.0;
	for (int i = 0; i < 20 && random_one_in(&j->random, 2) == 0; i++) {
		wn_tree_node node = random_below(&j->random, t->n);
		double own = t->kind[node] == WN_TREE_GRAIN
		                 ? wn_problem_value(j->m, t->ref[node], (int)problem)
		                 : (double)NAN;
		if (isnan(own))
			continue;
		uint32_t step = random_below(&j->random, 5);
		value = step == 1   ? nextafter(own, -INFINITY)
		        : step == 2 ? nextafter(own, INFINITY)
		        : step == 3 ? (double)(float)own
		                    : own;
	}
	return value;
}

static bool
is_left_out(const struct judging *j, wn_tree_node node)
{
	return j->is_left_out[page_chunk_of(j->p, node)];
}

/* How many grains in a node have what is looked at, and how many nobody judged. */
static void
same_counts(struct judging *j, uint8_t problem)
{
	const struct wn_tree *t = j->c->tree;
	bool is_all = problem == PAGE_ALL_PROBLEMS;
	uint32_t mask = is_all ? WN_PROBLEMS_DEFAULT & j->p->run.counting : 1u << problem;
	bool is_judged = (mask & j->moved) != 0;
	if (!page_choose(j->p, problem))
		abort();
	for (uint32_t i = 0; i < t->n; i++) {
		const struct row *r = page_row(j->p, i);
		uint32_t n = 0, n_lacking = 0;
		for (uint32_t k = i; r && k < t->end[i]; k++) {
			bool is_lost = is_judged && is_left_out(j, k);
			n += t->kind[k] == WN_TREE_GRAIN && !is_lost &&
			     j->m->problems[t->ref[k]] & mask;
			n_lacking += t->kind[k] == WN_TREE_GRAIN && is_lost;
		}
		uint32_t n_problem = r ? snapshot_problems(j->p->shown, r) : 0;
		if (n_problem != (r ? n : 0))
			differ("node %u holds %u grains with problem %u, not %u", i, n, problem,
			       n_problem);
		if (r && snapshot_unknown(j->p->shown, r) != n_lacking)
			differ("node %u holds %u grains that nobody judged, not %u", i, n_lacking,
			       snapshot_unknown(j->p->shown, r));
		if (r && r->kind == ROW_GRAIN && n_problem && is_judged && !is_all &&
		    snapshot_severity(j->p->shown, r) !=
		        page_severity(wn_problem_value(j->m, t->ref[i], problem),
		                      j->m->threshold[problem],
		                      j->m->problem_types[problem].is_below))
			differ("node %u has problem %u by another severity", i, problem);
	}
}

static void
come_and_go(struct judging *j)
{
	for (uint32_t k = 0; k < j->n_chunks; k++) {
		if (j->is_left_out[k] || random_one_in(&j->random, 2))
			continue;
		if (j->p->chunks[k].rows) {
			forget(j->p, k, &j->random);
			continue;
		}
		container_put(j->c, j->p, WN_PART_CHUNK, k);
		page_request_columns(j->p, j->t, false);
		take_tables(j->c, j->t);
		container_take(j->c, j->t, WN_PART_CHUNK, k, false);
		if (page_threshold_loaded_chunk(j->p, j->t, k, NULL) != WN_OK)
			abort();
	}
}

static void
pass(struct judging *j, bool is_whole)
{
	page_request_columns(j->p, j->t, true);
	take_tables(j->c, j->t);
	for (uint32_t k = 0; k < j->n_chunks; k++) {
		if (!is_whole && k > j->n_chunks / 2)
			return;
		if (j->is_left_out[k]) {
			if (page_threshold_chunk_missing(j->p, j->t, k, NULL) != WN_OK)
				abort();
		} else if (page_threshold_reuse(j->p, k)) {
			j->n_again++;
		} else {
			container_take(j->c, j->t, WN_PART_CHUNK, k, false);
			if (page_threshold_chunk(j->p, j->t, k, NULL) != WN_OK)
				abort();
		}
	}
	if (is_whole && page_threshold_end(j->p, NULL) != WN_OK)
		abort();
}

static void
judge_some(struct judging *j)
{
	uint32_t problem = random_below(&j->random, j->p->run.n_problems);
	page_threshold_begin(j->p);
	if (random_one_in(&j->random, 6)) { /* one that comes to no end changes nothing */
		page_threshold_set(j->p, problem, some_threshold(j, problem));
		pass(j, false);
	} else if (random_one_in(&j->random, 4)) {
		j->options.threshold[problem] = wn_options_default().threshold[problem];
		j->moved &= ~(1u << problem);
		if (!page_threshold_reset(j->p, problem))
			abort();
	} else {
		for (uint32_t n = 1 + random_below(&j->random, 2); n > 0; n--) {
			double threshold = some_threshold(j, problem);
			page_threshold_set(j->p, problem, threshold);
			j->options.threshold[problem] = threshold;
			j->moved |= 1u << problem;
			problem = random_below(&j->random, j->p->run.n_problems);
		}
		if (random_one_in(&j->random, 3))
			page_threshold_set(j->p, random_below(&j->random, j->p->run.n_problems),
			                   (double)NAN);
		pass(j, true);
	}
	measure(j);
	for (uint32_t k = 0; k < j->p->run.n_problems; k++)
		if (j->moved >> k & 1 && !j->is_left_out[0] && page_lacking(j->p, k) == 0 &&
		    page_count(j->p, k) != j->m->problem[k].count)
			differ("%" PRIu64 " grains have problem %u at %g, and %" PRIu64
			       " by the metrics",
			       page_count(j->p, k), k, j->m->threshold[k], j->m->problem[k].count);
}

/* Some of its chunks are left out of the file, if that is asked for. */
static struct judging
judging_of(const struct container *c, uint64_t seed, bool leaves_out)
{
	struct judging j = {.c = c,
	                    .random = {seed},
	                    .p = container_page(c),
	                    .t = table_of(c),
	                    .options = wn_options_default(),
	                    .n_chunks = container_n(c, WN_PART_CHUNK)};
	j.options.needs_whole_graph = true;
	j.is_left_out = calloc(j.n_chunks + 1, sizeof *j.is_left_out);
	for (uint32_t k = 0; k < j.n_chunks && leaves_out; k++)
		j.is_left_out[k] = random_one_in(&j.random, 4);
	return j;
}

/* Whatever thresholds are moved to, in whatever order, and whatever is here meanwhile: groups hold
 * as many grains with a problem as the run's own metrics say. */
static void
check_judged(const struct container *c, uint64_t seed, uint32_t *n_again)
{
	struct judging j = judging_of(c, seed + 31, seed % 3 == 0);
	measure(&j);
	container_put(c, j.p, WN_PART_TIER, 0);
	container_put(c, j.p, WN_PART_TIER, 1);
	for (int step = 0; step < 6; step++) {
		come_and_go(&j);
		judge_some(&j);
		same_counts(&j, PAGE_ALL_PROBLEMS);
		same_counts(&j, (uint8_t)random_below(&j.random, j.p->run.n_problems));
		for (uint8_t k = 0; k < j.p->run.n_problems; k++)
			if (j.moved >> k & 1)
				same_counts(&j, k);
	}
	*n_again += j.n_again;
	table_end(j.t);
	wn_metrics_free(j.m);
	page_free(j.p);
	free(j.is_left_out);
}

/* ---------------------------------------------------------------------------- metrics of the user
 */

static const char *const expressions[] = {
    "work_ns",
    "work_ns / 7",
    "made_ns / exec_ns",
    "creation_ns + sync_ns / num_children",
    "kind == task ? work_ns * 1.1 : na",
    "parallel_benefit",
    "problem.parallel_benefit + work_ns / 3",
    "log(work_ns + 1)",
    "inst_par_median - inst_par_min / 3",
    "kind == chunk",
    "run.work_ns / work_ns",
    "sibling_work_balance * 1.5 + on_crit_path",
    "leaf / num_children",
    "begin_ns % 1000",
    "kind",
};
/* Of the second: the first may be in it. */
static const char *const expressions_of_first[] = {"first * 0.3 + exec_ns", "first", "1 / first",
                                                   "coalesce(first, work_ns) - first"};

#define N_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

static void
define_numbers(struct judging *j)
{
	const struct wn_totals *totals = &j->m->totals;
	table_number(j->t, TABLE_CPUS_USED, totals->n_cpus);
	table_number(j->t, TABLE_WORK_NS, (double)totals->work_ns);
}

static void
define(struct judging *j, struct wn_metric_defs *defs)
{
	for (int i = 0; i < 2; i++) {
		char text[200], number[40];
		bool is_low = random_one_in(&j->random, 2);
		bool is_of_first = i == 1 && random_one_in(&j->random, 3);
		enum wn_fold fold = (enum wn_fold)random_below(&j->random, WN_FOLD_N);
		const char *words = is_of_first
		                        ? expressions_of_first[random_below(&j->random, 4)]
		                        : expressions[random_below(&j->random, N_OF(expressions))];
		snprintf(text, sizeof text, "%s = %s", i ? "second" : "first", words);
		snprintf(number, sizeof number, "%u.%u", random_below(&j->random, 2000),
		         random_below(&j->random, 10));
		if (wn_metric_defs_add(defs, text, NULL) != WN_OK ||
		    wn_metric_defs_set(defs, WN_METRIC_BAD, is_low ? "low" : "high", NULL) !=
		        WN_OK ||
		    wn_metric_defs_set(defs, WN_METRIC_THRESHOLD, number, NULL) != WN_OK ||
		    wn_metric_defs_set(defs, WN_METRIC_PROPAGATE, wn_fold_name(fold), NULL) !=
		        WN_OK ||
		    table_define(j->t, i ? "second" : "first", words, fold, NULL) != WN_OK ||
		    !page_metric(j->p, is_low))
			abort();
	}
	j->options.metrics = defs;
}

static bool
is_some_left_out(const struct judging *j, wn_tree_node node)
{
	const struct wn_tree *t = j->c->tree;
	for (wn_tree_node k = node; k < t->end[node]; k++)
		if (is_left_out(j, k))
			return true;
	return false;
}

static void
same_values(struct judging *j, const struct wn_column *column, uint32_t *n_values)
{
	const struct wn_tree *t = j->c->tree;
	double *values = calloc(t->n, sizeof *values);
	if (wn_group_column(t, j->m, column, values, NULL) != WN_OK)
		abort();
	for (wn_tree_node i = 0; i < t->n; i++) {
		const struct row *r = page_row(j->p, i);
		uint32_t k = rows_from(&j->p->groups, i);
		bool is_of_tier = k < j->p->groups.n && j->p->groups.at[k].node == i;
		if (!is_of_tier && !j->p->chunks[page_chunk_of(j->p, i)].rows)
			r = NULL; /* values are unknown at a coarser level of detail */
		double own = r ? page_value(j->p, i) : values[i];
		double value = r && is_some_left_out(j, i) ? (double)NAN : values[i];
		*n_values += r && r->kind != ROW_GRAIN && !isnan(own);
		if (isnan(own) != isnan(value) || (!isnan(own) && own != value))
			differ("node %u has %s = %s of %.17g, not %.17g", i, column->name,
			       wn_fold_name(column->fold), value, own);
	}
	free(values);
}

/* Metrics of the user are judged as problem types are, and groups have the value that they have in
 * the tree, bit by bit. */
static void
check_metrics(const struct container *c, uint64_t seed, uint32_t *n_values)
{
	struct wn_metric_defs defs = {.items = NULL};
	struct judging j = judging_of(c, seed + 57, seed % 4 == 0);
	measure(&j);
	define_numbers(&j);
	define(&j, &defs);
	measure(&j);
	container_put(c, j.p, WN_PART_TIER, 0);
	container_put(c, j.p, WN_PART_TIER, 1);
	for (int step = 0; step < 4; step++) {
		uint32_t metric = random_below(&j.random, 2);
		uint8_t slot = (uint8_t)(j.p->run.n_problems + metric);
		const struct wn_column *column = &j.m->columns[j.m->n_columns - 2 + metric];
		come_and_go(&j);
		page_threshold_begin(j.p);
		page_threshold_set(j.p, slot, j.m->threshold[column->problem]);
		j.moved = 1u << column->problem;
		if (random_one_in(&j.random, 3))
			pass(&j, false);
		page_threshold_begin(j.p);
		page_threshold_set(j.p, slot, j.m->threshold[column->problem]);
		pass(&j, true);
		come_and_go(&j);
		if ((uint32_t)column->problem != slot)
			differ("metric %u is problem %d", metric, column->problem);
		same_counts(&j, slot);
		same_values(&j, column, n_values);
	}
	if (!page_cut_metrics(j.p, 0))
		abort();
	wn_metric_defs_fini(&defs);
	table_end(j.t);
	wn_metrics_free(j.m);
	page_free(j.p);
	free(j.is_left_out);
}

/* Values that lie together closely, at thresholds among them: keys tell who is beyond, or that they
 * do not tell. */
static void
check_keys(uint64_t seed, uint64_t *n_told)
{
	struct random random = {seed + 91};
	double values[200], threshold = 0;
	struct page_chunk c = {.n_grains = 1 + random_below(&random, 200)};
	struct problem_bits v = {.keys = NULL};
	uint64_t bits[4];
	static const double scales[] = {1e-15, 1e-6, 0.001, 0.1, 1, 10, 1e4, 1e7, 1e15, 1e300};
	double scale = scales[random_below(&random, 10)];
	if (!problem_keys_new(&c, &v))
		abort();
	for (uint32_t i = 0; i <= c.n_grains; i++) {
		double value = random_below(&random, 12) * scale / (1 + random_below(&random, 11));
		uint32_t step = random_below(&random, 6);
		value = step == 0   ? nextafter(value, INFINITY)
		        : step == 1 ? nextafter(value, -INFINITY)
		        : step == 2 ? (double)(float)value
		        : step == 3 ? -value
		                    : value;
		if (i == c.n_grains)
			threshold = value;
		else
			problem_key_set(
			    &v, i, values[i] = random_one_in(&random, 20) ? (double)NAN : value);
	}
	for (int is_below = 0; is_below < 2; is_below++) {
		if (!problem_keys_compare(&c, &v, threshold, is_below, bits))
			continue;
		(*n_told)++;
		for (uint32_t i = 0; i < c.n_grains; i++)
			if ((bits[i / 64] >> i % 64 & 1) !=
			    (is_below ? values[i] < threshold : values[i] > threshold))
				differ("keys tell wrongly that %.17g is %s %.17g", values[i],
				       is_below ? "below" : "above", threshold);
	}
	problem_keys_free(&v);
}

/* A window of time somewhere in the run, narrow or wide. */
static struct page_lanes
lanes_of(const struct container *c, uint64_t k)
{
	const struct wn_graph *g = c->report->graph;
	struct random random = {k};
	uint64_t least = UINT64_MAX, most = 0;
	for (wn_grain i = 0; i < g->n; i++)
		if (g->flags[i] & WN_GF_STARTED) {
			least = g->begin_ns[i] < least ? g->begin_ns[i] : least;
			most = g->end_ns[i] > most ? g->end_ns[i] : most;
		}
	double all = most > least ? (double)(most - least) : 1;
	struct page_lanes view = {.from_ns =
	                              (double)least + floor(all * random_below(&random, 100) / 100),
	                          .width = 100 + (float)random_below(&random, 1000),
	                          .row = 1 + (float)random_below(&random, 40),
	                          .n_threads = 1 + (uint32_t)random_below(&random, 9),
	                          .selected = (uint32_t)random_below(&random, c->tree->n)};
	view.to_ns = view.from_ns + 1 + floor(all * random_below(&random, 100) / 100);
	return view;
}

/* Chunks one after the other; page and table are those of the container. */
static struct page_picture
lanes_drawn(const struct container *c, struct page *p, struct table *t,
            const struct page_lanes *view)
{
	struct page_picture d;
	page_lanes_begin(p, view);
	for (uint32_t k = 0; k < container_n(c, WN_PART_CHUNK); k++) {
		container_take(c, t, WN_PART_CHUNK, k, false);
		if (page_lanes_add(p, t, NULL) != WN_OK)
			abort();
	}
	if (page_lanes_draw(p, &d, NULL) != WN_OK)
		abort();
	return d;
}

/* What the thread ran at a time: of all grains that it had begun and not ended, the one begun last.
 */
static uint32_t
running(const struct container *c, uint32_t thread, uint64_t at_ns)
{
	const struct wn_graph *g = c->report->graph;
	uint32_t found = PAGE_NO_NODE;
	uint64_t begin = 0, end = 0;
	for (uint32_t i = 0; i < c->tree->n; i++) {
		if (c->tree->kind[i] != WN_TREE_GRAIN)
			continue;
		wn_grain id = c->tree->ref[i];
		bool is_it = (g->flags[id] & WN_GF_STARTED) && g->thread[id] == thread &&
		             g->begin_ns[id] <= at_ns && at_ns < g->end_ns[id];
		if (!is_it ||
		    (found != PAGE_NO_NODE && (g->begin_ns[id] < begin ||
		                               (g->begin_ns[id] == begin && g->end_ns[id] > end))))
			continue;
		found = i;
		begin = g->begin_ns[id];
		end = g->end_ns[id];
	}
	return found;
}

static uint32_t n_lanes; /* places that were looked at, where something ran */

static void
check_lanes(const struct container *c, uint64_t seed)
{
	struct page *p = container_page(c);
	struct table *t = table_of(c);
	struct random random = {seed + 5};
	page_lanes_request(p, t);
	take_tables(c, t);
	for (uint64_t k = 0; k < 3; k++) {
		struct page_lanes view = lanes_of(c, seed * 100 + k);
		struct page_picture d = lanes_drawn(c, p, t, &view);
		double ns_per_pixel = (view.to_ns - view.from_ns) / (double)view.width;
		if (!d.is_exact)
			differ("too many lanes");
		for (int i = 0; i < 40 && d.n_shapes > 0; i++) {
			/* in the middle of a piece that is wider than what is widened */
			const struct page_shape *s = &d.shapes[random_below(&random, d.n_shapes)];
			uint32_t thread = (uint32_t)((double)(s->y / view.row) + 0.5);
			double at = view.from_ns + ((double)s->x + (double)s->w / 2) * ns_per_pixel;
			if (s->w < 1.5F)
				continue;
			n_lanes++;
			if (running(c, thread, (uint64_t)at) != s->node)
				differ("lane of thread %u at %.0f: node %u, runs %u", thread, at,
				       s->node, running(c, thread, (uint64_t)at));
		}
		/* and what runs is drawn */
		for (int i = 0; i < 20; i++) {
			uint32_t thread = (uint32_t)random_below(&random, view.n_threads);
			double x = random_below(&random, (uint32_t)view.width);
			double at = view.from_ns + x * ns_per_pixel;
			uint32_t node =
			    at < view.to_ns ? running(c, thread, (uint64_t)at) : PAGE_NO_NODE;
			bool is_drawn = node == PAGE_NO_NODE;
			for (uint32_t k2 = 0; k2 < d.n_shapes && !is_drawn; k2++)
				is_drawn = d.shapes[k2].node == node &&
				           (double)d.shapes[k2].x <= x + 1 &&
				           (double)(d.shapes[k2].x + d.shapes[k2].w) >= x - 1;
			if (!is_drawn)
				differ("lane of thread %u at %.0f: node %u is not drawn", thread,
				       at, node);
		}
	}
	table_end(t);
	page_free(p);
}

static uint32_t n_again;  /* chunks that were judged without being read */
static uint32_t n_values; /* of groups, compared */
static uint64_t n_told;   /* lists of values that keys were enough for */

static bool
holds(uint64_t seed)
{
	static struct container c;
	for (uint64_t k = 0; k < 20; k++)
		check_keys(20 * seed + k, &n_told);
	if (container_make(&c, seed, 20 + (uint32_t)(seed % 7) * 40, 8 + (uint32_t)(seed % 57))) {
		check(&c, seed);
		check_marks(&c, seed);
		check_judged(&c, seed, &n_again);
		check_metrics(&c, seed, &n_values);
		check_lanes(&c, seed);
	}
	container_free(&c);
	return !why[0];
}

/* ---------------------------------------------------------------------------- for parity */

static void
put_bytes(FILE *to, const void *bytes, size_t n)
{
	if (n && fwrite(bytes, 1, n, to) != n)
		abort();
}

static FILE *
file(const char *folder, uint64_t k, const char *ending)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%" PRIu64 ".%s", folder, k, ending);
	FILE *to = fopen(path, "wb");
	if (!to)
		abort();
	return to;
}

/* As parity.mjs does. */
static bool
mark_some(struct page *p)
{
	bool is_fine = true;
	for (uint32_t node = 0; node < p->run.n_nodes; node += 7)
		is_fine &= page_mark(p, node, (enum page_mark)(node % PAGE_MARK_N), NULL) == WN_OK;
	return is_fine;
}

static void
put_view(FILE *views, FILE *pictures, struct page *p, const struct page_view *v)
{
	struct page_picture d = drawn(p, v);
	double numbers[] = {v->x,
	                    v->y,
	                    v->w,
	                    v->h,
	                    (double)v->width,
	                    (double)v->height,
	                    v->root,
	                    v->selected,
	                    v->site,
	                    v->kind,
	                    v->problem,
	                    v->is_moving + 2.0 * v->has_dependences + 4.0 * v->is_log,
	                    p->run.n_cores,
	                    p->run.n_sites,
	                    p->run.n_problems,
	                    p->run.counting};
	put_bytes(views, numbers, sizeof numbers);
	put_bytes(pictures, d.shapes, d.n_shapes * sizeof *d.shapes);
	put_bytes(pictures, d.texts, d.n_texts * sizeof *d.texts);
	put_bytes(pictures, d.bytes, d.n_bytes);
}

/* The same after a threshold has moved, and of a metric; then what nodes have of that. */
static void
write_judged(const struct container *c, struct page *p, const char *folder, uint64_t k)
{
	struct judging j = {.c = c,
	                    .p = p,
	                    .t = table_of(c),
	                    .m = c->report->metrics,
	                    .n_chunks = container_n(c, WN_PART_CHUNK)};
	FILE *views = file(folder, k, "judged-views"), *pictures = file(folder, k, "judged"),
	     *metric = file(folder, k, "metric");
	const char *words = expressions[k % N_OF(expressions)];
	uint32_t fold = (uint32_t)(k % WN_FOLD_N);
	double thresholds[] = {1.5 + (double)(k % 5), 40.0 * (double)(k % 9)};
	j.is_left_out = calloc(j.n_chunks + 1, sizeof *j.is_left_out);
	define_numbers(&j);
	if (table_define(j.t, "own", words, fold, NULL) != WN_OK || !page_metric(p, k % 2))
		abort();
	fprintf(metric, "%s\n%u\n%u\n%.17g\n%.17g\n", words, fold, (unsigned)(k % 2), thresholds[0],
	        thresholds[1]);
	for (uint32_t i = 0; i < 2; i++) {
		uint8_t problem = (uint8_t)(i ? p->run.n_problems : 0);
		page_threshold_begin(p);
		page_threshold_set(p, problem, thresholds[i]);
		pass(&j, true);
		for (uint64_t view = 0; view < 12; view++) {
			struct page_view v = view_of(p, c, k * 500 + view);
			v.problem = view % 4 == 3 ? PAGE_ALL_PROBLEMS : problem;
			put_view(views, pictures, p, &v);
		}
	}
	if (!page_choose(p, (uint8_t)p->run.n_problems))
		abort();
	for (uint32_t i = 0; i < c->tree->n; i++) {
		double value = page_value(p, i);
		value = isnan(value) ? (double)NAN : value; /* of one pattern */
		put_bytes(pictures, &value, sizeof value);
	}
	table_end(j.t);
	free(j.is_left_out);
	fclose(metric);
	fclose(views);
	fclose(pictures);
}

static void
write_views(const struct container *c, const char *folder, uint64_t k, uint32_t n_views)
{
	FILE *views = file(folder, k, "views"), *pictures = file(folder, k, "pictures"),
	     *grains = file(folder, k, "grains"), *names = file(folder, k, "names"),
	     *lanes = file(folder, k, "lanes");
	struct page *p = container_page(c);
	uint32_t n_chunks = container_n(c, WN_PART_CHUNK);
	put_bytes(grains, c->bytes, c->n_bytes);
	container_put(c, p, WN_PART_TIER, 0);
	container_put(c, p, WN_PART_TIER, 1);
	if (!mark_some(p))
		abort();
	for (uint32_t i = 0; i < n_chunks; i += 1 + (uint32_t)(k % 3))
		container_put(c, p, WN_PART_CHUNK, i);
	for (uint32_t i = 0; i < n_views; i++) {
		struct page_view v = view_of(p, c, k * 1000 + i);
		put_view(views, pictures, p, &v);
	}
	struct table *t = table_of(c);
	page_lanes_request(p, t);
	take_tables(c, t);
	for (uint32_t i = 0; i < 4; i++) {
		struct page_lanes v = lanes_of(c, k * 10 + i);
		struct page_picture d = lanes_drawn(c, p, t, &v);
		double numbers[] = {v.from_ns,     v.to_ns,     (double)v.width,
		                    (double)v.row, v.n_threads, v.selected};
		put_bytes(lanes, numbers, sizeof numbers);
		put_bytes(pictures, d.shapes, d.n_shapes * sizeof *d.shapes);
	}
	table_end(t);
	write_judged(c, p, folder, k);
	for (uint32_t i = 0; i < c->tree->n; i++) {
		char name[4096];
		wn_tree_name(c->tree, i, name, sizeof name);
		fprintf(names, "%s\n", name);
	}
	page_free(p);
	fclose(names);
	fclose(lanes);
	fclose(views);
	fclose(pictures);
	fclose(grains);
}

static int
write_all(const char *folder)
{
	uint32_t n_made = 0;
	for (uint64_t seed = 1; n_made < 25; seed++) {
		static struct container c;
		if (container_make(&c, seed, 200, 16 + (uint32_t)(seed % 200))) {
			write_views(&c, folder, seed, 48);
			n_made++;
		}
		container_free(&c);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc > 1)
		return write_all(argv[1]);
	struct seeds seeds = seeds_all(120);
	ok(seeds_bad(seeds, holds) == 0,
	   "pages of parts of %" PRIu64 " runs are those of the whole", seeds.n);
	ok(n_told > 20 * seeds.n, "keys were enough for %" PRIu64 " of %" PRIu64 " lists of values",
	   n_told, 40 * seeds.n);
	ok(n_lanes > 100 * seeds.n / 10, "%u places in lanes of threads hold what ran there",
	   n_lanes);
	ok(n_again > seeds.n, "chunks were judged again without being read: %u times", n_again);
	ok(n_values > seeds.n, "%u values of groups are those of the tree", n_values);
	ok(n_related > 0 && n_rogue > seeds.n / 10 && n_lines > seeds.n,
	   "related were %" PRIu64 " grains, %" PRIu64 " rogue tasks, in %" PRIu64 " lines",
	   n_related, n_rogue, n_lines);
	ok(wn_mem_live() == 0, "nothing is left in memory");
	return done();
}
