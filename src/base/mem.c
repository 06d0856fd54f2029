/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include "base/large.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static _Atomic long n_live;
static _Atomic long fail_countdown = -1;

static _Atomic size_t largest_bytes;

/* A large array grows by this part of its size. */
enum { GROWTH_PART = 16 };

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

/* Sanitizers need to track each block separately. */
#if defined(__SANITIZE_ADDRESS__)
#define SEES_BLOCKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SEES_BLOCKS 1
#endif
#endif
#ifndef SEES_BLOCKS
#define SEES_BLOCKS 0
#endif

static bool
is_large(size_t n_bytes)
{
	return !SEES_BLOCKS && n_bytes >= WN_LARGE_BYTES;
}

void *
wn_calloc(size_t n, size_t size_bytes)
{
	size_t total_bytes;
	if (must_fail() ||
	    __builtin_mul_overflow(n ? n : 1, size_bytes ? size_bytes : 1, &total_bytes))
		return NULL;
	note_size(total_bytes);
	void *block = is_large(total_bytes) ? wn_large_take(total_bytes, 1, 0) : NULL;
	if (!block)
		block = calloc(1, total_bytes);
	if (!block)
		return NULL;
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

/* As realloc, for blocks of which at least one is large. */
static void *
move(void *old, size_t old_bytes, size_t n_bytes)
{
	if (old_bytes && wn_large_resize(old, n_bytes))
		return old;
	size_t kept_bytes = old_bytes ? old_bytes : old ? malloc_usable_size(old) : 0;
	void *block = is_large(n_bytes) ? wn_large_take(n_bytes, 0, 1) : NULL;
	if (!block && !old_bytes)
		return realloc(old, n_bytes);
	if (!block)
		block = malloc(n_bytes);
	if (!block)
		return NULL;
	if (kept_bytes > 0)
		memcpy(block, old, kept_bytes < n_bytes ? kept_bytes : n_bytes);
	if (old_bytes)
		wn_large_give(old);
	else
		free(old);
	return block;
}

void *
wn_realloc(void *old, size_t n, size_t size_bytes)
{
	size_t total_bytes;
	if (must_fail() || __builtin_mul_overflow(n ? n : 1, size_bytes, &total_bytes))
		return NULL;
	note_size(total_bytes);
	size_t old_bytes = wn_large_size(old);
	void *block = old_bytes || is_large(total_bytes) ? move(old, old_bytes, total_bytes)
	                                                 : realloc(old, total_bytes);
	if (block && !old)
		atomic_fetch_add_explicit(&n_live, 1, memory_order_relaxed);
	return block;
}

void
wn_free(void *block)
{
	if (block)
		atomic_fetch_sub_explicit(&n_live, 1, memory_order_relaxed);
	if (block && wn_large_size(block))
		wn_large_give(block);
	else
		free(block);
}

void
wn_mem_trim(void)
{
	wn_large_trim();
}

void
wn_mem_prepare(void *at, size_t n_bytes)
{
#ifdef MADV_POPULATE_WRITE
	const uintptr_t page_bytes = 4096;
	uintptr_t first = ((uintptr_t)at + page_bytes - 1) / page_bytes * page_bytes;
	uintptr_t end = ((uintptr_t)at + n_bytes) / page_bytes * page_bytes;
	if (first < end)
		(void)madvise((void *)first, end - first, MADV_POPULATE_WRITE);
#else
	(void)at;
	(void)n_bytes;
#endif
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

/* Large arrays grow by a part of their size, in place where possible. */
static size_t
part_of(size_t capacity, size_t size_bytes)
{
	size_t least = WN_LARGE_BYTES / size_bytes + 1;
	return capacity / GROWTH_PART > least ? capacity / GROWTH_PART : least;
}

int
wn_grow_slow(void *array, size_t *capacity, size_t need, size_t size_bytes)
{
	size_t wanted = *capacity ? *capacity : 16, part = part_of(*capacity, size_bytes);
	bool is_by_part = *capacity > part && need - *capacity <= part;
	if (is_by_part)
		wanted += part;
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
	if (is_by_part) /* the rest of an array that is made at once may not be used */
		wn_mem_prepare((char *)grown + *capacity * size_bytes, part * size_bytes);
	memcpy(array, &grown, sizeof grown);
	*capacity = wanted;
	return 0;
}
