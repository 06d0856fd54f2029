/* SPDX-License-Identifier: MIT */
/*
 * prop_expr.c - random expressions, written down in random ways, against a slow evaluator that
 * walks their trees. What functions of numbers give is test_expr.c's matter; here they are the same
 * on both sides, so that the results must be equal to the bit.
 *
 *     WN_SEED=n  only that expression;  WN_SEEDS=n so many
 */
#include "expr/expr.h"
#include "expr/private.h"

#include "seeds.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NODES_MAX 200
#define ROWS_MAX  12

enum rank { CHOICE = 0, OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER, ATOM };

struct node {
	const char *text; /* operator, function, number or name */
	enum rank rank;
	double number;
	int children[3], n_children;
	int name;     /* of a value, else -1 */
	bool is_call; /* f(...) */
	bool is_over_rows;
};

struct random {
	uint64_t state;
};

static struct random rng;
static struct node nodes[NODES_MAX];
static int n_nodes;

static unsigned
pick(unsigned n)
{
	rng.state = rng.state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(rng.state >> 33) % n;
}

static const char *const names_list[] = {"work_ns", "exec_ns", "kind", "leaf", "x.y", "_q2"};
#define NAMES_N 6

static bool
find(const void *user, const char *name, size_t n, uint32_t *index)
{
	(void)user;
	for (uint32_t i = 0; i < NAMES_N; i++)
		if (strlen(names_list[i]) == n && memcmp(names_list[i], name, n) == 0) {
			*index = 100 + i;
			return true;
		}
	return false;
}

/* --- making trees --- */

static const struct {
	const char *text;
	double number;
} numbers[] = {
    {"0", 0},      {"1", 1},      {"2", 2},      {"3", 3},      {"7.5", 7.5},
    {".25", 0.25}, {"1e3", 1000}, {"2us", 2000}, {"4k", 4000},  {"1.5ms", 1.5e6},
    {"50%", 0.5},  {"na", NAN},   {"11", 11},    {"1E-2", .01}, {"10000000000", 1e10},
    {"200%", 2},
};
#define NUMBERS_N (sizeof numbers / sizeof *numbers)

static const struct {
	const char *text;
	enum rank rank;
	int n_children;
	bool is_call;
} operators[] = {
    {"or", OR, 2, 0},         {"||", OR, 2, 0},      {"and", AND, 2, 0},    {"&&", AND, 2, 0},
    {"not", NOT, 1, 0},       {"<", COMPARE, 2, 0},  {"<=", COMPARE, 2, 0}, {">", COMPARE, 2, 0},
    {">=", COMPARE, 2, 0},    {"==", COMPARE, 2, 0}, {"!=", COMPARE, 2, 0}, {"+", SUM, 2, 0},
    {"-", SUM, 2, 0},         {"+", SUM, 2, 0},      {"-", SUM, 2, 0},      {"*", PRODUCT, 2, 0},
    {"/", PRODUCT, 2, 0},     {"%", PRODUCT, 2, 0},  {"*", PRODUCT, 2, 0},  {"-", SIGN, 1, 0},
    {"!", SIGN, 1, 0},        {"+", SIGN, 1, 0},     {"^", POWER, 2, 0},    {"?", CHOICE, 3, 0},
    {"min", ATOM, 3, 1},      {"max", ATOM, 2, 1},   {"abs", ATOM, 1, 1},   {"sqrt", ATOM, 1, 1},
    {"log", ATOM, 1, 1},      {"log2", ATOM, 1, 1},  {"exp", ATOM, 1, 1},   {"floor", ATOM, 1, 1},
    {"ceil", ATOM, 1, 1},     {"round", ATOM, 1, 1}, {"if", ATOM, 3, 1},    {"isnan", ATOM, 1, 1},
    {"coalesce", ATOM, 3, 1},
};
#define OPERATORS_N (sizeof operators / sizeof *operators)

static const char *const aggregates[] = {"sum", "mean", "median", "count", "p", "min", "max"};

static int
make(int depth, bool may_aggregate)
{
	int n = n_nodes++;
	struct node *node = &nodes[n];
	*node = (struct node){.name = -1, .rank = ATOM};
	if (may_aggregate && pick(6) == 0) {
		node->text = aggregates[pick(7)];
		node->is_over_rows = true;
		node->n_children = 1 + (int)pick(2);
		node->number = pick(101); /* percent */
		for (int k = 0; k < node->n_children; k++)
			nodes[n].children[k] = make(depth < 2 ? depth : 2, false);
		return n;
	}
	if (depth == 0 || n_nodes > NODES_MAX - 60 || pick(7) == 0) {
		if (pick(2)) {
			node->name = (int)pick(NAMES_N);
			node->text = names_list[node->name];
		} else {
			unsigned k = pick(NUMBERS_N);
			node->text = numbers[k].text;
			node->number = numbers[k].number;
		}
		return n;
	}
	unsigned k = pick(OPERATORS_N);
	node->text = operators[k].text;
	node->rank = operators[k].rank;
	node->is_call = operators[k].is_call;
	node->n_children = operators[k].n_children;
	for (int i = 0; i < operators[k].n_children; i++)
		nodes[n].children[i] = make(depth - 1, may_aggregate);
	return n;
}

/* --- writing them down --- */

static char text[20000];
static size_t n_text;

static void
put(const char *what)
{
	size_t n = strlen(what);
	if (n_text + n + 1 < sizeof text)
		memcpy(text + n_text, what, n + 1);
	n_text += n;
}

static void
blanks(void)
{
	static const char *const some[] = {"", " ", "  ", "\t", ""};
	put(some[pick(5)]);
}

static void write_node(int n, enum rank least);

static void
write_list(const struct node *node)
{
	for (int k = 0; k < node->n_children; k++) {
		if (k)
			put(",");
		blanks();
		write_node(node->children[k], CHOICE);
		blanks();
	}
}

static void
write_bare(const struct node *node)
{
	char number[20];
	if (node->is_over_rows) {
		put(node->text);
		put("(");
		snprintf(number, sizeof number, "%g,", node->number);
		if (strcmp(node->text, "p") == 0)
			put(number);
		blanks();
		write_node(node->children[0], CHOICE);
		if (node->n_children == 2) {
			put(" where ");
			write_node(node->children[1], CHOICE);
		}
		put(")");
	} else if (node->is_call) {
		put(node->text);
		blanks();
		put("(");
		write_list(node);
		put(")");
	} else if (node->n_children == 0) {
		put(node->text);
	} else if (node->n_children == 1) {
		put(node->text);
		put(node->rank == NOT ? " " : "");
		blanks();
		write_node(node->children[0], node->rank);
	} else if (node->n_children == 3) {
		write_node(node->children[0], OR);
		put(" ? ");
		write_node(node->children[1], CHOICE);
		put(pick(2) ? " : " : ":");
		write_node(node->children[2], CHOICE);
	} else {
		/* a % right behind a number would be a hundredth */
		bool is_apart = node->rank <= AND || node->text[0] == '%' || pick(2);
		enum rank left = node->rank == POWER     ? ATOM
		                 : node->rank == COMPARE ? SUM
		                                         : node->rank;
		write_node(node->children[0], left);
		put(is_apart ? " " : "");
		put(node->text);
		put(is_apart ? " " : "");
		write_node(node->children[1], node->rank == POWER ? SIGN : node->rank + 1);
	}
}

static void
write_node(int n, enum rank least)
{
	bool is_bracketed = nodes[n].rank < least || pick(12) == 0;
	if (is_bracketed) {
		put("(");
		blanks();
	}
	write_bare(&nodes[n]);
	if (is_bracketed) {
		blanks();
		put(")");
	}
}

/* --- the slow way --- */

static double row_values[ROWS_MAX][NAMES_N];
static bool row_is[ROWS_MAX];
static double outer[NAMES_N];
static int n_rows;

static double walk(int n, const double *values);

static double
finite_or_nan(double x)
{
	return isfinite(x) ? x : (double)NAN;
}

static int
by_number(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static double
walk_over_rows(const struct node *node)
{
	double found[ROWS_MAX], sum = 0;
	int n_found = 0, n_chosen = 0, n_true = 0;
	for (int row = 0; row < n_rows; row++) {
		if (!row_is[row])
			continue;
		double is = node->n_children == 2 ? walk(node->children[1], row_values[row]) : 1;
		if (isnan(is) || is == 0)
			continue;
		double x = walk(node->children[0], row_values[row]);
		n_chosen++;
		if (isnan(x))
			continue;
		found[n_found++] = x;
		sum += x;
		n_true += x != 0;
	}
	if (strcmp(node->text, "count") == 0)
		return n_chosen && !n_found ? (double)NAN : n_true;
	if (strcmp(node->text, "sum") == 0 && n_chosen == 0)
		return 0;
	if (n_found == 0)
		return NAN;
	qsort(found, (size_t)n_found, sizeof *found, by_number);
	if (strcmp(node->text, "sum") == 0)
		return finite_or_nan(sum);
	if (strcmp(node->text, "mean") == 0)
		return finite_or_nan(sum / n_found);
	if (strcmp(node->text, "min") == 0)
		return found[0];
	if (strcmp(node->text, "max") == 0)
		return found[n_found - 1];
	if (strcmp(node->text, "median") == 0) {
		double low = found[(n_found - 1) / 2], high = found[n_found / 2];
		return finite_or_nan(low + (high - low) / 2);
	}
	int k = 0; /* the first with so many percent at or below it */
	while (k + 1 < n_found && (double)(k + 1) < node->number / 100 * n_found)
		k++;
	return found[k];
}

static double
walk_call(const struct node *node, const double *x)
{
	const char *f = node->text;
	if (strcmp(f, "isnan") == 0)
		return isnan(x[0]);
	if (strcmp(f, "coalesce") == 0)
		return !isnan(x[0]) ? x[0] : !isnan(x[1]) ? x[1] : x[2];
	if (strcmp(f, "if") == 0)
		return isnan(x[0]) ? (double)NAN : x[0] != 0 ? x[1] : x[2];
	for (int k = 0; k < node->n_children; k++)
		if (isnan(x[k]))
			return NAN;
	if (strcmp(f, "min") == 0)
		return x[0] <= x[1] && x[0] <= x[2] ? x[0] : x[1] <= x[2] ? x[1] : x[2];
	if (strcmp(f, "max") == 0)
		return x[0] >= x[1] ? x[0] : x[1];
	if (strcmp(f, "abs") == 0)
		return fabs(x[0]);
	if (strcmp(f, "sqrt") == 0)
		return finite_or_nan(sqrt(x[0]));
	if (strcmp(f, "log") == 0)
		return expr_log(x[0]);
	if (strcmp(f, "log2") == 0)
		return expr_log2(x[0]);
	if (strcmp(f, "exp") == 0)
		return finite_or_nan(expr_exp(x[0]));
	if (strcmp(f, "floor") == 0)
		return floor(x[0]);
	if (strcmp(f, "ceil") == 0)
		return ceil(x[0]);
	if (strcmp(f, "round") == 0)
		return round(x[0]);
	abort();
}

static double
walk_two(const char *op, double x, double y)
{
	bool is_x = !isnan(x) && x != 0, is_y = !isnan(y) && y != 0;
	if (strcmp(op, "and") == 0 || strcmp(op, "&&") == 0)
		return is_x && is_y ? 1 : x == 0 || y == 0 ? 0 : (double)NAN;
	if (strcmp(op, "or") == 0 || strcmp(op, "||") == 0)
		return is_x || is_y ? 1 : x == 0 && y == 0 ? 0 : (double)NAN;
	if (isnan(x) || isnan(y))
		return NAN;
	if (strcmp(op, "<=") == 0)
		return x <= y;
	if (strcmp(op, ">=") == 0)
		return x >= y;
	if (strcmp(op, "==") == 0)
		return x == y;
	if (strcmp(op, "!=") == 0)
		return x != y;
	switch (op[0]) {
	case '<':
		return x < y;
	case '>':
		return x > y;
	case '+':
		return finite_or_nan(x + y);
	case '-':
		return finite_or_nan(x - y);
	case '*':
		return finite_or_nan(x * y);
	case '/':
		return finite_or_nan(x / y);
	case '%':
		return finite_or_nan(fmod(x, y));
	case '^':
		return finite_or_nan(expr_power(x, y));
	default:
		abort();
	}
}

static double
walk(int n, const double *values)
{
	const struct node *node = &nodes[n];
	double x[3] = {0, 0, 0};
	if (node->is_over_rows)
		return walk_over_rows(node);
	if (node->n_children == 0)
		return node->name >= 0 ? finite_or_nan(values[node->name]) : node->number;
	for (int k = 0; k < node->n_children; k++)
		x[k] = walk(node->children[k], values);
	if (node->is_call)
		return walk_call(node, x);
	if (node->n_children == 3)
		return isnan(x[0]) ? (double)NAN : x[0] != 0 ? x[1] : x[2];
	if (node->n_children == 2)
		return walk_two(node->text, x[0], x[1]);
	if (isnan(x[0]))
		return NAN;
	return node->text[0] == '-' ? -x[0] : node->text[0] == '+' ? x[0] : x[0] == 0;
}

/* --- both --- */

static double
random_value(void)
{
	static const double some[] = {0,  1,    -1,    2,    0.5, NAN,  INFINITY, 1e300,
	                              10, 1000, 12345, -7.5, 3,   1e-9, 4};
	return some[pick(15)];
}

static bool
has(const void *user, size_t row)
{
	(void)user;
	return row_is[row];
}

static double
value(const void *user, size_t row, uint32_t index)
{
	(void)user;
	return row_values[row][index - 100];
}

static uint64_t n_missing;

/* Does the expression of this seed come out the same both ways? */
static bool
holds(uint64_t seed)
{
	static struct wn_expr e;
	struct wn_expr_names names = {find, NULL, NULL, NULL};
	struct wn_expr_error error = {0, ""};
	struct wn_expr_table table = {0, has, value, NULL};
	double values[WN_EXPR_NAMES_MAX], results[WN_EXPR_AGGREGATES_MAX], room[ROWS_MAX];
	rng.state = seed * 0x9e3779b97f4a7c15u + 1;
	pick(2);
	n_nodes = 0;
	n_text = 0;
	n_rows = (int)pick(ROWS_MAX + 1);
	for (int row = 0; row < n_rows; row++) {
		row_is[row] = pick(5) > 0;
		for (int k = 0; k < NAMES_N; k++)
			row_values[row][k] = random_value();
	}
	for (int k = 0; k < NAMES_N; k++)
		outer[k] = random_value();
	table.n_rows = (size_t)n_rows;
	int root = make(1 + (int)pick(5), pick(2));
	write_node(root, CHOICE);
	if (n_text >= WN_EXPR_TEXT_MAX)
		return true;
	if (!wn_expr_parse(text, n_text, &names, &names, &e, &error)) {
		if (strncmp(error.why, "too many", 8) == 0 || strstr(error.why, "too deep"))
			return true;
		differ("%s: column %u: %s", text, (unsigned)error.column, error.why);
		return false;
	}
	for (unsigned i = 0; i < e.n_names; i++)
		values[i] = outer[e.names[i] - 100];
	wn_expr_aggregate(&e, &table, wn_expr_needs_room(&e) ? room : NULL, results);
	double found = wn_expr_eval(&e, values, results), expected = walk(root, outer);
	n_missing += isnan(expected) ? 1 : 0;
	if (isnan(expected) ? isnan(found) : found == expected)
		return true;
	differ("%s is %.17g, expected %.17g", text, found, expected);
	return false;
}

int
main(void)
{
	struct seeds seeds = seeds_wanted(100000);
	uint64_t n_bad = seeds_bad(seeds, holds);
	ok(n_bad == 0, "expressions are what their trees are (%" PRIu64 ")", seeds.n);
	ok(seeds.is_one || (n_missing > seeds.n / 10 && n_missing < seeds.n * 9 / 10),
	   "some are missing, some are not (%" PRIu64 ")", n_missing);
	return done();
}
