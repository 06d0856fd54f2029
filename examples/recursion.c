/* SPDX-License-Identifier: MIT */
/*
 * recursion.c - a recursion that makes a task of everything.
 *
 * Problem   Adds up a binary tree with one task per node.  Most nodes are near the leaves, where a
 *           task does a few nanoseconds of work and costs far more to create, queue and join.
 * Winnow    nearly all grains have a parallel benefit below 1, all from the two task lines in
 *           sum(); the parallelism is ample, so it advises a cut-off at a depth or a size.
 * Fix       a cut-off: the lowest levels, LEAF_LEVELS of them, are summed by plain calls.
 */
#include <stdint.h>
#include <stdio.h>

#define LEVELS      19
#define LEAF_LEVELS 15

static uint64_t
node_value(uint64_t node)
{
	node ^= node >> 7;
	return (node * 0x9d39247e33776d41u) >> 40;
}

static uint64_t
sum_plain(uint64_t node, int levels)
{
	if (levels == 0)
		return node_value(node);
	return node_value(node) + sum_plain(2 * node, levels - 1) +
	       sum_plain(2 * node + 1, levels - 1);
}

static uint64_t
sum(uint64_t node, int levels)
{
	uint64_t left = 0, right = 0;

#ifdef FIXED
	if (levels <= LEAF_LEVELS)
		return sum_plain(node, levels);
#else
	if (levels == 0)
		return sum_plain(node, levels);
#endif
#pragma omp task shared(left)
	left = sum(2 * node, levels - 1);
#pragma omp task shared(right)
	right = sum(2 * node + 1, levels - 1);
#pragma omp taskwait
	return node_value(node) + left + right;
}

int
main(void)
{
	uint64_t result = 0;

#pragma omp parallel
#pragma omp single
	result = sum(1, LEVELS);
	printf("checksum %llu\n", (unsigned long long)result);
	return 0;
}
