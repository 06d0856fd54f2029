/* SPDX-License-Identifier: MIT */
/*
 * table.h - reads the grains of run.grains as a table, chunk by chunk: the numeric columns of
 * `winnow export --format csv`, and expressions on them (winnow-metrics(5)). Only requested values
 * of a chunk are kept.
 *
 * Parts of the file may come in any order, after the parts that they refer to: loops, regions, and
 * the groups of all chunks that do not end in them (table_needs_groups()).
 */
#pragma once

#include "grains/format.h"
#include "table/columns.h"
#include "winnow/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table;

#define TABLE_EXTRAS_MAX   WN_GRAINS_FAMILY
#define TABLE_PROBLEMS_MAX 32u
#define TABLE_NO_SITE      UINT32_MAX
#define TABLE_METRICS_MAX  64u

enum table_number {
	TABLE_CPUS_USED = 0,
	TABLE_ELAPSED_NS,
	TABLE_GRAINS,
	TABLE_PARALLELISM,
	TABLE_SPAN_NS,
	TABLE_WORK_NS,
	TABLE_NUMBERS_N
};

WN_MUST_CHECK wn_status table_new(struct table **out, wn_err *err);
/* NULL is fine. */
void table_end(struct table *t);
/* Sets a number of the run, run.NAME in expressions; NAN, the default: unknown. */
void table_number(struct table *t, enum table_number which, double value);
/* Adds the next problem type of the index; copies names. */
WN_MUST_CHECK wn_status table_problem(struct table *t, const char *name, bool is_below,
                                      double threshold, wn_err *err);
/* Adds the next column of the index that only some runs have, and the rule by which groups fold it
 * (an unknown rule: they do not). It replaces a built-in column of the same name. */
WN_MUST_CHECK wn_status table_extra(struct table *t, const char *name, const char *fold,
                                    wn_err *err);
/* Moves a threshold: problem.NAME and is_problem are recomputed. */
void table_threshold(struct table *t, uint32_t problem, double threshold);

/* Returns the k-th column's name, NULL after the last: the built-in ones in the order of the
 * exported table, then extras. */
const char *table_column(const struct table *t, uint32_t k);

/* Sets the run to be an imported table, whose rows all count. */
void table_imported(struct table *t);

/* Defines the next user metric, which later expressions may use. Errors as in table_query(); an
 * invalid metric is missing everywhere, and its name is unknown. */
WN_MUST_CHECK wn_status table_define(struct table *t, const char *name, const char *text,
                                     uint32_t fold, wn_err *err);
/* Removes all but the first n. */
void table_cut_metrics(struct table *t, uint32_t n);
/* Requests what a metric needs. */
void table_request_metric(struct table *t, uint32_t metric);

/* ----------------------------------------------------------------------------- what is needed */

/* Clears the requests. */
void table_request_none(struct table *t);
void table_request_column(struct table *t, uint32_t k);
/* Tests whether a block of this column and kind of rows is needed. Cost O(1). */
bool table_needs(const struct table *t, uint32_t part_kind, uint32_t column, uint32_t rows);
/* Tests whether the groups that cross chunks, or the parts of loops or regions, are needed. */
bool table_needs_groups(const struct table *t);
bool table_needs_part(const struct table *t, uint32_t part_kind);

/* ------------------------------------------------------------------------------------- parts */

/* Begins a part; ends the previous chunk. */
void table_begin(struct table *t, const struct wn_grains_part *part);
/* Adds an inflated block of the part. The table owns the bytes from here on (base/mem.h).
 * WN_E_FORMAT: their number does not match the rows. */
WN_MUST_CHECK wn_status table_put(struct table *t, const struct wn_grains_block *block,
                                  uint8_t *bytes, size_t n_bytes, wn_err *err);
/* Frees what belongs to the part: a chunk has no rows from here on. Items and measures stay. */
void table_forget_part(struct table *t);
/* Completes a part. A chunk's rows can be read now; loops, regions and groups are kept. */
WN_MUST_CHECK wn_status table_ready(struct table *t, wn_err *err);
/* All parts requested by table_needs_part() and table_needs_groups() are added. */
void table_has_tables(struct table *t);
/* Grains of the chunk. */
uint32_t table_rows(const struct table *t);
/* Returns the k-th column's value; NAN: missing. */
double table_value(const struct table *t, uint32_t k, uint32_t row);
/* Return the tree node of a grain, and its row of the index's sites. */
uint32_t table_node(const struct table *t, uint32_t row);
uint32_t table_site(const struct table *t, uint32_t row);

/* ------------------------------------------------------------------------------------- queries */

struct table_item {
	double key;
	uint32_t chunk, row, node, site;
};

/* Selects grains for which `where` is true ("" = all) and whose site is wanted ([n_sites] flags,
 * which are copied; NULL = any), the first n_max by the expression `by` ("" = in order of the
 * tree). Ties are in order of the tree; missing values come last. Replaces the previous query, and
 * adds its requests. err->offset: the wrong column, from 1; and *which is 0 for `where`, 1 for
 * `by`. */
WN_MUST_CHECK wn_status table_query(struct table *t, const char *where, const char *by,
                                    bool is_descending, const uint8_t *wanted_sites,
                                    uint32_t n_sites, uint32_t n_max, int *which, wn_err *err);
/* Processes the current chunk. `matches` (NULL: not wanted) receives [table_rows()] rows. */
void table_match_rows(struct table *t, uint32_t *matches, uint32_t *n_matches);
/* Returns the number of matches so far. */
uint64_t table_matching(const struct table *t);
/* Returns the first matches, sorted; valid until the next query function. */
const struct table_item *table_items(struct table *t, uint32_t *n);

/* ------------------------------------------------------------------------------------- metrics */

/* A histogram by the bits of a double: a bin for each quarter of a power of two. */
#define TABLE_BINS 8192u

struct table_metric {
	uint64_t n, n_missing, n_flagged, n_zero, n_negative;
	double sum, least, most;       /* known values */
	uint32_t positive[TABLE_BINS]; /* values above 0: bits >> 50 */
};

/* Sets the metric to summarise: an expression; flagged counts values beyond the threshold (NAN =
 * none). Adds requests as table_query() does. */
WN_MUST_CHECK wn_status table_metric(struct table *t, const char *text, bool is_below,
                                     double threshold, wn_err *err);
/* Processes the current chunk. */
void table_measure(struct table *t);
const struct table_metric *table_measured(const struct table *t);
