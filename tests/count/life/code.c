/* SPDX-License-Identifier: MIT */
/*
 * code.c - code that is made, changed, moved and removed while the program runs.
 *
 * Compiled with -DLIBRARY=N it is a library whose functions give N, for `libraries`.
 */
#ifdef LIBRARY
#include <stdint.h>

uint64_t of_library(uint64_t a);

__attribute__((noinline)) static uint64_t
inner(uint64_t a)
{
	return a % 7 == 0 ? a * LIBRARY : a + LIBRARY;
}

uint64_t
of_library(uint64_t a)
{
	for (uint64_t i = 0; i < 100; i++)
		a = inner(a + i) & 0xffffff;
	return a * 1000 + LIBRARY;
}
#else
#include "life.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <ucontext.h>

#define PAGE 4096u

typedef uint64_t function(uint64_t);

static unsigned char *
map(size_t bytes, int protection)
{
	void *at = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(at != MAP_FAILED);
	return at;
}

/* lea N(%rdi), %rax; ret: of 8 bytes */
static void
write_adder(unsigned char *at, int32_t n)
{
	static const unsigned char code[8] = {0x48, 0x8d, 0x87, 0, 0, 0, 0, 0xc3};

	memcpy(at, code, 8);
	memcpy(at + 3, &n, 4);
}

static uint64_t
call(const unsigned char *at, uint64_t a)
{
	return ((function *)(uintptr_t)at)(a);
}

static void
made_once(void)
{
	unsigned char *at = map(PAGE, PROT_READ | PROT_WRITE);

	write_adder(at, 5);
	MUST(mprotect(at, PAGE, PROT_READ | PROT_EXEC) == 0);
	for (uint64_t i = 0; i < 1000; i++)
		MUST(call(at, i) == i + 5);
}

static void
protected_between(void)
{
	unsigned char *at = map(PAGE, PROT_READ | PROT_WRITE);

	for (int i = 0; i < 300; i++) {
		mprotect(at, PAGE, PROT_READ | PROT_WRITE);
		write_adder(at, i * 3);
		mprotect(at, PAGE, PROT_READ | PROT_EXEC);
		MUST(call(at, 7) == (uint64_t)i * 3 + 7);
	}
}

static void
never_protected(void)
{
	unsigned char *at = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);

	for (int i = 0; i < 300; i++) {
		write_adder(at, i * 3);
		MUST(call(at, 7) == (uint64_t)i * 3 + 7);
	}
	/* only its number, which is data to whoever writes it */
	for (int32_t i = 0; i < 300; i++) {
		memcpy(at + 3, &i, 4);
		MUST(call(at, 7) == (uint64_t)i + 7);
	}
}

/* A loop that changes an instruction of itself in each round. */
static void
changes_itself(void)
{
	/* xor eax, eax; 1: add eax, 1 (its last byte is changed); inc byte [rip - 7 of it]; dec
	 * edi; jnz 1b */
	static const unsigned char code[] = {0x31, 0xc0, 0x83, 0xc0, 0x01, 0xfe, 0x05, 0xf9,
	                                     0xff, 0xff, 0xff, 0xff, 0xcf, 0x75, 0xf3, 0xc3};
	unsigned char *at = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);

	memcpy(at, code, sizeof code);
	for (int i = 0; i < 20; i++) {
		at[4] = 1;
		MUST(call(at, 10) == 55);
		MUST(at[4] == 11);
	}
}

/* The same memory, written at one address and run at another. */
static void
mapped_twice(void)
{
	int fd = memfd_create("code", 0);

	MUST(fd >= 0 && ftruncate(fd, PAGE) == 0);
	unsigned char *to = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	unsigned char *at = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	MUST(to != MAP_FAILED && at != MAP_FAILED);
	for (int i = 0; i < 100; i++) {
		write_adder(to, i);
		MUST(call(at, 1) == (uint64_t)i + 1);
	}
}

/* Written by the kernel. */
static void
read_in(void)
{
	unsigned char *at = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC), code[8];
	int ends[2];

	MUST(pipe(ends) == 0);
	for (int i = 0; i < 100; i++) {
		write_adder(code, i * 7);
		MUST(write(ends[1], code, 8) == 8 && read(ends[0], at, 8) == 8);
		MUST(call(at, 1) == (uint64_t)i * 7 + 1);
	}
}

static void
written_from_outside(void)
{
	unsigned char *at = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC), code[8];

	for (int i = 0; i < 100; i++) {
		write_adder(code, i * 9);
		struct iovec from = {code, 8}, to = {at, 8};
		MUST(process_vm_writev(getpid(), &from, 1, &to, 1, 0) == 8);
		MUST(call(at, 1) == (uint64_t)i * 9 + 1);
	}
}

static void
in_a_file(void)
{
	char name[] = "/tmp/life-XXXXXX";
	unsigned char code[8];
	int fd = mkstemp(name);

	MUST(fd >= 0 && ftruncate(fd, PAGE) == 0);
	unlink(name);
	for (int i = 0; i < 30; i++) {
		write_adder(code, i * 7);
		MUST(pwrite(fd, code, 8, 0) == 8);
		unsigned char *at = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		if (at == MAP_FAILED)
			return;
		MUST(call(at, 1) == (uint64_t)i * 7 + 1);
		munmap(at, PAGE);
	}
}

static void
mapped_anew(void)
{
	unsigned char *place = map(PAGE, PROT_NONE);

	for (int i = 0; i < 200; i++) {
		unsigned char *at = mmap(place, PAGE, PROT_READ | PROT_WRITE,
		                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		MUST(at == place);
		write_adder(at, i * 11);
		mprotect(at, PAGE, PROT_READ | PROT_EXEC);
		MUST(call(at, 2) == (uint64_t)i * 11 + 2);
		if (i % 2)
			munmap(at, PAGE);
	}
}

static void
moved(void)
{
	unsigned char *a = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	unsigned char *b = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC),
		      *spare = map(PAGE, PROT_NONE);

	write_adder(a, 100);
	write_adder(b, 200);
	for (int i = 0; i < 21; i++) {
		MUST(call(a, 1) == (i % 2 ? 201 : 101) && call(b, 1) == (i % 2 ? 101 : 201));
		MUST(mremap(a, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, spare) == spare);
		MUST(mremap(b, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, a) == a);
		MUST(mremap(spare, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, b) == b);
	}
}

static void
forgotten(void)
{
	unsigned char *at = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);

	for (int i = 0; i < 50; i++) {
		MUST(at[0] == 0);
		write_adder(at, i);
		MUST(call(at, 3) == (uint64_t)i + 3);
		MUST(madvise(at, PAGE, MADV_DONTNEED) == 0);
	}
}

/* Its last byte is the page's, and behind it there is nothing. */
static void
at_the_end(void)
{
	unsigned char *at = map(3 * PAGE, PROT_READ | PROT_WRITE);

	munmap(at + 2 * PAGE, PAGE);
	write_adder(at + 2 * PAGE - 8, 9);
	/* one that lies in both pages */
	write_adder(at + PAGE - 4, 1000);
	mprotect(at, 2 * PAGE, PROT_READ | PROT_EXEC);
	for (uint64_t i = 0; i < 100; i++)
		MUST(call(at + 2 * PAGE - 8, i) == i + 9 && call(at + PAGE - 4, i) == i + 1000);
	/* of which only the second one is changed */
	mprotect(at + PAGE, PAGE, PROT_READ | PROT_WRITE);
	at[PAGE] = 0x02;
	mprotect(at + PAGE, PAGE, PROT_READ | PROT_EXEC);
	MUST(call(at + PAGE - 4, 1) == 1 + (1000 & ~0xff00u) + 0x200);
	/* a jump back that is the last instruction: 1: inc rax; dec edi; jnz 1b; ret */
	mprotect(at, 2 * PAGE, PROT_READ | PROT_WRITE);
	static const unsigned char loop[] = {0x31, 0xc0, 0x48, 0xff, 0xc0, 0xff,
	                                     0xcf, 0x74, 0x02, 0xeb, 0xf7};
	unsigned char *start = at + 2 * PAGE - sizeof loop - 3;
	memcpy(start, loop, sizeof loop);
	memcpy(at + 2 * PAGE - 3, "\xc3\xeb\xfd", 3);
	mprotect(at, 2 * PAGE, PROT_READ | PROT_EXEC);
	for (int i = 0; i < 50; i++)
		MUST(call(start, 40) == 40 &&
		     call(at + 2 * PAGE - 3, 0) == call(at + 2 * PAGE - 2, 0));
}

static sigjmp_buf back;
static volatile uintptr_t fault_at, fault_rip;

static void
jump(int signal, siginfo_t *info, void *context)
{
	fault_at = (uintptr_t)info->si_addr;
	fault_rip = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	siglongjmp(back, signal);
}

/* What was code, and ran, is none any more. */
static void
taken_away(void)
{
	struct sigaction action = {.sa_sigaction = jump, .sa_flags = SA_SIGINFO};
	unsigned char *volatile at = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);

	sigaction(SIGSEGV, &action, NULL);
	write_adder(at + 64, 4);
	for (volatile int i = 0; i < 3; i++) {
		MUST(call(at + 64, 1) == 5);
		if (i == 0)
			mprotect(at, PAGE, PROT_READ | PROT_WRITE);
		else if (i == 1)
			mprotect(at, PAGE, PROT_NONE);
		else
			munmap(at, PAGE);
		if (sigsetjmp(back, 1) == 0) {
			call(at + 64, 1);
			life_wrong(__FILE__, __LINE__, "what is no code was run");
		}
		MUST(fault_at == (uintptr_t)at + 64 && fault_rip == fault_at);
		if (i < 2)
			mprotect(at, PAGE, PROT_READ | PROT_EXEC);
	}
}

/* Runs over the end of its page into nothing. */
static void
over_the_end(void)
{
	struct sigaction action = {.sa_sigaction = jump, .sa_flags = SA_SIGINFO};
	unsigned char *volatile at = map(2 * PAGE, PROT_READ | PROT_WRITE);

	sigaction(SIGSEGV, &action, NULL);
	memset(at, 0x90, PAGE);
	mprotect(at, PAGE, PROT_READ | PROT_EXEC);
	mprotect(at + PAGE, PAGE, PROT_NONE);
	for (volatile int i = 0; i < 2; i++) {
		fault_at = 0;
		if (sigsetjmp(back, 1) == 0)
			call(at + PAGE - 20, 1);
		MUST(fault_at == (uintptr_t)at + PAGE);
		MUST(fault_rip == (uintptr_t)at + PAGE - (unsigned)i * 3);
		/* the second time within an instruction */
		mprotect(at, PAGE, PROT_READ | PROT_WRITE);
		memcpy(at + PAGE - 3, "\x48\x8d\x87", 3);
		mprotect(at, PAGE, PROT_READ | PROT_EXEC);
	}
}

static void
many_small_ones(void)
{
	enum { N = 3000 };
	unsigned char *at = map(N * 16, PROT_READ | PROT_WRITE | PROT_EXEC);
	uint64_t sum = 0;

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < N; i++)
			write_adder(at + i * 16, i + round);
		for (unsigned i = 0; i < N; i++)
			sum += call(at + i * 16, 1);
	}
	MUST(sum == 3ull * N * (N - 1) / 2 + 3 * N + 3ull * N);
	for (int i = 0; i < 200; i++) {
		unsigned char *page = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
		write_adder(page + i, i);
		MUST(call(page + i, 0) == (uint64_t)i);
		munmap(page, PAGE);
	}
}

/* It calls what the program is made of, and is called from there. */
static void
calls_back(void)
{
	unsigned char *at = map(PAGE, PROT_READ | PROT_WRITE), *to = at;
	uintptr_t target = (uintptr_t)life_work;
	uint64_t known = life_work(5, 3) * 3;

	/* sub rsp, 8; mov esi, 3; mov rax, target; call rax; lea rax, [rax + rax * 2]; add rsp, 8;
	 * ret */
	memcpy(to, "\x48\x83\xec\x08\xbe\x03\x00\x00\x00\x48\xb8", 11);
	memcpy(to + 11, &target, 8);
	memcpy(to + 19, "\xff\xd0\x48\x8d\x04\x40\x48\x83\xc4\x08\xc3", 11);
	mprotect(at, PAGE, PROT_READ | PROT_EXEC);
	for (int i = 0; i < 100; i++)
		MUST(call(at, 5) == known);
}

static volatile bool is_over;
static unsigned char *shared_code;

static void *
run_shared(void *unused)
{
	uint64_t n = 0;

	(void)unused;
	do {
		uint64_t a = call(shared_code, 10);
		MUST(a == 11 || a == 12);
		n++;
	} while (!is_over);
	return (void *)n;
}

/* One writes (a byte, which is whole at any time), the others run. */
static void
while_others_run(void)
{
	pthread_t threads[3];
	void *n;

	shared_code = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	write_adder(shared_code, 1);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, run_shared, NULL);
	for (int i = 0; i < 500; i++) {
		*(volatile unsigned char *)(shared_code + 3) = (unsigned char)(1 + i % 2);
		MUST(call(shared_code, 10) == 11u + (unsigned)i % 2);
		sched_yield();
	}
	is_over = true;
	for (int i = 0; i < 3; i++) {
		pthread_join(threads[i], &n);
		MUST(n);
	}
}

/* Threads that each make, run, change and remove code of their own. */
static void *
make_own(void *argument)
{
	int32_t own = (int32_t)(intptr_t)argument;

	for (int32_t i = 0; i < 100; i++) {
		unsigned char *at = map(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
		write_adder(at, own * 1000 + i);
		MUST(call(at, 0) == (uint64_t)(own * 1000 + i));
		write_adder(at, own * 2000 + i);
		MUST(call(at, 0) == (uint64_t)(own * 2000 + i));
		munmap(at, PAGE);
	}
	return NULL;
}

static void
by_threads(void)
{
	pthread_t threads[4];

	for (intptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, make_own, (void *)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void
on_the_stack(void)
{
	unsigned char own[8] __attribute__((aligned(8)));
	uintptr_t page = (uintptr_t)own & ~(uintptr_t)(PAGE - 1);

	MUST(mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) == 0);
	for (int i = 0; i < 50; i++) {
		write_adder(own, i);
		__asm__ volatile("" : : "r"(own) : "memory");
		MUST(call(own, 4) == (uint64_t)i + 4);
	}
}

/* Two libraries that, one after the other, lie in the same place. */
static uint64_t
known(uint64_t library)
{
	uint64_t a = 3;

	for (uint64_t i = 0; i < 100; i++) {
		a += i;
		a = (a % 7 == 0 ? a * library : a + library) & 0xffffff;
	}
	return a * 1000 + library;
}

static void
libraries(void)
{
	char name[4096];
	void *last = NULL;
	int n_same = 0;

	for (int i = 0; i < 20; i++) {
		unsigned number = i % 2 ? 7 : 5;
		snprintf(name, sizeof name, "%.*s/code.%u.so",
		         (int)(strrchr(life_argv[0], '/') - life_argv[0]), life_argv[0], number);
		void *library = dlopen(name, RTLD_NOW);
		if (!library)
			tell("%s", dlerror());
		MUST(library);
		function *of_library = (function *)(uintptr_t)dlsym(library, "of_library");
		MUST(of_library && of_library(3) == known(number));
		n_same += last == (void *)(uintptr_t)of_library;
		last = (void *)(uintptr_t)of_library;
		MUST(dlclose(library) == 0);
	}
	(void)n_same; /* natively nearly always */
}

static const struct life_case cases[] = {
    {"made-once", made_once, 0, 0},
    {"protected-between", protected_between, 0, 0},
    {"never-protected", never_protected, 0, 0},
    {"changes-itself", changes_itself, 0, 0},
    {"mapped-twice", mapped_twice, 0, 0},
    {"read-in", read_in, 0, 0},
    {"written-from-outside", written_from_outside, 0, 0},
    {"in-a-file", in_a_file, 0, 0},
    {"mapped-anew", mapped_anew, 0, 0},
    {"moved", moved, 0, 0},
    {"forgotten", forgotten, 0, 0},
    {"at-the-end", at_the_end, 0, 0},
    {"taken-away", taken_away, 0, 0},
    {"over-the-end", over_the_end, 0, 0},
    {"many-small-ones", many_small_ones, 0, 0},
    {"calls-back", calls_back, 0, 0},
    {"while-others-run", while_others_run, 0, 0},
    {"by-threads", by_threads, 0, 0},
    {"on-the-stack", on_the_stack, 0, 0},
    {"libraries", libraries, 0, 0},
};

LIFE_MAIN(cases)
#endif
