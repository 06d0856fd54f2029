/* SPDX-License-Identifier: MIT */
/* private.h - the ops of a program, and arithmetic that needs no C library. Private to this
 * folder. */
#pragma once

#include "expr/expr.h"

#define MISSING __builtin_nan("")

/* Each op pops its operands from the stack and pushes its result. */
enum op {
	OP_NUMBER = 1, /* arg: which of numbers */
	OP_NAME,       /* arg: which of the values */
	OP_AGGREGATE,  /* arg: which; the program continues after its parts */
	OP_NEGATE,
	OP_NOT,
	OP_ABS,
	OP_SQRT,
	OP_LOG,
	OP_LOG2,
	OP_EXP,
	OP_FLOOR,
	OP_CEIL,
	OP_ROUND,
	OP_ISNAN,
	OP_FIRST_OF_TWO, /* ops from here on take two operands */
	OP_ADD = OP_FIRST_OF_TWO,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_REMAINDER,
	OP_POWER,
	OP_LESS,
	OP_AT_MOST,
	OP_MORE,
	OP_AT_LEAST,
	OP_EQUAL,
	OP_NOT_EQUAL,
	OP_AND,
	OP_OR,
	OP_MIN,
	OP_MAX,
	OP_COALESCE,
	OP_SELECT /* takes three operands */
};

static inline bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
is_missing(double x)
{
	return __builtin_isnan(x);
}

/* A finite number, or missing. */
static inline double
finite_or_missing(double x)
{
	return __builtin_isfinite(x) ? x : MISSING;
}

/* For finite operands; the result is missing or infinite where it is not finite. Error within 2
 * units in the last place, powers within 8 + 2 |y log x|. The same bits on every platform. */
double expr_log(double x);
double expr_log2(double x);
double expr_exp(double x);
double expr_power(double x, double y);
double expr_remainder(double x, double y); /* exact; the sign is that of x */
double expr_round(double x);               /* halves away from 0 */

/* Reads an unsigned decimal number at text[0, n): digits, a point, an exponent. Returns its
 * length, or 0 if there is none; *out is infinite on overflow. Numbers of up to 15 digits and
 * exponents up to 22 are correctly rounded. */
size_t expr_number(const char *text, size_t n, double *out);
