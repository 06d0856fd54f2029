/* SPDX-License-Identifier: MIT */
/* instrument.c - emits counting code between the program's instructions. The sums of a basic block
 * are known at translation, except for the addresses of its accesses. So the block appends one word
 * for itself and one address for each group (group.h) to the buffer, at its start for those known
 * there. */
#include "count/native/translation.h"

static uint32_t
entry_place(unsigned group)
{
	return 8 + 8 * group;
}

/* Computes the full address in `reg`; may use `other`. */
void
wn_native_emit_address(struct emitter *e, unsigned reg, unsigned other, const struct address *a)
{
	emit_lea(e, reg, a);
	if (!a->segment)
		return;
	emit_load(e, other, a->segment == 0x64 ? CONTEXT_OFFSET(fs_base) : CONTEXT_OFFSET(gs_base));
	struct address sum = {.base = (uint8_t)reg, .index = (uint8_t)other};
	emit_lea(e, reg, &sum);
}

static void
emit_compare_limit(struct emitter *e, unsigned reg)
{
	emit_field(e, 0x3b, reg, CONTEXT_OFFSET(buffer_limit), 0);
}

/* Finds two registers that are not needed by the addresses known at the start; if there are none,
 * the last addresses are computed later. */
static void
choose_registers(struct translation *t, unsigned *a, unsigned *b)
{
	for (;;) {
		uint32_t used = 1u << RSP;
		unsigned last = GROUPS_MAX;
		for (unsigned i = 0; i < t->b->n_groups; i++)
			if (t->firsts[i].is_early) {
				used |= registers_of(&t->firsts[i].where);
				last = i;
			}
		*a = register_outside(used);
		*b = *a == REG_NONE ? REG_NONE : register_outside(used | 1u << *a);
		if (*b != REG_NONE)
			return;
		t->firsts[last].is_early = false;
		t->firsts[last].where.displacement -= t->firsts[last].moved;
	}
}

static void
emit_entry_user(struct translation *t)
{
	struct emitter *e = &t->e;
	unsigned a, b;
	t->entry_bytes = 8 * t->b->entry_words;
	choose_registers(t, &a, &b);
	spill(t, SLOT_A, a);
	spill(t, SLOT_B, b);
	emit_load(e, b, CONTEXT_OFFSET(buffer_next));
	/* mov qword [b], block */
	emit_based(e, 0xc7, 0, b, 0);
	emit_32(e, (uint32_t)((uintptr_t)t->b - (uintptr_t)e->c));
	for (unsigned i = 0; i < t->b->n_groups; i++) {
		const struct first *f = &t->firsts[i];
		if (!f->is_early)
			continue;
		wn_native_emit_address(e, a, b, &f->where);
		if (f->where.segment)
			emit_load(e, b, CONTEXT_OFFSET(buffer_next));
		emit_based(e, 0x89, a, b, (int32_t)entry_place(i));
	}
	emit_based(e, 0x8d, b, b, (int32_t)t->entry_bytes);
	emit_store(e, CONTEXT_OFFSET(buffer_next), b);
	t->now.is_entered = true;
	mark(t);
	bool is_rax_free = a == RAX || b == RAX;
	if (t->b->tests_flags) {
		if (!is_rax_free)
			spill(t, SLOT_C, RAX);
		emit_flags_to_rax(e);
		emit_store(e, CONTEXT_OFFSET(scratch[SLOT_FLAGS]), RAX);
		t->now.has_flags = true;
		mark(t);
	}
	if (t->b->tests_flags) /* b may be rax */
		emit_load(e, b, CONTEXT_OFFSET(buffer_next));
	emit_compare_limit(e, b);
	emit_8(e, 0x76); /* jbe: there is room */
	uint8_t *short_distance = e->at;
	emit_8(e, 0);
	struct exit *full = exit_new(e->c, EXIT_FULL, t->entry_bytes);
	struct stop now = t->now;
	for (unsigned is_room = 0; is_room < 2; is_room++) {
		mark_again(t, &now);
		if (is_room)
			*short_distance = (uint8_t)(e->at - short_distance - 1);
		if (t->b->tests_flags) {
			emit_load(e, RAX, CONTEXT_OFFSET(scratch[SLOT_FLAGS]));
			emit_flags_from_rax(e);
			t->now.has_flags = false;
			mark(t);
			if (!is_rax_free)
				unspill(t, SLOT_C, RAX);
		}
		unspill(t, SLOT_A, a);
		unspill(t, SLOT_B, b);
		if (!is_room)
			leave(t, full);
	}
	full->at = e->at;
}

static void
emit_entry_runtime(struct translation *t)
{
	struct emitter *e = &t->e;
	uint64_t *count = &e->c->t->slot->count[WN_PROPERTY_runtime_instructions];
	spill(t, SLOT_A, RAX);
	spill(t, SLOT_B, RCX);
	emit_value(e, RAX, (uintptr_t)count);
	emit_based(e, 0x8b, RCX, RAX, 0);
	emit_based(e, 0x8d, RCX, RCX, (int32_t)t->b->bundle.n_insn);
	emit_based(e, 0x89, RCX, RAX, 0);
	t->now.is_entered = true;
	mark(t);
	unspill(t, SLOT_A, RAX);
	unspill(t, SLOT_B, RCX);
}

void
wn_native_emit_groups_of(struct translation *t, unsigned i_insn)
{
	struct emitter *e = &t->e;
	for (unsigned i = 0; i < t->b->n_groups; i++) {
		const struct first *f = &t->firsts[i];
		if (f->is_early || f->insn != i_insn)
			continue;
		spill(t, SLOT_A, RAX);
		spill(t, SLOT_B, RCX);
		wn_native_emit_address(e, RAX, RCX, &f->where);
		emit_load(e, RCX, CONTEXT_OFFSET(buffer_next));
		emit_based(e, 0x89, RAX, RCX, (int32_t)entry_place(i) - (int32_t)t->entry_bytes);
		unspill(t, SLOT_B, RCX);
		unspill(t, SLOT_A, RAX);
	}
}

void
wn_native_emit_every(struct translation *t)
{
	struct emitter *e = &t->e;
	spill(t, SLOT_A, RAX);
	emit_load(e, RAX, CONTEXT_OFFSET(every));
	emit_based(e, 0x8d, RAX, RAX, 1);
	emit_store(e, CONTEXT_OFFSET(every), RAX);
	t->now.has_every = true;
	mark(t);
	unspill(t, SLOT_A, RAX);
}

void
wn_native_emit_entry(struct translation *t)
{
	if (t->account == ACCOUNT_USER)
		emit_entry_user(t);
	else
		emit_entry_runtime(t);
}
