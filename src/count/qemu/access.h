/* SPDX-License-Identifier: MIT */
/*
 * access.h - what is done when the program's code reads or writes memory: call-backs, of which each
 * kind of instruction has one.
 */
#ifndef WN_QEMU_ACCESS_H
#define WN_QEMU_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

/* An access of user code that is told as a whole; with what keeps its footprint. */
void wn_qemu_on_access(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_access_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* One of code that works for whoever has called it. */
void wn_qemu_on_neutral_access(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* One of a repeated string instruction, at each step. */
void wn_qemu_on_step(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* Reads and writes at once. */
void wn_qemu_on_locked_access(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* An access that is told in pieces, `user` / 256 bytes in all, of which the first `user` % 256 are
 * its own. */
void wn_qemu_on_wide_access(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* The first of a struct group, in a block of user code; with what keeps its footprint. */
void wn_qemu_on_group(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_group_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* The same where nothing has been told of the block before: the block as well. */
void wn_qemu_on_block_and_group(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_block_and_group_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* The first of a group in any code but the runtime's: in code that works for whoever has called it,
 * if it reads and writes, if it is told in pieces. */
void wn_qemu_on_neutral_block_and_group(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_neutral_group(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_group_of_both(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_group_of_wide(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* What `call` pushes, and what `ret` reads. */
void wn_qemu_on_call(unsigned vcpu, uint32_t info, uint64_t address, void *user);
void wn_qemu_on_return(unsigned vcpu, uint32_t info, uint64_t address, void *user);

/* What is known of an instruction's access beforehand, for the second count. */
struct expected {
	uint8_t bytes, told_bytes;
	bool is_load, is_store;
	bool is_first; /* of its group */
	uint8_t in;
	int32_t offset;
};

/* An access of a group, told by itself, held against its struct expected. */
void wn_qemu_on_expected_access(unsigned vcpu, uint32_t info, uint64_t address, void *user);

#endif /* WN_QEMU_ACCESS_H */
