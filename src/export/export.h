/* SPDX-License-Identifier: MIT */
/*
 * export.h - writes a grain graph in other tools' formats.
 *
 *   export.c    common parts: places of grains, colours, sizes
 *   out.c       the writer
 *   graphml.c   yEd and everything that reads GraphML
 *   nested.c    the same in groups (nested.h)
 *   folded.c    groups as single nodes, for dot and svg (folded.h)
 *   restrict.c  restriction to one group
 *   dot.c       graphviz
 *   flat.c      GEXF, plain GraphML, tables of nodes and edges
 *   csv.c       a table of grains
 *   prototype.c files of the R prototype of [P5]
 *   svg.c       a picture; layout.c places nodes, graph_svg.c draws them
 *   taskgraph.c the picture of [P2]: circles with the area of the grains' weights;
 * taskgraph_folded.c and bundle.c the same of large runs, where a circle is a group
 *
 * Appearance, following the R prototype of [P5]: start and end are small squares, forks green and
 * joins orange circles, grains rectangles as high as their work (ten steps) with one colour for
 * each place in the source. The critical path has red borders and edges. Dependences are dashed and
 * violet, with a small diamond where several tasks precede several others.
 */
#pragma once

#include "aggregate/tree.h"
#include "graph/draw.h"
#include "graph/grain_names.h"
#include "metrics/metrics.h"
#include "symbols/symbols.h"

#include <stdio.h>

#define WN_COLOUR_START    "#DEB887"
#define WN_COLOUR_FORK     "#2E8B57"
#define WN_COLOUR_JOIN     "#FF7F50"
#define WN_COLOUR_EDGE     "#000000"
#define WN_COLOUR_CRITICAL "#FF0000"
#define WN_COLOUR_DEPEND   "#7B4FB5" /* dependence edges and gates */
#define WN_SIZE_END        15        /* side of S and E */
#define WN_SIZE_FORK       10        /* diameter of forks and joins */
#define WN_SIZE_GATE       8         /* width of a gate */
#define WN_SIZE_GRAIN      30        /* width of a grain; also one of the ten steps of its height */

/* A source line that creates grains. */
struct wn_export_place {
	const char *text; /* "fib.c:12", or the file and address */
	struct wn_place found;
	uint64_t n_grains;
	uint64_t n_implicit; /* implicit tasks that are drawn */
	uint64_t work_ns;    /* work of both */
};

struct wn_export {
	const struct wn_graph *g;
	struct wn_draw *draw;
	enum wn_form form;
	const struct wn_options
	    *options; /* options of the table's metrics; borrowed, NULL = defaults */
	wn_symbols *symbols;
	struct wn_export_place *places; /* [n_places] in order of their first grain */
	uint32_t n_places;
	uint32_t *place_of;         /* [n_sites] WN_NO_SITE if no drawn grain has that site */
	struct wn_names *names;     /* texts of grains, of bounded length */
	char *texts;                /* storage of places[].text */
	uint64_t least_ns, most_ns; /* weights of grains, or of fragments */
	/* the group that the export is restricted to; else NULL */
	uint8_t *has_grain; /* [g->n] */
	uint8_t *has_fj;    /* [g->n_fjs] */
	char *group;        /* its name */
};

/**
 * Resolves the places of grains and prepares drawing them in one form.
 *
 * @param g    must outlive the result.
 * @param out  written only on success; release with wn_export_free().
 * @return WN_OK · WN_E_NOMEM · WN_E_LIMIT
 *
 * Cost     O(n + sites log sites), and reading the debug information of the program's files.
 * Threads  pure.
 */
WN_MUST_CHECK wn_status wn_export_new(const struct wn_graph *g, enum wn_form form,
                                      struct wn_export **out, wn_err *err);

/* NULL is fine. */
void wn_export_free(struct wn_export *x);

/**
 * Restricts the export to the inside of a node of the graph's tree, without start and end. Places
 * and sizes are computed from the rest.
 *
 * @return WN_OK · WN_E_NOMEM.  Cost  O(n).
 */
WN_MUST_CHECK wn_status wn_export_restrict(struct wn_export *x, const struct wn_tree *t,
                                           wn_tree_node node, wn_err *err);

/* As wn_draw_nodes(), wn_draw_edges() and wn_draw_count(), restricted to the group. */
WN_MUST_CHECK wn_status wn_export_nodes(const struct wn_export *x, wn_node_fn *call, void *user);
WN_MUST_CHECK wn_status wn_export_edges(const struct wn_export *x, wn_edge_fn *call, void *user);
/* Computes sums of places, least and greatest weight; called again after a restriction. */
WN_MUST_CHECK wn_status wn_export_weigh(struct wn_export *x);
uint64_t wn_export_n_nodes(const struct wn_export *x);

static inline bool
wn_export_has(const struct wn_export *x, wn_grain id)
{
	return !x->has_grain || x->has_grain[id];
}

/**
 * Writes one document to `to`, which stays open.
 *
 * The CSV is a table of grains and the same for both forms; the SVG and the task graph have the
 * reduced form only.
 *
 * @return WN_OK · WN_E_IO (part of it may be written) · WN_E_NOMEM · WN_E_ARG (SVG, other form; a
 *         metric of the options)
 *
 * Cost     O(nodes + edges).
 * Threads  pure, for different FILEs.
 */
WN_MUST_CHECK wn_status wn_export_graphml(const struct wn_export *x, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_export_dot(const struct wn_export *x, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_export_csv(const struct wn_export *x, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_export_svg(const struct wn_export *x, FILE *to, wn_err *err);

/* Draws circles whose area is proportional to the weights on the marked path (wn_path_weight()).
 * Source [P2], Fig. 4. */
WN_MUST_CHECK wn_status wn_export_taskgraph(const struct wn_export *x, FILE *to, wn_err *err);

/**
 * Draws the same in about n_most nodes, from 10 to WN_TASKGRAPH_MOST: each group without room is
 * one circle with the area of its total weight, and similar branches share one.
 *
 * @param t     the folded tree of x->g.
 * @param root  what to draw; start and end are drawn of the whole tree only.
 * @return WN_OK · WN_E_IO (part of it may be written) · WN_E_NOMEM · WN_E_ARG (other form)
 *
 * Cost     O(nodes of the tree), 20 bytes each during the call.  Threads  pure, for different
 * FILEs.
 */
#define WN_TASKGRAPH_MOST 10000u
WN_MUST_CHECK wn_status wn_export_taskgraph_folded(const struct wn_export *x,
                                                   const struct wn_tree *t, wn_tree_node root,
                                                   uint32_t n_most, FILE *to, wn_err *err);

/* Writes the R prototype's files: the number of fragments that could run in each bin of time, the
 * same for each task, and its table of tasks. WN_E_EMPTY: there are no bins. */
WN_MUST_CHECK wn_status wn_export_profile(const struct wn_export *x, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_export_contribution(const struct wn_export *x, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_export_mir_csv(const struct wn_export *x, FILE *to, wn_err *err);

/* Formats without extensions of one program: GEXF 1.3; GraphML with and without typed attributes;
 * tables of nodes and of edges. Both forms. */
WN_MUST_CHECK wn_status wn_export_gexf(const struct wn_export *x, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_export_plain(const struct wn_export *x, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_export_bare(const struct wn_export *x, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_export_nodes_table(const struct wn_export *x, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_export_edges_table(const struct wn_export *x, FILE *to, wn_err *err);

/* Returns the place of a grain, or NULL. */
const struct wn_export_place *wn_export_place(const struct wn_export *x, wn_grain id);

/* Returns "task", "taskloop", "chunk", "section", "implicit", "initial", "runtime". */
const char *wn_export_kind(const struct wn_graph *g, wn_grain id);

/* Returns "create", "sync", "continue", "scope", "depend" and the edge's colour (red on the
 * critical path). */
const char *wn_export_edge_kind(enum wn_edge_kind kind);
const char *wn_export_edge_colour(const struct wn_edge *edge);

#define WN_COLOUR_BYTES 8

/* Writes the fill colour of a grain or fragment, "#RRGGBB". Returns `out`. */
const char *wn_export_colour(const struct wn_export *x, wn_grain id, char out[WN_COLOUR_BYTES]);
/* Writes colour k of n of R's topo.colors, reversed. Returns `out`. */
const char *wn_export_palette(uint32_t k, uint32_t n, char out[WN_COLOUR_BYTES]);
/* Tests whether text on this colour should be white. */
bool wn_export_is_dark(const char *colour);

/* Returns the height of a grain or fragment: 30, 60, ... 300. */
unsigned wn_export_height(const struct wn_export *x, uint64_t weight_ns);

/* Formats "5 grains", or "2 implicit tasks" if there are no grains. Returns `out`. */
const char *wn_export_count(const struct wn_export_place *place, char out[40]);

/* Formats 12345678 as "12.3 ms"; or as "12.3 Mcycles" for a trace in cycles. Returns `out`. */
const char *wn_export_duration(const struct wn_export *x, uint64_t ns, char out[16]);

/* Formats "[0:8)" for a chunk or a taskloop's task, "[2]" for a section, "" for others. Returns
 * `out`. */
const char *wn_export_range(const struct wn_graph *g, wn_grain id, char out[48]);

/* Returns the program's label, or NULL. */
const char *wn_export_label(const struct wn_graph *g, wn_grain id);

/* Maximum depth at which nodes in groups have paths as ids, in yEd's form. */
#define WN_PATH_STEPS_MAX 192u

/* Returns the name (graph/grain_names.h) in *buffer, which grows; NULL if out of memory. */
const char *wn_export_lineage(const struct wn_export *x, wn_grain id, char **buffer,
                              size_t *capacity);
