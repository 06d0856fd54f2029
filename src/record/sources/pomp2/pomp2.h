/* SPDX-License-Identifier: MIT */
/*
 * pomp2.h - the source for programs that OPARI2 has instrumented: what its files share.
 *
 *   runtime.c    the program's own OpenMP functions
 *   region.c     handles and their strings
 *   parallel.c   which thread is in which team
 *   work.c       loops, sections, single, master, workshare
 *   task.c       tasks, taskwait
 *   sync.c       barriers, critical, ordered, atomic, locks
 *   user.c       regions that the user marked
 *   entries.def  the entry points
 *   entry.c      as C and C++ programs call them
 *   fortran.c    as Fortran programs call them: everything by reference
 *   silent.c     all of it without recording: what the program is linked to (libwinnow-pomp2.so)
 *
 * OPARI2 2.0.7 calls POMP2_* round each construct (its pomp2_lib.h is the interface, its placement
 * of the calls is in doc/pomp2.md). A task's handle is its id, made by its parent at create_begin,
 * so parent and birth order are known there [P4]. A team's thread gets no handle of its fork:
 * the thread numbers of its ancestors and the construct identify it (parallel.c).
 */
#pragma once

#include "pomp2_at.h"
#include "pomp2_runtime.h"
#include "record/emit.h"

#define WN_HIDDEN __attribute__((visibility("hidden")))

/* Threads of one root that may have the same construct open at once. */
#define POMP2_FORKS_OPEN 256u
/* Regions that one thread may have open, one in the other; deeper ones are not recorded. */
#define POMP2_FORKS_DEEP 64u

/* A parallel construct that a thread has met and not left. */
struct pomp2_fork {
	struct pomp2_region *region;
	_Atomic uint64_t path;  /* of the thread that met it; 0 = free */
	_Atomic uint64_t taken; /* thread numbers that have begun, modulo 64 */
	uint64_t ref;           /* the recorder's; 0 = not recorded */
	struct wn_loop_state loop;
	uint64_t chunk_next;
	uint32_t flags;
	uint32_t slot;  /* in the region's list */
	uint32_t depth; /* of the thread's stack of tasks */
};

/* A construct of the program: what its handle points at. Made when first met, never freed. */
struct pomp2_region {
	_Atomic(struct pomp2_fork *) open[POMP2_FORKS_OPEN];
	uint32_t work_kind;  /* enum wn_work_kind | WN_LOOP_* */
	uint32_t task_flags; /* enum wn_task_flag */
	uint32_t n_sections;
	uint32_t line;
	uint64_t mutex;
	bool is_parallel; /* its implicit barrier ends a parallel region */
	struct {
		_Atomic uint32_t generation; /* of the trace that knows it */
		uint32_t number;
	} file, label; /* label: of user regions */
	const char *file_text;
	const char *label_text;
};

/* What a thread keeps beside struct wn_thread; mapped when it first meets a parallel construct. */
struct pomp2_side {
	uint32_t n_forks;
	struct pomp2_fork forks[POMP2_FORKS_DEEP];
};

/* The use that this source makes of a thread's scratch words. */
#define POMP2_SIDE(t)  ((t)->source_ptr[0])
#define POMP2_MUTED(t) ((t)->n_muted)

/* bits of wn_thread.source_flags: what the current implicit task is in */
enum pomp2_open {
	POMP2_OPEN_WORK = 1,      /* between WORK_BEGIN and WORK_END */
	POMP2_OPEN_SHARE = 2,     /* a chunk or section is open */
	POMP2_SINGLE_ENTERED = 4, /* met a single and does not execute it, as far as is known */
};

/* 0 = not asked yet, 1 = recording, -1 = not */
extern _Atomic int pomp2_state WN_HIDDEN;
WN_HIDDEN struct wn_thread *pomp2_attach(void);

/* The calling thread's recorder, also where its region is not recorded; NULL when nothing is. */
static inline struct wn_thread *
pomp2_thread(void)
{
	struct wn_thread *t = wn_self;
	return __builtin_expect(t != NULL, 1) ? t : pomp2_attach();
}

/* The same, NULL in regions that are not recorded. */
static inline struct wn_thread *
pomp2_self(void)
{
	struct wn_thread *t = pomp2_thread();
	return t && __builtin_expect(POMP2_MUTED(t) == 0, 1) ? t : NULL;
}

/* The construct's region, made from `text` when it is met for the first time; NULL without. */
WN_HIDDEN struct pomp2_region *pomp2_region_make(POMP2_Region_handle *handle, const char *text);

/* NULL where it has not been made. */
static inline struct pomp2_region *
pomp2_region_known(POMP2_Region_handle *handle)
{
	/* acquire: pairs with the release in region.c */
	return __atomic_load_n((struct pomp2_region **)(void *)handle, __ATOMIC_ACQUIRE);
}

static inline struct pomp2_region *
pomp2_region_of(POMP2_Region_handle *handle, const char *text)
{
	struct pomp2_region *r = pomp2_region_known(handle);
	return __builtin_expect(r != NULL, 1) ? r : pomp2_region_make(handle, text);
}

/* Slow: records where a site is in the source. */
WN_HIDDEN void pomp2_write_place(struct wn_thread *t, struct pomp2_region *r, const void *site,
                                 uint32_t aux);
/* The number of a user region's name, which is recorded when it is new in the trace. */
WN_HIDDEN uint32_t pomp2_label(struct wn_thread *t, struct pomp2_region *r);

/* Before an event with a site: records the place in OPARI2's string, as the compiler's line table
 * may be off by the lines that OPARI2 inserted. True if it was recorded, which is once in each
 * block. */
static inline bool
pomp2_place(struct wn_thread *t, struct pomp2_region *r, const void *site, uint32_t aux)
{
	if (__builtin_expect(wn_find_site(&t->w, (uint64_t)(uintptr_t)site, aux) != WN_SITE_TABLE_N,
	                     1))
		return false;
	pomp2_write_place(t, r, site, aux);
	return true;
}

/* After a scheduling point: the task `own` goes on here. Only a task that the compiler let move is
 * not the one on top. */
static inline void
pomp2_resume(struct wn_thread *t, uint64_t tick, POMP2_Task_handle own)
{
	if (__builtin_expect(own != 0 && (wn_id)own != wn_stack_peek(t, 0), 0))
		wn_ev_task_switch(t, tick, false, (wn_id)own);
}

/* Ends what the implicit task is still in. */
WN_HIDDEN void pomp2_work_close(struct wn_thread *t, uint64_t tick);
