/* SPDX-License-Identifier: MIT */
/* instructions_x86_64.c - lengths of x86-64 instructions, and the operation of the few that
 * access_patterns.c needs. A table of two bits for each opcode, as in the processor's manual; bytes
 * that are no instruction may have a length, but none that is one has a wrong one. */
#include "symbols/branches.h"

/* How an opcode goes on. */
enum {
	M = 1,  /* a ModRM byte */
	I1 = 2, /* an immediate operand of one byte ... */
	IZ = 4, /* ... or of 4, with the prefix 66 of 2 */
	I2 = 8, /* ... or of 2 */
	X = 16, /* special, or no instruction */
	W = 32  /* general registers are written: by ModRM's reg, or by rm if that is a register */
};

#define ALU M | W, M | W, M | W, M | W, I1, IZ, X, X
static const uint8_t one_byte[256] = {
    ALU,        ALU,        ALU,   ALU,        ALU, ALU,   ALU,        ALU, /* 00 */
    X,          X,          X,     X,          X,   X,     X,          X,
    X,          X,          X,     X,          X,   X,     X,          X, /* 40: REX */
    0,          0,          0,     0,          0,   0,     0,          0,
    0,          0,          0,     0,          0,   0,     0,          0, /* 50 */
    X,          X,          X,     M | W,      X,   X,     X,          X,
    IZ,         M | W | IZ, I1,    M | W | I1, 0,   0,     0,          0, /* 60 */
    X,          X,          X,     X,          X,   X,     X,          X,
    X,          X,          X,     X,          X,   X,     X,          X,     /* 70: jumps */
    M | W | I1, M | W | IZ, X,     M | W | I1, M,   M,     M | W,      M | W, /* 80 */
    M | W,      M | W,      M | W, M | W,      M,   M | W, M,          M | W, /* 88 */
    0,          0,          0,     0,          0,   0,     0,          0,
    0,          0,          X,     0,          0,   0,     0,          0, /* 90 */
    X,          X,          X,     X,          0,   0,     0,          0,
    I1,         IZ,         0,     0,          0,   0,     0,          0, /* a0 */
    I1,         I1,         I1,    I1,         I1,  I1,    I1,         I1,
    X,          X,          X,     X,          X,   X,     X,          X,          /* b0 */
    M | W | I1, M | W | I1, I2,    0,          X,   X,     M | W | I1, M | W | IZ, /* c0 */
    I1 | I2,    0,          I2,    0,          0,   I1,    X,          0,          /* c8 */
    M | W,      M | W,      M | W, M | W,      X,   X,     X,          0,
    M,          M,          M,     M,          M,   M,     M,          M, /* d0 */
    X,          X,          X,     X,          I1,  I1,    I1,         I1,
    X,          X,          X,     X,          0,   0,     0,          0, /* e0 */
    X,          0,          X,     X,          0,   0,     X,          X,
    0,          0,          0,     0,          0,   0,     M | W,      X, /* f0 */
};

/* After 0f: most have a ModRM byte; these are the others. */
static uint8_t
two_bytes(uint8_t op)
{
	bool has_no_more = (op >= 0x05 && op <= 0x0b && op != 0x0a) || op == 0x0e ||
	                   (op >= 0x30 && op <= 0x37) || op == 0x77 || (op >= 0xa0 && op <= 0xa2) ||
	                   (op >= 0xa8 && op <= 0xaa) || (op >= 0xc8 && op <= 0xcf);
	bool has_byte = (op >= 0x70 && op <= 0x73) || op == 0xa4 || op == 0xac || op == 0xba ||
	                op == 0xc2 || (op >= 0xc4 && op <= 0xc6);
	bool is_general = (op >= 0x40 && op <= 0x4f) || (op >= 0x90 && op <= 0x9f) ||
	                  (op >= 0xa3 && op <= 0xc1 && op != 0xae) || op == 0xc7 || op == 0x2c ||
	                  op == 0x2d || op == 0x50 || op == 0x7e || op == 0xd7;
	if (op >= 0x80 && op <= 0x8f)
		return X;
	if (has_no_more)
		return 0;
	return (uint8_t)(M | (has_byte ? I1 : 0) | (is_general ? W : 0));
}

static const struct wn_insn no_operand = {.base = WN_NO_REGISTER,
                                          .index = WN_NO_REGISTER,
                                          .to = WN_NO_REGISTER,
                                          .adds_to = WN_NO_REGISTER,
                                          .multiplies = WN_NO_REGISTER};

struct cursor {
	const uint8_t *code;
	size_t n, at;
	bool is_short;                       /* 66 */
	bool has_lock, has_segment, is_wide; /* f0; fs or gs; REX.W */
	uint8_t repeat;                      /* f2 or f3, which select scalars */
	uint8_t vector_bytes;                /* of an instruction with VEX or EVEX */
	uint8_t rex;
	bool is_cut; /* it goes on behind the n bytes */
};

static uint8_t
next(struct cursor *c)
{
	if (c->at < c->n)
		return c->code[c->at++];
	c->is_cut = true;
	return 0;
}

static uint64_t
next_signed(struct cursor *c, unsigned n_bytes)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < n_bytes; i++)
		value |= (uint64_t)next(c) << 8 * i;
	uint64_t sign = UINT64_C(1) << (8 * n_bytes - 1);
	return n_bytes < 8 ? (value ^ sign) - sign : value;
}

static void
skip(struct cursor *c, size_t n)
{
	c->at += n;
	c->is_cut |= c->at > c->n;
}

struct modrm {
	uint8_t mod, reg, base; /* registers with their REX bits; base of rm if mod is 3 */
	uint8_t index, scale;
	bool is_relative;
	uint64_t displacement;
};

static struct modrm
next_modrm(struct cursor *c)
{
	uint8_t byte = next(c), rm = byte & 7;
	struct modrm m = {.index = WN_NO_REGISTER,
	                  .mod = byte >> 6,
	                  .reg = (uint8_t)((byte >> 3 & 7) | (c->rex & 4) << 1)};
	m.base = (uint8_t)(rm | (c->rex & 1) << 3);
	if (m.mod == 3)
		return m;
	bool has_base = true;
	if (rm == 4) {
		uint8_t sib = next(c);
		uint8_t index = (uint8_t)((sib >> 3 & 7) | (c->rex & 2) << 2);
		m.index = index != 4 ? index : WN_NO_REGISTER;
		m.scale = (uint8_t)(1u << (sib >> 6));
		m.base = (uint8_t)((sib & 7) | (c->rex & 1) << 3);
		has_base = (sib & 7) != 5 || m.mod != 0;
	} else if (rm == 5 && m.mod == 0) {
		m.is_relative = true;
		has_base = false;
	}
	if (m.mod == 1)
		m.displacement = next_signed(c, 1);
	else if (m.mod == 2 || !has_base)
		m.displacement = next_signed(c, 4);
	m.base = has_base ? m.base : WN_NO_REGISTER;
	return m;
}

static void
prefixes(struct cursor *c)
{
	for (;; c->at++) {
		uint8_t byte = c->at < c->n ? c->code[c->at] : 0;
		if (byte == 0x66)
			c->is_short = true;
		else if (byte == 0xf0)
			c->has_lock = true;
		else if (byte == 0x64 || byte == 0x65)
			c->has_segment = true;
		else if (byte == 0xf2 || byte == 0xf3)
			c->repeat = byte;
		else if (byte != 0x67 && byte != 0x2e && byte != 0x36 && byte != 0x3e &&
		         byte != 0x26)
			break;
	}
	if (c->at < c->n && (c->code[c->at] & 0xf0) == 0x40)
		c->rex = c->code[c->at++];
	c->is_wide = c->rex & 8;
}

static struct wn_insn
jump_to(struct cursor *c, unsigned n_bytes, uint64_t addr, enum wn_insn_kind kind)
{
	uint64_t distance = next_signed(c, n_bytes);
	struct wn_insn out = no_operand;
	out.kind = (uint8_t)kind;
	out.addr = addr + c->at + distance;
	return out;
}

/* Does an instruction with a memory operand write it? `reg` is the field that extends opcodes. */
static bool
is_store(uint16_t op, uint8_t reg)
{
	switch (op) {
	case 0x88:
	case 0x89:
	case 0xc6:
	case 0xc7:
	case 0x0f11: /* of vector registers */
	case 0x0f13:
	case 0x0f17:
	case 0x0f29:
	case 0x0f2b:
	case 0x0f7f:
	case 0x0fd6:
	case 0x0fe7:
		return true;
	case 0x80:
	case 0x81:
	case 0x83:
		return reg != 7; /* cmp */
	case 0xfe:
	case 0xff:
		return reg < 2;
	default: /* of arithmetic with a register, all but cmp; shifts */
		return (op < 0x38 && (op & 6) == 0) || op == 0xc0 || op == 0xc1 ||
		       (op >= 0xd0 && op <= 0xd3);
	}
}

/* Does an instruction read its memory operand? Others compute its address, or only fetch it. */
static bool
is_load(uint16_t op)
{
	return op != 0x8d && op != 0x0f0d && op != 0x0f18 && op != 0x0f1f && op != 0x0fae;
}

/* Has it operands of one byte? */
static bool
is_of_bytes(uint16_t op)
{
	bool is_alu = op < 0x40 && (op & 5) == 0;
	return is_alu || op == 0x80 || op == 0x84 || op == 0x86 || op == 0x88 || op == 0x8a ||
	       op == 0xc0 || op == 0xc6 || op == 0xd0 || op == 0xd2 || op == 0xf6 || op == 0xfe ||
	       op == 0x0fb6 || op == 0x0fbe || (op >= 0x0f90 && op <= 0x0f9f);
}

/* Bytes of an operand in memory; at least as many where it is unknown. */
static uint8_t
size_of(const struct cursor *c, uint16_t op)
{
	bool is_move = op == 0x0f6e || op == 0x0f7e; /* 66 is a part of their codes */
	uint8_t general = c->is_wide ? 8 : c->is_short && !is_move ? 2 : 4;
	bool is_general = op < 0x0f00 || (op >= 0x0f40 && op <= 0x0f4f) || op == 0x0f2a ||
	                  (is_move && !c->repeat) || (op >= 0x0fa3 && op <= 0x0fc1);
	bool is_half = op == 0x0f12 || op == 0x0f13 || op == 0x0f16 || op == 0x0f17 ||
	               op == 0x0fd6 || op == 0x0f7e || op == 0x0f5a || op == 0x0fe6;
	if (is_of_bytes(op))
		return 1;
	if (op == 0x0fb7 || op == 0x0fbf)
		return 2;
	if (op == 0x63)
		return 4;
	if (op >= 0xd8 && op <= 0xdf) /* x87 */
		return 8;
	if (is_general)
		return op == 0x0f2a && !c->is_wide ? 4 : general;
	if (c->repeat && op != 0x0f7e && op != 0x0fe6 && op != 0x0f6f && op != 0x0f7f)
		return c->repeat == 0xf3 ? 4 : 8;
	if (is_half)
		return 8;
	return c->vector_bytes ? c->vector_bytes : 16;
}

/* What an instruction does with its memory operand: atomic ones have the prefix, but for an
 * exchange, which needs none. */
static void
set_operand(const struct cursor *c, uint16_t op, const struct modrm *m, uint64_t addr,
            struct wn_insn *out)
{
	bool is_exchange = op == 0x86 || op == 0x87;
	if (m->mod == 3)
		return;
	if (c->has_lock || is_exchange) {
		bool is_attempt = op == 0x0fb0 || op == 0x0fb1 || op == 0x0fc7;
		out->kind = is_attempt ? WN_INSN_ATTEMPT : WN_INSN_ATOMIC;
	} else if (is_store(op, m->reg & 7)) {
		out->kind = WN_INSN_STORE;
		out->is_update =
		    op < 0x0f00 && op != 0x88 && op != 0x89 && op != 0xc6 && op != 0xc7;
	} else if (is_load(op)) {
		out->kind = WN_INSN_LOAD;
		out->to = op == 0x8b || op == 0x63 ? m->reg : WN_NO_REGISTER;
		out->adds_to = op == 0x03 ? m->reg : WN_NO_REGISTER;
		out->multiplies = op == 0x0faf ? m->reg : WN_NO_REGISTER;
	} else {
		return;
	}
	out->size = size_of(c, op);
	out->base = m->base;
	out->index = m->index;
	out->scale = m->scale;
	out->is_own = m->base == 4 || c->has_segment; /* rsp */
	out->addr = m->displacement + (m->is_relative ? addr + c->at : 0);
}

/* Copies of a number between registers, products, and sums: of two registers, also by lea. */
static void
set_copy(uint16_t op, const struct modrm *m, uint64_t number, struct wn_insn *out)
{
	if (m->mod == 3 && (op == 0x89 || op == 0x8b || op == 0x63)) {
		out->kind = WN_INSN_COPY;
		out->base = op == 0x89 ? m->reg : m->base;
		out->to = op == 0x89 ? m->base : m->reg;
	} else if (op == 0x8d && m->mod != 3 && m->index != WN_NO_REGISTER) {
		out->kind = WN_INSN_SUM;
		out->base = m->base;
		out->index = m->index;
		out->scale = m->scale;
		out->to = m->reg;
	} else if (op == 0x8d && m->mod != 3 && m->base == 4) {
		out->is_own = true; /* an address of the stack */
		out->base = 4;
		out->to = m->reg;
	} else if (m->mod == 3 && (op == 0x01 || op == 0x03)) {
		out->kind = WN_INSN_SUM;
		out->base = out->to = op == 0x01 ? m->base : m->reg;
		out->index = op == 0x01 ? m->reg : m->base;
		out->scale = 1;
	} else if (m->mod == 3 && (op == 0x0faf || op == 0x69 || op == 0x6b)) {
		out->kind = WN_INSN_PRODUCT;
		out->base = m->base;
		out->index = op == 0x0faf ? m->reg : WN_NO_REGISTER;
		out->addr = op == 0x0faf ? 0 : number;
		out->to = m->reg;
	}
}

/* Adds of a number to a register; its multiplication by a power of two. */
static void
set_step(uint16_t op, const struct modrm *m, uint64_t number, struct wn_insn *out)
{
	uint8_t extension = m->reg & 7;
	bool is_lea = op == 0x8d && m->mod != 3 && m->mod != 0 && m->index == WN_NO_REGISTER &&
	              m->base == m->reg;
	bool is_sum = (op == 0x81 || op == 0x83) && m->mod == 3 && extension == 0;
	bool is_difference = (op == 0x81 || op == 0x83) && m->mod == 3 && extension == 5;
	bool is_shift = (op == 0xc1 || op == 0xd1) && m->mod == 3 && extension == 4;
	if (!is_lea && !is_sum && !is_difference && !is_shift)
		return;
	out->kind = is_shift ? WN_INSN_SHIFT : WN_INSN_ADVANCE;
	out->base = m->base;
	out->addr = is_lea ? m->displacement : is_difference ? -number : number;
	if (is_shift)
		out->addr = op == 0xd1 ? 1 : number & 63;
}

/* The registers that the operands of VEX and EVEX instructions name are those of vectors, but for
 * some of the second map, whose writes count as those of all registers. */
static struct wn_insn
decode_vector(struct cursor *c, uint8_t first, uint64_t addr)
{
	struct wn_insn out = no_operand;
	static const uint8_t prefix_of[] = {0, 0, 0xf3, 0xf2};
	uint8_t map = 1;
	if (first != 0xc5) {
		uint8_t byte = next(c);
		map = byte & (first == 0x62 ? 7 : 31);
		c->rex = (uint8_t)(~byte >> 5 & 7); /* as the bits R, X and B */
	}
	uint8_t last = next(c);
	c->repeat = prefix_of[last & 3];
	c->vector_bytes = last & 4 ? 32 : 16;
	c->is_wide = first != 0xc5 && last & 0x80;
	if (first == 0x62)
		c->vector_bytes = (uint8_t)(16u << (next(c) >> 5 & 3));
	uint8_t op = next(c);
	if (map == 1 && op == 0x77 && first != 0x62)
		return out;
	struct modrm m = next_modrm(c);
	if (map == 3 || (map == 1 && two_bytes(op) & I1))
		skip(c, 1);
	if (map != 1 && first != 0x62 && op >= 0xf0)
		out.may_write = UINT32_MAX;
	if (map == 1)
		set_operand(c, 0x0f00 | op, &m, addr, &out);
	return out;
}

/* Opcodes without a regular form. */
static struct wn_insn
decode_special(struct cursor *c, uint8_t op, uint64_t addr, bool *is_known)
{
	struct wn_insn plain = no_operand;
	*is_known = true;
	if (op == 0xeb || op == 0xe9) {
		struct wn_insn jump = jump_to(c, op == 0xeb ? 1 : 4, addr, WN_INSN_JUMP);
		jump.is_always = true;
		return jump;
	}
	if ((op & 0xf0) == 0x70 || (op >= 0xe0 && op <= 0xe3))
		return jump_to(c, 1, addr, WN_INSN_JUMP);
	if (op == 0xe8)
		return jump_to(c, 4, addr, WN_INSN_CALL);
	if (op == 0xc2 || op == 0xc3) {
		skip(c, op == 0xc2 ? 2 : 0);
		plain.kind = WN_INSN_RETURN;
		return plain;
	}
	if (op >= 0xb8 && op <= 0xbf) {
		plain.base = (uint8_t)((op & 7) | (c->rex & 1) << 3);
		plain.kind = WN_INSN_SET;
		plain.addr = next_signed(c, c->is_wide ? 8 : c->is_short ? 2 : 4);
		plain.may_write = 1u << plain.base;
		return plain;
	}
	if (op >= 0xa0 && op <= 0xa3) {
		skip(c, 8);
		return plain;
	}
	if (op == 0xc4 || op == 0xc5 || op == 0x62)
		return decode_vector(c, op, addr);
	if (op == 0xf6 ||
	    op == 0xf7) { /* test, which is 0 and 1, has an operand; others write rax, rdx */
		struct modrm m = next_modrm(c);
		if ((m.reg & 7) < 2)
			skip(c, op == 0xf6 ? 1 : c->is_short ? 2 : 4);
		plain.may_write = (m.reg & 7) > 3 ? 1u << 0 | 1u << 2
		                  : m.mod == 3    ? 1u << m.base
		                                  : 0;
		return plain;
	}
	if (op == 0xff) {
		struct modrm m = next_modrm(c);
		plain.may_write = m.mod == 3 ? 1u << m.base : 0;
		bool is_far = (m.reg & 7) >= 2 && (m.reg & 7) <= 5; /* calls and jumps */
		if (is_far) {
			plain.kind = WN_INSN_CALL_FAR;
		} else if (m.mod == 3 && (m.reg & 7) < 2) { /* inc, dec */
			plain.kind = WN_INSN_ADVANCE;
			plain.base = m.base;
			plain.addr = (m.reg & 7) == 0 ? 1 : UINT64_MAX;
		} else {
			set_operand(c, op, &m, addr, &plain);
		}
		return plain;
	}
	*is_known = false;
	return plain;
}

/* May an instruction write the register of ModRM's reg? In some the field extends the opcode, and
 * others only read it. */
static bool
has_register(uint16_t op)
{
	bool is_extension = (op >= 0x80 && op <= 0x83) || op == 0x8f || op == 0xc0 || op == 0xc1 ||
	                    op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op <= 0xd3) || op == 0xfe;
	bool is_read = op == 0x88 || op == 0x89 || (op < 0x40 && (op & 2) == 0);
	return !is_extension && !is_read;
}

/* Is the operand that ModRM's rm names only read? */
static bool
is_from_rm(uint16_t op)
{
	return (op < 0x40 && (op & 6) == 2) || op == 0x63 || op == 0x69 || op == 0x6b ||
	       op == 0x8b || (op >= 0x0f40 && op <= 0x0f4f) || op == 0x0faf || op == 0x0fb6 ||
	       op == 0x0fb7 || op == 0x0fbe || op == 0x0fbf;
}

/* Does it only compare? */
static bool
is_compare(uint16_t op, const struct modrm *m)
{
	return (op >= 0x38 && op <= 0x3b) || (op >= 0x80 && op <= 0x83 && (m->reg & 7) == 7);
}

/* Are all register operands of the instruction those of vectors, but for ModRM's r/m of 0x0f7e? */
static bool
is_vector(uint16_t op)
{
	return (op >= 0x0f10 && op <= 0x0f17) ||
	       (op >= 0x0f28 && op <= 0x0f2f && op != 0x0f2c && op != 0x0f2d) ||
	       (op >= 0x0f51 && op <= 0x0f7f) || op == 0x0fc2 || op == 0x0fc4 || op == 0x0fc6 ||
	       (op >= 0x0fd0 && op <= 0x0ffe && op != 0x0fd7);
}

/* Registers that an instruction with operands of ModRM may write. */
static uint32_t
written(uint16_t op, const struct modrm *m)
{
	uint32_t base = m->mod == 3 && !is_from_rm(op) ? 1u << m->base : 0;
	if (is_vector(op))
		return op == 0x0f7e ? base : 0;
	if (op == 0x0fb0 || op == 0x0fb1) /* cmpxchg: what it found goes to rax */
		return base | 1u << 0;
	if (op == 0x0fc7 && (m->reg & 7) == 1) /* cmpxchg16b: rax and rdx */
		return 1u << 0 | 1u << 2;
	return base | (has_register(op) ? 1u << m->reg : 0);
}

static struct wn_insn
decode_regular(struct cursor *c, uint8_t form, uint16_t op, uint64_t addr)
{
	struct wn_insn out = no_operand;
	struct modrm m = {.mod = 3};
	if (form & M)
		m = next_modrm(c);
	uint64_t number = 0;
	if (form & I1)
		number = next_signed(c, 1);
	skip(c, form & I2 ? 2u : 0);
	if (form & IZ)
		number = next_signed(c, c->is_short && !c->is_wide ? 2 : 4);
	if (form & M && form & W && !is_compare(op, &m))
		out.may_write = written(op, &m);
	if (!(form & M) &&
	    ((op >= 0x50 && op <= 0x5f) || (op >= 0x90 && op <= 0x97 && (op > 0x90 || c->rex & 1))))
		out.may_write = 1u << ((op & 7) | (c->rex & 1) << 3) | (op >= 0x90 ? 1 : 0);
	if (op == 0x98 || op == 0x99) /* cdqe, cqo */
		out.may_write = 1u << (op == 0x98 ? 0 : 2);
	if (op == 0x98) { /* the number stays */
		out.kind = WN_INSN_COPY;
		out.base = out.to = 0;
	}
	if ((op >= 0xa4 && op <= 0xaf && op != 0xa8 && op != 0xa9) || (op >= 0x6c && op <= 0x6f))
		out.may_write = 1u << 0 | 1u << 1 | 1u << 6 | 1u << 7; /* of strings */
	if (op == 0x8d && m.is_relative) {
		out.kind = WN_INSN_ADDRESS;
		out.base = m.reg;
		out.addr = addr + c->at + m.displacement;
	}
	if (op < 0x38 && (op & 6) == 4) /* of al, eax, rax */
		out.may_write = 1u << 0;
	if (op == 0x05 || op == 0x2d) {
		out.kind = WN_INSN_ADVANCE;
		out.base = 0;
		out.addr = op == 0x05 ? number : -number;
	}
	set_step(op, &m, number, &out);
	if (form & M)
		set_copy(op, &m, number, &out);
	set_operand(c, op, &m, addr, &out);
	out.is_compare = form & M && m.mod == 3 && (is_compare(op, &m) || op == 0x84 || op == 0x85);
	return out;
}

static struct wn_insn
decode(struct cursor *c, uint64_t addr)
{
	bool is_known;
	prefixes(c);
	uint8_t op = next(c);
	if (op != 0x0f) {
		struct wn_insn special = decode_special(c, op, addr, &is_known);
		if (is_known)
			return special;
		c->is_cut |= one_byte[op] & X;
		return decode_regular(c, one_byte[op], op, addr);
	}
	op = next(c);
	if (op == 0x38 || op == 0x3a) {
		uint8_t third = next(c);
		uint8_t form = (uint8_t)(M | (op == 0x3a ? I1 : 0) | (third >= 0xf0 ? W : 0));
		return decode_regular(c, form, 0x0f38, addr);
	}
	if ((op & 0xf0) == 0x80)
		return jump_to(c, 4, addr, WN_INSN_JUMP);
	return decode_regular(c, two_bytes(op), (uint16_t)(0x0f00 | op), addr);
}

/* An instruction has at most 15 bytes. */
struct wn_insn
wn_insn_x86_64(const uint8_t *code, size_t n, uint64_t addr)
{
	struct cursor c = {.code = code, .n = n < 15 ? n : 15};
	struct wn_insn out = decode(&c, addr);
	out.n_bytes = c.is_cut ? 0 : (uint8_t)c.at;
	return out;
}
