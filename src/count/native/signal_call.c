/* SPDX-License-Identifier: MIT */
/* signal_call.c - emulates the program's system calls about signals. */
#include "count/native/libc.h"
#include "count/native/signal_private.h"

#include <sys/syscall.h>

#define EINVAL_ 22
#define EFAULT_ 14
#define ENOMEM_ 12
#define EPERM_  1

static long
do_action(struct context *c)
{
	uint64_t *g = c->gpr;
	uint64_t number = g[RDI];
	const struct kernel_action *new = (const struct kernel_action *)g[RSI];
	struct kernel_action *old = (struct kernel_action *)g[RDX];
	if (number == 0 || number >= SIGNALS_N || g[R10] != 8 || c->is_borrowed)
		return wn_native_call(SYS_rt_sigaction, number, new, old, g[R10], 0L, 0L);
	struct kernel_action was = wn_native_actions[number], installed, were;
	if ((new && !wn_native_is_readable(new, sizeof *new)) ||
	    (old && wn_native_call(SYS_rt_sigaction, number, 0L, old, 8L, 0L, 0L) != 0))
		return -EFAULT_;
	if (new) {
		installed = *new;
		if (new->handler > 1 || number == SIGNAL_OWN) {
			installed.handler = (uintptr_t)wn_native_on_signal;
			installed.flags = (new->flags &(SA_RESTART | SA_NOCLDSTOP | SA_NOCLDWAIT)) |
			                  SA_SIGINFO | SA_ONSTACK | RESTORER_FLAG;
			installed.restorer = (uintptr_t)wn_native_restorer;
			installed.mask = UINT64_MAX;
			wn_native_actions[number] = *new;
		}
	}
	long result =
	    wn_native_call(SYS_rt_sigaction, number, new ? &installed : NULL, &were, 8L, 0L, 0L);
	if (result != 0) {
		wn_native_actions[number] = was;
		return result;
	}
	if (new)
		wn_native_actions[number] = *new;
	if (old)
		*old = were.handler == (uintptr_t)wn_native_on_signal ? was : were;
	return 0;
}

static long
do_alternate(struct context *c)
{
	const stack_t *new = (const stack_t *)c->gpr[RDI];
	stack_t *old = (stack_t *)c->gpr[RSI];
	stack_t was = c->alternate;
	bool is_on = wn_native_is_on_alternate(c, c->gpr[RSP]);
	/* the kernel reports unwritable addresses */
	if ((new && !wn_native_is_readable(new, sizeof *new)) ||
	    (old && wn_native_call(SYS_sigaltstack, 0L, old, 0L, 0L, 0L, 0L) != 0))
		return -EFAULT_;
	if (new) {
		unsigned mode = (unsigned)new->ss_flags & ~AUTODISARM;
		if (is_on)
			return -EPERM_;
		if (mode != 0 && mode != SS_DISABLE && mode != SS_ONSTACK)
			return -EINVAL_;
		if (mode != SS_DISABLE && new->ss_size < 2048)
			return -ENOMEM_;
		c->alternate = mode == SS_DISABLE ? (stack_t){0} : *new;
		c->alternate.ss_flags = new->ss_flags & ~SS_ONSTACK;
	}
	if (old) {
		*old = was;
		old->ss_flags |= is_on ? SS_ONSTACK : 0;
	}
	return 0;
}

/* Registers come from the frame; the kernel restores the rest. */
void
wn_native_return(struct context *c)
{
	struct kernel_context *k = (struct kernel_context *)c->gpr[RSP];
	wn_native_take_registers(c, k);
	c->alternate = k->stack;
	c->alternate.ss_flags &= ~SS_ONSTACK;
	c->holds_signals = false; /* the frame contains the signal mask */
	wn_native_return_to_engine(c, k);
	__asm__ volatile("mov %0, %%rsp\n\t"
	                 "mov $15, %%eax\n\t"
	                 "syscall"
	                 :
	                 : "r"(k)
	                 : "memory");
	__builtin_unreachable();
}

long
wn_native_signal_call(struct context *c)
{
	return c->gpr[RAX] == SYS_rt_sigaction ? do_action(c) : do_alternate(c);
}
