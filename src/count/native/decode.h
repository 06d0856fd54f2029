/* SPDX-License-Identifier: MIT */
/*
 * decode.h - what is to be known of one instruction of the program to run a copy of it
 * elsewhere, and to count what it does.
 */
#ifndef WN_NATIVE_DECODE_H
#define WN_NATIVE_DECODE_H

#include "count/decode.h"
#include "count/native/emit.h"

#define ACCESSES_MAX 3u

enum flow {
	FLOW_ON,
	FLOW_JUMP,
	FLOW_CONDITION, /* jcc */
	FLOW_COUNTED,   /* loop, jrcxz: of short distance only */
	FLOW_CALL,
	FLOW_RETURN,
	FLOW_JUMP_TO, /* where a register or memory says */
	FLOW_CALL_TO,
	FLOW_SYSCALL,
	FLOW_GATHER,   /* goes on, but is alone */
	FLOW_SINGLE,   /* the same */
	FLOW_REPEATED, /* a string instruction */
	FLOW_SEGMENT,  /* writes the start of a segment */
	FLOW_STOP,     /* must be run where it is: it faults, or is not known */
};

struct access {
	struct address where;
	uint8_t bytes;
	bool is_load, is_store;
};

struct step {
	uint64_t pc;
	const uint8_t *bytes;
	uint8_t n;
	enum flow flow;
	enum insn_class class;
	uint8_t condition; /* of jcc; the opcode of FLOW_COUNTED */
	bool is_by_32;     /* it counts ecx and not rcx, moves esi and edi */
	uint64_t target;   /* of a branch that is known */
	bool is_followed;  /* what stands there comes next in the block */
	uint16_t pops;     /* besides, of a return */
	uint8_t modrm_at;  /* of an operand relative to the instruction; 0: there is none */
	uint64_t where;    /* its address */
	bool is_lea;       /* which is all that matters of it */
	uint8_t rex_at, vex_at, evex_at; /* what says where registers go on, if it has one */
	bool has_short_vex;
	bool is_transaction;
	struct address to; /* where FLOW_..._TO reads it; of a register: base, and is_register */
	bool is_register;
	uint32_t uses, writes; /* general registers, bit r; writes without known moves of rsp */
	int32_t stack_pointer; /* moves by so much */
	uint32_t tests, kills; /* arithmetic flags */
	uint8_t n_accesses;
	struct access access[ACCESSES_MAX];
	struct gather gather;
	struct address gather_at;
	struct single single;
	struct address single_at;
	uint8_t repeats; /* bytes of a step */
	bool reads_si, reads_di, writes_di;
};

#define FLAGS_ARITHMETIC 0x8d5u /* CF, PF, AF, ZF, SF, OF */

/* Before any other. */
void wn_native_understand_begin(void);

/* The processor has protection keys, and the kernel uses them. */
extern bool wn_native_has_keys;

/* Of the instruction at `pc`. Works on vector registers.
 *
 * @param copy  where its bytes are, and `n_copy` of them; NULL: where it stands.
 */
void wn_native_understand(uint64_t pc, const uint8_t *copy, size_t n_copy, struct step *out);

#endif /* WN_NATIVE_DECODE_H */
