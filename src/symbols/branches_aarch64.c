/* SPDX-License-Identifier: MIT */
#include "symbols/branches.h"

#include <elf.h>
#include <string.h>

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
};
