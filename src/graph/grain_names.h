/* SPDX-License-Identifier: MIT */
/* grain_names.h - names of grains for tables and drawings. A lineage (wn_graph_lineage()) contains
 * every step from the root, so that the names of 20 000 nested tasks take 400 MB. Here the name of
 * a grain below WN_NAME_STEPS_MAX steps consists of its lineage's first steps, "..#", the number of
 * steps, "-", 16 hexadecimal digits that depend on all of them, and the last step:
 * P0.t0.1.1.1.1.1.1..#20000-5d41402abc4b2a76.1 (doc/metrics.md, "Lineage"). */
#pragma once

#include "graph/graph.h"

#define WN_NAME_STEPS_MAX   64u /* names of up to this many are lineages */
#define WN_NAME_STEPS_FIRST 8u  /* kept of a longer one */

struct wn_names;

/**
 * Prepares names of all grains.
 *
 * @param g    not lean; must outlive the result.
 * @param out  written only on success; release with wn_names_free().
 * @return WN_OK · WN_E_ARG (a lean graph) · WN_E_NOMEM
 *
 * Cost     O(n); 8 bytes per id meanwhile, or 24 if a name is shortened, of which 16 stay.
 * Threads  pure.
 */
WN_MUST_CHECK wn_status wn_names_new(const struct wn_graph *g, struct wn_names **out, wn_err *err);
void wn_names_free(struct wn_names *names);

/**
 * Finds the grain of a shortened name, like wn_graph_find() for lineages.
 *
 * @param text  [length] need not end with a NUL.
 * @param out   written only on success; among several the lowest id.
 * @return WN_OK · WN_E_ARG (no such grain; a lean graph) · WN_E_NOMEM
 *
 * Cost     O(n); as wn_names_new(). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_names_find(const struct wn_graph *g, const char *text, size_t length,
                                      wn_grain *out, wn_err *err);

/* Returns whether a text, with or without a group's suffix, is based on a shortened name. */
bool wn_name_is_short(const char *text, size_t length);

/* Switches to full lineages, however long. */
void wn_names_keep_whole(struct wn_names *names);

/* Total bytes of the names of all grains, shortened or as full lineages. 0 if none is shortened:
 * then it is not measured. */
uint64_t wn_names_bytes(const struct wn_names *names, bool are_whole);

/* As wn_graph_lineage(). Cost  O(1), or O(depth) for whole lineages. Threads  pure. */
size_t wn_name(const struct wn_names *names, wn_grain id, char *buffer, size_t size);
