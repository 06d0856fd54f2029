/* SPDX-License-Identifier: MIT */
/*
 * told.h - what tool.c hands on to check.c, which is linked into the program.
 */
#ifndef LOOP_TOLD_H
#define LOOP_TOLD_H

#include <stdint.h>

struct told_loop {
	int64_t lower, upper, step; /* ompt_grain_loop_t */
	uint64_t iterations, chunk_size;
	int sched, flags;
	int has_loop;            /* ompt_grain_get_loop() knew it */
	int cb_sched, cb_signed; /* arguments of the callback */
	int64_t cb_step;
	int thread_num;
	const void *task;
};

void told_begin(const struct told_loop *loop);
void told_end(const void *task);
void told_chunk(const void *task, int64_t lower, int64_t upper, double duration, int is_last);
/* What the tool itself finds wrong. */
void told_wrong(const char *what);

#endif /* LOOP_TOLD_H */
