/* SPDX-License-Identifier: MIT */
/*
 * ticks.c - calculations that thousands of signals interrupt, whose handlers use the same
 * registers: what is calculated is what it is without signals.
 */
#include "life.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>

enum { TICKS = 1500 };

static volatile int n_ticks;
static volatile double noise = 1.25;
static volatile int vector_bytes; /* of the widest registers that may be used */

/* Leaves nothing in any register as it was. */
static void
dirty(void)
{
	__asm__ volatile(
	    "xorl %%eax, %%eax; movl $-1, %%ebx; movl %%ebx, %%ecx; cdq; "
	    "movl $77, %%esi; movl $78, %%edi; movq %%rbx, %%r8; movq %%rbx, %%r9; "
	    "movq %%rax, %%r10; movq %%rax, %%r11; movq %%rbx, %%r12; movq %%rbx, %%r13; "
	    "movq %%rax, %%r14; movq %%rbx, %%r15; stc; "
	    "pcmpeqd %%xmm0, %%xmm0; movdqa %%xmm0, %%xmm1; movdqa %%xmm0, %%xmm2; "
	    "movdqa %%xmm0, %%xmm3; movdqa %%xmm0, %%xmm7; movdqa %%xmm0, %%xmm12; "
	    "movdqa %%xmm0, %%xmm15; fld1; fldpi; fmulp; fstp %%st(0)"
	    :
	    :
	    : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
	      "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm7", "xmm12", "xmm15", "cc");
	if (vector_bytes >= 32)
		__asm__ volatile(
		    "vxorps %%xmm1, %%xmm1, %%xmm1; vcmptrueps %%ymm1, %%ymm1, %%ymm0; "
		    "vmovaps %%ymm0, %%ymm5; vmovaps %%ymm0, %%ymm9; vzeroupper"
		    :
		    :
		    : "xmm0", "xmm1", "xmm5", "xmm9");
	if (vector_bytes >= 64)
		__asm__ volatile(".byte 0x62, 0xa1, 0x7d, 0x40, 0xef, 0xc0\n\t" /* vpxord zmm16 */
		                 "kxorw %%k1, %%k1, %%k1"
		                 :
		                 :
		                 : "memory");
	noise = noise * 1.5 + 1;
	noise = noise > 1e6 ? 1.25 : noise;
}

static void
tick(int signal)
{
	(void)signal;
	dirty();
	n_ticks++;
}

static void
start(__itimer_which_t which, long us)
{
	struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
	struct itimerval time = {{0, us}, {0, us}};

	__builtin_cpu_init();
	vector_bytes = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? 64
	               : __builtin_cpu_supports("avx2")                                        ? 32
	                                                                                       : 16;
	sigemptyset(&action.sa_mask);
	sigaction(which == ITIMER_REAL   ? SIGALRM
	          : which == ITIMER_PROF ? SIGPROF
	                                 : SIGVTALRM,
	          &action, NULL);
	MUST(setitimer(which, &time, NULL) == 0);
}

/* All registers but the stack's are filled, and each is mixed with its neighbour, n times. */
uint64_t registers_mix(uint64_t *out, uint64_t n);
__asm__(".text\n.globl registers_mix\n.type registers_mix, @function\nregisters_mix:\n\t"
        "push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15; push %rdi\n\t"
        "mov %rsi, %rcx\n\t"
        "mov $11, %eax; mov $12, %ebx; mov $13, %edx; mov $14, %esi; mov $15, %edi\n\t"
        "mov $16, %ebp; mov $17, %r8d; mov $18, %r9d; mov $19, %r10d; mov $20, %r11d\n\t"
        "mov $21, %r12d; mov $22, %r13d; mov $23, %r14d; mov $24, %r15d; clc\n"
        "1: adc %rbx, %rax; rol $7, %rax; adc %rdx, %rbx; adc %rsi, %rdx; rol $11, %rdx\n\t"
        "adc %rdi, %rsi; adc %rbp, %rdi; rol $3, %rdi; adc %r8, %rbp; adc %r9, %r8\n\t"
        "adc %r10, %r9; rol $17, %r9; adc %r11, %r10; adc %r12, %r11; adc %r13, %r12\n\t"
        "rol $29, %r12; adc %r14, %r13; adc %r15, %r14; adc %rax, %r15; rol $5, %r15\n\t"
        /* some that goes through memory below the stack's end */
        "mov %rax, -8(%rsp); mov %r15, -128(%rsp); mov -8(%rsp), %rax; mov -128(%rsp), %r15\n\t"
        "lea -1(%rcx), %rcx; jrcxz 2f; jmp 1b\n"
        "2: xchg %rax, (%rsp); mov %rbx, 8(%rax); mov %rdx, 16(%rax); mov %rsi, 24(%rax)\n\t"
        "mov %rdi, 32(%rax); mov %rbp, 40(%rax); mov %r8, 48(%rax); mov %r9, 56(%rax)\n\t"
        "mov %r10, 64(%rax); mov %r11, 72(%rax); mov %r12, 80(%rax); mov %r13, 88(%rax)\n\t"
        "mov %r14, 96(%rax); mov %r15, 104(%rax); mov (%rsp), %rbx; mov %rbx, (%rax)\n\t"
        "pop %rax; pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; ret\n"
        ".size registers_mix, . - registers_mix\n");

static uint64_t
general(void)
{
	uint64_t out[14];

	registers_mix(out, 20000);
	return life_hash(1, out, sizeof out);
}

static uint64_t
x87(void)
{
	long double a = 1, b = 0.5L, c = 0.125L;
	unsigned char bytes[10];

	for (int i = 1; i < 5000; i++) {
		a = a * 1.0000001L + b / i;
		b = b + c * a;
		c = c / (1 + c * a);
	}
	a += b + c;
	memcpy(bytes, &a, 10);
	return life_hash(2, bytes, sizeof bytes);
}

static uint64_t
sse(void)
{
	double out[8] = {1, 2, 3, 4, 5, 6, 7, 8};

	for (int i = 0; i < 5000; i++)
		for (int k = 0; k < 8; k++)
			out[k] = out[k] * 1.000001 + out[(k + 3) % 8] * 1e-5;
	return life_hash(3, out, sizeof out);
}

__attribute__((target("avx2,fma"))) static uint64_t
avx(void)
{
	typedef double v4 __attribute__((vector_size(32)));
	v4 a = {1, 2, 3, 4}, b = {5, 6, 7, 8}, c = {1.5, 2.5, 3.5, 4.5}, d = {9, 8, 7, 6};
	uint64_t hash = 4;

	for (int i = 0; i < 10000; i++) {
		a = a * 0.999 + b * 0.001;
		b = b + c * 1e-6;
		c = c * 0.9999 + d * 0.0001;
		d = d + a * 1e-7;
		__asm__ volatile("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d));
	}
	hash = life_hash(hash, &a, sizeof a);
	hash = life_hash(hash, &b, sizeof b);
	return life_hash(hash, &d, sizeof d);
}

__attribute__((target("avx512f,avx512dq"))) static uint64_t
avx512(void)
{
	uint64_t out[24], n = 20000;

	for (int i = 0; i < 24; i++)
		out[i] = 0x9e3779b97f4a7c15u * (unsigned)(i + 1);
	__asm__ volatile("vmovdqu64 (%1), %%zmm16; vmovdqu64 64(%1), %%zmm30; "
	                 "vmovdqu64 128(%1), %%zmm3; movl $0x5a, %%eax; kmovw %%eax, %%k1\n"
	                 "1: vpaddq %%zmm16, %%zmm30, %%zmm16; vprolq $13, %%zmm30, %%zmm30; "
	                 "vpxorq %%zmm3, %%zmm30, %%zmm30%{%%k1%}; vpaddq %%zmm3, %%zmm16, %%zmm3; "
	                 "dec %0; jnz 1b\n\t"
	                 "vmovdqu64 %%zmm16, (%1); vmovdqu64 %%zmm30, 64(%1); "
	                 "vmovdqu64 %%zmm3, 128(%1); vzeroupper"
	                 : "+r"(n)
	                 : "r"(out)
	                 : "rax", "memory", "cc", "xmm3", "xmm16", "xmm30", "k1");
	return life_hash(5, out, sizeof out);
}

/* A loop that is all in one place, without calls. */
extern const char spin_begin[], spin_end[];
void spin(uint64_t n);
__asm__(".text\n.globl spin\n.type spin, @function\nspin: spin_begin:\n"
        "1: add $3, %rax; imul $7, %rax, %rdx; jc 2f; xor %rdx, %rax\n2: dec %rdi; jnz 1b; ret\n"
        "spin_end:\n.size spin, . - spin\n");

static void
until_interrupted(uint64_t (*calculate)(void), __itimer_which_t which, long us, int ticks)
{
	uint64_t known = calculate();
	uint64_t n = 0;

	start(which, us);
	while (n_ticks < ticks) {
		MUST(calculate() == known);
		n++;
	}
	MUST(n > 0);
	setitimer(which, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
	tell("%016llx", (unsigned long long)known);
}

static void
in_general(void)
{
	until_interrupted(general, ITIMER_REAL, 200, TICKS);
}

static void
in_x87(void)
{
	until_interrupted(x87, ITIMER_REAL, 200, TICKS);
}

static void
in_sse(void)
{
	until_interrupted(sse, ITIMER_REAL, 200, TICKS);
}

static void
in_avx(void)
{
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		until_interrupted(avx, ITIMER_REAL, 200, TICKS);
}

/* Says nothing of the number, which an emulator without such registers does not have. */
static void
in_avx512(void)
{
	__builtin_cpu_init();
	if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq"))
		return;
	uint64_t known = avx512();
	start(ITIMER_REAL, 200);
	while (n_ticks < TICKS)
		MUST(avx512() == known);
}

static void
of_cpu_time(void)
{
	until_interrupted(general, ITIMER_PROF, 1000, 25);
}

static void
of_user_time(void)
{
	until_interrupted(sse, ITIMER_VIRTUAL, 1000, 25);
}

static void
by_timer_create(void)
{
	struct sigaction action = {.sa_handler = tick};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1};
	struct itimerspec time = {{0, 300000}, {0, 300000}};
	timer_t timer;

	sigaction(SIGRTMIN + 1, &action, NULL);
	uint64_t known = x87();
	MUST(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	MUST(timer_settime(timer, 0, &time, NULL) == 0);
	while (n_ticks < 500)
		MUST(x87() == known);
	timer_delete(timer);
}

/* Calls and returns in place of a loop: fib by its definition. */
static __attribute__((noinline)) int
fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static uint64_t
calls(void)
{
	return (uint64_t)fib(16);
}

static void
in_calls(void)
{
	until_interrupted(calls, ITIMER_REAL, 200, TICKS);
}

static uint64_t
copies(void)
{
	static unsigned char a[4096], b[4096];
	uint64_t hash = 6;

	for (int i = 0; i < 20; i++) {
		void *to = a, *from = b;
		size_t n = sizeof a - 5;
		memset(b, i, 100);
		__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
		to = b + 1, n = 1000;
		__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(i * 7) : "memory");
		hash = life_hash(hash, a, 1024);
		hash = life_hash(hash, b, 1024);
	}
	memset(a, 0, sizeof a);
	memset(b, 0, sizeof b);
	return hash;
}

static void
in_copies(void)
{
	until_interrupted(copies, ITIMER_REAL, 200, TICKS);
}

/* System calls that signals interrupt, which are begun again. */
static uint64_t
system_calls(void)
{
	char byte = 1;
	int ends[2];
	uint64_t sum = 0;

	MUST(pipe(ends) == 0);
	for (int i = 0; i < 50; i++) {
		MUST(write(ends[1], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1);
		sum += (uint64_t)(syscall(SYS_getpid) == getpid());
	}
	close(ends[0]);
	close(ends[1]);
	return sum;
}

static void
in_system_calls(void)
{
	until_interrupted(system_calls, ITIMER_REAL, 200, TICKS);
}

/* Where the program is told to be, when it is interrupted. */
static volatile int n_within, n_unknown;

static void
look_where(int signal, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;
	const char *at = (const char *)c->uc_mcontext.gregs[REG_RIP];
	Dl_info found;

	(void)signal, (void)info;
	if (at >= spin_begin && at < spin_end)
		n_within++;
	else if (!dladdr(at, &found))
		n_unknown++;
	n_ticks++;
}

static void
where(void)
{
	struct sigaction action = {.sa_sigaction = look_where, .sa_flags = SA_SIGINFO};

	start(ITIMER_REAL, 500);
	sigaction(SIGALRM, &action, NULL);
	n_ticks = 0;
	while (n_ticks < 400)
		spin(20000);
	setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
	if (n_unknown > 0)
		tell("%d of 400 places belong to nothing that is loaded", (int)n_unknown);
	MUST(n_within > 200);
}

/* Another thread is sent one signal after the other. */
static volatile bool is_over;
static volatile pid_t taken_by;
static volatile int n_rounds;

static void
take(int signal)
{
	(void)signal;
	taken_by = (pid_t)syscall(SYS_gettid);
	dirty();
	n_ticks++;
}

static void *
calculate(void *result)
{
	uint64_t known = *(uint64_t *)result;

	while (!is_over) {
		MUST(general() == known && sse() == sse());
		n_rounds++;
	}
	return (void *)(intptr_t)syscall(SYS_gettid);
}

static void
to_thread(void)
{
	uint64_t known = general();
	pthread_t thread;
	void *id;

	signal(SIGUSR1, take);
	pthread_create(&thread, NULL, calculate, &known);
	for (int i = 0; i < 500; i++) {
		int before = n_ticks;
		MUST(pthread_kill(thread, SIGUSR1) == 0);
		while (n_ticks == before)
			sched_yield();
	}
	is_over = true;
	pthread_join(thread, &id);
	MUST(n_ticks == 500 && taken_by == (pid_t)(intptr_t)id && taken_by != getpid());
}

static void *
calculate_ticks(void *unused)
{
	uint64_t known = general();

	(void)unused;
	while (n_ticks < TICKS)
		MUST(general() == known && fib(12) == 144);
	return NULL;
}

static void
in_threads(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, calculate_ticks, NULL);
	start(ITIMER_REAL, 200);
	calculate_ticks(NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

/* A team that calculates; its tasks are recorded while signals come. */
static void
in_team(void)
{
	uint64_t sum = 0;

	start(ITIMER_REAL, 300);
#pragma omp parallel num_threads(3)
#pragma omp single
	for (uint64_t i = 0; i < 300; i++) {
#pragma omp task
		{
			uint64_t mine = life_work(i, 2000);
#pragma omp atomic
			sum += mine;
		}
	}
	setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
	tell("%016llx", (unsigned long long)sum);
}

static const struct life_case cases[] = {
    {"general", in_general, 0, 0},
    {"x87", in_x87, 0, 0},
    {"sse", in_sse, 0, 0},
    {"avx", in_avx, 0, 0},
    {"avx512", in_avx512, 0, 0},
    {"calls", in_calls, 0, 0},
    {"copies", in_copies, 0, 0},
    {"system-calls", in_system_calls, 0, 0},
    {"cpu-time", of_cpu_time, 0, 0},
    {"user-time", of_user_time, 0, 0},
    {"timer-create", by_timer_create, 0, 0},
    {"where", where, 0, 0},
    {"to-thread", to_thread, 0, 0},
    {"threads", in_threads, 0, 0},
    {"team", in_team, 0, LIFE_OUTSIDE},
};

LIFE_MAIN(cases)
