/* SPDX-License-Identifier: MIT */
/*
 * random_code.h - a small assembler for x86-64: an instruction's prefixes, opcode and operands as
 * bytes, of the legacy encoding and of VEX and EVEX, and numbers by chance that a seed repeats.
 */
#ifndef WN_RANDOM_CODE_H
#define WN_RANDOM_CODE_H

#include "life.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R12 = 12, R13, NO_REG = 16 };

/* The last operand: a register, memory by registers, or memory relative to the instruction. */
enum form { FORM_REGISTER, FORM_MEMORY, FORM_RELATIVE };
struct place {
	enum form form;
	unsigned reg;                /* up to 31 */
	unsigned base, index, scale; /* NO_REG: none */
	int32_t displacement;        /* in units of the instruction, where it has such */
	unsigned displacement_bytes; /* 0, 1, 4 */
	uint64_t target;             /* FORM_RELATIVE */
	unsigned segment;            /* its prefix; 0: none */
	bool is_32;                  /* addresses of 32 bits */
};

/* What else there is to an instruction. */
struct opcode {
	unsigned prefix; /* 0; 0x66, 0xf3, 0xf2 */
	unsigned map;    /* 0: none, 1: 0f, 2: 0f38, 3: 0f3a */
	unsigned code;
	bool is_wide; /* the W bit */
	bool is_byte; /* its registers are bytes: spl .. dil need a REX */
	bool has_no_rex;
	bool is_locked;
	unsigned immediate_bytes;
	uint64_t immediate;
	unsigned vector; /* the second operand of VEX and EVEX; 0: none as well */
	bool has_vector;
	unsigned length; /* 0, 1, 2: of 128, 256, 512 bits */
	unsigned mask;   /* k1 .. k7 */
	bool zeroes, broadcasts;
};

static struct {
	uint64_t state;
	uint8_t *at;
} code;

static uint64_t
chance(void)
{
	uint64_t z = code.state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static unsigned
below(unsigned n)
{
	return (unsigned)(chance() >> 32) % n;
}

static bool
one_in(unsigned n)
{
	return below(n) == 0;
}

static void
put(uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		*code.at++ = (uint8_t)(value >> 8 * i);
}

static void
put_place(unsigned reg, const struct place *p, unsigned behind)
{
	unsigned digit = (reg & 7) << 3;

	if (p->form == FORM_REGISTER) {
		put(0xc0 | digit | (p->reg & 7), 1);
	} else if (p->form == FORM_RELATIVE) {
		put(digit | 5, 1);
		put(p->target - ((uintptr_t)code.at + 4 + behind), 4);
	} else {
		bool has_base = p->base != NO_REG;
		unsigned bytes = !has_base ? 4
		                 : p->displacement_bytes == 0 && (p->base & 7) == RBP
		                     ? 1
		                     : p->displacement_bytes;
		unsigned mode = !has_base || bytes == 0 ? 0 : bytes == 1 ? 0x40 : 0x80;
		if (has_base && p->index == NO_REG && (p->base & 7) != RSP) {
			put(mode | digit | (p->base & 7), 1);
		} else {
			put(mode | digit | 4, 1);
			put(p->scale << 6 | (p->index == NO_REG ? 4 : p->index & 7) << 3 |
			        (has_base ? p->base & 7 : 5),
			    1);
		}
		put((uint64_t)(int64_t)p->displacement, bytes);
	}
}

/* The bits by which registers go on: of the operand in the middle, index, and base. */
static unsigned
high_bits(unsigned reg, const struct place *p)
{
	unsigned bits = reg >> 3 & 1 ? 4 : 0;

	if (p->form == FORM_REGISTER)
		bits |= (p->reg >> 3 & 1) | (p->reg >> 4 & 1) << 1;
	if (p->form == FORM_MEMORY)
		bits |= (p->base != NO_REG && p->base >> 3 ? 1u : 0) |
		        (p->index != NO_REG && p->index >> 3 ? 2u : 0);
	return bits;
}

static void
put_address_prefixes(const struct place *p)
{
	if (p->form == FORM_REGISTER)
		return;
	if (p->segment)
		put(p->segment, 1);
	if (p->is_32)
		put(0x67, 1);
}

static void
put_legacy(struct opcode o, unsigned reg, const struct place *p)
{
	unsigned rex = (o.is_wide ? 8u : 0) | high_bits(reg, p);
	bool needs_rex = rex || (o.is_byte && ((reg >= RSP && reg <= RDI) ||
	                                       (p->form == FORM_REGISTER && p->reg >= RSP)));

	if (o.is_locked)
		put(0xf0, 1);
	put_address_prefixes(p);
	if (o.prefix)
		put(o.prefix, 1);
	if (!o.has_no_rex && (needs_rex || one_in(8)))
		put(0x40 | rex, 1);
	if (o.map)
		put(0x0f, 1);
	if (o.map > 1)
		put(o.map == 2 ? 0x38 : 0x3a, 1);
	put(o.code, 1);
	put_place(reg, p, o.immediate_bytes);
	put(o.immediate, o.immediate_bytes);
}

static unsigned
prefix_bits(unsigned prefix)
{
	return prefix == 0x66 ? 1 : prefix == 0xf3 ? 2 : prefix == 0xf2 ? 3 : 0;
}

static void
put_vex(struct opcode o, unsigned reg, const struct place *p)
{
	unsigned high = ~high_bits(reg, p) & 7;
	unsigned vector = o.has_vector ? ~o.vector & 15 : 15;
	unsigned last = vector << 3 | o.length << 2 | prefix_bits(o.prefix);

	put_address_prefixes(p);
	if ((high & 3) == 3 && !o.is_wide && o.map == 1 && !one_in(4)) {
		put(0xc5, 1);
		put((high & 4) << 5 | last, 1);
	} else {
		put(0xc4, 1);
		put(high << 5 | o.map, 1);
		put((o.is_wide ? 0x80u : 0) | last, 1);
	}
	put(o.code, 1);
	put_place(reg, p, o.immediate_bytes);
	put(o.immediate, o.immediate_bytes);
}

static void
put_evex(struct opcode o, unsigned reg, const struct place *p)
{
	unsigned high = ~high_bits(reg, p) & 7;
	unsigned vector = o.has_vector ? o.vector : 0;

	put_address_prefixes(p);
	put(0x62, 1);
	put(high << 5 | (reg >> 4 & 1 ? 0 : 0x10) | o.map, 1);
	put((o.is_wide ? 0x80u : 0) | (~vector & 15) << 3 | 4 | prefix_bits(o.prefix), 1);
	put((o.zeroes ? 0x80u : 0) | o.length << 5 | (o.broadcasts ? 0x10u : 0) |
	        (vector >> 4 & 1 ? 0 : 8) | o.mask,
	    1);
	put(o.code, 1);
	put_place(reg, p, o.immediate_bytes);
	put(o.immediate, o.immediate_bytes);
}

static struct place
in_register(unsigned reg)
{
	return (struct place){.form = FORM_REGISTER, .reg = reg};
}

static struct place
at(uint64_t target)
{
	return (struct place){.form = FORM_RELATIVE, .target = target};
}

/* A branch's distance, to be put right when it is known where it leads. */
static uint8_t *
put_branch(unsigned opcode_bytes, unsigned opcode)
{
	put(opcode, opcode_bytes);
	put(0, 4);
	return code.at - 4;
}

static void
leads_here(uint8_t *distance)
{
	int32_t far = (int32_t)(code.at - (distance + 4));

	memcpy(distance, &far, 4);
}

#endif
