/* SPDX-License-Identifier: MIT */
/*
 * real.h - finds the real function behind a wrapper, and the calling thread's recorder.
 *
 * A process can contain several copies of libgomp (Python wheels bring their own), and each library
 * must reach the copy it was linked to. So real functions are stored per calling module, found by
 * the return address: one range test per call, the rest once per module. Calls of a module whose
 * runtime is not GCC's libgomp are passed through unchanged: libomp's compatibility layer reports
 * through OMPT.
 *
 *   wrapper:  GOMP_ENTER(name)      -> site, module, real, t (NULL: only pass through)
 *             events, real(...)
 *             gomp_is_same(t)       -> false in a child forked meanwhile: its trace is another
 */
#pragma once

#include "record/events.h"
#include "winnow/base.h"

#include <stdatomic.h>

enum gomp_index {
#define GOMP_WRAPPED(name)               GOMP_INDEX_##name,
#define GOMP_VERSIONED(name, n, version) GOMP_INDEX_##name##_v##n,
#include "record/sources/libgomp/gomp_symbols.def"
#undef GOMP_WRAPPED
#undef GOMP_VERSIONED
	GOMP_INDEX_N
};

typedef void (*gomp_any_fn)(void);

/* A module of the program and its OpenMP runtime. Immutable once published. */
struct gomp_module {
	uintptr_t begin;
	uintptr_t size_bytes;
	bool is_recorded; /* its runtime is GCC's libgomp and the recorder has started */
	/* the caller could not wait for the decision; a later entry replaces this one */
	bool is_undecided;
	bool reports_chunks; /* of static loops: compiled with -fopenmp-ompt=extended (static.c) */
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

/* The module that called last: usually the only one. */
extern _Atomic(const struct gomp_module *) gomp_last_module __attribute__((visibility("hidden")));

/* The process has a libgomp with omp_all_memory. */
extern _Atomic bool gomp_has_all_memory __attribute__((visibility("hidden")));

/* Caller of a wrapper. By value, so that a wrapper that only passes a call on needs no stack. */
struct gomp_caller {
	const struct gomp_module *module;
	const void *site;
};

/* Slow: finds or makes the module of a caller outside gomp_last_module. When the call came from
 * our own trampoline (a tail call), the site becomes the outlined function. */
struct gomp_caller gomp_caller_find(const void *site);

/* Does the module of `address` import an entry point of this name? */
bool gomp_imports(const void *address, const char *name);

/* Slow: attaches the thread; restarts the recorder in a forked child. */
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

/* The same if the caller is cached and its calls are recorded; else module is NULL. */
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

/* True if the thread still records to the same trace as before the call. */
static inline bool
gomp_is_same(const struct wn_thread *t)
{
	return __builtin_expect(t && wn_self == t, 1);
}

/* This source's use of a thread's scratch words. */
#define GOMP_FN(t)       (*gomp_fn_of(t))      /* the current outlined function */
#define GOMP_STARTS(t)   ((t)->source_ptr[1])  /* struct gomp_region of GOMP_parallel_start */
#define GOMP_STEP_MAG(t) ((t)->source_word[0]) /* |step| of the open loop */
#define GOMP_STARTED(t)  ((t)->source_word[1]) /* open GOMP_parallel_start calls */
#define GOMP_REGION(t)   ((t)->source_word[2]) /* region of the current implicit task */
#define GOMP_LEAGUE(t)   ((t)->source_word[3]) /* league of the target construct, 0 = none */

#ifdef WN_PROVIDE
/* A task's body restores it (gomp_task_run). */
static inline void **
gomp_fn_of(struct wn_thread *t)
{
	return &t->source_ptr[0];
}
#else
/* Each nested task has its own, set when the task has begun. */
static inline void **
gomp_fn_of(struct wn_thread *t)
{
	return &t->source_stack[t->depth <= WN_STACK_MAX ? t->depth : WN_STACK_MAX];
}
#endif

/* bits of wn_thread.source_flags: open constructs of the current implicit task */
enum gomp_open {
	GOMP_OPEN_SINGLE = 1, /* it executes a single, whose end has no event */
	GOMP_OPEN_SECTIONS = 2,
	GOMP_OPEN_SECTION = 4,
	GOMP_OPEN_SCOPE = 8,
	GOMP_LOOP_DOWN = 16,      /* the open loop counts down */
	GOMP_LOOP_INLINE = 32,    /* the open loop is divided by compiled code */
	GOMP_LOOP_STATIC = 64,    /* the open loop ends at its barrier or _end (static.c) */
	GOMP_LOOP_REPORTED = 128, /* a chunk of the open loop was recorded (static.c) */
	GOMP_OPEN_MASKED = 256
};

#define GOMP_ENTER_AS(name, self)                                                                  \
	const struct gomp_caller caller = gomp_caller_of(__builtin_return_address(0));             \
	__attribute__((unused)) const void *site = caller.site;                                    \
	const struct gomp_module *module = caller.module;                                          \
	__typeof__(&name) real = (__typeof__(&name))module->real[GOMP_INDEX_##name];               \
	struct wn_thread *t = module->is_recorded ? (self) : NULL;                                 \
	WN_CALLED(t, site)

/* Declares and begins the definition of an entry point: GOMP_ENTRY(type, name, parameters). */
#define GOMP_ENTRY(type, name, ...)                                                                \
	WN_API type name(__VA_ARGS__);                                                             \
	type name(__VA_ARGS__)

/* Begins every wrapper. Declares site, module, real and t. A frequent wrapper continues with "if
 * (!t) return real(...)", which compiles to a jump, so that an unrecorded program needs no stack
 * for it. */
#define GOMP_ENTER(name) GOMP_ENTER_AS(name, gomp_self())

/* The same for calls outside any grain, on a thread that was never in a region: attaches none. */
#define GOMP_ENTER_IF_KNOWN(name) GOMP_ENTER_AS(name, wn_self)
