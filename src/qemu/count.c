/* SPDX-License-Identifier: MIT */
/*
 * count.c - the plug-in: when a block of the program's code is translated, what it will count is
 * worked out, and call-backs are put in that add it up.
 *
 *   block      one call-back, with the block's instructions by class
 *   access     one call-back each, in code that may run for the user
 *   calls and returns, of all code: where the stack is
 *
 * Arguments: slots=FILE, footprint=on|off, memory=BYTES; check=FILE counts each instruction a
 * second time, one by one, and writes both sums there when the program ends.
 *
 * A block is counted when it is entered. Where one is left by a fault that the program catches, the
 * rest of it has been counted too much: at most the length of one block for each such signal.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "qemu/api.h"
#include "qemu/modules.h"
#include "qemu/thread.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE_BYTES     4096u
#define INSN_BYTES_MAX 15u
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

static void
on_user_block(unsigned vcpu, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	if (LIKELY(t->mode == MODE_USER))
		add(t, user);
	else
		enter_user_block(t, user);
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

/* ---- accesses ---- */

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

static inline bool
is_own_stack(const struct thread *t, uint64_t address)
{
	return address - t->stack_low < t->stack_bytes;
}

static inline void
touch(struct thread *t, uint64_t address, uint64_t bytes, bool is_own)
{
	wn_footprint_touch(&t->footprint, address - (is_own ? t->stack_shift : 0), bytes);
}

/* All of one access, told as a whole. */
static inline void
count_known(struct thread *t, unsigned meaning, uint64_t address, bool keeps)
{
	uint64_t bytes = 1ull << (meaning & 31);
	bool is_own = is_own_stack(t, address);
	struct tally *tally = &t->accesses[(meaning & IS_STORE) != 0];
	tally->n_and_bytes += (sums){1, bytes};
	if (is_own)
		tally->n_stack++;
	if (keeps)
		touch(t, address, bytes, is_own);
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

static void
on_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)user;
	count_access(&wn_qemu_threads[vcpu], info, address, false);
}

static void
on_access_kept(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)user;
	count_access(&wn_qemu_threads[vcpu], info, address, true);
}

static void
on_neutral_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	(void)user;
	if (wn_qemu_threads[vcpu].mode == MODE_USER)
		count_access(&wn_qemu_threads[vcpu], info, address,
		             wn_qemu_counting.keeps_footprint);
}

/* Reads and writes, of which only the write is looked at: there is one in any case. */
static void
on_locked_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	unsigned meaning = meaning_of(info);
	(void)user;
	if (t->mode != MODE_USER || !(meaning & IS_STORE))
		return;
	uint64_t bytes = 1ull << (meaning & 31);
	bool is_own = is_own_stack(t, address);
	for (int i = 0; i < 2; i++) {
		t->accesses[i].n++;
		t->accesses[i].bytes += bytes;
		t->accesses[i].n_stack += is_own;
	}
	if (wn_qemu_counting.keeps_footprint)
		touch(t, address, bytes, is_own);
}

/* An access of `user` bytes that is told in pieces, in order: the first one counts. */
static void
on_wide_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
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
	bool is_own = is_own_stack(t, address);
	tally->n++;
	tally->n_stack += is_own;
	t->wide_next = address + bytes;
	t->wide_left = bytes < wide ? wide - bytes : 0;
	if (wn_qemu_counting.keeps_footprint)
		touch(t, address, wide, is_own);
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

static void
on_call(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	(void)user;
	if (t->mode == MODE_USER)
		count_access(t, info, address, wn_qemu_counting.keeps_footprint);
	note_call(t, info, address);
}

static void
on_return(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
	struct thread *t = &wn_qemu_threads[vcpu];
	(void)user;
	if (t->mode == MODE_USER)
		count_access(t, info, address, wn_qemu_counting.keeps_footprint);
	note_return(t, address);
}

/* ---- the host's registers ---- */

/* What the emulator makes of instructions on 256 bits leaves the upper halves of the processor's own
 * registers in use. As long as they are, each of the emulator's scalar operations depends on what
 * was in its register before, and floating-point arithmetic takes twice as long. Compilers clear them
 * before each call, the emulator does not; a call-back may: the halves are nobody's across calls. */
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
static struct block *
block_new(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct block *next, *end;
	const size_t n = 4096;
	pthread_mutex_lock(&lock);
	if (next == end) {
		void *map = mmap(NULL, n * sizeof *next, PROT_READ | PROT_WRITE,
		                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (map == MAP_FAILED) {
			fprintf(stderr, "winnow count: out of memory in the emulator\n");
			abort();
		}
		next = map;
		end = next + n;
	}
	struct block *b = next++;
	pthread_mutex_unlock(&lock);
	return b;
}

static void
watch_accesses(struct qemu_plugin_insn *at, const struct insn *insn, enum module_kind kind)
{
	qemu_access_function f;
	void *user = NULL;
	if (insn->is_call)
		f = on_call;
	else if (insn->is_return)
		f = on_return;
	else if (kind == MODULE_RUNTIME)
		return;
	else if (insn->is_locked)
		f = on_locked_access;
	else if (insn->wide_bytes) {
		f = on_wide_access;
		user = (void *)(uintptr_t)insn->wide_bytes;
	} else if (kind == MODULE_NEUTRAL)
		f = on_neutral_access;
	else
		f = wn_qemu_counting.keeps_footprint ? on_access_kept : on_access;
	qemu_plugin_register_vcpu_mem_cb(at, f, QEMU_NO_REGISTERS, QEMU_READ_WRITE, user);
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
	qemu_plugin_register_vcpu_tb_exec_cb(tb, block_functions[kind], QEMU_NO_REGISTERS, b);
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *at = qemu_plugin_tb_get_insn(tb, i);
		struct insn insn = decode(qemu_plugin_insn_data(at), qemu_plugin_insn_size(at));
		if (check_path)
			qemu_plugin_register_vcpu_insn_exec_cb(at, on_every, QEMU_NO_REGISTERS,
			                                       NULL);
		/* what stands behind one that may begin again is not run together with it */
		one_by_one = one_by_one || insn.may_run_twice;
		if (insn.repeats || insn.may_run_twice) {
			count_single(at, &insn, on_once);
		} else if (one_by_one || may_be_cut_off(at, i, n)) {
			count_single(at, &insn, on_single);
		} else {
			b->mix[insn.class]++;
			b->n++;
		}
		watch_accesses(at, &insn, kind);
		has_256 = has_256 || insn.is_256;
	}
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
	if (check_path)
		qemu_plugin_register_atexit_cb(id, on_end, NULL);
	return 0;
}
