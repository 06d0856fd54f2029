/* SPDX-License-Identifier: MIT */
/* pass.cc - the module pass that inserts counting code. */
#include "plugin/clang/count/count.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace count
{

#ifdef WN_FOOTPRINT
static const bool has_footprint = true;
#else
static const bool has_footprint = false;
#endif

/* With fewer iterations, a loop costs more than it saves. */
enum { TURNS_MIN = 3 };

PointerType *
pointer_to(Type *type)
{
#if LLVM_VERSION_MAJOR >= 15
	return PointerType::get(type->getContext(), 0);
#else
	return PointerType::get(type, 0);
#endif
}

bool
is_for(const Function &function, const char *architecture)
{
#if LLVM_VERSION_MAJOR >= 21
	std::string triple = function.getParent()->getTargetTriple().str();
#else
	std::string triple = function.getParent()->getTargetTriple();
#endif
	return triple.rfind(architecture, 0) == 0;
}

Value *
frame_address(IRBuilder<> &at)
{
	PointerType *type = pointer_to(at.getInt8Ty());
	const Function &function = *at.GetInsertBlock()->getParent();
	Value *address =
	    is_for(function, "x86_64")
		? at.CreateIntrinsic(Intrinsic::addressofreturnaddress, {type}, {})
		: at.CreateIntrinsic(Intrinsic::frameaddress, {type}, {at.getInt32(0)});
	return at.CreatePtrToInt(address, at.getInt64Ty());
}

/* --- one function ------------------------------------------------------------------------- */

/* A return right after a tail call is counted with the call, to keep it a tail call. */
static bool
is_tail_of(const Instruction &call)
{
	auto *last = dyn_cast<CallInst>(&call);
	const Instruction *next = call.getNextNode();
	while (next && (isa<DbgInfoIntrinsic>(next) || isa<BitCastInst>(next)))
		next = next->getNextNode();
	auto *end = dyn_cast_or_null<ReturnInst>(next);
	if (!last || !last->isTailCall() || !end)
		return false;
	Value *returned = end->getReturnValue();
	return !returned || returned->stripPointerCasts() == last;
}

static block_plan
plan_block(BasicBlock &block, const quiet_functions &quiet)
{
	block_plan out;
	segment now = {nullptr, false, {}, {}};
	bool is_returned = false;
	for (Instruction &at : block) {
		auto *call = dyn_cast<CallBase>(&at);
		if (!(is_returned && isa<ReturnInst>(at)))
			classify(at, now.known);
		find_accesses(at, now.accesses);
		if (!call || !quiet.may_switch(*call))
			continue;
		if (is_tail_of(at)) {
			classify(*block.getTerminator(), now.known);
			is_returned = true;
		}
		now.end = &at;
		now.is_call = true;
		out.segments.push_back(now);
		now = {nullptr, false, {}, {}};
	}
	/* nothing follows a call that ends the block (invoke) */
	now.end = block.getTerminator();
	out.segments.push_back(now);
	return out;
}

/* Adds a preheader to each loop that lacks one; these blocks are not of the program and are not
 * counted. */
static SmallPtrSet<BasicBlock *, 8>
put_before_loops(Function &function, FunctionAnalysisManager &analyses)
{
	SmallPtrSet<BasicBlock *, 8> made;
	LoopInfo &all = analyses.getResult<LoopAnalysis>(function);
	auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
	for (Loop *loop : all.getLoopsInPreorder())
		if (!loop->getLoopPreheader())
			if (BasicBlock *block =
			        InsertPreheaderForLoop(loop, &dominators, &all, nullptr, false))
				made.insert(block);
	if (!made.empty())
		analyses.invalidate(function, PreservedAnalyses::none());
	return made;
}

static plan
plan_function(Function &function, const quiet_functions &quiet,
              const SmallPtrSet<BasicBlock *, 8> &not_of_program)
{
	plan out;
	for (BasicBlock &block : function) {
		block_plan its = plan_block(block, quiet);
		if (not_of_program.count(&block))
			its.segments[0].known = weights();
		out.insert({&block, its});
	}
	return out;
}

static bool
is_quiet_loop(const Loop &loop, const plan &plans)
{
	for (BasicBlock *block : loop.blocks())
		if (plans.find(block)->second.segments.size() > 1 ||
		    !is_jump(*block->getTerminator()))
			return false;
	return true;
}

/* The outermost quiet loops with enough iterations. */
static void
find_quiet_loops(const std::vector<Loop *> &loops, const plan &plans,
                 const BlockFrequencyInfo &often, std::vector<quiet_loop> &out)
{
	for (Loop *loop : loops) {
		BasicBlock *before = loop->getLoopPreheader();
		uint64_t turns = often.getBlockFreq(loop->getHeader()).getFrequency();
		uint64_t entered = before ? often.getBlockFreq(before).getFrequency() : 0;
		bool is_worth = before && turns / TURNS_MIN >= entered;
		if (!is_quiet_loop(*loop, plans) || !is_worth) {
			find_quiet_loops(loop->getSubLoops(), plans, often, out);
			continue;
		}
		quiet_loop one;
		one.before = before;
		for (BasicBlock *block : loop->blocks())
			one.blocks[block] = true;
		out.push_back(one);
	}
}

static function_shape
measure(Function &function, const BlockFrequencyInfo &often, const BranchProbabilityInfo &odds)
{
	function_shape out;
	for (BasicBlock &block : function) {
		BlockFrequency its = often.getBlockFreq(&block);
		out.blocks[&block] = its.getFrequency();
		for (BasicBlock *next : successors(&block))
			out.edges[{&block, next}] =
			    (its * odds.getEdgeProbability(&block, next)).getFrequency();
	}
	return out;
}

static void
count_function(Function &function, GlobalVariable *slot, const quiet_functions &quiet, hits *kept,
               FunctionAnalysisManager &analyses)
{
	SmallPtrSet<BasicBlock *, 8> added = put_before_loops(function, analyses);
	auto &often = analyses.getResult<BlockFrequencyAnalysis>(function);
	auto &odds = analyses.getResult<BranchProbabilityAnalysis>(function);
	LoopInfo &all_loops = analyses.getResult<LoopAnalysis>(function);
	std::vector<quiet_loop> loops;
	plan plans = plan_function(function, quiet, added);
	function_shape shape = measure(function, often, odds);
	find_quiet_loops(all_loops.getTopLevelLoops(), plans, often, loops);
	tellings touched;
	if (has_footprint)
		touched = find_tellings(function, plans, quiet, loops, analyses);

	stack_finder stack(function, word_of(slot, SLOT_STACK_BEGIN));
	std::vector<std::pair<Instruction *, std::vector<term>>> terms;
	for (BasicBlock &block : function)
		for (segment &s : plans.find(&block)->second.segments) {
			std::vector<term> its;
			for (const access &a : s.accesses)
				stack.count(a, s.known, its);
			if (!its.empty())
				terms.push_back({s.end, its});
		}
	std::vector<addition> additions = place(function, plans, shape);
	emitter out(function, slot, loops, kept);
	for (auto &one : terms)
		out.put_terms(one.first, one.second);
	for (const addition &a : additions)
		out.put(a);
	std::vector<AllocaInst *> registers;
	out.finish(registers);
	if (has_footprint)
		put_footprints(function, touched, slot, loops, registers);
	DominatorTree tree(function);
	PromoteMemToReg(registers, tree);
}

/* --- a module ----------------------------------------------------------------------------- */

static bool
can_count(const Function &function)
{
	if (function.isDeclaration() || function.hasAvailableExternallyLinkage() ||
	    function.hasFnAttribute(Attribute::Naked) ||
	    function.getName().find("winnow_count") == 0)
		return false;
	for (const BasicBlock &block : function)
		for (const Instruction &at : block)
			if (isa<FuncletPadInst>(at) || isa<CatchSwitchInst>(at))
				return false; /* Windows exceptions */
	return true;
}

class count_pass : public PassInfoMixin<count_pass>
{
      public:
	PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses);
	static bool
	isRequired()
	{
		return true;
	}
};

/* Resolvers of ifuncs run before the program has a thread. */
static bool
is_resolver(const Function &function)
{
	for (const GlobalIFunc &one : function.getParent()->ifuncs())
		if (one.getResolver()->stripPointerCasts() == &function)
			return true;
	return false;
}

/* Functions left unchanged: code of grains, and uncounted functions. */
static std::vector<Function *>
find_uncounted(Module &module, std::vector<Function *> found)
{
	for (Function &function : module)
		if (!can_count(function) || is_resolver(function))
			found.push_back(&function);
	return found;
}

PreservedAnalyses
count_pass::run(Module &module, ModuleAnalysisManager &analyses)
{
	if (module.getFunction("__kmpc_target_init") || module.getNamedGlobal("winnow_count_block"))
		return PreservedAnalyses::all();
	auto &of_functions =
	    analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
	std::vector<Function *> of_grains = find_grain_functions(module);
	std::vector<recursion> recursions =
	    split_recursive(module, quiet_functions(module), find_uncounted(module, of_grains));
	std::vector<Function *> wanted;
	for (Function &function : module)
		if (can_count(function) && !is_resolver(function))
			wanted.push_back(&function);
	for (const recursion &one : recursions) {
		of_functions.clear(*one.entry, one.entry->getName());
		for (Function *&function : wanted)
			function =
			    function == one.entry || function == one.code ? nullptr : function;
	}
	quiet_functions quiet(module);
	GlobalVariable *slot = declare_slot(module, has_footprint);
	for (Function *function : wanted)
		if (function)
			count_function(*function, slot, quiet, nullptr, of_functions);
	for (const recursion &one : recursions) {
		hits kept = {module, {}};
		count_function(*one.code, slot, quiet, &kept, of_functions);
		add_up(one, kept, slot);
	}
	for (Function *function : of_grains)
		put_frame_begin(*function, word_of(slot, SLOT_STACK_BEGIN));
	return PreservedAnalyses::none();
}

static void
register_pass(PassBuilder &builder)
{
	builder.registerOptimizerLastEPCallback([](ModulePassManager &passes, OptimizationLevel
#if LLVM_VERSION_MAJOR >= 20
	                                           ,
	                                           ThinOrFullLTOPhase
#endif
	                                        ) { passes.addPass(count_pass()); });
}

} /* namespace count */

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo()
{
	llvm::PassPluginLibraryInfo info = {};
	info.APIVersion = LLVM_PLUGIN_API_VERSION;
	info.PluginName = "winnow-count";
	info.PluginVersion = LLVM_VERSION_STRING;
	info.RegisterPassBuilderCallbacks = count::register_pass;
	return info;
}
