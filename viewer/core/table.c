/* SPDX-License-Identifier: MIT */
/* table.c - page/table.h, as the worker calls it: one table, numbers and places in memory. */
#include "page/table.h"

#include "base/mem.h"
#include "core.h"
#include "grains/column.h"

#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

/* One for what is asked by the shell, one for what pictures need, one for names (table.ts,
 * threshold.ts, names.ts). */
static struct table *tables[3];
static uint32_t used;

struct table *
core_table(void)
{
	return tables[used];
}
#define table tables[used]

static wn_err error;
static int which;
static uint32_t n_items, n_matches;

/* What was wrong, and with which of several texts. */
const char *EXPORT(core_table_why)(void);
uint32_t EXPORT(core_table_why_at)(void);
int EXPORT(core_table_why_which)(void);
/* Which of the tables is meant by all that follows. */
void EXPORT(core_table_use)(uint32_t k);
int EXPORT(core_table_new)(void);
void EXPORT(core_threshold_ask)(uint32_t is_of_pass);
int EXPORT(core_threshold_chunk)(uint32_t chunk, uint32_t is_of_pass);
int EXPORT(core_threshold_chunk_missing)(uint32_t chunk);
uint32_t EXPORT(core_metrics_cut)(uint32_t n);
int EXPORT(core_metric)(const char *name, const char *text, const char *fold, const char *bad);
void EXPORT(core_table_imported)(void);
void EXPORT(core_table_number)(uint32_t k, double value);
int EXPORT(core_table_problem)(const char *name, int is_below, double threshold);
void EXPORT(core_table_threshold)(uint32_t problem, double threshold);
int EXPORT(core_table_extra)(const char *name, const char *fold);
const char *EXPORT(core_table_column)(uint32_t k);
void EXPORT(core_table_ask_nothing)(void);
void EXPORT(core_table_ask)(uint32_t k);
int EXPORT(core_table_wants)(uint32_t part_kind, uint32_t column, uint32_t rows);
int EXPORT(core_table_wants_groups)(void);
int EXPORT(core_table_wants_part)(uint32_t part_kind);
void EXPORT(core_table_has_tables)(void);
void EXPORT(core_table_begin)(const uint8_t *part);
int EXPORT(core_table_put)(const uint8_t *block, uint8_t *bytes, uint32_t n_bytes);
int EXPORT(core_table_ready)(void);
void EXPORT(core_table_forget_part)(void);
void EXPORT(core_table_values)(uint32_t k, uint32_t from, uint32_t n, double *out);
double EXPORT(core_table_value)(uint32_t k, uint32_t row);
void EXPORT(core_table_nodes)(uint32_t *nodes, uint32_t *sites);
int EXPORT(core_table_query)(const char *where, const char *by, int is_descending,
                             const uint8_t *wanted_sites, uint32_t n_sites, uint32_t n_max);
uint32_t EXPORT(core_table_look)(uint32_t *matches);
double EXPORT(core_table_matching)(void);
const struct table_item *EXPORT(core_table_items)(void);
uint32_t EXPORT(core_table_n_items)(void);
int EXPORT(core_table_metric)(const char *text, int is_below, double threshold);
void EXPORT(core_table_measure)(void);
const struct table_metric *EXPORT(core_table_measured)(void);

wn_err *
core_failure(void)
{
	return &error;
}

const char *
core_table_why(void)
{
	return error.msg;
}

uint32_t
core_table_why_at(void)
{
	return error.offset == WN_NO_OFFSET ? 0 : (uint32_t)error.offset;
}

int
core_table_why_which(void)
{
	return which;
}

void
core_table_use(uint32_t k)
{
	used = k % 3;
}

void
core_threshold_ask(uint32_t is_of_pass)
{
	page_request_columns(core_page(), table, is_of_pass);
}

/* The chunk that the table has, to the page. */
int
core_threshold_chunk(uint32_t chunk, uint32_t is_of_pass)
{
	return is_of_pass ? page_threshold_chunk(core_page(), table, chunk, &error)
	                  : page_threshold_loaded_chunk(core_page(), table, chunk, &error);
}

int
core_threshold_chunk_missing(uint32_t chunk)
{
	return page_threshold_chunk_missing(core_page(), table, chunk, &error);
}

uint32_t
core_metrics_cut(uint32_t n)
{
	table_cut_metrics(table, n);
	return page_cut_metrics(core_page(), n);
}

/* It has its place even if something is wrong with it. Without a rule it is folded as bad says. */
int
core_metric(const char *name, const char *text, const char *fold, const char *bad)
{
	enum wn_bad side = WN_BAD_NONE;
	enum wn_fold rule = WN_FOLD_NONE;
	(void)wn_bad_named(bad, strlen(bad), &side);
	if (!wn_fold_named(fold, strlen(fold), &rule))
		rule = wn_fold_of_bad(side);
	wn_status st = table_define(table, name, text, rule, &error);
	return page_metric(core_page(), side == WN_BAD_LOW) ? st : WN_E_LIMIT;
}

void
core_table_imported(void)
{
	table_imported(table);
}

int
core_table_new(void)
{
	table_end(table);
	table = NULL;
	return table_new(&table, &error);
}

void
core_table_number(uint32_t k, double value)
{
	table_number(table, (enum table_number)k, value);
}

int
core_table_problem(const char *name, int is_below, double threshold)
{
	return table_problem(table, name, is_below, threshold, &error);
}

void
core_table_threshold(uint32_t problem, double threshold)
{
	table_threshold(table, problem, threshold);
}

int
core_table_extra(const char *name, const char *fold)
{
	return table_extra(table, name, fold, &error);
}

const char *
core_table_column(uint32_t k)
{
	return table_column(table, k);
}

void
core_table_ask_nothing(void)
{
	table_request_none(table);
}

void
core_table_ask(uint32_t k)
{
	table_request_column(table, k);
}

int
core_table_wants(uint32_t part_kind, uint32_t column, uint32_t rows)
{
	return table_needs(table, part_kind, column, rows);
}

int
core_table_wants_groups(void)
{
	return table_needs_groups(table);
}

int
core_table_wants_part(uint32_t part_kind)
{
	return table_needs_part(table, part_kind);
}

void
core_table_has_tables(void)
{
	table_has_tables(table);
}

void
core_table_begin(const uint8_t *bytes)
{
	struct wn_grains_part part;
	wn_grains_get_part(bytes, &part);
	table_begin(table, &part);
}

int
core_table_put(const uint8_t *bytes_of_block, uint8_t *bytes, uint32_t n_bytes)
{
	struct wn_grains_block block;
	wn_grains_get_block(bytes_of_block, &block);
	return table_put(table, &block, bytes, n_bytes, &error);
}

int
core_table_ready(void)
{
	return table_ready(table, &error);
}

void
core_table_forget_part(void)
{
	table_forget_part(table);
}

void
core_table_values(uint32_t k, uint32_t from, uint32_t n, double *out)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = table_value(table, k, from + i);
}

double
core_table_value(uint32_t k, uint32_t row)
{
	return table_value(table, k, row);
}

void
core_table_nodes(uint32_t *nodes, uint32_t *sites)
{
	for (uint32_t i = 0; i < table_rows(table); i++) {
		nodes[i] = table_node(table, i);
		sites[i] = table_site(table, i);
	}
}

int
core_table_query(const char *where, const char *by, int is_descending, const uint8_t *wanted_sites,
                 uint32_t n_sites, uint32_t n_max)
{
	return table_query(table, where, by, is_descending, wanted_sites, n_sites, n_max, &which,
	                   &error);
}

uint32_t
core_table_look(uint32_t *matches)
{
	table_match_rows(table, matches, &n_matches);
	return n_matches;
}

double
core_table_matching(void)
{
	return (double)table_matching(table);
}

const struct table_item *
core_table_items(void)
{
	return table_items(table, &n_items);
}

uint32_t
core_table_n_items(void)
{
	return n_items;
}

int
core_table_metric(const char *text, int is_below, double threshold)
{
	which = 0;
	return table_metric(table, text, is_below, threshold, &error);
}

void
core_table_measure(void)
{
	table_measure(table);
}

const struct table_metric *
core_table_measured(void)
{
	return table_measured(table);
}
