/* SPDX-License-Identifier: MIT */
#include "symbols/branches.h"

#include <elf.h>

#define INSTRUCTION_BYTES  4u
#define ADRP_DISTANCE_MOST 32u /* instructions between the two that load a slot */

static uint32_t
instruction_at(const uint8_t *code)
{
	return (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 |
	       (uint32_t)code[3] << 24;
}

/* Sign-extends the lowest n_bits. */
static uint64_t
extend(uint64_t value, unsigned n_bits)
{
	uint64_t sign = UINT64_C(1) << (n_bits - 1);
	value &= (sign << 1) - 1;
	return (value ^ sign) - sign;
}

/* b or bl, by its six highest bits */
static struct wn_branch
decode_direct(uint32_t word, uint32_t code, uint64_t addr)
{
	struct wn_branch none = {WN_BRANCH_NONE, 0};
	if (word >> 26 != code)
		return none;
	return (struct wn_branch){WN_BRANCH_DIRECT, addr + (extend(word, 26) << 2)};
}

static struct wn_branch
decode_jump(const uint8_t *code, size_t n, uint64_t addr)
{
	struct wn_branch none = {WN_BRANCH_NONE, 0};
	return n < INSTRUCTION_BYTES ? none : decode_direct(instruction_at(code), 0x05, addr);
}

/* adrp: the address of a page into a register */
static bool
decode_adrp(uint32_t word, uint64_t addr, unsigned *reg, uint64_t *page)
{
	uint64_t pages = (uint64_t)(word >> 5 & 0x7ffff) << 2 | (word >> 29 & 3);
	if ((word & 0x9f000000) != 0x90000000)
		return false;
	*reg = word & 31;
	*page = (addr & ~UINT64_C(4095)) + (extend(pages, 21) << 12);
	return true;
}

/* ldr of eight bytes from a register and an offset */
static bool
decode_ldr(uint32_t word, unsigned *reg, uint64_t *offset)
{
	if ((word & 0xffc00000) != 0xf9400000)
		return false;
	*reg = word >> 5 & 31;
	*offset = (uint64_t)(word >> 10 & 0xfff) * 8;
	return true;
}

/* The page comes from an earlier instruction, not always the one before. */
static struct wn_branch
decode_load(const uint8_t *code, size_t n, size_t at, uint64_t addr)
{
	struct wn_branch none = {WN_BRANCH_NONE, 0};
	unsigned base, reg;
	uint64_t offset, page;
	if (n - at < INSTRUCTION_BYTES || !decode_ldr(instruction_at(code + at), &base, &offset))
		return none;
	for (size_t i = 1; i <= ADRP_DISTANCE_MOST && i * INSTRUCTION_BYTES <= at; i++) {
		size_t from = at - i * INSTRUCTION_BYTES;
		if (decode_adrp(instruction_at(code + from), addr + from, &reg, &page) &&
		    reg == base)
			return (struct wn_branch){WN_BRANCH_SLOT, page + offset};
	}
	return none;
}

/* [bti c], adrp, ldr, add, br */
static struct wn_branch
decode_stub(const uint8_t *code, size_t n, uint64_t addr)
{
	struct wn_branch none = {WN_BRANCH_NONE, 0};
	if (n < 4 * INSTRUCTION_BYTES)
		return none;
	bool has_bti = instruction_at(code) == 0xd503245f;
	size_t at = has_bti ? INSTRUCTION_BYTES : 0;
	unsigned reg;
	uint64_t page;
	if (n - at < 4 * INSTRUCTION_BYTES ||
	    !decode_adrp(instruction_at(code + at), addr + at, &reg, &page) ||
	    (instruction_at(code + at + 3 * INSTRUCTION_BYTES) & 0xfffffc1f) != 0xd61f0000)
		return none;
	return decode_load(code, n, at + INSTRUCTION_BYTES, addr);
}

static struct wn_branch
decode_call(const uint8_t *end, size_t n, uint64_t return_addr)
{
	struct wn_branch none = {WN_BRANCH_NONE, 0};
	if (n < INSTRUCTION_BYTES)
		return none;
	return decode_direct(instruction_at(end - INSTRUCTION_BYTES), 0x25,
	                     return_addr - INSTRUCTION_BYTES);
}

/* blr, and its forms that authenticate the pointer */
static struct wn_branch
decode_call_through_register(const uint8_t *end, size_t n, uint64_t return_addr)
{
	struct wn_branch none = {WN_BRANCH_NONE, 0};
	(void)return_addr;
	if (n < INSTRUCTION_BYTES ||
	    (instruction_at(end - INSTRUCTION_BYTES) & 0xfefff000) != 0xd63f0000)
		return none;
	return (struct wn_branch){WN_BRANCH_REGISTER, 0};
}

/* Registers that an instruction other than a branch may write: the destination, or a base that it
 * moves on. Bit 31, of sp and xzr, means nothing. */
static uint32_t
may_write(uint32_t word)
{
	uint32_t regs = 1u << (word & 31);
	if ((word & 0x3b200400) == 0x38000400 || (word & 0x3a800000) == 0x28800000)
		regs |= 1u << (word >> 5 & 31); /* pre- and post-indexed */
	if ((word & 0x3a400000) == 0x28400000)
		regs |= 1u << (word >> 10 & 31); /* pairs */
	if ((word & 0x3fe00000) == 0x08000000)
		regs |= 1u << (word >> 16 & 31); /* status of a store exclusive */
	return regs;
}

/* Atomics of ARMv8.1, and the store of a pair that the code repeats. */
static enum wn_insn_kind
atomic_kind(uint32_t word)
{
	bool is_load = (word & 0x3ffffc00) == 0x38bfc000; /* ldapr */
	if ((word & 0x3f200c00) == 0x38200000 && !is_load)
		return WN_INSN_ATOMIC;
	if ((word & 0x3fa07c00) == 0x08a07c00) /* cas */
		return WN_INSN_ATTEMPT;
	return (word & 0x3fe00000) == 0x08000000 ? WN_INSN_ATTEMPT : WN_INSN_PLAIN;
}

/* Loads and stores with an offset, stores with a register; copies of numbers; sums of addresses,
 * and products. */
static void
set_plain(uint32_t word, struct wn_insn *out)
{
	uint8_t from = word >> 16 & 31, shift = word >> 10 & 63;
	bool is_store = (word & 0x3bc00000) == 0x39000000 || (word & 0xffc00000) == 0x3d800000;
	if (is_store || (word & 0x3b400000) == 0x39400000) {
		bool is_quad = word & 1u << 26 && word & 1u << 23;
		unsigned log2_bytes = is_quad ? 4 : word >> 30;
		out->kind = is_store ? WN_INSN_STORE : WN_INSN_LOAD;
		out->base = word >> 5 & 31;
		if ((word & 0xbfc00000) == 0xb9400000) /* of a register's width */
			out->to = word & 31;
		out->size = (uint8_t)(1u << log2_bytes);
		out->addr = (uint64_t)(word >> 10 & 0xfff) << log2_bytes;
	} else if ((word & 0x3be00c00) == 0x38200800) {
		out->kind = WN_INSN_STORE;
		out->base = word >> 5 & 31;
		out->index = from;
		out->scale = (uint8_t)(word >> 12 & 1 ? 1u << (word >> 30) : 1u);
	} else if ((word & 0x7fe0ffe0) == 0x2a0003e0 || (word & 0xfffffc00) == 0x93407c00) {
		out->kind = WN_INSN_COPY; /* mov; sxtw */
		out->base = (word & 0x7fe0ffe0) == 0x2a0003e0 ? from : word >> 5 & 31;
		out->to = word & 31;
	} else if ((word & 0xffe00000) == 0x8b000000 && shift <= 6) {
		out->kind = WN_INSN_SUM;
		out->base = word >> 5 & 31;
		out->index = from;
		out->scale = (uint8_t)(1u << shift);
		out->to = word & 31;
	} else if ((word & 0x7fe0fc00) == 0x1b007c00 || (word & 0xff60fc00) == 0x9b207c00) {
		out->kind = WN_INSN_PRODUCT; /* mul; smull, umull */
		out->base = word >> 5 & 31;
		out->index = from;
		out->to = word & 31;
	}
}

static struct wn_insn
decode_insn(const uint8_t *code, size_t n, uint64_t addr)
{
	struct wn_insn out = {.base = WN_NO_REGISTER,
	                      .index = WN_NO_REGISTER,
	                      .to = WN_NO_REGISTER,
	                      .adds_to = WN_NO_REGISTER,
	                      .multiplies = WN_NO_REGISTER};
	if (n < INSTRUCTION_BYTES)
		return out;
	uint32_t word = instruction_at(code);
	out.n_bytes = INSTRUCTION_BYTES;
	if (word >> 26 == 0x05 || word >> 26 == 0x25) {
		out.kind = word >> 26 == 0x05 ? WN_INSN_JUMP : WN_INSN_CALL;
		out.is_always = out.kind == WN_INSN_JUMP;
		out.addr = addr + (extend(word, 26) << 2);
	} else if ((word & 0xff000000) == 0x54000000 || (word & 0x7e000000) == 0x34000000) {
		out.kind = WN_INSN_JUMP; /* b.cond, cbz, cbnz */
		out.addr = addr + (extend(word >> 5, 19) << 2);
	} else if ((word & 0x7e000000) == 0x36000000) { /* tbz, tbnz */
		out.kind = WN_INSN_JUMP;
		out.addr = addr + (extend(word >> 5, 14) << 2);
	} else if ((word & 0xfedff000) == 0xd61f0000) { /* blr and br */
		out.kind = WN_INSN_CALL_FAR;
	} else if ((word & 0xfffff000) == 0xd65f0000) { /* ret, and its forms with a check */
		out.kind = WN_INSN_RETURN;
	} else {
		out.kind = (uint8_t)atomic_kind(word);
		if (out.kind == WN_INSN_PLAIN)
			set_plain(word, &out);
		else
			out.base = word >> 5 & 31;
		out.is_own = out.kind != WN_INSN_PLAIN && out.base == 31; /* sp */
		out.may_write = may_write(word);
		out.is_compare = (word & 0x7f20001f) == 0x6b00001f ||
		                 (word & 0x7f80001f) == 0x7100001f; /* cmp */
		if ((word & 0x7fe00000) == 0x52800000) {            /* movz */
			out.kind = WN_INSN_SET;
			out.base = word & 31;
			out.addr = word >> 5 & 0xffff;
		} else if ((word & 0x1f800000) == 0x11000000 && (word >> 5 & 31) == (word & 31)) {
			uint64_t number = (uint64_t)(word >> 10 & 0xfff)
			                  << (word & 1u << 22 ? 12 : 0);
			out.kind = WN_INSN_ADVANCE; /* add, subs */
			out.base = word & 31;
			out.addr = word & 1u << 30 ? -number : number;
		}
	}
	return out;
}

const struct wn_branches wn_branches_aarch64 = {
    .machine = EM_AARCH64,
    .jump_slot = R_AARCH64_JUMP_SLOT,
    .glob_dat = R_AARCH64_GLOB_DAT,
    .step_bytes = INSTRUCTION_BYTES,
    .call_bytes = INSTRUCTION_BYTES,
    .jump = decode_jump,
    .stub = decode_stub,
    .call = {decode_call, decode_call_through_register},
    .load = decode_load,
    .insn = decode_insn,
};
