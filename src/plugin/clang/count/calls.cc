/* SPDX-License-Identifier: MIT */
/*
 * calls.cc - calls after which another grain may run, or which may not return.
 *
 * A grain begins or ends only in the OpenMP runtime, so a function is quiet if neither it nor any
 * of its callees calls unknown code. It must also return: counts kept in registers would be lost if
 * an exception, longjmp() or exit() left it.
 */
#include "plugin/clang/count/count.h"

#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace count
{

/* C library functions that call no program code and return. */
static const char *const quiet_names[] = {
    "abs",    "acos",   "acosf",   "asin",    "asinf",   "atan",    "atan2",  "atan2f", "atanf",
    "bcmp",   "calloc", "cbrt",    "ceil",    "ceilf",   "cos",     "cosf",   "cosh",   "exp",
    "exp2",   "expf",   "fabs",    "fabsf",   "floor",   "floorf",  "fmax",   "fmin",   "fmod",
    "free",   "hypot",  "labs",    "ldexp",   "log",     "log10",   "log2",   "logf",   "malloc",
    "memchr", "memcmp", "memcpy",  "memmove", "memset",  "pow",     "powf",   "rand_r", "realloc",
    "round",  "roundf", "sin",     "sincos",  "sinf",    "sinh",    "sqrt",   "sqrtf",  "strchr",
    "strcmp", "strcpy", "strlen",  "strncmp", "strncpy", "strrchr", "strstr", "tan",    "tanf",
    "tanh",   "tgamma", "tolower", "toupper", "trunc",
};

static bool
is_quiet_name(StringRef name)
{
	for (const char *one : quiet_names)
		if (name == one)
			return true;
	return false;
}

static bool
is_known_quiet(const CallBase &call)
{
	if (isa<IntrinsicInst>(call))
		return true;
	if (auto *code = dyn_cast<InlineAsm>(call.getCalledOperand()))
		return !code->hasSideEffects();
	const Function *callee = call.getCalledFunction();
	if (!callee || !callee->isDeclaration() || call.isMustTailCall())
		return false;
	bool is_said = callee->hasFnAttribute(Attribute::NoSync) && callee->doesNotThrow() &&
	               callee->hasFnAttribute(Attribute::WillReturn) &&
	               callee->hasFnAttribute(Attribute::NoCallback);
	return is_said || is_quiet_name(callee->getName());
}

static bool
may_be_quiet(const Function &function)
{
	return !function.isDeclaration() && function.isDefinitionExact() &&
	       function.doesNotThrow() && !function.hasFnAttribute(Attribute::Naked);
}

quiet_functions::quiet_functions(Module &module)
{
	for (const Function &function : module)
		is_quiet[&function] = may_be_quiet(function);
	/* propagates to callers, up to a fixed point */
	for (bool has_changed = true; has_changed;) {
		has_changed = false;
		for (const Function &function : module) {
			if (!is_quiet[&function])
				continue;
			for (const BasicBlock &block : function)
				for (const Instruction &at : block)
					if (auto *call = dyn_cast<CallBase>(&at))
						if (is_quiet[&function] && may_switch(*call)) {
							is_quiet[&function] = false;
							has_changed = true;
						}
		}
	}
}

bool
quiet_functions::is(const Function &function) const
{
	return is_quiet.lookup(&function);
}

bool
quiet_functions::may_switch(const CallBase &call) const
{
	if (is_known_quiet(call))
		return false;
	if (!isa<CallInst>(call) || call.isMustTailCall())
		return true;
	const Function *callee = call.getCalledFunction();
	return !callee || !is_quiet.lookup(callee);
}

} /* namespace count */
