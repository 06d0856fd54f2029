/* SPDX-License-Identifier: MIT */
/* folded_svg.c - draws a view of the tree: time goes down, the branches of a fork-join lie side by
 * side. Each open group's lines follow its own: sizes are computed from the last line up, positions
 * from the first one down. */
#include "base/error.h"
#include "base/mem.h"
#include "export/folded_private.h"
#include "export/links_svg.h"
#include "export/svg_parts.h"
#include "picture/boxes.h"

#include <inttypes.h>
#include <string.h>

#define GROUP_WIDTH  112
#define GROUP_HEIGHT 50
#define GRAIN_WIDTH  58
#define GRAIN_HEIGHT 34
#define SHADOW       4 /* offset of the pile that a closed group is drawn as */
#define GAP_Y        20
#define MARGIN       24
#define LEGEND       660 /* width */

static const struct boxes_style layout = {
    .gap_x = 16, .gap_y = GAP_Y, .mark = WN_SIZE_FORK, .slope = 7, .slope_most = 90};

struct picture {
	struct folded f;
	struct wn_out *o;
	wn_err *err;
	struct box *boxes; /* [lines] */
	struct links links;
	int64_t width, height, legend_height;
	enum wn_edge_kind drawn_kind; /* edges are drawn by kind, */
	bool draw_critical;           /* critical ones last, on top of the others */
};

/* --- positions --- */

static void
size_leaf(const struct picture *p, uint32_t line, struct box *b)
{
	bool is_grain = folded_kind(&p->f, line) == WN_TREE_GRAIN;
	b->width = is_grain ? GRAIN_WIDTH : GROUP_WIDTH + SHADOW;
	b->height = is_grain ? GRAIN_HEIGHT : GROUP_HEIGHT + SHADOW;
}

static enum box_kind
box_kind(const struct picture *p, uint32_t line)
{
	if (!p->f.v->lines[line].is_open)
		return BOX_LEAF;
	if (folded_kind(&p->f, line) == WN_TREE_LINEAR)
		return BOX_COLUMN;
	return folded_kind(&p->f, line) == WN_TREE_FORK_JOIN ? BOX_FORKED : BOX_ROW;
}

static void
size_all(struct picture *p)
{
	const struct wn_view *v = p->f.v;
	for (uint32_t i = 0; i < v->n; i++) {
		p->boxes[i].parent = v->lines[i].parent;
		p->boxes[i].kind = (uint8_t)box_kind(p, i);
		if (p->boxes[i].kind == BOX_LEAF)
			size_leaf(p, i, &p->boxes[i]);
	}
	boxes_begin(p->boxes, v->n);
	links_room(&p->links, p->boxes, v->n);
	boxes_size(p->boxes, v->n, &layout);
}

/* --- edges --- */

static void
point_of(const struct picture *p, struct folded_end end, bool is_lower, int64_t *x, int64_t *y)
{
	const struct box *s = &p->boxes[end.line];
	*x = s->middle;
	switch (end.part) {
	case FOLDED_SELF:
		*y = s->top + (is_lower ? s->height : 0);
		break;
	case FOLDED_FORK:
		*y = s->top + (is_lower ? WN_SIZE_FORK : 0);
		break;
	case FOLDED_JOIN:
		*y = s->top + s->height - (is_lower ? 0 : WN_SIZE_FORK);
		break;
	case FOLDED_START:
		*y = p->boxes[0].top - GAP_Y;
		break;
	case FOLDED_END:
		*y = p->boxes[0].top + p->boxes[0].height + GAP_Y;
		break;
	}
}

/* Height of the arcs above a line, over all enclosing rows below that fork. */
static int64_t
room_above(const struct picture *p, uint32_t line, uint32_t fork)
{
	int64_t room = 0;
	while (line != fork) {
		line = p->boxes[line].parent;
		room += p->boxes[line].room;
	}
	return room;
}

static void
put_edge(const struct folded_edge *e, void *user)
{
	struct picture *p = user;
	int64_t x1, y1, x2, y2;
	if (e->is_critical != p->draw_critical || e->kind != p->drawn_kind)
		return;
	point_of(p, e->from, true, &x1, &y1);
	point_of(p, e->to, false, &x2, &y2);
	int64_t room = e->from.part == FOLDED_FORK ? room_above(p, e->to.line, e->from.line) : 0;
	int64_t gap = e->to.part == FOLDED_JOIN     ? p->boxes[e->to.line].gap
	              : e->from.part == FOLDED_FORK ? p->boxes[e->from.line].gap
	                                            : GAP_Y;
	struct svg_bend bend = svg_bend_between(x1, y1, x2, y2);
	bend.gap = (double)gap;
	bend.room = (double)room;
	wn_out_format(p->o, "<path d=\"M%" PRId64 " %" PRId64, x1, y1);
	svg_bend_in(p->o, &bend);
}

static void
put_edges(struct picture *p)
{
	for (int critical = 0; critical < 2; critical++) {
		p->draw_critical = critical;
		for (enum wn_edge_kind k = WN_EDGE_CREATE; k < WN_EDGE_DEPEND; k++) {
			p->drawn_kind = k;
			wn_out_format(p->o, "<g class=\"e %s\">\n",
			              critical ? "critical" : wn_export_edge_kind(k));
			folded_edges(&p->f, put_edge, p);
			wn_out_text(p->o, "</g>\n");
		}
		links_put(p->o, &p->links, p->boxes, critical);
	}
}

/* --- nodes --- */

static wn_status
put_tooltip(struct picture *p, uint32_t line)
{
	const struct wn_view_line *l = &p->f.v->lines[line];
	const struct wn_export_place *place = folded_place(&p->f, line);
	const char *id = folded_id(&p->f, line);
	char time[16], count[40];
	if (!id)
		return wn_no_memory(p->err);
	wn_out_text(p->o, "<title>");
	wn_out_xml(p->o, id);
	if (place) {
		wn_out_text(p->o, "\n");
		wn_out_xml(p->o, place->text);
	}
	wn_out_format(p->o, "\n%s\nwork %s", folded_count(&p->f, line, count),
	              wn_export_duration(p->f.x, l->sums.work_ns, time));
	wn_out_format(p->o, "\n%" PRIu64 " with problems</title>", l->sums.n_problematic);
	return WN_OK;
}

static void
put_rect(struct picture *p, int64_t x, int64_t y, int64_t width, int64_t height, uint32_t line)
{
	bool is_grain = folded_kind(&p->f, line) == WN_TREE_GRAIN;
	bool is_bad = folded_is_problematic(&p->f, line);
	wn_out_format(p->o,
	              "<rect x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"%" PRId64
	              "\" height=\"%" PRId64 "\" rx=\"%d\" fill=\"%s\" style=\"stroke:%s;"
	              "stroke-width:%s\"/>",
	              x, y, width, height, is_grain ? 4 : 8,
	              svg_fill(p->f.x, folded_place(&p->f, line)),
	              is_bad      ? "#E00000"
	              : !is_grain ? "#2E8B57"
	                          : "#3e4c59",
	              is_grain && !is_bad ? ".8" : "1.6");
}

static void
put_words(struct picture *p, int64_t x, int64_t y, int size, const char *text)
{
	wn_out_format(p->o,
	              "<text x=\"%" PRId64 "\" y=\"%" PRId64
	              "\" font-size=\"%d\" text-anchor=\"middle\">",
	              x, y, size);
	wn_out_xml(p->o, text);
	wn_out_text(p->o, "</text>");
}

/* Returns the id without the shared prefix, cut at its start if it is still long. */
static bool
put_name(struct picture *p, uint32_t line, int64_t x, int64_t y, size_t n_most)
{
	char text[64];
	const char *name = folded_short_id(&p->f, line);
	if (!name)
		return false;
	size_t n = strlen(name);
	snprintf(text, sizeof text, "%s%s", n > n_most ? ".." : "",
	         n > n_most ? name + n - n_most + 2 : name);
	put_words(p, x, y, 12, text);
	return true;
}

static wn_status
put_closed(struct picture *p, uint32_t line)
{
	const struct box *s = &p->boxes[line];
	const struct wn_view_line *l = &p->f.v->lines[line];
	bool is_grain = folded_kind(&p->f, line) == WN_TREE_GRAIN;
	int64_t width = is_grain ? GRAIN_WIDTH : GROUP_WIDTH;
	int64_t height = is_grain ? GRAIN_HEIGHT : GROUP_HEIGHT, x = s->middle - s->width / 2;
	char time[16], count[40];
	wn_out_text(p->o, "<g>");
	wn_status st = put_tooltip(p, line);
	if (!is_grain) {
		put_rect(p, x + SHADOW, s->top + SHADOW, width, height, line);
		put_rect(p, x + SHADOW / 2, s->top + SHADOW / 2, width, height, line);
	}
	put_rect(p, x, s->top, width, height, line);
	x += width / 2;
	if (st == WN_OK && !put_name(p, line, x, s->top + 14, is_grain ? 8 : 16))
		st = wn_no_memory(p->err);
	if (!is_grain)
		put_words(p, x, s->top + 29, 12, folded_count(&p->f, line, count));
	put_words(p, x, s->top + height - 7, 11, wn_export_duration(p->f.x, l->sums.work_ns, time));
	wn_out_text(p->o, "</g>\n");
	return st;
}

static void
put_circles(struct picture *p, uint32_t line)
{
	const struct box *s = &p->boxes[line];
	for (enum folded_part part = FOLDED_FORK; part <= FOLDED_JOIN; part++) {
		int64_t y = part == FOLDED_FORK ? s->top : s->top + s->height - WN_SIZE_FORK;
		bool is_critical = folded_is_critical(&p->f, (struct folded_end){line, part});
		svg_fork(p->o, s->middle, y, part == FOLDED_FORK, is_critical);
	}
}

static wn_status
put_nodes(struct picture *p)
{
	wn_status st = WN_OK;
	for (uint32_t i = 0; st == WN_OK && i < p->f.v->n; i++) {
		if (!p->f.v->lines[i].is_open)
			st = put_closed(p, i);
		else if (p->boxes[i].kind == BOX_FORKED)
			put_circles(p, i);
	}
	if (p->f.has_ends) {
		const struct box *s = &p->boxes[0];
		svg_ends(p->o, s->middle, s->top - GAP_Y, s->top + s->height + GAP_Y);
	}
	return st;
}

/* --- the document --- */

static wn_status
put_legend(struct picture *p, uint32_t n_places)
{
	struct wn_out *o = p->o;
	const struct wn_view_sums *sums = &p->f.v->lines[0].sums;
	char time[16], count[40];
	const char *id = folded_id(&p->f, 0);
	if (!id)
		return wn_no_memory(p->err);
	svg_title(o, 40, wn_trace_header(p->f.x->g->trace)->command);
	svg_text(o, 24, 40 + LEGEND_LINE, "start");
	if (!p->f.has_ends) {
		wn_out_text(o, "only ");
		wn_out_xml(o, id);
		wn_out_text(o, ": ");
	}
	wn_out_format(
	    o, "%s, work %s, %" PRIu64 " with problems; %" PRIu64 " nodes in view</text>\n",
	    folded_count(&p->f, 0, count), wn_export_duration(p->f.x, sums->work_ns, time),
	    sums->n_problematic, p->f.v->theta);
	int64_t y = svg_places(o, p->f.x, n_places, 40 + 2 * LEGEND_LINE + 6, NULL, NULL) + 4;
	svg_marks(o, y);
	wn_out_format(o,
	              "<rect x=\"318\" y=\"%" PRId64
	              "\" width=\"20\" height=\"12\" rx=\"3\" fill=\"#fff\" stroke=\"#E00000\" "
	              "stroke-width=\"1.6\"/>\n",
	              y - 11);
	svg_marks_names(o, y);
	svg_text(o, 346, y, "start");
	wn_out_text(o, "has problems; a pile is a closed group</text>\n");
	svg_links(o, p->f.x, true, y);
	return WN_OK;
}

static wn_status
put_picture(struct picture *p)
{
	uint32_t n_places = svg_n_places(p->f.x);
	int64_t ends = p->f.has_ends ? WN_SIZE_END + GAP_Y : 0;
	size_all(p);
	p->legend_height = 40 + (3 + (int64_t)n_places + svg_n_links(p->f.x)) * LEGEND_LINE;
	p->width = p->boxes[0].width + 2 * MARGIN;
	p->width = p->width > LEGEND ? p->width : LEGEND;
	p->boxes[0].middle = p->width / 2;
	p->boxes[0].top = p->legend_height + MARGIN + ends;
	p->height = p->boxes[0].top + p->boxes[0].height + ends + MARGIN;
	boxes_place(p->boxes, p->f.v->n, &layout);
	svg_begin(p->o, p->width, p->height);
	wn_out_text(p->o, links_style);
	wn_out_text(p->o, svg_paper);
	wn_status st = put_legend(p, n_places);
	put_edges(p);
	wn_out_text(p->o, "<g class=\"g\">\n");
	if (st == WN_OK)
		st = put_nodes(p);
	wn_out_text(p->o, "</g>\n</svg>\n");
	return st;
}

wn_status
wn_export_folded_svg(const struct wn_export *x, const struct wn_view *v, FILE *to, wn_err *err)
{
	struct picture p = {.err = err, .o = wn_calloc(1, sizeof(struct wn_out))};
	wn_status st;
	p.boxes = wn_calloc(v->n, sizeof *p.boxes);
	if (!p.o || !p.boxes || !folded_init(&p.f, x, v)) {
		st = wn_no_memory(err);
	} else {
		st = folded_links(&p.f, &p.links, err);
	}
	if (st == WN_OK) {
		wn_out_begin(p.o, to);
		st = put_picture(&p);
		if (st == WN_OK)
			st = wn_out_end(p.o, err);
	}
	folded_fini(&p.f);
	links_fini(&p.links);
	wn_free(p.boxes);
	wn_free(p.o);
	return st;
}
