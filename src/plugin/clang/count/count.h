/* SPDX-License-Identifier: MIT */
/*
 * count.h - a plug-in for clang: programs that count what they execute, as LLVM's IR has it.
 *
 *   classify.cc   what one instruction counts, and which memory it touches
 *   calls.cc      behind which calls another grain may go on, or none
 *   stack.cc      which of that memory is the grain's own stack
 *   place.cc      how few additions make every path through a function exact
 *   emit.cc       the additions, to the thread's block or to registers first
 *   rows.cc       which accesses are looked at where
 *   recursive.cc  functions that call themselves: how often each addition, added up at their end
 *   footprint.cc  the accesses themselves, to who asks which are new
 *   slot.cc       the thread's block, and who counts
 *   pass.cc       one module after the other; who is asked by clang
 *
 * The pass runs last of all, on what becomes machine code. What has been executed is in the
 * thread's block whenever a call is made behind which another grain may go on, and when a function
 * returns; in between, it may be elsewhere. The numbers are those of
 * record/counters/properties.def.
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

/* As struct wn_count_slot has it, in words. */
enum {
	SLOT_STACK_BEGIN = 40,
	SLOT_RECENT = 41,
	SLOT_TOUCH = 42,
	SLOT_TOUCH_EACH = 43,
	SLOT_WORDS_N = 48
};
enum { STEPS_N = 3, LINE_BYTES = 64 };

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
	bool is(const llvm::Function &function) const;
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
	llvm::BasicBlock *before;
	llvm::DenseMap<llvm::BasicBlock *, bool> blocks;
};

/* How often something has been added, in place of adding it. */
struct hits {
	struct sum {
		weights amount;
		llvm::GlobalVariable *n; /* of the thread */
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
	/* To the hits, if there are any, else to the slot. */
	emitter(llvm::Function &f, llvm::GlobalVariable *s, std::vector<quiet_loop> &l, hits *h);
	void add(llvm::IRBuilder<> &at, property of, llvm::Value *amount);
	void put(const addition &a);
	void put_terms(llvm::Instruction *before, const std::vector<term> &terms);
	/* After all others. The registers are still memory. */
	void finish(std::vector<llvm::AllocaInst *> &out);
};

void put_sum(llvm::IRBuilder<> &at, llvm::Constant *place, llvm::Value *amount);

/* --- recursive.cc --- */
struct recursion {
	llvm::Function *entry, *code; /* what is called from outside, and what it has been */
	llvm::Instruction *end;       /* of the entry */
};

std::vector<recursion> split_recursive(llvm::Module &module, const quiet_functions &quiet,
                                       const std::vector<llvm::Function *> &except);
void add_up(const recursion &one, const hits &of, llvm::GlobalVariable *slot);

/* --- rows.cc --- */
/* Accesses within one line, unless they reach into the next. */
struct look {
	llvm::Instruction *before;
	llvm::Value *pointer;
	int64_t low;      /* from the pointer to the first of their bytes */
	uint64_t n_bytes; /* from there to the last */
	std::vector<std::pair<int64_t, uint64_t>> parts; /* from the pointer on, and bytes */
};

/* Accesses at even distances: as struct wn_touched_steps has them. Without steps, one. */
struct row {
	llvm::Instruction *before;
	llvm::Value *address; /* as a number */
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

/* Puts the code by which rows are known before their loops. Before all others. */
tellings find_tellings(llvm::Function &function, const plan &plans, const quiet_functions &quiet,
                       const std::vector<quiet_loop> &loops,
                       llvm::FunctionAnalysisManager &analyses);

/* --- footprint.cc --- */
/* Tells them to who asks, if somebody does. Variables that may be registers are appended. */
void put_footprints(llvm::Function &function, const tellings &what, llvm::GlobalVariable *slot,
                    std::vector<quiet_loop> &loops, std::vector<llvm::AllocaInst *> &registers);

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
