/* SPDX-License-Identifier: MIT */
/* large.c - an allocator that maps address space from the kernel in parts and cuts it into blocks.
 * One sorted list holds all blocks, including the free ones: they are few, since each is large.
 * Huge pages are not requested: they would make sparsely written columns fully resident, and are
 * expensive where a virtual machine returns free memory to its host. */
#include "base/large.h"

#include "base/order.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 4096 };

/* Minimum address space of a part, and of a block that may grow; and the factor by which the
 * latter exceeds its size. Memory that is not written costs nothing. */
#define PART_BYTES   ((size_t)512 << 20)
#define GROWTH_BYTES ((size_t)64 << 20)
enum { GROWTH = 8 };

struct block {
	char *at;
	size_t n_bytes; /* up to the next block or the end of the part */
	size_t n_used;  /* requested bytes; 0 = free */
	size_t n_old;   /* bytes from here on were never written; in a free block 0 or n_bytes */
	bool is_first;  /* first block of a part: the memory before it belongs to others */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *blocks; /* [n_blocks] sorted by address */
static size_t n_blocks, capacity;

static size_t
rounded(size_t n_bytes, size_t to)
{
	return (n_bytes + to - 1) / to * to;
}

/* Reserves room for two more entries in the list. */
static bool
reserve(void)
{
	if (n_blocks + 2 <= capacity)
		return true;
	size_t wanted = capacity ? 2 * capacity : 64;
	struct block *grown = realloc(blocks, wanted * sizeof *blocks);
	if (!grown)
		return false;
	blocks = grown;
	capacity = wanted;
	return true;
}

static void
insert(size_t i, struct block b)
{
	memmove(blocks + i + 1, blocks + i, (n_blocks - i) * sizeof *blocks);
	blocks[i] = b;
	n_blocks++;
}

static void
drop(size_t i)
{
	n_blocks--;
	memmove(blocks + i, blocks + i + 1, (n_blocks - i) * sizeof *blocks);
}

/* Returns the index of the first block at or after an address. */
static size_t
find(const char *at)
{
	WN_FIRST_NOT(low, n_blocks, i, blocks[i].at < at);
	return low;
}

/* Maps a part of at least n_bytes as one free block; returns n_blocks if the kernel refuses. */
static size_t
map_part(size_t n_bytes)
{
	size_t wanted = n_bytes > PART_BYTES ? n_bytes : PART_BYTES;
	char *got = mmap(NULL, wanted, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (got == MAP_FAILED)
		return n_blocks;
	size_t i = find(got);
	insert(i, (struct block){got, wanted, 0, 0, true});
	return i;
}

/* Splits a block if it is larger than n_bytes. */
static void
cut(size_t i, size_t n_bytes)
{
	struct block *b = &blocks[i];
	struct block rest = {b->at + n_bytes, b->n_bytes - n_bytes, 0, 0, false};
	if (rest.n_bytes == 0)
		return;
	rest.n_old = b->n_old > n_bytes ? rest.n_bytes : 0;
	b->n_old = b->n_old < n_bytes ? b->n_old : n_bytes;
	b->n_bytes = n_bytes;
	insert(i + 1, rest);
}

/* Returns the smallest free block that is large enough; previously used blocks are preferred. */
static size_t
choose(size_t n_bytes)
{
	size_t best = n_blocks;
	for (size_t i = 0; i < n_blocks; i++) {
		const struct block *b = &blocks[i];
		if (b->n_used || b->n_bytes < n_bytes)
			continue;
		bool is_old = b->n_old > 0, best_is = best < n_blocks && blocks[best].n_old > 0;
		if (best == n_blocks || is_old > best_is ||
		    (is_old == best_is && b->n_bytes < blocks[best].n_bytes))
			best = i;
	}
	return best;
}

static void
use(struct block *b, size_t n_bytes)
{
	size_t n_old = rounded(n_bytes, PAGE_BYTES);
	b->n_used = n_bytes;
	b->n_old = n_old > b->n_old ? n_old : b->n_old;
}

/* Returns pages of free blocks that were too small to the kernel, as many bytes as were requested.
 */
static void
forget(size_t n_bytes)
{
	for (size_t i = 0; i < n_blocks && n_bytes > 0; i++) {
		struct block *b = &blocks[i];
		if (b->n_used || !b->n_old || madvise(b->at, b->n_bytes, MADV_DONTNEED) != 0)
			continue;
		b->n_old = 0;
		n_bytes -= n_bytes < b->n_bytes ? n_bytes : b->n_bytes;
	}
}

void *
wn_large_take(size_t n_bytes, int is_zero, int may_grow)
{
	size_t wanted = rounded(n_bytes, PAGE_BYTES);
	char *at = NULL;
	bool is_fresh = false;
	if (wanted < n_bytes || wanted > SIZE_MAX / (2 * GROWTH))
		return NULL;
	size_t space = !may_grow                        ? wanted
	               : GROWTH * wanted > GROWTH_BYTES ? GROWTH * wanted
	                                                : GROWTH_BYTES;
	pthread_mutex_lock(&lock);
	size_t i = reserve() ? choose(space) : n_blocks;
	if (i == n_blocks && n_blocks + 2 <= capacity && (i = map_part(space)) < n_blocks &&
	    !reserve())
		i = n_blocks;
	if (i < n_blocks) {
		is_fresh = blocks[i].n_old == 0;
		at = blocks[i].at;
		cut(i, space);
		use(&blocks[i], n_bytes);
		if (is_fresh)
			forget(n_bytes);
	}
	pthread_mutex_unlock(&lock);
	if (at && is_zero && !is_fresh)
		memset(at, 0, n_bytes);
	return at;
}

size_t
wn_large_size(const void *block)
{
	size_t n_bytes = 0;
	if ((uintptr_t)block % PAGE_BYTES != 0)
		return 0;
	pthread_mutex_lock(&lock);
	size_t i = find(block);
	if (i < n_blocks && blocks[i].at == block)
		n_bytes = blocks[i].n_used;
	pthread_mutex_unlock(&lock);
	return n_bytes;
}

int
wn_large_resize(void *block, size_t n_bytes)
{
	bool is_done;
	pthread_mutex_lock(&lock);
	struct block *b = &blocks[find(block)];
	is_done = n_bytes > 0 && n_bytes <= b->n_bytes;
	if (is_done)
		use(b, n_bytes);
	pthread_mutex_unlock(&lock);
	return is_done;
}

/* Merges a block with the next one if both are free and both, or neither, have been written. */
static void
join(size_t i)
{
	if (i + 1 >= n_blocks)
		return;
	struct block *a = &blocks[i], *b = &blocks[i + 1];
	if (a->n_used || b->n_used || b->is_first || !a->n_old != !b->n_old)
		return;
	a->n_bytes += b->n_bytes;
	a->n_old += b->n_old;
	drop(i + 1);
}

/* Returns the index after the last block of the part that starts at `first`, and whether any of
 * its blocks is in use. */
static size_t
part_end(size_t first, bool *is_used)
{
	size_t end = first;
	*is_used = false;
	do
		*is_used |= blocks[end++].n_used > 0;
	while (end < n_blocks && !blocks[end].is_first);
	return end;
}

/* Unmaps unused parts except one, which later requests would map again. */
static void
unmap_parts(void)
{
	bool has_one = false, is_used;
	for (size_t first = 0, end; first < n_blocks; first = end) {
		end = part_end(first, &is_used);
		if (is_used)
			continue;
		if (!has_one) {
			has_one = true;
			continue;
		}
		char *at = blocks[first].at;
		munmap(at, (size_t)(blocks[end - 1].at - at) + blocks[end - 1].n_bytes);
		while (end > first)
			drop(--end);
	}
}

void
wn_large_give(void *block)
{
	pthread_mutex_lock(&lock);
	size_t i = find(block);
	if (blocks[i].n_old < blocks[i].n_bytes && reserve())
		cut(i, blocks[i].n_old);
	blocks[i].n_old = blocks[i].n_bytes;
	blocks[i].n_used = 0;
	join(i + 1);
	join(i);
	if (i > 0)
		join(i - 1);
	unmap_parts();
	pthread_mutex_unlock(&lock);
}

void
wn_large_trim(void)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < n_blocks; i++)
		if (!blocks[i].n_used && blocks[i].n_old &&
		    madvise(blocks[i].at, blocks[i].n_bytes, MADV_DONTNEED) == 0)
			blocks[i].n_old = 0;
	for (size_t i = n_blocks; i-- > 0;)
		join(i);
	pthread_mutex_unlock(&lock);
}
