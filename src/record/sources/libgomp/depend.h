/* SPDX-License-Identifier: MIT */
/*
 * depend.h - the depend clauses of a construct, which GCC passes to libgomp in one of two arrays:
 *
 *   | n | n_out |                             out and inout ..., in ...
 *   | 0 | n | n_out | n_mutexinoutset | n_in | out and inout ..., mutexinoutset ..., in ..., others
 *
 * Each of the others points to a pair (address, kind): a depobj, or an inoutset. out and inout are
 * not distinguished. Since GCC 13 an out clause with address NULL means omp_all_memory.
 */
#pragma once

#include "record/sources/libgomp/event.h"

static inline void
gomp_depend_write(struct wn_thread *t, enum wn_depend_kind kind, const void *address)
{
	bool is_out = kind == WN_DEPEND_OUT || kind == WN_DEPEND_INOUT;
	bool is_all = is_out && !address && gomp_has_all_memory;
	wn_ev_depend(t, is_all ? WN_DEPEND_ALL_MEMORY : kind, address);
}

/* Kind of a depobj, in the encoding of libgomp 12 and later; 0 if unknown. */
static inline enum wn_depend_kind
gomp_depobj_kind(uintptr_t kind)
{
	return kind >= WN_DEPEND_IN && kind <= WN_DEPEND_INOUTSET ? (enum wn_depend_kind)kind
	                                                          : (enum wn_depend_kind)0;
}
static_assert(WN_DEPEND_IN == 1 && WN_DEPEND_OUT == 2 && WN_DEPEND_INOUT == 3 &&
                  WN_DEPEND_MUTEXINOUTSET == 4 && WN_DEPEND_INOUTSET == 5,
              "GOMP_DEPEND_*");

/* Records the clause of a depobj or inoutset: a pair (address, kind). */
static inline void
gomp_depobj_write(struct wn_thread *t, void *const *object)
{
	enum wn_depend_kind kind = gomp_depobj_kind((uintptr_t)object[1]);
	if (kind)
		gomp_depend_write(t, kind, object[0]);
}

/* Records all clauses of the creation that began last. */
static inline void
gomp_depends_write(struct wn_thread *t, void *const *depend)
{
	bool is_short = depend[0] != NULL;
	uintptr_t n = (uintptr_t)depend[is_short ? 0 : 1];
	uintptr_t end_out = (uintptr_t)depend[is_short ? 1 : 2];
	uintptr_t end_mutex = end_out + (is_short ? 0 : (uintptr_t)depend[3]);
	uintptr_t end_in = is_short ? n : end_mutex + (uintptr_t)depend[4];
	void *const *item = depend + (is_short ? 2 : 5);

	for (uintptr_t i = 0; i < n; i++) {
		if (i < end_out)
			gomp_depend_write(t, WN_DEPEND_INOUT, item[i]);
		else if (i < end_mutex)
			gomp_depend_write(t, WN_DEPEND_MUTEXINOUTSET, item[i]);
		else if (i < end_in)
			gomp_depend_write(t, WN_DEPEND_IN, item[i]);
		else
			gomp_depobj_write(t, item[i]);
	}
	wn_ev_depends_end(t);
}

/* A waitpoint: created with the clauses, and over at once. `more`: further enum wn_task_flag. */
static inline void
gomp_depend_waitpoint(struct wn_thread *t, uint64_t tick, const void *site, uint32_t more,
                      void *const *depend)
{
	wn_ev_waitpoint_create(t, tick, site, WN_TASK_WAITPOINT | WN_TASK_DEPENDENT | more);
	gomp_depends_write(t, depend);
	gomp_plain(t, WN_EV_CREATE_END);
}

/* A waitpoint, and the start of the wait for it. */
static inline void
gomp_depend_wait_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t more,
                       void *const *depend)
{
	gomp_depend_waitpoint(t, tick, site, WN_TASK_UNDEFERRED | more, depend);
	gomp_sync_begin(t, site, WN_SYNC_DEPEND);
}
