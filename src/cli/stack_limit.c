/* SPDX-License-Identifier: MIT */
#include "cli/stack_limit.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#define STACK_BYTES (256u << 10)

/* makecontext() passes integers only. */
static void (*next_work)(void *);
static void *next_argument;

static void
start(void)
{
	next_work(next_argument);
}

void
stack_call(void (*work)(void *), void *argument)
{
	struct rlimit limit;
	ucontext_t here, there;
	void *stack = MAP_FAILED;
	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < STACK_BYTES)
		stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		             -1, 0);
	if (stack == MAP_FAILED || getcontext(&there) != 0) {
		work(argument);
		return;
	}
	next_work = work;
	next_argument = argument;
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = STACK_BYTES;
	there.uc_link = &here;
	makecontext(&there, start, 0);
	swapcontext(&here, &there);
	munmap(stack, STACK_BYTES);
}
