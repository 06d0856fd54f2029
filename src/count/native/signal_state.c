/* SPDX-License-Identifier: MIT */
/* signal_state.c - reconstructs the program's registers at interrupted translated code. */
#include "count/native/signal_private.h"

#include <string.h>

void
wn_native_take_registers(struct context *c, const struct kernel_context *k)
{
	for (unsigned i = 0; i < 16; i++)
		c->gpr[wn_native_order[i]] = k->gpr[i];
	c->flags = k->eflags & ~(uint64_t)FLAG_TF;
	c->pc = k->rip;
}

static void
take_kept_flags(struct context *c)
{
	uint64_t kept = c->scratch[SLOT_FLAGS];
	c->flags &= ~0x8d5ul;
	c->flags |= (kept >> 8 & 0xd5) | (kept & 1) << 11;
}

/* Reduces the counts of the block to the part that was executed, as `stop` describes it. */
static void
take_back(struct context *c, const struct block *b, const struct stop *stop)
{
	if (c->account == ACCOUNT_RUNTIME) {
		uint64_t *count = &c->t->slot->count[WN_PROPERTY_runtime_instructions];
		*count -= b->bundle.n_insn - stop->n_done;
		return;
	}
	uint64_t bytes = 8 * (uint64_t)b->entry_words;
	uint64_t *entry = (uint64_t *)(c->buffer_next - bytes);
	if (stop->n_done == b->bundle.n_insn) { /* the end of a repeated instruction is missing */
		entry[3] = c->gpr[RSI];
		entry[4] = c->gpr[RDI];
		return;
	}
	c->buffer_next -= bytes;
	wn_native_flush(c);
	if (b->kind == BLOCK_REPEATED) {
		if (!stop->is_repeating)
			return;
		uint64_t *to = (uint64_t *)c->buffer_next;
		uint64_t si = entry[1], di = entry[2];
		*stop->done = *b;
		stop->done->bundle = (struct bundle){0};
		to[0] = (uint64_t)((uintptr_t)stop->done - (uintptr_t)c);
		to[1] = si, to[2] = di, to[3] = c->gpr[RSI], to[4] = c->gpr[RDI];
		c->buffer_next += 8 * ENTRY_REPEATED;
	} else if (stop->n_done > 0) {
		uint64_t *to = (uint64_t *)c->buffer_next;
		to[0] = (uint64_t)((uintptr_t)stop->done - (uintptr_t)c);
		for (uint32_t i = 0; i < stop->done->n_groups; i++)
			to[1 + i] = entry[1 + i];
		c->buffer_next += 8 * (uint64_t)stop->done->entry_words;
	}
	wn_native_flush(c);
}

/* Inside a block; false if it is about to leave anyway. */
static bool
take_from_block(struct context *c, const struct block *b)
{
	struct stop stop;
	wn_native_find_stop(c, b, (const uint8_t *)(uintptr_t)c->pc, &stop);
	if (stop.next == STOP_LEAVES)
		return false;
	uint64_t pc = stop.next == STOP_AT_RCX ? c->gpr[RCX] : stop.pc;
	for (unsigned r = 0; r < REG_N; r++)
		if (stop.slot_of[r] < SCRATCH_N)
			c->gpr[r] = c->scratch[stop.slot_of[r]];
	if (stop.has_flags)
		take_kept_flags(c);
	if (stop.has_pushed) {
		c->call_sp = c->gpr[RSP];
		c->was_call = 1;
	}
	c->pc = pc;
	c->every -= stop.has_every;
	bool is_whole = stop.n_done == b->bundle.n_insn;
	if (stop.is_entered && (!is_whole || stop.is_repeating))
		take_back(c, b, &stop);
	return true;
}

/* In the lookup of an indirect branch; `kept_pc` is its target, once it has been stored. */
static void
take_from_indirect(struct context *c, enum account account, uint64_t kept_pc)
{
	const uint8_t *at = (const uint8_t *)(uintptr_t)c->pc,
		      *trampoline = c->trampoline_indirect[account];
	enum { STORE_BYTES = 7 };
	c->pc = at <= trampoline + 2 * STORE_BYTES ? c->gpr[RCX] : kept_pc;
	if (at > trampoline)
		c->gpr[RAX] = c->scratch[0];
	if (at > trampoline + STORE_BYTES)
		c->gpr[RDX] = c->scratch[2];
	c->gpr[RCX] = c->scratch[1];
}

bool
wn_native_take_state(struct context *c, const struct kernel_context *k)
{
	const uint8_t *at = (const uint8_t *)(uintptr_t)k->rip;
	if (c->is_ready || (at >= c->trampoline_resume_checked && at < c->trampoline_resume_end)) {
		/* as if the branch were complete, but not while entering the engine for another
		 * signal */
		c->pc = c->target;
	} else if (at >= c->code_start && at < c->trampolines_end) {
		for (enum account w = ACCOUNT_USER; w < ACCOUNTS_N; w++) {
			const uint8_t *end =
			    w + 1 < ACCOUNTS_N ? c->trampoline_indirect[w + 1] : c->trampolines_end;
			if (at >= c->trampoline_indirect[w] && at < end) {
				uint64_t kept_pc = c->pc;
				wn_native_take_registers(c, k);
				take_from_indirect(c, w, kept_pc);
				return true;
			}
		}
		return false;
	} else if (at >= c->code_start && at < c->code_end) {
		const struct block *b = wn_native_block_of(c, at);
		if (!b)
			return false;
		uint64_t saved_pc = c->pc;
		uint64_t saved[REG_N], saved_flags = c->flags;
		memcpy(saved, c->gpr, sizeof saved);
		wn_native_take_registers(c, k);
		if (take_from_block(c, b))
			return true;
		memcpy(c->gpr, saved, sizeof saved);
		c->flags = saved_flags;
		c->pc = saved_pc;
		return false;
	} else if (c->is_inside) {
		return false;
	} else {
		wn_native_take_registers(c, k); /* in program code */
		if (c->pc == c->target)         /* and has not left */
			c->t->slot->is_lost = 0;
		return true;
	}
	const struct block *b = wn_native_block_of(c, (const uint8_t *)(uintptr_t)c->pc);
	return !b || take_from_block(c, b);
}
