/* SPDX-License-Identifier: MIT */
/* loops.c - converts libomp's schedule numbers to the trace's kinds. */
#include "record/sources/libomp/libomp.h"
#include "record/sources/ompt/compat.h"

/* Plain schedule, with the ordered and nomerge variants folded in. */
static int32_t
plain_schedule(int32_t sched, uint32_t *flags)
{
	sched &= ~(int32_t)KMP_SCHED_MODIFIERS;
	if (sched > KMP_SCHED_NOMERGE_ORDERED && sched < KMP_SCHED_NOMERGE_END) {
		*flags |= WN_LOOP_ORDERED;
		return sched - KMP_SCHED_NOMERGE_ORDERED + KMP_SCHED_STATIC_CHUNKED - 1;
	}
	if (sched > KMP_SCHED_NOMERGE && sched < KMP_SCHED_NOMERGE_ORDERED)
		return sched - KMP_SCHED_NOMERGE + KMP_SCHED_STATIC_CHUNKED - 1;
	if (sched > KMP_SCHED_ORDERED && sched < KMP_SCHED_ORDERED_END) {
		*flags |= WN_LOOP_ORDERED;
		return sched - KMP_SCHED_ORDERED + KMP_SCHED_STATIC_CHUNKED - 1;
	}
	return sched;
}

/* Kind of a schedule number; libomp turns auto into guided. */
static uint32_t
kind_of_schedule(int32_t plain)
{
	switch (plain) {
	case KMP_SCHED_STATIC_CHUNKED:
	case KMP_SCHED_STATIC:
	case KMP_SCHED_STATIC_GREEDY:
	case KMP_SCHED_STATIC_BALANCED:
	case KMP_SCHED_STATIC_BALANCED_CHUNKED:
		return WN_WORK_LOOP_STATIC;
	case KMP_SCHED_DYNAMIC_CHUNKED:
	case KMP_SCHED_STATIC_STEAL:
		return WN_WORK_LOOP_DYNAMIC;
	case KMP_SCHED_GUIDED_CHUNKED:
	case KMP_SCHED_GUIDED_ITERATIVE:
	case KMP_SCHED_GUIDED_ANALYTICAL:
	case KMP_SCHED_GUIDED_SIMD:
	case KMP_SCHED_AUTO:
		return WN_WORK_LOOP_GUIDED;
	default:
		return WN_WORK_LOOP_OTHER;
	}
}

static bool
has_chunk(int32_t plain)
{
	return plain == KMP_SCHED_STATIC_CHUNKED || plain == KMP_SCHED_DYNAMIC_CHUNKED ||
	       plain == KMP_SCHED_GUIDED_CHUNKED || plain == KMP_SCHED_STATIC_BALANCED_CHUNKED ||
	       plain == KMP_SCHED_GUIDED_SIMD;
}

WN_REAL(void, omp_get_schedule, int32_t *, int32_t *)

/* omp_sched_t: static 1, dynamic 2, guided 3, auto 4; the top bit is "monotonic" */
static struct loop_schedule
schedule_from_icv(const struct kmp_ident *loc, uint32_t flags)
{
	static const uint32_t kinds[] = {WN_WORK_LOOP_OTHER, WN_WORK_LOOP_STATIC,
	                                 WN_WORK_LOOP_DYNAMIC, WN_WORK_LOOP_GUIDED,
	                                 WN_WORK_LOOP_GUIDED};
	int32_t kind = 0, chunk = 0;

	omp_get_schedule_real(loc)(&kind, &chunk);
	kind &= 0x7fffffff;
	return (struct loop_schedule){
	    .kind = kinds[kind <= 4 ? kind : 0] | flags | WN_LOOP_RUNTIME,
	    .chunk = chunk > 0 ? (uint64_t)chunk : 0,
	};
}

/* `work_type` is the schedule used according to OMPT: 0 = unknown, 1 (libomp 14) = an unspecified
 * loop. */
struct loop_schedule
wn_libomp_schedule(const struct kmp_ident *loc, int32_t sched, uint64_t work_type, int64_t chunk)
{
	struct loop_schedule s = {0, 0};
	uint32_t flags = 0;
	int32_t plain = plain_schedule(sched, &flags);

	if (plain == KMP_SCHED_RUNTIME || plain == KMP_SCHED_RUNTIME_SIMD) {
		s = schedule_from_icv(loc, flags);
	} else {
		s.kind = kind_of_schedule(plain) | flags;
		s.chunk = has_chunk(plain) && chunk > 0 ? (uint64_t)chunk : 0;
	}
	if (work_type >= WN_OMPT_WORK_LOOP_STATIC && work_type <= WN_OMPT_WORK_LOOP_OTHER) {
		s.kind &= ~WN_WORK_KIND_MASK;
		s.kind |= (uint32_t)(work_type - WN_OMPT_WORK_LOOP_STATIC) + WN_WORK_LOOP_STATIC;
	}
	return s;
}
