/* SPDX-License-Identifier: MIT */
/* decode_private.h - what the two halves of decode.h share. */
#ifndef WN_NATIVE_DECODE_PRIVATE_H
#define WN_NATIVE_DECODE_PRIVATE_H

#include "count/native/decode.h"

#include <Zydis/Zydis.h>

/* Of a general register of any width; REG_NONE of others. */
unsigned understand_reg(ZydisRegister reg);
/* Where an operand of the step's instruction is. */
struct address understand_address(const struct step *s, const ZydisDecodedInstruction *insn,
                                  const ZydisDecodedOperandMem *mem);

/* What the step becomes by an instruction of that kind; of the last two, which look whether it is
 * one, it stays as it is if it is another (understand_masked: false). */
void understand_gather(struct step *s, const ZydisDecodedInstruction *insn,
                       const ZydisDecodedOperand *operands);
void understand_repeated(struct step *s, const ZydisDecodedInstruction *insn);
bool understand_masked(struct step *s, const ZydisDecodedInstruction *insn,
                       const ZydisDecodedOperand *operands);
void understand_single(struct step *s, const ZydisDecodedInstruction *insn,
                       const ZydisDecodedOperand *operands);

#endif /* WN_NATIVE_DECODE_PRIVATE_H */
