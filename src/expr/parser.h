/* SPDX-License-Identifier: MIT */
/*
 * parser.h - what the parts of the parser share. Private to this folder.
 *
 *   tokens.c   text to tokens; complaints
 *   calls.c    functions and aggregates
 *   parse.c    the rules, and the program that they emit
 *
 * What returns bool is false after a complaint; the first one counts.
 */
#ifndef WN_EXPR_PARSER_H
#define WN_EXPR_PARSER_H

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
	unsigned depth;     /* of rules inside rules */
	unsigned top;       /* of the stack, when the program so far has run */
	bool in_aggregate;
	bool has_failed;
};

/* --- tokens.c --- */

/* Starts a complaint about what is at `offset`; more may be said. False. */
bool parser_complain(struct parser *p, size_t offset, const char *what);
void parser_say(struct parser *p, const char *text);
void parser_say_quoted(struct parser *p, const char *text, size_t n_bytes);
/* "expected WHAT, found 'x'". False. */
bool parser_expected(struct parser *p, const char *what);
/* WHAT and the token, and which of `names` was meant perhaps. False. */
bool parser_unknown(struct parser *p, const struct token *t, const char *what,
                    const struct wn_expr_names *names);

/* The character at i, NUL after the end. */
char parser_at(const struct parser *p, size_t i);
/* Goes on to the next token. */
bool parser_advance(struct parser *p);
/* Is it this word or sign? */
bool parser_is_next(const struct parser *p, const char *text);
bool parser_is_word(const char *text, size_t n, const char *word);
/* Past blanks from i on. */
size_t parser_skip_blanks(const struct parser *p, size_t i);

/* --- parse.c --- */

/* Adds to the program. */
bool parser_emit(struct parser *p, enum op op, unsigned arg);
/* The loosest rule: all that may stand between brackets. */
bool parser_choice(struct parser *p);

/* --- calls.c --- */

/* A name that is followed by '(', which is the next token. */
bool parser_call(struct parser *p, const struct token *name);
/* Is it a word that stands for no value? */
bool parser_is_reserved(const char *name, size_t n);

#endif /* WN_EXPR_PARSER_H */
