/* SPDX-License-Identifier: MIT */
/*
 * compat.h - OMPT's types, and names that libomp 14's header lacks.
 *
 * The build uses the oldest supported header; a newer runtime may send any of the values below.
 * Numbers are those of OpenMP 6.0. Values that are not listed are noted (ompt_note_unknown()).
 */
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <omp-tools.h>
#pragma GCC diagnostic pop

#include <stdint.h>

/* ompt_work_t; 1 is an unspecified loop, the only value that libomp 14 sends */
enum wn_ompt_work {
	WN_OMPT_WORK_LOOP = 1,
	WN_OMPT_WORK_SECTIONS = 2,
	WN_OMPT_WORK_SINGLE_EXECUTOR = 3,
	WN_OMPT_WORK_SINGLE_OTHER = 4,
	WN_OMPT_WORK_WORKSHARE = 5,
	WN_OMPT_WORK_DISTRIBUTE = 6,
	WN_OMPT_WORK_TASKLOOP = 7,
	WN_OMPT_WORK_SCOPE = 8,
	WN_OMPT_WORK_WORKDISTRIBUTE = 9,
	WN_OMPT_WORK_LOOP_STATIC = 10,
	WN_OMPT_WORK_LOOP_DYNAMIC = 11,
	WN_OMPT_WORK_LOOP_GUIDED = 12,
	WN_OMPT_WORK_LOOP_OTHER = 13
};

/* ompt_dispatch_t */
enum wn_ompt_dispatch {
	WN_OMPT_DISPATCH_ITERATION = 1,
	WN_OMPT_DISPATCH_SECTION = 2,
	WN_OMPT_DISPATCH_LOOP_CHUNK = 3,
	WN_OMPT_DISPATCH_TASKLOOP_CHUNK = 4,
	WN_OMPT_DISPATCH_DISTRIBUTE_CHUNK = 5
};

/* ompt_dispatch_chunk_t: target of instance.ptr for the three kinds of chunk */
struct wn_ompt_chunk {
	uint64_t start;
	uint64_t iterations;
};

/* ompt_sync_region_t; 2 is an unspecified implicit barrier, the only value that libomp 14 sends */
enum wn_ompt_sync {
	WN_OMPT_SYNC_BARRIER = 1,
	WN_OMPT_SYNC_BARRIER_IMPLICIT = 2,
	WN_OMPT_SYNC_BARRIER_EXPLICIT = 3,
	WN_OMPT_SYNC_BARRIER_IMPLEMENTATION = 4,
	WN_OMPT_SYNC_TASKWAIT = 5,
	WN_OMPT_SYNC_TASKGROUP = 6,
	WN_OMPT_SYNC_REDUCTION = 7,
	WN_OMPT_SYNC_BARRIER_WORKSHARE = 8,
	WN_OMPT_SYNC_BARRIER_PARALLEL = 9,
	WN_OMPT_SYNC_BARRIER_TEAMS = 10
};

/* ompt_task_status_t */
enum wn_ompt_status {
	WN_OMPT_STATUS_COMPLETE = 1,
	WN_OMPT_STATUS_YIELD = 2,
	WN_OMPT_STATUS_CANCEL = 3,
	WN_OMPT_STATUS_DETACH = 4,
	WN_OMPT_STATUS_EARLY_FULFILL = 5,
	WN_OMPT_STATUS_LATE_FULFILL = 6,
	WN_OMPT_STATUS_SWITCH = 7,
	WN_OMPT_STATUS_TASKWAIT_COMPLETE = 8
};

/* ompt_mutex_t */
enum wn_ompt_mutex {
	WN_OMPT_MUTEX_LOCK = 1,
	WN_OMPT_MUTEX_TEST_LOCK = 2,
	WN_OMPT_MUTEX_NEST_LOCK = 3,
	WN_OMPT_MUTEX_TEST_NEST_LOCK = 4,
	WN_OMPT_MUTEX_CRITICAL = 5,
	WN_OMPT_MUTEX_ATOMIC = 6,
	WN_OMPT_MUTEX_ORDERED = 7
};

/* ompt_cancel_flag_t */
enum wn_ompt_cancel {
	WN_OMPT_CANCEL_PARALLEL = 0x01,
	WN_OMPT_CANCEL_SECTIONS = 0x02,
	WN_OMPT_CANCEL_LOOP = 0x04,
	WN_OMPT_CANCEL_TASKGROUP = 0x08,
	WN_OMPT_CANCEL_ACTIVATED = 0x10,
	WN_OMPT_CANCEL_DETECTED = 0x20,
	WN_OMPT_CANCEL_DISCARDED = 0x40
};
