/* SPDX-License-Identifier: MIT */
#include "count/native/translation.h"

/* ---- selecting the block's instructions ---- */

/* Should the block continue at the target of a jump or call? Not in a loop, not beyond a maximum
 * length, and not where code is writable or belongs to another module. */
static bool
is_to_follow(const struct translation *t, const struct insn *s)
{
	struct code here, there;
	unsigned n = 0;
	if ((s->flow != FLOW_JUMP && s->flow != FLOW_CALL) || s->is_transaction ||
	    t->n_insns > INSNS_MAX / 2)
		return false;
	for (unsigned i = 0; i < t->n_insns; i++) {
		if (t->insns[i].pc == s->target)
			return false;
		n += is_followed(t, &t->insns[i]);
	}
	return n < FOLLOWED_MAX && wn_native_find_code(s->pc, &here) && !here.is_writable &&
	       wn_native_find_code(s->target, &there) && !there.is_writable &&
	       there.kind == here.kind;
}

/* If the code lies in another page: is it as constant as the code before it? */
static bool
is_alike(uint64_t pc, uint64_t before, bool is_writable)
{
	struct code code;
	return pc / 4096 == before / 4096 ||
	       (wn_native_find_code(pc, &code) && code.is_writable == is_writable);
}

static void
read_insns(struct translation *t, uint64_t pc, bool is_writable)
{
	struct insn *s;
	do {
		s = &t->insns[t->n_insns];
		if (t->n_insns > 0 && !is_alike(pc, t->insns[t->n_insns - 1].pc, is_writable))
			break;
		wn_native_decode(pc, NULL, 0, s);
		/* each of these is a block of its own, since its counts are not known beforehand */
		if (t->n_insns > 0 && (s->flow == FLOW_REPEATED || s->flow == FLOW_GATHER ||
		                       s->flow == FLOW_SINGLE || s->flow == FLOW_STOP))
			break;
		pc += s->n;
		t->n_insns++;
		bool follows = is_to_follow(t, s);
		t->b->follows |= (uint64_t)follows << (t->n_insns - 1);
		if (follows)
			pc = s->target;
	} while ((s->flow == FLOW_ON || is_followed(t, s)) && t->n_insns < INSNS_MAX);
	t->b->n_bytes = (uint32_t)(pc - t->b->pc); /* contiguous, where it matters */
	t->b->n_insns = (uint8_t)t->n_insns;
	t->end = pc;
}

/* Decodes the same instructions again, even if the program's code has changed. */
static void
read_again(struct translation *t, const struct block *b)
{
	uint64_t pc = b->pc;
	t->b->follows = b->follows;
	for (; t->n_insns < b->n_insns; t->n_insns++) {
		struct insn *s = &t->insns[t->n_insns];
		uint64_t at = pc - b->pc;
		wn_native_decode(pc, b->bytes ? b->bytes + at : NULL, b->n_bytes - at, s);
		pc = is_followed(t, s) ? s->target : pc + s->n;
	}
	t->b->tests_flags = b->tests_flags;
	t->end = pc;
}

/* Flags in `open` that are still unchanged after the instruction; sets `is_tested` if it reads
 * one. */
static uint32_t
pass_flags(const struct insn *s, uint32_t open, bool *is_tested)
{
	*is_tested = s->tests & open;
	return open & ~s->kills;
}

#define AHEAD_MAX 24u

/* Is one of these flags read before it is written, on a known path from there? */
static bool
tests_flags_at(uint64_t pc, uint32_t open)
{
	bool is_tested = false;
	uint64_t before = ~pc;
	for (unsigned i = 0; i < AHEAD_MAX && open; i++) {
		struct insn s;
		/* unmapped or writable code may read all flags */
		if (!is_alike(pc, before, false))
			return true;
		before = pc;
		wn_native_decode(pc, NULL, 0, &s);
		open = pass_flags(&s, open, &is_tested);
		if (is_tested)
			return true;
		if (s.flow == FLOW_JUMP || s.flow == FLOW_CALL)
			pc = s.target;
		else if (s.flow == FLOW_ON)
			pc += s.n;
		else
			return open != 0;
	}
	return open != 0;
}

/* Does the block read a flag that was set before it? Assumes so where the path is unknown. */
static bool
tests_flags(const struct translation *t)
{
	const struct insn *last = &t->insns[t->n_insns - 1];
	uint32_t open = FLAGS_ARITHMETIC;
	bool is_tested = false;
	for (unsigned i = 0; i < t->n_insns && open; i++) {
		open = pass_flags(&t->insns[i], open, &is_tested);
		if (is_tested)
			return true;
	}
	if (!open)
		return false;
	if (last->flow == FLOW_CONDITION || last->flow == FLOW_COUNTED)
		return tests_flags_at(last->target, open) ||
		       tests_flags_at(last->pc + last->n, open);
	if (last->flow == FLOW_JUMP || last->flow == FLOW_CALL)
		return tests_flags_at(last->target, open);
	return last->flow != FLOW_ON || tests_flags_at(t->end, open);
}

static struct group *
group_make(void *translation)
{
	struct translation *t = translation;
	struct group *group = &t->b->groups[t->b->n_groups++];
	*group = (struct group){0};
	return group;
}

static void
take_access(struct translation *t, struct grouping *g, unsigned i_insn, const struct access *a)
{
	const struct address *w = &a->where;
	struct operands o = {
	    .is_known = true,
	    .bytes = a->bytes,
	    .is_load = a->is_load,
	    .is_store = a->is_store,
	    .place = w->base | (uint32_t)w->index << 5 | (uint32_t)w->scale << 10 |
	             (uint32_t)w->segment << 12 | (uint32_t)w->is_32 << 20 |
	             (uint32_t)w->has_al << 21,
	    .displacement = w->displacement,
	    .uses = registers_of(w),
	    .pc = t->insns[i_insn].pc,
	    .is_locked = t->insns[i_insn].has_lock,
	};
	uint32_t n = t->b->n_groups;
	int64_t moved = g->stack_pointer;
	bundle_add(&t->b->bundle, BUNDLE_READS, a->is_load);
	bundle_add(&t->b->bundle, BUNDLE_WRITES, a->is_store);
	bundle_add(&t->b->bundle, BUNDLE_READ_BYTES, a->is_load ? a->bytes : 0);
	bundle_add(&t->b->bundle, BUNDLE_WRITE_BYTES, a->is_store ? a->bytes : 0);
	if (!group_take(g, &o, group_make, t))
		return;
	struct first *f = &t->firsts[n];
	*f = (struct first){.where = *w, .insn = (uint8_t)i_insn, .is_early = true};
	if (w->base == RSP)
		f->moved = moved;
	f->where.displacement += f->moved;
	for (unsigned i = 0; i < i_insn; i++)
		if (t->insns[i].writes & o.uses)
			f->is_early = false;
	if (!f->is_early)
		f->where = *w;
}

/* For sharing.h. After an allocation rax has the block's address: a group without accesses. */
static void
find_allocations(struct translation *t)
{
	struct code code;
	struct block *b = t->b;
	b->is_neutral = wn_native_find_code(b->pc, &code) && code.kind == MODULE_NEUTRAL;
	for (unsigned i = 0; i < t->n_insns && !b->is_neutral; i++)
		b->calls_allocator |= wn_native_calls_allocator(&t->insns[i]);
	const struct insn *last = &t->insns[t->n_insns - 1];
	bool is_plain = last->flow != FLOW_GATHER && last->flow != FLOW_SINGLE &&
	                last->flow != FLOW_REPEATED && last->flow != FLOW_STOP;
	if (b->is_neutral || !is_plain || !wn_native_is_after_allocation(b->pc))
		return;
	t->firsts[b->n_groups] =
	    (struct first){.where = {.base = RAX, .index = REG_NONE}, .is_early = true};
	group_make(t);
	b->block_group = (uint16_t)b->n_groups;
}

/* Distances in a group are at most GROUP_SPAN_MAX, whatever the registers contain. */
static void
count_insns(struct translation *t)
{
	struct grouping g = {0};
	for (unsigned i = 0; i < t->n_insns; i++) {
		const struct insn *s = &t->insns[i];
		bundle_add(&t->b->bundle, (unsigned)BUNDLE_MIX + s->class, 1);
		t->b->bundle.n_insn++;
		if (t->account == ACCOUNT_RUNTIME)
			continue;
		for (unsigned k = 0; k < s->n_accesses; k++)
			take_access(t, &g, i, &s->access[k]);
		struct operands moves = {
		    .is_known = true, .writes = s->writes, .stack_pointer = s->stack_pointer};
		group_take(&g, &moves, group_make, t);
	}
	if (wn_counting.log && t->account == ACCOUNT_USER)
		find_allocations(t);
	const struct insn *last = &t->insns[t->n_insns - 1];
	t->b->entry_words = 1 + t->b->n_groups;
	if (last->flow == FLOW_GATHER) {
		t->b->kind = BLOCK_GATHER;
		t->b->gather = last->gather;
		t->b->entry_words = ENTRY_GATHER;
	}
	if (last->flow == FLOW_SINGLE) {
		t->b->kind = BLOCK_SINGLE;
		t->b->single = last->single;
		t->b->entry_words = single_has_mask(&last->single) ? ENTRY_MASKED : ENTRY_SINGLE;
	}
	if (last->flow == FLOW_REPEATED) {
		t->b->kind = BLOCK_REPEATED;
		t->b->entry_words = ENTRY_REPEATED;
		t->b->repeats = last->repeats;
		t->b->is_by_32 = last->is_by_32;
		t->b->reads_si = last->reads_si;
		t->b->reads_di = last->reads_di;
		t->b->writes_di = last->writes_di;
	}
}

/* ---- translation ---- */

static struct block *
block_new(struct context *c, uint64_t pc)
{
	struct block *b = cut(c, sizeof *b, 64); /* followed by its groups */
	b->pc = pc;
	return b;
}

/* Space to reserve, half of it for the translation that finds an interruption. */
#define ROOM_CODE    (128u << 10)
#define ROOM_RECORDS (256u << 10)

/* Instructions in a page that a protection key makes unreadable: the program's key register is
 * restored with the other registers. */
static void
allow_all_keys(void)
{
	if (wn_native_has_keys)
		__asm__ volatile("wrpkru" : : "a"(0), "c"(0), "d"(0));
}

static void
begin(struct translation *t, struct context *c, enum account account, uint64_t pc)
{
	allow_all_keys();
	t->e = (struct emitter){c->code_next, c};
	t->account = account;
	t->n_insns = 0;
	t->wanted = NULL;
	t->is_passed = false;
	memset(&t->now, 0, sizeof t->now);
	memset(t->now.slot_of, SCRATCH_N, sizeof t->now.slot_of);
	t->now.pc = pc;
	t->b = block_new(c, pc);
}

static void
take_all(struct translation *t)
{
	count_insns(t);
	t->e.c->records_next = (uint8_t *)&t->b->groups[t->b->n_groups];
}

static void
emit_all(struct translation *t)
{
	mark(t);
	wn_native_emit_entry(t);
	for (unsigned i = 0; i < t->n_insns; i++) {
		if (wn_native_is_checked)
			wn_native_emit_every(t);
		wn_native_emit_groups_of(t, i);
		wn_native_emit_insn(t, &t->insns[i]);
		if (t->insns[i].flow == FLOW_ON && !t->insns[i].modrm_at)
			mark_done(t, i + 1, STOP_AT_PC, t->insns[i].pc + t->insns[i].n);
	}
	const struct insn *last = &t->insns[t->n_insns - 1];
	if (last->flow == FLOW_ON || is_followed(t, last))
		wn_native_emit_direct(t, t->end);
}

struct block *
wn_native_translate(struct context *c, enum account account, uint64_t pc, bool is_writable)
{
	struct translation t;
	if (c->code_end - c->code_next < ROOM_CODE ||
	    c->records_end - c->records_next < ROOM_RECORDS)
		return NULL;
	begin(&t, c, account, pc);
	read_insns(&t, pc, is_writable);
	take_all(&t);
	if (is_writable) {
		t.b->bytes = cut(c, t.b->n_bytes, 8);
		memcpy(t.b->bytes, (const void *)(uintptr_t)pc, t.b->n_bytes);
	}
	if (t.insns[t.n_insns - 1].flow == FLOW_STOP) { /* executed in place */
		t.b->code = t.b->code_end = (uint8_t *)(uintptr_t)pc;
		return t.b;
	}
	t.b->code = t.e.at;
	t.b->tests_flags = tests_flags(&t);
	emit_all(&t);
	c->code_next = t.b->code_end = t.e.at;
	return t.b;
}

/* Translates the block again after all others, up to that address. */
void
wn_native_find_stop(struct context *c, const struct block *b, const uint8_t *at, struct stop *out)
{
	struct translation t;
	uint8_t *records_next = c->records_next;
	begin(&t, c, c->account, b->pc);
	t.wanted = t.e.at + (at - b->code);
	read_again(&t, b);
	take_all(&t);
	emit_all(&t);
	mark(&t);
	*out = t.there;
	t.n_insns = out->n_done;
	t.b->n_groups = 0;
	memset(&t.b->bundle, 0, sizeof t.b->bundle);
	if (t.n_insns > 0)
		count_insns(&t);
	out->done = t.b;
	c->records_next = records_next;
}
