/* SPDX-License-Identifier: MIT */
/* folded.h - draws a view of the tree: grains, each closed group as one node, and the fork and join
 * of each open fork-join. Open linear groups and loose branches are drawn as their content.
 * Dependences between two nodes, and edges from creators to what others joined, become one arrow
 * each with their number. */
#pragma once

#include "aggregate/view.h"
#include "export/export.h"

/**
 * Writes one document to `to`, which stays open.
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
