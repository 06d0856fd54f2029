/* SPDX-License-Identifier: MIT */
/* cases.h - the table to analyse: cases (rows, e.g. runs) by variables (columns, properties of a
 * run), each with a name. NAN: missing. */
#pragma once

#include "winnow/base.h"

#include <stdio.h>

#define WN_VARIABLES_MAX 1000u

struct wn_cases {
	size_t n, n_variables;
	char **names;     /* [n] */
	char **variables; /* [n_variables] */
	double *at;       /* [n * n_variables] case after case */
	size_t names_capacity, variables_capacity, at_capacity;
};

static inline double
wn_cases_at(const struct wn_cases *c, size_t i, size_t variable)
{
	return c->at[i * c->n_variables + variable];
}

/* Adds a variable; all variables must be added before the first case. WN_OK · WN_E_NOMEM. */
WN_MUST_CHECK wn_status wn_cases_add_variable(struct wn_cases *c, const char *name, wn_err *err);
/* Adds a case. values: [n_variables]. A duplicate name gets a number: "fib 30 (2)". WN_OK ·
 * WN_E_NOMEM */
WN_MUST_CHECK wn_status wn_cases_add(struct wn_cases *c, const char *name, const double *values,
                                     wn_err *err);
void wn_cases_fini(struct wn_cases *c);

/**
 * Reads comma-separated values (RFC 4180): a line of names, then one line for each case, its name
 * first. An empty field and NA are missing values.
 *
 * @param c    empty; release with wn_cases_fini(), also after a failure.
 * @param err  contains line and field; no offset.
 * @return WN_OK · WN_E_FORMAT · WN_E_EMPTY (no case) · WN_E_LIMIT · WN_E_IO · WN_E_NOMEM
 * Cost     O(bytes + cases * cases). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_cases_read(FILE *from, struct wn_cases *c, wn_err *err);
