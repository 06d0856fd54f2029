/* SPDX-License-Identifier: MIT */
/*
 * slot.cc - the thread's slot (struct wn_count_slot), and the functions that return it.
 *
 * Each object defines them, the linker keeps one, and the dynamic linker one of the visible ones.
 * So there is one slot for each thread, and no library to link to. The slot is at a constant offset
 * from the thread pointer, so that an addition is one instruction.
 */
#include "record/counters/sources.h"
#include "plugin/clang/count/count.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MD5.h"

using namespace llvm;

namespace count
{

/* Layout of the start of struct wn_slot_file. */
static const uint64_t HEAD_MAGIC = 0x315354534c4f5457u;
enum { HEAD_NAME_BYTES = 72 };

static void
share(Module &module, GlobalObject *what)
{
	what->setComdat(module.getOrInsertComdat(what->getName()));
	what->setVisibility(GlobalValue::DefaultVisibility);
	what->setDSOLocal(false);
}

Constant *
word_of(GlobalVariable *slot, unsigned n)
{
	Type *narrow = Type::getInt32Ty(slot->getContext());
	Constant *zero = ConstantInt::get(narrow, 0), *which = ConstantInt::get(narrow, n);
	return ConstantExpr::getInBoundsGetElementPtr(slot->getValueType(), slot,
	                                              ArrayRef<Constant *>{zero, which});
}

/* A function that returns an address, unless the program defines its own. */
static void
define_getter(Module &module, const char *name, GlobalVariable *of)
{
	FunctionType *type = FunctionType::get(of->getType(), false);
	auto *getter = dyn_cast<Function>(
	    module.getOrInsertFunction(name, type).getCallee()->stripPointerCasts());
	if (!getter || !getter->isDeclaration())
		return;
	getter->setLinkage(GlobalValue::WeakODRLinkage);
	getter->addFnAttr(Attribute::NoUnwind);
	getter->setUnnamedAddr(GlobalValue::UnnamedAddr::None);
	share(module, getter);
	IRBuilder<> at(BasicBlock::Create(module.getContext(), "", getter));
	at.CreateRet(at.CreateBitCast(of, getter->getReturnType()));
}

static uint64_t
measured_properties(bool has_footprint)
{
	uint64_t all = ((uint64_t)1 << PROPERTY_N) - 1;
	uint64_t footprint =
	    (uint64_t)1 << PROPERTY_footprint_lines | (uint64_t)1 << PROPERTY_footprint_addresses |
	    (uint64_t)1 << PROPERTY_footprint_lost;
	all &= ~((uint64_t)1 << PROPERTY_runtime_instructions);
	return has_footprint ? all : all & ~footprint;
}

/* const struct wn_slot_file *winnow_count_slots(void): what is counted and by which plug-in,
 * without slots. */
static void
define_head(Module &module, bool has_footprint)
{
	LLVMContext &context = module.getContext();
	Type *wide = Type::getInt64Ty(context);
	auto number = [&](uint64_t n) { return ConstantInt::get(wide, n); };
	std::string by = std::string("LLVM IR instructions, clang ") + LLVM_VERSION_STRING;
	by.resize(HEAD_NAME_BYTES - 1);
	by.push_back('\0');
	Constant *fields[] = {number(HEAD_MAGIC),
	                      number(SLOT_WORDS_N * sizeof(uint64_t)),
	                      number(PROPERTY_N),
	                      number(measured_properties(has_footprint)),
	                      number(0),
	                      number(0),
	                      ConstantDataArray::getString(context, by, false),
	                      number(0)}; /* programs that ran uncounted */
	Constant *value = ConstantStruct::getAnon(fields);
	auto *head = new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage,
	                                value, "winnow_count_head");
	head->setAlignment(Align(64));
	define_getter(module, "winnow_count_slots", head);
}

/* Writes "winnow counts HASH SOURCE" to the object's .comment, for record/counters/sources.c. The
 * hash distinguishes sources of one name. */
static void
sign(Module &module)
{
	MD5 hash;
	hash.update(module.getSourceFileName());
	for (const Function &function : module)
		if (!function.isDeclaration())
			hash.update(function.getName());
	MD5::MD5Result result;
	hash.final(result);
	std::string text = WN_COUNTS_MARK;
	text += result.digest().str().take_front(16);
	text += " ";
	text += module.getSourceFileName();
	LLVMContext &context = module.getContext();
	module.getOrInsertNamedMetadata("llvm.ident")
	    ->addOperand(MDNode::get(context, MDString::get(context, text)));
}

GlobalVariable *
declare_slot(Module &module, bool has_footprint)
{
	Type *type = ArrayType::get(Type::getInt64Ty(module.getContext()), SLOT_WORDS_N);
	auto *slot = new GlobalVariable(module, type, false, GlobalValue::WeakODRLinkage,
	                                Constant::getNullValue(type), "winnow_count_block", nullptr,
	                                GlobalValue::InitialExecTLSModel);
	slot->setAlignment(Align(64));
	share(module, slot);
	define_getter(module, "winnow_count_slot", slot);
	define_head(module, has_footprint);
	sign(module);
	return slot;
}

} /* namespace count */
