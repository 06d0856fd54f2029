/* SPDX-License-Identifier: MIT */
/*
 * real.h - from a wrapper to the function it stands before, and to the calling thread's recorder.
 *
 * A process can hold several copies of libgomp (Python wheels bring their own), and each library
 * must reach the copy it was linked to. So the real functions are kept per calling module, found
 * by the return address: one range test per call, everything else happens once per module. A
 * module served by anything but a true libgomp is passed through untouched: libomp's compatibility
 * layer reports through OMPT.
 *
 *   wrapper:  GOMP_ENTER(name)      -> site, module, real, t (NULL: only pass through)
 *             events, real(...)
 *             gomp_is_same(t)       -> false in a child forked meanwhile: its trace is another
 */
#ifndef WN_LIBGOMP_REAL_H
#define WN_LIBGOMP_REAL_H

#include "record/events.h"
#include "winnow/base.h"

#include <stdatomic.h>

enum gomp_index {
#define GOMP_WRAPPED(name)               GOMP_INDEX_##name,
#define GOMP_VERSIONED(name, n, version) GOMP_INDEX_##name##_v##n,
#define GOMP_PASSED(name)
#include "record/sources/libgomp/gomp_symbols.def"
#undef GOMP_WRAPPED
#undef GOMP_VERSIONED
#undef GOMP_PASSED
	GOMP_INDEX_N
};

typedef void (*gomp_any_fn)(void);

#define GOMP_UNKNOWN_MAX 8

/* A module of the program and the OpenMP runtime it calls. Never changes once published. */
struct gomp_module {
	uintptr_t begin;
	uintptr_t size_bytes;
	bool is_recorded;  /* its runtime is a true libgomp and the recorder has started */
	bool is_undecided; /* nobody could wait for that; later an entry stands before this one */
	const char
	    *unknown[GOMP_UNKNOWN_MAX]; /* entry points that it imports and nobody knows here */
	struct gomp_module *next;
	int (*num_threads)(void);
	int (*thread_num)(void);
	void (*get_schedule)(int *kind, int *chunk);
	int (*num_teams)(void);
	int (*team_num)(void);
	int (*num_devices)(void);
	void (*register_reductions)(uintptr_t *reductions); /* NULL before GCC 9 */
	gomp_any_fn real[GOMP_INDEX_N];
};

/* The module that called last: mostly there is only one. */
extern _Atomic(const struct gomp_module *) gomp_last_module __attribute__((visibility("hidden")));

/* A libgomp was seen that knows omp_all_memory. */
extern _Atomic bool gomp_has_all_memory __attribute__((visibility("hidden")));

/* Who calls a wrapper. By value, so that a wrapper which only passes a call on needs no stack. */
struct gomp_caller {
	const struct gomp_module *module;
	const void *site;
};

/* Slow: finds or makes the module of a caller outside gomp_last_module. When the call came from
 * our own trampoline (a tail call), the site becomes the outlined function. */
struct gomp_caller gomp_caller_find(const void *site);

/* Finds the names of the entry points of libgomp that the module of `address` imports and this
 * recorder does not know: those of a GCC younger than gomp_symbols.def (unknown.c). */
void gomp_unknown_find(const void *address, const char *unknown[GOMP_UNKNOWN_MAX]);
/* One note in the trace for each of them. */
void gomp_unknown_tell(struct wn_thread *t, const struct gomp_module *module);

/* Slow: attaches the thread, starts the recorder again in a forked child. */
struct wn_thread *gomp_attach(void);

static inline struct gomp_caller
gomp_caller_of(const void *site)
{
	/* acquire: pairs with the release in real.c:publish */
	const struct gomp_module *m = atomic_load_explicit(&gomp_last_module, memory_order_acquire);
	if (__builtin_expect((uintptr_t)site - m->begin < m->size_bytes, 1))
		return (struct gomp_caller){m, site};
	return gomp_caller_find(site);
}

/* The same where nothing has to be looked up and the calls are recorded; else module is NULL. */
static inline struct gomp_caller
gomp_caller_known(const void *site)
{
	/* acquire: pairs with the release in real.c:publish */
	const struct gomp_module *m = atomic_load_explicit(&gomp_last_module, memory_order_acquire);
	bool is_known = (uintptr_t)site - m->begin < m->size_bytes && m->is_recorded;
	return (struct gomp_caller){__builtin_expect(is_known, 1) ? m : NULL, site};
}

static inline struct wn_thread *
gomp_self(void)
{
	struct wn_thread *t = wn_self;
	return __builtin_expect(t != NULL, 1) ? t : gomp_attach();
}

/* True if the thread still records where it did before the call. */
static inline bool
gomp_is_same(const struct wn_thread *t)
{
	return __builtin_expect(t && wn_self == t, 1);
}

/* The use that this source makes of a thread's scratch words. */
#define GOMP_FN(t)       (*gomp_fn_of(t))      /* outlined function that runs now */
#define GOMP_STARTS(t)   ((t)->source_ptr[1])  /* struct gomp_region of GOMP_parallel_start */
#define GOMP_STEP_MAG(t) ((t)->source_word[0]) /* |step| of the open loop */
#define GOMP_STARTED(t)  ((t)->source_word[1]) /* GOMP_parallel_start calls without their _end */
#define GOMP_REGION(t)   ((t)->source_word[2]) /* region of the current implicit task */
#define GOMP_LEAGUE(t)   ((t)->source_word[3]) /* league of the target construct, 0 = none */

#ifdef WN_PROVIDE
static inline void **
gomp_fn_of(struct wn_thread *t)
{
	return &t->source_ptr[0];
}

/* What a task's body puts back when the task is over. */
static inline void *
gomp_outer_fn(struct wn_thread *t)
{
	return GOMP_FN(t);
}

static inline void
gomp_outer_fn_restore(struct wn_thread *t, void *fn)
{
	GOMP_FN(t) = fn;
}
#else
/* Each nested task has its own: it is set when the task has begun. */
static inline void **
gomp_fn_of(struct wn_thread *t)
{
	return &t->source_stack[t->depth <= WN_STACK_MAX ? t->depth : WN_STACK_MAX];
}

static inline void *
gomp_outer_fn(struct wn_thread *t)
{
	(void)t;
	return NULL;
}

static inline void
gomp_outer_fn_restore(struct wn_thread *t, void *fn)
{
	(void)t;
	(void)fn;
}
#endif

/* bits of wn_thread.source_flags: constructs that the current implicit task is in */
enum gomp_open {
	GOMP_OPEN_SINGLE = 1, /* it executes a single; its end has no event of its own */
	GOMP_OPEN_SECTIONS = 2,
	GOMP_OPEN_SECTION = 4,
	GOMP_OPEN_SCOPE = 8,
	GOMP_LOOP_DOWN = 16,  /* the open loop counts down */
	GOMP_LOOP_INLINE = 32 /* the open loop is shared out by compiled code */
};

#define GOMP_ENTER_AS(name, self)                                                                  \
	const struct gomp_caller caller = gomp_caller_of(__builtin_return_address(0));             \
	__attribute__((unused)) const void *site = caller.site;                                    \
	const struct gomp_module *module = caller.module;                                          \
	__typeof__(&name) real = (__typeof__(&name))module->real[GOMP_INDEX_##name];               \
	struct wn_thread *t = module->is_recorded ? (self) : NULL;                                 \
	WN_CALLED(t, site)

/* Opens every wrapper. Declares site, module, real and t. One that is called often goes on with
 * "if (!t) return real(...)", which is then a jump: a program that is not recorded pays for no
 * stack. */
#define GOMP_ENTER(name) GOMP_ENTER_AS(name, gomp_self())

/* The same for what is nobody's grain on a thread that never was in a region: none is attached. */
#define GOMP_ENTER_IF_KNOWN(name) GOMP_ENTER_AS(name, wn_self)

#endif /* WN_LIBGOMP_REAL_H */
