/* SPDX-License-Identifier: MIT */
/* How QEMU 7.2 reports the accesses of x86-64 instructions. Operands are predicted only where the
 * report is known. Other accesses are counted as they are reported, which is slower but equally
 * exact. */
#include "count/decode_x86_64.h"

#include "count/qemu/decode.h"

#include <Zydis/Zydis.h>

enum { VECTOR_BYTES = 16 };

/* Does the emulator read a whole vector where the operand is smaller? Applies to scalar fused
 * multiply-add, widening conversions, and shifts by a count in memory. */
static bool
reads_whole_vector(const struct insn *insn)
{
	switch (insn->category) {
	case ZYDIS_CATEGORY_VFMA:
		return insn->class == INSN_FLOAT;
	case ZYDIS_CATEGORY_CONVERT:
		return insn->mnemonic == ZYDIS_MNEMONIC_CVTDQ2PD ||
		       insn->mnemonic == ZYDIS_MNEMONIC_VCVTDQ2PD;
	case ZYDIS_CATEGORY_AVX2:
		return insn->is_0f && insn->is_256;
	default:
		return false;
	}
}

/* Accesses of more than 8 bytes, except those by element and of processor state. */
static void
decode_wide(struct emulated *e, const struct insn *insn)
{
	uint8_t bytes = insn->n_accesses == 1 ? insn->access[0].bytes : 0;
	if (bytes == 0 || insn->flow != FLOW_ON || e->may_run_twice)
		return;
	if (reads_whole_vector(insn)) {
		e->wide_bytes = bytes;
		e->reported_bytes = insn->is_256 ? 2 * VECTOR_BYTES : VECTOR_BYTES;
	} else if (bytes == VECTOR_BYTES || bytes == 2 * VECTOR_BYTES) {
		e->wide_bytes = e->reported_bytes = bytes;
	}
}

/* Is the only access reported once, or in consecutive pieces of 8 bytes? */
static bool
is_as_reported(const struct insn *insn)
{
	switch (insn->category) {
	case ZYDIS_CATEGORY_BINARY:
	case ZYDIS_CATEGORY_CMOV:
		return true;
	case ZYDIS_CATEGORY_PUSH:
	case ZYDIS_CATEGORY_POP:
		return insn->access[0].bytes == 8;
	case ZYDIS_CATEGORY_DATAXFER:
	case ZYDIS_CATEGORY_LOGICAL:
		return !insn->is_mmx &&
		       (insn->class == INSN_MOVE || insn->class == INSN_INTEGER || insn->is_0f);
	case ZYDIS_CATEGORY_LOGICAL_FP:
	case ZYDIS_CATEGORY_SSE:
	case ZYDIS_CATEGORY_AVX:
	case ZYDIS_CATEGORY_AVX2:
		return !insn->is_mmx && insn->is_0f;
	case ZYDIS_CATEGORY_CONVERT:
		return insn->class == INSN_FLOAT;
	case ZYDIS_CATEGORY_VFMA:
		return true;
	default:
		return false;
	}
}

static bool
is_known(const struct insn *insn)
{
	bool is_straight =
	    insn->flow == FLOW_ON || insn->flow == FLOW_CONDITION || insn->flow == FLOW_JUMP;
	const struct address *a = &insn->access[0].where;
	if (!is_straight || insn->has_lock || insn->has_evex || insn->is_transaction)
		return false;
	if (insn->n_accesses == 0)
		return true;
	return insn->n_accesses == 1 && !a->is_32 && a->segment != 0x65 && is_as_reported(insn);
}

static struct operands
operands_of(const struct insn *insn, const struct emulated *e)
{
	const struct access *access = &insn->access[0];
	const struct address *a = &access->where;
	struct operands o = {
	    .is_known = true, .writes = insn->writes, .stack_pointer = insn->stack_pointer};
	if (insn->n_accesses == 0)
		return o;
	o.bytes = access->bytes;
	o.reported_bytes = e->reported_bytes ? e->reported_bytes : access->bytes;
	o.is_load = access->is_load;
	o.is_store = access->is_store;
	o.place = (a->base == REG_NONE ? PLACE_NO_REGISTER : a->base) |
	          (a->index == REG_NONE ? PLACE_NO_REGISTER : a->index) << 8 |
	          (uint32_t)a->scale << 16 | (a->segment ? PLACE_FS : 0);
	o.displacement = a->displacement;
	o.uses =
	    (a->base == REG_NONE ? 0 : 1u << a->base) | (a->index == REG_NONE ? 0 : 1u << a->index);
	return o;
}

struct emulated
qemu_decode_x86_64(const uint8_t *bytes, size_t n, uint64_t at)
{
	struct insn insn;
	struct emulated e = {.class = INSN_OTHER};
	if (!decode_x86_64(bytes, n, at, &insn, NULL))
		return e;
	e.class = insn.class;
	e.is_call = insn.is_call;
	e.is_return = insn.is_return;
	e.repeats = insn.flow == FLOW_REPEATED;
	e.may_run_twice =
	    insn.mnemonic == ZYDIS_MNEMONIC_CMPXCHG8B || insn.mnemonic == ZYDIS_MNEMONIC_CMPXCHG16B;
	e.is_256 = insn.is_256;
	e.is_locked = insn.has_lock && !e.may_run_twice;
	decode_wide(&e, &insn);
	if (is_known(&insn))
		e.operands = operands_of(&insn, &e);
	return e;
}
