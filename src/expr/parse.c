/* SPDX-License-Identifier: MIT */
/*
 * parse.c - an expression's text to its program, in one pass: each rule below emits its operands
 * first. The rules, the loosest first:
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
 *
 * An aggregate's parts stand in the program behind its op, which steps over them.
 */
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

/* --- complaints --- */

static void
say(struct wn_expr_error *error, const char *text, size_t n_bytes)
{
	size_t used = 0;
	while (error->why[used])
		used++;
	for (size_t i = 0; i < n_bytes && used + 1 < WN_EXPR_WHY_BYTES; i++)
		error->why[used++] = text[i];
	error->why[used] = '\0';
}

static void
say_text(struct wn_expr_error *error, const char *text)
{
	size_t n = 0;
	while (text[n])
		n++;
	say(error, text, n);
}

/* The first complaint counts. False. */
static bool
complain_at(struct parser *p, size_t offset, const char *what)
{
	if (p->has_failed)
		return false;
	p->has_failed = true;
	p->error->column = wn_expr_column(p->text, offset);
	p->error->why[0] = '\0';
	say_text(p->error, what);
	return false;
}

static void
say_quoted(struct parser *p, const char *text, size_t n_bytes)
{
	size_t shown = n_bytes > 40 ? 40 : n_bytes;
	say_text(p->error, "'");
	say(p->error, text, shown);
	say_text(p->error, shown < n_bytes ? "...'" : "'");
}

/* "expected WHAT, found 'x'" */
static bool
expected(struct parser *p, const char *what)
{
	const struct token *t = &p->token;
	if (p->has_failed)
		return false;
	complain_at(p, t->begin, "expected ");
	say_text(p->error, what);
	if (t->kind == T_END) {
		say_text(p->error, ", found the end");
	} else {
		say_text(p->error, ", found ");
		say_quoted(p, p->text + t->begin, t->end - t->begin);
	}
	return false;
}

/* --- tokens --- */

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static char
at(const struct parser *p, size_t i)
{
	return i < p->n_bytes ? p->text[i] : '\0';
}

static bool
is_word(const char *text, size_t n, const char *word)
{
	size_t i = 0;
	while (i < n && word[i] && text[i] == word[i])
		i++;
	return i == n && !word[i];
}

static bool
is_operator_word(const char *text, size_t n)
{
	return is_word(text, n, "and") || is_word(text, n, "or") || is_word(text, n, "where");
}

/* Letters, digits, and points between them: the end of the name at `i`. */
static size_t
end_of_name(const struct parser *p, size_t i)
{
	while (is_letter(at(p, i)) || is_digit(at(p, i)) ||
	       (at(p, i) == '.' && is_letter(at(p, i + 1))))
		i++;
	return i;
}

/* Does a value begin at i? Then a % in front of it divides, else it means a hundredth. */
static bool
is_operand_next(const struct parser *p, size_t i)
{
	while (is_blank(at(p, i)))
		i++;
	if (is_letter(at(p, i)))
		return !is_operator_word(p->text + i, end_of_name(p, i) - i);
	return is_digit(at(p, i)) || at(p, i) == '.' || at(p, i) == '(';
}

static const struct unit {
	const char *name;
	double factor;
} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}};

static bool
take_unit(struct parser *p)
{
	struct token *t = &p->token;
	size_t end = t->end;
	if (at(p, end) == '%' && !is_operand_next(p, end + 1)) {
		t->number /= 100;
		t->end++;
		return true;
	}
	if (!is_letter(at(p, end)))
		return true;
	while (is_letter(at(p, end)) || is_digit(at(p, end)))
		end++;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (is_word(p->text + t->end, end - t->end, units[i].name)) {
			t->number *= units[i].factor;
			t->end = end;
			return true;
		}
	complain_at(p, t->end, "unknown unit ");
	say_quoted(p, p->text + t->end, end - t->end);
	say_text(p->error, "; there are ns us ms s % k M G");
	return false;
}

static bool
take_number(struct parser *p)
{
	struct token *t = &p->token;
	t->kind = T_NUMBER;
	t->end = t->begin + expr_number(p->text + t->begin, p->n_bytes - t->begin, &t->number);
	if (!take_unit(p))
		return false;
	if (is_missing(finite_or_missing(t->number)))
		return complain_at(p, t->begin, "the number is too large");
	return true;
}

static bool
advance(struct parser *p)
{
	struct token *t = &p->token;
	size_t i = t->end;
	while (is_blank(at(p, i)))
		i++;
	*t = (struct token){.begin = i, .end = i};
	char c = at(p, i), next = at(p, i + 1);
	if (i >= p->n_bytes)
		return true;
	if (is_digit(c) || (c == '.' && is_digit(next)))
		return take_number(p);
	if (is_letter(c)) {
		t->kind = T_NAME;
		t->end = end_of_name(p, i);
		return true;
	}
	bool is_double = ((c == '<' || c == '>' || c == '=' || c == '!') && next == '=') ||
	                 ((c == '&' || c == '|') && next == c);
	t->kind = T_SIGN;
	t->end = i + (is_double ? 2 : 1);
	/* a character of several bytes stays whole */
	while (((unsigned char)at(p, t->end) & 0xc0) == 0x80)
		t->end++;
	return true;
}

static bool
is_next(const struct parser *p, const char *text)
{
	const struct token *t = &p->token;
	return (t->kind == T_NAME || t->kind == T_SIGN) &&
	       is_word(p->text + t->begin, t->end - t->begin, text);
}

/* --- the program --- */

static bool
emit(struct parser *p, enum op op, unsigned arg)
{
	if (p->e->n_ops == WN_EXPR_OPS_MAX)
		return complain_at(p, p->token.begin, "the expression is too long");
	unsigned n_taken = op < OP_NEGATE ? 0 : op < OP_FIRST_OF_TWO ? 1 : op < OP_SELECT ? 2 : 3;
	p->top -= n_taken;
	if (++p->top > WN_EXPR_DEPTH_MAX)
		return complain_at(p, p->token.begin, "the expression is too deep");
	p->e->ops[p->e->n_ops++] = (struct wn_expr_op){(uint8_t)op, (uint8_t)arg};
	return true;
}

static bool
emit_number(struct parser *p, double number)
{
	struct wn_expr *e = p->e;
	unsigned k = 0;
	/* -0 and 0 are one number here; nothing tells them apart */
	while (k < e->n_numbers && !(e->numbers[k] == number) &&
	       !(is_missing(number) && is_missing(e->numbers[k])))
		k++;
	if (k == WN_EXPR_NUMBERS_MAX)
		return complain_at(p, p->token.begin, "too many different numbers");
	if (k == e->n_numbers)
		e->numbers[e->n_numbers++] = number;
	return emit(p, OP_NUMBER, k);
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
		return complain_at(p, p->token.begin, "too many different names");
	if (k == *n)
		names[(*n)++] = index;
	return emit(p, OP_NAME, k);
}

/* --- functions --- */

static const struct function {
	const char *name;
	enum op op;
	unsigned least, most; /* arguments; several are taken two at a time */
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
		if (is_word(name, n, functions[i].name))
			return &functions[i];
	return NULL;
}

static const struct aggregate_word *
find_aggregate(const char *name, size_t n)
{
	for (size_t i = 0; i < AGGREGATE_WORDS_N; i++)
		if (is_word(name, n, aggregate_words[i].name))
			return &aggregate_words[i];
	return NULL;
}

static bool
is_reserved(const char *name, size_t n)
{
	for (size_t i = 0; i < RESERVED_N; i++)
		if (is_word(name, n, reserved[i]))
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
	return !is_reserved(name, n) && !find_function(name, n) && !find_aggregate(name, n);
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

static bool
unknown(struct parser *p, const struct token *t, const char *what,
        const struct wn_expr_names *names)
{
	const char *name = p->text + t->begin;
	size_t n = t->end - t->begin;
	if (p->has_failed)
		return false;
	complain_at(p, t->begin, what);
	say_quoted(p, name, n);
	const char *similar = wn_expr_similar(names, name, n);
	if (similar) {
		say_text(p->error, "; did you mean '");
		say_text(p->error, similar);
		say_text(p->error, "'?");
	}
	return false;
}

/* --- the rules; each leaves one value on the stack --- */

static bool parse_choice(struct parser *p);

static bool
deeper(struct parser *p)
{
	if (++p->depth > 2 * WN_EXPR_DEPTH_MAX) /* two rules for each bracket */
		return complain_at(p, p->token.begin, "the expression is too deep");
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
	if (is_word(name, n, "na"))
		return emit_number(p, MISSING) && advance(p);
	if (is_reserved(name, n))
		return expected(p, "a value");
	if (n > WN_EXPR_NAME_MAX)
		return complain_at(p, t.begin, "the name is too long");
	if (names->find(names->user, name, n, &index))
		return emit_value(p, index) && advance(p);
	return unknown(p, &t, "unknown name ", names);
}

/* Is the call that begins at this '(' one of a single argument? */
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

/* p(95, X): the number. */
static bool
parse_percent(struct parser *p, struct wn_expr_aggregate *a)
{
	if (p->token.kind != T_NUMBER || !(p->token.number <= 100))
		return expected(p, "a number from 0 to 100");
	a->percent = p->token.number;
	if (!advance(p))
		return false;
	if (!is_next(p, ","))
		return expected(p, "','");
	return advance(p);
}

/* The brackets of an aggregate: X, or X where C. */
static bool
parse_parts(struct parser *p, struct wn_expr_aggregate *a)
{
	unsigned top = p->top;
	a->begin = p->e->n_ops;
	p->top = 0;
	if (!parse_choice(p))
		return false;
	a->where = p->e->n_ops;
	if (is_next(p, "where")) {
		p->top = 0;
		if (!advance(p) || !parse_choice(p))
			return false;
	}
	a->end = p->e->n_ops;
	p->top = top;
	if (!is_next(p, ")"))
		return expected(p, a->where == a->end ? "'where', an operator or ')'"
		                                      : "an operator or ')'");
	return true;
}

static bool
parse_aggregate(struct parser *p, const struct token *name, const struct aggregate_word *word)
{
	struct wn_expr *e = p->e;
	struct wn_expr_aggregate a = {.kind = (uint8_t)word->kind};
	if (!p->rows) {
		complain_at(p, name->begin, "");
		say_quoted(p, p->text + name->begin, name->end - name->begin);
		say_text(p->error, " is over all grains, which are not at hand here");
		return false;
	}
	if (p->in_aggregate)
		return complain_at(p, name->begin, "an aggregate inside another");
	if (e->n_aggregates == WN_EXPR_AGGREGATES_MAX)
		return complain_at(p, name->begin, "too many aggregates");
	unsigned k = e->n_aggregates++;
	if (!emit(p, OP_AGGREGATE, k))
		return false;
	p->in_aggregate = true;
	if (!advance(p) || (word->kind == WN_EXPR_PERCENTILE && !parse_percent(p, &a)) ||
	    !parse_parts(p, &a))
		return false;
	p->in_aggregate = false;
	a.text_begin = (uint16_t)name->begin;
	a.text_end = (uint16_t)p->token.end;
	e->aggregates[k] = a;
	return advance(p);
}

static bool
wrong_number(struct parser *p, const struct token *name, const char *what)
{
	if (p->has_failed)
		return false;
	complain_at(p, name->begin, "");
	say_quoted(p, p->text + name->begin, name->end - name->begin);
	say_text(p->error, what);
	return false;
}

static bool
parse_arguments(struct parser *p, const struct token *name, const struct function *f)
{
	unsigned n = 0;
	do {
		if (!advance(p) || !parse_choice(p))
			return false;
		if (++n > f->most)
			return wrong_number(p, name,
			                    f->most == 1   ? " takes one value"
			                    : f->most == 3 ? " takes three values"
			                                   : " takes up to 100 values");
		if (n > 1 && f->op >= OP_FIRST_OF_TWO && f->op != OP_SELECT && !emit(p, f->op, 0))
			return false;
	} while (is_next(p, ","));
	if (!is_next(p, ")"))
		return expected(p, "',', an operator or ')'");
	if (n < f->least)
		return wrong_number(p, name,
		                    f->least == 3 ? " takes three values"
		                                  : " of one value is over all grains, which are "
		                                    "not at hand here");
	if ((f->op < OP_FIRST_OF_TWO || f->op == OP_SELECT) && !emit(p, f->op, 0))
		return false;
	return advance(p);
}

/* NAME ( ... */
static bool
parse_call(struct parser *p, const struct token *name)
{
	static const struct wn_expr_names words = {.list = list_function};
	const char *text = p->text + name->begin;
	size_t n = name->end - name->begin;
	const struct aggregate_word *aggregate = find_aggregate(text, n);
	const struct function *function = find_function(text, n);
	/* min and max are both: of one value, or of several */
	if (aggregate && function && (!p->rows || !has_one_argument(p)))
		aggregate = NULL;
	if (aggregate)
		return parse_aggregate(p, name, aggregate);
	if (function)
		return parse_arguments(p, name, function);
	return unknown(p, name, "unknown function ", &words);
}

/* Is there a '(' right behind the name that comes next? */
static bool
is_call(const struct parser *p)
{
	size_t i = p->token.end;
	while (is_blank(at(p, i)))
		i++;
	return at(p, i) == '(' &&
	       !is_reserved(p->text + p->token.begin, p->token.end - p->token.begin);
}

static bool
parse_atom(struct parser *p)
{
	const struct token t = p->token;
	if (t.kind == T_NUMBER)
		return emit_number(p, t.number) && advance(p);
	if (t.kind == T_NAME && is_call(p))
		return advance(p) && parse_call(p, &t);
	if (t.kind == T_NAME)
		return parse_name(p);
	if (!is_next(p, "("))
		return expected(p, "a value");
	if (!advance(p) || !parse_choice(p))
		return false;
	if (!is_next(p, ")"))
		return expected(p, "an operator or ')'");
	return advance(p);
}

static bool parse_sign(struct parser *p);

static bool
parse_power(struct parser *p)
{
	if (!parse_atom(p))
		return false;
	if (!is_next(p, "^"))
		return true;
	return advance(p) && parse_sign(p) && emit(p, OP_POWER, 0);
}

static bool
parse_sign(struct parser *p)
{
	bool is_good;
	if (!deeper(p))
		return false;
	if (is_next(p, "-"))
		is_good = advance(p) && parse_sign(p) && emit(p, OP_NEGATE, 0);
	else if (is_next(p, "!"))
		is_good = advance(p) && parse_sign(p) && emit(p, OP_NOT, 0);
	else if (is_next(p, "+"))
		is_good = advance(p) && parse_sign(p);
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

/* The operator of a list that comes next, or NULL. */
static const struct operator* find_operator(const struct parser *p, const struct operator* list)
{
	for (; list->text; list++)
		if (is_next(p, list->text))
			return list;
	return NULL;
}

/* Operands with operators of one rank between them, from the left. */
static bool
parse_left(struct parser *p, const struct operator* list, bool (*operand)(struct parser *p))
{
	const struct operator* found;
	if (!operand(p))
		return false;
	while ((found = find_operator(p, list)))
		if (!advance(p) || !operand(p) || !emit(p, found->op, 0))
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

/* A word of the value that was just put on the stack, alone: kind == task. */
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
		if (is_word(p->text + t->begin, t->end - t->begin, word))
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
	if (!advance(p))
		return false;
	bool is_equality = found->op == OP_EQUAL || found->op == OP_NOT_EQUAL;
	if (is_equality && find_word(p, n_ops, &number)) {
		if (!emit_number(p, number) || !advance(p))
			return false;
	} else if (!parse_sum(p)) {
		return false;
	}
	if (!emit(p, found->op, 0))
		return false;
	if (find_operator(p, list))
		return complain_at(p, p->token.begin,
		                   "comparisons do not chain; put 'and' between two");
	return true;
}

static bool
parse_not(struct parser *p)
{
	bool is_good;
	if (!is_next(p, "not"))
		return parse_compare(p);
	if (!deeper(p))
		return false;
	is_good = advance(p) && parse_not(p) && emit(p, OP_NOT, 0);
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

static bool
parse_choice(struct parser *p)
{
	if (!deeper(p) || !parse_or(p))
		return false;
	if (is_next(p, "?")) {
		if (!advance(p) || !parse_choice(p))
			return false;
		if (!is_next(p, ":"))
			return expected(p, "an operator or ':'");
		if (!advance(p) || !parse_choice(p) || !emit(p, OP_SELECT, 0))
			return false;
	}
	p->depth--;
	return true;
}

static bool
parse_all(struct parser *p)
{
	if (p->n_bytes > WN_EXPR_TEXT_MAX)
		return complain_at(p, WN_EXPR_TEXT_MAX, "the expression is too long");
	if (!advance(p) || !parse_choice(p))
		return false;
	if (p->token.kind == T_END)
		return true;
	if (is_next(p, "="))
		return complain_at(p, p->token.begin,
		                   "expected an operator, found '='; equality is ==");
	return expected(p, "an operator or the end");
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
