/* SPDX-License-Identifier: MIT */
/*
 * strassen.c - matrix product by Strassen's seven half-size products.
 *
 * A product of size n > cutoff makes seven tasks and joins them with one taskwait; smaller ones
 * are multiplied directly, and products `depth` levels below the main task recurse by plain calls.
 * With n / cutoff = 2^k and no depth limit the tasks are a 7-ary tree with k forking levels:
 * 1 + 7 + ... + 7^k tasks with the main task, (7^k - 1) / 6 + 1 taskwaits.  8192 128 and 512 8 both
 * have k = 6: 137257 tasks and 19609 taskwaits.
 *
 * The matrices hold small integers, so that all sums are exact and the check, C x = A (B x) for a
 * vector x, is an equality.
 */
#include "bench.h"

/* A square part of a matrix; row r starts at `at + r * stride`. */
struct view {
	double *at;
	long stride;
};

/* One operand: quadrant `first` plus sign times quadrant `second`; sign 0: first alone. */
struct operand {
	int first;
	int second;
	int sign;
};

struct product {
	struct operand left;
	struct operand right;
};

/* Quadrants are 0 1 / 2 3.  The seven products in the order used by combine(). */
static const struct product products[7] = {
    {{0, 3, +1}, {0, 3, +1}}, {{2, 3, +1}, {0, 0, 0}}, {{0, 0, 0}, {1, 3, -1}},
    {{3, 3, 0}, {2, 0, -1}},  {{0, 1, +1}, {3, 3, 0}}, {{2, 0, -1}, {0, 1, +1}},
    {{1, 3, -1}, {2, 3, +1}},
};

static long cutoff;

static struct view
quadrant(struct view m, int which, long half)
{
	struct view q = {m.at + (which / 2) * half * m.stride + (which % 2) * half, m.stride};

	return q;
}

static void
multiply_direct(struct view c, struct view a, struct view b, long n)
{
	for (long i = 0; i < n; i++) {
		double *row = c.at + i * c.stride;

		memset(row, 0, (size_t)n * sizeof(*row));
		for (long k = 0; k < n; k++) {
			double factor = a.at[i * a.stride + k];
			const double *other = b.at + k * b.stride;

			for (long j = 0; j < n; j++)
				row[j] += factor * other[j];
		}
	}
}

/* The operand's values: the quadrant itself, or the sum written to room. */
static struct view
operand_get(struct operand o, struct view m, long half, double *room)
{
	struct view first = quadrant(m, o.first, half);
	struct view second = quadrant(m, o.second, half);
	struct view sum = {room, half};

	if (o.sign == 0)
		return first;
	for (long i = 0; i < half; i++)
		for (long j = 0; j < half; j++)
			room[i * half + j] = first.at[i * first.stride + j] +
			                     o.sign * second.at[i * second.stride + j];
	return sum;
}

static void multiply(struct view c, struct view a, struct view b, long n, long depth);

static void
multiply_operands(const struct product *p, struct view out, struct view a, struct view b, long half,
                  long depth)
{
	size_t n_room = (size_t)half * (size_t)half;
	double *room = bench_alloc(2 * n_room, sizeof(*room));
	struct view left = operand_get(p->left, a, half, room);
	struct view right = operand_get(p->right, b, half, room + n_room);

	multiply(out, left, right, half, depth);
	free(room);
}

/* Products 0..3 lie in the quadrants of c, 4..6 in extra; turns them into the result. */
static void
combine(struct view c, const struct view *m, long half)
{
	for (long i = 0; i < half; i++) {
		for (long j = 0; j < half; j++) {
			double p[7];

			for (int k = 0; k < 7; k++)
				p[k] = m[k].at[i * m[k].stride + j];
			c.at[i * c.stride + j] = p[0] + p[3] - p[4] + p[6];
			c.at[i * c.stride + j + half] = p[2] + p[4];
			c.at[(i + half) * c.stride + j] = p[1] + p[3];
			c.at[(i + half) * c.stride + j + half] = p[0] - p[1] + p[2] + p[5];
		}
	}
}

static void
multiply(struct view c, struct view a, struct view b, long n, long depth)
{
	long half = n / 2;
	struct view m[7];
	double *extra;

	if (n <= cutoff) {
		multiply_direct(c, a, b, n);
		return;
	}
	extra = bench_alloc(3 * (size_t)half * (size_t)half, sizeof(*extra));
	for (int k = 0; k < 4; k++)
		m[k] = quadrant(c, k, half);
	for (int k = 4; k < 7; k++)
		m[k] = (struct view){extra + (k - 4) * half * half, half};
	for (int k = 0; k < 7; k++) {
		struct view out = m[k];

		if (depth == 0) {
			multiply_operands(&products[k], out, a, b, half, 0);
			continue;
		}
#pragma omp task firstprivate(k, out, a, b, half, depth)
		{
			count_task();
			multiply_operands(&products[k], out, a, b, half, depth - 1);
		}
	}
	if (depth > 0) {
		count_taskwait();
#pragma omp taskwait
	}
	combine(c, m, half);
	free(extra);
}

static void
apply(double *out, const double *m, const double *x, long n)
{
	for (long i = 0; i < n; i++) {
		out[i] = 0;
		for (long j = 0; j < n; j++)
			out[i] += m[i * n + j] * x[j];
	}
}

static bool
is_product(const double *c, const double *a, const double *b, long n)
{
	double *x = bench_alloc(4 * (size_t)n, sizeof(*x));
	double *bx = x + n, *abx = x + 2 * n, *cx = x + 3 * n;
	bool same;

	for (long i = 0; i < n; i++)
		x[i] = (double)(bench_pick((uint64_t)i + 99, 201) - 100);
	apply(bx, b, x, n);
	apply(abx, a, bx, n);
	apply(cx, c, x, n);
	same = true;
	for (long i = 0; i < n; i++)
		same = same && abx[i] >= cx[i] && abx[i] <= cx[i];
	free(x);
	return same;
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"n", "size of the matrices, a power of two", 1024, 2, 1 << 14, NULL},
	    {"cutoff", "size multiplied directly", 64, 1, 1 << 14, NULL},
	    {"depth", "levels of tasks below the main task", 2000, 0, 2000, NULL},
	};

	bench_parse(argc, argv, "Matrix product by Strassen's method.", arg, 3);
	long n = arg[0].value, depth = arg[2].value;
	if ((n & (n - 1)) != 0) {
		fprintf(stderr, "%s: n must be a power of two\n", argv[0]);
		return 2;
	}
	size_t n_cells = (size_t)n * (size_t)n;
	double *a = bench_alloc(3 * n_cells, sizeof(*a));
	double *b = a + n_cells, *c = a + 2 * n_cells, sum = 0;
	for (size_t i = 0; i < 2 * n_cells; i++)
		a[i] = (double)(bench_pick(i, 9) - 4);
	cutoff = arg[1].value;

	bench_begin();
#pragma omp parallel
#pragma omp single
	{
#pragma omp task firstprivate(a, b, c, n, depth)
		{
			struct view va = {a, n}, vb = {b, n}, vc = {c, n};

			count_task();
			multiply(vc, va, vb, n, depth);
		}
		count_taskwait();
#pragma omp taskwait
	}
	bench_end();
	for (size_t i = 0; i < n_cells; i++)
		sum += (double)(i % 17) * c[i];
	printf("%ld x %ld product, checksum %.0f\n", n, n, sum);
	bool ok = is_product(c, a, b, n);
	free(a);
	return bench_finish(ok);
}
