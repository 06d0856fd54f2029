/* SPDX-License-Identifier: MIT */
/*
 * parse.c - compiles an expression in one pass: each rule below emits its operands first. The
 * rules, lowest precedence first:
 *
 *     choice   condition ? choice : choice
 *     or       or ||
 *     and      and &&
 *     not      not
 *     compare  < <= > >= == !=                do not chain
 *     sum      + -
 *     product  * / %
 *     sign     - + !
 *     power    ^                              2^-1 and 2^3^2 = 2^9
 *     atom     number, name, na, f(...), (...)
 */
#include "expr/parser.h"

/* --- the program --- */

bool
parser_emit(struct parser *p, enum op op, unsigned arg)
{
	if (p->e->n_ops == WN_EXPR_OPS_MAX)
		return parser_complain(p, p->token.begin, "the expression is too long");
	unsigned n_taken = op < OP_NEGATE ? 0 : op < OP_FIRST_OF_TWO ? 1 : op < OP_SELECT ? 2 : 3;
	p->top -= n_taken;
	if (++p->top > WN_EXPR_DEPTH_MAX)
		return parser_complain(p, p->token.begin, "the expression is too deep");
	p->e->ops[p->e->n_ops++] = (struct wn_expr_op){(uint8_t)op, (uint8_t)arg};
	return true;
}

static bool
emit_number(struct parser *p, double number)
{
	struct wn_expr *e = p->e;
	unsigned k = 0;
	/* -0 and 0 share one constant; no operation distinguishes them */
	while (k < e->n_numbers && !(e->numbers[k] == number) &&
	       !(is_missing(number) && is_missing(e->numbers[k])))
		k++;
	if (k == WN_EXPR_NUMBERS_MAX)
		return parser_complain(p, p->token.begin, "too many different numbers");
	if (k == e->n_numbers)
		e->numbers[e->n_numbers++] = number;
	return parser_emit(p, OP_NUMBER, k);
}

static bool
emit_value(struct parser *p, uint32_t index)
{
	uint32_t *names = p->in_aggregate ? p->e->row_names : p->e->names;
	uint16_t *n = p->in_aggregate ? &p->e->n_row_names : &p->e->n_names;
	unsigned k = 0;
	while (k < *n && names[k] != index)
		k++;
	if (k == WN_EXPR_NAMES_MAX)
		return parser_complain(p, p->token.begin, "too many different names");
	if (k == *n)
		names[(*n)++] = index;
	return parser_emit(p, OP_NAME, k);
}

/* --- the rules; each leaves one value on the stack --- */

static bool
deeper(struct parser *p)
{
	if (++p->depth > 2 * WN_EXPR_DEPTH_MAX) /* two rules per bracket */
		return parser_complain(p, p->token.begin, "the expression is too deep");
	return true;
}

static bool
parse_name(struct parser *p)
{
	const struct token t = p->token;
	const struct wn_expr_names *names = p->in_aggregate ? p->rows : p->names;
	const char *name = p->text + t.begin;
	size_t n = t.end - t.begin;
	uint32_t index = 0;
	if (parser_is_word(name, n, "na"))
		return emit_number(p, MISSING) && parser_advance(p);
	if (parser_is_reserved(name, n))
		return parser_expected(p, "a value");
	if (n > WN_EXPR_NAME_MAX)
		return parser_complain(p, t.begin, "the name is too long");
	if (names->find(names->user, name, n, &index))
		return emit_value(p, index) && parser_advance(p);
	return parser_unknown(p, &t, "unknown name ", names);
}

/* Returns whether a '(' directly follows the next name. */
static bool
is_call(const struct parser *p)
{
	size_t i = parser_skip_blanks(p, p->token.end);
	return parser_at(p, i) == '(' &&
	       !parser_is_reserved(p->text + p->token.begin, p->token.end - p->token.begin);
}

static bool
parse_atom(struct parser *p)
{
	const struct token t = p->token;
	if (t.kind == T_NUMBER)
		return emit_number(p, t.number) && parser_advance(p);
	if (t.kind == T_NAME && is_call(p))
		return parser_advance(p) && parser_call(p, &t);
	if (t.kind == T_NAME)
		return parse_name(p);
	if (!parser_is_next(p, "("))
		return parser_expected(p, "a value");
	if (!parser_advance(p) || !parser_choice(p))
		return false;
	if (!parser_is_next(p, ")"))
		return parser_expected(p, "an operator or ')'");
	return parser_advance(p);
}

static bool parse_sign(struct parser *p);

static bool
parse_power(struct parser *p)
{
	if (!parse_atom(p))
		return false;
	if (!parser_is_next(p, "^"))
		return true;
	return parser_advance(p) && parse_sign(p) && parser_emit(p, OP_POWER, 0);
}

static bool
parse_sign(struct parser *p)
{
	bool is_good;
	if (!deeper(p))
		return false;
	if (parser_is_next(p, "-"))
		is_good = parser_advance(p) && parse_sign(p) && parser_emit(p, OP_NEGATE, 0);
	else if (parser_is_next(p, "!"))
		is_good = parser_advance(p) && parse_sign(p) && parser_emit(p, OP_NOT, 0);
	else if (parser_is_next(p, "+"))
		is_good = parser_advance(p) && parse_sign(p);
	else
		is_good = parse_power(p);
	p->depth--;
	return is_good;
}

struct operator
{
	const char *text;
	enum op op;
};

/* Returns the entry of a list that matches the next operator, or NULL. */
static const struct operator* find_operator(const struct parser *p, const struct operator* list)
{
	for (; list->text; list++)
		if (parser_is_next(p, list->text))
			return list;
	return NULL;
}

/* Parses left-associative operators of equal precedence. */
static bool
parse_left(struct parser *p, const struct operator* list, bool (*operand)(struct parser *p))
{
	const struct operator* found;
	if (!operand(p))
		return false;
	while ((found = find_operator(p, list)))
		if (!parser_advance(p) || !operand(p) || !parser_emit(p, found->op, 0))
			return false;
	return true;
}

static bool
parse_product(struct parser *p)
{
	static const struct operator list[] = {
	    {"*", OP_MULTIPLY}, {"/", OP_DIVIDE}, {"%", OP_REMAINDER}, {NULL, 0}};
	return parse_left(p, list, parse_sign);
}

static bool
parse_sum(struct parser *p)
{
	static const struct operator list[] = {{"+", OP_ADD}, {"-", OP_SUBTRACT}, {NULL, 0}};
	return parse_left(p, list, parse_product);
}

/* Parses a word that belongs to the value just pushed, as in kind == task. */
static bool
find_word(struct parser *p, unsigned n_ops, double *number)
{
	const struct wn_expr *e = p->e;
	const struct wn_expr_names *names = p->in_aggregate ? p->rows : p->names;
	const struct wn_expr_op *op = &e->ops[n_ops];
	const struct token *t = &p->token;
	const char *word;
	if (!names->word || t->kind != T_NAME || e->n_ops != n_ops + 1 || op->code != OP_NAME)
		return false;
	uint32_t index = p->in_aggregate ? e->row_names[op->arg] : e->names[op->arg];
	for (size_t k = 0; (word = names->word(names->user, index, k, number)); k++)
		if (parser_is_word(p->text + t->begin, t->end - t->begin, word))
			return true;
	return false;
}

static bool
parse_compare(struct parser *p)
{
	static const struct operator list[] = {
	    {"<", OP_LESS},   {"<=", OP_AT_MOST},   {">", OP_MORE}, {">=", OP_AT_LEAST},
	    {"==", OP_EQUAL}, {"!=", OP_NOT_EQUAL}, {NULL, 0}};
	unsigned n_ops = p->e->n_ops;
	double number;
	if (!parse_sum(p))
		return false;
	const struct operator* found = find_operator(p, list);
	if (!found)
		return true;
	if (!parser_advance(p))
		return false;
	bool is_equality = found->op == OP_EQUAL || found->op == OP_NOT_EQUAL;
	if (is_equality && find_word(p, n_ops, &number)) {
		if (!emit_number(p, number) || !parser_advance(p))
			return false;
	} else if (!parse_sum(p)) {
		return false;
	}
	if (!parser_emit(p, found->op, 0))
		return false;
	if (find_operator(p, list))
		return parser_complain(p, p->token.begin,
		                       "comparisons do not chain; put 'and' between two");
	return true;
}

static bool
parse_not(struct parser *p)
{
	bool is_good;
	if (!parser_is_next(p, "not"))
		return parse_compare(p);
	if (!deeper(p))
		return false;
	is_good = parser_advance(p) && parse_not(p) && parser_emit(p, OP_NOT, 0);
	p->depth--;
	return is_good;
}

static bool
parse_and(struct parser *p)
{
	static const struct operator list[] = {{"and", OP_AND}, {"&&", OP_AND}, {NULL, 0}};
	return parse_left(p, list, parse_not);
}

static bool
parse_or(struct parser *p)
{
	static const struct operator list[] = {{"or", OP_OR}, {"||", OP_OR}, {NULL, 0}};
	return parse_left(p, list, parse_and);
}

bool
parser_choice(struct parser *p)
{
	if (!deeper(p) || !parse_or(p))
		return false;
	if (parser_is_next(p, "?")) {
		if (!parser_advance(p) || !parser_choice(p))
			return false;
		if (!parser_is_next(p, ":"))
			return parser_expected(p, "an operator or ':'");
		if (!parser_advance(p) || !parser_choice(p) || !parser_emit(p, OP_SELECT, 0))
			return false;
	}
	p->depth--;
	return true;
}

static bool
parse_all(struct parser *p)
{
	if (p->n_bytes > WN_EXPR_TEXT_MAX)
		return parser_complain(p, WN_EXPR_TEXT_MAX, "the expression is too long");
	if (!parser_advance(p) || !parser_choice(p))
		return false;
	if (p->token.kind == T_END)
		return true;
	if (parser_is_next(p, "="))
		return parser_complain(p, p->token.begin,
		                       "expected an operator, found '='; equality is ==");
	return parser_expected(p, "an operator or the end");
}

bool
wn_expr_parse(const char *text, size_t n_bytes, const struct wn_expr_names *names,
              const struct wn_expr_names *rows, struct wn_expr *out, struct wn_expr_error *error)
{
	struct wn_expr e = {0};
	struct parser p = {.text = text,
	                   .n_bytes = n_bytes,
	                   .names = names,
	                   .rows = rows,
	                   .e = &e,
	                   .error = error};
	if (!parse_all(&p))
		return false;
	*out = e;
	return true;
}
