/* SPDX-License-Identifier: MIT */
/* tree_private.h - what text and JSON of a tree share. Private to this folder. */
#ifndef WN_REPORT_TREE_PRIVATE_H
#define WN_REPORT_TREE_PRIVATE_H

#include "aggregate/propagate.h"
#include "report/tree.h"

#define TREE_WORDS_BYTES 200

/* What a line of the view is, in a few words: "parallel region, 4 threads". */
const char *tree_words(const struct wn_report_tree *r, const struct wn_view_line *line,
                       char out[TREE_WORDS_BYTES]);

/* The place it comes from, NULL if there is none or there are several. */
const struct wn_report_place *tree_place(const struct wn_report_tree *r, wn_tree_node node);

/* "grain", "linear", "fork_join", "siblings", "alike". */
const char *tree_kind(const struct wn_tree *t, wn_tree_node node);

/* Members of a group; those that are alike, and so a group of their own, count each. */
uint64_t tree_members(const struct wn_tree *t, wn_tree_node group);

/* How the work of members that are all alike is spread; false if the line is not of such. */
bool tree_spread(const struct wn_report_tree *r, const struct wn_view_line *line,
                 struct wn_tree_spread *out);

/* Nodes of the whole graph that need not be looked at, of 100. */
double tree_savings(const struct wn_report_tree *r, uint64_t theta);

#endif /* WN_REPORT_TREE_PRIVATE_H */
