/* SPDX-License-Identifier: MIT */
/*
 * characterize.h - a characterisation as pictures and as a table. Of results that hold no analysis
 * (result->none) there are no pictures: WN_E_ARG.
 */
#ifndef WN_EXPORT_CHARACTERIZE_H
#define WN_EXPORT_CHARACTERIZE_H

#include "characterize/characterize.h"
#include "characterize/cutoffs.h"

#include <stdio.h>

/* Each: WN_OK · WN_E_IO · WN_E_NOMEM · WN_E_ARG. */

/* What each component has of the variance, and all so far. */
WN_MUST_CHECK wn_status wn_draw_scree(const struct wn_characterization *r, FILE *to, wn_err *err);

/* What each variable has of each component kept. */
WN_MUST_CHECK wn_status wn_draw_loadings(const struct wn_characterization *r, FILE *to,
                                         wn_err *err);

/* The cases in the plane of two components (from 0), coloured by cluster. */
WN_MUST_CHECK wn_status wn_draw_scores(const struct wn_characterization *r, size_t across,
                                       size_t up, FILE *to, wn_err *err);

/* Who was merged with whom, and how far apart they were. */
WN_MUST_CHECK wn_status wn_draw_dendrogram(const struct wn_characterization *r, FILE *to,
                                           wn_err *err);

/* Three times of a task over cut-offs ([n] ascending), and the range between them. */
WN_MUST_CHECK wn_status wn_draw_cutoffs(const struct wn_cutoff *runs, size_t n,
                                        const struct wn_cutoff_range *range, bool by_mean, FILE *to,
                                        wn_err *err);

/* One line for each case: name, variables, scores of the components kept, cluster. Missing: empty.
 */
WN_MUST_CHECK wn_status wn_export_characterization(const struct wn_characterization *r, FILE *to,
                                                   wn_err *err);

#endif /* WN_EXPORT_CHARACTERIZE_H */
