/* SPDX-License-Identifier: MIT */
/* branches.h - decodes the branches of machine code that calls.c looks for, and the instructions
 * that access_patterns.c does, one table for each processor. Pure functions of bytes; none reads
 * beyond n bytes, and any bytes may be given. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wn_branch_kind {
	WN_BRANCH_NONE = 0, /* not recognised */
	WN_BRANCH_DIRECT,   /* to `addr` */
	WN_BRANCH_SLOT,     /* to the address in memory at `addr` */
	WN_BRANCH_REGISTER  /* to an address in a register, or in memory that one points to */
};

struct wn_branch {
	enum wn_branch_kind kind;
	uint64_t addr; /* file address */
};

/* What access_patterns.c needs to know of an instruction. */
enum wn_insn_kind {
	WN_INSN_PLAIN = 0,
	WN_INSN_JUMP,     /* to `addr`, perhaps on a condition */
	WN_INSN_CALL,     /* of `addr` */
	WN_INSN_CALL_FAR, /* through memory or a register, or a jump like that */
	WN_INSN_RETURN,
	WN_INSN_SET,     /* puts the number `addr` into the register `base` */
	WN_INSN_ADVANCE, /* adds `addr`, which may be negative, to the register `base` */
	WN_INSN_SHIFT,   /* multiplies the register `base` by 2 to the power of `addr` */
	WN_INSN_ADDRESS, /* puts `addr` into the register `base` */
	WN_INSN_COPY,    /* puts the number in the register `base` into `to` */
	WN_INSN_SUM,     /* puts `base` + `index` * `scale` into `to` */
	WN_INSN_PRODUCT, /* puts `base` * `index` into `to`; without an index `base` * `addr` */
	WN_INSN_LOAD,    /* reads memory, and puts the number into `to` if that is set */
	WN_INSN_STORE,   /* writes memory */
	WN_INSN_ATOMIC,  /* reads and writes memory without another thread in between */
	WN_INSN_ATTEMPT  /* the same if nothing came in between; else the code repeats it */
};

#define WN_NO_REGISTER 0xff
struct wn_insn {
	uint8_t n_bytes; /* 0: not recognised */
	uint8_t kind;
	uint8_t base;  /* of its memory operand; WN_NO_REGISTER: the operand is at `addr` */
	uint8_t index; /* a register that is added to the address, or WN_NO_REGISTER ... */
	uint8_t scale; /* ... so often */
	uint8_t to;
	uint8_t adds_to;    /* a load's number is added to this register, or WN_NO_REGISTER ... */
	uint8_t multiplies; /* ... or it multiplies this one */
	uint8_t size;       /* bytes of memory that it reads or writes; loads and stores only */
	bool is_always;     /* a jump without a condition */
	bool is_update;     /* a store that reads the memory first */
	bool is_compare;    /* it only compares numbers in registers */
	bool is_own; /* the memory is the thread's stack, or thread-local; of a plain one: it puts
	                an address of the stack into `to` */
	uint32_t
	    may_write; /* registers that it may write, a bit each: at least those that it does */
	uint64_t addr;
};

#define WN_CALL_FORMS 3
#define WN_STUB_BYTES 20 /* longest stub */

/* Branches of one processor. `addr` is the file address of the first byte. */
struct wn_branches {
	unsigned machine;             /* of ELF */
	unsigned jump_slot, glob_dat; /* relocation types of imported functions */
	size_t step_bytes;            /* instructions begin at multiples of this */
	size_t call_bytes;            /* longest call */
	/* A jump at `code`. */
	struct wn_branch (*jump)(const uint8_t *code, size_t n, uint64_t addr);
	/* A stub of the linker at `code`, which jumps to an imported function: a slot. */
	struct wn_branch (*stub)(const uint8_t *code, size_t n, uint64_t addr);
	/* Forms of the call that ends before `end` and returns to return_addr, the likeliest first.
	 * Where instructions have several lengths, bytes may fit several. */
	struct wn_branch (*call[WN_CALL_FORMS])(const uint8_t *end, size_t n, uint64_t return_addr);
	/* A load of a slot into a register by the instruction at offset `at` of a function. */
	struct wn_branch (*load)(const uint8_t *code, size_t n, size_t at, uint64_t addr);
	/* The instruction at `code`. */
	struct wn_insn (*insn)(const uint8_t *code, size_t n, uint64_t addr);
};

/* The table of an ELF machine; NULL if there is none. */
const struct wn_branches *wn_branches_of(unsigned machine);

/* instructions_x86_64.c */
struct wn_insn wn_insn_x86_64(const uint8_t *code, size_t n, uint64_t addr);

extern const struct wn_branches wn_branches_x86_64, wn_branches_aarch64;
