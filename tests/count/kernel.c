/* SPDX-License-Identifier: MIT */
/*
 * Grains whose instructions are known: task k, and chunk k of a loop, goes 1000 (k + 1) times round
 * five instructions, which read one word and write the next one, 64 bytes further each time. What
 * else they do is the same for all. Task TASKS has a child in the middle, so that it is suspended.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TASKS = 8, ROUNDS = 1000, STRIDE = 64 };

static unsigned char *memory;

static void __attribute__((noinline)) kernel(unsigned char *at, uint64_t rounds)
{
	uint64_t word;

	__asm__ volatile("1: movq (%0), %2\n\t"
	                 "movq %2, 8(%0)\n\t"
	                 "addq $64, %0\n\t"
	                 "decq %1\n\t"
	                 "jnz 1b"
	                 : "+r"(at), "+r"(rounds), "=&r"(word)
	                 :
	                 : "memory", "cc");
}

static unsigned char *
part(int k)
{
	return memory + (size_t)k * (TASKS + 1) * ROUNDS * STRIDE;
}

int
main(void)
{
	if (posix_memalign((void **)&memory, STRIDE, 4ul * TASKS * (TASKS + 1) * ROUNDS * STRIDE) !=
	    0)
		return 1;
#pragma omp parallel
	{
#pragma omp single
		{
			for (int k = 0; k < TASKS; k++) {
#pragma omp task firstprivate(k)
				kernel(part(k), (uint64_t)(k + 1) * ROUNDS);
			}
#pragma omp task
			{
				kernel(part(TASKS), ROUNDS);
#pragma omp task
				kernel(part(TASKS + 1), ROUNDS);
#pragma omp taskwait
				kernel(part(TASKS), 2 * ROUNDS); /* half of it is known already */
			}
		}
#pragma omp for schedule(dynamic, 1)
		for (int k = 0; k < TASKS; k++)
			kernel(part(k), (uint64_t)(k + 1) * ROUNDS);
	}
	puts("OK");
	return 0;
}
