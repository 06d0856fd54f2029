/* SPDX-License-Identifier: MIT */
/* taskgraph.c - draws the task graph as [P2] does (Fig. 4): a circle for each grain, with its
 * weight as area, between points of fork and join, and one heaviest path in red. */
#include "base/error.h"
#include "base/mem.h"
#include "export/circles.h"
#include "export/graph_svg.h"

#include <inttypes.h>

struct sizes {
	struct circles c;
	uint16_t *side; /* [n] side of the square around each circle */
};

/* --- sizes --- */

static wn_status
find_most(const struct wn_node *node, void *user)
{
	struct sizes *p = user;
	if (node->id.kind != WN_NODE_GRAIN)
		return WN_OK;
	uint64_t weight = wn_path_weight(p->c.x->g, node->id.grain);
	p->c.most = weight > p->c.most ? weight : p->c.most;
	p->c.n_grains += wn_is_grain(p->c.x->g, node->id.grain);
	return WN_OK;
}

static wn_status
size_circles(struct sizes *p)
{
	wn_status st = wn_export_nodes(p->c.x, find_most, p);
	p->c.radius_most = p->c.n_grains < 300 ? 360 : p->c.n_grains < 2000 ? 260 : 180;
	for (wn_grain id = 0; id < p->c.x->g->n; id++)
		p->side[id] =
		    (uint16_t)((2 * circles_radius(&p->c, wn_path_weight(p->c.x->g, id)) + 9) / 10);
	return st;
}

/* --- appearance --- */

static void
put_circle(struct graph_svg *p, const struct wn_node *node, const struct wn_box *box, int64_t x,
           int64_t y)
{
	const struct sizes *sizes = p->look->user;
	const struct wn_graph *g = p->x->g;
	wn_grain id = node->id.grain;
	bool is_wrapper = !wn_is_grain(g, id);
	uint32_t radius = circles_radius(&sizes->c, wn_path_weight(g, id));
	wn_out_format(p->o,
	              "<circle class=\"t%s%s\" cx=\"%" PRId64 "\" cy=\"%" PRId64
	              "\" r=\"%u.%u\" fill=\"%s\">",
	              is_wrapper ? " w" : "", node->is_critical ? " c" : "", x,
	              box->top + box->height / 2 + p->dy, radius / 10, radius % 10,
	              svg_fill(p->x, wn_export_place(p->x, id)));
	(void)y;
}

static void
put_fork(struct graph_svg *p, const struct wn_node *node, int64_t x, int64_t y)
{
	circles_fork(p->o, x, y, node->id.kind == WN_NODE_FORK, node->is_critical);
}

static wn_status
put_legend(struct graph_svg *p)
{
	struct sizes *sizes = p->look->user;
	sizes->c.o = p->o;
	return circles_legend(&sizes->c, false, "", p->err);
}

wn_status
wn_export_taskgraph(const struct wn_export *x, FILE *to, wn_err *err)
{
	struct sizes sizes = {.c = {.x = x}};
	if (x->form != WN_FORM_REDUCED)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "task graphs have the reduced form");
	if (!(sizes.side = wn_calloc(x->g->n, sizeof *sizes.side)))
		return wn_no_memory(err);
	wn_status st = size_circles(&sizes);
	struct graph_look look = {.style = circles_style,
	                          .side = sizes.side,
	                          .legend_width = CIRCLES_LEGEND,
	                          .legend_height = circles_legend_height(&sizes.c),
	                          .legend = put_legend,
	                          .grain = put_circle,
	                          .grain_element = "circle",
	                          .fork = put_fork,
	                          .user = &sizes};
	if (st == WN_OK)
		st = graph_svg_write(x, &look, to, err);
	wn_free(sizes.side);
	return st;
}
