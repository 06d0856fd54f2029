/* SPDX-License-Identifier: MIT */
/*
 * touched.c - see touched.h. All of a thread's is in one mapping, found through a variable of the
 * thread: what is passed to touch() has no room for more.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "collect/counters/touched.h"

#include "collect/counters/footprint.h"

#include <string.h>
#include <sys/mman.h>

#define POOL_LIMIT_BYTES (8ull << 30)
#define LINE_BYTES       64u

struct toucher {
	struct wn_footprint_thread footprint;
	struct wn_count_slot *slot;
	uint64_t grain;
	uint64_t n_lines, n_addresses; /* that the slot knows */
	uint64_t recent[WN_RECENT_N];
};

static struct wn_footprint_pool pool;
static atomic_flag pool_lock = ATOMIC_FLAG_INIT;
static bool has_pool;

static _Thread_local struct toucher *self __attribute__((tls_model("initial-exec")));

static void
touch_lines(struct wn_footprint_thread *t, uint64_t address, uint64_t n_bytes)
{
	while (n_bytes > 0) {
		uint64_t part = LINE_BYTES - address % LINE_BYTES;
		part = part < n_bytes ? part : n_bytes;
		wn_footprint_touch(t, address, part);
		address += part;
		n_bytes -= part;
	}
}

__attribute__((used, noinline, noclone)) static void
touch_kept(uint64_t address, uint64_t size_bytes, uint64_t key)
{
	struct toucher *t = self;
	if (!t)
		return;
	if (key) {
		wn_footprint_touch(&t->footprint, address, size_bytes);
		t->recent[(address >> 3) % WN_RECENT_N] = key;
	} else {
		touch_lines(&t->footprint, address, size_bytes);
	}
	t->slot->count[WN_PROPERTY_footprint_lines] += t->footprint.n_lines - t->n_lines;
	t->slot->count[WN_PROPERTY_footprint_addresses] +=
	    t->footprint.n_addresses - t->n_addresses;
	t->slot->count[WN_PROPERTY_footprint_lost] = t->footprint.n_lost;
	t->n_lines = t->footprint.n_lines;
	t->n_addresses = t->footprint.n_addresses;
}

#ifdef __x86_64__
/* touch_kept() between what keeps the caller's registers; nine words make the stack even. */
void wn_touched_gate(uint64_t address, uint64_t size_bytes, uint64_t key)
    __attribute__((visibility("hidden")));
__asm__(".pushsection .text\n"
        ".type wn_touched_gate, @function\n"
        ".globl wn_touched_gate\n"
        ".hidden wn_touched_gate\n"
        "wn_touched_gate:\n"
        "	endbr64\n"
        "	pushq %rax\n"
        "	pushq %rcx\n"
        "	pushq %rdx\n"
        "	pushq %rsi\n"
        "	pushq %rdi\n"
        "	pushq %r8\n"
        "	pushq %r9\n"
        "	pushq %r10\n"
        "	subq $8, %rsp\n"
        "	call touch_kept\n"
        "	addq $8, %rsp\n"
        "	popq %r10\n"
        "	popq %r9\n"
        "	popq %r8\n"
        "	popq %rdi\n"
        "	popq %rsi\n"
        "	popq %rdx\n"
        "	popq %rcx\n"
        "	popq %rax\n"
        "	ret\n"
        ".size wn_touched_gate, . - wn_touched_gate\n"
        ".popsection\n");
#else
#define wn_touched_gate touch_kept
#endif

static void
make_pool(void)
{
	while (atomic_flag_test_and_set_explicit(&pool_lock, memory_order_acquire))
		;
	if (!has_pool)
		wn_footprint_pool_init(&pool, POOL_LIMIT_BYTES);
	has_pool = true;
	atomic_flag_clear_explicit(&pool_lock, memory_order_release);
}

bool
wn_touched_begin(struct wn_count_slot *slot)
{
	struct toucher *t =
	    mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (t == MAP_FAILED)
		return false;
	make_pool();
	wn_footprint_thread_init(&t->footprint, &pool);
	t->slot = slot;
	self = t;
	slot->touch = wn_touched_gate;
	return true;
}

void
wn_touched_runs(struct wn_count_slot *slot, uint64_t grain, uint64_t ended)
{
	struct toucher *t = self;
	if (!t || t->slot != slot)
		return;
	if (ended)
		wn_footprint_forget(&t->footprint, ended);
	if (grain == t->grain && !ended)
		return;
	t->grain = grain;
	wn_footprint_switch(&t->footprint, grain);
	memset(t->recent, 0, sizeof t->recent);
	slot->recent = grain ? t->recent : NULL;
}

void
wn_touched_end(struct wn_count_slot *slot)
{
	struct toucher *t = self;
	if (!t || t->slot != slot)
		return;
	slot->recent = NULL;
	slot->touch = NULL;
	self = NULL;
	wn_footprint_thread_fini(&t->footprint);
	munmap(t, sizeof *t);
}

void
wn_touched_forget(void)
{
	atomic_flag_clear(&pool_lock);
	has_pool = false;
	self = NULL;
}
