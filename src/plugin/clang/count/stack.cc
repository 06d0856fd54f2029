/* SPDX-License-Identifier: MIT */
/*
 * stack.cc - classifies accesses to the grain's own stack frames.
 *
 * A local variable is in a frame; a global or fresh heap memory is not. For other pointers the
 * program checks, once where the pointer is computed, whether it lies between the stack pointer and
 * the frame of the function that is the grain's code. That function stores its frame's address on
 * entry and restores the previous one on return, so a task that runs inside a wait of another task
 * does not count the other's frames as its own.
 */
#include "plugin/clang/count/count.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace count
{

/* The red zone below the stack pointer, where leaf functions keep variables. */
enum { RED_ZONE_BYTES = 128 };

enum whose { OWN, NOBODYS, UNKNOWN };

static Value *
strip(Value *pointer)
{
	for (;;) {
		if (auto *address = dyn_cast<GEPOperator>(pointer))
			pointer = address->getPointerOperand();
		else if (Operator::getOpcode(pointer) == Instruction::BitCast ||
		         Operator::getOpcode(pointer) == Instruction::AddrSpaceCast)
			pointer = cast<Operator>(pointer)->getOperand(0);
		else
			return pointer;
	}
}

static whose
whose_is(const Value *base)
{
	if (isa<AllocaInst>(base))
		return OWN;
	if (isa<Constant>(base))
		return NOBODYS;
	if (auto *argument = dyn_cast<Argument>(base))
		return argument->hasByValAttr() ? OWN : UNKNOWN;
	if (auto *call = dyn_cast<CallBase>(base))
		return call->returnDoesNotAlias() ? NOBODYS : UNKNOWN;
	return UNKNOWN;
}

/* Origin of the pointer: a single value, or the phi or select of several values. */
static Value *
find_base(Value *pointer, whose &out)
{
	Value *first = strip(pointer), *base = nullptr;
	SmallPtrSet<Value *, 8> seen;
	SmallVector<Value *, 8> left = {first};
	bool is_one = true;
	whose kind = UNKNOWN;
	while (!left.empty()) {
		Value *one = strip(left.pop_back_val());
		if (!seen.insert(one).second)
			continue;
		if (auto *choice = dyn_cast<PHINode>(one)) {
			for (Value *from : choice->incoming_values())
				left.push_back(from);
		} else if (auto *either = dyn_cast<SelectInst>(one)) {
			left.push_back(either->getTrueValue());
			left.push_back(either->getFalseValue());
		} else {
			whose its = whose_is(one);
			if (base && its != kind)
				its = UNKNOWN;
			is_one = !base || (is_one && base == one);
			kind = its;
			base = one;
		}
		if (seen.size() > 32) {
			is_one = false;
			kind = UNKNOWN;
			break;
		}
	}
	out = base ? kind : UNKNOWN;
	return is_one && base ? base : first;
}

/* --- run-time checks ---------------------------------------------------------------------- */

static bool
has_moving_stack(const Function &function)
{
	for (const BasicBlock &block : function)
		for (const Instruction &at : block)
			if (auto *room = dyn_cast<AllocaInst>(&at))
				if (!room->isStaticAlloca())
					return true;
	return false;
}

static Value *
stack_pointer(IRBuilder<> &at, const Function &function, bool is_moving)
{
	const char *text = is_for(function, "x86_64")    ? "movq\t%rsp, $0"
	                   : is_for(function, "aarch64") ? "mov\t$0, sp"
	                                                 : nullptr;
	if (!text)
		return frame_address(at);
	FunctionType *type = FunctionType::get(at.getInt64Ty(), false);
	return at.CreateCall(type, InlineAsm::get(type, text, "=r", is_moving));
}

/* The frames of the grain are [low, low + size). */
void
stack_finder::measure(IRBuilder<> &at)
{
	low = at.CreateSub(stack_pointer(at, function, is_moving), at.getInt64(RED_ZONE_BYTES));
	Value *begin = at.CreateLoad(at.getInt64Ty(), top);
	Value *is_known = at.CreateICmpNE(begin, at.getInt64(0));
	size = at.CreateSelect(is_known, at.CreateSub(begin, low), at.getInt64(0));
}

/* 1 or 0 for a pointer; a vector of bits for a vector of pointers. */
Value *
stack_finder::compare(IRBuilder<> &at, Value *pointer)
{
	auto *several = dyn_cast<FixedVectorType>(pointer->getType());
	Value *from = low, *n = size;
	Type *type = at.getInt64Ty();
	if (several) {
		from = at.CreateVectorSplat(several->getNumElements(), low);
		n = at.CreateVectorSplat(several->getNumElements(), size);
		type = FixedVectorType::get(type, several->getNumElements());
	}
	Value *is_own = at.CreateICmpULT(at.CreateSub(at.CreatePtrToInt(pointer, type), from), n);
	return several ? is_own : at.CreateZExt(is_own, type);
}

/* The position right after the pointer is computed. */
Instruction *
stack_finder::place_behind(Value *base, Instruction *use)
{
	if (isa<Argument>(base))
		return behind_entry;
	auto *defined = cast<Instruction>(base);
	if (isa<PHINode>(defined))
		return &*defined->getParent()->getFirstInsertionPt();
	return defined->isTerminator() ? use : defined->getNextNode();
}

Value *
stack_finder::is_own(Value *base, Instruction *use)
{
	if (Value *answer = known.lookup(base))
		return answer;
	Instruction *where = is_moving ? use : place_behind(base, use);
	IRBuilder<> at(where);
	if (is_moving) {
		measure(at);
	} else if (!low) {
		IRBuilder<> first(behind_entry);
		measure(first);
	}
	Value *found = compare(at, base);
	if (!is_moving && (isa<Argument>(base) || !cast<Instruction>(base)->isTerminator()))
		known[base] = found;
	return found;
}

stack_finder::stack_finder(Function &f, Constant *top_of_thread)
    : function(f), top(top_of_thread), is_moving(has_moving_stack(f))
{
	behind_entry = &*f.getEntryBlock().getFirstInsertionPt();
	while (isa<AllocaInst>(behind_entry))
		behind_entry = behind_entry->getNextNode();
}

static Value *
count_bits(IRBuilder<> &at, Value *bits)
{
	unsigned n = cast<FixedVectorType>(bits->getType())->getNumElements();
	Value *number = at.CreateBitCast(bits, at.getIntNTy(n));
	number = at.CreateZExtOrTrunc(number, at.getInt64Ty());
	return at.CreateUnaryIntrinsic(Intrinsic::ctpop, number);
}

/* Reads, writes and bytes that are known only at run time. */
static Value *
count_elements(const access &a, std::vector<term> &terms)
{
	IRBuilder<> at(a.at);
	Value *n = nullptr;
	auto add = [&](property read, property write, Value *value, uint64_t times) {
		if (a.is_read)
			terms.push_back({read, value, (int64_t)times});
		if (a.is_write)
			terms.push_back({write, value, (int64_t)times});
	};
	if (a.length && !isa<ConstantInt>(a.length))
		add(PROPERTY_mem_read_bytes, PROPERTY_mem_write_bytes,
		    at.CreateZExtOrTrunc(a.length, at.getInt64Ty()), 1);
	if (a.mask) {
		n = count_bits(at, a.mask);
		add(PROPERTY_mem_read_bytes, PROPERTY_mem_write_bytes, n, a.n_bytes);
		if (a.pointer->getType()->isVectorTy())
			add(PROPERTY_mem_reads, PROPERTY_mem_writes, n, 1);
	}
	return n;
}

void
stack_finder::count(const access &a, weights &known_ones, std::vector<term> &terms)
{
	bool is_several = a.pointer->getType()->isVectorTy();
	Value *n_elements = count_elements(a, terms);
	whose its = UNKNOWN;
	Value *base = find_base(a.pointer, its);
	Value *n = nullptr;
	if (its == NOBODYS)
		return;
	if (its == OWN) {
		n = is_several ? n_elements : nullptr;
	} else if (base->getType()->isVectorTy()) {
		IRBuilder<> at(a.at);
		n = count_bits(at, at.CreateAnd(is_own(base, a.at), a.mask));
	} else {
		n = is_own(base, a.at);
		if (is_several) {
			IRBuilder<> at(a.at);
			n = at.CreateMul(n, n_elements);
		}
	}
	if (!n) {
		known_ones.n[PROPERTY_stack_reads] += a.is_read;
		known_ones.n[PROPERTY_stack_writes] += a.is_write;
		return;
	}
	if (a.is_read)
		terms.push_back({PROPERTY_stack_reads, n, 1});
	if (a.is_write)
		terms.push_back({PROPERTY_stack_writes, n, 1});
}

/* --- first frame of a grain --------------------------------------------------------------- */

std::vector<Function *>
find_grain_functions(Module &module)
{
	static const char *const takers[] = {"__kmpc_fork_call", "__kmpc_fork_call_if",
	                                     "__kmpc_fork_teams", "__kmpc_omp_task_alloc",
	                                     "__kmpc_omp_target_task_alloc"};
	std::vector<Function *> found;
	SmallPtrSet<Function *, 16> seen;
	for (const char *name : takers) {
		Function *taker = module.getFunction(name);
		if (!taker)
			continue;
		for (User *user : taker->users())
			if (auto *call = dyn_cast<CallBase>(user))
				for (Value *argument : call->args()) {
					auto *code =
					    dyn_cast<Function>(argument->stripPointerCasts());
					if (code && !code->isDeclaration() &&
					    seen.insert(code).second)
						found.push_back(code);
				}
	}
	Function *first = module.getFunction("main");
	if (first && !first->isDeclaration() && seen.insert(first).second)
		found.push_back(first);
	return found;
}

void
put_frame_begin(Function &function, Constant *top)
{
	BasicBlock &entry = function.getEntryBlock();
	IRBuilder<> at(&entry, entry.getFirstInsertionPt());
	Value *before = at.CreateLoad(at.getInt64Ty(), top);
	at.CreateStore(frame_address(at), top);
	for (BasicBlock &block : function) {
		Instruction *end = block.getTerminator();
		if (!isa<ReturnInst>(end) && !isa<ResumeInst>(end))
			continue;
		if (CallInst *last = block.getTerminatingMustTailCall())
			end = last;
		IRBuilder<>(end).CreateStore(before, top);
	}
}

} /* namespace count */
