/* SPDX-License-Identifier: MIT */
/* blocks.c - blocks of the allocator that are in use, by page. A new block ends those it overlaps.
 */
#include "base/error.h"
#include "base/mem.h"
#include "sharing/sharing_private.h"

#define PAGE_BITS     12u
#define PAGES_MAX     (UINT64_C(1) << 20) /* of one block that are entered */
#define NO_REFERENCE  0u
#define FIRST_ENTRIES 1024u

/* A block in the list of a page; 0 is none. */
struct reference {
	uint32_t block, next;
};

struct page {
	uint64_t number; /* + 1; 0: empty */
	uint32_t first;
};

void
blocks_fini(struct blocks *b)
{
	WN_FREE_ALL(b->at, b->pages, b->references);
}

static struct page *
find_page(const struct blocks *b, uint64_t number)
{
	size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (b->pages_max - 1);
	while (b->pages[i].number && b->pages[i].number != number + 1)
		i = (i + 1) & (b->pages_max - 1);
	return &b->pages[i];
}

/* Keeps the table at most half full. */
static int
make_room(struct blocks *b)
{
	if (2 * (b->n_pages + 1) <= b->pages_max)
		return 0;
	struct blocks wider = *b;
	wider.pages_max = b->pages_max ? 2 * b->pages_max : FIRST_ENTRIES;
	wider.pages = wn_calloc(wider.pages_max, sizeof *wider.pages);
	if (!wider.pages)
		return -1;
	for (size_t i = 0; i < b->pages_max; i++)
		if (b->pages[i].number)
			*find_page(&wider, b->pages[i].number - 1) = b->pages[i];
	wn_free(b->pages);
	b->pages = wider.pages;
	b->pages_max = wider.pages_max;
	return 0;
}

static int
enter(struct blocks *b, uint64_t number, uint32_t block)
{
	if (make_room(b) != 0)
		return -1;
	struct page *page = find_page(b, number);
	b->n_pages += page->number == 0;
	page->number = number + 1;
	uint64_t begin = b->at[block].begin, end = b->at[block].end;
	uint32_t *at = &page->first;
	while (*at != NO_REFERENCE) { /* drops those that it overlaps */
		struct reference *r = &b->references[*at];
		const struct block *old = &b->at[r->block];
		uint32_t next = r->next;
		if (old->begin < end && begin < old->end) {
			r->next = b->free;
			b->free = *at;
			*at = next;
		} else {
			at = &r->next;
		}
	}
	uint32_t new = b->free;
	if (new != NO_REFERENCE) {
		b->free = b->references[new].next;
	} else {
		if (wn_grow(&b->references, &b->references_max, b->n_references + 2,
		            sizeof *b->references) != 0)
			return -1;
		new = (uint32_t)++b->n_references;
		page = find_page(b, number);
	}
	b->references[new] = (struct reference){block, page->first};
	page->first = new;
	return 0;
}

wn_status
blocks_add(struct blocks *b, uint64_t begin, uint64_t n_bytes, uint64_t pc, wn_err *err)
{
	if (n_bytes == 0 || begin + n_bytes < begin || b->n >= UINT32_MAX - 1)
		return WN_OK;
	/* the same block again: an allocator in the program that calls another one */
	if (b->n > 0 && b->at[b->n - 1].begin == begin && b->at[b->n - 1].end == begin + n_bytes) {
		b->at[b->n - 1].pc = pc;
		return WN_OK;
	}
	if (wn_grow(&b->at, &b->max, b->n + 1, sizeof *b->at) != 0)
		return wn_no_memory(err);
	b->at[b->n] = (struct block){begin, begin + n_bytes, pc};
	uint64_t first = begin >> PAGE_BITS, last = (begin + n_bytes - 1) >> PAGE_BITS;
	for (uint64_t i = first; i <= last && i - first < PAGES_MAX; i++)
		if (enter(b, i, (uint32_t)b->n) != 0)
			return wn_no_memory(err);
	b->n++;
	return WN_OK;
}

uint32_t
blocks_find(const struct blocks *b, uint64_t address, uint32_t *newest)
{
	uint32_t found = BLOCK_NONE;
	uint64_t line = address & ~(uint64_t)63;
	*newest = BLOCK_NONE;
	if (b->pages_max == 0)
		return BLOCK_NONE;
	const struct page *page = find_page(b, address >> PAGE_BITS);
	uint32_t at = page->number ? page->first : NO_REFERENCE;
	for (; at != NO_REFERENCE; at = b->references[at].next) {
		uint32_t block = b->references[at].block;
		if (b->at[block].begin >= line + 64 || b->at[block].end <= line)
			continue;
		if (*newest == BLOCK_NONE || block > *newest)
			*newest = block;
		if (b->at[block].begin <= address && address < b->at[block].end)
			found = block;
	}
	return found;
}
