/* SPDX-License-Identifier: MIT */
/* Classes of x86-64 instructions by opcode map and opcode (Intel's manual, volume 2, appendix A),
 * as Zydis reports them. Each case is a row of a map, so that it can be compared with the manual's
 * tables. Zydis's own categories are not used: they do not separate vector loads and stores from
 * vector arithmetic, nor scalars from vectors. */
#include "count/decode_private.h"

static bool
is_memory(const ZydisDecodedInstruction *i)
{
	return (i->attributes & ZYDIS_ATTRIB_HAS_MODRM) && i->raw.modrm.mod != 3;
}

static unsigned
digit(const ZydisDecodedInstruction *i)
{
	return i->raw.modrm.reg;
}

static bool
in(unsigned op, unsigned first, unsigned last)
{
	return op >= first && op <= last;
}

/* f2 and f3 select scalars; VEX has a field for them. */
static bool
is_scalar(const ZydisDecodedInstruction *i)
{
	if (i->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX)
		return i->raw.vex.pp >= 2;
	for (unsigned k = 0; k < i->raw.prefix_count; k++)
		if (in(i->raw.prefixes[k].value, 0xf2, 0xf3))
			return true;
	return false;
}

static enum insn_class
class_of_x87(const ZydisDecodedInstruction *i)
{
	unsigned d = digit(i);
	if (is_memory(i)) {
		bool is_real = i->opcode == 0xd9 || i->opcode == 0xdd;
		bool is_extended = i->opcode == 0xdb && (d == 5 || d == 7);
		return (is_real && (d == 0 || d == 2 || d == 3)) || is_extended ? INSN_MOVE
		                                                                : INSN_FLOAT;
	}
	if ((i->opcode == 0xd9 && d <= 1) || (i->opcode == 0xdd && (d == 2 || d == 3)))
		return INSN_MOVE;
	return INSN_FLOAT;
}

static enum insn_class
class_of_map_1(const ZydisDecodedInstruction *i)
{
	unsigned op = i->opcode;
	if (op < 0x40)
		return (op & 7) < 6 ? INSN_INTEGER : INSN_OTHER;
	if (in(op, 0x70, 0x7f) || in(op, 0xe0, 0xe3) || op == 0xe9 || op == 0xeb)
		return INSN_BRANCH;
	if (op == 0xe8 || op == 0xc2 || op == 0xc3)
		return INSN_CALL;
	if (in(op, 0xd8, 0xdf))
		return class_of_x87(i);
	if (op == 0xff)
		return digit(i) <= 1   ? INSN_INTEGER
		       : digit(i) <= 3 ? INSN_CALL
		       : digit(i) <= 5 ? INSN_BRANCH
		                       : INSN_MOVE;
	if (in(op, 0x86, 0x87) && is_memory(i))
		return INSN_ATOMIC; /* xchg locks implicitly */
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
scalar_or_vector(const ZydisDecodedInstruction *i)
{
	return is_scalar(i) ? INSN_FLOAT : INSN_VECTOR;
}

static enum insn_class
class_of_map_0f(const ZydisDecodedInstruction *i)
{
	unsigned op = i->opcode;
	if (in(op, 0x80, 0x8f))
		return INSN_BRANCH;
	if (op == 0xae)
		return !is_memory(i) && digit(i) >= 5 ? INSN_ATOMIC : INSN_OTHER;
	if (in(op, 0x10, 0x13) || in(op, 0x16, 0x17) || in(op, 0x28, 0x29) || op == 0x2b ||
	    in(op, 0x40, 0x4f) || in(op, 0x6e, 0x6f) || in(op, 0x7e, 0x7f) || in(op, 0xa0, 0xa1) ||
	    in(op, 0xa8, 0xa9) || in(op, 0xb6, 0xb7) || in(op, 0xbe, 0xbf) || op == 0xc3 ||
	    op == 0xd6 || op == 0xe7 || op == 0xf0)
		return INSN_MOVE;
	if (in(op, 0x2e, 0x2f))
		return INSN_FLOAT;
	if (op == 0x2a || in(op, 0x2c, 0x2d) || in(op, 0x51, 0x53) || in(op, 0x58, 0x5f) ||
	    op == 0xc2)
		return scalar_or_vector(i);
	if (in(op, 0x14, 0x15) || op == 0x50 || in(op, 0x54, 0x57) || in(op, 0x60, 0x6d) ||
	    in(op, 0x70, 0x76) || in(op, 0x7c, 0x7d) || in(op, 0xc4, 0xc6) || in(op, 0xd0, 0xfe))
		return INSN_VECTOR;
	if (in(op, 0x90, 0x9f) || in(op, 0xa3, 0xa5) || in(op, 0xab, 0xad) || in(op, 0xaf, 0xb1) ||
	    op == 0xb3 || op == 0xb8 || in(op, 0xba, 0xbd) || in(op, 0xc0, 0xc1) ||
	    in(op, 0xc8, 0xcf) || (op == 0xc7 && digit(i) == 1))
		return INSN_INTEGER;
	return INSN_OTHER;
}

static enum insn_class
class_of_map_0f38(const ZydisDecodedInstruction *i)
{
	unsigned op = i->opcode;
	if (in(op, 0xf0, 0xf1))
		return i->mnemonic == ZYDIS_MNEMONIC_CRC32 ? INSN_INTEGER
		                                           : INSN_MOVE; /* and movbe */
	if (in(op, 0xf2, 0xf7))
		return INSN_INTEGER;
	if (in(op, 0x96, 0xbf) && (op & 15) >= 8 && (op & 1))
		return INSN_FLOAT; /* fused multiply-add of scalars */
	return op == 0x2a || op == 0x18 || op == 0x19 || op == 0x1a || in(op, 0x58, 0x5a) ||
	               in(op, 0x78, 0x79) || in(op, 0x8c, 0x8e) || in(op, 0x2c, 0x2f)
	           ? INSN_MOVE
	           : INSN_VECTOR;
}

static enum insn_class
class_of_map_0f3a(const ZydisDecodedInstruction *i)
{
	if (i->opcode == 0xf0)
		return INSN_INTEGER; /* rorx */
	return in(i->opcode, 0x0a, 0x0b) ? INSN_FLOAT : INSN_VECTOR;
}

/* AVX-512 has opcodes of its own. */
static enum insn_class
class_of_evex(const ZydisDecodedInstruction *i)
{
	if (i->meta.category == ZYDIS_CATEGORY_DATAXFER)
		return INSN_MOVE;
	bool is_one = i->meta.isa_set == ZYDIS_ISA_SET_AVX512F_SCALAR ||
	              i->meta.isa_set == ZYDIS_ISA_SET_AVX512DQ_SCALAR;
	return is_one ? INSN_FLOAT : INSN_VECTOR;
}

enum insn_class
classify_x86_64(const ZydisDecodedInstruction *i)
{
	if (i->attributes & ZYDIS_ATTRIB_HAS_LOCK)
		return INSN_ATOMIC;
	if (i->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
		return class_of_evex(i);
	switch ((int)i->opcode_map) {
	case ZYDIS_OPCODE_MAP_DEFAULT:
		return class_of_map_1(i);
	case ZYDIS_OPCODE_MAP_0F:
		return class_of_map_0f(i);
	case ZYDIS_OPCODE_MAP_0F38:
		return class_of_map_0f38(i);
	case ZYDIS_OPCODE_MAP_0F3A:
		return class_of_map_0f3a(i);
	default:
		return INSN_OTHER;
	}
}
