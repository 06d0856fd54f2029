/* SPDX-License-Identifier: MIT */
/* sharing.h - cache lines that logically parallel grains access and at least one of them writes:
 * false sharing, contended atomics, true sharing. From the accesses that the counting engine has
 * logged (record/counters/sharing_log.h) and the fork-join order of the trace's grains, whatever
 * the schedule was. */
#pragma once

#include "record/counters/sharing_log.h"
#include "trace/trace_reader.h"
#include "winnow/base.h"

/* A point in a grain's execution. */
struct order_point {
	uint32_t grain; /* dense number, ORDER_NONE if there is none */
	uint32_t phase; /* implicit tasks: number of barriers passed */
	uint64_t tick;
};

#define ORDER_NONE   UINT32_MAX
#define ORDER_HELD_N 4u

/* A point whose state is wanted: filled in while the trace is read. */
struct order_query {
	uint32_t os_tid;
	struct order_point at;       /* in: tick */
	uint64_t id;                 /* of the grain: thread << 32 | number */
	uint32_t entry;              /* the caller's */
	uint32_t thread;             /* out: recorded thread; ORDER_NONE: unknown */
	uint64_t held[ORDER_HELD_N]; /* out: mutexes held there; 0: none */
};

struct order;

/**
 * Reads the fork-join structure of a trace.
 *
 * @param queries  [n] sorted by order_query_before(); `thread`, `held` and `at` are written.
 * @param out      written only on success; release with order_free().
 * @return WN_OK · WN_E_NOMEM
 * Cost  O(events + n).
 */
WN_MUST_CHECK wn_status order_read(struct wn_trace *trace, struct order_query *queries, size_t n,
                                   struct order **out, wn_err *err);
void order_free(struct order *o);

bool order_query_before(const struct order_query *a, const struct order_query *b);

/* Is there a path from one point to the other? Cost: O(depth), plus the dependences between two
 * siblings. */
bool order_is_before(const struct order *o, const struct order_point *from,
                     const struct order_point *to);

/* Are both chunks of loops? */
bool order_is_chunk(const struct order *o, uint32_t grain);

/**
 * Finds shared lines.
 *
 * @param log      [n_bytes]
 * @param out      *out is allocated; free with wn_free(). Most transfers first.
 * @return WN_OK · WN_E_NOMEM · WN_E_FORMAT
 * Cost  O(events + entries log entries); for each line at most 48 entries are compared in pairs.
 */
WN_MUST_CHECK wn_status wn_sharing_find(struct wn_trace *trace, const void *log, size_t n_bytes,
                                        struct wn_sharing_record **out, size_t *n_out, wn_err *err);
