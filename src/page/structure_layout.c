/* SPDX-License-Identifier: MIT */
/*
 * structure_layout.c - selects the boxes of the papers' picture. Groups are open on the way to the
 * selection and where the user opened them; all others are boxes.
 *
 * An open fork-join has at most 24 boxes, regardless of its members: closed groups of one shape
 * become one card, more than 12 grains one strip, and the rest one card of several shapes. A
 * sequence folds neighbours in the same way.
 */
#include "base/mem.h"
#include "base/order.h"
#include "grains/format.h"
#include "page/structure.h"

#include <string.h>

#define MISSING       __builtin_nan("")
#define BOXES_MAX     6000u
#define MEMBERS_MAX   24u
#define GRAINS_MAX    12u /* grains side by side; more become a strip */
#define GRAINS_DEPEND 60u /* the limit with dependences */
#define EDGES_MAX     2000u
#define SHAPES_SEEN   64u /* groups that initially have their own cards */
#define BARS_MAX      80u

struct chooser {
	struct page *p;
	struct structure *s;
	const struct page_view *view;
	uint32_t towards; /* groups around it are open */
	bool is_out_of_memory;
};

/* --- what is open --- */

static bool
is_among(const uint32_t *nodes, uint32_t n, uint32_t node)
{
	size_t k = wn_first_from(nodes, n, sizeof *nodes, 0, node);
	return k < n && nodes[k] == node;
}

/* Tests for groups around the selection, which lies between a group's number and its end. */
static bool
is_open(const struct chooser *l, const struct row *row)
{
	const struct page_view *v = l->view;
	if (!row || row->kind == ROW_GRAIN || l->s->n_boxes > BOXES_MAX ||
	    is_among(v->closed, v->n_closed, row->node))
		return false;
	bool is_around = l->towards != NO_NODE && row->node < l->towards && l->towards < row->end;
	return row->node == v->root || is_around || is_among(v->open, v->n_open, row->node);
}

/* Drawn individually, even if similar to others. */
static bool
is_single(const struct chooser *l, const struct member *m)
{
	return l->towards == m->node || is_open(l, m->row);
}

/* --- boxes --- */

static struct box *
add_box(struct chooser *l, const struct member *m, uint8_t kind)
{
	struct structure *s = l->s;
	if (wn_grow(&s->boxes, &s->boxes_capacity, s->n_boxes + 1, sizeof *s->boxes) != 0) {
		l->is_out_of_memory = true;
		return NULL;
	}
	struct box *t = &s->boxes[s->n_boxes++];
	*t = (struct box){.kind = kind,
	                  .flags = m->flags,
	                  .colour = m->colour,
	                  .severity = m->severity,
	                  .is_missing = !m->row,
	                  .node = m->node,
	                  .end = m->end,
	                  .site = m->site,
	                  .n_members = m->n_members,
	                  .n_grains = m->n_grains,
	                  .n_problem = m->n_problem,
	                  .work_ns = m->work_ns,
	                  .shape = m->shape,
	                  .row = m->row};
	t->least = t->most = m->row ? snapshot_value(l->p->shown, m->node) : MISSING;
	return t;
}

static void
join_values(struct box *t, double least, double most)
{
	if (!(t->least <= least))
		t->least = least;
	if (!(t->most >= most))
		t->most = most;
}

static void
join_box(const struct page *p, struct box *t, const struct member *m)
{
	double value = m->row ? snapshot_value(p->shown, m->node) : MISSING;
	if (value == value)
		join_values(t, value, value);
	t->flags |= m->flags;
	t->colour = t->colour == m->colour ? t->colour : PAGE_NO_COLOUR;
	t->site = t->site == m->site ? t->site : NO_NODE;
	t->n_members += m->n_members;
	t->n_grains += m->n_grains;
	t->n_problem += m->n_problem;
	t->work_ns += m->work_ns;
	t->is_missing |= !m->row;
	t->is_mixed |= t->shape != m->shape || m->shape == 0;
	t->kind = BOX_CARD;
}

static void
merge_boxes(struct chooser *l, struct box *t, const struct box *other)
{
	struct member m = {.node = other->node,
	                   .end = other->end,
	                   .n_members = other->n_members,
	                   .n_grains = other->n_grains,
	                   .n_problem = other->n_problem,
	                   .work_ns = other->work_ns,
	                   .site = other->site,
	                   .flags = other->flags,
	                   .colour = other->colour,
	                   .shape = other->shape};
	bool is_missing = t->is_missing || other->is_missing;
	join_box(l->p, t, &m);
	if (other->least == other->least)
		join_values(t, other->least, other->most);
	t->is_mixed = true;
	t->is_missing = is_missing;
	t->node = other->node < t->node ? other->node : t->node;
}

static uint8_t
kind_of(const struct chooser *l, const struct member *m)
{
	if (m->kind == ROW_GRAIN)
		return BOX_GRAIN;
	if (!is_open(l, m->row))
		return m->n_members > 1 ? BOX_CARD : BOX_CLOSED;
	return m->row->kind == ROW_LINEAR ? BOX_LINEAR : BOX_FORK;
}

/* --- strips --- */

struct length {
	uint64_t work_ns;
	const struct row *row;
};

static bool
is_shorter(const void *a, const void *b)
{
	const struct length *x = a, *y = b;
	return x->work_ns < y->work_ns || (x->work_ns == y->work_ns && x->row->node < y->row->node);
}

static void
add_bars(struct chooser *l, struct box *strip, const struct length *lengths, uint32_t n)
{
	struct structure *s = l->s;
	uint32_t n_bars = n < BARS_MAX ? n : BARS_MAX;
	strip->first = (uint32_t)s->n_bars;
	strip->n = n_bars;
	if (wn_grow(&s->bars, &s->bars_capacity, s->n_bars + n_bars, sizeof *s->bars) != 0) {
		l->is_out_of_memory = true;
		return;
	}
	for (uint32_t b = 0; b < n_bars; b++) {
		uint32_t from = (uint32_t)((uint64_t)n * b / n_bars);
		uint32_t to = (uint32_t)((uint64_t)n * (b + 1) / n_bars);
		struct bar bar = {.node = lengths[from].row->node,
		                  .colour = lengths[from].row->colour};
		for (uint32_t i = from; i < to; i++) {
			const struct row *r = lengths[i].row;
			bar.n++;
			uint32_t n_problem = snapshot_problems(l->p->shown, r);
			uint8_t severity =
			    n_problem || r->severity ? snapshot_severity(l->p->shown, r) : 0;
			bar.n_problem += n_problem;
			bar.work_ns = r->work_ns > bar.work_ns ? r->work_ns : bar.work_ns;
			bar.flags |= r->flags;
			bar.severity = severity > bar.severity ? severity : bar.severity;
			bar.colour = bar.colour == r->colour ? r->colour : PAGE_NO_COLOUR;
		}
		s->bars[s->n_bars++] = bar;
	}
}

/* Adds grains of a fork-join that are not drawn individually: chunks of loops in order, others by
 * length. Unloaded ones have no bars. */
static void
add_strip(struct chooser *l, const struct row *group, uint32_t n_grains)
{
	struct members it;
	struct member m;
	struct box *strip = NULL;
	struct length *lengths = wn_calloc(n_grains, sizeof *lengths);
	uint32_t n = 0;
	bool is_loop = false;
	members_begin(&it, l->p->shown, group);
	while (lengths && members_next(&it, &m)) {
		if (m.kind != ROW_GRAIN || is_single(l, &m))
			continue;
		member_count(l->p->shown, &m);
		if (!strip)
			strip = add_box(l, &m, BOX_STRIP);
		else
			join_box(l->p, strip, &m);
		if (!strip)
			break;
		if (m.row && n < n_grains)
			lengths[n++] = (struct length){m.work_ns, m.row};
		is_loop |= m.grain_kind == WN_GRAINS_LOOP_CHUNK;
	}
	if (!lengths || (!is_loop && !wn_order(lengths, n, sizeof *lengths, is_shorter)))
		l->is_out_of_memory = true;
	if (strip && !l->is_out_of_memory) {
		strip->kind = BOX_STRIP;
		add_bars(l, strip, lengths, n);
	}
	wn_free(lengths);
}

/* --- members --- */

/* Returns the card of a closed member, among those of the group from `first` on. */
static struct box *
find_card(struct chooser *l, size_t first, const struct member *m)
{
	for (size_t i = first; i < l->s->n_boxes && i < first + SHAPES_SEEN; i++) {
		struct box *t = &l->s->boxes[i];
		bool is_card = t->kind == BOX_CARD || t->kind == BOX_CLOSED;
		if (is_card && t->shape == m->shape && m->shape != 0 && !t->is_mixed &&
		    (t->n_problem > 0) == (m->n_problem > 0))
			return t;
	}
	return NULL;
}

static bool
has_more_work(const struct box *a, const struct box *b)
{
	if ((a->n_problem > 0) != (b->n_problem > 0))
		return a->n_problem > 0;
	return a->work_ns > b->work_ns || (a->work_ns == b->work_ns && a->node < b->node);
}

/* Keeps at most n cards: those with problems, then those with much work. Merges the others into
 * one. */
static void
keep_cards(struct chooser *l, size_t first, uint32_t n)
{
	struct structure *s = l->s;
	uint32_t n_cards = 0;
	for (size_t i = first; i < s->n_boxes; i++)
		n_cards += s->boxes[i].kind == BOX_CARD || s->boxes[i].kind == BOX_CLOSED;
	while (n_cards > n) {
		struct box *last = NULL, *before = NULL;
		for (size_t i = first; i < s->n_boxes; i++) {
			struct box *t = &s->boxes[i];
			if (t->kind != BOX_CARD && t->kind != BOX_CLOSED)
				continue;
			if (!last || has_more_work(last, t)) {
				before = last;
				last = t;
			} else if (!before || has_more_work(before, t)) {
				before = t;
			}
		}
		merge_boxes(l, before, last);
		memmove(last, last + 1, (size_t)(s->boxes + s->n_boxes - last - 1) * sizeof *last);
		s->n_boxes--;
		n_cards--;
	}
}

static void
add_forked(struct chooser *l, const struct row *group)
{
	struct members it;
	struct member m;
	size_t first = l->s->n_boxes;
	uint32_t n_grains = 0, n_single = 0, n_cards = 0;
	members_begin(&it, l->p->shown, group);
	while (members_next(&it, &m)) {
		bool is_one = is_single(l, &m);
		n_single += is_one;
		n_grains += !is_one && m.kind == ROW_GRAIN ? m.n_members : 0;
	}
	bool has_strip = n_grains > (l->view->has_dependences ? GRAINS_DEPEND : GRAINS_MAX);
	members_begin(&it, l->p->shown, group);
	while (members_next(&it, &m) && !l->is_out_of_memory) {
		member_count(l->p->shown, &m);
		if (is_single(l, &m) || (m.kind == ROW_GRAIN && !has_strip)) {
			add_box(l, &m, kind_of(l, &m));
		} else if (m.kind != ROW_GRAIN) {
			struct box *card = find_card(l, first, &m);
			if (card) {
				join_box(l->p, card, &m);
				card->is_mixed = false;
			} else if (n_cards < SHAPES_SEEN) {
				add_box(l, &m, kind_of(l, &m));
				n_cards++;
			} else {
				card = &l->s->boxes[l->s->n_boxes - 1];
				for (; card->kind != BOX_CARD && card->kind != BOX_CLOSED; card--)
					;
				join_box(l->p, card, &m);
				card->is_mixed = true;
			}
		}
	}
	if (has_strip && !l->is_out_of_memory)
		add_strip(l, group, n_grains);
	uint32_t n_others = (has_strip ? 1 : n_grains) + n_single;
	keep_cards(l, first, n_others + 4 < MEMBERS_MAX ? MEMBERS_MAX - n_others : 4);
}

/* In a sequence, neighbours of one shape become one card; if there are still too many, all
 * neighbours. */
static void
add_sequence(struct chooser *l, const struct row *group)
{
	struct members it;
	struct member m;
	size_t first = l->s->n_boxes;
	members_begin(&it, l->p->shown, group);
	for (bool can_join = false; members_next(&it, &m) && !l->is_out_of_memory;) {
		struct box *last = can_join ? &l->s->boxes[l->s->n_boxes - 1] : NULL;
		can_join = !is_single(l, &m) && m.kind != ROW_GRAIN;
		member_count(l->p->shown, &m);
		size_t n = l->s->n_boxes - first;
		if (can_join && last &&
		    (n >= SHAPES_SEEN ||
		     (last->shape == m.shape && m.shape != 0 && !last->is_mixed &&
		      (last->n_problem > 0) == (m.n_problem > 0))))
			join_box(l->p, last, &m);
		else
			add_box(l, &m, kind_of(l, &m));
	}
	struct structure *s = l->s;
	size_t n = s->n_boxes - first, share = n / MEMBERS_MAX + 1;
	if (n <= MEMBERS_MAX)
		return;
	size_t to = first, n_in = 0;
	for (size_t i = first; i < s->n_boxes; i++) {
		struct box *t = &s->boxes[i];
		bool is_card = t->kind == BOX_CARD || t->kind == BOX_CLOSED;
		if (is_card && n_in > 0 && n_in < share) {
			merge_boxes(l, &s->boxes[to - 1], t);
			n_in++;
			continue;
		}
		n_in = is_card;
		s->boxes[to++] = *t;
	}
	s->n_boxes = to;
}

/* Returns the box, among those from `first` on, that is or contains a node; not for cards, whose
 * members are unknown. */
static uint32_t
box_of(const struct structure *s, uint32_t first, uint32_t node)
{
	for (uint32_t i = first; i < s->n_boxes; i++) {
		const struct box *t = &s->boxes[i];
		bool is_one = t->kind != BOX_CARD && t->kind != BOX_STRIP;
		if (is_one && t->node <= node && node < t->end)
			return i;
	}
	return NO_NODE;
}

static void
add_edge(struct chooser *l, uint32_t from, uint32_t to)
{
	struct structure *s = l->s;
	if (s->n_edges >= EDGES_MAX)
		return;
	if (wn_grow(&s->edges, &s->edges_capacity, s->n_edges + 1, sizeof *s->edges) != 0) {
		l->is_out_of_memory = true;
		return;
	}
	s->edges[s->n_edges++] = (struct edge){from, to};
	struct box *a = &s->boxes[from], *b = &s->boxes[to];
	a->has_successor = true;
	if (a->rank >= b->rank && a->rank + 1u < RANKS_MAX)
		b->rank = (uint8_t)(a->rank + 1);
}

/* Reads dependences between individually drawn members of a fork-join. They lead from older to
 * younger members, sorted by the younger: one scan computes the ranks. */
static void
add_edges(struct chooser *l, const struct row *group, uint32_t first)
{
	uint32_t from = page_chunk_of(l->p, group->node), to = page_chunk_of(l->p, group->end - 1);
	for (uint32_t k = from; k <= to; k++) {
		struct page_chunk *c = &l->p->chunks[k];
		if (!depend_find(l->p, c)) {
			l->is_out_of_memory = true;
			return;
		}
		for (size_t i = 0; i < c->n_edges && l->s->n_edges < EDGES_MAX; i++) {
			const struct edge *e = &c->edges[i];
			if (e->from <= group->node || e->to >= group->end)
				continue;
			uint32_t a = box_of(l->s, first, e->from), b = box_of(l->s, first, e->to);
			if (a != NO_NODE && b != NO_NODE && a < b)
				add_edge(l, a, b);
		}
	}
}

static uint64_t
longest_of(struct chooser *l, const struct row *group)
{
	struct members it;
	struct member m;
	uint64_t longest = 0;
	members_begin(&it, l->p->shown, group);
	while (members_next(&it, &m)) {
		const struct row *own =
		    m.row && m.row->kind == ROW_LINEAR ? page_row(l->p, m.node + 1) : m.row;
		uint64_t work = own && own->kind == ROW_GRAIN ? own->work_ns : 0;
		longest = work > longest ? work : longest;
	}
	return longest;
}

static void
open_box(struct chooser *l, uint32_t at)
{
	struct box t = l->s->boxes[at];
	uint32_t first = (uint32_t)l->s->n_boxes;
	if (t.kind == BOX_FORK) {
		t.longest_ns = longest_of(l, t.row);
		add_forked(l, t.row);
		if (l->view->has_dependences && !l->is_out_of_memory)
			add_edges(l, t.row, first);
	} else {
		const struct row *own = page_row(l->p, t.node + 1);
		if (t.longest_ns == 0 && own && own->kind == ROW_GRAIN)
			t.longest_ns = own->work_ns;
		add_sequence(l, t.row);
	}
	t.first = first;
	t.n = (uint32_t)l->s->n_boxes - first;
	l->s->boxes[at] = t;
	for (uint32_t i = first; i < l->s->n_boxes; i++) {
		l->s->boxes[i].parent = at;
		l->s->boxes[i].longest_ns = t.longest_ns;
		l->s->boxes[i].is_bare = l->s->boxes[i].kind == BOX_FORK ||
		                         (l->s->boxes[i].kind == BOX_LINEAR && t.n == 1);
	}
}

bool
structure_choose_boxes(struct page *p, struct structure *s, const struct page_view *view,
                       const struct row *root, uint32_t towards)
{
	struct chooser l = {.p = p, .s = s, .view = view, .towards = towards};
	struct member m = member_of(root);
	member_count(p->shown, &m);
	add_box(&l, &m, kind_of(&l, &m));
	for (uint32_t i = 0; i < s->n_boxes && !l.is_out_of_memory; i++)
		if (s->boxes[i].kind == BOX_LINEAR || s->boxes[i].kind == BOX_FORK)
			open_box(&l, i);
	return !l.is_out_of_memory;
}
