/* SPDX-License-Identifier: MIT */
/* function_code.h - a function as instructions and loops, and which addresses depend on the number
 * of the thread. For access_patterns.c and strides.c. Cost: the function's instructions. */
#pragma once

#include "symbols/branches.h"
#include "symbols/spans.h"

struct wn_object;

/* Arguments of a function that are followed: those in the first registers for integers. */
#define WN_ARGUMENTS 6

struct wn_function_insn {
	uint64_t addr;
	struct wn_insn is;
	/* bytes from the memory operand to that of the thread with the next number; 0: none, or
	 * unknown */
	uint16_t apart;
	uint8_t arguments[WN_ARGUMENTS]; /* of a call: the same for the addresses that it passes */
	uint32_t lost;                   /* registers that a call may change, a bit each */
	bool adds_team;                  /* a sum with the number of threads, or a multiple of it */
	bool is_first;                   /* of its block */
	uint32_t block;
};

/* May an instruction change a register, or a call the value that it had? */
static inline bool
wn_function_insn_changes(const struct wn_function_insn *insn, uint8_t reg)
{
	return (insn->is.may_write | insn->lost) >> reg & 1;
}

/* The interval of instructions that a loop is in. */
struct wn_function_loop {
	size_t first, last; /* instructions */
	size_t header;      /* block that each turn begins with; SIZE_MAX: there is none */
	bool is_none;       /* it repeats an attempt, only counts, or has few turns */
	size_t n_turns;     /* of few; else 1 */
};

/* Instructions that follow one another without a jump. Private to function_loops.c. */
struct wn_function_block {
	size_t first, last;      /* instructions */
	size_t next[2];          /* blocks that it leads to; SIZE_MAX: none */
	size_t before, n_before; /* those that lead to it: f->before[before] and so on */
	size_t order, dominator; /* SIZE_MAX: nothing leads to it */
	size_t in_loop;
	bool leaves; /* it returns, or jumps to another function */
	bool is_root;
};

struct wn_function {
	struct wn_function_insn *insns;
	size_t n, capacity;
	struct wn_function_loop *loops;
	size_t n_loops, loops_capacity;
	struct wn_function_block *blocks; /* [n_blocks + 1]: the last one leads to the first */
	size_t *before;
	size_t n_blocks, n_reached;
	bool has_frame; /* rbp points to the stack */
	bool is_out_of_memory;
};

/**
 * Reads the function in a range of file addresses of an open object whose calls were read.
 *
 * @param chunk  iterations that a thread gets at a time of the loop whose bounds the runtime gives
 *               the function; 0: there is none, or they are not next to those of other threads.
 * @param arguments  [WN_ARGUMENTS] of the instruction that calls the function; NULL: not known.
 * @param f      zeroed; free it with wn_function_fini() in any case.
 * @return false if it is too large, or not understood, or out of memory (f->is_out_of_memory).
 */
bool wn_function_read(struct wn_object *object, const struct wn_span *span, uint64_t chunk,
                      const uint8_t *arguments, struct wn_function *f);
void wn_function_fini(struct wn_function *f);

/* function_loops.c: finds the loops of a function whose instructions were read. Returns false if
 * there are too many, or jumps are not understood, or out of memory. */
bool wn_function_find_loops(struct wn_object *object, struct wn_function *f);

/* Returns the number of the instruction at an address; f->n: none begins there. */
size_t wn_function_insn_at(const struct wn_function *f, uint64_t addr);

/* Returns how often an instruction is executed for each time that its part of the code is. */
size_t wn_function_turns(const struct wn_function *f, size_t insn);

bool wn_function_is_in_loop(const struct wn_function *f, size_t insn);
bool wn_function_is_innermost(const struct wn_function *f, const struct wn_function_loop *loop);

/* Does each turn of a loop reach the instruction, unless it leaves the loop? */
bool wn_function_is_in_each_turn(const struct wn_function *f, const struct wn_function_loop *loop,
                                 size_t insn);

/* Does each call of the function reach the instruction, unless it ends the program? */
bool wn_function_is_in_each_call(const struct wn_function *f, size_t insn);

/* Does the register change from turn to turn? Not if each turn puts the same address into it, or
 * the content of a cell that nothing in the loop writes. */
bool wn_function_is_changed(const struct wn_function *f, const struct wn_function_loop *loop,
                            uint8_t reg);

/* Has a register the same value in each turn of a loop, where it is used? What the loop loads from
 * a cell whose address stays the same, such as a pointer, is taken to be the same. */
bool wn_function_is_fixed(const struct wn_function *f, const struct wn_function_loop *loop,
                          uint8_t reg);

/* Is the memory that the instruction refers to the thread's own: the stack, or thread-local? */
bool wn_function_is_own(const struct wn_function *f, size_t insn);

/* function_flow.c: sets `apart`, `arguments` and `adds_team` of all instructions. */
void wn_function_follow(struct wn_object *object, uint64_t chunk, const uint8_t *arguments,
                        struct wn_function *f);

/* function_flow.c: has a register the same value at an instruction in each turn of a loop? Unlike
 * for wn_function_is_fixed(), it may have other values elsewhere in the loop. `loop` NULL: does it
 * depend on the function's arguments and constants alone? */
bool wn_function_is_fixed_at(struct wn_object *object, const struct wn_function *f,
                             const struct wn_function_loop *loop, size_t at, uint8_t reg);

/* Returns the register of an argument. */
uint8_t wn_function_argument(struct wn_object *object, size_t argument);

/* Does a call return the number of the thread, or of the threads? */
bool wn_function_is_query(struct wn_object *object, const struct wn_insn *insn);
