/* SPDX-License-Identifier: MIT */
/*
 * libomp.h - the wrapped part of libomp's compiler interface, and the lookup of real functions.
 *
 * Types and numbers follow libomp's kmp.h; they are an interface between compilers and runtime and
 * have not changed since 2013. Wrappers are exported under the names of the originals.
 */
#pragma once

#include "record/frames.h"
#include "record/sources/ompt/source.h"

#include <stdatomic.h>

#define WN_EXPORT __attribute__((visibility("default")))

/* ident_t: the compiler's description of a source location */
struct kmp_ident {
	int32_t reserved_1;
	int32_t flags;
	int32_t reserved_2;
	int32_t reserved_3;
	const char *psource;
};

enum kmp_ident_flag {
	KMP_IDENT_KMPC = 2,
	KMP_IDENT_WORK_LOOP = 0x200,
	KMP_IDENT_WORK_SECTIONS = 0x400,
	KMP_IDENT_WORK_DISTRIBUTE = 0x800,
	KMP_IDENT_WORK = 0xe00
};

/* enum sched_type */
enum kmp_sched {
	KMP_SCHED_MODIFIERS = 3 << 29, /* monotonic, nonmonotonic */
	KMP_SCHED_STATIC_CHUNKED = 33,
	KMP_SCHED_STATIC = 34,
	KMP_SCHED_DYNAMIC_CHUNKED = 35,
	KMP_SCHED_GUIDED_CHUNKED = 36,
	KMP_SCHED_RUNTIME = 37,
	KMP_SCHED_AUTO = 38,
	KMP_SCHED_TRAPEZOIDAL = 39,
	KMP_SCHED_STATIC_GREEDY = 40,
	KMP_SCHED_STATIC_BALANCED = 41,
	KMP_SCHED_GUIDED_ITERATIVE = 42,
	KMP_SCHED_GUIDED_ANALYTICAL = 43,
	KMP_SCHED_STATIC_STEAL = 44,
	KMP_SCHED_STATIC_BALANCED_CHUNKED = 45,
	KMP_SCHED_GUIDED_SIMD = 46,
	KMP_SCHED_RUNTIME_SIMD = 47,
	KMP_SCHED_ORDERED = 64, /* 65..72: 33..40 with ordered */
	KMP_SCHED_ORDERED_END = 73,
	KMP_SCHED_DISTRIBUTE_CHUNKED = 91,
	KMP_SCHED_DISTRIBUTE = 92,
	KMP_SCHED_NOMERGE = 160, /* 161..: 33.. without merging of chunks */
	KMP_SCHED_NOMERGE_ORDERED = 192,
	KMP_SCHED_NOMERGE_END = 201
};

typedef int32_t (*kmp_routine)(int32_t gtid, void *task);

/* The head of kmp_task_t; the bounds are only in a taskloop's tasks, as laid out by clang */
struct kmp_task {
	void *shareds;
	kmp_routine routine;
	int32_t part_id;
	void *data1;
	void *data2;
	uint64_t lower;
	uint64_t upper;
};
static_assert(offsetof(struct kmp_task, routine) == 8 && offsetof(struct kmp_task, part_id) == 16,
              "kmp_task_t");

/* Wrapped entry points, and omp_get_schedule(). */
#define WN_LIBOMP_ENTRIES(X)                                                                       \
	X(__kmpc_fork_call)                                                                        \
	X(__kmpc_fork_call_if)                                                                     \
	X(__kmpc_omp_task_alloc)                                                                   \
	X(__kmpc_omp_task)                                                                         \
	X(__kmpc_omp_task_parts)                                                                   \
	X(__kmpc_omp_task_with_deps)                                                               \
	X(__kmpc_omp_task_begin_if0)                                                               \
	X(__kmpc_omp_target_task_alloc)                                                            \
	X(__kmpc_task_allow_completion_event)                                                      \
	X(__kmpc_omp_taskyield)                                                                    \
	X(__kmpc_omp_wait_deps)                                                                    \
	X(__kmpc_omp_taskwait_deps_51)                                                             \
	X(__kmpc_taskloop)                                                                         \
	X(__kmpc_taskloop_5)                                                                       \
	X(__kmpc_dispatch_init_4)                                                                  \
	X(__kmpc_dispatch_init_4u)                                                                 \
	X(__kmpc_dispatch_init_8)                                                                  \
	X(__kmpc_dispatch_init_8u)                                                                 \
	X(__kmpc_dispatch_next_4)                                                                  \
	X(__kmpc_dispatch_next_4u)                                                                 \
	X(__kmpc_dispatch_next_8)                                                                  \
	X(__kmpc_dispatch_next_8u)                                                                 \
	X(__kmpc_for_static_init_4)                                                                \
	X(__kmpc_for_static_init_4u)                                                               \
	X(__kmpc_for_static_init_8)                                                                \
	X(__kmpc_for_static_init_8u)                                                               \
	X(__kmpc_for_static_fini)                                                                  \
	X(__kmpc_doacross_wait)                                                                    \
	X(__tgt_register_lib)                                                                      \
	X(omp_get_schedule)

enum wn_libomp_entry {
#define WN_LIBOMP_ENTRY(name) WN_LIBOMP_##name,
	WN_LIBOMP_ENTRIES(WN_LIBOMP_ENTRY)
#undef WN_LIBOMP_ENTRY
	    WN_LIBOMP_N
};

/* An object of the process that calls libomp, and the functions that it reaches: a process can
 * contain several copies of libomp. The object is that of the kmp_ident of the call, which the
 * compiler places in the calling object; a return address may be that of another object, which made
 * a tail call. Listed modules are never removed (find.c). fork.c reads the first three fields. */
struct wn_libomp_module {
	uintptr_t begin;
	uintptr_t size_bytes;
	_Atomic(wn_function) fork; /* NULL if a region must be passed to wn_libomp_fork_find() */
	struct wn_libomp_module *next;
	_Atomic(wn_function) real[WN_LIBOMP_N]; /* NULL until the first call */
};
static_assert(offsetof(struct wn_libomp_module, fork) == 16, "fork.c");

/* The module that called last: usually the only one. Never NULL. */
extern _Atomic(const struct wn_libomp_module *) wn_libomp_last WN_HIDDEN;

/* The real function for a call with this location (any address in the calling object) and return
 * address. Without one the program could not have been linked, so the process ends as the dynamic
 * linker would end it. */
WN_HIDDEN wn_function wn_libomp_find(const void *loc, const void *caller,
                                     enum wn_libomp_entry entry);

/* The function if it was found before for the module that called last; otherwise NULL. */
static inline __attribute__((always_inline)) wn_function
wn_libomp_known(const void *loc, enum wn_libomp_entry entry)
{
	/* acquire: pairs with the release in find.c */
	const struct wn_libomp_module *m =
	    atomic_load_explicit(&wn_libomp_last, memory_order_acquire);
	if (WN_UNLIKELY((uintptr_t)loc - m->begin >= m->size_bytes))
		return NULL;
	/* relaxed: its target was mapped before any thread could call it */
	return atomic_load_explicit(&m->real[entry], memory_order_relaxed);
}

/* WN_REAL(ret, name, parameter types) defines name_real(loc), the definition of `name` that the
 * object of `loc` reaches, and name_known(loc), which is NULL where it must be looked up. It is
 * looked up once for each object; afterwards that costs a few loads. */
#define WN_REAL(ret, name, ...)                                                                    \
	typedef ret (*name##_function)(__VA_ARGS__);                                               \
	static inline __attribute__((always_inline, unused))                                       \
	name##_function name##_known(const void *loc)                                              \
	{                                                                                          \
		return (name##_function)wn_libomp_known(loc, WN_LIBOMP_##name);                    \
	}                                                                                          \
	static inline __attribute__((always_inline)) name##_function name##_real(const void *loc)  \
	{                                                                                          \
		name##_function real = name##_known(loc);                                          \
		if (WN_UNLIKELY(!real))                                                            \
			real = (name##_function)wn_libomp_find(loc, __builtin_return_address(0),   \
			                                       WN_LIBOMP_##name);                  \
		return real;                                                                       \
	}

/* The calling thread, if its OpenMP constructs are being recorded. */
static inline struct wn_thread *
recorded_thread(void)
{
	return WN_LIKELY(wn_ompt_is_on) ? wn_self : NULL;
}

/* loops.c: converts a schedule number to a LOOP_BEGIN kind. */
struct loop_schedule {
	uint32_t kind;  /* enum wn_work_kind | WN_LOOP_* */
	uint64_t chunk; /* 0 = not given */
};
WN_HIDDEN struct loop_schedule wn_libomp_schedule(const struct kmp_ident *loc, int32_t sched,
                                                  uint64_t work_type, int64_t chunk);

/* ranges.c: makes every task of this taskloop record its range when it starts. */
WN_HIDDEN void wn_libomp_taskloop_watch(struct kmp_task *task, const uint64_t *lower,
                                        const uint64_t *upper, int64_t step);

/* depends.c: pushes a frame for a call that is recorded. NULL without memory, of which it records a
 * note. */
WN_HIDDEN void *wn_libomp_push_frame(struct wn_thread *t, size_t size, const void *caller,
                                     const void *at);
