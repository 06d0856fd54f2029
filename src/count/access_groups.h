/* SPDX-License-Identifier: MIT */
/*
 * access_groups.h - groups of accesses in a block that are at known distances from each other,
 * because their addresses use the same unmodified registers. One call-back with the first address
 * covers the whole group.
 *
 * As with instructions, all accesses of a block are counted at its start: if a fault leaves the
 * block early, the count is too high.
 */
#pragma once

#include "count/operands.h"
#include "count/thread.h"

#define GROUP_MEMBERS_MAX 16u
#define GROUP_SPAN_MAX    64 /* maximum distance between the accesses' addresses */
#define GROUPS_OPEN_MAX   8u

struct member {
	int8_t offset; /* from the first access reported */
	uint8_t bytes, reported_bytes;
	uint8_t n_loads, n_stores; /* 0 or 1 */
	bool is_locked;            /* by an atomic instruction */
	uint64_t pc;               /* 0: not needed */
};

struct __attribute__((aligned(64))) group {
	uint64_t mask;  /* bit i: an access begins i bytes after the lowest */
	int32_t lowest; /* from the first access reported */
	uint32_t last;  /* from the lowest to the start of the last access */
	uint32_t span;  /* from the lowest to the end of the access that ends last */
	uint32_t n;
	uint64_t n_stack; /* counts if they are on the stack: reads in the lower half, writes in the
	                     upper */
	const struct bundle *block; /* block that is counted when this group is reached; or NULL */
	struct member members[GROUP_MEMBERS_MAX];
};

/* Groups of the block being translated. */
struct grouping {
	struct open {
		struct group *group; /* NULL: the place is free */
		uint32_t place, uses;
		int64_t first; /* displacement of the first access reported */
	} open[GROUPS_OPEN_MAX];
	unsigned next;
	int64_t stack_pointer; /* change of the stack pointer since the block began */
	/* Group and offset of the last access. */
	unsigned in;
	int32_t offset;
};

/**
 * Processes the next instruction of the block.
 *
 * @param group_new  returns an empty, zeroed group; called with `of`.
 * @return NULL if no call-back is needed; otherwise a new group that begins with this
 *         instruction's access, whose call-back is for the load, or for the store if it does not
 *         load.
 */
struct group *group_take(struct grouping *g, const struct operands *o,
                         struct group *(*group_new)(void *), void *of);

/* Discards everything known about registers. */
void group_close(struct grouping *g);

/* Slow path of group_count(): the group is in or near the own stack. */
void group_count_near_stack(struct thread *t, const struct group *group, uint64_t address,
                            bool keeps);

/* Counts a group whose first access is at `address`. The number and bytes of its accesses are in
 * the block's bundle. Inline with rare cases last, so that a call-back needs no frame. */
static inline void
group_count(struct thread *t, const struct group *group, uint64_t address, bool keeps)
{
	uint64_t low = address + (uint64_t)(int64_t)group->lowest;
	if (thread_is_near_stack(t, low))
		group_count_near_stack(t, group, address, keeps);
	else if (keeps && __builtin_expect(!thread_is_recent(t, low, group->mask, group->span), 0))
		thread_touch_group(t, low, group->mask, group->span);
}
