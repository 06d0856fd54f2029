/* SPDX-License-Identifier: MIT */
/* check_private.h - declarations shared by check.c and check_sums.c. Private to this folder. */
#pragma once

#include "graph/graph.h"

/* Returns WN_E_INVARIANT, with the violated rule and the grain, fork-join, join or thread. */
wn_status check_fail(wn_err *err, const char *law, uint64_t which);

/* Returns whether, as far as is known, no record is missing before an existing one. */
bool check_is_unbroken(const struct wn_graph *g);

/* check_sums.c: fragments, times, spans. */
wn_status check_sums(const struct wn_graph *g, wn_err *err);
