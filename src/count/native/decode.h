/* SPDX-License-Identifier: MIT */
/* decode.h - decodes instructions where they are in the memory of the program. */
#pragma once

#include "count/decode_x86_64.h"

/* Call before any other function. */
void wn_native_decode_begin(void);

/* Does the processor have protection keys that the kernel uses? */
extern bool wn_native_has_keys;

/* Decodes the instruction at `pc`. Uses vector registers.
 *
 * @param copy  `n_copy` bytes to decode instead of those at `pc`; NULL: those at `pc`. */
void wn_native_decode(uint64_t pc, const uint8_t *copy, size_t n_copy, struct insn *out);
