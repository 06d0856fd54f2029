/* SPDX-License-Identifier: MIT */
/* test_expr.c - what expressions mean, and what is said of those that mean nothing. */
#include "expr/expr.h"
#include "expr/private.h"

#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"a",       "b",           "nothing", "work_ns",
                                    "exec_ns", "run.threads", "kind"};
#define WORDS_N (sizeof words / sizeof *words)

static bool
find(const void *user, const char *name, size_t n, uint32_t *index)
{
	(void)user;
	for (uint32_t i = 0; i < WORDS_N; i++) {
		if (strlen(words[i]) != n || strncmp(words[i], name, n) != 0)
			continue;
		*index = i;
		return true;
	}
	return false;
}

static const char *
list(const void *user, size_t k)
{
	(void)user;
	return k < WORDS_N ? words[k] : NULL;
}

static const char *
word(const void *user, uint32_t index, size_t k, double *number)
{
	static const char *const kinds[] = {"task", "chunk", "a"};
	(void)user;
	*number = (double)k + 3;
	return index == 6 && k < 3 ? kinds[k] : NULL;
}

static const struct wn_expr_names names = {find, list, word, NULL};

static const double of_word[] = {7, -2, NAN, 1000, 1500, 4, 3};

static double
evaluate(const char *text, struct wn_expr_error *error)
{
	static struct wn_expr e;
	double values[WN_EXPR_NAMES_MAX];
	if (!wn_expr_parse(text, strlen(text), &names, NULL, &e, error))
		return -12345;
	for (unsigned i = 0; i < e.n_names; i++)
		values[i] = of_word[e.names[i]];
	return wn_expr_eval(&e, values, NULL);
}

static void
test_values(void)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
	    {"1", 1},
	    {"1.5e3", 1500},
	    {".5", 0.5},
	    {"2.", 2},
	    {"3us", 3000},
	    {"3ns + 2ms", 2000003},
	    {"1s", 1e9},
	    {"2k", 2000},
	    {"2M", 2e6},
	    {"2G", 2e9},
	    {"50%", 0.5},
	    {"50% + 1", 1.5},
	    {"50%and 1", 1},
	    {"10%4", 2},
	    {"10 % 4", 2},
	    {"10% (4)", 2},
	    {"10% - 4", -3.9},
	    {"10 % -4", 2},
	    {"-10 % 4", -2},
	    {"a % 50%", 0},
	    {"1 + 2 * 3", 7},
	    {"(1 + 2) * 3", 9},
	    {"8 / 4 / 2", 1},
	    {"8 - 4 - 2", 2},
	    {"2 ^ 3 ^ 2", 512},
	    {"-2 ^ 2", -4},
	    {"2 ^ -1", 0.5},
	    {"--3", 3},
	    {"+3", 3},
	    {"!0 == 1", 1},
	    {"not 0 == 1", 1},
	    {"not 1 == 1", 0},
	    {"!2", 0},
	    {"1 < 2 and 2 < 3", 1},
	    {"1 < 2 && 2 > 3 || 1", 1},
	    {"0 or 0", 0},
	    {"1 <= 1", 1},
	    {"1 >= 2", 0},
	    {"1 != 1", 0},
	    {"5 and 7", 1},
	    {"1 ? 2 : 3", 2},
	    {"0 ? 2 : 3", 3},
	    {"0 ? 1 : 0 ? 2 : 3", 3},
	    {"1 ? 0 ? 1 : 2 : 3", 2},
	    {"if(a > 0, 1, 2)", 1},
	    {"min(3, 1, 2)", 1},
	    {"max(3, 1, 4, 2)", 4},
	    {"abs(b)", 2},
	    {"sqrt(16)", 4},
	    {"log(1)", 0},
	    {"log2(1024)", 10},
	    {"exp(0)", 1},
	    {"floor(-1.5)", -2},
	    {"ceil(-1.5)", -1},
	    {"round(2.5)", 3},
	    {"round(-2.5)", -3},
	    {"round(0.49999999999999994)", 0},
	    {"isnan(nothing)", 1},
	    {"isnan(a)", 0},
	    {"coalesce(nothing, na, 5)", 5},
	    {"coalesce(a)", 7},
	    {"a", 7},
	    {"a*b", -14},
	    {"run.threads", 4},
	    {"kind == task", 1},
	    {"kind != chunk and a == 7", 1},
	    {"kind == a", 0},
	    {"kind == (a)", 0},
	    {"kind == a + 2", -12345},
	    {"kind == 3", 1},
	    {"kind == b + 5", 1},
	    {"exec_ns/work_ns", 1.5},
	    {"nothing", NAN},
	    {"na", NAN},
	    {"nothing + 1", NAN},
	    {"nothing < 1", NAN},
	    {"nothing == nothing", NAN},
	    {"not nothing", NAN},
	    {"nothing and 0", 0},
	    {"nothing and 1", NAN},
	    {"1 or nothing", 1},
	    {"0 or nothing", NAN},
	    {"nothing ? 1 : 2", NAN},
	    {"1 ? 2 : nothing", 2},
	    {"min(1, nothing)", NAN},
	    {"1 / 0", NAN},
	    {"0 / 0", NAN},
	    {"5 % 0", NAN},
	    {"sqrt(-1)", NAN},
	    {"log(0)", NAN},
	    {"exp(1000)", NAN},
	    {"exp(-1000)", 0},
	    {"1e300 * 1e300", NAN},
	    {"0 ^ -1", NAN},
	    {"0 ^ 0", 1},
	    {"(-8) ^ 0.5", NAN},
	    {"(-2) ^ 3", -8},
	    {"(-1) ^ 1e9", 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wn_expr_error error = {0, ""};
		double value = evaluate(cases[i].text, &error);
		bool is_right =
		    isnan(cases[i].value) ? isnan(value) : fabs(value - cases[i].value) < 1e-12;
		ok(is_right, "%s is %g", cases[i].text, value);
		if (error.column)
			note("%u: %s", (unsigned)error.column, error.why);
	}
}

static void
test_complaints(void)
{
	static const struct {
		const char *text;
		uint32_t column;
		const char *why;
	} cases[] = {
	    {"", 1, "expected a value, found the end"},
	    {"a +", 4, "expected a value, found the end"},
	    {"exec_ns / wrok_ns", 11, "unknown name 'wrok_ns'; did you mean 'work_ns'?"},
	    {"thing", 1, "unknown name 'thing'; did you mean 'nothing'?"},
	    {"task", 1, "unknown name 'task'"},
	    {"kind < task", 8, "unknown name 'task'"},
	    {"kind + 1 == task", 13, "unknown name 'task'"},
	    {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", 1,
	     "unknown name 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn...'"},
	    {"a b", 3, "expected an operator or the end, found 'b'"},
	    {"(a", 3, "expected an operator or ')', found the end"},
	    {"a)", 2, "expected an operator or the end, found ')'"},
	    {"a = 1", 3, "expected an operator, found '='; equality is =="},
	    {"1 < 2 < 3", 7, "comparisons do not chain; put 'and' between two"},
	    {"a ? 1", 6, "expected an operator or ':', found the end"},
	    {"12xs", 3, "unknown unit 'xs'; there are ns us ms s % k M G"},
	    {"1e999", 1, "the number is too large"},
	    {"sqr(4)", 1, "unknown function 'sqr'; did you mean 'sqrt'?"},
	    {"sqrt(1, 2)", 1, "'sqrt' takes one value"},
	    {"if(1, 2)", 1, "'if' takes three values"},
	    {"min(a)", 1, "'min' of one value is over all grains, which are not at hand here"},
	    {"sum(a)", 1, "'sum' is over all grains, which are not at hand here"},
	    {"a and", 6, "expected a value, found the end"},
	    {"and a", 1, "expected a value, found 'and'"},
	    {"a & b", 3, "expected an operator or the end, found '&'"},
	    {"\xc3\xa4 + x", 1, "expected a value, found '\xc3\xa4'"},
	    {"'\xc3\xa4\xc3\xb6", 1, "expected a value, found '''"},
	    {"a \xc3\xa4", 3, "expected an operator or the end, found '\xc3\xa4'"},
	    {"max(1, )", 8, "expected a value, found ')'"},
	    {"max(1 2)", 7, "expected ',', an operator or ')', found '2'"},
	    {"run.", 1, "unknown name 'run'; did you mean 'run.threads'?"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wn_expr_error error = {0, ""};
		evaluate(cases[i].text, &error);
		ok(error.column == cases[i].column && strcmp(error.why, cases[i].why) == 0,
		   "'%s': column %u: %s", cases[i].text, (unsigned)error.column, error.why);
	}
}

/* `n` times `open`, "a", n times `close`. */
static bool
is_accepted(const char *open, const char *close, unsigned n, char why[WN_EXPR_WHY_BYTES])
{
	static char text[8000];
	struct wn_expr_error error = {0, ""};
	text[0] = '\0';
	for (unsigned i = 0; i < n; i++)
		strcat(text, open);
	strcat(text, "a");
	for (unsigned i = 0; i < n; i++)
		strcat(text, close);
	evaluate(text, &error);
	memcpy(why, error.why, WN_EXPR_WHY_BYTES);
	return error.column == 0;
}

static void
test_limits(void)
{
	static const struct {
		const char *open, *close, *why;
		unsigned n;
	} cases[] = {
	    {"(", ")", "too deep", 100},       {"-", "", "too deep", 100},
	    {"not ", "", "too deep", 100},     {"1 ? ", " : 2", "too deep", 100},
	    {"2^", "", "too deep", 100},       {"abs(", ")", "too deep", 100},
	    {"0 ? 1 : ", "", "too deep", 100}, {"1 + (", ")", "too deep", 100},
	    {"", " + 1", "too long", 400},     {"", "                ", "too long", 400},
	};
	char why[WN_EXPR_WHY_BYTES];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ok(is_accepted(cases[i].open, cases[i].close, 20, why), "20 times '%s a%s'",
		   cases[i].open, cases[i].close);
		if (why[0])
			note("%s", why);
		ok(!is_accepted(cases[i].open, cases[i].close, cases[i].n, why) &&
		       strstr(why, cases[i].why),
		   "%u times: %s", cases[i].n, why);
	}
}

struct rows {
	double x[8];
	size_t n;
};

static double
row_value(const void *user, size_t row, uint32_t index)
{
	const struct rows *rows = user;
	return index == 0 ? rows->x[row] : (double)row;
}

static bool
row_has(const void *user, size_t row)
{
	(void)user;
	return row != 1;
}

static double
over(const char *text, const struct rows *rows)
{
	static struct wn_expr e;
	struct wn_expr_error error = {0, ""};
	double room[8], results[WN_EXPR_AGGREGATES_MAX], values[WN_EXPR_NAMES_MAX];
	struct wn_expr_table table = {rows->n, row_has, row_value, rows};
	if (!wn_expr_parse(text, strlen(text), &names, &names, &e, &error)) {
		note("%u: %s", (unsigned)error.column, error.why);
		return -12345;
	}
	for (unsigned i = 0; i < e.n_names; i++)
		values[i] = of_word[e.names[i]];
	wn_expr_aggregate(&e, &table, wn_expr_needs_room(&e) ? room : NULL, results);
	return wn_expr_eval(&e, values, results);
}

static void
test_aggregates(void)
{
	/* row 1 is not there; a is the number in the row, b the number of the row */
	static const struct rows some = {{5, 999, 1, NAN, 3, 3}, 6}, none = {{0, 999}, 2},
				 missing = {{NAN, 999, NAN}, 3}, empty = {{0}, 0};
	static const struct {
		const char *text;
		const struct rows *rows;
		double value;
	} cases[] = {
	    {"sum(a)", &some, 12},
	    {"mean(a)", &some, 3},
	    {"median(a)", &some, 3},
	    {"median(a where b != 5)", &some, 3},
	    {"median(a where b < 3)", &some, 3},
	    {"count(a > 2)", &some, 3},
	    {"count(1)", &some, 5},
	    {"min(a)", &some, 1},
	    {"max(a)", &some, 5},
	    {"p(50, a)", &some, 3},
	    {"p(0, a)", &some, 1},
	    {"p(75, a)", &some, 3},
	    {"p(76, a)", &some, 5},
	    {"p(100, a)", &some, 5},
	    {"sum(a where b >= 4)", &some, 6},
	    {"max(a where isnan(a))", &some, NAN},
	    {"sum(a where 0)", &some, 0},
	    {"mean(a where 0)", &some, NAN},
	    {"count(isnan(a))", &some, 1},
	    {"sum(a) / count(a) + a", &some, 10},
	    {"max(sum(a), max(b), 1)", &some, 12},
	    {"max(max(a, b))", &some, 5},
	    {"sum(max(a, b) where a)", &some, 16},
	    {"sum(a) > 11 and count(a == 3) == 2", &some, 1},
	    {"sum(a)", &none, 0},
	    {"sum(a)", &missing, NAN},
	    {"count(a > 0)", &missing, NAN},
	    {"count(isnan(a))", &missing, 2},
	    {"sum(a)", &empty, 0},
	    {"count(a)", &empty, 0},
	    {"median(a)", &empty, NAN},
	};
	struct wn_expr_error error;
	static struct wn_expr e;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double value = over(cases[i].text, cases[i].rows);
		ok(isnan(cases[i].value) ? isnan(value) : value == cases[i].value, "%s is %g",
		   cases[i].text, value);
	}
	ok(!wn_expr_parse("sum(sum(a))", 11, &names, &names, &e, &error) && error.column == 5 &&
	       strcmp(error.why, "an aggregate inside another") == 0,
	   "%s", error.why);
	ok(!wn_expr_parse("p(101, a)", 9, &names, &names, &e, &error) && error.column == 3, "%s",
	   error.why);
	ok(!wn_expr_parse("sum(a b)", 8, &names, &names, &e, &error) && error.column == 7, "%s",
	   error.why);
}

static void
test_conditions(void)
{
	static const char *const good[] = {"a < 1",     "not a", "a and b",    "isnan(a)",
	                                   "a ? 1 : 0", "!a",    "sum(a) > 1", "count(a > 1) == 2"};
	static const char *const bad[] = {"a", "a + 1", "-a", "count(a > 1)", "(a)", "max(a, b)"};
	static struct wn_expr e;
	struct wn_expr_error error;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ok(wn_expr_parse(good[i], strlen(good[i]), &names, &names, &e, &error) &&
		       wn_expr_is_condition(&e),
		   "'%s' is a condition", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(wn_expr_parse(bad[i], strlen(bad[i]), &names, &names, &e, &error) &&
		       !wn_expr_is_condition(&e),
		   "'%s' is none", bad[i]);
	ok(wn_expr_is_free_name("my_metric2", 10) && !wn_expr_is_free_name("2x", 2) &&
	       !wn_expr_is_free_name("min", 3) && !wn_expr_is_free_name("where", 5) &&
	       !wn_expr_is_free_name("a.b", 3) && !wn_expr_is_free_name("", 0),
	   "names that the user may give");
}

/* Units in the last place between two numbers. */
static double
ulps(double found, double expected)
{
	if (expected == found)
		return 0;
	return fabs(found - expected) / (nextafter(fabs(expected), INFINITY) - fabs(expected));
}

static void
test_arithmetic(void)
{
	double worst_log = 0, worst_log2 = 0, worst_exp = 0, worst_power = 0, worst_number = 0;
	unsigned n_remainders = 0, n_numbers = 0;
	srand48(1);
	for (int i = 0; i < 200000; i++) {
		double x = exp((drand48() - 0.5) * 1400), y = exp((drand48() - 0.5) * 30),
		       near = 0.5 + drand48() * 1.5, e = (drand48() - 0.5) * 1400,
		       z = (drand48() - 0.5) * 20;
		worst_log = fmax(worst_log, ulps(expr_log(x), log(x)));
		worst_log = fmax(worst_log, ulps(expr_log(near), log(near)));
		worst_log2 = fmax(worst_log2, ulps(expr_log2(x), log2(x)));
		worst_exp = fmax(worst_exp, ulps(expr_exp(e), exp(e)));
		worst_power = fmax(worst_power,
		                   ulps(expr_power(y, z), pow(y, z)) / (8 + 2 * fabs(z * log(y))));
		n_remainders += expr_remainder(e * x, y) != fmod(e * x, y);
		char text[40];
		double number = 0;
		snprintf(text, sizeof text, "%.*g", 1 + i % 15, y);
		size_t n = expr_number(text, strlen(text), &number);
		n_numbers += n != strlen(text) || number != strtod(text, NULL);
		snprintf(text, sizeof text, "%.17g", x);
		expr_number(text, strlen(text), &number);
		worst_number = fmax(worst_number, ulps(number, strtod(text, NULL)));
	}
	ok(worst_log < 2 && worst_log2 < 2.5 && worst_exp < 2,
	   "logarithms and powers of e: %.2f, %.2f, %.2f ulp", worst_log, worst_log2, worst_exp);
	ok(worst_power < 1, "powers: %.2f of what is allowed", worst_power);
	ok(n_remainders == 0, "remainders are exact");
	ok(expr_remainder(1, 4e-324) == fmod(1, 4e-324) &&
	       expr_remainder(1e-310, 3e-320) == fmod(1e-310, 3e-320),
	   "of tiny numbers too");
	ok(n_numbers == 0, "numbers of 15 digits are read exactly");
	ok(worst_number < 8, "others to %.2f ulp", worst_number);
}

static uint64_t state = 1, hash = 14695981039346656037u;

/* Any bits, as a number. */
static double
any_double(void)
{
	double x;
	state = state * 6364136223846793005u + 1442695040888963407u;
	uint64_t bits = state ^ state >> 29;
	memcpy(&x, &bits, sizeof x);
	return x;
}

static void
add_bits(double x)
{
	uint64_t bits = 7;
	if (!isnan(x))
		memcpy(&bits, &x, sizeof bits);
	hash = (hash ^ bits) * 1099511628211u;
}

/* Whoever compiles it, for whatever machine: a page in a browser must not tell other numbers than a
 * terminal. */
static void
test_bits(void)
{
	for (int i = 0; i < 100000; i++) {
		double x = any_double(), y = any_double(), z = (double)(state >> 40) / 1e4 - 800;
		if (!isfinite(x) || !isfinite(y))
			continue;
		add_bits(expr_log(x));
		add_bits(expr_log2(x));
		add_bits(expr_exp(z));
		add_bits(expr_power(fabs(z) + 0.1, z / 100));
		add_bits(expr_power(x, 3));
		add_bits(expr_round(z));
		if (i % 100 == 0)
			add_bits(expr_remainder(x, y));
	}
	ok(hash == UINT64_C(0x36a96170394fccd3), "the same bits everywhere: %016llx",
	   (unsigned long long)hash);
}

int
main(void)
{
	test_values();
	test_complaints();
	test_limits();
	test_aggregates();
	test_conditions();
	test_arithmetic();
	test_bits();
	return done();
}
