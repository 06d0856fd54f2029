/* SPDX-License-Identifier: MIT */
/*
 * Code in places, and in states, in which code seldom is, and calls that are seldom made: they do
 * there what they do.
 */
#include "life.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>

enum { PAGE = 4096 };

#define DATA    (PROT_READ | PROT_WRITE)
#define CODE    (PROT_READ | PROT_EXEC)
#define ALL     (DATA | PROT_EXEC)
#define ANY_KEY (-1)

static unsigned char *
map(size_t n, int rights)
{
	void *at = mmap(NULL, n, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(at != MAP_FAILED);
	return at;
}

/* lea eax, [rdi + n]; ret */
static void
write_adder(unsigned char *at, int n)
{
	memcpy(at, "\x8d\x87", 2);
	memcpy(at + 2, &n, 4);
	at[6] = 0xc3;
}

static int
call(const unsigned char *at, int n)
{
	return ((int (*)(int))(uintptr_t)at)(n);
}

static unsigned char *
adder(int n)
{
	unsigned char *at = map(2 * PAGE, DATA); /* no neighbour's rights are the same */

	write_adder(at, n);
	MUST(mprotect(at, PAGE, CODE) == 0);
	return at;
}

static void
execute_only(void)
{
	unsigned char *at = adder(5);

	MUST(mprotect(at, PAGE, PROT_EXEC) == 0);
	for (int i = 0; i < 10; i++)
		MUST(call(at, i) == i + 5);
	MUST(mprotect(at, PAGE, DATA) == 0);
	write_adder(at, 6);
	MUST(mprotect(at, PAGE, PROT_EXEC) == 0);
	MUST(call(at, 1) == 7);
}

/* What was never run is moved to where something was. */
static void
moved_onto(void)
{
	for (int i = 0; i < 10; i++) {
		unsigned char *here = adder(i), *there = adder(i + 1);
		MUST(call(here, 1) == i + 1);
		MUST(mremap(there, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, here) == here);
		MUST(call(here, 1) == i + 2);
	}
}

static void
by_keys(void)
{
	unsigned char *at = map(PAGE, DATA);

	for (int i = 0; i < 10; i++) {
		MUST(syscall(SYS_pkey_mprotect, at, PAGE, DATA, ANY_KEY) == 0);
		write_adder(at, i);
		MUST(syscall(SYS_pkey_mprotect, at, PAGE, CODE, ANY_KEY) == 0);
		MUST(call(at, 1) == i + 1);
	}
}

/* The first of two neighbours goes on in the second, which may be written to. */
static void
half_writable(void)
{
	unsigned char *at = map(2 * PAGE, ALL);

	memset(at, 0x90, PAGE);
	MUST(mprotect(at, PAGE, CODE) == 0);
	for (int i = 0; i < 10; i++) {
		write_adder(at + PAGE, i);
		MUST(call(at + PAGE - 8, 1) == i + 1);
	}
}

/* More than who knows them has room for. */
static void
very_many(void)
{
	enum { N = 700, CHANGED = 150 };
	unsigned char *at = map(2 * N * PAGE, DATA);

	for (size_t i = 0; i < N; i++) {
		write_adder(at + 2 * i * PAGE, (int)i);
		MUST(mprotect(at + 2 * i * PAGE, PAGE, CODE) == 0);
	}
	for (size_t i = 0; i < N; i++)
		MUST(call(at + 2 * i * PAGE, 1) == (int)i + 1);
	for (size_t i = 0; i < CHANGED; i++) {
		unsigned char *page = at + 2 * i * PAGE;
		MUST(mprotect(page, PAGE, DATA) == 0);
		write_adder(page, (int)i + 7);
		MUST(mprotect(page, PAGE, CODE) == 0);
		MUST(call(page, 1) == (int)i + 8);
	}
}

/* On the way that is not taken there is a jump to where nothing is. */
static void
leads_nowhere(void)
{
	enum { SECOND = 7, DISTANCE = 13, NEXT = 17 };
	static const unsigned char code[] = {
	    0x8d, 0x47, 0x01,       /* lea eax, [rdi + 1] */
	    0x31, 0xc9,             /* xor ecx, ecx */
	    0xff, 0xe2,             /* jmp rdx: */
	    0x8d, 0x40, 0x01,       /* lea eax, [rax + 1] */
	    0xe3, 0x05,             /* jrcxz over it */
	    0xe9, 0,    0,    0, 0, /* jmp */
	    0x31, 0xc9, 0xc3,       /* xor ecx, ecx; ret */
	};
	unsigned char *at = map(PAGE, DATA), *hole = map(PAGE, PROT_NONE);
	int32_t distance = (int32_t)(hole + 0x123 - (at + NEXT));

	MUST(munmap(hole, PAGE) == 0);
	memcpy(at, code, sizeof code);
	memcpy(at + DISTANCE, &distance, 4);
	MUST(mprotect(at, PAGE, CODE) == 0);
	MUST(((int (*)(int, int, void *))(uintptr_t)at)(3, 0, at + SECOND) == 5);
}

static volatile uintptr_t stopped_at;

static void
pass(int signal, siginfo_t *info, void *given)
{
	ucontext_t *c = given;

	(void)signal, (void)info;
	stopped_at = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
	c->uc_mcontext.gregs[REG_RIP] += 2;
}

/* What was run before a fault is another instruction by then. */
static void
overwritten(void)
{
	enum { OPERAND = 2, FAULT = 12 };
	static const unsigned char code[] = {
	    0x48, 0xff, 0xc7,                         /* inc rdi */
	    0xc6, 0x05, 0xf8, 0xff, 0xff, 0xff, 0x07, /* the same: inc qword [rdi] */
	    0x89, 0xf8, 0x0f, 0x0b, 0xc3,             /* mov eax, edi; ud2; ret */
	};
	unsigned char *at = map(PAGE, ALL);
	struct sigaction action = {.sa_sigaction = pass, .sa_flags = SA_SIGINFO};

	MUST(sigaction(SIGILL, &action, NULL) == 0);
	for (int i = 0; i < 10; i++) {
		memcpy(at, code, sizeof code);
		MUST(call(at, i) == i + 1 && at[OPERAND] == 7);
		MUST(stopped_at == (uintptr_t)at + FAULT);
	}
}

/* At the end of memory, where programs of long ago called the kernel; not on all machines. */
static void
old_calls(void)
{
	long (*time_of_day)(struct timeval *, void *) = (void *)0xffffffffff600000u;
	long (*in_seconds)(time_t *) = (void *)0xffffffffff600400u;
	struct timeval now = {0};
	char line[512];
	bool is_there = false;
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof line, maps))
		is_there |= strstr(line, "[vsyscall]") && strchr(line, 'x');
	if (maps)
		fclose(maps);
	if (!is_there)
		return;
	MUST(time_of_day(&now, NULL) == 0 && labs(now.tv_sec - time(NULL)) < 100);
	MUST(labs(in_seconds(NULL) - time(NULL)) < 100);
}

volatile int n_ticks;

static void
tick(int signal)
{
	(void)signal;
	n_ticks++;
}

/* The processor is told to fault at each access that is not aligned, while signals come. */
static void
aligned(void)
{
	struct sigaction action = {.sa_handler = tick};
	struct itimerval each = {{0, 500}, {0, 500}}, none = {0};

	MUST(sigaction(SIGALRM, &action, NULL) == 0);
	MUST(setitimer(ITIMER_REAL, &each, NULL) == 0);
	__asm__ volatile("pushfq; orl $0x40000, (%%rsp); popfq\n"
	                 "1: mov n_ticks(%%rip), %%eax; cmp $100, %%eax; jb 1b\n\t"
	                 "pushfq; andl $~0x40000, (%%rsp); popfq"
	                 :
	                 :
	                 : "rax", "cc", "memory");
	MUST(setitimer(ITIMER_REAL, &none, NULL) == 0);
}

static sigjmp_buf back;

static void
jump_back(int signal)
{
	siglongjmp(back, signal);
}

/* Parts of transactions, of which none was begun: they do nothing, or fault. */
static void
no_transaction(void)
{
	int status;

	signal(SIGILL, jump_back);
	signal(SIGSEGV, jump_back);
	if ((status = sigsetjmp(back, 1)) == 0)
		__asm__ volatile("xabort $1");
	tell("xabort: %d", status);
	if ((status = sigsetjmp(back, 1)) == 0)
		__asm__ volatile("xend");
	tell("xend: %d", status);
}

/* By registers of which only a half counts. */
static void
narrow(void)
{
	unsigned char *at = mmap(NULL, PAGE, DATA, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	uint64_t to = (uintptr_t)at | 0xdeadbeefull << 32, n = 100;

	MUST(at != MAP_FAILED);
	__asm__ volatile("addr32 rep stosb" : "+D"(to), "+c"(n) : "a"(7) : "memory");
	MUST(at[99] == 7 && at[100] == 0 && to == (uintptr_t)at + 100);
}

/* Given to the kernel, which says so. */
static void
bad_pointers(void)
{
	void *bad = map(PAGE, PROT_NONE);

	MUST(syscall(SYS_rt_sigaction, SIGUSR1, bad, NULL, 8) < 0 && errno == EFAULT);
	MUST(syscall(SYS_rt_sigaction, SIGUSR1, NULL, bad, 8) < 0 && errno == EFAULT);
	MUST(syscall(SYS_sigaltstack, bad, NULL) < 0 && errno == EFAULT);
	MUST(syscall(SYS_sigaltstack, NULL, bad) < 0 && errno == EFAULT);
	MUST(syscall(SYS_clone3, bad, 88) < 0 && errno == EFAULT);
}

static const struct life_case cases[] = {
    {"bad-pointers", bad_pointers, 0, 0},     {"execute-only", execute_only, 0, 0},
    {"moved-onto", moved_onto, 0, 0},         {"by-keys", by_keys, 0, 0},
    {"half-writable", half_writable, 0, 0},   {"very-many", very_many, 0, 0},
    {"leads-nowhere", leads_nowhere, 0, 0},   {"overwritten", overwritten, 0, 0},
    {"old-calls", old_calls, 0, 0},           {"aligned", aligned, 0, 0},
    {"no-transaction", no_transaction, 0, 0}, {"narrow", narrow, 0, 0},
};

LIFE_MAIN(cases)
