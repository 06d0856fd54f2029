/* SPDX-License-Identifier: MIT */
/* tokens.c - splits text into tokens, and formats error messages with positions and suggestions. */
#include "expr/nearest.h"
#include "expr/parser.h"

uint32_t
wn_expr_column(const char *text, size_t offset)
{
	uint32_t column = 1;
	for (size_t i = 0; i < offset; i++)
		column += ((unsigned char)text[i] & 0xc0) != 0x80;
	return column;
}

static void
append(struct wn_expr_error *error, const char *text, size_t n_bytes)
{
	size_t used = 0;
	while (error->why[used])
		used++;
	for (size_t i = 0; i < n_bytes && used + 1 < WN_EXPR_WHY_BYTES; i++)
		error->why[used++] = text[i];
	error->why[used] = '\0';
}

void
parser_append(struct parser *p, const char *text)
{
	size_t n = 0;
	while (text[n])
		n++;
	append(p->error, text, n);
}

bool
parser_complain(struct parser *p, size_t offset, const char *what)
{
	if (p->has_failed)
		return false;
	p->has_failed = true;
	p->error->column = wn_expr_column(p->text, offset);
	p->error->why[0] = '\0';
	parser_append(p, what);
	return false;
}

void
parser_append_quoted(struct parser *p, const char *text, size_t n_bytes)
{
	size_t shown = n_bytes > 40 ? 40 : n_bytes;
	parser_append(p, "'");
	append(p->error, text, shown);
	parser_append(p, shown < n_bytes ? "...'" : "'");
}

bool
parser_expected(struct parser *p, const char *what)
{
	const struct token *t = &p->token;
	if (p->has_failed)
		return false;
	parser_complain(p, t->begin, "expected ");
	parser_append(p, what);
	if (t->kind == T_END) {
		parser_append(p, ", found the end");
	} else {
		parser_append(p, ", found ");
		parser_append_quoted(p, p->text + t->begin, t->end - t->begin);
	}
	return false;
}

bool
parser_unknown(struct parser *p, const struct token *t, const char *what,
               const struct wn_expr_names *names)
{
	const char *name = p->text + t->begin;
	size_t n = t->end - t->begin;
	if (p->has_failed)
		return false;
	parser_complain(p, t->begin, what);
	parser_append_quoted(p, name, n);
	const char *similar =
	    names->list ? wn_nearest_word(names->list, names->user, name, n) : NULL;
	if (similar) {
		parser_append(p, "; did you mean '");
		parser_append(p, similar);
		parser_append(p, "'?");
	}
	return false;
}

/* --- tokens --- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

char
parser_at(const struct parser *p, size_t i)
{
	return i < p->n_bytes ? p->text[i] : '\0';
}

size_t
parser_skip_blanks(const struct parser *p, size_t i)
{
	while (is_blank(parser_at(p, i)))
		i++;
	return i;
}

bool
parser_is_word(const char *text, size_t n, const char *word)
{
	size_t i = 0;
	while (i < n && word[i] && text[i] == word[i])
		i++;
	return i == n && !word[i];
}

static bool
is_operator_word(const char *text, size_t n)
{
	return parser_is_word(text, n, "and") || parser_is_word(text, n, "or") ||
	       parser_is_word(text, n, "where");
}

/* Returns the end of the name at `i`: letters, digits, and points between them. */
static size_t
end_of_name(const struct parser *p, size_t i)
{
	while (is_letter(parser_at(p, i)) || is_digit(parser_at(p, i)) ||
	       (parser_at(p, i) == '.' && is_letter(parser_at(p, i + 1))))
		i++;
	return i;
}

/* Returns whether an operand begins at i. Then a % in front of it is the remainder operator, else
 * it means percent. */
static bool
is_operand_next(const struct parser *p, size_t i)
{
	i = parser_skip_blanks(p, i);
	if (is_letter(parser_at(p, i)))
		return !is_operator_word(p->text + i, end_of_name(p, i) - i);
	return is_digit(parser_at(p, i)) || parser_at(p, i) == '.' || parser_at(p, i) == '(';
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
	if (parser_at(p, end) == '%' && !is_operand_next(p, end + 1)) {
		t->number /= 100;
		t->end++;
		return true;
	}
	if (!is_letter(parser_at(p, end)))
		return true;
	while (is_letter(parser_at(p, end)) || is_digit(parser_at(p, end)))
		end++;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (parser_is_word(p->text + t->end, end - t->end, units[i].name)) {
			t->number *= units[i].factor;
			t->end = end;
			return true;
		}
	parser_complain(p, t->end, "unknown unit ");
	parser_append_quoted(p, p->text + t->end, end - t->end);
	parser_append(p, "; there are ns us ms s % k M G");
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
		return parser_complain(p, t->begin, "the number is too large");
	return true;
}

bool
parser_advance(struct parser *p)
{
	struct token *t = &p->token;
	size_t i = parser_skip_blanks(p, t->end);
	*t = (struct token){.begin = i, .end = i};
	char c = parser_at(p, i), next = parser_at(p, i + 1);
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
	/* keep multibyte characters whole */
	while (((unsigned char)parser_at(p, t->end) & 0xc0) == 0x80)
		t->end++;
	return true;
}

bool
parser_is_next(const struct parser *p, const char *text)
{
	const struct token *t = &p->token;
	return (t->kind == T_NAME || t->kind == T_SIGN) &&
	       parser_is_word(p->text + t->begin, t->end - t->begin, text);
}
