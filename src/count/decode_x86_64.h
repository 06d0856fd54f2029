/* SPDX-License-Identifier: MIT */
/*
 * decode_x86_64.h - the decoder of x86-64 instructions that both engines use: class, control flow,
 * registers, flags and memory accesses of one instruction.
 *
 * Zydis decodes the bytes and supplies operands, sizes and flags. This decoder adds the counted
 * classes (classify_x86_64.c) and the accesses that operands do not describe (decode_dynamic.c).
 * Zydis allocates nothing, locks nothing and keeps no state besides the decoder, so the decoder
 * also runs inside the program that is counted.
 */
#pragma once

#include "count/insn_class.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_BYTES_MAX 15u
#define ACCESSES_MAX   3u

enum reg {
	RAX,
	RCX,
	RDX,
	RBX,
	RSP,
	RBP,
	RSI,
	RDI,
	R8,
	R9,
	R10,
	R11,
	R12,
	R13,
	R14,
	R15,
	REG_N,
	REG_NONE = REG_N
};

/* A memory operand, as Intel's manuals write it: [base + index * 2^scale + displacement]. */
struct address {
	uint8_t base, index; /* enum reg; REG_NONE */
	uint8_t scale;
	uint8_t segment;      /* 0x64, 0x65: segment prefix; 0: none */
	bool has_al;          /* al is added: xlat */
	bool is_32;           /* computed in 32 bits */
	int64_t displacement; /* of 32 bits, if there are registers */
};

struct access {
	struct address where;
	uint8_t bytes;
	bool is_load, is_store;
};

/* The register that selects elements of a vector. */
struct mask {
	uint8_t reg;
	bool has_bits;    /* a bit for each element; else the highest bit of each element */
	uint8_t n, bytes; /* number of elements; bytes of each */
};

/* A gather or scatter: one access for each selected element. */
struct gather {
	struct mask mask;
	uint8_t index_register;
	uint8_t index_bytes; /* bytes of an index element */
	uint8_t scale;       /* an index counts units of 2^scale bytes */
	bool is_store;
};

enum single_kind {
	SINGLE_BIT,     /* bt, bts, btr, btc with the bit number in a register */
	SINGLE_OLD,     /* fxsave, fxrstor */
	SINGLE_SPREAD,  /* xsave, xsaveopt: each state component at its own offset */
	SINGLE_COMPACT, /* xsavec: components are contiguous */
	SINGLE_SAVED,   /* xrstor: laid out as by xsavec, if the processor has it */
	SINGLE_MASKED,  /* a masked move: each element at its own offset */
	SINGLE_PACKED,  /* compress, expand: selected elements are contiguous */
};

/* An instruction with one access whose address or size depends on registers. */
struct single {
	uint8_t kind; /* enum single_kind */
	bool is_load, is_store;
	struct mask mask;  /* of SINGLE_MASKED, SINGLE_PACKED */
	uint8_t bit;       /* of SINGLE_BIT: the register with the bit number */
	uint8_t bit_bytes; /* operand size */
};

static inline bool
single_has_mask(const struct single *single)
{
	return single->kind >= SINGLE_MASKED;
}

enum flow {
	FLOW_ON,
	FLOW_JUMP,
	FLOW_CONDITION, /* jcc */
	FLOW_COUNTED,   /* loop, jrcxz: short distance only */
	FLOW_CALL,
	FLOW_RETURN,
	FLOW_JUMP_TO, /* indirect: the target is in a register or in memory */
	FLOW_CALL_TO,
	FLOW_SYSCALL,
	FLOW_GATHER,   /* falls through, and has a basic block of its own */
	FLOW_SINGLE,   /* as FLOW_GATHER */
	FLOW_REPEATED, /* a repeated string instruction */
	FLOW_SEGMENT,  /* writes the base of a segment */
	FLOW_STOP,     /* cannot be relocated: it faults, or is unknown */
};

struct insn {
	uint64_t pc;
	const uint8_t *bytes;
	uint8_t n;
	enum flow flow;
	enum insn_class class;
	uint16_t mnemonic, category; /* ZydisMnemonic, ZydisInstructionCategory */
	bool has_lock;               /* has a lock prefix, or is xchg with memory */
	bool is_call, is_return;     /* near or far */
	bool is_0f;                  /* in the opcode map 0F */
	bool is_mmx;                 /* uses MMX registers */
	bool has_evex;
	bool is_256;       /* VEX, 256 bits */
	uint8_t condition; /* of jcc; the opcode of FLOW_COUNTED */
	bool is_by_32;     /* counts in ecx instead of rcx, uses esi and edi */
	uint64_t target;   /* of a direct branch */
	uint16_t pops;     /* a return: bytes popped besides the return address */
	uint8_t modrm_at;  /* offset of ModRM if the operand is RIP-relative; 0: it is not */
	uint64_t where;    /* its address */
	bool is_lea;       /* lea: the operand is not accessed */
	uint8_t rex_at, vex_at,
	    evex_at; /* offset of the prefix with register extension bits; UINT8_MAX: none */
	bool has_short_vex;
	bool is_transaction;
	struct address to; /* the target of an indirect branch; a register: base, and is_register */
	bool is_register;
	uint32_t uses, writes; /* general registers, bit r; not known changes of rsp */
	int32_t stack_pointer; /* change of rsp in bytes */
	uint32_t tests, kills; /* arithmetic flags */
	uint8_t n_accesses;
	struct access access[ACCESSES_MAX];
	struct gather gather;
	struct address gather_at;
	struct single single;
	struct address single_at;
	uint8_t repeats; /* bytes of one step of a string instruction */
	bool reads_si, reads_di, writes_di;
};

#define FLAGS_ARITHMETIC 0x8d5u /* CF, PF, AF, ZF, SF, OF */

/** Prepares the decoder. Call once, before decode_x86_64() and while no other thread decodes. */
void decode_x86_64_begin(void);

/**
 * Decodes one instruction.
 *
 * @param bytes  the instruction, borrowed by `out`; at most `n` bytes are read.
 * @param pc     its address in the program, to which relative operands refer.
 * @param out    always written. Of an unknown or truncated instruction: one byte, INSN_OTHER,
 *               FLOW_STOP.
 * @param is_truncated  NULL, or set to whether more bytes might make it an instruction.
 * @return is it an instruction?
 *
 * Threads any, at any time; nothing is allocated. Uses vector registers.
 */
bool decode_x86_64(const uint8_t *bytes, size_t n, uint64_t pc, struct insn *out,
                   bool *is_truncated);
