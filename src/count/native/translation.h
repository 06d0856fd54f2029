/* SPDX-License-Identifier: MIT */
/*
 * translation.h - state of the translation of a basic block.
 *
 *   translate.c   selects the instructions and emits the block; repeats it to find an interruption
 *   instrument.c  emits the code that counts the block and records its accesses
 *   relocate.c    emits the program's instructions
 */
#pragma once

#include "count/native/decode.h"
#include "count/native/emit.h"

#include <string.h>

#define FOLLOWED_MAX 4u
#define INSNS_MAX    64u
#define GROUPS_MAX   (INSNS_MAX * ACCESSES_MAX)

/* The first access of a group. */
struct first {
	struct address where;
	uint8_t insn;
	bool is_early; /* known when the block begins */
	int64_t moved; /* change of its displacement by then */
};

struct translation {
	struct emitter e;
	enum account account;
	struct block *b;
	struct insn insns[INSNS_MAX];
	unsigned n_insns;
	uint64_t end; /* address after the last instruction */
	struct first firsts[GROUPS_MAX];
	uint32_t entry_bytes; /* bytes of the entry in the buffer */
	/* Where the program's registers are at the current position. To find an interruption: the
	 * position, and the state there. */
	struct stop now, there;
	const uint8_t *wanted;
	bool is_passed;
};

/* instrument.c */
void wn_native_emit_entry(struct translation *t);
void wn_native_emit_groups_of(struct translation *t, unsigned i_insn);
void wn_native_emit_every(struct translation *t);

/* Computes the full address in `reg`; may use `other`. */
void wn_native_emit_address(struct emitter *e, unsigned reg, unsigned other,
                            const struct address *a);

/* relocate.c */
void wn_native_emit_insn(struct translation *t, const struct insn *s);
void wn_native_emit_direct(struct translation *t, uint64_t target);

/* Does the block continue at the target of this jump or call? */
static inline bool
is_followed(const struct translation *t, const struct insn *s)
{
	return t->b->follows >> (s - t->insns) & 1;
}

static inline void *
cut(struct context *c, size_t bytes, size_t alignment)
{
	uintptr_t at = ((uintptr_t)c->records_next + alignment - 1) / alignment * alignment;
	c->records_next = (uint8_t *)at + bytes;
	memset((void *)at, 0, bytes);
	return (void *)at;
}

static inline struct exit *
exit_new(struct context *c, enum exit_kind kind, uint64_t target)
{
	struct exit *x = cut(c, sizeof *x, 8);
	*x = (struct exit){.kind = kind, .target = target};
	return x;
}

static inline uint32_t
registers_of(const struct address *a)
{
	return (a->base == REG_NONE ? 0 : 1u << a->base) |
	       (a->index == REG_NONE ? 0 : 1u << a->index);
}

/* The lowest general register not in this set and not rsp; REG_NONE: none. */
static inline unsigned
register_outside(uint32_t used)
{
	for (unsigned r = RAX; r < REG_N; r++)
		if (r != RSP && !(used >> r & 1))
			return r;
	return REG_NONE;
}

/* From here on registers are where `now` says. */
static inline void
mark(struct translation *t)
{
	if (t->e.at > t->wanted)
		t->is_passed = true;
	if (!t->is_passed)
		t->there = t->now;
}

static inline void
spill(struct translation *t, enum slot slot, unsigned reg)
{
	emit_store(&t->e, CONTEXT_OFFSET(scratch) + 8 * (int32_t)slot, reg);
	t->now.slot_of[reg] = (uint8_t)slot;
	mark(t);
}

static inline void
unspill(struct translation *t, enum slot slot, unsigned reg)
{
	emit_load(&t->e, reg, CONTEXT_OFFSET(scratch) + 8 * (int32_t)slot);
	t->now.slot_of[reg] = SCRATCH_N;
	mark(t);
}

/* n instructions of the block are complete, and execution continues at this address. */
static inline void
mark_done(struct translation *t, uint32_t n, enum stop_next next, uint64_t pc)
{
	t->now.n_done = n;
	t->now.has_every = false;
	t->now.next = next;
	t->now.pc = pc;
	mark(t);
}

/* Restores the state, for the other path of a branch. */
static inline void
mark_again(struct translation *t, const struct stop *now)
{
	t->now = *now;
	mark(t);
}

static inline void
leave(struct translation *t, const struct exit *exit)
{
	struct stop was = t->now;
	t->now.next = STOP_LEAVES;
	mark(t);
	emit_leave(&t->e, exit);
	mark_again(t, &was);
}
