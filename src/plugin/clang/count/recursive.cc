/* SPDX-License-Identifier: MIT */
/*
 * recursive.cc - recursive functions in which no grain switches.
 *
 * The body of such a function becomes a second function, which calls itself; callers outside the
 * recursion call an entry function. The body does not update properties: it counts executions of
 * each addition in a thread-local variable, and the entry adds the totals up on return. It
 * subtracts from each variable the value that it has read, so that a signal handler that runs the
 * same function in between does not count twice.
 */
#include "plugin/clang/count/count.h"

#include <algorithm>

using namespace llvm;

namespace count
{

/* Larger functions gain little, and would need many variables. */
enum { BLOCKS_MAX = 32 };

GlobalVariable *
hits::of(const weights &amount)
{
	for (auto &one : sums)
		if (std::equal(one.amount.n, one.amount.n + PROPERTY_N, amount.n))
			return one.n;
	Type *wide = Type::getInt64Ty(module.getContext());
	auto *made = new GlobalVariable(module, wide, false, GlobalValue::InternalLinkage,
	                                ConstantInt::get(wide, 0), "winnow_count_hits", nullptr,
	                                GlobalValue::InitialExecTLSModel);
	made->setAlignment(Align(8));
	sums.push_back({amount, made});
	return made;
}

static bool
is_plain(const Function &function)
{
	if (function.isVarArg() || function.size() > BLOCKS_MAX || function.hasComdat() ||
	    function.hasFnAttribute(Attribute::AlwaysInline) || function.getName() == "main")
		return false;
	for (const Argument &one : function.args())
		if (one.hasPassPointeeByValueCopyAttr() || one.hasSwiftErrorAttr() ||
		    one.hasNestAttr())
			return false;
	for (const BasicBlock &block : function) {
		if (block.hasAddressTaken())
			return false;
		for (const Instruction &at : block)
			if (auto *call = dyn_cast<CallInst>(&at))
				if (call->isMustTailCall() ||
				    call->hasFnAttr(Attribute::ReturnsTwice))
					return false;
	}
	return true;
}

/* Direct recursive calls. */
static std::vector<CallInst *>
find_own_calls(Function &function)
{
	std::vector<CallInst *> found;
	for (BasicBlock &block : function)
		for (Instruction &at : block) {
			auto *call = dyn_cast<CallInst>(&at);
			if (call && call->getCalledFunction() == &function)
				found.push_back(call);
		}
	return found;
}

/* Memory attributes inferred by the optimiser no longer hold. */
static void
forget_memory(Function &function)
{
#if LLVM_VERSION_MAJOR >= 16
	function.removeFnAttr(Attribute::Memory);
#else
	for (auto what :
	     {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly, Attribute::ArgMemOnly,
	      Attribute::InaccessibleMemOnly, Attribute::InaccessibleMemOrArgMemOnly})
		function.removeFnAttr(what);
#endif
}

static Function *
move_code(Function &function)
{
	Function *code = Function::Create(function.getFunctionType(), GlobalValue::InternalLinkage,
	                                  function.getAddressSpace(),
	                                  function.getName() + ".counted", function.getParent());
	code->copyAttributesFrom(&function);
	code->setVisibility(GlobalValue::DefaultVisibility);
	code->setDLLStorageClass(GlobalValue::DefaultStorageClass);
	code->setDSOLocal(true);
	code->copyMetadata(&function, 0);
	function.clearMetadata();
#if LLVM_VERSION_MAJOR >= 16
	code->splice(code->begin(), &function);
#else
	code->getBasicBlockList().splice(code->begin(), function.getBasicBlockList());
#endif
	for (auto from = function.arg_begin(), to = code->arg_begin(); from != function.arg_end();
	     ++from, ++to) {
		to->takeName(&*from);
		from->replaceAllUsesWith(&*to);
	}
	return code;
}

std::vector<recursion>
split_recursive(Module &module, const quiet_functions &quiet, const std::vector<Function *> &except)
{
	std::vector<recursion> found;
	for (Function &function : module)
		if (quiet.is(function) && is_plain(function) && !find_own_calls(function).empty() &&
		    std::find(except.begin(), except.end(), &function) == except.end())
			found.push_back({&function, nullptr, nullptr});
	for (recursion &one : found) {
		std::vector<CallInst *> own = find_own_calls(*one.entry);
		one.code = move_code(*one.entry);
		for (CallInst *call : own)
			call->setCalledFunction(one.code);
		forget_memory(*one.entry);
		forget_memory(*one.code);
		IRBuilder<> at(BasicBlock::Create(module.getContext(), "", one.entry));
		std::vector<Value *> arguments;
		for (Argument &argument : one.entry->args())
			arguments.push_back(&argument);
		CallInst *call = at.CreateCall(one.code, arguments);
		call->setCallingConv(one.code->getCallingConv());
		call->setAttributes(one.code->getAttributes());
		one.end = one.entry->getReturnType()->isVoidTy() ? at.CreateRetVoid()
		                                                 : at.CreateRet(call);
	}
	return found;
}

void
add_up(const recursion &one, const hits &of, GlobalVariable *slot)
{
	IRBuilder<> at(one.end);
	Type *wide = at.getInt64Ty();
	std::vector<Value *> n;
	for (auto &sum : of.sums) {
		Value *now = at.CreateAlignedLoad(wide, sum.n, Align(8));
		n.push_back(now);
		Value *rest = at.CreateSub(at.CreateAlignedLoad(wide, sum.n, Align(8), true), now);
		at.CreateAlignedStore(rest, sum.n, Align(8), true);
	}
	for (int i = 0; i < PROPERTY_N; i++) {
		Value *total = nullptr;
		for (size_t k = 0; k < n.size(); k++) {
			int64_t times = of.sums[k].amount.n[i];
			if (!times)
				continue;
			Value *part =
			    times == 1 ? n[k] : at.CreateMul(n[k], at.getInt64((uint64_t)times));
			total = total ? at.CreateAdd(total, part) : part;
		}
		if (total)
			put_sum(at, word_of(slot, (unsigned)i), total);
	}
}

} /* namespace count */
