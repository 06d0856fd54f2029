/* SPDX-License-Identifier: MIT */
#include "symbols/branches.h"

#include <elf.h>
#include <string.h>

const struct wn_branches *
wn_branches_of(unsigned machine)
{
	return machine == EM_X86_64    ? &wn_branches_x86_64
	       : machine == EM_AARCH64 ? &wn_branches_aarch64
	                               : NULL;
}

static uint64_t
relative(uint64_t next, const uint8_t *bytes)
{
	int32_t distance;
	memcpy(&distance, bytes, sizeof distance);
	return next + (uint64_t)(int64_t)distance;
}

static struct wn_branch
decode_jump(const uint8_t *code, size_t n, uint64_t addr)
{
	struct wn_branch none = {WN_BRANCH_NONE, 0};
	if (n >= 5 && code[0] == 0xe9)
		return (struct wn_branch){WN_BRANCH_DIRECT, relative(addr + 5, code + 1)};
	if (n >= 6 && code[0] == 0x0f && (code[1] & 0xf0) == 0x80)
		return (struct wn_branch){WN_BRANCH_DIRECT, relative(addr + 6, code + 2)};
	if (n >= 6 && code[0] == 0xff && code[1] == 0x25)
		return (struct wn_branch){WN_BRANCH_SLOT, relative(addr + 6, code + 2)};
	return none;
}

static struct wn_branch
decode_stub(const uint8_t *code, size_t n, uint64_t addr)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	struct wn_branch none = {WN_BRANCH_NONE, 0};
	size_t i = 0;
	if (n < 12)
		return none;
	if (memcmp(code, endbr64, sizeof endbr64) == 0)
		i += sizeof endbr64;
	i += code[i] == 0xf2; /* bnd */
	if (code[i] != 0xff || code[i + 1] != 0x25)
		return none;
	return (struct wn_branch){WN_BRANCH_SLOT, relative(addr + i + 6, code + i + 2)};
}

static struct wn_branch
decode_call(const uint8_t *end, size_t n, uint64_t return_addr)
{
	struct wn_branch none = {WN_BRANCH_NONE, 0};
	if (n < 5 || end[-5] != 0xe8)
		return none;
	return (struct wn_branch){WN_BRANCH_DIRECT, relative(return_addr, end - 4)};
}

static struct wn_branch
decode_call_through_slot(const uint8_t *end, size_t n, uint64_t return_addr)
{
	struct wn_branch none = {WN_BRANCH_NONE, 0};
	if (n < 6 || end[-6] != 0xff || end[-5] != 0x15)
		return none;
	return (struct wn_branch){WN_BRANCH_SLOT, relative(return_addr, end - 4)};
}

static struct wn_branch
decode_call_through_register(const uint8_t *end, size_t n, uint64_t return_addr)
{
	struct wn_branch none = {WN_BRANCH_NONE, 0}, found = {WN_BRANCH_REGISTER, 0};
	(void)return_addr;
	if (n < 2)
		return none;
	unsigned reg = end[-1] & 7u;
	if (end[-2] == 0xff && (end[-1] & 0xf8) == 0xd0)
		return found;
	if (end[-2] == 0xff && (end[-1] & 0xf8) == 0x10 && reg != 4 && reg != 5)
		return found;
	if (n >= 3 && end[-3] == 0xff && (end[-2] & 0xf8) == 0x50 && (end[-2] & 7u) != 4)
		return found;
	return none;
}

/* mov slot(%rip), register */
static struct wn_branch
decode_load(const uint8_t *code, size_t n, size_t at, uint64_t addr)
{
	struct wn_branch none = {WN_BRANCH_NONE, 0};
	if (n - at < 6 || code[at] != 0x8b || (code[at + 1] & 0xc7) != 0x05)
		return none;
	return (struct wn_branch){WN_BRANCH_SLOT, relative(addr + at + 6, code + at + 2)};
}

const struct wn_branches wn_branches_x86_64 = {
    .machine = EM_X86_64,
    .jump_slot = R_X86_64_JUMP_SLOT,
    .glob_dat = R_X86_64_GLOB_DAT,
    .step_bytes = 1,
    .call_bytes = 6,
    .jump = decode_jump,
    .stub = decode_stub,
    .call = {decode_call, decode_call_through_slot, decode_call_through_register},
    .load = decode_load,
    .insn = wn_insn_x86_64,
};
