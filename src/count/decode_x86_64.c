/* SPDX-License-Identifier: MIT */
#include "count/decode_private.h"

static ZydisDecoder decoder;

void
decode_x86_64_begin(void)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

unsigned
decode_reg(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
	return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15
	           ? (unsigned)(whole - ZYDIS_REGISTER_RAX)
	           : REG_NONE;
}

static uint32_t
bit_of(ZydisRegister reg)
{
	unsigned r = decode_reg(reg);
	return r == REG_NONE ? 0 : 1u << r;
}

static bool
is_relative(const ZydisDecodedOperandMem *mem)
{
	return mem->base == ZYDIS_REGISTER_RIP || mem->base == ZYDIS_REGISTER_EIP;
}

struct address
decode_address(const struct insn *s, const ZydisDecodedInstruction *insn,
               const ZydisDecodedOperandMem *mem)
{
	struct address a = {
	    .base = (uint8_t)decode_reg(mem->base),
	    .index = (uint8_t)decode_reg(mem->index),
	    .scale = (uint8_t)(mem->scale ? __builtin_ctz(mem->scale) : 0),
	    .segment = mem->segment == ZYDIS_REGISTER_FS   ? 0x64
	               : mem->segment == ZYDIS_REGISTER_GS ? 0x65
	                                                   : 0,
	    .is_32 = insn->address_width == 32,
	    .displacement = mem->disp.has_displacement ? mem->disp.value : 0,
	};
	if (is_relative(mem)) {
		uint64_t where = (uint64_t)a.displacement + s->pc + s->n;
		a.displacement = (int64_t)(a.is_32 ? (uint32_t)where : where);
	}
	if (a.is_32 && a.base == REG_NONE && a.index == REG_NONE)
		a.displacement = (uint32_t)a.displacement;
	return a;
}

static void
add_access(struct insn *s, struct address where, unsigned bytes, bool is_load, bool is_store)
{
	if (s->n_accesses < ACCESSES_MAX && bytes > 0 && bytes < 256)
		s->access[s->n_accesses++] =
		    (struct access){where, (uint8_t)bytes, is_load, is_store};
}

static bool
touches_nothing(const ZydisDecodedInstruction *insn)
{
	switch ((int)insn->meta.category) {
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_PREFETCH:
	case ZYDIS_CATEGORY_CLFLUSHOPT:
	case ZYDIS_CATEGORY_CLWB:
	case ZYDIS_CATEGORY_CLDEMOTE:
		return true;
	default:
		return insn->mnemonic == ZYDIS_MNEMONIC_CLFLUSH;
	}
}

/* Registers that the instruction uses, and memory operands except the implicit stack. */
static void
decode_operand(struct insn *s, const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *o)
{
	bool reads = o->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	bool writes = o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	if (o->type == ZYDIS_OPERAND_TYPE_REGISTER) {
		uint32_t bit = bit_of(o->reg.value);
		s->uses |= bit;
		if (writes)
			s->writes |= bit;
		return;
	}
	if (o->type != ZYDIS_OPERAND_TYPE_MEMORY)
		return;
	s->uses |= bit_of(o->mem.base) | bit_of(o->mem.index);
	if (is_relative(&o->mem)) {
		s->where = (uint64_t)decode_address(s, insn, &o->mem).displacement;
		s->modrm_at = insn->raw.modrm.offset;
		s->is_lea = insn->mnemonic == ZYDIS_MNEMONIC_LEA;
	}
	bool is_stack =
	    o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && o->mem.base == ZYDIS_REGISTER_RSP;
	if (o->mem.type == ZYDIS_MEMOP_TYPE_MEM && !is_stack && !touches_nothing(insn))
		add_access(s, decode_address(s, insn, &o->mem), o->size / 8, reads, writes);
}

static void
push(struct insn *s, int bytes)
{
	struct address top = {.base = RSP, .index = REG_NONE, .displacement = -bytes};
	add_access(s, top, (unsigned)bytes, false, true);
	s->stack_pointer = -bytes;
	s->writes &= ~(1u << RSP);
}

static void
pop(struct insn *s, int bytes)
{
	struct address top = {.base = RSP, .index = REG_NONE};
	/* the address of a written operand is computed after it is read */
	for (unsigned i = 0; i < s->n_accesses; i++)
		if (s->access[i].where.base == RSP)
			s->access[i].where.displacement += bytes;
	add_access(s, top, (unsigned)bytes, true, false);
	s->stack_pointer = bytes;
	s->writes &= ~(1u << RSP);
}

static void
decode_stack(struct insn *s, const ZydisDecodedInstruction *insn,
             const ZydisDecodedOperand *operands)
{
	int bytes = insn->operand_width == 16 ? 2 : 8;
	switch ((int)insn->mnemonic) {
	case ZYDIS_MNEMONIC_PUSH:
	case ZYDIS_MNEMONIC_PUSHF:
	case ZYDIS_MNEMONIC_PUSHFQ:
		push(s, bytes);
		break;
	case ZYDIS_MNEMONIC_CALL:
		push(s, 8);
		break;
	case ZYDIS_MNEMONIC_POP:
		pop(s, bytes);
		if (operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    decode_reg(operands[0].reg.value) == RSP) {
			s->stack_pointer = 0;
			s->writes |= 1u << RSP;
		}
		break;
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_POPFQ:
		pop(s, bytes);
		break;
	case ZYDIS_MNEMONIC_RET:
		pop(s, 8);
		break;
	case ZYDIS_MNEMONIC_LEAVE:
		s->n_accesses = 0;
		add_access(s, (struct address){.base = RBP, .index = REG_NONE}, 8, true, false);
		break;
	case ZYDIS_MNEMONIC_ENTER:
		add_access(s, (struct address){.base = RSP, .index = REG_NONE, .displacement = -8},
		           8, false, true);
		break;
	case ZYDIS_MNEMONIC_XLAT:
		s->uses |= 1u << RAX | 1u << RBX;
		s->access[0].where.has_al = true;
		s->access[0].where.index = RAX;
		break;
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
		if (operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    operands[0].reg.value == ZYDIS_REGISTER_RSP &&
		    operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
			int64_t by = operands[1].imm.value.s;
			s->stack_pointer =
			    (int32_t)(insn->mnemonic == ZYDIS_MNEMONIC_ADD ? by : -by);
			s->writes &= ~(1u << RSP);
		}
		break;
	default:
		break;
	}
}

static void
decode_flags(struct insn *s, const ZydisDecodedInstruction *insn,
             const ZydisDecodedOperand *operands)
{
	const ZydisAccessedFlags *f = insn->cpu_flags;
	if (!f)
		return;
	s->tests = f->tested & FLAGS_ARITHMETIC;
	/* Processors may preserve flags that the manual leaves undefined, and bt does. All clear AF
	 * in logical operations. */
	bool clears = insn->meta.category == ZYDIS_CATEGORY_LOGICAL;
	s->kills = (f->modified | f->set_0 | f->set_1 | (clears ? f->undefined : 0)) &
	           FLAGS_ARITHMETIC & ~s->tests;
	/* a shift by 0 bits leaves the flags unchanged */
	if (insn->meta.category == ZYDIS_CATEGORY_SHIFT ||
	    insn->meta.category == ZYDIS_CATEGORY_ROTATE)
		for (unsigned i = 1; i < insn->operand_count_visible; i++)
			if (operands[i].type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
			    (operands[i].imm.value.u & (insn->operand_width == 64 ? 63 : 31)) == 0)
				s->kills = 0;
}

static void
decode_branch(struct insn *s, const ZydisDecodedInstruction *insn,
              const ZydisDecodedOperand *operands)
{
	const ZydisDecodedOperand *o = &operands[0];
	bool is_known = o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && o->imm.is_relative;
	bool is_call = insn->mnemonic == ZYDIS_MNEMONIC_CALL;
	if (insn->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR || insn->operand_width == 16) {
		s->flow = FLOW_STOP;
	} else if (is_known) {
		s->target = s->pc + s->n + (uint64_t)o->imm.value.s;
		s->flow = is_call ? FLOW_CALL : FLOW_JUMP;
	} else {
		s->flow = is_call ? FLOW_CALL_TO : FLOW_JUMP_TO;
		s->is_register = o->type == ZYDIS_OPERAND_TYPE_REGISTER;
		if (s->is_register)
			s->to.base = (uint8_t)decode_reg(o->reg.value);
		else
			s->to = decode_address(s, insn, &o->mem);
	}
}

static void
decode_condition(struct insn *s, const ZydisDecodedInstruction *insn,
                 const ZydisDecodedOperand *operands)
{
	s->target = s->pc + s->n + (uint64_t)operands[0].imm.value.s;
	if (insn->mnemonic == ZYDIS_MNEMONIC_XBEGIN) { /* always aborts */
		s->flow = FLOW_JUMP;
		s->is_transaction = true;
	} else if (insn->opcode_map == ZYDIS_OPCODE_MAP_0F || (insn->opcode & 0xf0) == 0x70) {
		s->flow = FLOW_CONDITION;
		s->condition = insn->opcode & 15;
	} else {
		s->flow = FLOW_COUNTED;
		s->condition = insn->opcode;
		s->is_by_32 = insn->address_width == 32;
	}
}

static bool
is_string(const ZydisDecodedInstruction *insn)
{
	return insn->meta.category == ZYDIS_CATEGORY_STRINGOP &&
	       (insn->attributes &
	        (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE));
}

static void
decode_flow(struct insn *s, const ZydisDecodedInstruction *insn,
            const ZydisDecodedOperand *operands)
{
	if (insn->mnemonic == ZYDIS_MNEMONIC_XABORT || insn->mnemonic == ZYDIS_MNEMONIC_XEND)
		return; /* no transaction is active */
	switch ((int)insn->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		decode_condition(s, insn, operands);
		return;
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_CALL:
		decode_branch(s, insn, operands);
		return;
	case ZYDIS_CATEGORY_RET:
		s->flow = insn->mnemonic == ZYDIS_MNEMONIC_RET &&
		                  insn->meta.branch_type == ZYDIS_BRANCH_TYPE_NEAR &&
		                  insn->operand_width == 64
		              ? FLOW_RETURN
		              : FLOW_STOP;
		s->pops = operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE
		              ? (uint16_t)operands[0].imm.value.u
		              : 0;
		return;
	case ZYDIS_CATEGORY_SYSCALL:
		s->flow = insn->mnemonic == ZYDIS_MNEMONIC_SYSCALL ? FLOW_SYSCALL : FLOW_STOP;
		return;
	case ZYDIS_CATEGORY_SYSRET:
		s->flow = FLOW_STOP;
		return;
	default:
		break;
	}
	if (insn->meta.category == ZYDIS_CATEGORY_AVX2GATHER ||
	    insn->meta.category == ZYDIS_CATEGORY_GATHER ||
	    insn->meta.category == ZYDIS_CATEGORY_SCATTER)
		decode_gather(s, insn, operands);
	else if (is_string(insn))
		decode_repeated(s, insn);
	else if (insn->mnemonic == ZYDIS_MNEMONIC_XBEGIN)
		decode_condition(s, insn, operands);
	else if (insn->mnemonic == ZYDIS_MNEMONIC_WRFSBASE ||
	         insn->mnemonic == ZYDIS_MNEMONIC_WRGSBASE)
		s->flow = FLOW_SEGMENT;
	else if (!decode_masked(s, insn, operands))
		decode_single(s, insn, operands);
}

/* Fields that an encoder must change to reach a relative operand through a register. */
static void
decode_prefixes(struct insn *s, const ZydisDecodedInstruction *insn)
{
	s->rex_at = insn->attributes & ZYDIS_ATTRIB_HAS_REX ? insn->raw.rex.offset : UINT8_MAX;
	s->vex_at = s->evex_at = UINT8_MAX;
	if (insn->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX) {
		s->vex_at = insn->raw.vex.offset;
		s->has_short_vex = insn->raw.vex.size == 2;
		s->is_256 = insn->raw.vex.L;
	}
	s->has_evex = insn->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
	if (s->has_evex)
		s->evex_at = insn->raw.evex.offset;
}

static void
decode_kind(struct insn *s, const ZydisDecodedInstruction *insn)
{
	bool is_xchg = insn->mnemonic == ZYDIS_MNEMONIC_XCHG && s->n_accesses > 0;
	s->class = classify_x86_64(insn);
	s->mnemonic = (uint16_t)insn->mnemonic;
	s->category = (uint16_t)insn->meta.category;
	s->has_lock = is_xchg || (insn->attributes & ZYDIS_ATTRIB_HAS_LOCK);
	s->is_call = insn->meta.category == ZYDIS_CATEGORY_CALL;
	s->is_return = insn->mnemonic == ZYDIS_MNEMONIC_RET;
	s->is_0f = insn->opcode_map == ZYDIS_OPCODE_MAP_0F;
	s->is_mmx = insn->meta.isa_ext == ZYDIS_ISA_EXT_MMX;
}

bool
decode_x86_64(const uint8_t *bytes, size_t n, uint64_t pc, struct insn *out, bool *is_truncated)
{
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	*out =
	    (struct insn){.pc = pc, .bytes = bytes, .n = 1, .flow = FLOW_STOP, .class = INSN_OTHER};
	ZyanStatus status = ZydisDecoderDecodeFull(&decoder, bytes, n, &insn, operands);
	if (is_truncated)
		*is_truncated = status == ZYDIS_STATUS_NO_MORE_DATA;
	if (!ZYAN_SUCCESS(status))
		return false;
	out->n = insn.length;
	out->flow = FLOW_ON;
	decode_prefixes(out, &insn);
	for (unsigned i = 0; i < insn.operand_count; i++)
		decode_operand(out, &insn, &operands[i]);
	decode_kind(out, &insn);
	decode_stack(out, &insn, operands);
	decode_flags(out, &insn, operands);
	decode_flow(out, &insn, operands);
	return true;
}
