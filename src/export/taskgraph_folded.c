/* SPDX-License-Identifier: MIT */
/* taskgraph_folded.c - draws the task graph of a run that is too large for a circle per grain: each
 * closed group of bundle.c is one circle with a ring, with its total weight as area and its number
 * of grains as label. */
#include "base/error.h"
#include "base/mem.h"
#include "export/bundle.h"
#include "export/circles.h"
#include "export/links_svg.h"
#include "export/svg_parts.h"
#include "picture/boxes.h"

#include <inttypes.h>
#include <string.h>

#define MARK         10 /* height of a point of fork or join */
#define RING         25 /* around a group, in tenths */
#define GAP_Y        16
#define MARGIN       24
#define LETTER       6   /* width of a character of size 11 */
#define LABEL        15  /* height */
#define RADIUS_MOST  480 /* largest circle, in tenths; reduced if the picture would be too wide */
#define RADIUS_LEAST 220
#define WIDTH_LIKED  2400

static const struct boxes_style layout = {
    .gap_x = 10, .gap_y = GAP_Y, .mark = MARK, .slope = 6, .slope_most = 80};

struct picture {
	const struct wn_export *x;
	const struct wn_tree *t;
	struct circles c;
	struct wn_out *o;
	struct bundles b;
	struct links l;
	struct box *boxes; /* [b.n] */
	bool has_ends;
	char *name;
	size_t name_capacity;
};

/* --- sizes --- */

static bool
is_group(const struct bundle *b, const struct wn_tree *t)
{
	return b->n_members > 1 || t->kind[b->node] != WN_TREE_GRAIN;
}

static size_t
label(const struct bundle *b, char out[WN_DECIMAL_BYTES])
{
	return strlen(wn_decimal_count(b->n_grains ? b->n_grains : b->n_drawn, out));
}

/* A label that does not fit into its circle is placed below it. */
static bool
is_label_inside(int64_t radius, size_t n_letters)
{
	return 2 * radius >= LETTER * (int64_t)n_letters + 8;
}

static void
size_circle(const struct picture *p, const struct bundle *b, struct box *s)
{
	char text[WN_DECIMAL_BYTES];
	int64_t tenths = circles_radius(&p->c, b->weight);
	bool has_label = is_group(b, p->t);
	int64_t radius = (tenths + (has_label ? RING : 0) + 9) / 10;
	size_t n = has_label ? label(b, text) : 0;
	s->width = s->height = 2 * radius;
	if (has_label && !is_label_inside(radius, n)) {
		int64_t width = LETTER * (int64_t)n + 2;
		s->width = width > s->width ? width : s->width;
		s->height += LABEL;
	}
}

static void
size_all(struct picture *p)
{
	static const uint8_t kinds[] = {
	    [BUNDLE_CLOSED] = BOX_LEAF, [BUNDLE_CHAIN] = BOX_COLUMN, [BUNDLE_ROW] = BOX_FORKED};
	for (uint32_t i = 0; i < p->b.n; i++) {
		const struct bundle *b = &p->b.items[i];
		p->boxes[i].parent = b->parent;
		p->boxes[i].kind = kinds[b->kind];
		if (b->kind == BUNDLE_CLOSED)
			size_circle(p, b, &p->boxes[i]);
	}
	boxes_begin(p->boxes, p->b.n);
	links_room(&p->l, p->boxes, p->b.n);
	boxes_size(p->boxes, p->b.n, &layout);
}

/* --- edges --- */

/* The points where edges enter or leave a node. */
struct end {
	int64_t x, y;
	bool is_critical;
};

static bool
fork_is_critical(const struct picture *p, uint32_t i, bool is_join)
{
	uint32_t fj = p->t->ref[p->b.items[i].node];
	return is_join ? wn_draw_join_is_critical(p->x->draw, fj)
	               : wn_draw_fork_is_critical(p->x->draw, fj);
}

/* For a chain, those of its first or last member. */
static struct end
end_of(const struct picture *p, uint32_t i, bool is_exit)
{
	while (p->b.items[i].kind == BUNDLE_CHAIN && p->boxes[i].last != BOXES_NONE)
		i = is_exit ? p->boxes[i].last : i + 1;
	const struct box *s = &p->boxes[i];
	const struct bundle *b = &p->b.items[i];
	bool is_critical = b->kind == BUNDLE_ROW ? fork_is_critical(p, i, is_exit) : b->is_critical;
	return (struct end){s->middle, s->top + (is_exit ? s->height : 0), is_critical};
}

static struct end
fork_of(const struct picture *p, uint32_t row, bool is_join)
{
	const struct box *s = &p->boxes[row];
	int64_t y = is_join ? s->top + s->height - MARK : s->top + MARK;
	return (struct end){s->middle, y, fork_is_critical(p, row, is_join)};
}

/* Goes down in its own column first, then to the side in the gap; straight through the room of
 * arcs. */
static void
put_edge(struct picture *p, struct end from, struct end to, int64_t gap, bool is_to_join,
         int64_t room)
{
	struct svg_bend bend = svg_bend_between(from.x, from.y, to.x, to.y);
	bend.gap = is_to_join ? (double)gap : SVG_NO_GAP;
	bend.room = (double)room;
	bend.is_line = true;
	wn_out_format(p->o, "<path d=\"M%" PRId64 " %" PRId64, from.x, from.y);
	svg_bend_in(p->o, &bend);
}

/* Draws the edges of one kind and colour. */
static void
put_edges_of_kind(struct picture *p, enum wn_edge_kind kind, bool is_critical)
{
	for (uint32_t i = 1; i < p->b.n; i++) {
		uint32_t parent = p->b.items[i].parent, before = p->boxes[i].before;
		struct end entry = end_of(p, i, false), exit = end_of(p, i, true);
		if (p->b.items[parent].kind == BUNDLE_CHAIN) {
			struct end from = before == BOXES_NONE ? entry : end_of(p, before, true);
			bool is_red = from.is_critical && entry.is_critical;
			if (before != BOXES_NONE && kind == WN_EDGE_CONTINUE &&
			    is_red == is_critical)
				put_edge(p, from, entry, 0, false, 0);
			continue;
		}
		bool is_out = kind == WN_EDGE_SYNC;
		struct end mark = fork_of(p, parent, is_out);
		bool is_red = mark.is_critical && (is_out ? exit : entry).is_critical;
		if (is_red != is_critical || kind == WN_EDGE_CONTINUE)
			continue;
		if (is_out)
			put_edge(p, exit, mark, p->boxes[parent].gap, true, 0);
		else
			put_edge(p, mark, entry, 0, false, p->boxes[parent].room);
	}
}

static void
put_edges(struct picture *p)
{
	static const enum wn_edge_kind kinds[] = {WN_EDGE_CREATE, WN_EDGE_SYNC, WN_EDGE_CONTINUE};
	for (int critical = 0; critical < 2; critical++) {
		for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
			wn_out_format(p->o, "<g class=\"e %s\">\n",
			              critical ? "critical" : wn_export_edge_kind(kinds[k]));
			put_edges_of_kind(p, kinds[k], critical);
			if (k == 2 && critical && p->has_ends) {
				struct end top = end_of(p, 0, false), foot = end_of(p, 0, true);
				struct end start = {top.x, top.y - GAP_Y, true};
				struct end end = {foot.x, foot.y + GAP_Y, true};
				put_edge(p, start, top, 0, false, 0);
				put_edge(p, foot, end, 0, false, 0);
			}
			wn_out_text(p->o, "</g>\n");
		}
		links_put(p->o, &p->l, p->boxes, critical);
	}
}

/* --- nodes --- */

static wn_status
put_group_tooltip(struct picture *p, const struct bundle *b, wn_err *err)
{
	char text[WN_DECIMAL_BYTES];
	size_t length = wn_tree_name(p->t, b->node, p->name, p->name_capacity);
	if (length >= p->name_capacity) {
		if (wn_grow(&p->name, &p->name_capacity, length + 1, 1) != 0)
			return wn_no_memory(err);
		wn_tree_name(p->t, b->node, p->name, p->name_capacity);
	}
	wn_out_text(p->o, "<title>");
	wn_out_xml(p->o, p->name);
	if (b->n_members > 1)
		wn_out_format(p->o, " and %s beside it like it",
		              wn_decimal_count(b->n_members - 1, text));
	wn_out_text(p->o, "\n");
	wn_out_xml(p->o, b->place ? b->place->text : "from several places");
	wn_out_format(p->o, "\n%s grains", wn_decimal_count(b->n_grains, text));
	wn_out_format(p->o, "\n%s", circles_weight(&p->c, b->weight, text));
	circles_unit(&p->c);
	wn_out_text(p->o, "</title>");
	return WN_OK;
}

static void
put_label(struct picture *p, const struct bundle *b, const struct box *s, int64_t radius)
{
	char text[WN_DECIMAL_BYTES];
	size_t n = label(b, text);
	int64_t y = is_label_inside(radius, n) ? s->top + radius + 4 : s->top + 2 * radius + 11;
	wn_out_format(p->o,
	              "<text x=\"%" PRId64 "\" y=\"%" PRId64
	              "\" font-size=\"11\" text-anchor=\"middle\">%s</text>\n",
	              s->middle, y, text);
}

static wn_status
put_circle(struct picture *p, uint32_t i, wn_err *err)
{
	const struct bundle *b = &p->b.items[i];
	const struct box *s = &p->boxes[i];
	bool has_ring = is_group(b, p->t), is_grain = !has_ring;
	wn_grain id = is_grain ? p->t->ref[b->node] : 0;
	uint32_t tenths = circles_radius(&p->c, b->weight), ring = tenths + (has_ring ? RING : 0);
	int64_t radius = (int64_t)(ring + 9) / 10, y = s->top + radius;
	const char *red = b->is_critical ? " c" : "";
	wn_out_format(p->o,
	              "<circle class=\"t%s%s\" cx=\"%" PRId64 "\" cy=\"%" PRId64
	              "\" r=\"%u.%u\" fill=\"%s\">",
	              is_grain && !wn_is_grain(p->x->g, id) ? " w" : "", red, s->middle, y,
	              tenths / 10, tenths % 10, svg_fill(p->x, b->place));
	wn_status st = is_grain ? svg_tooltip(p->o, p->x, id, &p->name, &p->name_capacity, err)
	                        : put_group_tooltip(p, b, err);
	wn_out_text(p->o, "</circle>\n");
	if (!has_ring)
		return st;
	wn_out_format(p->o,
	              "<circle class=\"r%s\" cx=\"%" PRId64 "\" cy=\"%" PRId64 "\" r=\"%u.%u\"/>\n",
	              red, s->middle, y, ring / 10, ring % 10);
	put_label(p, b, s, radius);
	return st;
}

static wn_status
put_nodes(struct picture *p, wn_err *err)
{
	wn_status st = WN_OK;
	for (uint32_t i = 0; i < p->b.n && st == WN_OK; i++) {
		const struct box *s = &p->boxes[i];
		if (p->b.items[i].kind == BUNDLE_ROW) {
			circles_fork(p->o, s->middle, s->top, true, fork_is_critical(p, i, false));
			circles_fork(p->o, s->middle, s->top + s->height - MARK, false,
			             fork_is_critical(p, i, true));
		} else if (p->b.items[i].kind == BUNDLE_CLOSED) {
			st = put_circle(p, i, err);
		}
	}
	if (p->has_ends) {
		const struct box *s = &p->boxes[0];
		svg_ends(p->o, s->middle, s->top - GAP_Y, s->top + s->height + GAP_Y);
	}
	return st;
}

/* --- the document --- */

static void
find_most(struct picture *p)
{
	for (size_t i = 0; i < p->b.n; i++) {
		const struct bundle *b = &p->b.items[i];
		if (b->kind == BUNDLE_CLOSED && b->weight > p->c.most)
			p->c.most = b->weight;
	}
	p->c.n_grains = (uint32_t)p->b.items[0].n_grains;
}

static wn_status
put_picture(struct picture *p, wn_err *err)
{
	char note[WN_DECIMAL_BYTES + 40], text[WN_DECIMAL_BYTES];
	uint32_t n_circles = 0;
	for (size_t i = 0; i < p->b.n; i++)
		n_circles += p->b.items[i].kind == BUNDLE_CLOSED;
	snprintf(note, sizeof note, " in %s circles", wn_decimal_count(n_circles, text));
	find_most(p);
	p->c.radius_most = RADIUS_MOST;
	size_all(p);
	while (p->boxes[0].width > WIDTH_LIKED && p->c.radius_most > RADIUS_LEAST) {
		p->c.radius_most = p->c.radius_most * 4 / 5;
		size_all(p);
	}
	int64_t ends = p->has_ends ? WN_SIZE_END + GAP_Y : 0;
	int64_t legend_height = circles_legend_height(&p->c),
		width = p->boxes[0].width + 2 * MARGIN;
	width = width > CIRCLES_LEGEND ? width : CIRCLES_LEGEND;
	p->boxes[0].middle = width / 2;
	p->boxes[0].top = legend_height + MARGIN + ends;
	int64_t height = p->boxes[0].top + p->boxes[0].height + ends + MARGIN;
	boxes_place(p->boxes, p->b.n, &layout);
	svg_begin(p->o, width, height);
	wn_out_text(p->o, circles_style);
	wn_out_text(p->o, links_style);
	wn_status st = circles_legend(&p->c, true, note, err);
	put_edges(p);
	wn_out_text(p->o, "<g class=\"g\">\n");
	if (st == WN_OK)
		st = put_nodes(p, err);
	wn_out_text(p->o, "</g>\n</svg>\n");
	return st;
}

static wn_status
find_links(struct picture *p, wn_err *err)
{
	const struct wn_tree *t = p->t;
	uint32_t *circle_of = wn_calloc(p->x->g->n, sizeof *circle_of);
	if (!circle_of)
		return wn_no_memory(err);
	for (size_t i = 0; i < p->x->g->n; i++)
		circle_of[i] = LINKS_NONE;
	for (wn_tree_node i = 0; i < t->n; i++)
		if (t->kind[i] == WN_TREE_GRAIN)
			circle_of[t->ref[i]] = p->b.in[i];
	wn_status st = links_make(p->x, circle_of, (uint32_t)p->b.n, &p->l, err);
	wn_free(circle_of);
	return st;
}

wn_status
wn_export_taskgraph_folded(const struct wn_export *x, const struct wn_tree *t, wn_tree_node root,
                           uint32_t n_most, FILE *to, wn_err *err)
{
	struct picture p = {.x = x, .t = t, .has_ends = root == WN_TREE_ROOT};
	wn_status st;
	if (x->form != WN_FORM_REDUCED)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "task graphs have the reduced form");
	n_most = n_most < 10 ? 10 : n_most > WN_TASKGRAPH_MOST ? WN_TASKGRAPH_MOST : n_most;
	WN_TRY(bundles_make(x, t, root, n_most, &p.b, err));
	p.o = wn_calloc(1, sizeof *p.o);
	p.boxes = wn_calloc(p.b.n, sizeof *p.boxes);
	if (!p.o || !p.boxes)
		WN_TRY(wn_no_memory(err));
	st = find_links(&p, err);
	if (st != WN_OK)
		goto out;
	p.c = (struct circles){.x = x, .o = p.o};
	wn_out_begin(p.o, to);
	st = put_picture(&p, err);
	if (st == WN_OK)
		st = wn_out_end(p.o, err);
out:
	bundles_fini(&p.b);
	links_fini(&p.l);
	WN_FREE_ALL(p.boxes, p.name, p.o);
	return st;
}
