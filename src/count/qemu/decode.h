/* SPDX-License-Identifier: MIT */
/* decode.h - properties of an instruction that the plug-in needs: its class, how the emulator
 * reports its accesses, and the access itself if it is known before execution. */
#pragma once

#include "count/insn_class.h"
#include "count/operands.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emulated {
	enum insn_class class;
	/* An access of `wide_bytes` is reported in pieces of 8; 0 = as a whole. The second field is
	 * the sum of the pieces, which is larger where the emulator reads a whole vector. */
	uint8_t wide_bytes, reported_bytes;
	bool is_locked; /* read-modify-write: reported as two accesses or as one */
	bool is_call;   /* pushes its return address */
	bool is_return;
	bool repeats;       /* is reported again for each repetition */
	bool may_run_twice; /* the emulator may start it, stop the other threads and restart it */
	bool is_256;        /* works on registers of 256 bits */
	struct operands operands;
};

/**
 * Decodes an instruction.
 *
 * @param bytes  the instruction; at most `n` bytes are read.
 * @param at     its address in the program.
 * @return INSN_OTHER without operands if the instruction is unknown or truncated.
 *
 * Threads any. decode_x86_64_begin() comes before the first of qemu_decode_x86_64().
 */
struct emulated qemu_decode_x86_64(const uint8_t *bytes, size_t n, uint64_t at);
struct emulated qemu_decode_aarch64(const uint8_t *bytes, size_t n, uint64_t at);
