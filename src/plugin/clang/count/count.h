/* SPDX-License-Identifier: MIT */
/*
 * count.h - a plug-in for clang: programs that count what they execute, as LLVM's IR has it.
 *
 *   classify.cc   what one instruction counts, and which memory it touches
 *   calls.cc      behind which calls another grain may go on, or none
 *   stack.cc      which of that memory is the grain's own stack
 *   place.cc      how few additions make every path through a function exact
 *   emit.cc       the additions, to the thread's block or to registers first
 *   footprint.cc  the accesses themselves, to who asks which are new
 *   slot.cc       the thread's block, and who counts
 *   pass.cc       one module after the other; who is asked by clang
 *
 * The pass runs last of all, on what becomes machine code. What has been executed is in the
 * thread's block whenever a call is made behind which another grain may go on, and when a function
 * returns; in between, it may be elsewhere. The numbers are those of
 * collect/counters/properties.def.
 */
#ifndef WN_PLUGIN_COUNT_H
#define WN_PLUGIN_COUNT_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <vector>

namespace count
{

enum property {
#define WN_PROPERTY(name, unit, title) PROPERTY_##name,
#include "collect/counters/properties.def"
#undef WN_PROPERTY
	PROPERTY_N
};

/* As struct wn_count_slot has it, in words. */
enum { SLOT_STACK_BEGIN = 40, SLOT_RECENT = 41, SLOT_TOUCH = 42, SLOT_WORDS_N = 48 };

/* What some instructions count, all of it known when they are compiled. */
struct weights {
	int64_t n[PROPERTY_N] = {};

	weights &operator+=(const weights &other);
	weights &operator-=(const weights &other);
	bool is_zero() const;
};

/* Memory that one instruction touches. */
struct access {
	llvm::Instruction *at;
	llvm::Value *pointer; /* or a vector of them */
	uint64_t n_bytes;     /* of each element, where there is a mask or are several pointers */
	llvm::Value *length;  /* in place of n_bytes, where only the program knows it; or NULL */
	llvm::Value *mask;    /* which elements; NULL = all */
	bool is_read, is_write;
};

/* A number that only the program knows, times a constant. */
struct term {
	property of;
	llvm::Value *value; /* of 64 bits */
	int64_t times;
};

/* The way from a block's begin, or from a call that may switch grains, to the next such call or to
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
/* What this one counts; false if it is nothing that is executed. */
bool classify(llvm::Instruction &at, weights &out);
/* What it touches, appended. */
void find_accesses(llvm::Instruction &at, std::vector<access> &out);

/* --- calls.cc --- */
/* Functions of a module in which no other grain can begin, and which return. */
class quiet_functions
{
	llvm::DenseMap<const llvm::Function *, bool> is_quiet;

      public:
	explicit quiet_functions(llvm::Module &module);
	/* May another grain go on, or nothing at all, behind this call? */
	bool may_switch(const llvm::CallBase &call) const;
};

/* --- stack.cc --- */
/* Whose memory it is: that of the function itself, of nobody's stack, or what the program finds. */
class stack_finder
{
	llvm::Function &function;
	llvm::Constant *top; /* the thread's: where the running grain's frames begin */
	bool is_moving;      /* the stack pointer, within the function */
	llvm::Instruction *behind_entry;
	llvm::Value *low = nullptr, *size = nullptr;
	llvm::DenseMap<llvm::Value *, llvm::Value *> known;

	void measure(llvm::IRBuilder<> &at);
	llvm::Value *compare(llvm::IRBuilder<> &at, llvm::Value *pointer);
	llvm::Instruction *place_behind(llvm::Value *base, llvm::Instruction *use);
	llvm::Value *is_own(llvm::Value *base, llvm::Instruction *use);

      public:
	stack_finder(llvm::Function &f, llvm::Constant *top_of_thread);
	/* Adds what the access is to the stack's properties; puts code where the program must
	 * look. */
	void count(const access &a, weights &known_ones, std::vector<term> &terms);
};
/* The function is the code of a grain: its frames begin here, and the old ones go on behind it. */
void put_frame_begin(llvm::Function &function, llvm::Constant *top);
/* Functions that the compiler hands to the OpenMP runtime as code of grains. */
std::vector<llvm::Function *> find_grain_functions(llvm::Module &module);

/* --- place.cc --- */
/* Where to add how much. One edge stands for all from one block to the other. */
struct addition {
	llvm::BasicBlock *from, *to; /* on this edge; `to` NULL: before `before` */
	llvm::Instruction *before;
	weights amount;
	uint64_t frequency;
};

/* What may be asked about a function as it was found. */
struct function_shape {
	llvm::DenseMap<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>, uint64_t> edges;
	llvm::DenseMap<llvm::BasicBlock *, uint64_t> blocks;
};

std::vector<addition> place(llvm::Function &function, const plan &plan,
                            const function_shape &shape);

/* --- emit.cc --- */
/* A loop in which no grain switches, as large as possible: its additions are kept in registers. */
struct quiet_loop {
	llvm::DenseMap<llvm::BasicBlock *, bool> blocks;
};

class emitter
{
	llvm::Function &function;
	llvm::GlobalVariable *slot;
	std::vector<quiet_loop> &loops;
	llvm::DenseMap<llvm::BasicBlock *, int> loop_of;
	std::vector<llvm::AllocaInst *> registers;
	std::vector<std::vector<std::pair<llvm::AllocaInst *, weights>>> counters;
	std::vector<llvm::DenseMap<unsigned, llvm::AllocaInst *>> sums;

	llvm::AllocaInst *new_register();
	llvm::Instruction *split(llvm::BasicBlock *from, llvm::BasicBlock *to);
	void settle(size_t loop, llvm::Instruction *before);

      public:
	emitter(llvm::Function &f, llvm::GlobalVariable *s, std::vector<quiet_loop> &l);
	void add(llvm::IRBuilder<> &at, property of, llvm::Value *amount);
	void put(const addition &a);
	void put_terms(llvm::Instruction *before, const std::vector<term> &terms);
	/* After all others. The registers are still memory. */
	void finish(std::vector<llvm::AllocaInst *> &out);
};

/* --- footprint.cc --- */
/* Tells each access to who asks, if somebody does. Those of one segment are one list. */
void put_footprints(const std::vector<std::vector<access>> &segments, llvm::GlobalVariable *slot);

/* --- slot.cc --- */
/* The thread's block, one for all modules of a program, and what tells of it. */
llvm::GlobalVariable *declare_slot(llvm::Module &module, bool has_footprint);
llvm::Constant *word_of(llvm::GlobalVariable *slot, unsigned n);

/* --- pass.cc --- */
llvm::PointerType *pointer_to(llvm::Type *type);
bool is_for(const llvm::Function &function, const char *architecture);
/* Of the running function, as a number: what its callers pushed is at or above it. */
llvm::Value *frame_address(llvm::IRBuilder<> &at);

} /* namespace count */

#endif /* WN_PLUGIN_COUNT_H */
