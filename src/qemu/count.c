/* SPDX-License-Identifier: MIT */
/*
 * count.c - the plug-in: when a block of the program's code is translated, what it will count is
 * worked out, and call-backs are put in that add it up.
 *
 *   block      one call-back, with the block's instructions by class
 *   access     one call-back each, in code that may run for the user; one for several whose
 *              addresses are known to belong together (group.h)
 *   calls and returns, of all code: where the stack is
 *
 * Arguments: slots=FILE, footprint=on|off, memory=BYTES; check=FILE counts each instruction a
 * second time, one by one, and writes both sums there when the program ends.
 *
 * A block is counted when it is entered, or with its first access. Where one is left by a fault
 * that the program catches, what is counted of it is too much or too little: at most its length for
 * each such signal.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "qemu/access.h"
#include "qemu/api.h"
#include "qemu/group.h"
#include "qemu/modules.h"
#include "qemu/thread.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE_BYTES     4096u
#define INSN_BYTES_MAX 15u
#define CUT_BYTES      (256u << 10)
#define EXPORT         __attribute__((visibility("default")))
#define LIKELY(x)      __builtin_expect(!!(x), 1)

EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_install(qemu_plugin_id id, const struct qemu_plugin_info *info, int argc,
                               char **argv);

int qemu_plugin_version = QEMU_API_VERSION;

/* What a block of code counts. */
struct __attribute__((aligned(64))) block {
	union {
		uint64_t mix[INSN_CLASS_N];
		sums mix_sums[MIX_SUMS_N];
	};
	uint64_t n;
	uint64_t at; /* of a single instruction: where it is */
};

static struct insn (*decode)(const uint8_t *bytes, size_t n);
static struct operands (*operands)(const uint8_t *bytes, size_t n, uint64_t at);
static const char *check_path;
static bool is_x86_64;
static bool clears_upper_halves;

/* ---- blocks ---- */

static inline void
add(struct thread *t, const struct block *b)
{
	t->mix_sums[0] += b->mix_sums[0];
	t->mix_sums[1] += b->mix_sums[1];
	t->mix_sums[2] += b->mix_sums[2];
	t->mix_sums[3] += b->mix_sums[3];
}

_Static_assert(MIX_SUMS_N == 4, "all sums are added");

/* What is rare stands in functions of its own, so that what is not needs no frame. */
static void __attribute__((noinline, cold))
enter_user_block(struct thread *t, const struct block *b)
{
	thread_enter_user(t);
	add(t, b);
}

static inline void
add_user(struct thread *t, const struct block *b)
{
	if (LIKELY(t->mode == MODE_USER))
		add(t, b);
	else
		enter_user_block(t, b);
}

static void
on_user_block(unsigned vcpu, void *user)
{
	add_user(&wn_qemu_threads[vcpu], user);
}

/* A block and the group that its first access begins, in one: nothing was told in between. */
static void
on_block_and_group(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	const struct group *group = user;
	struct thread *t = &wn_qemu_threads[vcpu];
	(void)info;
	add_user(t, group->block);
	group_count(t, group, address);
}

static void
on_block_and_group_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	const struct group *group = user;
	struct thread *t = &wn_qemu_threads[vcpu];
	(void)info;
	add_user(t, group->block);
	group_count_kept(t, group, address);
}

static void
on_runtime_block(unsigned vcpu, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	const struct block *b = user;
	if (!LIKELY(t->mode == MODE_RUNTIME))
		thread_leave_user(t);
	t->slot->count[WN_PROPERTY_runtime_instructions] += b->n;
}

static void
on_neutral_block(unsigned vcpu, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	const struct block *b = user;
	if (t->mode == MODE_NEW)
		thread_claim(t);
	if (t->mode == MODE_USER)
		add(t, b);
	else
		t->slot->count[WN_PROPERTY_runtime_instructions] += b->n;
}

/* A single instruction. */
static void
on_single(unsigned vcpu, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	if (t->mode == MODE_USER)
		add(t, user);
	else
		t->slot->count[WN_PROPERTY_runtime_instructions]++;
}

/* One that counts unless it has just been counted, as the last of all. */
static void
on_once(unsigned vcpu, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	const struct block *b = user;
	uint64_t total = thread_total(t);
	if (t->once_at == b->at && t->once_total == total) {
		t->n_again++;
		return;
	}
	t->once_at = b->at;
	t->once_total = total + b->n;
	if (t->mode == MODE_USER)
		add(t, b);
	else
		t->slot->count[WN_PROPERTY_runtime_instructions] += b->n;
}

/* For the second count. */
static void
on_every(unsigned vcpu, void *user)
{
	(void)user;
	wn_qemu_threads[vcpu].n_every++;
}

/* ---- the host's registers ---- */

/* What the emulator makes of instructions on 256 bits leaves the upper halves of the processor's
 * own registers in use. As long as they are, each of the emulator's scalar operations depends on
 * what was in its register before, and floating-point arithmetic takes twice as long. Compilers
 * clear them before each call, the emulator does not; a call-back may: the halves are nobody's
 * across calls. */
#if defined(__x86_64__)
static void
on_upper_halves(unsigned vcpu, void *user)
{
	(void)vcpu, (void)user;
	__asm__ volatile("vzeroupper");
}

static bool
host_has_upper_halves(void)
{
	return __builtin_cpu_supports("avx");
}
#else
static void
on_upper_halves(unsigned vcpu, void *user)
{
	(void)vcpu, (void)user;
}

static bool
host_has_upper_halves(void)
{
	return false;
}
#endif

/* ---- translation ---- */

/* Cut from pages that stay: code is translated as long as the program runs. */
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

static struct block *
block_new(void)
{
	return cut(sizeof(struct block));
}

static struct group *
group_new(void)
{
	return cut(sizeof(struct group));
}

static void
watch_accesses(struct qemu_plugin_insn *at, const struct insn *insn, enum module_kind kind)
{
	qemu_access_function f;
	void *user = NULL;
	if (insn->is_call)
		f = wn_qemu_on_call;
	else if (insn->is_return)
		f = wn_qemu_on_return;
	else if (kind == MODULE_RUNTIME)
		return;
	else if (insn->is_locked)
		f = wn_qemu_on_locked_access;
	else if (insn->wide_bytes) {
		f = wn_qemu_on_wide_access;
		user = (void *)(uintptr_t)insn->wide_bytes;
	} else if (kind == MODULE_NEUTRAL)
		f = wn_qemu_on_neutral_access;
	else
		f = wn_qemu_counting.keeps_footprint ? wn_qemu_on_access_kept : wn_qemu_on_access;
	qemu_plugin_register_vcpu_mem_cb(at, f, QEMU_NO_REGISTERS, QEMU_READ_WRITE, user);
}

/* With the second count, each access is told by itself and held against what was known. */
static void
expect(struct qemu_plugin_insn *at, const struct operands *o, const struct grouping *g,
       bool is_first)
{
	struct expected *expected = cut(sizeof *expected);
	*expected = (struct expected){.bytes = o->bytes,
	                              .is_load = o->is_load,
	                              .is_store = o->is_store,
	                              .is_first = is_first,
	                              .in = (uint8_t)g->in,
	                              .offset = g->offset};
	qemu_plugin_register_vcpu_mem_cb(at, wn_qemu_on_expected_access, QEMU_NO_REGISTERS,
	                                 QEMU_READ_WRITE, expected);
}

static void
register_group(struct qemu_plugin_insn *at, const struct operands *o, struct group *group)
{
	bool keeps = wn_qemu_counting.keeps_footprint;
	qemu_access_function f;
	if (group->block)
		f = keeps ? on_block_and_group_kept : on_block_and_group;
	else if (o->is_load && o->is_store)
		f = wn_qemu_on_group_of_both;
	else
		f = keeps ? wn_qemu_on_group_kept : wn_qemu_on_group;
	/* QEMU 7.2 takes writes for reads when it is asked for one of them */
	qemu_plugin_register_vcpu_mem_cb(at, f, QEMU_NO_REGISTERS, QEMU_READ_WRITE, group);
}

/* The block that is being translated, until it is certain what tells that it runs. */
struct untold {
	struct qemu_plugin_tb *tb;
	struct block *block; /* NULL: it is told */
};

/* When it is entered. */
static void
tell_block(struct untold *u, qemu_run_function f)
{
	if (u->block)
		qemu_plugin_register_vcpu_tb_exec_cb(u->tb, f, QEMU_NO_REGISTERS, u->block);
	u->block = NULL;
}

/* Accesses that are known beforehand are told together, and with the first of all, if nothing is
 * told before it, the block; false if this one's are not known. */
static bool
watch_group(struct qemu_plugin_insn *at, struct grouping *g, struct untold *u)
{
	struct operands o = operands(qemu_plugin_insn_data(at), qemu_plugin_insn_size(at),
	                             qemu_plugin_insn_vaddr(at));
	if (!o.is_known)
		return false;
	struct group *group = group_take(g, &o, group_new);
	if (check_path) {
		expect(at, &o, g, group != NULL);
	} else if (group) {
		if (o.is_load && o.is_store)
			tell_block(u, on_user_block);
		group->block = u->block;
		u->block = NULL;
		register_group(at, &o, group);
	}
	return true;
}

static void
count_single(struct qemu_plugin_insn *at, const struct insn *insn, qemu_run_function f)
{
	struct block *single = block_new();
	single->n = 1;
	single->mix[insn->class] = 1;
	single->at = qemu_plugin_insn_vaddr(at);
	qemu_plugin_register_vcpu_insn_exec_cb(at, f, QEMU_NO_REGISTERS, single);
}

/* An instruction that goes on in the next page is left to the next block, and yet told as the last
 * of this one, cut off somewhere. */
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
	wn_qemu_counting.host_offset = here - qemu_plugin_insn_vaddr(first);
	return modules_kind(here);
}

static void
on_translate(qemu_plugin_id id, struct qemu_plugin_tb *tb)
{
	static const qemu_run_function block_functions[] = {
	    [MODULE_USER] = on_user_block,
	    [MODULE_RUNTIME] = on_runtime_block,
	    [MODULE_NEUTRAL] = on_neutral_block,
	};
	size_t n = qemu_plugin_tb_n_insns(tb);
	(void)id;
	if (n == 0)
		return;
	enum module_kind kind = kind_of_block(tb);
	struct block *b = block_new();
	bool one_by_one = false, has_256 = false;
	struct grouping grouping = {0};
	struct untold untold = {tb, b};
	bool has_groups = kind == MODULE_USER && operands;
	if (!has_groups || check_path)
		tell_block(&untold, block_functions[kind]);
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *at = qemu_plugin_tb_get_insn(tb, i);
		struct insn insn = decode(qemu_plugin_insn_data(at), qemu_plugin_insn_size(at));
		if (check_path)
			qemu_plugin_register_vcpu_insn_exec_cb(at, on_every, QEMU_NO_REGISTERS,
			                                       NULL);
		/* what stands behind one that may begin again is not run together with it */
		one_by_one = one_by_one || insn.may_run_twice;
		bool is_single = true;
		if (insn.repeats || insn.may_run_twice) {
			count_single(at, &insn, on_once);
		} else if (one_by_one || may_be_cut_off(at, i, n)) {
			count_single(at, &insn, on_single);
		} else {
			b->mix[insn.class]++;
			b->n++;
			is_single = false;
		}
		if (is_single || !has_groups || !watch_group(at, &grouping, &untold)) {
			tell_block(&untold, block_functions[kind]);
			group_close(&grouping);
			watch_accesses(at, &insn, kind);
		}
		has_256 = has_256 || insn.is_256;
	}
	tell_block(&untold, block_functions[kind]);
	if (has_256 && clears_upper_halves)
		qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, n - 1),
		                                       on_upper_halves, QEMU_NO_REGISTERS, NULL);
}

/* ---- life ---- */

static void
on_vcpu_init(qemu_plugin_id id, unsigned vcpu)
{
	(void)id;
	if (vcpu >= THREADS_MAX) {
		fprintf(stderr, "winnow count: more than %u threads at once\n", THREADS_MAX);
		abort();
	}
	thread_reset(&wn_qemu_threads[vcpu]);
}

static void
on_vcpu_exit(qemu_plugin_id id, unsigned vcpu)
{
	(void)id;
	thread_end(&wn_qemu_threads[vcpu]);
}

static bool
is_exec(int64_t number)
{
	enum {
		X86_64_EXECVE = 59,
		X86_64_EXECVEAT = 322,
		AARCH64_EXECVE = 221,
		AARCH64_EXECVEAT = 281
	};
	return number == (is_x86_64 ? X86_64_EXECVE : AARCH64_EXECVE) ||
	       number == (is_x86_64 ? X86_64_EXECVEAT : AARCH64_EXECVEAT);
}

/* Code that is unmapped, or mapped over, may be another module's afterwards. */
static void
on_syscall(qemu_plugin_id id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
           uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	enum { X86_64_MMAP = 9, X86_64_MUNMAP = 11, X86_64_MREMAP = 25 };
	enum { AARCH64_MUNMAP = 215, AARCH64_MREMAP = 216, AARCH64_MMAP = 222 };
	bool is_map = number == (is_x86_64 ? X86_64_MMAP : AARCH64_MMAP);
	bool is_unmap = number == (is_x86_64 ? X86_64_MUNMAP : AARCH64_MUNMAP) ||
	                number == (is_x86_64 ? X86_64_MREMAP : AARCH64_MREMAP);
	(void)id, (void)vcpu, (void)a1, (void)a2, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
	if (is_unmap || (is_map && (a3 & PROT_EXEC)))
		modules_changed();
	if (is_exec(number))
		atomic_fetch_add(&wn_qemu_counting.file->n_execs, 1);
}

/* It has only failed if it comes back. */
static void
on_syscall_end(qemu_plugin_id id, unsigned vcpu, int64_t number, int64_t result)
{
	(void)id, (void)vcpu, (void)result;
	if (is_exec(number))
		atomic_fetch_sub(&wn_qemu_counting.file->n_execs, 1);
}

static void
on_end(qemu_plugin_id id, void *user)
{
	(void)id, (void)user;
	threads_check(check_path);
}

static bool
take_argument(char *argument, const char **slots)
{
	char *value = strchr(argument, '=');
	if (!value)
		return false;
	*value++ = '\0';
	if (strcmp(argument, "slots") == 0)
		*slots = value;
	else if (strcmp(argument, "footprint") == 0)
		wn_qemu_counting.keeps_footprint = strcmp(value, "on") == 0;
	else if (strcmp(argument, "memory") == 0)
		wn_qemu_counting.memory_bytes = strtoull(value, NULL, 10);
	else if (strcmp(argument, "check") == 0)
		check_path = value;
	else
		return false;
	return true;
}

static uint64_t
measured(void)
{
	uint64_t all = (1ull << WN_PROPERTY_N) - 1;
	if (!wn_qemu_counting.keeps_footprint)
		all &=
		    ~(1ull << WN_PROPERTY_footprint_lines |
		      1ull << WN_PROPERTY_footprint_addresses | 1ull << WN_PROPERTY_footprint_lost);
	if (!wn_qemu_counting.has_stack)
		all &= ~(1ull << WN_PROPERTY_stack_reads | 1ull << WN_PROPERTY_stack_writes);
	return all;
}

int
qemu_plugin_install(qemu_plugin_id id, const struct qemu_plugin_info *info, int argc, char **argv)
{
	const char *slots = NULL;
	const char *problem;
	is_x86_64 = strcmp(info->target_name, "x86_64") == 0;
	if (info->is_system || (!is_x86_64 && strcmp(info->target_name, "aarch64") != 0)) {
		fprintf(stderr, "winnow count: cannot count on %s\n", info->target_name);
		return 1;
	}
	decode = is_x86_64 ? decode_x86_64 : decode_aarch64;
	operands = is_x86_64 ? operands_x86_64 : NULL;
	clears_upper_halves = host_has_upper_halves();
	wn_qemu_counting.has_stack = is_x86_64;
	wn_qemu_counting.memory_bytes = 4ull << 30;
	for (int i = 0; i < argc; i++)
		if (!take_argument(argv[i], &slots)) {
			fprintf(stderr, "winnow count: plug-in: unknown argument %s\n", argv[i]);
			return 1;
		}
	if (!slots || (problem = threads_open(slots))) {
		fprintf(stderr, "winnow count: %s: %s\n",
		        slots ? slots : "slots=", slots ? problem : "missing");
		return 1;
	}
	wn_qemu_counting.file->measured = measured();
	qemu_plugin_register_vcpu_init_cb(id, on_vcpu_init);
	qemu_plugin_register_vcpu_exit_cb(id, on_vcpu_exit);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, on_syscall_end);
	if (check_path)
		qemu_plugin_register_atexit_cb(id, on_end, NULL);
	return 0;
}
