/* SPDX-License-Identifier: MIT */
/*
 * arena.c - base/mem.h in a page: blocks of powers of two from the end of what the linker laid out,
 * and lists of those that are free again.
 */
#include "base/mem.h"

#include <string.h>

#define PAGE_BYTES 65536u
#define CLASSES    32u
#define LEAST      4u /* 16 bytes */

struct block {
	uint32_t class, pad;
	struct block *next; /* when it is free; here the caller's bytes begin */
};
#define HEAD_BYTES 8u

extern unsigned char __heap_base;

static struct block *free_blocks[CLASSES];
static size_t brk_at;
static long n_live;

static uint32_t
class_of(size_t n_bytes)
{
	uint32_t c = LEAST;
	while (c < CLASSES && ((size_t)1 << c) - HEAD_BYTES < n_bytes)
		c++;
	return c;
}

/* Large blocks are cut to pages, not to powers of two. */
static struct block *
from_memory(size_t n_bytes)
{
	if (!brk_at)
		brk_at = ((size_t)&__heap_base + 15) & ~(size_t)15;
	size_t have = (size_t)__builtin_wasm_memory_size(0) * PAGE_BYTES;
	if (n_bytes > SIZE_MAX - PAGE_BYTES - brk_at)
		return NULL;
	if (brk_at + n_bytes > have) {
		size_t more = (brk_at + n_bytes - have + PAGE_BYTES - 1) / PAGE_BYTES;
		if (__builtin_wasm_memory_grow(0, more) == SIZE_MAX)
			return NULL;
	}
	struct block *b = (struct block *)brk_at;
	brk_at += n_bytes;
	return b;
}

static void *
take(size_t n_bytes)
{
	uint32_t c = class_of(n_bytes);
	if (c >= CLASSES)
		return NULL;
	struct block *b = free_blocks[c];
	if (b)
		free_blocks[c] = b->next;
	else if (!(b = from_memory((size_t)1 << c)))
		return NULL;
	b->class = c;
	n_live++;
	return (char *)b + HEAD_BYTES;
}

void *
wn_calloc(size_t n, size_t size_bytes)
{
	size_t total;
	if (__builtin_mul_overflow(n, size_bytes, &total))
		return NULL;
	void *block = take(total);
	if (block)
		memset(block, 0, total);
	return block;
}

void *
wn_realloc(void *old, size_t n, size_t size_bytes)
{
	size_t total;
	if (__builtin_mul_overflow(n, size_bytes, &total))
		return NULL;
	if (!old)
		return take(total);
	size_t room =
	    ((size_t)1 << ((struct block *)((char *)old - HEAD_BYTES))->class) - HEAD_BYTES;
	if (total <= room)
		return old;
	void *block = take(total);
	if (block) {
		memcpy(block, old, room);
		wn_free(old);
	}
	return block;
}

void
wn_free(void *block)
{
	if (!block)
		return;
	struct block *b = (struct block *)((char *)block - HEAD_BYTES);
	b->next = free_blocks[b->class];
	free_blocks[b->class] = b;
	n_live--;
}

long
wn_mem_live(void)
{
	return n_live;
}

void
wn_mem_fail_after(long n)
{
	(void)n;
}

int
wn_grow(void *array, size_t *capacity, size_t need, size_t size_bytes)
{
	if (need <= *capacity)
		return 0;
	size_t wanted = *capacity ? *capacity : 16;
	while (wanted < need)
		wanted *= 2;
	void *old;
	memcpy(&old, array, sizeof old);
	void *grown = wn_realloc(old, wanted, size_bytes);
	if (!grown)
		return -1;
	memcpy(array, &grown, sizeof grown);
	*capacity = wanted;
	return 0;
}
