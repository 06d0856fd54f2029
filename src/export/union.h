/* SPDX-License-Identifier: MIT */
/* union.h - merges two runs into the nodes of both and of one alone, written as nested GraphML of
 * groups and as a table of grains. */
#pragma once

#include "compare/changes.h"
#include "export/export.h"

#define WN_COLOUR_SAME     "#00A000"
#define WN_COLOUR_CHANGED  "#FF8C00"
#define WN_COLOUR_CREATED  "#1E60FF"
#define WN_COLOUR_VANISHED "#909090"

struct wn_union {
	const struct wn_changes *changes; /* includes the match and the groups */
	const struct wn_export *x[2];     /* exports of the two graphs, for places */
	const uint8_t *is_inside[2];      /* [ids] 0: omit the grain; NULL: omit none */
};

/**
 * Writes the groups of both runs (compare/match_groups.h) as nested folders with their members;
 * every node has a status: same, changed, created (in B alone), vanished (in A alone). An edge
 * leads from each grain to each group it created.
 *
 * @return WN_OK · WN_E_IO (part of it may be written) · WN_E_NOMEM
 * Cost     O(nodes): ids are paths of up to WN_PATH_STEPS_MAX steps. 12 bytes per node.
 */
WN_MUST_CHECK wn_status wn_export_union(const struct wn_union *u, FILE *to, wn_err *err);

/* Returns the number of nodes. Cost O(n). */
uint64_t wn_union_nodes(const struct wn_union *u);

/**
 * Writes one line per grain and implicit task of both runs: lineage, status, kind, place, group,
 * number and work in A and B, and work(B) / work(A). Those of A come first, in order, then those of
 * B alone.
 *
 * @return WN_OK · WN_E_IO (part of it may be written) · WN_E_NOMEM
 * Cost     O(n).
 */
WN_MUST_CHECK wn_status wn_export_union_csv(const struct wn_union *u, FILE *to, wn_err *err);
