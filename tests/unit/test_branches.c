/* SPDX-License-Identifier: MIT */
/* test_branches.c - branches in machine code of AArch64, and instructions of both processors, as an
 * assembler writes them. */
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

static struct wn_insn
arm_insn(uint32_t word)
{
	uint8_t code[4];
	return arm->insn(code, put(code, &word, 1), AT);
}

static void
test_arm_insns(void)
{
	static const struct {
		const char *text;
		uint32_t word;
		uint8_t kind, base;
		uint32_t may_write;
		uint64_t addr;
	} cases[] = {
	    {"ldadd x0, x1, [x2]", 0xf8200041, WN_INSN_ATOMIC, 2, 1u << 1, 0},
	    {"ldaddal w3, w4, [sp]", 0xb8e303e4, WN_INSN_ATOMIC, 31, 1u << 4, 0},
	    {"swp x0, x1, [x5]", 0xf82080a1, WN_INSN_ATOMIC, 5, 1u << 1, 0},
	    {"cas x0, x1, [x7]", 0xc8a07ce1, WN_INSN_ATTEMPT, 7, 1u << 1, 0},
	    {"stxr w9, x0, [x8]", 0xc8097d00, WN_INSN_ATTEMPT, 8, 1u << 9 | 1, 0},
	    {"stlxr w9, x0, [x8]", 0xc809fd00, WN_INSN_ATTEMPT, 8, 1u << 9 | 1, 0},
	    {"ldxr x0, [x8]", 0xc85f7d00, WN_INSN_PLAIN, WN_NO_REGISTER, 1, 0},
	    {"ldapr x0, [x1]", 0xf8bfc020, WN_INSN_PLAIN, WN_NO_REGISTER, 1, 0},
	    {"cbnz w9, #-8", 0x35ffffc9, WN_INSN_JUMP, WN_NO_REGISTER, 0, AT - 8},
	    {"tbz x0, #3, #-16", 0x361fff80, WN_INSN_JUMP, WN_NO_REGISTER, 0, AT - 16},
	    {"b.ne #-4", 0x54ffffe1, WN_INSN_JUMP, WN_NO_REGISTER, 0, AT - 4},
	    {"bl #8", 0x94000002, WN_INSN_CALL, WN_NO_REGISTER, 0, AT + 8},
	    {"br x3", 0xd61f0060, WN_INSN_CALL_FAR, WN_NO_REGISTER, 0, 0},
	    {"ret", 0xd65f03c0, WN_INSN_RETURN, WN_NO_REGISTER, 0, 0},
	    {"str x3, [x4]", 0xf9000083, WN_INSN_STORE, 4, 0, 0},
	    {"str q0, [x4, #16]", 0x3d800480, WN_INSN_STORE, 4, 0, 16},
	    {"ldr d1, [x4, #24]", 0xfd400c81, WN_INSN_LOAD, 4, 0, 24},
	    {"str x3, [x1, x0, lsl #3]", 0xf8207823, WN_INSN_STORE, 1, 0, 0},
	    {"str w3, [x1, w0, sxtw]", 0xb820c823, WN_INSN_STORE, 1, 0, 0},
	    {"mov x7, x3", 0xaa0303e7, WN_INSN_COPY, 3, 1u << 7, 0},
	    {"sxtw x0, w5", 0x93407ca0, WN_INSN_COPY, 5, 1, 0},
	    {"add x4, x5, x6, lsl #3", 0x8b060ca4, WN_INSN_SUM, 5, 1u << 4, 0},
	    {"mul x0, x1, x2", 0x9b027c20, WN_INSN_PRODUCT, 1, 1, 0},
	    {"smull x3, w4, w5", 0x9b257c83, WN_INSN_PRODUCT, 4, 1u << 3, 0},
	    {"madd x0, x1, x2, x3", 0x9b020c20, WN_INSN_PLAIN, WN_NO_REGISTER, 1, 0},
	    {"movz w5, #3", 0x52800065, WN_INSN_SET, 5, 1u << 5, 3},
	    {"subs w5, w5, #1", 0x710004a5, WN_INSN_ADVANCE, 5, 1u << 5, UINT64_MAX},
	    {"add x1, x1, #8", 0x91002021, WN_INSN_ADVANCE, 1, 1u << 1, 8},
	    {"ldr x0, [x1], #8", 0xf8408420, WN_INSN_PLAIN, WN_NO_REGISTER, 1u << 1 | 1, 0},
	    {"ldp x0, x1, [x2, #16]!", 0xa9c10440, WN_INSN_PLAIN, WN_NO_REGISTER, 7, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wn_insn insn = arm_insn(cases[i].word);
		ok(insn.n_bytes == 4 && insn.kind == cases[i].kind && insn.base == cases[i].base &&
		       (insn.may_write & cases[i].may_write) == cases[i].may_write &&
		       insn.addr == cases[i].addr,
		   "%s", cases[i].text);
	}
	ok(arm_insn(0x14000001).is_always && !arm_insn(0x54ffffe1).is_always,
	   "some jumps have no condition");
	struct wn_insn sum = arm_insn(0x8b060ca4), store = arm_insn(0xf8207823);
	ok(sum.index == 6 && sum.scale == 8 && sum.to == 4, "of a sum");
	ok(store.index == 0 && store.scale == 8, "an index is scaled");
	ok(arm_insn(0xb8e303e4).is_own && !arm_insn(0xf8200041).is_own,
	   "the stack is the thread's");
}

static void
test_x86_insns(void)
{
	const uint8_t nop[] = {0x66, 0x90};
	const uint8_t compare[] = {0x48, 0x39, 0xd0}, compare_number[] = {0x83, 0xf8, 7};
	ok(wn_insn_x86_64(nop, sizeof nop, AT).may_write == 0, "xchg %%ax, %%ax writes nothing");
	ok(wn_insn_x86_64(compare, sizeof compare, AT).may_write == 0 &&
	       wn_insn_x86_64(compare_number, sizeof compare_number, AT).may_write == 0,
	   "cmp writes nothing");
	static const struct {
		const char *text, *bytes;
		uint8_t n, kind, base;
		bool has_index, is_own;
		uint32_t may_write;
		uint64_t addr;
	} cases[] = {
	    {"lock addq $1, 16(%rip)", "\xf0\x48\x83\x05\x10\0\0\0\1", 9, WN_INSN_ATOMIC,
	     WN_NO_REGISTER, false, false, 0, AT + 9 + 16},
	    {"lock addl %ecx, (%r9,%rax,8)", "\xf0\x41\x01\x0c\xc1", 5, WN_INSN_ATOMIC, 9, true,
	     false, 0, 0},
	    {"lock cmpxchgq %rsi, (%rdi)", "\xf0\x48\x0f\xb1\x37", 5, WN_INSN_ATTEMPT, 7, false,
	     false, 0, 0},
	    {"xchgl %eax, 8(%rbx)", "\x87\x43\x08", 3, WN_INSN_ATOMIC, 3, false, false, 1, 8},
	    {"xchgq %rbx, %rax", "\x48\x93", 2, WN_INSN_PLAIN, WN_NO_REGISTER, false, false, 9, 0},
	    {"lock orq $0, (%rsp)", "\xf0\x48\x83\x0c\x24\0", 6, WN_INSN_ATOMIC, 4, false, true, 0,
	     0},
	    {"lock addq $1, %fs:32", "\x64\xf0\x48\x83\x04\x25\x20\0\0\0\1", 11, WN_INSN_ATOMIC,
	     WN_NO_REGISTER, false, true, 0, 32},
	    {"lock incl 4096(,%rcx,4)", "\xf0\xff\x04\x8d\0\x10\0\0", 8, WN_INSN_ATOMIC,
	     WN_NO_REGISTER, true, false, 0, 4096},
	    {"addl %ecx, (%r9)", "\x41\x01\x09", 3, WN_INSN_STORE, 9, false, false, 0, 0},
	    {"cmpl %ecx, (%r9)", "\x41\x39\x09", 3, WN_INSN_LOAD, 9, false, false, 0, 0},
	    {"movq %rax, (%rsi,%rcx,8)", "\x48\x89\x04\xce", 4, WN_INSN_STORE, 6, true, false, 0,
	     0},
	    {"movsd %xmm0, (%rdx)", "\xf2\x0f\x11\x02", 4, WN_INSN_STORE, 2, false, false, 0, 0},
	    {"vmovsd %xmm0, (%r10)", "\xc4\xc1\x7b\x11\x02", 5, WN_INSN_STORE, 10, false, false, 0,
	     0},
	    {"movslq %eax, %rcx", "\x48\x63\xc8", 3, WN_INSN_COPY, 0, false, false, 2, 0},
	    {"leaq (%rsi,%rcx,8), %rdx", "\x48\x8d\x14\xce", 4, WN_INSN_SUM, 6, true, false, 4, 0},
	    {"leaq 256(%rip), %r12", "\x4c\x8d\x25\0\1\0\0", 7, WN_INSN_ADDRESS, 12, false, false,
	     1u << 12, AT + 7 + 256},
	    {"movl $3, %ecx", "\xb9\3\0\0\0", 5, WN_INSN_SET, 1, false, false, 2, 3},
	    {"movabsq $..., %rsi", "\x48\xbe\x88\x77\x66\x55\x44\x33\x22\x11", 10, WN_INSN_SET, 6,
	     false, false, 1u << 6, 0x1122334455667788},
	    {"subq $1, %rcx", "\x48\x83\xe9\1", 4, WN_INSN_ADVANCE, 1, false, false, 2, UINT64_MAX},
	    {"addq $24000, %rax", "\x48\x05\xc0\x5d\0\0", 6, WN_INSN_ADVANCE, 0, false, false, 1,
	     24000},
	    {"addq $-128, %rdi", "\x48\x83\xc7\x80", 4, WN_INSN_ADVANCE, 7, false, false, 1u << 7,
	     (uint64_t)-128},
	    {"decl %esi", "\xff\xce", 2, WN_INSN_ADVANCE, 6, false, false, 1u << 6, UINT64_MAX},
	    {"leaq 64(%rdx), %rdx", "\x48\x8d\x52\x40", 4, WN_INSN_ADVANCE, 2, false, false, 4, 64},
	    {"shlq $4, %rdx", "\x48\xc1\xe2\4", 4, WN_INSN_SHIFT, 2, false, false, 4, 4},
	    {"addq %rsi, %rdx", "\x48\x01\xf2", 3, WN_INSN_SUM, 2, true, false, 4, 0},
	    {"imulq %rsi, %rax", "\x48\x0f\xaf\xc6", 4, WN_INSN_PRODUCT, 6, true, false, 1, 0},
	    {"imulq $-24, %rdi, %rdx", "\x48\x6b\xd7\xe8", 4, WN_INSN_PRODUCT, 7, false, false, 4,
	     (uint64_t)-24},
	    {"imulq 8(%rdi), %rcx", "\x48\x0f\xaf\x4f\x08", 5, WN_INSN_LOAD, 7, false, false, 2, 8},
	    {"movslq 4(%rsp), %r10", "\x4c\x63\x54\x24\4", 5, WN_INSN_LOAD, 4, false, true,
	     1u << 10, 4},
	    {"vaddpd (%rsi), %ymm2, %ymm3", "\xc5\xed\x58\x1e", 4, WN_INSN_LOAD, 6, false, false, 0,
	     0},
	    {"jne -20", "\x75\xea", 2, WN_INSN_JUMP, WN_NO_REGISTER, false, false, 0, AT - 20},
	    {"jne far", "\x0f\x85\xfa\xff\xff\xff", 6, WN_INSN_JUMP, WN_NO_REGISTER, false, false,
	     0, AT},
	    {"call", "\xe8\x0b\0\0\0", 5, WN_INSN_CALL, WN_NO_REGISTER, false, false, 0, AT + 16},
	    {"call *8(%rax)", "\xff\x50\x08", 3, WN_INSN_CALL_FAR, WN_NO_REGISTER, false, false, 0,
	     0},
	    {"ret", "\xc3", 1, WN_INSN_RETURN, WN_NO_REGISTER, false, false, 0, 0},
	    {"jmp *%rdx", "\xff\xe2", 2, WN_INSN_CALL_FAR, WN_NO_REGISTER, false, false, 0, 0},
	    {"vaddpd", "\xc5\xed\x58\xd9", 4, WN_INSN_PLAIN, WN_NO_REGISTER, false, false, 0, 0},
	    {"vpermilpd $5", "\xc4\xe3\x7d\x05\xd9\x05", 6, WN_INSN_PLAIN, WN_NO_REGISTER, false,
	     false, 0, 0},
	    {"testl $7, %esi", "\xf7\xc6\7\0\0\0", 6, WN_INSN_PLAIN, WN_NO_REGISTER, false, false,
	     0, 0},
	    {"pshufd $1", "\x66\x0f\x70\xc8\1", 5, WN_INSN_PLAIN, WN_NO_REGISTER, false, false, 0,
	     0},
	    {"palignr $4", "\x66\x0f\x3a\x0f\xc8\4", 6, WN_INSN_PLAIN, WN_NO_REGISTER, false, false,
	     0, 0},
	    {"xchg %ax, %ax", "\x66\x90", 2, WN_INSN_PLAIN, WN_NO_REGISTER, false, false, 0, 0},
	    {"nopw", "\x66\x0f\x1f\x04\0", 5, WN_INSN_PLAIN, WN_NO_REGISTER, false, false, 0, 0},
	    {"andnq %rax, %rbx, %rcx", "\xc4\xe2\xe0\xf2\xc8", 5, WN_INSN_PLAIN, WN_NO_REGISTER,
	     false, false, 2, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t code[16] = {0};
		memcpy(code, cases[i].bytes, cases[i].n);
		struct wn_insn insn = wn_insn_x86_64(code, sizeof code, AT);
		ok(insn.n_bytes == cases[i].n && insn.kind == cases[i].kind &&
		       insn.base == cases[i].base &&
		       (insn.index != WN_NO_REGISTER) == cases[i].has_index &&
		       insn.is_own == cases[i].is_own &&
		       (insn.may_write & cases[i].may_write) == cases[i].may_write &&
		       insn.addr == cases[i].addr,
		   "%s", cases[i].text);
		ok(wn_insn_x86_64(code, cases[i].n - 1u, AT).n_bytes == 0,
		   "a part of it is no instruction");
	}
}

static void
test_x86_sizes(void)
{
	static const struct {
		const char *text, *bytes;
		uint8_t n, size;
	} cases[] = {
	    {"movb %al, (%rdx)", "\x88\x02", 2, 1},
	    {"movw %ax, (%rdx)", "\x66\x89\x02", 3, 2},
	    {"movl (%rdx), %eax", "\x8b\x02", 2, 4},
	    {"movq (%rdx), %rax", "\x48\x8b\x02", 3, 8},
	    {"movss (%rdx), %xmm0", "\xf3\x0f\x10\x02", 4, 4},
	    {"movsd %xmm0, (%rdx)", "\xf2\x0f\x11\x02", 4, 8},
	    {"movups (%rdx), %xmm0", "\x0f\x10\x02", 3, 16},
	    {"vmovsd (%r10), %xmm0", "\xc4\xc1\x7b\x10\x02", 5, 8},
	    {"vaddpd (%rsi), %ymm2, %ymm3", "\xc5\xed\x58\x1e", 4, 32},
	    {"vmovupd (%rsi), %zmm3", "\x62\xf1\xfd\x48\x10\x1e", 6, 64},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t code[16] = {0};
		memcpy(code, cases[i].bytes, cases[i].n);
		struct wn_insn insn = wn_insn_x86_64(code, sizeof code, AT);
		ok(insn.n_bytes == cases[i].n && insn.size == cases[i].size, "%s: %u bytes",
		   cases[i].text, (unsigned)cases[i].size);
	}
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
	uint64_t seed = 1;
	unsigned n_long = 0;
	for (unsigned k = 0; k < 200000; k++) {
		uint8_t any[16];
		size_t n = k % 16;
		for (size_t i = 0; i < n; i++)
			any[16 - n + i] =
			    (uint8_t)((seed = seed * 6364136223846793005u + 1442695040888963407u) >>
			              56);
		n_long += wn_insn_x86_64(any + 16 - n, n, 0).n_bytes > n;
	}
	ok(n_long == 0, "no instruction is longer than its bytes");
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
	test_arm_insns();
	test_x86_insns();
	test_x86_sizes();
	test_bounds();
	return done();
}
