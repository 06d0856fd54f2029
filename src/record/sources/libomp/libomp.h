/* SPDX-License-Identifier: MIT */
/*
 * libomp.h - the wrapped part of libomp's compiler interface, and the lookup of real functions.
 *
 * Types and numbers follow libomp's kmp.h; they are an interface between compilers and runtime and
 * have not changed since 2013. Wrappers are exported under the names of the originals.
 */
#ifndef WN_LIBOMP_LIBOMP_H
#define WN_LIBOMP_LIBOMP_H

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

/*
 * WN_REAL(ret, name, parameter types) defines name_real(), the next definition of `name` after this
 * library. It is looked up once, at the first call; afterwards that costs one static load. All
 * threads find the same function, so a race stores the same value twice.
 */
#define WN_REAL(ret, name, ...)                                                                    \
	typedef ret (*name##_function)(__VA_ARGS__);                                               \
	static _Atomic(name##_function) name##_target;                                             \
	static inline __attribute__((always_inline)) name##_function name##_real(void)             \
	{                                                                                          \
		/* relaxed: its target was mapped before any thread could call it */               \
		name##_function real = atomic_load_explicit(&name##_target, memory_order_relaxed); \
		if (WN_UNLIKELY(!real)) {                                                          \
			real =                                                                     \
			    (name##_function)wn_libomp_find(#name, __builtin_return_address(0));   \
			atomic_store_explicit(&name##_target, real, memory_order_relaxed);         \
		}                                                                                  \
		return real;                                                                       \
	}

/* The real `name`. Without one the program could not have been linked, so the process ends as the
 * dynamic linker would end it. */
WN_HIDDEN wn_function wn_libomp_find(const char *name, const void *caller);

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
WN_HIDDEN struct loop_schedule wn_libomp_schedule(int32_t sched, uint64_t work_type, int64_t chunk);

/* ranges.c: makes every task of this taskloop record its range when it starts. */
WN_HIDDEN void wn_libomp_taskloop_watch(struct kmp_task *task, const uint64_t *lower,
                                        const uint64_t *upper, int64_t step);

#endif /* WN_LIBOMP_LIBOMP_H */
