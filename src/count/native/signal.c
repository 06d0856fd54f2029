/* SPDX-License-Identifier: MIT */
/*
 * signal.c - signals for which the program has a handler come to the engine first. It works out
 * what the program's registers are where translated code has been stopped, writes the frame that
 * the kernel would have written to the program's stack, and goes on in the handler, followed; when
 * that returns, with what the frame says then.
 *
 * Where the engine itself has been stopped, the signal waits until it is done, all others blocked:
 * the next thing it does is to look for it (trampolines.c).
 */
#include "count/native/context.h"
#include "count/native/libc.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#define RESTORER_FLAG 0x04000000ul
#define SIGNALS_N     65u
#define FLAG_TF       0x100u
#define FLAG_DF       0x400u
#define FLAG_AC       0x40000u
#define RED_ZONE      128u
#define AUTODISARM    (1u << 31)
#define EINVAL_       22
#define EFAULT_       14
#define ENOMEM_       12
#define EPERM_        1

/* As the kernel has them (arch/x86/include/uapi/asm/sigcontext.h, ucontext.h). */
struct kernel_action {
	uint64_t handler, flags, restorer, mask;
};

struct kernel_context {
	uint64_t flags, link;
	stack_t stack;
	uint64_t gpr[16]; /* in its order */
	uint64_t rip, eflags;
	uint16_t cs, gs, fs, ss;
	uint64_t error, trap, old_mask, cr2;
	uint64_t vectors; /* where they are; 0: as they are at first */
	uint64_t reserved[8];
	uint64_t mask;
};

struct frame {
	uint64_t restorer;
	struct kernel_context context;
	siginfo_t info;
};

_Static_assert(sizeof(struct kernel_context) == 304, "as the kernel has it");

static const uint8_t order[16] = {R8,  R9,  R10, R11, R12, R13, R14, R15,
                                  RDI, RSI, RBP, RBX, RDX, RAX, RCX, RSP};

static struct kernel_action actions[SIGNALS_N]; /* the program's */

void wn_native_restorer(void) __attribute__((visibility("hidden")));
__asm__(".text\n"
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

/* Nobody else sends it. */
#define SIGNAL_OWN SIGSTKFLT

static void on_signal(int number, siginfo_t *info, void *of);

void
wn_native_take_signals(void)
{
	struct kernel_action action = {.handler = (uintptr_t)on_signal,
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

/* The kernel does with the signal what it does for programs that ask for nothing. */
static void
set_default(int number)
{
	struct kernel_action none = {.flags = RESTORER_FLAG,
	                             .restorer = (uintptr_t)wn_native_restorer};
	wn_native_call(SYS_rt_sigaction, (long)number, &none, 0L, 8L, 0L, 0L);
}

/* ---- where it was ---- */

static void
take_registers(struct context *c, const struct kernel_context *k)
{
	for (unsigned i = 0; i < 16; i++)
		c->gpr[order[i]] = k->gpr[i];
	c->flags = k->eflags & ~(uint64_t)FLAG_TF;
	c->pc = k->rip;
}

static void
take_kept_flags(struct context *c)
{
	uint64_t kept = c->scratch[SLOT_FLAGS];
	c->flags &= ~0x8d5ul;
	c->flags |= (kept >> 8 & 0xd5) | (kept & 1) << 11;
}

/* Of its block only so much has been run as `stop` says. */
static void
take_back(struct context *c, const struct block *b, const struct stop *stop)
{
	if (c->account == ACCOUNT_RUNTIME) {
		uint64_t *count = &c->t->slot->count[WN_PROPERTY_runtime_instructions];
		*count -= b->bundle.n_insn - stop->n_done;
		return;
	}
	uint64_t bytes = 8 * (uint64_t)b->entry_words;
	uint64_t *entry = (uint64_t *)(c->buffer_next - bytes);
	if (stop->n_done == b->bundle.n_insn) { /* of a repeated one the end is missing */
		entry[3] = c->gpr[RSI];
		entry[4] = c->gpr[RDI];
		return;
	}
	c->buffer_next -= bytes;
	wn_native_flush(c);
	if (b->kind == BLOCK_REPEATED) {
		if (!stop->is_repeating)
			return;
		uint64_t *to = (uint64_t *)c->buffer_next;
		uint64_t si = entry[1], di = entry[2];
		*stop->done = *b;
		stop->done->bundle = (struct bundle){0};
		to[0] = (uint64_t)((uintptr_t)stop->done - (uintptr_t)c);
		to[1] = si, to[2] = di, to[3] = c->gpr[RSI], to[4] = c->gpr[RDI];
		c->buffer_next += 8 * ENTRY_REPEATED;
	} else if (stop->n_done > 0) {
		uint64_t *to = (uint64_t *)c->buffer_next;
		to[0] = (uint64_t)((uintptr_t)stop->done - (uintptr_t)c);
		for (uint32_t i = 0; i < stop->done->n_groups; i++)
			to[1 + i] = entry[1 + i];
		c->buffer_next += 8 * (uint64_t)stop->done->entry_words;
	}
	wn_native_flush(c);
}

/* In a block; false if it is about to leave anyway. */
static bool
take_from_block(struct context *c, const struct block *b)
{
	struct stop stop;
	wn_native_find_stop(c, b, (const uint8_t *)(uintptr_t)c->pc, &stop);
	if (stop.next == STOP_LEAVES)
		return false;
	uint64_t pc = stop.next == STOP_AT_RCX ? c->gpr[RCX] : stop.pc;
	for (unsigned r = 0; r < REG_N; r++)
		if (stop.slot_of[r] < SCRATCH_N)
			c->gpr[r] = c->scratch[stop.slot_of[r]];
	if (stop.has_flags)
		take_kept_flags(c);
	if (stop.has_pushed) {
		c->call_sp = c->gpr[RSP];
		c->was_call = 1;
	}
	c->pc = pc;
	c->every -= stop.has_every;
	bool is_whole = stop.n_done == b->bundle.n_insn;
	if (stop.is_entered && (!is_whole || stop.is_repeating))
		take_back(c, b, &stop);
	return true;
}

/* On its way from an indirect branch; `kept_pc` is where that leads, once it has been stored. */
static void
take_from_indirect(struct context *c, enum account account, uint64_t kept_pc)
{
	const uint8_t *at = (const uint8_t *)(uintptr_t)c->pc,
		      *trampoline = c->trampoline_indirect[account];
	enum { STORE_BYTES = 7 };
	c->pc = at <= trampoline + 2 * STORE_BYTES ? c->gpr[RCX] : kept_pc;
	if (at > trampoline)
		c->gpr[RAX] = c->scratch[0];
	if (at > trampoline + STORE_BYTES)
		c->gpr[RDX] = c->scratch[2];
	c->gpr[RCX] = c->scratch[1];
}

/* The program's registers and where it goes on, from the processor's: false if the engine runs. */
static bool
take_state(struct context *c, const struct kernel_context *k)
{
	const uint8_t *at = (const uint8_t *)(uintptr_t)k->rip;
	if (c->is_ready || (at >= c->trampoline_resume_checked && at < c->trampoline_resume_end)) {
		/* as if it had gone on already; not on the way to the engine for another signal */
		c->pc = c->target;
	} else if (at >= c->code_start && at < c->trampolines_end) {
		for (enum account w = ACCOUNT_USER; w < ACCOUNTS_N; w++) {
			const uint8_t *end =
			    w + 1 < ACCOUNTS_N ? c->trampoline_indirect[w + 1] : c->trampolines_end;
			if (at >= c->trampoline_indirect[w] && at < end) {
				uint64_t kept_pc = c->pc;
				take_registers(c, k);
				take_from_indirect(c, w, kept_pc);
				return true;
			}
		}
		return false;
	} else if (at >= c->code_start && at < c->code_end) {
		const struct block *b = wn_native_block_of(c, at);
		if (!b)
			return false;
		uint64_t saved_pc = c->pc;
		uint64_t saved[REG_N], saved_flags = c->flags;
		memcpy(saved, c->gpr, sizeof saved);
		take_registers(c, k);
		if (take_from_block(c, b))
			return true;
		memcpy(c->gpr, saved, sizeof saved);
		c->flags = saved_flags;
		c->pc = saved_pc;
		return false;
	} else if (c->is_inside) {
		return false;
	} else {
		take_registers(c, k);   /* where it stands */
		if (c->pc == c->target) /* and has not left */
			c->t->slot->is_lost = 0;
		return true;
	}
	const struct block *b = wn_native_block_of(c, (const uint8_t *)(uintptr_t)c->pc);
	return !b || take_from_block(c, b);
}

/* ---- the frame ---- */

static uint64_t
vectors_bytes(uint64_t vectors)
{
	enum { WORDS_AT = 464, BYTES = 512, MAGIC = 0x46505853 };
	uint32_t words[2];
	memcpy(words, (const uint8_t *)(uintptr_t)vectors + WORDS_AT, sizeof words);
	return words[0] == MAGIC ? words[1] : BYTES;
}

static bool
is_on_alternate(const struct context *c, uint64_t sp)
{
	return !((unsigned)c->alternate.ss_flags & (SS_DISABLE | AUTODISARM)) &&
	       sp - (uintptr_t)c->alternate.ss_sp - 1 < c->alternate.ss_size;
}

static bool
is_fault(int number, const siginfo_t *info)
{
	return (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
	        number == SIGTRAP) &&
	       info->si_code > 0;
}

/* What the program's handler finds. */
static void
enter_handler(struct context *c, int number, const siginfo_t *info, const struct kernel_context *k)
{
	struct kernel_action action = actions[number];
	uint64_t sp = c->gpr[RSP];
	if ((action.flags & SA_ONSTACK) && !(c->alternate.ss_flags & SS_DISABLE) &&
	    !is_on_alternate(c, sp))
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
		f->context.gpr[i] = c->gpr[order[i]];
	f->context.rip = c->pc;
	f->context.eflags = c->flags;
	f->context.vectors = vectors;
	memcpy(&f->info, info, sizeof f->info);
	if ((uintptr_t)info->si_addr == k->rip && is_fault(number, info)) /* of the instruction */
		f->info.si_addr = (void *)(uintptr_t)c->pc;
	c->gpr[RSP] = sp;
	c->gpr[RDI] = (uint64_t)number;
	c->gpr[RSI] = (uintptr_t)&f->info;
	c->gpr[RDX] = (uintptr_t)&f->context;
	c->gpr[RAX] = 0;
	c->flags &= ~(uint64_t)(FLAG_DF | FLAG_TF);
	c->pc = action.handler;
	if (action.flags & SA_RESETHAND) {
		actions[number] = (struct kernel_action){0};
		if (number != SIGNAL_OWN)
			set_default(number);
	}
}

/* The kernel's frame is left for the engine, which goes on as the context says. */
static void
return_to_engine(struct context *c, struct kernel_context *k)
{
	k->rip = (uintptr_t)c->trampoline_enter;
	k->gpr[15] = (uintptr_t)&c->stack[STACK_ENGINE_BYTES - 64];
	k->eflags = 0x202;
	k->stack = (stack_t){.ss_sp = c->signal_stack, .ss_size = STACK_SIGNAL_BYTES};
	c->exit = (uintptr_t)&c->exit_indirect;
	c->is_inside = 1;
	c->is_ready = false;
}

static struct context *
context_here(void)
{
	uintptr_t at = (uintptr_t)__builtin_frame_address(0);
	return *(struct context **)(at / STACK_SIGNAL_BYTES * STACK_SIGNAL_BYTES);
}

/* ---- the end ---- */

#define PARK_WAITS_N 2000
#define PARK_WAIT_NS 100000

static _Atomic bool is_parking;
static _Atomic uint32_t n_parked;

/* All that has been counted of the thread is put down, and there is no more. */
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

/* ---- a signal ---- */

static void
on_signal(int number, siginfo_t *info, void *of)
{
	struct kernel_context *k = of;
	struct context *c = context_here();
	bool is_own = number == SIGNAL_OWN;
	if (k->eflags & FLAG_AC) /* which this code does not stand */
		__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~FLAG_AC);
	if (is_own && c->is_ready) {
		number = c->pending.info.si_signo;
		info = &c->pending.info;
		k->mask = c->pending.mask;
		is_own = number == SIGNAL_OWN;
	}
	bool is_step = number == SIGTRAP && info->si_code == TRAP_TRACE;
	if (is_step) /* instruction by instruction it is not followed */
		k->eflags &= ~(uint64_t)FLAG_TF;
	if (!take_state(c, k)) {
		if (is_step)
			return;
		if (is_fault(number, info)) { /* the engine's own: again, and that is the end */
			set_default(number);
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
	struct kernel_action action = actions[number];
	if (is_own && action.handler == 0) { /* the program's, after all: again, that is its end */
		set_default(number);
		send_own(c);
	}
	if (action.handler > 1) {
		enter_handler(c, number, info, k);
		k->mask |= action.mask;
		if (!(action.flags & SA_NODEFER))
			k->mask |= 1ul << (number - 1);
		k->vectors = 0;
	}
	return_to_engine(c, k);
}

/* All that the program has is in the context and the processor's vector registers, and signals are
 * blocked: the engine's own comes in place of the one that waits, before all that came later, and
 * finds it so. */
void
wn_native_deliver(struct context *c)
{
	uint64_t others = ~(1ul << (SIGNAL_OWN - 1));
	c->is_pending = 0;
	send_own(c);
	c->is_ready = true;
	wn_native_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &others, 0L, 8L, 0L, 0L);
	c->is_ready = false; /* it was not let through */
	wn_native_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &c->pending.mask, 0L, 8L, 0L, 0L);
}

/* ---- system calls ---- */

static long
do_action(struct context *c)
{
	uint64_t *g = c->gpr;
	uint64_t number = g[RDI];
	const struct kernel_action *new = (const struct kernel_action *)g[RSI];
	struct kernel_action *old = (struct kernel_action *)g[RDX];
	if (number == 0 || number >= SIGNALS_N || g[R10] != 8 || c->is_borrowed)
		return wn_native_call(SYS_rt_sigaction, number, new, old, g[R10], 0L, 0L);
	struct kernel_action was = actions[number], installed, were;
	if ((new && !wn_native_is_readable(new, sizeof *new)) ||
	    (old && wn_native_call(SYS_rt_sigaction, number, 0L, old, 8L, 0L, 0L) != 0))
		return -EFAULT_;
	if (new) {
		installed = *new;
		if (new->handler > 1 || number == SIGNAL_OWN) {
			installed.handler = (uintptr_t)on_signal;
			installed.flags = (new->flags &(SA_RESTART | SA_NOCLDSTOP | SA_NOCLDWAIT)) |
			                  SA_SIGINFO | SA_ONSTACK | RESTORER_FLAG;
			installed.restorer = (uintptr_t)wn_native_restorer;
			installed.mask = UINT64_MAX;
			actions[number] = *new;
		}
	}
	long result =
	    wn_native_call(SYS_rt_sigaction, number, new ? &installed : NULL, &were, 8L, 0L, 0L);
	if (result != 0) {
		actions[number] = was;
		return result;
	}
	if (new)
		actions[number] = *new;
	if (old)
		*old = were.handler == (uintptr_t)on_signal ? was : were;
	return 0;
}

static long
do_alternate(struct context *c)
{
	const stack_t *new = (const stack_t *)c->gpr[RDI];
	stack_t *old = (stack_t *)c->gpr[RSI];
	stack_t was = c->alternate;
	bool is_on = is_on_alternate(c, c->gpr[RSP]);
	/* the kernel knows where nothing can be written */
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

/* The registers are the frame's; what else is in it, the kernel takes from it. */
void
wn_native_return(struct context *c)
{
	struct kernel_context *k = (struct kernel_context *)c->gpr[RSP];
	take_registers(c, k);
	c->alternate = k->stack;
	c->alternate.ss_flags &= ~SS_ONSTACK;
	c->holds_signals = false; /* the frame says what is blocked */
	return_to_engine(c, k);
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
