/* SPDX-License-Identifier: MIT */
/*
 * context.h - state of one followed thread: its registers while the engine runs, its translated
 * code, and counts not yet added up.
 *
 * All state of a thread is in one region, so that its code addresses it relative to the instruction
 * pointer. Code is translated separately for each thread, so nothing is shared or locked, and
 * counter addresses are known at translation.
 */
#pragma once

#include "count/access_groups.h"
#include "count/decode_x86_64.h"
#include "count/native/modules.h"
#include "count/thread.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/* The account that instructions are counted for; each has its own translations. */
enum account { ACCOUNT_USER, ACCOUNT_RUNTIME, ACCOUNTS_N };

enum exit_kind {
	EXIT_DIRECT,   /* a branch to a known address */
	EXIT_INDIRECT, /* to context.pc */
	EXIT_FULL,     /* the buffer is full */
	EXIT_SYSCALL,  /* before a system call */
	EXIT_BASE,     /* context.pc is the return address of the call that began the stack */
	EXIT_SEGMENT,  /* the base of a thread segment has changed */
};

/* An exit from translated code. */
struct exit {
	uint32_t kind;   /* enum exit_kind */
	uint64_t target; /* target in the program */
	uint8_t *at;     /* in translated code: jump distance to patch; where execution continues */
	uint8_t *before; /* of a system call: the point before any of its effects */
};

enum block_kind {
	BLOCK_PLAIN,
	BLOCK_REPEATED, /* a single repeated string instruction */
	BLOCK_GATHER,   /* a single gather or scatter */
	BLOCK_SINGLE,   /* a single instruction with a register-dependent access */
};

/* A translated basic block of the program, extended across direct jumps and calls. When it runs it
 * appends an entry to the buffer: the block's offset from the context, and
 *
 *   plain     the addresses of its groups
 *   repeated  rsi and rdi before and after
 *   gather    the address of element 0; the index register and the mask, GATHER_BYTES each
 *   single the address of the operand; rax, or the register with the bit number; rdx. With a mask:
 *   the address and the mask */
struct block {
	uint64_t pc;
	uint8_t *code, *code_end; /* none: the code runs in place */
	uint8_t *bytes;           /* a copy of the program's bytes, if they are writable; or NULL */
	uint32_t n_bytes;         /* program bytes */
	uint32_t n_groups;
	uint32_t entry_words;
	uint8_t kind; /* enum block_kind */
	/* State at translation, which may be outdated: */
	bool tests_flags; /* reads flags set before the block */
	uint8_t n_insns;  /* instructions */
	uint64_t follows; /* bit i: after instruction i the block continues at its target */
	uint8_t repeats;  /* bytes of each step of a repeated string instruction */
	bool reads_si, reads_di, writes_di; /* accesses of a step */
	bool is_by_32;                      /* 32-bit addresses */
	/* for sharing.h: */
	bool is_neutral;      /* code of the C library */
	bool calls_allocator; /* calls a function of the memory allocator, or returns to it */
	uint16_t block_group; /* 1 + index of the pseudo-group with a new block's address, after
	                         a call of such a function; 0: none */
	struct gather gather;
	struct single single;
	struct bundle bundle;
	struct group groups[];
};

#define GATHER_BYTES   64
#define ENTRY_REPEATED 5
#define ENTRY_GATHER   (2 + 2 * GATHER_BYTES / 8)
#define ENTRY_SINGLE   4
#define ENTRY_MASKED   (2 + GATHER_BYTES / 8)

#define TABLE_BITS  16u
#define BLOCKS_BITS 16u

/* Cache of indirect branch targets, indexed by the lowest bits of the target. */
struct place {
	uint64_t negative; /* -pc */
	uint8_t *code;
};

#define STACK_ENGINE_BYTES (128u << 10)
#define STACK_SIGNAL_BYTES (128u << 10)
#define BUFFER_BYTES       (64u << 10)
#define BUFFER_SLACK       4096u
#define CODE_BYTES         (32u << 20) /* and as much again for records of it */
#define CODE_BYTES_MIN     (2u << 20)
#define VECTORS_BYTES      (16u << 10)

struct context {
	/* fields used by translated code */
	uint64_t gpr[REG_N];
	uint64_t flags, pc, target;
	uint64_t scratch[4]; /* see enum slot */
	uint64_t buffer_next, buffer_limit;
	uint64_t exit;             /* struct exit taken */
	uint64_t negative_base;    /* negated base of the current stack */
	uint64_t fs_base, gs_base; /* bases of the thread's segments */
	uint64_t call_sp, was_call;
	uint64_t every;
	uint64_t is_inside;  /* the engine is running */
	uint64_t is_pending; /* a signal waits until the engine is done */

	struct thread *t;
	uint32_t number;       /* thread number */
	uint64_t region_bytes; /* size of the region, from the context on */
	enum account account;
	uint8_t *code_next, *code_end, *code_start;
	uint8_t *records_next, *records_end, *records_start;
	/* see trampolines.c; blocks follow the trampolines */
	uint8_t *trampoline_exit, *trampoline_resume, *trampoline_resume_checked,
	    *trampoline_resume_end, *trampoline_enter;
	uint8_t *trampoline_indirect[ACCOUNTS_N], *trampolines_end;
	struct exit exit_indirect;
	uint64_t n_blocks, n_ordered, n_forgotten;
	uint64_t code_turn; /* generation of the process's code at translation */
	bool is_ready;      /* all registers are stored here, although the engine runs */
	bool is_borrowed;   /* a child between vfork and exec, sharing its parent's memory */
	uint32_t os_tid;
	struct pending {
		siginfo_t info;
		uint64_t mask; /* signal mask at entry */
	} pending;
	bool holds_signals; /* all signals are blocked for a system call, see kernel.c */
	uint64_t held_mask; /* the program's signal mask during that */
	stack_t alternate;  /* the program's alternate stack; the kernel uses signal_stack */
	struct block *order[1u << BLOCKS_BITS]; /* all blocks, by address of their code */
	struct block
	    *blocks[ACCOUNTS_N][1u << BLOCKS_BITS]; /* hash chains by pc, see code_cache.c */
	struct place places[ACCOUNTS_N][1u << TABLE_BITS] __attribute__((aligned(64)));
	uint8_t buffer[BUFFER_BYTES + BUFFER_SLACK] __attribute__((aligned(64)));
	uint8_t vectors[VECTORS_BYTES] __attribute__((aligned(64)));
	uint8_t stack[STACK_ENGINE_BYTES] __attribute__((aligned(64)));
	/* signal stack registered with the kernel; begins with the context's address */
	struct context *signal_stack[STACK_SIGNAL_BYTES / sizeof(struct context *)]
	    __attribute__((aligned(STACK_SIGNAL_BYTES)));
};

#define CONTEXT_OFFSET(field) ((int32_t)offsetof(struct context, field))
#define CONTEXT_BYTES         sizeof(struct context)

/* Unless stated otherwise, each function is called by the thread of the context while other threads
 * run, allocates only from the region, and cannot fail. */

/* ---- code_cache.c: lookup of translated code ---- */

/**
 * Creates the context of a future thread. Thread-safe.
 *
 * @return NULL if there is no memory, or no code may be written; destroy it with
 *         wn_native_context_end() on its thread, or wn_native_context_free() on another.
 */
struct context *wn_native_context_new(void);

/* The thread has started, or is in a new process: acquires a slot, and starts translating. */
void wn_native_claim(struct context *c);

/* Adds up all counts of the thread and keeps the region; and also frees the region. */
void wn_native_context_end(struct context *c);
void wn_native_context_free(struct context *c);

/* Continues after context.exit was taken: sets context.target to the translated code to run next,
 * with all registers in the context. Translates the code first if it has not been
 * translated, which takes some microseconds. */
void wn_native_dispatch(struct context *c);

/* Discards all translated code of the thread, none of which may be about to run. */
void wn_native_context_forget(struct context *c);

/* Invalidates code of the program that has changed, on all threads. */
void wn_native_code_changed(void);

/* The block that contains this translated code; NULL if none does. O(log n). */
struct block *wn_native_block_of(const struct context *c, const uint8_t *code);

/* Updates the stack base in translated code. */
void wn_native_update_base(struct context *c);

/* In the child of a fork: keeps only the calling thread's context. */
void wn_native_contexts_start_again(struct context *c);

/* Context by number; NULL: none. Other threads' contexts only under the lock of context.c. */
extern struct context *wn_native_contexts[THREADS_MAX];

/* Number of times that code of the program was invalidated. */
extern _Atomic uint64_t wn_native_code_turn;

/* ---- record.c ---- */

/* Adds up the entries of the buffer, for the current account. O(entries). */
void wn_native_flush(struct context *c);

/* ---- allocator.c ---- */

/* Does the instruction call a function of the memory allocator? And is the instruction before `pc`
 * a call of one that returns a block? */
bool wn_native_calls_allocator(const struct insn *s);
bool wn_native_is_after_allocation(uint64_t pc);

/* ---- single.c ---- */

/* Call first: reads the sizes of the processor state components. */
void wn_native_single_begin(void);

/* Counts the instruction's access; `at` as described at struct block. */
void wn_native_count_single(struct thread *t, const struct single *single, const uint64_t *at);

/* Counts the accesses of a gather or scatter, one for each selected element; `at` likewise. */
void wn_native_count_gather(struct thread *t, const struct gather *g, const uint64_t *at);

/* ---- trampolines.c ---- */

/* Writes the code shared by all translated code of the thread. */
void wn_native_make_trampolines(struct context *c);

/* ---- translate.c ---- */

/**
 * Translates the block of code at `pc`.
 *
 * Uses vector registers.
 *
 * @param is_writable  the code may change at any time: keeps a copy of its bytes.
 * @return NULL if there is no room; otherwise valid until wn_native_context_forget().
 */
struct block *wn_native_translate(struct context *c, enum account account, uint64_t pc,
                                  bool is_writable);

/* Where the program's registers are when translated code is interrupted. */
enum stop_next {
	STOP_AT_PC,  /* execution continues at pc */
	STOP_AT_RCX, /* continues at the address in rcx, whose program value is in its slot */
	STOP_LEAVES  /* is about to leave */
};

/* Indices of context.scratch. */
enum slot { SLOT_A, SLOT_B, SLOT_C, SLOT_FLAGS, SCRATCH_N };

struct stop {
	enum stop_next next;
	uint64_t pc;
	uint8_t slot_of[REG_N]; /* slot that holds the register; SCRATCH_N: it is in the register
	                           itself */
	bool has_flags;         /* in SLOT_FLAGS, as written by lahf and seto */
	bool has_pushed;        /* a call has pushed its return address, not noted yet */
	bool is_entered;        /* its entry is in the buffer */
	bool has_every;         /* the next instruction is already in the second count */
	bool is_repeating;      /* the first two addresses of its entry are written */
	uint32_t n_done;        /* completed instructions of the block */
	struct block *done;     /* their counts; valid until the next translation */
};

/* Determines the state of an interrupted block by translating it again. Uses vector registers. */
void wn_native_find_stop(struct context *c, const struct block *b, const uint8_t *at,
                         struct stop *out);

/* ---- signal.c ---- */

/* Sends the engine's own signal to the process. */
void wn_native_take_signals(void);

/* Registers the thread's signal stack with the kernel. */
void wn_native_set_signal_stack(struct context *c);

/* Delivers a deferred signal before the program continues. */
void wn_native_deliver(struct context *c);

/* Before the process ends: stops the other threads and adds up their counts. Waits at most 0.2
 * s. */
void wn_native_park_others(struct context *c);

/* Emulate rt_sigaction and sigaltstack with the arguments in the registers; return their result. */
long wn_native_signal_call(struct context *c);

/* Emulates rt_sigreturn, with signals blocked. */
_Noreturn void wn_native_return(struct context *c);

/* ---- kernel.c ---- */

/* Code around the exec system call: the check for a deferred signal, and the instruction. */
extern const uint8_t wn_native_exec_begin[] __attribute__((visibility("hidden")));
extern const uint8_t wn_native_exec_call[] __attribute__((visibility("hidden")));

enum syscall_by {
	SYSCALL_BY_PROGRAM, /* the program makes the call itself */
	SYSCALL_MADE,       /* done: context.pc and the registers contain the result */
	SYSCALL_LATER,      /* a signal is delivered first */
};

/* Handles a system call of the program; `next` is the address after it. */
enum syscall_by wn_native_syscall(struct context *c, uint64_t next);

/* Is the program's memory at this address readable? At least 8 bytes, at most a page. */
bool wn_native_is_readable(const void *at, size_t n);

/* Reads the bases of the thread's segments from the kernel. */
void wn_native_read_segments(struct context *c);

/* ---- start.c ---- */

/* In the child of a fork, on its only thread: resets all counts. */
void wn_native_start_again(struct context *c);

/* Counts each instruction a second time; both sums are written to a file when the process ends. */
extern bool wn_native_is_checked;
void wn_native_write_check(struct context *c);
