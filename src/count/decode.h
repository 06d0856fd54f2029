/* SPDX-License-Identifier: MIT */
/*
 * decode.h - what is to be known of one machine instruction for counting it: its class, and where
 * what the emulator tells of its accesses differs from what the processor does.
 */
#ifndef WN_COUNT_DECODE_H
#define WN_COUNT_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of the mix_ properties. */
enum insn_class {
	INSN_INTEGER,
	INSN_FLOAT,
	INSN_VECTOR,
	INSN_MOVE,
	INSN_BRANCH,
	INSN_CALL,
	INSN_ATOMIC,
	INSN_OTHER,
	INSN_CLASS_N
};

struct insn {
	enum insn_class class;
	/* An access of that many bytes is told in pieces of 8; 0 = each is told as a whole. And
	 * what is told in all, which is more where scalars are told as if they were vectors. */
	uint8_t wide_bytes, told_bytes;
	bool is_locked; /* reads and writes at once: told as two accesses or as one */
	bool is_call;   /* pushes where to return to */
	bool is_return;
	bool repeats;       /* is told again for each repetition */
	bool may_run_twice; /* the emulator may begin it, stop the other threads and begin again */
	bool is_256;        /* works on registers of 256 bits */
};

/** @param bytes  the instruction, whole; `n` of them. What is not known is INSN_OTHER. */
struct insn decode_x86_64(const uint8_t *bytes, size_t n);
struct insn decode_aarch64(const uint8_t *bytes, size_t n);

#endif /* WN_COUNT_DECODE_H */
