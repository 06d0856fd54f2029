/* SPDX-License-Identifier: MIT */
/* view.c - decides which groups are open. Items are made when their group opens, so those of a
 * group are adjacent and after it; at the end they are put in pre-order. */
#include "aggregate/view.h"

#include "aggregate/local.h"
#include "base/error.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NO_ITEM UINT32_MAX

/* The grain at the start of a linear group gets no line if its part of the group's score is below
 * 1 / HEAD_PART. */
#define HEAD_PART 50

struct item {
	wn_tree_node node;
	wn_tree_node group; /* whose members are shown once open: itself or the one inside */
	uint32_t parent, depth;
	uint32_t first, n; /* items of its members, including the one for the rest */
	uint32_t n_rest;   /* members summed up in it */
	bool is_open, skips_head;
};

struct maker {
	const struct wn_tree *t;
	const struct wn_metrics *m;
	const struct wn_graph *g;
	struct wn_view_options o;
	struct wn_view *v;

	struct wn_local_path local; /* is_on is NULL unless the view follows the local path */

	/* [nodes inside the root, starting with the root] */
	uint64_t *score, *work, *span; /* work and span: of weights */
	uint64_t *span_ns;             /* NULL: as span */

	struct item *items; /* [n_lines] */
	uint32_t n_items;
	uint32_t *heap; /* [n_lines] closed groups, highest score first */
	uint32_t n_heap;
	wn_tree_node *best; /* [n_lines] members to show, while a group opens */
	uint32_t *order;    /* [n_lines] items in pre-order */
};

struct wn_view_options
wn_view_options_default(void)
{
	return (struct wn_view_options){
	    .root = WN_TREE_ROOT, .n_lines = 24, .n_shown = 6, .problems = UINT32_MAX};
}

/* --- scores of nodes --- */

static bool
is_problematic(const struct maker *k, wn_grain id)
{
	return k->m->problems[id] & k->o.problems;
}

/* Time of a grain on its thread, and on its creator's thread. */
static uint64_t
took_ns(const struct wn_graph *g, wn_grain id)
{
	bool is_known = g->flags[id] & WN_GF_CREATION_KNOWN;
	return wn_exec_ns(g, id) + wn_sync_ns(g, id) + (is_known ? wn_creation_ns(g, id) : 0);
}

static uint64_t
score_of(const struct maker *k, wn_tree_node leaf)
{
	wn_grain id = k->t->ref[leaf];
	if (k->local.is_on)
		return k->local.is_on[leaf - k->o.root] ? wn_path_weight(k->g, id) + 1 : 0;
	if (k->o.aim == WN_VIEW_CRITICAL)
		return k->g->flags[id] & WN_GF_CRITICAL ? wn_path_weight(k->g, id) + 1 : 0;
	if (k->o.aim == WN_VIEW_DEPTH || k->v->is_by_work)
		return wn_path_weight(k->g, id) + 1;
	return is_problematic(k, id) ? took_ns(k->g, id) + 1 : 0;
}

/* Members of a chain add up, parallel branches do not. */
static void
extend(uint64_t *span, uint64_t member, bool is_chain)
{
	if (is_chain)
		*span += member;
	else if (member > *span)
		*span = member;
}

static void
weigh(struct maker *k)
{
	const struct wn_tree *t = k->t;
	wn_tree_node root = k->o.root;
	for (wn_tree_node i = t->end[root]; i-- > root;) {
		uint32_t at = i - root;
		if (t->kind[i] == WN_TREE_GRAIN) {
			k->score[at] = score_of(k, i);
			if (k->span_ns)
				k->span_ns[at] = wn_work_ns(k->g, t->ref[i]);
			k->work[at] = k->span[at] = wn_path_weight(k->g, t->ref[i]);
		}
		if (i == root)
			break;
		uint32_t up = t->parent[i] - root;
		bool is_chain = t->kind[t->parent[i]] == WN_TREE_LINEAR;
		k->score[up] += k->score[at];
		k->work[up] += k->work[at];
		if (k->span_ns)
			extend(&k->span_ns[up], k->span_ns[at], is_chain);
		extend(&k->span[up], k->span[at], is_chain);
	}
}

/* --- groups to open next --- */

/* Whether a comes before b. With a given depth, levels are opened in order. */
static bool
goes_before(const struct maker *k, uint32_t a, uint32_t b)
{
	const struct item *x = &k->items[a], *y = &k->items[b];
	uint64_t score_x = k->score[x->node - k->o.root], score_y = k->score[y->node - k->o.root];
	bool x_alike = k->t->kind[x->node] == WN_TREE_ALIKE;
	bool y_alike = k->t->kind[y->node] == WN_TREE_ALIKE;
	if (k->o.aim == WN_VIEW_DEPTH)
		return x->depth != y->depth ? x->depth < y->depth : x->node < y->node;
	if (x_alike != y_alike) /* they add little information */
		return y_alike;
	return score_x != score_y ? score_x > score_y : x->node < y->node;
}

static void
heap_add(struct maker *k, uint32_t item)
{
	uint32_t at = k->n_heap++;
	while (at > 0 && goes_before(k, item, k->heap[(at - 1) / 2])) {
		k->heap[at] = k->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	k->heap[at] = item;
}

static uint32_t
heap_take(struct maker *k)
{
	uint32_t first = k->heap[0], item = k->heap[--k->n_heap], at = 0;
	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child + 1 < k->n_heap && goes_before(k, k->heap[child + 1], k->heap[child]))
			child++;
		if (child >= k->n_heap || !goes_before(k, k->heap[child], item))
			break;
		k->heap[at] = k->heap[child];
		at = child;
	}
	k->heap[at] = item;
	return first;
}

static void
consider(struct maker *k, uint32_t item)
{
	const struct item *x = &k->items[item];
	bool is_group = k->t->kind[x->node] != WN_TREE_GRAIN;
	if (k->o.aim == WN_VIEW_DEPTH ? is_group && x->depth < k->o.depth
	                              : is_group && k->score[x->node - k->o.root] > 0)
		heap_add(k, item);
}

/* --- members of a group to show --- */

wn_tree_node
wn_view_group(const struct wn_tree *t, wn_tree_node node)
{
	bool is_sole = t->n_children[node] == 1 && t->kind[node + 1] == WN_TREE_ALIKE;
	return is_sole ? node + 1 : node;
}

static bool
is_better(const struct maker *k, wn_tree_node a, wn_tree_node b)
{
	uint32_t x = a - k->o.root, y = b - k->o.root;
	if (k->score[x] != k->score[y])
		return k->score[x] > k->score[y];
	return k->work[x] != k->work[y] ? k->work[x] > k->work[y] : a < b;
}

/* best[] is a heap with the worst of the chosen members at the front. */
static void
sink(struct maker *k, uint32_t n, uint32_t at, wn_tree_node node)
{
	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child + 1 < n && is_better(k, k->best[child], k->best[child + 1]))
			child++;
		if (child >= n || !is_better(k, node, k->best[child]))
			break;
		k->best[at] = k->best[child];
		at = child;
	}
	k->best[at] = node;
}

static void
rise(struct maker *k, uint32_t at, wn_tree_node node)
{
	while (at > 0 && is_better(k, k->best[(at - 1) / 2], node)) {
		k->best[at] = k->best[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	k->best[at] = node;
}

/* The grain at the start of a linear group is skipped if nearly all is in the grains it created. */
static bool
skips_head(const struct maker *k, wn_tree_node group)
{
	uint64_t all = k->score[group - k->o.root];
	if (k->o.has_all_members || k->o.aim == WN_VIEW_DEPTH ||
	    k->t->kind[group] != WN_TREE_LINEAR || k->t->flags[group] & WN_TF_RUN ||
	    k->t->kind[group + 1] != WN_TREE_GRAIN)
		return false;
	return k->score[group + 1 - k->o.root] < all / HEAD_PART;
}

static wn_tree_node
first_of(const struct item *item)
{
	return item->group + 1 + item->skips_head;
}

/* Members with a score, or all if every one must be shown. */
static uint32_t
n_worth(const struct maker *k, const struct item *item)
{
	uint32_t n = 0;
	wn_tree_node end = k->t->end[item->group];
	if (k->o.has_all_members || k->o.aim == WN_VIEW_DEPTH)
		return k->t->n_children[item->group];
	for (wn_tree_node c = first_of(item); c < end; c = k->t->end[c])
		n += k->score[c - k->o.root] > 0;
	return n;
}

/* Number of the n members to show: 0 if there is no room for the group. */
static uint32_t
n_to_show(const struct maker *k, const struct item *item, uint32_t n)
{
	uint32_t room = k->o.n_lines - k->n_items;
	uint32_t worth = n_worth(k, item), limit = k->o.n_shown;
	if (k->o.has_all_members)
		return n <= room ? n : 0;
	if (k->t->kind[item->group] == WN_TREE_ALIKE)
		limit = 1;
	if (k->o.aim != WN_VIEW_DEPTH && limit && worth > limit)
		worth = limit;
	if (n - worth == 1) /* the last one takes the line of the summary */
		worth = n;
	if (worth + (worth < n) <= room)
		return worth;
	return room >= 2 ? room - 1 : 0;
}

static int
by_node(const void *a, const void *b)
{
	wn_tree_node x = *(const wn_tree_node *)a, y = *(const wn_tree_node *)b;
	return (x > y) - (x < y);
}

static void
choose(struct maker *k, const struct item *item, uint32_t n_shown)
{
	uint32_t n = 0;
	wn_tree_node end = k->t->end[item->group];
	for (wn_tree_node c = first_of(item); c < end; c = k->t->end[c]) {
		if (n < n_shown)
			rise(k, n++, c);
		else if (is_better(k, c, k->best[0]))
			sink(k, n, 0, c);
	}
	qsort(k->best, n, sizeof *k->best, by_node);
}

static bool
open_group(struct maker *k, uint32_t at)
{
	struct item *item = &k->items[at];
	const uint32_t *n_children = k->t->n_children;
	item->group = wn_view_group(k->t, item->node);
	item->skips_head = skips_head(k, item->group);
	uint32_t n = n_children[item->group] - item->skips_head;
	uint32_t n_shown = n_to_show(k, item, n);
	if (n_shown == 0)
		return false;
	choose(k, item, n_shown);
	item->is_open = true;
	item->first = k->n_items;
	item->n = n_shown + (n_shown < n);
	for (uint32_t i = 0; i < item->n; i++)
		k->items[k->n_items++] =
		    (struct item){.node = i < n_shown ? k->best[i] : WN_NO_TREE_NODE,
		                  .parent = at,
		                  .depth = item->depth + 1,
		                  .n_rest = i < n_shown ? 1 : n - n_shown};
	for (uint32_t i = 0; i < n_shown; i++)
		consider(k, item->first + i);
	for (wn_tree_node g = item->node; g <= item->group; g++)
		k->v->theta += wn_tree_adds(k->t->kind[g], n_children[g]);
	return true;
}

static void
open_all(struct maker *k)
{
	wn_tree_node above = k->t->parent[k->o.root];
	k->v->theta = 1 + (above == WN_NO_TREE_NODE ? 0 : k->t->theta[above]);
	k->items[k->n_items++] = (struct item){.node = k->o.root, .parent = NO_ITEM, .n_rest = 1};
	consider(k, 0);
	while (k->n_heap > 0)
		k->v->n_closed += !open_group(k, heap_take(k));
}

/* --- sums: visits each node inside the root once --- */

static void
count_grain(const struct maker *k, struct wn_view_line *line, wn_grain id)
{
	struct wn_view_sums *s = &line->sums;
	s->n_grains += wn_is_grain(k->g, id);
	s->work_ns += wn_work_ns(k->g, id);
	s->weight += wn_path_weight(k->g, id);
	s->n_critical += (k->g->flags[id] & WN_GF_CRITICAL) != 0;
	s->n_problematic += is_problematic(k, id);
	for (uint32_t bits = k->m->problems[id]; bits; bits &= bits - 1)
		line->problem[__builtin_ctz(bits)]++;
}

static void
count_inside(const struct maker *k, struct wn_view_line *line, wn_tree_node from, wn_tree_node end)
{
	for (wn_tree_node i = from; i < end; i++)
		if (k->t->kind[i] == WN_TREE_GRAIN)
			count_grain(k, line, k->t->ref[i]);
}

static void
add_sums(const struct maker *k, struct wn_view_line *to, const struct wn_view_line *from)
{
	to->sums.n_grains += from->sums.n_grains;
	to->sums.work_ns += from->sums.work_ns;
	to->sums.weight += from->sums.weight;
	to->sums.n_critical += from->sums.n_critical;
	to->sums.n_problematic += from->sums.n_problematic;
	for (int p = 0; p < k->m->n_problems; p++)
		to->problem[p] += from->problem[p];
}

/* lines[] are in the order of items[] here: members come after their group. */
static void
sum_up(struct maker *k)
{
	struct wn_view_line *lines = k->v->lines;
	for (uint32_t i = k->n_items; i-- > 0;) {
		const struct item *item = &k->items[i];
		if (item->node == WN_NO_TREE_NODE)
			continue;
		if (!item->is_open) {
			count_inside(k, &lines[i], item->node, k->t->end[item->node]);
			continue;
		}
		wn_tree_node at = first_of(item);
		count_inside(k, &lines[i], item->group + 1, at);
		struct wn_view_line *rest = &lines[item->first + item->n - 1];
		for (uint32_t m = item->first; m < item->first + item->n; m++) {
			bool is_rest = k->items[m].node == WN_NO_TREE_NODE;
			wn_tree_node next = is_rest ? k->t->end[item->node] : k->items[m].node;
			count_inside(k, rest, at, next);
			at = is_rest ? next : k->t->end[next];
		}
		for (uint32_t m = item->first; m < item->first + item->n; m++)
			add_sums(k, &lines[i], &lines[m]);
	}
}

/* --- lines --- */

static void
make_lines(struct maker *k)
{
	size_t n_problems = (size_t)k->m->n_problems;
	for (uint32_t i = 0; i < k->n_items; i++) {
		const struct item *item = &k->items[i];
		const struct item *group = item->parent == NO_ITEM ? NULL : &k->items[item->parent];
		bool is_node = item->node != WN_NO_TREE_NODE;
		const uint64_t *span_ns = k->span_ns ? k->span_ns : k->span;
		k->v->lines[i] = (struct wn_view_line){
		    .node = item->node,
		    .depth = item->depth,
		    .n_members = item->n_rest,
		    .is_open = item->is_open,
		    .is_last = !group || i + 1 == group->first + group->n,
		    .span_ns = is_node ? span_ns[item->node - k->o.root] : 0,
		    .span = is_node ? k->span[item->node - k->o.root] : 0,
		    .problem = k->v->problems + i * n_problems,
		};
	}
}

/* Numbers items in pre-order, then moves the lines there. */
static wn_status
put_in_order(struct maker *k)
{
	struct wn_view_line *sorted = wn_calloc(k->n_items, sizeof *sorted);
	uint32_t at = 0, n = 0;
	if (!sorted)
		return WN_E_NOMEM;
	for (;;) {
		k->order[at] = n++;
		if (k->items[at].is_open) {
			at = k->items[at].first;
			continue;
		}
		while (at != 0 && k->v->lines[at].is_last)
			at = k->items[at].parent;
		if (at == 0)
			break;
		at++;
	}
	for (uint32_t i = 0; i < k->n_items; i++) {
		uint32_t parent = k->items[i].parent;
		sorted[k->order[i]] = k->v->lines[i];
		sorted[k->order[i]].parent = parent == NO_ITEM ? WN_NO_VIEW_LINE : k->order[parent];
	}
	wn_free(k->v->lines);
	k->v->lines = sorted;
	k->v->n = k->n_items;
	return WN_OK;
}

static bool
has_memory(struct maker *k)
{
	size_t n_inside = k->t->end[k->o.root] - k->o.root, n_lines = k->o.n_lines;
	return (k->score = wn_calloc(n_inside, sizeof *k->score)) &&
	       (k->work = wn_calloc(n_inside, sizeof *k->work)) &&
	       (!k->g->path || (k->span_ns = wn_calloc(n_inside, sizeof *k->span_ns))) &&
	       (k->span = wn_calloc(n_inside, sizeof *k->span)) &&
	       (k->items = wn_calloc(n_lines, sizeof *k->items)) &&
	       (k->heap = wn_calloc(n_lines, sizeof *k->heap)) &&
	       (k->best = wn_calloc(n_lines, sizeof *k->best)) &&
	       (k->order = wn_calloc(n_lines, sizeof *k->order));
}

static wn_status
make(struct maker *k)
{
	weigh(k);
	if (k->score[0] == 0 && k->o.aim != WN_VIEW_DEPTH) {
		size_t n_inside = k->t->end[k->o.root] - k->o.root;
		wn_err err;
		k->v->is_by_work = k->o.aim == WN_VIEW_PROBLEMS;
		k->v->is_local = k->o.aim == WN_VIEW_CRITICAL;
		if (k->v->is_local && wn_local_path_init(&k->local, k->t, k->o.root, &err) != WN_OK)
			return WN_E_NOMEM;
		if (k->span_ns)
			memset(k->span_ns, 0, n_inside * sizeof *k->span_ns);
		memset(k->work, 0, n_inside * sizeof *k->work);
		memset(k->span, 0, n_inside * sizeof *k->span);
		weigh(k);
	}
	open_all(k);
	k->v->lines = wn_calloc(k->n_items, sizeof *k->v->lines);
	k->v->problems =
	    wn_calloc((size_t)k->n_items * (size_t)k->m->n_problems, sizeof *k->v->problems);
	if (!k->v->lines || !k->v->problems)
		return WN_E_NOMEM;
	make_lines(k);
	sum_up(k);
	return put_in_order(k);
}

wn_status
wn_view_new(const struct wn_tree *t, const struct wn_metrics *m,
            const struct wn_view_options *options, struct wn_view **out, wn_err *err)
{
	struct maker k = {.t = t, .m = m, .g = m->g, .o = *options};
	wn_status st = WN_E_NOMEM;
	uint32_t n_inside = t->end[k.o.root] - k.o.root;
	/* every line has at least one member */
	if (k.o.n_lines > n_inside)
		k.o.n_lines = n_inside;
	k.o.n_lines += k.o.n_lines == 0;
	k.v = wn_calloc(1, sizeof *k.v);
	if (k.v && has_memory(&k)) {
		k.v->t = t;
		k.v->m = m;
		st = make(&k);
	}
	WN_FREE_ALL(k.score, k.work, k.span_ns, k.span, k.items, k.heap, k.best, k.order);
	wn_local_path_fini(&k.local);
	if (st != WN_OK) {
		wn_view_free(k.v);
		return wn_no_memory(err);
	}
	*out = k.v;
	return WN_OK;
}

void
wn_view_free(struct wn_view *v)
{
	if (!v)
		return;
	WN_FREE_ALL(v->lines, v->problems, v);
}
