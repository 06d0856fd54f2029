/* SPDX-License-Identifier: MIT */
/* decode_private.h - declarations shared by the files of decode_x86_64.h. */
#pragma once

#include "count/decode_x86_64.h"

#include <Zydis/Zydis.h>

enum insn_class classify_x86_64(const ZydisDecodedInstruction *insn);

/* General register number, independent of width; REG_NONE for other registers. */
unsigned decode_reg(ZydisRegister reg);
/* The address of a memory operand of `s`. */
struct address decode_address(const struct insn *s, const ZydisDecodedInstruction *insn,
                              const ZydisDecodedOperandMem *mem);

/* Complete `s` for one kind of instruction. The last two check the kind first, and leave `s`
 * unchanged for others (decode_masked returns false). */
void decode_gather(struct insn *s, const ZydisDecodedInstruction *insn,
                   const ZydisDecodedOperand *operands);
void decode_repeated(struct insn *s, const ZydisDecodedInstruction *insn);
bool decode_masked(struct insn *s, const ZydisDecodedInstruction *insn,
                   const ZydisDecodedOperand *operands);
void decode_single(struct insn *s, const ZydisDecodedInstruction *insn,
                   const ZydisDecodedOperand *operands);
