/* SPDX-License-Identifier: MIT */
#include "export/picture.h"

#include "aggregate/hash.h"
#include "aggregate/unfold.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "page/page.h"

#define MAP_WIDTH        1200.0f
#define MAP_HEIGHT       700.0f
#define STRUCTURE_LEAST  720.0f /* room for the legend */
#define STRUCTURE_LARGER 4096.0 /* scale of the drawing */

struct columns {
	struct page_nodes nodes;
	uint64_t *work_ns, *shape;
	uint32_t *site, *problems;
	uint8_t *flags, *grain_kind, *severity;
};

static bool
make_columns(struct columns *c, uint32_t n)
{
	return (c->work_ns = wn_calloc(n, sizeof *c->work_ns)) &&
	       (c->shape = wn_calloc(n, sizeof *c->shape)) &&
	       (c->site = wn_calloc(n, sizeof *c->site)) &&
	       (c->problems = wn_calloc(n, sizeof *c->problems)) && (c->flags = wn_calloc(n, 1)) &&
	       (c->grain_kind = wn_calloc(n, 1)) && (c->severity = wn_calloc(n, 1));
}

static void
free_columns(struct columns *c)
{
	WN_FREE_ALL(c->work_ns, c->shape, c->site, c->problems, c->flags, c->grain_kind,
	            c->severity);
}

static uint8_t
severity_of(const struct wn_metrics *m, wn_grain id, uint32_t mask)
{
	uint8_t most = 0;
	for (int p = 0; p < m->n_problems; p++) {
		if (!(m->problems[id] & mask & UINT32_C(1) << p))
			continue;
		uint8_t s = page_severity(wn_problem_value(m, id, p), m->threshold[p],
		                          m->problem_types[p].is_below);
		most = s > most ? s : most;
	}
	return most;
}

static void
fill(struct columns *c, const struct wn_tree *t, const struct wn_metrics *m, uint32_t mask)
{
	const struct wn_graph *g = t->g;
	for (wn_tree_node i = 0; i < t->n; i++) {
		wn_grain id = t->ref[i];
		if (t->kind[i] != WN_TREE_GRAIN)
			continue;
		c->work_ns[i] = wn_work_ns(g, id);
		c->site[i] = g->site[id];
		c->problems[i] = m->problems[id];
		c->grain_kind[i] = g->kind[id];
		c->flags[i] = (g->flags[id] & WN_GF_CRITICAL ? PAGE_NODE_CRITICAL : 0) |
		              (g->flags[id] & WN_GF_ROGUE ? PAGE_NODE_ROGUE : 0) |
		              (g->flags[id] & WN_GF_ESTIMATED ? PAGE_NODE_ESTIMATED : 0);
		c->severity[i] = severity_of(m, id, mask);
	}
	c->nodes =
	    (struct page_nodes){t->n,        t->kind,  t->end,      c->work_ns, c->site,
	                        c->problems, c->flags, c->severity, c->shape,   c->grain_kind};
}

struct site_work {
	uint64_t work_ns;
	uint32_t site;
};

static bool
is_before(const void *a, const void *b)
{
	const struct site_work *x = a, *y = b;
	return x->work_ns > y->work_ns || (x->work_ns == y->work_ns && x->site < y->site);
}

/* Gives the places with most work their own colours. */
static wn_status
colour_sites(struct page *p, const struct wn_tree *t, uint32_t n_sites, wn_err *err)
{
	wn_status st = WN_OK;
	struct site_work *sites = wn_calloc(n_sites, sizeof *sites);
	for (uint32_t k = 0; sites && k < n_sites; k++)
		sites[k].site = k;
	for (wn_tree_node i = 0; sites && i < t->n; i++)
		if (t->kind[i] == WN_TREE_GRAIN && t->g->site[t->ref[i]] < n_sites)
			sites[t->g->site[t->ref[i]]].work_ns += wn_work_ns(t->g, t->ref[i]);
	if (!sites || !wn_order(sites, n_sites, sizeof *sites, is_before))
		st = wn_no_memory(err);
	for (uint32_t k = 0; st == WN_OK && k < n_sites; k++)
		page_site_colour(p, sites[k].site, (uint8_t)(k < 8 ? k : 8));
	wn_free(sites);
	return st;
}

static wn_status
write_picture(struct page *p, const struct wn_picture_options *o, FILE *to, wn_err *err)
{
	struct page_view view = {.root = o->root,
	                         .selected = o->selected,
	                         .site = PAGE_NO_NODE,
	                         .kind = o->is_map ? PAGE_MAP : PAGE_STRUCTURE,
	                         .problem =
	                             o->problem < 0 ? PAGE_ALL_PROBLEMS : (uint8_t)o->problem,
	                         .is_by_place = o->is_by_place,
	                         .w = 1,
	                         .h = 1,
	                         .width = 1,
	                         .height = 1};
	struct page_answer text = {0};
	wn_status st = WN_OK;
	if (!o->is_map && o->selected == WN_NO_TREE_NODE)
		view.selected = page_worst(p, o->root, view.problem);
	WN_TRY(page_size(p, &view, &view.w, &view.h, err));
	view.width = MAP_WIDTH;
	view.height = MAP_HEIGHT;
	if (!o->is_map) {
		double larger = view.w > view.h ? view.w : view.h;
		double scale = larger > STRUCTURE_LARGER ? STRUCTURE_LARGER / larger : 1;
		view.width = (float)(view.w * scale);
		view.height = (float)(view.h * scale);
		if (view.width < STRUCTURE_LEAST) {
			view.x = (view.w - (double)STRUCTURE_LEAST) / 2;
			view.w = (double)STRUCTURE_LEAST / scale;
			view.width = STRUCTURE_LEAST;
		}
	}
	WN_TRY(page_svg(p, &view, &text, err));
	if (fwrite(text.text, 1, text.n_bytes, to) != text.n_bytes)
		st = wn_fail(err, WN_E_IO, WN_NO_OFFSET, "cannot write the picture");
out:
	return st;
}

wn_status
wn_export_picture(const struct wn_tree *tree, const struct wn_metrics *m,
                  const struct wn_picture_options *options, FILE *to, wn_err *err)
{
	uint32_t n_sites = wn_trace_n_sites(tree->g->trace);
	uint32_t counting =
	    options->problem < 0 ? WN_PROBLEMS_DEFAULT : UINT32_C(1) << options->problem;
	struct page_run run = {.n_nodes = tree->n,
	                       .n_chunks = 1,
	                       .n_cores = m->totals.n_cpus,
	                       .n_sites = n_sites,
	                       .n_problems = (uint32_t)m->n_problems,
	                       .counting = counting};
	struct columns c = {.work_ns = NULL};
	struct page *p = NULL;
	wn_status st = WN_OK;
	WN_TRY(page_new(&run, &p, err));
	WN_TRY(colour_sites(p, tree, n_sites, err));
	if (!make_columns(&c, tree->n))
		WN_TRY(wn_no_memory_for(err, tree->n, "nodes"));
	WN_TRY(wn_tree_shapes(tree, c.shape, err));
	fill(&c, tree, m, counting);
	WN_TRY(page_take(p, &c.nodes, err));
	WN_TRY(write_picture(p, options, to, err));
out:
	free_columns(&c);
	page_free(p);
	return st;
}
