/* SPDX-License-Identifier: MIT */
/*
 * operands.h - what common instructions read and write.
 */
#ifndef WN_QEMU_OPERANDS_H
#define WN_QEMU_OPERANDS_H

#include "count/operands.h"

#include <stddef.h>

/** @param bytes  the instruction, whole; `n` of them.
 *  @param at     where it is in the program. */
struct operands operands_x86_64(const uint8_t *bytes, size_t n, uint64_t at);

#endif /* WN_QEMU_OPERANDS_H */
