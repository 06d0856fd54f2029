/* SPDX-License-Identifier: MIT */
/*
 * characterize.h - what tells programs apart: principal components of their properties, and
 * clusters of those alike ([P2]). Numbers only; whose they are, nothing here knows.
 */
#ifndef WN_CHARACTERIZE_CHARACTERIZE_H
#define WN_CHARACTERIZE_CHARACTERIZE_H

#include "characterize/cases.h"
#include "characterize/crossval.h"
#include "characterize/pca.h"
#include "characterize/ward.h"

struct wn_characterize_options {
	double keep; /* 0 to 1: variance that the components kept have; 0 = 0.85 */
	enum wn_ward ward;
	size_t n_clusters; /* 0 = 5 */
};

#define WN_CHARACTERIZE_KEEP     0.85
#define WN_CHARACTERIZE_CLUSTERS 5u

/* Why a variable or a case is not part of the analysis. */
enum wn_left_out {
	WN_USED = 0,
	WN_LEFT_MISSING, /* a variable: missing in all cases; a case: missing a variable used */
	WN_LEFT_CONSTANT /* a variable: the same in all cases used, or too large */
};

enum wn_no_analysis {
	WN_ANALYSED = 0,
	WN_TOO_FEW_CASES,     /* less than two */
	WN_TOO_FEW_VARIABLES, /* none that differs */
};

struct wn_characterization {
	const struct wn_cases *cases; /* borrowed */
	uint8_t *left_variable;       /* [cases->n_variables] enum wn_left_out */
	uint8_t *left_case;           /* [cases->n] enum wn_left_out */
	size_t *missing;              /* [cases->n] of a case left out, the first one missing */
	enum wn_no_analysis none;     /* not WN_ANALYSED: nothing below is set */

	size_t n, n_variables; /* used */
	size_t *case_of;       /* [n] index into cases */
	size_t *variable_of;   /* [n_variables] */
	double *mean, *sd;     /* [n_variables] divisor n - 1 */
	struct wn_pca pca;     /* of the autoscaled table */
	double keep;
	size_t n_kept;
	enum wn_ward ward;
	struct wn_merge *merges; /* [n - 1] of the autoscaled scores kept */
	size_t *order;           /* [n] */
	size_t n_clusters;
	size_t *cluster;             /* [n] */
	bool is_validated;           /* false: too large a table to be cross-validated */
	struct wn_crossval crossval; /* .n = 0: too few cases or variables */
};

/**
 * Characterises cases: leaves out variables that no case has, then cases in which a variable is
 * missing, then variables that are constant; autoscales; principal components; Ward clusters of the
 * autoscaled scores of the components kept; cross-validates their number.
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

#endif /* WN_CHARACTERIZE_CHARACTERIZE_H */
