/* SPDX-License-Identifier: MIT */
#include "slow.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void
rotate(size_t n, double *m, double *v, size_t a, size_t b)
{
	double off = m[a * n + b];
	if (off == 0)
		return;
	double theta = (m[b * n + b] - m[a * n + a]) / (2 * off);
	double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
	double c = 1 / sqrt(t * t + 1), s = t * c;
	for (size_t k = 0; k < n; k++) {
		double x = m[k * n + a], y = m[k * n + b];
		m[k * n + a] = c * x - s * y;
		m[k * n + b] = s * x + c * y;
	}
	for (size_t k = 0; k < n; k++) {
		double x = m[a * n + k], y = m[b * n + k];
		m[a * n + k] = c * x - s * y;
		m[b * n + k] = s * x + c * y;
		x = v[a * n + k], y = v[b * n + k];
		v[a * n + k] = c * x - s * y;
		v[b * n + k] = s * x + c * y;
	}
}

void
slow_eigen(size_t n, double *matrix, double *values, double *vectors)
{
	memset(vectors, 0, n * n * sizeof *vectors);
	for (size_t i = 0; i < n; i++)
		vectors[i * n + i] = 1;
	for (int sweep = 0; sweep < 12; sweep++)
		for (size_t a = 0; a < n; a++)
			for (size_t b = a + 1; b < n; b++)
				rotate(n, matrix, vectors, a, b);
	for (size_t i = 0; i < n; i++)
		values[i] = matrix[i * n + i];
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++) {
			if (values[k] <= values[i])
				continue;
			double value = values[i];
			values[i] = values[k];
			values[k] = value;
			for (size_t j = 0; j < n; j++) {
				double x = vectors[i * n + j];
				vectors[i * n + j] = vectors[k * n + j];
				vectors[k * n + j] = x;
			}
		}
}

/* What the union of two clusters adds to the sum of squares, doubled, as heights count it. */
static double
added(const double *at, size_t n, size_t p, const size_t *cluster, size_t a, size_t b)
{
	double apart = 0, of[2] = {0, 0};
	for (size_t i = 0; i < n; i++) {
		of[0] += cluster[i] == a;
		of[1] += cluster[i] == b;
	}
	for (size_t j = 0; j < p; j++) {
		double sum[2] = {0, 0};
		for (size_t i = 0; i < n; i++) {
			sum[0] += cluster[i] == a ? at[i * p + j] : 0;
			sum[1] += cluster[i] == b ? at[i * p + j] : 0;
		}
		double step = sum[0] / of[0] - sum[1] / of[1];
		apart += step * step;
	}
	return 2 * of[0] * of[1] / (of[0] + of[1]) * apart;
}

static bool
is_alive(const size_t *cluster, size_t n, size_t a)
{
	for (size_t i = 0; i < n; i++)
		if (cluster[i] == a)
			return true;
	return false;
}

void
slow_ward_d2(const double *at, size_t n, size_t p, double *heights, size_t *last, size_t k)
{
	size_t *cluster = calloc(n, sizeof *cluster);
	for (size_t i = 0; i < n; i++)
		cluster[i] = i;
	for (size_t step = 0; step + 1 < n; step++) {
		double best = INFINITY;
		size_t one = 0, other = 0;
		if (step + k == n)
			memcpy(last, cluster, n * sizeof *last);
		for (size_t a = 0; a < n; a++)
			for (size_t b = a + 1; b < n; b++) {
				if (!is_alive(cluster, n, a) || !is_alive(cluster, n, b))
					continue;
				double more = added(at, n, p, cluster, a, b);
				if (more < best) {
					best = more;
					one = a;
					other = b;
				}
			}
		for (size_t i = 0; i < n; i++)
			cluster[i] = cluster[i] == other ? one : cluster[i];
		heights[step] = sqrt(best);
	}
	free(cluster);
}

void
slow_ward_d(const double *at, size_t n, size_t p, double *heights)
{
	double *d = calloc(n * n, sizeof *d), *size = calloc(n, sizeof *size);
	for (size_t i = 0; i < n; i++) {
		size[i] = 1;
		for (size_t k = 0; k < n; k++) {
			for (size_t j = 0; j < p; j++)
				d[i * n + k] += pow(at[i * p + j] - at[k * p + j], 2);
			d[i * n + k] = sqrt(d[i * n + k]);
		}
	}
	for (size_t step = 0; step + 1 < n; step++) {
		double best = INFINITY;
		size_t a = 0, b = 0;
		for (size_t i = 0; i < n; i++)
			for (size_t k = i + 1; k < n; k++)
				if (size[i] > 0 && size[k] > 0 && d[i * n + k] < best) {
					best = d[i * n + k];
					a = i;
					b = k;
				}
		for (size_t k = 0; k < n; k++) {
			if (size[k] == 0 || k == a || k == b)
				continue;
			d[a * n + k] = ((size[a] + size[k]) * d[a * n + k] +
			                (size[b] + size[k]) * d[b * n + k] - size[k] * best) /
			               (size[a] + size[b] + size[k]);
			d[k * n + a] = d[a * n + k];
		}
		size[a] += size[b];
		size[b] = 0;
		heights[step] = best;
	}
	free(d);
	free(size);
}

/* Mean and deviation, divisor n, of a column without one row (row == n: of all). */
static void
slow_moments(const double *x, size_t n, size_t p, size_t j, size_t row, double *m, double *s)
{
	double count = 0, sum = 0, squares = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == row)
			continue;
		count++;
		sum += x[i * p + j];
	}
	*m = sum / count;
	for (size_t i = 0; i < n; i++)
		squares += i == row ? 0 : pow(x[i * p + j] - *m, 2);
	*s = sqrt(squares / count);
}

/* The fit of q components, U (l - s) V', from the decomposition of z / sqrt(n). */
static void
slow_fit(const double *z, size_t n, size_t p, size_t q, double *fit)
{
	double *m = calloc(p * p, sizeof *m), *values = calloc(p, sizeof *values),
	       *vectors = calloc(p * p, sizeof *vectors), *u = calloc(n, sizeof *u), noise = 0;
	size_t rank = p < n - 1 ? p : n - 1;
	for (size_t a = 0; a < p; a++)
		for (size_t b = 0; b < p; b++)
			for (size_t i = 0; i < n; i++)
				m[a * p + b] += z[i * p + a] * z[i * p + b] / (double)n;
	slow_eigen(p, m, values, vectors);
	double dn = (double)n, dp = (double)p, dq = (double)q;
	for (size_t k = q; k < rank; k++)
		noise += values[k] / ((dn - 1) * dp - (dn - 1) * dq - dp * dq + dq * dq);
	noise *= dn * dp / (double)rank;
	noise = fmin(noise, values[q]);
	memset(fit, 0, n * p * sizeof *fit);
	for (size_t k = 0; k < q; k++) {
		double l = sqrt(values[k]);
		for (size_t i = 0; i < n; i++) {
			u[i] = 0;
			for (size_t j = 0; j < p; j++)
				u[i] += z[i * p + j] * vectors[k * p + j] / l;
		}
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < p; j++)
				fit[i * p + j] += u[i] * (l * l - noise) / l * vectors[k * p + j];
	}
	free(m);
	free(values);
	free(vectors);
	free(u);
}

static double
slow_cell(const double *at, size_t n, size_t p, size_t q, size_t row, size_t column)
{
	double *x = calloc(n * p, sizeof *x), *z = calloc(n * p, sizeof *z),
	       *fit = calloc(n * p, sizeof *fit), *m = calloc(p, sizeof *m),
	       *s = calloc(p, sizeof *s), old = INFINITY;
	size_t hidden = row * p + column;
	memcpy(x, at, n * p * sizeof *x);
	for (size_t j = 0; j < p; j++)
		slow_moments(x, n, p, j, j == column ? row : n, &m[j], &s[j]);
	x[hidden] = m[column];
	for (unsigned step = 2; q > 0 && step <= 1001; step++) {
		double rest = 0;
		if (step > 2)
			x[hidden] = fit[hidden] * s[column] + m[column];
		for (size_t j = 0; j < p; j++) {
			slow_moments(x, n, p, j, n, &m[j], &s[j]);
			for (size_t i = 0; i < n; i++)
				z[i * p + j] = (x[i * p + j] - m[j]) / s[j];
		}
		slow_fit(z, n, p, q, fit);
		for (size_t i = 0; i < n * p; i++)
			rest += i == hidden ? 0 : pow(z[i] - fit[i], 2) / (double)n;
		if (step > 5 && (fabs(1 - rest / old) < 1e-4 || rest < 1e-4))
			break;
		old = rest;
	}
	double told = x[hidden];
	free(x);
	free(z);
	free(fit);
	free(m);
	free(s);
	return told;
}

double
slow_loo(const double *at, size_t n, size_t p, size_t q)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < p; j++)
			sum += pow(slow_cell(at, n, p, q, i, j) - at[i * p + j], 2);
	return sum / (double)(n * p);
}
