/* SPDX-License-Identifier: MIT */
/*
 * group.h - accesses of a block whose addresses are known distances apart, since they are made of
 * the same registers and nothing has changed these in between: one call-back tells of all, by the
 * address of the first.
 *
 * Like its instructions, the accesses of a block count as a whole: where it is left by a fault in
 * the middle, some have been counted too much.
 */
#ifndef WN_COUNT_GROUP_H
#define WN_COUNT_GROUP_H

#include "count/operands.h"
#include "count/thread.h"

#define GROUP_MEMBERS_MAX 16u
#define GROUP_SPAN_MAX    64 /* of where they begin */
#define GROUPS_OPEN_MAX   8u

struct member {
	int8_t offset; /* from the first one told */
	uint8_t bytes, told_bytes;
	uint8_t n_loads, n_stores; /* 0 or 1 */
};

struct __attribute__((aligned(64))) group {
	uint64_t mask;  /* bit i: one begins i bytes behind the lowest */
	int32_t lowest; /* from the first one told */
	uint32_t last;  /* from the lowest to where the last one begins */
	uint32_t span;  /* from the lowest to where the one that ends last ends */
	uint32_t n;
	uint64_t n_stack; /* if they are on the stack: reads below, writes in the upper half */
	const struct bundle
	    *block; /* that counts when the group is met, and not by itself; or NULL */
	struct member members[GROUP_MEMBERS_MAX];
};

/* Groups of the block that is being translated. */
struct grouping {
	struct open {
		struct group *group; /* NULL: the place is free */
		uint32_t place, uses;
		int64_t first; /* displacement of the first one told */
	} open[GROUPS_OPEN_MAX];
	unsigned next;
	int64_t stack_pointer; /* how far it has moved since the block began */
	/* Of the last access: which of the open groups it belongs to, and where in it. */
	unsigned in;
	int32_t offset;
};

/**
 * The next instruction of the block.
 *
 * @param group_new  makes an empty group, all 0, when it is called with `of`.
 * @return NULL if nothing is to be done; otherwise a group that begins with this instruction's
 *         access, to be told when it loads, or when it stores if it does not load.
 */
struct group *group_take(struct grouping *g, const struct operands *o,
                         struct group *(*group_new)(void *), void *of);

/* All that is known of registers is void. */
void group_close(struct grouping *g);

/* What group_count() does not do in line: the group lies in or near the own stack. */
void group_count_near_stack(struct thread *t, const struct group *group, uint64_t address,
                            bool keeps);

/* A group has been met: `address` is that of the first one told. Their number and bytes are in the
 * block's bundle. In line, and what is rare last, so that a call-back needs no frame. */
static inline void
group_count(struct thread *t, const struct group *group, uint64_t address, bool keeps)
{
	uint64_t low = address + (uint64_t)(int64_t)group->lowest;
	if (thread_is_near_stack(t, low))
		group_count_near_stack(t, group, address, keeps);
	else if (keeps && __builtin_expect(!thread_is_recent(t, low, group->mask, group->span), 0))
		thread_touch_group(t, low, group->mask, group->span);
}

#endif /* WN_COUNT_GROUP_H */
