/* SPDX-License-Identifier: MIT */
/* parallel.h - a parallel region during its libgomp call. The wrapper passes libgomp the function
 * gomp_region_body and a struct gomp_region instead of the user's function and data. */
#pragma once

#include "record/sources/libgomp/task.h"
#include "record/sources/libgomp/work.h"

/* Site of a construct identified by its outlined function. Sites without a flag are return
 * addresses, and readers look up the byte before, hence + 1 here. */
static inline const void *
gomp_site_of(gomp_fn fn)
{
	return (const void *)((uintptr_t)fn + 1);
}

struct gomp_region {
	void *first_word; /* of the user's data: read by GOMP_parallel_reductions */
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
	struct gomp_region *outer; /* GOMP_parallel_start: the enclosing region ... */
	uint64_t started;          /* ... and how many are open, including unrecorded ones */
};

/* A region of a runtime whose events come from another source that has ended. */
void gomp_region_pass(const struct gomp_module *m);

/* Must a region that starts here be followed? Also inside an unrecorded region, because its threads
 * must be muted. */
static inline bool
gomp_region_is_seen(const struct gomp_module *m, const struct wn_thread *t)
{
	if (t || (wn_n_muted > 0 && m->is_recorded))
		return true;
	if (__builtin_expect(wn_ompt_is_over, 0))
		gomp_region_pass(m);
	return false;
}

/* The construct begins; the master is `t`, NULL if muted. The caller has filled fn, data and the
 * combined part. */
void gomp_region_open(struct gomp_region *r, struct wn_thread *t, const struct gomp_module *m,
                      unsigned n_threads);

/* Body that every team thread runs. */
void gomp_region_body(void *region);

/* After the real call returned on the master. */
void gomp_region_close(struct gomp_region *r);

/* The old interface, where the master runs the function between _start and _end. */
struct gomp_region *gomp_region_alloc(const struct gomp_region *filled, struct wn_thread *t,
                                      const struct gomp_module *m);
void gomp_region_started(struct gomp_region *r);
