/* SPDX-License-Identifier: MIT */
/*
 * winnow-clang.cc - a plug-in for clang: makes static loops record each chunk.
 *
 * Clang calls __kmpc_for_static_init once per thread and loop and computes the chunks in line. The
 * pass runs first, on the output of clang's front end, which has the same shape at every level of
 * optimisation:
 *
 *   call __kmpc_for_static_init(.., &lower, &upper, ..)     on = begin(..)           before it
 *   upper = min(upper, last)
 *   iv = lower                                              on && on(lower, upper+1) behind it
 *   while (iv <= upper) { i = first + iv * step; ... }
 *   lower += stride, upper += stride, back, if it is chunked
 *
 * Code of any other shape is left unchanged. The calls are those of doc/static-chunks.md. It is C++
 * because LLVM's C interface cannot register a pass.
 */
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
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
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <string>
#include <vector>

using namespace llvm;

namespace
{

/* Flags read by record/sources/plugin/static.c. */
enum { LOOP_UNSIGNED = 1, LOOP_BOUNDS = 2, LOOP_ENTRY_POINT = 8 };

/* libomp's numbers */
enum { SCHEDULE_MODIFIERS = 3 << 29, SCHEDULE_CHUNKED = 33, SCHEDULE_STATIC = 34 };
enum { IDENT_SECTIONS = 0x400, IDENT_DISTRIBUTE = 0x800 };
enum { ARG_IDENT = 0, ARG_SCHEDULE = 2, ARG_LOWER = 4, ARG_UPPER = 5, N_ARGS = 9 };

const char hook_name[] = "winnow_static_begin";

struct static_loop {
	CallInst *init;
	AllocaInst *lower, *upper, *iv;
	StoreInst *start; /* iv = lower */
	bool is_unsigned; /* of iv */

	/* i = first + iv * step; NULL if not known */
	Value *value, *first, *step;
	bool is_down;
	bool is_user_signed;
	bool is_narrow_unsigned; /* the user's variable is unsigned, but computed as a signed one */
};

/* --- recognising the loop ----------------------------------------------------------------- */

/* Flags in the ident_t of a call; 0 if unknown. */
uint64_t
ident_flags(Value *ident)
{
	auto *global = dyn_cast<GlobalVariable>(ident->stripPointerCasts());
	if (!global || !global->hasInitializer())
		return 0;
	Constant *fields = global->getInitializer();
	auto *flags = dyn_cast_or_null<ConstantInt>(fields->getAggregateElement(1u));
	return flags ? flags->getZExtValue() : 0;
}

bool
is_plain_static(const CallInst *init)
{
	auto *schedule = dyn_cast<ConstantInt>(init->getArgOperand(ARG_SCHEDULE));
	if (!schedule)
		return false;
	uint64_t plain = schedule->getZExtValue() & ~(uint64_t)SCHEDULE_MODIFIERS;
	uint64_t flags = ident_flags(init->getArgOperand(ARG_IDENT));
	return (plain == SCHEDULE_CHUNKED || plain == SCHEDULE_STATIC) &&
	       !(flags & (IDENT_SECTIONS | IDENT_DISTRIBUTE));
}

/* The only address to which the value of `from` is stored unchanged. */
StoreInst *
copy_of(AllocaInst *from)
{
	StoreInst *found = nullptr;
	for (User *user : from->users()) {
		auto *load = dyn_cast<LoadInst>(user);
		if (!load)
			continue;
		for (User *reader : load->users()) {
			auto *store = dyn_cast<StoreInst>(reader);
			if (!store || store->getValueOperand() != load ||
			    !isa<AllocaInst>(store->getPointerOperand()))
				continue;
			if (found)
				return nullptr;
			found = store;
		}
	}
	return found;
}

bool
is_load_of(Value *value, AllocaInst *from)
{
	if (auto *cast = dyn_cast<CastInst>(value))
		value = cast->getOperand(0);
	auto *load = dyn_cast<LoadInst>(value);
	return load && load->getPointerOperand() == from;
}

/* A loop-invariant value before the loop: a constant, or a variable of clang's own. */
bool
is_invariant(Value *value)
{
	if (auto *number = dyn_cast<ConstantInt>(value))
		return number->getBitWidth() <= 64;
	if (auto *cast = dyn_cast<CastInst>(value))
		value = cast->getOperand(0);
	auto *load = dyn_cast<LoadInst>(value);
	return load && isa<AllocaInst>(load->getPointerOperand()) &&
	       load->getType()->isIntegerTy() && load->getType()->getIntegerBitWidth() <= 64;
}

/* Only the first assignment in the body is to the loop variable. */
void
find_variable(static_loop &loop)
{
	for (BasicBlock &block : *loop.init->getFunction())
		for (Instruction &at : block) {
			auto *product = dyn_cast<BinaryOperator>(&at);
			if (!product || product->getOpcode() != Instruction::Mul ||
			    !is_load_of(product->getOperand(0), loop.iv))
				continue;
			if (!product->hasOneUse() || !is_invariant(product->getOperand(1)))
				return;
			auto *sum = dyn_cast<BinaryOperator>(*product->user_begin());
			if (!sum || sum->getOperand(1) != product ||
			    (sum->getOpcode() != Instruction::Add &&
			     sum->getOpcode() != Instruction::Sub) ||
			    !is_invariant(sum->getOperand(0)))
				return;
			loop.value = sum;
			loop.first = sum->getOperand(0);
			loop.step = product->getOperand(1);
			loop.is_down = sum->getOpcode() == Instruction::Sub;
			return;
		}
}

/* A variable narrower than int is computed as a signed one. Its own signedness follows from its
 * extension where its first value is read, or else in the body. */
bool
is_narrow_unsigned(const static_loop &loop)
{
	auto *narrowed =
	    loop.value->hasOneUse() ? dyn_cast<TruncInst>(loop.value->user_back()) : nullptr;
	auto *store = narrowed && narrowed->hasOneUse() ? dyn_cast<StoreInst>(narrowed->user_back())
	                                                : nullptr;
	if (!store)
		return false;
	auto *cast = dyn_cast<CastInst>(loop.first);
	if (cast && cast->getSrcTy() == narrowed->getType())
		return isa<ZExtInst>(cast);
	bool is_unsigned = false;
	for (User *user : store->getPointerOperand()->users()) {
		auto *load = dyn_cast<LoadInst>(user);
		if (!load)
			continue;
		for (User *reader : load->users()) {
			if (isa<SExtInst>(reader))
				return false;
			is_unsigned |= isa<ZExtInst>(reader);
		}
	}
	return is_unsigned;
}

/* What a conditional branch depends on; NULL: it is none. */
Value *
condition_of(Instruction &end)
{
#if LLVM_VERSION_MAJOR >= 23
	auto *branch = dyn_cast<CondBrInst>(&end);
	return branch ? branch->getCondition() : nullptr;
#else
	auto *branch = dyn_cast<BranchInst>(&end);
	return branch && branch->isConditional() ? branch->getCondition() : nullptr;
#endif
}

/* clang counts signed loops with an unsigned variable, too, and checks in the user's type
 * beforehand whether the loop is empty. */
bool
is_user_signed(const static_loop &loop)
{
	if (!loop.is_unsigned)
		return true;
	BasicBlock *block = loop.init->getParent();
	for (int i = 0; i < 8 && block; i++) {
		BasicBlock *before = block->getSinglePredecessor();
		if (Value *condition = before ? condition_of(*before->getTerminator()) : nullptr) {
			auto *compare = dyn_cast<ICmpInst>(condition);
			return compare && compare->isSigned();
		}
		block = before;
	}
	return false;
}

bool
find_shape(static_loop &loop)
{
	if (loop.init->arg_size() != N_ARGS || !is_plain_static(loop.init))
		return false;
	loop.lower = dyn_cast<AllocaInst>(loop.init->getArgOperand(ARG_LOWER));
	loop.upper = dyn_cast<AllocaInst>(loop.init->getArgOperand(ARG_UPPER));
	if (!loop.lower || !loop.upper)
		return false;
	loop.start = copy_of(loop.lower);
	if (!loop.start || loop.start->getFunction() != loop.init->getFunction())
		return false;
	loop.iv = cast<AllocaInst>(loop.start->getPointerOperand());
	if (!loop.start->getValueOperand()->getType()->isIntegerTy())
		return false;
	find_variable(loop);
	if (loop.first) {
		loop.is_user_signed = is_user_signed(loop);
		loop.is_narrow_unsigned = is_narrow_unsigned(loop);
	}
	return true;
}

/* --- the calls ---------------------------------------------------------------------------- */

class hooks
{
	Module &module;
	LLVMContext &context;
	Type *wide, *narrow;
	FunctionType *chunk_type, *begin_type;

	static PointerType *
	pointer_to(Type *type)
	{
#if LLVM_VERSION_MAJOR >= 15
		return PointerType::get(type->getContext(), 0);
#else
		return PointerType::get(type, 0);
#endif
	}

	/* NULL when no recorder defines the hook. In a program at a fixed address the linker would
	 * resolve a plain weak symbol to NULL permanently; a load through the global offset table
	 * is left to the dynamic linker. */
	Value *
	load_hook(IRBuilder<> &at)
	{
#if LLVM_VERSION_MAJOR >= 21
		std::string triple = module.getTargetTriple().str();
#else
		std::string triple = module.getTargetTriple();
#endif
		const char *text = nullptr;
		if (triple.rfind("x86_64", 0) == 0)
			text = ".weak\twinnow_static_begin\n\t"
			       "$(movq\twinnow_static_begin@GOTPCREL(%rip), $0"
			       "$|mov\t$0, qword ptr [rip + winnow_static_begin@GOTPCREL]$)";
		else if (triple.rfind("aarch64", 0) == 0)
			text = ".weak\twinnow_static_begin\n\t"
			       "adrp\t$0, :got:winnow_static_begin\n\t"
			       "ldr\t$0, [$0, :got_lo12:winnow_static_begin]";
		PointerType *type = pointer_to(begin_type);
		if (text) {
			auto *load = FunctionType::get(type, false);
			return at.CreateCall(load, InlineAsm::get(load, text, "=r", false));
		}
		auto *declared =
		    cast<Function>(module.getOrInsertFunction(hook_name, begin_type).getCallee());
		declared->setLinkage(GlobalValue::ExternalWeakLinkage);
		return declared;
	}

	Value *
	extend(IRBuilder<> &at, Value *value, bool is_signed)
	{
		return is_signed ? at.CreateSExt(value, wide) : at.CreateZExt(value, wide);
	}

	/* Evaluates an operand of the body before the loop. */
	Value *
	again(IRBuilder<> &at, Value *value, bool is_signed)
	{
		if (isa<ConstantInt>(value))
			return extend(at, value, is_signed);
		auto *cast = dyn_cast<CastInst>(value);
		auto *load = llvm::cast<LoadInst>(cast ? cast->getOperand(0) : value);
		Value *read = at.CreateLoad(load->getType(), load->getPointerOperand());
		if (cast)
			read = at.CreateCast(cast->getOpcode(), read, cast->getType());
		return extend(at, read, is_signed);
	}

	void
	put_begin(const static_loop &loop, AllocaInst *on)
	{
		IRBuilder<> before(loop.init);
		PointerType *type = pointer_to(chunk_type);
		before.CreateStore(ConstantPointerNull::get(type), on);
		Value *hook = load_hook(before);
		Value *is_there = before.CreateIsNotNull(hook);
		IRBuilder<> at(SplitBlockAndInsertIfThen(is_there, loop.init, false));
		at.SetCurrentDebugLocation(loop.init->getDebugLoc());
		uint32_t flags = LOOP_ENTRY_POINT;
		Value *zero = ConstantInt::get(wide, 0), *first = zero, *step = zero;
		if (loop.first) {
			bool is_unsigned = !loop.is_user_signed || loop.is_narrow_unsigned;
			flags |= LOOP_BOUNDS | (is_unsigned ? (uint32_t)LOOP_UNSIGNED : 0u);
			first = again(at, loop.first, loop.is_user_signed);
			step = again(at, loop.step, loop.is_user_signed);
			step = loop.is_down ? at.CreateNeg(step) : step;
		}
		at.CreateStore(
		    at.CreateCall(begin_type, hook,
		                  {first, step, zero, zero, ConstantInt::get(narrow, flags)}),
		    on);
	}

	/* A thread without a chunk also comes here, and reports the end of its share. */
	void
	put_chunk(const static_loop &loop, AllocaInst *on)
	{
		Instruction *next = loop.start->getNextNode();
		IRBuilder<> before(next);
		before.SetCurrentDebugLocation(loop.init->getDebugLoc());
		Type *type = loop.start->getValueOperand()->getType();
		Value *hook = before.CreateLoad(pointer_to(chunk_type), on);
		Value *is_there = before.CreateIsNotNull(hook);
		IRBuilder<> at(SplitBlockAndInsertIfThen(is_there, next, false));
		at.SetCurrentDebugLocation(loop.init->getDebugLoc());
		Value *first = at.CreateLoad(type, loop.lower);
		Value *last = at.CreateLoad(type, loop.upper);
		Value *is_empty = loop.is_unsigned ? at.CreateICmpUGT(first, last)
		                                   : at.CreateICmpSGT(first, last);
		Value *from = extend(at, first, !loop.is_unsigned);
		Value *past =
		    at.CreateAdd(extend(at, last, !loop.is_unsigned), ConstantInt::get(wide, 1));
		at.CreateCall(chunk_type, hook, {from, at.CreateSelect(is_empty, from, past)});
	}

      public:
	explicit hooks(Module &m)
	    : module(m), context(m.getContext()), wide(Type::getInt64Ty(context)),
	      narrow(Type::getInt32Ty(context)),
	      chunk_type(FunctionType::get(Type::getVoidTy(context), {wide, wide}, false)),
	      begin_type(FunctionType::get(pointer_to(chunk_type), {wide, wide, wide, wide, narrow},
	                                   false))
	{
	}

	void
	put(const static_loop &loop)
	{
		BasicBlock &entry = loop.init->getFunction()->getEntryBlock();
		IRBuilder<> at(&entry, entry.begin());
		AllocaInst *on = at.CreateAlloca(pointer_to(chunk_type));
		at.SetInsertPoint(on->getNextNode());
		put_chunk(loop, on);
		put_begin(loop, on);
	}
};

class hook_pass : public PassInfoMixin<hook_pass>
{
      public:
	PreservedAnalyses run(Module &module, ModuleAnalysisManager &);
	static bool
	isRequired()
	{
		return true;
	}
};

PreservedAnalyses
hook_pass::run(Module &module, ModuleAnalysisManager &)
{
	std::vector<static_loop> found;
	if (module.getFunction("__kmpc_target_init"))
		return PreservedAnalyses::all(); /* code for devices has no recorder */
	for (const char *suffix : {"4", "4u", "8", "8u"}) {
		std::string name = std::string("__kmpc_for_static_init_") + suffix;
		Function *init = module.getFunction(name);
		if (!init)
			continue;
		for (User *user : init->users()) {
			static_loop loop = {};
			loop.init = dyn_cast<CallInst>(user);
			loop.is_unsigned = name.back() == 'u';
			if (loop.init && loop.init->getCalledFunction() == init && find_shape(loop))
				found.push_back(loop);
		}
	}
	hooks h(module);
	for (const static_loop &loop : found)
		h.put(loop);
	return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

void
register_pass(PassBuilder &builder)
{
	builder.registerPipelineStartEPCallback(
	    [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(hook_pass()); });
}

} /* namespace */

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo()
{
	PassPluginLibraryInfo info = {};
	info.APIVersion = LLVM_PLUGIN_API_VERSION;
	info.PluginName = "winnow";
	info.PluginVersion = LLVM_VERSION_STRING;
	info.RegisterPassBuilderCallbacks = register_pass;
	return info;
}
