/* SPDX-License-Identifier: MIT */
/*
 * emit.cc - emits the additions.
 *
 * Outside of loops each nonzero property is one addition to the thread's slot. In a loop without
 * grain switches an addition increments a register, one per place; at the loop's exits the
 * register, multiplied, is added to the slot. Recursive functions only count executions
 * (recursive.cc).
 */
#include "plugin/clang/count/count.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace count
{

emitter::emitter(Function &f, GlobalVariable *s, std::vector<quiet_loop> &l, hits *h)
    : function(f), slot(s), kept(h), loops(l), counters(l.size()), sums(l.size())
{
	for (size_t i = 0; i < loops.size(); i++)
		for (auto &one : loops[i].blocks)
			loop_of[one.first] = (int)i + 1;
}

AllocaInst *
emitter::new_register()
{
	BasicBlock &entry = function.getEntryBlock();
	IRBuilder<> at(&entry, entry.begin());
	AllocaInst *made = at.CreateAlloca(at.getInt64Ty());
	at.SetInsertPoint(made->getNextNode());
	at.CreateStore(at.getInt64(0), made);
	registers.push_back(made);
	return made;
}

/* The instruction before which inserted code is on this edge and on no other. */
Instruction *
emitter::split(BasicBlock *from, BasicBlock *to)
{
	Instruction *end = from->getTerminator();
	if (from->getUniqueSuccessor())
		return end;
	if (to->getUniquePredecessor() && to != &function.getEntryBlock())
		return &*to->getFirstInsertionPt();
	BasicBlock *between = BasicBlock::Create(function.getContext(), "", &function, to);
	Instruction *jump = IRBuilder<>(between).CreateBr(to);
	jump->setDebugLoc(end->getDebugLoc());
	unsigned n_edges = 0;
	for (unsigned i = 0; i < end->getNumSuccessors(); i++)
		if (end->getSuccessor(i) == to) {
			end->setSuccessor(i, between);
			n_edges++;
		}
	for (PHINode &choice : to->phis()) {
		choice.setIncomingBlock((unsigned)choice.getBasicBlockIndex(from), between);
		for (unsigned i = 1; i < n_edges; i++)
			choice.removeIncomingValue(from, false);
	}
	int loop = loop_of.lookup(from);
	if (loop && loop_of.lookup(to) == loop) {
		loop_of[between] = loop;
		loops[(size_t)loop - 1].blocks[between] = true;
	}
	return jump;
}

static void
add_to_register(IRBuilder<> &at, AllocaInst *to, Value *amount)
{
	at.CreateStore(at.CreateAdd(at.CreateLoad(at.getInt64Ty(), to), amount), to);
}

void
put_sum(IRBuilder<> &at, Constant *place, Value *amount)
{
	LoadInst *before = at.CreateAlignedLoad(at.getInt64Ty(), place, Align(8));
	at.CreateAlignedStore(at.CreateAdd(before, amount), place, Align(8));
}

void
emitter::add(IRBuilder<> &at, property of, Value *amount)
{
	put_sum(at, word_of(slot, of), amount);
}

void
emitter::put(const addition &a)
{
	Instruction *before = a.to ? split(a.from, a.to) : a.before;
	IRBuilder<> at(before);
	int loop = a.to ? loop_of.lookup(a.from) : 0;
	if (loop && loop_of.lookup(a.to) == loop) {
		AllocaInst *counter = new_register();
		counters[(size_t)loop - 1].push_back({counter, a.amount});
		add_to_register(at, counter, at.getInt64(1));
		return;
	}
	if (kept) {
		put_sum(at, kept->of(a.amount), at.getInt64(1));
		return;
	}
	for (int i = 0; i < PROPERTY_N; i++)
		if (a.amount.n[i])
			add(at, (property)i, at.getInt64((uint64_t)a.amount.n[i]));
}

void
emitter::put_terms(Instruction *before, const std::vector<term> &terms)
{
	IRBuilder<> at(before);
	int loop = loop_of.lookup(before->getParent());
	for (int i = 0; i < PROPERTY_N; i++) {
		MapVector<Value *, int64_t> times;
		Value *sum = nullptr;
		for (const term &t : terms)
			if (t.of == i)
				times[t.value] += t.times;
		for (auto &one : times) {
			Value *part =
			    one.second == 1
				? one.first
				: at.CreateMul(one.first, at.getInt64((uint64_t)one.second));
			sum = sum ? at.CreateAdd(sum, part) : part;
		}
		if (!sum)
			continue;
		if (!loop) {
			add(at, (property)i, sum);
			continue;
		}
		AllocaInst *&its = sums[(size_t)loop - 1][(unsigned)i];
		if (!its)
			its = new_register();
		add_to_register(at, its, sum);
	}
}

/* An opaque copy of the number, so that the optimiser does not turn its products into further
 * induction variables. */
static Value *
hide(IRBuilder<> &at, Value *number)
{
	FunctionType *type = FunctionType::get(at.getInt64Ty(), {at.getInt64Ty()}, false);
	return at.CreateCall(type, InlineAsm::get(type, "", "=r,0", false), {number});
}

/* Adds the loop's registers to the slot and resets them. */
void
emitter::settle(size_t loop, Instruction *before)
{
	IRBuilder<> at(before);
	std::vector<Value *> n;
	for (auto &one : counters[loop]) {
		Value *number = at.CreateLoad(at.getInt64Ty(), one.first);
		if (kept)
			put_sum(at, kept->of(one.second), number);
		else
			n.push_back(hide(at, number));
		at.CreateStore(at.getInt64(0), one.first);
	}
	for (int i = 0; i < PROPERTY_N; i++) {
		Value *sum = nullptr;
		for (size_t k = 0; k < n.size(); k++) {
			int64_t times = counters[loop][k].second.n[i];
			if (!times)
				continue;
			Value *part =
			    times == 1 ? n[k] : at.CreateMul(n[k], at.getInt64((uint64_t)times));
			sum = sum ? at.CreateAdd(sum, part) : part;
		}
		auto of = sums[loop].find((unsigned)i);
		if (of != sums[loop].end()) {
			Value *part = hide(at, at.CreateLoad(at.getInt64Ty(), of->second));
			at.CreateStore(at.getInt64(0), of->second);
			sum = sum ? at.CreateAdd(sum, part) : part;
		}
		if (sum)
			add(at, (property)i, sum);
	}
}

void
emitter::finish(std::vector<AllocaInst *> &out)
{
	for (size_t i = 0; i < loops.size(); i++) {
		MapVector<std::pair<BasicBlock *, BasicBlock *>, bool> exits;
		if (counters[i].empty() && sums[i].empty())
			continue;
		for (BasicBlock &block : function)
			for (BasicBlock *next : successors(&block))
				if (loops[i].blocks.count(&block) && !loops[i].blocks.count(next))
					exits[{&block, next}] = true;
		for (auto &[way, is_exit] : exits)
			settle(i, split(way.first, way.second));
	}
	out = registers;
}

} /* namespace count */
