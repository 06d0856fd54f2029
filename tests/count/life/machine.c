/* SPDX-License-Identifier: MIT */
/*
 * machine.c - instructions that are awkward for whoever moves code: with flags that live on, that
 * use the stack's register, that address relative to themselves, that repeat.
 */
#include "life.h"

#include <asm/prctl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static uint64_t words[512] __attribute__((aligned(64)));

static void
fill(void)
{
	for (uint64_t i = 0; i < 512; i++)
		words[i] = life_work(i, 2);
}

static void
tell_hash(const void *bytes, size_t n)
{
	tell("%016llx", (unsigned long long)life_hash(1, bytes, n));
}

/* A sum of long numbers: the carry lives through loop, jumps and moves. */
static void
carries(void)
{
	uint64_t n = 200, *at = words, *to = words + 256, out[4] = {0};

	fill();
	__asm__ volatile(
	    "clc\n"
	    "1: movq (%0), %%rax; adcq %%rax, (%1); leaq 8(%0), %0; leaq 8(%1), %1\n\t"
	    "jmp 2f\n2: movq %%rax, -8(%%rsp); leaq 3f(%%rip), %%rdx; jmp *%%rdx; ud2\n"
	    "3: decq %2; jnz 1b; setc 8(%3)"
	    : "+r"(at), "+r"(to), "+r"(n)
	    : "r"(out)
	    : "rax", "rdx", "memory", "cc");
	n = 100, at = words;
	__asm__ volatile("xorl %%eax, %%eax; xorl %%edx, %%edx; stc\n"
	                 "1: adcq (%0), %%rax; call 5f; leaq 8(%0), %0; loop 1b; jmp 2f\n"
	                 "5: sbbq (%0), %%rdx; ret\n"
	                 "2: setc (%2); movq %%rax, 16(%2); movq %%rdx, 24(%2)"
	                 : "+r"(at), "+c"(n)
	                 : "r"(out)
	                 : "rax", "rdx", "memory", "cc");
	tell_hash(words, sizeof words);
	tell_hash(out, sizeof out);
}

/* Each flag, through each condition, before and after a jump. */
static void
conditions(void)
{
	unsigned char out[16];
	uint64_t hash = 1;

	for (uint64_t f = 0; f < 64; f++) {
		uint64_t flags = 2 | (f & 1) | (f & 2) << 1 | (f & 4) << 2 | (f & 8) << 3 |
		                 (f & 16) << 3 | (f & 32) << 6;
		uint64_t back = 0, ah = 0, taken = 0;
		__asm__ volatile(
		    "leaq -128(%%rsp), %%rsp; pushq %3; popfq; leaq 128(%%rsp), %%rsp\n\t"
		    "seto (%4); setno 1(%4); setb 2(%4); setae 3(%4); sete 4(%4); setne 5(%4)\n\t"
		    "setbe 6(%4); seta 7(%4); sets 8(%4); setns 9(%4); setp 10(%4); setnp "
		    "11(%4)\n\t"
		    "setl 12(%4); setge 13(%4); setle 14(%4); setg 15(%4)\n\t"
		    "lahf; movq %%rax, %1\n\t"
		    "leaq 1f(%%rip), %%rax; jmp *%%rax; ud2\n1: movl $0, %k2\n\t"
		    "jno 1f; lea 1(%2), %2\n1: jae 1f; lea 2(%2), %2\n1: jne 1f; lea 4(%2), %2\n"
		    "1: ja 1f; lea 8(%2), %2\n1: jns 1f; lea 16(%2), %2\n1: jnp 1f; lea 32(%2), "
		    "%2\n"
		    "1: jge 1f; lea 64(%2), %2\n1: jg 1f; lea 128(%2), %2\n1: jo 1f; lea 256(%2), "
		    "%2\n"
		    "1: jb 1f; lea 512(%2), %2\n1: je 1f; lea 1024(%2), %2\n1: jbe 1f; lea "
		    "2048(%2), %2\n"
		    "1: js 1f; lea 4096(%2), %2\n1: jp 1f; lea 8192(%2), %2\n"
		    "1: jl 1f; lea 16384(%2), %2\n1: jle 1f; lea 32768(%2), %2\n1: movl $0, "
		    "%%eax\n\t"
		    "cmovg %2, %%rax; cmovo %2, %%rax; cmovp %2, %%rax; addq %%rax, %2; movl $0, "
		    "%%eax"
		    : "=&r"(back), "=&r"(ah), "=&r"(taken)
		    : "r"(flags), "r"(out)
		    : "rax", "memory", "cc");
		ah &= 0xff00;
		hash = life_hash(hash, out, sizeof out);
		hash = life_hash(hash, &ah, sizeof ah);
		hash = life_hash(hash, &taken, sizeof taken);
		/* what is pushed is what was popped */
		__asm__ volatile("leaq -128(%%rsp), %%rsp; pushq %1; popfq; jmp 1f\n"
		                 "1: movq $0, (%2); pushfq; popq %0; leaq 128(%%rsp), %%rsp"
		                 : "=r"(back)
		                 : "r"(flags), "r"(words)
		                 : "memory", "cc");
		MUST((back & 0xcd5) == (flags & 0xcd5));
		/* by sahf, and across a call and a return */
		__asm__ volatile("movb %b1, %%ah; sahf; leaq -128(%%rsp), %%rsp; call 1f\n\t"
		                 "lahf; movzbl %%ah, %%eax; movq %%rax, %0; jmp 2f\n1: ret\n"
		                 "2: leaq 128(%%rsp), %%rsp"
		                 : "=&r"(back)
		                 : "c"(flags)
		                 : "rax", "memory", "cc");
		MUST((back & 0xd5) == (flags & 0xd5));
	}
	tell("%016llx", (unsigned long long)hash);
}

static void
loops(void)
{
	uint64_t out[8] = {0};

	__asm__ volatile(
	    "movl $10, %%ecx\n1: incq (%0); loop 1b\n\t"
	    "movl $10, %%ecx\n1: incq 8(%0); cmpq $7, 8(%0); loopne 1b; movq %%rcx, 16(%0)\n\t"
	    "movl $10, %%ecx\n1: incq 24(%0); cmpq $4, 24(%0); setl %%al; cmpb $1, %%al; "
	    "loope 1b; movq %%rcx, 32(%0)\n\t"
	    "xorl %%ecx, %%ecx; jrcxz 1f; incq 40(%0)\n1: incl %%ecx; jrcxz 2f; incq 40(%0)\n2:"
	    "movabsq $0x100000000, %%rcx; jecxz 1f; incq 48(%0)\n1: jrcxz 2f; incq 48(%0)\n2:"
	    "movabsq $0x500000003, %%rcx\n1: incq 56(%0); addr32 loop 1b"
	    :
	    : "r"(out)
	    : "rax", "rcx", "memory", "cc");
	uint64_t known[8] = {10, 7, 3, 4, 6, 1, 1, 3};
	for (int i = 0; i < 8; i++)
		if (out[i] != known[i])
			tell("%d: %llu", i, (unsigned long long)out[i]);
	MUST(memcmp(out, known, sizeof out) == 0);
}

/* What lies below the stack's end is the function's own, up to 128 bytes. */
uint64_t red_zone(uint64_t a, uint64_t n);
__asm__(
    ".text\n.globl red_zone\n.type red_zone, @function\nred_zone:\n\t"
    "mov %rdi, -8(%rsp); mov %rdi, -16(%rsp); mov %rdi, -64(%rsp); mov %rdi, -128(%rsp)\n\t"
    "mov %rdi, -120(%rsp); mov %rsi, %rcx; xor %eax, %eax\n"
    "1: addq $1, -8(%rsp); addq $3, -16(%rsp); jc 9f; addq $5, -64(%rsp); addq $7, -128(%rsp)\n\t"
    "lea 2f(%rip), %rdx; jmp *%rdx; ud2\n"
    "2: lea -120(%rsp), %rdi; lea -128(%rsp), %rsi; mov %rcx, %r8; mov $8, %ecx\n\t"
    "rep movsb; mov %r8, %rcx; dec %rcx; jnz 1b\n"
    "9: mov -8(%rsp), %rax; add -16(%rsp), %rax; add -64(%rsp), %rax; add -120(%rsp), %rax\n\t"
    "add -128(%rsp), %rax; ret\n"
    ".size red_zone, . - red_zone\n");

static void
below_the_stack(void)
{
	MUST(red_zone(5, 1000) == 25 + 1000 * (1 + 3 + 5 + 7 + 7));
}

static void
backwards(void)
{
	unsigned char bytes[256], known[256];

	for (int i = 0; i < 256; i++)
		known[i] = bytes[i] = (unsigned char)i;
	memmove(known + 4, known, 200);
	void *to = bytes + 203, *from = bytes + 199;
	uintptr_t end = (uintptr_t)bytes - 1;
	uint64_t n = 200, a = 0;
	/* code of all kinds is executed while the flag is set */
	__asm__ volatile("std; rep movsb; leaq 1f(%%rip), %%rdx; jmp *%%rdx; ud2\n"
	                 "1: leaq -128(%%rsp), %%rsp; call 2f; jmp 3f\n2: incq %3; ret\n"
	                 "3: leaq 128(%%rsp), %%rsp; movl $20, %%ecx\n4: incq %3; loop 4b; cld"
	                 : "+D"(to), "+S"(from), "+c"(n), "+r"(a)
	                 :
	                 : "rdx", "memory", "cc");
	MUST(a == 21 && memcmp(bytes, known, 256) == 0 && to == bytes + 3 &&
	     (uintptr_t)from == end);
	to = words + 20, n = 5;
	__asm__ volatile("std; rep stosq; lodsb; cld"
	                 : "+D"(to), "+c"(n), "+S"(from)
	                 : "a"(77)
	                 : "memory");
	MUST(to == words + 15 && words[16] == 77 && words[20] == 77 && words[15] != 77);
}

static void
repeated(void)
{
	char a[64] = "the same text up to here, and then not",
	     b[64] = "the same text up to HERE, and";
	const char *x = a, *y = b;
	uint64_t n = 64;
	unsigned char zero, carry;

	__asm__ volatile("repe cmpsb" : "+S"(x), "+D"(y), "+c"(n), "=@ccz"(zero), "=@ccc"(carry));
	MUST(x - a == 21 && y - b == 21 && n == 43 && !zero && !carry);
	x = a, y = b, n = 20;
	__asm__ volatile("repe cmpsb" : "+S"(x), "+D"(y), "+c"(n), "=@ccz"(zero));
	MUST(x - a == 20 && n == 0 && zero);
	y = a, n = 64;
	__asm__ volatile("repne scasb" : "+D"(y), "+c"(n), "=@ccz"(zero) : "a"(','));
	MUST(y - a == 25 && n == 39 && zero);
	y = a, n = 10;
	__asm__ volatile("repne scasb" : "+D"(y), "+c"(n), "=@ccz"(zero) : "a"('Z'));
	MUST(y - a == 10 && n == 0 && !zero);
	/* none at all: neither registers nor flags change */
	for (int set = 0; set < 2; set++) {
		x = a, y = b, n = 0;
		__asm__ volatile(
		    "cmpl $1, %4; repe cmpsb; setz %3; repne scasw; repe scasq; rep movsl"
		    : "+S"(x), "+D"(y), "+c"(n), "=q"(zero)
		    : "r"(set)
		    : "memory", "cc");
		MUST(x == a && y == b && n == 0 && zero == set);
	}
	/* a copy onto its own source repeats what is before it */
	char text[64] = "abc";
	void *to = text + 3;
	const void *from = text;
	n = 30;
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
	MUST(memcmp(text, "abcabcabcabcabcabcabcabcabcabcabc", 33) == 0 && text[33] == 0);
	fill();
	to = (char *)words + 12, from = (char *)words + 3, n = 100;
	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
	to = (char *)words + 1501, n = 77;
	__asm__ volatile("rep stosw" : "+D"(to), "+c"(n) : "a"(0x1234) : "memory");
	from = (char *)words + 100, n = 31;
	uint64_t last = 0;
	__asm__ volatile("rep lodsl" : "+S"(from), "+c"(n), "+a"(last) : : "memory");
	MUST((const char *)from - (char *)words == 100 + 31 * 4 && n == 0);
	tell_hash(words, sizeof words);
	tell("%llx", (unsigned long long)last);
	/* by 32-bit registers, and single ones */
	char *low = mmap((void *)0x20000000, 4096, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	MUST(low == (char *)0x20000000);
	to = low + 1, from = low, n = 0xf00000010;
	low[0] = 'x';
	__asm__ volatile("addr32 rep movsb; stosb; movsb; cmpsb"
	                 : "+D"(to), "+S"(from), "+c"(n)
	                 : "a"('y')
	                 : "memory", "cc");
	MUST(memcmp(low, "xxxxxxxxxxxxxxxxxyx", 19) == 0 && n == 0);
}

static void
of_the_stack(void)
{
	uint64_t out[16] = {0}, in[4] = {11, 22, 33, 44};

	__asm__ volatile(
	    "movq %%rsp, %%rbx; leaq -256(%%rsp), %%rsp; andq $-16, %%rsp; movq %%rsp, %%r12\n\t"
	    "pushq (%1); pushq 8(%1); pushq 8(%%rsp); pushq $-5; pushw $7; pushw $8\n\t"
	    "popw %%ax; movw %%ax, (%0); popw 8(%0); popq 16(%0); popq 24(%0)\n\t"
	    /* the address is that after the pop; the value that before the push */
	    "popq 8(%%rsp); movq 8(%%rsp), %%rax; movq %%rax, 32(%0); popq 40(%0)\n\t"
	    "movq %%r12, %%rsp; pushq %%rsp; popq 48(%0); subq %%r12, 48(%0)\n\t"
	    "pushq %%rsp; addq $-8, (%%rsp); popq %%rsp; subq %%r12, %%rsp; movq %%rsp, 56(%0)\n\t"
	    "movq %%r12, %%rsp; pushq $1; pushq $2; pushq %%r12; popq %%rsp; cmpq %%r12, %%rsp; "
	    "sete 64(%0)\n\t"
	    "movl $5, %%ebp; enter $32, $0; movq %%rbp, 72(%0); subq %%rsp, 72(%0); leave\n\t"
	    "movq %%rbp, 80(%0); movq %%r12, %%rbp; enter $16, $2; movq %%rbp, 88(%0); "
	    "subq %%rsp, 88(%0); leave; subq %%r12, %%rbp; movq %%rbp, 96(%0)\n\t"
	    "movq %%r12, %%rsp; leaq -3(%%rsp), %%rsp; pushq $99; call 1f; popq 104(%0); jmp 2f\n"
	    "1: incq 8(%%rsp); ret\n"
	    "2: subq %%r12, %%rsp; movq %%rsp, 112(%0); leaq 64(%%r12), %%rax\n\t"
	    "movq %%r12, %%rsp; xchgq %%rax, %%rsp; subq %%rsp, %%rax; movq %%rax, 120(%0)\n\t"
	    "movq %%rbx, %%rsp"
	    :
	    : "D"(out), "S"(in) /* not any register: that may be the stack's */
	    : "rax", "rbx", "rbp", "r12", "memory", "cc");
	for (int i = 0; i < 16; i++)
		tell("%d %lld", i, (long long)out[i]);
}

static uint64_t
double_it(uint64_t a)
{
	return a * 2 + 1;
}

/* Calls and jumps whose target is read where the stack's register says. */
static void
through_the_stack(void)
{
	uint64_t a = 5, (*table[2])(uint64_t) = {double_it, double_it};

	__asm__ volatile(
	    "movq %%rsp, %%rbx; leaq -256(%%rsp), %%rsp; andq $-16, %%rsp\n\t"
	    "movq %1, (%%rsp); movq %1, 8(%%rsp); movq %0, %%rdi\n\t"
	    "call *(%%rsp); movq %%rax, %%rdi; call *8(%%rsp); movq %%rax, %%rdi\n\t"
	    "movl $1, %%r12d; call *(%%rsp, %%r12, 8); movq %%rax, %%rdi\n\t"
	    "leaq 1f(%%rip), %%rdx; movq %%rdx, 16(%%rsp); jmp *16(%%rsp); ud2\n"
	    "1: call *(%2); movq %%rax, %%rdi; leaq 2f(%%rip), %%rdx; pushq %%rdx; ret; ud2\n"
	    "2: movq %2, %%rax; call *8(%%rax); movq %%rax, %%rdi\n\t"
	    "leaq 3f(%%rip), %%r11; notrack jmp *%%r11; ud2\n"
	    "3: movq %%rdi, %0; movq %%rbx, %%rsp"
	    : "+&S"(a)
	    : "c"(double_it), "r"((uintptr_t)table | 0)
	    : "rax", "rbx", "rdx", "rdi", "r8", "r9", "r10", "r11", "r12", "memory", "cc");
	tell("%llu", (unsigned long long)a);
}

static uint64_t near_words[4] __attribute__((used)) = {1, 2, 3, 4};
static uint64_t (*near_function)(uint64_t) __attribute__((used)) = double_it;

/* Relative to the instruction's own end, which is further with an operand behind it. */
static void
relative(void)
{
	uint64_t out[12] = {0};

	near_words[0] = 1, near_words[1] = 2, near_words[2] = 3, near_words[3] = 0x4000000000000004;
	__asm__ volatile(
	    "movq %1, %%rbx; movq near_words(%%rip), %%rax; movq %%rax, (%%rbx)\n\t"
	    "addl $0x12345678, near_words(%%rip); addb $5, near_words+8(%%rip)\n\t"
	    "movq $-7, near_words+16(%%rip); movw $0x4142, near_words+24(%%rip)\n\t"
	    "imulq $1000003, near_words(%%rip), %%rax; movq %%rax, 8(%%rbx)\n\t"
	    "cmpl $0x7fffffff, near_words+16(%%rip); setb 16(%%rbx); lock incq "
	    "near_words+8(%%rip)\n\t"
	    "shldq $5, %%rax, near_words+8(%%rip); btsq $62, near_words+8(%%rip)\n\t"
	    "leaq -128(%%rsp), %%rsp; pushq near_words+8(%%rip); popq 24(%%rbx)\n\t"
	    "movq %%rsp, %%r12; andq $-16, %%rsp; movl $9, %%edi; call *near_function(%%rip)\n\t"
	    "movq %%rax, 32(%%rbx); movq %%r12, %%rsp; leaq 128(%%rsp), %%rsp\n\t"
	    "movups near_words(%%rip), %%xmm1; pshufd $27, near_words+0(%%rip), %%xmm2\n\t"
	    "movups %%xmm1, 40(%%rbx); movups %%xmm2, 56(%%rbx); movq near_words+24(%%rip), "
	    "%%mm0\n\t"
	    "movq %%mm0, 72(%%rbx); emms; fildll near_words+8(%%rip); fistpll 80(%%rbx)\n\t"
	    "movslq near_words+16(%%rip), %%r13; movzwl near_words+24(%%rip), %%r14d\n\t"
	    "leaq (%%r13, %%r14), %%r13; movq %%r13, 88(%%rbx); testb $4, near_words(%%rip)\n\t"
	    "leaq near_words(%%rip), %%r15; leal near_words(%%eip), %%r14d; cmpl %%r14d, %%r15d; "
	    "setne 17(%%rbx)"
	    :
	    : "m"(out), "r"(out)
	    : "rax", "rbx", "rcx", "rdx", "rdi", "rsi", "r8", "r9", "r10", "r11", "r12", "r13",
	      "r14", "r15", "xmm1", "xmm2", "memory", "cc");
	for (int i = 0; i < 12; i++)
		tell("%d %016llx", i, (unsigned long long)out[i]);
}

/* A bit's number may lie far beyond the word it is said to be in. */
static void
bits(void)
{
	uint64_t hash = 1;

	fill();
	for (int64_t n = -3000; n < 3000; n += 37) {
		unsigned char was[4];
		uint64_t *at = words + 256;
		__asm__ volatile("btq %4, (%5); setc %0; btsq %4, 8(%5); setc %1; "
		                 "btrl %k4, (%5, %6, 8); setc %2; lock btcq %4, 64(%5); setc %3"
		                 : "=m"(was[0]), "=m"(was[1]), "=m"(was[2]), "=m"(was[3])
		                 : "r"(n), "r"(at), "r"(2l)
		                 : "memory", "cc");
		hash = life_hash(hash, was, 4);
	}
	tell("%016llx", (unsigned long long)hash);
	tell_hash(words, sizeof words);
}

static __thread uint64_t own_words[4] = {7, 8, 9, 10};

static void
segments(void)
{
	uint64_t self, same, first = 0, data[4] = {21, 22, 23, 24};

	__asm__ volatile("movq %%fs:0, %0; movq %%fs:16, %1" : "=r"(self), "=r"(same));
	MUST(self == same && self == (uint64_t)pthread_self());
	for (int i = 0; i < 4; i++)
		own_words[i] += own_words[(i + 1) % 4];
	MUST(own_words[0] == 15 && own_words[3] == 25);
	MUST(syscall(SYS_arch_prctl, ARCH_SET_GS, data) == 0);
	__asm__ volatile(
	    "movq %%gs:8, %0; addq %%gs:16, %0; .byte 0x65; leaq 8, %1; addq $5, %%gs:(%2); "
	    "movl %%gs:(%2, %2, 2), %k2"
	    : "=&r"(first), "=&r"(same), "+r"((uint64_t){0})
	    :
	    : "memory", "cc");
	MUST(first == 45 && same == 8 && data[0] == 26);
	MUST(syscall(SYS_arch_prctl, ARCH_GET_FS, &same) == 0 && same == self);
	/* and the ones that mean nothing any more */
	__asm__ volatile(
	    "movq %%ds:(%1), %0; addq %%cs:8(%1), %0; addq %%es:16(%1), %0; addq %%ss:(%1), %0"
	    : "=&r"(first)
	    : "r"(data)
	    : "cc");
	MUST(first == 26 + 22 + 23 + 26);
	unsigned short code, stack;
	__asm__ volatile("movw %%cs, %0; movw %%ss, %1" : "=r"(code), "=r"(stack));
	MUST(code == 0x33 && stack == 0x2b);
	__asm__ volatile("xlatb" : "=a"(self) : "b"("abcdef"), "a"(0xff03));
	MUST(self == 0xff00 + 'd');
	__asm__ volatile("fs xlatb"
	                 : "=a"(self)
	                 : "b"((char *)own_words - (char *)pthread_self()), "a"(8));
	MUST(self == 17);
	/* an address of 64 bits within the instruction */
	uint64_t *fixed = mmap((void *)0x123450000000, 4096, PROT_READ | PROT_WRITE,
	                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	MUST(fixed == (void *)0x123450000000);
	__asm__ volatile("movl $77, %%eax; movabsq %%rax, 0x123450000008; xorl %%eax, %%eax; "
	                 "movabsl 0x123450000008, %%eax; movq %%rax, %0"
	                 : "=r"(first)
	                 :
	                 : "rax", "memory", "cc");
	MUST(first == 77 && fixed[1] == 77);
}

extern const char after_system_call[];

/* The kernel leaves behind where it returns to, and the flags. */
static void
system_call(void)
{
	uint64_t rcx, r11, flags, rax, rdx = 3, r8;

	for (int i = 0; i < 50; i++) {
		__asm__ volatile("movl $11, %%r8d; leaq -128(%%rsp), %%rsp; stc; pushfq; popq %2; "
		                 "leaq 128(%%rsp), %%rsp; syscall; .globl after_system_call\n"
		                 "after_system_call: jnc 1f; movq %%r8, %5; jmp 2f\n1: ud2\n2:"
		                 : "=&c"(rcx), "=&a"(rax), "=&b"(flags), "+d"(rdx), "=&D"(r11),
		                   "=&S"(r8)
		                 : "1"(SYS_getppid)
		                 : "r8", "r11", "memory", "cc");
		__asm__ volatile("movq %%r11, %0" : "=r"(r11));
		MUST(rax == (uint64_t)getppid() && rdx == 3 && r8 == 11);
		MUST(rcx == (uint64_t)after_system_call);
		(void)flags;
	}
	__asm__ volatile("stc; syscall; movq %%r11, %1"
	                 : "=a"(rax), "=r"(r11)
	                 : "0"(SYS_getpid)
	                 : "rcx", "r11", "memory");
	MUST((r11 & 1) == 1 && (r11 & 0x202) == 0x202);
}

/* Two readings of the same bytes, one within the other. */
static void
overlapping(void)
{
	uint64_t a = 0;

	__asm__ volatile(
	    "movl $5, %%eax; .byte 0xeb, 0xff, 0xc0; movq %%rax, %0" /* jumps into itself */
	    : "=r"(a)
	    :
	    : "rax", "cc");
	MUST(a == 6);
	__asm__ volatile(
	    "xorl %%ecx, %%ecx; jmp 2f\n"
	    "1: .byte 0xb8\n" /* mov $..., %%eax; its operand is what was jumped to */
	    "2: incl %%ecx; nop; nop; addl $5, %%ecx; cmpl $8, %%ecx; jb 1b; movq %%rcx, %0"
	    : "=r"(a)
	    :
	    : "rax", "rcx", "cc");
	MUST(a == 11);
}

static void
arithmetic(void)
{
	uint64_t out[24] = {0};

	__asm__ volatile(
	    "movabsq $0x123456789abcdef0, %%rax; movabsq $0xfedcba9876543210, %%rdx\n\t"
	    "movq $37, %%rcx; shldq %%cl, %%rdx, %%rax; movq %%rax, (%0); shrdq $9, %%rax, "
	    "%%rdx\n\t"
	    "movq %%rdx, 8(%0); rclq $1, %%rax; rcrq %%cl, %%rdx; adcq %%rax, %%rdx; movq %%rdx, "
	    "16(%0)\n\t"
	    "movl $0x5678, %%ebx; movb %%ah, %%bl; addb %%bh, %%dl; xchgb %%dh, %%ah; movq %%rdx, "
	    "24(%0)\n\t"
	    "mulq %%rdx; movq %%rdx, 32(%0); imulq %%rax; movq %%rax, 40(%0); movq $1000003, "
	    "%%r8\n\t"
	    "xorl %%edx, %%edx; divq %%r8; movq %%rax, 48(%0); movq %%rdx, 56(%0); negq %%rax; "
	    "cqo\n\t"
	    "idivq %%r8; movq %%rax, 64(%0); bsfq %%rax, %%rdx; bsrq %%rax, %%r9; addq %%r9, "
	    "%%rdx\n\t"
	    "movq %%rdx, 72(%0); bswapq %%rax; popcntq %%rax, %%r9; movq %%r9, 80(%0)\n\t"
	    "cwtl; cltq; movsbw %%al, %%dx; movzbl %%dl, %%edx; xaddq %%rax, %%rdx; movq %%rdx, "
	    "88(%0)\n\t"
	    "cmpxchgq %%rdx, %%r9; movq %%r9, 96(%0); crc32q %%rax, %%r8; movq %%r8, 104(%0)\n\t"
	    "movl $-1, %%eax; addl $1, %%eax; sbbq %%rax, %%rax; movq %%rax, 112(%0)\n\t"
	    "movq %%rdx, 120(%0); xaddq %%rax, 120(%0); notq 120(%0); sarq $3, 120(%0)\n\t"
	    "cmpxchg8b 128(%0); sete 136(%0); rorw $3, 120(%0); movnti %%rdx, 144(%0); sfence"
	    :
	    : "r"(out)
	    : "rax", "rbx", "rcx", "rdx", "r8", "r9", "memory", "cc");
	for (int i = 0; i < 19; i++)
		tell("%d %016llx", i, (unsigned long long)out[i]);
	__builtin_cpu_init();
	if (!__builtin_cpu_supports("bmi2"))
		return;
	__asm__ volatile(
	    "movabsq $0x0f0f00ff00f0f0f0, %%rdx; movabsq $0x123456789abcdef, %%rax\n\t"
	    "mulxq %%rax, %%rcx, %%r8; pdepq %%rdx, %%rax, %%r9; pextq %%rdx, %%rax, %%r10\n\t"
	    "andnq %%rdx, %%rax, %%r11; rorxq $7, %%rcx, %%rcx; blsrq %%rdx, %%rdx\n\t"
	    "xorl %%ebx, %%ebx; adcx %%r9, %%rcx; adox %%r10, %%r8; adcx %%r11, %%r9\n\t"
	    "adox %%rdx, %%r10; movq %%rcx, (%0); movq %%r8, 8(%0); movq %%r9, 16(%0)\n\t"
	    "movq %%r10, 24(%0); lzcntq %%r11, %%r11; tzcntq %%rdx, %%rdx\n\t"
	    "movq %%r11, 32(%0); shlxq %%r11, %%rdx, %%rdx; movbeq %%rdx, 40(%0)"
	    :
	    : "r"(out)
	    : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc");
	tell_hash(out, 48);
}

static const struct life_case cases[] = {
    {"carries", carries, 0, 0},
    {"conditions", conditions, 0, 0},
    {"loops", loops, 0, 0},
    {"below-the-stack", below_the_stack, 0, 0},
    {"backwards", backwards, 0, 0},
    {"repeated", repeated, 0, 0},
    {"of-the-stack", of_the_stack, 0, 0},
    {"through-the-stack", through_the_stack, 0, 0},
    {"relative", relative, 0, 0},
    {"bits", bits, 0, 0},
    {"segments", segments, 0, 0},
    {"system-call", system_call, 0, 0},
    {"overlapping", overlapping, 0, 0},
    {"arithmetic", arithmetic, 0, 0},
};

LIFE_MAIN(cases)
