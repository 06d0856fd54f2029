/* SPDX-License-Identifier: MIT */
/* sharing_private.h - blocks of the heap by address and time. Private to this folder. */
#pragma once

#include "sharing/sharing.h"

#define BLOCK_NONE UINT32_MAX

struct block {
	uint64_t begin, end, pc; /* pc: after the call that allocated it */
};

/* Blocks in use. Initially zero. */
struct blocks {
	struct block *at; /* [n] in order of allocation */
	size_t n, max;
	struct page *pages; /* hash table */
	size_t n_pages, pages_max;
	struct reference *references;
	size_t n_references, references_max;
	uint32_t free;
};

wn_status blocks_add(struct blocks *b, uint64_t begin, uint64_t n_bytes, uint64_t pc, wn_err *err);

/* The block that contains the address; `newest`: the latest one in its line. BLOCK_NONE: none. */
uint32_t blocks_find(const struct blocks *b, uint64_t address, uint32_t *newest);
void blocks_fini(struct blocks *b);
