/* SPDX-License-Identifier: MIT */
/*
 * expr.h - a small language of numbers: a text becomes a flat program, which is evaluated over a
 * row of values. What can be written, and what it means: doc/metrics.md, "Expressions".
 *
 * A value is a finite number or missing (NAN). What is computed from something missing is missing,
 * comparisons too; so is what is no finite number (1 / 0). Truth is what is not 0; `0 and X` is 0
 * and `1 or X` is 1 whatever X is.
 *
 * This folder needs no C library: it is also compiled for web pages, and gives the same bits there.
 * Nothing is allocated and nothing recurses but the parser, whose depth is bounded.
 */
#ifndef WN_EXPR_EXPR_H
#define WN_EXPR_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WN_EXPR_TEXT_MAX       2000u /* bytes */
#define WN_EXPR_DEPTH_MAX      48u   /* of brackets, and of the stack */
#define WN_EXPR_OPS_MAX        512u
#define WN_EXPR_NUMBERS_MAX    128u /* different ones */
#define WN_EXPR_NAMES_MAX      64u  /* different ones */
#define WN_EXPR_AGGREGATES_MAX 16u
#define WN_EXPR_WHY_BYTES      200u
#define WN_EXPR_NAME_MAX       96u /* bytes */

/* What names mean. */
struct wn_expr_names {
	/* The caller's number for a value; false: there is none of this name. */
	bool (*find)(const void *user, const char *name, size_t n_bytes, uint32_t *index);
	/* The k-th name, NULL after the last: what may have been meant. Or NULL. */
	const char *(*list)(const void *user, size_t k);
	/* The k-th word that a value may be compared with by == and !=, and the number it stands
	 * for; NULL after the last. Or NULL: there are none. Such words are nothing elsewhere. */
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

/* sum(X where C) and so on: X and C are programs over the rows of a table. */
struct wn_expr_aggregate {
	uint8_t kind;
	double percent; /* of WN_EXPR_PERCENTILE: 0 to 100 */
	uint16_t begin, where,
	    end; /* ops [begin, where) are X, [where, end) are C if there is one */
	uint16_t text_begin, text_end; /* where it is in the text, for messages */
};

struct wn_expr_op {
	uint8_t code;
	uint8_t arg;
};

struct wn_expr {
	uint16_t n_ops, n_numbers, n_names, n_row_names, n_aggregates;
	struct wn_expr_op ops[WN_EXPR_OPS_MAX];
	double numbers[WN_EXPR_NUMBERS_MAX];
	uint32_t names[WN_EXPR_NAMES_MAX];     /* what the values are, by the caller's index */
	uint32_t row_names[WN_EXPR_NAMES_MAX]; /* the same, inside aggregates */
	struct wn_expr_aggregate aggregates[WN_EXPR_AGGREGATES_MAX];
};

/**
 * Reads an expression.
 *
 * @param text   [n_bytes]; need not end with a NUL.
 * @param names  of values and words.
 * @param rows   the same inside aggregates; NULL: there are no aggregates here.
 * @param out    written only on success; refers to nothing.
 * @return false: `error` says where and why.
 *
 * Cost     O(n_bytes * names).
 * Threads  pure.
 * Oracle   tests/property/prop_expr.c
 */
bool wn_expr_parse(const char *text, size_t n_bytes, const struct wn_expr_names *names,
                   const struct wn_expr_names *rows, struct wn_expr *out,
                   struct wn_expr_error *error);

/**
 * Evaluates it.
 *
 * @param values      [e->n_names] values[k] is that of e->names[k].
 * @param aggregates  [e->n_aggregates] from wn_expr_aggregate(); NULL if there are none.
 * @return a finite number, or NAN: missing.
 *
 * Cost     O(ops). Allocates nothing.
 * Threads  pure.
 */
double wn_expr_eval(const struct wn_expr *e, const double *values, const double *aggregates);

/* The rows that aggregates are over. */
struct wn_expr_table {
	size_t n_rows;
	bool (*has)(const void *user, size_t row); /* rows to leave out; NULL: none */
	double (*value)(const void *user, size_t row, uint32_t index);
	const void *user;
};

/* Does an aggregate sort? Then wn_expr_aggregate() needs room for a number per row. */
bool wn_expr_needs_room(const struct wn_expr *e);

/**
 * Computes all aggregates of an expression. Missing values do not count; with no other, an
 * aggregate is missing itself (but the sum and count of no rows is 0). The median of an even number
 * of values is the mean of the two in the middle; a percentile is a value that occurs, the least
 * one with so many percent of the values not above it.
 *
 * @param room  [table->n_rows] overwritten; NULL if wn_expr_needs_room() is false.
 * @param out   [e->n_aggregates]
 *
 * Cost     O(rows * ops), on average. Allocates nothing.
 * Threads  pure.
 */
void wn_expr_aggregate(const struct wn_expr *e, const struct wn_expr_table *table, double *room,
                       double *out);

/* True if it compares or decides: what comes out is 0, 1 or missing. */
bool wn_expr_is_condition(const struct wn_expr *e);

/* True if the words of the language leave this name free for the user: letters, digits and _. */
bool wn_expr_is_free_name(const char *name, size_t n_bytes);

/* Column of text[offset], from 1: as people count, in characters of UTF-8. */
uint32_t wn_expr_column(const char *text, size_t offset);

/* The one of `names` that is written nearly like `name`, or NULL. */
const char *wn_expr_similar(const struct wn_expr_names *names, const char *name, size_t n_bytes);

#endif /* WN_EXPR_EXPR_H */
