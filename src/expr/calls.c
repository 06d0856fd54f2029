/* SPDX-License-Identifier: MIT */
/* calls.c - parses function calls and aggregates. The parts of an aggregate follow its op in the
 * program. */
#include "expr/parser.h"

static const struct function {
	const char *name;
	enum op op;
	unsigned least, most; /* number of arguments; more than two are reduced pairwise */
} functions[] = {
    {"min", OP_MIN, 2, 100},
    {"max", OP_MAX, 2, 100},
    {"abs", OP_ABS, 1, 1},
    {"sqrt", OP_SQRT, 1, 1},
    {"log", OP_LOG, 1, 1},
    {"log2", OP_LOG2, 1, 1},
    {"exp", OP_EXP, 1, 1},
    {"floor", OP_FLOOR, 1, 1},
    {"ceil", OP_CEIL, 1, 1},
    {"round", OP_ROUND, 1, 1},
    {"if", OP_SELECT, 3, 3},
    {"isnan", OP_ISNAN, 1, 1},
    {"coalesce", OP_COALESCE, 1, 100},
};
#define FUNCTIONS_N (sizeof functions / sizeof *functions)

static const struct aggregate_word {
	const char *name;
	enum wn_expr_aggregate_kind kind;
} aggregate_words[] = {
    {"sum", WN_EXPR_SUM},     {"mean", WN_EXPR_MEAN},    {"median", WN_EXPR_MEDIAN},
    {"count", WN_EXPR_COUNT}, {"p", WN_EXPR_PERCENTILE}, {"min", WN_EXPR_LEAST},
    {"max", WN_EXPR_MOST},
};
#define AGGREGATE_WORDS_N (sizeof aggregate_words / sizeof *aggregate_words)

static const char *const reserved[] = {"and", "or", "not", "na", "where"};
#define RESERVED_N (sizeof reserved / sizeof *reserved)

static const struct function *
find_function(const char *name, size_t n)
{
	for (size_t i = 0; i < FUNCTIONS_N; i++)
		if (parser_is_word(name, n, functions[i].name))
			return &functions[i];
	return NULL;
}

static const struct aggregate_word *
find_aggregate(const char *name, size_t n)
{
	for (size_t i = 0; i < AGGREGATE_WORDS_N; i++)
		if (parser_is_word(name, n, aggregate_words[i].name))
			return &aggregate_words[i];
	return NULL;
}

bool
parser_is_reserved(const char *name, size_t n)
{
	for (size_t i = 0; i < RESERVED_N; i++)
		if (parser_is_word(name, n, reserved[i]))
			return true;
	return false;
}

bool
wn_expr_is_free_name(const char *name, size_t n)
{
	if (n == 0 || n > WN_EXPR_NAME_MAX || !is_letter(name[0]))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!is_letter(name[i]) && !is_digit(name[i]))
			return false;
	return !parser_is_reserved(name, n) && !find_function(name, n) && !find_aggregate(name, n);
}

static const char *
list_function(const void *user, size_t k)
{
	(void)user;
	if (k < FUNCTIONS_N)
		return functions[k].name;
	k -= FUNCTIONS_N;
	return k < AGGREGATE_WORDS_N ? aggregate_words[k].name : NULL;
}

/* Returns whether the call that begins at this '(' has a single argument. */
static bool
has_one_argument(const struct parser *p)
{
	unsigned depth = 0;
	for (size_t i = p->token.begin; i < p->n_bytes; i++) {
		char c = p->text[i];
		depth += c == '(';
		if (c == ')' && --depth == 0)
			return true;
		if (c == ',' && depth == 1)
			return false;
	}
	return true;
}

/* p(95, X): parses the number. */
static bool
parse_percent(struct parser *p, struct wn_expr_aggregate *a)
{
	if (p->token.kind != T_NUMBER || !(p->token.number <= 100))
		return parser_expected(p, "a number from 0 to 100");
	a->percent = p->token.number;
	if (!parser_advance(p))
		return false;
	if (!parser_is_next(p, ","))
		return parser_expected(p, "','");
	return parser_advance(p);
}

/* Parses the brackets of an aggregate: X, or X where C. */
static bool
parse_parts(struct parser *p, struct wn_expr_aggregate *a)
{
	unsigned top = p->top;
	a->begin = p->e->n_ops;
	p->top = 0;
	if (!parser_choice(p))
		return false;
	a->where = p->e->n_ops;
	if (parser_is_next(p, "where")) {
		p->top = 0;
		if (!parser_advance(p) || !parser_choice(p))
			return false;
	}
	a->end = p->e->n_ops;
	p->top = top;
	if (!parser_is_next(p, ")"))
		return parser_expected(p, a->where == a->end ? "'where', an operator or ')'"
		                                             : "an operator or ')'");
	return true;
}

static bool
parse_aggregate(struct parser *p, const struct token *name, const struct aggregate_word *word)
{
	struct wn_expr *e = p->e;
	struct wn_expr_aggregate a = {.kind = (uint8_t)word->kind};
	if (!p->rows) {
		parser_complain(p, name->begin, "");
		parser_append_quoted(p, p->text + name->begin, name->end - name->begin);
		parser_append(p, " is over all grains, which are not at hand here");
		return false;
	}
	if (p->in_aggregate)
		return parser_complain(p, name->begin, "an aggregate inside another");
	if (e->n_aggregates == WN_EXPR_AGGREGATES_MAX)
		return parser_complain(p, name->begin, "too many aggregates");
	unsigned k = e->n_aggregates++;
	if (!parser_emit(p, OP_AGGREGATE, k))
		return false;
	p->in_aggregate = true;
	if (!parser_advance(p) || (word->kind == WN_EXPR_PERCENTILE && !parse_percent(p, &a)) ||
	    !parse_parts(p, &a))
		return false;
	p->in_aggregate = false;
	a.text_begin = (uint16_t)name->begin;
	a.text_end = (uint16_t)p->token.end;
	e->aggregates[k] = a;
	return parser_advance(p);
}

static bool
wrong_number(struct parser *p, const struct token *name, const char *what)
{
	if (p->has_failed)
		return false;
	parser_complain(p, name->begin, "");
	parser_append_quoted(p, p->text + name->begin, name->end - name->begin);
	parser_append(p, what);
	return false;
}

static bool
parse_arguments(struct parser *p, const struct token *name, const struct function *f)
{
	unsigned n = 0;
	do {
		if (!parser_advance(p) || !parser_choice(p))
			return false;
		if (++n > f->most)
			return wrong_number(p, name,
			                    f->most == 1   ? " takes one value"
			                    : f->most == 3 ? " takes three values"
			                                   : " takes up to 100 values");
		if (n > 1 && f->op >= OP_FIRST_OF_TWO && f->op != OP_SELECT &&
		    !parser_emit(p, f->op, 0))
			return false;
	} while (parser_is_next(p, ","));
	if (!parser_is_next(p, ")"))
		return parser_expected(p, "',', an operator or ')'");
	if (n < f->least)
		return wrong_number(p, name,
		                    f->least == 3 ? " takes three values"
		                                  : " of one value is over all grains, which are "
		                                    "not at hand here");
	if ((f->op < OP_FIRST_OF_TWO || f->op == OP_SELECT) && !parser_emit(p, f->op, 0))
		return false;
	return parser_advance(p);
}

/* NAME ( ... */
bool
parser_call(struct parser *p, const struct token *name)
{
	static const struct wn_expr_names words = {.list = list_function};
	const char *text = p->text + name->begin;
	size_t n = name->end - name->begin;
	const struct aggregate_word *aggregate = find_aggregate(text, n);
	const struct function *function = find_function(text, n);
	/* min and max are functions of several values, and aggregates of one */
	if (aggregate && function && (!p->rows || !has_one_argument(p)))
		aggregate = NULL;
	if (aggregate)
		return parse_aggregate(p, name, aggregate);
	if (function)
		return parse_arguments(p, name, function);
	return parser_unknown(p, name, "unknown function ", &words);
}
