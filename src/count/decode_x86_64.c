/* SPDX-License-Identifier: MIT */
/*
 * The classes of x86-64 instructions by prefix, opcode map and opcode (Intel's manual, volume 2,
 * appendix A): a row of a map in each case, so that it can be held against the tables there.
 */
#include "count/decode.h"

enum { MAP_1, MAP_0F, MAP_0F38, MAP_0F3A };

/* An instruction taken apart, as far as it matters here. */
struct parts {
	bool has_66, has_f2, has_f3, has_lock, is_vex, is_256, is_w;
	int map;
	uint8_t op;
	uint8_t modrm; /* of instructions that have one */
};

static bool
is_memory(const struct parts *p)
{
	return p->modrm >> 6 != 3;
}

static unsigned
digit(const struct parts *p)
{
	return p->modrm >> 3 & 7;
}

static bool
in(unsigned op, unsigned first, unsigned last)
{
	return op >= first && op <= last;
}

/* The prefixes of VEX stand for those of the other encoding. */
static void
take_pp(struct parts *p, unsigned pp)
{
	p->has_66 = pp == 1;
	p->has_f3 = pp == 2;
	p->has_f2 = pp == 3;
}

static bool
take_vex(const uint8_t *b, size_t left, size_t *at, struct parts *p)
{
	bool is_long = b[*at] == 0xc4;
	if (left < (is_long ? 5u : 4u))
		return false;
	uint8_t last = b[*at + (is_long ? 2 : 1)];
	unsigned map = is_long ? b[*at + 1] & 31u : 1;
	if (map < 1 || map > 3)
		return false;
	p->map = (int)map;
	p->is_vex = true;
	p->is_256 = last >> 2 & 1;
	p->is_w = is_long && last >> 7;
	take_pp(p, last & 3);
	*at += is_long ? 3 : 2;
	return true;
}

static bool
take_apart(const uint8_t *b, size_t n, struct parts *p)
{
	size_t i = 0;
	*p = (struct parts){.modrm = 0xc0};
	for (; i < n; i++) {
		if (b[i] == 0x66)
			p->has_66 = true;
		else if (b[i] == 0xf2 || b[i] == 0xf3)
			p->has_f2 = !(p->has_f3 = b[i] == 0xf3);
		else if (b[i] == 0xf0)
			p->has_lock = true;
		else if (b[i] != 0x2e && b[i] != 0x36 && b[i] != 0x3e && b[i] != 0x26 &&
		         !in(b[i], 0x64, 0x65) && b[i] != 0x67)
			break;
	}
	if (i < n && (b[i] == 0xc4 || b[i] == 0xc5)) {
		if (!take_vex(b, n - i, &i, p))
			return false;
	} else {
		if (i < n && in(b[i], 0x40, 0x4f))
			i++;
		if (i + 1 < n && b[i] == 0x0f) {
			i++;
			p->map = b[i] == 0x38 ? MAP_0F38 : b[i] == 0x3a ? MAP_0F3A : MAP_0F;
			i += p->map != MAP_0F;
		}
	}
	if (i >= n)
		return false;
	p->op = b[i];
	if (i + 1 < n)
		p->modrm = b[i + 1];
	return true;
}

/* ---- classes ---- */

static enum insn_class
class_of_x87(const struct parts *p)
{
	unsigned d = digit(p);
	if (is_memory(p)) {
		bool is_real = p->op == 0xd9 || p->op == 0xdd;
		bool is_extended = p->op == 0xdb && (d == 5 || d == 7);
		return (is_real && (d == 0 || d == 2 || d == 3)) || is_extended ? INSN_MOVE
		                                                                : INSN_FLOAT;
	}
	if ((p->op == 0xd9 && d <= 1) || (p->op == 0xdd && (d == 2 || d == 3)))
		return INSN_MOVE;
	return INSN_FLOAT;
}

static enum insn_class
class_of_map_1(const struct parts *p)
{
	unsigned op = p->op;
	if (op < 0x40)
		return (op & 7) < 6 ? INSN_INTEGER : INSN_OTHER;
	if (in(op, 0x70, 0x7f) || in(op, 0xe0, 0xe3) || op == 0xe9 || op == 0xeb)
		return INSN_BRANCH;
	if (op == 0xe8 || op == 0xc2 || op == 0xc3)
		return INSN_CALL;
	if (in(op, 0xd8, 0xdf))
		return class_of_x87(p);
	if (op == 0xff)
		return digit(p) <= 1   ? INSN_INTEGER
		       : digit(p) <= 3 ? INSN_CALL
		       : digit(p) <= 5 ? INSN_BRANCH
		                       : INSN_MOVE;
	if (in(op, 0x86, 0x87) && is_memory(p))
		return INSN_ATOMIC; /* xchg locks by itself */
	if (in(op, 0x50, 0x5f) || op == 0x63 || op == 0x68 || op == 0x6a || in(op, 0x86, 0x8c) ||
	    op == 0x8e || op == 0x8f || in(op, 0x91, 0x97) || in(op, 0x9c, 0x9d) ||
	    in(op, 0xa0, 0xa5) || in(op, 0xaa, 0xad) || in(op, 0xb0, 0xbf) || in(op, 0xc6, 0xc7) ||
	    op == 0xc9)
		return INSN_MOVE;
	if (op == 0x69 || op == 0x6b || in(op, 0x80, 0x85) || op == 0x8d || in(op, 0x98, 0x99) ||
	    in(op, 0x9e, 0x9f) || in(op, 0xa6, 0xa9) || in(op, 0xae, 0xaf) || in(op, 0xc0, 0xc1) ||
	    in(op, 0xd0, 0xd3) || in(op, 0xf6, 0xf7) || op == 0xfe)
		return INSN_INTEGER;
	return INSN_OTHER;
}

static enum insn_class
scalar_or_vector(const struct parts *p)
{
	return p->has_f2 || p->has_f3 ? INSN_FLOAT : INSN_VECTOR;
}

static enum insn_class
class_of_map_0f(const struct parts *p)
{
	unsigned op = p->op;
	if (in(op, 0x80, 0x8f))
		return INSN_BRANCH;
	if (op == 0xae)
		return !is_memory(p) && digit(p) >= 5 ? INSN_ATOMIC : INSN_OTHER;
	if (in(op, 0x10, 0x13) || in(op, 0x16, 0x17) || in(op, 0x28, 0x29) || op == 0x2b ||
	    in(op, 0x40, 0x4f) || in(op, 0x6e, 0x6f) || in(op, 0x7e, 0x7f) || in(op, 0xa0, 0xa1) ||
	    in(op, 0xa8, 0xa9) || in(op, 0xb6, 0xb7) || in(op, 0xbe, 0xbf) || op == 0xc3 ||
	    op == 0xd6 || op == 0xe7 || op == 0xf0)
		return INSN_MOVE;
	if (in(op, 0x2e, 0x2f))
		return INSN_FLOAT;
	if (op == 0x2a || in(op, 0x2c, 0x2d) || in(op, 0x51, 0x53) || in(op, 0x58, 0x5f) ||
	    op == 0xc2)
		return scalar_or_vector(p);
	if (in(op, 0x14, 0x15) || op == 0x50 || in(op, 0x54, 0x57) || in(op, 0x60, 0x6d) ||
	    in(op, 0x70, 0x76) || in(op, 0x7c, 0x7d) || in(op, 0xc4, 0xc6) || in(op, 0xd0, 0xfe))
		return INSN_VECTOR;
	if (in(op, 0x90, 0x9f) || in(op, 0xa3, 0xa5) || in(op, 0xab, 0xad) || in(op, 0xaf, 0xb1) ||
	    op == 0xb3 || op == 0xb8 || in(op, 0xba, 0xbd) || in(op, 0xc0, 0xc1) ||
	    in(op, 0xc8, 0xcf) || (op == 0xc7 && digit(p) == 1))
		return INSN_INTEGER;
	return INSN_OTHER;
}

/* Fused multiply and add, of one number. */
static bool
is_fused_scalar(const struct parts *p)
{
	return p->map == MAP_0F38 && in(p->op, 0x96, 0xbf) && (p->op & 15) >= 8 && (p->op & 1);
}

static enum insn_class
class_of_map_0f38(const struct parts *p)
{
	unsigned op = p->op;
	if (in(op, 0xf0, 0xf1))
		return p->has_f2 ? INSN_INTEGER : INSN_MOVE; /* crc32; movbe */
	if (in(op, 0xf2, 0xf7))
		return INSN_INTEGER;
	if (is_fused_scalar(p))
		return INSN_FLOAT;
	return op == 0x2a || op == 0x18 || op == 0x19 || op == 0x1a || in(op, 0x58, 0x5a) ||
	               in(op, 0x78, 0x79) || in(op, 0x8c, 0x8e) || in(op, 0x2c, 0x2f)
	           ? INSN_MOVE
	           : INSN_VECTOR;
}

static enum insn_class
class_of_map_0f3a(const struct parts *p)
{
	if (p->op == 0xf0)
		return INSN_INTEGER; /* rorx */
	return in(p->op, 0x0a, 0x0b) ? INSN_FLOAT : INSN_VECTOR;
}

/* ---- memory operands of whole vectors ---- */

static bool
is_whole_in_map_0f(const struct parts *p)
{
	unsigned op = p->op;
	bool is_packed = !p->has_f2 && !p->has_f3;
	if (in(op, 0x10, 0x11) || op == 0x51 || in(op, 0x58, 0x59) || in(op, 0x5c, 0x5f) ||
	    in(op, 0xc2, 0xc2))
		return is_packed;
	if (op == 0x14 || op == 0x15 || in(op, 0x28, 0x29) || op == 0x2b || in(op, 0x52, 0x57) ||
	    op == 0xc6)
		return is_packed;
	if (op == 0x12 || op == 0x16) /* movsldup, movshdup */
		return p->has_f3 || (op == 0x12 && p->has_f2 && p->is_256);
	if (op == 0x5a)
		return p->has_66;
	if (op == 0x5b || op == 0x70)
		return p->has_66 || p->has_f3 || p->has_f2 || op == 0x5b;
	if (in(op, 0x7c, 0x7d) || op == 0xd0)
		return p->has_66 || p->has_f2;
	if (op == 0x6f || op == 0x7f)
		return p->has_66 || p->has_f3;
	if (op == 0xe6)
		return p->has_66 || p->has_f2;
	if (op == 0xf0)
		return p->has_f2;
	if (op == 0x6e || op == 0x7e || op == 0xd6 || op == 0xc4 || op == 0xc5)
		return false;
	return p->has_66 && (in(op, 0x60, 0x6d) || in(op, 0x74, 0x76) || in(op, 0xd1, 0xfe));
}

static bool
is_whole_vector(const struct parts *p)
{
	unsigned op = p->op;
	switch (p->map) {
	case MAP_0F:
		return is_whole_in_map_0f(p);
	case MAP_0F38:
		if (in(op, 0xf0, 0xf7) || in(op, 0x20, 0x25) || in(op, 0x30, 0x35) ||
		    in(op, 0x18, 0x1a) || in(op, 0x58, 0x5a) || in(op, 0x78, 0x79) ||
		    in(op, 0x2c, 0x2f) || in(op, 0x8c, 0x93))
			return false;
		return p->has_66 && class_of_map_0f38(p) != INSN_FLOAT;
	case MAP_0F3A:
		return p->has_66 && (in(op, 0x00, 0x09) || in(op, 0x0c, 0x0f) ||
		                     in(op, 0x40, 0x4c) || in(op, 0x60, 0x63) || op == 0xdf);
	default:
		return false;
	}
}

/* ---- */

static bool
is_string_op(unsigned op)
{
	return in(op, 0xa4, 0xa7) || in(op, 0xaa, 0xaf) || in(op, 0x6c, 0x6f);
}

struct insn
decode_x86_64(const uint8_t *bytes, size_t n)
{
	struct insn insn = {.class = INSN_OTHER};
	struct parts p;
	if (!take_apart(bytes, n, &p))
		return insn;
	switch (p.map) {
	case MAP_1:
		insn.class = class_of_map_1(&p);
		insn.is_call = p.op == 0xe8 || (p.op == 0xff && (digit(&p) == 2 || digit(&p) == 3));
		insn.is_return = p.op == 0xc2 || p.op == 0xc3;
		insn.repeats = (p.has_f2 || p.has_f3) && is_string_op(p.op);
		break;
	case MAP_0F:
		insn.class = class_of_map_0f(&p);
		insn.may_run_twice = p.op == 0xc7 && digit(&p) == 1;
		break;
	case MAP_0F38:
		insn.class = class_of_map_0f38(&p);
		break;
	default:
		insn.class = class_of_map_0f3a(&p);
	}
	insn.is_256 = p.is_256;
	bool is_xchg = p.map == MAP_1 && in(p.op, 0x86, 0x87) && is_memory(&p);
	insn.is_locked = (p.has_lock || is_xchg) && !insn.may_run_twice;
	if (p.has_lock)
		insn.class = INSN_ATOMIC;
	if (p.map != MAP_1 && is_memory(&p) && is_whole_vector(&p))
		insn.wide_bytes = insn.told_bytes = p.is_256 ? 32 : 16;
	if (is_memory(&p) && is_fused_scalar(&p)) {
		insn.wide_bytes = p.is_w ? 8 : 4;
		insn.told_bytes = 16; /* QEMU 7.2 reads a whole vector */
	}
	return insn;
}
