/* SPDX-License-Identifier: MIT */
/* eval.c - evaluates programs over a row, and aggregates over the rows of a table. */
#include "expr/private.h"

static double
of_one(enum op op, double x)
{
	if (op == OP_ISNAN)
		return is_missing(x);
	if (is_missing(x))
		return MISSING;
	switch ((int)op) {
	case OP_NEGATE:
		return -x;
	case OP_NOT:
		return x == 0;
	case OP_ABS:
		return __builtin_fabs(x);
	case OP_SQRT:
		return x < 0 ? MISSING : __builtin_sqrt(x);
	case OP_LOG:
		return expr_log(x);
	case OP_LOG2:
		return expr_log2(x);
	case OP_EXP:
		return finite_or_missing(expr_exp(x));
	case OP_FLOOR:
		return __builtin_floor(x);
	case OP_CEIL:
		return __builtin_ceil(x);
	case OP_ROUND:
		return expr_round(x);
	default:
		return MISSING;
	}
}

/* x and y: false if either is 0, even if the other is missing. */
static double
both(double x, double y)
{
	if (x == 0 || y == 0)
		return 0;
	return is_missing(x) || is_missing(y) ? MISSING : 1;
}

static double
either(double x, double y)
{
	bool is_x = !is_missing(x) && x != 0, is_y = !is_missing(y) && y != 0;
	if (is_x || is_y)
		return 1;
	return is_missing(x) || is_missing(y) ? MISSING : 0;
}

static double
of_two(enum op op, double x, double y)
{
	if (op == OP_AND)
		return both(x, y);
	if (op == OP_OR)
		return either(x, y);
	if (op == OP_COALESCE)
		return is_missing(x) ? y : x;
	if (is_missing(x) || is_missing(y))
		return MISSING;
	switch ((int)op) {
	case OP_ADD:
		return finite_or_missing(x + y);
	case OP_SUBTRACT:
		return finite_or_missing(x - y);
	case OP_MULTIPLY:
		return finite_or_missing(x * y);
	case OP_DIVIDE:
		return y == 0 ? MISSING : finite_or_missing(x / y);
	case OP_REMAINDER:
		return expr_remainder(x, y);
	case OP_POWER:
		return finite_or_missing(expr_power(x, y));
	case OP_LESS:
		return x < y;
	case OP_AT_MOST:
		return x <= y;
	case OP_MORE:
		return x > y;
	case OP_AT_LEAST:
		return x >= y;
	case OP_EQUAL:
		return x == y;
	case OP_NOT_EQUAL:
		return x != y;
	case OP_MIN:
		return y < x ? y : x;
	case OP_MAX:
		return y > x ? y : x;
	default:
		return MISSING;
	}
}

/* Runs ops [begin, end) over values. */
static double
run(const struct wn_expr *e, unsigned begin, unsigned end, const double *values,
    const double *aggregates)
{
	double stack[WN_EXPR_DEPTH_MAX];
	unsigned top = 0; /* the parser has checked that the stack suffices */
	for (unsigned i = begin; i < end; i++) {
		enum op op = (enum op)e->ops[i].code;
		unsigned arg = e->ops[i].arg;
		if (op == OP_NUMBER) {
			stack[top++] = e->numbers[arg];
		} else if (op == OP_NAME) {
			stack[top++] = finite_or_missing(values[arg]);
		} else if (op == OP_AGGREGATE) {
			stack[top++] = aggregates[arg];
			i = e->aggregates[arg].end - 1u;
		} else if (op == OP_SELECT) {
			top -= 2;
			double is = stack[top - 1];
			stack[top - 1] = is_missing(is) ? MISSING
			                 : is != 0      ? stack[top]
			                                : stack[top + 1];
		} else if (op >= OP_FIRST_OF_TWO) {
			top--;
			stack[top - 1] = of_two(op, stack[top - 1], stack[top]);
		} else {
			stack[top - 1] = of_one(op, stack[top - 1]);
		}
	}
	return stack[0];
}

double
wn_expr_eval(const struct wn_expr *e, const double *values, const double *aggregates)
{
	return run(e, 0, e->n_ops, values, aggregates);
}

bool
wn_expr_needs_room(const struct wn_expr *e)
{
	for (unsigned i = 0; i < e->n_aggregates; i++)
		if (e->aggregates[i].kind == WN_EXPR_MEDIAN ||
		    e->aggregates[i].kind == WN_EXPR_PERCENTILE)
			return true;
	return false;
}

/* Returns the k-th smallest of values[n] and partitions the values around it. */
static double
select_kth(double *values, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;
	while (low < high) {
		double pivot = values[low + (high - low) / 2];
		size_t i = low, j = high;
		for (;;) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i >= j)
				break;
			double swap = values[i];
			values[i++] = values[j];
			values[j--] = swap;
		}
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
	return values[k];
}

static double
median(double *values, size_t n)
{
	double middle = select_kth(values, n, n / 2);
	if (n % 2)
		return middle;
	double below = values[0];
	for (size_t i = 1; i < n / 2; i++)
		below = values[i] > below ? values[i] : below;
	return below + (middle - below) / 2;
}

static double
percentile(double *values, size_t n, double percent)
{
	double rank = __builtin_ceil(percent / 100 * (double)n);
	size_t k = rank < 1 ? 0 : (size_t)rank - 1;
	return select_kth(values, n, k < n ? k : n - 1);
}

struct sums {
	uint64_t n_rows, n_values, n_true; /* chosen rows; those with a value; true ones */
	double sum, least, most;
};

static double
result(const struct wn_expr_aggregate *a, const struct sums *s, double *room)
{
	if (a->kind == WN_EXPR_COUNT)
		return s->n_rows && !s->n_values ? MISSING : (double)s->n_true;
	if (a->kind == WN_EXPR_SUM && !s->n_rows)
		return 0;
	if (!s->n_values)
		return MISSING;
	switch (a->kind) {
	case WN_EXPR_SUM:
		return finite_or_missing(s->sum);
	case WN_EXPR_MEAN:
		return finite_or_missing(s->sum / (double)s->n_values);
	case WN_EXPR_LEAST:
		return s->least;
	case WN_EXPR_MOST:
		return s->most;
	case WN_EXPR_MEDIAN:
		return finite_or_missing(median(room, s->n_values));
	case WN_EXPR_PERCENTILE:
		return percentile(room, s->n_values, a->percent);
	default:
		return MISSING;
	}
}

static void
add(struct sums *s, double x, double *room)
{
	if (is_missing(x))
		return;
	s->least = s->n_values == 0 || x < s->least ? x : s->least;
	s->most = s->n_values == 0 || x > s->most ? x : s->most;
	s->sum += x;
	s->n_true += x != 0;
	if (room)
		room[s->n_values] = x;
	s->n_values++;
}

void
wn_expr_aggregate(const struct wn_expr *e, const struct wn_expr_table *table, double *room,
                  double *out)
{
	double values[WN_EXPR_NAMES_MAX];
	for (unsigned k = 0; k < e->n_aggregates; k++) {
		const struct wn_expr_aggregate *a = &e->aggregates[k];
		bool is_sorting = a->kind == WN_EXPR_MEDIAN || a->kind == WN_EXPR_PERCENTILE;
		struct sums s = {0};
		for (size_t row = 0; row < table->n_rows; row++) {
			if (table->has && !table->has(table->user, row))
				continue;
			for (unsigned i = 0; i < e->n_row_names; i++)
				values[i] = table->value(table->user, row, e->row_names[i]);
			if (a->where < a->end) {
				double is = run(e, a->where, a->end, values, NULL);
				if (is_missing(is) || is == 0)
					continue;
			}
			s.n_rows++;
			add(&s, run(e, a->begin, a->where, values, NULL), is_sorting ? room : NULL);
		}
		out[k] = result(a, &s, room);
	}
}

bool
wn_expr_is_condition(const struct wn_expr *e)
{
	enum op last = OP_NUMBER; /* the last op of a program is its outermost operation */
	for (unsigned i = 0; i < e->n_ops; i++) {
		last = (enum op)e->ops[i].code;
		if (last == OP_AGGREGATE)
			i = e->aggregates[e->ops[i].arg].end - 1u;
	}
	return (last >= OP_LESS && last <= OP_OR) || last == OP_NOT || last == OP_ISNAN ||
	       last == OP_SELECT;
}
