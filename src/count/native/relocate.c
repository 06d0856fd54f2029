/* SPDX-License-Identifier: MIT */
/*
 * relocate.c - relocates the program's instructions so that they work at another address:
 * RIP-relative operands, branches, calls (which push the program's return addresses), and returns.
 *
 * The program cannot observe the added code: registers and flags are preserved, and nothing is
 * written to its stack.
 */
#include "count/native/translation.h"

/* Replaces a RIP-relative operand by one through a register that the instruction does not use. */
static void
emit_moved(struct translation *t, const struct insn *s)
{
	struct emitter *e = &t->e;
	uint8_t copy[16];
	unsigned n = 0;
	uint64_t where = s->where;
	unsigned digit = s->bytes[s->modrm_at] >> 3 & 7;
	if (s->is_lea) {
		unsigned rex = s->rex_at == UINT8_MAX ? 0 : s->bytes[s->rex_at];
		if (rex & 8) {
			emit_value(e, digit | (rex >> 2 & 1) << 3, where);
			mark_done(t, t->now.n_done + 1, STOP_AT_PC, s->pc + s->n);
			return;
		}
	}
	/* rbp and rsp have another meaning in this encoding */
	unsigned via = register_outside(s->uses | 1u << RSP | 1u << RBP);
	spill(t, SLOT_A, via);
	emit_value(e, via, where);
	memcpy(copy, s->bytes, s->modrm_at);
	n = s->modrm_at;
	if (s->rex_at != UINT8_MAX)
		copy[s->rex_at] &= 0xfe;
	if (s->vex_at != UINT8_MAX && !s->has_short_vex)
		copy[s->vex_at + 1] |= 0x20;
	if (s->evex_at != UINT8_MAX)
		copy[s->evex_at + 1] |= 0x20;
	copy[n++] = (uint8_t)(digit << 3 | via);
	emit_bytes(e, copy, n);
	emit_bytes(e, s->bytes + s->modrm_at + 5, s->n - s->modrm_at - 5u);
	mark_done(t, t->now.n_done + 1, STOP_AT_PC, s->pc + s->n);
	unspill(t, SLOT_A, via);
}

/* Ends the block and continues at its fall-through address. */
void
wn_native_emit_direct(struct translation *t, uint64_t target)
{
	struct emitter *e = &t->e;
	struct exit *x = exit_new(e->c, EXIT_DIRECT, target);
	mark_done(t, t->n_insns, STOP_AT_PC, target);
	emit_8(e, 0xe9);
	x->at = e->at;
	emit_32(e, 0); /* the exit follows */
	leave(t, x);
}

static void
emit_condition(struct translation *t, const struct insn *s)
{
	struct emitter *e = &t->e;
	struct exit *taken = exit_new(e->c, EXIT_DIRECT, s->target);
	emit_8(e, 0x0f);
	emit_8(e, 0x80u | s->condition);
	taken->at = e->at;
	emit_32(e, 0);
	wn_native_emit_direct(t, s->pc + s->n);
	emit_patch(taken->at, e->at);
	leave(t, taken);
}

/* The branch is short: it skips a jump. */
static void
emit_counted(struct translation *t, const struct insn *s)
{
	struct emitter *e = &t->e;
	if (s->is_by_32)
		emit_8(e, 0x67);
	emit_8(e, s->condition);
	uint8_t *distance = e->at;
	emit_8(e, 0);
	wn_native_emit_direct(t, s->pc + s->n);
	*distance = (uint8_t)(e->at - distance - 1);
	wn_native_emit_direct(t, s->target);
}

/* Completes a call: continues at `next` or `target`. */
static void
emit_push_return(struct translation *t, const struct insn *s, enum stop_next next, uint64_t target)
{
	struct emitter *e = &t->e;
	uint64_t back = s->pc + s->n;
	bool is_short = back <= INT32_MAX;
	if (is_short) {
		emit_8(e, 0x68);
		emit_32(e, (uint32_t)back);
	} else {
		spill(t, SLOT_A, RAX);
		emit_value(e, RAX, back);
		emit_8(e, 0x50);
	}
	t->now.has_pushed = true;
	mark_done(t, t->now.n_done + 1, next, target);
	if (!is_short)
		unspill(t, SLOT_A, RAX);
	emit_store(e, CONTEXT_OFFSET(call_sp), RSP);
	emit_set(e, CONTEXT_OFFSET(was_call), 1);
	t->now.has_pushed = false;
	mark(t);
}

/* Loads the target into rcx. */
static void
emit_where_to(struct translation *t, const struct insn *s)
{
	struct emitter *e = &t->e;
	spill(t, SLOT_B, RCX);
	if (s->is_register) {
		struct address same = {.base = s->to.base, .index = REG_NONE};
		emit_lea(e, RCX, &same);
	} else if (s->to.base == REG_NONE && s->to.index == REG_NONE && !s->to.segment) {
		emit_value(e, RCX, (uint64_t)s->to.displacement);
		emit_based(e, 0x8b, RCX, RCX, 0);
	} else {
		emit_at(e, 0x8b, RCX, &s->to, true);
	}
}

/* Continues at the address in rcx. */
static void
emit_pop_return(struct translation *t, const struct insn *s, enum stop_next next)
{
	struct emitter *e = &t->e;
	if (s->pops) {
		emit_based(e, 0x8b, RCX, RSP, 0);
		emit_based(e, 0x8d, RSP, RSP, 8 + s->pops);
	} else {
		emit_8(e, 0x59);
	}
	mark_done(t, t->n_insns, next, 0);
}

static void
emit_return(struct translation *t, const struct insn *s)
{
	struct emitter *e = &t->e;
	spill(t, SLOT_B, RCX);
	struct stop now = t->now;
	emit_set(e, CONTEXT_OFFSET(was_call), 0);
	emit_load(e, RCX, CONTEXT_OFFSET(negative_base));
	struct address sum = {.base = RSP, .index = RCX};
	emit_lea(e, RCX, &sum);
	emit_8(e, 0xe3); /* jrcxz */
	uint8_t *distance = e->at;
	emit_8(e, 0);
	emit_pop_return(t, s, STOP_AT_RCX);
	emit_jump(e, e->c->trampoline_indirect[t->account]);
	*distance = (uint8_t)(e->at - distance - 1);
	mark_again(t, &now);
	emit_pop_return(t, s, STOP_LEAVES);
	emit_store(e, CONTEXT_OFFSET(pc), RCX);
	unspill(t, SLOT_B, RCX);
	leave(t, exit_new(e->c, EXIT_BASE, 0));
}

static void
emit_syscall(struct translation *t, const struct insn *s)
{
	struct emitter *e = &t->e;
	struct exit *x = exit_new(e->c, EXIT_SYSCALL, s->pc + s->n);
	x->before = e->at;
	emit_8(e, 0x90); /* the state of an interruption in the exit is unknown */
	leave(t, x);
	x->at = e->at;
	emit_bytes(e, s->bytes, s->n);
	mark_done(t, t->n_insns, STOP_AT_PC, s->pc + s->n);
	emit_value(e, RCX, s->pc + s->n);
	wn_native_emit_direct(t, s->pc + s->n);
}

/* From the start of its entry: rsi and rdi before, and after. */
static void
emit_repeated(struct translation *t, const struct insn *s)
{
	struct emitter *e = &t->e;
	for (unsigned after = 0; after < 2; after++) {
		if (t->account == ACCOUNT_USER) {
			spill(t, SLOT_A, RAX);
			emit_load(e, RAX, CONTEXT_OFFSET(buffer_next));
			emit_based(e, 0x89, RSI, RAX, after ? -16 : -32);
			emit_based(e, 0x89, RDI, RAX, after ? -8 : -24);
			unspill(t, SLOT_A, RAX);
		}
		if (after)
			break;
		t->now.is_repeating = true;
		mark(t);
		emit_bytes(e, s->bytes, s->n);
		/* does not repeat: comparisons may end before rcx is 0 */
		mark_done(t, t->n_insns, STOP_AT_PC, s->pc + s->n);
	}
	t->now.is_repeating = false;
	wn_native_emit_direct(t, s->pc + s->n);
}

/* Stores to [rcx + displacement]: vmovdqu of a 256-bit register, vmovdqu64 of a 512-bit register,
 * kmovw. */
static void
emit_keep_ymm(struct emitter *e, unsigned reg, int32_t displacement)
{
	emit_8(e, 0xc4);
	emit_8(e, (reg >> 3 & 1 ? 0 : 0x80) | 0x61);
	emit_8(e, 0x7e);
	emit_8(e, 0x7f);
	emit_8(e, 0x81 | (reg & 7) << 3);
	emit_32(e, (uint32_t)displacement);
}

static void
emit_keep_zmm(struct emitter *e, unsigned reg, int32_t displacement)
{
	emit_8(e, 0x62);
	emit_8(e, (reg >> 3 & 1 ? 0 : 0x80) | 0x61 | (reg >> 4 & 1 ? 0 : 0x10));
	emit_8(e, 0xfe);
	emit_8(e, 0x48);
	emit_8(e, 0x7f);
	emit_8(e, 0x81 | (reg & 7) << 3);
	emit_32(e, (uint32_t)displacement);
}

static void
emit_keep_bits(struct emitter *e, unsigned reg, int32_t displacement, unsigned n)
{
	if (n > 16) /* kmovq, which exists where there are that many elements */
		emit_bytes(e, (const uint8_t[]){0xc4, 0xe1, 0xf8, 0x91}, 4);
	else
		emit_bytes(e, (const uint8_t[]){0xc5, 0xf8, 0x91}, 3);
	emit_8(e, 0x81 | (reg & 7) << 3);
	emit_32(e, (uint32_t)displacement);
}

static void
emit_keep_mask(struct emitter *e, const struct mask *mask, int32_t displacement)
{
	if (mask->has_bits)
		emit_keep_bits(e, mask->reg, displacement, mask->n);
	else
		emit_keep_ymm(e, mask->reg, displacement);
}

static void
emit_gather(struct translation *t, const struct insn *s)
{
	struct emitter *e = &t->e;
	const struct gather *g = &s->gather;
	enum {
		MASK_AT = -GATHER_BYTES,
		INDEX_AT = MASK_AT - GATHER_BYTES,
		ADDRESS_AT = INDEX_AT - 8
	};
	if (t->account == ACCOUNT_USER) {
		spill(t, SLOT_A, RAX);
		spill(t, SLOT_B, RCX);
		wn_native_emit_address(e, RAX, RCX, &s->gather_at);
		emit_load(e, RCX, CONTEXT_OFFSET(buffer_next));
		emit_based(e, 0x89, RAX, RCX, ADDRESS_AT);
		if (g->mask.has_bits)
			emit_keep_zmm(e, g->index_register, INDEX_AT);
		else
			emit_keep_ymm(e, g->index_register, INDEX_AT);
		emit_keep_mask(e, &g->mask, MASK_AT);
		unspill(t, SLOT_B, RCX);
		unspill(t, SLOT_A, RAX);
	}
	emit_bytes(e, s->bytes, s->n);
	wn_native_emit_direct(t, s->pc + s->n);
}

static void
emit_once(struct translation *t, const struct insn *s)
{
	if (s->modrm_at)
		emit_moved(t, s);
	else
		emit_bytes(&t->e, s->bytes, s->n);
}

static void
emit_single(struct translation *t, const struct insn *s)
{
	enum {
		RDX_AT = -8,
		WHICH_AT = RDX_AT - 8,
		ADDRESS_AT = WHICH_AT - 8,
		MASK_AT = -GATHER_BYTES,
		MASKED_AT = MASK_AT - 8
	};
	struct emitter *e = &t->e;
	bool has_mask = single_has_mask(&s->single);
	unsigned which = s->single.kind == SINGLE_BIT ? s->single.bit : RAX;
	if (t->account == ACCOUNT_USER) {
		spill(t, SLOT_A, RAX);
		spill(t, SLOT_B, RCX);
		wn_native_emit_address(e, RAX, RCX, &s->single_at);
		emit_load(e, RCX, CONTEXT_OFFSET(buffer_next));
		emit_based(e, 0x89, RAX, RCX, has_mask ? MASKED_AT : ADDRESS_AT);
		if (has_mask) {
			emit_keep_mask(e, &s->single.mask, MASK_AT);
		} else {
			emit_based(e, 0x89, RDX, RCX, RDX_AT);
			if (which == RAX || which == RCX) /* their program values */
				emit_load(e, RAX,
				          CONTEXT_OFFSET(scratch[which == RAX ? SLOT_A : SLOT_B]));
			emit_based(e, 0x89, which == RCX ? RAX : which, RCX, WHICH_AT);
		}
		unspill(t, SLOT_B, RCX);
		unspill(t, SLOT_A, RAX);
	}
	emit_once(t, s);
	wn_native_emit_direct(t, s->pc + s->n);
}

void
wn_native_emit_insn(struct translation *t, const struct insn *s)
{
	struct emitter *e = &t->e;
	switch (s->flow) {
	case FLOW_ON:
		emit_once(t, s);
		break;
	case FLOW_JUMP:
		if (is_followed(t, s)) {
			mark_done(t, t->now.n_done + 1, STOP_AT_PC, s->target);
			break;
		}
		if (s->is_transaction)
			emit_value(e, RAX, 0);
		wn_native_emit_direct(t, s->target);
		break;
	case FLOW_CONDITION:
		emit_condition(t, s);
		break;
	case FLOW_COUNTED:
		emit_counted(t, s);
		break;
	case FLOW_CALL:
		emit_push_return(t, s, STOP_AT_PC, s->target);
		if (!is_followed(t, s))
			wn_native_emit_direct(t, s->target);
		break;
	case FLOW_RETURN:
		emit_return(t, s);
		break;
	case FLOW_CALL_TO:
		emit_where_to(t, s);
		emit_push_return(t, s, STOP_AT_RCX, 0);
		emit_jump(e, e->c->trampoline_indirect[t->account]);
		break;
	case FLOW_JUMP_TO:
		emit_where_to(t, s);
		emit_jump(e, e->c->trampoline_indirect[t->account]);
		break;
	case FLOW_SYSCALL:
		emit_syscall(t, s);
		break;
	case FLOW_GATHER:
		emit_gather(t, s);
		break;
	case FLOW_SINGLE:
		emit_single(t, s);
		break;
	case FLOW_REPEATED:
		emit_repeated(t, s);
		break;
	case FLOW_SEGMENT: {
		struct exit *x = exit_new(e->c, EXIT_SEGMENT, s->pc + s->n);
		emit_bytes(e, s->bytes, s->n);
		leave(t, x);
		break;
	}
	case FLOW_STOP:
	default:
		break;
	}
}
