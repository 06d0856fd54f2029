/* SPDX-License-Identifier: MIT */
/* Which memory the atomic update just before an address touches, of instructions in this file. */
#include "record/switches.h"
#include "tests/tap.h"

#include <string.h>
#include <sys/mman.h>

#ifdef __x86_64__
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, N };

static const struct {
	const char *text;
	unsigned n;
	uint8_t bytes[15];
	uint64_t expected; /* registers are 0x1000 times their number; 0: none */
} cases[] = {
    {"lock add %eax,(%rdx)", 3, {0xf0, 0x01, 0x02}, 0x2000},
    {"lock addl $1,8(%rdi,%rsi,4)",
     6,
     {0xf0, 0x83, 0x44, 0xb7, 0x08, 0x01},
     0x7000 + 4 * 0x6000 + 8},
    {"lock xadd %rax,-16(%r9)", 6, {0xf0, 0x49, 0x0f, 0xc1, 0x41, 0xf0}, 0x9000 - 16},
    {"lock cmpxchg %rcx,(%r12)", 6, {0xf0, 0x49, 0x0f, 0xb1, 0x0c, 0x24}, 0xc000},
    {"lock cmpxchg %ecx,(%r13)", 6, {0xf0, 0x41, 0x0f, 0xb1, 0x4d, 0x00}, 0xd000},
    {"lock incq 0x100(,%r10,8)",
     9,
     {0xf0, 0x4a, 0xff, 0x04, 0xd5, 0x00, 0x01, 0x00, 0x00},
     8 * 0xa000 + 0x100},
    {"lock orl $0x1000,(%rsp)", 8, {0xf0, 0x81, 0x0c, 0x24, 0x00, 0x10, 0x00, 0x00}, 0x4000},
    {"lock addw $0x1000,(%rcx)", 6, {0xf0, 0x66, 0x81, 0x01, 0x00, 0x10}, 0x1000},
    {"lock btsl $3,(%rbx)", 5, {0xf0, 0x0f, 0xba, 0x2b, 0x03}, 0x3000},
    {"lock cmpxchg16b (%rsi)", 5, {0xf0, 0x48, 0x0f, 0xc7, 0x0e}, 0x6000},
    {"add %eax,(%rdx)", 2, {0x01, 0x02}, 0},
    {"mov %eax,(%rdx)", 2, {0x89, 0x02}, 0},
    {"lock add %eax,%edx, which is none", 3, {0xf0, 0x01, 0xc2}, 0},
};

static uint8_t *page;

/* Puts an instruction into the page, among others. Returns its address. */
static uint64_t
put(size_t i)
{
	memset(page, 0x90, 4096);
	memcpy(page + 64, cases[i].bytes, cases[i].n);
	return (uint64_t)(uintptr_t)(page + 64);
}

static void
test_forms(const uint64_t *registers)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t at = put(i);
		ok(recorder_updated_address(at + cases[i].n, registers) == cases[i].expected,
		   "%s, when it is done", cases[i].text);
		ok(recorder_updated_address(at, registers) == cases[i].expected, "%s, before it is",
		   cases[i].text);
	}
}

static void
test_relative(const uint64_t *registers)
{
	static const uint8_t add[] = {0xf0, 0x83, 0x05, 0x00, 0x02, 0x00, 0x00, 0x01};
	uint64_t at = put(0);
	memcpy(page + 64, add, sizeof add);
	ok(recorder_updated_address(at + sizeof add, registers) == at + sizeof add + 0x200,
	   "an address relative to the next instruction");
}

/* Any bytes: the result does not matter. */
static void
test_any(const uint64_t *registers)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < 4096; i++)
		page[i] = (uint8_t)(i * 2654435761u >> 13);
	for (uint64_t i = 15; i < 4096 - 15; i++)
		sum += recorder_updated_address((uint64_t)(uintptr_t)page + i, registers) != 0;
	ok(sum < 4096, "any bytes are read");
	ok(recorder_is_program((uint64_t)(uintptr_t)test_any), "this program is read");
	ok(!recorder_is_program((uint64_t)(uintptr_t)page) && !recorder_is_program(0),
	   "and no other memory");
}

int
main(void)
{
	uint64_t registers[N];
	for (unsigned i = 0; i < N; i++)
		registers[i] = 0x1000u * i;
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!ok(page != MAP_FAILED, "a page"))
		return done();
	test_forms(registers);
	test_relative(registers);
	test_any(registers);
	return done();
}
#else
int
main(void)
{
	skip("not x86-64", "the memory of atomic updates");
	return done();
}
#endif
