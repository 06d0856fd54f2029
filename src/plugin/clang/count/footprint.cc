/* SPDX-License-Identifier: MIT */
/*
 * footprint.cc - emits the code that records accesses.
 *
 * The recorder (record/counters/touched.h) gives the thread a cache of cells, one for each line
 * that the running grain has accessed recently. The emitted code sets the bits of its accesses in
 * the cell of their line. If the cell holds another line, or the accesses span two lines, it calls
 * a function that preserves registers.
 */
#include "plugin/clang/count/count.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace count
{

/* Layout of slot.h. */
enum { RECENT_N = 512, LINE_BITS = 6, CELL_BITS = 4, STEPS_WORDS_N = 2 + 2 * STEPS_N };
enum { ROW_SHIFT = 50, ROW_MASK = 511 << 5, ROW_KIND_SHIFT = 8 };
static const uint64_t ROW_FACTOR = 0x9e3779b97f4a7c15u;

class teller
{
	Function &function;
	GlobalVariable *slot;
	LLVMContext &context;
	Type *wide;
	std::vector<quiet_loop> &loops;
	std::vector<AllocaInst *> &registers;
	/* Of each loop: its invariants, and the last instruction before it. */
	std::vector<AllocaInst *> cells_of;
	std::vector<Instruction *> ends;
	AllocaInst *steps = nullptr;

	MDNode *
	odds(bool is_likely)
	{
		return MDBuilder(context).createBranchWeights(is_likely ? 2000 : 1,
		                                              is_likely ? 1 : 2000);
	}

	AllocaInst *
	new_variable(Type *type)
	{
		BasicBlock &entry = function.getEntryBlock();
		return IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
	}

	void
	call(IRBuilder<> &at, unsigned word, ArrayRef<Value *> arguments)
	{
		std::vector<Type *> types;
		for (Value *one : arguments)
			types.push_back(one->getType());
		FunctionType *type = FunctionType::get(Type::getVoidTy(context), types, false);
		Value *function_of = at.CreateLoad(wide, word_of(slot, word));
		CallInst *told = at.CreateCall(
		    type, at.CreateIntToPtr(function_of, pointer_to(type)), arguments);
		if (is_for(function, "x86_64"))
			told->setCallingConv(CallingConv::PreserveMost);
		told->setDoesNotThrow();
	}

	/* The thread's cells, or 0. Invariant in a loop without grain switches. */
	Value *
	cells(IRBuilder<> &at)
	{
		for (size_t i = 0; i < loops.size(); i++) {
			if (!loops[i].blocks.count(at.GetInsertBlock()))
				continue;
			AllocaInst *&kept = cells_of[i];
			if (!kept) {
				kept = new_variable(wide);
				registers.push_back(kept);
				IRBuilder<> first(ends[i]);
				first.CreateStore(
				    first.CreateLoad(wide, word_of(slot, SLOT_RECENT)), kept);
			}
			return at.CreateLoad(wide, kept);
		}
		return at.CreateLoad(wide, word_of(slot, SLOT_RECENT));
	}

	/* The code after it runs only while footprints are recorded. Split blocks stay in their
	 * loop. */
	Instruction *
	ask(Instruction *before, Value *&recent)
	{
		IRBuilder<> at(before);
		recent = cells(at);
		return split(at.CreateIsNotNull(recent), before, odds(true));
	}

	Instruction *
	split(Value *condition, Instruction *before, MDNode *weights)
	{
		BasicBlock *from = before->getParent();
		Instruction *inner = SplitBlockAndInsertIfThen(condition, before, false, weights);
		for (quiet_loop &loop : loops)
			if (loop.blocks.count(from)) {
				loop.blocks[inner->getParent()] = true;
				loop.blocks[before->getParent()] = true;
			}
		return inner;
	}

	void
	tell_parts(Instruction *before, Value *address, const look &what)
	{
		IRBuilder<> at(before);
		for (auto &part : what.parts) {
			Value *its = at.CreateAdd(
			    address, ConstantInt::get(wide, (uint64_t)(part.first - what.low)));
			call(at, SLOT_TOUCH,
			     {its, ConstantInt::get(wide, part.second), ConstantInt::get(wide, 0)});
		}
	}

	/* The code after it runs only if the cell holds another row, or a shorter part of this
	 * one. */
	Instruction *
	look_up(Instruction *before, Value *recent, Value *address, Value *n, Value *kind)
	{
		IRBuilder<> at(before);
		auto number = [&](uint64_t k) { return ConstantInt::get(wide, k); };
		Value *mixed = at.CreateMul(address, number(ROW_FACTOR));
		Value *place = at.CreateAnd(at.CreateLShr(mixed, ROW_SHIFT), number(ROW_MASK));
		Value *cell =
		    at.CreateAdd(at.CreateAdd(recent, place), number(RECENT_N << CELL_BITS));
		Value *found[3];
		for (unsigned i = 0; i < 3; i++) {
			Value *where = at.CreateAdd(cell, number(8 * i));
			found[i] = at.CreateLoad(wide, at.CreateIntToPtr(where, pointer_to(wide)));
		}
		Value *differs =
		    at.CreateOr(at.CreateXor(found[0], address), at.CreateXor(found[2], kind));
		Value *is_less = at.CreateICmpULT(found[1], n);
		return split(at.CreateOr(at.CreateIsNotNull(differs), is_less), before, nullptr);
	}

	void
	tell_stretch(Instruction *before, Value *pointer, Value *length)
	{
		Value *recent;
		IRBuilder<> at(ask(before, recent));
		Value *address = at.CreatePtrToInt(pointer, wide);
		Value *n_bytes = at.CreateZExtOrTrunc(length, wide);
		Value *kind = ConstantInt::get(wide, 0);
		at.SetInsertPoint(look_up(&*at.GetInsertPoint(), recent, address, n_bytes, kind));
		call(at, SLOT_TOUCH, {address, n_bytes, ConstantInt::get(wide, 1)});
	}

	/* Each element selected by the mask is an access of its own. */
	void
	tell_elements(const access &a)
	{
		unsigned n = cast<FixedVectorType>(a.mask->getType())->getNumElements();
		for (unsigned i = 0; i < n; i++) {
			IRBuilder<> at(a.at);
			Value *is_on = at.CreateExtractElement(a.mask, i);
			IRBuilder<> on(split(is_on, a.at, nullptr));
			Value *one =
			    a.pointer->getType()->isVectorTy()
				? on.CreatePtrToInt(on.CreateExtractElement(a.pointer, i), wide)
				: on.CreateAdd(on.CreatePtrToInt(a.pointer, wide),
			                       ConstantInt::get(wide, i * a.n_bytes));
			Value *pointer = on.CreateIntToPtr(one, pointer_to(on.getInt8Ty()));
			tell({&*on.GetInsertPoint(), pointer, 0, a.n_bytes, {{0, a.n_bytes}}});
		}
	}

      public:
	teller(Function &f, GlobalVariable *s, std::vector<quiet_loop> &l,
	       std::vector<AllocaInst *> &r)
	    : function(f), slot(s), context(f.getContext()), wide(Type::getInt64Ty(context)),
	      loops(l), registers(r), cells_of(l.size())
	{
		for (const quiet_loop &loop : loops) /* before blocks are split */
			ends.push_back(loop.before->getTerminator());
	}

	void
	tell(const look &what)
	{
		uint64_t starts = 0;
		for (auto &part : what.parts)
			starts |= (uint64_t)1 << (part.first - what.low);
		auto number = [&](uint64_t n) { return ConstantInt::get(wide, n); };

		Value *recent;
		Instruction *end = ask(what.before, recent);
		BasicBlock *behind = what.before->getParent();
		IRBuilder<> at(end);
		Value *address =
		    at.CreateAdd(at.CreatePtrToInt(what.pointer, wide), number((uint64_t)what.low));
		Value *place = at.CreateAnd(at.CreateLShr(address, LINE_BITS - CELL_BITS),
		                            number((uint64_t)(RECENT_N - 1) << CELL_BITS));
		Value *cell = at.CreateAdd(recent, place);
		Value *line = at.CreateLoad(wide, at.CreateIntToPtr(cell, pointer_to(wide)));
		Value *from = at.CreateXor(address, line);
		Value *is_other = at.CreateICmpUGT(from, number(LINE_BYTES - what.n_bytes));
		Instruction *told = split(is_other, end, odds(false));
		tell_parts(told, address, what);
		told->setSuccessor(0, behind);

		at.SetInsertPoint(end);
		Value *where = at.CreateIntToPtr(at.CreateAdd(cell, number(8)), pointer_to(wide));
		Value *known = at.CreateLoad(wide, where);
		Value *its = at.CreateShl(number(starts), from);
		Value *both = at.CreateAnd(known, its);
		Value *is_new =
		    what.parts.size() == 1 ? at.CreateIsNull(both) : at.CreateICmpNE(both, its);
		IRBuilder<> set(split(is_new, end, nullptr));
		set.CreateStore(set.CreateOr(known, its), where);
	}

	void
	tell(const access &a)
	{
		if (a.mask)
			tell_elements(a);
		else
			tell_stretch(a.at, a.pointer,
			             a.length ? a.length : ConstantInt::get(wide, a.n_bytes));
	}

	void
	tell(const row &what)
	{
		if (what.steps.empty()) {
			IRBuilder<> at(what.before);
			Value *pointer =
			    at.CreateIntToPtr(what.address, pointer_to(at.getInt8Ty()));
			tell({what.before, pointer, 0, what.n_bytes, {{0, what.n_bytes}}});
			return;
		}
		Type *type = ArrayType::get(wide, STEPS_WORDS_N);
		Value *recent;
		IRBuilder<> at(ask(what.before, recent));
		if (!steps)
			steps = new_variable(type);
		if (what.steps.size() == 1) {
			Value *kind =
			    at.CreateOr(at.CreateShl(what.steps[0].step, ROW_KIND_SHIFT),
			                ConstantInt::get(wide, what.n_bytes));
			at.SetInsertPoint(look_up(&*at.GetInsertPoint(), recent, what.address,
			                          what.steps[0].n, kind));
		}
		std::vector<Value *> words = {what.address, ConstantInt::get(wide, what.n_bytes)};
		for (auto &one : what.steps) {
			words.push_back(one.step);
			words.push_back(one.n);
		}
		while (words.size() < STEPS_WORDS_N)
			words.push_back(ConstantInt::get(wide, words.size() % 2));
		for (unsigned i = 0; i < STEPS_WORDS_N; i++)
			at.CreateStore(words[i], at.CreateConstInBoundsGEP2_32(type, steps, 0, i));
		call(at, SLOT_TOUCH_EACH, {steps});
	}
};

void
put_footprints(Function &function, const tellings &what, GlobalVariable *slot,
               std::vector<quiet_loop> &loops, std::vector<AllocaInst *> &registers)
{
	teller t(function, slot, loops, registers);
	for (const access &one : what.others)
		t.tell(one);
	for (const look &one : what.looks)
		t.tell(one);
	for (const row &one : what.rows)
		t.tell(one);
}

} /* namespace count */
