/* SPDX-License-Identifier: MIT */
/*
 * fork.c - the outlined function of a parallel region.
 *
 * OMPT reports the return address of the call that opens a region; for a tail call (a nested region
 * at the end of an outlined function, at -O1 and above) that is inside the runtime. Then the
 * outlined function is the site. __kmpc_fork_call has a variable number of arguments, so its
 * wrapper is a few instructions that change no argument and jump to the real function.
 */
#include "record/sources/libomp/libomp.h"

#if defined(__x86_64__) || defined(__aarch64__)

WN_HIDDEN wn_function wn_libomp_fork_find(const void *loc, const void *caller);

wn_function
wn_libomp_fork_find(const void *loc, const void *caller)
{
	if (wn_ompt_is_over)
		wn_ompt_unseen(WN_UNSEEN_REGION);
	return wn_libomp_find(loc, caller, WN_LIBOMP___kmpc_fork_call);
}

#endif

#if defined(__x86_64__)

/* (loc, argc, microtask, ...) in rdi, esi, rdx; al is the number of vector registers, r10 and r11
 * are free. A call that is not one of the module that called last saves every argument register
 * during the lookup; 200 + 8 + 8 keeps the stack aligned to 16. */
__asm__(".pushsection .text\n"
        "	.p2align 4\n"
        ".globl __kmpc_fork_call\n"
        ".type __kmpc_fork_call, @function\n"
        "__kmpc_fork_call:\n"
        ".cfi_startproc\n"
        "	endbr64\n"
        "	movq wn_ompt_microtask@GOTTPOFF(%rip), %r10\n"
        "	movq %rdx, %fs:(%r10)\n"
        "	movq wn_libomp_last(%rip), %r11\n"
        "	movq %rdi, %r10\n"
        "	subq (%r11), %r10\n"
        "	cmpq 8(%r11), %r10\n"
        "	jae 1f\n"
        "	movq 16(%r11), %r11\n"
        "	testq %r11, %r11\n"
        "	je 1f\n"
        "	jmp *%r11\n"
        "1:	subq $200, %rsp\n"
        ".cfi_adjust_cfa_offset 200\n"
        "	movq %rdi, (%rsp)\n"
        "	movq %rsi, 8(%rsp)\n"
        "	movq %rdx, 16(%rsp)\n"
        "	movq %rcx, 24(%rsp)\n"
        "	movq %r8, 32(%rsp)\n"
        "	movq %r9, 40(%rsp)\n"
        "	movq %rax, 48(%rsp)\n"
        "	movups %xmm0, 64(%rsp)\n"
        "	movups %xmm1, 80(%rsp)\n"
        "	movups %xmm2, 96(%rsp)\n"
        "	movups %xmm3, 112(%rsp)\n"
        "	movups %xmm4, 128(%rsp)\n"
        "	movups %xmm5, 144(%rsp)\n"
        "	movups %xmm6, 160(%rsp)\n"
        "	movups %xmm7, 176(%rsp)\n"
        "	movq 200(%rsp), %rsi\n"
        "	call wn_libomp_fork_find\n"
        "	movq %rax, %r11\n"
        "	movq (%rsp), %rdi\n"
        "	movq 8(%rsp), %rsi\n"
        "	movq 16(%rsp), %rdx\n"
        "	movq 24(%rsp), %rcx\n"
        "	movq 32(%rsp), %r8\n"
        "	movq 40(%rsp), %r9\n"
        "	movq 48(%rsp), %rax\n"
        "	movups 64(%rsp), %xmm0\n"
        "	movups 80(%rsp), %xmm1\n"
        "	movups 96(%rsp), %xmm2\n"
        "	movups 112(%rsp), %xmm3\n"
        "	movups 128(%rsp), %xmm4\n"
        "	movups 144(%rsp), %xmm5\n"
        "	movups 160(%rsp), %xmm6\n"
        "	movups 176(%rsp), %xmm7\n"
        "	addq $200, %rsp\n"
        ".cfi_adjust_cfa_offset -200\n"
        "	jmp *%r11\n"
        ".cfi_endproc\n"
        ".size __kmpc_fork_call, . - __kmpc_fork_call\n"
        ".popsection\n");

#elif defined(__aarch64__)

/* (loc, argc, microtask, ...) in x0, w1, x2; arguments are in x0 to x7 and q0 to q7, and on the
 * stack; x9, x10, x16 and x17 are free. `hint 34` is `bti c`: the function may be called through a
 * pointer. A call that is not one of the module that called last saves every argument register, and
 * x8, during the lookup. */
__asm__(".pushsection .text\n"
        "	.p2align 4\n"
        ".globl __kmpc_fork_call\n"
        ".type __kmpc_fork_call, %function\n"
        "__kmpc_fork_call:\n"
        ".cfi_startproc\n"
        "	hint #34\n"
        "	adrp x16, :gottprel:wn_ompt_microtask\n"
        "	ldr x16, [x16, :gottprel_lo12:wn_ompt_microtask]\n"
        "	mrs x17, tpidr_el0\n"
        "	str x2, [x17, x16]\n"
        "	adrp x16, wn_libomp_last\n"
        "	ldr x16, [x16, :lo12:wn_libomp_last]\n"
        "	ldp x9, x10, [x16]\n"
        "	sub x9, x0, x9\n"
        "	cmp x9, x10\n"
        "	b.hs 1f\n"
        "	ldr x16, [x16, #16]\n"
        "	cbz x16, 1f\n"
        "	br x16\n"
        "1:	stp x29, x30, [sp, #-224]!\n"
        ".cfi_adjust_cfa_offset 224\n"
        ".cfi_rel_offset x29, 0\n"
        ".cfi_rel_offset x30, 8\n"
        "	mov x29, sp\n"
        "	stp x0, x1, [sp, #16]\n"
        "	stp x2, x3, [sp, #32]\n"
        "	stp x4, x5, [sp, #48]\n"
        "	stp x6, x7, [sp, #64]\n"
        "	str x8, [sp, #80]\n"
        "	stp q0, q1, [sp, #96]\n"
        "	stp q2, q3, [sp, #128]\n"
        "	stp q4, q5, [sp, #160]\n"
        "	stp q6, q7, [sp, #192]\n"
        "	mov x1, x30\n"
        "	bl wn_libomp_fork_find\n"
        "	mov x16, x0\n"
        "	ldp x0, x1, [sp, #16]\n"
        "	ldp x2, x3, [sp, #32]\n"
        "	ldp x4, x5, [sp, #48]\n"
        "	ldp x6, x7, [sp, #64]\n"
        "	ldr x8, [sp, #80]\n"
        "	ldp q0, q1, [sp, #96]\n"
        "	ldp q2, q3, [sp, #128]\n"
        "	ldp q4, q5, [sp, #160]\n"
        "	ldp q6, q7, [sp, #192]\n"
        "	ldp x29, x30, [sp], #224\n"
        ".cfi_adjust_cfa_offset -224\n"
        ".cfi_restore x29\n"
        ".cfi_restore x30\n"
        "	br x16\n"
        ".cfi_endproc\n"
        ".size __kmpc_fork_call, . - __kmpc_fork_call\n"
        ".popsection\n");

#endif

/* flang's regions with an if clause: the runtime opens the region from within, whatever the
 * clause. */
WN_REAL(void, __kmpc_fork_call_if, struct kmp_ident *, int32_t, void *, int32_t, void *)

WN_EXPORT void __kmpc_fork_call_if(struct kmp_ident *loc, int32_t n_args, void *microtask,
                                   int32_t is_parallel, void *args);

void
__kmpc_fork_call_if(struct kmp_ident *loc, int32_t n_args, void *microtask, int32_t is_parallel,
                    void *args)
{
	wn_ompt_microtask = microtask;
	if (WN_UNLIKELY(!wn_ompt_is_on))
		wn_ompt_unseen(WN_UNSEEN_REGION);
	__kmpc_fork_call_if_real(loc)(loc, n_args, microtask, is_parallel, args);
}
