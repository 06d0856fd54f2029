/* SPDX-License-Identifier: MIT */
/* decode_private.h - what the files of decode_x86_64.h share. */
#ifndef WN_COUNT_DECODE_PRIVATE_H
#define WN_COUNT_DECODE_PRIVATE_H

#include "count/decode_x86_64.h"

#include <Zydis/Zydis.h>

enum insn_class classify_x86_64(const ZydisDecodedInstruction *insn);

/* The general register of any width; REG_NONE of others. */
unsigned decode_reg(ZydisRegister reg);
/* The address of a memory operand of `s`. */
struct address decode_address(const struct insn *s, const ZydisDecodedInstruction *insn,
                              const ZydisDecodedOperandMem *mem);

/* Complete `s` for an instruction of that kind. The last two check the kind first, and leave `s`
 * as it is if it is another (decode_masked: false). */
void decode_gather(struct insn *s, const ZydisDecodedInstruction *insn,
                   const ZydisDecodedOperand *operands);
void decode_repeated(struct insn *s, const ZydisDecodedInstruction *insn);
bool decode_masked(struct insn *s, const ZydisDecodedInstruction *insn,
                   const ZydisDecodedOperand *operands);
void decode_single(struct insn *s, const ZydisDecodedInstruction *insn,
                   const ZydisDecodedOperand *operands);

#endif /* WN_COUNT_DECODE_PRIVATE_H */
