/* SPDX-License-Identifier: MIT */
/*
 * pomp2.h - the source for programs instrumented by OPARI2: declarations shared by its files.
 *
 *   runtime.c    the program's own OpenMP functions
 *   region.c     handles and their strings
 *   parallel.c   teams of threads
 *   work.c       loops, sections, single, master, workshare
 *   task.c       tasks, taskwait
 *   sync.c       barriers, critical, ordered, atomic, locks
 *   user.c       regions that the user marked
 *   entry.c      entry points for C and C++
 *   fortran.c    entry points for Fortran: everything by reference
 *   silent.c     entry points that do nothing, for linking (libwinnow-pomp2.so)
 *
 * OPARI2 2.0.7 calls POMP2_* round each construct (its pomp2_lib.h is the interface, its placement
 * of the calls is in doc/pomp2.md). A task's handle is its id, made by its parent at create_begin,
 * so parent and birth order are known there [P4]. A team's thread does not get its fork, which is
 * found by the thread numbers of its ancestors and the construct (parallel.c).
 */
#ifndef WN_POMP2_H
#define WN_POMP2_H

#include "pomp2_at.h"
#include "pomp2_runtime.h"
#include "record/emit.h"

#define WN_HIDDEN __attribute__((visibility("hidden")))

/* Maximum number of threads of one root with the same construct open at once. */
#define POMP2_FORKS_OPEN 256u
/* Maximum nesting of a thread's open regions; deeper ones are not recorded. */
#define POMP2_FORKS_DEEP 64u

/* A parallel construct that a thread has entered and not left. */
struct pomp2_fork {
	struct pomp2_region *region;
	_Atomic uint64_t path;  /* of the thread that encountered it; 0 = free */
	_Atomic uint64_t taken; /* thread numbers that have begun, modulo 64 */
	uint64_t ref;           /* the recorder's; 0 = not recorded */
	struct wn_loop_state loop;
	uint64_t chunk_next;
	uint32_t flags;
	uint32_t slot;  /* in the region's list */
	uint32_t depth; /* of the thread's stack of tasks */
};

/* A construct of the program, to which its handle points. Created at its first use, never freed. */
struct pomp2_region {
	_Atomic(struct pomp2_fork *) open[POMP2_FORKS_OPEN];
	uint32_t work_kind;  /* enum wn_work_kind | WN_LOOP_* */
	uint32_t task_flags; /* enum wn_task_flag */
	uint32_t n_sections;
	uint32_t line;
	uint64_t mutex;
	bool is_parallel; /* its implicit barrier ends a parallel region */
	struct {
		_Atomic uint32_t generation; /* of the trace that contains it */
		uint32_t number;
	} file, label; /* label: of user regions */
	const char *file_text;
	const char *label_text;
};

/* Thread state in addition to struct wn_thread; mapped at the thread's first parallel construct. */
struct pomp2_side {
	uint32_t n_forks;
	struct pomp2_fork forks[POMP2_FORKS_DEEP];
};

/* This source's use of a thread's scratch words. */
#define POMP2_SIDE(t)  ((t)->source_ptr[0])
#define POMP2_MUTED(t) ((t)->n_muted)

/* bits of wn_thread.source_flags: open constructs of the current implicit task */
enum pomp2_open {
	POMP2_OPEN_WORK = 1,    /* between WORK_BEGIN and WORK_END */
	POMP2_OPEN_SHARE = 2,   /* a chunk or section is open */
	POMP2_SINGLE_ASKED = 4, /* entered a single and, as far as known, does not execute it */
};

/* 0 = not checked yet, 1 = recording, -1 = not */
extern _Atomic int pomp2_state WN_HIDDEN;
WN_HIDDEN bool pomp2_start(void);
WN_HIDDEN struct wn_thread *pomp2_attach(void);

/* The calling thread's recorder, also inside an unrecorded region; NULL if nothing is recorded. */
static inline struct wn_thread *
pomp2_thread(void)
{
	struct wn_thread *t = wn_self;
	return __builtin_expect(t != NULL, 1) ? t : pomp2_attach();
}

/* The same, NULL inside unrecorded regions. */
static inline struct wn_thread *
pomp2_self(void)
{
	struct wn_thread *t = pomp2_thread();
	return t && __builtin_expect(POMP2_MUTED(t) == 0, 1) ? t : NULL;
}

/* The construct's region, created from `text` at its first use; NULL without text. */
WN_HIDDEN struct pomp2_region *pomp2_region_make(POMP2_Region_handle *handle, const char *text);

/* NULL if it has not been created. */
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

/* Slow: records the source line of a site. */
WN_HIDDEN void pomp2_tell_place(struct wn_thread *t, struct pomp2_region *r, const void *site,
                                uint32_t aux);
/* The number of a user region's name, recorded in the trace when it is new there. */
WN_HIDDEN uint32_t pomp2_label(struct wn_thread *t, struct pomp2_region *r);

/* Call before an event with a site: records OPARI2's source line, because the compiler's line table
 * may be off by the lines that OPARI2 inserted. True if it was recorded, which happens once in each
 * block. */
static inline bool
pomp2_place(struct wn_thread *t, struct pomp2_region *r, const void *site, uint32_t aux)
{
	if (__builtin_expect(wn_find_site(&t->w, (uint64_t)(uintptr_t)site, aux) != WN_SITE_TABLE_N,
	                     1))
		return false;
	pomp2_tell_place(t, r, site, aux);
	return true;
}

/* After a scheduling point: the task `own` resumes here. Only an untied task can be other than the
 * one on top. */
static inline void
pomp2_resume(struct wn_thread *t, uint64_t tick, POMP2_Task_handle own)
{
	if (__builtin_expect(own != 0 && (wn_id)own != wn_stack_peek(t, 0), 0))
		wn_ev_task_switch(t, tick, false, (wn_id)own);
}

/* Ends all open constructs of the implicit task. */
WN_HIDDEN void pomp2_work_close(struct wn_thread *t, uint64_t tick);

#endif /* WN_POMP2_H */
