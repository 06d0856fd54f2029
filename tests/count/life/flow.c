/* SPDX-License-Identifier: MIT */
/*
 * flow.c - ways of getting from one place of a program to another: jumps out, other stacks, deep
 * ones, jumps to where a table or a register says, returns to where nothing has called.
 */
#include "life.h"

#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

static jmp_buf back;

static __attribute__((noinline)) void
down(int levels)
{
	volatile char room[64];

	room[0] = (char)levels;
	if (levels > 0)
		down(levels - 1);
	else if (room[0] == 0)
		longjmp(back, 5);
	room[1] = room[0];
}

static void
far_jumps(void)
{
	for (volatile int i = 0; i < 1000; i++) {
		int from = setjmp(back);
		if (from == 0)
			down(i % 50);
		MUST(from == 5);
	}
}

static ucontext_t main_context, contexts[2];
static uint64_t generated, sum;

static void
generate(int number, int step)
{
	for (uint64_t i = 0; i < 500; i++) {
		generated = (uint64_t)number + i * (uint64_t)step;
		swapcontext(&contexts[number], &main_context);
	}
}

static void
coroutines(void)
{
	for (int i = 0; i < 2; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = malloc(65536);
		contexts[i].uc_stack.ss_size = 65536;
		contexts[i].uc_link = &main_context;
		makecontext(&contexts[i], (void (*)(void))generate, 2, i, 3 + i);
	}
	for (int round = 0; round < 500; round++)
		for (int i = 0; i < 2; i++) {
			swapcontext(&main_context, &contexts[i]);
			sum += generated;
		}
	MUST(sum == 500 + 499 * 500 / 2 * 7);
	volatile int n = 0;
	getcontext(&contexts[0]);
	if (++n < 10)
		setcontext(&contexts[0]);
	MUST(n == 10);
}

/* A switch of stacks as libraries of coroutines write it. */
void switch_stack(void **from, void *to);
__asm__(".text\n.globl switch_stack\n.type switch_stack, @function\nswitch_stack:\n\t"
        "push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n\t"
        "mov %rsp, (%rdi); mov %rsi, %rsp\n\t"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp; ret\n"
        ".size switch_stack, . - switch_stack\n");

static void *stacks[2];
static volatile uint64_t n_switches;

static void
count_switches(void)
{
	for (;;) {
		n_switches += life_work(n_switches, 3) ? 1 : 0;
		switch_stack(&stacks[1], stacks[0]);
	}
}

static void
own_stacks(void)
{
	char *memory =
	    mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void **top = (void **)(memory + 65536 - 64);

	top[6] = (void *)count_switches;
	stacks[1] = top;
	for (uint64_t i = 0; i < 5000; i++) {
		switch_stack(&stacks[0], stacks[1]);
		MUST(n_switches == i + 1);
	}
}

static __attribute__((noinline)) uint64_t
deep(uint64_t n, char *top)
{
	volatile char room[1000];

	room[n % 1000] = (char)n;
	if ((size_t)(top - (char *)room) > 7u << 20)
		return n;
	return deep(n + 1, top) + (room[n % 1000] == (char)n ? 0 : 1000000);
}

static void
near_the_limit(void)
{
	struct rlimit limit;
	char here;

	getrlimit(RLIMIT_STACK, &limit);
	if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < 8u << 20)
		return;
	uint64_t n = deep(0, &here);
	MUST(n > 5000 && n < 8000);
}

static __attribute__((noinline)) uint64_t
of_size(size_t n)
{
	unsigned char *at = alloca(n);
	unsigned char array[n + 1];

	memset(at, (int)n, n);
	memset(array, (int)n + 1, n + 1);
	return life_hash(life_hash(1, at, n), array, n + 1);
}

static void
sized_at_run_time(void)
{
	uint64_t hash = 0;

	for (size_t n = 1; n < 3000; n += 7)
		hash ^= of_size(n);
	tell("%016llx", (unsigned long long)hash);
}

/* A machine of a few instructions, by computed jumps. */
static void
computed(void)
{
	enum { ADD, DOUBLE, DECREMENT, AGAIN, END };
	static const unsigned char program[] = {ADD, DOUBLE, ADD, DECREMENT, AGAIN, END};
	static const void *const places[] = {&&add, &&twice, &&decrement, &&again, &&end};
	const unsigned char *at = program;
	uint64_t a = 1, rounds = 20000;

#define NEXT goto *places[*at++]
	NEXT;
add:
	a += 3;
	NEXT;
twice:
	a *= 2;
	NEXT;
decrement:
	rounds--;
	NEXT;
again:
	if (rounds > 0)
		at = program;
	NEXT;
end:
	tell("%016llx", (unsigned long long)a);
}

static __attribute__((noinline)) uint64_t
choose(uint64_t a, unsigned which)
{
	switch (which) {
	case 0:
		return a * 3;
	case 1:
		return a ^ 0x55;
	case 2:
		return a + 17;
	case 3:
		return a << 3 | a >> 61;
	case 4:
		return a - 99;
	case 5:
		return ~a;
	case 6:
		return a * a;
	case 7:
		return a / 3;
	case 8:
		return a % 1000003;
	default:
		return a + which;
	}
}

static void
switches(void)
{
	uint64_t a = 1;

	for (unsigned i = 0; i < 30000; i++)
		a = choose(a, (unsigned)(a >> 7) % 11);
	tell("%016llx", (unsigned long long)a);
}

static int
compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void
called_back(void)
{
	static uint32_t numbers[5000];

	for (uint32_t i = 0; i < 5000; i++)
		numbers[i] = (uint32_t)life_work(i, 2);
	qsort(numbers, 5000, sizeof numbers[0], compare);
	for (int i = 1; i < 5000; i++)
		MUST(numbers[i - 1] <= numbers[i]);
	MUST(bsearch(&numbers[77], numbers, 5000, sizeof numbers[0], compare) != NULL);
}

static uint64_t odd(uint64_t n, uint64_t a);

static __attribute__((noinline)) uint64_t
even(uint64_t n, uint64_t a)
{
	return n == 0 ? a : odd(n - 1, a * 3);
}

static __attribute__((noinline)) uint64_t
odd(uint64_t n, uint64_t a)
{
	return n == 0 ? a + 1 : even(n - 1, a ^ n);
}

static void
tail_calls(void)
{
	tell("%016llx", (unsigned long long)even(300001, 1));
}

/* Code that the compiler puts on the stack. */
static uint64_t
apply(uint64_t (*function)(uint64_t), uint64_t n)
{
	uint64_t a = 0;

	for (uint64_t i = 0; i < n; i++)
		a += function(i);
	return a;
}

static __attribute__((noinline)) uint64_t
nested(uint64_t seed, int levels)
{
	uint64_t local = seed;
	uint64_t mix(uint64_t i)
	{
		local = local * 31 + i;
		return local >> 5;
	}

	return levels ? apply(mix, 50) ^ nested(seed + 1, levels - 1) : apply(mix, 100);
}

static void
trampolines(void)
{
	uint64_t a = 0;

	for (uint64_t i = 0; i < 50; i++)
		a = a * 7 + nested(i, (int)(i % 5));
	tell("%016llx", (unsigned long long)a);
}

extern const char after_call[], table_of_one[];

/* Where code is told to be is where it is in the file, in every way to ask. */
static __attribute__((noinline)) void *
own_return(void)
{
	return __builtin_return_address(0);
}

static void
addresses(void)
{
	void *by_call, *by_lea, *return_at = own_return();
	Dl_info found;

	__asm__ volatile("leaq -128(%%rsp), %%rsp; call after_call; .globl after_call\n"
	                 "after_call: popq %0; leaq 128(%%rsp), %%rsp; leaq after_call(%%rip), %1"
	                 : "=r"(by_call), "=r"(by_lea)
	                 :
	                 : "memory", "cc");
	MUST(by_call == (void *)after_call && by_lea == by_call);
	MUST((char *)return_at > (char *)addresses && (char *)return_at < (char *)addresses + 600);
	MUST(dladdr(return_at, &found) && found.dli_fbase);
	void *frames[64];
	int n = backtrace(frames, 64);
	MUST(n >= 3 && (char *)frames[0] > (char *)addresses &&
	     (char *)frames[0] < (char *)addresses + 2000);
	bool is_main_there = false;
	for (int i = 0; i < n; i++)
		is_main_there |=
		    dladdr(frames[i], &found) && strstr(found.dli_fname, "libc") != NULL;
	MUST(is_main_there);
}

/* Returns that no call belongs to, calls that never return, and return addresses changed. */
uint64_t odd_returns(uint64_t rounds);
__asm__(".text\n.globl odd_returns\n.type odd_returns, @function\nodd_returns:\n\t"
        "xor %eax, %eax\n"
        "1: lea 2f(%rip), %rdx; push %rdx; ret; ud2\n"            /* a jump by push and ret */
        "2: call 3f; ud2\n"                                       /* a call as a jump */
        "3: add $8, %rsp; inc %rax\n\t"                           /* its return is thrown away */
        "call 4f; ud2; nop; inc %rax; jmp 5f\n"                   /* returns behind the ud2 */
        "4: addq $2, (%rsp); ret\n"                               /* which it skips */
        "5: lea 6f(%rip), %rdx; xchg %rdx, (%rsp); push %rdx\n\t" /* below it, another return */
        "pop %rcx; ret; ud2\n"
        "6: push %rcx; sub $24, %rsp; lea 7f(%rip), %rdx; mov %rdx, (%rsp); ret $16; ud2\n"
        "7: inc %rax; push $5; call 8f; inc %rax; dec %rdi; jnz 1b; ret\n"
        "8: ret $8\n"
        ".size odd_returns, . - odd_returns\n");

static void
returns(void)
{
	MUST(odd_returns(1) == 4);
	MUST(odd_returns(5000) == 20000);
}

/* The stack's register as one that walks over data: what lies below it is nobody's to write. */
uint64_t sum_by_pop(const uint64_t *data, uint64_t n);
__asm__(".text\n.globl sum_by_pop\n.type sum_by_pop, @function\nsum_by_pop:\n\t"
        "mov %rsp, %r8; mov %rdi, %rsp; xor %eax, %eax\n"
        "1: pop %rdx; add %rdx, %rax; dec %rsi; jz 2f; lea 1b(%rip), %r9; jmp *%r9\n"
        "2: mov %r8, %rsp; ret\n"
        ".size sum_by_pop, . - sum_by_pop\n");

static void
stack_as_data(void)
{
	char *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t *data = (uint64_t *)(memory + 4096), known = 0;

	for (uint64_t i = 0; i < 512; i++)
		known += data[i] = i * i;
	uint64_t before = life_hash(1, data, 4096);
	for (int i = 0; i < 20; i++)
		MUST(sum_by_pop(data, 512) == known && life_hash(1, data, 4096) == before);
	mprotect(memory, 4096, PROT_NONE);
	mprotect(memory + 4096, 4096, PROT_READ);
	for (int i = 0; i < 20; i++)
		MUST(sum_by_pop(data, 512) == known);
}

/* Which of two functions it is, is decided when the program is linked at its start. */
static uint64_t
one_way(uint64_t a)
{
	return a * 3 + 1;
}

static uint64_t (*resolve(void))(uint64_t)
{
	return one_way;
}

uint64_t resolved(uint64_t a) __attribute__((ifunc("resolve")));

static int n_constructed;

__attribute__((constructor)) static void
construct(void)
{
	n_constructed++;
}

static void
goodbye(void)
{
	tell("goodbye");
}

static int
count_object(struct dl_phdr_info *info, size_t bytes, void *n)
{
	(void)bytes;
	if (++*(int *)n == 1)
		MUST(info->dlpi_name[0] == 0);
	return 0;
}

static int
variable(int n, ...)
{
	va_list list;
	double a = 0;

	va_start(list, n);
	for (int i = 0; i < n; i++)
		a += i % 2 ? va_arg(list, double) : va_arg(list, int);
	va_end(list);
	return (int)a;
}

static void
other_ways(void)
{
	int n = 0;

	MUST(resolved(5) == 16 && n_constructed == 1);
	atexit(goodbye);
	dl_iterate_phdr(count_object, &n);
	MUST(n > 2);
	MUST(variable(8, 1, 2.0, 3, 4.0, 5, 6.0, 7, 8.0) == 36);
	MUST((int (*)(const char *))dlsym(RTLD_DEFAULT, "puts") == puts);
	static char text[100];
	MUST(snprintf(text, sizeof text, "%5.2f|%s|%x|%Lg", 3.14159, "a", 255, 0.5L) == 14);
	tell("%s", text);
}

/* Straight on for a long time. */
uint64_t straight(uint64_t a);
__asm__(".text\n.globl straight\n.type straight, @function\nstraight:\n\t"
        "mov %rdi, %rax\n\t"
        ".rept 20000; lea 1(%rax, %rax, 2), %rax; .endr\n\t"
        "mov %rax, %rdx\n\t"
        ".rept 5000; mov %rdx, -8(%rsp); add -8(%rsp), %rax; .endr\n\t"
        "ret\n"
        ".size straight, . - straight\n");

static void
straight_on(void)
{
	uint64_t a = 9;

	for (int i = 0; i < 20000; i++)
		a = 1 + 3 * a;
	a += 5000 * a;
	MUST(straight(9) == a && straight(9) == a);
}

/* Very many places, each once: as start-up code is. */
#define ONE(n)                                                                                     \
	if (a % 1000 == n)                                                                         \
		a += 7 * n + 1;
#define TEN(n)  ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7)
#define MANY(n) TEN(n) TEN(n + 8) TEN(n + 16) TEN(n + 24) TEN(n + 32) TEN(n + 40) TEN(n + 48)
#define MORE(n) MANY(n) MANY(n + 56) MANY(n + 112) MANY(n + 168) MANY(n + 224)
#define MOST(n) MORE(n) MORE(n + 280) MORE(n + 560)

static __attribute__((noinline)) uint64_t
wide(uint64_t a)
{
	MOST(1)
	return a;
}

static void
many_places(void)
{
	uint64_t a = 1;

	for (uint64_t i = 0; i < 300; i++)
		a = wide(a + i * 13);
	tell("%016llx", (unsigned long long)a);
}

static const struct life_case cases[] = {
    {"far-jumps", far_jumps, 0, 0},
    {"coroutines", coroutines, 0, 0},
    {"own-stacks", own_stacks, 0, 0},
    {"near-the-limit", near_the_limit, 0, 0},
    {"sized-at-run-time", sized_at_run_time, 0, 0},
    {"computed", computed, 0, 0},
    {"switches", switches, 0, 0},
    {"called-back", called_back, 0, 0},
    {"tail-calls", tail_calls, 0, 0},
    {"trampolines", trampolines, 0, 0},
    {"addresses", addresses, 0, 0},
    {"returns", returns, 0, 0},
    {"stack-as-data", stack_as_data, 0, 0},
    {"other-ways", other_ways, 0, 0},
    {"straight-on", straight_on, 0, 0},
    {"many-places", many_places, 0, 0},
};

LIFE_MAIN(cases)
