/* SPDX-License-Identifier: MIT */
/*
 * footprint.cc - the accesses themselves, to who asks which are new.
 *
 * Who asks (collect/counters/touched.h) gives the thread a small table of what the running grain has
 * touched lately. An access that is in it is over with a comparison; any other is told by a call that
 * leaves the registers alone. What could reach into a second line has a key of its own, with its
 * size.
 */
#include "plugin/clang/count/count.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace count
{

/* As touched.h has them. */
enum { RECENT_N = 512, RECENT_SHIFT = 3, KEY_SIZE_SHIFT = 56, LINE_BYTES = 64 };

class teller
{
	GlobalVariable *slot;
	LLVMContext &context;
	Type *wide;

	MDNode *
	odds(bool is_likely)
	{
		return MDBuilder(context).createBranchWeights(is_likely ? 2000 : 1,
		                                              is_likely ? 1 : 2000);
	}

	void
	call(IRBuilder<> &at, Value *address, Value *n_bytes, Value *key)
	{
		FunctionType *type =
		    FunctionType::get(Type::getVoidTy(context), {wide, wide, wide}, false);
		Value *touch = at.CreateLoad(wide, word_of(slot, SLOT_TOUCH));
		CallInst *told = at.CreateCall(
		    type, at.CreateIntToPtr(touch, pointer_to(type)), {address, n_bytes, key});
		if (is_for(*at.GetInsertBlock()->getParent(), "x86_64"))
			told->setCallingConv(CallingConv::PreserveMost);
		told->setDoesNotThrow();
	}

	/* Behind it, code runs only where somebody asks. */
	Instruction *
	ask(Instruction *before, Value *&recent)
	{
		IRBuilder<> at(before);
		recent = at.CreateLoad(wide, word_of(slot, SLOT_RECENT));
		Value *is_asked = at.CreateIsNotNull(recent);
		return SplitBlockAndInsertIfThen(is_asked, before, false, odds(true));
	}

	void
	tell_one(Instruction *before, Value *pointer, uint64_t n_bytes, bool may_cross)
	{
		Value *recent;
		IRBuilder<> at(ask(before, recent));
		Value *address = at.CreatePtrToInt(pointer, wide), *key = address;
		if (may_cross)
			key = at.CreateOr(address, ConstantInt::get(wide, n_bytes << KEY_SIZE_SHIFT));
		Value *place = at.CreateAnd(at.CreateLShr(address, RECENT_SHIFT),
		                            ConstantInt::get(wide, RECENT_N - 1));
		Value *where = at.CreateAdd(recent, at.CreateShl(place, 3));
		Value *found = at.CreateLoad(wide, at.CreateIntToPtr(where, pointer_to(wide)));
		Value *is_new = at.CreateICmpNE(found, key);
		IRBuilder<> slow(SplitBlockAndInsertIfThen(is_new, &*at.GetInsertPoint(), false,
		                                           odds(false)));
		call(slow, address, ConstantInt::get(wide, n_bytes), key);
	}

	void
	tell_many(const access &a)
	{
		Value *recent;
		IRBuilder<> at(ask(a.at, recent));
		Value *n_bytes = at.CreateZExtOrTrunc(a.length, wide);
		call(at, at.CreatePtrToInt(a.pointer, wide), n_bytes, ConstantInt::get(wide, 0));
	}

	/* Each element that the mask lets through is an access of its own. */
	void
	tell_elements(const access &a)
	{
		unsigned n = cast<FixedVectorType>(a.mask->getType())->getNumElements();
		for (unsigned i = 0; i < n; i++) {
			IRBuilder<> at(a.at);
			Value *is_on = at.CreateExtractElement(a.mask, i);
			IRBuilder<> on(SplitBlockAndInsertIfThen(is_on, a.at, false));
			Value *one = a.pointer->getType()->isVectorTy()
			                 ? on.CreatePtrToInt(on.CreateExtractElement(a.pointer, i), wide)
			                 : on.CreateAdd(on.CreatePtrToInt(a.pointer, wide),
			                                ConstantInt::get(wide, i * a.n_bytes));
			Value *pointer = on.CreateIntToPtr(one, pointer_to(on.getInt8Ty()));
			tell_one(&*on.GetInsertPoint(), pointer, a.n_bytes, true);
		}
	}

      public:
	explicit teller(GlobalVariable *s)
	    : slot(s), context(s->getContext()), wide(Type::getInt64Ty(context))
	{
	}

	void
	tell(const access &a)
	{
		uint64_t aligned = 1;
		if (auto *load = dyn_cast<LoadInst>(a.at))
			aligned = load->getAlign().value();
		else if (auto *store = dyn_cast<StoreInst>(a.at))
			aligned = store->getAlign().value();
		else if (isa<AtomicRMWInst>(a.at) || isa<AtomicCmpXchgInst>(a.at))
			aligned = a.n_bytes;
		bool may_cross = aligned < a.n_bytes || a.n_bytes > LINE_BYTES;
		if (a.mask)
			tell_elements(a);
		else if (a.length)
			tell_many(a);
		else if (a.n_bytes > LINE_BYTES)
			tell_many({a.at, a.pointer, 0, ConstantInt::get(wide, a.n_bytes), nullptr,
			           a.is_read, a.is_write});
		else
			tell_one(a.at, a.pointer, a.n_bytes, may_cross);
	}
};

/* Twice the same place in one segment is once; the first is told, so it must be the larger. */
static bool
is_told(const access &a, const std::vector<access> &before)
{
	for (const access &one : before)
		if (!a.mask && !a.length && !one.mask && !one.length && one.pointer == a.pointer &&
		    one.n_bytes >= a.n_bytes)
			return true;
	return false;
}

void
put_footprints(const std::vector<std::vector<access>> &segments, GlobalVariable *slot)
{
	teller t(slot);
	for (const std::vector<access> &all : segments) {
		std::vector<access> told;
		for (const access &a : all) {
			if (!is_told(a, told))
				told.push_back(a);
		}
		for (const access &a : told)
			t.tell(a);
	}
}

} /* namespace count */
