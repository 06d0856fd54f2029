/* SPDX-License-Identifier: MIT */
/* test_branches.c - branches in machine code of AArch64, as an assembler writes them. */
#include "symbols/branches.h"
#include "tap.h"

#include <elf.h>
#include <string.h>

#define AT UINT64_C(0x10c0c)

static const struct wn_branches *arm;

static size_t
put(uint8_t *code, const uint32_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k < 4; k++)
			code[4 * i + k] = (uint8_t)(words[i] >> 8 * k);
	return 4 * n;
}

static bool
is_jump(uint32_t word, enum wn_branch_kind kind, uint64_t addr)
{
	uint8_t code[4];
	struct wn_branch found = arm->jump(code, put(code, &word, 1), AT);
	return found.kind == kind && found.addr == addr;
}

static bool
is_call(size_t form, uint32_t word, enum wn_branch_kind kind, uint64_t addr)
{
	uint8_t code[4];
	size_t n = put(code, &word, 1);
	struct wn_branch found = arm->call[form](code + n, n, AT + 4);
	return found.kind == kind && found.addr == addr;
}

static void
test_direct(void)
{
	ok(is_jump(0x14000001, WN_BRANCH_DIRECT, AT + 4), "b to the next instruction");
	ok(is_jump(0x17ffffff, WN_BRANCH_DIRECT, AT - 4), "b backwards");
	ok(is_jump(0x15ffffff, WN_BRANCH_DIRECT, AT + 0x7fffffc), "b as far as it reaches");
	ok(is_jump(0x94000001, WN_BRANCH_NONE, 0), "bl is no jump");
	ok(is_jump(0x54000020, WN_BRANCH_NONE, 0), "a conditional branch is none");
	ok(is_call(0, 0x97ffff71, WN_BRANCH_DIRECT, AT - 0x23c), "bl, which returns after it");
	ok(is_call(0, 0x14000001, WN_BRANCH_NONE, 0), "b is no call");
	ok(is_call(1, 0xd63f0100, WN_BRANCH_REGISTER, 0), "blr x8");
	ok(is_call(1, 0xd63f0aff, WN_BRANCH_REGISTER, 0), "blraaz x23");
	ok(is_call(1, 0xd73f0909, WN_BRANCH_REGISTER, 0), "blraa x8, x9");
	ok(is_call(1, 0xd61f0100, WN_BRANCH_NONE, 0), "br x8 is no call");
	ok(is_call(1, 0xd65f03c0, WN_BRANCH_NONE, 0), "ret is none");
}

static void
test_stub(void)
{
	/* adrp x16, +0x1f000; ldr x17, [x16, #0xf38]; add x16, x16, #0xf38; br x17 */
	static const uint32_t plain[] = {0xf00000f0, 0xf9479e11, 0x913ce210, 0xd61f0220};
	static const uint32_t guarded[] = {0xd503245f, 0xf00000f0, 0xf9479e11, 0x913ce210,
	                                   0xd61f0220};
	uint8_t code[20];
	size_t n = put(code, plain, 4);
	struct wn_branch found = arm->stub(code, n, AT);
	ok(found.kind == WN_BRANCH_SLOT && found.addr == 0x2ff38, "a stub names its slot");
	ok(arm->stub(code, n - 1, AT).kind == WN_BRANCH_NONE, "a stub that is cut is none");
	n = put(code, guarded, 5);
	found = arm->stub(code, n, AT);
	ok(found.kind == WN_BRANCH_SLOT && found.addr == 0x2ff38, "a stub behind bti c");
	ok(arm->stub(code, n - 1, AT).kind == WN_BRANCH_NONE, "one that is cut is none");
}

static void
test_load(void)
{
	/* adrp x0, -0x1000; nop; ldr x1, [x0, #8]; ldr x2, [x3] */
	static const uint32_t words[] = {0xf0ffffe0, 0xd503201f, 0xf9400401, 0xf9400062};
	uint8_t code[16];
	size_t n = put(code, words, 4);
	struct wn_branch found = arm->load(code, n, 8, AT);
	ok(found.kind == WN_BRANCH_SLOT && found.addr == 0xf008,
	   "the page comes from an earlier adrp");
	ok(arm->load(code, n, 12, AT).kind == WN_BRANCH_NONE,
	   "a load from another register is none");
	ok(arm->load(code, n, 4, AT).kind == WN_BRANCH_NONE, "nop loads nothing");
	ok(arm->load(code + 4, n - 4, 4, AT).kind == WN_BRANCH_NONE,
	   "the function's bytes end the search");
}

/* No decoder reads outside the bytes that it is given: run with a sanitizer, or valgrind. */
static void
test_bounds(void)
{
	uint8_t code[WN_STUB_BYTES];
	unsigned n_found = 0;
	memset(code, 0xff, sizeof code);
	for (size_t n = 0; n <= sizeof code; n++) {
		n_found += arm->jump(code, n, 0).kind != WN_BRANCH_NONE;
		n_found += arm->stub(code, n, 0).kind != WN_BRANCH_NONE;
		for (size_t i = 0; i < WN_CALL_FORMS && arm->call[i]; i++)
			n_found += arm->call[i](code + n, n, 0).kind != WN_BRANCH_NONE;
		for (size_t at = 0; at <= n; at++)
			n_found += arm->load(code, n, at, 0).kind != WN_BRANCH_NONE;
	}
	ok(n_found == 0, "bytes that are no instruction are none, however few");
}

int
main(void)
{
	arm = wn_branches_of(EM_AARCH64);
	ok(arm && arm->machine == EM_AARCH64, "AArch64 has a table");
	ok(wn_branches_of(EM_X86_64)->machine == EM_X86_64, "x86-64 has one");
	ok(!wn_branches_of(EM_RISCV) && !wn_branches_of(EM_NONE), "other processors have none");
	test_direct();
	test_stub();
	test_load();
	test_bounds();
	return done();
}
