/* SPDX-License-Identifier: MIT */
/* characterize.h - draws a characterisation and writes it as a table. Results without an analysis
 * (result->none) have no pictures: WN_E_ARG. */
#pragma once

#include "characterize/characterize.h"
#include "characterize/cutoffs.h"

#include <stdio.h>

/* Each returns WN_OK · WN_E_IO · WN_E_NOMEM · WN_E_ARG. */

/* Scree plot: each component's share of the variance, and the cumulative share. */
WN_MUST_CHECK wn_status wn_draw_scree(const struct wn_characterization *r, FILE *to, wn_err *err);

/* Loadings of the variables on each kept component. */
WN_MUST_CHECK wn_status wn_draw_loadings(const struct wn_characterization *r, FILE *to,
                                         wn_err *err);

/* Scores of the cases on two components (from 0), coloured by cluster. */
WN_MUST_CHECK wn_status wn_draw_scores(const struct wn_characterization *r, size_t across,
                                       size_t up, FILE *to, wn_err *err);

/* Dendrogram: merges of clusters and their distances. */
WN_MUST_CHECK wn_status wn_draw_dendrogram(const struct wn_characterization *r, FILE *to,
                                           wn_err *err);

/* The three times of a task over cut-offs ([n] ascending), with the recommended range. */
WN_MUST_CHECK wn_status wn_draw_cutoffs(const struct wn_cutoff *runs, size_t n,
                                        const struct wn_cutoff_range *range, bool by_mean, FILE *to,
                                        wn_err *err);

/* One line per case: name, variables, scores of the kept components, cluster. Missing values are
 * empty. */
WN_MUST_CHECK wn_status wn_export_characterization(const struct wn_characterization *r, FILE *to,
                                                   wn_err *err);
