/* SPDX-License-Identifier: MIT */
/*
 * A task for each of many forms of instructions that read or write memory, ROUNDS times. Prints a
 * line for each: what a round has more than the first one's, which is a nop: instructions, reads,
 * bytes of them, writes, bytes of them, and, in all, addresses; then the form.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROUNDS = 1000, ARCH_SET_GS_ = 0x1001 };

/* How an emulator does these is its own matter. */
#ifdef WITH_STATE
#define STATE_FORMS                                                                                \
	FORM(0, 0, 0, 1, 512, 1, "fxsave 2048(%0)")                                                \
	FORM(2, 2, 520, 1, 512, 2, "fxsave 2048(%0); fxrstor 2048(%0); movq 8(%0), %%rax")         \
	FORM(2, 0, 0, 1, 576, 1, "xorl %%edx, %%edx; movl $3, %%eax; xsave 3072(%0)")              \
	FORM(2, 0, 0, 1, 832, 1, "xorl %%edx, %%edx; movl $7, %%eax; xsave 3072(%0)")              \
	FORM(3, 1, 832, 1, 832, 1,                                                                 \
	     "xorl %%edx, %%edx; movl $7, %%eax; xsaveopt 3072(%0); xrstor 3072(%0)")
#else
#define STATE_FORMS
#endif

/* Nor does one that has no masks leave out what they leave out. */
#ifdef WITH_MASKS
#define MASK_FORMS                                                                                 \
	FORM(1, 1, 16, 0, 0, 1,                                                                    \
	     "vpcmpeqd %%xmm2, %%xmm2, %%xmm2; vmaskmovps (%0), %%xmm2, %%xmm1")                   \
	FORM(2, 1, 4, 0, 0, 1,                                                                     \
	     "vpcmpeqd %%xmm2, %%xmm2, %%xmm2; vpsrldq $12, %%xmm2, %%xmm2; "                      \
	     "vmaskmovps (%0), %%xmm2, %%xmm1")                                                    \
	FORM(3, 1, 8, 1, 8, 1,                                                                     \
	     "vpcmpeqd %%xmm2, %%xmm2, %%xmm2; vpslldq $8, %%xmm2, %%xmm2; "                       \
	     "vpmaskmovq %%xmm1, %%xmm2, 100(%0); movq 108(%0), %%rax")                            \
	FORM(2, 1, 8, 0, 0, 1, "movl $5, %%eax; kmovw %%eax, %%k1; vmovups (%0), %%zmm1%{%%k1%}")  \
	FORM(2, 0, 0, 1, 8, 1,                                                                     \
	     "movl $5, %%eax; kmovw %%eax, %%k1; vpcompressd %%zmm1, (%0)%{%%k1%}")                \
	FORM(2, 0, 0, 1, 3, 1,                                                                     \
	     "movq $0x7000000000000000, %%rax; kmovq %%rax, %%k1; "                                \
	     "vmovdqu8 %%zmm1, 8(%0)%{%%k1%}")                                                     \
	FORM(2, 1, 24, 0, 0, 1,                                                                    \
	     "movl $0x7e, %%eax; kmovw %%eax, %%k2; "                                              \
	     "vexpandps (%0), %%zmm1%{%%k2%}%{z%}")                                                \
	FORM(1, 0, 0, 0, 0, 0, "kxorw %%k1, %%k1, %%k1; vmovups (%0), %%ymm1%{%%k1%}")
#else
#define MASK_FORMS
#endif

/* instructions besides the first, reads, their bytes, writes, their bytes, addresses, text */
#define FORMS                                                                                      \
	FORM(0, 0, 0, 0, 0, 0, "nop")                                                              \
	FORM(0, 1, 8, 0, 0, 1, "movsd (%0), %%xmm0")                                               \
	FORM(0, 0, 0, 1, 4, 1, "movss %%xmm0, 4(%0)")                                              \
	FORM(0, 1, 16, 0, 0, 1, "movups 1(%0), %%xmm0")                                            \
	FORM(0, 0, 0, 1, 16, 1, "movaps %%xmm0, 16(%0)")                                           \
	FORM(0, 1, 16, 0, 0, 1, "movdqu 56(%0), %%xmm1")                                           \
	FORM(0, 0, 0, 1, 16, 1, "movdqa %%xmm1, (%0)")                                             \
	FORM(0, 1, 8, 0, 0, 1, "addsd (%0), %%xmm0")                                               \
	FORM(0, 1, 16, 0, 0, 1, "addpd (%0), %%xmm0")                                              \
	FORM(0, 1, 4, 0, 0, 1, "mulss (%0), %%xmm0")                                               \
	FORM(0, 1, 8, 0, 0, 1, "sqrtsd (%0), %%xmm0")                                              \
	FORM(0, 1, 8, 0, 0, 1, "ucomisd (%0), %%xmm0")                                             \
	FORM(0, 1, 4, 0, 0, 1, "comiss (%0), %%xmm0")                                              \
	FORM(0, 1, 4, 0, 0, 1, "cvtsi2sdl (%0), %%xmm0")                                           \
	FORM(0, 1, 8, 0, 0, 1, "cvtsi2sdq (%0), %%xmm0")                                           \
	FORM(0, 1, 8, 0, 0, 1, "cvttsd2si (%0), %%rax")                                            \
	FORM(0, 1, 4, 0, 0, 1, "cvtss2sd (%0), %%xmm0")                                            \
	FORM(0, 1, 8, 0, 0, 1, "cvtps2pd (%0), %%xmm0")                                            \
	FORM(0, 1, 16, 0, 0, 1, "unpcklpd (%0), %%xmm0")                                           \
	FORM(0, 1, 16, 0, 0, 1, "shufps $1, (%0), %%xmm0")                                         \
	FORM(0, 1, 16, 0, 0, 1, "andpd (%0), %%xmm0")                                              \
	FORM(0, 1, 16, 0, 0, 1, "pxor (%0), %%xmm0")                                               \
	FORM(0, 1, 16, 0, 0, 1, "paddd (%0), %%xmm0")                                              \
	FORM(0, 1, 16, 0, 0, 1, "punpcklbw (%0), %%xmm0")                                          \
	FORM(0, 1, 16, 0, 0, 1, "pshufd $27, (%0), %%xmm0")                                        \
	FORM(0, 1, 8, 0, 0, 1, "movq (%0), %%xmm0")                                                \
	FORM(0, 0, 0, 1, 8, 1, "movq %%xmm0, 8(%0)")                                               \
	FORM(0, 1, 4, 0, 0, 1, "movd (%0), %%xmm0")                                                \
	FORM(0, 0, 0, 1, 4, 1, "movd %%xmm0, (%0)")                                                \
	FORM(0, 1, 8, 0, 0, 1, "movhpd (%0), %%xmm0")                                              \
	FORM(0, 0, 0, 1, 8, 1, "movlpd %%xmm0, (%0)")                                              \
	FORM(1, 1, 4, 1, 4, 1, "stmxcsr 600(%0); ldmxcsr 600(%0)")                                 \
	FORM(1, 1, 4, 1, 4, 1, "vstmxcsr 600(%0); vldmxcsr 600(%0)")                               \
	FORM(0, 1, 8, 0, 0, 1, "vmovsd (%0), %%xmm0")                                              \
	FORM(0, 1, 32, 0, 0, 1, "vmovupd 40(%0), %%ymm0")                                          \
	FORM(0, 0, 0, 1, 32, 1, "vmovups %%ymm0, 8(%0)")                                           \
	FORM(0, 1, 32, 0, 0, 1, "vmovdqa (%0), %%ymm1")                                            \
	FORM(0, 0, 0, 1, 16, 1, "vmovdqu %%xmm1, 3(%0)")                                           \
	FORM(0, 1, 8, 0, 0, 1, "vaddsd (%0), %%xmm0, %%xmm1")                                      \
	FORM(0, 1, 4, 0, 0, 1, "vdivss (%0), %%xmm0, %%xmm1")                                      \
	FORM(0, 1, 32, 0, 0, 1, "vaddpd (%0), %%ymm0, %%ymm1")                                     \
	FORM(0, 1, 16, 0, 0, 1, "vmulps (%0), %%xmm0, %%xmm1")                                     \
	FORM(0, 1, 8, 0, 0, 1, "vfmadd213sd (%0), %%xmm0, %%xmm1")                                 \
	FORM(0, 1, 4, 0, 0, 1, "vfnmsub231ss 8(%0), %%xmm0, %%xmm1")                               \
	FORM(0, 1, 32, 0, 0, 1, "vfmadd132pd (%0), %%ymm0, %%ymm1")                                \
	FORM(0, 1, 16, 0, 0, 1, "vfmaddsub213ps (%0), %%xmm0, %%xmm1")                             \
	FORM(0, 1, 8, 0, 0, 1, "vucomisd (%0), %%xmm0")                                            \
	FORM(0, 1, 8, 0, 0, 1, "vmovq (%0), %%xmm0")                                               \
	FORM(0, 1, 32, 0, 0, 1, "vpxor (%0), %%ymm0, %%ymm1")                                      \
	FORM(0, 1, 16, 0, 0, 1, "vpaddd (%0), %%xmm0, %%xmm1")                                     \
	FORM(0, 1, 32, 0, 0, 1, "vpshufd $27, (%0), %%ymm0")                                       \
	FORM(0, 1, 32, 0, 0, 1, "vunpcklpd (%0), %%ymm0, %%ymm1")                                  \
	FORM(0, 1, 16, 0, 0, 1, "vandps (%0), %%xmm0, %%xmm1")                                     \
	FORM(0, 1, 8, 0, 0, 1, "vsqrtsd (%0), %%xmm0, %%xmm1")                                     \
	FORM(0, 1, 8, 0, 0, 1, "movq %%fs:0x28, %%rax")                                            \
	FORM(1, 2, 12, 1, 8, 2, "addq %%rax, (%0); movl 8(%0), %%eax")                             \
	FORM(2, 2, 24, 0, 0, 2, "vmovsd 16(%0), %%xmm0; vmovups (%0), %%xmm1; nop")                \
	FORM(2, 3, 24, 0, 0, 2,                                                                    \
	     "vfmadd213sd (%0), %%xmm0, %%xmm1; movq 8(%0), %%rax; "                               \
	     "vfmadd213sd 8(%0), %%xmm0, %%xmm1")                                                  \
	FORM(2, 8, 32, 0, 0, 1,                                                                    \
	     "vpcmpeqd %%ymm2, %%ymm2, %%ymm2; vpxor %%ymm1, %%ymm1, %%ymm1; "                     \
	     "vgatherdps %%ymm2, 4(%0, %%ymm1, 4), %%ymm0")                                        \
	FORM(3, 1, 8, 0, 0, 1,                                                                     \
	     "vpcmpeqd %%ymm1, %%ymm1, %%ymm1; vpsllq $3, %%ymm1, %%ymm1; "                        \
	     "vmovq %%xmm1, %%xmm2; vgatherqpd %%ymm2, 64(%0, %%ymm1), %%ymm0")                    \
	FORM(2, 1, 1, 0, 0, 1, "movl $7, %%eax; movq %0, %%rbx; xlat")                             \
	FORM(3, 8, 64, 8, 64, 16,                                                                  \
	     "movq %0, %%rsi; leaq 124(%0), %%rdi; movl $8, %%ecx; rep movsq")                     \
	FORM(2, 0, 0, 5, 5, 5, "leaq 61(%0), %%rdi; movl $5, %%ecx; rep stosb")                    \
	FORM(2, 0, 0, 0, 0, 0, "movq %0, %%rdi; xorl %%ecx, %%ecx; rep stosl")                     \
	FORM(0, 1, 8, 0, 0, 16, "btq %1, (%0)")                                                    \
	FORM(0, 1, 4, 1, 4, 32, "lock btsl %k1, 1024(%0)")                                         \
	FORM(2, 2, 4, 1, 2, 2, "movw $-64, %%ax; btcw %%ax, 64(%0); movw 64(%0), %%ax")            \
	FORM(1, 2, 12, 0, 0, 2, "btl $70, 8(%0); movq 16(%0), %%rax")                              \
	FORM(1, 2, 16, 0, 0, 1, "movq %%gs:8, %%rax; movq 8(%0), %%rax")                           \
	FORM(0, 1, 16, 0, 0, 1, "vbroadcasti128 (%0), %%ymm0")                                     \
	FORM(0, 1, 16, 0, 0, 1, "vbroadcastf128 (%0), %%ymm0")                                     \
	FORM(0, 1, 16, 0, 0, 1, "vinserti128 $1, (%0), %%ymm0, %%ymm1")                            \
	FORM(0, 1, 16, 0, 0, 1, "vinsertf128 $1, (%0), %%ymm0, %%ymm1")                            \
	FORM(0, 0, 0, 1, 16, 1, "vextractf128 $1, %%ymm0, (%0)")                                   \
	FORM(0, 1, 8, 0, 0, 1, "movhps (%0), %%xmm0")                                              \
	FORM(0, 0, 0, 1, 8, 1, "movlps %%xmm0, 8(%0)")                                             \
	FORM(0, 1, 8, 0, 0, 1, "movddup (%0), %%xmm0")                                             \
	FORM(0, 1, 32, 0, 0, 1, "vmovddup (%0), %%ymm0")                                           \
	FORM(0, 1, 16, 0, 0, 1, "movsldup (%0), %%xmm0")                                           \
	FORM(0, 1, 4, 0, 0, 1, "rsqrtss (%0), %%xmm0")                                             \
	FORM(0, 1, 4, 0, 0, 1, "vrcpss (%0), %%xmm0, %%xmm1")                                      \
	FORM(0, 1, 16, 0, 0, 1, "rsqrtps (%0), %%xmm0")                                            \
	FORM(0, 1, 8, 0, 0, 1, "cmpsd $1, (%0), %%xmm0")                                           \
	FORM(0, 1, 4, 0, 0, 1, "cmpss $1, (%0), %%xmm0")                                           \
	FORM(0, 1, 16, 0, 0, 1, "cmpps $1, (%0), %%xmm0")                                          \
	FORM(0, 1, 2, 0, 0, 1, "pinsrw $1, (%0), %%xmm0")                                          \
	FORM(0, 1, 16, 0, 0, 1, "haddpd (%0), %%xmm0")                                             \
	FORM(0, 1, 32, 0, 0, 1, "vaddsubps (%0), %%ymm0, %%ymm1")                                  \
	FORM(0, 0, 0, 1, 16, 1, "movntps %%xmm0, (%0)")                                            \
	FORM(0, 0, 0, 1, 16, 1, "movntdq %%xmm0, (%0)")                                            \
	FORM(0, 0, 0, 1, 32, 1, "vmovntpd %%ymm0, (%0)")                                           \
	FORM(0, 1, 16, 0, 0, 1, "lddqu 3(%0), %%xmm0")                                             \
	FORM(0, 1, 16, 0, 0, 1, "movntdqa (%0), %%xmm0")                                           \
	FORM(0, 1, 16, 0, 0, 1, "psllw (%0), %%xmm0")                                              \
	FORM(0, 1, 16, 0, 0, 1, "vpsrad (%0), %%xmm0, %%xmm1")                                     \
	FORM(0, 1, 16, 0, 0, 1, "vpsllq (%0), %%ymm0, %%ymm1")                                     \
	FORM(0, 1, 16, 0, 0, 1, "pmullw (%0), %%xmm0")                                             \
	FORM(0, 1, 32, 0, 0, 1, "vpavgb (%0), %%ymm0, %%ymm1")                                     \
	FORM(0, 1, 16, 0, 0, 1, "pmaddwd (%0), %%xmm0")                                            \
	FORM(0, 1, 16, 0, 0, 1, "psadbw (%0), %%xmm0")                                             \
	FORM(0, 1, 16, 0, 0, 1, "pshufb (%0), %%xmm0")                                             \
	FORM(0, 1, 16, 0, 0, 1, "vcvtps2pd (%0), %%ymm0")                                          \
	FORM(0, 1, 8, 0, 0, 1, "cvtdq2pd (%0), %%xmm0")                                            \
	FORM(0, 1, 16, 0, 0, 1, "vcvtdq2pd (%0), %%ymm0")                                          \
	FORM(0, 1, 16, 0, 0, 1, "cvtdq2ps (%0), %%xmm0")                                           \
	FORM(0, 1, 16, 0, 0, 1, "cvtpd2ps (%0), %%xmm0")                                           \
	FORM(0, 1, 8, 0, 0, 1, "pmovzxbw (%0), %%xmm0")                                            \
	FORM(0, 1, 16, 0, 0, 1, "vpmovzxbw (%0), %%ymm0")                                          \
	FORM(0, 1, 16, 0, 0, 1, "ptest (%0), %%xmm0")                                              \
	FORM(0, 1, 8, 0, 0, 1, "vbroadcastsd (%0), %%ymm0")                                        \
	FORM(0, 1, 8, 0, 0, 1, "roundsd $1, (%0), %%xmm0")                                         \
	FORM(0, 0, 0, 1, 8, 1, "movnti %%rax, (%0)")                                               \
	FORM(0, 1, 8, 0, 0, 1, "movbe (%0), %%rax")                                                \
	FORM(0, 1, 8, 1, 8, 1, "notq (%0)")                                                        \
	FORM(0, 1, 4, 1, 4, 1, "negl (%0)")                                                        \
	FORM(0, 1, 8, 0, 0, 1, "mulq (%0)")                                                        \
	FORM(0, 1, 8, 0, 0, 1, "imulq (%0)")                                                       \
	FORM(4, 2, 8, 1, 4, 1,                                                                     \
	     "movl $3, 96(%0); xorl %%edx, %%edx; movl $9, %%eax; divl 96(%0); "                   \
	     "movl 96(%0), %%eax")                                                                 \
	FORM(0, 1, 1, 0, 0, 1, "testb $4, (%0)")                                                   \
	FORM(0, 1, 4, 0, 0, 1, "cmovel (%0), %%eax")                                               \
	FORM(1, 1, 8, 1, 8, 1, "pushfq; popfq")                                                    \
	FORM(1, 1, 8, 1, 8, 1, "pushq $5; popq %%rax")                                             \
	STATE_FORMS MASK_FORMS FORM(                                                               \
	    4, 3, 12, 3, 12, 6,                                                                    \
	    "leaq 8(%0), %%rsi; leaq 200(%0), %%rdi; movl $3, %%ecx; jmp 2f; 2: "                  \
	    "rep movsl")

#define FORM(n, reads, read_bytes, writes, write_bytes, addresses, text)                           \
	{#n " " #reads " " #read_bytes " " #writes " " #write_bytes " " #addresses, text},
static const struct {
	const char *known, *text;
} forms[] = {FORMS};
#undef FORM

enum { FORMS_N = sizeof forms / sizeof forms[0] };

static void __attribute__((noinline)) run(int form, unsigned char *at)
{
	uint64_t rounds = ROUNDS;
	int number = 0;

#define FORM(n, reads, read_bytes, writes, write_bytes, addresses, text)                           \
	if (form == number++)                                                                      \
		__asm__ volatile("1: " text "\n\tdecq %1\n\tjnz 1b"                                \
		                 : "+r"(at), "+r"(rounds)                                          \
		                 :                                                                 \
		                 : "memory", "cc", "rax", "rcx", "rbx", "rdx", "rsi", "rdi",       \
		                   "xmm0", "xmm1", "xmm2");
	FORMS
#undef FORM
}

int
main(void)
{
	unsigned char *memory = aligned_alloc(4096, 4096);

	if (!memory)
		return 1;
	for (int i = 0; i < 4096; i++)
		memory[i] = 0;
	/* threads that come later have it, too */
	if (syscall(SYS_arch_prctl, ARCH_SET_GS_, memory) != 0)
		return 1;
#pragma omp parallel
#pragma omp single
	for (int k = 0; k < FORMS_N; k++) {
#pragma omp task firstprivate(k)
		run(k, memory);
	}
	for (int k = 0; k < FORMS_N; k++)
		printf("%s %s\n", forms[k].known, forms[k].text);
	free(memory);
}
