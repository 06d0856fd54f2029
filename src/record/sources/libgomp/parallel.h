/* SPDX-License-Identifier: MIT */
/*
 * parallel.h - a parallel region on its way through libgomp. The wrapper hands libgomp the
 * function gomp_region_body and a struct gomp_region instead of the user's function and data.
 */
#ifndef WN_LIBGOMP_PARALLEL_H
#define WN_LIBGOMP_PARALLEL_H

#include "record/sources/libgomp/task.h"
#include "record/sources/libgomp/work.h"

/* The site of a construct that is known by its outlined function. Sites without a flag that says
 * otherwise are return addresses, and readers look up the byte before: here the entry. */
static inline const void *
gomp_site_of(gomp_fn fn)
{
	return (const void *)((uintptr_t)fn + 1);
}

struct gomp_region {
	void *first_word; /* of the user's data: GOMP_parallel_reductions reads it */
	gomp_fn fn;
	void *data;
	const struct gomp_module *module;
	struct wn_thread *master;
	uint64_t id;
	bool is_unwanted; /* not recorded: its threads are muted */
	bool has_loop;
	struct gomp_loop loop;     /* of a combined construct */
	unsigned n_sections;       /* of a combined construct, else 0 */
	struct gomp_saved saved;   /* the master's outer constructs */
	struct gomp_region *outer; /* GOMP_parallel_start: the region around this one ... */
	uint64_t started;          /* ... and how many are open, those not recorded included */
};

/* A region of a runtime that is recorded by another source, where that one has ended. */
void gomp_region_pass(const struct gomp_module *m);

/* Is a region that starts here ours to follow? Also one inside a region that is not recorded: its
 * threads have to be muted too. */
static inline bool
gomp_region_is_seen(const struct gomp_module *m, const struct wn_thread *t)
{
	if (t || (wn_n_muted > 0 && m->is_recorded))
		return true;
	if (__builtin_expect(wn_ompt_is_over, 0))
		gomp_region_pass(m);
	return false;
}

/* The construct is met; the master is `t`, NULL where that is muted. The caller has filled fn, data
 * and the combined part. */
void gomp_region_open(struct gomp_region *r, struct wn_thread *t, const struct gomp_module *m,
                      unsigned n_threads);

/* What every team thread runs. */
void gomp_region_body(void *region);

/* After the real call returned on the master. */
void gomp_region_close(struct gomp_region *r);

/* The old interface, where the master runs the function itself between _start and _end. */
struct gomp_region *gomp_region_alloc(const struct gomp_region *filled, struct wn_thread *t,
                                      const struct gomp_module *m);
void gomp_region_started(struct gomp_region *r);

#endif /* WN_LIBGOMP_PARALLEL_H */
