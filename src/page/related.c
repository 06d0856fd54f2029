/* SPDX-License-Identifier: MIT */
/* related.c - finds dependences from and to a node anywhere in the run, the creators of rogue
 * tasks, and the waits for them. Grains are identified by their ids, which are stored in chunks;
 * those of the node are read first, then all others. */
#include "page/related.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

#define IDS_MAX (UINT32_C(1) << 28)

struct bits {
	uint64_t *words;
	size_t n;
};

enum { WANTED_N = PAGE_JOINED_BY + 1 }; /* relations with known ids that are not found yet */

struct related {
	uint32_t node, end;
	struct bits own, wanted[WANTED_N], gates_before, gates_after;
	uint64_t n_seen[PAGE_RELATIONS_N];
	struct page_related shown[PAGE_RELATIONS_N][PAGE_RELATED_MAX];
	struct page_chunk look; /* the part being read */
	bool is_out_of_memory;
};

static bool
has(const struct bits *b, uint64_t at)
{
	return at / 64 < b->n && b->words[at / 64] >> at % 64 & 1;
}

static void
set(struct related *r, struct bits *b, uint64_t at)
{
	size_t before = b->n;
	if (at >= IDS_MAX)
		return;
	if (wn_grow(&b->words, &b->n, at / 64 + 1, sizeof *b->words) != 0) {
		r->is_out_of_memory = true;
		return;
	}
	memset(b->words + before, 0, (b->n - before) * sizeof *b->words);
	b->words[at / 64] |= UINT64_C(1) << at % 64;
}

void
related_free(struct page *p)
{
	struct related *r = p->related;
	if (!r)
		return;
	store_empty(&r->look);
	for (int k = 0; k < WANTED_N; k++)
		wn_free(r->wanted[k].words);
	wn_free(r->own.words);
	wn_free(r->gates_before.words);
	wn_free(r->gates_after.words);
	wn_free(r);
	p->related = NULL;
}

wn_status
page_relate(struct page *p, uint32_t node, wn_err *err)
{
	const struct row *row = page_row(p, node);
	related_free(p);
	p->version++;
	if (!row)
		return node == NO_NODE
		           ? WN_OK
		           : wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "node %u is not here yet", node);
	if (!(p->related = wn_calloc(1, sizeof *p->related)))
		return wn_no_memory(err);
	p->related->node = node;
	p->related->end = row->end;
	return WN_OK;
}

uint32_t
page_related_end(const struct page *p)
{
	return p->related ? p->related->end : 0;
}

bool
page_relates(uint8_t kind, uint16_t column)
{
	static const uint16_t columns[] = {
	    WN_COLUMN_NODE_KIND,      WN_COLUMN_CLOSES,    WN_COLUMN_ID,          WN_COLUMN_FLAGS,
	    WN_COLUMN_PARENT,         WN_COLUMN_JOINED_BY, WN_COLUMN_PREDECESSOR, WN_COLUMN_WORK,
	    WN_COLUMN_N_PREDECESSORS, WN_COLUMN_SITE,
	};
	for (size_t i = 0; kind == WN_PART_CHUNK && i < sizeof columns / sizeof *columns; i++)
		if (columns[i] == column)
			return true;
	return kind == WN_PART_GATES &&
	       (column == WN_COLUMN_GATE_MEMBERS || column == WN_COLUMN_PREDECESSOR);
}

wn_status
page_related_open(struct page *p, const struct page_part *part, wn_err *err)
{
	struct related *r = p->related;
	if (!r || (part->kind == WN_PART_CHUNK && part->number >= p->run.n_chunks))
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "there is no such part");
	store_empty(&r->look);
	if (part->kind == WN_PART_CHUNK) {
		const struct page_chunk *c = &p->chunks[part->number];
		r->look.first_node = c->first_node;
		r->look.n_nodes = c->n_nodes;
		r->look.n_grains = c->n_grains;
	}
	r->look.part.is = *part;
	p->looks_at = &r->look.part;
	return WN_OK;
}

/* ---------------------------------------------------------------------------- columns */

struct columns {
	uint64_t *ids, *flags, *parents, *joined_by, *counts, *list, *work, *sites;
	uint8_t *no_parent, *no_joined_by;
};

/* NULL if absent. */
static wn_status
get(struct page *p, uint16_t column, uint64_t **values, uint8_t **missing, wn_err *err)
{
	const struct page_chunk *c = &p->related->look;
	uint8_t *own = NULL;
	wn_status st = store_column(p, &c->part, c->shape.row ? &c->shape : NULL, column, values,
	                            missing ? missing : &own, err);
	wn_free(own);
	return st == WN_E_EMPTY ? WN_OK : st;
}

static void
free_columns(struct columns *v)
{
	wn_free(v->ids);
	wn_free(v->flags);
	wn_free(v->parents);
	wn_free(v->joined_by);
	wn_free(v->counts);
	wn_free(v->list);
	wn_free(v->work);
	wn_free(v->sites);
	wn_free(v->no_parent);
	wn_free(v->no_joined_by);
}

static wn_status
get_columns(struct page *p, struct columns *v, wn_err *err)
{
	wn_status st;
	WN_TRY(get(p, WN_COLUMN_ID, &v->ids, NULL, err));
	WN_TRY(get(p, WN_COLUMN_FLAGS, &v->flags, NULL, err));
	WN_TRY(get(p, WN_COLUMN_PARENT, &v->parents, &v->no_parent, err));
	WN_TRY(get(p, WN_COLUMN_JOINED_BY, &v->joined_by, &v->no_joined_by, err));
	WN_TRY(get(p, WN_COLUMN_N_PREDECESSORS, &v->counts, NULL, err));
	WN_TRY(get(p, WN_COLUMN_PREDECESSOR, &v->list, NULL, err));
	WN_TRY(get(p, WN_COLUMN_WORK, &v->work, NULL, err));
	WN_TRY(get(p, WN_COLUMN_SITE, &v->sites, NULL, err));
	if (!v->ids || !v->flags || !v->work)
		st = wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET, "the file is damaged: no block is so");
out:
	return st;
}

static bool
is_known(const uint64_t *values, const uint8_t *missing, uint32_t row)
{
	return values && !wn_grains_is_missing(missing, row) && values[row] != 0;
}

/* ---------------------------------------------------------------------------- grains */

static bool
goes_before(const struct page_related *a, const struct page_related *b)
{
	return a->work_ns > b->work_ns || (a->work_ns == b->work_ns && a->node < b->node);
}

static void
show(struct related *r, enum page_relation what, const struct page_related *one)
{
	struct page_related *in = r->shown[what];
	uint64_t n = r->n_seen[what]++;
	uint32_t at = n < PAGE_RELATED_MAX ? (uint32_t)n : PAGE_RELATED_MAX;
	for (; at > 0 && goes_before(one, &in[at - 1]); at--)
		if (at < PAGE_RELATED_MAX)
			in[at] = in[at - 1];
	if (at < PAGE_RELATED_MAX)
		in[at] = *one;
}

/* Records the relations of one of the node's own grains. */
static void
ask(struct related *r, const struct columns *v, uint32_t row, size_t first, size_t n)
{
	set(r, &r->own, v->ids[row]);
	for (size_t i = first; i < first + n; i++)
		if (v->list[i] & WN_GRAINS_GATE)
			set(r, &r->gates_before, v->list[i] & ~WN_GRAINS_GATE);
		else
			set(r, &r->wanted[PAGE_BEFORE], v->list[i]);
	if (!(v->flags[row] & WN_GRAINS_ROGUE))
		return;
	if (is_known(v->parents, v->no_parent, row))
		set(r, &r->wanted[PAGE_MADE_BY], v->parents[row]);
	if (is_known(v->joined_by, v->no_joined_by, row))
		set(r, &r->wanted[PAGE_JOINED_BY], v->joined_by[row]);
}

/* Checks any other grain. */
static void
compare(struct related *r, const struct columns *v, uint32_t row, size_t first, size_t n,
        const struct page_related *one)
{
	bool is_after = false;
	for (int k = 0; k < WANTED_N; k++)
		if (has(&r->wanted[k], v->ids[row]))
			show(r, (enum page_relation)k, one);
	for (size_t i = first; i < first + n && !is_after; i++)
		is_after = v->list[i] & WN_GRAINS_GATE
		               ? has(&r->gates_after, v->list[i] & ~WN_GRAINS_GATE)
		               : has(&r->own, v->list[i]);
	if (is_after)
		show(r, PAGE_AFTER, one);
	if (!(v->flags[row] & WN_GRAINS_ROGUE))
		return;
	if (is_known(v->parents, v->no_parent, row) && has(&r->own, v->parents[row]))
		show(r, PAGE_MADE, one);
	if (is_known(v->joined_by, v->no_joined_by, row) && has(&r->own, v->joined_by[row]))
		show(r, PAGE_JOINED, one);
}

static wn_status
look_at_grains(struct page *p, bool is_own, wn_err *err)
{
	struct related *r = p->related;
	struct page_chunk *c = &r->look;
	struct columns v = {.ids = NULL};
	wn_status st;
	WN_TRY(store_shape(p, c, err));
	WN_TRY(get_columns(p, &v, err));
	size_t n_list = v.list ? c->part.is.rows[WN_ROWS_LIST] : 0, at = 0;
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		if (c->kinds[i] != ROW_GRAIN)
			continue;
		uint32_t row = c->shape.row[i], node = c->first_node + i;
		size_t n = v.counts ? (size_t)v.counts[row] : 0;
		n = n < n_list - at ? n : n_list - at;
		bool is_inside = node >= r->node && node < r->end;
		struct page_related one = {.node = node,
		                           .site = v.sites ? (uint32_t)v.sites[row] : NO_NODE,
		                           .work_ns = v.work[row]};
		if (is_inside && is_own)
			ask(r, &v, row, at, n);
		else if (!is_inside && !is_own)
			compare(r, &v, row, at, n, &one);
		at += n;
	}
out:
	free_columns(&v);
	return st;
}

static wn_status
look_at_gates(struct page *p, uint32_t first, wn_err *err)
{
	struct related *r = p->related;
	uint64_t *counts = NULL, *list = NULL;
	wn_status st;
	WN_TRY(get(p, WN_COLUMN_GATE_MEMBERS, &counts, NULL, err));
	WN_TRY(get(p, WN_COLUMN_PREDECESSOR, &list, NULL, err));
	size_t n_list = list ? r->look.part.is.rows[WN_ROWS_LIST] : 0, at = 0;
	for (uint32_t g = 0; counts && g < r->look.part.is.rows[WN_ROWS_TABLE]; g++)
		for (uint64_t k = 0; k < counts[g] && at < n_list; k++, at++) {
			if (has(&r->gates_before, (uint64_t)first + g))
				set(r, &r->wanted[PAGE_BEFORE], list[at]);
			if (has(&r->own, list[at]))
				set(r, &r->gates_after, (uint64_t)first + g);
		}
out:
	wn_free(counts);
	wn_free(list);
	return st;
}

wn_status
page_related_scan(struct page *p, uint32_t first, bool is_own, wn_err *err)
{
	struct related *r = p->related;
	if (!r || !p->looks_at)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "there is no such part");
	p->looks_at = NULL;
	wn_status st = r->look.part.is.kind == WN_PART_GATES ? look_at_gates(p, first, err)
	                                                     : look_at_grains(p, is_own, err);
	store_empty(&r->look);
	p->version++;
	return st == WN_OK && r->is_out_of_memory ? wn_no_memory(err) : st;
}

/* ---------------------------------------------------------------------------- results */

uint64_t
page_n_related(const struct page *p, enum page_relation what)
{
	const struct related *r = p->related;
	if (!r || (int)what >= WANTED_N)
		return r ? r->n_seen[what] : 0;
	const struct bits *b = &r->wanted[what];
	uint64_t n = 0;
	for (size_t w = 0; w < b->n; w++)
		n += (uint64_t)__builtin_popcountll(b->words[w] &
		                                    ~(w < r->own.n ? r->own.words[w] : 0));
	return n;
}

uint32_t
page_related(const struct page *p, enum page_relation what, const struct page_related **out)
{
	const struct related *r = p->related;
	*out = r ? r->shown[what] : NULL;
	if (!r)
		return 0;
	return r->n_seen[what] < PAGE_RELATED_MAX ? (uint32_t)r->n_seen[what] : PAGE_RELATED_MAX;
}

/* Finds the rectangle of a node or of what contains it. False: not drawn. */
static bool
place_of(const struct related_places *in, struct canvas *c, uint32_t node, double at[4],
         bool *is_it)
{
	const struct row *root = in->root;
	at[2] = -1;
	if (node < root->node || node >= root->end)
		return false;
	if (in->view->kind == PAGE_MAP) {
		double px = in->view->width / in->view->w;
		*is_it = map_frame(in->s, root, node, c, at) && at[2] * px >= 2;
	} else {
		*is_it = structure_holds(in->structure, node, at);
	}
	return at[2] >= 0;
}

/* Draws from the lower edge of one rectangle of the world to the upper edge of another. */
static void
paint_line(struct canvas *c, const struct page_view *v, const double a[4], const double b[4],
           unsigned flags)
{
	double sx = v->width / v->w, sy = v->height / v->h;
	double x0 = (a[0] + a[2] / 2 - v->x) * sx, y0 = (a[1] + a[3] - v->y) * sy;
	double x1 = (b[0] + b[2] / 2 - v->x) * sx, y1 = (b[1] - v->y) * sy;
	struct page_shape line = {.x = (float)x0,
	                          .y = (float)y0,
	                          .w = (float)(x1 - x0),
	                          .h = (float)(y1 - y0),
	                          .node = NO_NODE,
	                          .kind = PAGE_DEPENDENCE,
	                          .colour = PAGE_NO_COLOUR,
	                          .flags = (uint8_t)(PAGE_F_SELECTED | flags)};
	canvas_shape(c, &line);
}

void
related_paint(const struct related_places *in, struct canvas *c)
{
	const struct page *p = in->s->page;
	const struct related *r = p->related;
	double own[4], at[4];
	bool is_it;
	if (!r || !in->view->has_dependences || r->node != in->view->selected ||
	    !place_of(in, c, r->node, own, &is_it))
		return;
	for (int what = 0; what < PAGE_RELATIONS_N; what++) {
		bool is_before = what < PAGE_AFTER;
		const struct page_related *found;
		uint32_t n = page_related(p, (enum page_relation)what, &found);
		for (uint32_t i = 0; i < n; i++) {
			if (!place_of(in, c, found[i].node, at, &is_it))
				continue;
			unsigned flags = is_it ? 0 : PAGE_F_MORE;
			flags |= what == PAGE_BEFORE || what == PAGE_AFTER ? 0 : PAGE_F_ROGUE;
			paint_line(c, in->view, is_before ? at : own, is_before ? own : at, flags);
		}
	}
}
