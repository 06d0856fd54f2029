/* SPDX-License-Identifier: MIT */
/*
 * vectors.c - registers that are wide or old, and memory that they reach in unusual ways. What the
 * processor does not have is left out, and nothing is told of it.
 */
#include "life.h"

#include <fenv.h>
#include <immintrin.h>
#include <math.h>
#include <signal.h>
#include <sys/mman.h>

static unsigned char *
two_pages(void)
{
	unsigned char *at =
	    mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(at != MAP_FAILED);
	return at;
}

static bool
has(const char *name)
{
	__builtin_cpu_init();
	if (strcmp(name, "avx2") == 0)
		return __builtin_cpu_supports("avx2");
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
}

/* What the mask leaves out is not touched: it may lie in memory that is not there. */
__attribute__((target("avx2"))) static void
gather(void)
{
	if (!has("avx2"))
		return;
	unsigned char *pages = two_pages();
	double *last = (double *)(pages + 4096) - 4;
	for (int i = 0; i < 4; i++)
		last[i] = i + 1;
	mprotect(pages + 4096, 4096, PROT_NONE);
	__m256i index = _mm256_set_epi64x(1000, 3, 100, 1);
	__m256d mask = _mm256_castsi256_pd(_mm256_set_epi64x(0, -1, 0, -1)),
		old = _mm256_set1_pd(-5);
	double out[4];
	for (int i = 0; i < 100; i++) {
		_mm256_storeu_pd(out, _mm256_mask_i64gather_pd(old, last, index, mask, 8));
		MUST(out[0] == 2 && out[1] == -5 && out[2] == 4 && out[3] == -5);
	}
	static int table[256];
	for (int i = 0; i < 256; i++)
		table[i] = i * i;
	int found[8];
	_mm256_storeu_si256((__m256i *)found,
	                    _mm256_i32gather_epi32(
				table + 100, _mm256_setr_epi32(-100, 155, 3, 3, -7, 0, 99, 50), 4));
	MUST(found[0] == 0 && found[1] == 255 * 255 && found[4] == 93 * 93 && found[7] == 22500);
}

__attribute__((target("avx2"))) static void
masked_moves(void)
{
	if (!has("avx2"))
		return;
	unsigned char *pages = two_pages();
	float *last = (float *)(pages + 4096) - 3;
	for (int i = 0; i < 3; i++)
		last[i] = (float)i;
	mprotect(pages + 4096, 4096, PROT_NONE);
	__m256i mask = _mm256_setr_epi32(-1, 0, -1, 0, 0, 0, 0, 0);
	float out[8];
	for (int i = 0; i < 100; i++) {
		__m256 a = _mm256_maskload_ps(last, mask);
		_mm256_maskstore_ps(last, mask, _mm256_add_ps(a, _mm256_set1_ps(1)));
		_mm256_storeu_ps(out, a);
		MUST(out[0] == (float)i && out[1] == 0 && out[2] == (float)(i + 2) && out[3] == 0);
	}
	MUST(last[1] == 1);
	unsigned char *bytes = pages + 32;
	__m128i select = _mm_set_epi8(-1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, -1);
	_mm_maskmoveu_si128(_mm_set1_epi8(7), select, (char *)bytes);
	MUST(bytes[0] == 7 && bytes[1] == 0 && bytes[3] == 7 && bytes[15] == 7 && bytes[14] == 0);
	_mm_stream_si128((__m128i *)(pages + 64), _mm_set1_epi32(9));
	_mm_stream_si64((long long *)(pages + 80), 11);
	_mm_sfence();
	MUST(pages[64] == 9 && pages[80] == 11);
}

__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq"))) static void
with_512_bits(void)
{
	if (!has("avx512"))
		return;
	unsigned char *pages = two_pages();
	int *last = (int *)(pages + 4096) - 16;
	mprotect(pages + 4096, 4096, PROT_NONE);
	for (int i = 0; i < 16; i++)
		last[i] = i;
	for (int i = 0; i < 100; i++) {
		__m512i a = _mm512_maskz_loadu_epi32(0x00ff, last + 8);
		_mm512_mask_storeu_epi32(last + 8, 0x00ff,
		                         _mm512_add_epi32(a, _mm512_set1_epi32(1)));
		__m512i index = _mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 5000, 7, 6, 5, 4, 3, 2, 1, 0);
		__m512i found =
		    _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xff, index, last, 4);
		MUST(_mm512_reduce_add_epi32(found) == 28);
		_mm512_mask_i32scatter_epi32(last, 0x0f, index, found, 4);
	}
	for (int i = 0; i < 16; i++)
		MUST(last[i] == i + (i < 8 ? 0 : 100));
}

/* A state that lives in registers over calls, jumps and a signal. */
static volatile int n_taken;

static void
take(int signal)
{
	(void)signal;
	n_taken++;
}

static void
saved(void)
{
	static unsigned char area[4096] __attribute__((aligned(64))),
	    other[4096] __attribute__((aligned(64)));
	uint64_t out[4] = {0};

	signal(SIGUSR1, take);
	__asm__ volatile("fninit; fld1; fldpi; fldl2e; movl $0x1f80, (%0); ldmxcsr (%0)\n\t"
	                 "pcmpeqd %%xmm3, %%xmm3; psrlq $9, %%xmm3; fxsave64 (%0)\n\t"
	                 "fninit; pxor %%xmm3, %%xmm3; fxrstor64 (%0); fxsave64 (%1)\n\t"
	                 "movq %%xmm3, (%2); fstp %%st(0); fistpll 8(%2); fstp %%st(0); fninit"
	                 :
	                 : "r"(area), "r"(other), "r"(out)
	                 : "xmm3", "memory");
	MUST(out[0] == 0x7fffffffffffff && out[1] == 3 && memcmp(area + 32, other + 32, 300) == 0);
	if (!has("avx2"))
		return;
	memset(area, 0, sizeof area);
	for (int i = 0; i < 50; i++) {
		__asm__ volatile("vpcmpeqd %%ymm7, %%ymm7, %%ymm7; vpsrlq $5, %%ymm7, %%ymm7\n\t"
		                 "movl $7, %%eax; xorl %%edx, %%edx; xsave64 (%0); vpxor %%ymm7, "
		                 "%%ymm7, %%ymm7\n\t"
		                 "movl $7, %%eax; xorl %%edx, %%edx; xrstor64 (%0); vextracti128 "
		                 "$1, %%ymm7, %%xmm1; "
		                 "movq %%xmm1, (%1); vzeroupper"
		                 :
		                 : "r"(area), "r"(out)
		                 : "rax", "rdx", "xmm1", "xmm7", "memory");
		MUST(out[0] == 0x07ffffffffffffff);
		raise(SIGUSR1);
	}
	uint32_t low, high;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	MUST((low & 7) == 7 && n_taken == 50);
}

/* The upper halves hold something while all else happens. */
__attribute__((target("avx2"))) static void
upper_halves(void)
{
	if (!has("avx2"))
		return;
	uint64_t out[4], n = 300;
	signal(SIGUSR1, take);
	__asm__ volatile(
	    "vpcmpeqd %%ymm15, %%ymm15, %%ymm15; vpsrlq $7, %%ymm15, %%ymm15; "
	    "vmovdqa %%ymm15, %%ymm0; vmovdqa %%ymm15, %%ymm1; leaq -128(%%rsp), %%rsp\n"
	    "1: call 2f; leaq 3f(%%rip), %%rdx; jmp *%%rdx; ud2\n2: ret\n"
	    "3: movl $39, %%eax; syscall; decq %0; jnz 1b; leaq 128(%%rsp), %%rsp\n\t"
	    "vpand %%ymm0, %%ymm15, %%ymm15; vpand %%ymm1, %%ymm15, %%ymm15; "
	    "vmovdqu %%ymm15, (%1); vzeroupper"
	    : "+r"(n)
	    : "r"(out)
	    : "rax", "rcx", "rdx", "r11", "xmm0", "xmm1", "xmm15", "memory", "cc");
	for (int i = 0; i < 4; i++)
		MUST(out[i] == 0x01ffffffffffffff);
}

static void
old_stack(void)
{
	volatile long double a = 0, x = 0.1L;
	unsigned char bytes[10];
	uint16_t control, status;
	double out[8];

	for (int i = 1; i < 200; i++)
		a = a + x / i * 3 - 1 / (x + i);
	memcpy(bytes, (void *)&a, 10);
	tell("%016llx", (unsigned long long)life_hash(1, bytes, 10));
	__asm__ volatile(
	    "fninit; fld1; fld1; faddp; fsqrt; fst %%st(1); fldpi; fxch; fprem; fcomi %%st(1), "
	    "%%st; "
	    "fstcw %0; fstsw %%ax; movw %%ax, %1; fstpl (%2); fstpl 8(%2); fldl2t; frndint; "
	    "fistpll 16(%2); fldz; fld1; fucomip %%st(1), %%st; fstp %%st(0); fldlg2; fbstp "
	    "24(%2); "
	    "fnsave 40(%3); frstor 40(%3); fninit"
	    : "=m"(control), "=m"(status)
	    : "r"(out), "r"(two_pages())
	    : "rax", "memory", "cc");
	MUST(control == 0x37f && (status & 0x3800) >> 11 == 6);
	tell("%.17g %.17g", out[0], out[1]);
	/* the way of rounding is kept */
	int old = fegetround();
	volatile double one = 1, three = 3;
	fesetround(FE_UPWARD);
	double up = one / three;
	life_work(1, 10);
	MUST(fegetround() == FE_UPWARD);
	fesetround(FE_DOWNWARD);
	double down = one / three;
	fesetround(old);
	MUST(up > down && up == nextafter(down, 1));
	feclearexcept(FE_ALL_EXCEPT);
	volatile double zero = 0, none = one / zero;
	MUST(fetestexcept(FE_DIVBYZERO) && !fetestexcept(FE_OVERFLOW) && isinf(none));
}

static void
two_registers_in_one(void)
{
	uint64_t out[4];

	__asm__ volatile(
	    "movq %1, %%mm0; movq %2, %%mm1; paddw %%mm1, %%mm0; pmaddwd %%mm1, %%mm0; "
	    "punpcklbw %%mm0, %%mm1; movq %%mm0, (%0); movq %%mm1, 8(%0); movq2dq %%mm0, %%xmm4; "
	    "movdq2q %%xmm4, %%mm6; movntq %%mm6, 16(%0); emms; fld1; fistpll 24(%0)"
	    :
	    : "r"(out), "r"(0x0102030405060708), "r"(0x1112131415161718)
	    : "xmm4", "memory");
	MUST(out[0] == out[2] && out[3] == 1);
	tell("%016llx %016llx", (unsigned long long)out[0], (unsigned long long)out[1]);
	static const char text[] __attribute__((aligned(16))) = "abcdefghijklmno",
				 set[] __attribute__((aligned(16))) = "xyzjklmnopqrstu";
	int index;
	__asm__ volatile("movdqa %1, %%xmm0; pcmpistri $0, %2, %%xmm0; movl %%ecx, %0"
	                 : "=r"(index)
	                 : "m"(*(const __m128i *)set), "m"(*(const __m128i *)text)
	                 : "xmm0", "rcx", "cc");
	tell("%d", index);
}

__attribute__((target("aes,pclmul,sse4.2,ssse3"))) static void
other_sets(void)
{
	__builtin_cpu_init();
	if (!__builtin_cpu_supports("aes") || !__builtin_cpu_supports("pclmul"))
		return;
	__m128i a = _mm_set_epi64x(0x123456789, 0xabcdef), b = _mm_set1_epi32(0x5a5a1234);
	uint64_t words[4] = {1, 2, 3, 4};
	for (int i = 0; i < 100; i++) {
		a = _mm_aesenc_si128(a, b);
		b = _mm_clmulepi64_si128(a, b, 0x10);
		b = _mm_shuffle_epi8(_mm_xor_si128(a, b), _mm_set_epi8(3, 1, 2, 0, 7, 5, 6, 4, 11,
		                                                       9, 10, 8, 15, 13, 14, 12));
		words[i % 4] = _mm_crc32_u64(words[i % 4], words[(i + 1) % 4]);
	}
	uint64_t hash = life_hash(1, &a, sizeof a);
	hash = life_hash(hash, &b, sizeof b);
	tell("%016llx", (unsigned long long)life_hash(hash, words, sizeof words));
}

static const struct life_case cases[] = {
    {"gather", gather, 0, 0},
    {"masked-moves", masked_moves, 0, 0},
    {"512-bits", with_512_bits, 0, 0},
    {"saved", saved, 0, 0},
    {"upper-halves", upper_halves, 0, 0},
    {"old-stack", old_stack, 0, 0},
    {"two-registers-in-one", two_registers_in_one, 0, 0},
    {"other-sets", other_sets, 0, 0},
};

LIFE_MAIN(cases)
