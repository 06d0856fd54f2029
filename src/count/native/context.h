/* SPDX-License-Identifier: MIT */
/*
 * context.h - what one thread of the program has of its own while it is followed: its registers
 * when the engine runs, its translated code, and what this has counted and not yet put down.
 *
 * All of a thread's lies in one region, so that its code reaches it relative to its own place. Code
 * is translated for each thread anew: nothing is shared, nothing is locked, and where to count is
 * known when it is translated.
 */
#ifndef WN_NATIVE_CONTEXT_H
#define WN_NATIVE_CONTEXT_H

#include "count/decode_x86_64.h"
#include "count/group.h"
#include "count/native/modules.h"
#include "count/thread.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/* The account that instructions go to; each has translations of its own. */
enum account { ACCOUNT_USER, ACCOUNT_RUNTIME, ACCOUNTS_N };

enum exit_kind {
	EXIT_DIRECT,   /* a branch to a place that is known */
	EXIT_INDIRECT, /* to context.pc */
	EXIT_FULL,     /* the buffer is */
	EXIT_SYSCALL,  /* one is about to be made */
	EXIT_BASE,     /* context.pc has called what began the stack, and is returned to */
	EXIT_SEGMENT,  /* the thread's segment has another start */
};

/* A way out of translated code. */
struct exit {
	uint32_t kind;   /* enum exit_kind */
	uint64_t target; /* in the program */
	uint8_t
	    *at; /* in translated code: the distance of a jump to be put right; where to go on */
	uint8_t *before; /* of a system call: where nothing of it is done yet */
};

enum block_kind {
	BLOCK_PLAIN,
	BLOCK_REPEATED, /* a repeated string instruction, alone */
	BLOCK_GATHER,   /* such an instruction, alone */
	BLOCK_SINGLE,   /* such an instruction, alone */
};

/* A basic block of the program, extended across direct jumps and calls, as it is translated. When
 * it runs it appends an entry to the buffer, which is the block's distance from the context, and
 *
 *   plain     the addresses of its groups
 *   repeated  rsi and rdi before and after
 *   gather    the address of an element 0; the index register and the mask, GATHER_BYTES each
 *   single    the address of the operand; rax, or the register with the number of the bit; rdx.
 * With a mask: the address and the mask
 */
struct block {
	uint64_t pc;
	uint8_t *code, *code_end; /* none of its own: it is run where it stands */
	uint8_t *bytes;   /* a copy of the program's, where these may be written to; or NULL */
	uint32_t n_bytes; /* of the program */
	uint32_t n_groups;
	uint32_t entry_words;
	uint8_t kind; /* enum block_kind */
	/* What was found where it was translated, and may be otherwise by now: */
	bool tests_flags; /* what was in them before matters */
	uint8_t n_insns;  /* instructions */
	uint64_t follows; /* bit i: behind instruction i it goes on where that leads */
	uint8_t repeats;  /* bytes of each step of a repeated string instruction */
	bool reads_si, reads_di, writes_di; /* what a step does */
	bool is_by_32;                      /* its addresses have no more bits */
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

/* Where to go from an indirect branch: at the lowest bits of where it leads. */
struct place {
	uint64_t negative; /* -pc */
	uint8_t *code;
};

#define STACK_ENGINE_BYTES (128u << 10)
#define STACK_SIGNAL_BYTES (128u << 10)
#define BUFFER_BYTES       (64u << 10)
#define BUFFER_SLACK       4096u
#define CODE_BYTES         (32u << 20) /* and as much for records of it */
#define CODE_BYTES_MIN     (2u << 20)
#define VECTORS_BYTES      (16u << 10)

struct context {
	/* of translated code */
	uint64_t gpr[REG_N];
	uint64_t flags, pc, target;
	uint64_t scratch[4]; /* see enum slot */
	uint64_t buffer_next, buffer_limit;
	uint64_t exit;             /* struct exit that was taken */
	uint64_t negative_base;    /* of the stack of what runs */
	uint64_t fs_base, gs_base; /* where the thread's segments start */
	uint64_t call_sp, was_call;
	uint64_t every;
	uint64_t is_inside;  /* the engine runs */
	uint64_t is_pending; /* a signal waits for it to be done */

	struct thread *t;
	uint32_t number;       /* of the thread */
	uint64_t region_bytes; /* all of it, from the context on */
	enum account account;
	uint8_t *code_next, *code_end, *code_start;
	uint8_t *records_next, *records_end, *records_start;
	/* see trampolines.c; the trampolines end where blocks begin */
	uint8_t *trampoline_exit, *trampoline_resume, *trampoline_resume_checked,
	    *trampoline_resume_end, *trampoline_enter;
	uint8_t *trampoline_indirect[ACCOUNTS_N], *trampolines_end;
	struct exit exit_indirect;
	uint64_t n_blocks, n_ordered, n_forgotten;
	uint64_t code_turn; /* of the process's code, that was translated */
	bool is_ready;      /* all registers are in here, though the engine runs */
	bool is_borrowed;   /* a child between vfork and exec, in its parent's memory */
	uint32_t os_tid;
	struct pending {
		siginfo_t info;
		uint64_t mask; /* of the thread when it came */
	} pending;
	bool holds_signals; /* all are blocked for a system call, see kernel.c */
	uint64_t held_mask; /* what the program blocks then */
	stack_t alternate;  /* the program's; the kernel has signal_stack */
	struct block *order[1u << BLOCKS_BITS]; /* all of them, by where their code is */
	struct block
	    *blocks[ACCOUNTS_N][1u << BLOCKS_BITS]; /* chained by place, see code_cache.c */
	struct place places[ACCOUNTS_N][1u << TABLE_BITS] __attribute__((aligned(64)));
	uint8_t buffer[BUFFER_BYTES + BUFFER_SLACK] __attribute__((aligned(64)));
	uint8_t vectors[VECTORS_BYTES] __attribute__((aligned(64)));
	uint8_t stack[STACK_ENGINE_BYTES] __attribute__((aligned(64)));
	/* the kernel's, for signals; at its beginning is where the context is */
	struct context *signal_stack[STACK_SIGNAL_BYTES / sizeof(struct context *)]
	    __attribute__((aligned(STACK_SIGNAL_BYTES)));
};

#define CONTEXT_OFFSET(field) ((int32_t)offsetof(struct context, field))
#define CONTEXT_BYTES         sizeof(struct context)

/* Unless it is said otherwise, functions are called by the thread whose context it is, with all
 * other threads of the process going on; none allocates but from the region, and none fails. */

/* ---- code_cache.c: where translated code goes on ---- */

/**
 * Makes a context for a thread that is yet to begin, by any thread.
 *
 * @return NULL if there is no memory, or no code may be written; end it by
 *         wn_native_context_end() on its thread, or wn_native_context_free() on another.
 */
struct context *wn_native_context_new(void);

/* The thread has begun, or has another process now: it takes a slot to count into, and begins to
 * translate. */
void wn_native_claim(struct context *c);

/* All that the thread has counted is put down; the region stays. And the region goes, too. */
void wn_native_context_end(struct context *c);
void wn_native_context_free(struct context *c);

/* Translated code has been left by context.exit: context.target is where it goes on, and all
 * registers are as they are to be then. May translate, which takes some microseconds. */
void wn_native_dispatch(struct context *c);

/* All translated code of the thread is void. None of it may be on the way to being run. */
void wn_native_context_forget(struct context *c);

/* Code of the program is no longer what it was, on all threads. */
void wn_native_code_changed(void);

/* The block whose translated code is there; NULL if there is none. Logarithmic in their number. */
struct block *wn_native_block_of(const struct context *c, const uint8_t *code);

/* What runs has another stack: translated code is told. */
void wn_native_update_base(struct context *c);

/* In the child of a fork this is the only one. */
void wn_native_contexts_start_again(struct context *c);

/* By number; NULL: there is none. Other threads' only under the lock of context.c. */
extern struct context *wn_native_contexts[THREADS_MAX];

/* How often code of the program was no longer what it had been. */
extern _Atomic uint64_t wn_native_code_turn;

/* ---- record.c ---- */

/* Puts down what is in the buffer, to whom it belongs now. Linear in what is in it. */
void wn_native_flush(struct context *c);

/* ---- single.c ---- */

/* Before any other: asks the processor for the sizes of its state. */
void wn_native_single_begin(void);

/* Counts the instruction's access; `at` as struct block says. */
void wn_native_count_single(struct thread *t, const struct single *single, const uint64_t *at);

/* Counts the accesses of a gather or scatter, one for each selected element; `at` the same. */
void wn_native_count_gather(struct thread *t, const struct gather *g, const uint64_t *at);

/* ---- trampolines.c ---- */

/* Writes the code that all of the thread's translated code shares, at its beginning. */
void wn_native_make_trampolines(struct context *c);

/* ---- translate.c ---- */

/**
 * Translates the block at `pc`, where there is code.
 *
 * Works on vector registers.
 *
 * @param is_writable  it may change at any time: a copy of its bytes is kept.
 * @return NULL if there is no room; else it stays until wn_native_context_forget().
 */
struct block *wn_native_translate(struct context *c, enum account account, uint64_t pc,
                                  bool is_writable);

/* What the program's registers are where translated code has been stopped. */
enum stop_next {
	STOP_AT_PC,  /* it goes on there */
	STOP_AT_RCX, /* where this says, whose own value is in its slot */
	STOP_LEAVES  /* it is about to leave by itself */
};

/* Of context.scratch. */
enum slot { SLOT_A, SLOT_B, SLOT_C, SLOT_FLAGS, SCRATCH_N };

struct stop {
	enum stop_next next;
	uint64_t pc;
	uint8_t slot_of[REG_N]; /* where the register is; SCRATCH_N: in its place */
	bool has_flags;         /* in SLOT_FLAGS, as lahf and seto leave them */
	bool has_pushed;        /* a call its return address, which is not noted yet */
	bool is_entered;        /* its entry is in the buffer */
	bool has_every;         /* the next instruction has been counted the second time */
	bool is_repeating;      /* its first two addresses are in that */
	uint32_t n_done;        /* instructions, of the block's */
	struct block *done;     /* what these alone count; valid until something is translated */
};

/* Where the block's translated code has been stopped: translates it once more. Works on vector
 * registers. */
void wn_native_find_stop(struct context *c, const struct block *b, const uint8_t *at,
                         struct stop *out);

/* ---- signal.c ---- */

/* The process gets the signal that the engine sends to itself. */
void wn_native_take_signals(void);

/* The kernel is told where to put this thread's frames. */
void wn_native_set_signal_stack(struct context *c);

/* The signal that has waited comes, before the program goes on. */
void wn_native_deliver(struct context *c);

/* The process is about to end: stops its other threads, and puts down what they have counted. Waits
 * for a fifth of a second at most. */
void wn_native_park_others(struct context *c);

/* rt_sigaction, sigaltstack, as the registers say: what they return. */
long wn_native_signal_call(struct context *c);

/* rt_sigreturn, while no signal comes. */
_Noreturn void wn_native_return(struct context *c);

/* ---- kernel.c ---- */

/* The call of exec: where it is looked whether a signal waits, and the instruction. */
extern const uint8_t wn_native_exec_begin[] __attribute__((visibility("hidden")));
extern const uint8_t wn_native_exec_call[] __attribute__((visibility("hidden")));

enum syscall_by {
	SYSCALL_BY_PROGRAM, /* it is to make it */
	SYSCALL_MADE,       /* context.pc and the registers say how it goes on */
	SYSCALL_LATER,      /* a signal comes before it */
};

/* The program is about to make a system call, behind which is `next`. */
enum syscall_by wn_native_syscall(struct context *c, uint64_t next);

/* Can the program's memory be read there? 8 bytes at least, as many as a page at most. */
bool wn_native_is_readable(const void *at, size_t n);

/* Where the thread's own segment starts is asked of the kernel. */
void wn_native_read_segments(struct context *c);

/* ---- start.c ---- */

/* In the child of a fork, whose only thread this is: nothing has been counted. */
void wn_native_start_again(struct context *c);

/* Each instruction is counted a second time; and when the process ends, both sums go to a file. */
extern bool wn_native_is_checked;
void wn_native_write_check(struct context *c);

#endif /* WN_NATIVE_CONTEXT_H */
