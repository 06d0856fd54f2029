/* SPDX-License-Identifier: MIT */
/*
 * classify.cc - counts and memory accesses of one LLVM IR instruction.
 *
 * Only executed instructions are counted: not those that only name values (phi, freeze, no-op casts
 * and addresses), not compiler metadata (debugging, lifetimes, assumptions), not allocas. A vector
 * load is one read of all its bytes.
 */
#include "plugin/clang/count/count.h"

using namespace llvm;

namespace count
{

weights &
weights::operator+=(const weights &other)
{
	for (int i = 0; i < PROPERTY_N; i++)
		n[i] += other.n[i];
	return *this;
}

weights &
weights::operator-=(const weights &other)
{
	for (int i = 0; i < PROPERTY_N; i++)
		n[i] -= other.n[i];
	return *this;
}

bool
weights::is_zero() const
{
	for (int64_t one : n)
		if (one)
			return false;
	return true;
}

static uint64_t
bytes_of(const Instruction &at, Type *type)
{
	return at.getModule()->getDataLayout().getTypeStoreSize(type).getFixedValue();
}

static property
class_by_type(Type *type)
{
	if (type->isVectorTy())
		return PROPERTY_mix_vector;
	return type->isFloatingPointTy() ? PROPERTY_mix_float : PROPERTY_mix_integer;
}

/* Floating point or vector if either side is. */
static property
class_of_cast(const CastInst &cast)
{
	property from = class_by_type(cast.getSrcTy()), to = class_by_type(cast.getDestTy());
	return from == PROPERTY_mix_vector || to == PROPERTY_mix_vector ? PROPERTY_mix_vector
	       : from == PROPERTY_mix_float                             ? PROPERTY_mix_float
	                                                                : to;
}

static bool
is_for_compiler(const IntrinsicInst &call)
{
	switch (call.getIntrinsicID()) {
	case Intrinsic::dbg_declare:
	case Intrinsic::dbg_value:
	case Intrinsic::dbg_label:
	case Intrinsic::lifetime_start:
	case Intrinsic::lifetime_end:
	case Intrinsic::invariant_start:
	case Intrinsic::invariant_end:
	case Intrinsic::launder_invariant_group:
	case Intrinsic::strip_invariant_group:
	case Intrinsic::assume:
	case Intrinsic::annotation:
	case Intrinsic::ptr_annotation:
	case Intrinsic::var_annotation:
	case Intrinsic::donothing:
	case Intrinsic::sideeffect:
	case Intrinsic::experimental_noalias_scope_decl:
	case Intrinsic::expect:
	case Intrinsic::is_constant:
	case Intrinsic::objectsize:
		return true;
	default:
		return false;
	}
}

static property
class_of_intrinsic(const IntrinsicInst &call)
{
	switch (call.getIntrinsicID()) {
	case Intrinsic::memcpy:
	case Intrinsic::memcpy_inline:
	case Intrinsic::memmove:
	case Intrinsic::memset:
		return PROPERTY_mix_move;
	case Intrinsic::masked_load:
	case Intrinsic::masked_store:
	case Intrinsic::masked_gather:
	case Intrinsic::masked_scatter:
	case Intrinsic::masked_expandload:
	case Intrinsic::masked_compressstore:
		return PROPERTY_mix_move;
	default:
		break;
	}
	Type *type = call.getType();
	if (call.arg_size() > 0 && call.getArgOperand(0)->getType()->isVectorTy())
		return PROPERTY_mix_vector;
	if (type->isStructTy() && type->getStructNumElements() > 0)
		type = type->getStructElementType(0);
	return type->isVectorTy() || type->isFloatingPointTy() || type->isIntegerTy()
	           ? class_by_type(type)
	           : PROPERTY_mix_other;
}

static bool
class_of(Instruction &at, property &out)
{
	if (isa<PHINode>(at) || isa<FreezeInst>(at) || isa<UnreachableInst>(at) ||
	    isa<LandingPadInst>(at))
		return false;
	if (auto *room = dyn_cast<AllocaInst>(&at)) {
		out = PROPERTY_mix_other;
		return !room->isStaticAlloca();
	}
	if (auto *address = dyn_cast<GetElementPtrInst>(&at)) {
		out = class_by_type(at.getType());
		return !address->hasAllZeroIndices();
	}
	if (auto *cast = dyn_cast<CastInst>(&at)) {
		out = class_of_cast(*cast);
		return !cast->isNoopCast(at.getModule()->getDataLayout());
	}
	if (auto *call = dyn_cast<IntrinsicInst>(&at)) {
		out = class_of_intrinsic(*call);
		return !is_for_compiler(*call);
	}
	if (auto *call = dyn_cast<CallBase>(&at)) {
		out = call->isInlineAsm() ? PROPERTY_mix_other : PROPERTY_mix_call;
		return true;
	}
	if (isa<ReturnInst>(at))
		out = PROPERTY_mix_call;
	else if (at.isTerminator())
		out = PROPERTY_mix_branch;
	else if (isa<AtomicRMWInst>(at) || isa<AtomicCmpXchgInst>(at) || isa<FenceInst>(at) ||
	         at.isAtomic())
		out = PROPERTY_mix_atomic;
	else if (isa<LoadInst>(at) || isa<StoreInst>(at))
		out = PROPERTY_mix_move;
	else if (isa<ExtractElementInst>(at) || isa<InsertElementInst>(at) ||
	         isa<ShuffleVectorInst>(at))
		out = PROPERTY_mix_vector;
	else if (isa<CmpInst>(at))
		out = class_by_type(at.getOperand(0)->getType());
	else if (isa<BinaryOperator>(at) || isa<UnaryOperator>(at) || isa<SelectInst>(at))
		out = class_by_type(at.getType());
	else
		out = PROPERTY_mix_other;
	return true;
}

static void
find_of_intrinsic(IntrinsicInst &call, std::vector<access> &out)
{
	auto argument = [&](unsigned i) { return call.getArgOperand(i); };
	auto element = [&](Type *type) { return bytes_of(call, type->getScalarType()); };
	/* newer versions pass the alignment as an attribute instead of an argument */
	auto last = [&] { return argument(call.arg_size() - 1); };
	switch (call.getIntrinsicID()) {
	case Intrinsic::memcpy:
	case Intrinsic::memcpy_inline:
	case Intrinsic::memmove:
		out.push_back({&call, argument(1), 0, argument(2), nullptr, true, false});
		out.push_back({&call, argument(0), 0, argument(2), nullptr, false, true});
		break;
	case Intrinsic::memset:
		out.push_back({&call, argument(0), 0, argument(2), nullptr, false, true});
		break;
	case Intrinsic::masked_load:
	case Intrinsic::masked_gather: {
		Value *mask = argument(1)->getType()->isIntegerTy(32) ? argument(2) : argument(1);
		out.push_back(
		    {&call, argument(0), element(call.getType()), nullptr, mask, true, false});
		break;
	}
	case Intrinsic::masked_store:
	case Intrinsic::masked_scatter:
		out.push_back({&call, argument(1), element(argument(0)->getType()), nullptr, last(),
		               false, true});
		break;
	case Intrinsic::masked_expandload:
		out.push_back({&call, argument(0), element(call.getType()), nullptr, argument(1),
		               true, false});
		break;
	case Intrinsic::masked_compressstore:
		out.push_back({&call, argument(1), element(argument(0)->getType()), nullptr,
		               argument(2), false, true});
		break;
	default:
		break;
	}
}

void
find_accesses(Instruction &at, std::vector<access> &out)
{
	if (auto *load = dyn_cast<LoadInst>(&at)) {
		out.push_back({&at, load->getPointerOperand(), bytes_of(at, at.getType()), nullptr,
		               nullptr, true, false});
	} else if (auto *store = dyn_cast<StoreInst>(&at)) {
		Type *type = store->getValueOperand()->getType();
		out.push_back({&at, store->getPointerOperand(), bytes_of(at, type), nullptr,
		               nullptr, false, true});
	} else if (auto *change = dyn_cast<AtomicRMWInst>(&at)) {
		out.push_back({&at, change->getPointerOperand(), bytes_of(at, at.getType()),
		               nullptr, nullptr, true, true});
	} else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&at)) {
		Type *type = exchange->getNewValOperand()->getType();
		out.push_back({&at, exchange->getPointerOperand(), bytes_of(at, type), nullptr,
		               nullptr, true, true});
	} else if (auto *call = dyn_cast<IntrinsicInst>(&at)) {
		find_of_intrinsic(*call, out);
	}
}

/* Lengths and masks become terms (stack.cc). */
static void
count_access(const access &a, weights &out)
{
	bool has_known_bytes = !a.length && !a.mask;
	uint64_t n_bytes = has_known_bytes ? a.n_bytes : 0;
	if (auto *length = dyn_cast_or_null<ConstantInt>(a.length))
		n_bytes = length->getZExtValue();
	int64_t n = a.pointer->getType()->isVectorTy() ? 0 : 1; /* one for each element */
	if (a.is_read) {
		out.n[PROPERTY_mem_reads] += n;
		out.n[PROPERTY_mem_read_bytes] += (int64_t)n_bytes;
	}
	if (a.is_write) {
		out.n[PROPERTY_mem_writes] += n;
		out.n[PROPERTY_mem_write_bytes] += (int64_t)n_bytes;
	}
}

bool
classify(Instruction &at, weights &out)
{
	property of;
	if (!class_of(at, of))
		return false;
	std::vector<access> touched;
	find_accesses(at, touched);
	out.n[PROPERTY_instructions]++;
	out.n[of]++;
	for (const access &a : touched)
		count_access(a, out);
	return true;
}

} /* namespace count */
