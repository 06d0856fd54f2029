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

#include "counting/group.h"
#include "counting/thread.h"
#include "native/modules.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

enum reg {
	RAX,
	RCX,
	RDX,
	RBX,
	RSP,
	RBP,
	RSI,
	RDI,
	R8,
	R9,
	R10,
	R11,
	R12,
	R13,
	R14,
	R15,
	REG_N,
	REG_NONE = REG_N
};

/* To whom instructions are put down; each has translations of its own. */
enum world { WORLD_USER, WORLD_RUNTIME, WORLD_N };

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
};

/* An instruction that reads or writes where each element of a vector register says. */
struct gather {
	uint8_t n, bytes;    /* elements, and of each */
	uint8_t index_bytes; /* of where each is */
	uint8_t scale;       /* 2^ that many bytes are one of those */
	bool is_store;
	bool has_bits; /* which are wanted: a bit for each; else the highest of each one's */
	uint8_t index_register, mask_register;
};

enum block_kind {
	BLOCK_PLAIN,
	BLOCK_REPEATED, /* a repeated string instruction, alone */
	BLOCK_GATHER,   /* such an instruction, alone */
};

/* A stretch of the program's code up to where it may branch, as it is translated. What is written
 * to the buffer when it runs, its entry:
 *
 *   its distance from the context, and
 *   plain     its groups' addresses
 *   repeated  rsi and rdi before and after
 *   gather    the address of an element 0, GATHER_BYTES each of the register that says where, and
 * of that which says which, or its bits
 */
struct block {
	uint64_t pc;
	uint8_t *code, *code_end; /* none of its own: it is run where it stands */
	uint8_t *bytes;   /* a copy of the program's, where these may be written to; or NULL */
	uint32_t n_bytes; /* of the program */
	uint32_t n_groups;
	uint32_t entry_words;
	uint8_t kind;    /* enum block_kind */
	uint8_t repeats; /* bytes of each step of a repeated string instruction */
	bool reads_si, reads_di, writes_di; /* what a step does */
	struct gather gather;
	struct bundle bundle;
	struct group groups[];
};

#define GATHER_BYTES   64
#define ENTRY_REPEATED 5
#define ENTRY_GATHER   (2 + 2 * GATHER_BYTES / 8)

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
	uint64_t scratch[4];
	uint64_t buffer_next, buffer_limit;
	uint64_t exit;          /* struct exit that was taken */
	uint64_t negative_base; /* of the stack of what runs */
	uint64_t fs_base;
	uint64_t call_sp, was_call;
	uint64_t every;
	uint64_t is_inside;  /* the engine runs */
	uint64_t is_pending; /* a signal waits for it to be done */

	struct thread *t;
	uint32_t number;       /* of the thread */
	uint64_t region_bytes; /* all of it, from the context on */
	enum world world;
	uint8_t *code_next, *code_end, *code_start;
	uint8_t *records_next, *records_end, *records_start;
	/* see gates.c; the gates end where blocks begin */
	uint8_t *gate_exit, *gate_resume, *gate_resume_checked, *gate_resume_end, *gate_enter;
	uint8_t *gate_indirect[WORLD_N], *gates_end;
	struct exit exit_indirect;
	uint64_t n_blocks, n_ordered, n_forgotten;
	uint64_t target_pc;
	uint64_t code_turn; /* of the process's code, that was translated */
	bool is_ready;      /* all registers are in here, though the engine runs */
	bool is_borrowed;   /* a child between vfork and exec, in its parent's memory */
	uint32_t os_tid;
	struct pending {
		siginfo_t info;
		uint64_t mask; /* of the thread when it came */
	} pending;
	stack_t alternate;                      /* the program's; the kernel has signal_stack */
	struct block *order[1u << BLOCKS_BITS]; /* all of them, by where their code is */
	struct block *blocks[WORLD_N][1u << BLOCKS_BITS]; /* chained by place, see blocks.c */
	struct place places[WORLD_N][1u << TABLE_BITS] __attribute__((aligned(64)));
	uint8_t buffer[BUFFER_BYTES + BUFFER_SLACK] __attribute__((aligned(64)));
	uint8_t vectors[VECTORS_BYTES] __attribute__((aligned(64)));
	uint8_t stack[STACK_ENGINE_BYTES] __attribute__((aligned(64)));
	/* the kernel's, for signals; at its beginning is where the context is */
	struct context *signal_stack[STACK_SIGNAL_BYTES / sizeof(struct context *)]
	    __attribute__((aligned(STACK_SIGNAL_BYTES)));
};

#define CONTEXT_OFFSET(field) ((int32_t)offsetof(struct context, field))
#define CONTEXT_BYTES         sizeof(struct context)

/* blocks.c */
struct context *wn_native_context_new(void);
void wn_native_context_forget(struct context *c); /* all translated code */
void wn_native_dispatch(struct context *c);
void wn_native_code_changed(void);
/* The one whose translated code is there; NULL. */
struct block *wn_native_block_of(const struct context *c, const uint8_t *code);
void wn_native_claim(struct context *c); /* by the thread itself */
void wn_native_context_end(struct context *c);
void wn_native_context_free(struct context *c);
void wn_native_update_base(struct context *c);

/* record.c: puts down what is in the buffer. */
void wn_native_flush(struct context *c);

/* gates.c */
void wn_native_make_gates(struct context *c);

/* translate.c: NULL if there is no room. */
struct block *wn_native_translate(struct context *c, enum world world, uint64_t pc,
                                  bool is_writable);

/* What the program's registers are where translated code has been stopped. */
enum stop_next {
	STOP_AT_PC,  /* it goes on there */
	STOP_AT_RCX, /* where this says, whose own value is in its slot */
	STOP_LEAVES  /* it is about to leave by itself */
};
struct stop {
	enum stop_next next;
	uint64_t pc;
	uint8_t slot_of[REG_N]; /* in scratch[]; SCRATCH_N: it is in its place */
	bool has_flags;         /* in scratch[SLOT_FLAGS], as lahf and seto leave them */
	bool has_pushed;        /* a call its return address, which is not noted yet */
	bool is_entered;        /* its entry is in the buffer */
	bool is_repeating;
	uint32_t n_done;    /* instructions, of the block's */
	struct block *done; /* what these alone count; valid until something is translated */
};
#define SCRATCH_N 4
enum slot { SLOT_A, SLOT_B, SLOT_C, SLOT_FLAGS };
void wn_native_find_stop(struct context *c, const struct block *b, const uint8_t *at,
                         struct stop *out);

/* signal.c */
void wn_native_deliver(struct context *c);
void wn_native_park_others(struct context *c); /* the process is about to end */
void wn_native_set_signal_stack(struct context *c);
bool wn_native_signal_call(struct context *c,
                           uint64_t next); /* one of the system calls of signals */

extern struct context *wn_native_contexts[THREADS_MAX];
extern _Atomic uint64_t wn_native_code_turn;

/* kernel.c: true if it has been done, and context.pc and gpr say how to go on. */
bool wn_native_syscall(struct context *c, uint64_t next);
void wn_native_read_segments(struct context *c);
void wn_native_start_again(struct context *c); /* in the child */
void wn_native_write_check(struct context *c);
_Noreturn void wn_native_die(const char *why);

extern bool wn_native_is_checked;

#endif /* WN_NATIVE_CONTEXT_H */
