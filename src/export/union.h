/* SPDX-License-Identifier: MIT */
/*
 * union.h - two runs as one: what both have, and what one has alone. As nested GraphML of groups,
 * and as a table of grains.
 */
#ifndef WN_EXPORT_UNION_H
#define WN_EXPORT_UNION_H

#include "compare/changes.h"
#include "export/export.h"

#define WN_COLOUR_SAME     "#00A000"
#define WN_COLOUR_CHANGED  "#FF8C00"
#define WN_COLOUR_CREATED  "#1E60FF"
#define WN_COLOUR_VANISHED "#909090"

struct wn_union {
	const struct wn_changes *changes; /* with the match and the groups */
	const struct wn_export *x[2];     /* of the two graphs, for places */
	const uint8_t *is_inside[2];      /* [ids] 0: leave the grain out; NULL: none */
};

/**
 * Writes the groups of both runs (compare/groups.h) as folders that hold one another, and in them
 * their members; every node has a status: same, changed, created (in B alone), vanished (in A
 * alone). An edge leads from each grain to each group of what it made.
 *
 * @return WN_OK · WN_E_IO (part of it may be written) · WN_E_NOMEM
 * Cost     O(nodes): ids are paths of up to WN_PATH_STEPS_MAX steps. 12 bytes per node.
 */
WN_MUST_CHECK wn_status wn_export_union(const struct wn_union *u, FILE *to, wn_err *err);

/* Nodes there will be. Cost  O(n). */
uint64_t wn_union_nodes(const struct wn_union *u);

/**
 * Writes a line for each grain and implicit task of both runs: lineage, status, kind, place, group,
 * number and work in A and B, and work(B) / work(A). First those of A, in their order, then what B
 * has alone.
 *
 * @return WN_OK · WN_E_IO (part of it may be written) · WN_E_NOMEM
 * Cost     O(n).
 */
WN_MUST_CHECK wn_status wn_export_union_csv(const struct wn_union *u, FILE *to, wn_err *err);

#endif /* WN_EXPORT_UNION_H */
