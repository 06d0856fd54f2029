/* SPDX-License-Identifier: MIT */
/* insn_class.h - the classes by which executed instructions are counted. */
#pragma once

/* In the order of the mix_ properties. */
enum insn_class {
	INSN_INTEGER,
	INSN_FLOAT,
	INSN_VECTOR,
	INSN_MOVE,
	INSN_BRANCH,
	INSN_CALL,
	INSN_ATOMIC,
	INSN_OTHER,
	INSN_CLASS_N
};
