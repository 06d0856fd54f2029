/* SPDX-License-Identifier: MIT */
/* callbacks.h - the OMPT callbacks that tool.c registers. Signatures are OMPT's. */
#pragma once

#include "record/sources/ompt/compat.h"
#include "record/sources/ompt/source.h"

/* tool.c: the wait callback is delivered from now on */
WN_HIDDEN void wn_ompt_watch_waits(void);

/* regions.c */
WN_HIDDEN void ompt_on_parallel_begin(ompt_data_t *encountering, const ompt_frame_t *frame,
                                      ompt_data_t *parallel, unsigned int requested, int flags,
                                      const void *codeptr);
WN_HIDDEN void ompt_on_parallel_end(ompt_data_t *parallel, ompt_data_t *encountering, int flags,
                                    const void *codeptr);
WN_HIDDEN void ompt_on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                                     ompt_data_t *task, unsigned int team_size, unsigned int index,
                                     int flags);
WN_HIDDEN void ompt_on_thread_end(ompt_data_t *thread);

/* tasks.c */
WN_HIDDEN void ompt_on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame,
                                   ompt_data_t *task, int flags, int has_dependences,
                                   const void *codeptr);
/* For creations reported by the extension (grain.c): converts OMPT's flags to Winnow's; notes that
 * times or clauses are unknown; a wait for dependences. ompt_note_unknown(): for all callbacks. */
static inline uint32_t
ompt_task_flags(int ompt_flags, int has_dependences)
{
	uint32_t flags = (uint32_t)ompt_flags;
	return (flags >> 27 & 15u) | (flags & ompt_task_taskwait) << 2 |
	       (flags & ompt_task_target) << 4 | (has_dependences ? WN_TASK_DEPENDENT : 0u);
}
WN_HIDDEN void ompt_note_creation(struct wn_thread *t, const void *site);
WN_HIDDEN void ompt_note_depend(struct wn_thread *t, const void *site);
WN_HIDDEN void ompt_note_unknown(struct wn_thread *t, const void *codeptr);
WN_HIDDEN void ompt_waitpoint_begin(struct wn_thread *t, uint32_t flags, const void *codeptr);
WN_HIDDEN void ompt_on_task_schedule(ompt_data_t *prior, ompt_task_status_t status,
                                     ompt_data_t *next);

/* sync.c */
WN_HIDDEN void ompt_on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                   ompt_data_t *parallel, ompt_data_t *task, const void *codeptr);
WN_HIDDEN void ompt_on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                        ompt_data_t *parallel, ompt_data_t *task,
                                        const void *codeptr);

WN_HIDDEN void ompt_on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                 ompt_data_t *parallel, ompt_data_t *task, const void *codeptr);

/* work.c */
WN_HIDDEN void ompt_on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                            ompt_data_t *task, uint64_t count, const void *codeptr);
WN_HIDDEN void ompt_on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                              ompt_data_t *task, const void *codeptr);
WN_HIDDEN void ompt_on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                                ompt_data_t instance);

/* mutex.c */
WN_HIDDEN void ompt_on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl,
                                     ompt_wait_id_t mutex, const void *codeptr);
WN_HIDDEN void ompt_on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *codeptr);
WN_HIDDEN void ompt_on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *codeptr);

/* control.c */
WN_HIDDEN int ompt_on_control_tool(uint64_t command, uint64_t modifier, void *arg,
                                   const void *codeptr);

/* cancel.c */
WN_HIDDEN void ompt_on_cancel(ompt_data_t *task, int flags, const void *codeptr);
