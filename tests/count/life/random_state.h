/* SPDX-License-Identifier: MIT */
/*
 * random_state.h - all of the processor's state that code can see, set before a snippet is run and
 * summed up afterwards; and the memory that snippets live in, always at the same addresses.
 */
#ifndef WN_RANDOM_STATE_H
#define WN_RANDOM_STATE_H

#include "random_code.h"

#include <cpuid.h>
#include <sys/mman.h>

enum {
	CODE_BYTES = 1 << 20,
	OWN_BYTES = 1 << 19, /* tables and counters */
	DATA_BYTES = 1 << 16,
	STACK_BYTES = 1 << 16,
	REGION_BYTES = CODE_BYTES + OWN_BYTES + DATA_BYTES + STACK_BYTES,
	THREAD_WORDS = 64,
	XSAVE_BYTES = 8192
};

/* Addresses of 32 bits lead to the one, and not to the other. */
#define BASE_LOW  0x20000000ull
#define BASE_HIGH 0x123400000000ull

static struct {
	uint64_t base, own, data, stack; /* the middle of the data; the stack's first byte used */
} memory;

static __thread uint64_t thread_words[THREAD_WORDS];

static struct {
	uint64_t gpr[16], flags, entry, saved_sp, mask;
	uint8_t vectors[XSAVE_BYTES] __attribute__((aligned(64)));
} machine __asm__("random_machine") __attribute__((used, aligned(64)));

_Static_assert(offsetof(__typeof__(machine), vectors) == 192, "as written below");

void random_enter(void);
void random_back(void);
__asm__(".text\n.globl random_enter, random_back\n.type random_enter, @function\n"
        "random_enter:\n\t"
        "push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n\t"
        "mov %rsp, random_machine+144(%rip)\n\t"
        "mov random_machine+152(%rip), %eax; xor %edx, %edx\n\t"
        "xrstor64 random_machine+192(%rip)\n\t"
        "mov random_machine+32(%rip), %rsp; pushq random_machine+128(%rip); popfq\n\t"
        "mov random_machine(%rip), %rax; mov random_machine+8(%rip), %rcx\n\t"
        "mov random_machine+16(%rip), %rdx; mov random_machine+24(%rip), %rbx\n\t"
        "mov random_machine+40(%rip), %rbp; mov random_machine+48(%rip), %rsi\n\t"
        "mov random_machine+56(%rip), %rdi; mov random_machine+64(%rip), %r8\n\t"
        "mov random_machine+72(%rip), %r9; mov random_machine+80(%rip), %r10\n\t"
        "mov random_machine+88(%rip), %r11; mov random_machine+96(%rip), %r12\n\t"
        "mov random_machine+104(%rip), %r13; mov random_machine+112(%rip), %r14\n\t"
        "mov random_machine+120(%rip), %r15\n\t"
        "jmp *random_machine+136(%rip)\n"
        "random_back:\n\t"
        "mov %rax, random_machine(%rip); mov %rcx, random_machine+8(%rip)\n\t"
        "mov %rdx, random_machine+16(%rip); mov %rbx, random_machine+24(%rip)\n\t"
        "mov %rsp, random_machine+32(%rip)\n\t"
        "mov %rbp, random_machine+40(%rip); mov %rsi, random_machine+48(%rip)\n\t"
        "mov %rdi, random_machine+56(%rip); mov %r8, random_machine+64(%rip)\n\t"
        "mov %r9, random_machine+72(%rip); mov %r10, random_machine+80(%rip)\n\t"
        "mov %r11, random_machine+88(%rip); mov %r12, random_machine+96(%rip)\n\t"
        "mov %r13, random_machine+104(%rip); mov %r14, random_machine+112(%rip)\n\t"
        "mov %r15, random_machine+120(%rip)\n\t"
        "pushfq; popq random_machine+128(%rip); cld\n\t"
        "mov random_machine+152(%rip), %eax; xor %edx, %edx\n\t"
        "xsave64 random_machine+192(%rip)\n\t"
        "mov random_machine+144(%rip), %rsp\n\t"
        "fninit; pushq $0x1f80; ldmxcsr (%rsp); pop %rax\n\t"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; ret\n"
        ".size random_enter, . - random_enter\n");

static bool
state_begin(void)
{
	unsigned a, b, c, d, low, high;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 27 & 1))
		return false;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	machine.mask = low & 0xe7; /* x87, SSE, AVX, and the three of AVX-512 */
	return true;
}

/* Numbers as they come, and those at which something happens. */
static uint64_t
some_number(void)
{
	static const uint64_t edges[] = {0,          1,         ~0ull,      0x80,
	                                 0x7f,       0xff,      1ull << 63, INT64_MAX,
	                                 1ull << 31, INT32_MAX, UINT32_MAX, 0x8000};

	switch (below(4)) {
	case 0:
		return edges[below(sizeof edges / sizeof edges[0])];
	case 1:
		return below(256);
	default:
		return chance();
	}
}

/* Small numbers as well as any bits: not all of what is calculated is to be no number. */
static uint64_t
some_double(void)
{
	double value = (double)(int64_t)chance() / (double)(1ull << 40);
	uint64_t bits;

	if (one_in(8))
		return chance();
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static void
fill_vectors(void)
{
	uint8_t *v = machine.vectors;
	const uint32_t mxcsr = 0x1f80, mxcsr_mask = 0xffff;
	const uint16_t control = 0x037f;

	memset(v, 0, XSAVE_BYTES);
	memcpy(v, &control, 2);
	memcpy(v + 24, &mxcsr, 4);
	memcpy(v + 28, &mxcsr_mask, 4);
	for (unsigned i = 160; i < 416; i += 8) {
		uint64_t word = some_double();
		memcpy(v + i, &word, 8);
	}
	for (unsigned part = 2; part < 8; part++) {
		unsigned bytes, from, c, d;
		if (!(machine.mask >> part & 1))
			continue;
		__cpuid_count(13, part, bytes, from, c, d);
		for (unsigned i = 0; i < bytes; i += 8) {
			uint64_t word = part == 5 ? chance() : some_double();
			memcpy(v + from + i, &word, 8);
		}
	}
	memcpy(v + 512, &machine.mask, 8);
}

/* Of the x87 registers those that hold something. */
static uint64_t
sum_vectors(uint64_t hash)
{
	const uint8_t *v = machine.vectors;
	unsigned top = v[3] >> 3 & 7;

	hash = life_hash(hash, v, 5);
	hash = life_hash(hash, v + 24, 4);
	for (unsigned i = 0; i < 8; i++)
		if (v[4] >> ((top + i) & 7) & 1)
			hash = life_hash(hash, v + 32 + 16 * i, 10);
	hash = life_hash(hash, v + 160, 256);
	for (unsigned part = 2; part < 8; part++) {
		unsigned bytes, from, c, d;
		if (!(machine.mask >> part & 1))
			continue;
		__cpuid_count(13, part, bytes, from, c, d);
		hash = life_hash(hash, v + from, bytes);
	}
	return hash;
}

static uint64_t
sum_words(uint64_t hash, const uint64_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ words[i]) * 0x100000001b3u, hash ^= hash >> 32;
	return hash;
}

static void
fill_words(uint64_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		words[i] = i % 3 ? some_double() : some_number();
}

static void
map_memory(uint64_t base)
{
	if (memory.base)
		munmap((void *)memory.base, REGION_BYTES);
	memory.base = base;
	memory.own = base + CODE_BYTES;
	memory.data = memory.own + OWN_BYTES + DATA_BYTES / 2;
	memory.stack = memory.own + OWN_BYTES + DATA_BYTES + STACK_BYTES - 4096;
	MUST(mmap((void *)base, REGION_BYTES, PROT_READ | PROT_WRITE,
	          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == (void *)base);
}

#endif
