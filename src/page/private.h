/* SPDX-License-Identifier: MIT */
/* private.h - shared by the files of this folder: nodes as rows, and access to them. */
#pragma once

#include "grains/column.h"
#include "grains/shape.h"
#include "page/page.h"

#define NO_NODE PAGE_NO_NODE

enum row_kind {
	ROW_GRAIN = 0, /* as wn_tree_kind */
	ROW_LINEAR,
	ROW_FORK_JOIN,
	ROW_SIBLING,
	ROW_RUN /* not a node but several members of a group in a row (detail.c), n_members of them;
	           span_ns is the sequential part of best_ns */
};

/* Flags are those of enum page_node_flag. */

/* The values of a node that pictures need. */
struct row {
	uint32_t node, end, parent;
	uint32_t n_members, n_grains;
	uint32_t site; /* group: of the grain with the most work */
	uint64_t work_ns;
	uint64_t span_ns; /* longest path inside */
	uint64_t best_ns; /* least time on the run's cores (best.h) */
	uint64_t shape;   /* equal for the same shape; 0 = unknown */
	uint8_t kind, flags;
	uint8_t severity;   /* for a grain of page_take(); else snapshot_severity() */
	uint8_t colour;     /* colour by place */
	uint8_t grain_kind; /* grain: enum wn_grains_kind */
	bool is_of_tier;    /* index in page.groups */
};

/* Rows of consecutive nodes, or of a subset. */
struct rows {
	struct row *at;
	uint32_t n;
};

/* Returns the first row that is not before a node; n: there is none. */
uint32_t rows_from(const struct rows *rows, uint32_t node);

/* An encoded column. */
struct block {
	uint16_t column;
	uint8_t rows, width, code, state;
	unsigned char *bytes;
	size_t n_bytes;
};

#define PARTS_OF_COUNTS (PAGE_PROBLEMS_MAX + 1u) /* the last is for any problem */

struct part {
	struct page_part is;
	struct block *blocks;
	size_t n_blocks, capacity;
	struct rows summary;               /* rows SUMMARY */
	uint32_t *counts[PARTS_OF_COUNTS]; /* [summary.n] grains with each problem; NULL: no group
	                                      has any */
};

/* A grain that must end before another starts. */
struct edge {
	uint32_t from, to;
};

/* The problem bits of a chunk's grains; NULL: none has the problem. */
struct problem_bits {
	uint64_t *given, *moved,
	    *next;   /* by the file's threshold; by the user's; by the running pass's */
	float *keys; /* keys of values (problem_bits.c); NAN: never a problem. NULL */
	uint64_t *is_exact, *is_short; /* the value equals its key, or has few digits */
};

struct page_chunk {
	uint32_t first_node, n_nodes, first_grain, n_grains, parent;
	struct row *rows;         /* [n_nodes] NULL: not loaded */
	bool is_linked;           /* the enclosing groups of its first node are loaded, too */
	struct rows coarse;       /* if `rows` are not loaded: few rows and runs (detail.c) */
	uint8_t *coarse_severity; /* [coarse.n x n_problems]; NULL: unknown */
	struct part part;
	struct wn_grains_shape shape; /* owns its arrays; NULL if there are none */
	uint8_t *kinds;               /* [n_nodes] for shape */
	struct edge *edges;           /* [n_edges] sorted by `to`; loaded on demand */
	size_t n_edges;
	bool has_edges;
	uint8_t *severity; /* [n_problems x n_grains] by the file's thresholds; NULL: unknown */

	/* problem_bits.c; kept when the chunk is unloaded */
	uint64_t *is_grain;        /* bits of nodes; NULL: never loaded */
	uint32_t *n_grains_before; /* counts before each 64 nodes */
	bool has_given;            /* problem_bits[].given are loaded */
	uint32_t lacking;          /* problems with unreadable values: bit p */
	struct problem_bits problem_bits[PAGE_PROBLEMS_MAX];

	double *values; /* [n_nodes] values of the folded metric; NULL */
};

/* A growing byte buffer. */
struct bytes {
	char *at;
	size_t n, capacity;
	bool is_out_of_memory;
};

/* enum page_mark */
struct mark {
	uint32_t node;
	uint8_t what;
};

enum lane_column { LANE_THREAD = 0, LANE_BEGIN, LANE_END, LANE_COLUMNS_N };

/* lanes.c: grains of a window of time. */
struct stay {
	double begin, end; /* ns */
	uint32_t thread, node;
	uint8_t colour;
};

struct lanes {
	struct page_lanes view;
	uint32_t columns[LANE_COLUMNS_N]; /* columns of the table */
	struct stay *at;
	size_t n, capacity;
	bool is_too_many;
	uint32_t *row_of; /* [n_row_of] by thread; NULL: each has its own */
	uint32_t n_row_of;
};

struct page {
	struct page_run run;
	struct page_chunk *chunks; /* [run.n_chunks] */
	uint32_t n_parts;          /* chunks declared by page_part() */
	struct rows groups;        /* groups of tiers, by node */
	struct part tiers[2];
	struct {
		char name[64], column[64];
		bool is_below;
		bool is_moved; /* has a user threshold */
		double threshold, given, next;
	} problems[PAGE_PROBLEMS_MAX];
	struct snapshot *shown; /* shown state of this data (snapshot.h) */
	struct canvas *canvas;  /* the last picture (canvas.h) */
	struct bytes answer;
	struct structure *structure; /* the last layout */
	uint32_t version;            /* version of the data; a layout of another version is stale */

	uint8_t *site_colour; /* [run.n_sites] */
	struct mark *marks;   /* [n_marks] sorted by node */
	size_t n_marks, marks_capacity;
	struct lanes lanes;
	struct related *related; /* NULL: no search */
	struct part *looks_at;   /* destination of blocks; NULL: their parts */

	uint32_t pass,
	    warming; /* problems of the running pass; those for which it only computes keys */
	size_t key_bytes;

	/* user metrics follow the problem types */
	uint32_t n_metrics;
	uint32_t folded;       /* the metric with values for groups; PAGE_PROBLEMS_MAX: none */
	struct groups *values; /* values for groups of the tiers; NULL: none yet */
};

/* nodes.c. Returns the row of a loaded node; NULL. */
const struct row *page_row(const struct page *p, uint32_t node);
/* Returns the first loaded node from `node` on; n_nodes if there is none. */
uint32_t page_next_known(const struct page *p, uint32_t node);
/* Returns the chunk that holds a node. */
uint32_t page_chunk_of(const struct page *p, uint32_t node);

/* A member of a group: a node, or several with estimates only (row NULL). */
struct member {
	const struct row *row;
	const struct row *counted; /* row of the node or run; NULL: n_problem is estimated */
	uint32_t node, end;        /* nodes [node, end) */
	uint32_t n_members;        /* number of members: 1, or an estimate for unknown ones */
	uint32_t n_grains;
	uint32_t n_problem; /* grains with the shown problem, after member_count() */
	uint64_t work_ns, span_ns, best_ns;
	uint32_t site;
	uint8_t flags, colour, grain_kind;
	uint8_t severity;   /* severity, after member_count() */
	uint64_t shape;     /* 0: unknown */
	uint8_t kind;       /* ROW_GRAIN if it can be nothing else */
	bool is_run;        /* sums are exact, and each member is small (detail.c) */
	uint64_t serial_ns; /* sequential part of best_ns */
};

struct snapshot;
struct members {
	const struct snapshot *s;
	const struct row *group;
	uint32_t at;
	/* the group's remainder without its known members; computed at the first gap */
	bool has_rest;
	uint64_t rest_work, rest_span;
	uint32_t rest_grains, rest_problem, rest_members, rest_nodes;
	uint32_t rest_seen; /* number of rest_nodes before */
};

/* Returns a row that represents only itself. */
struct member member_of(const struct row *row);
/* Sets n_problem and severity if they can be exact. */
void member_count(const struct snapshot *s, struct member *m);
void members_begin(struct members *m, const struct snapshot *s, const struct row *group);
bool members_next(struct members *m, struct member *out);

/* detail.c. Returns the row or run of a chunk that begins at a node; NULL. */
const struct row *coarse_row(const struct page_chunk *c, uint32_t node);
void coarse_free(struct page_chunk *c);

/* fold.c. Computes groups of rows [n] of consecutive nodes from their members; groups that end
 * beyond the last row are unchanged. */
void fold_rows(struct row *rows, uint32_t n, uint32_t n_cores);
/* Numbers groups by shape. */
void fold_shapes(struct row *rows, uint32_t n);

struct structure;
void structure_free(struct structure *s);

/* related.c */
void related_free(struct page *p);

/* depend.c: reads c->edges; false: out of memory, and the next request reads them again. */
WN_MUST_CHECK bool depend_find(const struct page *p, struct page_chunk *c);

/* threshold.c. Shows another problem, or all that count; false: out of memory, and the previous one
 * is still shown. */
WN_MUST_CHECK bool page_choose(struct page *p, uint8_t problem);
uint8_t page_colour(const struct page *p, uint32_t site);

/* store.c. Decodes the values of a column; missing: a bit per row, all 0 if none is. WN_E_EMPTY:
 * there is no such column. The caller owns both. */
wn_status store_column(const struct page *p, const struct part *part,
                       const struct wn_grains_shape *shape, uint16_t column, uint64_t **values,
                       uint8_t **missing, wn_err *err);
void store_free(struct page *p);
/* Links chunks to their enclosing groups, as far as those are loaded. */
void store_link(struct page *p);
/* Builds the tree of a chunk from its blocks. */
wn_status store_shape(struct page *p, struct page_chunk *c, wn_err *err);
/* Frees blocks and tree. */
void store_empty(struct page_chunk *c);

/* threshold.c: invalidates the values of groups. */
void page_fold_none(struct page *p);

/* Appends to a growing text; false once out of memory. */
bool bytes_add(struct bytes *b, const char *text, size_t n);
bool bytes_text(struct bytes *b, const char *text);
bool bytes_number(struct bytes *b, uint64_t n);
