/* SPDX-License-Identifier: MIT */
/* group_values.h - computes the values of groups for a user metric by its rule, as
 * aggregate/group.h defines it: grain after grain, with the same sums in the same order. */
#pragma once

#include "page/private.h"
#include "page/table.h"

struct groups;

/* Starts again for a metric of the table; computes the groups that the page has in tiers. */
WN_MUST_CHECK wn_status groups_new(const struct page *p, const struct table *t, uint32_t metric,
                                   struct groups **out, wn_err *err);
/* NULL is fine. */
void groups_free(struct groups *g);
/* Adds the next chunk, which the table has; or the only one: then groups that end elsewhere have no
 * values. values: [n_nodes] of the chunk; NULL: not wanted. */
WN_MUST_CHECK wn_status groups_take(struct groups *g, const struct table *t, uint32_t chunk,
                                    double *values, wn_err *err);
/* Skips the next chunk, which is missing: groups around it have no value. */
WN_MUST_CHECK wn_status groups_lack(struct groups *g, uint32_t chunk, wn_err *err);
/* Returns the next expected chunk. */
uint32_t groups_next(const struct groups *g);
/* Returns the value of the k-th group of the tiers; NAN: none or unknown. */
double groups_value(const struct groups *g, uint32_t k);
