/* SPDX-License-Identifier: MIT */
/* blocks.h - call-backs for executed code, each with a struct bundle as argument. For accesses see
 * access.h. */
#pragma once

#include <stdbool.h>

/* A block of user code, of the runtime, and of code that counts for its caller. */
void wn_qemu_on_user_block(unsigned vcpu, void *user);
void wn_qemu_on_runtime_block(unsigned vcpu, void *user);
void wn_qemu_on_neutral_block(unsigned vcpu, void *user);

/* A single instruction, in a block that has been counted. */
void wn_qemu_on_single(unsigned vcpu, void *user);

/* An instruction that may be reported twice in a row and is counted once: in a block that has been
 * counted; and as the first of a block of user code that has not. */
void wn_qemu_on_once(unsigned vcpu, void *user);
void wn_qemu_on_user_once(unsigned vcpu, void *user);

/* Any instruction, without a bundle, for the second count. */
void wn_qemu_on_every(unsigned vcpu, void *user);

/* Clears the upper halves after work on 256-bit registers. */
void wn_qemu_on_upper_halves(unsigned vcpu, void *user);
bool wn_qemu_host_has_upper_halves(void);
