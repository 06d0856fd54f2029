/* SPDX-License-Identifier: MIT */
/*
 * folded.h - drawings of a view of the tree: grains, closed groups as one node each, and the fork
 * and the join of each open fork-join. Open linear groups, and branches that are apart or alike,
 * are seen by what is in them. Dependences between two nodes, and who made what others joined, are
 * one arrow each, with how many they are.
 */
#ifndef WN_EXPORT_FOLDED_H
#define WN_EXPORT_FOLDED_H

#include "aggregate/view.h"
#include "export/export.h"

/**
 * Each writes one document to `to`, which stays open.
 *
 * @param x  in the reduced form.
 * @param v  of a tree of x->g, with has_all_members.
 * @return WN_OK · WN_E_IO (part of it may be written) · WN_E_NOMEM
 *
 * Cost     O(lines * depth + edges of the graph * links of one node).  Threads  pure, for different
 * FILEs. Source   [P5] section III, navigation.
 */
WN_MUST_CHECK wn_status wn_export_folded_dot(const struct wn_export *x, const struct wn_view *v,
                                             FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_export_folded_svg(const struct wn_export *x, const struct wn_view *v,
                                             FILE *to, wn_err *err);

#endif /* WN_EXPORT_FOLDED_H */
