/* SPDX-License-Identifier: MIT */
/*
 * sharing.h - the lines that the running grain accesses between two events, for
 * record/counters/sharing_log.h.
 *
 * All functions belong to the thread's own engine, allocate nothing but the table of a thread, and
 * cannot fail: lines that do not fit the log are lost, and counted.
 */
#pragma once

#include "count/thread.h"
#include "record/counters/sharing_log.h"

#define SHARING_LINES_BITS 10

struct sharing_line {
	uint64_t line; /* address; 0: empty */
	uint64_t read, write, locked, pc;
	uint32_t n;
	bool is_write_pc;
};

struct sharing {
	struct sharing_line lines[1u << SHARING_LINES_BITS];
	uint16_t used[1u << SHARING_LINES_BITS];
	uint32_t n_used;
	uint64_t grain, tick; /* of these accesses */
	bool in_allocator;
};

/* Maps the log. Returns NULL, or the error. */
const char *sharing_open(const char *path);

/* The thread's user code begins after an event, or has ended: writes its lines to the log. */
void sharing_begin(struct thread *t);
void sharing_end(struct thread *t);

struct sharing_access {
	uint64_t address, bytes, pc;
	bool is_load, is_store, is_locked;
};

void sharing_access(struct thread *t, const struct sharing_access *a);

/* The allocator has returned a block to the code at `pc`. */
void sharing_block(struct thread *t, uint64_t address, uint64_t pc);
