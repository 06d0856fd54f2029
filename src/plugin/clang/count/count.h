/* SPDX-License-Identifier: MIT */
/*
 * count.h - a plug-in for clang that makes programs count the LLVM IR instructions that they
 * execute.
 *
 *   classify.cc   counts and memory accesses of one instruction
 *   calls.cc      calls after which another grain may run, or none
 *   stack.cc      accesses to the grain's own stack
 *   place.cc      minimal placement of additions
 *   emit.cc       emits the additions, to the thread's slot or to registers first
 *   rows.cc       where accesses are recorded
 *   recursive.cc  recursive functions
 *   footprint.cc  records the accesses
 *   slot.cc       the thread's slot
 *   pass.cc       the module pass, called by clang
 *
 * The pass runs last, on the code that becomes machine code. The slot is up to date at each call
 * after which another grain may run, and when a function returns; in between, counts may be
 * elsewhere. Property numbers are those of record/counters/properties.def.
 */
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>
#include <vector>

namespace count
{

enum property {
#define WN_PROPERTY(name, unit, title) PROPERTY_##name,
#include "record/counters/properties.def"
#undef WN_PROPERTY
	PROPERTY_N
};

/* Layout of struct wn_count_slot, in words. */
enum {
	SLOT_STACK_BEGIN = 40,
	SLOT_RECENT = 41,
	SLOT_TOUCH = 42,
	SLOT_TOUCH_EACH = 43,
	SLOT_WORDS_N = 48
};
enum { STEPS_N = 3, LINE_BYTES = 64 };

/* Counts of some instructions, all constant at compile time. */
struct weights {
	int64_t n[PROPERTY_N] = {};

	weights &operator+=(const weights &other);
	weights &operator-=(const weights &other);
	bool is_zero() const;
};

/* A memory access of one instruction. */
struct access {
	llvm::Instruction *at;
	llvm::Value *pointer; /* or a vector of them */
	uint64_t n_bytes;     /* of each element, if there is a mask or a vector of pointers */
	llvm::Value *length;  /* replaces n_bytes if known only at run time; or NULL */
	llvm::Value *mask;    /* selected elements; NULL = all */
	bool is_read, is_write;
};

/* A run-time value times a constant. */
struct term {
	property of;
	llvm::Value *value; /* of 64 bits */
	int64_t times;
};

/* The code from a block's start, or from a call that may switch grains, to the next such call or to
 * the block's end. */
struct segment {
	llvm::Instruction *end; /* that call, or the terminator */
	bool is_call;
	weights known;
	std::vector<access> accesses;
};

struct block_plan {
	std::vector<segment> segments; /* the last one ends with the terminator */
};

using plan = llvm::DenseMap<llvm::BasicBlock *, block_plan>;

/* --- classify.cc --- */
/* Counts of an instruction; false if it is not executed. */
bool classify(llvm::Instruction &at, weights &out);
/* Appends its accesses. */
void find_accesses(llvm::Instruction &at, std::vector<access> &out);

/* --- calls.cc --- */
/* Functions of a module in which no other grain can begin, and which return. */
class quiet_functions
{
	llvm::DenseMap<const llvm::Function *, bool> is_quiet;

      public:
	explicit quiet_functions(llvm::Module &module);
	/* May another grain run, or nothing at all, after this call? */
	bool may_switch(const llvm::CallBase &call) const;
	bool is(const llvm::Function &function) const;
};

/* --- stack.cc --- */
/* Owner of the memory: the function itself, no stack, or decided at run time. */
class stack_finder
{
	llvm::Function &function;
	llvm::Constant *top; /* thread-local: where the running grain's frames begin */
	bool is_moving;      /* the stack pointer changes within the function */
	llvm::Instruction *behind_entry;
	llvm::Value *low = nullptr, *size = nullptr;
	llvm::DenseMap<llvm::Value *, llvm::Value *> known;

	void measure(llvm::IRBuilder<> &at);
	llvm::Value *compare(llvm::IRBuilder<> &at, llvm::Value *pointer);
	llvm::Instruction *place_behind(llvm::Value *base, llvm::Instruction *use);
	llvm::Value *is_own(llvm::Value *base, llvm::Instruction *use);

      public:
	stack_finder(llvm::Function &f, llvm::Constant *top_of_thread);
	/* Adds the access to the stack's properties; inserts a check where it is decided at run
	 * time. */
	void count(const access &a, weights &known_ones, std::vector<term> &terms);
};
/* The function is the code of a grain: sets the start of the frames on entry, and restores it on
 * return. */
void put_frame_begin(llvm::Function &function, llvm::Constant *top);
/* Functions that the compiler passes to the OpenMP runtime as code of grains. */
std::vector<llvm::Function *> find_grain_functions(llvm::Module &module);

/* --- place.cc --- */
/* An addition on an edge. One edge stands for all from one block to the other. */
struct addition {
	llvm::BasicBlock *from, *to; /* on this edge; `to` NULL: before `before` */
	llvm::Instruction *before;
	weights amount;
	uint64_t frequency;
};

/* Analyses of a function in its original state. */
struct function_shape {
	llvm::DenseMap<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>, uint64_t> edges;
	llvm::DenseMap<llvm::BasicBlock *, uint64_t> blocks;
};

/* Does a block end in a branch or a switch, so that code can be inserted on its edges? */
bool is_jump(const llvm::Instruction &end);

std::vector<addition> place(llvm::Function &function, const plan &plan,
                            const function_shape &shape);

/* --- emit.cc --- */
/* A maximal loop without grain switches, whose additions are kept in registers. */
struct quiet_loop {
	llvm::BasicBlock *before;
	llvm::DenseMap<llvm::BasicBlock *, bool> blocks;
};

/* Execution counter of an addition, which replaces the addition. */
struct hits {
	struct sum {
		weights amount;
		llvm::GlobalVariable *n; /* thread-local */
	};
	llvm::Module &module;
	std::vector<sum> sums;

	llvm::GlobalVariable *of(const weights &amount);
};

class emitter
{
	llvm::Function &function;
	llvm::GlobalVariable *slot;
	hits *kept; /* or NULL */
	std::vector<quiet_loop> &loops;
	llvm::DenseMap<llvm::BasicBlock *, int> loop_of;
	std::vector<llvm::AllocaInst *> registers;
	std::vector<std::vector<std::pair<llvm::AllocaInst *, weights>>> counters;
	std::vector<llvm::DenseMap<unsigned, llvm::AllocaInst *>> sums;

	llvm::AllocaInst *new_register();
	llvm::Instruction *split(llvm::BasicBlock *from, llvm::BasicBlock *to);
	void settle(size_t loop, llvm::Instruction *before);

      public:
	/* Adds to the counters, if there are any, else to the slot. */
	emitter(llvm::Function &f, llvm::GlobalVariable *s, std::vector<quiet_loop> &l, hits *h);
	void add(llvm::IRBuilder<> &at, property of, llvm::Value *amount);
	void put(const addition &a);
	void put_terms(llvm::Instruction *before, const std::vector<term> &terms);
	/* Runs after all others. The registers are still memory. */
	void finish(std::vector<llvm::AllocaInst *> &out);
};

void put_sum(llvm::IRBuilder<> &at, llvm::Constant *place, llvm::Value *amount);

/* --- recursive.cc --- */
struct recursion {
	llvm::Function *entry, *code; /* for outside callers; the original body */
	llvm::Instruction *end;       /* return of the entry */
};

std::vector<recursion> split_recursive(llvm::Module &module, const quiet_functions &quiet,
                                       const std::vector<llvm::Function *> &except);
void add_up(const recursion &one, const hits &of, llvm::GlobalVariable *slot);

/* --- rows.cc --- */
/* Accesses that are recorded together: they begin within one line. */
struct look {
	llvm::Instruction *before;
	llvm::Value *pointer;
	int64_t low;      /* offset of their first byte from the pointer */
	uint64_t n_bytes; /* bytes from there to their last byte */
	std::vector<std::pair<int64_t, uint64_t>> parts; /* offsets from the pointer, and bytes */
};

/* Accesses at constant strides: see struct wn_touched_steps. Without steps, one access. */
struct row {
	llvm::Instruction *before;
	llvm::Value *address; /* as an integer */
	uint64_t n_bytes;
	struct pace {
		llvm::Value *step, *n;
	};
	std::vector<pace> steps;
};

struct tellings {
	std::vector<look> looks;
	std::vector<row> rows;
	std::vector<access> others; /* with masks, or longer than a line */
};

/* Inserts the code that records rows before their loops. Runs before all others. */
tellings find_tellings(llvm::Function &function, const plan &plans, const quiet_functions &quiet,
                       const std::vector<quiet_loop> &loops,
                       llvm::FunctionAnalysisManager &analyses);

/* --- footprint.cc --- */
/* Emits the code that records accesses. Appends variables that may become registers. */
void put_footprints(llvm::Function &function, const tellings &what, llvm::GlobalVariable *slot,
                    std::vector<quiet_loop> &loops, std::vector<llvm::AllocaInst *> &registers);

/* --- slot.cc --- */
/* The thread's slot, one for all modules of a program, and its accessor functions. */
llvm::GlobalVariable *declare_slot(llvm::Module &module, bool has_footprint);
llvm::Constant *word_of(llvm::GlobalVariable *slot, unsigned n);

/* --- pass.cc --- */
llvm::PointerType *pointer_to(llvm::Type *type);
bool is_for(const llvm::Function &function, const char *architecture);
/* Frame address of the running function as an integer: what its callers pushed is at or above
 * it. */
llvm::Value *frame_address(llvm::IRBuilder<> &at);

} /* namespace count */
