/* SPDX-License-Identifier: MIT */
/* check_private.h - what check.c and check_sums.c share. Private to this folder. */
#ifndef WN_GRAPH_CHECK_PRIVATE_H
#define WN_GRAPH_CHECK_PRIVATE_H

#include "graph/graph.h"

/* WN_E_INVARIANT, with the law that is broken and the grain, fork-join, join or thread. */
wn_status check_fail(wn_err *err, const char *law, uint64_t which);

/* No record is missing before another one that is there, as far as is known. */
bool check_is_unbroken(const struct wn_graph *g);

/* check_sums.c: fragments, times, spans. */
wn_status check_sums(const struct wn_graph *g, wn_err *err);

#endif /* WN_GRAPH_CHECK_PRIVATE_H */
