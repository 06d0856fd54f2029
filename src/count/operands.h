/* SPDX-License-Identifier: MIT */
/*
 * operands.h - an access of an instruction, known before it runs: so that several of a block whose
 * addresses are a known distance apart are told at once (group.h).
 */
#ifndef WN_COUNT_OPERANDS_H
#define WN_COUNT_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLACE_NO_REGISTER 31u
#define PLACE_FS          (1u << 24) /* from the start of the thread's own segment */

struct operands {
	bool is_known; /* all that follows is true, else nothing is said */
	/* One access at most, of so many bytes. The emulator tells of more than 8 in pieces, in
	 * order; and of some scalars as if they were vectors. */
	uint8_t bytes; /* 0 = none */
	uint8_t told_bytes;
	bool is_load, is_store;
	/* Its address is a sum of what `place` stands for and `displacement`. */
	uint32_t place;
	int64_t displacement;
	uint32_t uses;         /* bit r: register r is part of the place */
	uint32_t writes;       /* bit r: general register r has another value afterwards */
	int32_t stack_pointer; /* that of the stack moves by so much, and is not in `writes` */
};

#endif /* WN_COUNT_OPERANDS_H */
