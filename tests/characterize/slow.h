/* SPDX-License-Identifier: MIT */
/* slow.h - slow and obvious twins of src/characterize. Tables are row after row. */
#ifndef WN_TESTS_CHARACTERIZE_SLOW_H
#define WN_TESTS_CHARACTERIZE_SLOW_H

#include "characterize/cutoffs.h"
#include "characterize/ward.h"

/* Eigenvalues (greatest first) and eigenvectors (vector k: vectors[k * n ...]) of a symmetric
 * matrix, by Jacobi's rotations. */
void slow_eigen(size_t n, double *matrix, double *values, double *vectors);

/* Ward's criterion as it is meant: at each step the two clusters whose union adds least to the sum
 * of squared distances from the clusters' centres. member: [n] of each step, who is with whom. */
void slow_ward_d2(const double *at, size_t n, size_t p, double *heights, size_t *last, size_t k);

/* The recurrence on plain distances, over all pairs. */
void slow_ward_d(const double *at, size_t n, size_t p, double *heights);

/* The square error of all cells with q components. */
double slow_loo(const double *at, size_t n, size_t p, size_t q);

#endif /* WN_TESTS_CHARACTERIZE_SLOW_H */
