/* SPDX-License-Identifier: MIT */
/* access.h - call-backs for the program's memory accesses, one for each kind of instruction. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* An access of user code that is reported as a whole; the second variant also records its
 * footprint. */
void wn_qemu_on_access(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_access_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* An access of code that counts for its caller. */
void wn_qemu_on_neutral_access(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* An access of a repeated string instruction, for each step. */
void wn_qemu_on_step(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* A read-modify-write access. */
void wn_qemu_on_locked_access(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* An access reported in pieces: `user` / 256 bytes in all, of which the first `user` % 256 belong
 * to the access itself. */
void wn_qemu_on_wide_access(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* The first access of a struct group in a block of user code; the second variant also records the
 * footprint. */
void wn_qemu_on_group(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_group_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* The same where the block has not been counted yet: counts the block as well. */
void wn_qemu_on_block_and_group(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_block_and_group_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* The first access of a group in code that counts for its caller: plain, read-modify-write,
 * reported in pieces. */
void wn_qemu_on_neutral_block_and_group(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_neutral_group(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_group_of_both(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_group_of_wide(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* The push of `call`, and the read of `ret`. */
void wn_qemu_on_call(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_return(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* Expected access of an instruction, for the second count. */
struct expected {
	uint8_t bytes, reported_bytes;
	bool is_load, is_store;
	bool is_first; /* of its group */
	uint8_t in;
	int32_t offset;
};

/* Compares an access of a group, reported individually, with its struct expected. */
void wn_qemu_on_expected_access(unsigned vcpu, uint32_t info, uint64_t address, void *user);
