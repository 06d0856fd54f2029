/* SPDX-License-Identifier: MIT */
/* svg.c - draws the reduced form as a self-contained picture: grains are rectangles as high as
 * their work, forks and joins circles, edges curves, and a legend is on top. Colours of grains are
 * softer than in the other formats and distinguishable by colour-blind readers; green, orange and
 * red are reserved for forks, joins and the critical path. Each grain has a tooltip. */
#include "base/error.h"
#include "base/plural.h"
#include "export/graph_svg.h"

#include <inttypes.h>

/* Returns the base name of the program, the command's first word. */
static void
put_title(struct graph_svg *p, int64_t y)
{
	const struct wn_graph *g = p->x->g;
	uint64_t n_grains = 0, work_ns = 0;
	char work[16], span[16];
	for (wn_grain id = 0; id < g->n; id++) {
		bool has = wn_export_has(p->x, id);
		n_grains += has && wn_is_grain(g, id);
		work_ns += has ? wn_work_ns(g, id) : 0;
	}
	svg_title(p->o, y, wn_trace_header(g->trace)->command);
	svg_text(p->o, 24, y + LEGEND_LINE, "start");
	if (p->x->group) {
		wn_out_text(p->o, "only ");
		wn_out_xml(p->o, p->x->group);
		wn_out_format(p->o, ": %" PRIu64 " grain%s, work %s</text>\n", n_grains,
		              wn_plural(n_grains), wn_export_duration(p->x, work_ns, work));
		return;
	}
	wn_out_format(p->o, "%" PRIu64 " grain%s, work %s, span %s</text>\n", n_grains,
	              wn_plural(n_grains), wn_export_duration(p->x, work_ns, work),
	              wn_export_duration(p->x, g->span_ns, span));
}

static void
put_symbols(struct graph_svg *p, int64_t y)
{
	struct wn_out *o = p->o;
	svg_marks(o, y);
	wn_out_format(
	    o,
	    "<rect x=\"318\" y=\"%" PRId64 "\" width=\"7\" height=\"6\" fill=\"#7b8794\"/>"
	    "<rect x=\"327\" y=\"%" PRId64 "\" width=\"7\" height=\"14\" fill=\"#7b8794\"/>\n",
	    y - 6, y - 14);
	svg_marks_names(o, y);
	svg_text(o, 342, y, "start");
	wn_out_text(o, "taller: more work, in ten steps</text>\n");
	svg_links(o, p->x, false, y);
}

static wn_status
put_legend(struct graph_svg *p)
{
	const struct wn_export *x = p->x;
	int64_t y = 40;
	put_title(p, y);
	y += 2 * LEGEND_LINE + 6;
	y = svg_places(p->o, x, svg_n_places(x), y, NULL, NULL);
	put_symbols(p, y + 4);
	return WN_OK;
}

static void
put_grain(struct graph_svg *p, const struct wn_node *node, const struct wn_box *box, int64_t x,
          int64_t y)
{
	wn_out_format(p->o,
	              "<rect x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"%" PRId64
	              "\" height=\"%" PRId64 "\" rx=\"4\" fill=\"%s\"%s>",
	              x - box->width / 2, y, box->width, box->height,
	              svg_fill(p->x, wn_export_place(p->x, node->id.grain)),
	              node->is_critical ? " class=\"c\"" : "");
}

static void
put_fork(struct graph_svg *p, const struct wn_node *node, int64_t x, int64_t y)
{
	svg_fork(p->o, x, y, node->id.kind == WN_NODE_FORK, node->is_critical);
}

wn_status
wn_export_svg(const struct wn_export *x, FILE *to, wn_err *err)
{
	int64_t n_lines = 3 + (int64_t)svg_n_places(x) + svg_n_links(x);
	struct graph_look look = {.style = svg_paper,
	                          .legend_width = LEGEND_WIDTH,
	                          .legend_height = 40 + n_lines * LEGEND_LINE,
	                          .legend = put_legend,
	                          .grain = put_grain,
	                          .grain_element = "rect",
	                          .fork = put_fork};
	if (x->form != WN_FORM_REDUCED)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "svg has the reduced form only");
	return graph_svg_write(x, &look, to, err);
}
