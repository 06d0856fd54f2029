/* SPDX-License-Identifier: MIT */
/* structure.c - computes the papers' picture: time goes down, parallel branches lie side by side
 * between a fork and its join. Sizes, positions, and the box at a point. Closed groups are boxes of
 * one size. */
#include "page/structure.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/mix.h"

#define GRAIN_WIDTH    14.0f
#define GRAIN_LEAST    6.0f
#define GRAIN_DOUBLING 6.0f  /* with logarithmic lengths */
#define GRAIN_FIRST_NS 60u   /* shorter grains have the minimum height */
#define GAP            12.0f /* gaps beside and below */

void
structure_free(struct structure *s)
{
	if (!s)
		return;
	wn_free(s->boxes);
	wn_free(s->bars);
	wn_free(s->edges);
	wn_free(s);
}

/* --- sizes and places --- */

float
structure_grain_height(const struct page_view *v, uint64_t work_ns, uint64_t longest_ns)
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

/* Returns the margin right of a card's boxes that centres them. */
static float
shift_of(const struct box *t)
{
	return t->kind == BOX_CARD ? COUNT_WIDTH : 0;
}

/* Returns the distance of another rank from the first. */
static float
rank_top(const struct box *in, uint32_t n, uint32_t rank)
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
size_of(const struct structure *s, const struct page_view *view, struct box *t)
{
	const struct box *in = s->boxes + t->first;
	switch ((enum box_kind)t->kind) {
	case BOX_GRAIN:
		t->w = GRAIN_WIDTH;
		t->h = structure_grain_height(view, t->work_ns, t->longest_ns);
		break;
	case BOX_CLOSED:
		t->w = BOX_WIDTH;
		t->h = BOX_HEIGHT;
		break;
	case BOX_CARD:
		t->w = BOX_WIDTH + 2 * PILE + COUNT_WIDTH;
		t->h = BOX_HEIGHT + 2 * PILE;
		break;
	case BOX_STRIP:
		t->w = (float)t->n * BAR_WIDTH + MARGIN;
		t->w = t->w > BOX_WIDTH ? t->w : BOX_WIDTH;
		t->h = GRAIN_MOST + MARGIN + 14;
		break;
	case BOX_LINEAR:
		t->w = t->h = 0;
		for (uint32_t i = 0; i < t->n; i++) {
			t->w =
			    in[i].w + shift_of(&in[i]) > t->w ? in[i].w + shift_of(&in[i]) : t->w;
			t->h += in[i].h + (i > 0 ? GAP : 0);
		}
		t->w += 2 * box_margin(t);
		t->h += 2 * box_margin(t);
		break;
	case BOX_FORK:
		t->w = t->h = 0;
		for (uint32_t i = 0; i < t->n; i++) {
			t->w += in[i].w + (i > 0 ? GAP : 0);
		}
		t->h = t->n > 0 ? rank_top(in, t->n, RANKS_MAX) - GAP - EDGE : 0;
		t->w = (t->w > CIRCLE ? t->w : CIRCLE) + 2 * box_margin(t);
		t->h += 2 * (CIRCLE + EDGE) + 2 * box_margin(t);
		break;
	}
}

static void
place_members(struct structure *s, const struct box *t)
{
	struct box *in = s->boxes + t->first;
	float x = t->x + box_margin(t),
	      y = t->y + box_margin(t) + (t->kind == BOX_FORK ? CIRCLE + EDGE : 0);
	for (uint32_t i = 0; i < t->n; i++) {
		in[i].y = in[i].rank > 0 ? y + rank_top(in, t->n, in[i].rank) : y;
		in[i].x = t->kind == BOX_FORK ? x : t->x + (t->w - in[i].w + shift_of(&in[i])) / 2;
		if (t->kind == BOX_FORK)
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
lay_out(struct page *p, struct structure *s, const struct page_view *view, const struct row *root,
        wn_err *err)
{
	uint32_t towards =
	    view->selected == NO_NODE ? page_worst(p, root->node, view->problem) : view->selected;
	if (!structure_choose_boxes(p, s, view, root, towards))
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	for (size_t i = s->n_boxes; i-- > 0;)
		size_of(s, view, &s->boxes[i]);
	s->boxes[0].x = s->boxes[0].y = MARGIN;
	for (size_t i = 0; i < s->n_boxes; i++)
		if (s->boxes[i].kind == BOX_LINEAR || s->boxes[i].kind == BOX_FORK)
			place_members(s, &s->boxes[i]);
	s->width = s->boxes[0].w + 2 * MARGIN;
	s->height = s->boxes[0].h + 2 * MARGIN;
	return WN_OK;
}

wn_status
structure_lay_out(struct page *p, const struct page_view *view, const struct row *root,
                  struct structure **out, wn_err *err)
{
	uint64_t key = key_of(p, view);
	*out = NULL;
	if (p->structure && p->structure->key == key)
		return WN_OK;
	struct structure *s = wn_calloc(1, sizeof *s);
	if (!s)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	s->key = key;
	wn_status st = lay_out(p, s, view, root, err);
	if (st == WN_OK)
		*out = s;
	else
		structure_free(s);
	return st;
}

/* --- what is where --- */

/* In an open group, the box that a node is folded into: in a sequence its neighbours' box; in a
 * fork it is known only if there is one such box. Else the group. */
static const struct box *
folded_in(const struct structure *s, const struct box *group, uint32_t node)
{
	const struct box *in = group;
	uint32_t n = 0;
	if (group->node == node || group->kind < BOX_LINEAR)
		return group;
	for (uint32_t i = group->first; i < group->first + group->n; i++) {
		const struct box *t = &s->boxes[i];
		bool is_folded = t->kind == BOX_CARD || t->kind == BOX_STRIP;
		if (!is_folded || (group->kind == BOX_LINEAR && t->node > node))
			continue;
		in = t;
		n++;
	}
	return group->kind == BOX_LINEAR || n == 1 ? in : group;
}

bool
structure_holds(const struct structure *s, uint32_t node, double frame[4])
{
	const struct box *in = NULL;
	for (size_t i = 0; s && i < s->n_boxes; i++) {
		const struct box *t = &s->boxes[i];
		bool is_one = t->kind != BOX_CARD && t->kind != BOX_STRIP;
		if (is_one && t->node <= node && node < t->end)
			in = t; /* members follow their group */
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
structure_frame(const struct structure *s, uint32_t node, double frame[4])
{
	for (size_t i = 0; i < s->n_boxes; i++) {
		const struct box *t = &s->boxes[i];
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
