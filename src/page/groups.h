/* SPDX-License-Identifier: MIT */
/* groups.h - what value groups have of a metric of the user, by its rule, as aggregate/group.h has
 * it: grain after grain, the same sums in the same order. */
#ifndef WN_PAGE_GROUPS_H
#define WN_PAGE_GROUPS_H

#include "page/private.h"
#include "page/table.h"

struct groups;

/* Begins anew, for a metric of the table; its groups are those that the page has of tiers. */
WN_MUST_CHECK wn_status groups_new(const struct page *p, const struct table *t, uint32_t metric,
                                   struct groups **out, wn_err *err);
/* NULL is fine. */
void groups_free(struct groups *g);
/* The next chunk, which the table has; or the only one: then groups that end elsewhere stay
 * without. values: [n_nodes] of the chunk; NULL: not wanted. */
WN_MUST_CHECK wn_status groups_take(struct groups *g, const struct table *t, uint32_t chunk,
                                    double *values, wn_err *err);
/* The next chunk is not there: groups around it have no value. */
WN_MUST_CHECK wn_status groups_lack(struct groups *g, uint32_t chunk, wn_err *err);
/* The chunk that comes next. */
uint32_t groups_next(const struct groups *g);
/* Of the k-th group of the tiers; NAN: it has none, or nobody knows it. */
double groups_value(const struct groups *g, uint32_t k);

#endif /* WN_PAGE_GROUPS_H */
