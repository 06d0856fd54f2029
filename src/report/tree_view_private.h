/* SPDX-License-Identifier: MIT */
/* tree_view_private.h - what text and JSON of a tree share. Private to this folder. */
#pragma once

#include "aggregate/propagate.h"
#include "report/tree_view.h"

#define TREE_WORDS_BYTES 200

/* Describes a line of the view: "parallel region, 4 threads". */
const char *tree_words(const struct wn_report_tree *r, const struct wn_view_line *line,
                       char out[TREE_WORDS_BYTES]);

/* Returns the place of a line, NULL if there is none or several. */
const struct wn_report_place *tree_place(const struct wn_report_tree *r, wn_tree_node node);

/* "grain", "linear", "fork_join", "siblings", "alike". */
const char *tree_kind(const struct wn_tree *t, wn_tree_node node);

/* Counts the members of a group; members folded because they are alike count one by one. */
uint64_t tree_members(const struct wn_tree *t, wn_tree_node group);

/* Computes the spread of the work of members that are all alike; false for other lines. */
bool tree_spread(const struct wn_report_tree *r, const struct wn_view_line *line,
                 struct wn_tree_spread *out);

/* Percentage of the whole graph's nodes that the view hides. */
double tree_savings(const struct wn_report_tree *r, uint64_t theta);
