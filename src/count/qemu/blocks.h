/* SPDX-License-Identifier: MIT */
/*
 * blocks.h - what is done when code of the program runs: call-backs, of which each has a struct
 * bundle behind it. For accesses see access.h.
 */
#ifndef WN_QEMU_BLOCKS_H
#define WN_QEMU_BLOCKS_H

#include <stdbool.h>

/* A block of the user's code; of the runtime's; of code that works for whoever has called it. */
void wn_qemu_on_user_block(unsigned vcpu, void *user);
void wn_qemu_on_runtime_block(unsigned vcpu, void *user);
void wn_qemu_on_neutral_block(unsigned vcpu, void *user);

/* A single instruction, in a block that has been told. */
void wn_qemu_on_single(unsigned vcpu, void *user);

/* One that counts unless it has just been counted, as the last of all: in a block that has been
 * told; as the first of a block of the user's that has not. */
void wn_qemu_on_once(unsigned vcpu, void *user);
void wn_qemu_on_user_once(unsigned vcpu, void *user);

/* For the second count: any instruction, without a bundle. */
void wn_qemu_on_every(unsigned vcpu, void *user);

/* Behind work on registers of 256 bits, where it must be done. */
void wn_qemu_on_upper_halves(unsigned vcpu, void *user);
bool wn_qemu_host_has_upper_halves(void);

#endif /* WN_QEMU_BLOCKS_H */
