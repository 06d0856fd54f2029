/* SPDX-License-Identifier: MIT */
/* characterize.h - compares programs: principal components of their properties, and clusters of
 * similar ones ([P2]). Works on numbers alone, whatever their origin. */
#pragma once

#include "characterize/cases.h"
#include "characterize/crossval.h"
#include "characterize/pca.h"
#include "characterize/ward.h"

struct wn_characterize_options {
	double keep; /* 0 to 1: share of the variance that the kept components explain; 0 = 0.85 */
	enum wn_ward ward;
	size_t n_clusters; /* 0 = 5 */
};

#define WN_CHARACTERIZE_KEEP     0.85
#define WN_CHARACTERIZE_CLUSTERS 5u

/* Why a variable or a case was left out of the analysis. */
enum wn_left_out {
	WN_USED = 0,
	WN_LEFT_MISSING, /* a variable: missing in all cases; a case: lacks a used variable */
	WN_LEFT_CONSTANT /* a variable: the same in all used cases, or too large */
};

enum wn_no_analysis {
	WN_ANALYSED = 0,
	WN_TOO_FEW_CASES,     /* fewer than two */
	WN_TOO_FEW_VARIABLES, /* none that varies */
};

struct wn_characterization {
	const struct wn_cases *cases; /* borrowed */
	uint8_t *left_variable;       /* [cases->n_variables] enum wn_left_out */
	uint8_t *left_case;           /* [cases->n] enum wn_left_out */
	size_t *missing;          /* [cases->n] for a case left out: its first missing variable */
	enum wn_no_analysis none; /* if not WN_ANALYSED, the fields below are not set */

	size_t n, n_variables; /* number used in the analysis */
	size_t *case_of;       /* [n] index into cases */
	size_t *variable_of;   /* [n_variables] */
	double *mean, *sd;     /* [n_variables] divisor n - 1 */
	struct wn_pca pca;     /* of the autoscaled table */
	double keep;
	size_t n_kept;
	enum wn_ward ward;
	struct wn_merge *merges; /* [n - 1] of the autoscaled scores of the kept components */
	size_t *order;           /* [n] */
	size_t n_clusters;
	size_t *cluster;             /* [n] */
	bool is_validated;           /* false: the table is too large for cross-validation */
	struct wn_crossval crossval; /* .n = 0: too few cases or variables */
};

/**
 * Analyses cases: leaves out variables that no case has, then cases in which a variable is
 * missing, then constant variables; autoscales; computes principal components and Ward clusters of
 * the autoscaled scores of the kept components; cross-validates their number.
 *
 * @param c        must outlive the result.
 * @param options  NULL = defaults.
 * @param out      written only on success; release with wn_characterization_free().
 * @return WN_OK · WN_E_NOMEM · WN_E_IO (no LAPACK) · WN_E_LIMIT · WN_E_INVARIANT
 * Cost     that of wn_pca(), wn_ward() and wn_crossval(). Threads  pure.
 * Source   [P2]; doc/characterize.md. Oracle  tests/characterize
 */
WN_MUST_CHECK wn_status wn_characterize(const struct wn_cases *c,
                                        const struct wn_characterize_options *options,
                                        struct wn_characterization **out, wn_err *err);
void wn_characterization_free(struct wn_characterization *r);
