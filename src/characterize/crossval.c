/* SPDX-License-Identifier: MIT */
/*
 * crossval.c - hides a cell and estimates it repeatedly from the first components of the completed
 * table, until the fit of the other cells no longer improves.
 *
 * With X the standardised table, n rows, weights 1 / n: the fit of q components, each shrunk by
 * the noise, is X P, where P = sum of v v' (l - s) / l over the eigenvectors v of X'X / n with the
 * q largest eigenvalues l, and s the noise in each. For a table with more columns than rows, XX'
 * is used from the left. So each step decomposes one small symmetric matrix instead of the table.
 */
#include "characterize/crossval.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

#define STEPS_MAX   1000u
#define STEPS_LEAST 5u
#define THRESHOLD   1e-4
#define COST_MAX    8e8 /* n^2 p^3, one or two minutes */

/* The buffers of one job. */
struct work {
	double *x;         /* [n * p] the table, standardised again in each step */
	double *fit;       /* [n * p] */
	double *gram;      /* [side * side] */
	double *smooth;    /* [side * side] P */
	double *values;    /* [side] */
	double *room;      /* LAPACK's workspace */
	double *mean, *sd; /* [p] of x */
};

struct job {
	const struct wn_lapack *l;
	const double *at;
	size_t n, p, side;     /* side: the smaller of n and p */
	double *square;        /* [numbers tried * n] sum of squared errors over a row's cells */
	uint8_t *state;        /* [numbers tried * n] */
	uint32_t *n_unsettled; /* [numbers tried * n] */
};

enum { STATE_DONE = 0, STATE_NO_MEMORY, STATE_NOT_CONVERGED };

static void
work_fini(struct work *w)
{
	WN_FREE_ALL(w->x, w->fit, w->gram, w->smooth, w->values, w->room, w->mean, w->sd);
}

static bool
work_init(struct work *w, const struct job *job)
{
	size_t n_cells = job->n * job->p, n_square = job->side * job->side;
	w->x = wn_calloc(n_cells, sizeof(double));
	w->fit = wn_calloc(n_cells, sizeof(double));
	w->gram = wn_calloc(n_square, sizeof(double));
	w->smooth = wn_calloc(n_square, sizeof(double));
	w->values = wn_calloc(job->side, sizeof(double));
	w->room = wn_calloc(WN_LAPACK_EIGEN_WORK(job->side), sizeof(double));
	w->mean = wn_calloc(job->p, sizeof(double));
	w->sd = wn_calloc(job->p, sizeof(double));
	return w->x && w->fit && w->gram && w->smooth && w->values && w->room && w->mean && w->sd;
}

/* Computes mean and deviation (divisor n) of a column's n values except the one at `without`; n:
 * all values. */
static void
moments(const double *column, size_t n, size_t without, double *mean, double *sd)
{
	double n_used = (double)(without < n ? n - 1 : n), sum = 0, squares = 0;
	for (size_t i = 0; i < n; i++)
		sum += i == without ? 0 : column[i];
	*mean = sum / n_used;
	for (size_t i = 0; i < n; i++)
		squares += i == without ? 0 : (column[i] - *mean) * (column[i] - *mean);
	*sd = sqrt(squares / n_used);
}

/* Constant columns become zeros. */
static void
standardise(double *column, size_t n, double mean, double sd)
{
	for (size_t i = 0; i < n; i++)
		column[i] = sd > 0 ? (column[i] - mean) / sd : 0;
}

/* Only the hidden cell's column changes between steps. */
static void
start(struct work *w, const struct job *job, size_t row, size_t column)
{
	for (size_t j = 0; j < job->p; j++) {
		double *x = w->x + j * job->n;
		memcpy(x, job->at + j * job->n, job->n * sizeof *x);
		moments(x, job->n, j == column ? row : job->n, &w->mean[j], &w->sd[j]);
		standardise(x, job->n, w->mean[j], w->sd[j]);
	}
	w->fit[column * job->n + row] = 0;
}

static void
fill_in(struct work *w, const struct job *job, size_t row, size_t column)
{
	size_t hidden = column * job->n + row;
	w->x[hidden] = w->fit[hidden];
	double *x = w->x + column * job->n, mean, sd;
	for (size_t i = 0; i < job->n; i++)
		x[i] = x[i] * w->sd[column] + w->mean[column];
	moments(x, job->n, job->n, &mean, &sd);
	standardise(x, job->n, mean, sd);
	w->mean[column] = mean;
	w->sd[column] = sd;
}

/* X'X / n or XX' / n, whichever is smaller. */
static void
multiply(struct work *w, const struct job *job)
{
	size_t n = job->n, p = job->p, side = job->side;
	memset(w->gram, 0, side * side * sizeof *w->gram);
	if (side == p) {
		for (size_t a = 0; a < p; a++)
			for (size_t b = 0; b <= a; b++) {
				const double *left = w->x + a * n, *right = w->x + b * n;
				double sum = 0;
				for (size_t i = 0; i < n; i++)
					sum += left[i] * right[i];
				w->gram[a * side + b] = sum / (double)n;
			}
		return;
	}
	for (size_t j = 0; j < p; j++) {
		const double *x = w->x + j * n;
		for (size_t a = 0; a < n; a++)
			for (size_t b = 0; b <= a; b++)
				w->gram[a * side + b] += x[a] * x[b] / (double)n;
	}
}

/* Noise in each component: the variance of the remaining components per degree of freedom, at most
 * the largest of them. */
static double
find_noise(const struct work *w, const struct job *job, size_t q)
{
	double n = (double)job->n, p = (double)job->p, k = (double)q, rest = 0;
	size_t rank = job->n - 1 < job->p ? job->n - 1 : job->p;
	for (size_t i = q; i < rank; i++) {
		double value = w->values[job->side - 1 - i];
		rest += value > 0 ? value : 0;
	}
	double next = w->values[job->side - 1 - q];
	double noise = n * p / (double)rank * rest / ((n - 1) * p - (n - 1) * k - p * k + k * k);
	next = next > 0 ? next : 0;
	return noise < next ? noise : next;
}

static void
find_smooth(struct work *w, const struct job *job, size_t q)
{
	size_t side = job->side;
	double noise = find_noise(w, job, q);
	memset(w->smooth, 0, side * side * sizeof *w->smooth);
	for (size_t k = 0; k < q; k++) {
		const double *v = w->gram + (side - 1 - k) * side;
		double value = w->values[side - 1 - k];
		double weight = value > 0 ? (value - noise) / value : 0;
		for (size_t a = 0; a < side; a++)
			for (size_t b = 0; b < side; b++)
				w->smooth[a * side + b] += weight * v[a] * v[b];
	}
}

static void
find_fit(struct work *w, const struct job *job)
{
	size_t n = job->n, p = job->p, side = job->side;
	memset(w->fit, 0, n * p * sizeof *w->fit);
	for (size_t j = 0; j < p; j++) {
		double *fit = w->fit + j * n;
		for (size_t k = 0; k < side; k++) {
			const double *x = side == p ? w->x + k * n : w->smooth + k * side;
			double by = side == p ? w->smooth[j * side + k] : w->x[j * n + k];
			for (size_t i = 0; i < n; i++)
				fit[i] += x[i] * by;
		}
	}
}

/* Computes the residual of all cells except the hidden one. */
static double
find_rest(const struct work *w, const struct job *job, size_t hidden)
{
	double sum = 0;
	for (size_t i = 0; i < job->n * job->p; i++) {
		double step = w->x[i] - w->fit[i];
		sum += i == hidden ? 0 : step * step;
	}
	return sum / (double)job->n;
}

/* Predicts a hidden cell from q components. */
static int
predict(struct work *w, const struct job *job, size_t q, size_t row, size_t column, double *out,
        uint32_t *n_unsettled)
{
	size_t hidden = column * job->n + row;
	double old = INFINITY;
	start(w, job, row, column);
	if (q == 0) {
		*out = w->mean[column];
		return STATE_DONE;
	}
	unsigned step = 1;
	for (bool is_settled = false; !is_settled && step <= STEPS_MAX;) {
		fill_in(w, job, row, column);
		multiply(w, job);
		if (!wn_lapack_eigen(job->l, (int)job->side, w->gram, w->values, w->room))
			return STATE_NOT_CONVERGED;
		find_smooth(w, job, q);
		find_fit(w, job);
		double rest = find_rest(w, job, hidden);
		step++;
		is_settled =
		    step > STEPS_LEAST && (fabs(1 - rest / old) < THRESHOLD || rest < THRESHOLD);
		old = rest;
		*n_unsettled += !is_settled && step > STEPS_MAX;
	}
	*out = w->x[hidden] * w->sd[column] + w->mean[column];
	return STATE_DONE;
}

/* Processes one row with one number of components. */
static void
do_row(void *user, size_t number)
{
	struct job *job = user;
	size_t q = number / job->n, row = number % job->n;
	struct work w = {0};
	int state = work_init(&w, job) ? STATE_DONE : STATE_NO_MEMORY;
	for (size_t j = 0; state == STATE_DONE && j < job->p; j++) {
		double predicted = 0;
		state = predict(&w, job, q, row, j, &predicted, &job->n_unsettled[number]);
		double step = predicted - job->at[j * job->n + row];
		job->square[number] += step * step;
	}
	job->state[number] = (uint8_t)state;
	work_fini(&w);
}

static wn_status
sum_up(const struct job *job, size_t n_tried, struct wn_crossval *out, wn_err *err)
{
	struct wn_crossval result = {.n = n_tried};
	for (size_t number = 0; number < n_tried * job->n; number++) {
		if (job->state[number] == STATE_NO_MEMORY)
			return wn_no_memory(err);
		if (job->state[number] == STATE_NOT_CONVERGED)
			return wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET,
			               "eigenvalues of the table did not converge");
		result.error[number / job->n] += job->square[number] / (double)(job->n * job->p);
		result.n_unsettled += job->n_unsettled[number];
	}
	for (size_t q = 1; q < n_tried; q++)
		if (result.error[q] < result.error[result.best])
			result.best = q;
	*out = result;
	return WN_OK;
}

bool
wn_crossval_is_possible(size_t n, size_t n_variables)
{
	double rows = (double)n, columns = (double)n_variables;
	return rows * rows * columns * columns * columns <= COST_MAX;
}

wn_status
wn_crossval(const struct wn_lapack *l, const double *at, size_t n, size_t n_variables,
            struct wn_crossval *out, wn_err *err)
{
	size_t side = n < n_variables ? n : n_variables, n_tried = WN_CROSSVAL_COMPONENTS + 1;
	if (n < 2 || n_variables < 1) {
		*out = (struct wn_crossval){0};
		return WN_OK;
	}
	n_tried = n_tried < n_variables ? n_tried : n_variables;
	n_tried = n_tried < n - 1 ? n_tried : n - 1;
	struct job job = {.l = l, .at = at, .n = n, .p = n_variables, .side = side};
	job.square = wn_calloc(n_tried * n, sizeof *job.square);
	job.state = wn_calloc(n_tried * n, sizeof *job.state);
	job.n_unsettled = wn_calloc(n_tried * n, sizeof *job.n_unsettled);
	wn_status st;
	if (job.square && job.state && job.n_unsettled) {
		wn_parallel(wn_parallel_cpus(), n_tried * n, do_row, &job);
		st = sum_up(&job, n_tried, out, err);
	} else {
		st = wn_no_memory(err);
	}
	WN_FREE_ALL(job.square, job.state, job.n_unsettled);
	return st;
}
