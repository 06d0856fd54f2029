/* SPDX-License-Identifier: MIT */
/*
 * signal_private.h - declarations shared by the files that handle signals:
 *
 *   signal.c        a signal arrives: now, or when the engine is done
 *   signal_state.c  the program's registers where translated code was interrupted
 *   signal_frame.c  the frame that the program's handler gets, and returns by
 *   signal_call.c   the program's system calls that are about signals
 */
#pragma once

#include "count/native/context.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define RESTORER_FLAG 0x04000000ul
#define SIGNALS_N     65u
#define FLAG_TF       0x100u
#define AUTODISARM    (1u << 31)

/* Sent only by the engine, to itself. */
#define SIGNAL_OWN SIGSTKFLT

/* Kernel layouts (arch/x86/include/uapi/asm/sigcontext.h, ucontext.h). */
struct kernel_action {
	uint64_t handler, flags, restorer, mask;
};

struct kernel_context {
	uint64_t flags, link;
	stack_t stack;
	uint64_t gpr[16]; /* in the kernel's order */
	uint64_t rip, eflags;
	uint16_t cs, gs, fs, ss;
	uint64_t error, trap, old_mask, cr2;
	uint64_t vectors; /* address of the vector state; 0: the initial state */
	uint64_t reserved[8];
	uint64_t mask;
};

struct frame {
	uint64_t restorer;
	struct kernel_context context;
	siginfo_t info;
};

_Static_assert(sizeof(struct kernel_context) == 304, "as the kernel has it");

/* The program's handlers. */
extern struct kernel_action wn_native_actions[SIGNALS_N] __attribute__((visibility("hidden")));

/* The engine's handler, registered with the kernel in place of the program's. */
void wn_native_on_signal(int number, siginfo_t *info, void *of);
void wn_native_restorer(void) __attribute__((visibility("hidden")));

/* Performs the kernel's default action for a signal. */
void wn_native_set_default(int number);

/* Did an instruction raise the signal? */
bool wn_native_is_fault(int number, const siginfo_t *info);

/* ---- signal_state.c ---- */

/* Copies the processor's registers to the context. */
void wn_native_take_registers(struct context *c, const struct kernel_context *k);

/* Reconstructs the program's registers and address from the processor's; false if the engine is
 * running. */
bool wn_native_take_state(struct context *c, const struct kernel_context *k);

/* ---- signal_frame.c ---- */

/* Is the stack pointer on the program's alternate stack? */
bool wn_native_is_on_alternate(const struct context *c, uint64_t sp);

/* Writes the handler's frame to the program's stack, and continues the context in the handler. */
void wn_native_enter_handler(struct context *c, int number, const siginfo_t *info,
                             const struct kernel_context *k);

/* Returns from the kernel's frame to the engine, which continues from the context. */
void wn_native_return_to_engine(struct context *c, struct kernel_context *k);

/* Index of each of `gpr` in a struct kernel_context. */
extern const uint8_t wn_native_order[16] __attribute__((visibility("hidden")));
