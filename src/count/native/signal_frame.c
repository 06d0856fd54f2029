/* SPDX-License-Identifier: MIT */
/* signal_frame.c - writes the signal frame that the kernel would write to the program's stack. */
#include "count/native/signal_private.h"

#include <string.h>

#define FLAG_DF  0x400u
#define RED_ZONE 128u

const uint8_t wn_native_order[16] = {R8,  R9,  R10, R11, R12, R13, R14, R15,
                                     RDI, RSI, RBP, RBX, RDX, RAX, RCX, RSP};

bool
wn_native_is_on_alternate(const struct context *c, uint64_t sp)
{
	return !((unsigned)c->alternate.ss_flags & (SS_DISABLE | AUTODISARM)) &&
	       sp - (uintptr_t)c->alternate.ss_sp - 1 < c->alternate.ss_size;
}

static uint64_t
vectors_bytes(uint64_t vectors)
{
	enum { WORDS_AT = 464, BYTES = 512, MAGIC = 0x46505853 };
	uint32_t words[2];
	memcpy(words, (const uint8_t *)(uintptr_t)vectors + WORDS_AT, sizeof words);
	return words[0] == MAGIC ? words[1] : BYTES;
}

/* Contents of the frame. */
void
wn_native_enter_handler(struct context *c, int number, const siginfo_t *info,
                        const struct kernel_context *k)
{
	struct kernel_action action = wn_native_actions[number];
	uint64_t sp = c->gpr[RSP];
	if ((action.flags & SA_ONSTACK) && !(c->alternate.ss_flags & SS_DISABLE) &&
	    !wn_native_is_on_alternate(c, sp))
		sp = (uintptr_t)c->alternate.ss_sp + c->alternate.ss_size;
	else
		sp -= RED_ZONE;
	uint64_t vectors = 0;
	if (k->vectors) {
		uint64_t bytes = vectors_bytes(k->vectors);
		vectors = sp = (sp - bytes) & ~63ul;
		memcpy((void *)(uintptr_t)sp, (const void *)(uintptr_t)k->vectors, bytes);
	}
	sp = ((sp - sizeof(struct frame)) & ~15ul) - 8;
	struct frame *f = (struct frame *)(uintptr_t)sp;
	memcpy(&f->context, k, sizeof f->context);
	f->restorer = action.restorer;
	f->context.stack = c->alternate;
	if ((unsigned)c->alternate.ss_flags & AUTODISARM)
		c->alternate = (stack_t){.ss_flags = SS_DISABLE};
	f->context.link = 0;
	for (unsigned i = 0; i < 16; i++)
		f->context.gpr[i] = c->gpr[wn_native_order[i]];
	f->context.rip = c->pc;
	f->context.eflags = c->flags;
	f->context.vectors = vectors;
	memcpy(&f->info, info, sizeof f->info);
	if ((uintptr_t)info->si_addr == k->rip &&
	    wn_native_is_fault(number, info)) /* raised by the instruction */
		f->info.si_addr = (void *)(uintptr_t)c->pc;
	c->gpr[RSP] = sp;
	c->gpr[RDI] = (uint64_t)number;
	c->gpr[RSI] = (uintptr_t)&f->info;
	c->gpr[RDX] = (uintptr_t)&f->context;
	c->gpr[RAX] = 0;
	c->flags &= ~(uint64_t)(FLAG_DF | FLAG_TF);
	c->pc = action.handler;
	if (action.flags & SA_RESETHAND) {
		wn_native_actions[number] = (struct kernel_action){0};
		if (number != SIGNAL_OWN)
			wn_native_set_default(number);
	}
}

void
wn_native_return_to_engine(struct context *c, struct kernel_context *k)
{
	k->rip = (uintptr_t)c->trampoline_enter;
	k->gpr[15] = (uintptr_t)&c->stack[STACK_ENGINE_BYTES - 64];
	k->eflags = 0x202;
	k->stack = (stack_t){.ss_sp = c->signal_stack, .ss_size = STACK_SIGNAL_BYTES};
	c->exit = (uintptr_t)&c->exit_indirect;
	c->is_inside = 1;
	c->is_ready = false;
}
