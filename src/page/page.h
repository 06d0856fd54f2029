/* SPDX-License-Identifier: MIT */
/*
 * page.h - the core of the page: pictures of a run and facts about it. The same code makes pictures
 * for `winnow export --format svg` and, compiled to WebAssembly, runs in the page's worker.
 *
 * A run comes as tables of columns. Tiers hold groups: tier 0 the largest, tier 1 more, and all
 * groups that reach over a border of chunks. A chunk holds all grains and groups from one leaf to
 * another, in pre-order. What is not here is drawn from what is, and listed as needed.
 *
 * A node is named by its index in the pre-order of wn_tree_build(). Nothing here recurses, prints
 * or reads; sizes are bounded by the tables given.
 */
#ifndef WN_PAGE_PAGE_H
#define WN_PAGE_PAGE_H

#include "page/shapes.h"
#include "winnow/base.h"

#include <stdbool.h>
#include <stddef.h>

struct page;

#define PAGE_SHAPES_MAX    10000u /* of a picture at rest */
#define PAGE_SHAPES_MOVING 4000u  /* while it moves */
#define PAGE_PROBLEMS_MAX  32u
#define PAGE_ALL_PROBLEMS  255u

/* ------------------------------------------------------------------------------------ opening */

struct page_run {
	uint32_t n_nodes, n_grains; /* of the tree; leaves of it */
	uint32_t n_chunks, chunk_grains;
	uint32_t n_cores; /* that the run could use: the map's width */
	uint32_t n_sites, n_problems;
	uint32_t counting; /* problems that count where all are shown: bit p */
};

/* An empty page. */
WN_MUST_CHECK wn_status page_new(const struct page_run *run, struct page **out, wn_err *err);
/* NULL is fine. */
void page_free(struct page *p);

/* What problem type k is called and about: a column, and which values are problems. */
wn_status page_problem(struct page *p, uint32_t k, const char *name, const char *column,
                       bool is_below, double threshold, wn_err *err);

/* How a place is coloured: 0 to 7, the places with most work first; 8 = all others. */
void page_site_colour(struct page *p, uint32_t site, uint8_t colour);

enum page_node_flag { PAGE_NODE_CRITICAL = 1, PAGE_NODE_ROGUE = 2, PAGE_NODE_ESTIMATED = 4 };

/* All of a tree at once, where it is at hand: a run of one chunk. */
struct page_nodes {
	uint32_t n;
	const uint8_t *kind; /* [n] enum wn_grains_node_kind, which is that of wn_tree_kind */
	const uint32_t *end; /* [n] */
	/* [n], of grains */
	const uint64_t *work_ns;
	const uint32_t *site, *problems;
	const uint8_t *flags, *severity; /* enum page_node_flag; page_severity() */
	const uint64_t *shape;           /* of all nodes; equal: of one shape. NULL: unknown */
	const uint8_t *grain_kind;       /* enum wn_grains_kind. NULL: unknown */
};
WN_MUST_CHECK wn_status page_take(struct page *p, const struct page_nodes *nodes, wn_err *err);

/* A part of the container (grains/format.h): a tier, a chunk, or a table of loops. */
struct page_part {
	uint8_t kind; /* enum wn_grains_part_kind */
	uint32_t number;
	uint32_t rows[6]; /* by enum wn_grains_rows */
	uint32_t first_node, first_grain, parent, n_open;
};
/* Declares a part; all chunks are declared before anything is put. */
WN_MUST_CHECK wn_status page_part(struct page *p, const struct page_part *part, wn_err *err);

/* One block of it, inflated. */
struct page_block {
	uint8_t kind; /* of the part */
	uint32_t number;
	uint16_t column;
	uint8_t rows, width, code, state;
	const unsigned char *bytes; /* [n_bytes] copied */
	size_t n_bytes;
};
WN_MUST_CHECK wn_status page_put(struct page *p, const struct page_block *block, wn_err *err);
/* Is a column needed for pictures? */
bool page_is_for_pictures(uint8_t kind, uint16_t column);
/* All of its columns that pictures need are there, as far as the file has them: checks them against
 * each other and takes them in. */
WN_MUST_CHECK wn_status page_ready(struct page *p, uint8_t kind, uint32_t number, wn_err *err);
/* Forgets a chunk; what is drawn next comes from the tiers again. */
void page_drop(struct page *p, uint32_t chunk);

/* Replaces a chunk by a coarser level of detail of at most n_max rows (or some more): nodes of at
 * least so much work, and sums of what lies between them; of least_ns 0 all nodes. What pictures
 * need more of is listed as needed. Fails where there is no such chunk, or what it begins in is not
 * known. */
WN_MUST_CHECK wn_status page_thin(struct page *p, uint32_t chunk, double least_ns, uint32_t n_max,
                                  wn_err *err);
/* Is there a grain of at least so much work in a chunk that has a problem? */
bool page_has_bad_grains(struct page *p, uint32_t chunk, double least_ns);
/* What is kept of a chunk, to the nearest. */
size_t page_bytes(const struct page *p, uint32_t chunk);

/* ------------------------------------------------------------------------------------ pictures */

enum page_picture_kind { PAGE_MAP = 0, PAGE_STRUCTURE };

struct page_view {
	double x, y, w, h;       /* the frame, in the picture's world (page_size()) */
	float width, height;     /* of the picture in pixels */
	uint32_t root;           /* drawn from this node on; 0 = everything */
	uint32_t selected;       /* lit; PAGE_NO_NODE */
	uint32_t site;           /* others are dim; PAGE_NO_NODE = none is by place */
	uint8_t kind;            /* enum page_picture_kind */
	uint8_t problem;         /* the one that is shown; PAGE_ALL_PROBLEMS = all that count */
	uint8_t is_moving;       /* coarser */
	uint8_t has_dependences; /* of the structure: draws them */
	uint8_t is_log;          /* of the structure: lengths of grains by doublings */
	uint8_t is_by_place; /* of documents (page_svg()): colours are of places, not of problems */
	uint8_t tint;        /* the same: problems in the colour of the k-th place; 0 = red */
	/* Of the structure: groups opened and closed by the user, both sorted; all else is open on
	 * the way to `selected` only, or where nothing is, to the worst problem. */
	const uint32_t *open, *closed;
	uint32_t n_open, n_closed;
};

struct page_picture {
	const struct page_shape *shapes; /* until the next picture */
	const struct page_text *texts;
	const char *bytes; /* of the texts */
	uint32_t n_shapes, n_texts, n_bytes;
	uint64_t n_grains; /* that the shapes stand for */
	bool is_exact;     /* nothing is missing; else page_needs() */
};

/* The world: of the map, cores across and nanoseconds down; of the structure, pixels. */
wn_status page_size(struct page *p, const struct page_view *view, double *width, double *height,
                    wn_err *err);
/* Makes all that painting a view needs: a snapshot of its problem, of the structure a layout, and
 * room for the shapes. On failure what was made before stays. WN_OK · WN_E_ARG · WN_E_NOMEM */
WN_MUST_CHECK wn_status page_prepare(struct page *p, const struct page_view *view, wn_err *err);
/* Paints the view that was prepared last (or a part of its world: x, y, w, h, width and height,
 * selected of the map, site, is_moving may differ). Allocates nothing and changes nothing but the
 * picture; the same bytes each time. O(what is visible). */
void page_paint(struct page *p, const struct page_view *view, struct page_picture *out);
/* Both. */
WN_MUST_CHECK wn_status page_draw(struct page *p, const struct page_view *view,
                                  struct page_picture *out, wn_err *err);
/* What lies at a pixel of the last picture, the innermost; PAGE_NO_NODE. */
uint32_t page_at(const struct page *p, float x, float y);
/* The rectangle of a node in the world: x, y, width, height. False if it is in none that is drawn
 * (of the structure: in a closed group). */
bool page_frame_of(struct page *p, const struct page_view *view, uint32_t node, double frame[4]);
/* Chunks that the last picture lacked, the most visible first; how many are in out[n_max]. */
uint32_t page_needs(const struct page *p, uint32_t *out, uint32_t n_max);

/* How a group differs in the run that this one is compared with, or what is inside it. */
enum page_mark {
	PAGE_MARK_CREATED = 0, /* only this run has it */
	PAGE_MARK_VANISHED,    /* only the other run has a group that belongs here */
	PAGE_MARK_CHANGED,     /* in shape */
	PAGE_MARK_SLOWER,
	PAGE_MARK_FASTER,
	PAGE_MARK_N
};
/* Marks a node, in pictures by a sign at its corner or that of what it is seen in; several times is
 * fine. In ascending order of nodes, before anything is drawn. */
WN_MUST_CHECK wn_status page_mark(struct page *p, uint32_t node, enum page_mark what, wn_err *err);
/* The marked node that comes next, around to the first; PAGE_NO_NODE: from the first on. It need
 * not be here. PAGE_NO_NODE: none is marked. */
uint32_t page_next_mark(const struct page *p, uint32_t node);

/* --------------------------------------------------------------------------------------- lanes */

/*
 * When each thread ran which grain, as measured: page_lanes_begin(), page_lanes_ask() for the
 * columns of a table, page_lanes_take() for each chunk of the file that may have grains then, in
 * any order, page_lanes_draw().
 */
struct page_lanes {
	double from_ns, to_ns; /* the window, from < to */
	float width, row;      /* in pixels: the window's width, a thread's height */
	uint32_t n_threads;    /* from the top */
	uint32_t selected;     /* lit; PAGE_NO_NODE */
};
struct table;
void page_lanes_begin(struct page *p, const struct page_lanes *view);
void page_lanes_ask(struct page *p, struct table *t);
WN_MUST_CHECK wn_status page_lanes_take(struct page *p, const struct table *t, wn_err *err);
/* No more need be taken: there are too many. */
bool page_lanes_are_full(const struct page *p);
/* Pieces of grains, thread by thread, in the order of time. Nothing, and not exact, where they
 * are more than PAGE_SHAPES_MAX. */
WN_MUST_CHECK wn_status page_lanes_draw(struct page *p, struct page_picture *out, wn_err *err);

/* --------------------------------------------------------------------------------------- nodes */

enum page_step {
	PAGE_PARENT = 0,
	PAGE_FIRST,    /* member */
	PAGE_NEXT,     /* sibling */
	PAGE_PREVIOUS, /* sibling */
	PAGE_CRITICAL, /* the first member on the critical path, else the next box on it */
	PAGE_PROBLEM,  /* the next group or grain outside this one with the chosen problem */
	PAGE_SIMILAR   /* the next group of this one's shape, around to the first */
};
/* PAGE_NO_NODE: there is none, or it is not here (then page_needs() says what is). */
uint32_t page_step(struct page *p, uint32_t node, enum page_step step, uint8_t problem);

/* Texts that functions below return: UTF-8, valid until the next call. */
struct page_answer {
	const char *text;
	size_t n_bytes;
};

/* A document of what page_draw() shows, with a legend below it. */
WN_MUST_CHECK wn_status page_svg(struct page *p, const struct page_view *view,
                                 struct page_answer *out, wn_err *err);

/* The way to the worst: from group to the member with most grains that have the problem (without
 * any, with most work), to a grain. */
uint32_t page_worst(struct page *p, uint32_t root, uint8_t problem);

/* How bad a value is that is beyond its threshold: 1 to 255, in proportion to the one over the
 * other. Pure. */
uint8_t page_severity(double value, double threshold, bool is_below);

/* Lines of "key TAB text TAB number LF" on a node, in the order to show; keys are those of columns
 * and of `winnow tree --format json`. The number is empty where there is none. */
WN_MUST_CHECK wn_status page_facts(struct page *p, uint32_t node, struct page_answer *out,
                                   wn_err *err);
/* Lines of "node TAB kind TAB site TAB grains TAB nanoseconds of work LF" from the root to the
 * node. */
WN_MUST_CHECK wn_status page_path(struct page *p, uint32_t node, struct page_answer *out,
                                  wn_err *err);
/* Groups and grains of some sites, those with most work first; lines as of page_path(). Of what is
 * here.
 *
 * @param is_site  [run.n_sites] not 0 for those that are looked for */
WN_MUST_CHECK wn_status page_find(struct page *p, const uint8_t *is_site, uint32_t n_max,
                                  struct page_answer *out, wn_err *err);

/* ------------------------------------------------------------------------------------ relations */

/* What a node has to do with grains outside of it that the picture's lines do not show:
 * dependences, and of rogue tasks who made them and who waits for them. */
enum page_relation {
	PAGE_BEFORE = 0, /* must end before it starts, or something inside */
	PAGE_MADE_BY,    /* made a rogue task that it is, or that is inside */
	PAGE_JOINED_BY,  /* waited for it */
	PAGE_AFTER,      /* starts after it has ended, or something inside */
	PAGE_MADE,       /* a rogue task that it made */
	PAGE_JOINED,     /* a rogue task that it waited for */
	PAGE_RELATIONS_N
};
#define PAGE_RELATED_MAX 12u /* that are shown of each: those with most work */
struct page_related {
	uint64_t work_ns;
	uint32_t node, site;
};

/* Begins to look for those of a node that is here; NO_NODE: forgets them. Then the chunks that hold
 * the node are looked at, with is_own; then all tables of gates, each with the number of its first;
 * then all chunks. Pictures of a view that selects the node and has dependences draw what is found.
 */
WN_MUST_CHECK wn_status page_relate(struct page *p, uint32_t node, wn_err *err);
/* Where the node that was given last ends. */
uint32_t page_related_end(const struct page *p);
/* Is a column needed for that? */
bool page_relates(uint8_t kind, uint16_t column);
/* What page_put() gets from here on is of this part; page_look() ends it. */
WN_MUST_CHECK wn_status page_look_at(struct page *p, const struct page_part *part, wn_err *err);
WN_MUST_CHECK wn_status page_look(struct page *p, uint32_t first, bool is_own, wn_err *err);
/* How many there are, found or not; and those that are found, most work first. */
uint64_t page_n_related(const struct page *p, enum page_relation what);
uint32_t page_related(const struct page *p, enum page_relation what,
                      const struct page_related **out);

/* ------------------------------------------------------------------------------------ thresholds
 */

/*
 * Thresholds of the page's own. A pass goes over all chunks once, in their order:
 * page_threshold_begin(), page_threshold_set() for each problem, for each chunk one of
 * page_threshold_reuse(), page_threshold_chunk() and page_threshold_chunk_missing(),
 * page_threshold_end(). Only then is anything else shown; a pass that is begun ends the one before,
 * and what that has found of values stays.
 */
void page_threshold_begin(struct page *p);
/* Another threshold of a problem; NAN: the pass only prepares what a later one needs. */
void page_threshold_set(struct page *p, uint32_t problem, double threshold);
/* True: nothing has to be read for this chunk. */
bool page_threshold_reuse(struct page *p, uint32_t chunk);
/* By a table (page/table.h) that has the chunk, and the columns that page_ask() asks it for. */
WN_MUST_CHECK wn_status page_threshold_chunk(struct page *p, const struct table *t, uint32_t chunk,
                                             wn_err *err);
/* It is not in the file, or cannot be read. */
WN_MUST_CHECK wn_status page_threshold_chunk_missing(struct page *p, const struct table *t,
                                                     uint32_t chunk, wn_err *err);
WN_MUST_CHECK wn_status page_threshold_end(struct page *p, wn_err *err);
/* The file's threshold again, which needs no pass. False: out of memory. */
WN_MUST_CHECK bool page_threshold_reset(struct page *p, uint32_t problem);
/* How many grains have a problem by the last pass, and of how many the value is unknown. */
uint64_t page_count(const struct page *p, uint32_t problem);
uint64_t page_lacking(const struct page *p, uint32_t problem);

/* The next metric that the table defines (table_define()): it has a threshold as a problem type
 * has, and is numbered behind those. While one that a pass has compared is shown, nodes have its
 * values. False:
 * there are too many. */
WN_MUST_CHECK bool page_metric(struct page *p, bool is_below);
/* Forgets all but the first n. False: out of memory. */
WN_MUST_CHECK bool page_cut_metrics(struct page *p, uint32_t n);

/* What a node has of the metric that is shown; NAN: none, or it is unknown. */
double page_value(const struct page *p, uint32_t node);
/* Would nodes of a chunk have such values if it was here, after page_threshold_loaded_chunk()? */
bool page_wants_values(const struct page *p, uint32_t chunk);

/* Asks a table for what a pass needs of chunks, or page_threshold_loaded_chunk(). */
void page_ask(const struct page *p, struct table *t, bool is_of_pass);
/* How bad grains of a chunk that is here are. */
WN_MUST_CHECK wn_status page_threshold_loaded_chunk(struct page *p, const struct table *t,
                                                    uint32_t chunk, wn_err *err);

#endif /* WN_PAGE_PAGE_H */
