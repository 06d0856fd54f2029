/* SPDX-License-Identifier: MIT */
/*
 * oracle.cc - the slow, obvious twin of the plug-in that counts: a call before every instruction, which
 * says what the instruction is called, and one before every access with its address. All judgement
 * is in oracle.c, when the program runs.
 */
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

#include <string>
#include <vector>

using namespace llvm;

namespace
{

/* i: a number, f: floating point, v: a vector, of what the instruction makes or takes. */
std::string
letter(Type *type)
{
	return type->isVectorTy() ? "v" : type->isFloatingPointTy() ? "f" : "i";
}

/* "add i", "load atomic", "call llvm.memcpy", "getelementptr zero" */
std::string
name_of(Instruction &at)
{
	std::string name = at.getOpcodeName();
	if (auto *call = dyn_cast<CallBase>(&at)) {
		if (call->isInlineAsm())
			return "asm";
		Function *callee = call->getCalledFunction();
		std::string its = callee ? callee->getName().str() : "";
		if (its.rfind("llvm.", 0) != 0)
			return "call";
		std::string letters = " " + letter(at.getType());
		if (call->arg_size() > 0)
			letters += letter(call->getArgOperand(0)->getType());
		return its + letters;
	}
	if (at.isAtomic() && (isa<LoadInst>(at) || isa<StoreInst>(at)))
		return name + " atomic";
	if (auto *room = dyn_cast<AllocaInst>(&at))
		return name + (room->isStaticAlloca() ? " fixed" : " moving");
	if (auto *address = dyn_cast<GetElementPtrInst>(&at)) {
		for (Value *index : address->indices()) {
			auto *number = dyn_cast<ConstantInt>(index);
			if (!number || !number->isZero())
				return name + " " + letter(at.getType());
		}
		return name + " zero";
	}
	if (auto *cast = dyn_cast<CastInst>(&at)) {
		if (cast->isNoopCast(at.getModule()->getDataLayout()))
			return "nothing";
		return name + " " + letter(cast->getSrcTy()) + letter(cast->getDestTy());
	}
	if (isa<CmpInst>(at))
		return name + " " + letter(at.getOperand(0)->getType());
	return name + " " + letter(at.getType());
}

Value *
text(IRBuilder<> &at, const std::string &words)
{
#if LLVM_VERSION_MAJOR >= 20
	return at.CreateGlobalString(words);
#else
	return at.CreateGlobalStringPtr(words);
#endif
}

/* They call nothing back, so that code that counts goes on as if they were not there. */
FunctionCallee
quiet(FunctionCallee callee)
{
	auto *function = cast<Function>(callee.getCallee()->stripPointerCasts());
	for (auto what : {Attribute::NoSync, Attribute::NoUnwind, Attribute::WillReturn,
	                  Attribute::NoCallback})
		function->addFnAttr(what);
	return callee;
}

class oracle_pass : public PassInfoMixin<oracle_pass>
{
	void
	put_access(Instruction &at, Value *pointer, Value *n_bytes, int kind)
	{
		IRBuilder<> b(&at);
		Module &module = *at.getModule();
		Type *wide = b.getInt64Ty();
		FunctionCallee told = module.getOrInsertFunction("oracle_access", b.getVoidTy(), wide,
		                                                 wide, wide);
		b.CreateCall(quiet(told), {b.CreatePtrToInt(pointer, wide), b.CreateZExtOrTrunc(n_bytes, wide),
		                    b.getInt64((uint64_t)kind)});
	}

	void
	put_accesses(Instruction &at)
	{
		const DataLayout &layout = at.getModule()->getDataLayout();
		auto bytes = [&](Type *type) {
			uint64_t n = layout.getTypeStoreSize(type).getFixedValue();
			return ConstantInt::get(Type::getInt64Ty(at.getContext()), n);
		};
		if (auto *load = dyn_cast<LoadInst>(&at))
			put_access(at, load->getPointerOperand(), bytes(at.getType()), 1);
		if (auto *store = dyn_cast<StoreInst>(&at))
			put_access(at, store->getPointerOperand(),
			           bytes(store->getValueOperand()->getType()), 2);
		if (auto *change = dyn_cast<AtomicRMWInst>(&at))
			put_access(at, change->getPointerOperand(), bytes(at.getType()), 3);
		if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&at))
			put_access(at, exchange->getPointerOperand(),
			           bytes(exchange->getNewValOperand()->getType()), 3);
		if (auto *copy = dyn_cast<MemTransferInst>(&at))
			put_access(at, copy->getRawSource(), copy->getLength(), 1 | 4);
		if (auto *fill = dyn_cast<MemIntrinsic>(&at))
			put_access(at, fill->getRawDest(), fill->getLength(), 2 | 4);
	}

	void
	put_frame(Function &function)
	{
		Module &module = *function.getParent();
		BasicBlock &entry = function.getEntryBlock();
		IRBuilder<> b(&entry, entry.getFirstInsertionPt());
		Type *wide = b.getInt64Ty();
		Value *frame = b.CreateIntrinsic(Intrinsic::addressofreturnaddress,
#if LLVM_VERSION_MAJOR >= 15
		                                 {PointerType::get(b.getContext(), 0)},
#else
		                                 {b.getInt8PtrTy()},
#endif
		                                 {});
		b.CreateCall(module.getOrInsertFunction("oracle_enter", b.getVoidTy(), wide),
		             {b.CreatePtrToInt(frame, wide)});
		for (BasicBlock &block : function)
			if (isa<ReturnInst>(block.getTerminator()))
				IRBuilder<>(block.getTerminator())
				    .CreateCall(module.getOrInsertFunction("oracle_leave", b.getVoidTy()));
	}

      public:
	static bool
	isRequired()
	{
		return true;
	}

	PreservedAnalyses
	run(Module &module, ModuleAnalysisManager &)
	{
		std::vector<Instruction *> all;
		for (Function &function : module)
			for (BasicBlock &block : function)
				for (Instruction &at : block)
					if (!isa<PHINode>(at) && !isa<LandingPadInst>(at))
						all.push_back(&at);
		for (Instruction *at : all) {
			/* before what makes a call of the tail, nothing may come between */
			IRBuilder<> b(at);
			Instruction *last = at->getPrevNode();
			if (isa<ReturnInst>(at) && last && isa<CallInst>(last) &&
			    cast<CallInst>(last)->isMustTailCall())
				b.SetInsertPoint(last);
			put_accesses(*at);
			Value *name = text(b, name_of(*at));
			b.CreateCall(quiet(module.getOrInsertFunction("oracle_instruction",
			                                              b.getVoidTy(),
			                                              name->getType())),
			             {name});
		}
		/* the code of tasks and regions: all that the runtime is given */
		for (Function &function : module) {
			bool is_given = function.getName() == "main";
			for (User *user : function.users())
				if (auto *call = dyn_cast<CallBase>(user))
					if (call->getCalledFunction() &&
					    (call->getCalledFunction()->getName() == "__kmpc_fork_call" ||
					     call->getCalledFunction()->getName() == "__kmpc_omp_task_alloc"))
						is_given = true;
			for (User *user : function.users()) /* typed pointers are cast */
				for (User *further : user->users())
					if (auto *call = dyn_cast<CallBase>(further))
						if (!isa<Instruction>(user) && call->getCalledFunction() &&
						    (call->getCalledFunction()->getName() == "__kmpc_fork_call" ||
						     call->getCalledFunction()->getName() ==
						         "__kmpc_omp_task_alloc"))
							is_given = true;
			if (is_given && !function.isDeclaration())
				put_frame(function);
		}
		return PreservedAnalyses::none();
	}
};

} /* namespace */

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo()
{
	PassPluginLibraryInfo info = {};
	info.APIVersion = LLVM_PLUGIN_API_VERSION;
	info.PluginName = "count-oracle";
	info.PluginVersion = LLVM_VERSION_STRING;
	info.RegisterPassBuilderCallbacks = [](PassBuilder &builder) {
		builder.registerOptimizerLastEPCallback([](ModulePassManager &passes, OptimizationLevel
#if LLVM_VERSION_MAJOR >= 20
		                                           ,
		                                           ThinOrFullLTOPhase
#endif
		                                        ) { passes.addPass(oracle_pass()); });
	};
	return info;
}
