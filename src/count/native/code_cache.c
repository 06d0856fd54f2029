/* SPDX-License-Identifier: MIT */
/*
 * code_cache.c - where translated code goes on: a thread's blocks by where they are in the program,
 * the ways between them, and the change from the user's code to the runtime's and back.
 */
#include "count/native/context.h"
#include "count/native/libc.h"
#include "count/native/modules.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCKS_N (1u << BLOCKS_BITS)

static size_t
place_of(uint64_t pc)
{
	return pc * 0x9e3779b97f4a7c15u >> (64 - BLOCKS_BITS);
}

/* A free place is behind the last of those that were put there: as long as there is one. */
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
	while (low < high) { /* the last that does not begin behind it */
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
	for (unsigned w = 0; w < ACCOUNTS_N; w++) /* nothing leads to 0 */
		c->places[w][0].negative = 1;
	wn_native_make_trampolines(c);
}

/* What works on vectors runs beside the program's. */
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
		wn_native_flush(c); /* it speaks of blocks */
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

/* The last entry's block is about to run: it comes first in the buffer again. */
static void
make_room(struct context *c, uint64_t last_bytes)
{
	uint64_t *last = (uint64_t *)(c->buffer_next - last_bytes);
	c->buffer_next -= last_bytes;
	wn_native_flush(c);
	memcpy(c->buffer, last, last_bytes);
	c->buffer_next += last_bytes;
}

/* The way from the exit that was taken is remembered. */
static void
remember_way(struct context *c, struct exit *x, enum account from, struct block *to)
{
	if (to->bytes) /* it is looked at each time */
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
	if (!wn_native_find_code(c->pc, &code)) { /* it faults there, as it does */
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

/* ---- life ---- */

_Atomic uint64_t wn_native_code_turn;
struct context *wn_native_contexts[THREADS_MAX];

/* Held by who looks at other threads' contexts, and by who is about to unmap one. */
static atomic_flag registry = ATOMIC_FLAG_INIT;

static void
take_registry(void)
{
	while (atomic_flag_test_and_set_explicit(&registry, memory_order_acquire))
		sched_yield();
}

static void
give_registry(void)
{
	atomic_flag_clear_explicit(&registry, memory_order_release);
}

void
wn_native_contexts_start_again(struct context *c)
{
	for (uint32_t i = 0; i < THREADS_MAX; i++)
		if (wn_native_contexts[i] != c)
			wn_native_contexts[i] = NULL;
	give_registry();
}

/* Code that was translated is no longer what it was: no thread finds its way to it any more but
 * from where it is. */
void
wn_native_code_changed(void)
{
	atomic_fetch_add(&wn_native_code_turn, 1);
	take_registry();
	for (uint32_t i = 0; i < THREADS_MAX; i++) {
		struct context *c = wn_native_contexts[i];
		for (uint32_t k = 0; c && k < ACCOUNTS_N << TABLE_BITS; k++)
			c->places[k >> TABLE_BITS][k & ((1u << TABLE_BITS) - 1)].negative = 1;
	}
	give_registry();
}

static _Atomic uint32_t numbers[THREADS_MAX / 32];

/* The lowest that is free; THREADS_MAX: none. */
static uint32_t
take_number(void)
{
	for (uint32_t i = 0; i < THREADS_MAX / 32; i++) {
		uint32_t word = numbers[i];
		while (word != UINT32_MAX) {
			uint32_t bit = (uint32_t)__builtin_ctz(~word);
			if (atomic_compare_exchange_weak(&numbers[i], &word, word | 1u << bit))
				return 32 * i + bit;
		}
	}
	return THREADS_MAX;
}

static void
give_number(uint32_t number)
{
	atomic_fetch_and(&numbers[number / 32], ~(1u << number % 32));
}

/* As aligned as the context must be; NULL if there is no room. */
static uint8_t *
map_region(size_t region_bytes)
{
	size_t alignment = _Alignof(struct context), bytes = region_bytes + alignment;
	uint8_t *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (all == MAP_FAILED)
		return NULL;
	size_t before = (alignment - (uintptr_t)all % alignment) % alignment;
	if (before > 0)
		munmap(all, before);
	munmap(all + before + region_bytes, alignment - before);
	return all + before;
}

/* With as much room as there is: where little is, code is forgotten more often. */
static struct context *
map_context(void)
{
	for (size_t bytes = CODE_BYTES; bytes >= CODE_BYTES_MIN; bytes /= 4) {
		uint8_t *region = map_region(CONTEXT_BYTES + 2 * bytes);
		if (!region)
			continue;
		struct context *c = (struct context *)region;
		c->region_bytes = CONTEXT_BYTES + 2 * bytes;
		c->records_start = region + CONTEXT_BYTES;
		c->records_end = c->records_start + bytes;
		c->code_start = c->records_end;
		c->code_end = c->code_start + bytes;
		if (wn_native_call(SYS_mprotect, c->code_start, bytes,
		                   (long)(PROT_READ | PROT_WRITE | PROT_EXEC), 0L, 0L, 0L) == 0)
			return c;
		munmap(region, c->region_bytes);
		return NULL;
	}
	return NULL;
}

struct context *
wn_native_context_new(void)
{
	uint32_t number = take_number();
	if (number == THREADS_MAX)
		return NULL;
	struct context *c = map_context();
	if (!c || !thread_begin(number)) {
		if (c)
			munmap(c, c->region_bytes);
		give_number(number);
		return NULL;
	}
	c->number = number;
	c->signal_stack[0] = c;
	c->alternate.ss_flags = SS_DISABLE;
	take_registry();
	wn_native_contexts[number] = c;
	give_registry();
	c->t = wn_counting_threads[number];
	c->buffer_next = (uintptr_t)c->buffer;
	c->buffer_limit = c->buffer_next + BUFFER_BYTES;
	return c;
}

void
wn_native_context_end(struct context *c)
{
	wn_native_flush(c);
	thread_end(c->t);
	take_registry();
	wn_native_contexts[c->number] = NULL;
	give_registry();
	give_number(c->number);
}

void
wn_native_context_free(struct context *c)
{
	wn_native_context_end(c);
	munmap(c, c->region_bytes);
}

void
wn_native_claim(struct context *c)
{
	c->os_tid = (uint32_t)gettid();
	thread_claim(c->t);
	c->account = c->t->mode == MODE_USER ? ACCOUNT_USER : ACCOUNT_RUNTIME;
	wn_native_context_forget(c);
	wn_native_update_base(c);
}
