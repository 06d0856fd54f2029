/* SPDX-License-Identifier: MIT */
/*
 * count.c - computes the counts of a block of the program's code when it is translated, and inserts
 * call-backs that add them up.
 *
 *   block      one call-back, with the block's instructions by class and its accesses of known size
 *   access     one call-back each, in code that may run for the user; one for several accesses at
 *              known distances (group.h)
 *   calls and returns, of all code: position of the stack
 *
 * A block is counted on entry, or with its first access. If a fault that the program handles leaves
 * a block early, the count is wrong by at most the block's length for each such signal.
 */
#include "count/qemu/count.h"

#include "count/access_groups.h"
#include "count/decode_x86_64.h"
#include "count/modules.h"
#include "count/qemu/access.h"
#include "count/qemu/blocks.h"
#include "count/qemu/decode.h"
#include "count/thread.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE_BYTES 4096u
#define CUT_BYTES  (256u << 10)

static struct emulated (*decode)(const uint8_t *bytes, size_t n, uint64_t at);
static bool has_operands;
static bool is_checked;
static bool clears_upper_halves;

/* Allocated from pages that are never freed: code is translated as long as the program runs. */
static void *
cut(size_t bytes)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static unsigned char *next;
	static size_t n_left;
	bytes = (bytes + 63) / 64 * 64;
	pthread_mutex_lock(&lock);
	if (n_left < bytes) {
		next = mmap(NULL, CUT_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		            -1, 0);
		if (next == MAP_FAILED) {
			fprintf(stderr, "winnow count: out of memory in the emulator\n");
			abort();
		}
		n_left = CUT_BYTES;
	}
	void *at = next;
	next += bytes;
	n_left -= bytes;
	pthread_mutex_unlock(&lock);
	return at;
}

static struct bundle *
bundle_new(void)
{
	return cut(sizeof(struct bundle));
}

static struct group *
group_new(void *of)
{
	(void)of;
	return cut(sizeof(struct group));
}

static void
watch_accesses(struct qemu_plugin_insn *at, const struct emulated *insn, enum module_kind kind)
{
	qemu_access_function f;
	void *user = NULL;
	if (insn->is_call)
		f = wn_qemu_on_call;
	else if (insn->is_return)
		f = wn_qemu_on_return;
	else if (kind == MODULE_RUNTIME)
		return;
	else if (insn->repeats)
		f = wn_qemu_on_step;
	else if (insn->is_locked)
		f = wn_qemu_on_locked_access;
	else if (insn->wide_bytes) {
		f = wn_qemu_on_wide_access;
		user = (void *)(uintptr_t)(insn->wide_bytes | (unsigned)insn->reported_bytes << 8);
	} else if (kind == MODULE_NEUTRAL)
		f = wn_qemu_on_neutral_access;
	else
		f = wn_counting.keeps_footprint ? wn_qemu_on_access_kept : wn_qemu_on_access;
	qemu_plugin_register_vcpu_mem_cb(at, f, QEMU_NO_REGISTERS, QEMU_READ_WRITE, user);
}

/* With the second count, each access is reported individually and compared with its prediction. */
static void
expect(struct qemu_plugin_insn *at, const struct operands *o, const struct grouping *g,
       bool is_first)
{
	struct expected *expected = cut(sizeof *expected);
	*expected = (struct expected){.bytes = o->bytes,
	                              .reported_bytes = o->reported_bytes,
	                              .is_load = o->is_load,
	                              .is_store = o->is_store,
	                              .is_first = is_first,
	                              .in = (uint8_t)g->in,
	                              .offset = g->offset};
	qemu_plugin_register_vcpu_mem_cb(at, wn_qemu_on_expected_access, QEMU_NO_REGISTERS,
	                                 QEMU_READ_WRITE, expected);
}

/* The block being translated. */
struct block {
	struct qemu_plugin_tb *tb;
	enum module_kind kind;
	bool has_groups;
	bool has_counter; /* the call-back that counts it has been chosen */
	struct bundle *bundle;
	struct grouping grouping;
};

/* Counts the block on entry. */
static void
select_block_counter(struct block *b)
{
	static const qemu_run_function functions[] = {
	    [MODULE_USER] = wn_qemu_on_user_block,
	    [MODULE_RUNTIME] = wn_qemu_on_runtime_block,
	    [MODULE_NEUTRAL] = wn_qemu_on_neutral_block,
	};
	if (!b->has_counter)
		qemu_plugin_register_vcpu_tb_exec_cb(b->tb, functions[b->kind], QEMU_NO_REGISTERS,
		                                     b->bundle);
	b->has_counter = true;
}

static void
register_group(struct block *b, struct qemu_plugin_insn *at, const struct operands *o,
               struct group *group)
{
	bool keeps = wn_counting.keeps_footprint;
	qemu_access_function f;
	if ((o->is_load && o->is_store) || o->reported_bytes > 8) {
		select_block_counter(b);
		f = o->reported_bytes > 8 ? wn_qemu_on_group_of_wide : wn_qemu_on_group_of_both;
	} else if (b->has_counter) {
		f = b->kind == MODULE_NEUTRAL ? wn_qemu_on_neutral_group
		    : keeps                   ? wn_qemu_on_group_kept
		                              : wn_qemu_on_group;
	} else {
		group->block = b->bundle;
		b->has_counter = true;
		f = b->kind == MODULE_NEUTRAL ? wn_qemu_on_neutral_block_and_group
		    : keeps                   ? wn_qemu_on_block_and_group_kept
		                              : wn_qemu_on_block_and_group;
	}
	/* QEMU 7.2 mistakes writes for reads if only one kind is requested */
	qemu_plugin_register_vcpu_mem_cb(at, f, QEMU_NO_REGISTERS, QEMU_READ_WRITE, group);
}

/* Accesses that are known beforehand are counted with the block. Their addresses are reported
 * together; the first call-back also counts the block if nothing else does. False if this
 * instruction's accesses are not known. */
static bool
watch_group(struct block *b, struct qemu_plugin_insn *at, const struct operands *o)
{
	if (!o->is_known)
		return false;
	struct group *group = group_take(&b->grouping, o, group_new, NULL);
	if (!o->bytes)
		return true;
	if (is_checked) {
		expect(at, o, &b->grouping, group != NULL);
	} else {
		bundle_add(b->bundle, BUNDLE_READS, o->is_load);
		bundle_add(b->bundle, BUNDLE_WRITES, o->is_store);
		bundle_add(b->bundle, BUNDLE_READ_BYTES, o->is_load ? o->bytes : 0);
		bundle_add(b->bundle, BUNDLE_WRITE_BYTES, o->is_store ? o->bytes : 0);
		if (group)
			register_group(b, at, o, group);
	}
	return true;
}

static void
count_single(struct qemu_plugin_insn *at, const struct emulated *insn, qemu_run_function f)
{
	struct bundle *single = bundle_new();
	single->n_insn = 1;
	single->at = qemu_plugin_insn_vaddr(at);
	bundle_add(single, BUNDLE_MIX + (unsigned)insn->class, 1);
	qemu_plugin_register_vcpu_insn_exec_cb(at, f, QEMU_NO_REGISTERS, single);
}

/* An instruction that may be reported twice. In a block of user code that consists only of it, it
 * needs no other call-back, since each repetition is reported. */
static void
count_once(struct block *b, struct qemu_plugin_insn *at, const struct emulated *insn)
{
	bool is_all =
	    !b->has_counter && b->kind == MODULE_USER && qemu_plugin_tb_n_insns(b->tb) == 1;
	if (is_all)
		b->has_counter = true;
	else
		select_block_counter(b);
	count_single(at, insn, is_all ? wn_qemu_on_user_once : wn_qemu_on_once);
}

/* An instruction that crosses into the next page belongs to the next block, but QEMU reports it,
 * truncated, as the last one of this block. */
static bool
may_be_cut_off(const struct qemu_plugin_insn *at, size_t i, size_t n)
{
	uint64_t left = PAGE_BYTES - qemu_plugin_insn_vaddr(at) % PAGE_BYTES;
	return i > 0 && i == n - 1 && left < INSN_BYTES_MAX;
}

static enum module_kind
kind_of_block(const struct qemu_plugin_tb *tb)
{
	const struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
	uint64_t here = (uintptr_t)qemu_plugin_insn_haddr(first);
	wn_counting.host_offset = here - qemu_plugin_insn_vaddr(first);
	return modules_kind(here);
}

void
count_translated(struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	if (n == 0)
		return;
	struct block b = {.tb = tb, .kind = kind_of_block(tb), .bundle = bundle_new()};
	bool one_by_one = false, has_256 = false;
	b.has_groups = b.kind != MODULE_RUNTIME && has_operands;
	if (!b.has_groups || is_checked)
		select_block_counter(&b);
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *at = qemu_plugin_tb_get_insn(tb, i);
		struct emulated insn = decode(qemu_plugin_insn_data(at), qemu_plugin_insn_size(at),
		                              qemu_plugin_insn_vaddr(at));
		if (is_checked)
			qemu_plugin_register_vcpu_insn_exec_cb(at, wn_qemu_on_every,
			                                       QEMU_NO_REGISTERS, NULL);
		/* instructions after one that may restart are not counted together with it */
		one_by_one = one_by_one || insn.may_run_twice;
		bool is_single = true;
		if (insn.repeats || insn.may_run_twice) {
			count_once(&b, at, &insn);
		} else if (one_by_one || may_be_cut_off(at, i, n)) {
			select_block_counter(&b);
			count_single(at, &insn, wn_qemu_on_single);
		} else {
			bundle_add(b.bundle, BUNDLE_MIX + (unsigned)insn.class, 1);
			b.bundle->n_insn++;
			is_single = false;
		}
		if (is_single || !b.has_groups || !watch_group(&b, at, &insn.operands)) {
			select_block_counter(&b);
			group_close(&b.grouping);
			watch_accesses(at, &insn, b.kind);
		}
		has_256 = has_256 || insn.is_256;
	}
	select_block_counter(&b);
	if (has_256 && clears_upper_halves)
		qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, n - 1),
		                                       wn_qemu_on_upper_halves, QEMU_NO_REGISTERS,
		                                       NULL);
}

void
count_begin(bool is_x86_64, bool checks)
{
	decode = is_x86_64 ? qemu_decode_x86_64 : qemu_decode_aarch64;
	has_operands = is_x86_64;
	decode_x86_64_begin();
	clears_upper_halves = wn_qemu_host_has_upper_halves();
	is_checked = checks;
}
