/* SPDX-License-Identifier: MIT */
/*
 * sparselu.c - LU factorisation, without pivoting, of a matrix of dense and absent blocks.
 *
 * Step k factors the diagonal block in the implicit task, then one task per present block of row k
 * and of column k solves it, taskwait, then one task per pair of these updates the block where
 * they meet (creating it if absent), taskwait.  A phase without blocks is skipped, so there are
 * 2 * (blocks - 1) taskwaits; there is no main task.  The pattern of present blocks is that of
 * the BOTS benchmark.  64 blocks: 23904 tasks, 126 taskwaits, the widest phase has 1024 tasks.
 *
 * Check: L (U x) = A x for a vector x.
 */
#include "bench.h"

#include <math.h>

struct matrix {
	long n_blocks; /* per side */
	long side;     /* of a block */
	double **block;
};

static bool
is_present(long row, long col)
{
	if (labs(row - col) <= 1)
		return true;
	if (row % 2 == 1 || col % 2 == 1)
		return false;
	return row < col ? row % 3 == 0 : col % 3 == 0;
}

static double **
block_at(const struct matrix *m, long row, long col)
{
	return &m->block[row * m->n_blocks + col];
}

static double *
block_new(const struct matrix *m)
{
	return bench_alloc((size_t)(m->side * m->side), sizeof(double));
}

/* Small values, and a diagonal that dominates its row. */
static void
matrix_init(struct matrix *m, long n_blocks, long side)
{
	m->n_blocks = n_blocks;
	m->side = side;
	m->block = bench_alloc((size_t)(n_blocks * n_blocks), sizeof(*m->block));
	for (long i = 0; i < n_blocks * n_blocks; i++) {
		long row = i / n_blocks, col = i % n_blocks;

		if (!is_present(row, col))
			continue;
		m->block[i] = block_new(m);
		for (long j = 0; j < side * side; j++)
			m->block[i][j] =
			    (double)bench_pick((uint64_t)(i * side * side + j), 1001) / 1000.0;
		for (long j = 0; row == col && j < side; j++)
			m->block[i][j * side + j] += (double)(n_blocks * side);
	}
}

static void
matrix_fini(struct matrix *m)
{
	for (long i = 0; i < m->n_blocks * m->n_blocks; i++)
		free(m->block[i]);
	free(m->block);
}

static void
factor_diagonal(double *d, long side)
{
	for (long k = 0; k < side; k++) {
		for (long i = k + 1; i < side; i++) {
			d[i * side + k] /= d[k * side + k];
			for (long j = k + 1; j < side; j++)
				d[i * side + j] -= d[i * side + k] * d[k * side + j];
		}
	}
}

/* x := L^-1 x, L the unit lower part of d. */
static void
solve_row_block(const double *d, double *x, long side)
{
	for (long k = 0; k < side; k++)
		for (long i = k + 1; i < side; i++)
			for (long j = 0; j < side; j++)
				x[i * side + j] -= d[i * side + k] * x[k * side + j];
}

/* x := x U^-1, U the upper part of d. */
static void
solve_col_block(const double *d, double *x, long side)
{
	for (long i = 0; i < side; i++) {
		for (long k = 0; k < side; k++) {
			x[i * side + k] /= d[k * side + k];
			for (long j = k + 1; j < side; j++)
				x[i * side + j] -= x[i * side + k] * d[k * side + j];
		}
	}
}

/* c := c - a b */
static void
update_block(const double *a, const double *b, double *c, long side)
{
	for (long i = 0; i < side; i++)
		for (long k = 0; k < side; k++)
			for (long j = 0; j < side; j++)
				c[i * side + j] -= a[i * side + k] * b[k * side + j];
}

static bool
solve_phase(struct matrix *m, long k)
{
	double *diagonal = *block_at(m, k, k);
	long side = m->side;
	bool any = false;

	for (long j = k + 1; j < m->n_blocks; j++) {
		double *block = *block_at(m, k, j);

		if (block == NULL)
			continue;
		any = true;
#pragma omp task firstprivate(diagonal, block, side)
		{
			count_task();
			solve_row_block(diagonal, block, side);
		}
	}
	for (long i = k + 1; i < m->n_blocks; i++) {
		double *block = *block_at(m, i, k);

		if (block == NULL)
			continue;
		any = true;
#pragma omp task firstprivate(diagonal, block, side)
		{
			count_task();
			solve_col_block(diagonal, block, side);
		}
	}
	return any;
}

static bool
update_phase(struct matrix *m, long k)
{
	bool any = false;

	for (long i = k + 1; i < m->n_blocks; i++) {
		for (long j = k + 1; j < m->n_blocks; j++) {
			const double *left = *block_at(m, i, k), *up = *block_at(m, k, j);
			double **target = block_at(m, i, j);

			if (left == NULL || up == NULL)
				continue;
			any = true;
#pragma omp task firstprivate(left, up, target, m)
			{
				count_task();
				if (*target == NULL)
					*target = block_new(m);
				update_block(left, up, *target, m->side);
			}
		}
	}
	return any;
}

static void
factor(struct matrix *m)
{
	for (long k = 0; k < m->n_blocks; k++) {
		factor_diagonal(*block_at(m, k, k), m->side);
		if (solve_phase(m, k)) {
			count_taskwait();
#pragma omp taskwait
		}
		if (update_phase(m, k)) {
			count_taskwait();
#pragma omp taskwait
		}
	}
}

enum part { WHOLE, UPPER, UNIT_LOWER };

/* out := the named part of m, times x */
static void
apply(const struct matrix *m, enum part part, const double *x, double *out)
{
	long side = m->side, n = m->n_blocks * side;

	for (long r = 0; r < n; r++) {
		out[r] = part == UNIT_LOWER ? x[r] : 0;
		for (long c = 0; c < n; c++) {
			const double *block = *block_at(m, r / side, c / side);

			if (block == NULL || (part == UPPER && c < r) ||
			    (part == UNIT_LOWER && c >= r))
				continue;
			out[r] += block[(r % side) * side + c % side] * x[c];
		}
	}
}

static double
largest_error(const struct matrix *original, const struct matrix *lu)
{
	long n = original->n_blocks * original->side;
	double *x = bench_alloc(4 * (size_t)n, sizeof(*x));
	double *ax = x + n, *ux = x + 2 * n, *lux = x + 3 * n, worst = 0;

	for (long i = 0; i < n; i++)
		x[i] = (double)bench_pick((uint64_t)i, 1000) / 1000.0;
	apply(original, WHOLE, x, ax);
	apply(lu, UPPER, x, ux);
	apply(lu, UNIT_LOWER, ux, lux);
	for (long i = 0; i < n; i++)
		worst = fmax(worst, fabs(ax[i] - lux[i]) / (1.0 + fabs(ax[i])));
	free(x);
	return worst;
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"blocks", "blocks per side of the matrix", 48, 1, 512, NULL},
	    {"size", "rows and columns of a block", 48, 1, 512, NULL},
	};
	struct matrix m, original;
	double sum = 0;

	bench_parse(argc, argv, "LU factorisation of a sparse blocked matrix.", arg, 2);
	matrix_init(&m, arg[0].value, arg[1].value);
	matrix_init(&original, arg[0].value, arg[1].value);
	bench_begin();
#pragma omp parallel shared(m)
#pragma omp single
	factor(&m);
	bench_end();
	for (long i = 0; i < m.n_blocks; i++)
		sum += (*block_at(&m, i, i))[m.side * m.side - 1];
	printf("%ld x %ld blocks of %ld, checksum %.6f\n", m.n_blocks, m.n_blocks, m.side, sum);
	bool ok = largest_error(&original, &m) < 1e-9;
	matrix_fini(&m);
	matrix_fini(&original);
	return bench_finish(ok);
}
