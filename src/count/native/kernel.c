/* SPDX-License-Identifier: MIT */
/* kernel.c - system calls that the engine handles: those that start and end threads, processes and
 * programs, and those that change executable memory. */
#include "count/native/context.h"
#include "count/native/libc.h"
#include "count/native/modules.h"

#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARCH_SET_FS_ 0x1002
#define ARCH_GET_FS_ 0x1003
#define ARCH_GET_GS_ 0x1004

void
wn_native_read_segments(struct context *c)
{
	wn_native_call(SYS_arch_prctl, (long)ARCH_GET_FS_, &c->fs_base, 0L, 0L, 0L, 0L);
	wn_native_call(SYS_arch_prctl, (long)ARCH_GET_GS_, &c->gs_base, 0L, 0L, 0L, 0L);
}

/* ---- blocking signals ---- */

/* A seccomp filter may forbid the calls that block signals or end a thread. */
static _Atomic bool is_confined;

/* Blocks all signals of the thread; false if one is already deferred. */
static bool
hold_signals(struct context *c)
{
	uint64_t all = UINT64_MAX;
	c->holds_signals = !is_confined;
	if (c->holds_signals)
		wn_native_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &all, &c->held_mask, 8L, 0L,
		               0L);
	c->holds_signals &= !c->is_pending; /* otherwise all stay blocked until it is delivered */
	return !c->is_pending;
}

static void
let_signals(struct context *c)
{
	if (c->holds_signals)
		wn_native_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &c->held_mask, 0L, 8L, 0L,
		               0L);
	c->holds_signals = false;
}

/* The kernel reads the mask before it rejects the other arguments. */
bool
wn_native_is_readable(const void *at, size_t n)
{
	enum { EFAULT_ = -14, NOTHING = -1, MASK_BYTES = 8 };
	const uint8_t *last = (const uint8_t *)at + n - MASK_BYTES;
	return is_confined || (wn_native_call(SYS_rt_sigprocmask, (long)NOTHING, at, 0L,
	                                      (long)MASK_BYTES, 0L, 0L) != EFAULT_ &&
	                       wn_native_call(SYS_rt_sigprocmask, (long)NOTHING, last, 0L,
	                                      (long)MASK_BYTES, 0L, 0L) != EFAULT_);
}

/* ---- threads ---- */

_Noreturn void wn_native_begin_thread(struct context *c) __attribute__((visibility("hidden")));

/* First instruction of the new thread. */
void
wn_native_begin_thread(struct context *c)
{
	c->is_inside = 1;
	wn_native_set_signal_stack(c);
	wn_native_read_segments(c);
	wn_native_claim(c);
	let_signals(c);
	c->exit = (uintptr_t)&c->exit_indirect;
	wn_native_dispatch(c);
	void (*resume)(void) = (void (*)(void))(uintptr_t)c->trampoline_resume;
	resume();
	__builtin_unreachable();
}

/* Makes system call `number` with these arguments, where the new thread's stack is the engine's. */
static long
clone_to(long number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5,
         struct context *child)
{
	register uint64_t r10 __asm__("r10") = a4;
	register uint64_t r8 __asm__("r8") = a5;
	register uint64_t r12 __asm__("r12") = (uintptr_t)child;
	long result;
	__asm__ volatile("syscall\n\t"
	                 "test %%rax, %%rax\n\t"
	                 "jnz 1f\n\t"
	                 "mov %%r12, %%rdi\n\t"
	                 "call wn_native_begin_thread\n\t"
	                 "ud2\n"
	                 "1:"
	                 : "=a"(result)
	                 : "a"(number), "D"(a1), "S"(a2), "d"(a3), "r"(r10), "r"(r8), "r"(r12)
	                 : "rcx", "r11", "memory");
	return result;
}

static struct context *
child_of(const struct context *c, uint64_t next, uint64_t sp)
{
	struct context *child = wn_native_context_new();
	if (!child)
		return NULL;
	memcpy(child->gpr, c->gpr, sizeof child->gpr);
	child->flags = c->flags;
	child->gpr[RAX] = 0;
	child->gpr[RCX] = next;
	if (sp)
		child->gpr[RSP] = sp;
	child->pc = next;
	child->holds_signals = c->holds_signals;
	child->held_mask = c->held_mask;
	return child;
}

static void
begin_again(struct context *c)
{
	wn_native_start_again(c);
	wn_native_claim(c);
}

static long
fork_with(struct context *c, long number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
          uint64_t a5)
{
	wn_native_flush(c);
	long result = wn_native_call(number, a1, a2, a3, a4, a5, 0L);
	if (result == 0)
		begin_again(c);
	return result;
}

#define STACK_TOP(c) ((uintptr_t) & (c)->stack[STACK_ENGINE_BYTES - 64])
#define ENOMEM_      (-12L)
#define ENOSYS_      (-38L)

/* Continues the parent after a vfork child has released its memory. */
static long
finish_borrowing(long result, struct context *child, bool is_borrowed)
{
	if (is_borrowed || result < 0) /* otherwise it runs independently */
		wn_native_context_free(child);
	return result;
}

static long
do_clone(struct context *c, uint64_t next)
{
	uint64_t *g = c->gpr;
	if (!(g[RDI] & CLONE_VM)) {
		long result = fork_with(c, SYS_clone, g[RDI], 0, g[RDX], g[R10], g[R8]);
		if (result == 0 && g[RSI])
			g[RSP] = g[RSI];
		return result;
	}
	struct context *child = child_of(c, next, g[RSI]);
	if (!child)
		return ENOMEM_;
	child->is_borrowed = g[RDI] & CLONE_VFORK;
	return finish_borrowing(
	    clone_to(SYS_clone, g[RDI], STACK_TOP(child), g[RDX], g[R10], g[R8], child), child,
	    g[RDI] & CLONE_VFORK);
}

static long
do_clone3(struct context *c, uint64_t next)
{
	struct clone_args args = {0};
	uint64_t n = c->gpr[RSI] < sizeof args ? c->gpr[RSI] : sizeof args;
	if (c->gpr[RSI] < 64 || !wn_native_is_readable((const void *)c->gpr[RDI], n))
		return wn_native_call(SYS_clone3, c->gpr[RDI], c->gpr[RSI], 0L, 0L, 0L, 0L);
	memcpy(&args, (const void *)c->gpr[RDI], n);
	uint64_t sp = args.stack ? args.stack + args.stack_size : 0;
	if (!(args.flags & CLONE_VM)) {
		args.stack = args.stack_size = 0;
		long result = fork_with(c, SYS_clone3, (uintptr_t)&args, n, 0, 0, 0);
		if (result == 0 && sp)
			c->gpr[RSP] = sp;
		return result;
	}
	struct context *child = child_of(c, next, sp);
	if (!child)
		return ENOMEM_;
	child->is_borrowed = args.flags & CLONE_VFORK;
	args.stack = (uintptr_t)child->stack;
	args.stack_size = STACK_ENGINE_BYTES - 64;
	return finish_borrowing(clone_to(SYS_clone3, (uintptr_t)&args, n, 0, 0, 0, child), child,
	                        args.flags & CLONE_VFORK);
}

static long
do_vfork(struct context *c, uint64_t next)
{
	struct context *child = child_of(c, next, 0);
	if (!child)
		return ENOMEM_;
	child->is_borrowed = true;
	return finish_borrowing(
	    clone_to(SYS_clone, CLONE_VM | CLONE_VFORK | 17, STACK_TOP(child), 0, 0, 0, child),
	    child, true);
}

static bool
ends_cleanly(const struct context *c)
{
	return !c->is_borrowed && !is_confined;
}

/* The thread frees the memory that it runs on. */
static _Noreturn void
end_thread(struct context *c)
{
	long status = (long)c->gpr[RDI], bytes = (long)c->region_bytes;
	wn_native_context_end(c);
	__asm__ volatile("syscall\n\t"
	                 "mov %0, %%rdi\n\t"
	                 "mov $60, %%eax\n\t"
	                 "syscall"
	                 :
	                 : "r"(status), "a"((long)SYS_munmap), "D"(c), "S"(bytes)
	                 : "rcx", "r11", "memory");
	__builtin_unreachable();
}

/* ---- dispatch ---- */

#define LATER (-5000L) /* not a return value of any call */

/* Makes the call with the arguments in the registers and the program's own signal mask. If a signal
 * arrives first, the call must not be made, because exec would lose the signal: signal.c moves any
 * interruption between the two labels back to the first. */
static __attribute__((noinline)) long
exec_unless_pending(struct context *c)
{
	const uint64_t *g = c->gpr;
	long result;
	let_signals(c);
	register uint64_t r10 __asm__("r10") = g[R10];
	register uint64_t r8 __asm__("r8") = g[R8];
	__asm__ volatile(".globl wn_native_exec_begin, wn_native_exec_call\n\t"
	                 ".hidden wn_native_exec_begin, wn_native_exec_call\n"
	                 "wn_native_exec_begin:\n\t"
	                 "cmpq $0, %1\n\t"
	                 "mov %2, %%rax\n\t"
	                 "jne 1f\n\t"
	                 "mov %3, %%rax\n"
	                 "wn_native_exec_call:\n\t"
	                 "syscall\n"
	                 "1:"
	                 : "=&a"(result)
	                 : "m"(c->is_pending), "i"(LATER), "b"(g[RAX]), "D"(g[RDI]), "S"(g[RSI]),
	                   "d"(g[RDX]), "r"(r10), "r"(r8)
	                 : "rcx", "r11", "memory", "cc");
	return result;
}

static long
do_exec(struct context *c)
{
	struct wn_count_slot *slot = c->t->slot;
	uint64_t os_tid = slot->os_tid;
	wn_native_flush(c);
	slot->os_tid = 0; /* the next owner of the number then takes its own slot */
	atomic_fetch_add(&wn_counting.file->n_execs, 1); /* until it registers, see start.c */
	long result = exec_unless_pending(c);
	atomic_fetch_sub(&wn_counting.file->n_execs, 1);
	slot->os_tid = os_tid;
	return result;
}

/* Executed code may have been replaced. */
static long
do_map(struct context *c)
{
	uint64_t *g = c->gpr;
	bool may_be_code = wn_native_is_known(g[RDI], g[RDI] + g[RSI]);
	if (g[RAX] == SYS_mremap && (g[R10] & MREMAP_FIXED))
		may_be_code |= wn_native_is_known(g[R8], g[R8] + g[RDX]);
	long result = wn_native_call((long)g[RAX], g[RDI], g[RSI], g[RDX], g[R10], g[R8], g[R9]);
	if (may_be_code) {
		modules_changed();
		wn_native_code_changed();
	}
	return result;
}

/* Calls during which no signal may arrive: it would be delivered to a thread that has ended, to two
 * threads, or under the wrong mask. */
static bool
is_without_signals(const struct context *c)
{
	switch (c->gpr[RAX]) {
	case SYS_clone:
	case SYS_clone3:
	case SYS_vfork:
	case SYS_fork:
	case SYS_execve:
	case SYS_execveat:
	case SYS_rt_sigreturn:
		return true;
	case SYS_exit:
		return ends_cleanly(c);
	default:
		return false;
	}
}

/* False: the program makes the call itself. */
static bool
make(struct context *c, uint64_t next, long *result)
{
	uint64_t *g = c->gpr;
	switch (g[RAX]) {
	case SYS_clone:
		*result = do_clone(c, next);
		return true;
	case SYS_clone3:
		*result = do_clone3(c, next);
		return true;
	case SYS_vfork:
		*result = do_vfork(c, next);
		return true;
	case SYS_fork:
		*result = fork_with(c, SYS_fork, 0, 0, 0, 0, 0);
		return true;
	case SYS_exit:
		if (!ends_cleanly(c))
			return false;
		end_thread(c);
	case SYS_execve:
	case SYS_execveat:
		*result = do_exec(c);
		return true;
	case SYS_mmap:
	case SYS_munmap:
	case SYS_mremap:
	case SYS_mprotect:
	case SYS_pkey_mprotect:
		*result = do_map(c);
		return true;
	case SYS_rseq: /* see start.c */
		*result = ENOSYS_;
		return true;
	case SYS_prctl:
		is_confined |= g[RDI] == PR_SET_SECCOMP;
		return false;
	case SYS_seccomp:
		is_confined = true;
		return false;
	case SYS_arch_prctl:
		*result = wn_native_call(SYS_arch_prctl, g[RDI], g[RSI], 0L, 0L, 0L, 0L);
		wn_native_read_segments(c);
		return true;
	case SYS_exit_group:
		wn_native_flush(c);
		if (wn_native_is_checked && !c->is_borrowed)
			wn_native_write_check(c);
		return false;
	case SYS_rt_sigreturn:
		wn_native_return(c);
	case SYS_rt_sigaction:
	case SYS_sigaltstack:
		*result = wn_native_signal_call(c);
		return true;
	default:
		return false;
	}
}

enum syscall_by
wn_native_syscall(struct context *c, uint64_t next)
{
	long result;
	if (is_without_signals(c) && !hold_signals(c))
		return SYSCALL_LATER;
	if (!make(c, next, &result))
		return SYSCALL_BY_PROGRAM;
	let_signals(c);
	if (result == LATER)
		return SYSCALL_LATER;
	c->gpr[RAX] = (uint64_t)result;
	c->gpr[RCX] = next;
	c->pc = next;
	return SYSCALL_MADE;
}
