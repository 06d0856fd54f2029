/* SPDX-License-Identifier: MIT */
/*
 * rows.cc - decides where accesses are recorded.
 *
 * The footprint of a grain does not depend on the order or number of its accesses. So, between two
 * calls after which another grain may run: accesses at known distances are recorded together; an
 * access dominated by another to the same address is not recorded; one whose address is
 * loop-invariant is recorded before the loop; and accesses at constant strides in a loop with a
 * known trip count are recorded as a row, before the loop. Each access of a row must be executed:
 * its block runs once per iteration, and the loop has a single exit, at the end of an iteration.
 */
#include "plugin/clang/count/count.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <algorithm>
#include <map>

using namespace llvm;

namespace count
{

enum {
	ROW_TURNS_MIN = 4, /* with fewer iterations, single accesses are as cheap */
	GROUPS_MAX = 24    /* candidates tried for an access */
};

/* A row as symbolic expressions: address, and count of each step. */
struct formula {
	Instruction *before;
	const SCEV *address;
	uint64_t n_bytes;
	struct {
		const SCEV *step, *n;
	} of[STEPS_N];
	unsigned n_of;
};

class row_finder
{
	Function &function;
	const quiet_functions &quiet;
	const std::vector<quiet_loop> &loops;
	ScalarEvolution &evolution;
	LoopInfo &all_loops;
	DominatorTree dominators;
	SCEVExpander expander;
	Type *wide;
	bool is_all_quiet = true;
	tellings out;
	std::vector<formula> formulas;
	std::map<std::pair<Value *, int64_t>, std::vector<std::pair<BasicBlock *, uint64_t>>> told;

	bool
	is_safe(const SCEV *s)
	{
#if LLVM_VERSION_MAJOR >= 15
		return expander.isSafeToExpand(s);
#else
		return isSafeToExpand(s, evolution);
#endif
	}

	/* Region in which no grain switches: 0 is none, -1 the whole function. */
	int
	region_of(BasicBlock *block)
	{
		for (size_t i = 0; i < loops.size(); i++)
			if (loops[i].blocks.count(block))
				return (int)i + 1;
		return is_all_quiet ? -1 : 0;
	}

	/* The block runs in every iteration of the loop. */
	bool
	is_passed(BasicBlock *block, Loop *loop)
	{
		BasicBlock *latch = loop->getLoopLatch();
		SmallVector<BasicBlock *, 8> exiting;
		loop->getExitingBlocks(exiting);
		if (!latch || !loop->getLoopPreheader() || !dominators.dominates(block, latch))
			return false;
		for (BasicBlock *one : exiting)
			if (!dominators.dominates(block, one))
				return false;
		return true;
	}

	/* Trip count in 64 bits; NULL if unknown before the loop. */
	const SCEV *
	turns_of(Loop *loop)
	{
		if (loop->getExitingBlock() != loop->getLoopLatch())
			return nullptr;
		unsigned known = evolution.getSmallConstantTripCount(loop);
		const SCEV *n = evolution.getBackedgeTakenCount(loop);
		if ((known && known < ROW_TURNS_MIN) || isa<SCEVCouldNotCompute>(n))
			return nullptr;
		if (evolution.getTypeSizeInBits(n->getType()) > 64)
			return nullptr;
		n = evolution.getTruncateOrZeroExtend(n, wide);
		return evolution.getAddExpr(n, evolution.getOne(wide));
	}

	bool
	is_fixed(const formula &f, Loop *loop)
	{
		for (unsigned i = 0; i < f.n_of; i++)
			if (!evolution.isLoopInvariant(f.of[i].step, loop) ||
			    !evolution.isLoopInvariant(f.of[i].n, loop))
				return false;
		return true;
	}

	/* Hoists the row out of one more loop, if possible. */
	bool
	leave(formula &f, Loop *loop)
	{
		if (!is_passed(f.before->getParent(), loop) || !is_fixed(f, loop))
			return false;
		formula next = f;
		if (!evolution.isLoopInvariant(f.address, loop)) {
			auto *row = dyn_cast<SCEVAddRecExpr>(f.address);
			const SCEV *n = turns_of(loop);
			if (!row || row->getLoop() != loop || !row->isAffine() || !n ||
			    f.n_of == STEPS_N)
				return false;
			next.address = row->getStart();
			const SCEV *step = row->getStepRecurrence(evolution);
			next.of[f.n_of] = {evolution.getTruncateOrSignExtend(step, wide), n};
			next.n_of++;
		}
		bool is_possible = is_safe(next.address);
		for (unsigned i = 0; i < next.n_of; i++)
			is_possible =
			    is_possible && is_safe(next.of[i].step) && is_safe(next.of[i].n);
		if (!is_possible)
			return false;
		next.before = loop->getLoopPreheader()->getTerminator();
		f = next;
		return true;
	}

	bool
	take_out(const access &a)
	{
		BasicBlock *block = a.at->getParent();
		int region = region_of(block);
		if (!region || !evolution.isSCEVable(a.pointer->getType()))
			return false;
		formula f = {a.at, evolution.getSCEV(a.pointer), a.n_bytes, {}, 0};
		Loop *loop = all_loops.getLoopFor(block);
		while (
		    loop &&
		    (region == -1 || loops[(size_t)region - 1].blocks.count(loop->getHeader())) &&
		    leave(f, loop))
			loop = loop->getParentLoop();
		if (f.before == a.at)
			return false;
		formulas.push_back(f);
		return true;
	}

	/* Expressions of loops that do not contain the block have the values of the last iteration,
	 * which may differ. */
	bool
	is_of_here(const SCEV *s, BasicBlock *block)
	{
		return !SCEVExprContains(s, [&](const SCEV *part) {
			auto *row = dyn_cast<SCEVAddRecExpr>(part);
			return row && !row->getLoop()->contains(block);
		});
	}

	bool
	distance(const access &a, const access &b, int64_t &n_bytes)
	{
		if (a.pointer == b.pointer) {
			n_bytes = 0;
			return true;
		}
		const SCEV *of_a = evolution.getSCEV(a.pointer),
			   *of_b = evolution.getSCEV(b.pointer);
		BasicBlock *block = a.at->getParent();
		if (!is_of_here(of_a, block) || !is_of_here(of_b, block))
			return false;
		auto *known = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(of_a, of_b));
		if (!known || !known->getAPInt().isSignedIntN(32))
			return false;
		n_bytes = known->getAPInt().getSExtValue();
		return true;
	}

	/* The same address was recorded on every path to here. */
	bool
	is_told(const access &a, int region)
	{
		if (!region)
			return false;
		const DataLayout &layout = function.getParent()->getDataLayout();
		APInt offset(layout.getIndexTypeSizeInBits(a.pointer->getType()), 0);
		Value *base = a.pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
		BasicBlock *block = a.at->getParent();
		auto &before = told[{base, offset.getSExtValue()}];
		for (auto &one : before)
			if (one.second >= a.n_bytes && region_of(one.first) == region &&
			    dominators.dominates(one.first, block))
				return true;
		before.push_back({block, a.n_bytes});
		return false;
	}

	static bool
	join(look &to, int64_t at, uint64_t n_bytes)
	{
		int64_t low = std::min(to.low, at);
		int64_t high = std::max(to.low + (int64_t)to.n_bytes, at + (int64_t)n_bytes);
		if (high - low > LINE_BYTES)
			return false;
		to.low = low;
		to.n_bytes = (uint64_t)(high - low);
		for (auto &one : to.parts)
			if (one.first == at) {
				one.second = std::max(one.second, n_bytes);
				return true;
			}
		to.parts.push_back({at, n_bytes});
		return true;
	}

	void
	look_at(const access &a, std::vector<std::pair<access, look>> &groups)
	{
		size_t first = groups.size() > GROUPS_MAX ? groups.size() - GROUPS_MAX : 0;
		int64_t from;
		for (size_t i = first; i < groups.size(); i++)
			if (distance(a, groups[i].first, from) &&
			    join(groups[i].second, from, a.n_bytes))
				return;
		look one = {a.at, a.pointer, 0, a.n_bytes, {{0, a.n_bytes}}};
		groups.push_back({a, one});
	}

	/* --- merging rows --- */

	bool
	is_like(const formula &a, const formula &b, int64_t &from)
	{
		if (a.before != b.before || a.n_bytes != b.n_bytes || a.n_of != b.n_of)
			return false;
		for (unsigned i = 0; i < a.n_of; i++)
			if (a.of[i].step != b.of[i].step || a.of[i].n != b.of[i].n)
				return false;
		auto *known = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(a.address, b.address));
		if (!known || !known->getAPInt().isSignedIntN(32))
			return false;
		from = known->getAPInt().getSExtValue();
		return true;
	}

	/* Rows that interleave at constant strides become one row with a shorter step. */
	static bool
	is_comb(const std::vector<int64_t> &at, int64_t step)
	{
		int64_t n = (int64_t)at.size();
		if (n < 2 || step <= 0 || step % n)
			return false;
		for (int64_t i = 0; i < n; i++)
			if (at[(size_t)i] != at[0] + i * (step / n))
				return false;
		return true;
	}

	void
	put_row(const formula &f, int64_t from, int64_t finer)
	{
		IRBuilder<> at(f.before);
		row made = {f.before, nullptr, f.n_bytes, {}};
		Value *address = expander.expandCodeFor(f.address, nullptr, f.before);
		at.SetInsertPoint(f.before);
		if (address->getType()->isPointerTy())
			address = at.CreatePtrToInt(address, wide);
		made.address = at.CreateAdd(address, ConstantInt::get(wide, (uint64_t)from));
		for (unsigned i = 0; i < f.n_of; i++) {
			Value *step = expander.expandCodeFor(f.of[i].step, wide, f.before);
			Value *n = expander.expandCodeFor(f.of[i].n, wide, f.before);
			at.SetInsertPoint(f.before);
			if (i == 0 && finer > 1) {
				auto *known = cast<SCEVConstant>(f.of[0].step);
				int64_t bytes = known->getAPInt().getSExtValue() / finer;
				step = ConstantInt::get(wide, (uint64_t)bytes);
				n = at.CreateMul(n, ConstantInt::get(wide, (uint64_t)finer));
			}
			made.steps.push_back({step, n});
		}
		out.rows.push_back(made);
	}

	void
	put_rows()
	{
		std::vector<bool> is_done(formulas.size());
		for (size_t i = 0; i < formulas.size(); i++) {
			if (is_done[i])
				continue;
			std::vector<int64_t> at = {0};
			int64_t from;
			for (size_t k = i + 1; k < formulas.size(); k++)
				if (!is_done[k] && is_like(formulas[k], formulas[i], from)) {
					is_done[k] = true;
					at.push_back(from);
				}
			std::sort(at.begin(), at.end());
			at.erase(std::unique(at.begin(), at.end()), at.end());
			const SCEVConstant *step =
			    formulas[i].n_of ? dyn_cast<SCEVConstant>(formulas[i].of[0].step)
					     : nullptr;
			if (step && is_comb(at, step->getAPInt().getSExtValue())) {
				put_row(formulas[i], at[0], (int64_t)at.size());
				continue;
			}
			for (int64_t one : at)
				put_row(formulas[i], one, 1);
		}
	}

      public:
	row_finder(Function &f, const quiet_functions &q, const std::vector<quiet_loop> &l,
	           FunctionAnalysisManager &analyses)
	    : function(f), quiet(q), loops(l),
	      evolution(analyses.getResult<ScalarEvolutionAnalysis>(f)),
	      all_loops(analyses.getResult<LoopAnalysis>(f)), dominators(f),
#if LLVM_VERSION_MAJOR >= 22
	      expander(evolution, "winnow"),
#else
	      expander(evolution, f.getParent()->getDataLayout(), "winnow"),
#endif
	      wide(Type::getInt64Ty(f.getContext()))
	{
		for (BasicBlock &block : f)
			for (Instruction &at : block)
				if (auto *call = dyn_cast<CallBase>(&at))
					is_all_quiet = is_all_quiet && !quiet.may_switch(*call);
	}

	tellings
	find(const plan &plans)
	{
		ReversePostOrderTraversal<Function *> order(&function);
		for (BasicBlock *block : order)
			for (const segment &s : plans.find(block)->second.segments) {
				std::vector<std::pair<access, look>> groups;
				for (const access &a : s.accesses) {
					if (a.mask || a.length || a.n_bytes > LINE_BYTES)
						out.others.push_back(a);
					else if (!is_told(a, region_of(block)) && !take_out(a))
						look_at(a, groups);
				}
				for (auto &one : groups)
					out.looks.push_back(one.second);
			}
		put_rows();
		return out;
	}
};

tellings
find_tellings(Function &function, const plan &plans, const quiet_functions &quiet,
              const std::vector<quiet_loop> &loops, FunctionAnalysisManager &analyses)
{
	return row_finder(function, quiet, loops, analyses).find(plans);
}

} /* namespace count */
