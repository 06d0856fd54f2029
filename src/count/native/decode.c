/* SPDX-License-Identifier: MIT */
#include "count/native/decode.h"

#include "count/native/modules.h"

#include <cpuid.h>
#include <sys/syscall.h>

#define PAGE_BYTES 4096u

bool wn_native_has_keys;

void
wn_native_decode_begin(void)
{
	uint32_t a, b, c, d;
	wn_native_has_keys = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c & bit_OSPKE);
	decode_x86_64_begin();
}

/* The vsyscall page is executable but not readable, so this is the kernel's code for its three
 * functions: mov rax, number; syscall; ret */
#define VSYSCALLS_AT   0xffffffffff600000u
#define VSYSCALL_BYTES 0x400u
#define VSYSCALLS_N    3u
#define VSYSCALL(number)                                                                           \
	{                                                                                          \
		0x48, 0xc7, 0xc0, (number)&255, (number) >> 8, 0, 0, 0x0f, 0x05, 0xc3              \
	}

static const uint8_t *
vsyscall_code(uint64_t pc, size_t *n)
{
	static const uint8_t code[VSYSCALLS_N][10] = {VSYSCALL(SYS_gettimeofday),
	                                              VSYSCALL(SYS_time), VSYSCALL(SYS_getcpu)};
	uint64_t which = (pc - VSYSCALLS_AT) / VSYSCALL_BYTES, at = pc % VSYSCALL_BYTES;
	if (pc < VSYSCALLS_AT || which >= VSYSCALLS_N || at >= sizeof code[0])
		return NULL;
	*n = sizeof code[0] - at;
	return &code[which][at];
}

/* Reads the next page only if the instruction extends into it, and the page is code. */
static void
decode_in_place(uint64_t pc, struct insn *out)
{
	const uint8_t *at = (const uint8_t *)(uintptr_t)pc;
	size_t left = PAGE_BYTES - pc % PAGE_BYTES;
	bool is_truncated;
	struct code code;
	decode_x86_64(at, left < INSN_BYTES_MAX ? left : INSN_BYTES_MAX, pc, out, &is_truncated);
	if (is_truncated && left < INSN_BYTES_MAX && wn_native_find_code(pc + left, &code))
		decode_x86_64(at, INSN_BYTES_MAX, pc, out, NULL);
}

void
wn_native_decode(uint64_t pc, const uint8_t *copy, size_t n_copy, struct insn *out)
{
	if (!copy)
		copy = vsyscall_code(pc, &n_copy);
	if (copy)
		decode_x86_64(copy, n_copy, pc, out, NULL);
	else
		decode_in_place(pc, out);
}
