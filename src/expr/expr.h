/* SPDX-License-Identifier: MIT */
/*
 * expr.h - a small expression language: a text is compiled to a flat program, which is evaluated
 * over a row of values. Syntax and semantics: doc/metrics.md, "Expressions".
 *
 * A value is a finite number or missing (NAN). Operations on a missing value are missing,
 * including comparisons; so are results that are not finite (1 / 0). Nonzero means true; `0 and X`
 * is 0 and `1 or X` is 1 whatever X is.
 *
 * This folder needs no C library: it is also compiled for web pages, and gives the same bits
 * there. It does not allocate, and only the parser recurses, to a bounded depth.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WN_EXPR_TEXT_MAX       2000u /* bytes */
#define WN_EXPR_DEPTH_MAX      48u   /* of brackets, and of the stack */
#define WN_EXPR_OPS_MAX        512u
#define WN_EXPR_NUMBERS_MAX    128u /* distinct numbers */
#define WN_EXPR_NAMES_MAX      64u  /* distinct names */
#define WN_EXPR_AGGREGATES_MAX 16u
#define WN_EXPR_WHY_BYTES      200u
#define WN_EXPR_NAME_MAX       96u /* bytes */

/* How names are resolved. */
struct wn_expr_names {
	/* Finds the caller's index of a name; false if there is no such value. */
	bool (*find)(const void *user, const char *name, size_t n_bytes, uint32_t *index);
	/* The k-th name, NULL after the last, for spelling suggestions. May be NULL. */
	const char *(*list)(const void *user, size_t k);
	/* The k-th word that a value may be compared with by == and !=, and the number it stands
	 * for; NULL after the last. May be NULL: no words. Such words have no meaning elsewhere. */
	const char *(*word)(const void *user, uint32_t index, size_t k, double *number);
	const void *user;
};

struct wn_expr_error {
	uint32_t column; /* in the text, from 1, in characters */
	char why[WN_EXPR_WHY_BYTES];
};

enum wn_expr_aggregate_kind {
	WN_EXPR_SUM = 0,
	WN_EXPR_MEAN,
	WN_EXPR_MEDIAN,
	WN_EXPR_COUNT,
	WN_EXPR_PERCENTILE,
	WN_EXPR_LEAST,
	WN_EXPR_MOST
};

/* sum(X where C) and the like: X and C are programs over the rows of a table. */
struct wn_expr_aggregate {
	uint8_t kind;
	double percent; /* of WN_EXPR_PERCENTILE: 0 to 100 */
	uint16_t begin, where,
	    end; /* ops [begin, where) are X, [where, end) are C if there is one */
	uint16_t text_begin, text_end; /* its place in the text, for messages */
};

struct wn_expr_op {
	uint8_t code;
	uint8_t arg;
};

struct wn_expr {
	uint16_t n_ops, n_numbers, n_names, n_row_names, n_aggregates;
	struct wn_expr_op ops[WN_EXPR_OPS_MAX];
	double numbers[WN_EXPR_NUMBERS_MAX];
	uint32_t names[WN_EXPR_NAMES_MAX];     /* the caller's index of each value */
	uint32_t row_names[WN_EXPR_NAMES_MAX]; /* the same, inside aggregates */
	struct wn_expr_aggregate aggregates[WN_EXPR_AGGREGATES_MAX];
};

/**
 * Parses an expression.
 *
 * @param text   [n_bytes]; need not end with a NUL.
 * @param names  resolves values and words.
 * @param rows   the same inside aggregates; NULL: aggregates are not allowed.
 * @param out    written only on success; keeps no reference to the text.
 * @return false on an error; `error` holds the column and the message.
 *
 * Cost     O(n_bytes * names).
 * Threads  pure.
 * Oracle   tests/property/prop_expr.c
 */
bool wn_expr_parse(const char *text, size_t n_bytes, const struct wn_expr_names *names,
                   const struct wn_expr_names *rows, struct wn_expr *out,
                   struct wn_expr_error *error);

/**
 * Evaluates an expression.
 *
 * @param values      [e->n_names] values[k] is the value of e->names[k].
 * @param aggregates  [e->n_aggregates] from wn_expr_aggregate(); NULL if there are none.
 * @return a finite number, or NAN: missing.
 *
 * Cost     O(ops). Allocates nothing.
 * Threads  pure.
 */
double wn_expr_eval(const struct wn_expr *e, const double *values, const double *aggregates);

/* The rows that aggregates run over. */
struct wn_expr_table {
	size_t n_rows;
	bool (*has)(const void *user, size_t row); /* false for rows to leave out; NULL: use all */
	double (*value)(const void *user, size_t row, uint32_t index);
	const void *user;
};

/* Returns whether an aggregate sorts; then wn_expr_aggregate() needs room for one number per row.
 */
bool wn_expr_needs_room(const struct wn_expr *e);

/**
 * Computes all aggregates of an expression. Missing values are ignored; without any other, the
 * aggregate is missing (except that sum and count of no rows are 0). The median of an even number
 * of values is the mean of the middle two; a percentile is the smallest value such that at least
 * that share of the values does not exceed it.
 *
 * @param room  [table->n_rows] overwritten; NULL if wn_expr_needs_room() is false.
 * @param out   [e->n_aggregates]
 *
 * Cost     O(rows * ops), on average. Allocates nothing.
 * Threads  pure.
 */
void wn_expr_aggregate(const struct wn_expr *e, const struct wn_expr_table *table, double *room,
                       double *out);

/* Returns whether the outermost operation is a comparison or logical: the result is 0, 1 or
 * missing. */
bool wn_expr_is_condition(const struct wn_expr *e);

/* Returns whether users may choose this name: letters, digits and _, and no word of the language.
 */
bool wn_expr_is_free_name(const char *name, size_t n_bytes);

/* Returns the column of text[offset], from 1, counted in UTF-8 characters. */
uint32_t wn_expr_column(const char *text, size_t offset);
