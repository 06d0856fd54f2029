/* SPDX-License-Identifier: MIT */
/*
 * detach.h - events of detachable tasks: from libgomp's handle to the task.
 */
#ifndef WN_LIBGOMP_DETACH_H
#define WN_LIBGOMP_DETACH_H

#include "record/sources/libgomp/real.h"

/* `handle` is from now on the event of task `id`, whose creation began at `tick`. */
void gomp_event_put(uintptr_t handle, wn_id id, uint64_t tick);

#endif /* WN_LIBGOMP_DETACH_H */
