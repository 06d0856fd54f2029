/* SPDX-License-Identifier: MIT */
/* code_cache.c - lookup of translated code: a thread's blocks by program address, the links between
 * them, and switches between the user's account and the runtime's. */
#include "count/native/context.h"
#include "count/native/modules.h"

#include <string.h>

#define BLOCKS_N (1u << BLOCKS_BITS)

static size_t
place_of(uint64_t pc)
{
	return pc * 0x9e3779b97f4a7c15u >> (64 - BLOCKS_BITS);
}

/* Order is by address, so a new block goes to the end while there is room. */
static struct block *
find(const struct context *c, enum account account, uint64_t pc)
{
	for (size_t i = place_of(pc);; i = (i + 1) % BLOCKS_N) {
		struct block *b = c->blocks[account][i];
		if (!b || b->pc == pc)
			return b;
	}
}

static void
keep(struct context *c, enum account account, struct block *b)
{
	size_t i = place_of(b->pc);
	while (c->blocks[account][i])
		i = (i + 1) % BLOCKS_N;
	c->blocks[account][i] = b;
	if (b->code_end > b->code)
		c->order[c->n_ordered++] = b;
	c->n_blocks++;
}

struct block *
wn_native_block_of(const struct context *c, const uint8_t *code)
{
	uint64_t low = 0, high = c->n_ordered;
	while (low < high) { /* the last one that does not begin after it */
		uint64_t middle = (low + high) / 2;
		if (c->order[middle]->code <= code)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && code < c->order[low - 1]->code_end ? c->order[low - 1] : NULL;
}

void
wn_native_context_forget(struct context *c)
{
	c->code_next = c->code_start;
	c->records_next = c->records_start;
	c->n_blocks = c->n_ordered = 0;
	c->code_turn = wn_native_code_turn;
	if (c->n_forgotten++ > 0) {
		memset(c->blocks, 0, sizeof c->blocks);
		memset(c->places, 0, sizeof c->places);
	}
	for (unsigned w = 0; w < ACCOUNTS_N; w++) /* no block begins at 0 */
		c->places[w][0].negative = 1;
	wn_native_make_trampolines(c);
}

/* Uses vector registers, which must be saved. */
static struct block *
translate(struct context *c, enum account account, uint64_t pc, bool is_writable)
{
	uint32_t low = UINT32_MAX, high = UINT32_MAX;
	__asm__ volatile("xsave64 %0" : "=m"(c->vectors) : "a"(low), "d"(high) : "memory");
	struct block *b = wn_native_translate(c, account, pc, is_writable);
	__asm__ volatile("xrstor64 %0" : : "m"(c->vectors), "a"(low), "d"(high) : "memory");
	return b;
}

static bool
is_as_it_was(const struct block *b)
{
	const uint8_t *now = (const uint8_t *)(uintptr_t)b->pc;
	for (uint32_t i = 0; i < b->n_bytes; i++)
		if (now[i] != b->bytes[i])
			return false;
	return true;
}

static struct block *
block_at(struct context *c, enum account account, uint64_t pc, bool is_writable)
{
	struct block *b = c->code_turn == wn_native_code_turn ? find(c, account, pc) : NULL;
	if (b && (!b->bytes || is_as_it_was(b)))
		return b;
	b = c->code_turn == wn_native_code_turn && !b && c->n_blocks < BLOCKS_N / 2
	        ? translate(c, account, pc, is_writable)
	        : NULL;
	if (!b) {
		wn_native_flush(c); /* its entries refer to blocks */
		wn_native_context_forget(c);
		b = translate(c, account, pc, is_writable);
	}
	keep(c, account, b);
	return b;
}

void
wn_native_update_base(struct context *c)
{
	const struct thread *t = c->t;
	c->negative_base = t->n_bases > 0 ? 0 - t->bases[t->n_bases - 1] : 1ull << 62;
}

static void
switch_account(struct context *c, enum account account)
{
	wn_native_flush(c);
	c->t->was_call = c->was_call;
	c->t->sp = c->call_sp;
	if (account == ACCOUNT_USER)
		thread_enter_user(c->t);
	else
		thread_leave_user(c->t);
	c->account = account;
	wn_native_update_base(c);
}

/* The block of the last entry is about to run, so its entry becomes the first one again. */
static void
make_room(struct context *c, uint64_t last_bytes)
{
	uint64_t *last = (uint64_t *)(c->buffer_next - last_bytes);
	c->buffer_next -= last_bytes;
	wn_native_flush(c);
	memcpy(c->buffer, last, last_bytes);
	c->buffer_next += last_bytes;
}

/* Links the exit that was taken to its target. */
static void
remember_way(struct context *c, struct exit *x, enum account from, struct block *to)
{
	if (to->bytes) /* is compared each time */
		return;
	if (x->kind == EXIT_DIRECT) {
		if (from == c->account && to->code >= c->code_start && to->code < c->code_end) {
			uint32_t distance =
			    (uint32_t)((uintptr_t)to->code - (uintptr_t)(x->at + 4));
			memcpy(x->at, &distance, sizeof distance);
		}
	} else if (x->kind == EXIT_INDIRECT && from == c->account) {
		c->places[from][c->pc & ((1u << TABLE_BITS) - 1)] =
		    (struct place){0 - c->pc, to->code};
	}
}

static void
go_on(struct context *c, struct exit *x)
{
	static const enum account account_of[] = {
	    [MODULE_USER] = ACCOUNT_USER, [MODULE_RUNTIME] = ACCOUNT_RUNTIME};
	enum account from = c->account;
	struct code code;
	if (!wn_native_find_code(c->pc, &code)) { /* it faults there, as without the engine */
		c->target = c->pc;
		c->t->slot->is_lost = 1;
		return;
	}
	if (code.kind != MODULE_NEUTRAL && account_of[code.kind] != from)
		switch_account(c, account_of[code.kind]);
	uint64_t n_forgotten = c->n_forgotten;
	struct block *b = block_at(c, c->account, c->pc, code.is_writable);
	if (x && n_forgotten == c->n_forgotten)
		remember_way(c, x, from, b);
	c->target = (uintptr_t)b->code;
	if (b->code_end == b->code)
		c->t->slot->is_lost = 1;
}

void
wn_native_dispatch(struct context *c)
{
	struct exit *x = (struct exit *)c->exit;
	c->is_inside = 1;
	c->is_ready = false;
	switch ((enum exit_kind)x->kind) {
	case EXIT_FULL:
		make_room(c, x->target);
		c->target = (uintptr_t)x->at;
		return;
	case EXIT_SYSCALL:
		switch (wn_native_syscall(c, x->target)) {
		case SYSCALL_BY_PROGRAM:
			c->target = (uintptr_t)x->at;
			return;
		case SYSCALL_LATER:
			c->target = (uintptr_t)x->before;
			return;
		case SYSCALL_MADE:
			break;
		}
		x = NULL;
		break;
	case EXIT_BASE:
		wn_native_flush(c);
		c->t->was_call = false;
		thread_pop_base(c->t);
		wn_native_update_base(c);
		x = NULL;
		break;
	case EXIT_SEGMENT:
		wn_native_read_segments(c);
		c->pc = x->target;
		x = NULL;
		break;
	case EXIT_DIRECT:
		c->pc = x->target;
		break;
	case EXIT_INDIRECT:
		break;
	}
	go_on(c, x);
}
