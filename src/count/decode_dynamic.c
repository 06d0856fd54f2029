/* SPDX-License-Identifier: MIT */
/* decode_dynamic.c - instructions whose accesses depend on register values: gathers and scatters,
 * masked moves, bit tests by number, processor state, string instructions. */
#include "count/decode_private.h"

#include <string.h>

static unsigned
vector_of(ZydisRegister reg)
{
	return (unsigned)ZydisRegisterGetId(reg);
}

/* Gathers and scatters (vgather..., vpgather...): operands are data, mask and address, in any
 * order. */
void
decode_gather(struct insn *s, const ZydisDecodedInstruction *insn,
              const ZydisDecodedOperand *operands)
{
	struct gather *g = &s->gather;
	const ZydisDecodedOperand *where = NULL, *data = NULL;
	const char *name = ZydisMnemonicGetString(insn->mnemonic);
	for (unsigned i = 0; i < insn->operand_count_visible; i++) {
		const ZydisDecodedOperand *o = &operands[i];
		bool is_bits = o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		               ZydisRegisterGetClass(o->reg.value) == ZYDIS_REGCLASS_MASK;
		if (o->type == ZYDIS_OPERAND_TYPE_MEMORY) {
			where = o;
		} else if (is_bits) {
			g->mask.has_bits = true;
			g->mask.reg = (uint8_t)vector_of(o->reg.value);
		} else if (!data) {
			data = o;
		} else {
			g->mask.reg = (uint8_t)vector_of(o->reg.value);
		}
	}
	if (!where || !data || !name)
		return;
	/* the letter after "gather" or "scatter" is the element width */
	while (*name && strncmp(name, "gather", 6) != 0 && strncmp(name, "scatter", 7) != 0)
		name++;
	name += *name == 's' ? 7 : 6;
	unsigned index_bits = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, where->mem.index);
	g->index_bytes = *name == 'd' ? 4 : 8;
	g->mask.bytes = (uint8_t)(where->element_size / 8);
	unsigned by_data = data->size / 8u / g->mask.bytes,
		 by_index = index_bits / 8u / g->index_bytes;
	g->mask.n = (uint8_t)(by_data < by_index ? by_data : by_index);
	g->index_register = (uint8_t)vector_of(where->mem.index);
	g->is_store = where->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	s->gather_at = decode_address(s, insn, &where->mem);
	g->scale = s->gather_at.scale;
	s->gather_at.scale = 0;
	s->flow = FLOW_GATHER;
}

void
decode_repeated(struct insn *s, const ZydisDecodedInstruction *insn)
{
	s->repeats = (uint8_t)(insn->operand_width / 8);
	s->is_by_32 = insn->address_width == 32;
	s->flow = FLOW_REPEATED;
	switch ((int)insn->mnemonic) {
	case ZYDIS_MNEMONIC_MOVSB:
	case ZYDIS_MNEMONIC_STOSB:
	case ZYDIS_MNEMONIC_CMPSB:
	case ZYDIS_MNEMONIC_SCASB:
	case ZYDIS_MNEMONIC_LODSB:
		s->repeats = 1;
		break;
	default:
		break;
	}
	for (unsigned i = 0; i < s->n_accesses; i++) {
		const struct access *a = &s->access[i];
		s->reads_si |= a->where.base == RSI;
		s->reads_di |= a->where.base == RDI && a->is_load;
		s->writes_di |= a->where.base == RDI && a->is_store;
	}
	s->n_accesses = 0;
	s->kills = 0; /* with zero repetitions the flags are unchanged */
}

/* Moves of selected elements. Masked arithmetic counts as a full access, because which elements of
 * its operand it reads differs between instructions. */
static bool
is_masked_move(const ZydisDecodedInstruction *insn, enum single_kind *kind)
{
	*kind = SINGLE_MASKED;
	switch ((int)insn->mnemonic) {
	case ZYDIS_MNEMONIC_VMASKMOVPS:
	case ZYDIS_MNEMONIC_VMASKMOVPD:
	case ZYDIS_MNEMONIC_VPMASKMOVD:
	case ZYDIS_MNEMONIC_VPMASKMOVQ:
		return true;
	case ZYDIS_MNEMONIC_VCOMPRESSPS:
	case ZYDIS_MNEMONIC_VCOMPRESSPD:
	case ZYDIS_MNEMONIC_VPCOMPRESSB:
	case ZYDIS_MNEMONIC_VPCOMPRESSW:
	case ZYDIS_MNEMONIC_VPCOMPRESSD:
	case ZYDIS_MNEMONIC_VPCOMPRESSQ:
	case ZYDIS_MNEMONIC_VEXPANDPS:
	case ZYDIS_MNEMONIC_VEXPANDPD:
	case ZYDIS_MNEMONIC_VPEXPANDB:
	case ZYDIS_MNEMONIC_VPEXPANDW:
	case ZYDIS_MNEMONIC_VPEXPANDD:
	case ZYDIS_MNEMONIC_VPEXPANDQ:
		*kind = SINGLE_PACKED;
		break;
	case ZYDIS_MNEMONIC_VMOVAPS:
	case ZYDIS_MNEMONIC_VMOVAPD:
	case ZYDIS_MNEMONIC_VMOVUPS:
	case ZYDIS_MNEMONIC_VMOVUPD:
	case ZYDIS_MNEMONIC_VMOVDQA32:
	case ZYDIS_MNEMONIC_VMOVDQA64:
	case ZYDIS_MNEMONIC_VMOVDQU8:
	case ZYDIS_MNEMONIC_VMOVDQU16:
	case ZYDIS_MNEMONIC_VMOVDQU32:
	case ZYDIS_MNEMONIC_VMOVDQU64:
		break;
	default:
		return false;
	}
	return insn->avx.mask.reg > ZYDIS_REGISTER_K0 && insn->avx.mask.reg <= ZYDIS_REGISTER_K7;
}

bool
decode_masked(struct insn *s, const ZydisDecodedInstruction *insn,
              const ZydisDecodedOperand *operands)
{
	enum single_kind kind;
	const ZydisDecodedOperand *memory = NULL;
	if (!is_masked_move(insn, &kind))
		return false;
	for (unsigned i = 0; i < insn->operand_count_visible; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			memory = &operands[i];
	if (!memory)
		return false;
	bool has_bits = insn->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
	ZydisRegister mask = has_bits ? insn->avx.mask.reg : operands[1].reg.value;
	s->single = (struct single){.kind = (uint8_t)kind,
	                            .is_load = memory != operands,
	                            .is_store = memory == operands,
	                            .mask = {.reg = (uint8_t)vector_of(mask),
	                                     .has_bits = has_bits,
	                                     .n = (uint8_t)(memory->size / memory->element_size),
	                                     .bytes = (uint8_t)(memory->element_size / 8)}};
	s->single_at = decode_address(s, insn, &memory->mem);
	s->n_accesses = 0;
	s->flow = FLOW_SINGLE;
	return true;
}

void
decode_single(struct insn *s, const ZydisDecodedInstruction *insn,
              const ZydisDecodedOperand *operands)
{
	static const struct {
		ZydisMnemonic mnemonic;
		enum single_kind kind;
		bool is_load, is_store;
	} known[] = {
	    {ZYDIS_MNEMONIC_BT, SINGLE_BIT, true, false},
	    {ZYDIS_MNEMONIC_BTS, SINGLE_BIT, true, true},
	    {ZYDIS_MNEMONIC_BTR, SINGLE_BIT, true, true},
	    {ZYDIS_MNEMONIC_BTC, SINGLE_BIT, true, true},
	    {ZYDIS_MNEMONIC_FXSAVE, SINGLE_OLD, false, true},
	    {ZYDIS_MNEMONIC_FXSAVE64, SINGLE_OLD, false, true},
	    {ZYDIS_MNEMONIC_FXRSTOR, SINGLE_OLD, true, false},
	    {ZYDIS_MNEMONIC_FXRSTOR64, SINGLE_OLD, true, false},
	    {ZYDIS_MNEMONIC_XSAVE, SINGLE_SPREAD, false, true},
	    {ZYDIS_MNEMONIC_XSAVE64, SINGLE_SPREAD, false, true},
	    {ZYDIS_MNEMONIC_XSAVEOPT, SINGLE_SPREAD, false, true},
	    {ZYDIS_MNEMONIC_XSAVEOPT64, SINGLE_SPREAD, false, true},
	    {ZYDIS_MNEMONIC_XSAVEC, SINGLE_COMPACT, false, true},
	    {ZYDIS_MNEMONIC_XSAVEC64, SINGLE_COMPACT, false, true},
	    {ZYDIS_MNEMONIC_XRSTOR, SINGLE_SAVED, true, false},
	    {ZYDIS_MNEMONIC_XRSTOR64, SINGLE_SAVED, true, false},
	};
	size_t i = 0, n = sizeof known / sizeof known[0];
	while (i < n && known[i].mnemonic != insn->mnemonic)
		i++;
	if (i == n || operands[0].type != ZYDIS_OPERAND_TYPE_MEMORY)
		return;
	s->single = (struct single){.kind = (uint8_t)known[i].kind,
	                            .is_load = known[i].is_load,
	                            .is_store = known[i].is_store};
	if (known[i].kind == SINGLE_BIT) {
		if (operands[1].type != ZYDIS_OPERAND_TYPE_REGISTER)
			return;
		s->single.bit_bytes = (uint8_t)(operands[0].size / 8);
		s->single.bit = (uint8_t)decode_reg(operands[1].reg.value);
	}
	s->single_at = decode_address(s, insn, &operands[0].mem);
	s->n_accesses = 0;
	s->flow = FLOW_SINGLE;
}
