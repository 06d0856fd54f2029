/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static _Atomic long n_live;
static _Atomic long fail_countdown = -1;

static _Atomic size_t largest_bytes;

static void
note_size(size_t total_bytes)
{
	if (total_bytes > atomic_load_explicit(&largest_bytes, memory_order_relaxed))
		atomic_store_explicit(&largest_bytes, total_bytes, memory_order_relaxed);
}

static int
must_fail(void)
{
	long left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);
	if (left < 0)
		return 0;
	return atomic_fetch_sub_explicit(&fail_countdown, 1, memory_order_relaxed) == 0;
}

/* A huge page of x86-64 and of aarch64 with 4 KiB pages. */
enum { HUGE_PAGE_BYTES = 2 << 20 };

/* Blocks from here on come as mappings of their own, whose pages nobody has touched. */
enum { LARGE_BLOCK_BYTES = 4 << 20 };

/*
 * malloc raises its limit for mappings whenever one is freed; a column that then came from the heap
 * would be cleared by the thread that asks, page by small page. Fixing the limit keeps that off.
 */
static void
fix_mapping_limit(void)
{
	mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
}

static pthread_once_t mapping_limit_once = PTHREAD_ONCE_INIT;

/*
 * Asks for huge pages inside a large block: a column of a hundred megabytes is then handed out in
 * fifty faults, not in 25 000. Advice only: where the kernel refuses, everything works as before.
 */
static void
advise_huge(void *block, size_t total_bytes)
{
	uintptr_t first =
	    ((uintptr_t)block + HUGE_PAGE_BYTES - 1) & ~(uintptr_t)(HUGE_PAGE_BYTES - 1);
	uintptr_t end = ((uintptr_t)block + total_bytes) & ~(uintptr_t)(HUGE_PAGE_BYTES - 1);
	if (end > first)
		(void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void *
wn_calloc(size_t n, size_t size_bytes)
{
	size_t total_bytes;
	if (must_fail() ||
	    __builtin_mul_overflow(n ? n : 1, size_bytes ? size_bytes : 1, &total_bytes))
		return NULL;
	note_size(total_bytes);
	if (total_bytes >= LARGE_BLOCK_BYTES)
		pthread_once(&mapping_limit_once, fix_mapping_limit);
	void *block = calloc(1, total_bytes);
	if (!block)
		return NULL;
	if (total_bytes >= LARGE_BLOCK_BYTES)
		advise_huge(block, total_bytes);
	atomic_fetch_add_explicit(&n_live, 1, memory_order_relaxed);
	return block;
}

uint32_t *
wn_calloc_none(size_t n)
{
	uint32_t *numbers = wn_calloc(n, sizeof *numbers);
	if (numbers)
		memset(numbers, 0xff, n * sizeof *numbers);
	return numbers;
}

void *
wn_realloc(void *old, size_t n, size_t size_bytes)
{
	size_t total_bytes;
	if (must_fail() || __builtin_mul_overflow(n ? n : 1, size_bytes, &total_bytes))
		return NULL;
	note_size(total_bytes);
	void *block = realloc(old, total_bytes);
	if (block && total_bytes >= LARGE_BLOCK_BYTES)
		advise_huge(block, total_bytes);
	if (block && !old)
		atomic_fetch_add_explicit(&n_live, 1, memory_order_relaxed);
	return block;
}

void
wn_free(void *block)
{
	if (block)
		atomic_fetch_sub_explicit(&n_live, 1, memory_order_relaxed);
	free(block);
}

size_t
wn_mem_largest(void)
{
	return atomic_exchange_explicit(&largest_bytes, 0, memory_order_relaxed);
}

long
wn_mem_live(void)
{
	return atomic_load_explicit(&n_live, memory_order_relaxed);
}

void
wn_mem_fail_after(long n)
{
	atomic_store_explicit(&fail_countdown, n, memory_order_relaxed);
}

int
wn_grow(void *array, size_t *capacity, size_t need, size_t size_bytes)
{
	if (need <= *capacity)
		return 0;
	size_t wanted = *capacity ? *capacity : 16;
	while (wanted < need) {
		if (wanted > SIZE_MAX / 2)
			return -1;
		wanted *= 2;
	}
	void *old;
	memcpy(&old, array, sizeof old);
	void *grown = wn_realloc(old, wanted, size_bytes);
	if (!grown)
		return -1;
	memcpy(array, &grown, sizeof grown);
	*capacity = wanted;
	return 0;
}
