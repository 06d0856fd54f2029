/* SPDX-License-Identifier: MIT */
/*
 * page.h - the core of the page: pictures of a run and facts about it. The same code makes pictures
 * for `winnow export --format svg` and, compiled to WebAssembly, runs in the page's worker.
 *
 * A run comes as tables of columns. Tiers hold groups: tier 0 the largest, tier 1 more, and all
 * groups that cross a border of chunks. A chunk holds all grains and groups from one leaf to
 * another, in pre-order. Data that is not loaded is estimated from what is, and listed as needed.
 *
 * A node is identified by its index in the pre-order of wn_tree_build(). Nothing here recurses,
 * prints or reads files; sizes are bounded by the given tables.
 */
#pragma once

#include "page/shapes.h"
#include "winnow/base.h"

#include <stdbool.h>
#include <stddef.h>

struct page;

#define PAGE_SHAPES_MAX    10000u /* limit for a static picture */
#define PAGE_SHAPES_MOVING 4000u  /* limit while moving */
#define PAGE_PROBLEMS_MAX  32u
#define PAGE_ALL_PROBLEMS  255u

/* ------------------------------------------------------------------------------------ opening */

struct page_run {
	uint32_t n_nodes, n_grains; /* nodes of the tree; its leaves */
	uint32_t n_chunks, chunk_grains;
	uint32_t n_cores; /* usable cores: the map's width */
	uint32_t n_sites, n_problems;
	uint32_t counting; /* problem types that count when all are shown: bit p */
};

/* Creates an empty page. */
WN_MUST_CHECK wn_status page_new(const struct page_run *run, struct page **out, wn_err *err);
/* NULL is fine. */
void page_free(struct page *p);

/* Defines problem type k: its name, its column, and which values are problems. */
wn_status page_problem(struct page *p, uint32_t k, const char *name, const char *column,
                       bool is_below, double threshold, wn_err *err);

/* Sets the colour of a place: 0 to 7 for the places with most work; 8 = all others. */
void page_site_colour(struct page *p, uint32_t site, uint8_t colour);

enum page_node_flag { PAGE_NODE_CRITICAL = 1, PAGE_NODE_ROGUE = 2, PAGE_NODE_ESTIMATED = 4 };

/* Adds a complete tree, for a run of one chunk. */
struct page_nodes {
	uint32_t n;
	const uint8_t *kind; /* [n] enum wn_grains_node_kind, which is that of wn_tree_kind */
	const uint32_t *end; /* [n] */
	/* [n] work of grains */
	const uint64_t *work_ns;
	const uint32_t *site, *problems;
	const uint8_t *flags, *severity; /* enum page_node_flag; page_severity() */
	const uint64_t *shape;           /* of all nodes; equal for the same shape. NULL: unknown */
	const uint8_t *grain_kind;       /* enum wn_grains_kind. NULL: unknown */
};
WN_MUST_CHECK wn_status page_take(struct page *p, const struct page_nodes *nodes, wn_err *err);

/* A part of the container (grains/format.h): a tier, a chunk, or a table of loops. */
struct page_part {
	uint8_t kind; /* enum wn_grains_part_kind */
	uint32_t number;
	uint32_t rows[6]; /* indexed by enum wn_grains_rows */
	uint32_t first_node, first_grain, parent, n_open;
};
/* Declares a part; all chunks are declared before the first block is added. */
WN_MUST_CHECK wn_status page_part(struct page *p, const struct page_part *part, wn_err *err);

/* An inflated block of a part. */
struct page_block {
	uint8_t kind; /* of the part */
	uint32_t number;
	uint16_t column;
	uint8_t rows, width, code, state;
	const unsigned char *bytes; /* [n_bytes], copied */
	size_t n_bytes;
};
WN_MUST_CHECK wn_status page_put(struct page *p, const struct page_block *block, wn_err *err);
/* Tests whether pictures need a column. */
bool page_is_for_pictures(uint8_t kind, uint16_t column);
/* Called when all columns that pictures need, as far as the file has them, are added: validates and
 * loads them. */
WN_MUST_CHECK wn_status page_ready(struct page *p, uint8_t kind, uint32_t number, wn_err *err);
/* Unloads a chunk; later pictures use the tiers again. */
void page_drop(struct page *p, uint32_t chunk);

/* Replaces a chunk by a coarser level of detail of about n_max rows: nodes with at least so much
 * work, and sums of the nodes between them; with least_ns 0 all nodes. Further detail that pictures
 * need is listed as needed. Fails for an unknown chunk, or if its enclosing groups are unknown. */
WN_MUST_CHECK wn_status page_thin(struct page *p, uint32_t chunk, double least_ns, uint32_t n_max,
                                  wn_err *err);
/* Tests whether a chunk has a problem grain with at least so much work. */
bool page_has_bad_grains(struct page *p, uint32_t chunk, double least_ns);
/* Returns the approximate memory of a chunk. */
size_t page_bytes(const struct page *p, uint32_t chunk);

/* ------------------------------------------------------------------------------------ pictures */

enum page_picture_kind { PAGE_MAP = 0, PAGE_STRUCTURE };

struct page_view {
	double x, y, w, h;       /* the frame, in world coordinates of the picture (page_size()) */
	float width, height;     /* size of the picture in pixels */
	uint32_t root;           /* root of the drawing; 0 = everything */
	uint32_t selected;       /* highlighted; PAGE_NO_NODE */
	uint32_t site;           /* others are dimmed; PAGE_NO_NODE = no filter by place */
	uint8_t kind;            /* enum page_picture_kind */
	uint8_t problem;         /* the problem shown; PAGE_ALL_PROBLEMS = all that count */
	uint8_t is_moving;       /* less detail */
	uint8_t has_dependences; /* structure: draws dependences */
	uint8_t is_log;          /* structure: logarithmic lengths of grains */
	uint8_t is_by_place;     /* documents (page_svg()): colour by place, not by problem */
	uint8_t tint;            /* documents: problems in the colour of the k-th place; 0 = red */
	/* Structure: groups opened and closed by the user, both sorted; all others are open only on
	 * the way to `selected`, or without a selection to the worst problem. */
	const uint32_t *open, *closed;
	uint32_t n_open, n_closed;
};

struct page_picture {
	const struct page_shape *shapes; /* valid until the next picture */
	const struct page_text *texts;
	const char *bytes; /* bytes of the texts */
	uint32_t n_shapes, n_texts, n_bytes;
	uint64_t n_grains; /* grains that the shapes represent */
	bool is_exact;     /* nothing is missing; else see page_needs() */
};

/* Returns the world's size: of the map, cores across and nanoseconds down; of the structure,
 * pixels. */
wn_status page_size(struct page *p, const struct page_view *view, double *width, double *height,
                    wn_err *err);
/* Prepares a view for painting: a snapshot of its problem, a layout of the structure, and room for
 * the shapes. On failure the previous state stays. WN_OK · WN_E_ARG · WN_E_NOMEM */
WN_MUST_CHECK wn_status page_prepare(struct page *p, const struct page_view *view, wn_err *err);
/* Paints the view that was prepared last (or a part of its world: x, y, w, h, width and height,
 * selected of the map, site, is_moving may differ). Allocates nothing and changes only the picture;
 * the bytes are reproducible. O(what is visible). */
void page_paint(struct page *p, const struct page_view *view, struct page_picture *out);
/* Prepares and paints. */
WN_MUST_CHECK wn_status page_draw(struct page *p, const struct page_view *view,
                                  struct page_picture *out, wn_err *err);
/* Computes the rectangle of a node in the world: x, y, width, height. False if it is not drawn (in
 * the structure: in a closed group). */
bool page_frame_of(struct page *p, const struct page_view *view, uint32_t node, double frame[4]);
/* Lists the chunks missing from the last picture, the most visible first; returns their number in
 * out[n_max]. */
uint32_t page_needs(const struct page *p, uint32_t *out, uint32_t n_max);

/* How a group, or its content, differs from the run compared with. */
enum page_mark {
	PAGE_MARK_CREATED = 0, /* in this run only */
	PAGE_MARK_VANISHED,    /* the other run has a group here that this run lacks */
	PAGE_MARK_CHANGED,     /* differs in shape */
	PAGE_MARK_SLOWER,
	PAGE_MARK_FASTER,
	PAGE_MARK_N
};
/* Marks a node; pictures draw a sign at its corner or at that of the shape that contains it. May be
 * called several times per node, in ascending order of nodes, before the first picture. */
WN_MUST_CHECK wn_status page_mark(struct page *p, uint32_t node, enum page_mark what, wn_err *err);
/* Returns the next marked node, wrapping around; after PAGE_NO_NODE the first. It need not be
 * loaded. PAGE_NO_NODE: none is marked. */
uint32_t page_next_mark(const struct page *p, uint32_t node);

/* --------------------------------------------------------------------------------------- lanes */

/* Draws when each thread executed which grain, as measured: page_lanes_begin(),
 * page_lanes_request() for the columns of a table, page_lanes_add() for each chunk of the file that
 * may have grains in the window, in any order, page_lanes_draw(). */
struct page_lanes {
	double from_ns, to_ns; /* the window, from < to */
	float width, row;      /* in pixels: the window's width, a thread's height */
	uint32_t n_threads;    /* from the top */
	uint32_t selected;     /* highlighted; PAGE_NO_NODE */
};
struct table;
/* Sets the rows of threads [n], where several share one. */
WN_MUST_CHECK wn_status page_lanes_rows(struct page *p, const uint32_t *row_of, uint32_t n,
                                        wn_err *err);
void page_lanes_begin(struct page *p, const struct page_lanes *view);
void page_lanes_request(struct page *p, struct table *t);
WN_MUST_CHECK wn_status page_lanes_add(struct page *p, const struct table *t, wn_err *err);
/* True if there are too many grains, so the rest may be skipped. */
bool page_lanes_are_full(const struct page *p);
/* Draws pieces of grains, thread by thread, in order of time. Empty and not exact if there are more
 * than PAGE_SHAPES_MAX. */
WN_MUST_CHECK wn_status page_lanes_draw(struct page *p, struct page_picture *out, wn_err *err);

/* --------------------------------------------------------------------------------------- nodes */

enum page_step {
	PAGE_PARENT = 0,
	PAGE_FIRST,    /* first member */
	PAGE_NEXT,     /* next sibling */
	PAGE_PREVIOUS, /* previous sibling */
	PAGE_CRITICAL, /* the first member on the critical path, else the next box on it */
	PAGE_PROBLEM,  /* the next group or grain outside this one with the selected problem */
	PAGE_SIMILAR   /* the next group of the same shape, wrapping around */
};
/* PAGE_NO_NODE: there is none, or it is not loaded (then page_needs() lists it). */
uint32_t page_step(struct page *p, uint32_t node, enum page_step step, uint8_t problem);

/* Texts returned by the functions below: UTF-8, valid until the next call. */
struct page_answer {
	const char *text;
	size_t n_bytes;
};

/* Writes a document with the picture of page_draw() and a legend. */
WN_MUST_CHECK wn_status page_svg(struct page *p, const struct page_view *view,
                                 struct page_answer *out, wn_err *err);

/* Returns the path to the worst problem: from each group to the member with most grains that have
 * the problem (without any, with most work), down to a grain. */
uint32_t page_worst(struct page *p, uint32_t root, uint8_t problem);

/* Returns the severity of a value beyond its threshold: 1 to 255, by their ratio. Pure. */
uint8_t page_severity(double value, double threshold, bool is_below);

/* Writes lines of "key TAB text TAB number LF" on a node, in display order; keys are those of
 * columns and of `winnow tree --format json`. The number may be empty. */
WN_MUST_CHECK wn_status page_facts(struct page *p, uint32_t node, struct page_answer *out,
                                   wn_err *err);
/* Writes lines of "node TAB kind TAB site TAB grains TAB nanoseconds of work LF" from the root to
 * the node. */
WN_MUST_CHECK wn_status page_path(struct page *p, uint32_t node, struct page_answer *out,
                                  wn_err *err);
/* Writes loaded groups and grains of some sites, those with most work first, in lines as
 * page_path().
 *
 * @param is_site  [run.n_sites] not 0 for wanted sites */
WN_MUST_CHECK wn_status page_find(struct page *p, const uint8_t *is_site, uint32_t n_max,
                                  struct page_answer *out, wn_err *err);

/* ------------------------------------------------------------------------------------ relations */

/* Relations of a node to grains outside of it, in addition to the structure's edges: dependences,
 * creators of rogue tasks, and waits for them. */
enum page_relation {
	PAGE_BEFORE = 0, /* must end before it, or something inside, starts */
	PAGE_MADE_BY,    /* creator of a rogue task that is, or is inside, the node */
	PAGE_JOINED_BY,  /* waited for such a task */
	PAGE_AFTER,      /* starts after it, or something inside, has ended */
	PAGE_MADE,       /* a rogue task created by it */
	PAGE_JOINED,     /* a rogue task that it waited for */
	PAGE_RELATIONS_N
};
#define PAGE_RELATED_MAX 12u /* shown relations of each kind: those with most work */
struct page_related {
	uint64_t work_ns;
	uint32_t node, site;
};

/* Starts the search for relations of a loaded node; NO_NODE: clears them. Then read the chunks that
 * hold the node, with is_own; then all tables of gates, each with the number of its first; then all
 * chunks. Pictures of a view that selects the node and shows dependences draw the results. */
WN_MUST_CHECK wn_status page_relate(struct page *p, uint32_t node, wn_err *err);
/* Returns the end of the node of the search. */
uint32_t page_related_end(const struct page *p);
/* Tests whether the search needs a column. */
bool page_relates(uint8_t kind, uint16_t column);
/* From here on page_put() adds blocks of this part; page_related_scan() ends it. */
WN_MUST_CHECK wn_status page_related_open(struct page *p, const struct page_part *part,
                                          wn_err *err);
WN_MUST_CHECK wn_status page_related_scan(struct page *p, uint32_t first, bool is_own, wn_err *err);
/* Returns the number of relations, found or not; and those found, most work first. */
uint64_t page_n_related(const struct page *p, enum page_relation what);
uint32_t page_related(const struct page *p, enum page_relation what,
                      const struct page_related **out);

/* ------------------------------------------------------------------------------------ thresholds
 */

/* User thresholds. A pass goes over all chunks once, in order: page_threshold_begin(),
 * page_threshold_set() for each problem, for each chunk one of page_threshold_reuse(),
 * page_threshold_chunk() and page_threshold_chunk_missing(), page_threshold_end(). Only the end
 * changes what is shown; starting a pass cancels the previous one but keeps its cached values. */
void page_threshold_begin(struct page *p);
/* Sets another threshold for a problem; NAN: only caches values for later passes. */
void page_threshold_set(struct page *p, uint32_t problem, double threshold);
/* True: the chunk needs no reading. */
bool page_threshold_reuse(struct page *p, uint32_t chunk);
/* Uses a table (page/table.h) that has the chunk, with the columns requested by
 * page_request_columns(). */
WN_MUST_CHECK wn_status page_threshold_chunk(struct page *p, const struct table *t, uint32_t chunk,
                                             wn_err *err);
/* The chunk is missing or unreadable. */
WN_MUST_CHECK wn_status page_threshold_chunk_missing(struct page *p, const struct table *t,
                                                     uint32_t chunk, wn_err *err);
WN_MUST_CHECK wn_status page_threshold_end(struct page *p, wn_err *err);
/* Restores the file's threshold, without a pass. False: out of memory. */
WN_MUST_CHECK bool page_threshold_reset(struct page *p, uint32_t problem);
/* Returns how many grains have a problem by the last pass, and how many values are unknown. */
uint64_t page_count(const struct page *p, uint32_t problem);
uint64_t page_lacking(const struct page *p, uint32_t problem);

/* Adds the next metric that the table defines (table_define()): like a problem type it has a
 * threshold, and its number follows theirs. While a metric compared in a pass is shown, nodes have
 * its values. False: there are too many. */
WN_MUST_CHECK bool page_metric(struct page *p, bool is_below);
/* Removes all but the first n. False: out of memory. */
WN_MUST_CHECK bool page_cut_metrics(struct page *p, uint32_t n);

/* Returns a node's value of the shown metric; NAN: none or unknown. */
double page_value(const struct page *p, uint32_t node);
/* Tests whether nodes of a chunk would have such values after page_threshold_loaded_chunk(). */
bool page_needs_values(const struct page *p, uint32_t chunk);

/* Requests from a table what a pass, or page_threshold_loaded_chunk(), needs of chunks. */
void page_request_columns(const struct page *p, struct table *t, bool is_of_pass);
/* Computes the severities of a loaded chunk's grains. */
WN_MUST_CHECK wn_status page_threshold_loaded_chunk(struct page *p, const struct table *t,
                                                    uint32_t chunk, wn_err *err);
