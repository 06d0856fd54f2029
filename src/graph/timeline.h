/* SPDX-License-Identifier: MIT */
/*
 * timeline.h - what each thread did over time: stretches of time, each with the nanoseconds that
 * the thread spent in each state. They follow the accounts of the replay (account.c), so their sums
 * equal those of struct wn_thread_time exactly.
 *
 * A long run has more pieces than is worth keeping. When there are more than a limit, neighbouring
 * stretches that are shorter than a quantum become one, which then has several states; the quantum
 * grows until the limit holds. Of the begin of a run only a part of the limit is kept, or else most
 * stretches would be added to be merged later.
 */
#pragma once

#include "winnow/base.h"

#include "trace/trace_reader.h"

#include <stdbool.h>
#include <stddef.h>

/* States of a thread; the categories of model/time.def, without the remainder. */
enum wn_state {
	WN_THREAD_WORK = 0,
	WN_THREAD_SERIAL, /* user code outside regions */
	WN_THREAD_CREATION,
	WN_THREAD_DISPATCH,
	WN_THREAD_SCHEDULING,
	WN_THREAD_LEAVING,
	WN_THREAD_MUTEX,
	WN_THREAD_IDLE_READY,
	WN_THREAD_IDLE_EMPTY,
	WN_THREAD_FORKING,
	WN_THREAD_OFF_CPU,
	WN_THREAD_BLOCKED,
	WN_THREAD_RECORDING,
	WN_THREAD_PAUSED,
	WN_THREAD_LOST,
	WN_THREAD_MPI, /* inside regions and outside */
	WN_THREAD_STATES_N
};

/* Time of one thread: from begin_ns for length_ns. What is in no state is outside its regions. */
struct wn_stretch {
	uint64_t begin_ns;
	uint32_t length_ns;
	uint32_t site;    /* with most of its work; WN_NO_SITE */
	uint32_t site_ns; /* by how much that leads */
	uint32_t grain;   /* with the longest work in it, and that; or UINT32_MAX */
	uint32_t grain_ns;
	uint32_t ns[WN_THREAD_STATES_N];
	uint8_t state; /* the state with most of it plus 1, once it is asked for; else 0 */
};

/* Longer stretches are cut, so that lengths fit 32 bits and products 64. */
#define WN_STRETCH_NS_MAX (UINT32_C(1) << 31)

struct wn_stretches {
	struct wn_stretch *at; /* [n] in order of time, without gaps between them */
	size_t n, capacity;
};

struct wn_timeline {
	struct wn_stretches *threads; /* [n_threads] */
	uint32_t n_threads;
	size_t n, n_max;     /* stretches of all threads; soft limit of them, 0: none ... */
	size_t n_now;        /* ... and of those up to now */
	uint64_t quantum_ns; /* 0: nothing had to be merged */
};

/* n_max 0: no limit. NULL: out of memory. */
struct wn_timeline *wn_timeline_new(uint32_t n_threads, size_t n_max);
void wn_timeline_free(struct wn_timeline *t); /* NULL is fine */

/**
 * Appends time of a thread, which begins no earlier than its last one ended.
 *
 * @param ns    [WN_THREAD_STATES_N] sum at most to_ns - from_ns.
 * @param grain, site  of its work.
 * @return false: out of memory.
 * Cost     O(1) amortised. Threads  needs exclusive use of t. Oracle  tests/page/prop_timeline.c
 */
WN_MUST_CHECK bool wn_timeline_add(struct wn_timeline *t, uint32_t thread, uint64_t from_ns,
                                   uint64_t to_ns, const uint64_t *ns, uint32_t grain,
                                   uint32_t site);

/* The same for a stretch of less than WN_STRETCH_NS_MAX, whose `state` is not known. */
WN_MUST_CHECK bool wn_timeline_append(struct wn_timeline *t, uint32_t thread, struct wn_stretch *s);

/**
 * Makes a timeline of rows: threads whose time does not overlap share one, as of teams whose
 * threads are created anew for each region.
 *
 * @param row_of  [t->n_threads] set to the row of each thread.
 * @return NULL: out of memory.
 * Cost     O(stretches + threads^2 in the worst case). Threads  pure.
 */
struct wn_timeline *wn_timeline_rows(const struct wn_timeline *t, uint32_t *row_of);

/* Sets which part of `n_parts` of the run has been replayed: that share of the limit, but at least
 * an eighth of it, is the limit so far. Without a call it is the whole limit. */
static inline void
wn_timeline_progress(struct wn_timeline *t, uint64_t part, uint64_t n_parts)
{
	size_t least = t->n_max / 8, n = t->n_max;
	if (part < n_parts)
		n = (size_t)((double)t->n_max * (double)part / (double)n_parts);
	t->n_now = n > least ? n : least;
}

static inline void
wn_stretch_begin(struct wn_stretch *s, uint64_t begin_ns)
{
	*s = (struct wn_stretch){.begin_ns = begin_ns, .site = WN_NO_SITE, .grain = UINT32_MAX};
}

/* Adds work of a grain to that of which a stretch has most, but not to its states. */
static inline void
wn_stretch_add_work(struct wn_stretch *s, uint32_t grain, uint32_t grain_ns, uint32_t site,
                    uint32_t site_ns)
{
	if (grain == s->grain) {
		s->grain_ns += grain_ns;
	} else if (grain_ns > s->grain_ns) {
		s->grain = grain;
		s->grain_ns = grain_ns;
	}
	/* a weighted majority vote in one pass */
	if (s->site == site) {
		s->site_ns += site_ns;
	} else if (site_ns > s->site_ns) {
		s->site = site;
		s->site_ns = site_ns - s->site_ns;
	} else {
		s->site_ns -= site_ns;
	}
}

/* Returns the part of a stretch from its begin for `ns`; parts of consecutive ranges add up to the
 * whole. Exact in integers. Pure. */
static inline uint64_t
wn_stretch_until(const struct wn_stretch *s, enum wn_state state, uint64_t ns)
{
	return (uint64_t)s->ns[state] * ns / s->length_ns;
}
