/* SPDX-License-Identifier: MIT */
/*
 * task.h - libgomp's words for tasks: the types and flag bits that GOMP_task and GOMP_taskloop
 * take.
 */
#ifndef WN_LIBGOMP_TASK_H
#define WN_LIBGOMP_TASK_H

#include "collect/libgomp/real.h"

typedef void (*gomp_fn)(void *);
typedef void (*gomp_copy_fn)(void *to, void *from);

#define GOMP_TASK_DEPEND    8u
#define GOMP_TASK_UP        0x100u /* taskloop_ull counts up */
#define GOMP_TASK_GRAINSIZE 0x200u /* the number given is a grain size */
#define GOMP_TASK_IF        0x400u
#define GOMP_TASK_NOGROUP   0x800u
#define GOMP_TASK_REDUCTION 0x1000u
#define GOMP_TASK_DETACH    0x2000u
#define GOMP_TASK_STRICT    0x4000u /* the grain size or number is exact */

/* A larger argument block is copied to the heap and not to the creator's stack. */
#define GOMP_STACK_BYTES 4096u

#endif /* WN_LIBGOMP_TASK_H */
