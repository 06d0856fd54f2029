/* SPDX-License-Identifier: MIT */
/* table_private.h - shared by the files that implement table.h. Private to this folder. */
#pragma once

#include "expr/expr.h"
#include "grains/column.h"
#include "grains/shape.h"
#include "page/table.h"

#define MISSING __builtin_nan("")

/* Numbering of names besides columns. */
#define TABLE_METRIC  (UINT32_C(1) << 26)
#define TABLE_PROBLEM (UINT32_C(1) << 27)
#define TABLE_NUMBER  (UINT32_C(1) << 30)

#define TABLE_BLOCKS_N        64u /* columns of nodes, grains and groups of chunks: numbers below */
#define TABLE_GROUPS_N        32u /* of summaries and tables: numbers from their first one on */
#define TABLE_LOOPS_N         16  /* columns of loops, from WN_COLUMN_LOOP_REGION on */
#define LOOP(t, column, loop) ((t)->loops[(column)-WN_COLUMN_LOOP_REGION][loop])

struct table_block {
	uint8_t *raw;
	uint64_t *values; /* [n] NULL: all values are missing, or the column is */
	uint8_t *missing; /* NULL: none are */
	uint32_t n;
	uint8_t width, code, state;
	bool is_there;
};

struct table_problem {
	char *name;
	uint32_t column; /* WN_GRAINS_NONE: none is loaded */
	double threshold, given;
	int type; /* enum wn_problem; -1: a type of some runs only */
	bool is_below;
};

/* A group that crosses chunks. */
struct table_group {
	uint32_t node, end;
	uint8_t kind;
	uint64_t sum, max, n; /* of siblings */
};

enum {
	REGION_NUMBER = 0,
	REGION_FORKING,
	REGION_LOOPS,
	REGION_SECTIONS,
	REGION_SINGLE, /* missing values are 0 */
	REGION_VALUES_N
};

struct table_metric_def {
	char *name;
	uint64_t needs; /* bit k: needs or is metric k */
	uint8_t fold;   /* enum wn_fold */
	bool is_fine;   /* else it has no expression */
	struct wn_expr expr;
};

struct table_region {
	uint64_t values[REGION_VALUES_N];
};

/* Values of an id that is no grain of a chunk; missing is UINT64_MAX. */
enum {
	ABOVE_ID = 0,
	ABOVE_KIND,
	ABOVE_PARENT,
	ABOVE_CHILD_NUMBER,
	ABOVE_SINGLE,
	ABOVE_REGION,
	ABOVE_THREAD,
	ABOVE_VALUES_N
};
struct table_above {
	uint64_t values[ABOVE_VALUES_N];
};

struct table {
	double numbers[TABLE_NUMBERS_N];
	struct table_problem problems[TABLE_PROBLEMS_MAX];
	char *extra_names[TABLE_EXTRAS_MAX];
	uint32_t n_problems, n_extras;

	/* requests */
	uint64_t wants; /* bits: column numbers */
	bool wants_extra[TABLE_EXTRAS_MAX];
	bool wants_loops, wants_regions, wants_above, wants_groups, wants_siblings, wants_owners;
	bool has_loops, has_regions, has_above, has_groups;

	/* values of the run */
	uint64_t *loops[TABLE_LOOPS_N];
	struct table_region *regions;
	struct table_above *above;
	struct table_group *spine;
	size_t n_spine, spine_capacity;
	uint32_t n_loops, n_regions, n_above;

	/* the current part */
	struct wn_grains_part part;
	struct table_block blocks[TABLE_BLOCKS_N], extras[TABLE_EXTRAS_MAX], groups[TABLE_GROUPS_N];
	struct wn_grains_shape shape;
	uint8_t *kinds;
	uint32_t *node_of;   /* of rows: the chunk's node */
	uint32_t *fork_join; /* of rows: as wn_grains_shape's parent; WN_GRAINS_NONE */
	uint32_t *open;      /* [n_open] groups of the spine, the innermost first */
	uint32_t n_open, n_rows;

	/* the query */
	struct wn_expr where, by;
	bool has_where, has_by, is_descending;
	uint8_t *sites; /* [n_sites] NULL: any */
	uint32_t n_sites, n_max, n_items;
	uint64_t n_matching;
	struct table_item *items; /* [n_items] a heap, the last one on top */
	bool is_sorted;

	/* metrics of the user */
	struct table_metric_def *metrics; /* [TABLE_METRICS_MAX] */
	uint32_t n_metrics;
	bool is_imported;
	uint8_t folds[TABLE_EXTRAS_MAX]; /* enum wn_fold, of extra columns */

	/* the summarised metric */
	struct wn_expr metric;
	double metric_threshold;
	bool has_metric, is_metric_below;
	struct table_metric measured;
};

/* Reads the value of a column of run.grains, not of the exported table; false: missing. */
static inline bool
table_get(const struct table *t, uint32_t column, uint32_t row, uint64_t *out)
{
	const struct table_block *b = &t->blocks[column];
	if (!b->values || row >= b->n || (b->missing && wn_grains_is_missing(b->missing, row)))
		return false;
	*out = b->values[row];
	return true;
}

/* table_values.c. Returns the number of a column by its name; WN_GRAINS_NONE. */
uint32_t table_find(const struct table *t, const char *name, size_t n_bytes);
/* Returns the rule by which groups fold the k-th column. */
enum wn_fold table_fold(const struct table *t, uint32_t k);
/* table_query.c: resolves names of columns, of problems and of the run; returns their values. */
struct wn_expr_names table_names(const struct table *t);
void table_request_name(struct table *t, uint32_t index);
double table_value_of(const struct table *t, uint32_t index, uint32_t row);

/* Returns the metric of a name; UINT32_MAX: none. */
static inline uint32_t
table_metric_of(uint32_t index)
{
	return index >= TABLE_METRIC && index < TABLE_PROBLEM ? index - TABLE_METRIC : UINT32_MAX;
}
/* table_metrics.c. Computes the metrics in `wanted`, which includes their dependences, by number.
 */
void table_metrics_of(const struct table *t, uint64_t wanted, uint32_t row, double *values);
double table_metric_value(const struct table *t, uint32_t metric, uint32_t row);
/* Metrics apply to grains; in a recording, an implicit task does not count as one. */
bool table_is_judged(const struct table *t, uint32_t row);

/* Returns the value compared with a problem's threshold; NAN: none, or never a problem. */
double table_judged(const struct table *t, uint32_t problem, uint32_t row);
/* Tests for the problem by its threshold; NAN: unknown. */
double table_has_problem(const struct table *t, uint32_t problem, uint32_t row);
double table_is_problem(const struct table *t, uint32_t row);
void table_request_problem(struct table *t, uint32_t problem);
