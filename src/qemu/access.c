/* SPDX-License-Identifier: MIT */
#include "qemu/access.h"

#include "qemu/api.h"
#include "qemu/group.h"
#include "qemu/thread.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)

/* The emulator's word for an access to what it means: 2^n bytes, and is it a write? */
#define INFO_N   (1u << 18)
#define IS_KNOWN 128u
#define IS_STORE 64u
static uint8_t info_meaning[INFO_N];

static unsigned __attribute__((noinline, cold)) learn(uint32_t info)
{
	unsigned meaning = IS_KNOWN | (qemu_plugin_mem_is_store(info) ? IS_STORE : 0) |
	                   (qemu_plugin_mem_size_shift(info) & 31u);
	if (info < INFO_N)
		info_meaning[info] = (uint8_t)meaning;
	return meaning;
}

static inline unsigned
meaning_of(uint32_t info)
{
	unsigned meaning = info < INFO_N ? info_meaning[info] : 0;
	return LIKELY(meaning) ? meaning : learn(info);
}

/* All of one access, told as a whole. */
static inline void
count_known(struct thread *t, unsigned meaning, uint64_t address, bool keeps)
{
	uint64_t bytes = 1ull << (meaning & 31);
	bool is_own = thread_is_own_stack(t, address);
	struct tally *tally = &t->accesses[(meaning & IS_STORE) != 0];
	tally->n_and_bytes += (sums){1, bytes};
	if (is_own)
		tally->n_stack++;
	if (keeps)
		thread_touch(t, address, bytes, is_own);
}

static void __attribute__((noinline, cold))
count_unknown(struct thread *t, uint32_t info, uint64_t address, bool keeps)
{
	count_known(t, learn(info), address, keeps);
}

static inline void
count_access(struct thread *t, uint32_t info, uint64_t address, bool keeps)
{
	unsigned meaning = info < INFO_N ? info_meaning[info] : 0;
	if (LIKELY(meaning))
		count_known(t, meaning, address, keeps);
	else
		count_unknown(t, info, address, keeps);
}

void
wn_qemu_on_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)user;
	count_access(&wn_qemu_threads[vcpu], info, address, false);
}

void
wn_qemu_on_access_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)user;
	count_access(&wn_qemu_threads[vcpu], info, address, true);
}

void
wn_qemu_on_neutral_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)user;
	if (wn_qemu_threads[vcpu].mode == MODE_USER)
		count_access(&wn_qemu_threads[vcpu], info, address,
		             wn_qemu_counting.keeps_footprint);
}

/* Reads and writes, of which only the write is looked at: there is one in any case. */
void
wn_qemu_on_locked_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	unsigned meaning = meaning_of(info);
	(void)user;
	if (t->mode != MODE_USER || !(meaning & IS_STORE))
		return;
	uint64_t bytes = 1ull << (meaning & 31);
	bool is_own = thread_is_own_stack(t, address);
	for (int i = 0; i < 2; i++) {
		t->accesses[i].n++;
		t->accesses[i].bytes += bytes;
		t->accesses[i].n_stack += is_own;
	}
	if (wn_qemu_counting.keeps_footprint)
		thread_touch(t, address, bytes, is_own);
}

/* An access of `user` bytes that is told in pieces, in order: the first one counts. */
void
wn_qemu_on_wide_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	if (t->mode != MODE_USER)
		return;
	unsigned meaning = meaning_of(info);
	uint64_t bytes = 1ull << (meaning & 31), wide = (uintptr_t)user;
	struct tally *tally = &t->accesses[(meaning & IS_STORE) != 0];
	tally->bytes += bytes;
	if (t->wide_left && address == t->wide_next) {
		t->wide_next += bytes;
		t->wide_left -= bytes < t->wide_left ? bytes : t->wide_left;
		return;
	}
	bool is_own = thread_is_own_stack(t, address);
	tally->n++;
	tally->n_stack += is_own;
	t->wide_next = address + bytes;
	t->wide_left = bytes < wide ? wide - bytes : 0;
	if (wn_qemu_counting.keeps_footprint)
		thread_touch(t, address, wide, is_own);
}

/* Of all accesses of a group, the first. */
void
wn_qemu_on_group(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)info;
	group_count(&wn_qemu_threads[vcpu], user, address);
}

void
wn_qemu_on_group_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)info;
	group_count_kept(&wn_qemu_threads[vcpu], user, address);
}

/* The first access reads and writes, which is told twice. */
void
wn_qemu_on_group_of_both(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	if (meaning_of(info) & IS_STORE)
		return;
	if (wn_qemu_counting.keeps_footprint)
		wn_qemu_on_group_kept(vcpu, info, address, user);
	else
		wn_qemu_on_group(vcpu, info, address, user);
}

void
wn_qemu_on_expected_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	const struct expected *expected = user;
	unsigned meaning = meaning_of(info);
	bool is_store = meaning & IS_STORE;
	if (expected->is_first)
		t->group_starts[expected->in] = address;
	uint64_t at = t->group_starts[expected->in] + (uint64_t)(int64_t)expected->offset;
	if (1ull << (meaning & 31) != expected->bytes || address != at ||
	    !(is_store ? expected->is_store : expected->is_load))
		t->n_unexpected++;
	count_access(t, info, address, wn_qemu_counting.keeps_footprint);
}

/* ---- calls and returns ---- */

/* What `call` pushes; `call *memory` reads beforehand. */
static inline void
note_call(struct thread *t, uint32_t info, uint64_t address)
{
	if (!(meaning_of(info) & IS_STORE))
		return;
	t->sp = address;
	t->was_call = true;
	if (t->n_bases == 0 && t->mode == MODE_USER) /* nobody has called the start of a process */
		thread_push_base(t, address + sizeof address);
}

static inline void
note_return(struct thread *t, uint64_t address)
{
	t->was_call = false;
	if (t->n_bases > 0 && address == t->bases[t->n_bases - 1])
		thread_pop_base(t);
}

void
wn_qemu_on_call(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	(void)user;
	if (t->mode == MODE_USER)
		count_access(t, info, address, wn_qemu_counting.keeps_footprint);
	note_call(t, info, address);
}

void
wn_qemu_on_return(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	(void)user;
	if (t->mode == MODE_USER)
		count_access(t, info, address, wn_qemu_counting.keeps_footprint);
	note_return(t, address);
}
