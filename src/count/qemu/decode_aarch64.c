/* SPDX-License-Identifier: MIT */
/* The classes of A64 instructions by the groups of the Arm Architecture Reference Manual (C4.1).
 * Loads and stores of register pairs are two accesses. */
#include "count/qemu/decode.h"

#include <string.h>

static bool
has(uint32_t insn, uint32_t mask, uint32_t value)
{
	return (insn & mask) == value;
}

static enum insn_class
class_of_branch(uint32_t i)
{
	if (has(i, 0xfc000000, 0x94000000) || has(i, 0xfffffc1f, 0xd63f0000) ||
	    has(i, 0xfffffc1f, 0xd65f0000))
		return INSN_CALL; /* bl, blr, ret */
	if (has(i, 0xfffff01f, 0xd503301f))
		return INSN_ATOMIC; /* barriers, clrex */
	if (has(i, 0xff000000, 0xd4000000) || has(i, 0xff000000, 0xd5000000))
		return INSN_OTHER; /* exceptions, system */
	return INSN_BRANCH;
}

static enum insn_class
class_of_load_or_store(uint32_t i)
{
	bool is_exclusive = has(i, 0x3f000000, 0x08000000);
	bool is_ordered_only = is_exclusive && has(i, 0x00a00000, 0x00800000); /* ldar, stlr */
	bool is_lse = has(i, 0x3f200c00, 0x38200000);
	return (is_exclusive && !is_ordered_only) || is_lse ? INSN_ATOMIC : INSN_MOVE;
}

static enum insn_class
class_of_float(uint32_t i)
{
	if (has(i, 0x5f000000, 0x1f000000))
		return INSN_FLOAT; /* fmadd and similar */
	if (!has(i, 0x5f200000, 0x1e200000) && !has(i, 0x5f200000, 0x1e000000))
		return INSN_VECTOR;
	bool is_fmov = has(i, 0x5f3ffc00, 0x1e204000) || has(i, 0x5f201fe0, 0x1e201000) ||
	               has(i, 0x5f26fc00, 0x1e260000);
	return is_fmov ? INSN_MOVE : INSN_FLOAT;
}

static enum insn_class
class_of_register_op(uint32_t i)
{
	bool is_mov = has(i, 0x7fe0ffe0, 0x2a0003e0);
	bool is_select = has(i, 0x1fe00000, 0x1a800000);
	return is_mov || is_select ? INSN_MOVE : INSN_INTEGER;
}

struct emulated
qemu_decode_aarch64(const uint8_t *bytes, size_t n, uint64_t at)
{
	struct emulated insn = {.class = INSN_OTHER};
	uint32_t i;
	(void)at;
	if (n < sizeof i)
		return insn;
	memcpy(&i, bytes, sizeof i);
	uint32_t group = i >> 25 & 15;
	if ((group & 14) == 8)
		insn.class = has(i, 0x1f800000, 0x12800000) ? INSN_MOVE : INSN_INTEGER;
	else if ((group & 14) == 10)
		insn.class = class_of_branch(i);
	else if ((group & 5) == 4)
		insn.class = class_of_load_or_store(i);
	else if ((group & 7) == 5)
		insn.class = class_of_register_op(i);
	else if ((group & 7) == 7)
		insn.class = class_of_float(i);
	bool is_memory = (group & 5) == 4;
	bool is_q_pair = has(i, 0xfc000000, 0xac000000);
	bool is_q = has(i, 0xff800000, 0x3d800000) || has(i, 0xffa00000, 0x3ca00000) ||
	            has(i, 0xff800000, 0x3c800000);
	insn.wide_bytes = is_memory && (is_q_pair || is_q) ? 16 : 0;
	insn.is_locked = insn.class == INSN_ATOMIC && has(i, 0x3f200c00, 0x38200000);
	return insn;
}
