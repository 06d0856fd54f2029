/* SPDX-License-Identifier: MIT */
/*
 * detach.h - events of detachable tasks: maps libgomp's handles to tasks.
 */
#ifndef WN_LIBGOMP_DETACH_H
#define WN_LIBGOMP_DETACH_H

#include "record/sources/libgomp/real.h"

/* From now on `handle` is the event of task `id`, whose creation began at `tick`. */
void gomp_event_put(uintptr_t handle, wn_id id, uint64_t tick);

#endif /* WN_LIBGOMP_DETACH_H */
