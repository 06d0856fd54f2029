/* SPDX-License-Identifier: MIT */
/* test_mem.c - src/base: allocation that can fail and is counted, growing arrays, pools, errors. */
#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "tests/tap.h"

#include <string.h>

/* Asking for more than there can be is part of the test: a sanitizer must not end the program. */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void
test_blocks(void)
{
	unsigned char *block = wn_calloc(10, 10);
	unsigned sum = 0;
	for (int i = 0; block && i < 100; i++)
		sum += block[i];
	ok(block && sum == 0, "wn_calloc gives zeros");
	ok(wn_mem_live() == 1, "and counts the block");
	wn_free(block);
	wn_free(NULL);
	ok(wn_mem_live() == 0, "wn_free takes NULL, and counts");
	block = wn_calloc(0, 8);
	ok(block != NULL, "no elements are a block too");
	wn_free(block);
	ok(wn_calloc(SIZE_MAX / 2, 3) == NULL, "a product that overflows is refused by wn_calloc");
	ok(wn_realloc(NULL, SIZE_MAX / 2, 3) == NULL, "and by wn_realloc");
	ok(wn_mem_live() == 0, "refusals are not counted");
}

static void
test_failing(void)
{
	void *first, *second, *third;
	wn_mem_fail_after(1);
	first = wn_calloc(1, 1);
	second = wn_calloc(1, 1);
	third = wn_calloc(1, 1);
	ok(first && !second && third, "exactly the allocation named fails");
	wn_mem_fail_after(0);
	ok(wn_realloc(first, 100, 1) == NULL, "wn_realloc fails as well");
	wn_mem_fail_after(-1);
	*(unsigned char *)first = 7;
	wn_free(first);
	wn_free(third);
	ok(wn_mem_live() == 0, "the old block stayed valid and was freed once");
}

static void
test_grow(void)
{
	uint32_t *array = NULL;
	size_t capacity = 0;
	ok(wn_grow(&array, &capacity, 1, sizeof *array) == 0 && capacity >= 1,
	   "an array grows from nothing");
	array[0] = 42;
	ok(wn_grow(&array, &capacity, 1000, sizeof *array) == 0 && capacity >= 1000 &&
	       array[0] == 42,
	   "and keeps its elements");
	uint32_t *before = array;
	size_t capacity_before = capacity;
	ok(wn_grow(&array, &capacity, 10, sizeof *array) == 0 && array == before,
	   "enough is enough");
	wn_mem_fail_after(0);
	ok(wn_grow(&array, &capacity, capacity + 1, sizeof *array) == -1 && array == before &&
	       capacity == capacity_before,
	   "failing leaves both as they were");
	wn_mem_fail_after(-1);
	ok(wn_grow(&array, &capacity, SIZE_MAX, sizeof *array) == -1 && array == before,
	   "more than can be is refused");
	wn_free(array);
}

enum { LARGE = 3 << 20 };

static bool
is_zero(const unsigned char *block, size_t n)
{
	unsigned char sum = 0;
	for (size_t i = 0; i < n; i++)
		sum |= block[i];
	return sum == 0;
}

static void
test_large(void)
{
	unsigned char *blocks[8];
	bool all_zero = true, all_kept = true;
	for (int round = 0; round < 4; round++) {
		for (int i = 0; i < 8; i++) {
			blocks[i] = wn_calloc(LARGE + 1000u * (unsigned)(i * round), 1);
			all_zero &= blocks[i] && is_zero(blocks[i], LARGE);
			memset(blocks[i], 0xff, LARGE);
		}
		for (int i = 0; i < 8; i++)
			wn_free(blocks[(3 * i + round) % 8]);
		if (round == 2)
			wn_mem_trim();
	}
	ok(all_zero, "large blocks are zero, whatever was in them before");
	uint32_t *array = NULL, *other = NULL;
	size_t capacity = 0, other_capacity = 0;
	for (uint32_t i = 0; i < 2000000; i++) {
		if (wn_grow(&array, &capacity, i + 1, sizeof *array) != 0 ||
		    wn_grow(&other, &other_capacity, i + 1, sizeof *other) != 0)
			break;
		array[i] = i;
		other[i] = ~i;
	}
	for (uint32_t i = 0; i < 2000000; i++)
		all_kept &= array[i] == i && other[i] == ~i;
	ok(all_kept, "arrays that become large keep their elements");
	array = wn_realloc(array, 100, sizeof *array);
	ok(array && array[99] == 99, "and when they become small again");
	wn_mem_fail_after(0);
	ok(!wn_realloc(other, 4000000, sizeof *other) && other[1999999] == ~UINT32_C(1999999),
	   "a large one that cannot grow stays as it is");
	wn_mem_fail_after(-1);
	wn_free(array);
	wn_free(other);
	ok(wn_mem_live() == 0, "and all of it is freed");
}

static void
test_pool(void)
{
	struct wn_pool pool;
	bool is_zero = true, is_kept = true;
	uint64_t *first;
	wn_pool_init(&pool, 24);
	uint32_t a = wn_pool_take(&pool);
	first = wn_pool_at(&pool, a);
	first[0] = 1;
	for (uint32_t i = 1; i < 3 * WN_POOL_PAGE; i++) {
		uint64_t *element = wn_pool_at(&pool, wn_pool_take(&pool));
		is_zero &= element[0] == 0 && element[1] == 0 && element[2] == 0;
		memset(element, 0xff, 24);
		is_kept &= first == wn_pool_at(&pool, a) && first[0] == 1;
	}
	ok(is_zero, "elements of a pool start as zeros");
	ok(is_kept, "and never move");
	wn_pool_give(&pool, 5);
	wn_pool_give(&pool, 9);
	ok(wn_pool_take(&pool) == 9 && wn_pool_take(&pool) == 5,
	   "the newest given back is taken first");
	uint64_t *again = wn_pool_at(&pool, 5);
	ok(again[0] == 0 && again[2] == 0, "and is zero again");
	wn_pool_fini(&pool);
	ok(wn_mem_live() == 0, "a pool frees everything");
	bool is_safe = true;
	for (long n = 0; n < 6; n++) {
		wn_pool_init(&pool, 8);
		wn_mem_fail_after(n);
		for (uint32_t i = 0; i < 2 * WN_POOL_PAGE; i++)
			is_safe &=
			    wn_pool_take(&pool) == i || pool.n == i || pool.n < 2 * WN_POOL_PAGE;
		wn_mem_fail_after(-1);
		wn_pool_fini(&pool);
		is_safe &= wn_mem_live() == 0;
	}
	ok(is_safe, "a pool that cannot grow says so and frees what it has");
}

static void
test_error(void)
{
	wn_err err;
	char word[400];
	memset(word, 'x', sizeof word);
	word[sizeof word - 1] = '\0';
	ok(wn_fail(&err, WN_E_FORMAT, 12, "%d is %s", 3, "odd") == WN_E_FORMAT &&
	       err.code == WN_E_FORMAT && err.offset == 12 && strcmp(err.msg, "3 is odd") == 0,
	   "wn_fail fills the record and returns the code");
	wn_fail(&err, WN_E_IO, 0, "%s", word);
	ok(strlen(err.msg) == sizeof err.msg - 1, "a long message is cut");
	ok(wn_fail(NULL, WN_E_NOMEM, 0, "nobody listens") == WN_E_NOMEM, "nobody need listen");
}

int
main(void)
{
	test_blocks();
	test_failing();
	test_grow();
	test_large();
	test_pool();
	test_error();
	return done();
}
