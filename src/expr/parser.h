/* SPDX-License-Identifier: MIT */
/*
 * parser.h - declarations shared by the files of the parser. Private to this folder.
 *
 *   tokens.c   text to tokens; complaints
 *   calls.c    functions and aggregates
 *   parse.c    the rules, and the program that they emit
 *
 * Functions that return bool return false after an error; the first error is kept.
 */
#pragma once

#include "expr/private.h"

enum token_kind {
	T_END = 0,
	T_NUMBER,
	T_NAME,
	T_SIGN /* up to two characters */
};

struct token {
	enum token_kind kind;
	size_t begin, end;
	double number;
};

struct parser {
	const char *text;
	size_t n_bytes;
	const struct wn_expr_names *names, *rows;
	struct wn_expr *e;
	struct wn_expr_error *error;
	struct token token; /* the next one */
	unsigned depth;     /* of nested rules */
	unsigned top;       /* stack depth after the program so far has run */
	bool in_aggregate;
	bool has_failed;
};

/* --- tokens.c --- */

/* Starts an error message for the text at `offset`; callers may append to it. Returns false. */
bool parser_complain(struct parser *p, size_t offset, const char *what);
void parser_append(struct parser *p, const char *text);
void parser_append_quoted(struct parser *p, const char *text, size_t n_bytes);
/* Reports "expected WHAT, found 'x'". Returns false. */
bool parser_expected(struct parser *p, const char *what);
/* Reports WHAT and the token, with the closest spelling in `names`. Returns false. */
bool parser_unknown(struct parser *p, const struct token *t, const char *what,
                    const struct wn_expr_names *names);

/* The character at i, NUL after the end. */
char parser_at(const struct parser *p, size_t i);
/* Reads the next token. */
bool parser_advance(struct parser *p);
/* Returns whether the next token is this word or sign. */
bool parser_is_next(const struct parser *p, const char *text);
bool parser_is_word(const char *text, size_t n, const char *word);
/* Returns the position after blanks from i on. */
size_t parser_skip_blanks(const struct parser *p, size_t i);

/* --- parse.c --- */

/* Appends an op to the program. */
bool parser_emit(struct parser *p, enum op op, unsigned arg);
/* Parses the rule of lowest precedence: anything allowed between brackets. */
bool parser_choice(struct parser *p);

/* --- calls.c --- */

/* Parses a call: a name followed by '(', which is the next token. */
bool parser_call(struct parser *p, const struct token *name);
/* Returns whether a name is a reserved word. */
bool parser_is_reserved(const char *name, size_t n);
