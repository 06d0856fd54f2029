/* SPDX-License-Identifier: MIT */
/*
 * test_symbols.c - addresses to places: of this very program, and of the fixtures compiled by
 * tests/symbols/fixtures.sh. A fixture's source is its own oracle: the comment after a pragma is
 * the function the pragma stands in, and each outlined function must lead to such a line.
 *
 * usage: test_symbols FIXTURE-LIST
 */
#include "symbols/symbols.h"

#include "../symbols/elf_symbols.h"
#include "base/mem.h"
#include "symbols/symbol_names.h"
#include "tap.h"

#include <limits.h>
#include <link.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define BASE 0x7f0000000000u /* where the fixtures are taken to be loaded */

/* --- this program --- */

struct self {
	struct elf_file file;
	char path[PATH_MAX];
	uint64_t base;
};

static int
self_base(struct dl_phdr_info *info, size_t bytes, void *user)
{
	(void)bytes;
	struct self *self = user;
	self->base = info->dlpi_addr;
	return 1; /* the first one is the program */
}

__attribute__((noinline)) static uint64_t
here(void)
{
	__asm__ volatile(""); /* so that two calls are not taken for one */
	return (uint64_t)(uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0));
}

struct spot {
	uint64_t addr;
	int line;
};

__attribute__((always_inline)) static inline struct spot
spot_inlined(void)
{
	struct spot spot;
	spot.addr = here(), spot.line = __LINE__;
	return spot;
}

/* As if from a header of the C++ library. */
#line 1 "/usr/include/c++/12/bits/header.h"
__attribute__((always_inline)) static inline uint64_t
here_in_header(void)
{
	return here();
}
#line 68 "../tests/unit/test_symbols.c"

static bool
ends_with(const char *text, const char *end)
{
	size_t bytes = text ? strlen(text) : 0;
	return bytes >= strlen(end) && strcmp(text + bytes - strlen(end), end) == 0;
}

static bool
equals(const char *left, const char *right)
{
	return left && strcmp(left, right) == 0;
}

static struct wn_place
find(wn_symbols *symbols, uint64_t addr, bool is_return_address)
{
	struct wn_place place = {.line = -1};
	if (wn_symbols_find(symbols, addr, is_return_address, &place) != WN_OK)
		place.line = -1;
	return place;
}

__attribute__((noinline)) static void
test_self(const struct self *self)
{
	struct wn_module module = elf_module(&self->file, self->path, self->base);
	wn_symbols *symbols = NULL;
	ok(wn_symbols_new(&module, 1, &symbols, NULL) == WN_OK, "this program is a module");

	struct spot spot;
	spot.addr = here(), spot.line = __LINE__;
	struct wn_place place = find(symbols, spot.addr, true);
	ok(place.line == spot.line && place.is_exact, "a call's line is %d: %d", spot.line,
	   place.line);
	ok(ends_with(place.file, "/unit/test_symbols.c"), "its file is %s", place.file);
	ok(equals(place.function, "test_self") && place.function == place.outer &&
	       !place.is_inlined,
	   "its function is %s", place.function);
	ok(equals(place.module, "test_symbols") && place.module_path != NULL &&
	       place.offset == spot.addr - self->base,
	   "its module is %s", place.module);

	spot = spot_inlined();
	place = find(symbols, spot.addr, true);
	ok(place.line == spot.line && equals(place.function, "spot_inlined") && place.is_inlined,
	   "an inlined function's call is its own: %s:%d", place.function, place.line);
	ok(equals(place.outer, "test_self") && place.symbol &&
	       strncmp(place.symbol, "test_self", 9) == 0,
	   "... and compiled into %s", place.outer);

	spot.addr = here_in_header(), spot.line = __LINE__;
	place = find(symbols, spot.addr, true);
	ok(place.line == spot.line && equals(place.function, "test_self") && !place.is_inlined,
	   "code of the compiler's headers is where it is called: %s:%d", place.file, place.line);

	place = find(symbols, (uint64_t)(uintptr_t)&find, false);
	ok(equals(place.function, "find") && place.line > 0, "a function's entry is in it");

	struct wn_place again = find(symbols, (uint64_t)(uintptr_t)&find, false);
	ok(again.function == place.function && again.file == place.file,
	   "the same question has the same answer");

	char text[64];
	wn_place_text(&place, text, sizeof text);
	ok(strncmp(text, "test_symbols.c:", 15) == 0, "a known place reads %s", text);
	wn_place_offset_text(&place, text, sizeof text);
	ok(strncmp(text, "test_symbols+0x", 15) == 0, "its offset reads %s", text);
	wn_place_text(&place, text, 5);
	ok(strcmp(text, "test") == 0, "a text that does not fit is cut");
	wn_symbols_free(symbols);
}

static void
test_unknown(const struct self *self)
{
	struct wn_module modules[] = {
	    elf_module(&self->file, self->path, self->base),
	    {.begin = 8, .end = 8, .path = "empty"},
	    {.begin = 8, .end = 9, .path = NULL},
	};
	wn_symbols *symbols = NULL;
	ok(wn_symbols_new(modules, 3, &symbols, NULL) == WN_OK, "senseless modules are left out");
	const uint64_t addresses[] = {0, 1, 8, UINT64_MAX, self->base + self->file.end};
	char text[32];
	for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
		struct wn_place place = find(symbols, addresses[i], i % 2);
		ok(!place.module && !place.function && !place.outer && !place.symbol &&
		       !place.file && place.line == 0 && !place.is_exact,
		   "nothing is known of 0x%llx", (unsigned long long)addresses[i]);
	}
	struct wn_place place = find(symbols, 0x1234, false);
	wn_place_text(&place, text, sizeof text);
	ok(strcmp(text, "0x1234") == 0, "an address without module reads %s", text);
	wn_symbols_free(symbols);

	ok(wn_symbols_new(NULL, 0, &symbols, NULL) == WN_OK, "there may be no module");
	ok(find(symbols, 42, false).offset == 42, "... and nothing is found in it");
	wn_symbols_free(symbols);
	wn_symbols_free(NULL);
}

/* --- files that may not be used --- */

static void
test_refused(const char *name, const char *path, const struct elf_file *file, bool is_stale)
{
	struct wn_module module = elf_module(file, path, BASE);
	wn_symbols *symbols = NULL;
	char text[64], expected[64];
	if (wn_symbols_new(&module, 1, &symbols, NULL) != WN_OK)
		return;
	uint64_t addr = module.begin + 0x10;
	struct wn_place place = find(symbols, addr, false);
	ok(place.is_stale == is_stale && place.is_missing == !is_stale, "%s is %s", name,
	   is_stale ? "stale" : "missing");
	ok(!place.function && !place.symbol && !place.file && place.line == 0 &&
	       !place.has_debug_info,
	   "%s tells nothing", name);
	const char *slash = strrchr(path, '/');
	snprintf(expected, sizeof expected, "%s+0x%llx", slash ? slash + 1 : path,
	         (unsigned long long)(addr - BASE));
	wn_place_text(&place, text, sizeof text);
	ok(strcmp(text, expected) == 0, "%s reads %s", name, text);
	wn_symbols_free(symbols);
}

static void
test_refusals(const struct self *self)
{
	char fifo[] = "/tmp/winnow-fifo-XXXXXX", plain[] = "/tmp/winnow-text-XXXXXX";
	struct elf_file rebuilt = self->file, unnamed = self->file;
	rebuilt.build_id[0] ^= 1;
	unnamed.build_id_bytes = 0;
	test_refused("a file with another build id", self->path, &rebuilt, true);
	test_refused("a file that has got a build id", self->path, &unnamed, true);
	test_refused("a file that is gone", "/nowhere/libgone.so", &self->file, false);
	test_refused("a folder", "/tmp", &self->file, false);
	test_refused("a device", "/dev/zero", &self->file, false);
	test_refused("a relative name", "none.so", &self->file, false);
	test_refused("the vdso", "linux-vdso.so.1", &self->file, false);

	int fd = mkstemp(fifo);
	if (fd >= 0 && close(fd) == 0 && unlink(fifo) == 0 && mkfifo(fifo, 0600) == 0)
		test_refused("a FIFO", fifo, &self->file, false);
	unlink(fifo);
	fd = mkstemp(plain);
	test_refused("an empty file", plain, &self->file, true);
	ok(fd >= 0 && write(fd, "#!/bin/sh\n", 10) == 10 && close(fd) == 0, "a text is written");
	test_refused("a text file", plain, &self->file, true);
	unlink(plain);
}

/* --- atomics --- */

#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) &&              \
    !defined(__SANITIZE_THREAD__)
#define HAS_ATOMICS 1
#else
#define HAS_ATOMICS 0 /* other code: calls, addresses that are computed anew */
#endif

static long cell, cells[8], field[4096];
static double total;
static volatile long plain;
static void (*volatile elsewhere)(void);

#define ADD(to, what) __atomic_fetch_add(&(to), what, __ATOMIC_RELAXED)
#define EACH(i, n)    for (long i = 0; i < (n); i++)
#define WORK(i)       __asm__ volatile("" : "+r"(i))

__attribute__((noinline)) static void
add_to_cell(long n)
{
	EACH(i, n)
	ADD(cell, i & 3);
}

__attribute__((noinline)) static void
add_to_cells(long n)
{
	EACH(i, n)
	ADD(cells[i & 7], 1);
}

__attribute__((noinline)) static void
add_to_total(long n)
{
	EACH(i, n)
	{
		double old = total, sum;
		do
			sum = old + (double)i;
		while (!__atomic_compare_exchange(&total, &old, &sum, true, __ATOMIC_RELAXED,
		                                  __ATOMIC_RELAXED));
	}
}

/* As in an outlined region: the pointer to a shared variable is loaded again in each turn. */
static struct shared {
	long *volatile cell;
} shared_cell = {&cell}, *volatile shared = &shared_cell;

__attribute__((noinline)) static void
add_to_pointer(long n)
{
	struct shared *s = shared;
	EACH(i, n)
	ADD(*s->cell, i & 3);
}

static struct item {
	struct item *volatile next;
	long count;
} item = {&item, 0}, *volatile first_item = &item;

/* Another cell in each turn. */
__attribute__((noinline)) static void
add_to_list(long n)
{
	struct item *at = first_item;
	EACH(i, n)
	{
		ADD(at->count, 1);
		at = at->next;
	}
}

/* The update is in a loop, but its time is in another one. */
__attribute__((noinline)) static void
add_after_loops(long n)
{
	EACH(i, n)
	{
		EACH(k, n)
		WORK(k);
		ADD(cell, 1);
	}
}

__attribute__((noinline)) static void
add_beside_loop(long n)
{
	EACH(i, n)
	ADD(cell, i & 3);
	EACH(k, n)
	WORK(k);
}

__attribute__((noinline)) static void
add_after_calls(long n)
{
	EACH(i, n)
	{
		elsewhere();
		ADD(cell, 1);
	}
}

/* Rarely the same memory. */
__attribute__((noinline)) static void
add_to_field(long n)
{
	EACH(i, n)
	ADD(field[i & 4095], 1);
}

/* Still rarer: 1024 lines. */
static long large[8192];
__attribute__((noinline)) static void
add_to_large(long n)
{
	EACH(i, n)
	ADD(large[i * 2654435761u >> 7 & 8191], 1);
}

/* Its only loop is that of the attempt. */
__attribute__((noinline)) static void
add_once(long n)
{
	double old = total, sum;
	do
		sum = old + (double)n;
	while (!__atomic_compare_exchange(&total, &old, &sum, true, __ATOMIC_RELAXED,
	                                  __ATOMIC_RELAXED));
}

#define ATTEMPT(cell, term)                                                                        \
	do {                                                                                       \
		double old = (cell), sum = old + (term);                                           \
		while (__builtin_expect(!__atomic_compare_exchange(&(cell), &old, &sum, true,      \
		                                                   __ATOMIC_RELAXED,               \
		                                                   __ATOMIC_RELAXED),              \
		                        0))                                                        \
			sum = old + (term);                                                        \
	} while (0)

/* What follows a failed attempt is behind all other code. */
__attribute__((noinline)) static void
add_twice(long n)
{
	static double last;
	for (long i = 0; i < n; i++)
		ATTEMPT(total, (double)i);
	ATTEMPT(last, (double)n);
}

static volatile long few[2], many[1024];

__attribute__((noinline)) static void
add_sometimes(long n)
{
	EACH(i, n)
	if (i % 1000 == 0)
		ADD(cell, 1);
}

__attribute__((noinline)) static void
store_one(long n)
{
	EACH(i, n)
	plain = i;
}

__attribute__((noinline)) static void
store_sometimes(long n)
{
	EACH(i, n)
	if ((i * n) % 1000 == 0)
		plain = i;
}

__attribute__((noinline)) static void
store_few(long n)
{
	volatile long *mine = &few[n & 1];
	EACH(i, n)
	*mine = i;
}

__attribute__((noinline)) static void
store_many(long n)
{
	volatile long *mine = &many[n & 1023];
	EACH(i, n)
	*mine = i;
}

__attribute__((noinline)) static void
store_each(long n)
{
	EACH(i, n)
	many[i & 1023] = i;
}

static volatile double grid[100 * 100];
static volatile struct members {
	double of[8];
} all_members[100];

__attribute__((noinline)) static void
load_far(long n)
{
	EACH(i, n)
	total += grid[i * 100];
}

__attribute__((noinline)) static void
load_by_number(long n)
{
	EACH(i, 100)
	total += grid[i * n];
}

static long width = 100;

__attribute__((noinline)) static double
at(long row, long column)
{
	return grid[row * width + column];
}

__attribute__((noinline)) static void
load_column(long n)
{
	double sum = 0;
	EACH(i, n)
	sum += at(i, n);
	total = sum;
}

__attribute__((noinline)) static void
load_row(long n)
{
	double sum = 0;
	EACH(i, n)
	sum += at(n, i);
	total = sum;
}

#ifdef __x86_64__
/* A loop as compilers put it, whose header is in the middle: stores far apart, of one of two
 * numbers. Where the second argument is 0, a loop that only counts. */
void store_by_turns(long n);
__asm__(".text\n"
        ".globl store_by_turns\n"
        ".type store_by_turns, @function\n"
        "store_by_turns:\n"
        "	xor %ecx, %ecx\n"
        "	test %rsi, %rsi\n"
        "	je 5f\n"
        "	jmp 3f\n"
        "	nopw 0(%rax,%rax,1)\n"
        "1:	xor %eax, %eax\n"
        "2:	mov %rax, (%rdi)\n"
        "	add %rsi, %rdi\n"
        "	add $1, %rcx\n"
        "	cmp %rcx, %rdx\n"
        "	je 4f\n"
        "3:	test %rcx, %rcx\n"
        "	je 1b\n"
        "	mov %rcx, %rax\n"
        "	jmp 2b\n"
        "4:	ret\n"
        "5:	add $1, %rcx\n"
        "	cmp %rcx, %rdx\n"
        "	jne 5b\n"
        "	ret\n"
        ".size store_by_turns, . - store_by_turns\n");
#endif

__attribute__((noinline)) static void
load_near(long n)
{
	EACH(i, n)
	total += grid[i];
}

__attribute__((noinline)) static void
load_members(long n)
{
	EACH(i, n)
	total += all_members[i].of[0] + all_members[i].of[3] + all_members[i].of[6];
}

__attribute__((noinline)) static void
store_own(long n)
{
	volatile long own;
	EACH(i, n)
	own = i;
	(void)own;
}

/* Returns where the call that gets the function returns to. Not static, so that it stays one that
 * gets any function. */
uint64_t call_back(void (*function)(long));

__attribute__((noinline)) uint64_t
call_back(void (*function)(long))
{
	function(1);
	return (uint64_t)(uintptr_t)__builtin_return_address(0);
}

__attribute__((noinline)) static uint64_t
call_with(void)
{
	uint64_t addr = call_back(add_to_cell);
	WORK(addr);
	return addr;
}

static double table[256];
static long n_filled;

/* What threads do before a barrier, for which here() stands: the same on all, but for the second
 * and third. */
__attribute__((noinline)) static uint64_t
fill_all(double *out)
{
	for (int i = 0; i < 256; i++)
		out[i] = sqrt(i * 0.5) + out[i];
	uint64_t until = here();
	WORK(until); /* so that it is no tail call */
	return until;
}

__attribute__((noinline)) static uint64_t
fill_in_turn(double *out)
{
	for (long i = 0; i < 256; i = __atomic_fetch_add(&n_filled, 1, __ATOMIC_RELAXED))
		out[i] = (double)i;
	uint64_t until = here();
	WORK(until); /* so that it is no tail call */
	return until;
}

__attribute__((noinline)) static uint64_t
fill_elsewhere(double *out)
{
	for (int i = 0; i < 256; i++)
		out[i] = (double)rand();
	uint64_t until = here();
	WORK(until); /* so that it is no tail call */
	return until;
}

static void
test_repeated(wn_symbols *symbols)
{
	const struct wn_pattern_of of = {.n_threads = 2, .is_until = true};
	static const struct {
		const char *name;
		uint64_t (*function)(double *);
		enum wn_pattern_kind kind;
	} cases[] = {
	    {"a loop that each thread executes completely", fill_all, WN_PATTERN_REPEATED},
	    {"a loop whose turns threads take from a counter", fill_in_turn, WN_PATTERN_NONE},
	    {"a loop that calls code elsewhere", fill_elsewhere, WN_PATTERN_NONE},
	};
	for (size_t i = 0; HAS_ATOMICS && i < sizeof cases / sizeof *cases; i++) {
		struct wn_access_pattern found;
		uint64_t until = cases[i].function(table);
		ok(wn_symbols_find_pattern(symbols, until, &of, &found) == WN_OK &&
		       found.kind == cases[i].kind,
		   "%s is %s", cases[i].name, cases[i].kind ? "found" : "none");
	}
}

static void
test_atomics(const struct self *self)
{
	static const struct {
		const char *name;
		void (*function)(long);
		enum wn_pattern_kind kind;
		const char *variable;
	} cases[] = {
	    {"an update of one cell in each turn", add_to_cell, WN_PATTERN_ATOMIC, "cell"},
	    {"an update of a small array", add_to_cells, WN_PATTERN_ATOMIC, "cells"},
	    {"one by compare and exchange", add_to_total, WN_PATTERN_ATOMIC, "total"},
	    {"one through a pointer of a structure", add_to_pointer, WN_PATTERN_ATOMIC, NULL},
	    {"one of each item of a list", add_to_list, WN_PATTERN_NONE, NULL},
	    {"one outside an inner loop", add_after_loops, WN_PATTERN_NONE, NULL},
	    {"one beside a loop", add_beside_loop, WN_PATTERN_NONE, NULL},
	    {"one after an unknown call", add_after_calls, WN_PATTERN_NONE, NULL},
	    {"one all over a large array", add_to_field, WN_PATTERN_NONE, NULL},
	    {"one that is repeated if it fails", add_once, WN_PATTERN_NONE, NULL},
	    {"one before another one that may fail", add_twice, WN_PATTERN_ATOMIC, "total"},
	    {"a rare one", add_sometimes, WN_PATTERN_NONE, NULL},
	    {"a store to one variable", store_one, WN_PATTERN_TRUE_SHARING, "plain"},
	    {"a rare store", store_sometimes, WN_PATTERN_NONE, NULL},
	    {"a store to one of few elements", store_few, WN_PATTERN_FALSE_SHARING, "few"},
	    {"a store to one of many elements", store_many, WN_PATTERN_NONE, NULL},
	    {"a store to an element in each turn", store_each, WN_PATTERN_NONE, NULL},
	    {"a store to the stack", store_own, WN_PATTERN_NONE, NULL},
	    {"a load of every 100th element", load_far, WN_PATTERN_STRIDED, NULL},
	    {"a load of every nth element", load_by_number, WN_PATTERN_STRIDED, NULL},
	    {"a load of each element", load_near, WN_PATTERN_NONE, NULL},
	    {"one of each nth element by a function", load_column, WN_PATTERN_STRIDED, NULL},
	    {"one of each element by a function", load_row, WN_PATTERN_NONE, NULL},
#ifdef __x86_64__
	    {"a store far apart in a loop with its header in the middle", store_by_turns,
	     WN_PATTERN_STRIDED, NULL},
#endif
	    {"a load of several members of each element", load_members, WN_PATTERN_NONE, NULL},
	};
	struct wn_module module = elf_module(&self->file, self->path, self->base);
	wn_symbols *symbols = NULL;
	struct wn_access_pattern found;
	ok(wn_symbols_new(&module, 1, &symbols, NULL) == WN_OK, "this program is a module");
	for (size_t i = 0; HAS_ATOMICS && i < sizeof cases / sizeof *cases; i++) {
		uint64_t addr = (uint64_t)(uintptr_t)cases[i].function, offset;
		const char *variable = NULL;
		ok(wn_symbols_find_pattern(
		       symbols, addr, &(struct wn_pattern_of){.is_entry = true, .n_threads = 2},
		       &found) == WN_OK &&
		       found.kind == cases[i].kind,
		   "%s is %s", cases[i].name, cases[i].kind ? "found" : "none");
		if (found.kind == WN_PATTERN_NONE)
			continue;
		struct wn_place place = find(symbols, found.addr, false);
		bool is_inside =
		    place.offset > addr - self->base || cases[i].function == load_column;
		ok(is_inside && found.n_insns > 0 && found.n_insns < 40,
		   "its instruction is in the loop");
		ok(found.variable ? wn_symbols_find_variable(symbols, found.variable, &variable,
		                                             &offset) == WN_OK &&
		                        equals(variable, cases[i].variable)
		                  : !cases[i].variable,
		   "it accesses %s", variable ? variable : "something");
	}
	uint64_t addr = call_with();
	ok(wn_symbols_find_pattern(symbols, addr - 1,
	                           &(struct wn_pattern_of){.is_entry = true, .n_threads = 2},
	                           &found) == WN_OK &&
	       (!HAS_ATOMICS || found.kind == WN_PATTERN_ATOMIC),
	   "a function is found that a call gets");
	ok(wn_symbols_find_pattern(symbols, here() - 1,
	                           &(struct wn_pattern_of){.is_entry = true, .n_threads = 2},
	                           &found) == WN_OK &&
	       found.kind == WN_PATTERN_NONE,
	   "a call that gets none has none");
	ok(wn_symbols_find_pattern(symbols, 8, &(struct wn_pattern_of){.n_threads = 2}, &found) ==
	           WN_OK &&
	       found.kind == WN_PATTERN_NONE,
	   "an address in no module has none");
	test_repeated(symbols);
	wn_symbols_free(symbols);
}

static volatile int flag;
static int lock;
static struct link {
	struct link *volatile next;
	volatile long key;
} links[2] = {{&links[1], 0}, {&links[0], 1}};

__attribute__((noinline)) static void
wait_for_flag(long n)
{
	while (flag < n)
		;
}

__attribute__((noinline)) static void
wait_for_pointer(long n)
{
	long seen;
	do
		seen = __atomic_load_n(shared_cell.cell, __ATOMIC_ACQUIRE);
	while (seen < n);
}

__attribute__((noinline)) static void
wait_for_lock(long n)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
	plain = n;
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

__attribute__((noinline)) static void
count_up(long n)
{
	long sum = 0;
	for (long i = 0; i < n; i++)
		sum += plain;
	WORK(sum);
}

__attribute__((noinline)) static void
follow_links(long n)
{
	const struct link *at = links;
	while (at->key != n)
		at = at->next;
}

/* To the sums of an item, and to its count behind them. */
__attribute__((noinline)) static void
add_in_nest(long n)
{
	EACH(i, n)
	{
		EACH(k, n)
		ADD(field[(i + k) & 4095], k);
		ADD(cells[i & 7], 1);
	}
}

__attribute__((noinline)) static void
add_in_turn(long n)
{
	EACH(i, n)
	{
		EACH(k, n)
		ADD(field[(i + k) & 4095], k);
		EACH(k, n)
		ADD(cells[k & 7], 1);
	}
}

/* The load has the address in other registers than the attempt that expects its value. */
__attribute__((noinline)) static void
add_by_value(long n)
{
	EACH(i, n)
	{
#if HAS_ATOMICS
		__asm__ volatile("mov (%0,%1,8), %%rax\n\t"
		                 "lea (%0,%1,8), %%rcx\n"
		                 "1: lea 1(%%rax), %%rdx\n\t"
		                 "lock cmpxchg %%rdx, (%%rcx)\n\t"
		                 "jne 1b"
		                 :
		                 : "r"(field), "r"(i & 4095)
		                 : "rax", "rcx", "rdx", "memory", "cc");
#endif
	}
}

/* Returns how many different loops the updates of a function belong to, and the first address that
 * waits for one. */
static size_t
count_nests(wn_symbols *symbols, void (*function)(long), struct wn_code_wait *first_out,
            uint64_t *at_out)
{
	uint64_t addr = (uint64_t)(uintptr_t)function, around[4] = {0};
	struct wn_place place = find(symbols, addr, false);
	struct wn_code_wait found;
	size_t n = 0, k;
	for (uint64_t i = 0; i < 400 && find(symbols, addr + i, false).symbol == place.symbol;
	     i++) {
		if (wn_symbols_find_wait(symbols, addr + i, &found) != WN_OK ||
		    found.kind != WN_WAIT_ATOMIC)
			continue;
		for (k = 0; k < n && around[k] != found.around; k++)
			;
		if (n == 0) {
			*first_out = found;
			*at_out = addr + i;
		}
		if (k == n && n < 4)
			around[n++] = found.around;
	}
	return n;
}

static void
test_nests(wn_symbols *symbols)
{
	struct wn_code_wait first = {.kind = WN_WAIT_NONE};
	uint64_t at = 0;
	ok(!HAS_ATOMICS || count_nests(symbols, add_in_nest, &first, &at) == 1,
	   "updates in a loop and behind it are of one nest");
	ok(!HAS_ATOMICS || count_nests(symbols, add_in_turn, &first, &at) == 2,
	   "those in two loops, one after the other, are apart");
	ok(!HAS_ATOMICS ||
	       (count_nests(symbols, add_by_value, &first, &at) == 1 && at + 7 < first.addr),
	   "the load of the value that an attempt expects waits, whatever its registers");
}

/* What any instruction of a function waits for. */
static enum wn_wait_kind
wait_in(wn_symbols *symbols, void (*function)(long))
{
	uint64_t addr = (uint64_t)(uintptr_t)function;
	struct wn_place place = find(symbols, addr, false);
	struct wn_code_wait found;
	for (uint64_t i = 0; i < 200 && find(symbols, addr + i, false).symbol == place.symbol; i++)
		if (wn_symbols_find_wait(symbols, addr + i, &found) == WN_OK &&
		    found.kind != WN_WAIT_NONE)
			return found.kind;
	return WN_WAIT_NONE;
}

static void
test_waits(const struct self *self)
{
	static const struct {
		const char *name;
		void (*function)(long);
		enum wn_wait_kind kind;
	} cases[] = {
	    {"a loop that waits for a flag", wait_for_flag, WN_WAIT_LOOP},
	    {"one through a pointer", wait_for_pointer, WN_WAIT_LOOP},
	    {"one that tries to take a lock", wait_for_lock, WN_WAIT_LOOP},
	    {"one that counts its turns", count_up, WN_WAIT_NONE},
	    {"one that follows pointers", follow_links, WN_WAIT_NONE},
	    {"an update of one cell in each turn", add_to_cell, WN_WAIT_ATOMIC},
	    {"an update by compare and exchange", add_once, WN_WAIT_ATOMIC},
	    {"one of many elements", add_to_field, WN_WAIT_ATOMIC},
	    {"one all over a large variable, whose threads rarely meet", add_to_large,
	     WN_WAIT_NONE},
	};
	struct wn_module module = elf_module(&self->file, self->path, self->base);
	wn_symbols *symbols = NULL;
	ok(wn_symbols_new(&module, 1, &symbols, NULL) == WN_OK, "this program is a module");
	for (size_t i = 0; HAS_ATOMICS && i < sizeof cases / sizeof *cases; i++)
		ok(wait_in(symbols, cases[i].function) == cases[i].kind, "%s waits for %d",
		   cases[i].name, (int)cases[i].kind);
	struct wn_code_wait of_many = {.kind = WN_WAIT_NONE};
	for (uint64_t i = 0; i < 200 && of_many.kind == WN_WAIT_NONE; i++)
		if (wn_symbols_find_wait(symbols, (uint64_t)(uintptr_t)add_to_field + i,
		                         &of_many) != WN_OK)
			break;
	ok(!HAS_ATOMICS || of_many.is_moving, "an update of many elements moves");
	uint64_t first = (uint64_t)(uintptr_t)add_once, addr = first;
	struct wn_code_wait found = {.kind = WN_WAIT_NONE};
	while (addr < first + 200 && found.kind == WN_WAIT_NONE &&
	       wn_symbols_find_wait(symbols, addr, &found) == WN_OK)
		addr++;
	ok(!HAS_ATOMICS || addr <= found.addr,
	   "the load before an update waits for its cache line");
	test_nests(symbols);
	wn_symbols_free(symbols);
}

/* --- fixtures --- */

#define LINES_MAX 128

struct source {
	char function[LINES_MAX][64]; /* by line; empty where no construct is outlined */
};

static bool
source_read(const char *path, struct source *out)
{
	*out = (struct source){0};
	FILE *file = fopen(path, "re");
	char text[256];
	bool is_fortran = ends_with(path, ".f90");
	for (int line = 1; file && line < LINES_MAX && fgets(text, sizeof text, file); line++) {
		const char *directive = strstr(text, is_fortran ? "!$omp" : "#pragma omp");
		const char *mark = directive ? strstr(directive, is_fortran ? " ! " : "// ") : NULL;
		if (mark)
			sscanf(mark + 3, "%63[^\n]", out->function[line]);
	}
	if (file)
		fclose(file);
	return file != NULL;
}

/* Outlined functions that the runtime calls: not the helpers compilers put beside them. */
static bool
is_construct(const char *symbol)
{
	static const char *const helpers[] = {"_omp_cpyfn", "privates_map", "task_dup",
	                                      "reduction"};
	for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
		if (strstr(symbol, helpers[i]))
			return false;
	const char *debug = strstr(symbol, "_debug__");
	return wn_name_is_outlined(symbol) && (!debug || strstr(debug, ".omp_outlined"));
}

static void
fixture_lines(const char *name, wn_symbols *symbols, const struct elf_file *file,
              const struct source *source)
{
	bool is_seen[LINES_MAX] = {false};
	unsigned n_wrong = 0, n_unseen = 0, n_functions = 0;
	for (size_t i = 0; i < file->n; i++) {
		const struct elf_function *function = &file->functions[i];
		if (!is_construct(function->name) || ends_with(function->name, "_debug__"))
			continue;
		struct wn_place place = find(symbols, BASE + function->begin, false);
		const char *expected =
		    place.line > 0 && place.line < LINES_MAX ? source->function[place.line] : "";
		bool is_right = *expected && place.is_outlined && place.is_exact &&
		                equals(place.symbol, function->name) && place.function &&
		                (strcmp(expected, "*") == 0 || equals(place.function, expected));
		n_functions++;
		n_wrong += !is_right;
		if (!is_right)
			note("%s: %s is %s:%d, not %s", name, function->name,
			     place.function ? place.function : "unknown", place.line, expected);
		else
			is_seen[place.line] = true;
	}
	for (int line = 0; line < LINES_MAX; line++)
		n_unseen += *source->function[line] && !is_seen[line];
	ok(n_functions > 0 && n_wrong == 0, "%s: %u outlined functions lead to their pragmas", name,
	   n_functions);
	ok(n_unseen == 0, "%s: every pragma has an outlined function", name);
}

/* Without line information: names from a symbol table, and no line. */
static void
fixture_names(const char *name, wn_symbols *symbols, const struct elf_file *file)
{
	unsigned n_wrong = 0;
	bool is_fib_known = false;
	for (size_t i = 0; i < file->n; i++) {
		const struct elf_function *function = &file->functions[i];
		struct wn_place place = find(symbols, BASE + function->end, true);
		n_wrong += !equals(place.symbol, function->name) || place.file || place.line != 0 ||
		           place.has_debug_info;
		is_fib_known = is_fib_known || equals(place.function, "fib");
	}
	ok(file->n > 0 && n_wrong == 0 && is_fib_known, "%s: %zu symbols are found without lines",
	   name, file->n);
}

static void
test_fixture(const char *source_path, const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	struct source source;
	struct elf_file file;
	wn_symbols *symbols = NULL;
	if (!ok(source_read(source_path, &source) && elf_file_read(path, &file), "%s is here",
	        name))
		return;
	if (ends_with(name,
	              "-linked")) { /* its own symbol table is gone; the other's is the same */
		char whole[PATH_MAX];
		snprintf(whole, sizeof whole, "%.*s-O2", (int)(strlen(path) - 7), path);
		free(file.functions);
		ok(elf_file_read(whole, &file), "%s has a whole twin", name);
	}
	struct wn_module module = elf_module(&file, path, BASE);
	if (!ok(wn_symbols_new(&module, 1, &symbols, NULL) == WN_OK, "%s is a module", name))
		return;
	if (strstr(name, "nolines"))
		fixture_names(name, symbols, &file);
	else
		fixture_lines(name, symbols, &file, &source);
	wn_symbols_free(symbols);
	free(file.functions);
}

/* --- damage and lack of memory --- */

static void
all_found(const struct wn_module *module, const struct elf_file *file, unsigned *n_lines)
{
	wn_symbols *symbols = NULL;
	if (wn_symbols_new(module, 1, &symbols, NULL) != WN_OK)
		return;
	for (size_t i = 0; i < file->n; i++) {
		*n_lines += find(symbols, module->base + file->functions[i].begin, false).line > 0;
		*n_lines += find(symbols, module->base + file->functions[i].end, true).line > 0;
	}
	wn_symbols_free(symbols);
}

static void
test_damage(const char *path)
{
	char copy[] = "/tmp/winnow-damaged-XXXXXX";
	struct elf_file file;
	int from = open(path, O_RDONLY | O_CLOEXEC), to = mkstemp(copy);
	off_t size = from < 0 ? 0 : lseek(from, 0, SEEK_END);
	uint8_t *bytes = malloc((size_t)size + 1);
	bool is_read = bytes && size > 0 && pread(from, bytes, (size_t)size, 0) == size &&
	               elf_file_read(path, &file);
	if (!ok(is_read && to >= 0, "a fixture to damage is here"))
		return;
	struct wn_module module = elf_module(&file, copy, BASE);
	unsigned n_lines = 0;
	srandom(17);
	for (int round = 0; round < 200; round++) {
		off_t length = round % 8 == 7 ? random() % size : size;
		bool is_written = pwrite(to, bytes, (size_t)size, 0) == size;
		for (int i = 0; i < 12; i++) {
			uint8_t value = (uint8_t)random();
			is_written = is_written && pwrite(to, &value, 1, random() % size) == 1;
		}
		if (is_written && ftruncate(to, length) == 0)
			all_found(&module, &file, &n_lines);
	}
	ok(n_lines > 0, "200 damaged files are survived (%u lines found in them)", n_lines);
	unlink(copy);
	close(to);
	close(from);
	free(bytes);
	free(file.functions);
}

static void
test_no_memory(const char *path)
{
	struct elf_file file;
	if (!elf_file_read(path, &file) || file.n == 0)
		return;
	struct wn_module module = elf_module(&file, path, BASE);
	unsigned n_wrong = 0;
	long n = 0;
	bool is_done = false;
	for (; !is_done && n < 10000; n++) {
		wn_symbols *symbols = NULL;
		struct wn_place place = {.line = -7};
		wn_err err = {.code = WN_OK};
		wn_mem_fail_after(n);
		wn_status st = wn_symbols_new(&module, 1, &symbols, &err);
		n_wrong += st != err.code;
		for (size_t i = 0; st == WN_OK && i < file.n; i++)
			st =
			    wn_symbols_find(symbols, BASE + file.functions[i].begin, false, &place);
		wn_mem_fail_after(-1);
		is_done = st == WN_OK;
		n_wrong += !is_done && st != WN_E_NOMEM;
		/* What failed once works when there is memory again. */
		if (symbols && !is_done)
			n_wrong += find(symbols, BASE + file.functions[0].begin, false).line < 0;
		wn_symbols_free(symbols);
	}
	ok(is_done && n_wrong == 0 && wn_mem_live() == 0, "each of %ld allocations may fail",
	   n - 1);
	free(file.functions);
}

int
main(int argc, char **argv)
{
	static struct self self;
	ssize_t bytes = readlink("/proc/self/exe", self.path, sizeof self.path - 1);
	dl_iterate_phdr(self_base, &self);
	if (!ok(bytes > 0 && elf_file_read(self.path, &self.file), "this program can be read"))
		return done();
	test_self(&self);
	test_atomics(&self);
	test_waits(&self);
	test_unknown(&self);
	test_refusals(&self);

	FILE *list = argc > 1 ? fopen(argv[1], "re") : NULL;
	char source[PATH_MAX], path[PATH_MAX], damaged[PATH_MAX] = "";
	while (list && fscanf(list, "%4095[^\t]\t%4095[^\n]\n", source, path) == 2) {
		test_fixture(source, path);
		if (strstr(path, "-O2"))
			snprintf(damaged, sizeof damaged, "%s", path);
	}
	if (list)
		fclose(list);
	if (*damaged) {
		test_damage(damaged);
		test_no_memory(damaged);
	} else {
		skip("no compiler to make fixtures with", "fixtures");
	}
	free(self.file.functions);
	ok(wn_mem_live() == 0, "nothing is left allocated");
	return done();
}
