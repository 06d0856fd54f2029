/* SPDX-License-Identifier: MIT */
/*
 * arena.c - base/mem.h in a page, from the end of what the linker laid out on: small blocks of
 * powers of two, and lists of those that are free again; large ones cut to measure, and one list of
 * those that are free, by address, in which neighbours become one. What the page once had it has
 * for good, so it must fit again for something else.
 */
#include "base/mem.h"

#include <stdbool.h>
#include <string.h>

#define PAGE_BYTES 65536u
#define CLASSES    13u /* up to 4 KB */
#define LEAST      4u  /* 16 bytes */
#define LARGE      UINT32_MAX
#define CUT        512u

struct block {
	uint32_t class, n_bytes; /* of a large one */
	struct block *next;      /* when it is free; here the caller's bytes begin */
};
#define HEAD_BYTES 8u

extern unsigned char __heap_base;

static struct block *free_blocks[CLASSES], *free_large;
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

static bool
ends_at(const struct block *b, const void *at)
{
	return (const char *)b + b->n_bytes == (const char *)at;
}

static void
give_large(struct block *b)
{
	struct block **link = &free_large, *before = NULL;
	while (*link && *link < b) {
		before = *link;
		link = &before->next;
	}
	b->next = *link;
	*link = b;
	if (b->next && ends_at(b, b->next)) {
		b->n_bytes += b->next->n_bytes;
		b->next = b->next->next;
	}
	if (before && ends_at(before, b)) {
		before->n_bytes += b->n_bytes;
		before->next = b->next;
	}
}

static struct block *
find_large(size_t n_bytes)
{
	for (struct block **link = &free_large; *link; link = &(*link)->next) {
		struct block *b = *link;
		if (b->n_bytes < n_bytes)
			continue;
		*link = b->next;
		if (b->n_bytes > n_bytes) {
			struct block *rest = (struct block *)((char *)b + n_bytes);
			rest->n_bytes = b->n_bytes - (uint32_t)n_bytes;
			rest->next = b->next;
			*link = rest;
		}
		b->class = LARGE;
		b->n_bytes = (uint32_t)n_bytes;
		return b;
	}
	return NULL;
}

static struct block *
take_large(size_t n_bytes)
{
	if (n_bytes > SIZE_MAX - HEAD_BYTES - CUT)
		return NULL;
	n_bytes = (n_bytes + HEAD_BYTES + CUT - 1) / CUT * CUT;
	struct block *b = find_large(n_bytes), *last = free_large;
	if (b)
		return b;
	while (last && last->next)
		last = last->next;
	size_t more =
	    n_bytes - (last && brk_at && ends_at(last, (void *)brk_at) ? last->n_bytes : 0);
	if (!(b = from_memory(more)))
		return NULL;
	b->n_bytes = (uint32_t)more;
	give_large(b);
	return find_large(n_bytes);
}

static void *
take(size_t n_bytes)
{
	uint32_t c = class_of(n_bytes);
	struct block *b = c < CLASSES ? free_blocks[c] : take_large(n_bytes);
	if (b && c < CLASSES)
		free_blocks[c] = b->next;
	else if (!b && (c >= CLASSES || !(b = from_memory((size_t)1 << c))))
		return NULL;
	if (c < CLASSES)
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
	const struct block *own = (struct block *)((char *)old - HEAD_BYTES);
	size_t room = (own->class == LARGE ? own->n_bytes : (size_t)1 << own->class) - HEAD_BYTES;
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
	n_live--;
	if (b->class == LARGE) {
		give_large(b);
		return;
	}
	b->next = free_blocks[b->class];
	free_blocks[b->class] = b;
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
wn_grow_slow(void *array, size_t *capacity, size_t need, size_t size_bytes)
{
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
