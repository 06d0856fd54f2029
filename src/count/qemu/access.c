/* SPDX-License-Identifier: MIT */
#include "count/qemu/access.h"

#include "count/access_groups.h"
#include "count/qemu/api.h"
#include "count/thread.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)

/* Decodes the emulator's description of an access: 2^n bytes, read or write. */
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

/* Counts one access that is reported as a whole and is not in a bundle. */
static inline void
count_known(struct thread *t, unsigned meaning, uint64_t address, bool keeps)
{
	uint64_t bytes = 1ull << (meaning & 31);
	bool is_own = thread_is_own_stack(t, address);
	struct tally *tally = &t->accesses[(meaning & IS_STORE) != 0];
	tally->n++;
	tally->bytes += bytes;
	tally->n_stack += is_own;
	if (keeps)
		thread_touch(t, address, bytes, is_own);
}

static inline void
count_access(struct thread *t, uint32_t info, uint64_t address, bool keeps)
{
	count_known(t, meaning_of(info), address, keeps);
}

void
wn_qemu_on_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)user;
	count_access(wn_counting_threads[vcpu], info, address, false);
}

void
wn_qemu_on_access_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)user;
	count_access(wn_counting_threads[vcpu], info, address, true);
}

void
wn_qemu_on_neutral_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)user;
	if (wn_counting_threads[vcpu]->mode == MODE_USER)
		count_access(wn_counting_threads[vcpu], info, address, wn_counting.keeps_footprint);
}

static inline void
on_step(struct thread *t, unsigned meaning, uint64_t address)
{
	if (t->mode == MODE_USER)
		thread_step(t, (meaning & IS_STORE) != 0, address, 1ull << (meaning & 31));
}

static void __attribute__((noinline, cold))
on_unknown_step(struct thread *t, uint32_t info, uint64_t address)
{
	on_step(t, learn(info), address);
}

void
wn_qemu_on_step(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	unsigned meaning = info < INFO_N ? info_meaning[info] : 0;
	(void)user;
	if (LIKELY(meaning))
		on_step(wn_counting_threads[vcpu], meaning, address);
	else
		on_unknown_step(wn_counting_threads[vcpu], info, address);
}

/* Read-modify-write: only the write is counted here, since it always occurs. */
void
wn_qemu_on_locked_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = wn_counting_threads[vcpu];
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
	if (wn_counting.keeps_footprint)
		thread_touch(t, address, bytes, is_own);
}

/* Is this a later piece of an access that is reported in pieces, in order? */
static inline bool
is_later_piece(struct thread *t, uint64_t address, uint64_t bytes, uint64_t reported)
{
	bool goes_on = t->wide_left && address == t->wide_next;
	uint64_t left = goes_on ? t->wide_left : reported;
	t->wide_next = address + bytes;
	t->wide_left = bytes < left ? left - bytes : 0;
	return goes_on;
}

/* Counts an access by its first piece. False if this piece is not the first. */
static bool
count_wide(struct thread *t, unsigned meaning, uint64_t address, uint64_t reported, uint64_t wide)
{
	struct tally *tally = &t->accesses[(meaning & IS_STORE) != 0];
	if (is_later_piece(t, address, 1ull << (meaning & 31), reported))
		return false;
	bool is_own = thread_is_own_stack(t, address);
	tally->n++;
	tally->bytes += wide;
	tally->n_stack += is_own;
	if (wn_counting.keeps_footprint)
		thread_touch(t, address, wide, is_own);
	return true;
}

void
wn_qemu_on_wide_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = wn_counting_threads[vcpu];
	uintptr_t bytes = (uintptr_t)user;
	if (t->mode == MODE_USER)
		count_wide(t, meaning_of(info), address, bytes >> 8, bytes & 255);
}

/* ---- groups ---- */

/* First access of a group. */
void
wn_qemu_on_group(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)info;
	group_count(wn_counting_threads[vcpu], user, address, false);
}

void
wn_qemu_on_group_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)info;
	group_count(wn_counting_threads[vcpu], user, address, true);
}

static void __attribute__((noinline, cold))
begin_block_and_group(struct thread *t, const struct group *group, uint64_t address)
{
	thread_run_user(t, group->block);
	group_count(t, group, address, wn_counting.keeps_footprint);
}

static inline void
on_block_and_group(struct thread *t, const struct group *group, uint64_t address, bool keeps)
{
	if (__builtin_expect(thread_ran_user(t, group->block), 1))
		group_count(t, group, address, keeps);
	else
		begin_block_and_group(t, group, address);
}

void
wn_qemu_on_block_and_group(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)info;
	on_block_and_group(wn_counting_threads[vcpu], user, address, false);
}

void
wn_qemu_on_block_and_group_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)info;
	on_block_and_group(wn_counting_threads[vcpu], user, address, true);
}

static inline void
on_group_if_user(struct thread *t, const struct group *group, uint64_t address)
{
	if (t->mode == MODE_USER)
		group_count(t, group, address, wn_counting.keeps_footprint);
}

void
wn_qemu_on_neutral_group(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)info;
	on_group_if_user(wn_counting_threads[vcpu], user, address);
}

void
wn_qemu_on_neutral_block_and_group(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = wn_counting_threads[vcpu];
	const struct group *group = user;
	(void)info;
	thread_run_neutral(t, group->block);
	on_group_if_user(t, group, address);
}

void
wn_qemu_on_group_of_both(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	if (!(meaning_of(info) & IS_STORE))
		on_group_if_user(wn_counting_threads[vcpu], user, address);
}

void
wn_qemu_on_group_of_wide(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = wn_counting_threads[vcpu];
	const struct group *group = user;
	uint64_t bytes = 1ull << (meaning_of(info) & 31);
	if (!is_later_piece(t, address, bytes, group->members[0].reported_bytes))
		on_group_if_user(t, group, address);
}

static void
expect_at(struct thread *t, const struct expected *expected, unsigned meaning, uint64_t address)
{
	if (expected->is_first)
		t->group_starts[expected->in] = address;
	uint64_t at = t->group_starts[expected->in] + (uint64_t)(int64_t)expected->offset;
	if (address != at || !(meaning & IS_STORE ? expected->is_store : expected->is_load))
		t->n_unexpected++;
}

void
wn_qemu_on_expected_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = wn_counting_threads[vcpu];
	const struct expected *expected = user;
	unsigned meaning = meaning_of(info);
	if (t->mode != MODE_USER)
		return;
	if (expected->reported_bytes > 8) {
		if (count_wide(t, meaning, address, expected->reported_bytes, expected->bytes))
			expect_at(t, expected, meaning, address);
		return;
	}
	expect_at(t, expected, meaning, address);
	if (1ull << (meaning & 31) != expected->bytes)
		t->n_unexpected++;
	count_known(t, meaning, address, wn_counting.keeps_footprint);
}

/* ---- calls and returns ---- */

static void
note_call(struct thread *t, uint64_t address)
{
	t->sp = address;
	t->was_call = true;
	if (t->n_bases == 0 && t->mode == MODE_USER) /* the start code of a process has no caller */
		thread_push_base(t, address + sizeof address);
}

/* `call *memory` reads its target first. */
void
wn_qemu_on_call(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = wn_counting_threads[vcpu];
	(void)user;
	if (t->mode == MODE_USER)
		count_access(t, info, address, wn_counting.keeps_footprint);
	if (meaning_of(info) & IS_STORE)
		note_call(t, address);
}

void
wn_qemu_on_return(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = wn_counting_threads[vcpu];
	(void)user;
	if (t->mode == MODE_USER)
		count_access(t, info, address, wn_counting.keeps_footprint);
	t->was_call = false;
	if (t->n_bases > 0 && address == t->bases[t->n_bases - 1])
		thread_pop_base(t);
}
