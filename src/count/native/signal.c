/* SPDX-License-Identifier: MIT */
/*
 * signal.c - emulates signal delivery for signals with a handler in the program. Reconstructs the
 * program's registers at the interrupted translated code, writes the kernel's signal frame to the
 * program's stack, and continues in the handler, followed. When the handler returns, continues from
 * the frame.
 *
 * If the engine itself is interrupted, the signal is deferred and all others are blocked; the
 * engine checks for it when it is done (trampolines.c).
 */
#include "count/native/libc.h"
#include "count/native/signal_private.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#define FLAG_AC 0x40000u

struct kernel_action wn_native_actions[SIGNALS_N];

__asm__(".text\n"
        ".globl wn_native_restorer\n"
        ".hidden wn_native_restorer\n"
        ".type wn_native_restorer, @function\n"
        "wn_native_restorer:\n\t"
        "mov $15, %eax\n\t"
        "syscall\n"
        ".size wn_native_restorer, .-wn_native_restorer\n");

void
wn_native_set_signal_stack(struct context *c)
{
	stack_t stack = {.ss_sp = c->signal_stack, .ss_size = STACK_SIGNAL_BYTES};
	wn_native_call(SYS_sigaltstack, &stack, 0L, 0L, 0L, 0L, 0L);
}

void
wn_native_take_signals(void)
{
	struct kernel_action action = {.handler = (uintptr_t)wn_native_on_signal,
	                               .flags = SA_SIGINFO | SA_ONSTACK | RESTORER_FLAG,
	                               .restorer = (uintptr_t)wn_native_restorer,
	                               .mask = UINT64_MAX};
	wn_native_call(SYS_rt_sigaction, (long)SIGNAL_OWN, &action, 0L, 8L, 0L, 0L);
}

static void
send_own(const struct context *c)
{
	long process = wn_native_call(SYS_getpid, 0L, 0L, 0L, 0L, 0L, 0L);
	wn_native_call(SYS_tgkill, process, (long)c->os_tid, (long)SIGNAL_OWN, 0L, 0L, 0L);
}

void
wn_native_set_default(int number)
{
	struct kernel_action none = {.flags = RESTORER_FLAG,
	                             .restorer = (uintptr_t)wn_native_restorer};
	wn_native_call(SYS_rt_sigaction, (long)number, &none, 0L, 8L, 0L, 0L);
}

bool
wn_native_is_fault(int number, const siginfo_t *info)
{
	return (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
	        number == SIGTRAP) &&
	       info->si_code > 0;
}

static struct context *
context_here(void)
{
	uintptr_t at = (uintptr_t)__builtin_frame_address(0);
	return *(struct context **)(at / STACK_SIGNAL_BYTES * STACK_SIGNAL_BYTES);
}

/* ---- end of a thread ---- */

#define PARK_WAITS_N 2000
#define PARK_WAIT_NS 100000

static _Atomic bool is_parking;
static _Atomic uint32_t n_parked;

/* Adds up all counts of the thread and stops counting. */
static _Noreturn void
park(struct context *c)
{
	wn_native_flush(c);
	atomic_fetch_add(&n_parked, 1);
	for (;;)
		wn_native_call(SYS_pause, 0L, 0L, 0L, 0L, 0L, 0L);
}

void
wn_native_park_others(struct context *c)
{
	const struct timespec wait = {0, PARK_WAIT_NS};
	long process = wn_native_call(SYS_getpid, 0L, 0L, 0L, 0L, 0L, 0L);
	uint32_t n = 0;
	is_parking = true;
	for (uint32_t i = 0; i < THREADS_MAX; i++) {
		const struct context *other = wn_native_contexts[i];
		if (other && other != c)
			n += wn_native_call(SYS_tgkill, process, (long)other->os_tid,
			                    (long)SIGNAL_OWN, 0L, 0L, 0L) == 0;
	}
	for (unsigned i = 0; i < PARK_WAITS_N && n_parked < n; i++)
		wn_native_call(SYS_nanosleep, &wait, 0L, 0L, 0L, 0L, 0L);
}

/* ---- signal delivery ---- */

void
wn_native_on_signal(int number, siginfo_t *info, void *of)
{
	struct kernel_context *k = of;
	struct context *c = context_here();
	bool is_own = number == SIGNAL_OWN;
	if (k->eflags & FLAG_AC) /* alignment checks, which this code cannot run under */
		__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~FLAG_AC);
	if (is_own && c->is_ready) {
		number = c->pending.info.si_signo;
		info = &c->pending.info;
		k->mask = c->pending.mask;
		is_own = number == SIGNAL_OWN;
	}
	bool is_step = number == SIGTRAP && info->si_code == TRAP_TRACE;
	if (is_step) /* single-stepping is not followed */
		k->eflags &= ~(uint64_t)FLAG_TF;
	if (!wn_native_take_state(c, k)) {
		if (is_step)
			return;
		if (wn_native_is_fault(number,
		                       info)) { /* of the engine: raised again, ends the process */
			wn_native_set_default(number);
			return;
		}
		if (info != &c->pending.info)
			memcpy(&c->pending.info, info, sizeof *info);
		c->pending.mask = k->mask;
		k->mask = UINT64_MAX;
		c->is_pending = 1;
		if (k->rip > (uintptr_t)wn_native_exec_begin &&
		    k->rip <= (uintptr_t)wn_native_exec_call)
			k->rip = (uintptr_t)wn_native_exec_begin;
		return;
	}
	if (is_own && is_parking)
		park(c);
	struct kernel_action action = wn_native_actions[number];
	if (is_own && action.handler == 0) { /* default action: raised again, ends the process */
		wn_native_set_default(number);
		send_own(c);
	}
	if (action.handler > 1) {
		wn_native_enter_handler(c, number, info, k);
		k->mask |= action.mask;
		if (!(action.flags & SA_NODEFER))
			k->mask |= 1ul << (number - 1);
		k->vectors = 0;
	}
	wn_native_return_to_engine(c, k);
}

/* All program state is in the context and in vector registers, and signals are blocked. The
 * engine's own signal replaces the deferred one and arrives before all later ones. */
void
wn_native_deliver(struct context *c)
{
	uint64_t others = ~(1ul << (SIGNAL_OWN - 1));
	c->is_pending = 0;
	send_own(c);
	c->is_ready = true;
	wn_native_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &others, 0L, 8L, 0L, 0L);
	c->is_ready = false; /* it was not delivered */
	wn_native_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &c->pending.mask, 0L, 8L, 0L, 0L);
}
