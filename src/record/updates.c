/* SPDX-License-Identifier: MIT */
/*
 * updates.c - which memory an atomic update touches, when a thread is sampled at one.
 *
 * An interrupt is taken between two instructions: a thread that waits for an atomic update is
 * sampled just behind it, with the registers that it computed the address from. Instructions with a
 * LOCK prefix have few forms, so they are decoded here, of x86-64 only; the program's data is not
 * stored. Only the program's own file is read, since other code may be gone by then, and a system
 * call that could tell may be forbidden. Intel 64 and IA-32 Architectures Software Developer's
 * Manual, volume 2, chapter 2.
 */
#include "record/switches.h"

#include <link.h>
#include <sys/auxv.h>

#define INSN_BYTES_MAX 15
/* LOCK, opcode, ModRM: shorter ones are none. */
#define INSN_BYTES_MIN 3

struct code {
	const uint8_t *bytes;
	size_t n, at;
};

/* Returns the next byte; 0 behind the end, where `at` tells that it is missing. */
static uint8_t
next(struct code *c)
{
	uint8_t byte = c->at < c->n ? c->bytes[c->at] : 0;
	c->at++;
	return byte;
}

/* A signed number of 1 or 4 bytes. */
static uint64_t
number(struct code *c, size_t n_bytes)
{
	uint32_t value = 0;
	for (size_t i = 0; i < n_bytes; i++)
		value |= (uint32_t)next(c) << (8 * i);
	return n_bytes == 1 ? (uint64_t)(int64_t)(int8_t)value : (uint64_t)(int64_t)(int32_t)value;
}

/* Returns the bytes of the number at the end of an instruction that may have LOCK, 0 or more; -1:
 * it may not. `is_long`: the opcode is behind 0f. */
static int
bytes_at_end(uint8_t opcode, bool is_long, bool is_short)
{
	if (is_long)
		switch (opcode) {
		case 0xba: /* bts and others with a number */
			return 1;
		case 0xab:
		case 0xb3:
		case 0xbb: /* bts, btr, btc */
		case 0xb0:
		case 0xb1: /* cmpxchg */
		case 0xc0:
		case 0xc1: /* xadd */
		case 0xc7: /* cmpxchg8b, cmpxchg16b */
			return 0;
		default:
			return -1;
		}
	switch (opcode) {
	case 0x80:
	case 0x83:
		return 1;
	case 0x81:
		return is_short ? 2 : 4;
	case 0xf6:
	case 0xf7: /* not, neg */
	case 0xfe:
	case 0xff: /* inc, dec */
	case 0x86:
	case 0x87: /* xchg */
		return 0;
	default:
		return opcode < 0x38 && (opcode & 7) < 2 ? 0
		                                         : -1; /* add, or, ... with a register */
	}
}

/* Computes the address of a memory operand. Returns false if it is a register. */
static bool
take_operand(struct code *c, uint8_t rex, const uint64_t *registers, bool *is_relative,
             uint64_t *address)
{
	uint8_t modrm = next(c), mod = modrm >> 6, rm = modrm & 7;
	uint64_t sum = 0;
	*is_relative = mod == 0 && rm == 5;
	if (mod == 3)
		return false;
	if (rm == 4) {
		uint8_t sib = next(c), index = (sib >> 3 & 7) | (rex & 2 ? 8 : 0);
		rm = sib & 7;
		sum += index != 4 ? registers[index] << (sib >> 6) : 0;
	}
	bool has_base = mod != 0 || rm != 5;
	sum += has_base ? registers[rm | (rex & 1 ? 8 : 0)] : 0;
	if (mod == 1)
		sum += number(c, 1);
	else if (mod == 2 || !has_base)
		sum += number(c, 4);
	*address = sum;
	return true;
}

/* Decodes an instruction with LOCK at `ip`. Returns its length, or 0: there is none. */
static size_t
decode(const uint8_t *bytes, size_t n, uint64_t ip, const uint64_t *registers, uint64_t *address)
{
	struct code c = {bytes, n, 0};
	bool has_lock = false, is_short = false, is_relative;
	uint8_t byte = next(&c), rex = 0;
	for (; byte == 0xf0 || byte == 0x66 || byte == 0xf2 || byte == 0xf3; byte = next(&c)) {
		has_lock |= byte == 0xf0;
		is_short |= byte == 0x66;
	}
	if ((byte & 0xf0) == 0x40) {
		rex = byte;
		byte = next(&c);
	}
	bool is_long = byte == 0x0f;
	if (is_long)
		byte = next(&c);
	int n_end = bytes_at_end(byte, is_long, is_short);
	if (!has_lock || n_end < 0 || !take_operand(&c, rex, registers, &is_relative, address))
		return 0;
	c.at += (size_t)n_end;
	*address += is_relative ? ip + c.at : 0;
	return c.at <= n ? c.at : 0;
}

bool
recorder_is_program(uint64_t ip)
{
	const ElfW(Phdr) *segments = (const ElfW(Phdr) *)(uintptr_t)getauxval(AT_PHDR);
	size_t n = segments ? getauxval(AT_PHNUM) : 0;
	uint64_t bias = 0;
	for (size_t i = 0; i < n; i++)
		if (segments[i].p_type == PT_PHDR)
			bias = (uint64_t)(uintptr_t)segments - segments[i].p_vaddr;
	for (size_t i = 0; i < n; i++) {
		uint64_t begin = bias + segments[i].p_vaddr;
		if (segments[i].p_type == PT_LOAD && segments[i].p_flags & PF_X &&
		    ip >= begin + INSN_BYTES_MAX &&
		    ip + INSN_BYTES_MAX <= begin + segments[i].p_memsz)
			return true;
	}
	return false;
}

uint64_t
recorder_updated_address(uint64_t ip, const uint64_t *registers)
{
	const uint8_t *code = (const uint8_t *)(uintptr_t)ip;
	uint64_t address;
	for (size_t n = INSN_BYTES_MIN; n <= INSN_BYTES_MAX; n++)
		if (decode(code - n, n, ip - n, registers, &address) == n)
			return address;
	return decode(code, INSN_BYTES_MAX, ip, registers, &address) > 0 ? address : 0;
}
