/* SPDX-License-Identifier: MIT */
/*
 * frames.h - what a wrapper needs again after the call that it wraps, or in the tasks inside it.
 *
 * Tasks run inside calls of the runtime and nest there as deep as the program recurses, and the
 * program may have little stack to spare. So wrappers whose calls run tasks keep their data in
 * memory of this second stack of the thread, and divide themselves in functions that jump to each
 * other, so that only the frame of the one that calls the runtime is on the stack meanwhile:
 *
 *   wrapper ──jump──> call of the runtime ──jump──> end
 *   push              parameters                    frame, pop
 *
 * It belongs to the thread and not to its trace: a child forked inside the call still finds it.
 */
#pragma once

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define WN_FRAME_ALIGN 16u

/* First field of each frame. */
struct wn_frame {
	struct wn_frame *outer;
	char *next, *end; /* of the room left when the frame was pushed */
	const void *at;   /* address of the wrapper's frame on the stack */
};

struct wn_frames {
	struct wn_frame *top;
	char *next, *end;             /* room left in the current part */
	struct wn_frames_part *first; /* frames.c */
};

extern __thread struct wn_frames wn_frames
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Frame on the stack of the function that pushes a frame, also in the one that it jumps to. */
#define WN_FRAME_AT __builtin_frame_address(0)

/* Slow, where the current part has no room: NULL if the kernel refuses memory. */
void *wn_frame_push_slowly(size_t n_bytes, const void *at);

/* Slow: the frame of a call that is over, which is not the innermost one if calls inside it were
 * left by a jump out of their tasks: those are popped. */
void *wn_frame_find(const void *at);

/* Slow: the thread has ended. */
void wn_frames_end(void);

static inline size_t
wn_frame_size(size_t n_bytes)
{
	return (n_bytes + WN_FRAME_ALIGN - 1) & ~(size_t)(WN_FRAME_ALIGN - 1);
}

/* As wn_frame_push(); NULL if that takes a call. So a wrapper can fill the frame before it calls
 * any function, and saves no parameters. */
static inline __attribute__((always_inline)) void *
wn_frame_push_quickly(size_t n_bytes, const void *at)
{
	struct wn_frames *s = &wn_frames;
	size_t size = wn_frame_size(n_bytes);
	if (__builtin_expect((size_t)(s->end - s->next) < size, 0))
		return NULL;
	struct wn_frame *frame = (struct wn_frame *)(void *)s->next;
	*frame = (struct wn_frame){s->top, s->next, s->end, at};
	s->top = frame;
	s->next += size;
	return frame;
}

/* A frame of that many bytes, its end at a multiple of WN_FRAME_ALIGN: only its first field is
 * initialized. NULL without memory. */
static inline void *
wn_frame_push(size_t n_bytes, const void *at)
{
	void *frame = wn_frame_push_quickly(n_bytes, at);
	if (__builtin_expect(!frame, 0))
		frame = wn_frame_push_slowly(wn_frame_size(n_bytes), at);
	return frame;
}

/* Only of the innermost frame. */
static inline void
wn_frame_pop(const struct wn_frame *frame)
{
	wn_frames.top = frame->outer;
	wn_frames.next = frame->next;
	wn_frames.end = frame->end;
}

/* The frame of the call that is over. */
static inline void *
wn_frame_of(const void *at)
{
	struct wn_frame *frame = wn_frames.top;
	return __builtin_expect(frame->at == at, 1) ? frame : wn_frame_find(at);
}

/* WN_FRAME_CALL_11(name, end) defines name(), which calls a function with 11 parameters and then
 * jumps to end(). The function and its parameters, a word each, follow the first field of the
 * innermost frame. The 5 parameters on the stack and the return address are 48 bytes; gcc would
 * add 16, since it aligns the parameters by themselves. */
#if defined(__x86_64__) && defined(__LP64__)
#define WN_HAS_FRAME_CALL_11 1
static_assert(sizeof(struct wn_frame) == 32, "WN_FRAME_CALL_11");
#define WN_FRAME_CALL_11(name, end)                                                                \
	__asm__(".pushsection .text\n"                                                             \
	        "	.p2align 4\n"                                                                    \
	        ".hidden " #name "\n"                                                              \
	        ".globl " #name "\n"                                                               \
	        ".type " #name ", @function\n" #name ":\n"                                         \
	        ".cfi_startproc\n"                                                                 \
	        "	movq wn_frames@GOTTPOFF(%rip), %rax\n"                                           \
	        "	movq %fs:(%rax), %rax\n"                                                         \
	        "	pushq 120(%rax)\n"                                                               \
	        ".cfi_adjust_cfa_offset 8\n"                                                       \
	        "	pushq 112(%rax)\n"                                                               \
	        ".cfi_adjust_cfa_offset 8\n"                                                       \
	        "	pushq 104(%rax)\n"                                                               \
	        ".cfi_adjust_cfa_offset 8\n"                                                       \
	        "	pushq 96(%rax)\n"                                                                \
	        ".cfi_adjust_cfa_offset 8\n"                                                       \
	        "	pushq 88(%rax)\n"                                                                \
	        ".cfi_adjust_cfa_offset 8\n"                                                       \
	        "	movq 80(%rax), %r9\n"                                                            \
	        "	movq 72(%rax), %r8\n"                                                            \
	        "	movq 64(%rax), %rcx\n"                                                           \
	        "	movq 56(%rax), %rdx\n"                                                           \
	        "	movq 48(%rax), %rsi\n"                                                           \
	        "	movq 40(%rax), %rdi\n"                                                           \
	        "	call *32(%rax)\n"                                                                \
	        "	addq $40, %rsp\n"                                                                \
	        ".cfi_adjust_cfa_offset -40\n"                                                     \
	        "	jmp " #end "\n"                                                            \
	        ".cfi_endproc\n"                                                                   \
	        ".size " #name ", . - " #name "\n"                                                 \
	        ".popsection\n")
#endif
