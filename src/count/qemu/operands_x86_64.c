/* SPDX-License-Identifier: MIT */
/*
 * Operands of the instructions that compilers write most (Intel's manual, volume 2). Whatever is
 * not in these tables is not known, which costs time and nothing else.
 */
#include "count/qemu/operands.h"

enum { RAX = 0, RDX = 2, RSP = 4, RBP = 5 };
#define BIT(r) (1u << (r))

/* An instruction taken apart. */
struct text {
	bool has_66, has_f2, has_f3, has_fs, is_0f, is_0f38, is_vex, is_256;
	uint8_t rex, op, modrm;
	const uint8_t *rest; /* behind modrm */
	size_t n_rest;
	uint64_t end; /* where the next instruction is */
};

static bool
in(unsigned op, unsigned first, unsigned last)
{
	return op >= first && op <= last;
}

/* What VEX says instead of other prefixes and of the map; the number of its bytes, 0 if it is cut
 * off. */
static size_t
take_vex(const uint8_t *b, size_t n, struct text *t)
{
	bool is_long = b[0] == 0xc4;
	if (n < (is_long ? 3u : 2u))
		return 0;
	unsigned first = b[1], last = b[is_long ? 2 : 1], map = is_long ? first & 31 : 1;
	t->is_vex = true;
	t->is_0f = map == 1;
	t->is_0f38 = map == 2;
	t->is_256 = last >> 2 & 1;
	t->has_66 = (last & 3) == 1;
	t->has_f3 = (last & 3) == 2;
	t->has_f2 = (last & 3) == 3;
	t->rex = first & 0x80 ? 0 : 4; /* as in the other prefix, but upside down */
	if (is_long)
		t->rex |= (uint8_t)((~first >> 5 & 3) | (last >> 4 & 8));
	return is_long ? 3 : 2;
}

static bool
take_apart(const uint8_t *b, size_t n, struct text *t)
{
	size_t i = 0;
	for (; i < n && (b[i] == 0x66 || b[i] == 0xf2 || b[i] == 0xf3 || b[i] == 0x64); i++) {
		t->has_fs = t->has_fs || b[i] == 0x64;
		t->has_66 = t->has_66 || b[i] == 0x66;
		t->has_f2 = t->has_f2 || b[i] == 0xf2;
		t->has_f3 = t->has_f3 || b[i] == 0xf3;
	}
	if (i == 0 && n > 0 && (b[0] == 0xc4 || b[0] == 0xc5)) { /* none stands before it */
		i = take_vex(b, n, t);
		if (!t->is_vex)
			return false;
	} else {
		if (i < n && in(b[i], 0x40, 0x4f))
			t->rex = b[i++];
		if (i < n && b[i] == 0x0f) {
			t->is_0f = true;
			i++;
		}
	}
	if (i >= n)
		return false;
	t->op = b[i++];
	t->modrm = i < n ? b[i] : 0;
	i += i < n;
	t->rest = b + i;
	t->n_rest = n - i;
	return true;
}

static bool
is_memory(const struct text *t)
{
	return t->modrm >> 6 != 3;
}

static unsigned
digit(const struct text *t)
{
	return t->modrm >> 3 & 7;
}

/* The register that modrm names beside the operand that may be memory, and that operand's. */
static unsigned
reg(const struct text *t)
{
	return digit(t) | (t->rex & 4u) << 1;
}

static unsigned
rm(const struct text *t)
{
	return (t->modrm & 7u) | (t->rex & 1u) << 3;
}

static uint8_t
word_bytes(const struct text *t)
{
	return t->rex & 8 ? 8 : t->has_66 ? 2 : 4;
}

/* The register of an operand of one byte: without REX, 4 to 7 are parts of 0 to 3. */
static unsigned
byte_register(const struct text *t, unsigned r)
{
	return t->rex ? r : r & 3u;
}

static int64_t
displacement(const uint8_t *b, size_t n_bytes)
{
	if (n_bytes == 1)
		return (int8_t)b[0];
	return (int32_t)((uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
	                 (uint32_t)b[3] << 24);
}

/* What modrm and what follows it say of an address. */
static bool
take_address(const struct text *t, struct operands *o)
{
	unsigned mod = t->modrm >> 6, base = rm(t), index = PLACE_NO_REGISTER, scale = 0;
	size_t i = 0, n_displacement = mod == 1 ? 1 : mod == 2 ? 4 : 0;
	bool is_relative = false;
	if ((t->modrm & 7) == 4) {
		if (t->n_rest < 1)
			return false;
		uint8_t sib = t->rest[i++];
		base = (sib & 7u) | (t->rex & 1u) << 3;
		index = (sib >> 3 & 7u) | (t->rex & 2u) << 2;
		scale = sib >> 6;
		if (index == RSP)
			index = PLACE_NO_REGISTER;
		if ((sib & 7) == 5 && mod == 0) {
			base = PLACE_NO_REGISTER;
			n_displacement = 4;
		}
	} else if ((t->modrm & 7) == 5 && mod == 0) {
		base = PLACE_NO_REGISTER;
		n_displacement = 4;
		is_relative = true;
	}
	if (t->n_rest < i + n_displacement)
		return false;
	if (n_displacement > 0)
		o->displacement = displacement(t->rest + i, n_displacement);
	if (is_relative)
		o->displacement += (int64_t)t->end;
	o->place = base | index << 8 | scale << 16 | (t->has_fs ? PLACE_FS : 0);
	o->uses = (base < 16 ? BIT(base) : 0) | (index < 16 ? BIT(index) : 0);
	return true;
}

enum access { LOADS = 1, STORES = 2 };

/* The operand that may be memory is, or is not, `bytes` long. */
static bool
access_if_memory(const struct text *t, struct operands *o, unsigned bytes, unsigned access)
{
	if (!is_memory(t))
		return true;
	o->bytes = o->told_bytes = (uint8_t)bytes;
	o->is_load = access & LOADS;
	o->is_store = access & STORES;
	return take_address(t, o);
}

/* It is written: memory, or a register. */
static bool
writes_rm(const struct text *t, struct operands *o, unsigned bytes, unsigned access)
{
	if (!is_memory(t))
		o->writes = BIT(bytes == 1 ? byte_register(t, rm(t)) : rm(t));
	return access_if_memory(t, o, bytes, access);
}

/* It is read, and the other one written. */
static bool
writes_reg(const struct text *t, struct operands *o, unsigned bytes, unsigned result_bytes)
{
	o->writes = BIT(result_bytes == 1 ? byte_register(t, reg(t)) : reg(t));
	return access_if_memory(t, o, bytes, LOADS);
}

/* ---- the stack ---- */

static bool
pushes(struct operands *o)
{
	*o = (struct operands){.bytes = 8,
	                       .told_bytes = 8,
	                       .is_store = true,
	                       .place = RSP | PLACE_NO_REGISTER << 8,
	                       .displacement = -8,
	                       .uses = BIT(RSP),
	                       .stack_pointer = -8};
	return true;
}

static bool
pops(struct operands *o, unsigned r)
{
	*o = (struct operands){.bytes = 8,
	                       .told_bytes = 8,
	                       .is_load = true,
	                       .place = RSP | PLACE_NO_REGISTER << 8,
	                       .uses = BIT(RSP),
	                       .writes = BIT(r),
	                       .stack_pointer = 8};
	return r != RSP;
}

/* ---- one byte ---- */

/* add, or, adc, sbb, and, sub, xor, cmp in six forms each. */
static bool
take_arithmetic(const struct text *t, struct operands *o)
{
	bool is_compare = t->op >> 3 == 7;
	unsigned form = t->op & 7, bytes = form & 1 ? word_bytes(t) : 1;
	switch (form) {
	case 0:
	case 1:
		if (is_compare)
			return access_if_memory(t, o, bytes, LOADS);
		return writes_rm(t, o, bytes, LOADS | STORES);
	case 2:
	case 3:
		if (is_compare)
			return access_if_memory(t, o, bytes, LOADS);
		return writes_reg(t, o, bytes, bytes);
	case 4:
	case 5:
		o->writes = is_compare ? 0 : BIT(RAX);
		return true;
	default:
		return false;
	}
}

/* The same with a constant. */
static bool
take_immediate(const struct text *t, struct operands *o)
{
	unsigned bytes = t->op & 1 ? word_bytes(t) : 1;
	bool is_add = digit(t) == 0, is_subtract = digit(t) == 5;
	if (t->op == 0x82)
		return false;
	if (digit(t) == 7)
		return access_if_memory(t, o, bytes, LOADS);
	if (!is_memory(t) && bytes == 8 && rm(t) == RSP && (is_add || is_subtract)) {
		size_t n = t->op == 0x81 ? 4 : 1;
		if (t->n_rest < n)
			return false;
		int64_t by = displacement(t->rest, n);
		o->stack_pointer = (int32_t)(is_add ? by : -by);
		return by > -(1 << 30) && by < 1 << 30;
	}
	return writes_rm(t, o, bytes, LOADS | STORES);
}

static bool
take_one_operand(const struct text *t, struct operands *o)
{
	unsigned bytes = t->op & 1 ? word_bytes(t) : 1;
	if (t->op >= 0xfe)
		return digit(t) <= 1 && writes_rm(t, o, bytes, LOADS | STORES);
	if (is_memory(t))
		return false;
	if (digit(t) >= 4)
		o->writes = BIT(RAX) | BIT(RDX);
	else if (digit(t) >= 2)
		return writes_rm(t, o, bytes, 0);
	return true;
}

static bool
take_map_1(const struct text *t, struct operands *o)
{
	unsigned op = t->op;
	if (op < 0x40)
		return take_arithmetic(t, o);
	if (in(op, 0x50, 0x57))
		return !t->has_66 && pushes(o);
	if (in(op, 0x58, 0x5f))
		return !t->has_66 && pops(o, (op & 7u) | (t->rex & 1u) << 3);
	if (in(op, 0x70, 0x7f) || op == 0xe9 || op == 0xeb)
		return true;
	if (in(op, 0x80, 0x83))
		return take_immediate(t, o);
	if (in(op, 0xb0, 0xbf)) {
		o->writes = BIT((op & 7u) | (t->rex & 1u) << 3);
		if (op < 0xb8)
			o->writes |= BIT(op & 3u);
		return true;
	}
	switch (op) {
	case 0x63:
		return (t->rex & 8) && writes_reg(t, o, 4, 8);
	case 0x68:
	case 0x6a:
		return !t->has_66 && pushes(o);
	case 0x69:
	case 0x6b:
		return writes_reg(t, o, word_bytes(t), word_bytes(t));
	case 0x84:
	case 0x85:
		return access_if_memory(t, o, op & 1 ? word_bytes(t) : 1, LOADS);
	case 0x88:
	case 0x89:
		return writes_rm(t, o, op & 1 ? word_bytes(t) : 1, STORES);
	case 0x8a:
		return writes_reg(t, o, 1, 1);
	case 0x8b:
		return writes_reg(t, o, word_bytes(t), word_bytes(t));
	case 0x8d:
		o->writes = BIT(reg(t));
		return is_memory(t);
	case 0x90:
		return !t->rex;
	case 0x98:
		o->writes = BIT(RAX);
		return true;
	case 0x99:
		o->writes = BIT(RDX);
		return true;
	case 0xc0:
	case 0xc1:
	case 0xd0:
	case 0xd1:
	case 0xd2:
	case 0xd3:
		return !is_memory(t) && writes_rm(t, o, op & 1 ? word_bytes(t) : 1, 0);
	case 0xc6:
	case 0xc7:
		return digit(t) == 0 && writes_rm(t, o, op & 1 ? word_bytes(t) : 1, STORES);
	case 0xf6:
	case 0xf7:
	case 0xfe:
	case 0xff:
		return take_one_operand(t, o);
	default:
		return false;
	}
}

/* ---- two bytes ---- */

/* Scalars in vector registers, and what else there is between registers alone. */
static bool
take_scalar(const struct text *t, struct operands *o, unsigned access)
{
	if (t->has_f2 && t->has_f3)
		return false;
	if (t->has_f2 || t->has_f3)
		return access_if_memory(t, o, t->has_f2 ? 8 : 4, access);
	return !is_memory(t);
}

static bool
take_vector(const struct text *t, struct operands *o, unsigned access)
{
	return access_if_memory(t, o, t->is_256 ? 32 : 16, access);
}

static bool
take_scalar_or_vector(const struct text *t, struct operands *o, unsigned access)
{
	return t->has_f2 || t->has_f3 ? take_scalar(t, o, access) : take_vector(t, o, access);
}

/* Integers in vectors that are read, and another vector written. */
static bool
is_integer_vector(unsigned op)
{
	return in(op, 0x60, 0x6d) || in(op, 0x74, 0x76) || op == 0xd4 || op == 0xdb || op == 0xdf ||
	       op == 0xeb || op == 0xef || op == 0xf4 || in(op, 0xf8, 0xfe);
}

static bool
take_map_0f(const struct text *t, struct operands *o)
{
	unsigned op = t->op;
	bool is_plain = !t->has_f2 && !t->has_f3;
	if (in(op, 0x80, 0x8f))
		return true;
	if (in(op, 0x40, 0x4f) || op == 0xaf)
		return is_plain && writes_reg(t, o, word_bytes(t), word_bytes(t));
	if (in(op, 0xb6, 0xb7) || in(op, 0xbe, 0xbf))
		return is_plain && writes_reg(t, o, op & 1 ? 2 : 1, word_bytes(t));
	if (in(op, 0x90, 0x9f))
		return !is_memory(t) && writes_rm(t, o, 1, 0);
	if (in(op, 0x10, 0x11))
		return take_scalar_or_vector(t, o, op & 1 ? STORES : LOADS);
	if (op == 0x51 || in(op, 0x58, 0x59) || in(op, 0x5c, 0x5f))
		return take_scalar_or_vector(t, o, LOADS);
	if (op == 0x5a)
		return take_scalar(t, o, LOADS);
	if (op == 0x2a) /* from general registers or memory */
		return !is_plain && access_if_memory(t, o, t->rex & 8 ? 8 : 4, LOADS);
	if (in(op, 0x2c, 0x2d)) {
		o->writes = BIT(reg(t));
		return take_scalar(t, o, LOADS);
	}
	if (in(op, 0x2e, 0x2f))
		return is_plain && access_if_memory(t, o, t->has_66 ? 8 : 4, LOADS);
	if (op == 0x7e && t->has_66) /* to general registers or memory */
		return is_plain && writes_rm(t, o, t->rex & 8 ? 8 : 4, STORES);
	if (op == 0x7e && t->has_f3)
		return !t->has_f2 && access_if_memory(t, o, 8, LOADS);
	if (op == 0x6e && t->has_66)
		return is_plain && access_if_memory(t, o, t->rex & 8 ? 8 : 4, LOADS);
	if (op == 0xd6 && t->has_66)
		return is_plain && access_if_memory(t, o, 8, STORES);
	if (op == 0xae && is_plain && !t->has_66 && is_memory(t)) /* ldmxcsr, stmxcsr */
		return (digit(t) == 2 || digit(t) == 3) &&
		       access_if_memory(t, o, 4, digit(t) == 2 ? LOADS : STORES);
	if (op == 0x1e || op == 0x1f)
		return true; /* nop, endbr64 */
	if (op == 0x29)
		return is_plain && take_vector(t, o, STORES);
	if (op == 0x28 || in(op, 0x14, 0x15) || in(op, 0x54, 0x57) || op == 0xc6)
		return is_plain && take_vector(t, o, LOADS);
	if (op == 0x6f || op == 0x7f) /* movdqa, movdqu */
		return t->has_66 + t->has_f3 == 1 && !t->has_f2 &&
		       take_vector(t, o, op == 0x7f ? STORES : LOADS);
	if (op == 0x70) /* pshufd, pshufhw, pshuflw */
		return t->has_66 + t->has_f3 + t->has_f2 == 1 && take_vector(t, o, LOADS);
	return is_integer_vector(op) && t->has_66 && is_plain && take_vector(t, o, LOADS);
}

/* ---- VEX ---- */

/* Those of the two-byte map that work on vector registers alone but for memory, as they do without
 * VEX. */
static bool
is_same_with_vex(const struct text *t)
{
	unsigned op = t->op;
	if (op == 0x7e)
		return t->has_f3;
	return op == 0xae || in(op, 0x10, 0x11) || in(op, 0x14, 0x15) || in(op, 0x28, 0x29) ||
	       in(op, 0x2e, 0x2f) || op == 0x51 || in(op, 0x54, 0x59) || in(op, 0x5c, 0x5f) ||
	       op == 0x6f || op == 0x7f || op == 0x70 || op == 0xc6 || op == 0xd6 ||
	       is_integer_vector(op);
}

/* Fused multiplication and addition: of vectors, or of scalars. */
static bool
take_fused(const struct text *t, struct operands *o)
{
	unsigned row = t->op & 15;
	if (!t->has_66 || !in(t->op, 0x96, 0xbf) || row < 6)
		return false;
	if (row < 8 || !(row & 1))
		return take_vector(t, o, LOADS);
	if (!access_if_memory(t, o, t->rex & 8 ? 8 : 4, LOADS))
		return false;
	o->told_bytes = o->bytes ? 16 : 0; /* QEMU 7.2 reads a whole vector */
	return true;
}

static bool
take_with_vex(const struct text *t, struct operands *o)
{
	if (t->is_0f38)
		return take_fused(t, o);
	if (!t->is_0f)
		return false;
	return t->op == 0x77 || (is_same_with_vex(t) && take_map_0f(t, o));
}

struct operands
operands_x86_64(const uint8_t *bytes, size_t n, uint64_t at)
{
	struct operands o = {0};
	struct text t = {.end = at + n};
	if (!take_apart(bytes, n, &t))
		return o;
	bool is_known = t.is_vex  ? take_with_vex(&t, &o)
	                : t.is_0f ? take_map_0f(&t, &o)
	                          : take_map_1(&t, &o);
	/* in the one-byte map, f2 and f3 are for others */
	if (!is_known || (!t.is_vex && !t.is_0f && (t.has_f2 || t.has_f3)))
		return (struct operands){0};
	if (o.writes & BIT(RSP))
		o.stack_pointer = 0;
	o.is_known = true;
	return o;
}
