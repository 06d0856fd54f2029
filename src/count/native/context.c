/* SPDX-License-Identifier: MIT */
/* context.c - life cycle of contexts: numbers, memory, and the list of all contexts. */
#include "count/native/context.h"

#include "count/native/libc.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

_Atomic uint64_t wn_native_code_turn;
struct context *wn_native_contexts[THREADS_MAX];

/* Held while reading other threads' contexts, and while unmapping one. */
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

/* Invalidates translated code whose source has changed: removes it from all lookups except the
 * lookup by translated address. */
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

/* The lowest free number; THREADS_MAX: none. */
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

/* Aligned memory for a context; NULL if there is none. */
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

/* Takes as much memory as is available: with less, code is discarded more often. */
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
