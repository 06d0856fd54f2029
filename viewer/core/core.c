/* SPDX-License-Identifier: MIT */
/* core.c - what the worker calls: memory for what it puts in. */
#include "base/mem.h"

#define EXPORT(name) __attribute__((export_name(#name)))

EXPORT(core_alloc)
void *core_alloc(uint32_t n_bytes);
EXPORT(core_free)
void core_free(void *block);

void *
core_alloc(uint32_t n_bytes)
{
	return wn_calloc(n_bytes, 1);
}

void
core_free(void *block)
{
	wn_free(block);
}
