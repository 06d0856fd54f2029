/* SPDX-License-Identifier: MIT */
/* emit.h - emits machine instructions. None changes the flags, unless its name says so. Context
 * fields are addressed relative to the instruction pointer. */
#pragma once

#include "count/native/context.h"

struct emitter {
	uint8_t *at;
	struct context *c;
};

static inline void
emit_8(struct emitter *e, unsigned byte)
{
	*e->at++ = (uint8_t)byte;
}

static inline void
emit_32(struct emitter *e, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		emit_8(e, value >> 8 * i & 255);
}

static inline void
emit_64(struct emitter *e, uint64_t value)
{
	emit_32(e, (uint32_t)value);
	emit_32(e, (uint32_t)(value >> 32));
}

static inline void
emit_bytes(struct emitter *e, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		emit_8(e, bytes[i]);
}

/* The distance to a place from the end of the instruction, which is `more` bytes further on. */
static inline void
emit_distance(struct emitter *e, const void *to, unsigned more)
{
	emit_32(e, (uint32_t)((uintptr_t)to - (uintptr_t)(e->at + 4 + more)));
}

static inline void
emit_field(struct emitter *e, unsigned opcode, unsigned reg, int32_t field, unsigned more)
{
	emit_8(e, 0x48 | reg >> 3 << 2);
	emit_8(e, opcode);
	emit_8(e, (reg & 7) << 3 | 5);
	emit_distance(e, (uint8_t *)e->c + field, more);
}

static inline void
emit_store(struct emitter *e, int32_t field, unsigned reg)
{
	emit_field(e, 0x89, reg, field, 0);
}

static inline void
emit_load(struct emitter *e, unsigned reg, int32_t field)
{
	emit_field(e, 0x8b, reg, field, 0);
}

/* mov qword [field], value */
static inline void
emit_set(struct emitter *e, int32_t field, int32_t value)
{
	emit_field(e, 0xc7, 0, field, 4);
	emit_32(e, (uint32_t)value);
}

static inline void
emit_lea_field(struct emitter *e, unsigned reg, int32_t field)
{
	emit_field(e, 0x8d, reg, field, 0);
}

static inline void
emit_value(struct emitter *e, unsigned reg, uint64_t value)
{
	if (value <= UINT32_MAX) {
		if (reg >> 3)
			emit_8(e, 0x41);
		emit_8(e, 0xb8 | (reg & 7));
		emit_32(e, (uint32_t)value);
		return;
	}
	emit_8(e, 0x48 | reg >> 3);
	emit_8(e, 0xb8 | (reg & 7));
	emit_64(e, value);
}

/* opcode reg, [base + displacement] */
static inline void
emit_based(struct emitter *e, unsigned opcode, unsigned reg, unsigned base, int32_t displacement)
{
	emit_8(e, 0x48 | reg >> 3 << 2 | base >> 3);
	emit_8(e, opcode);
	emit_8(e, 0x80 | (reg & 7) << 3 | (base & 7));
	if ((base & 7) == RSP)
		emit_8(e, 0x24);
	emit_32(e, (uint32_t)displacement);
}

/* opcode reg, [address], without its segment prefix if `keeps_segment` is false. */
static inline void
emit_at(struct emitter *e, unsigned opcode, unsigned reg, const struct address *a,
        bool keeps_segment)
{
	unsigned index = a->index == REG_NONE ? 4 : a->index; /* 4: none */
	if (keeps_segment && a->segment)
		emit_8(e, a->segment);
	if (a->is_32)
		emit_8(e, 0x67);
	unsigned base_bit = a->base == REG_NONE ? 0 : a->base >> 3;
	/* 32-bit addresses are zero-extended by the load */
	unsigned wide = a->is_32 && opcode == 0x8d ? 0x40 : 0x48;
	emit_8(e, wide | reg >> 3 << 2 | (a->index == REG_NONE ? 0u : index >> 3 << 1) | base_bit);
	emit_8(e, opcode);
	emit_8(e, (a->base == REG_NONE ? 0 : 0x80) | (reg & 7) << 3 | 4);
	emit_8(e, (unsigned)a->scale << 6 | (index & 7) << 3 |
	              (a->base == REG_NONE ? 5 : a->base & 7u));
	emit_32(e, (uint32_t)a->displacement);
}

/* Loads the address without its segment base. */
static inline void
emit_lea(struct emitter *e, unsigned reg, const struct address *a)
{
	if (a->has_al) { /* movzx reg, al; rbx is its base and cannot be the register */
		struct address sum = {.base = RBX, .index = (uint8_t)reg};
		emit_8(e, 0x40 | reg >> 3 << 2);
		emit_8(e, 0x0f);
		emit_8(e, 0xb6);
		emit_8(e, 0xc0 | (reg & 7) << 3);
		emit_at(e, 0x8d, reg, &sum, false);
	} else if (a->base == REG_NONE && a->index == REG_NONE) {
		emit_value(e, reg, (uint64_t)a->displacement);
	} else {
		emit_at(e, 0x8d, reg, a, false);
	}
}

static inline void
emit_jump(struct emitter *e, const void *to)
{
	emit_8(e, 0xe9);
	emit_distance(e, to, 0);
}

/* jmp [field] */
static inline void
emit_jump_field(struct emitter *e, int32_t field)
{
	emit_8(e, 0xff);
	emit_8(e, 0x25);
	emit_distance(e, (uint8_t *)e->c + field, 0);
}

/* Patches a jump, or a conditional jump, to lead here. */
static inline void
emit_patch(uint8_t *distance_at, const uint8_t *to)
{
	uint32_t distance = (uint32_t)((uintptr_t)to - (uintptr_t)(distance_at + 4));
	for (unsigned i = 0; i < 4; i++)
		distance_at[i] = (uint8_t)(distance >> 8 * i);
}

/* lahf; seto al: saves the flags to rax. And restores them, which destroys rax. */
static inline void
emit_flags_to_rax(struct emitter *e)
{
	emit_8(e, 0x9f);
	emit_8(e, 0x0f);
	emit_8(e, 0x90);
	emit_8(e, 0xc0);
}

static inline void
emit_flags_from_rax(struct emitter *e)
{
	emit_8(e, 0x04); /* add al, 127: overflows if OF was set */
	emit_8(e, 0x7f);
	emit_8(e, 0x9e);
}

/* Leaves translated code, with the program's registers unchanged. */
static inline void
emit_leave(struct emitter *e, const struct exit *exit)
{
	emit_store(e, CONTEXT_OFFSET(scratch[0]), RAX);
	emit_8(e, 0x48); /* lea rax, [exit] */
	emit_8(e, 0x8d);
	emit_8(e, 0x05);
	emit_distance(e, exit, 0);
	emit_jump(e, e->c->trampoline_exit);
}
