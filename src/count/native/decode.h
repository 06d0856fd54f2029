/* SPDX-License-Identifier: MIT */
/*
 * decode.h - decodes instructions where they are in the memory of the program.
 */
#ifndef WN_NATIVE_DECODE_H
#define WN_NATIVE_DECODE_H

#include "count/decode_x86_64.h"

/* Before any other. */
void wn_native_decode_begin(void);

/* The processor has protection keys, and the kernel uses them. */
extern bool wn_native_has_keys;

/* Decodes the instruction at `pc`. Works on vector registers.
 *
 * @param copy  `n_copy` bytes to decode instead of those at `pc`; NULL: those at `pc`.
 */
void wn_native_decode(uint64_t pc, const uint8_t *copy, size_t n_copy, struct insn *out);

#endif /* WN_NATIVE_DECODE_H */
