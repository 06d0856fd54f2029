/* SPDX-License-Identifier: MIT */
/*
 * sharing_log.h - memory accesses of grains, line by line, as the counting engine logs them for the
 * analysis (src/sharing) in a file in memory. Shared by both.
 *
 * While a grain runs between two events, the engine keeps a byte mask for each cache line that it
 * accesses, and appends them to the log at the next event. Accesses to the grain's own stack are
 * left out, and so are those of the memory allocator.
 *
 * When the log is half full, only every second line is logged; when half of the rest is full, every
 * fourth; and so on. wn_share_level() is that number of halvings; the analysis drops all lines that
 * are not in the last, smallest sample.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WN_SHARE_MAGIC 0x3153524148534e57u

enum wn_share_kind {
	WN_SHARE_ACCESS = 0,
	WN_SHARE_STACK = 1, /* the same, in the stack frames of `owner` */
	WN_SHARE_BLOCK =
	    2, /* the allocator returned `address` to the caller at `pc`; `read` bytes */
	WN_SHARE_KIND_N
};

struct wn_share_entry {
	uint64_t address;             /* first byte of the line, | kind; of a block: its own */
	uint64_t read, write, locked; /* bit i: byte i; locked: by atomic instructions */
	uint64_t grain;               /* thread << 32 | number */
	uint64_t tick;                /* the last event of the thread before the accesses */
	uint64_t pc;                  /* of the first write, else of the first read */
	uint64_t owner;               /* grain; 0 = code outside of regions */
	uint32_t n;                   /* accesses */
	uint32_t os_tid;
	uint64_t kind; /* enum wn_share_kind */
};

struct wn_share_log {
	uint64_t magic;
	uint64_t n_max;
	_Atomic uint64_t n; /* may exceed n_max: the last ones were lost */
	uint64_t reserved[5];
	struct wn_share_entry entries[];
};

/* Number of times that the share of logged lines has been halved. */
static inline unsigned
wn_share_level(uint64_t n, uint64_t n_max)
{
	uint64_t left = n < n_max ? n_max - n : 1;
	unsigned level = 0;
	while (level < 20 && left <= n_max >> (level + 1))
		level++;
	return level;
}

static inline bool
wn_share_is_in_sample(uint64_t line, unsigned level)
{
	return level == 0 || (line >> 6) * 0x9e3779b97f4a7c15u >> (64 - level) == 0;
}
