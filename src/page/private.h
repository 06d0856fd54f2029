/* SPDX-License-Identifier: MIT */
/* private.h - what the files of this folder share: nodes as rows, and how they are reached. */
#ifndef WN_PAGE_PRIVATE_H
#define WN_PAGE_PRIVATE_H

#include "grains/column.h"
#include "grains/shape.h"
#include "page/page.h"

#define NO_NODE PAGE_NO_NODE

enum row_kind {
	ROW_GRAIN = 0, /* as wn_tree_kind */
	ROW_LINEAR,
	ROW_FORK_JOIN,
	ROW_SIBLING,
	ROW_RUN /* no node: several members of a group in a row (detail.c), n_members of them;
	           span_ns is what of best_ns lies one after the other on any number of cores */
};

/* Flags are those of enum page_node_flag. */

/* What a picture needs of a node. */
struct row {
	uint32_t node, end, parent;
	uint32_t n_members, n_grains;
	uint32_t site; /* of a group: of the grain that most work leads to */
	uint64_t work_ns;
	uint64_t span_ns; /* longest path inside */
	uint64_t best_ns; /* least time on the run's cores (best.h) */
	uint64_t shape;   /* equal: of one shape; 0 = unknown */
	uint8_t kind, flags;
	uint8_t severity;   /* of a grain of page_take(); else snapshot_severity() */
	uint8_t colour;     /* by place */
	uint8_t grain_kind; /* of a grain: enum wn_grains_kind */
	bool is_of_tier;    /* of page.groups */
};

/* Rows of consecutive nodes, or of some. */
struct rows {
	struct row *at;
	uint32_t n;
};

/* The first that is not before a node; n: there is none. */
uint32_t rows_from(const struct rows *rows, uint32_t node);

/* A column as it came. */
struct block {
	uint16_t column;
	uint8_t rows, width, code, state;
	unsigned char *bytes;
	size_t n_bytes;
};

#define PARTS_OF_COUNTS (PAGE_PROBLEMS_MAX + 1u) /* the last: of any problem */

struct part {
	struct page_part is;
	struct block *blocks;
	size_t n_blocks, capacity;
	struct rows summary;               /* rows SUMMARY */
	uint32_t *counts[PARTS_OF_COUNTS]; /* [summary.n] grains with each problem; NULL: no group
	                                      has any */
};

/* A grain that must end before another one starts. */
struct edge {
	uint32_t from, to;
};

/* Which of a chunk's grains have a problem: one bit each; NULL: none has. */
struct problem_bits {
	uint64_t *given, *moved, *next; /* by the file; by a threshold that the user has moved;
	                                  by one that the running pass compares with */
	float *keys;                    /* of values (problem_bits.c); NAN: never a problem. NULL */
	uint64_t *is_exact, *is_short;  /* the value is its key, or has few digits */
};

struct page_chunk {
	uint32_t first_node, n_nodes, first_grain, n_grains, parent;
	struct row *rows;         /* [n_nodes] NULL: not here */
	bool is_linked;           /* what its first node is in is here, too */
	struct rows coarse;       /* where `rows` are not loaded: few rows and runs (detail.c) */
	uint8_t *coarse_severity; /* [coarse.n x n_problems]; NULL: unknown */
	struct part part;
	struct wn_grains_shape shape; /* its arrays are owned; NULL where there is nothing */
	uint8_t *kinds;               /* [n_nodes] that shape refers to */
	struct edge *edges;           /* [n_edges] by `to`; once they are asked for */
	size_t n_edges;
	bool has_edges;
	uint8_t *severity; /* [n_problems x n_grains] by the file's thresholds; NULL: unknown */

	/* problem_bits.c; stays when the chunk is dropped */
	uint64_t *is_grain;        /* bits of nodes; NULL: it was never here */
	uint32_t *n_grains_before; /* of each 64 nodes */
	bool has_given;            /* problem_bits[].given are loaded */
	uint32_t lacking;          /* problems whose values could not be read: bit p */
	struct problem_bits problem_bits[PAGE_PROBLEMS_MAX];

	double *values; /* [n_nodes] of the metric that is folded; NULL */
};

/* Bytes that grow. */
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
	uint32_t columns[LANE_COLUMNS_N]; /* of the table */
	struct stay *at;
	size_t n, capacity;
	bool is_too_many;
};

struct page {
	struct page_run run;
	struct page_chunk *chunks; /* [run.n_chunks] */
	uint32_t n_parts;          /* chunks that page_part() has declared */
	struct rows groups;        /* of tiers, by node */
	struct part tiers[2];
	struct {
		char name[64], column[64];
		bool is_below;
		bool is_moved; /* the user has moved its threshold */
		double threshold, given, next;
	} problems[PAGE_PROBLEMS_MAX];
	struct snapshot *shown; /* of these data (snapshot.h) */
	struct canvas *canvas;  /* the last picture (canvas.h) */
	struct bytes answer;
	struct structure *structure; /* as it was laid out last */
	uint32_t version; /* of the data: what was laid out for another is not true any more */

	uint8_t *site_colour; /* [run.n_sites] */
	struct mark *marks;   /* [n_marks] by node */
	size_t n_marks, marks_capacity;
	struct lanes lanes;
	struct related *related; /* NULL: nothing is looked for */
	struct part *looks_at;   /* where blocks go; NULL: to their parts */

	uint32_t pass,
	    warming; /* problems of the running pass; those of which it makes keys alone */
	size_t key_bytes;

	/* metrics of the user follow the problem types */
	uint32_t n_metrics;
	uint32_t folded;       /* the one that groups have values of; PAGE_PROBLEMS_MAX: none */
	struct groups *values; /* of groups of the tiers; NULL: none yet */
};

/* nodes.c. The row of a node that is here; NULL. */
const struct row *page_row(const struct page *p, uint32_t node);
/* The first node from `node` on that is here; n_nodes if none is. */
uint32_t page_next_known(const struct page *p, uint32_t node);
/* The chunk that holds a node. */
uint32_t page_chunk_of(const struct page *p, uint32_t node);

/* A member of a group: a node, or some of which little is known (row NULL). */
struct member {
	const struct row *row;
	const struct row *counted; /* the row, or that of a run; NULL: n_problem is estimated */
	uint32_t node, end;        /* nodes [node, end) */
	uint32_t n_members;        /* nodes that are members: 1, or of unknown ones how many */
	uint32_t n_grains;
	uint32_t n_problem; /* grains with the problem that is shown: after member_count() */
	uint64_t work_ns, span_ns, best_ns;
	uint32_t site;
	uint8_t flags, colour, grain_kind;
	uint8_t severity;   /* the same */
	uint64_t shape;     /* 0: unknown */
	uint8_t kind;       /* ROW_GRAIN where it can be nothing else */
	bool is_run;        /* sums are true, and each member has little of them (detail.c) */
	uint64_t serial_ns; /* of best_ns, on any number of cores */
};

struct snapshot;
struct members {
	const struct snapshot *s;
	const struct row *group;
	uint32_t at;
	/* what the group has that its known members have not; found at the first gap */
	bool has_rest;
	uint64_t rest_work, rest_span;
	uint32_t rest_grains, rest_problem, rest_members, rest_nodes;
	uint32_t rest_seen; /* of rest_nodes, so many were before */
};

/* A row that stands for itself. */
struct member member_of(const struct row *row);
/* Sets n_problem and severity, where they can be known exactly. */
void member_count(const struct snapshot *s, struct member *m);
void members_begin(struct members *m, const struct snapshot *s, const struct row *group);
bool members_next(struct members *m, struct member *out);

/* detail.c. The row or the run of a chunk that begins at a node; NULL. */
const struct row *coarse_row(const struct page_chunk *c, uint32_t node);
void coarse_free(struct page_chunk *c);

/* fold.c. Groups of rows [n] of consecutive nodes from the first on, from those of their members:
 * what is not complete in them (end beyond the last) stays as it is. */
void fold_rows(struct row *rows, uint32_t n, uint32_t n_cores);
/* Which groups are of one shape. */
void fold_shapes(struct row *rows, uint32_t n);

struct structure;
void structure_free(struct structure *s);

/* related.c */
void related_free(struct page *p);

/* depend.c: c->edges; false: out of memory, and they are read when they are asked for again. */
WN_MUST_CHECK bool depend_find(const struct page *p, struct page_chunk *c);

/* threshold.c. Shows another problem, or all that count; false: out of memory, and the one before
 * is still shown. */
WN_MUST_CHECK bool page_choose(struct page *p, uint8_t problem);
uint8_t page_colour(const struct page *p, uint32_t site);

/* store.c. The values of a column, decoded; missing: a bit per row, all 0 if none is. WN_E_EMPTY:
 * there is no such column. Both are the caller's. */
wn_status store_column(const struct page *p, const struct part *part,
                       const struct wn_grains_shape *shape, uint16_t column, uint64_t **values,
                       uint8_t **missing, wn_err *err);
void store_free(struct page *p);
/* Chunks to the groups that they begin in, as far as those are here. */
void store_link(struct page *p);
/* The tree of a chunk whose blocks are here. */
wn_status store_shape(struct page *p, struct page_chunk *c, wn_err *err);
/* Frees blocks and tree. */
void store_empty(struct page_chunk *c);

/* threshold.c: values of groups are found anew. */
void page_fold_none(struct page *p);

/* Text that grows: false when memory ran out, for good. */
bool bytes_add(struct bytes *b, const char *text, size_t n);
bool bytes_text(struct bytes *b, const char *text);
bool bytes_number(struct bytes *b, uint64_t n);

#endif /* WN_PAGE_PRIVATE_H */
