/* SPDX-License-Identifier: MIT */
/*
 * faults.c - what a program does that catches its own faults: it is told the place and the
 * registers of its own code, changes them, goes on or jumps out; and what it dies of.
 */
#include "life.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#define PAGE 4096u

static sigjmp_buf back;
static volatile int n_faults;
static siginfo_t last; /* of the fault that was jumped out of */
static mcontext_t context;
static char *page;

static void
take(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};

	sigemptyset(&action.sa_mask);
	MUST(sigaction(signal, &action, NULL) == 0);
}

static void
jump(int signal, siginfo_t *info, void *given)
{
	n_faults++;
	last = *info;
	context = ((ucontext_t *)given)->uc_mcontext;
	siglongjmp(back, signal);
}

static char *
map(size_t bytes, int protection)
{
	char *at = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(at != MAP_FAILED);
	return at;
}

static uintptr_t
rip(void)
{
	return (uintptr_t)context.gregs[REG_RIP];
}

static void
open_page(int signal, siginfo_t *info, void *given)
{
	(void)signal, (void)given;
	if (info->si_code != SEGV_ACCERR || (char *)info->si_addr < page ||
	    (char *)info->si_addr >= page + PAGE)
		life_wrong(__FILE__, __LINE__, "another fault");
	n_faults++;
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

/* As a collector or a copier of pages does: each first write to a page is let in. */
static void
let_in(void)
{
	uint64_t sum = 0;

	take(SIGSEGV, open_page, 0);
	page = map(PAGE, PROT_READ);
	for (int i = 0; i < 200; i++) {
		mprotect(page, PAGE, PROT_READ);
		*(volatile int *)(page + 4 * i) = i;
		*(volatile int *)(page + 4 * i + 4) = i;
		MUST(n_faults == i + 1);
	}
	for (int i = 0; i < 200; i++)
		sum += (uint64_t)((int *)page)[i];
	MUST(sum == 199 * 100);
	mprotect(page, PAGE, PROT_READ);
	*(volatile int *)page = 0;
	__asm__ volatile("lock addl $5, (%0); lock addl $6, (%0)" : : "r"(page) : "memory", "cc");
	MUST(*(int *)page == 11);
	mprotect(page, PAGE, PROT_READ);
	__asm__ volatile("lock addl $5, (%0)" : : "r"(page) : "memory", "cc");
	MUST(*(int *)page == 16);
}

extern const char bad_load[], bad_store[], bad_undefined[], bad_trap[], bad_division[];

static void
jump_out(void)
{
	page = map(PAGE, PROT_NONE);
	take(SIGSEGV, jump, 0);
	for (volatile int i = 0; i < 300; i++) {
		uint64_t value = 0;
		if (sigsetjmp(back, 1) == 0) {
			__asm__ volatile("bad_load: movq 16(%1), %0" : "=r"(value) : "r"(page));
			MUST(value == 1 && value == 2);
		}
		MUST(n_faults == i + 1 && last.si_code == SEGV_ACCERR);
		MUST((char *)last.si_addr == page + 16 && rip() == (uintptr_t)bad_load);
	}
	munmap(page, PAGE);
	if (sigsetjmp(back, 1) == 0)
		__asm__ volatile("bad_store: movb $1, 7(%0)" : : "r"(page) : "memory");
	MUST(last.si_code == SEGV_MAPERR && (char *)last.si_addr == page + 7);
	MUST(rip() == (uintptr_t)bad_store && n_faults == 301);
	if (sigsetjmp(back, 1) == 0)
		__asm__ volatile("movb %%al, (%0)" : : "r"(NULL) : "memory");
	MUST(last.si_code == SEGV_MAPERR && last.si_addr == NULL);
}

static void
not_canonical(void)
{
	take(SIGSEGV, jump, 0);
	if (sigsetjmp(back, 1) == 0)
		__asm__ volatile("movb (%0), %%al" : : "r"(0x1234567812345678) : "rax");
	MUST(n_faults == 1 && last.si_signo == SIGSEGV);
	tell("code %d address %p", last.si_code, last.si_addr);
}

/* Calls of what is no code: told where it is, after the return address was pushed. */
static void
no_code(void)
{
	char *places[] = {map(PAGE, PROT_READ | PROT_WRITE), map(PAGE, PROT_NONE), (char *)64};
	void *stack;

	memset(places[0], 0xc3, PAGE);
	take(SIGSEGV, jump, 0);
	for (volatile int i = 0; i < 3; i++) {
		if (sigsetjmp(back, 1) == 0) {
			__asm__ volatile("movq %%rsp, %0; leaq -128(%%rsp), %%rsp; callq *%1; "
			                 "leaq 128(%%rsp), %%rsp"
			                 : "=&m"(*(void *volatile *)&stack)
			                 : "r"(places[i])
			                 : "memory");
			life_wrong(__FILE__, __LINE__, "was called");
		}
		MUST(rip() == (uintptr_t)places[i] && (char *)last.si_addr == places[i]);
		MUST((char *)context.gregs[REG_RSP] == (char *)stack - 136);
		MUST(last.si_code == (i == 2 ? SEGV_MAPERR : SEGV_ACCERR));
	}
	/* the target cannot be read: nothing is pushed */
	if (sigsetjmp(back, 1) == 0)
		__asm__ volatile("movq %%rsp, %0; callq *(%1)"
		                 : "=&m"(*(void *volatile *)&stack)
		                 : "r"(places[1])
		                 : "memory");
	MUST((char *)context.gregs[REG_RSP] == (char *)stack && (char *)last.si_addr == places[1]);
}

static void
skip_division(int signal, siginfo_t *info, void *given)
{
	ucontext_t *c = given;

	(void)signal;
	if (info->si_code != FPE_INTDIV || (const char *)info->si_addr != bad_division ||
	    (const char *)c->uc_mcontext.gregs[REG_RIP] != bad_division)
		life_wrong(__FILE__, __LINE__, "not the division");
	c->uc_mcontext.gregs[REG_RIP] += 2;
	c->uc_mcontext.gregs[REG_RAX] = 4711;
	n_faults++;
}

static void
division(void)
{
	take(SIGFPE, skip_division, 0);
	for (int i = 0; i < 300; i++) {
		int a = 5 + i, d = 0, zero = i % 3;
		__asm__ volatile("bad_division: idivl %2" : "+a"(a), "+d"(d) : "c"(zero) : "cc");
		MUST(a == (zero ? (5 + i) / zero : 4711));
	}
	MUST(n_faults == 100);
	/* the quotient that is too large */
	take(SIGFPE, jump, 0);
	if (sigsetjmp(back, 1) == 0) {
		int a = INT32_MIN, d = -1, b = -1;
		__asm__ volatile("idivl %2" : "+a"(a), "+d"(d) : "c"(b) : "cc");
		life_wrong(__FILE__, __LINE__, "was divided");
	}
	MUST(last.si_signo == SIGFPE && last.si_code == FPE_INTDIV);
}

/* Every register comes in as the program had it, and goes out as the handler has made it. */
static uint64_t seen[17];
static const int numbers[] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
                              REG_RBP, REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12,
                              REG_R13, REG_R14, REG_R15, REG_RSP};

static void
change(int signal, siginfo_t *info, void *given)
{
	ucontext_t *c = given;

	(void)signal, (void)info;
	for (int i = 0; i < 16; i++)
		seen[i] = (uint64_t)c->uc_mcontext.gregs[numbers[i]];
	for (int i = 0; i < 15; i++)
		c->uc_mcontext.gregs[numbers[i]] ^= 0x5500000000000000;
	seen[16] = (uint64_t)c->uc_mcontext.gregs[REG_EFL];
	c->uc_mcontext.gregs[REG_EFL] ^= 0x8c1; /* carry, zero, sign, overflow */
	c->uc_mcontext.gregs[REG_RIP] += 2;
	uint32_t *xmm = c->uc_mcontext.fpregs->_xmm[5].element;
	MUST(xmm[0] == 0x11111111 && xmm[3] == 0x44444444);
	xmm[2] = 0xabcdef;
	n_faults++;
}

uint64_t change_registers(uint64_t *out, const uint32_t *xmm);
__asm__(".text\n.globl change_registers\n.type change_registers, @function\nchange_registers:\n\t"
        "push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15; push %rdi\n\t"
        "movups (%rsi), %xmm5\n\t"
        "mov $1, %eax; mov $2, %ebx; mov $3, %ecx; mov $4, %edx; mov $5, %esi; mov $6, %edi\n\t"
        "mov $7, %ebp; mov $8, %r8d; mov $9, %r9d; mov $10, %r10d; mov $11, %r11d\n\t"
        "mov $12, %r12d; mov $13, %r13d; mov $14, %r14d; mov $15, %r15d\n\t"
        "cmp $1, %eax\n" /* zero is set, and parity */
        "bad_undefined: ud2\n\t"
        "xchg %rax, (%rsp); mov %rbx, 8(%rax); mov %rcx, 16(%rax); mov %rdx, 24(%rax)\n\t"
        "mov %rsi, 32(%rax); mov %rdi, 40(%rax); mov %rbp, 48(%rax); mov %r8, 56(%rax)\n\t"
        "mov %r9, 64(%rax); mov %r10, 72(%rax); mov %r11, 80(%rax); mov %r12, 88(%rax)\n\t"
        "mov %r13, 96(%rax); mov %r14, 104(%rax); mov %r15, 112(%rax); mov (%rsp), %rbx\n\t"
        "mov %rbx, (%rax); mov %rsp, 120(%rax); pushf; pop 128(%rax); movups %xmm5, 136(%rax)\n\t"
        "pop %rax; pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; ret\n"
        ".size change_registers, . - change_registers\n");

static void
registers(void)
{
	static const uint32_t xmm[4] = {0x11111111, 0x22222222, 0x33333333, 0x44444444};
	uint64_t out[19];

	take(SIGILL, change, 0);
	for (int round = 0; round < 50; round++) {
		change_registers(out, xmm);
		for (uint64_t i = 0; i < 15; i++)
			MUST(seen[i] == i + 1 && out[i] == ((i + 1) | 0x5500000000000000));
		MUST(out[15] == seen[15] && (seen[16] & 0x8c1) == 0x40);
		MUST((out[16] & 0x8d5) == (0x881 | (seen[16] & 0x14)));
		MUST(out[17] == 0x2222222211111111 && out[18] == 0x4444444400abcdef);
	}
	MUST(n_faults == 50);
}

static void
undefined(void)
{
	take(SIGILL, jump, 0);
	for (volatile int i = 0; i < 20; i++) {
		if (sigsetjmp(back, 1) == 0)
			__asm__ volatile("ud2");
		MUST(last.si_code == ILL_ILLOPN && rip() == (uintptr_t)last.si_addr);
		MUST(memcmp((void *)rip(), "\x0f\x0b", 2) == 0);
	}
	/* one that no processor knows in 64-bit code: the old les */
	if (sigsetjmp(back, 1) == 0)
		__asm__ volatile(".byte 0x06");
	MUST(n_faults == 21 && *(unsigned char *)rip() == 6);
}

static void
count_trap(int signal, siginfo_t *info, void *given)
{
	const ucontext_t *c = given;

	(void)signal, (void)info;
	n_faults += (const char *)c->uc_mcontext.gregs[REG_RIP] == bad_trap + 1;
}

static void
trap(void)
{
	take(SIGTRAP, count_trap, 0);
	/* volatile: gcc 14 would unroll it, and a label is there once */
	for (volatile int i = 0; i < 20; i++)
		__asm__ volatile("bad_trap: int3");
	MUST(n_faults == 20);
}

static void
bus(void)
{
	int fd = memfd_create("short", 0);

	MUST(ftruncate(fd, 100) == 0);
	volatile char *file = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	file[0] = 1;
	take(SIGBUS, jump, 0);
	if (sigsetjmp(back, 1) == 0)
		file[PAGE] = 1;
	MUST(n_faults == 1 && last.si_code == BUS_ADRERR);
	MUST((volatile char *)last.si_addr == file + PAGE);
}

static __attribute__((noinline)) int
deeper(volatile int *above)
{
	volatile int here[100];

	here[0] = *above + 1;
	return here[0] < 0 ? 0 : deeper(here) + here[0];
}

static void
overflow(void)
{
	static char own[65536];
	stack_t stack = {.ss_sp = own, .ss_size = sizeof own};
	volatile int start = 0;

	MUST(sigaltstack(&stack, NULL) == 0);
	take(SIGSEGV, jump, SA_ONSTACK);
	for (volatile int i = 0; i < 3; i++) {
		if (sigsetjmp(back, 1) == 0)
			deeper(&start);
		MUST(n_faults == i + 1);
	}
}

/* A copy by one instruction that runs into a page it may not write, and goes on from there. */
static uint64_t left[3];

static void
open_rest(int signal, siginfo_t *info, void *given)
{
	const ucontext_t *c = given;

	(void)signal;
	left[0] = (uint64_t)c->uc_mcontext.gregs[REG_RCX];
	left[1] = (uint64_t)c->uc_mcontext.gregs[REG_RDI];
	left[2] = (uint64_t)c->uc_mcontext.gregs[REG_RSI];
	MUST((char *)info->si_addr == page + PAGE);
	mprotect(page + PAGE, PAGE, PROT_READ | PROT_WRITE);
	n_faults++;
}

static void
half_copy(void)
{
	static char text[2 * PAGE];

	page = map(2 * PAGE, PROT_READ | PROT_WRITE);
	take(SIGSEGV, open_rest, 0);
	for (unsigned i = 0; i < sizeof text; i++)
		text[i] = (char)(i * 7);
	for (int i = 0; i < 20; i++) {
		void *to = page + PAGE - 96, *from = text;
		size_t n = 256;
		memset(page, 0, 2 * PAGE);
		mprotect(page + PAGE, PAGE, PROT_READ);
		__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
		MUST(n == 0 && (char *)to == page + PAGE + 160 && (char *)from == text + 256);
		MUST(memcmp(page + PAGE - 96, text, 256) == 0 && n_faults == i + 1);
		MUST(left[1] - (uintptr_t)(page + PAGE - 96) == left[2] - (uintptr_t)text);
		MUST(left[0] + (left[2] - (uintptr_t)text) == 256 && left[0] <= 256);
	}
}

/* The address that is told is of the program, and of this function, wherever code is run. */
static void
names(void)
{
	void *(*volatile fill)(void *, int, size_t) = memset;
	Dl_info found;

	page = map(PAGE, PROT_NONE);
	take(SIGSEGV, jump, 0);
	if (sigsetjmp(back, 1) == 0)
		*(volatile char *)page = 1;
	MUST(dladdr((void *)rip(), &found) != 0);
	const char *name = strrchr(found.dli_fname, '/');
	const char *own = strrchr(life_argv[0], '/');
	MUST(strcmp(name ? name : found.dli_fname, own ? own : life_argv[0]) == 0);
	/* and of the C library, where it is at fault */
	if (sigsetjmp(back, 1) == 0)
		fill(page + 1, n_faults, 1000);
	MUST(n_faults == 2 && dladdr((void *)rip(), &found) != 0);
	MUST(strstr(found.dli_fname, "libc") != NULL);
}

static void
floating(void)
{
	volatile double zero = 0;

	take(SIGFPE, jump, 0);
	MUST(feenableexcept(FE_DIVBYZERO) >= 0);
	if (sigsetjmp(back, 1) == 0) {
		tell("%g", 1 / zero);
		life_wrong(__FILE__, __LINE__, "no fault");
	}
	MUST(last.si_code == FPE_FLTDIV && (uintptr_t)last.si_addr == rip());
}

/* The kernel says of a bad address what it says, and sends no signal. */
static void
bad_address(void)
{
	int ends[2];

	take(SIGSEGV, jump, 0);
	page = map(PAGE, PROT_NONE);
	MUST(pipe(ends) == 0);
	MUST(write(ends[1], page, 10) < 0 && errno == EFAULT);
	MUST(write(ends[1], "a", 1) == 1 && read(ends[0], page, 1) < 0 && errno == EFAULT);
	MUST(n_faults == 0);
}

/* One step after the other by the processor's own trap flag, as some debuggers' helpers do. */
static uintptr_t steps[16];

static void
count_step(int signal, siginfo_t *info, void *given)
{
	const ucontext_t *c = given;

	(void)signal, (void)info;
	if (n_faults < 16)
		steps[n_faults++] = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
}

extern const char step_first[];

static void
single_steps(void)
{
	take(SIGTRAP, count_step, 0);
	__asm__ volatile("pushf; orl $0x100, (%%rsp); popf; nop\n"
	                 "step_first: movl $1, %%eax; addl $2, %%eax; jmp 1f; nop\n"
	                 "1: pushf; andl $~0x100, (%%rsp); popf; nop"
	                 :
	                 :
	                 : "rax", "memory", "cc");
	MUST(n_faults == 7 && steps[0] == (uintptr_t)step_first);
	MUST(steps[1] == steps[0] + 5 && steps[2] == steps[1] + 3 && steps[3] == steps[2] + 3);
}

static __thread sigjmp_buf *volatile own_back;

static void
jump_own(int signal, siginfo_t *info, void *given)
{
	(void)info, (void)given;
	siglongjmp(*own_back, signal);
}

static void *
fault_in_thread(void *unused)
{
	sigjmp_buf here;
	volatile intptr_t n = 0;

	(void)unused;
	own_back = &here;
	while (n < 200) {
		if (sigsetjmp(here, 1) == 0)
			*(volatile char *)page = 1;
		n++;
	}
	return (void *)n;
}

static void
in_threads(void)
{
	pthread_t threads[4];
	void *result;

	page = map(PAGE, PROT_NONE);
	take(SIGSEGV, jump_own, 0);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, fault_in_thread, NULL);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &result);
		MUST((intptr_t)result == 200);
	}
}

/* Death, without a file of it. */
static void
quietly(void)
{
	MUST(setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}) == 0);
	tell("dies");
}

static void
dies_segv(void)
{
	quietly();
	*(volatile char *)map(PAGE, PROT_NONE) = 1;
}

static void
dies_abort(void)
{
	quietly();
	abort();
}

static void
dies_division(void)
{
	volatile int zero = 0;

	quietly();
	tell("%d", 10 / zero);
}

static void
dies_undefined(void)
{
	quietly();
	__asm__ volatile("ud2");
}

static void
dies_trap(void)
{
	quietly();
	__asm__ volatile("int3");
}

static void
dies_kill(void)
{
	quietly();
	kill(getpid(), SIGKILL);
}

static void
dies_term(void)
{
	quietly();
	kill(getpid(), SIGTERM);
	for (;;)
		pause();
}

static void *
die(void *unused)
{
	(void)unused;
	*(volatile char *)map(PAGE, PROT_NONE) = 1;
	return NULL;
}

static void
dies_thread(void)
{
	pthread_t thread;

	quietly();
	pthread_create(&thread, NULL, die, NULL);
	pthread_join(thread, NULL);
}

static void
give_up(int signal, siginfo_t *info, void *given)
{
	(void)info, (void)given;
	tell("handled once");
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigaction(signal, &action, NULL);
}

/* As crash reporters do: the handler puts the default back and returns into the fault. */
static void
dies_second(void)
{
	quietly();
	take(SIGSEGV, give_up, 0);
	*(volatile char *)map(PAGE, PROT_NONE) = 1;
}

/* Where nothing can be pushed, there is no place for a handler either. */
static void
dies_without_stack(void)
{
	quietly();
	take(SIGSEGV, give_up, 0);
	__asm__ volatile("movq %%rsp, %%rbx; movq %0, %%rsp; callq 1f\n1: movq %%rbx, %%rsp"
	                 :
	                 : "r"(map(64 * PAGE, PROT_NONE) + 32 * PAGE)
	                 : "rbx", "memory");
}

static void
dies_blocked(void)
{
	sigset_t all;

	quietly();
	take(SIGSEGV, give_up, 0);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	*(volatile char *)map(PAGE, PROT_NONE) = 1;
}

static void
dies_pipe(void)
{
	int ends[2];

	quietly();
	MUST(pipe(ends) == 0);
	close(ends[0]);
	MUST(write(ends[1], "a", 1) != 1);
}

static const struct life_case cases[] = {
    {"let-in", let_in, 0, 0},
    {"jump-out", jump_out, 0, 0},
    {"not-canonical", not_canonical, 0, 0},
    {"no-code", no_code, 0, 0},
    {"division", division, 0, 0},
    {"registers", registers, 0, 0},
    {"undefined", undefined, 0, 0},
    {"trap", trap, 0, 0},
    {"bus", bus, 0, 0},
    {"overflow", overflow, 0, 0},
    {"half-copy", half_copy, 0, 0},
    {"names", names, 0, 0},
    {"floating", floating, 0, 0},
    {"bad-address", bad_address, 0, 0},
    {"single-steps", single_steps, 0, 0},
    {"threads", in_threads, 0, 0},
    {"dies-segv", dies_segv, 128 + SIGSEGV, 0},
    {"dies-abort", dies_abort, 128 + SIGABRT, 0},
    {"dies-division", dies_division, 128 + SIGFPE, 0},
    {"dies-undefined", dies_undefined, 128 + SIGILL, 0},
    {"dies-trap", dies_trap, 128 + SIGTRAP, 0},
    {"dies-kill", dies_kill, 128 + SIGKILL, 0},
    {"dies-term", dies_term, 128 + SIGTERM, 0},
    {"dies-thread", dies_thread, 128 + SIGSEGV, 0},
    {"dies-second", dies_second, 128 + SIGSEGV, 0},
    {"dies-without-stack", dies_without_stack, 128 + SIGSEGV, 0},
    {"dies-blocked", dies_blocked, 128 + SIGSEGV, 0},
    {"dies-pipe", dies_pipe, 128 + SIGPIPE, 0},
};

LIFE_MAIN(cases)
