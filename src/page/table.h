/* SPDX-License-Identifier: MIT */
/*
 * table.h - the grains of run.grains as a table, chunk by chunk: the columns of
 * `winnow export --format csv` that are numbers, and what expressions (winnow-metrics(5)) make of
 * them. Nothing is kept of a chunk but what was asked for.
 *
 * Parts of the file come one after the other, in any order, but those that others refer to first:
 * loops, regions, and of all chunks the groups that do not end in them (table_wants_groups()).
 */
#ifndef WN_PAGE_TABLE_H
#define WN_PAGE_TABLE_H

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
/* A number of the run, run.NAME of expressions; NAN, as at first: not known. */
void table_number(struct table *t, enum table_number which, double value);
/* The next problem type of the index; names are copied. */
WN_MUST_CHECK wn_status table_problem(struct table *t, const char *name, bool is_below,
                                      double threshold, wn_err *err);
/* The next column of the index that only some runs have, and the name of the rule by which groups
 * fold it (one that is no rule: they do not). One of a built-in name replaces it. */
WN_MUST_CHECK wn_status table_extra(struct table *t, const char *name, const char *fold,
                                    wn_err *err);
/* Moves a threshold: problem.NAME and is_problem are judged again, not read. */
void table_threshold(struct table *t, uint32_t problem, double threshold);

/* The k-th column's name, NULL after the last: the built-in ones in the order of the exported
 * table, then extras. */
const char *table_column(const struct table *t, uint32_t k);

/* The run is an imported table, whose rows all count. */
void table_imported(struct table *t);

/* Defines the next metric of the user: a name for expressions of later ones. What is wrong is as of
 * table_query(), and then it is missing everywhere, and no name. */
WN_MUST_CHECK wn_status table_define(struct table *t, const char *name, const char *text,
                                     uint32_t fold, wn_err *err);
/* Forgets all but the first n. */
void table_cut_metrics(struct table *t, uint32_t n);
/* Asks for what a metric needs. */
void table_ask_metric(struct table *t, uint32_t metric);

/* ----------------------------------------------------------------------------- what is needed */

/* Forgets what was asked for. */
void table_ask_nothing(struct table *t);
void table_ask_column(struct table *t, uint32_t k);
/* Is a block of this column and kind of rows needed? Cost O(1). */
bool table_wants(const struct table *t, uint32_t part_kind, uint32_t column, uint32_t rows);
/* Are the groups of all chunks needed that do not end in them, or the parts of loops or regions? */
bool table_wants_groups(const struct table *t);
bool table_wants_part(const struct table *t, uint32_t part_kind);

/* ------------------------------------------------------------------------------------- parts */

/* Begins a part; ends the chunk before. */
void table_begin(struct table *t, const struct wn_grains_part *part);
/* A block of it, inflated. The bytes are the table's from here on (base/mem.h). WN_E_FORMAT: they
 * are not as many as its rows need. */
WN_MUST_CHECK wn_status table_put(struct table *t, const struct wn_grains_block *block,
                                  uint8_t *bytes, size_t n_bytes, wn_err *err);
/* Everything that was wanted is there. Of a chunk: its rows can be read now. Of loops, regions and
 * of groups: they are kept. */
WN_MUST_CHECK wn_status table_ready(struct table *t, wn_err *err);
/* All parts that table_wants_part() and table_wants_groups() asked for are there. */
void table_has_tables(struct table *t);
/* Grains of the chunk. */
uint32_t table_rows(const struct table *t);
/* The k-th column's value; NAN: missing. */
double table_value(const struct table *t, uint32_t k, uint32_t row);
/* The node of the tree that a grain is, and its row of the index's sites. */
uint32_t table_node(const struct table *t, uint32_t row);
uint32_t table_site(const struct table *t, uint32_t row);

/* ------------------------------------------------------------------------------------- queries */

struct table_item {
	double key;
	uint32_t chunk, row, node, site;
};

/* Grains for which `where` is true ("" = all) and whose site is wanted ([n_sites] flags, which are
 * copied; NULL = any), the first n_max of them by `by`, which is an expression, too ("" = in order
 * of the tree). What is equal is in order of the tree; what is missing comes last. Replaces the
 * query before, and asks for what it needs besides what was asked for. err->offset: the column that
 * is wrong, from 1; and *which is 0 for `where`, 1 for `by`. */
WN_MUST_CHECK wn_status table_query(struct table *t, const char *where, const char *by,
                                    bool is_descending, const uint8_t *wanted_sites,
                                    uint32_t n_sites, uint32_t n_max, int *which, wn_err *err);
/* Looks at the chunk that is here. `matches` (NULL: not wanted) receives [table_rows()] rows. */
void table_look(struct table *t, uint32_t *matches, uint32_t *n_matches);
/* How many are looked at, and how many of those match. */
uint64_t table_looked(const struct table *t);
uint64_t table_matching(const struct table *t);
/* The first of them, sorted; until the next call of a function on queries. */
const struct table_item *table_items(struct table *t, uint32_t *n);

/* ------------------------------------------------------------------------------------- metrics */

/* Values by the bits of a double: a bin for each quarter of a power of two. */
#define TABLE_BINS 8192u

struct table_metric {
	uint64_t n, n_missing, n_flagged, n_zero, n_negative;
	double sum, least, most;       /* of those that are not missing */
	uint32_t positive[TABLE_BINS]; /* values above 0: bits >> 50 */
};

/* The metric that is looked at: an expression; flagged is what lies beyond the threshold (NAN =
 * nothing). Asks as table_query() does. */
WN_MUST_CHECK wn_status table_metric(struct table *t, const char *text, bool is_below,
                                     double threshold, wn_err *err);
/* Looks at the chunk that is here. */
void table_measure(struct table *t);
const struct table_metric *table_measured(const struct table *t);

#endif /* WN_PAGE_TABLE_H */
