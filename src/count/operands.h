/* SPDX-License-Identifier: MIT */
/* operands.h - an access of an instruction, known before execution, so that one call-back can
 * report several accesses of a block at known distances from each other (access_groups.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PLACE_NO_REGISTER 31u
#define PLACE_FS          (1u << 24) /* relative to the base of the fs segment */

struct operands {
	bool is_known; /* the fields below are valid */
	/* At most one access. The emulator reports more than 8 bytes in pieces, in order, and some
	 * scalar accesses as vector accesses. */
	uint8_t bytes; /* 0 = none */
	uint8_t reported_bytes;
	bool is_load, is_store;
	/* Address: the sum of the registers in `place` and `displacement`. */
	uint32_t place;
	int64_t displacement;
	uint32_t uses;         /* bit r: register r is part of the address */
	uint32_t writes;       /* bit r: general register r is modified */
	int32_t stack_pointer; /* change of the stack pointer, which is not in `writes` */
	uint64_t pc;           /* of the instruction; 0: not needed */
	bool is_locked;        /* by an atomic instruction */
};
