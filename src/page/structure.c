/* SPDX-License-Identifier: MIT */
/*
 * structure.c - the papers' picture: time down, what is side by side side by side; a fork and its
 * join around it. Groups are open on the way to what is selected and where the user opened them;
 * the others are boxes of one size.
 *
 * Of an open fork-join at most 24 things are drawn, however many members it has: closed groups of
 * one shape are one card, more than 12 grains are one strip, and what is left over is one card of
 * several shapes. A sequence folds what follows one another in the same way.
 *
 * Things are laid out in the order of breadth: members lie one after the other, behind their group.
 * So sizes are found by one scan backwards, and places by one forwards.
 */
#include "base/decimal.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/mix.h"
#include "base/order.h"
#include "grains/format.h"
#include "page/private.h"

#include <string.h>

#define MISSING        __builtin_nan("")
#define THINGS_MAX     6000u
#define MEMBERS_MAX    24u
#define GRAINS_MAX     12u /* that stand beside each other; more are a strip */
#define GRAINS_DEPEND  60u /* the same where dependences are drawn */
#define RANKS_MAX      64u /* one below the other, by dependences */
#define EDGES_MAX      2000u
#define SHAPES_SEEN    64u /* of a group, that are told apart at first */
#define BARS_MAX       80u
#define GRAIN_WIDTH    14.0f
#define GRAIN_LEAST    6.0f
#define GRAIN_MOST     70.0f
#define GRAIN_DOUBLING 6.0f /* with logarithms */
#define GRAIN_FIRST_NS 60u  /* below, it has the least height */
#define BOX_WIDTH      78.0f
#define BOX_HEIGHT     32.0f
#define PILE           3.0f /* between the boxes of a card */
#define BAR_WIDTH      3.0f
#define CIRCLE         10.0f
#define GAP            12.0f /* beside and below each other */
#define EDGE           14.0f /* between a fork and what it forks */
#define MARGIN         8.0f  /* inside a frame */
#define COUNT_WIDTH    30.0f /* of "x 1,000" */
#define ONE_LINE       0.6   /* scales from which a box has room for a line, and for two */
#define TWO_LINES      0.85

enum thing_kind { THING_GRAIN, THING_CLOSED, THING_CARD, THING_STRIP, THING_LINEAR, THING_FORK };

struct thing {
	uint8_t kind, flags, colour, severity;
	bool is_missing, is_mixed; /* a card of several shapes */
	uint8_t rank;              /* below those that it depends on */
	bool has_successor;
	uint32_t node, end, site;
	uint32_t parent;   /* thing it is in */
	uint32_t first, n; /* things in it; of a strip: its bars */
	uint32_t n_members, n_grains, n_problem;
	uint64_t work_ns, shape;
	double least, most;  /* of the metric that is shown; NAN */
	uint64_t longest_ns; /* what heights of grains here are in proportion to */
	const struct row *row;
	float w, h, x, y; /* x, y: left, top */
};

struct bar {
	uint32_t node, n, n_problem;
	uint64_t work_ns; /* of the longest */
	uint8_t flags, colour, severity;
};

struct structure {
	uint64_t key;
	struct thing *things;
	size_t n_things, things_capacity;
	struct bar *bars;
	size_t n_bars, bars_capacity;
	struct edge *edges; /* from thing to thing */
	size_t n_edges, edges_capacity;
	float width, height;
};

struct layout {
	struct page *p;
	struct structure *s;
	const struct page_view *view;
	uint32_t towards; /* groups around it are open */
	bool is_out_of_memory;
};

void
structure_free(struct structure *s)
{
	if (!s)
		return;
	wn_free(s->things);
	wn_free(s->bars);
	wn_free(s->edges);
	wn_free(s);
}

/* ---------------------------------------------------------------------------- what is open */

static bool
is_among(const uint32_t *nodes, uint32_t n, uint32_t node)
{
	uint32_t from = 0, to = n;
	while (from < to) {
		uint32_t middle = from + (to - from) / 2;
		if (nodes[middle] == node)
			return true;
		if (nodes[middle] < node)
			from = middle + 1;
		else
			to = middle;
	}
	return false;
}

/* Groups around what is selected: it lies between a group's number and its end. */
static bool
is_open(const struct layout *l, const struct row *row)
{
	const struct page_view *v = l->view;
	if (!row || row->kind == ROW_GRAIN || l->s->n_things > THINGS_MAX ||
	    is_among(v->closed, v->n_closed, row->node))
		return false;
	bool is_around = l->towards != NO_NODE && row->node < l->towards && l->towards < row->end;
	return row->node == v->root || is_around || is_among(v->open, v->n_open, row->node);
}

/* Seen by itself, whatever it is like. */
static bool
is_single(const struct layout *l, const struct member *m)
{
	return l->towards == m->node || is_open(l, m->row);
}

/* ---------------------------------------------------------------------------- things */

static struct thing *
add_thing(struct layout *l, const struct member *m, uint8_t kind)
{
	struct structure *s = l->s;
	if (wn_grow(&s->things, &s->things_capacity, s->n_things + 1, sizeof *s->things) != 0) {
		l->is_out_of_memory = true;
		return NULL;
	}
	struct thing *t = &s->things[s->n_things++];
	*t = (struct thing){.kind = kind,
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
	t->least = t->most = m->row ? page_value(l->p, m->node) : MISSING;
	return t;
}

static void
join_values(struct thing *t, double least, double most)
{
	if (!(t->least <= least))
		t->least = least;
	if (!(t->most >= most))
		t->most = most;
}

static void
join_thing(const struct page *p, struct thing *t, const struct member *m)
{
	double value = m->row ? page_value(p, m->node) : MISSING;
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
	t->kind = THING_CARD;
}

static void
merge_things(struct layout *l, struct thing *t, const struct thing *other)
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
	join_thing(l->p, t, &m);
	if (other->least == other->least)
		join_values(t, other->least, other->most);
	t->is_mixed = true;
	t->is_missing = is_missing;
	t->node = other->node < t->node ? other->node : t->node;
}

static uint8_t
kind_of(const struct layout *l, const struct member *m)
{
	if (m->kind == ROW_GRAIN)
		return THING_GRAIN;
	if (!is_open(l, m->row))
		return m->n_members > 1 ? THING_CARD : THING_CLOSED;
	return m->row->kind == ROW_LINEAR ? THING_LINEAR : THING_FORK;
}

/* ---------------------------------------------------------------------------- strips */

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
add_bars(struct layout *l, struct thing *strip, const struct length *lengths, uint32_t n)
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
			bar.n_problem += r->n_problem;
			bar.work_ns = r->work_ns > bar.work_ns ? r->work_ns : bar.work_ns;
			bar.flags |= r->flags;
			bar.severity = r->severity > bar.severity ? r->severity : bar.severity;
			bar.colour = bar.colour == r->colour ? r->colour : PAGE_NO_COLOUR;
		}
		s->bars[s->n_bars++] = bar;
	}
}

/* Grains of a fork-join that are not seen by themselves: chunks of loops in their order, others by
 * length. Those that are not here have no bars. */
static void
add_strip(struct layout *l, const struct row *group, uint32_t n_grains)
{
	struct members it;
	struct member m;
	struct thing *strip = NULL;
	struct length *lengths = wn_calloc(n_grains, sizeof *lengths);
	uint32_t n = 0;
	bool is_loop = false;
	members_begin(&it, l->p, group);
	while (lengths && members_next(&it, &m)) {
		if (m.kind != ROW_GRAIN || is_single(l, &m))
			continue;
		if (!strip)
			strip = add_thing(l, &m, THING_STRIP);
		else
			join_thing(l->p, strip, &m);
		if (!strip)
			break;
		if (m.row && n < n_grains)
			lengths[n++] = (struct length){m.work_ns, m.row};
		is_loop |= m.grain_kind == WN_GRAINS_LOOP_CHUNK;
	}
	if (!lengths || (!is_loop && !wn_order(lengths, n, sizeof *lengths, is_shorter)))
		l->is_out_of_memory = true;
	if (strip && !l->is_out_of_memory) {
		strip->kind = THING_STRIP;
		add_bars(l, strip, lengths, n);
	}
	wn_free(lengths);
}

/* ---------------------------------------------------------------------------- members */

/* The card of a closed member, among those of the group from `first` on. */
static struct thing *
find_card(struct layout *l, size_t first, const struct member *m)
{
	for (size_t i = first; i < l->s->n_things && i < first + SHAPES_SEEN; i++) {
		struct thing *t = &l->s->things[i];
		bool is_card = t->kind == THING_CARD || t->kind == THING_CLOSED;
		if (is_card && t->shape == m->shape && m->shape != 0 && !t->is_mixed &&
		    (t->n_problem > 0) == (m->n_problem > 0))
			return t;
	}
	return NULL;
}

static bool
has_more_work(const struct thing *a, const struct thing *b)
{
	if ((a->n_problem > 0) != (b->n_problem > 0))
		return a->n_problem > 0;
	return a->work_ns > b->work_ns || (a->work_ns == b->work_ns && a->node < b->node);
}

/* Of things that are cards of their own at most n stay: those with problems, those with much work.
 * The others become one. */
static void
keep_cards(struct layout *l, size_t first, uint32_t n)
{
	struct structure *s = l->s;
	uint32_t n_cards = 0;
	for (size_t i = first; i < s->n_things; i++)
		n_cards += s->things[i].kind == THING_CARD || s->things[i].kind == THING_CLOSED;
	while (n_cards > n) {
		struct thing *last = NULL, *before = NULL;
		for (size_t i = first; i < s->n_things; i++) {
			struct thing *t = &s->things[i];
			if (t->kind != THING_CARD && t->kind != THING_CLOSED)
				continue;
			if (!last || has_more_work(last, t)) {
				before = last;
				last = t;
			} else if (!before || has_more_work(before, t)) {
				before = t;
			}
		}
		merge_things(l, before, last);
		memmove(last, last + 1,
		        (size_t)(s->things + s->n_things - last - 1) * sizeof *last);
		s->n_things--;
		n_cards--;
	}
}

static void
add_forked(struct layout *l, const struct row *group)
{
	struct members it;
	struct member m;
	size_t first = l->s->n_things;
	uint32_t n_grains = 0, n_single = 0, n_cards = 0;
	members_begin(&it, l->p, group);
	while (members_next(&it, &m)) {
		bool is_one = is_single(l, &m);
		n_single += is_one;
		n_grains += !is_one && m.kind == ROW_GRAIN ? m.n_members : 0;
	}
	bool has_strip = n_grains > (l->view->has_dependences ? GRAINS_DEPEND : GRAINS_MAX);
	struct thing *others = NULL;
	members_begin(&it, l->p, group);
	while (members_next(&it, &m) && !l->is_out_of_memory) {
		if (is_single(l, &m) || (m.kind == ROW_GRAIN && !has_strip)) {
			add_thing(l, &m, kind_of(l, &m));
			others = NULL; /* things may have moved */
		} else if (m.kind != ROW_GRAIN) {
			struct thing *card = find_card(l, first, &m);
			if (card) {
				join_thing(l->p, card, &m);
				card->is_mixed = false;
			} else if (n_cards < SHAPES_SEEN) {
				add_thing(l, &m, kind_of(l, &m));
				n_cards++;
			} else {
				card = &l->s->things[l->s->n_things - 1];
				for (; card->kind != THING_CARD && card->kind != THING_CLOSED;
				     card--)
					;
				join_thing(l->p, card, &m);
				card->is_mixed = true;
			}
		}
	}
	(void)others;
	if (has_strip && !l->is_out_of_memory)
		add_strip(l, group, n_grains);
	uint32_t n_others = (has_strip ? 1 : n_grains) + n_single;
	keep_cards(l, first, n_others + 4 < MEMBERS_MAX ? MEMBERS_MAX - n_others : 4);
}

/* Of a sequence: neighbours of one shape are one card; if there still are too many, neighbours of
 * any. */
static void
add_sequence(struct layout *l, const struct row *group)
{
	struct members it;
	struct member m;
	size_t first = l->s->n_things;
	members_begin(&it, l->p, group);
	for (bool can_join = false; members_next(&it, &m) && !l->is_out_of_memory;) {
		struct thing *last = can_join ? &l->s->things[l->s->n_things - 1] : NULL;
		can_join = !is_single(l, &m) && m.kind != ROW_GRAIN;
		size_t n = l->s->n_things - first;
		if (can_join && last &&
		    (n >= SHAPES_SEEN ||
		     (last->shape == m.shape && m.shape != 0 && !last->is_mixed &&
		      (last->n_problem > 0) == (m.n_problem > 0))))
			join_thing(l->p, last, &m);
		else
			add_thing(l, &m, kind_of(l, &m));
	}
	struct structure *s = l->s;
	size_t n = s->n_things - first, share = n / MEMBERS_MAX + 1;
	if (n <= MEMBERS_MAX)
		return;
	size_t to = first, n_in = 0;
	for (size_t i = first; i < s->n_things; i++) {
		struct thing *t = &s->things[i];
		bool is_card = t->kind == THING_CARD || t->kind == THING_CLOSED;
		if (is_card && n_in > 0 && n_in < share) {
			merge_things(l, &s->things[to - 1], t);
			n_in++;
			continue;
		}
		n_in = is_card;
		s->things[to++] = *t;
	}
	s->n_things = to;
}

/* The thing among those from `first` on that a node is, or is in; of cards nobody knows. */
static uint32_t
thing_of(const struct structure *s, uint32_t first, uint32_t node)
{
	for (uint32_t i = first; i < s->n_things; i++) {
		const struct thing *t = &s->things[i];
		bool is_one = t->kind != THING_CARD && t->kind != THING_STRIP;
		if (is_one && t->node <= node && node < t->end)
			return i;
	}
	return NO_NODE;
}

static void
add_edge(struct layout *l, uint32_t from, uint32_t to)
{
	struct structure *s = l->s;
	if (s->n_edges >= EDGES_MAX)
		return;
	if (wn_grow(&s->edges, &s->edges_capacity, s->n_edges + 1, sizeof *s->edges) != 0) {
		l->is_out_of_memory = true;
		return;
	}
	s->edges[s->n_edges++] = (struct edge){from, to};
	struct thing *a = &s->things[from], *b = &s->things[to];
	a->has_successor = true;
	if (a->rank >= b->rank && a->rank + 1u < RANKS_MAX)
		b->rank = (uint8_t)(a->rank + 1);
}

/* Dependences between the members of a fork-join that are seen by themselves. They lead from older
 * to younger ones, and come in the order of the younger: ranks are found in one way through. */
static void
add_edges(struct layout *l, const struct row *group, uint32_t first)
{
	uint32_t from = page_chunk_of(l->p, group->node), to = page_chunk_of(l->p, group->end - 1);
	for (uint32_t k = from; k <= to; k++) {
		struct page_chunk *c = &l->p->chunks[k];
		depend_find(l->p, c);
		for (size_t i = 0; i < c->n_edges && l->s->n_edges < EDGES_MAX; i++) {
			const struct edge *e = &c->edges[i];
			if (e->from <= group->node || e->to >= group->end)
				continue;
			uint32_t a = thing_of(l->s, first, e->from),
				 b = thing_of(l->s, first, e->to);
			if (a != NO_NODE && b != NO_NODE && a < b)
				add_edge(l, a, b);
		}
	}
}

static uint64_t
longest_of(struct layout *l, const struct row *group)
{
	struct members it;
	struct member m;
	uint64_t longest = 0;
	members_begin(&it, l->p, group);
	while (members_next(&it, &m)) {
		const struct row *own =
		    m.row && m.row->kind == ROW_LINEAR ? page_row(l->p, m.node + 1) : m.row;
		uint64_t work = own && own->kind == ROW_GRAIN ? own->work_ns : 0;
		longest = work > longest ? work : longest;
	}
	return longest;
}

static void
open_thing(struct layout *l, uint32_t at)
{
	struct thing t = l->s->things[at];
	uint32_t first = (uint32_t)l->s->n_things;
	if (t.kind == THING_FORK) {
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
	t.n = (uint32_t)l->s->n_things - first;
	l->s->things[at] = t;
	for (uint32_t i = first; i < l->s->n_things; i++) {
		l->s->things[i].parent = at;
		l->s->things[i].longest_ns = t.longest_ns;
	}
}

/* ---------------------------------------------------------------------------- sizes and places */

static float
grain_height(const struct page_view *v, uint64_t work_ns, uint64_t longest_ns)
{
	if (v->is_log) {
		float h = GRAIN_LEAST;
		for (uint64_t ns = GRAIN_FIRST_NS; ns <= work_ns / 2 && h < GRAIN_MOST; ns *= 2)
			h += GRAIN_DOUBLING;
		return h < GRAIN_MOST ? h : GRAIN_MOST;
	}
	if (longest_ns == 0 || work_ns >= longest_ns)
		return longest_ns == 0 ? GRAIN_LEAST : GRAIN_MOST;
	return (float)(GRAIN_LEAST +
	               (double)(GRAIN_MOST - GRAIN_LEAST) * (double)work_ns / (double)longest_ns);
}

/* What is right of a card's boxes, so that these stand in the middle. */
static float
shift_of(const struct thing *t)
{
	return t->kind == THING_CARD ? COUNT_WIDTH : 0;
}

/* How far below the first rank another one begins. */
static float
rank_top(const struct thing *in, uint32_t n, uint32_t rank)
{
	float heights[RANKS_MAX] = {0}, top = 0;
	for (uint32_t i = 0; i < n; i++)
		if (in[i].h > heights[in[i].rank])
			heights[in[i].rank] = in[i].h;
	for (uint32_t r = 0; r < rank; r++)
		top += heights[r] > 0 ? heights[r] + GAP + EDGE : 0;
	return top;
}

static void
size_of(const struct layout *l, struct thing *t)
{
	const struct thing *in = l->s->things + t->first;
	switch ((enum thing_kind)t->kind) {
	case THING_GRAIN:
		t->w = GRAIN_WIDTH;
		t->h = grain_height(l->view, t->work_ns, t->longest_ns);
		break;
	case THING_CLOSED:
		t->w = BOX_WIDTH;
		t->h = BOX_HEIGHT;
		break;
	case THING_CARD:
		t->w = BOX_WIDTH + 2 * PILE + COUNT_WIDTH;
		t->h = BOX_HEIGHT + 2 * PILE;
		break;
	case THING_STRIP:
		t->w = (float)t->n * BAR_WIDTH + MARGIN;
		t->w = t->w > BOX_WIDTH ? t->w : BOX_WIDTH;
		t->h = GRAIN_MOST + MARGIN + 14;
		break;
	case THING_LINEAR:
		t->w = t->h = 0;
		for (uint32_t i = 0; i < t->n; i++) {
			t->w =
			    in[i].w + shift_of(&in[i]) > t->w ? in[i].w + shift_of(&in[i]) : t->w;
			t->h += in[i].h + (i > 0 ? GAP : 0);
		}
		t->w += 2 * MARGIN;
		t->h += 2 * MARGIN;
		break;
	case THING_FORK:
		t->w = t->h = 0;
		for (uint32_t i = 0; i < t->n; i++) {
			t->w += in[i].w + (i > 0 ? GAP : 0);
		}
		t->h = t->n > 0 ? rank_top(in, t->n, RANKS_MAX) - GAP - EDGE : 0;
		t->w = (t->w > CIRCLE ? t->w : CIRCLE) + 2 * MARGIN;
		t->h += 2 * (CIRCLE + EDGE) + 2 * MARGIN;
		break;
	}
}

static void
place_members(struct layout *l, const struct thing *t)
{
	struct thing *in = l->s->things + t->first;
	float x = t->x + MARGIN, y = t->y + MARGIN + (t->kind == THING_FORK ? CIRCLE + EDGE : 0);
	for (uint32_t i = 0; i < t->n; i++) {
		in[i].y = in[i].rank > 0 ? y + rank_top(in, t->n, in[i].rank) : y;
		in[i].x =
		    t->kind == THING_FORK ? x : t->x + (t->w - in[i].w + shift_of(&in[i])) / 2;
		if (t->kind == THING_FORK)
			x += in[i].w + GAP;
		else
			y += in[i].h + GAP;
	}
}

static uint64_t
key_of(const struct page *p, const struct page_view *v)
{
	uint64_t key = wn_mix(p->version, v->root);
	key = wn_mix(key, v->selected);
	key =
	    wn_mix(key, (uint64_t)v->problem << 8 | v->is_log | (uint64_t)v->has_dependences << 1);
	for (uint32_t i = 0; i < v->n_open; i++)
		key = wn_mix(key, v->open[i]);
	key = wn_mix(key, UINT64_MAX);
	for (uint32_t i = 0; i < v->n_closed; i++)
		key = wn_mix(key, v->closed[i]);
	return key;
}

static wn_status
lay_out(struct page *p, const struct page_view *view, const struct row *root, wn_err *err)
{
	if (!p->structure && !(p->structure = wn_calloc(1, sizeof *p->structure)))
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	struct structure *s = p->structure;
	uint32_t worst =
	    view->selected == NO_NODE ? page_worst(p, root->node, view->problem) : NO_NODE;
	struct layout l = {.p = p,
	                   .s = s,
	                   .view = view,
	                   .towards = view->selected == NO_NODE ? worst : view->selected};
	uint64_t key = key_of(p, view);
	if (s->key == key && s->n_things > 0)
		return WN_OK;
	s->n_things = s->n_bars = s->n_edges = 0;
	struct member m = member_of(root);
	add_thing(&l, &m, kind_of(&l, &m));
	for (uint32_t i = 0; i < s->n_things && !l.is_out_of_memory; i++)
		if (s->things[i].kind == THING_LINEAR || s->things[i].kind == THING_FORK)
			open_thing(&l, i);
	if (l.is_out_of_memory) {
		s->n_things = 0;
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	}
	for (size_t i = s->n_things; i-- > 0;)
		size_of(&l, &s->things[i]);
	s->things[0].x = s->things[0].y = MARGIN;
	for (size_t i = 0; i < s->n_things; i++)
		if (s->things[i].kind == THING_LINEAR || s->things[i].kind == THING_FORK)
			place_members(&l, &s->things[i]);
	s->width = s->things[0].w + 2 * MARGIN;
	s->height = s->things[0].h + 2 * MARGIN;
	s->key = key;
	return WN_OK;
}

wn_status
structure_size(struct page *p, const struct page_view *view, const struct row *root, double *width,
               double *height, wn_err *err)
{
	wn_status st = lay_out(p, view, root, err);
	if (st != WN_OK)
		return st;
	*width = (double)p->structure->width;
	*height = (double)p->structure->height;
	return WN_OK;
}

/* ---------------------------------------------------------------------------- painting */

struct painter {
	struct page *p;
	const struct page_view *v;
	double sx, sy;
	bool is_out_of_memory;
};

static uint8_t
ramp_of(uint32_t n_problem, uint32_t n, uint8_t severity)
{
	if (n_problem == 0)
		return 0;
	if (severity)
		return severity;
	double share = 255.0 * n_problem / (n ? n : 1);
	return share >= 255 ? 255 : share < 1 ? 1 : (uint8_t)share;
}

static uint8_t
flags_of(const struct painter *k, uint8_t flags, uint32_t n_problem, uint32_t node, uint32_t site)
{
	bool is_dim = (k->v->problem != PAGE_ALL_PROBLEMS && n_problem == 0) ||
	              (k->v->site != NO_NODE && site != k->v->site);
	return (uint8_t)((n_problem ? PAGE_F_PROBLEM : 0) |
	                 (flags & PAGE_NODE_CRITICAL ? PAGE_F_CRITICAL : 0) |
	                 (flags & PAGE_NODE_ROGUE ? PAGE_F_ROGUE : 0) |
	                 (flags & PAGE_NODE_ESTIMATED ? PAGE_F_ESTIMATED : 0) |
	                 (is_dim ? PAGE_F_DIM : 0) |
	                 (node == k->v->selected ? PAGE_F_SELECTED : 0));
}

static void
paint(struct painter *k, struct page_shape shape, double x, double y, double w, double h)
{
	double px = (x - k->v->x) * k->sx, py = (y - k->v->y) * k->sy, pw = w * k->sx,
	       ph = h * k->sy;
	double left = pw < 0 ? px + pw : px, right = pw < 0 ? px : px + pw;
	double top = ph < 0 ? py + ph : py, bottom = ph < 0 ? py : py + ph;
	if (right < -8 || bottom < -8 || left > k->v->width + 8.0 || top > k->v->height + 8.0)
		return;
	shape.x = (float)px;
	shape.y = (float)py;
	shape.w = (float)pw;
	shape.h = (float)ph;
	k->is_out_of_memory |= !draw_shape(k->p, &shape);
}

static void
line(struct painter *k, uint8_t kind, bool is_critical, double x, double y, double to_x,
     double to_y)
{
	struct page_shape shape = {.node = NO_NODE,
	                           .kind = kind,
	                           .colour = PAGE_NO_COLOUR,
	                           .flags = is_critical ? PAGE_F_CRITICAL : 0};
	if (k->p->n_shapes < PAGE_SHAPES_MAX)
		paint(k, shape, x, y, to_x - x, to_y - y);
}

static void
text(struct painter *k, double x, double y, uint8_t anchor, uint8_t style, const char *words)
{
	double px = (x - k->v->x) * k->sx, py = (y - k->v->y) * k->sy;
	if (k->sy < ONE_LINE || px < -64 || py < 0 || px > k->v->width + 64.0 ||
	    py > k->v->height + 16.0)
		return; /* too small to read */
	k->is_out_of_memory |=
	    !draw_text(k->p, (float)px, (float)py, anchor, style, words, strlen(words));
}

static double
middle(const struct thing *t)
{
	double w = t->kind == THING_CARD ? t->w - COUNT_WIDTH : t->w;
	return (double)t->x + w / 2;
}

/* Three digits or so, however small. */
static size_t
short_value(double value, char out[WN_DECIMAL_BYTES])
{
	char power[2 + WN_DECIMAL_BYTES] = "e-";
	double size = value < 0 ? -value : value;
	uint32_t n = 0;
	for (; size > 0 && size < 0.01 && n < 400; n++)
		value *= 10, size *= 10;
	if (n == 0)
		return strlen(wn_decimal_ratio(value, out));
	for (; size < 1; n++)
		value *= 10, size *= 10;
	wn_decimal_fixed(value, 1, out);
	wn_decimal_count(n, power + 2);
	memcpy(out + strlen(out), power, strlen(power) + 1);
	return strlen(out);
}

/* Of one group, or between which those of a card lie. */
static bool
value_words(const struct thing *t, char words[3 * WN_DECIMAL_BYTES])
{
	if (t->least != t->least)
		return false;
	size_t n = short_value(t->least, words);
	if (t->most != t->least) {
		memcpy(words + n, " - ", 3);
		short_value(t->most, words + n + 3);
	}
	return true;
}

static void
paint_words(struct painter *k, const struct thing *t)
{
	char count[WN_DECIMAL_BYTES], words[3 * WN_DECIMAL_BYTES];
	double x = middle(t) - (t->kind == THING_CARD ? (double)PILE : 0);
	double y = (double)t->y + (t->kind == THING_CARD ? (double)(2 * PILE) : 0);
	bool has_room = k->sy >= TWO_LINES;
	uint32_t n =
	    t->is_mixed || t->kind != THING_CARD ? t->n_grains : t->n_grains / t->n_members;
	wn_decimal_count(n, count);
	size_t used = strlen(count);
	memcpy(words, count, used);
	memcpy(words + used, n == 1 ? " grain" : " grains", n == 1 ? 7 : 8);
	if (has_room)
		text(k, x, y + 14, 1, PAGE_TEXT, words);
	/* the metric that is shown is what there is room for first */
	bool has_value = value_words(t, words);
	if (!has_room)
		text(k, x, y + 21, 1, PAGE_TEXT_SMALL, has_value ? words : count);
	if (!has_value)
		wn_decimal_time(t->kind == THING_CARD && !t->is_mixed ? t->work_ns / t->n_members
		                                                      : t->work_ns,
		                words);
	if (has_room)
		text(k, x, y + 26, 1, PAGE_TEXT_SMALL, words);
	if (t->kind != THING_CARD)
		return;
	memcpy(words, "x ", 2);
	wn_decimal_count(t->n_members, words + 2);
	text(k, (double)(t->x + t->w - COUNT_WIDTH) + 2, (double)t->y + 10, 0, PAGE_TEXT_COUNT,
	     words);
}

static void
paint_strip(struct painter *k, const struct thing *t)
{
	const struct bar *bars = t->n ? &k->p->structure->bars[t->first] : NULL;
	char words[3 * WN_DECIMAL_BYTES], count[WN_DECIMAL_BYTES];
	double bottom = (double)t->y + (double)(GRAIN_MOST + MARGIN / 2),
	       x = (double)(t->x + MARGIN / 2);
	for (uint32_t i = 0; i < t->n; i++, x += (double)BAR_WIDTH) {
		const struct bar *b = &bars[i];
		double h = (double)grain_height(k->v, b->work_ns, t->longest_ns);
		struct page_shape shape = {
		    .node = b->node,
		    .kind = PAGE_BAR,
		    .colour = b->colour,
		    .ramp = ramp_of(b->n_problem, b->n, b->n == 1 ? b->severity : 0),
		    .flags = flags_of(k, b->flags, b->n_problem, b->node, t->site)};
		shape.flags |= b->n > 1 ? PAGE_F_MORE : 0;
		paint(k, shape, x, bottom - h, (double)BAR_WIDTH, h);
	}
	wn_decimal_count(t->n_grains, count);
	size_t used = strlen(count);
	memcpy(words, count, used);
	memcpy(words + used, " grains, ", 9);
	wn_decimal_time(t->work_ns, words + used + 9);
	text(k, middle(t), bottom + 13, 1, PAGE_TEXT_SMALL, words);
}

/* From above the middle of a thing to below it, past its own height where the join is lower. */
static void
paint_branch(struct painter *k, const struct thing *fork, const struct thing *t)
{
	double x = (double)(fork->x + fork->w / 2), top = (double)(fork->y + MARGIN + CIRCLE);
	double bottom = (double)(fork->y + fork->h - MARGIN - CIRCLE);
	bool is_critical = t->flags & PAGE_NODE_CRITICAL && fork->flags & PAGE_NODE_CRITICAL;
	double below = (double)(t->y + t->h), turn = bottom - (double)EDGE;
	if (t->rank == 0)
		line(k, PAGE_BEND, is_critical, x, top, middle(t), (double)t->y);
	if (t->has_successor)
		return;
	if (turn > below)
		line(k, PAGE_LINE, is_critical, middle(t), below, middle(t), turn);
	line(k, PAGE_BEND, is_critical, middle(t), turn > below ? turn : below, x, bottom);
}

static void
paint_open(struct painter *k, const struct thing *t)
{
	const struct thing *in = k->p->structure->things + t->first;
	struct page_shape circle = {.node = t->node,
	                            .kind = PAGE_FORK,
	                            .colour = PAGE_NO_COLOUR,
	                            .flags = t->flags & PAGE_NODE_CRITICAL ? PAGE_F_CRITICAL : 0};
	for (uint32_t i = 0; i < t->n; i++)
		if (t->kind == THING_FORK)
			paint_branch(k, t, &in[i]);
		else if (i > 0)
			line(k, PAGE_LINE, in[i].flags & in[i - 1].flags & PAGE_NODE_CRITICAL,
			     middle(&in[i - 1]), (double)(in[i - 1].y + in[i - 1].h),
			     middle(&in[i]), (double)in[i].y);
	if (t->kind != THING_FORK)
		return;
	double x = (double)(t->x + t->w / 2 - CIRCLE / 2);
	paint(k, circle, x, (double)(t->y + MARGIN), (double)CIRCLE, (double)CIRCLE);
	circle.kind = PAGE_JOIN;
	paint(k, circle, x, (double)(t->y + t->h - MARGIN - CIRCLE), (double)CIRCLE,
	      (double)CIRCLE);
}

static void
paint_thing(struct painter *k, const struct thing *t)
{
	static const uint8_t kinds[] = {
	    [THING_GRAIN] = PAGE_GRAIN, [THING_CLOSED] = PAGE_CLOSED, [THING_CARD] = PAGE_CARD,
	    [THING_STRIP] = PAGE_STRIP, [THING_LINEAR] = PAGE_OPEN,   [THING_FORK] = PAGE_OPEN};
	struct page_shape shape = {.node = t->node, .kind = kinds[t->kind], .colour = t->colour};
	shape.ramp = ramp_of(t->n_problem, t->n_grains, t->kind == THING_GRAIN ? t->severity : 0);
	shape.flags = flags_of(k, t->flags, t->n_problem, t->node, t->site);
	shape.flags |= t->kind == THING_CLOSED || t->kind == THING_CARD ? PAGE_F_MORE : 0;
	shape.flags |= t->is_missing ? PAGE_F_MISSING : 0;
	bool is_card = t->kind == THING_CARD; /* its front box */
	k->p->n_grains_drawn += t->kind < THING_LINEAR ? t->n_grains : 0;
	double w = (double)(is_card ? BOX_WIDTH : t->w), h = (double)(is_card ? BOX_HEIGHT : t->h);
	double y = (double)t->y + (is_card ? (double)(2 * PILE) : 0);
	if (shape.flags & PAGE_F_MISSING)
		draw_need(k->p, t->node, w * h);
	paint(k, shape, (double)t->x, y, w, h);
	double left = ((double)t->x - k->v->x) * k->sx, top = (y - k->v->y) * k->sy;
	k->is_out_of_memory |=
	    !draw_marks(k->p, k->v, t->node, t->kind >= THING_LINEAR ? t->node + 1 : t->end,
	                t->kind >= THING_LINEAR, left, top, left + w * k->sx, top + h * k->sy);
	if (t->kind == THING_CLOSED || t->kind == THING_CARD)
		paint_words(k, t);
	else if (t->kind == THING_STRIP)
		paint_strip(k, t);
}

wn_status
structure_draw(struct page *p, const struct page_view *view, const struct row *root, wn_err *err)
{
	wn_status st = lay_out(p, view, root, err);
	if (st != WN_OK)
		return st;
	const struct structure *s = p->structure;
	struct painter k = {p, view, view->width / view->w, view->height / view->h, false};
	draw_begin(p);
	/* frames, then edges, then what covers their ends */
	for (size_t i = 0; i < s->n_things; i++)
		if (s->things[i].kind >= THING_LINEAR)
			paint_thing(&k, &s->things[i]);
	for (size_t i = 0; i < s->n_things; i++)
		if (s->things[i].kind >= THING_LINEAR)
			paint_open(&k, &s->things[i]);
	for (size_t i = 0; i < s->n_edges; i++) {
		const struct thing *from = &s->things[s->edges[i].from],
				   *to = &s->things[s->edges[i].to];
		line(&k, PAGE_DEPENDENCE, from->flags & to->flags & PAGE_NODE_CRITICAL,
		     middle(from), (double)(from->y + from->h), middle(to), (double)to->y);
	}
	for (size_t i = 0; i < s->n_things; i++)
		if (s->things[i].kind < THING_LINEAR)
			paint_thing(&k, &s->things[i]);
	related_draw(p, view, root);
	return k.is_out_of_memory ? wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory") : WN_OK;
}

/* Of an open group, what a node is folded into: of a sequence neighbours are, of a fork it can be
 * told where there is only one such thing. Else the group. */
static const struct thing *
folded_in(const struct structure *s, const struct thing *group, uint32_t node)
{
	const struct thing *in = group;
	uint32_t n = 0;
	if (group->node == node || group->kind < THING_LINEAR)
		return group;
	for (uint32_t i = group->first; i < group->first + group->n; i++) {
		const struct thing *t = &s->things[i];
		bool is_folded = t->kind == THING_CARD || t->kind == THING_STRIP;
		if (!is_folded || (group->kind == THING_LINEAR && t->node > node))
			continue;
		in = t;
		n++;
	}
	return group->kind == THING_LINEAR || n == 1 ? in : group;
}

bool
structure_holds(struct page *p, uint32_t node, double frame[4])
{
	const struct structure *s = p->structure;
	const struct thing *in = NULL;
	for (size_t i = 0; s && i < s->n_things; i++) {
		const struct thing *t = &s->things[i];
		bool is_one = t->kind != THING_CARD && t->kind != THING_STRIP;
		if (is_one && t->node <= node && node < t->end)
			in = t; /* members come after their group */
	}
	if (!in)
		return false;
	in = folded_in(s, in, node);
	frame[0] = (double)in->x;
	frame[1] = (double)in->y;
	frame[2] = (double)in->w;
	frame[3] = (double)in->h;
	return in->node == node;
}

bool
structure_frame(struct page *p, const struct page_view *view, const struct row *root, uint32_t node,
                double frame[4])
{
	if (lay_out(p, view, root, NULL) != WN_OK)
		return false;
	const struct structure *s = p->structure;
	for (size_t i = 0; i < s->n_things; i++) {
		const struct thing *t = &s->things[i];
		if (t->node != node)
			continue;
		frame[0] = (double)t->x;
		frame[1] = (double)t->y;
		frame[2] = (double)t->w;
		frame[3] = (double)t->h;
		return true;
	}
	return false;
}
